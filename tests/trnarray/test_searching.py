"""Positions of extrema and of what is not zero; choices; places in sorted arrays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import trnarray

from .numpy_reference import LOW, compare, data, layouts, operands, same

CASES = {
    "argmax": lambda xp, x: xp.argmax(x),
    "argmax along an axis": lambda xp, x: xp.argmax(x, axis=-1, keepdims=True),
    "argmin": lambda xp, x: xp.argmin(x, keepdims=True),
    "argmin along an axis": lambda xp, x: xp.argmin(x, axis=0),
    "nanargmax": lambda xp, x: xp.nanargmax(x, axis=0),
    "nanargmin": lambda xp, x: xp.nanargmin(x, axis=-1, keepdims=True),
    "count_nonzero along an axis": lambda xp, x: xp.count_nonzero(x, axis=-1),
    "count_nonzero along axes": lambda xp, x: xp.count_nonzero(x, axis=(0, -1), keepdims=True),
    "nonzero": lambda xp, x: xp.nonzero(x),
    "argwhere": lambda xp, x: xp.argwhere(x),
    "flatnonzero": lambda xp, x: xp.flatnonzero(x),
    "where": lambda xp, x: xp.where(x == 1, x, -x if x.dtype.kind != "b" else x),
    "where with scalars": lambda xp, x: xp.where(x == 1, x, 0),
    "where of dtypes": lambda xp, x: xp.where(x == 1, x, xp.ones(x.shape, dtype=xp.float32)),
    "where alone": lambda xp, x: xp.where(x),
    "where without y": lambda xp, x: xp.where(x, x, None),
    "searchsorted": lambda xp, x: xp.searchsorted(xp.asarray([-2, 0, 2, 2]), x),
    "searchsorted from the right": lambda xp, x: xp.searchsorted(xp.asarray([-2, 0, 2, 2]), x, side="right"),
    "searchsorted with a sorter": lambda xp, x: xp.searchsorted(xp.asarray([2, 0, -2]), x, sorter=[2, 1, 0]),
}


@pytest.mark.parametrize("name", CASES)
def test_as_numpy(name):
    def model(xp, x):
        if name == "where without y" and xp is np:
            raise ValueError("where NumPy takes None for an object")
        return CASES[name](xp, x)

    for x in operands():
        compare(model, x)


@pytest.mark.parametrize("name", [name for name in CASES if name not in {"where of dtypes", "where without y"}])
@pytest.mark.parametrize("dtype", LOW)
def test_low_precision_finds_what_float32_finds(name, dtype):
    base = data((3, 4), dtype)
    base[0, 1] = np.nan
    for x in layouts(base):
        want = CASES[name](np, x.astype(np.float32))
        got = CASES[name](trnarray, trnarray.asarray(x))
        for one, other in zip(*((r if isinstance(r, tuple) else (r,)) for r in (got, want)), strict=True):
            assert one.dtype == (dtype if other.dtype == np.float32 else other.dtype)
            np.testing.assert_array_equal(np.asarray(one).astype(other.dtype), other)


def test_a_count_is_an_array():
    count = trnarray.count_nonzero(trnarray.asarray([0.0, -0.0, np.nan, 2.0]))
    assert type(count) is trnarray.Array
    assert (count.shape, count.dtype, int(count)) == ((), np.dtype(np.intp), 2)


def test_the_condition_has_no_part_in_the_dtype():
    x = trnarray.asarray([1.5, 2.5], dtype="float16")
    for condition in (trnarray.asarray([1.0, 0.0]), trnarray.asarray([1, 0]), trnarray.asarray([True, False])):
        assert trnarray.where(condition, x, x).dtype == x.dtype
        assert trnarray.where(condition, x, 0).tolist() == [1.5, 0.0]


def test_a_scalar_is_as_weak_here_as_in_operators():
    x = trnarray.asarray([0.1, 0.2], dtype="float32")
    assert int(trnarray.searchsorted(x, 0.1)) == 0
    assert int(trnarray.searchsorted(x, 0.1, side="right")) == 1
    assert int(trnarray.searchsorted(trnarray.asarray([0.1, 0.2], dtype="bfloat16"), 0.1)) == 0


def test_out():
    x, out = trnarray.asarray([[1, 3, 2], [9, 7, 8]]), trnarray.empty(2, dtype="int64")
    for function in (trnarray.argmax, trnarray.argmin, trnarray.nanargmax, trnarray.nanargmin):
        assert function(x, 1, out) is out
        np.testing.assert_array_equal(out, getattr(np, function.__name__)(np.asarray(x), 1))


def test_nothing_to_find():
    for function in (trnarray.argmax, trnarray.argmin):
        with pytest.raises(ValueError, match="empty sequence"):
            function(trnarray.zeros((0, 2)))
    with pytest.raises(ValueError, match="All-NaN"):
        trnarray.nanargmax([np.nan])
    with pytest.raises(ValueError, match="give the one that is missing"):
        trnarray.where(trnarray.ones(2), trnarray.ones(2))


@given(hnp.arrays(np.float64, st.integers(1, 20)), hnp.arrays(np.float64, hnp.array_shapes(max_dims=2, max_side=5)))
def test_searchsorted_as_counting_does(edges, x):
    edges = np.sort(edges)
    ours = trnarray.asarray(edges)
    with np.errstate(invalid="ignore"):
        key = lambda v: (np.isnan(v), np.where(np.isnan(v), 0, v))  # noqa: E731  # NaN is last
        less = lambda a, b: (key(a)[0] < key(b)[0]) | (key(a)[0] == key(b)[0]) & (key(a)[1] < key(b)[1])  # noqa: E731
        smaller = less(edges, x[..., None]).sum(axis=-1)
        not_larger = (~less(x[..., None], edges)).sum(axis=-1)
    same(trnarray.searchsorted(ours, x), smaller)
    same(trnarray.searchsorted(ours, x, side="right"), not_larger)


def test_argmax_is_the_first():
    x = data((50,), np.dtype(np.int8))
    assert int(trnarray.argmax(trnarray.asarray(x))) == x.tolist().index(max(x.tolist()))
