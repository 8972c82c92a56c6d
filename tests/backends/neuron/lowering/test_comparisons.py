"""Comparisons on the device with Python integers that the array's dtype does not hold."""

import operator

import numpy as np
import pytest

import trnarray as xp

from .beside_host import assert_same

COMPARISONS = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int32", "uint32", "int64", "uint64"])
def test_numbers_beyond_the_dtype(dtype):
    limits = np.iinfo(dtype if dtype != "bool" else np.int32)
    numbers = [limits.min - 1, limits.max + 1, *([] if dtype == "bool" else [-(2**70), 2**70])]  # which NumPy does not compare with bool
    x = np.array([0, 1, 1 if dtype == "bool" else limits.max], dtype)
    assert_same(lambda x: [result for f in COMPARISONS for number in numbers for result in (f(x, number), f(number, x))], x)


@pytest.mark.parametrize("dtypes", ["ii", "II", "iI", "ih", "ll", "b?"])
def test_closeness_of_integers_that_float32_does_not_tell_apart(dtypes):
    x = np.array([2**24 + 1, 2**31 - 1, 3, 5], "i").astype(dtypes[0])
    y = np.array([2**24, 2**31 - 2, 3, 1], "i").astype(dtypes[1])
    assert_same(lambda x, y: [np.isclose(x, y, rtol=0, atol=atol) for atol in (0, 0.5, 1)], x, y)
    assert_same(lambda x: [np.isclose(x, 2**24, 0, 0), np.isclose(2**24, x, 0, 0), np.isclose(x, 3.0), np.isclose(x, 2**40)], x)


def test_with_outputs_and_masks():
    """NumPy 2.5 itself crashes where there is a mask."""
    x = xp.asarray(np.arange(6, dtype=np.uint8), device="sim:trn2")
    out = xp.zeros((3, 6), dtype=xp.bool, device="sim:trn2")
    with xp.config(fallback="error"):
        np.less(x, 300, out=out[0])
        np.greater_equal(-1, x, out[1])
        np.not_equal(x, -1, out=out[2], where=x > 2)
    assert out.tolist() == [[True] * 6, [False] * 6, [False] * 3 + [True] * 3]


def test_other_functions_refuse_them():
    with pytest.raises(OverflowError, match="300 out of bounds for uint8"):
        xp.asarray(np.arange(3, dtype=np.uint8), device="sim:trn2") + 300
