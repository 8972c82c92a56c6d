"""Reductions of a few long rows along the first axis: columns lie on all partitions."""

import numpy as np
import pytest

import trnarray as xp


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "uint8", "bool"])
@pytest.mark.parametrize("shape", [(8, 128 * 70 + 5), (3, 128 * 64), (2, 5, 9000)])
def test_few_rows(shape, dtype, target):
    rng = np.random.default_rng(0)
    x = rng.integers(0, 2 if dtype == "bool" else 5, shape).astype(np.dtype(getattr(xp, dtype)))
    axis = len(shape) - 2
    array = xp.asarray(x, device=f"sim:{target}")
    for name in ("sum", "max", "any", "count_nonzero"):
        found = np.asarray(getattr(xp, name)(array, axis=axis).to_device("cpu"))
        np.testing.assert_array_equal(found.astype(np.float64), getattr(np, name)(x.astype(np.float32), axis=axis).astype(np.float64))


def test_error_nan_and_signs_of_zero():
    x = np.random.default_rng(1).standard_normal((7, 9000), np.float32)
    x[2, 5], x[3, 7], x[:, 9] = np.nan, np.inf, -0.0
    found = np.asarray(xp.sum(xp.asarray(x, device="sim:trn2"), axis=0).to_device("cpu"))
    want, size = x.astype(np.float64).sum(axis=0), np.abs(x.astype(np.float64)).sum(axis=0)
    finite = np.isfinite(want)
    assert np.all(np.abs(found[finite] - want[finite]) <= (8 + 3) * 2.0**-24 * size[finite])
    np.testing.assert_array_equal(found[~finite], want[~finite].astype(np.float32))
    assert not np.signbit(found[9])


def test_predicted_time():
    x = xp.asarray(np.zeros((8, 1 << 17), np.float32), device="sim:trn2")
    assert sum(step.prediction.seconds for step in xp.explain(xp.sum(x, axis=0)).steps) <= 35e-6
