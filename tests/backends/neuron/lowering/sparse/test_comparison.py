"""What depends on values, with no fallback: comparisons, extrema, zeros, elements that are set; against SciPy's."""

import inspect
import operator
import warnings

import numpy as np
import pytest
import scipy.sparse as theirs

import trnarray as xp
from trnarray.scipy import sparse as ours
from trnarray.scipy.sparse import linalg

from .matrices import bring, fetch, put

COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
U = {"float32": 2.0**-24, "float64": 2.0**-53, "complex64": 2.0**-24, "int32": 0.0}


@pytest.fixture(autouse=True)
def natively():
    with xp.config(fallback="error"), warnings.catch_warnings():
        warnings.simplefilter("ignore", theirs.SparseEfficiencyWarning)
        yield


def pair(dtype="float32"):
    """Two arrays with equal elements, zeros that are stored, negative ones, and a full row and column."""
    rng = np.random.default_rng(5)
    dense = rng.integers(-2, 3, (2, 7, 9)) * (rng.random((2, 7, 9)) < 0.5)
    dense[0, 2], dense[0, :, 4] = rng.integers(1, 4, 9), rng.integers(-4, 0, 7)
    a, b = (theirs.csr_array(one.astype(dtype) * (1 + 1j if dtype == "complex64" else 1)) for one in dense)
    a.data[3] = b.data[1] = 0
    return a, b


def check(found, want, unit=0.0, stored=True):
    """Results are exact, or each step of a few rounds once; the same elements are stored."""
    if theirs.issparse(want):
        assert (found.format, found.shape, found.dtype) == (want.format, want.shape, want.dtype)
        there = found.to_device("cpu").to_scipy()
        assert there.nnz == want.nnz or not stored
        found, want = there.toarray(), want.toarray()
    elif isinstance(found, xp.Array):
        found = fetch(found)
    np.testing.assert_allclose(found, want, rtol=40 * unit)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "complex64"])
def test_comparisons(dtype):
    """SciPy's own "<=" and ">=" hold for NaN."""
    a, b = pair(dtype)
    if dtype != "int32":
        a.data[5] = np.nan
    names = COMPARISONS[:2] if dtype == "complex64" else COMPARISONS
    there, other, dense = bring(a), bring(b.tocoo()), b.toarray()
    for name in names:
        compare = getattr(operator, name)
        check(compare(there, other), theirs.csr_array(compare(a.toarray(), dense)))
        check(compare(there, put(dense)), compare(a, dense))
        for number in (0, 1, -1.5) if dtype[0] == "f" else (0, 2):
            check(compare(there, number), theirs.csr_array(compare(a.toarray(), number)))
    if dtype == "float32":
        check(there != np.nan, a != np.nan)
        check((there > 0).sum(axis=1), (a > 0).sum(axis=1))
        check((there > 0).toarray(), (a > 0).toarray())
        np.testing.assert_array_equal(fetch(there[there > 0]), a[a > 0])


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "complex64", "bool"])
@pytest.mark.parametrize("format", ["csr", "coo"])
def test_extrema(format, dtype):
    a, b = (one.asformat(format) for one in pair(dtype))
    there, other = bring(a), bring(b)
    for name in ("max", "min", "nanmax", "nanmin"):
        for axis in (None, 0, 1):
            check(getattr(there, name)(axis=axis), getattr(a, name)(axis=axis))
    for name in ("maximum", "minimum"):
        check(getattr(there, name)(other), getattr(a, name)(b), stored=False)
        check(getattr(there, name)(0), getattr(a, name)(0), stored=False)
        if dtype != "complex64":  # of which Python knows no order
            check(getattr(there, name)(1), getattr(a, name)(1), stored=False)
            check(getattr(there, name)(-1), getattr(a, name)(-1), stored=False)
    full = theirs.csr_array(np.arange(1.0, 7).reshape(2, 3).astype(dtype))
    check(bring(full).min(), full.min())
    if dtype != "bool":
        check((-bring(full)).max(axis=1), (-full).max(axis=1))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "complex64", "bool"])
def test_positions_of_extrema(dtype):
    """The first of equal ones, of which zeros may be stored or not; NaN where SciPy finds it."""
    a, b = pair(dtype)
    if dtype[0] in "fc":
        b.data[5] = np.nan
    full = theirs.csr_array(np.array([[1, 2, 2], [0, 0, 0], [3, 1, 3]]).astype(dtype))
    for matrix in (a, -1 * abs(a) if dtype != "bool" else a.T, b.tocoo(), full, full[:1]):
        there = bring(matrix)
        for name in ("argmax", "argmin"):
            for axis in (None, 0, 1, -1):
                with np.errstate(invalid="ignore"):
                    want = getattr(matrix, name)(axis=axis)
                check(getattr(there, name)(axis=axis), want)


@pytest.mark.skipif("explicit" not in inspect.signature(theirs.csr_array.max).parameters, reason="SciPy before 1.15 has no `explicit`")
def test_extrema_of_what_is_stored():
    a = pair()[0].astype(np.float32)
    a = -1 * abs(a)
    for name in ("max", "min", "argmax", "argmin"):
        for axis in (None, 0, 1):
            check(getattr(bring(a), name)(axis=axis, explicit=True), getattr(a, name)(axis=axis, explicit=True), stored=False)


def test_infinities_and_long_rows():
    """A row of 100 elements is reduced in pieces; NaN goes where SciPy's does."""
    dense = np.zeros((3, 100), np.float32)
    dense[0], dense[2, 7] = np.random.default_rng(0).standard_normal(100) - 9, np.inf
    a, nan = theirs.csr_array(dense), theirs.csr_array(np.array([[1, 2, 0], [3, 0, np.nan]], np.float32))
    for name in ("max", "min"):
        check(getattr(bring(a), name)(axis=1), getattr(a, name)(axis=1))
        check(getattr(bring(nan), name)(axis=0), getattr(nan, name)(axis=0))
        check(getattr(bring(nan), f"{name}imum")(bring(a[:2, :3])), getattr(nan, f"{name}imum")(a[:2, :3]), stored=False)
    check(bring(nan).nanmax(), nan.nanmax())


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "bsr", "dia"])
def test_zeros_are_dropped(format):
    a = pair()[0].asformat(format)
    make = getattr(theirs, f"{format}_array")
    check(getattr(ours, f"{format}_array")(put(a.toarray())), make(a.toarray()))
    for found, want in zip(bring(a).nonzero(), a.nonzero(), strict=True):
        np.testing.assert_array_equal(fetch(found), want)
    for found, want in zip(ours.find(bring(a)), theirs.find(a), strict=True):
        np.testing.assert_array_equal(fetch(found), want)
    assert bring(a).count_nonzero() == a.count_nonzero()
    if format != "dia":
        there = bring(a)
        for array in (there, a):
            array.eliminate_zeros()
        check(there, a)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "bool"])
def test_elements_that_are_set(dtype):
    a, row = pair(dtype)[0], np.arange(9).astype(dtype)
    there = bring(a)
    for array, values in ((there, put(row)), (a, row)):
        array[1, 1] = 5
        array[0, [2, 3]] = [7, 8]
        array[4] = values
        array.setdiag(3)
        array.setdiag(values[:6], k=1)
        array[5:, :2] = 0
    check(there, a)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64"])
def test_powers_quotients_and_norms(dtype):
    a, unit = pair(dtype)[0], U[dtype]
    there, dense = bring(a), np.abs(a.toarray()) + 1
    check(there**2, a**2, 4 * unit)
    check(there.power(3), a.power(3), 8 * unit)
    check(there / put(dense), a / dense, 8 * unit)
    if dtype != "complex64":
        check(there / there, a / a)
        check(round(there * 0.3, 1), round(a * 0.3, 1), unit)
    check(there.real, a.real)
    check(there.imag, a.imag)
    orders = ((None, None), ("fro", None), (1, None), (np.inf, None), (None, 0), (1, 1), (np.inf, 0), (-np.inf, 1), (0, 0), (3, 1))
    for order, axis in orders:
        want = np.asarray(theirs.linalg.norm(theirs.csr_matrix(a), order, axis))
        check(linalg.norm(there, order, axis), want if axis is None else want.reshape(-1), 9 * unit)
    there *= 2
    there /= 4
    check(there, a * 0.5)


def test_in_place_operators_keep_the_dtype():
    a = pair("int32")[0]
    there = bring(a)
    there *= 3
    check(there, a * 3)
    with pytest.raises(TypeError, match="float32 are not put into an array of int32"):
        there /= 2


def test_sums_of_few_bits():
    """8 bits hold 255, and their sums more."""
    a = theirs.csr_array(np.array([[255, 254], [0, 253]], np.uint8))
    np.testing.assert_array_equal(fetch(bring(a).sum(axis=1)), [509, 253])
    with xp.config(fallback="allow"):
        assert float(linalg.norm(bring(a), 1)) == 507


@pytest.mark.parametrize("arguments", [(), ("fro",), (1,), (np.inf,), (None, 0), (1, 1), (np.inf, 0)])
def test_norms_of_integers(arguments):
    """They are floats, of sums that float32 holds: a root rounds once."""
    dense = (np.arange(18) % 7 - 3).reshape(6, 3).astype(np.int8)
    dense[4, 1] = -128
    found = linalg.norm(bring(theirs.csr_array(dense)), *arguments)
    check(found, np.linalg.norm(dense.astype(np.float64), *arguments), 2.0**-23)
    assert found.dtype == np.float32
