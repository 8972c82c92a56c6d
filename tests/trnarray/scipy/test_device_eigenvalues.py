"""Eigenvalues of sparse matrices on devices, with no fallback, against NumPy in float64."""

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as theirs
import scipy.sparse.linalg
from scipy.sparse.linalg import ArpackNoConvergence

import trnarray as xp
from trnarray.scipy.sparse import csr_array
from trnarray.scipy.sparse.linalg import LinearOperator, eigs, eigsh, svds

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


@pytest.mark.parametrize(
    ("which", "dtype", "sigma"),
    [("LM", "float32", 1.7), ("SM", "float32", None), ("LA", "float32", None), ("LM", "complex64", 1.7), ("SM", "complex64", None)],
)
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


def pencil(dtype):
    """A Hermitian matrix, and a positive definite one beside it."""
    rng = np.random.default_rng(2)
    parts = rng.standard_normal((2, 24, 24)) * (rng.random((24, 24)) < 0.2)
    dense = (parts[0] + 1j * parts[1]).astype(dtype) if dtype == "complex64" else parts[0].astype(dtype)
    a = dense + dense.conj().T + 3 * np.eye(24, dtype=dtype)
    return a, (np.eye(24) * 2 + (dense @ dense.conj().T) / 40).astype(dtype)


@pytest.mark.parametrize("dtype", ["float32", "complex64"])
def test_pencils(dtype):
    """Eigenvalues with M, nearest to a number and at the ends."""
    a, m = pencil(dtype)
    wide = [x.astype(np.complex128) for x in (a, m)]
    want = scipy.linalg.eigh(*wide, eigvals_only=True)
    there = [put(theirs.csr_array(x)) for x in (a, m)]
    unit = 400 * U * np.abs(want).max()
    values, vectors = eigsh(there[0], k=3, M=there[1], sigma=1.1)
    np.testing.assert_allclose(np.asarray(values.to_device("cpu")), np.sort(want[np.argsort(abs(want - 1.1))[:3]]), atol=unit)
    found = np.asarray(vectors.to_device("cpu")).astype(np.complex128)
    assert np.linalg.norm(wide[0] @ found - wide[1] @ found * np.asarray(values.to_device("cpu")), axis=0).max() <= unit
    np.testing.assert_allclose(np.asarray(eigsh(there[0], k=3, M=there[1], which="LA")[0].to_device("cpu")), want[-3:], atol=unit)


@pytest.mark.parametrize(("mode", "metric"), [
    *((mode, metric) for mode in ("normal", "buckling", "cayley") for metric in (None, "definite")), ("buckling", "indefinite"),
])  # fmt: skip
def test_modes(mode, metric):
    """Vectors are as long as SciPy's: by A for "buckling", which takes an M of any signs, else by M."""
    size = np.arange(1.0, 25)
    a = theirs.diags_array(size**2, dtype=np.float32).tocsr()
    signs = {"definite": 2 + np.sin(size), "indefinite": np.cos(size)}
    m = theirs.diags_array(signs[metric], dtype=np.float32).tocsr() if metric else None
    wide = None if m is None else m.astype(np.float64)
    want, vectors = theirs.linalg.eigsh(a.astype(np.float64), k=3, M=wide, sigma=40.5, which="LA", mode=mode)
    found, basis = eigsh(put(a), k=3, M=None if m is None else put(m), sigma=40.5, which="LA", mode=mode)
    np.testing.assert_allclose(np.asarray(found.to_device("cpu")), want, rtol=50 * U)
    np.testing.assert_allclose(abs(np.asarray(basis.to_device("cpu"))), abs(vectors), rtol=200 * U, atol=200 * U)


def test_a_sparse_matrix_by_its_name_on_the_host():
    """What no device computes: many rows with M, a keyword."""
    a = theirs.diags_array(np.arange(1.0, 521), dtype=np.float32).tocsr()
    with xp.config(fallback="allow"):
        found, _ = eigsh(put(a), k=3, sigma=4.4, M=put(theirs.eye_array(520, dtype=np.float32).tocsr()))
    np.testing.assert_allclose(np.asarray(found.to_device("cpu")), [3, 4, 5], rtol=50 * U)


@pytest.mark.parametrize("dtype", ["float32", "complex64"])
def test_eigenvalues_of_any_matrix_inside_the_spectrum(dtype):
    """Condition numbers of these eigenvalues are up to about 10, and that of the inverse, too."""
    a = pencil(dtype)[0] + np.triu(np.ones((24, 24))).astype(dtype) / 8
    m = np.diag(np.linspace(1, 2, 24)).astype(dtype)
    spectrum, general = np.linalg.eigvals(a.astype(np.complex128)), scipy.linalg.eigvals(a.astype(np.complex128), m)
    there, metric = put(theirs.csr_array(a)), put(theirs.csr_array(m))
    calls = {
        "nearest to 1.1": (eigs(there, k=4, sigma=1.1), spectrum, abs(spectrum - 1.1)),
        "nearest to 0": (eigs(there, k=4, which="SM"), spectrum, abs(spectrum)),
        "with M": (eigs(there, k=4, M=metric), general, -abs(general)),
        "with M, nearest to 1.1": (eigs(there, k=4, M=metric, sigma=1.1), general, abs(general - 1.1)),
    }
    for (values, vectors), among, key in calls.values():
        found = np.asarray(values.to_device("cpu"))
        assert vectors.shape == (24, 4)
        np.testing.assert_allclose(np.sort(key[[np.argmin(abs(among - one)) for one in found]]), np.sort(key)[:4])
        assert max(min(abs(among - one)) for one in found) <= 1000 * U * abs(among).max()


@pytest.mark.parametrize("options", [
    *({"k": k} for k in ("hi", -1, 9, 2.5)), *({"tol": tol} for tol in (-1, np.inf, np.nan)), {"maxiter": 0}, {"maxiter": "hi"},
    {"v0": np.ones((1, 9), np.float32)}, {"v0": np.ones(4, np.float32)}, {"v0": "hi"}, {"v0": np.ones(9, int)},
])  # fmt: skip
def test_errors_are_scipys(options):
    there = put(theirs.csr_array(np.eye(9, dtype=np.float32)))
    with xp.config(fallback="allow", host_transfer="allow"), pytest.raises(ValueError):  # noqa: PT011  # in SciPy's words
        svds(there, **{"k": 2, **options})


def test_smallest_singular_values():
    a = pencil("complex64")[0][:, :20]
    u, values, vh = svds(put(theirs.csr_array(a)), k=3, which="SM")
    np.testing.assert_allclose(np.asarray(values.to_device("cpu")), np.linalg.svd(a, compute_uv=False)[::-1][:3], atol=50 * U * 8)
    assert (u.shape, vh.shape) == ((24, 3), (3, 20))


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


@pytest.mark.parametrize("near", [{}, {"sigma": 0.5}])
def test_small_matrices_whose_whole_space_a_cycle_takes(near):
    a = np.array([[4, 1, 0, 0, 2], [0, -3, 1, 0, 0], [1, 0, 2, 0, 0], [0, 0, 1, 1, 0], [0, 2, 0, 0, 0.25]], np.float32)
    values, vectors = (np.asarray(x.to_device("cpu")).astype(complex) for x in eigs(put(theirs.csr_array(a)), k=2, **near))
    want = np.linalg.eigvals(a.astype(np.float64))
    want = want[np.argsort(abs(want - 0.5) if near else -abs(want))[:2]]
    np.testing.assert_allclose(np.sort_complex(values), np.sort_complex(want), rtol=400 * U)  # condition numbers are up to 10
    np.testing.assert_allclose(a @ vectors, values * vectors, atol=400 * U)
