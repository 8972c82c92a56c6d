"""Eigenvalues and singular values of large matrices, which are small here, against LAPACK in double precision."""

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.neuron.kernels.factor import cholesky, tridiagonal_eigenvectors
from trnarray.backends.neuron.lowering import eigenvalues, orthogonal_factors, singular_values, wide_orthogonal_factors

U = 2.0**-24
RNG = np.random.default_rng(9)


@pytest.fixture(autouse=True)
def small_limits(monkeypatch):
    for module in (eigenvalues, singular_values, wide_orthogonal_factors):
        monkeypatch.setattr(module, "MOST_ROTATED", 2)
    with xp.config(fallback="error"), xp.default_device("sim:trn2"):
        yield


def fetched(results):
    return [np.asarray(one.to_device("cpu")).astype(complex if one.dtype.kind == "c" else float) for one in results]


def gallery(order):
    a = RNG.standard_normal((order, order))
    q, places = np.linalg.qr(a)[0], np.arange(order)
    return [
        a + a.T,
        (q * a[0].round()) @ q.T,  # of few eigenvalues
        (q * 10.0 ** np.linspace(0, -8, order)) @ q.T,
        np.eye(order) + 1.0,
        np.diag(abs(places - order // 2).astype(float)) + np.eye(order, k=1) + np.eye(order, k=-1),  # Wilkinson's
        np.zeros((order, order)),
        3e20 * np.eye(order),
    ]


@pytest.mark.parametrize(("dtype", "order"), [("float32", 9), ("complex64", 4)])
def test_hermitian_matrices(dtype, order):
    """Of clusters, vectors are mixed that differ by as little as 32 u of the largest eigenvalue: residuals (2 n + 32) u."""
    a = np.array(gallery(order)).astype(dtype)
    if dtype == "complex64":
        turns = np.exp(1j * RNG.random(order))
        a = (turns[:, None] * a * turns.conj()).astype(dtype)
        a = (a + a.swapaxes(1, 2).conj()) / 2
    values, vectors = fetched(xp.linalg.eigh(xp.asarray(a)))
    (alone,) = fetched([xp.linalg.eigvalsh(xp.asarray(a))])
    wide = a.astype(vectors.dtype)
    wanted = np.linalg.eigvalsh(wide)
    size, limit = np.abs(wanted).max(-1)[:, None], 2 * order * U
    assert (np.abs(values - wanted) <= limit * size).all()
    np.testing.assert_array_equal(alone, values)
    assert np.abs(vectors.swapaxes(1, 2).conj() @ vectors - np.eye(order)).max() <= limit
    rest = np.abs(wide @ vectors - vectors * values[:, None]).max((1, 2))
    assert (rest <= (limit + 32 * U) * size[:, 0]).all()


def test_several_banks_and_panels(monkeypatch):
    """As of more than 512 rows: products in several banks, 3 points of each interval, and reflections by panels of 4."""
    monkeypatch.setattr(cholesky, "_BANK", 4)
    monkeypatch.setattr(tridiagonal_eigenvectors, "_POINTS", ((11, 2),))
    monkeypatch.setattr(orthogonal_factors, "_PANEL", 4)
    a = np.array(gallery(11)[0], np.float32)
    values, vectors = fetched(xp.linalg.eigh(xp.asarray(a)))
    wide, limit = a.astype(float), 22 * U
    wanted = np.linalg.eigvalsh(wide)
    size = np.abs(wanted).max()
    np.testing.assert_allclose(values, wanted, rtol=0, atol=limit * size)
    assert np.abs(vectors.T @ vectors - np.eye(11)).max() <= limit
    assert np.abs(wide @ vectors - vectors * values).max() <= (limit + 32 * U) * size


def test_clusters_of_float64():
    """Three eigenvalues 1e-6 apart and three 1e-9: residuals and orthogonality are those of LAPACK."""
    order = 8
    q = np.linalg.qr(RNG.standard_normal((order, order)))[0]
    a = (q * [1.0, 1 + 1e-6, 1 - 1e-6, -2, -2 + 1e-9, -2 - 1e-9, 0.3, 0.0]) @ q.T
    a = (a + a.T) / 2
    values, vectors = (np.asarray(one.to_device("cpu")) for one in xp.linalg.eigh(xp.asarray(a)))
    limit = 2 * order * 2.0**-53
    np.testing.assert_allclose(values, np.linalg.eigvalsh(a), rtol=0, atol=limit)
    assert np.abs(vectors.T @ vectors - np.eye(order)).max() <= limit
    assert np.abs(a @ vectors - vectors * values).max() <= limit * 2


def test_singular_values():
    shape = 5, 7
    a = RNG.standard_normal((5, *shape))
    u, _, vh = np.linalg.svd(a[1], full_matrices=False)
    least = min(shape)
    a[1], a[2], a[3], a[4] = (u * 10.0 ** np.linspace(0, -8, least)) @ vh, a[2, :, :2] @ a[2, :2], 1.0, 1e18 * np.eye(*shape)
    a = a.astype(np.float32)
    u, s, vh = fetched(xp.linalg.svd(xp.asarray(a), full_matrices=False))
    wanted = np.linalg.svdvals(a.astype(float))
    limit = 4 * max(shape) * U * wanted[:, :1]
    assert (np.abs(s - wanted) <= limit).all()
    assert (np.abs(fetched([xp.linalg.svdvals(xp.asarray(a))])[0] - wanted) <= limit).all()
    assert (np.abs((u * s[:, None]) @ vh - a).max((1, 2)) <= limit[:, 0]).all()
    for basis in (u, vh.swapaxes(1, 2)):
        assert np.abs(basis.swapaxes(1, 2) @ basis - np.eye(least)).max() <= 4 * max(shape) * U


def test_what_is_not_finite():
    a = np.diag([1.0, np.nan, 2.0]).astype(np.float32)
    for found in (xp.linalg.eigvalsh(xp.asarray(a)), xp.linalg.svdvals(xp.asarray(a))):
        with pytest.raises(np.linalg.LinAlgError, match="did not converge"):
            found.to_device("cpu")
