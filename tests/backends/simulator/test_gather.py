"""Gathers, shuffles and reductions over partitions against NumPy; copies are exact, so they are equal, not close."""

import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl

from .tile_moves import load, store

pytestmark = pytest.mark.usefixtures("on_trn2")
RNG = np.random.default_rng(9)


def integers(*shape):
    return RNG.integers(-(2**31), 2**31, shape).astype(np.int32)


def test_nc_stream_shuffle():
    mask = [int(m) for m in RNG.integers(0, 32, 32)]
    mask[3] = mask[17] = 255

    @simulator.jit
    def kernel(old, new):
        dst, own = load(old), load(new)
        nisa.nc_stream_shuffle(dst, load(new), mask)
        nisa.nc_stream_shuffle(own, own, mask)
        return store(dst), store(own)

    old, new = integers(128, 3, 5), integers(128, 3, 5)
    other, own = kernel(old, new)
    for partition in range(128):
        source = mask[partition % 32]
        from_new = new[partition // 32 * 32 + source] if source != 255 else None
        np.testing.assert_array_equal(other[partition], old[partition] if from_new is None else from_new)
        np.testing.assert_array_equal(own[partition], new[partition] if from_new is None else from_new)


def test_nc_stream_shuffle_leaves_what_it_keeps_unwritten():
    @simulator.jit
    def kernel(x, first: int):
        dst = nl.ndarray((32, 4), nl.int32)
        nisa.nc_stream_shuffle(dst, load(x), [255, *[0] * 31])
        return store(dst[first:])

    x = integers(1, 4)  # one partition, broadcast
    np.testing.assert_array_equal(kernel(x, 1), np.repeat(x, 31, axis=0))
    with pytest.raises(simulator.UninitializedReadError):
        kernel(x, 0)


@simulator.jit
def n_gathered(data, indices):
    dst = nl.ndarray(indices.shape, data.dtype)
    nisa.nc_n_gather(dst, load(data), load(indices))
    return store(dst)


def test_nc_n_gather():
    data, indices = integers(128, 4, 25), RNG.integers(0, 100, (128, 130)).astype(np.uint32)
    expected = [[row.ravel()[k] for k in of] for row, of in zip(data, indices, strict=True)]
    np.testing.assert_array_equal(n_gathered(data, indices), expected)
    indices[5, 6] = 100
    with pytest.raises(simulator.OutOfBoundsError, match="index 100 leads out"):
        n_gathered(data, indices)


@pytest.mark.parametrize(("each", "valid"), [(1, None), (1, 50), (4, None), (32, 33)])
def test_local_gather(each, valid):
    count = valid or 64

    @simulator.jit
    def kernel(src, index):
        dst = nl.ndarray((src.shape[0], count, each), src.dtype)
        nisa.local_gather(dst, load(src), load(index), each, valid)
        return store(dst)

    src, index = integers(48, 512), RNG.integers(0, 512 - each, (48, 4)).astype(np.uint16)
    expected = np.empty((48, count, each), np.int32)
    for p in range(48):
        for k in range(count):
            first = int(index[p // 16 * 16 + k % 16, k // 16])
            expected[p, k] = src[p, first : first + each]
    np.testing.assert_array_equal(kernel(src, index), expected)
    index[0, 0] = 513 - each
    with pytest.raises(simulator.OutOfBoundsError):
        kernel(src, index)


def reduced(op, x, dtype=nl.float32):
    @simulator.jit
    def kernel(data):
        dst = nl.ndarray((1, *data.shape[1:]), dtype)
        nisa.tensor_partition_reduce(dst, op, load(data))
        return store(dst)

    return kernel(x)


def test_tensor_partition_reduce_adds():
    x = RNG.standard_normal((128, 6, 20)).astype(np.float32)
    exact, size = x.astype(np.float64).sum(0, keepdims=True), np.abs(x.astype(np.float64)).sum(0, keepdims=True)
    # 127 additions in a row round by half a unit (u = 2**-24) each.
    assert (np.abs(reduced(nl.add, x) - exact) <= 127 * 2.0**-24 * size).all()
    # The division adds one rounding.
    assert (np.abs(reduced(nl.average, x) - exact / 128) <= 128 * 2.0**-24 * size / 128).all()
    np.testing.assert_array_equal(reduced(nl.maximum, x), x.max(0, keepdims=True))


@pytest.mark.parametrize("op", ["bitwise_or", "bitwise_and"])
def test_tensor_partition_reduce_of_bits(op):
    x = integers(5, 40)
    np.testing.assert_array_equal(reduced(getattr(nl, op), x, nl.int32), getattr(np, op).reduce(x, axis=0, keepdims=True))
