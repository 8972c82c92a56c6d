"""Permutations and reversals against NumPy, bit for bit."""

import itertools

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trnarray.backends import simulator
from trnarray.backends.isa import nisa, nl
from trnarray.backends.neuron.costs import Costs
from trnarray.backends.neuron.kernels.move import permutation_ways
from trnarray.backends.neuron.kernels.move.flip import flip
from trnarray.backends.neuron.kernels.move.permutation import permute
from trnarray.backends.neuron.kernels.move.permutation_ways import collapse_axes
from trnarray.backends.neuron.kernels.move.tile_transpose import TileTransposer

RNG = np.random.default_rng(7)
DTYPES = (np.uint8, np.int8, np.bool_, ml_dtypes.float8_e5m2, np.float16, ml_dtypes.bfloat16, np.int16, np.float32, np.int32, np.uint32)


@simulator.jit
def permuted(x, axes, budget=100_000, way=""):
    out = nl.ndarray(tuple(x.shape[axis] for axis in axes), x.dtype, buffer=nl.shared_hbm)
    permute(out, x, axes, budget=budget, way=way)
    return out


@simulator.jit
def flipped(x):
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    flip(out, x)
    return out


def draw(shape, dtype):
    """All bit patterns, NaN, infinities and denormals among them."""
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        return RNG.random(shape) < 0.5
    return RNG.integers(0, 256, (*shape, dtype.itemsize), np.uint8).view(dtype).reshape(shape)


def same(found, wanted):
    assert found.shape == wanted.shape
    assert found.tobytes() == np.ascontiguousarray(wanted).tobytes()


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(dtype, target):
    with simulator.options(target):
        for shape, axes in (((130, 140), (1, 0)), ((3, 40, 50), (2, 0, 1)), ((129, 2, 3), (1, 2, 0)), ((34, 35, 4), (1, 0, 2))):
            x = draw(shape, dtype)
            same(permuted(x, axes), x.transpose(axes))
        x = draw((3, 70, 5), dtype)
        same(flipped(x), x[:, ::-1])


@pytest.mark.parametrize("target", ["trn1", "trn2"])
@pytest.mark.parametrize("shape", [(1, 129), (513, 127), (1000, 3), (5, 6, 7), (70, 40, 3), (300, 9, 8), (40, 130, 2), (3, 5, 2, 4)])
def test_shapes(shape, target):
    x = draw(shape, np.float32)
    with simulator.options(target):
        for axes in itertools.permutations(range(len(shape))):
            same(permuted(x, axes), x.transpose(axes))


@pytest.mark.parametrize("target", ["trn1", "trn2"])
@pytest.mark.parametrize(
    ("shape", "axes"),
    [
        ((9, 40, 50), (0, 2, 1)),
        ((7, 30, 5), (1, 0, 2)),
        ((200, 3), (1, 0)),
        ((3, 130, 4, 2), (2, 0, 1, 3)),
        ((5, 6, 30, 7), (3, 2, 1, 0)),
        ((3, 20, 6, 40), (0, 3, 2, 1)),
    ],
)
def test_all_ways_that_can_be_gone(shape, axes, target):
    x = draw(shape, np.int16)
    ways = [way for way in permutation_ways.WAYS if permutation_ways.time(Costs(target), way, shape, axes, 2) < np.inf]
    assert len(ways) > 1
    for way in ways:
        with simulator.options(target):
            same(permuted(x, axes, way=way), x.transpose(axes))


def test_long_runs_fit_on_chip_or_go_by_dma():
    for run in (100, 250, 255):
        x = draw((128, 128, run), np.float32)
        with simulator.options("trn2"):
            same(permuted(x, (1, 0, 2)), x.transpose(1, 0, 2))


@pytest.mark.parametrize(("shape", "axes"), [((9, 40, 50), (0, 2, 1)), ((5, 3, 7, 40, 33), (2, 4, 1, 3, 0))])
def test_the_device_counts_what_is_much(shape, axes):
    x = draw(shape, np.float32)
    with simulator.options("trn2"):
        same(permuted(x, axes, 20, permutation_ways.IN_TILES), x.transpose(axes))
        assert any(type(node).__name__ == "ForLoop" for node in permuted.program(x, axes, 20, permutation_ways.IN_TILES).cores[0].nodes)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_any_rank(data):
    rank = data.draw(st.integers(1, 8))
    shape = tuple(data.draw(st.lists(st.integers(1, 5), min_size=rank, max_size=rank)))
    axes = tuple(data.draw(st.permutations(range(rank))))
    x = draw(shape, data.draw(st.sampled_from(DTYPES)))
    with simulator.options(data.draw(st.sampled_from(["trn1", "trn2"]))):
        same(permuted(x, axes), x.transpose(axes))


@given(st.lists(st.integers(1, 4), min_size=1, max_size=6), st.randoms())
def test_collapsed_axes_are_the_same_permutation(shape, random):
    axes = random.sample(range(len(shape)), len(shape))
    x = np.arange(np.prod(shape)).reshape(shape)
    merged, order = collapse_axes(shape, axes)
    np.testing.assert_array_equal(x.reshape(merged).transpose(order).ravel(), x.transpose(axes).ravel())
    assert 1 not in merged
    assert all(b != a + 1 for a, b in itertools.pairwise(order))


@pytest.mark.parametrize("shape", [(1, 1, 1), (5, 7, 3), (1, 70001, 1), (2, 9001, 3), (1, 9, 20000), (300, 5, 4), (2, 130, 600)])
def test_reversals(shape):
    for dtype in (np.uint8, np.float32):
        x = draw(shape, dtype)
        with simulator.options("trn2"):
            same(flipped(x), x[:, ::-1])


@pytest.mark.parametrize(
    ("shape", "axes"),
    [
        ((4096, 4096), (1, 0)),
        ((8, 512, 512, 3), (0, 3, 1, 2)),
        ((8, 3, 512, 512), (0, 2, 3, 1)),
        ((2**21, 2), (1, 0)),
        ((256, 256, 256), (1, 0, 2)),
        ((65536, 8, 8), (0, 2, 1)),
        ((2000, 130, 50), (0, 2, 1)),
    ],
)
def test_rates(shape, axes):
    """Three quarters of what DMA moves in and out on trn2 (368 GB/s in all), as predicted."""
    x = np.broadcast_to(np.float32(0), shape)
    with simulator.options("trn2"):
        assert permuted.predict(x, axes).seconds <= 4 / 3 * 2 * x.size * 4 / 368e9


@pytest.mark.parametrize("shape", [(16, 16, 16, 16), (12, 12, 12, 12), (8, 20, 6, 24), (10, 10, 10, 10, 10), (32, 32, 32, 32)])
@pytest.mark.parametrize("target", ["trn2", "trn3"])
def test_rates_of_small_axes(shape, target):
    """One and a half times what DMA takes, and 10 us, as predicted."""
    x = np.broadcast_to(np.float32(0), shape)
    axes = tuple(range(len(shape)))[::-1]
    with simulator.options(target):
        assert permuted.predict(x, axes).seconds <= 1.5e-9 * Costs(target).moves(0, 0, 8 * x.size) + 10e-6


@pytest.mark.parametrize("shape", [(1, 2**24, 1), (64, 512, 512), (4096, 4096, 1), (2**20, 4, 4)])
def test_rates_of_reversals(shape):
    x = np.broadcast_to(np.float32(0), shape)
    with simulator.options("trn2"):
        assert flipped.predict(x).seconds <= 1.1 * 2 * x.size * 4 / 368e9


def test_a_transposed_operand_costs_little():
    """x.T + y on 4096 squared within 1.3 times x + y, when tiles are transposed on their way (as predicted)."""
    size, side = 4096, 512

    def kernel(turned):
        def add(x, y):
            out = nl.ndarray(y.shape, y.dtype, buffer=nl.shared_hbm)
            transposer = TileTransposer(4)
            for row in range(0, size, side):
                for column in range(0, size, side):
                    first, second = (nl.ndarray((128, side // 128, side), x.dtype) for _ in range(2))
                    block = x[column : column + side, row : row + side] if turned else x[row : row + side, column : column + side]
                    nisa.dma_copy(first, block.reshape_dim(0, (side // 128, 128)).permute((1, 0, 2)))
                    nisa.dma_copy(second, y[row : row + side, column : column + side].reshape_dim(0, (side // 128, 128)).permute((1, 0, 2)))
                    if turned:
                        other = nl.ndarray(first.shape, x.dtype)
                        for part in range(side // 128):
                            transposer.blocks(other[:, :, 128 * part : 128 * (part + 1)], first[:, part])
                        first = other
                    nisa.tensor_tensor(second, first, second, nl.add)
                    into = out[row : row + side, column : column + side].reshape_dim(0, (side // 128, 128)).permute((1, 0, 2))
                    nisa.dma_copy(into, second)
            return out

        return simulator.jit(add)

    x = np.broadcast_to(np.float32(0), (size, size))
    with simulator.options("trn2"):
        assert kernel(True).predict(x, x).seconds <= 1.3 * kernel(False).predict(x, x).seconds
