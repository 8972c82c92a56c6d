"""The functions that the standard defines otherwise than NumPy, against references of their own."""

import bisect
import itertools
import math
import re
import statistics
import types
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from trnarray.backends.host import standard
from trnarray.backends.host.standard import DIFFERENCES, OVERRIDES

FLOATS = [np.float32, np.float64]
COMPLEXES = [np.complex64, np.complex128]
SPECIALS = [0.0, -0.0, 1.0, -1.0, 2.5, -2.5, 1e-310, math.inf, -math.inf, math.nan]
NUMPY = np.lib.NumpyVersion(np.__version__)
NUMPY_DIFFERS = {"": True, "2.2": NUMPY < "2.3.0", "before 2.5": NUMPY < "2.5.0"}


def same(x, y):
    """Tell whether two floats are the same, NaN and the sign of zero included."""
    return (x != x and y != y) or (x == y and math.copysign(1, x) == math.copysign(1, y))


def same_arrays(x, y):
    return x.shape == y.shape and x.dtype == y.dtype and all(map(same, x.ravel().tolist(), y.ravel().tolist()))


def quiet(function, *args, **kwargs):
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return function(*args, **kwargs)


def float_arrays(dtype, **kwargs):
    return hnp.arrays(dtype, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4), **kwargs)


# The table of differences


def test_differences_are_of_overrides():
    assert set(DIFFERENCES) == set(OVERRIDES)


def documented_differences():
    text = (Path(__file__).parents[3] / "docs" / "differences.md").read_text("utf-8")
    name = ""
    for row in re.findall(r"^\| (.*?) ?\| (`.*`) \| (.*) \| `(.*)` \|$", text, re.MULTILINE):
        name = row[0].strip("`") or name
        yield name, *row[1:]


def evaluate(call, functions):
    return quiet(eval, call.strip("`"), {**vars(np), **functions})


@pytest.mark.parametrize(("name", "call", "numpy", "ours"), list(documented_differences()))
def test_documentation_shows_what_happens(name, call, numpy, ours):
    functions = dict(OVERRIDES)
    for chapter in ("linalg", "fft"):
        ours_there = {key.removeprefix(f"{chapter}."): f for key, f in OVERRIDES.items() if key.startswith(chapter)}
        functions[chapter] = types.SimpleNamespace(**{**vars(getattr(np, chapter)), **ours_there})
    assert str(evaluate(call, functions)) == ours
    when, _, expected = numpy.rpartition(": ")
    if not NUMPY_DIFFERS[when] or numpy.startswith("depends"):
        return
    expected = expected.strip("`")
    if expected.endswith("Error"):
        with pytest.raises((TypeError, ValueError)) as caught:
            evaluate(call, {})
        assert caught.type.__name__ == expected
    else:
        assert str(evaluate(call, {})) == expected


def test_every_difference_is_documented():
    assert {row[0] for row in documented_differences()} == set(DIFFERENCES)


# Floor division


def floored_quotient(a, b):
    """The standard's table in its own order; elsewhere Python's floor division."""
    if math.isnan(a) or math.isnan(b) or (math.isinf(a) and math.isinf(b)) or a == b == 0:
        return math.nan
    sign = math.copysign(1, a) * math.copysign(1, b)
    if math.isinf(a) or b == 0:
        return sign * math.inf
    if math.isinf(b) or a == 0:
        return sign * 0.0
    try:
        return a // b
    except OverflowError:
        return sign * math.inf


@pytest.mark.parametrize("dtype", FLOATS)
def test_floor_divide_follows_the_table(dtype):
    for a, b in itertools.product(map(dtype, SPECIALS), repeat=2):
        got = quiet(standard.floor_divide, a, b)
        assert type(got) is dtype
        assert same(float(got), floored_quotient(float(a), float(b))), (a, b)


@given(st.data(), hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=4))
def test_floor_divide_of_arrays(data, shapes):
    a, b = (data.draw(hnp.arrays(np.float64, shape)) for shape in shapes.input_shapes)
    got = quiet(standard.floor_divide, a, b)
    pairs = np.broadcast(a, b)
    expected = np.array([floored_quotient(float(x), float(y)) for x, y in pairs]).reshape(pairs.shape)
    assert same_arrays(np.asarray(got), expected)
    out = np.empty(shapes.result_shape)
    assert quiet(standard.floor_divide, a, b, out=(out,)) is out
    assert same_arrays(out, expected)
    mask = data.draw(hnp.arrays(bool, shapes.result_shape))
    out = np.full(shapes.result_shape, 7.0)
    quiet(standard.floor_divide, a, b, out, where=mask)
    assert same_arrays(out, np.where(mask, expected, 7.0))


@given(float_arrays(np.float32), st.floats(width=32) | st.integers(-5, 5))
def test_floor_divide_by_a_weak_scalar_in_place(a, b):
    expected = quiet(standard.floor_divide, a, np.float32(b))
    assert same_arrays(np.asarray(quiet(standard.floor_divide, a, b)), np.asarray(expected))
    quiet(standard.floor_divide, a, b, out=a)
    assert same_arrays(a, np.asarray(expected))


def test_floor_divide_warns_of_what_is_undefined_only():
    inf, one = np.array([math.inf]), np.ones(1)
    assert standard.floor_divide(inf, one) == math.inf
    assert standard.floor_divide(one, -inf) == 0
    assert standard.floor_divide(inf, inf, out=np.zeros(1), where=[False]) == 0
    with pytest.warns(RuntimeWarning, match="invalid value"):
        standard.floor_divide(inf, inf)
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        standard.floor_divide(np.array([math.inf, 1.0]), np.array([1.0, 0.0]))


def test_floor_divide_of_other_dtypes_is_numpys():
    a, b = np.array([7, -7], np.int8), np.array([2, 2], np.uint8)
    assert same_arrays(standard.floor_divide(a, b), np.array([3, -4], np.int16))
    assert standard.floor_divide(a, math.inf).dtype == np.float64
    assert standard.floor_divide(np.float32(7), np.ones(1), dtype=np.float32).dtype == np.float32
    with pytest.raises(TypeError):
        standard.floor_divide(np.array([math.nan + 0j]), 1)
    with pytest.raises(TypeError):
        standard.floor_divide(np.array([math.inf]), 1, dtype=np.int64)


@pytest.mark.parametrize("dtype", FLOATS)
def test_remainder_is_pythons(dtype):
    for a, b in itertools.product(map(dtype, SPECIALS), repeat=2):
        undefined = math.isnan(a) or math.isnan(b) or math.isinf(a) or b == 0
        expected = math.nan if undefined else float(a) % float(b)
        assert same(float(quiet(standard.remainder, a, b)), expected), (a, b)


# Sorting and searching

SORTABLE = [np.bool_, np.uint8, np.int64, np.uint64, np.float32, np.float64, np.complex128]


def order(descending):
    def key(value):
        parts = (value.real, value.imag) if isinstance(value, complex) else (value,)
        sign = -1 if descending else 1
        return [(math.isnan(p), 0 if math.isnan(p) else sign * p) for p in parts]

    return key


@given(st.data(), st.sampled_from(SORTABLE), st.booleans(), st.booleans())
def test_sort_and_argsort(data, dtype, descending, stable):
    few = {"elements": st.sampled_from([0, 1, 2, 0.0, -0.0, 1.5, math.nan, math.inf])} if dtype in FLOATS else {}
    x = data.draw(hnp.arrays(dtype, hnp.array_shapes(max_dims=2, max_side=6), **data.draw(st.sampled_from([few, {}]))))
    if np.isnan(x).any() and x.dtype.kind == "c":
        return
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    original = x.copy()
    indices = standard.argsort(x, axis=axis, descending=descending, stable=stable)
    result = standard.sort(x, axis=axis, descending=descending, stable=stable)
    assert np.array_equal(x, original, equal_nan=x.dtype.kind == "f")
    assert (indices.dtype, result.dtype) == (np.intp, dtype)
    assert indices.shape == result.shape == x.shape
    for lane, places, values in zip(*(np.moveaxis(a, axis, -1).reshape(-1, x.shape[axis]) for a in (x, indices, result)), strict=True):
        lane = lane.tolist()
        expected = sorted(range(len(lane)), key=lambda i: order(descending)(lane[i]))
        assert sorted(places.tolist()) == sorted(expected)
        keys = [order(descending)(lane[i]) for i in places.tolist()]
        assert keys == sorted(keys)
        if stable:
            assert places.tolist() == expected
            wanted = [lane[i] for i in expected]
            if x.dtype.kind == "f":
                assert all(map(same, values.tolist(), wanted))
            else:
                assert values.tolist() == wanted


@pytest.mark.parametrize("descending", [False, True])
def test_long_stable_sorts_keep_zeros_in_order(descending):
    x = np.where(np.arange(5000) % 3 == 0, -0.0, 0.0)
    x[::7] = np.arange(0, 5000, 7) % 11
    got = standard.sort(x, descending=descending)
    assert same_arrays(got, x[standard.argsort(x, descending=descending)])
    assert same_arrays(standard.sort(np.abs(x)), np.sort(np.abs(x)))


@pytest.mark.skipif(NUMPY < "2.5.0", reason="NumPy sorts in descending order from 2.5")
def test_descending_is_numpys():
    values = [1.0, math.nan, -0.0, 0.0, math.inf, 2.0, -math.inf, math.nan]
    for x in (np.array(values), np.array([complex(a, b) for a in values for b in values])):
        assert np.array_equal(standard.argsort(x, descending=True), np.argsort(x, descending=True, stable=True))


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.uint8, np.uint64])
def test_descending_covers_the_range_of_integers(dtype):
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    x = np.array([least, 1, most, 0, least], dtype)
    assert standard.sort(x, descending=True).tolist() == sorted(x.tolist(), reverse=True)
    assert standard.argsort(x, descending=True).tolist() == sorted(range(5), key=lambda i: -int(x[i]))


def test_sort_rejects_what_has_no_axis():
    for function in (standard.sort, standard.argsort):
        with pytest.raises(IndexError):
            function(np.array(1.0), descending=True)
        with pytest.raises(IndexError):
            function(np.ones(2), axis=1)


@given(st.lists(st.floats(-4, 4, width=32), max_size=6), st.floats(-5, 5, width=32), st.sampled_from(["left", "right"]))
def test_searchsorted(values, value, side):
    x = np.array(sorted(values), np.float32)
    expected = getattr(bisect, f"bisect_{side}")(x.tolist(), value)
    assert standard.searchsorted(x, value, side=side) == expected
    shuffled, sorter = x[::-1], np.arange(len(x), dtype=np.uint64)[::-1]
    assert standard.searchsorted(shuffled, np.array([[value]], np.float32), side=side, sorter=sorter).tolist() == [[expected]]
    assert standard.searchsorted(np.arange(3, dtype=np.uint8), 300) == 3


@given(float_arrays(np.float32), st.floats(width=32) | st.integers(-3, 3), st.booleans())
def test_isin_a_scalar(x, value, invert):
    got = np.asarray(standard.isin(x, value, invert=invert))
    assert got.dtype == bool
    assert got.shape == x.shape
    assert got.ravel().tolist() == [(v == value) ^ invert for v in x.ravel().tolist()]
    assert standard.isin(value, x, invert=invert) == (any(float(v) == value for v in x.ravel()) ^ invert)


@given(hnp.arrays(np.int8, hnp.array_shapes(min_dims=0, min_side=0)), hnp.arrays(np.int16, hnp.array_shapes(min_dims=0, min_side=0)))
def test_isin_an_array(x, values):
    got = np.asarray(standard.isin(x, values))
    assert got.shape == x.shape
    assert got.ravel().tolist() == [v in values.ravel().tolist() for v in x.ravel().tolist()]


def test_isin_compares_values():
    assert not standard.isin(np.array([2**63 - 1]), 2**63).any()
    assert standard.isin(np.array([1], np.uint8), -255).tolist() == [False]
    assert standard.isin(np.array([0.0, math.nan]), np.array([-0.0, math.nan])).tolist() == [True, False]


def test_counts_repeats_and_takes():
    x = np.array([[0, 1, 2], [0, 0, 3]])
    count = standard.count_nonzero(x)
    assert count == 3
    assert type(count) is np.intp
    assert standard.count_nonzero(x, axis=(0, 1), keepdims=True).tolist() == [[3]]
    assert standard.count_nonzero(x, axis=0).tolist() == [0, 1, 2]
    assert standard.repeat(x, np.array([1, 2], np.uint64), axis=0).tolist() == [[0, 1, 2], [0, 0, 3], [0, 0, 3]]
    assert standard.repeat(x, 2).tolist() == [0, 0, 1, 1, 2, 2, 0, 0, 0, 0, 3, 3]
    assert standard.take_along_axis(x, np.array([[2], [0]])).tolist() == [[2], [0]]
    assert standard.take_along_axis(x, np.array([[1, 0, 1]]), axis=0).tolist() == [[0, 1, 3]]


# Variance


CORRECTIONS = st.sampled_from([0, 1, 2.5, 3, 4, 5, 12])


@given(hnp.arrays(np.float64, (3, 4), elements=st.floats(-100, 100)), CORRECTIONS, st.sampled_from([0, -1, None, (0, 1)]))
def test_variance(x, correction, axis):
    lanes = {0: x.T.tolist(), -1: x.tolist()}.get(axis, [x.ravel().tolist()])
    expected = [statistics.pvariance(lane) * len(lane) / (len(lane) - correction) if len(lane) > correction else math.nan for lane in lanes]
    for keepdims in (False, True):
        variance = quiet(standard.var, x, axis=axis, correction=correction, keepdims=keepdims)
        deviation = quiet(standard.std, x, axis=axis, correction=correction, keepdims=keepdims)
        assert np.ndim(variance) == (2 if keepdims else 0 if axis in (None, (0, 1)) else 1)
        # Two passes: the mean's error enters squared, and at most 12 summands of 1e4 lose 1e-12.
        assert np.allclose(np.ravel(variance), expected, rtol=1e-13, atol=1e-11, equal_nan=True)
        assert np.array_equal(deviation, np.sqrt(variance), equal_nan=True)


def test_variance_keeps_dtype_and_fills_out():
    x = np.array([[1, 2]], np.float32)
    assert quiet(standard.var, x, axis=1, correction=2).dtype == np.float32
    out = np.zeros(1)
    assert quiet(standard.std, x, axis=1, correction=3, out=out) is out
    assert np.isnan(out).all()
    assert standard.var(np.array([1, 2], np.int8)) == 0.25
    assert quiet(standard.var, np.zeros((0, 2)), axis=1, correction=2).shape == (0,)


# Linear algebra


@pytest.mark.parametrize("dtype", FLOATS + COMPLEXES)
def test_eigenvalues_are_complex(dtype):
    x = np.array([[[2, 1], [0, 3]], [[0, -1], [1, 0]], [[1, 0], [0, 1]]], dtype)
    complex_dtype = np.result_type(dtype, np.complex64)
    for stack in (x, x[:1]):
        values, vectors = standard.eig(stack)
        assert values.dtype == vectors.dtype == standard.eigvals(stack).dtype == complex_dtype
        assert np.allclose(stack @ vectors, values[..., None, :] * vectors, atol=1e-6)
    assert standard.eig(x).eigenvalues is not None


def test_matrices_without_elements():
    for shape in ((0, 3), (3, 0), (2, 0, 0)):
        x = np.ones(shape, np.float32)
        assert standard.matrix_rank(x).tolist() == np.zeros(shape[:-2]).tolist()
        for ord in ("fro", "nuc", 1, 2, np.inf):
            norm = standard.matrix_norm(x, ord=ord, keepdims=True)
            assert same_arrays(norm, np.zeros((*shape[:-2], 1, 1), np.float32))
        for ord in (0, 0.5, 1, 2, np.inf):
            assert standard.vector_norm(x, ord=ord) == 0
    assert standard.vector_norm(np.ones((0, 2)), ord=np.inf, axis=0).tolist() == [0, 0]
    assert standard.vector_norm(np.ones((0, 2), np.int8), ord=np.inf, axis=1).shape == (0,)


def test_norms_elsewhere():
    x = np.array([[3.0, -4.0], [0.0, 12.0]])
    assert standard.vector_norm(x, axis=(0, 1)) == 13
    assert standard.vector_norm(x, ord=np.inf, axis=-1).tolist() == [4, 12]
    assert standard.matrix_norm(x) == 13
    assert standard.matrix_norm(x, ord=1) == 16
    assert standard.matrix_rank(np.stack([x, 0 * x])).tolist() == [2, 0]
    assert standard.matrix_rank(x, rtol=0.9) == 1


@pytest.mark.parametrize("dtype", FLOATS)
def test_pinv_cuts_at_the_larger_side_times_epsilon(dtype):
    eps = float(np.finfo(dtype).eps)
    for small, kept in ((3.5 * eps, False), (4.5 * eps, True)):
        x = np.zeros((2, 4), dtype)
        x[0, 0], x[1, 1] = 1, small
        assert (standard.pinv(x)[1, 1] != 0) == kept
    assert standard.pinv(x, rtol=0.5)[1, 1] == 0


# Frequencies


@given(st.integers(1, 40), st.sampled_from([1.0, 0.1, 3]), st.sampled_from([None, *FLOATS]))
def test_frequencies(n, d, dtype):
    got = standard.fftfreq(n, d=d, dtype=dtype)
    half = standard.rfftfreq(n, d=d, dtype=dtype)
    assert got.dtype == half.dtype == (dtype or np.float64)
    expected = [k / (d * n) for k in [*range((n + 1) // 2), *range(-(n // 2), 0)]]
    tolerance = 2 * np.finfo(got.dtype).eps  # the quotient, the step and the cast are rounded
    assert np.allclose(got, expected, rtol=tolerance, atol=0)
    assert np.allclose(half, [k / (d * n) for k in range(n // 2 + 1)], rtol=tolerance, atol=0)


def test_frequencies_are_real():
    for function in (standard.fftfreq, standard.rfftfreq):
        with pytest.raises(TypeError, match="complex64; use a real floating-point dtype"):
            function(4, dtype=np.dtype(np.complex64))
