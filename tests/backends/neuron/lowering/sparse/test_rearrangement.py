"""Sparse arrays made of sparse arrays on devices, with no fallback: against SciPy's."""

import inspect

import numpy as np
import pytest
import scipy.sparse as theirs
from hypothesis import given
from hypothesis import strategies as st

import trnarray as xp
from trnarray.scipy import sparse as ours

from .matrices import U, bring, drawn, fetch, put

OTHERWISE = {} if "rng" in inspect.signature(theirs.random_array).parameters else {"dia": "product"}
"""Of which older SciPy drops the stored zeros."""
RNG = "rng" if "rng" in inspect.signature(theirs.random_array).parameters else "random_state"  # of older SciPy
FORMATS = ("csr", "csc", "coo", "bsr", "dia")
CALLS = {
    **{f"to{format}": lambda m, a, format=format: a.asformat(format) for format in FORMATS},
    "blocks": lambda m, a: a.tobsr((2, 3)),
    "copy": lambda m, a: m.csr_array(a.T, copy=True),
    "reshape": lambda m, a: a.reshape((4, 9)),
    "parts": lambda m, a: m.vstack([m.tril(a, -1), m.triu(a)], format="csr"),
    "side by side": lambda m, a: m.hstack([a, a], dtype=np.float64),
    "diagonal blocks": lambda m, a: m.block_diag([a, a.T]),
    "of blocks": lambda m, a: m.block_array([[a, None], [None, a]]),
    "rows": lambda m, a: a.tocsr()[1:5:2],
    "chosen": lambda m, a: a.tocsc()[:, [1, 3, 1]],
    "element": lambda m, a: a.tocsr()[1, 2],
    "sum": lambda m, a: (a + a.T).tocsr(),
    "difference": lambda m, a: a - 2 * a.tocsc(),
    "dense sum": lambda m, a: a.toarray() - a,
    "elementwise": lambda m, a: a * a.T,
    "by dense": lambda m, a: a.multiply(a.toarray() + 1),
    "Kronecker": lambda m, a: m.kron(a, a.T),
    "Kronecker sum": lambda m, a: m.kronsum(a, a),
    "product": lambda m, a: a @ a.T,
    "roots": lambda m, a: abs(-a).sqrt(),
    "total": lambda m, a: a.sum(),
    "means": lambda m, a: a.mean(axis=1),
    "trace": lambda m, a: a.trace(1),
}


@pytest.fixture(autouse=True)
def natively():
    with xp.config(fallback="error"):
        yield


def matrix(format, dtype=np.float32, seed=1):
    """Elements are positive, so that sums do not cancel."""
    made = theirs.random_array((6, 6), density=0.3, format=format, dtype=np.float64, **{RNG: np.random.default_rng(seed)})
    return (made * (1 + 1j)).astype(dtype) if np.dtype(dtype).kind == "c" else made.astype(dtype)


def check(found, want, unit=U):
    """Each element is a sum of up to 6 products, or of 36 elements, and each step rounds once."""
    if theirs.issparse(want):
        assert (found.format, found.shape, found.dtype) == (want.format, want.shape, want.dtype)
        there = found.to_device("cpu").to_scipy()
        assert there.nnz == want.nnz
        found, want = there.toarray(), want.toarray()
    else:
        found = fetch(found)
    assert found.shape == np.shape(want)
    np.testing.assert_allclose(found, want, rtol=40 * unit)


@pytest.mark.parametrize("format", FORMATS)
def test_formats(format):
    a = matrix(format)
    there = bring(a)
    for name, call in CALLS.items():
        if OTHERWISE.get(format) == name:
            continue
        try:
            check(call(ours, there), call(theirs, a))
        except Exception as error:
            error.add_note(name)
            raise


@pytest.mark.parametrize("dtype", ["float64", "complex64", "int32"])
def test_dtypes(dtype):
    a = matrix("csr", np.float64)
    a = (8 * a).astype(dtype) if dtype == "int32" else matrix("csr", dtype)
    for name in ("todia", "chosen", "sum", "difference", "elementwise", "Kronecker", "product"):
        check(CALLS[name](ours, bring(a)), CALLS[name](theirs, a), {"float64": 2.0**-53, "int32": 0.0}.get(dtype, 4 * U))


def test_elements_in_pieces():
    """They are put together where SciPy does that."""
    data, rows, columns = np.array([1, -3, 2, 5, 4], np.float32), [0, 2, 0, 1, 2], [1, 2, 1, 0, 2]
    a = theirs.coo_array((data, (rows, columns)), shape=(3, 4))
    device = ours.coo_array((put(data), (put(np.array(rows)), put(np.array(columns)))), shape=(3, 4))
    check(device, a)
    for call in (lambda m, a: a.tocsr(), lambda m, a: abs(a), lambda m, a: a + a, lambda m, a: m.hstack([a, a]), lambda m, a: a @ a.T):
        check(call(ours, device), call(theirs, a.copy()))
    # Older SciPy's own constructor keeps them apart.
    whole = theirs.coo_array((data, (rows, columns)), shape=(3, 3)).tocsr()
    check(ours.csr_array((put(data), (put(np.array(rows)), put(np.array(columns))))), whole)
    for array in (a, device):
        array.sum_duplicates()
    check(device, a)
    unsorted = theirs.csr_array((data, [2, 0, 1, 3, 0], [0, 3, 5]), shape=(2, 4))
    device = bring(unsorted)
    assert not device.has_sorted_indices
    for array in (unsorted, device):
        array.sort_indices()
    assert device.indices.tolist() == unsorted.indices.tolist()
    check(device, unsorted)


def test_exact_zeros_stay_stored():
    a = matrix("csr")
    left = bring(a) - bring(a)
    assert (left.nnz, fetch(left.toarray()).any()) == (a.nnz, False)


def test_positions_are_known():
    """Those of results are on the host already, and operands that do not fit are refused in SciPy's words."""
    a, x = bring(matrix("csr")), put(drawn(6, np.float32))
    made = ours.kron(a, a).tocsc() + ours.eye_array(36, device="sim:trn2", dtype=np.float32)
    before = xp.coverage().transfers
    _ = made @ xp.concat([x] * 6)
    assert xp.coverage().transfers == before
    wide = theirs.csr_array((6, 7), dtype=np.float32) + theirs.eye_array(6, 7, dtype=np.float32)
    for call in (lambda a, b: a + b, lambda a, b: b @ a, lambda a, b: a * b):
        with pytest.raises(ValueError, match=".") as wanted:
            call(matrix("csr"), wide.tocsr())
        with pytest.raises(ValueError, match=".") as found:
            call(a, bring(wide.tocsr()))
        assert str(found.value) == str(wanted.value)


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 2**32 - 1))
def test_any_pair(rows, columns, seed):
    eye, rng = theirs.eye_array(rows, columns), np.random.default_rng(seed)
    a, b = ((theirs.random_array((rows, columns), density=0.4, **{RNG: rng}) + eye).astype(np.float32) for _ in range(2))
    with xp.config(fallback="error"):
        check(bring(a) + bring(b), a + b)
        check((bring(a) @ bring(b).T)[rows // 2 :], (a @ b.T)[rows // 2 :])


def test_diagonals_that_scipy_adds_in_place():
    """Those of one operand are among the other's, whose array SciPy adds to."""
    a = theirs.diags_array([2.0, 3.0], offsets=[0, 1], shape=(6, 6), dtype=np.float32)
    b = theirs.eye_array(6, dtype=np.float32)
    for left, right in ((a, b), (b, a)):
        check(bring(left) + bring(right), left + right)
        check(bring(left) - bring(right), left - right)
