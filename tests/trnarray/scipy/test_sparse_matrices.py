"""Direct methods, spectra and functions of sparse matrices: SciPy's results."""

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.linalg as theirs

import trnarray as xp
from trnarray.scipy.sparse import csc_array, csr_array
from trnarray.scipy.sparse import linalg as ours

from .sparse_reference import DTYPES, N, system

pytestmark = pytest.mark.filterwarnings("ignore:::scipy")


def test_direct_methods():
    a, b = system(np.float64)
    c = a.tocsc()
    A, B = csc_array(c), xp.asarray(b)
    expected = theirs.spsolve(c, b)
    np.testing.assert_array_equal(ours.spsolve(A, B)._host(), expected)
    np.testing.assert_array_equal(ours.spsolve(A, csc_array(c)).toarray()._host(), theirs.spsolve(c, c).toarray())
    np.testing.assert_array_equal(ours.factorized(A)(B)._host(), theirs.splu(c).solve(b))
    np.testing.assert_array_equal(ours.spilu(A, drop_tol=0.1).solve(B, "T")._host(), theirs.spilu(c, drop_tol=0.1).solve(b, "T"))
    factors, reference = ours.splu(A, permc_spec="NATURAL", options={"SymmetricMode": True}), theirs.splu(
        c, permc_spec="NATURAL", options={"SymmetricMode": True}
    )
    assert (factors.shape, factors.nnz) == (reference.shape, reference.nnz)
    for name in ("L", "U"):
        np.testing.assert_array_equal(getattr(factors, name).toarray()._host(), getattr(reference, name).toarray())
    for name in ("perm_c", "perm_r"):
        np.testing.assert_array_equal(getattr(factors, name)._host(), getattr(reference, name))
    lower = scipy.sparse.tril(a, format="csr")
    np.testing.assert_array_equal(ours.spsolve_triangular(csr_array(lower), B)._host(), theirs.spsolve_triangular(lower, b))
    np.testing.assert_array_equal(ours.inv(A).toarray()._host(), theirs.inv(c).toarray())
    with pytest.raises(RuntimeError, match="singular"):
        ours.splu(csc_array(xp.zeros((2, 2))))


def test_spectra():
    a, _ = system(np.float64)
    c, A = a.tocsc(), csc_array(a.tocsc())
    v0 = np.ones(N)
    for operand, mine in ((c, A), (theirs.aslinearoperator(c), ours.aslinearoperator(A))):
        w, v = theirs.eigsh(operand, 3, v0=v0)
        got = ours.eigsh(mine, 3, v0=xp.asarray(v0))
        np.testing.assert_allclose(got[0]._host(), w, rtol=1e-12)
        np.testing.assert_allclose(abs(got[1]._host()), abs(v), rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(ours.svds(mine, 2, v0=xp.asarray(v0))[1]._host(), theirs.svds(operand, 2, v0=v0)[1], rtol=1e-10)
    near = {"sigma": 3.0, "v0": v0, "return_eigenvectors": False}
    np.testing.assert_allclose(ours.eigsh(A, 2, **near | {"v0": xp.asarray(v0)})._host(), theirs.eigsh(c, 2, **near), rtol=1e-10)
    w = ours.eigs(A, 2, v0=xp.asarray(v0), return_eigenvectors=False)
    np.testing.assert_allclose(np.sort(w._host().real), np.sort(theirs.eigs(c, 2, v0=v0, return_eigenvectors=False).real), rtol=1e-10)
    X = np.random.default_rng(0).standard_normal((N, 2))
    got, expected = ours.lobpcg(A, xp.asarray(X), tol=1e-8, maxiter=200), theirs.lobpcg(c, X, tol=1e-8, maxiter=200)
    np.testing.assert_allclose(got[0]._host(), expected[0], rtol=1e-8)
    with pytest.raises(ours.ArpackNoConvergence):
        ours.eigsh(A, 3, v0=xp.asarray(v0), maxiter=1, ncv=4)


@pytest.mark.parametrize("name", ["eigs", "eigsh"])
def test_a_float_for_a_number_of_eigenvalues_is_refused(name):
    """SciPy's crash."""
    a = csr_array(xp.eye(9))
    for matrix in (a, ours.aslinearoperator(a)):
        with pytest.raises(TypeError, match="'float' object cannot be interpreted as an integer"):
            getattr(ours, name)(matrix, k=2.0)


def test_norms_and_functions():
    a, b = system(np.float64)
    c, A = a.tocsc(), csc_array(a.tocsc())
    for ord in (None, 1, np.inf, -1, "fro"):
        np.testing.assert_allclose(float(ours.norm(A, ord)), np.linalg.norm(a.toarray(), ord or "fro"), rtol=1e-14)
    np.testing.assert_allclose(ours.norm(A, axis=0)._host(), np.linalg.norm(a.toarray(), axis=0), rtol=1e-14)
    np.testing.assert_array_equal(ours.expm(A).toarray()._host(), theirs.expm(c).toarray())
    np.testing.assert_allclose(ours.expm_multiply(A, xp.asarray(b))._host(), theirs.expm_multiply(c, b), rtol=1e-13)
    times = {"start": 0, "stop": 1, "num": 3}
    np.testing.assert_allclose(ours.expm_multiply(A, xp.asarray(b), **times)._host(), theirs.expm_multiply(c, b, **times), rtol=1e-13)
    np.testing.assert_array_equal(ours.matrix_power(A, 3).toarray()._host(), theirs.matrix_power(c, 3).toarray())
    bound = np.linalg.norm(a.toarray(), 1)
    assert bound / 3 < float(ours.onenormest(A)) <= bound * (1 + 1e-12)  # it draws random vectors


def logarithm(x):
    """Compute the logarithm of a matrix, a complex one, by its eigenvalues."""
    w, v = np.linalg.eig(x._host())
    return xp.asarray((v * np.log(w + 0j)) @ np.linalg.inv(v))


@pytest.mark.parametrize("dtype", DTYPES)
def test_functions_of_matrices_times_vectors(dtype):
    a, b = system(dtype)
    dense = a.toarray()
    w, v = np.linalg.eigh(dense)
    reference = {"exp": v @ (np.exp(-0.5 * w) * (v.conj().T @ b)), "log": v @ (np.log(w + 0j) * (v.conj().T @ b))}
    rtol = 1e-4 if dtype is np.float32 else 1e-10
    for kind, more in (("general", {}), ("her", {"restart_every_m": 8}), ("gen", {"restart_every_m": 6, "max_restarts": 7})):
        for name, f, t in (("exp", xp.scipy.linalg.expm, -0.5), ("log", logarithm, 1.0)):
            got = ours.funm_multiply_krylov(f, csr_array(a), xp.asarray(b), assume_a=kind, t=t, rtol=rtol, **more)
            # The correction of the cycle before the last is below the tolerance, and the series of them falls quickly.
            assert abs(got._host() - reference[name]).max() <= 3 * rtol * np.linalg.norm(b)
            assert got.dtype == (dtype if name == "exp" else np.result_type(dtype, np.complex64))
    # An invariant subspace, of one dimension or two, ends it.
    partly = ours.funm_multiply_krylov(xp.scipy.linalg.expm, xp.asarray(np.diag([1.0, 2.0, 3.0])), xp.asarray([1.0, 1.0, 0.0]))
    assert partly.tolist() == pytest.approx([np.exp(1), np.exp(2), 0], rel=1e-14)
    assert ours.funm_multiply_krylov(xp.scipy.linalg.expm, xp.eye(3) * 2, xp.ones(3)).tolist() == pytest.approx([np.exp(2)] * 3, rel=1e-15)
    assert ours.funm_multiply_krylov(xp.scipy.linalg.expm, xp.eye(3), xp.zeros(3)).tolist() == [0, 0, 0]
    for bad in ({"assume_a": "sym"}, {"restart_every_m": 0}, {"max_restarts": 0}, {"b": xp.ones((3, 1))}, {"atol": -1}, {"b": xp.ones(2)}):
        with pytest.raises(ValueError, match=r"assume_a|positive|one vector|atol|square"):
            ours.funm_multiply_krylov(xp.scipy.linalg.expm, xp.eye(3), **{"b": xp.ones(3)} | bad)


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dia"])
def test_bandwidths_and_triangles(format):
    rng = np.random.default_rng(4)
    for below, above in ((0, 0), (2, 0), (0, 3), (1, 2)):
        a = np.triu(np.tril(rng.random((5, 7)), above), -below)
        A = scipy.sparse.csr_array(a).asformat(format)
        assert ours.spbandwidth(A) == (below, above)
        assert ours.is_sptriangular(A) == (above == 0, below == 0)
        for function in (ours.spbandwidth, ours.is_sptriangular):
            found = function(csr_array(A))
            assert found == function(A)
            assert {type(item) for item in found} <= {int, bool}
    nothing = scipy.sparse.csr_array((3, 3)).asformat(format)
    assert (ours.spbandwidth(nothing), ours.is_sptriangular(nothing)) == ((0, 0), (True, True))
    with pytest.warns(scipy.sparse.SparseEfficiencyWarning, match="converts its operand to csr"):
        assert ours.spbandwidth(xp.asarray([[0, 1], [0, 0]])) == (0, 1)
