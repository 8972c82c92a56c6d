"""Rosenbrock's function and fixed points on devices against SciPy's in float64."""

import numpy as np
import pytest
from scipy import optimize as theirs

import trnarray as xp
from trnarray.scipy import optimize as ours

X = np.random.default_rng(4).uniform(-1.5, 1.5, 7)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", ["rosen", "rosen_der", "rosen_hess"])
def test_rosenbrock(name, dtype):
    """Of terms of 100 x**3 times 12 some six are added: 64 u of the largest."""
    x = X.astype(dtype)
    with xp.config(fallback="error"):
        found = getattr(ours, name)(xp.asarray(x, device="sim:trn2"))
    expected = getattr(theirs, name)(x.astype(float))
    u = float(np.finfo(dtype).eps) / 2
    assert (found.dtype, found.shape) == (dtype, np.shape(expected))
    np.testing.assert_allclose(np.asarray(found.to_device("cpu")), expected, rtol=0, atol=64 * u * max(100, np.abs(expected).max()))


@pytest.mark.parametrize(("method", "dtype"), [("del2", np.float32), ("iteration", np.float32), ("del2", np.float64)])
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
