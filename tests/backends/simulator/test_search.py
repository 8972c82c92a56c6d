"""Searches against loops over Python numbers: positions and values are exact, so results are equal, not close."""

import ml_dtypes
import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl

from .tile_moves import load, store

pytestmark = pytest.mark.usefixtures("on_trn2")
RNG = np.random.default_rng(5)


def few_values(*shape):
    """Small integers, so that many are equal."""
    return RNG.integers(-20, 20, shape).astype(np.float32)


@pytest.mark.parametrize("size", [8, 9, 300])
def test_max8(size):
    @simulator.jit
    def kernel(x):
        dst = nl.ndarray((x.shape[0], 8), nl.bfloat16)
        nisa.max8(dst, load(x))
        return store(dst)

    x = RNG.standard_normal((128, size)).astype(np.float32)
    expected = [sorted(row, reverse=True)[:8] for row in x]
    np.testing.assert_array_equal(kernel(x), np.array(expected).astype(ml_dtypes.bfloat16))


def paired(data, values, order):
    """Positions of values, each taken once; None where none is left."""
    positions, left = [None] * 8, list(enumerate(data))
    for column in order:
        found = next((pair for pair in left if pair[1] == values[column]), None)
        if found:
            left.remove(found)
            positions[column] = found[0]
    return positions


@pytest.mark.parametrize("dtype", ["uint16", "uint32"])
def test_nc_find_index8(dtype):
    @simulator.jit
    def kernel(data, vals):
        dst = nl.ndarray((data.shape[0], 8), dtype)
        nisa.nc_find_index8(dst, load(data), load(vals))
        return store(dst)

    data, vals = few_values(128, 6, 10), few_values(128, 8)
    missing = np.iinfo(dtype).max
    expected = [[missing if p is None else p for p in paired(d.ravel(), v, range(8))] for d, v in zip(data, vals, strict=True)]
    found = kernel(data, vals)
    assert (found == missing).any()
    np.testing.assert_array_equal(found, expected)


def test_nc_find_index8_finds_what_max8_found():
    @simulator.jit
    def kernel(x):
        tile, top, where = load(x), nl.ndarray((x.shape[0], 8), nl.float32), nl.ndarray((x.shape[0], 8), nl.uint32)
        nisa.max8(top, tile)
        nisa.nc_find_index8(where, tile, top)
        return store(where)

    x = few_values(128, 100)
    np.testing.assert_array_equal(kernel(x), np.argsort(-x, axis=1, kind="stable")[:, :8])


@simulator.jit
def replaced(data, vals):
    tile, where = load(data), nl.ndarray((data.shape[0], 8), nl.uint32)
    nisa.nc_match_replace8(tile, tile, load(vals), -99.5, where)
    return store(tile), store(where)


def test_nc_match_replace8_documented_example():
    data, vals = np.float32([[1, 2, 3, 4, 8, 8, 8, 8, 8, 8, 8]]), np.float32([[3, 8, 8, 8, 8, 8, 8, 8]])
    found, where = replaced(data, vals)
    np.testing.assert_array_equal(where, [[2, 10, 9, 8, 7, 6, 5, 4]])
    np.testing.assert_array_equal(found, [[1, 2, -99.5, 4, *[-99.5] * 7]])


def test_nc_match_replace8():
    data, vals = few_values(128, 40), few_values(128, 8)
    found, where = replaced(data, vals)
    for row, values, got, index in zip(data, vals, found, where, strict=True):
        positions = paired(row, values, range(7, -1, -1))
        expected = row.copy()
        expected[[p for p in positions if p is not None]] = -99.5
        np.testing.assert_array_equal(got, expected)
        np.testing.assert_array_equal(index, [2**32 - 1 if p is None else p for p in positions])


@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_nonzero_with_count(dtype):
    @simulator.jit
    def kernel(x):
        dst = nl.ndarray((x.shape[0], x.shape[1] + 1), nl.int32)
        nisa.memset(dst, 77)
        nisa.nonzero_with_count(dst, load(x), index_offset=16, padding_val=-3)
        return store(dst)

    x = RNG.integers(0, 2, (64, 30)).astype(dtype)
    found = kernel(x)
    for partition, (row, got) in enumerate(zip(x, found, strict=True)):
        hits = [position + 16 for position, value in enumerate(row) if value]
        expected = [*hits, *[-3] * (30 - len(hits)), len(hits)] if partition % 16 == 0 else [77] * 31
        np.testing.assert_array_equal(got, expected)


def test_nonzero_with_count_touches_every_sixteenth_partition_only():
    @simulator.jit
    def kernel(x, which: int):
        src, dst = nl.ndarray((32, 8), nl.float32), nl.ndarray((32, 9), nl.int32)
        nisa.dma_copy(src[0:1], x)
        nisa.dma_copy(src[16:17], x)
        nisa.nonzero_with_count(dst, src)
        return store(dst[which : which + 1])

    x = np.float32([[0, 1, 1, 0, 0, 1, 0, 0]])
    np.testing.assert_array_equal(kernel(x, 16), [[1, 2, 5, -1, -1, -1, -1, -1, 3]])
    with pytest.raises(simulator.UninitializedReadError):
        kernel(x, 1)


@pytest.mark.parametrize(("n", "count"), [(42, 8), (48, 48), (17, 1), (40, 20)])
def test_topk(n, count):
    @simulator.jit
    def kernel(x):
        values, index = nl.ndarray((x.shape[0], count), nl.bfloat16), nl.ndarray((x.shape[0], count), nl.uint32)
        nisa.memset(values, -99)
        nisa.memset(index, 99)
        nisa.topk(values, index, load(x), n)
        return store(values), store(index)

    x = few_values(32, 3).astype(ml_dtypes.bfloat16)
    values, index = kernel(x)
    wanted_values, wanted_index = np.full(values.shape, -99.0), np.full(index.shape, 99)
    for first in (0, 16):
        snake = [float(x[first + e % 16, e // 16]) for e in range(n)]
        for slot, e in enumerate(sorted(range(n), key=lambda e, snake=snake: (snake[e], -e))[-count:]):
            wanted_values[first + slot % 16, slot // 16], wanted_index[first + slot % 16, slot // 16] = snake[e], e
    np.testing.assert_array_equal(values.astype(np.float64), wanted_values)
    np.testing.assert_array_equal(index, wanted_index)


@pytest.mark.parametrize(
    ("ids", "starts", "ends"),
    [
        ([1, 1, 1, 2, 2, 0, 0, 3], [0, 0, 0, 3, 3, 8, 8, 7], [3, 3, 3, 5, 5, -1, -1, 8]),
        ([0, 5, 5, 0, 5], [5, 1, 1, 5, 4], [-1, 3, 3, -1, 5]),
        ([4], [0], [1]),
        ([0], [1], [-1]),
    ],
)
@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_sequence_bounds(dtype, ids, starts, ends):
    @simulator.jit
    def kernel(x):
        dst = nl.ndarray((1, 2, x.shape[1]), x.dtype)
        nisa.sequence_bounds(dst, load(x))
        return store(dst)

    np.testing.assert_array_equal(kernel(np.array([ids], dtype)), [[starts, ends]])
