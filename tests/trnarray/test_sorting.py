"""Orders: NumPy's where NumPy has them, and the standard's descending and stable ones."""

import functools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import trnarray

from .numpy_reference import LOW, SHAPES, compare, data, layouts, operands, same

CASES = {
    "sort": lambda xp, x: xp.sort(x),
    "sort along the first axis": lambda xp, x: xp.sort(x, axis=0),
    "sort flattened": lambda xp, x: xp.sort(x, axis=None),
    "sort by kind": lambda xp, x: xp.sort(x, kind="heapsort"),
    "argsort, stable": lambda xp, x: xp.argsort(x, stable=True),
    "argsort by kind": lambda xp, x: xp.argsort(x, axis=0, kind="mergesort"),
    "argsort flattened": lambda xp, x: xp.argsort(x, axis=None, kind="stable"),
    "partition in full": lambda xp, x: xp.partition(x, range(x.shape[-1])),
    "lexsort": lambda xp, x: xp.lexsort((x, x * x)),
    "lexsort of rows": lambda xp, x: xp.lexsort(x, axis=0),
    "sort_complex": lambda xp, x: xp.sort_complex(x),
}
NAN_FREE = [name for name in CASES if name != "sort_complex"]


@pytest.mark.parametrize("name", CASES)
def test_as_numpy(name):
    for x in operands(shapes=SHAPES):
        compare(CASES[name], x)


def test_nothing_is_sorted_along_an_axis_that_is_not_there():
    x = trnarray.asarray(1.0)
    for call in (trnarray.sort, lambda x: trnarray.argsort(x, axis=1), lambda x: x.argsort(axis=1)):  # argsort of a scalar is [0]
        with pytest.raises(np.exceptions.AxisError):
            call(x)


@pytest.mark.parametrize("name", NAN_FREE)
@pytest.mark.parametrize("dtype", LOW)
def test_low_precision_as_float32(name, dtype):
    base = data((3, 4), dtype)
    base[0, 1] = np.nan
    for x in layouts(base):
        want = CASES[name](np, x.astype(np.float32))
        got = CASES[name](trnarray, trnarray.asarray(x))
        same(got, want.astype(dtype) if want.dtype == np.float32 else want)


def before(one, other):
    """Tell whether an element must come before another in ascending order: NaN last, -0.0 beside 0.0."""
    if math.isnan(one) or math.isnan(other):
        return not math.isnan(one) and math.isnan(other)
    return one < other


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16, np.int8, np.uint8, np.int64])
@given(st.data())
def test_every_order_as_python_sorts(dtype, choose):
    x = choose.draw(hnp.arrays(dtype, st.integers(0, 30)))
    ours, values = trnarray.asarray(x), x.tolist()
    for descending in (False, True):
        first = (lambda a, b: before(b, a) and not math.isnan(b)) if descending else before

        def compare_two(a, b, first=first):
            if math.isnan(a) or math.isnan(b):  # last in both orders
                return math.isnan(a) - math.isnan(b)
            return first(b, a) - first(a, b)

        order = sorted(range(len(values)), key=functools.cmp_to_key(lambda i, j, c=compare_two: c(values[i], values[j])))
        assert trnarray.argsort(ours, descending=descending).tolist() == order
        sorted_ = np.asarray(trnarray.sort(ours, descending=descending))
        assert sorted_.tobytes() == x[order].tobytes()
        unstable = np.asarray(trnarray.sort(ours, descending=descending, stable=False))
        np.testing.assert_array_equal(unstable, x[order])
        np.testing.assert_array_equal(x[np.asarray(trnarray.argsort(ours, descending=descending, stable=False))], x[order])


@given(hnp.arrays(np.float64, hnp.array_shapes(max_dims=3, max_side=6)), st.data())
def test_partition_puts_one_element_in_place(x, choose):
    axis = choose.draw(st.integers(-x.ndim, x.ndim - 1))
    kth = choose.draw(st.integers(-x.shape[axis], x.shape[axis] - 1))
    ours = trnarray.asarray(x)
    parted = np.asarray(trnarray.partition(ours, kth, axis=axis))
    places = np.asarray(trnarray.argpartition(ours, kth, axis=axis))
    np.testing.assert_array_equal(np.sort(parted, axis), np.sort(x, axis))
    np.testing.assert_array_equal(np.take(parted, kth, axis), np.take(np.sort(x, axis), kth, axis))
    np.testing.assert_array_equal(np.take(np.take_along_axis(x, places, axis), kth, axis), np.take(parted, kth, axis))


@given(hnp.arrays(np.complex64, hnp.array_shapes(max_dims=2, max_side=8)))
def test_descending_complex_is_ascending_of_the_negative(x):
    x = np.nan_to_num(x)
    want = np.take_along_axis(x, np.argsort(-x, axis=0, stable=True), 0)
    same(trnarray.sort(trnarray.asarray(x), axis=0, descending=True), want)


def test_sorting_copies():
    x = trnarray.asarray([3, 1, 2])
    trnarray.sort(x)[0] = 9
    assert x.tolist() == [3, 1, 2]


@pytest.mark.parametrize("function", [trnarray.sort, trnarray.argsort])
def test_refusals(function):
    with pytest.raises(TypeError, match="leave it out"):
        function([1, 2], order="f0")
    with pytest.raises(ValueError, match="use one of 'quicksort', 'heapsort'"):
        function([1, 2], kind="bogosort")
    with pytest.raises(ValueError, match="give one of them"):
        function([1, 2], kind="stable", stable=True)
    with pytest.raises(ValueError, match="out of bounds"):
        function([1, 2], axis=1)
    with pytest.raises(TypeError, match="leave it out"):
        trnarray.partition([1, 2], 0, order="f0")
