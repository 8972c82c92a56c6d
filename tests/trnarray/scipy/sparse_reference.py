"""Sparse arrays of SciPy and ours of the same components, and what their results are held to."""

import numpy as np
import scipy.sparse as theirs

import trnarray as xp
from trnarray.backends.ops.sparse import FIELDS, pack
from trnarray.scipy import sparse as ours

FORMATS = tuple(FIELDS)
DTYPES = (np.float64, np.complex128, np.float32)
N = 40
"""Of the systems of equations."""


def matrix(format, dtype=np.float64, shape=(4, 6), seed=0, nnz=9, canonical=False):
    """One of SciPy's with duplicates, explicit zeros and indices in no order, unless it is to be canonical."""
    rng = np.random.default_rng(seed)
    nnz = nnz if 0 not in shape else 0
    where = [rng.integers(0, max(n, 1), nnz) for n in shape]
    data = rng.integers(-3, 4, nnz).astype(dtype) if dtype != np.complex128 else rng.integers(-3, 4, nnz) * (1 + 2j)
    if canonical or format in ("dia", "bsr"):
        return theirs.coo_array((data, tuple(where)), shape=shape).asformat(format)
    coo = theirs.coo_array((data, tuple(where)), shape=shape)
    if format == "coo":
        return coo
    major = 0 if format == "csr" else 1
    order = np.argsort(where[major], kind="stable")
    indptr = np.searchsorted(where[major][order], np.arange(shape[major] + 1))
    return getattr(theirs, f"{format}_array")((data[order], where[1 - major][order], indptr), shape=shape)


def system(dtype, seed=0):
    """A positive definite matrix of condition below 10, for which every method converges, and a right-hand side."""
    rng = np.random.default_rng(seed)
    a = np.where(rng.random((N, N)) < 0.1, rng.standard_normal((N, N)), 0)
    if dtype is np.complex128:
        a = a + 1j * np.where(rng.random((N, N)) < 0.1, rng.standard_normal((N, N)), 0)
    a = (a + a.conj().T) / 8 + 3 * np.eye(N)
    b = rng.standard_normal(N) + (1j * rng.standard_normal(N) if dtype is np.complex128 else 0)
    return theirs.csr_array(a.astype(dtype)), b.astype(dtype)


def on_ours(value):
    """The same operand of our types, with components of its own."""
    if isinstance(value, theirs.sparray):
        copied = value.copy()
        return getattr(ours, f"{value.format}_array")(copied)
    if isinstance(value, tuple):
        return tuple(map(on_ours, value))
    return xp.asarray(value.copy()) if isinstance(value, np.ndarray) else value


def agree(got, expected):
    if isinstance(expected, theirs.sparray):
        assert type(got) is getattr(ours, f"{expected.format}_array")
        assert (got.shape, got.dtype, got.nnz) == (expected.shape, expected.dtype, expected.nnz)
        for one, other in zip(got._packed()[2], pack(expected)[2], strict=True):
            assert one.dtype == other.dtype
            np.testing.assert_array_equal(one, other)
    elif isinstance(expected, (np.ndarray, np.generic)):
        assert type(got) is xp.Array
        assert (got.shape, got.dtype) == (expected.shape, expected.dtype)
        np.testing.assert_array_equal(got._host(), expected)
    elif isinstance(expected, tuple):
        assert len(got) == len(expected)
        for one, other in zip(got, expected, strict=True):
            agree(one, other)
    else:
        assert type(got) is type(expected)
        assert got == expected
