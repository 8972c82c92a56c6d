"""Rules of the main namespace against NumPy: calls that the table of functions has not, and index expressions at random."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from trnarray.backends.op import get_op
from trnarray.backends.ops.ufuncs import ufunc_op
from trnarray.backends.promotion import NEURON, NUMPY
from trnarray.backends.rules import NeedsValueError, Signature
from trnarray.conformance.suites.rules import registered

registered()  # imports the chapters
X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
SMALL = np.arange(3, dtype=np.int8)


def described(result):
    if isinstance(result, (Signature, np.ndarray, np.generic)):
        return result.shape, result.dtype
    return tuple(map(described, result)) if isinstance(result, (tuple, list)) else result


def outcome(call):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return described(call())
        except (ValueError, TypeError, IndexError) as error:
            return next(kind for kind in (IndexError, ValueError, TypeError) if isinstance(error, kind))


CALLS = [
    *((np.add, "reduce", args, {}) for args in [(X,), (X, None), (X, (0, -1)), (X, 3), (SMALL,), (np.ones(0),), (np.ones((), np.int8),)]),
    *((np.maximum, "reduce", (X, 1), kwargs) for kwargs in [{}, {"keepdims": True}, {"dtype": np.dtype(np.float64)}]),
    *((ufunc, "reduce", (X[:0],), {}) for ufunc in (np.add, np.logical_and, np.multiply)),
    *((ufunc, "reduce", (SMALL,), {}) for ufunc in (np.subtract, np.logical_or, np.bitwise_or, np.multiply, np.hypot)),
    *((np.add, "accumulate", args, {}) for args in [(X,), (X, 2), (SMALL,), (X, 3), (np.float32(1),)]),
    *((np.multiply, "reduceat", args, {}) for args in [(X, [0, 1]), (X, np.array([0, 2, 1]), 2), (SMALL, [0]), (X, [[0]]), (X, [0.5])]),
    *((ufunc, "outer", args, {}) for ufunc in (np.add, np.less, np.divmod)
       for args in [(X, SMALL), (SMALL, SMALL), (SMALL, 2), ([1, 2], X)]),
    *((np.matmul, "__call__", args, {})
       for args in [(X, X), (X, X.mT), (X, np.ones(4)), (np.ones(3), X), (SMALL, SMALL), (X, 1.0), (X[:1], X.mT)]),
    *((np.matmul, "__call__", (X, X.mT), {"axes": axes})
       for axes in [[(-2, -1), (-2, -1), (0, 1)], [(0, 2), (2, 0), (-1, 0)], [(0, 9), (1, 0), (0, 1)]]),
    *((np.vecdot, "__call__", args, kwargs)
       for args in [(X, X), (X, X[0]), (X, SMALL)] for kwargs in [{}, {"axis": 1}, {"keepdims": True}]),
    *((np.matvec, "__call__", args, {}) for args in [(X, np.ones(4)), (X, SMALL), (X, np.ones((2, 4)))]),
    *((np.vecmat, "__call__", args, {}) for args in [(np.ones(3), X), (SMALL, X), (np.ones((2, 3)), X), (np.ones(4), X)]),
]  # fmt: skip


@pytest.mark.parametrize(("ufunc", "method", "args", "kwargs"), CALLS)
def test_methods_of_ufuncs(ufunc, method, args, kwargs):
    rule = ufunc_op(ufunc, method).rule
    assert outcome(lambda: rule(NUMPY, *args, **kwargs)) == outcome(lambda: getattr(ufunc, method)(*args, **kwargs))


def test_maxima_of_no_elements_are_refused_as_by_numpy():
    for shape in [(0,), (0, 3), (3, 0), (4, 0, 0)]:
        for axis in (None, 0, len(shape) - 1):
            x = np.ones(shape)
            for name in ("max", "argmin", "nanmax"):
                expected = outcome(lambda: getattr(np, name)(x, axis=axis))  # noqa: B023  # called at once
                assert outcome(lambda: get_op(name).rule(NUMPY, x, axis=axis)) == expected, (name, shape, axis)  # noqa: B023


OTHERS = {
    "mgrid": (np.mgrid.__getitem__, [(slice(3),), ((slice(0, 3), slice(1, 2, 5j)),), ((slice(0, 3, 0.5), slice(2)),), (slice(2, 0, -1),)]),
    "ogrid": (np.ogrid.__getitem__, [(slice(3),), ((slice(0, 3), slice(1, 2, 5j)),), ((slice(0, 3), slice(2)),)]),
    "meshgrid": (np.meshgrid, [(), (SMALL,), (SMALL, [1.0, 2.0]), (SMALL, X[0, 0], [1, 2])]),
    "ix_": (np.ix_, [(), ([1, 2], SMALL), ([], [1]), ([[1]],)]),
    "tril_indices": (np.tril_indices, [(4,), (4, 1), (4, -2, 6), (3, 9, 2), (0,)]),
    "triu_indices": (np.triu_indices, [(4,), (4, 1), (4, -2, 6), (3, 9, 2), (0,)]),
    "hanning": (np.hanning, [(5,), (0,), (1,), (4.5,), (-3,)]),
    "kaiser": (np.kaiser, [(5, 3.0), (0, 1.0)]),
    "atleast_2d": (np.atleast_2d, [(SMALL,), (SMALL, 3.0), ([1, 2],)]),
    "broadcast_arrays": (np.broadcast_arrays, [(X, SMALL[:1]), (X, SMALL)]),
    "sliding_window_view": (np.lib.stride_tricks.sliding_window_view, [(X, 2, 1), (X, (2, 2), (0, 1)), (X, 9, 0), (SMALL, 2)]),
    "split": (np.split, [(X, 2), (X, 2, 1), (X, [1, 5], 2), (X, 3, -1)]),
    "unstack": (lambda x, axis=0: tuple(np.moveaxis(x, axis, 0)), [(X,)]),
    "rot90": (np.rot90, [(X,), (X, 3, (0, 2)), (X, 1, (1, 1)), (SMALL,)]),
    "reshape": (np.reshape, [(X, -1), (X, (4, -1)), (X, (5, 5)), ([1, 2, 3, 4], (2, 2))]),
    "diagonal": (np.diagonal, [(X,), (X, 1, 1, 2), (SMALL,)]),
    "block": (np.block, [([[X[0], X[1]]],), ([[X[0]], [SMALL]],), ([1, SMALL],), ([[1], 2],), ([],), (X,)]),
    "insert": (np.insert, [(SMALL, 1, 5), (SMALL, [0, 2], [1, 2]), (X, 1, SMALL[:, None], 2), (X, slice(0, 2), 1.0, 1),
        (SMALL, 9, 1), (SMALL, [[1]], 1)]),
    "delete": (np.delete, [(SMALL, 1), (SMALL, [0, 0, 2]), (X, slice(1, 3), 2), (SMALL, 9), (SMALL, [True, False, True]), (SMALL, [0.5])]),
    "pad": (np.pad, [(X, 1), (SMALL, (1, 2)), (X, ((0, 1), (2, 0), (1, 1))), (X, [[1], [2]]),
        (X, -1), (X, 0.5), (X[0], [[1], [2]])]),
    "repeat": (np.repeat, [(X, 2), (X, [1, 2], 0), (X, [1, 2, 3], 0), (SMALL, -1), (3.0, 2)]),
    "diff": (np.diff, [(X,), (X, 2, 1), (X, 9), (SMALL, -1), (np.ones((2, 2), np.bool),), (1.0,)]),
    "gradient": (np.gradient, [(X,), (SMALL,), (X, 2.0), (SMALL, [0.0, 1.0, 3.0]), (X, 1.0, 2.0), (SMALL[:1],),
        (X[0], 1.0, [0.0, 1, 2, 3])]),
    "trapezoid": (np.trapezoid, [(X,), (SMALL,), (SMALL, SMALL), (X, [0.0, 1, 2, 4]), (X, None, 2, 0), (X, X, 1.0, 1),
        (SMALL, None, np.float32(2))]),
    "interp": (np.interp, [(X, [0, 1], [1.0, 2]), (1.0, [0, 1], [1j, 2]), (SMALL, [0, 1], [1.0]), (1j, [0, 1], [1, 2])]),
    "convolve": (np.convolve, [(SMALL, [1.0, 2]), (SMALL, SMALL, "valid"), (SMALL, X[0, 0], "same"), (X, SMALL), (SMALL, []),
        (2.0, SMALL)]),
    "polyval": (np.polyval, [(SMALL, X), (SMALL, 2.0), ([1.5], SMALL), ([], X)]),
    "polyint": (np.polyint, [(SMALL,), (X[0, 0], 2), (SMALL, 2, [1.0, 2.0]), (SMALL, 3, [1.0, 2.0]), (SMALL, 0), (SMALL, -1)]),
    "polyfit": (np.polyfit, [(SMALL, SMALL, 1), (SMALL, np.ones((3, 2)), 1), (SMALL, [1, 2], 1), (SMALL, SMALL, -1), (X, SMALL, 1)]),
    "cov": (np.cov, [(X[0],), (SMALL,), (SMALL, SMALL), (X[0], X[1], False), (X,), (X[0], SMALL[:2])]),
    "histogram": (np.histogram, [(X,), (SMALL, 4), (SMALL, [0, 1, 2]), (SMALL, 0), (SMALL, 3, (0, 2), True),
        (SMALL, 3, None, None, [1.0, 2, 3])]),
    "histogram2d": (np.histogram2d, [(SMALL, X[0, :, 0]), (SMALL, SMALL, [2, 3]), (SMALL, SMALL, [0.0, 1, 2]), (SMALL, [1, 2])]),
    "average": (np.average, [(X,), (X, 1), (SMALL, 0, SMALL + 1.0), (X, 1, SMALL + 1, True), (X, 2, SMALL), (X, None, SMALL)]),
    "percentile": (np.percentile, [(X, 50), (X, [10, 20.0], 1), (SMALL, 101), (X, [[50]], (0, 1)), (X > 2, 50), (X[:0], 50), (X + 1j, 50)]),
    "select": (np.select, [([X > 1, X > 2], [X, SMALL[:1]]), ([X > 1], [1], 2.5), ([X], [X]), ([], []), ([X > 1], [X, X])]),
    "choose": (np.choose, [([0, 1, 0], [SMALL, X[0, :, 0]]), (SMALL[:2], [1, 2]), (X, [SMALL])]),
    "unravel_index": (np.unravel_index, [(SMALL, (2, 3)), (2, (2, 3)), (X, (2, 3))]),
    "lexsort": (np.lexsort, [((SMALL, SMALL),), (X,), ((SMALL, X),), ((),)]),
    "ediff1d": (np.ediff1d, [(SMALL,), (X, 1.0, [2.0, 3.0]), (SMALL, 0.5), ([],)]),
    "packbits": (np.packbits, [(SMALL,), (X.astype(np.uint8), 1), (X,), (SMALL, 0, "odd")]),
    "take": (np.take, [(X, [1, 2]), (X, SMALL, 1), (X, 1, 2), (X, X, 1), (X[:0], [1]), (X, SMALL, 1, None, "odd")]),
    "compress": (np.compress, [([True, False], X), ([False, True, True], X, 1), ([True] * 9, SMALL), ([[True]], X)]),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_functions(name):
    function, calls = OTHERS[name]
    rule = get_op(name).rule
    for args in calls:
        assert outcome(lambda: rule(NUMPY, *args)) == outcome(lambda: function(*args)), args  # noqa: B023  # called at once


@st.composite
def keys(draw, shape):
    """Draw index expressions of slices, numbers, new axes, an ellipsis, lists and arrays of integers; some do not fit."""
    arrays = st.sampled_from([0, [0], [0, 0], np.zeros((2, 1), int), np.zeros((1, 2), np.int8), np.zeros((), int), []])
    slices = st.builds(slice, st.sampled_from([None, 0, 1]), st.sampled_from([None, 2, -1]), st.sampled_from([None, 1, -1]))
    items = draw(st.lists(st.one_of(arrays, slices, st.sampled_from([0, None])), max_size=len(shape) + 1))
    if draw(st.booleans()):
        items.insert(draw(st.integers(0, len(items))), Ellipsis)
    return items[0] if len(items) == 1 and draw(st.booleans()) else tuple(items)


def test_arrays_of_indices_that_do_not_broadcast():
    with pytest.raises(IndexError, match=r"shapes \(2,\) and \(3,\) do not broadcast"):
        get_op("getitem").rule(NUMPY, np.ones((2, 2)), ([0, 1], [0, 0, 0]))


@given(data=st.data())
@settings(max_examples=150)
def test_index_expressions(data):
    shape = data.draw(hnp.array_shapes(min_dims=0, max_dims=4, min_side=1, max_side=3))
    key = data.draw(keys(shape))
    chosen = outcome(lambda: get_op("getitem").rule(NUMPY, np.ones(shape), key))
    assert chosen == outcome(lambda: np.ones(shape)[key])
    if chosen == ((), np.float64):  # one element, as which NumPy takes some arrays and some not
        return
    value = np.ones(data.draw(hnp.array_shapes(min_dims=0, max_dims=2, min_side=1, max_side=2)))

    def write():
        np.ones(shape)[key] = value

    assert outcome(lambda: get_op("setitem").rule(NUMPY, np.ones(shape), key, value)) == outcome(write)


def test_masks_need_values():
    for key in (np.ones((2, 3), np.bool), (slice(None), [True, False, True]), True):
        with pytest.raises(NeedsValueError, match="mask"):
            get_op("getitem").rule(NUMPY, X, key)


def test_views_of_huge_arrays_take_no_memory():
    huge = Signature((1 << 20, 1 << 20), np.dtype(np.float32))
    assert get_op("reshape").rule(NEURON, huge, (-1, 2)).shape == (1 << 39, 2)
    assert [part.shape for part in get_op("split").rule(NEURON, huge, 2, 1)] == [(1 << 20, 1 << 19)] * 2
    assert get_op("concatenate").rule(NEURON, [huge, huge]).shape == (1 << 21, 1 << 20)


def test_defaults_are_the_devices():
    integers = Signature((4,), np.dtype(np.int32))
    for name, args, dtype in [
        ("mean", (integers,), np.float32),
        ("interp", (integers, [0, 1], [1.0, 2.0]), np.float32),
        ("argsort", (integers,), np.int32),
        ("hanning", (4,), np.float32),
        ("cov", (integers,), np.float32),
        ("sort_complex", (integers,), np.complex64),
        ("polyint", (integers,), np.float32),
        ("linspace", (0, 1, 3), np.float32),
    ]:
        parameters = {"dtype": NEURON.default_float} if name == "linspace" else {}
        assert get_op(name).rule(NEURON, *args, **parameters).dtype == dtype, name
