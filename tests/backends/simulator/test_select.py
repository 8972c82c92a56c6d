"""Predicated instructions against NumPy: selection is exact, so results are equal, not close."""

import ml_dtypes
import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl

from .tile_moves import load, store

pytestmark = pytest.mark.usefixtures("on_trn2")
RNG = np.random.default_rng(3)
F32_MIN = np.finfo(np.float32).min


def normal(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32"])
def test_tensor_copy_predicated(dtype, reverse):
    @simulator.jit
    def kernel(old, new, mask):
        dst, number = load(old), load(old)
        nisa.tensor_copy_predicated(dst, load(new), load(mask), reverse_pred=reverse)
        nisa.tensor_copy_predicated(number, 0.1, load(mask), reverse_pred=reverse)
        return store(dst), store(number)

    old, new, mask = normal(64, 40), normal(64, 40), RNG.integers(0, 3, (64, 40)).astype(dtype)
    found, number = kernel(old, new, mask)
    np.testing.assert_array_equal(found, np.where((mask != 0) ^ reverse, new, old))
    np.testing.assert_array_equal(number, np.where((mask != 0) ^ reverse, np.float32(0.1), old))


def test_tensor_copy_predicated_leaves_unwritten_elements_unwritten():
    @simulator.jit
    def kernel(new, mask, complete: bool):
        dst, predicate = nl.ndarray(new.shape, new.dtype), load(mask)
        nisa.tensor_copy_predicated(dst, load(new), predicate)
        if complete:
            nisa.tensor_copy_predicated(dst, 7, predicate, reverse_pred=True)
        return store(dst)

    new, mask = RNG.integers(-(2**31), 2**31, (32, 8)).astype(np.int32), np.ones((32, 8), np.uint8)
    mask[3, 5] = 0
    with pytest.raises(simulator.UninitializedReadError, match=r"element \(3, 5\)"):
        kernel(new, mask, False)
    np.testing.assert_array_equal(kernel(new, mask, True), np.where(mask, new, 7))


def test_a_matmul_does_not_add_to_what_was_copied_into_psum():
    @simulator.jit
    def kernel(ones, mask):
        tile, acc = load(ones), nl.ndarray((32, 32), nl.float32, nl.psum)
        nisa.nc_matmul(acc, tile, tile)
        nisa.tensor_copy_predicated(acc, 5.0, load(mask))
        nisa.nc_matmul(acc, tile, tile, accumulate=True)
        return store(nl.copy(acc))

    ones, mask = np.ones((32, 32), np.float32), np.zeros((32, 32), np.uint8)
    np.testing.assert_array_equal(kernel(ones, mask), np.full((32, 32), 64))
    mask[4, 5] = 1
    with pytest.raises(simulator.NkiConstraintError, match="accumulate=True"):
        kernel(ones, mask)


@pytest.mark.parametrize("reverse", [False, True])
def test_select_reduce(reverse):
    @simulator.jit
    def kernel(x, y, mask, other):
        dst, low, top = nl.ndarray(x.shape, nl.bfloat16), nl.ndarray(x.shape, x.dtype), nl.ndarray((x.shape[0], 1), x.dtype)
        first = nl.ndarray((x.shape[0], 1), x.dtype)
        predicate = load(mask)
        nisa.select_reduce(dst, predicate, load(x), -1.5, first, nisa.reduce_cmd.reset_reduce, reverse_pred=reverse)
        nisa.select_reduce(low, predicate, load(y), load(other), top, nisa.reduce_cmd.reduce, reverse_pred=reverse)
        return store(dst), store(first), store(low), store(top)

    x, y, mask, other = normal(128, 33), normal(128, 33), RNG.integers(0, 2, (128, 33)).astype(np.int8), normal(128, 1)
    found = kernel(x, y, mask, other)
    chosen = (mask != 0) ^ reverse
    a, b = np.where(chosen, x, np.float32(-1.5)), np.where(chosen, y, other)
    expected = a.astype(ml_dtypes.bfloat16), a.max(1, keepdims=True), b, np.maximum(a, b).max(1, keepdims=True)
    for one, wanted in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, wanted)


def test_registers_are_not_to_be_trusted_after_idle():
    @simulator.jit
    def kernel(x, mask):
        dst, top = nl.ndarray(x.shape, x.dtype), nl.ndarray((x.shape[0], 1), x.dtype)
        nisa.select_reduce(dst, load(mask), load(x), 0.0)
        nisa.select_reduce(dst, load(mask), load(x), 0.0, top, nisa.reduce_cmd.reduce)
        return store(top)

    assert np.isnan(kernel(normal(32, 8), np.ones((32, 8), np.uint8))).all()


@pytest.mark.parametrize("dtype", [nl.float32, nl.bfloat16])
@pytest.mark.parametrize("start", [0, 100])
def test_range_select(start, dtype):
    @simulator.jit
    def kernel(x, low, high):
        dst, top = nl.ndarray(x.shape, dtype), nl.ndarray((x.shape[0], 1), nl.float32)
        nisa.range_select(dst, load(x), nl.greater_equal, nl.less, load(low), load(high), reduce_res=top, range_start=start)
        return store(dst), store(top)

    x, index = normal(128, 50), start + np.arange(50)
    low = start + RNG.integers(0, 25, (128, 1)).astype(np.float32)
    high = low + RNG.integers(0, 25, (128, 1)).astype(np.float32)  # some ranges are empty
    found, top = kernel(x, low, high)
    expected = np.where((index >= low) & (index < high), x, F32_MIN)
    assert (low == high).any()
    np.testing.assert_array_equal(top, expected.max(1, keepdims=True))
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(found, expected.astype(found.dtype))
    if dtype == nl.bfloat16:
        assert np.isneginf(found.astype(np.float32)).any()


@pytest.mark.parametrize("op", ["equal", "not_equal", "greater", "greater_equal", "less", "less_equal"])
def test_affine_select(op):
    @simulator.jit
    def kernel(x):
        same, cast = nl.ndarray(x.shape, x.dtype), nl.ndarray((x.shape[0], 8, 6), nl.float32)
        tile = load(x)
        nisa.affine_select(same, [[-1, 48]], 2, tile, -9.0, getattr(nl, op), -60)
        nisa.affine_select(cast, [[3, 8], [-5, 6]], -1, tile, -0.5, getattr(nl, op), 7)
        return store(same), store(cast)

    x = RNG.integers(-(2**31), 2**31, (128, 48)).astype(np.int32)
    same, cast = kernel(x)
    p, f, compare = np.arange(128)[:, None], np.arange(48)[None], getattr(np, op)
    np.testing.assert_array_equal(same, np.where(compare(-60 + 2 * p - f, 0), x, -9))
    expected = np.where(compare(7 - p + 3 * (f // 6) - 5 * (f % 6), 0), x.astype(np.float32), np.float32(-0.5))
    np.testing.assert_array_equal(cast.reshape(128, 48), expected)
