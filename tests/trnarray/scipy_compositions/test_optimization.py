"""Rosenbrock's function, fixed points, differences and linear least squares on devices against SciPy's in float64."""

import numpy as np
import pytest
from scipy import optimize as theirs

import trnarray as xp
from trnarray.scipy import optimize as ours

X = np.random.default_rng(4).uniform(-1.5, 1.5, 7)


@pytest.mark.parametrize(
    ("name", "dtype"), [("rosen", np.float32), ("rosen_der", np.float32), ("rosen_hess", np.float32), ("rosen_der", np.float64)]
)
def test_rosenbrock(name, dtype):
    """Of terms of 100 x**3 times 12 some six are added: 64 u of the largest."""
    x = X.astype(dtype)
    with xp.config(fallback="error"):
        found = getattr(ours, name)(xp.asarray(x, device="sim:trn2"))
    expected = getattr(theirs, name)(x.astype(float))
    u = float(np.finfo(dtype).eps) / 2
    assert (found.dtype, found.shape) == (dtype, np.shape(expected))
    np.testing.assert_allclose(np.asarray(found.to_device("cpu")), expected, rtol=0, atol=64 * u * max(100, np.abs(expected).max()))


@pytest.mark.parametrize(("method", "dtype"), [("del2", np.float32), ("iteration", np.float32)])
def test_fixed_points(method, dtype):
    """In float32 an iteration ends where its changes are 4 eps, and is as far from the point by its rate of 0.7."""
    turns = []

    def function(x, scale):
        turns.append(str(x.device))
        return scale * xp.cos(x)

    with xp.config(fallback="error"):
        found = ours.fixed_point(function, xp.asarray([0.5, 0.7], dtype=dtype, device="sim:trn2"), (1.0,), method=method)
        with pytest.raises(RuntimeError, match="2 iterations"):
            ours.fixed_point(function, xp.asarray([0.5], device="sim:trn2"), (1.0,), maxiter=2, method=method)
    assert set(turns) == {"sim:trn2"}
    assert found.dtype == dtype
    np.testing.assert_allclose(np.asarray(found.to_device("cpu")), 0.7390851332151607, rtol=16 * np.finfo(dtype).eps)


@pytest.mark.parametrize(("function", "dtype"), [("sum", np.float32), ("each", np.float32), ("sum", np.float64)])
def test_differences(function, dtype):
    """Central differences of float32 with steps of eps ** (1 / 3) lose a third of its digits, those of float64 with SciPy's step a half."""
    x = np.array([1.0, 2.0], dtype)

    def cubes(p, scale):
        assert str(p.device) == "sim:trn2"
        return xp.sum(scale * p**3) if function == "sum" else scale * p**3

    with xp.config(fallback="error"):
        found = ours.approx_fprime(xp.asarray(x, device="sim:trn2"), cubes, 1.5e-8, 2.0)
    expected = 6.0 * x**2.0
    assert found.dtype == dtype
    tolerance = 8 * float(np.finfo(dtype).eps) ** (2 / 3 if dtype is np.float32 else 1 / 2)
    np.testing.assert_allclose(
        np.asarray(found.to_device("cpu")), expected if function == "sum" else np.diag(expected), rtol=tolerance, atol=tolerance
    )


def test_linear_least_squares():
    """The matrix has a condition number of 3."""
    rng = np.random.default_rng(5)
    a, b = np.float32(rng.standard_normal((7, 3))), np.float32(rng.standard_normal(7))
    with xp.config(fallback="error"):
        found = ours.lsq_linear(xp.asarray(a, device="sim:trn2"), xp.asarray(b, device="sim:trn2"))
        with pytest.raises(xp.FallbackError):
            ours.lsq_linear(xp.asarray(a, device="sim:trn2"), xp.asarray(b, device="sim:trn2"), (0.0, 1e-3))
    expected = theirs.lsq_linear(a.astype(float), b.astype(float))
    assert (found.status, found.success, found.message) == (expected.status, True, expected.message)
    assert found.keys() == expected.keys()
    for key in ("x", "fun", "cost", "active_mask"):
        np.testing.assert_allclose(np.asarray(found[key].to_device("cpu")), expected[key], rtol=0, atol=64 * 2.0**-24)
