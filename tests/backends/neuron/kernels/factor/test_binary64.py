"""Small matrices of float64 on partition lanes, against LAPACK."""

import numpy as np
import pytest
import scipy.linalg

from trnarray.backends.simulator.knobs import Knobs

from .declared_kernel import predict, run

RNG = np.random.default_rng(3)
U = 2.0**-53
FLUSHED = Knobs(denormals_dve="flush", denormals_act="flush", denormals_pool="flush")
FUSED = Knobs(two_op="fused", dve_order="permuted:1")
WAYS = [("trn1", Knobs(), 4), ("trn2", FLUSHED, 1), ("trn2", FUSED, 130), ("trn3", Knobs(), 2)]


def words(*arrays):
    bits = [np.ascontiguousarray(array).view(np.uint64) for array in arrays]
    return [part.astype(np.uint32) for item in bits for part in (item >> np.uint64(32), item & np.uint64(0xFFFFFFFF))]


def joined(high, low):
    return (high.astype(np.uint64) << np.uint64(32) | low).view(np.float64)


@pytest.mark.parametrize(("target", "knobs", "count"), WAYS)
def test_equations_and_factors(target, knobs, count):
    a, b = RNG.standard_normal((count, 4, 4)), RNG.standard_normal((count, 4, 2))
    high, low, regular, condition = run("solve float64 in lanes", *words(a, b), target=target, knobs=knobs, condition=True)
    x = joined(high, low)
    assert (np.abs(a @ x - b).max((1, 2)) <= 8 * U * (np.abs(a).sum(-1).max(-1) * np.abs(x).max((1, 2)) + np.abs(b).max())).all()
    assert regular.all()
    np.testing.assert_allclose(condition, np.linalg.cond(a, 1), rtol=1e-5)
    high, low, rows, signs, _ = run("LU of float64 in lanes", *words(a), target=target, knobs=knobs)
    wanted = [scipy.linalg.lu_factor(matrix) for matrix in a]
    np.testing.assert_array_equal(rows, [pivots for _, pivots in wanted])
    np.testing.assert_array_equal(signs, [(-1) ** np.count_nonzero(pivots != np.arange(4)) for _, pivots in wanted])
    assert np.abs(joined(high, low) - [factors for factors, _ in wanted]).max() <= 1e-11
    square = a @ np.swapaxes(a, 1, 2)
    high, low, definite = run("Cholesky of float64 in lanes", *words(np.tril(square)), target=target, knobs=knobs)
    factor = joined(high, low)
    assert definite.all()
    assert (np.abs(factor @ np.swapaxes(factor, 1, 2) - square).max((1, 2)) <= 8 * U * np.abs(square).max((1, 2))).all()
    assert not np.triu(factor, 1).any()


def test_largest_numbers_of_lower_words():
    """Pivots that differ in any part of the lower word, and equal ones, of which the first is taken."""
    base = 1.0 + 2.0**-21
    a = np.stack([np.eye(3)] * 4)
    a[:, :, 0] = [[base, base + 2.0**-52, base], [base, base + 2.0**-40, -base - 2.0**-33], [1, -base, base], [-0.0, 0, 2.0**-1070]]
    _, _, rows, _, _ = run("LU of float64 in lanes", *words(a))
    np.testing.assert_array_equal(rows[:, 0], [1, 2, 1, 2])


def test_predicted_times():
    """On trn2; the program of 2 equations is a step of a Kalman filter."""
    assert predict("solve float64 in lanes", *[(1, 2, 2)] * 2, *[(1, 2, 1)] * 2, dtype=np.uint32).seconds <= 0.12e-3
    assert predict("solve float64 in lanes", *[(100_000, 4, 4)] * 2, *[(100_000, 4, 1)] * 2, dtype=np.uint32).seconds <= 13e-3
