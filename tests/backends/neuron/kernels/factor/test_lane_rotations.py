"""Jacobi rotations and Householder reflections of small matrices, against LAPACK in double precision."""

import numpy as np
import pytest
import scipy.linalg

from trnarray.backends.simulator.knobs import Knobs

from .declared_kernel import predict, run

RNG = np.random.default_rng(2)
U = 2.0**-24
FUSED = Knobs(two_op="fused", dve_order="permuted:1")
FLUSHED = Knobs(denormals_dve="flush", denormals_act="flush", denormals_pool="flush")
SETTINGS = [("trn1", None), ("trn2", FUSED), ("trn3", FLUSHED)]


def random(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def with_spectrum(values):
    """A symmetric matrix with these eigenvalues, rounded."""
    basis, _ = np.linalg.qr(RNG.standard_normal((len(values), len(values))))
    return ((basis * values) @ basis.T).astype(np.float32)


SPECTRA = {
    "one": [3.0],
    "two": [1.0, -1.0],
    "equal": [2.0] * 5,
    "zero": [0.0] * 4,
    "clusters": [1, 1, 1, 1 + 1e-6, -5, -5, 1e-8],
    "graded": 10.0 ** -np.arange(8),
    "large": [1e30, 1e30, -1e29, 0],
    "small": [1e-30, 2e-30, 0],
}


@pytest.mark.parametrize(("target", "knobs"), SETTINGS)
@pytest.mark.parametrize("name", SPECTRA)
def test_eigenvalues(name, target, knobs):
    """Errors beside the largest eigenvalue: 3 n u, and 5 n u of orthogonality, from the rotations."""
    a = with_spectrum(np.asarray(SPECTRA[name]))
    order = len(a)
    values, converged, vectors = run("eigh in lanes", (np.tril(a) + np.triu(np.full_like(a, 7), 1))[None], target=target, knobs=knobs)
    a = np.tril(a).astype(float) + np.tril(a, -1).T
    wanted, wide = np.linalg.eigvalsh(a), vectors[0].astype(float)
    assert converged == 1
    scale = max(np.abs(wanted).max(), 2.0**-126)
    assert np.abs(np.sort(values[0]) - wanted).max() <= 3 * order * U * scale
    assert np.abs(wide.T @ wide - np.eye(order)).max() <= 5 * order * U
    assert np.abs(a @ wide - wide * values[0]).max() <= 4 * order * U * scale


def test_many_matrices():
    a = random(300, 3, 3)
    a += np.swapaxes(a, 1, 2)
    values, converged = run("eigh in lanes", a, vectors=False)
    assert converged.all()
    np.testing.assert_allclose(np.sort(values, -1), np.linalg.eigvalsh(a.astype(float)), rtol=0, atol=9 * U * 8)
    columns, right, converged = run("SVD in lanes", a)
    assert converged.all()
    wide = right.astype(float)
    assert np.abs(np.swapaxes(wide, 1, 2) @ wide - np.eye(3)).max() <= 15 * U
    assert np.abs(a @ wide - columns).max() <= 4 * 3 * U * np.abs(a).max()
    norms = -np.sort(-np.linalg.norm(columns.astype(float), axis=1), -1)
    np.testing.assert_allclose(norms, np.linalg.svd(a.astype(float), compute_uv=False), rtol=0, atol=9 * U * 8)


def test_nan_does_not_converge():
    a = np.stack([np.eye(2), [[np.nan, 1], [1, 0]], [[np.inf, 1], [1, 0]]]).astype(np.float32)
    assert run("eigh in lanes", a, vectors=False)[1].tolist() == [1, 0, 0]
    assert run("SVD in lanes", a)[2].tolist() == [1, 0, 0]


@pytest.mark.parametrize(("target", "knobs"), SETTINGS)
@pytest.mark.parametrize(
    ("shape", "where"),
    [*((shape, " in lanes") for shape in [(1, 1, 1), (2, 5, 5), (300, 4, 3), (2, 4, 7), (1, 60, 8)]),
     *((shape, "") for shape in [(1, 1, 1), (2, 5, 5), (2, 4, 7), (1, 140, 4)])],
)  # fmt: skip
def test_reflections(shape, where, target, knobs):
    """LAPACK's factors; backward error and orthogonality 4 n u."""
    count, rows, columns = shape
    a = random(*shape) * np.float32(1e20)
    if columns > 2:
        a[0, :, 1] = 0
    packed, factors = run(f"QR{where}", a, target=target, knobs=knobs)
    least = min(rows, columns)
    unit = np.broadcast_to(np.eye(rows, dtype=np.float32), (count, rows, rows))
    (q,), (adjoint,) = (
        run(f"reflect{where}", packed[:, :, :least], factors, unit, target=target, knobs=knobs, transposed=back) for back in (False, True)
    )
    wide, bound = q.astype(float), 4 * max(least, 2) * U
    assert np.abs(wide @ np.triu(packed) - a).max() <= bound * np.abs(a).max() * np.sqrt(rows)
    assert np.abs(np.swapaxes(wide, 1, 2) @ wide - np.eye(rows)).max() <= bound
    assert np.abs(np.swapaxes(adjoint, 1, 2) - q).max() <= bound
    (reflections, taus), _ = scipy.linalg.qr(a[-1].astype(float), mode="raw")
    np.testing.assert_allclose(factors[-1], taus, rtol=0, atol=64 * U)
    np.testing.assert_allclose(np.tril(packed[-1], -1), np.tril(reflections, -1), rtol=0, atol=64 * U)


@pytest.mark.parametrize(("target", "knobs"), SETTINGS)
@pytest.mark.parametrize("shape", [(2, 4, 3), (130, 2, 3), (1, 1, 1)])
def test_complex_reflections(shape, target, knobs):
    """LAPACK's factors, whose diagonals are real, to 6 n u: products round twice; columns of zeros, and with nothing below."""
    count, rows, columns = shape
    a = (random(*shape) + 1j * random(*shape)).astype(np.complex64)
    a[0, :, -1] = 0
    a[0, 1:, 0], a[0, 0, 0] = 0, -2
    *planes, real, imaginary = run("QR in lanes", a.real, a.imag, target=target, knobs=knobs)
    packed, factors, least = planes[0] + 1j * planes[1].astype(float), real + 1j * imaginary.astype(float), min(rows, columns)
    unit = np.broadcast_to(np.eye(rows, dtype=np.float32), (count, rows, rows))
    operands = *(plane[:, :, :least] for plane in planes), real, imaginary, unit, unit * np.float32(0)
    q, adjoint = (np.asarray(run("reflect in lanes", *operands, target=target, knobs=knobs, transposed=back)) for back in (False, True))
    q, adjoint = q[0] + 1j * q[1].astype(float), adjoint[0] + 1j * adjoint[1].astype(float)
    bound = 6 * max(least, 2) * U
    assert np.abs(q @ np.triu(packed) - a).max() <= bound * np.abs(a).max() * np.sqrt(rows)
    assert np.abs(np.swapaxes(q, 1, 2).conj() @ q - np.eye(rows)).max() <= bound
    assert np.abs(np.swapaxes(adjoint, 1, 2).conj() - q).max() <= bound
    for place in {0, count - 1}:
        (reflections, taus), _ = scipy.linalg.qr(a[place].astype(complex), mode="raw")
        np.testing.assert_allclose(factors[place], taus, rtol=0, atol=64 * U)
        np.testing.assert_allclose(packed[place], reflections, rtol=0, atol=64 * U)


def test_predicted_times():
    """The figures of the documentation, on trn2."""
    assert predict("eigh in lanes", (10_000, 4, 4)).seconds <= 0.6e-3
