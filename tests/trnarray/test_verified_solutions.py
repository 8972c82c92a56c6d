"""Bounds that come with solutions of linear equations, beside solutions that are known exactly or computed with rational numbers."""

from fractions import Fraction

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.precision import PrecisionError
from trnarray.conformance.graded_systems import graded_systems, unmet

CASES = [
    *(("cpu", *case) for case in (("float32", None), ("float32", "float32-exact"), ("float32", "float64"), ("float64", None))),
    *(("sim:trn2", *case) for case in (("float32", "float32-exact"), ("float64", None))),
]


def hilbert(n):
    """Multiples of a Hilbert matrix, of integers, and the solution for ones."""
    scale = int(np.lcm.reduce(np.arange(1, 2 * n)))
    rows = [[Fraction(scale, i + j + 1) for j in range(n)] + [Fraction(1)] for i in range(n)]
    for i in range(n):  # Gauss and Jordan
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for other in range(n):
            if other != i:
                rows[other] = [x - rows[other][i] * y for x, y in zip(rows[other], rows[i], strict=True)]
    return np.array([[scale // (i + j + 1) for j in range(n)] for i in range(n)], dtype=float), [row[-1] for row in rows]


@pytest.mark.parametrize(("device", "dtype", "precision"), CASES)
def test_errors_of_graded_systems_are_below_their_bounds(device, dtype, precision):
    """The suite `factors` has more of them."""
    systems = graded_systems(np.random.default_rng(27), 2000 if device == "cpu" else 50, 4, dtype)
    wrong, finite = unmet(device, systems, precision=precision)
    assert not wrong.any()
    assert finite.mean() > 0.85


def test_bounds_are_near_errors_of_hilberts_matrices():
    """Those of 64 bits are within 2**8 of what the condition number leaves; of 32 bits, corrected, within a unit in the last place."""
    a, exact = hilbert(5)
    b = xp.ones(5, dtype=xp.float64)
    solution = np.array([float(x) for x in exact])
    for dtype, precision, most in ((xp.float64, None, 2.0**-45 * np.linalg.cond(a, np.inf)), (xp.float32, "float32-exact", 2.0**-23)):
        x, info = xp.linalg.solve(xp.asarray(a, dtype=dtype), b.astype(dtype), precision=precision, return_info=True)
        error = np.abs(np.asarray(x) - solution).max() / np.abs(solution).max()
        assert error <= float(info.bound) <= most
        np.testing.assert_allclose(float(info.condition), np.linalg.cond(a, np.inf), rtol=0.1)


def test_a_target_is_met_by_the_cheapest_way():
    a, exact = hilbert(5)
    a32, b32 = xp.asarray(a, dtype=xp.float32), xp.ones(5, dtype=xp.float32)
    for target in (1e-1, 1e-7):
        x, info = xp.linalg.solve(a32, b32, target_forward_error=target, return_info=True)
        assert float(info.bound) <= target
        np.testing.assert_allclose(np.asarray(x, dtype=float), [float(y) for y in exact], atol=target * 4e3, rtol=0)
    with xp.config(target_forward_error=1e-9), pytest.raises(PrecisionError, match="float32 err by .*condition number .*give float64"):
        xp.linalg.solve(a32, b32)
    with pytest.raises(PrecisionError, match="more digits on the host"):
        xp.linalg.solve(a32.astype(float), b32.astype(float), target_forward_error=1e-18)
    a, _ = hilbert(7)
    _, info = xp.linalg.solve(xp.asarray(a, dtype=xp.float32), xp.ones(7, dtype=xp.float32), target_forward_error=1e-6, return_info=True)
    assert info.rung == "float64"


def test_shapes():
    rng = np.random.default_rng(2)
    a = xp.asarray(rng.standard_normal((2, 1, 3, 3)) + 1j * rng.standard_normal((2, 1, 3, 3)))
    b = xp.asarray(rng.standard_normal((4, 3, 2)))
    x, info = xp.linalg.solve(a, b, return_info=True)
    assert (x.shape, x.dtype, info.bound.shape, info.condition.shape) == ((2, 4, 3, 2), xp.complex128, (2, 4), (2, 1))
    assert float(info.bound.max()) < 1e-11
    zero, info = xp.linalg.solve(a, b[0, :, 0] * 0, return_info=True)
    assert float(abs(zero).max()) == float(info.bound.max()) == 0
    empty, info = xp.linalg.solve(a[..., :0, :0], b[:, :0], return_info=True)
    assert (empty.shape, info.bound) == ((2, 4, 0, 2), 0)


def test_refused():
    ones = xp.ones((2, 2), dtype=xp.int64)
    with pytest.raises(TypeError, match="not of int64"):
        xp.linalg.solve(ones, ones, return_info=True)
    with pytest.raises(xp.linalg.LinAlgError):
        xp.linalg.solve(ones.astype(float), ones.astype(float), return_info=True)
    tiny = xp.asarray([[1.0, 1.0], [1.0, 1.0 + 2.0**-52]])
    assert float(xp.linalg.solve(tiny, xp.asarray([1.0, 0.3]), return_info=True)[1].bound) == np.inf
