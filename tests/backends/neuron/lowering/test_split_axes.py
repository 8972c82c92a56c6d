"""Reductions over axes that are not beside each other: the last ones first; and sliding products of short windows."""

import numpy as np
import pytest

import trnarray as xp


def off(array):
    return np.asarray(array.to_device("cpu"))


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int32", "uint8", "bool"])
def test_first_and_last_axis(target, dtype):
    rng = np.random.default_rng(0)
    x = rng.integers(-3 if dtype in ("float32", "bfloat16", "int32") else 0, 2 if dtype == "bool" else 4, (5, 7, 3, 70))
    x = x.astype(np.dtype(getattr(xp, dtype)))
    wide = x.astype(np.float64)
    array = xp.asarray(x, device=f"sim:{target}")
    for axes in ((0, 3), (0, 2, 3), (1, 3)):
        for name in ("sum", "max", "min", "prod", "any", "count_nonzero"):
            operand = array if name != "prod" else array % 2 if dtype not in ("bool",) else array
            reference = wide if name != "prod" or dtype == "bool" else np.mod(wide, 2)
            found = off(getattr(xp, name)(operand, axis=axes))
            np.testing.assert_array_equal(found.astype(np.float64), getattr(np, name)(reference, axis=axes).astype(np.float64))


def test_error_and_nan():
    x = np.random.default_rng(1).standard_normal((9, 4, 300), np.float32)
    x[3, 1, 7], x[4, 2, 9], x[:, 3] = np.nan, np.inf, -0.0
    found = off(xp.sum(xp.asarray(x, device="sim:trn2"), axis=(0, 2)))
    want, size = x.astype(np.float64).sum(axis=(0, 2)), np.abs(x.astype(np.float64)).sum(axis=(0, 2))
    assert np.isnan(found[1])
    assert found[2] == np.inf
    assert abs(found[0] - want[0]) <= (16 + 9 + 4) * 2.0**-24 * size[0]
    assert found[3] == 0
    assert not np.signbit(found[3])


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
@pytest.mark.parametrize(("n", "length", "mode"), [(700, 9, "full"), (1300, 129, "same"), (60, 60, "valid"), (5, 1, "full")])
def test_convolutions(n, length, mode, target):
    """Products round once, and sums of a row by 8 + log2 of its length."""
    rng = np.random.default_rng(2)
    x, w = rng.standard_normal(n).astype(np.float32), rng.standard_normal(length).astype(np.float32)
    x[n // 2] = np.inf
    found = off(xp.convolve(*(xp.asarray(one, device=f"sim:{target}") for one in (x, w)), mode=mode))
    finite_x = np.where(np.isfinite(x), x, 0).astype(np.float64)
    want = np.convolve(x.astype(np.float64), w.astype(np.float64), mode)
    size = np.convolve(np.abs(finite_x), np.abs(w.astype(np.float64)), mode)
    finite = np.isfinite(want)
    assert np.all(np.abs(found[finite] - want[finite]) <= (9 + np.log2(length)) * 2.0**-24 * size[finite] + 1e-45)
    np.testing.assert_array_equal(found[~finite], want[~finite].astype(np.float32))
