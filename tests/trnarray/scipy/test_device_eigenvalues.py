"""Eigenvalues of sparse matrices on devices, with no fallback, against NumPy in float64."""

import numpy as np
import pytest
import scipy.sparse as theirs
from scipy.sparse.linalg import ArpackNoConvergence

import trnarray as xp
from trnarray.scipy.sparse import csr_array
from trnarray.scipy.sparse.linalg import LinearOperator, eigsh

from .test_device_solvers import DEVICE, laplacian, put

U = 2.0**-24


@pytest.fixture(autouse=True)
def natively():
    with xp.config(fallback="error"):
        yield


def check(dense, values, vectors, wanted):
    """Eigenvalues err by 50 u |A|, and so do residuals; vectors are orthonormal to 50 u."""
    values, vectors = (np.asarray(x.to_device("cpu")) for x in (values, vectors))
    norm, wide = np.linalg.norm(dense, 2), vectors.astype(np.complex128)
    assert np.all(np.abs(np.sort(values) - values) == 0)
    np.testing.assert_allclose(values, wanted, atol=50 * U * norm)
    assert np.linalg.norm(dense @ wide - wide * values, axis=0).max() <= 100 * U * norm
    np.testing.assert_allclose(wide.conj().T @ wide, np.eye(len(values)), atol=100 * U)


@pytest.mark.parametrize(("which", "dtype"), [("LM", "float32"), ("SA", "float32"), ("LA", "complex64")])
def test_ends_of_the_spectrum(which, dtype):
    a = (laplacian(8, dtype) + theirs.diags_array(np.linspace(0, 2, 64))).tocsr().astype(dtype)
    dense = a.toarray().astype(np.complex128)
    spectrum = np.linalg.eigvalsh(dense)
    wanted = {"LM": np.sort(spectrum[np.argsort(-np.abs(spectrum))[:4]]), "SA": spectrum[:4], "LA": spectrum[-4:]}[which]
    values, vectors = eigsh(put(a), k=4, which=which, ncv=20)
    assert (values.dtype, vectors.dtype, vectors.shape) == (np.float32, np.dtype(dtype), (64, 4))
    check(dense, values, vectors, wanted)


def test_operators_and_few_vectors():
    """Many restarts; eigenvalues alone; a given start."""
    diagonal = put(np.arange(1.0, 65).astype(np.float32))
    operator = LinearOperator((64, 64), matvec=lambda v: diagonal * v, dtype="float32")
    values = eigsh(operator, k=2, which="LA", ncv=6, v0=xp.ones(64, device=DEVICE, dtype="float32"), return_eigenvectors=False)
    np.testing.assert_allclose(np.asarray(values.to_device("cpu")), [63, 64], atol=50 * U * 64)


@pytest.mark.parametrize(("which", "dtype", "sigma"), [("LM", "float32", 1.7), ("SM", "float32", None), ("LA", "float32", None)])
def test_few_rows(which, dtype, sigma):
    """Of which all eigenvalues are computed: those nearest to a number, least or greatest."""
    a = laplacian(4, dtype)
    spectrum = np.linalg.eigvalsh(a.toarray().astype(np.complex128))
    order = np.argsort({"SM": abs(spectrum), "LA": -spectrum}.get(which, abs(spectrum - 1.7)), kind="stable")
    values, vectors = eigsh(put(a), k=3, which=which, sigma=sigma)
    assert vectors.dtype == np.dtype(dtype)
    check(a.toarray(), values, vectors, np.sort(spectrum[order[:3]]))
    alone = eigsh(put(a), k=3, which=which, sigma=sigma, return_eigenvectors=False)
    np.testing.assert_allclose(np.sort(np.asarray(alone.to_device("cpu"))), np.asarray(values.to_device("cpu")), atol=400 * U)


def test_no_convergence():
    with pytest.raises(ArpackNoConvergence, match="2 restarts"):
        eigsh(put(laplacian(8, np.float32)), k=3, which="SA", ncv=7, maxiter=2)


def test_subspaces_that_end():
    """A start in an invariant subspace has enough of it, or the host computes."""
    a = theirs.diags_array(np.array([5.0, 3.0, 1.0, 2.0], np.float32)).tocsr()
    start = xp.asarray([1.0, 1.0, 0.0, 0.0], device=DEVICE, dtype="float32")
    values, _ = eigsh(csr_array(a).to_device(DEVICE), k=2, v0=start, ncv=4)
    np.testing.assert_allclose(np.asarray(values.to_device("cpu")), [3, 5], atol=20 * U * 5)
    with xp.config(fallback="allow"):
        values = eigsh(csr_array(theirs.eye_array(6, dtype=np.float32).tocsr()).to_device(DEVICE), k=2, return_eigenvectors=False)
    np.testing.assert_allclose(np.asarray(values.to_device("cpu")), 1, atol=20 * U)
