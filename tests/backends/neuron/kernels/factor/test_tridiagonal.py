"""Symmetric matrices made tridiagonal, and eigenvalues and eigenvectors of such, against LAPACK in double precision."""

import numpy as np
import pytest
import scipy.linalg

from trnarray.backends.simulator.knobs import Knobs

from .declared_kernel import predict, run

RNG = np.random.default_rng(8)
U = 2.0**-24
SPLIT = Knobs(pe_product="split21")
FLUSHED = Knobs(two_op="fused", denormals_dve="flush", denormals_act="flush", dve_order="permuted:1")


def tridiagonal(diagonal, beside):
    return np.diag(diagonal) + np.diag(beside[:-1], 1) + np.diag(beside[:-1], -1)


@pytest.mark.parametrize(("target", "knobs", "order"), [("trn1", FLUSHED, 9), ("trn2", SPLIT, 3), ("trn2", Knobs(), 9), ("trn3", SPLIT, 6)])
def test_reduction(target, knobs, order):
    """A full matrix, one of few eigenvalues, of which columns become small, and one that is diagonal: backward errors n u."""
    a, q = RNG.standard_normal((3, order, order)), np.linalg.qr(RNG.standard_normal((order, order)))[0]
    a[1], a[2] = (q * np.arange(order).clip(0, 2)) @ q.T, np.diag(a[2, 0])
    a = (a + a.swapaxes(1, 2)).astype(np.float32)
    a /= np.abs(a).max((1, 2), keepdims=True)
    for one, vectors, taus, diagonal, beside in zip(a, *run("tridiagonal", a, target=target, knobs=knobs), strict=True):
        basis = np.eye(order)
        for j in range(order - 2):
            vector = np.r_[np.zeros(j + 1), 1.0, vectors[j + 2 :, j]]
            basis = basis @ (np.eye(order) - taus[j] * np.outer(vector, vector))
        limit = order * U * (4 if knobs is SPLIT else 2)
        assert np.abs(basis.T @ basis - np.eye(order)).max() <= limit
        form = tridiagonal(diagonal.astype(float), beside.astype(float))
        assert np.abs(basis @ form @ basis.T - one).max() <= limit * np.linalg.norm(one, 2)
        assert not beside[-1]


@pytest.mark.parametrize(
    ("target", "knobs", "order"), [("trn1", FLUSHED, 7), ("trn2", Knobs(), 130), ("trn2", FLUSHED, 33), ("trn3", Knobs(), 2)]
)
def test_tridiagonal_matrices(target, knobs, order):
    """A full one; the path's, of exact zeros; and one in parts, of multiple eigenvalues. Bases of vectors are looked at when orthogonal."""
    diagonal, beside = RNG.standard_normal((2, 3, order))
    diagonal[1], beside[1], diagonal[2] = 0.0, 1.0, diagonal[2].round()
    beside[2] *= RNG.random(order) < 0.5
    beside[:, -1] = 0
    forms = [*map(tridiagonal, diagonal, beside)]
    size = np.array([np.linalg.norm(one, 2) for one in forms])[:, None]
    diagonal, beside = (diagonal / size).astype(np.float32), (beside / size).astype(np.float32)
    (values,) = run("tridiagonal values", diagonal, beside, target=target, knobs=knobs)
    starts = RNG.standard_normal((order, order)).astype(np.float32)
    (lines,) = run("tridiagonal vectors", diagonal, beside, values, starts, target=target, knobs=knobs)
    for d, e, found, rows in zip(diagonal.astype(float), beside.astype(float), values, lines.astype(float), strict=True):
        assert np.abs(found - scipy.linalg.eigvalsh_tridiagonal(d, e[:-1])).max() <= 4 * U
        u, s, vh = np.linalg.svd((rows / np.linalg.norm(rows, axis=1, keepdims=True)).T)
        basis = u @ vh
        assert s[-1] > 1e-4
        assert np.abs(tridiagonal(d, e) @ basis - basis * found).max() <= (order + 32) * U


def test_predicted_times():
    times = [predict("tridiagonal", (1, 33, 33)), predict("tridiagonal values", (1, 128), (1, 128))]
    times.append(predict("tridiagonal vectors", (1, 128), (1, 128), (1, 128), (128, 128)))
    assert all(np.array([one.seconds for one in times]) <= [0.14e-3, 0.4e-3, 0.12e-3])
