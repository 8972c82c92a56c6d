"""Singular values, eigenvalues, exponentials and direct solutions on devices, with no fallback, against SciPy in float64."""

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as theirs

import trnarray as xp
from trnarray._sparse_linalg import lanczos
from trnarray.scipy.sparse import linalg
from trnarray.scipy.sparse.linalg import LinearOperator, eigs, eigsh, expm_multiply, lobpcg, svds

from .test_device_solvers import DEVICE, laplacian, put, right

U = {"float32": 2.0**-24, "complex64": 2.0**-24, "float64": 2.0**-53}


@pytest.fixture(autouse=True)
def natively():
    with xp.config(fallback="error"):
        yield


def fetch(x):
    return np.asarray(x.to_device("cpu"))


def band(rows, columns, dtype):
    """A matrix whose singular values are apart."""
    a = theirs.diags_array([np.linspace(1, 9, columns), np.full(columns, 0.5)], offsets=[0, -2], shape=(rows, columns))
    return (a * (1 + 0.5j) if np.dtype(dtype).kind == "c" else a).tocsr().astype(dtype)


@pytest.mark.parametrize(("shape", "dtype", "restarts"), [
    ((6, 4), "float32", False), ((30, 20), "float32", True), ((20, 30), "complex64", True),
])  # fmt: skip
def test_singular_values(shape, dtype, restarts, monkeypatch):
    """Factors err by 50 u |A|, by either way."""
    if restarts:
        monkeypatch.setattr(lanczos, "_DENSE", 0)
    a = band(*shape, dtype)
    wide = a.toarray().astype(np.complex128)
    u, s, vh = (fetch(x) for x in svds(put(a), k=2, ncv=6 if restarts else None))
    wanted = np.linalg.svd(wide, compute_uv=False)
    bound = 50 * U[dtype] * wanted[0]
    np.testing.assert_allclose(s, wanted[1::-1], atol=bound)
    np.testing.assert_allclose(wide @ vh.conj().T, u * s, atol=2 * bound)
    np.testing.assert_allclose(u.conj().T @ wide, s[:, None] * vh, atol=2 * bound)
    assert (u.dtype, s.dtype) == (np.dtype(dtype), wanted.astype(dtype).real.dtype)
    if not restarts:
        alone = fetch(svds(put(a), k=2, which="SM", return_singular_vectors=False))
        np.testing.assert_allclose(alone, wanted[:-3:-1], atol=bound)


@pytest.mark.parametrize(("which", "dtype"), [("LM", "float32"), ("LR", "complex64")])
def test_eigenvalues_of_any_matrix(which, dtype):
    """Residuals are some u |A|; pairs of complex eigenvalues stay together."""
    rng = np.random.default_rng(3)
    dense = np.diag(np.arange(24.0)) + 0.1 * rng.standard_normal((24, 24))
    dense[22, 23], dense[23, 22] = 12, -12
    dense = (dense * (1 + 0.1j) if dtype == "complex64" else dense).astype(dtype)
    values, vectors = (fetch(x) for x in eigs(put(theirs.csr_array(dense)), k=3, which=which, ncv=10))
    spectrum = np.linalg.eigvals(dense.astype(np.complex128))
    wanted = spectrum[np.argsort(-(abs(spectrum) if which == "LM" else spectrum.real))[:3]]
    norm = np.linalg.norm(dense, 2)
    apart = np.abs(values[:, None] - wanted)  # conjugate pairs come in any order
    assert max(apart.min(axis=0).max(), apart.min(axis=1).max()) <= 200 * U[dtype] * norm
    assert np.linalg.norm(dense @ vectors - vectors * values, axis=0).max() <= 200 * U[dtype] * norm


def test_order_and_metric():
    """Of eigenvalues alone those wanted most come last, as SciPy's do; with `M`, and from both ends."""
    numbers = np.array([-5, -3, -1, 0.5, 2, 4, 6, 7, 8, 9.5, -8.2, 11], np.float32)
    metric = np.linspace(1, 2, 12).astype(np.float32)
    a, m = (theirs.diags_array(one).tocsr() for one in (numbers, metric))
    for which, wanted in (("LM", [8, -8.2, 9.5, 11]), ("SA", [-1, -3, -5, -8.2]), ("SM", [-3, 2, -1, 0.5]), ("BE", [-8.2, -5, 9.5, 11])):
        found = eigsh(put(a), k=4, which=which, return_eigenvectors=False)
        np.testing.assert_allclose(fetch(found), wanted, atol=50 * U["float32"] * 11)
    values, vectors = (fetch(x) for x in eigsh(put(a), k=3, M=put(m), which="LA"))
    np.testing.assert_allclose(values, np.sort(numbers / metric)[-3:], atol=100 * U["float32"] * 11)
    np.testing.assert_allclose(vectors.T @ (m @ vectors), np.eye(3), atol=100 * U["float32"])


@pytest.mark.parametrize("dtype", ["float32", "complex64"])
def test_block_gradients(dtype):
    """The least eigenvalues of a Laplacian, with a preconditioner and constraints; the square of a residual is what eigenvalues err by."""
    a = (laplacian(6, dtype) + theirs.diags_array(np.linspace(0, 3, 36))).tocsr().astype(dtype)
    wide = a.toarray().astype(np.complex128 if dtype == "complex64" else np.float64)
    values, basis = np.linalg.eigh(wide)
    inverse = put((1 / a.diagonal().real).astype("float32"))[:, None]
    jacobi = LinearOperator((36, 36), matvec=lambda r: inverse[:, 0] * r, matmat=lambda r: inverse * r, dtype=dtype)
    start = np.stack([right(36, dtype, seed) for seed in (1, 2)], axis=1)
    found, vectors, norms = lobpcg(
        put(a), put(start), M=jacobi, Y=put(basis[:, :1].astype(dtype)), tol=1e-3, maxiter=40, largest=False, retResidualNormsHistory=True
    )
    assert norms[-1].max() <= 1e-3
    np.testing.assert_allclose(fetch(found), values[1:3], atol=1e-3**2 + 100 * U[dtype] * values[-1])
    assert np.linalg.norm(wide @ fetch(vectors) - fetch(vectors) * fetch(found), axis=0).max() <= 1.1e-3


@pytest.mark.parametrize(("dtype", "scale"), [("float32", -1.0), ("complex64", 1j)])
def test_exponential_times_a_matrix(dtype, scale):
    a = (scale * laplacian(3, "float64")).tocsr().astype(dtype)
    b = np.stack([right(9, dtype, seed) for seed in (1, 2)], axis=1)
    for time, operand in ((1.0, b[:, 0]), (1.0, b)):
        wanted = scipy.linalg.expm(time * a.toarray().astype(np.complex128)) @ operand
        found = fetch(expm_multiply(put(a), put(operand)))
        assert (found.dtype, found.shape) == (np.dtype(dtype), operand.shape)
        np.testing.assert_allclose(found, wanted, atol=300 * U[dtype] * np.abs(wanted).max())
    if dtype == "float32":
        found = fetch(expm_multiply(put(a), put(b[:, 0]), 0.5, 1, 2))
        np.testing.assert_allclose(found[1], wanted[:, 0], atol=300 * U[dtype])
        operator = put(a)
        same = expm_multiply(LinearOperator((9, 9), lambda x: operator @ x, dtype=dtype), put(b[:, 0]), traceA=operator.trace())
        np.testing.assert_allclose(fetch(same), found[1], atol=300 * U[dtype])


@pytest.mark.parametrize("dtype", ["float32", "complex64"])
def test_direct_solutions(dtype):
    """Residuals are some u |A| |x|."""
    a = (laplacian(3, dtype) + theirs.diags_array(np.arange(8.0), offsets=1)).tocsc().astype(dtype)
    b, wide, there = right(9, dtype), a.toarray().astype(np.complex128), put(a.tocsr())
    bound = 100 * U[dtype] * np.linalg.norm(wide, 2) * np.linalg.norm(np.linalg.inv(wide) @ b)
    factors = linalg.splu(there)
    lower = theirs.tril(a).tocsr()
    solved = {
        "spsolve": (wide, linalg.spsolve(there, put(b))),
        "solve": (wide, factors.solve(put(b))),
        "adjoint": (wide.conj().T, factors.solve(put(b), "H")),
        "factorized": (wide, linalg.factorized(there)(put(b))),
        "lower": (lower.toarray(), linalg.spsolve_triangular(put(lower), put(b))),
    }
    for name, (matrix, x) in solved.items():
        assert x.dtype == np.dtype(dtype), name
        assert np.linalg.norm(matrix @ fetch(x) - b) <= bound, name
    inverse = linalg.inv(there)
    np.testing.assert_allclose(fetch(inverse.toarray()) @ wide, np.eye(9), atol=400 * U[dtype])
    power = linalg.matrix_power(there, 5)
    np.testing.assert_allclose(fetch(power.toarray()), np.linalg.matrix_power(wide, 5), atol=50 * U[dtype] * np.linalg.norm(wide, 2) ** 5)
    exponential = linalg.expm(-1 * there)
    np.testing.assert_allclose(fetch(exponential.toarray()), scipy.linalg.expm(-wide), atol=400 * U[dtype])
    assert power.device == inverse.device == exponential.device == DEVICE
    assert float(linalg.onenormest(there)) == pytest.approx(np.linalg.norm(wide, 1), rel=20 * U[dtype])


def test_singular_matrices_are_said_to_be():
    a = put(theirs.csr_array(np.ones((3, 3), np.float32)))
    with xp.config(fallback="allow"), pytest.warns(linalg.MatrixRankWarning):
        assert np.isnan(fetch(linalg.spsolve(a, xp.ones(3, device=DEVICE, dtype="float32")))).all()
    with xp.config(fallback="allow"), pytest.raises(RuntimeError, match="singular"):
        linalg.splu(a)
    zero = put(theirs.csr_array(np.array([[1, 0], [1, 0]], np.float32)))
    with xp.config(fallback="allow"), pytest.raises(np.linalg.LinAlgError, match="singular"):
        fetch(linalg.spsolve_triangular(zero, xp.ones(2, device=DEVICE, dtype="float32")))
