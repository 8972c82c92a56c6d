"""Eigenvalues, factors and fits of float64 on a simulated NeuronCore, against LAPACK; the suite `factors` has more of them."""

import numpy as np
import pytest

import trnarray as xp
import trnarray.scipy.linalg as scipy_linalg

DEVICE = "sim:trn2"
U = 2.0**-53
RNG = np.random.default_rng(4)


@pytest.fixture(autouse=True)
def on_device():
    with xp.config(fallback="error", defaults="numpy"), xp.default_device(DEVICE):
        yield


def fetched(result):
    return np.asarray(result.to_device("cpu"))


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


def test_qr_factors():
    a = RNG.standard_normal((9, 3)) * [1.0, 1e3, 1e-2]
    basis, triangle = xp.linalg.qr(xp.asarray(a))
    wanted = np.linalg.qr(a)
    np.testing.assert_allclose(fetched(basis), wanted[0], rtol=0, atol=64 * U * np.linalg.cond(a / np.linalg.norm(a, axis=0)))
    np.testing.assert_allclose(fetched(triangle), wanted[1], rtol=0, atol=64 * U * 1e3)


def test_what_has_lost_its_rank_is_left_to_the_host():
    a = np.ones((3, 2))
    with pytest.raises(xp.FallbackError, match="accuracy of LAPACK"):
        fetched(xp.linalg.qr(xp.asarray(a))[0])


def test_complex_factors():
    a = np.array([[2.0, 1 - 3j], [1 + 3j, 7.0]])
    factor = fetched(xp.linalg.cholesky(xp.asarray(np.triu(a)), upper=True))
    np.testing.assert_allclose(factor, np.linalg.cholesky(a, upper=True), rtol=0, atol=8 * U * 7)


def test_polynomials_are_fitted_in_float64():
    x, y = np.linspace(-1, 1, 9), RNG.standard_normal(9)
    with xp.config(defaults="native"):
        found = xp.polyfit(xp.asarray(x), xp.asarray(y), 2)
    assert found.dtype == xp.float64
    np.testing.assert_allclose(fetched(found), np.polyfit(x, y, 2), rtol=0, atol=64 * U)
