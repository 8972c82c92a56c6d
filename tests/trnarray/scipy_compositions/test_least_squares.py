"""Least squares and curves with data on the device, against SciPy's in float64."""

import numpy as np
import pytest
from scipy import optimize as theirs
from scipy.optimize._lsq.least_squares import IMPLEMENTED_LOSSES

import trnarray as xp
from trnarray._scipy_compositions.least_squares import LOSSES
from trnarray.scipy import optimize as ours

R = np.random.default_rng(3)
T = np.linspace(0, 4, 30)
Y = 2.5 * np.exp(-1.3 * T) + 0.5 + 0.05 * R.standard_normal(30)
OUTLIERS = Y + 2.0 * (np.arange(30) % 7 == 0)


def curve(x, a, b, c):
    return a * (xp if isinstance(x, xp.Array) else np).exp(-b * x) + c


def slopes(x, a, b, c):
    space = xp if isinstance(x, xp.Array) else np
    e = space.exp(-b * x)
    return space.stack([e, -a * x * e, space.ones_like(x)], axis=1)


def on(x, dtype=np.float32):
    return xp.asarray(np.asarray(x, dtype), device="sim:trn2")


def host(x):
    return np.asarray(x.to_device("cpu"))


def fitted(dtype, data, **options):
    t, y = on(T, dtype), on(data, dtype)
    with xp.config(fallback="error", host_transfer="error"):
        found = ours.least_squares(lambda p: curve(t, *p) - y, on([1, 1, 1], dtype), **options)
    jac = options.pop("jac", "2-point")
    options["jac"] = jac if isinstance(jac, str) else lambda p: slopes(T, *p)
    return found, theirs.least_squares(lambda p: curve(T, *p) - data, [1.0, 1, 1], **options)


@pytest.mark.parametrize(
    ("dtype", "options"),
    [
        (np.float64, {"ftol": 1e-3}),
        (np.float32, {}),
        (np.float32, {"loss": "soft_l1", "f_scale": 0.1}),
        (np.float32, {"method": "dogbox", "bounds": ([0, 0, 0], [2, 3, 4])}),
        (np.float32, {"method": "lm"}),
    ],
)
def test_residuals_by_differences(dtype, options):
    """Derivatives by central differences are off by u**(2/3) of them in float32, some 2e-5, and points by 30 of that."""
    found, expected = fitted(dtype, OUTLIERS, **options)
    near = 1e-6 if dtype is np.float64 else 1e-3
    assert isinstance(found, type(expected))
    assert found.success
    assert found.x.dtype == found.fun.dtype == found.jac.dtype == dtype
    if dtype is np.float64:
        assert (found.nfev, found.njev, found.status, found.message) == (expected.nfev, expected.njev, expected.status, expected.message)
    np.testing.assert_allclose(host(found.x), expected.x, rtol=0, atol=near)
    np.testing.assert_allclose(host(found.fun), expected.fun, rtol=0, atol=near)
    np.testing.assert_allclose(host(found.jac), expected.jac, rtol=0, atol=near)
    assert abs(found.cost - expected.cost) <= near * expected.cost
    assert host(found.active_mask).tolist() == expected.active_mask.tolist()


@pytest.mark.parametrize("name", ["soft_l1", "huber", "cauchy", "arctan"])
def test_losses(name):
    z = np.array([0.0, 0.3, 1.0, 7.0])
    expected = np.empty((3, 4))
    IMPLEMENTED_LOSSES[name](z, expected, False)
    for found, right in zip(LOSSES[name](xp.asarray(z, device="cpu")), expected, strict=True):
        np.testing.assert_allclose(host(found), right, rtol=1e-14, atol=1e-14)


def test_derivatives_that_are_given():
    """Residuals of 0.2 that are rounded in float32 leave 1e-6 of the parameters open."""
    found, expected = fitted(np.float32, Y, jac=lambda p: slopes(on(T), *p), xtol=1e-6)
    assert found.success
    np.testing.assert_allclose(host(found.x), expected.x, rtol=0, atol=1e-5)


@pytest.mark.parametrize("dtype", [np.float32])
def test_curves(dtype):
    t, y = on(T, dtype), on(Y, dtype)
    with xp.config(fallback="error", host_transfer="error"):
        found = ours.curve_fit(curve, t, y, p0=[2.0, 1.0, 0.5])
    expected = theirs.curve_fit(curve, T, Y, p0=[2.0, 1.0, 0.5])
    for mine, right in zip(found, expected, strict=True):
        assert (mine.dtype, str(mine.device)) == (dtype, "sim:trn2")
        np.testing.assert_allclose(host(mine), right, rtol=2e-4 if dtype is np.float32 else 1e-6)  # 4 times the differences' errors


def test_curves_with_errors_bounds_and_derivatives():
    t, y, errors = on(T), on(Y), 0.05 + 0.1 * R.random(30)
    covariance = np.diag(errors**2) + 1e-3
    cases = [
        {"sigma": errors, "absolute_sigma": True, "jac": slopes},
        {"sigma": covariance},
        {"bounds": (0, [3.0, 2.0, 0.4])},
        {"method": "dogbox", "bounds": ([-np.inf, 0, 0], np.inf), "p0": [1.0, 1.0, 1.0]},
    ]
    for options in cases:
        expected = theirs.curve_fit(curve, T, Y, **options)
        if "sigma" in options:
            options["sigma"] = on(options["sigma"])
        with xp.config(fallback="error", host_transfer="error"):
            popt, pcov, info, message, status = ours.curve_fit(curve, t, y, full_output=True, **options)
        np.testing.assert_allclose(host(popt), expected[0], rtol=1e-3)
        np.testing.assert_allclose(host(pcov), expected[1], rtol=0, atol=1e-3 * np.abs(expected[1]).max())
        assert info["fvec"].shape == (30,)
        assert message
        assert status in {1, 2, 3, 4}


def test_parameters_that_nothing_determines():
    """One column twice: SciPy's covariance is infinite, and warned of; a perfect fit has residuals of zero."""
    t = on([0.0, 1.0, 2.0, 3.0])
    with xp.config(fallback="error"), pytest.warns(theirs.OptimizeWarning, match="Covariance"):
        _, pcov = ours.curve_fit(lambda x, a, b: (a + b) * x, t, 2.0 * t, jac=lambda x, a, b: xp.stack([x, x], axis=1))
    assert np.isinf(host(pcov)).all()
    with xp.config(fallback="error"):
        popt, _ = ours.curve_fit(lambda x, a, b: a + b * x, t, 2.0 * t + 1.0)
        found, ier = ours.leastsq(lambda p: p[0] + p[1] * t - 2.0 * t, on([1.0, 1.0]))
    np.testing.assert_allclose(host(popt), [1.0, 2.0], rtol=1e-5)
    np.testing.assert_allclose(host(found), [0.0, 2.0], atol=1e-5)
    assert ier in {1, 2, 3, 4}


def test_errors_are_scipys():
    t = on(T)
    with xp.config(fallback="error"):
        with pytest.raises(ValueError, match="infs or NaNs"):
            ours.curve_fit(curve, t, t / 0.0)
        with pytest.raises(ValueError, match="not finite"):
            ours.least_squares(lambda p: p * xp.nan, on([1.0, 2.0]))
        with pytest.raises(ValueError, match="shape"):
            ours.least_squares(lambda p: p[:, None] * p, on([1.0, 2.0]))
