"""Small matrices on partition lanes, against LAPACK in double precision."""

import numpy as np
import pytest
import scipy.linalg

from trnarray.backends.simulator.knobs import Knobs

from .declared_kernel import predict, run

RNG = np.random.default_rng(1)
U = 2.0**-24
FUSED = Knobs(two_op="fused", dve_order="permuted:1")
FLUSHED = Knobs(denormals_dve="flush", denormals_act="flush", denormals_pool="flush")
TARGETS = ["trn1", "trn2", "trn3"]
SHAPES = [(1, 1, 1), (300, 4, 1), (5, 9, 3)]
DTYPES = [np.float32, np.complex64]


def random(shape, dtype):
    found = RNG.standard_normal(shape)
    return (found + 1j * RNG.standard_normal(shape) if dtype == np.complex64 else found).astype(dtype)


def planes(*arrays):
    return [np.ascontiguousarray(part) for array in arrays for part in ([array.real, array.imag] if array.dtype.kind == "c" else [array])]


def joined(results, dtype):
    return results[0].astype(complex) + 1j * results[1] if dtype == np.complex64 else results[0].astype(float)


def assert_solves(matrices, solutions, sides, order):
    """Backward errors, normwise: 4 n u, of which n u are the reciprocals'."""
    rest = np.abs(matrices @ solutions - sides).max((1, 2))
    assert (rest <= 4 * order * U * np.abs(matrices).sum(-1).max(-1) * np.abs(solutions).max((1, 2))).all()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("target", TARGETS)
def test_elimination(target, shape, dtype):
    count, order, sides = shape
    a, b = random((count, order, order), dtype), random((count, order, sides), dtype)
    *x, regular = run("solve in lanes", *planes(a, b), target=target)
    assert_solves(a.astype(complex), joined(x, dtype), b, order)
    *inverse, _ = run("solve in lanes", *planes(a), target=target, inverse=True)
    assert_solves(a.astype(complex), joined(inverse, dtype), np.eye(order), order)
    *factors, exchanged, signs, _ = run("LU in lanes", *planes(a), target=target)
    assert regular.all()
    for matrix, found, rows, sign in zip(a, joined(factors, dtype), exchanged, signs, strict=True):
        wanted, pivots = scipy.linalg.lu_factor(matrix.astype(complex))
        np.testing.assert_array_equal(rows, pivots)
        assert sign == (-1) ** np.count_nonzero(pivots != np.arange(order))
        lower, upper = np.tril(found, -1) + np.eye(order), np.triu(found)
        assert np.abs(lower @ upper - (np.tril(wanted, -1) + np.eye(order)) @ np.triu(wanted)).max() <= 4 * order * U * np.abs(wanted).max()


@pytest.mark.parametrize("knobs", [FUSED, FLUSHED])
def test_elimination_under_other_readings_of_the_documents(knobs):
    a, b = random((3, 9, 9), np.complex64), random((3, 9, 2), np.complex64)
    *x, _ = run("solve in lanes", *planes(a, b), knobs=knobs)
    assert_solves(a.astype(complex), joined(x, np.complex64), b, 9)


def test_rows_are_exchanged_for_the_first_of_equal_pivots():
    a = np.asarray([[[0, 1, 2], [-4, 1, 1], [4, 3, 5]]], np.float32)
    _, exchanged, signs, _ = run("LU in lanes", a)
    np.testing.assert_array_equal(exchanged, [scipy.linalg.lu_factor(a[0])[1]])
    assert exchanged[0, 0] == 1
    assert signs == [1]


def test_singular_matrices_spoil_no_other():
    a = random((4, 3, 3), np.float32)
    a[2] = np.ones((3, 3))
    x, regular = run("solve in lanes", a, np.ones((4, 3, 1), np.float32))
    np.testing.assert_array_equal(regular, [1, 1, 0, 1])
    fine = [0, 1, 3]
    assert_solves(a[fine].astype(float), x[fine].astype(float), 1.0, 3)
    factors, _, _, regular = run("LU in lanes", a)
    np.testing.assert_array_equal(factors[2], [[1, 1, 1], [1, 0, 0], [1, 0, 0]])
    np.testing.assert_array_equal(regular, [1, 1, 0, 1])


@pytest.mark.parametrize("scale", [2.0**-120, 2.0**126])
def test_numbers_at_the_ends_of_the_range(scale):
    a, b = np.asarray([[[1, 0.5], [0.25, 1]]], np.float32) * np.float32(scale), np.ones((1, 2, 1), np.float32) * np.float32(scale)
    x, _ = run("solve in lanes", a, b, knobs=FLUSHED)
    np.testing.assert_allclose(x[0], np.linalg.solve(a[0].astype(float), b[0]), rtol=4 * U)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("target", TARGETS)
def test_cholesky(target, shape, dtype):
    count, order, _ = shape
    a = random((count, order, 2 * order), dtype)
    a = (a @ np.conj(np.swapaxes(a, 1, 2))).astype(dtype)
    below = np.tril(a) + np.triu(np.full((order, order), np.nan), 1)  # which is not read
    *found, definite = run("Cholesky in lanes", *planes(below.astype(dtype)), target=target)
    factor = joined(found, dtype)
    assert definite.all()
    assert not np.triu(factor, 1).any()
    rest = np.abs(factor @ np.conj(np.swapaxes(factor, 1, 2)) - a).max((1, 2))
    assert (rest <= (order + 4) * U * np.abs(a).max((1, 2))).all()


def test_cholesky_of_what_is_not_definite():
    """Pivots of 0 and below it are told of, as LAPACK's are; NaN is not."""
    a = np.asarray([np.eye(2), [[1, 2], [2, 1]], [[np.nan, 0], [0, 1]], np.zeros((2, 2))], np.float32)
    factor, definite = run("Cholesky in lanes", a)
    np.testing.assert_array_equal(definite, [1, 0, 1, 0])
    np.testing.assert_array_equal(factor[0], np.eye(2))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("flags", [(lower, transposed, unit) for lower in (0, 1) for transposed in (0, 1) for unit in (0, 1)])
def test_substitution(flags, dtype):
    lower, transposed, unit = map(bool, flags)
    for shape, target in zip(SHAPES, TARGETS, strict=True):
        count, order, sides = shape
        a, b = random((count, order, order), dtype) / 4 + 2 * np.eye(order, dtype=dtype), random((count, order, sides), dtype)
        *x, _ = run("triangular solve in lanes", *planes(a, b), target=target, lower=lower, transposed=transposed, unit=unit)
        triangle = (np.tril if lower else np.triu)(a.astype(complex), -1 if unit and lower else 1 if unit else 0) + unit * np.eye(order)
        assert_solves(np.swapaxes(triangle, 1, 2) if transposed else triangle, joined(x, dtype), b, order)


def test_predicted_times():
    """The figures of the documentation, on trn2."""
    assert predict("solve in lanes", (100_000, 4, 4), (100_000, 4, 1)).seconds <= 0.3e-3
    assert predict("solve in lanes", (1000, 16, 16), (1000, 16, 1)).seconds <= 0.2e-3
