"""Distinct values, and arrays as sets."""

import collections

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import trnarray

from .numpy_reference import LOW, compare, data, operands, same

CASES = {
    "unique": lambda xp, x: xp.unique(x),
    "unique with everything": lambda xp, x: xp.unique(x, True, True, True),
    "unique along an axis": lambda xp, x: xp.unique(x, axis=0, return_counts=True),
    "unique, NaN apart": lambda xp, x: xp.unique(x, equal_nan=False),
    "unique_all": lambda xp, x: xp.unique_all(x),
    "unique_counts": lambda xp, x: xp.unique_counts(x),
    "unique_inverse": lambda xp, x: xp.unique_inverse(x),
    "unique_values, sorted": lambda xp, x: xp.sort(xp.unique_values(x)),
    "isin": lambda xp, x: xp.isin(x, xp.asarray([1, 2, -3])),
    "isin a list": lambda xp, x: xp.isin(x, [1, 2, -3]),
    "isin, inverted": lambda xp, x: xp.isin(x, xp.asarray([[1], [2]]), invert=True),
    "isin by sorting": lambda xp, x: xp.isin(x, xp.asarray([1, 2]), kind="sort"),
    "intersect1d": lambda xp, x: xp.intersect1d(x, xp.asarray([2, 1, 5])),
    "intersect1d with indices": lambda xp, x: xp.intersect1d(x, xp.asarray([2, 1, 5]), return_indices=True),
    "union1d": lambda xp, x: xp.union1d(x, [1, 9]),
    "setdiff1d": lambda xp, x: xp.setdiff1d(x, xp.asarray([1, 2])),
    "setxor1d": lambda xp, x: xp.setxor1d(x, xp.asarray([1, 9])),
    "ediff1d": lambda xp, x: xp.ediff1d(x),
    "ediff1d with ends": lambda xp, x: xp.ediff1d(x, to_end=xp.asarray([1, 2], dtype=x.dtype), to_begin=x.ravel()[:1]),
}


@pytest.mark.parametrize("name", CASES)
def test_as_numpy(name):
    for x in operands():
        compare(CASES[name], x)


ONE_OPERAND = [name for name in CASES if name.startswith(("unique", "isin", "ediff1d"))]


@pytest.mark.parametrize("name", ONE_OPERAND)
@pytest.mark.parametrize("dtype", LOW)
def test_low_precision_as_float32(name, dtype):
    for shape in [(7,), (3, 4)]:
        x = data(shape, dtype)
        want = CASES[name](np, x.astype(np.float32))
        got = CASES[name](trnarray, trnarray.asarray(x))
        pairs = zip(got, want, strict=True) if isinstance(want, tuple) else ((got, want),)
        for one, other in pairs:
            same(one, other.astype(dtype) if other.dtype == np.float32 else other)


def test_field_names():
    x = trnarray.asarray([[3, 1], [3, 2]])
    result = trnarray.unique_all(x)
    assert result._fields == ("values", "indices", "inverse_indices", "counts")
    assert trnarray.unique_counts(x)._fields == ("values", "counts")
    assert trnarray.unique_inverse(x)._fields == ("values", "inverse_indices")
    assert result.values[result.inverse_indices].tolist() == x.tolist()
    assert trnarray.ravel(x)[result.indices].tolist() == result.values.tolist() == [1, 2, 3]


@pytest.mark.parametrize("dtype", [np.float32, "bfloat16"])
def test_each_nan_is_distinct_for_the_standard(dtype):
    x = trnarray.asarray([np.nan, 1.0, np.nan], dtype=dtype)
    assert trnarray.unique_counts(x).counts.tolist() == [1, 1, 1]
    assert len(trnarray.unique_values(x)) == 3
    assert len(trnarray.unique(x)) == 2
    assert not trnarray.isin(x, x)[0]


def test_unique_values_come_in_order():
    x = trnarray.asarray([5, 3, 9, 0, 5])
    assert trnarray.unique_values(x).tolist() == np.unique_values(x).tolist() == [0, 3, 5, 9]  # NumPy's hash table has 0, 3, 9, 5


def test_a_scalar_is_as_weak_here_as_in_operators():
    x = trnarray.asarray([0.1, 0.5], dtype="float32")
    assert trnarray.isin(x, 0.1).tolist() == (x == 0.1).tolist() == [True, False]
    assert trnarray.isin(x, 0.1, invert=True).tolist() == [False, True]
    assert bool(trnarray.isin(0.1, x))
    assert not trnarray.isin(300, trnarray.asarray([44], dtype="uint8"))  # which is 300 modulo 256


@given(hnp.arrays(np.int8, hnp.array_shapes(max_dims=2, max_side=9), elements=st.integers(-3, 3)), hnp.arrays(np.int16, 5))
def test_as_python_counts(x, y):
    ours, other = trnarray.asarray(x), trnarray.asarray(y)
    counts = collections.Counter(x.ravel().tolist())
    values, indices, inverse, found = trnarray.unique_all(ours)
    assert dict(zip(values.tolist(), found.tolist(), strict=True)) == counts
    assert indices.tolist() == [x.ravel().tolist().index(v) for v in values.tolist()]
    assert np.asarray(values)[np.asarray(inverse)].tolist() == x.tolist()
    a, b = set(x.ravel().tolist()), set(y.tolist())
    for function, want in (("intersect1d", a & b), ("union1d", a | b), ("setdiff1d", a - b), ("setxor1d", a ^ b)):
        assert getattr(trnarray, function)(ours, other).tolist() == sorted(want)
    assert trnarray.isin(ours, other).tolist() == [[v in b for v in row] for row in x.tolist()] if x.ndim == 2 else True
