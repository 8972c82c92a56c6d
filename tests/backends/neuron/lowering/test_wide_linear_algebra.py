"""Linear algebra of float64 on a simulated NeuronCore, against LAPACK and rational numbers; the suite `factors` has more of it."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.linalg
from numpy.linalg import LinAlgError

import trnarray as xp
import trnarray.scipy.linalg as scipy_linalg
from trnarray.backends.neuron.lowering import wide_orthogonal_factors, wide_singular_values

DEVICE = "sim:trn2"
U = 2.0**-53
RNG = np.random.default_rng(11)


@pytest.fixture(autouse=True)
def on_device():
    with xp.config(fallback="error", defaults="numpy"), xp.default_device(DEVICE):
        yield


def fetched(result):
    return np.asarray(result.to_device("cpu"))


def graded(order, condition):
    """Matrices of given condition numbers, singular values in geometric progression."""
    left, right = (scipy.linalg.qr(RNG.standard_normal((order, order)))[0] for _ in range(2))
    return (left * np.logspace(0, -np.log10(condition), order)) @ right


def exact_solution(a, b):
    """Solve in rational numbers, by elimination."""
    rows = [[Fraction(float(item)) for item in row] + [Fraction(float(side))] for row, side in zip(a, b, strict=True)]
    order = len(rows)
    for k in range(order):
        pivot = max(range(k, order), key=lambda i, k=k: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(order):
            if i != k:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k], strict=True)]
    return np.array([float(row[-1] / row[k]) for k, row in enumerate(rows)])


def assert_backward(a, x, b):
    """LAPACK's bound: n u times the norms, growth being small."""
    rest = np.abs(a @ x - b).max(-2)
    assert (rest <= 2 * (a.shape[-1] + 8) * U * (np.abs(a).sum(-1).max() * np.abs(x).max(-2) + np.abs(b).max(-2))).all()


@pytest.mark.parametrize("order", [1, 2, 5])
def test_small_stacks(order):
    a, b = RNG.standard_normal((2, 1, order, order)), RNG.standard_normal((3, order, 2))
    found = fetched(xp.linalg.solve(xp.asarray(a), xp.asarray(b)))
    assert found.dtype == np.float64
    wide = np.broadcast_to(a, (2, 3, order, order))
    for matrix, side, x in zip(wide.reshape(-1, order, order), np.broadcast_to(b, found.shape).reshape(-1, order, 2),
                               found.reshape(-1, order, 2), strict=True):  # fmt: skip
        assert_backward(matrix, x, side)
    square = a[:, 0] @ np.swapaxes(a[:, 0], 1, 2)
    tolerance, inverse = 64 * order * U * np.linalg.cond(square).max(), np.linalg.inv(square)
    np.testing.assert_allclose(fetched(xp.linalg.inv(xp.asarray(square))), inverse, rtol=0, atol=tolerance * np.abs(inverse).max())
    np.testing.assert_allclose(fetched(xp.linalg.det(xp.asarray(a))), np.linalg.det(a), rtol=1e-12)
    for upper in (False, True):
        np.testing.assert_allclose(
            fetched(xp.linalg.cholesky(xp.asarray(square), upper=upper)), np.linalg.cholesky(square, upper=upper), rtol=0, atol=tolerance
        )


def test_hilbert_matrix():
    """Of order 9, whose condition number is 5e11: as near to the exact solution as elimination in float64 comes."""
    a = scipy.linalg.hilbert(9)
    b = a @ np.ones(9)
    wanted, numpy = exact_solution(a, b), np.abs(np.linalg.solve(a, b) - exact_solution(a, b)).max()
    found = fetched(scipy_linalg.solve(xp.asarray(a), xp.asarray(b)))
    assert np.abs(found - wanted).max() <= 8 * numpy


def test_stacks_of_complex_cholesky_and_qr_factors():
    """Phases that float32 leaves on the diagonal are not seen in a residual; one of these matrices had 15 u of them."""
    rng = np.random.default_rng(123)
    parts = [rng.standard_normal((2, 3, 4, 4, 4)) for _ in range(2)]
    a = (parts[0] + 1j * parts[1]).reshape(24, 4, 4)[[1, 14]]
    basis, triangle = map(fetched, xp.linalg.qr(xp.asarray(a)))
    scale = np.sqrt((np.abs(a) ** 2).sum(-2)).max()
    assert np.abs(basis @ triangle - a).max() <= 4 * 12 * U * scale
    assert np.abs(np.swapaxes(basis.conj(), 1, 2) @ basis - np.eye(4)).max() <= 4 * 12 * U
    gram = np.swapaxes(a.conj(), 1, 2) @ a
    factor = fetched(xp.linalg.cholesky(xp.asarray(gram)))
    assert np.abs(factor @ np.swapaxes(factor.conj(), 1, 2) - gram).max() <= 12 * U * np.abs(gram).max()


def test_singular_matrices_are_refused_as_numpy_does():
    a = np.stack([np.eye(3), np.ones((3, 3))])
    with pytest.raises(LinAlgError, match="Singular matrix, at index 1"):
        fetched(xp.linalg.inv(xp.asarray(a)))
    np.testing.assert_array_equal(fetched(xp.linalg.det(xp.asarray(a))), [1, 0])
    sign, logarithm = xp.linalg.slogdet(xp.asarray(a))
    np.testing.assert_array_equal(fetched(sign), [1, 0])
    np.testing.assert_array_equal(fetched(logarithm), [0, -np.inf])
    with pytest.raises(LinAlgError, match="not positive definite"):
        fetched(xp.linalg.cholesky(xp.asarray([[1.0, 2], [2, 1]])))


def test_numbers_beyond_float32():
    a = np.array([[3e200, 1e200], [1e200, 2e200]])
    np.testing.assert_allclose(fetched(xp.linalg.solve(xp.asarray(a), xp.asarray(a[0]))), [1, 0], atol=4 * U)
    assert fetched(xp.linalg.det(xp.asarray(a / 1e200 * 1e-140))) == pytest.approx(5e-280, rel=1e-14)


def test_pivots_are_lapacks_to_the_last_bit():
    a = np.array([[1.0, 2, 3], [1 + 2.0**-52, 1, 1], [-1 - 2.0**-51, 4, 4]])
    factors, rows = scipy_linalg.lu_factor(xp.asarray(a))
    wanted = scipy.linalg.lu_factor(a)
    np.testing.assert_array_equal(fetched(rows), wanted[1])
    np.testing.assert_allclose(fetched(factors), wanted[0], rtol=0, atol=32 * U)


def test_complex128():
    a = RNG.standard_normal((3, 3)) + 1j * RNG.standard_normal((3, 3))
    b = RNG.standard_normal(3)
    found = fetched(xp.linalg.solve(xp.asarray(a), xp.asarray(b)))
    assert found.dtype == np.complex128
    np.testing.assert_allclose(found, np.linalg.solve(a, b), rtol=1e-13)
    np.testing.assert_allclose(fetched(xp.linalg.inv(xp.asarray(a))), np.linalg.inv(a), rtol=1e-13)


@pytest.mark.parametrize("trans", [0, 1])
def test_factors_of_scipy(trans):
    a, b = RNG.standard_normal((5, 5)), RNG.standard_normal((5, 2))
    x = fetched(scipy_linalg.lu_solve(scipy_linalg.lu_factor(xp.asarray(a)), xp.asarray(b), trans=trans))
    assert_backward(a.T if trans else a, x, b)
    for unit in (False, True):
        triangle = np.tril(a) + 2 * np.eye(5)
        x = scipy_linalg.solve_triangular(xp.asarray(triangle), xp.asarray(b), trans=trans, lower=True, unit_diagonal=unit)
        wanted = scipy.linalg.solve_triangular(triangle, b, trans=trans, lower=True, unit_diagonal=unit)
        np.testing.assert_allclose(fetched(x), wanted, rtol=1e-11)
    if trans:
        return
    square = a @ a.T + np.eye(5)
    x = fetched(scipy_linalg.cho_solve(scipy_linalg.cho_factor(xp.asarray(square)), xp.asarray(b)))
    assert_backward(square, x, b)
    for found, wanted in zip(scipy_linalg.lu(xp.asarray(a)), scipy.linalg.lu(a), strict=True):
        np.testing.assert_allclose(fetched(found), wanted, atol=64 * U)


def test_products_refine_what_lanes_do_not_take():
    a, b = graded(33, 1e12), RNG.standard_normal((33, 1))
    x = xp.linalg.solve(xp.asarray(a), xp.asarray(b))
    inverse = xp.linalg.inv(xp.asarray(a))
    assert_backward(a, fetched(x), b)
    found = fetched(inverse)
    assert np.abs(a @ found - np.eye(33)).sum(-1).max() <= 41 * U * np.abs(a).sum(-1).max() * np.abs(found).sum(-1).max()


def test_triangular_factors_that_lanes_do_not_take():
    a = graded(33, 100)
    square = a @ a.T
    factor = fetched(xp.linalg.cholesky(xp.asarray(square)))
    assert not np.triu(factor, 1).any()
    assert np.abs(factor @ factor.T - square).max() <= 41 * U * square.diagonal().max()
    b = RNG.standard_normal((33, 2))
    x = fetched(scipy_linalg.solve_triangular(xp.asarray(factor), xp.asarray(b), lower=True))
    assert_backward(np.tril(factor), x, b)


def test_what_is_ill_conditioned_is_left_to_the_host_in_full_view():
    """And what depends on it is computed again, of operands as they were at the call."""
    a, b = graded(33, 1e18), np.ones(33)
    with xp.config(fallback="warn"):
        x, y = xp.asarray(a), xp.asarray(b)
        y[0] = 2.0
        found = xp.linalg.solve(x, y) + 1.0
        y[:] = 0.0
    b[0] = 2.0
    with pytest.warns(xp.FallbackWarning, match="linalg.solve on float64 runs on the host: its condition number"):
        result = fetched(found)
    np.testing.assert_array_equal(result, np.linalg.solve(a, b) + 1.0)
    np.testing.assert_array_equal(fetched(y), np.zeros(33))


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_what_is_empty(dtype):
    """Determinants of no elements are 1."""
    with xp.config(fallback="allow"):
        for shape in ((0, 0), (2, 0, 0), (0, 3, 3)):
            a = np.zeros(shape, dtype)
            for found, wanted in (
                (xp.linalg.det(xp.asarray(a)), np.linalg.det(a)),
                *zip(xp.linalg.slogdet(xp.asarray(a)), np.linalg.slogdet(a), strict=True),
                (xp.linalg.inv(xp.asarray(a)), np.linalg.inv(a)),
            ):
                assert found.dtype == wanted.dtype
                np.testing.assert_array_equal(fetched(found), wanted)


def clustered():
    """Three equal eigenvalues, two that differ by 1e-9, and one beside which these are small."""
    basis, _ = np.linalg.qr(RNG.standard_normal((6, 6)))
    return (basis * [1.0, 1.0, 1.0, 3e-5, 3e-5 + 1e-9, 700.0]) @ basis.T


def test_eigenvalues():
    """LAPACK's bounds: n u times the largest eigenvalue; vectors are orthogonal to n u."""
    matrix = clustered()
    order, matrix = len(matrix), (matrix + matrix.T) / 2
    values, vectors = map(fetched, scipy_linalg.eigh(xp.asarray(np.tril(matrix))))
    norm, limit = np.abs(matrix).sum(-1).max(), (order + 8) * U
    assert values.dtype == vectors.dtype == np.float64
    assert np.abs(values - np.linalg.eigvalsh(matrix)).max() <= 2 * limit * norm
    assert np.abs(matrix @ vectors - vectors * values).max() <= limit * norm
    assert np.abs(vectors.T @ vectors - np.eye(order)).max() <= limit


@pytest.mark.parametrize("dtype", [float, complex])
def test_singular_vectors_whatever_the_rank(dtype):
    """What belongs to singular values of zero completes a basis: all is orthogonal to 2 (m + n + 8) u, as residuals are, twice."""
    a = np.array([np.outer([1.0, 2.0, 3.0], [1.0, -1.0]), np.zeros((3, 2)), RNG.standard_normal((3, 2))]).astype(dtype)
    if dtype is complex:
        a = (a * np.exp(1j * RNG.random(3))[:, None])[:1]
    u, s, vh = map(fetched, xp.linalg.svd(xp.asarray(a)))
    bound = 26 * U
    assert (u.shape[1:], vh.shape[1:]) == ((3, 3), (2, 2))
    np.testing.assert_allclose(s, np.linalg.svd(a)[1], rtol=0, atol=bound * 6)
    assert np.abs((u[..., :2] * s[:, None]) @ vh - a).max() <= 2 * bound * s.max()
    for basis in (u, vh):
        assert np.abs(basis.swapaxes(-1, -2).conj() @ basis - np.eye(basis.shape[-1])).max() <= bound


@pytest.mark.parametrize("values", [np.logspace(0, -13, 6), np.array([1, 0.5, 1e-8, 1.1e-12, 1e-12, 1e-12])], ids=["graded", "clusters"])
def test_singular_vectors_of_small_singular_values(values):
    """Rounding mixes the vectors of values that differ by u of the largest one; bounds are as above."""
    left, right = (scipy.linalg.qr(RNG.standard_normal((rows, rows)))[0] for rows in (8, 6))
    a = (left[:, :6] * values) @ right
    u, s, vh = map(fetched, xp.linalg.svd(xp.asarray(a), full_matrices=False))
    bound = 2 * 22 * U
    np.testing.assert_allclose(s, np.linalg.svd(a)[1], rtol=0, atol=bound)
    assert np.abs((u * s) @ vh - a).max() <= 2 * bound
    for basis in (u.T, vh):
        assert np.abs(basis @ basis.T - np.eye(6)).max() <= bound


def test_singular_vectors_of_as_many_rows_as_fit(monkeypatch):
    """Of a matrix that fits with as many rows as columns only, those of its triangular factor are taken."""
    for module in (wide_orthogonal_factors, wide_singular_values):
        monkeypatch.setattr(module, "MOST_ROWS", 4)
    a = RNG.standard_normal((3, 2))
    u, s, vh = map(fetched, xp.linalg.svd(xp.asarray(a), full_matrices=False))
    assert np.abs((u * s) @ vh - a).max() <= 52 * U * s.max()


def test_qr_factors():
    a = RNG.standard_normal((9, 3)) * [1.0, 1e3, 1e-2]
    basis, triangle = xp.linalg.qr(xp.asarray(a))
    wanted = np.linalg.qr(a)
    np.testing.assert_allclose(fetched(basis), wanted[0], rtol=0, atol=64 * U * np.linalg.cond(a / np.linalg.norm(a, axis=0)))
    np.testing.assert_allclose(fetched(triangle), wanted[1], rtol=0, atol=64 * U * 1e3)


def test_what_has_lost_its_rank_is_left_to_the_host():
    a = np.ones((9, 3))  # the program of the test above
    with pytest.raises(xp.FallbackError, match="accuracy of LAPACK"):
        fetched(xp.linalg.qr(xp.asarray(a))[0])


@pytest.mark.parametrize("shape", [(2, 2, 1), (2, 3)])
def test_complete_factors(shape):
    """Residuals and orthogonality of 8 n u; triangles beside LAPACK's."""
    a, rows, bound = RNG.standard_normal(shape), shape[-2], 8 * shape[-1] * U
    basis, triangle = map(fetched, xp.linalg.qr(xp.asarray(a), "complete"))
    assert (basis.shape, triangle.shape) == ((*shape[:-1], rows), shape)
    assert np.abs(basis @ triangle - a).max() <= bound * np.abs(a).max()
    assert np.abs(basis.swapaxes(-1, -2) @ basis - np.eye(rows)).max() <= bound
    np.testing.assert_allclose(triangle, np.linalg.qr(a, "complete")[1], rtol=0, atol=16 * bound * np.linalg.cond(a[..., :rows]).max())


def test_complex_factors():
    a = np.array([[2.0, 1 - 3j], [1 + 3j, 7.0]])
    factor = fetched(xp.linalg.cholesky(xp.asarray(np.triu(a)), upper=True))
    np.testing.assert_allclose(factor, np.linalg.cholesky(a, upper=True), rtol=0, atol=8 * U * 7)
    assert np.isreal(np.diag(factor)).all()


def test_polynomials_are_fitted_in_float64():
    x, y = np.linspace(-1, 1, 9), RNG.standard_normal(9)
    with xp.config(defaults="native"):
        found = xp.polyfit(xp.asarray(x), xp.asarray(y), 2)
    assert found.dtype == xp.float64
    np.testing.assert_allclose(fetched(found), np.polyfit(x, y, 2), rtol=0, atol=64 * U)
