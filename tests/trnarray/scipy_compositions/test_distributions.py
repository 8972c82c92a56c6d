"""Distributions on devices against SciPy's in float64."""

import numpy as np
import pytest
from scipy import stats as theirs

import trnarray as xp
from trnarray.scipy import stats as ours

U = 2.0**-24
X = np.array([-2.5, -0.75, 0.0, 0.25, 0.5, 0.9, 1.0, 1.5, 3.0, 7.0, np.nan], np.float32)
Q = np.array([0.0, 0.01, 0.3, 0.5, 0.85, 1.0], np.float32)
CONTINUOUS = {
    "beta": (2.0, 3.5), "cauchy": (), "chi2": (5.0,), "expon": (), "f": (4.0, 9.0), "gamma": (2.5,), "gumbel_r": (), "halfnorm": (),
    "laplace": (), "logistic": (), "lognorm": (0.5,), "norm": (), "rayleigh": (), "t": (6.0,), "uniform": (), "weibull_min": (1.5,),
}  # fmt: skip
QUANTILES = ("expon", "gumbel_r", "laplace", "logistic", "lognorm", "norm", "rayleigh", "uniform", "weibull_min")
DISCRETE = {"binom": (9, 0.3), "geom": (0.25,), "poisson": (3.5,)}


def on(x, device="sim:trn2"):
    return xp.asarray(x, device=device)


def check(found, expected, roundings=64):
    """Logarithms have a few terms, of which none is above 16; other results are at most 1 and have errors of these beside it."""
    assert found.dtype == np.float32
    scale = np.maximum(1.0, np.where(np.isfinite(expected), np.abs(expected), 1.0))
    found = np.asarray(found.to_device("cpu")).astype(float)
    np.testing.assert_array_equal(np.isfinite(found), np.isfinite(expected))
    found, expected = [np.where(np.isfinite(x), x / scale, x) for x in (found, expected)]
    np.testing.assert_allclose(found, expected, rtol=0, atol=roundings * U)


@pytest.mark.parametrize("name", CONTINUOUS)
def test_continuous(name):
    shapes = CONTINUOUS[name]
    x = X.astype(float)
    with xp.config(fallback="error"), np.errstate(all="ignore"):
        for method in ("pdf", "logpdf", "cdf", "sf"):
            options = {} if method == "pdf" else {"loc": 0.25, "scale": 2.0}
            expected = getattr(getattr(theirs, name), method)(x, *shapes, **options)
            check(getattr(getattr(ours, name), method)(on(X), *shapes, **options), expected)
        check(getattr(ours, name)(*shapes, loc=-0.5).logsf(on(X)), getattr(theirs, name)(*shapes, loc=-0.5).logsf(x), 256)


@pytest.mark.parametrize("name", QUANTILES)
def test_quantiles(name):
    shapes = CONTINUOUS[name]
    with xp.config(fallback="error"):
        check(getattr(ours, name).ppf(on(Q), *shapes, 1.0, 2.0), getattr(theirs, name).ppf(Q.astype(float), *shapes, 1.0, 2.0))
        check(getattr(ours, name).isf(on(Q[2:5]), *shapes), getattr(theirs, name).isf(Q[2:5].astype(float), *shapes))


@pytest.mark.parametrize("name", DISCRETE)
def test_discrete(name):
    shapes = DISCRETE[name]
    k = np.array([-1.0, 0, 1, 2, 2.5, 5, 9, 10, np.nan], np.float32)
    with xp.config(fallback="error"), np.errstate(all="ignore"):
        for method in ("pmf", "logpmf", "cdf", "sf"):
            for loc in (0, 1):
                expected = getattr(getattr(theirs, name), method)(k.astype(float), *shapes, loc)
                check(getattr(getattr(ours, name), method)(on(k), *shapes, loc), expected)


def test_parameters_that_are_arrays():
    loc, scale, a = np.float32([0.5, -1.0, 0.0]), np.float32([1.0, 2.0, -1.0]), np.float32([1.5, 20.0, -2.0])
    x = np.float32([[0.75], [2.0]])
    with xp.config(fallback="error"):
        check(ours.norm.pdf(on(x), loc=on(loc), scale=on(scale)), theirs.norm.pdf(x.astype(float), loc, scale))
        check(ours.gamma.cdf(on(x), on(a)), theirs.gamma.cdf(x.astype(float), a))
        check(ours.t.logpdf(on(x), on(a[:2]), loc=0.5), theirs.t.logpdf(x.astype(float), a[:2], loc=0.5), 128)


def test_integers_and_what_is_left_to_scipy():
    with xp.config(fallback="error"):
        check(ours.poisson.pmf(xp.asarray([0, 3], device="sim:trn2"), 2.0), theirs.poisson.pmf([0, 3], 2.0))
        for call in (lambda: ours.norm.pdf(on(X), scale=-1.0), lambda: ours.gamma.ppf(on(Q), 2.0), lambda: ours.binom.pmf(on(Q), 3, 1.5)):
            with pytest.raises(xp.FallbackError):
                call()


@pytest.mark.parametrize("device", ["sim:trn1", "sim:trn3"])
def test_elsewhere(device):
    check(ours.norm.cdf(on(X, device), 0.5), theirs.norm.cdf(X.astype(float), 0.5))


def test_numbers_stay_numbers():
    with xp.config(fallback="allow"), xp.default_device("sim:trn2"):
        assert ours.norm.ppf(0.975) == theirs.norm.ppf(0.975)
        assert ours.t(5.0).sf(2.0) == theirs.t(5.0).sf(2.0)


def test_float64():
    with xp.config(fallback="error"):
        found = ours.expon.sf(on(X.astype(float)))
    np.testing.assert_allclose(np.asarray(found.to_device("cpu")), theirs.expon.sf(X.astype(float)), rtol=2.0**-50)
