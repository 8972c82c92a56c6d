"""Random numbers: streams, states and distributions. Hardware's bits are not published, so none are compared."""

import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl

GPSIMD, VECTOR = nisa.engine.gpsimd, nisa.engine.vector


def returned(*tiles):
    """Tiles as kernel results."""
    outputs = []
    for tile in tiles:
        outputs.append(nl.ndarray(tile.shape, tile.dtype, buffer=nl.shared_hbm))
        nisa.dma_copy(outputs[-1], tile)
    return tuple(outputs)


def drawn(*shape, dtype=nl.uint32, engine=VECTOR):
    tile = nl.ndarray(shape, dtype)
    nisa.rng(tile, engine=engine)
    return tile


def loaded(x):
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(tile, x)
    return tile


def marsaglia(state, count):
    """The xorwow of Marsaglia's paper, in plain integers."""
    x, y, z, w, v, d = map(int, state)
    numbers = []
    for _ in range(count):
        t = x ^ (x >> 2)
        x, y, z, w = y, z, w, v
        v = (v ^ (v << 4) ^ t ^ (t << 1)) & 0xFFFFFFFF
        d = (d + 362437) & 0xFFFFFFFF
        numbers.append((v + d) & 0xFFFFFFFF)
    return numbers, [x, y, z, w, v, d]


def test_states():
    @simulator.jit
    def kernel(seeds):
        nisa.rand_set_state(loaded(seeds))
        first, second = drawn(32, 5, engine=GPSIMD), drawn(32, 3, engine=GPSIMD)
        state = nl.ndarray(seeds.shape, nl.uint32)
        nisa.rand_get_state(state)
        return returned(first, second, state)

    seeds = np.random.default_rng(1).integers(1, 2**32, (32, 6), dtype=np.uint32)
    seeds[7] = seeds[3]
    first, second, state = kernel(seeds)
    for lane in range(32):
        numbers, end = marsaglia(seeds[lane], 8)
        assert [*first[lane], *second[lane]] == numbers
        assert list(state[lane]) == end
    np.testing.assert_array_equal(first[7], first[3])  # lanes seeded alike run alike


def test_vector_state_continues():
    @simulator.jit
    def kernel(seeds):
        nisa.rand_set_state(loaded(seeds), engine=VECTOR)
        state = nl.ndarray(seeds.shape, nl.uint32)
        drawn(128, 8)
        nisa.rand_get_state(state, engine=VECTOR)
        first = drawn(128, 16)
        nisa.rand_set_state(state, engine=VECTOR)
        return returned(first, drawn(128, 16))

    with simulator.options("trn3"):
        first, again = kernel(np.arange(128 * 24, dtype=np.uint32).reshape(128, 24))
    np.testing.assert_array_equal(first, again)


@simulator.jit
def seeded(seed, dtype):
    nisa.set_rng_seed(loaded(seed))
    return returned(drawn(128, 512, dtype=dtype), drawn(128, 512, dtype=dtype))


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
def test_seeds(target):
    one, two = np.array([[1]], np.uint32), np.array([[2]], np.uint32)
    with simulator.options(target):
        (a, b), (c, d), (e, _) = seeded(one, nl.uint32), seeded(one, nl.uint32), seeded(two, nl.uint32)
        narrow, _ = seeded(one, nl.int8)
    np.testing.assert_array_equal((a, b), (c, d))
    np.testing.assert_array_equal(narrow, a.astype(np.uint8).view(np.int8))  # the low bits
    for other in (b, e):
        assert (a == other).mean() < 1e-3
    assert np.unique(a).size > 0.999 * a.size  # lanes differ; 65536 draws of 2**32 collide about 0.5 times
    for bit in range(32):  # each bit's mean, and its correlation with the next draw; 6 standard deviations
        bits = (a >> np.uint32(bit) & 1).astype(np.float64) - 0.5
        assert abs(bits.mean()) < 6 * 0.5 / np.sqrt(bits.size)
        assert abs((bits[:, 1:] * bits[:, :-1]).mean()) < 6 * 0.25 / np.sqrt(bits[:, 1:].size)


def test_knob_and_engines():
    kernel = simulator.jit(lambda: returned(drawn(128, 8), drawn(128, 8, engine=GPSIMD)))
    (a, b), (c, d) = kernel(), kernel()
    np.testing.assert_array_equal((a, b), (c, d))  # a launch begins anew
    assert (a != b).any()
    with simulator.options(knobs=simulator.Knobs(rng_seed=1)):
        assert (kernel()[0] != a).any()


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int16"])
def test_uniform(dtype):
    @simulator.jit
    def kernel(low):
        bound = loaded(low)
        tile = nl.ndarray((128, 1024), dtype)
        nisa.rand2(tile, bound, 100.0)
        return returned(tile)

    low = np.linspace(-50, 50, 128, dtype=np.float32)[:, None]
    with simulator.options("trn3"):
        values = kernel(low)[0].astype(np.float64)
    slack = {"float32": 0, "bfloat16": 0.25, "int16": 0.5}[dtype]  # half a unit in the last place at 50 to 100
    assert (values >= low - slack).all()
    assert (values <= 100 + slack).all()
    unit = (values - low) / (100 - low)
    # Kolmogorov's statistic of 131072 draws is below 2/sqrt(n) with probability 1 - 7e-4; rounding moves it by a grid step.
    ranks = np.sort(unit, axis=None)
    distance = np.abs(ranks - (np.arange(ranks.size) + 0.5) / ranks.size).max()
    assert distance < 2 / np.sqrt(ranks.size) + slack / 50


def test_uniform_range_is_checked_when_known():
    @simulator.jit
    def kernel(low):
        tile = nl.ndarray((2, 4), nl.float32)
        nisa.rand2(tile, loaded(low), 1.0)
        return returned(tile)

    with simulator.options("trn3"), pytest.raises(simulator.KernelError, match="min is below max"):
        kernel(np.array([[0], [1]], np.float32))
