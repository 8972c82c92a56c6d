"""Distributions on devices against SciPy's in float64."""

import warnings

import numpy as np
import pytest
from scipy import stats as theirs

import trnarray as xp
from trnarray._scipy_compositions.quantiles import bisected
from trnarray.scipy import stats as ours

U = 2.0**-24
X = np.array([-2.5, -0.75, 0.0, 0.25, 0.5, 0.9, 1.0, 1.5, 3.0, 7.0, np.nan], np.float32)
Q = np.array([0.0, 0.01, 0.3, 0.5, 0.85, 1.0], np.float32)
CONTINUOUS = {
    "arcsine": (), "beta": (2.0, 3.5), "burr": (2.0, 1.5), "dweibull": (1.5,), "fisk": (2.5,), "gennorm": (1.5,), "gompertz": (0.5,),
    "hypsecant": (), "johnsonsu": (-0.5, 1.25), "levy": (), "wald": (),
    "cauchy": (), "chi": (3.0,), "chi2": (5.0,), "erlang": (2.0,), "expon": (), "exponnorm": (1.0,),
    "f": (4.0, 9.0), "gamma": (2.5,), "genextreme": (0.2,), "genpareto": (0.5,), "gumbel_l": (), "gumbel_r": (), "halfcauchy": (),
    "halfnorm": (), "invgamma": (3.0,), "invgauss": (1.5,), "laplace": (), "loggamma": (1.5,), "loguniform": (0.4, 3.0),
    "logistic": (), "lognorm": (0.5,), "lomax": (2.5,), "maxwell": (), "nakagami": (1.5,), "norm": (), "pareto": (2.5,),
    "powerlaw": (1.5,), "rayleigh": (), "skewnorm": (-2.5,), "t": (6.0,), "triang": (0.3,), "truncnorm": (-1.0, 2.0), "uniform": (),
    "vonmises": (1.5,), "weibull_max": (1.5,), "weibull_min": (1.5,),
    "betaprime": (2.0, 3.5), "bradford": (2.0,), "burr12": (2.0, 1.5), "dgamma": (1.5,), "exponweib": (2.5, 1.5), "fatiguelife": (0.75,),
    "foldnorm": (1.25,), "gengamma": (1.5, 2.0), "genlogistic": (1.5,), "gibrat": (), "halflogistic": (), "invweibull": (2.5,),
    "loglaplace": (1.5,), "moyal": (), "powernorm": (2.5,), "truncexpon": (3.0,),
}  # fmt: skip
QUANTILES = (
    "arcsine", "burr", "cauchy", "expon", "fisk", "gompertz", "hypsecant", "johnsonsu", "levy",
    "genextreme", "genpareto", "gumbel_l", "gumbel_r", "halfcauchy", "halfnorm", "laplace", "logistic",
    "lognorm", "loguniform", "lomax", "norm", "pareto", "powerlaw", "rayleigh", "triang", "truncnorm", "uniform", "weibull_max",
    "weibull_min",
    "bradford", "burr12", "exponweib", "fatiguelife", "genlogistic", "gibrat", "halflogistic", "invweibull", "loglaplace", "moyal",
    "powernorm", "truncexpon",
)  # fmt: skip
DISCRETE = {
    "bernoulli": (0.3,), "binom": (9, 0.3), "boltzmann": (1.0, 5), "geom": (0.25,), "hypergeom": (20, 7, 12), "logser": (0.5,),
    "nbinom": (4.0, 0.3), "poisson": (3.5,), "randint": (-2, 5), "zipf": (2.5,),
    "betabinom": (10, 2.0, 3.0), "nhypergeom": (20, 7, 5), "planck": (0.5,), "yulesimon": (2.5,), "zipfian": (1.25, 9),
}  # fmt: skip
TAILS = (
    "burr12", "exponweib", "gibrat", "halflogistic", "invweibull", "powernorm",
    "expon", "gumbel_l", "halfnorm", "laplace", "logistic", "lomax", "norm", "pareto", "rayleigh",
)  # fmt: skip
BISECTED = ("beta", "gamma", "gengamma", "t", "vonmises")


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
    # What SciPy computes: logarithms of what underflows, or cancels.
    least = -6 if name in {"exponnorm", "skewnorm", "vonmises"} else -60
    with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
        kept = np.isnan(x) | (getattr(theirs, name).logsf(x, *shapes, loc=-0.5) > least)
    with xp.config(fallback="error"), np.errstate(all="ignore"):
        options = {"pdf": {}, **{method: {"loc": 0.25, "scale": 2.0} for method in ("logpdf", "cdf", "sf")}}
        expected = [getattr(getattr(theirs, name), method)(x, *shapes, **more) for method, more in options.items()]
        found = [getattr(getattr(ours, name), method)(on(X), *shapes, **more) for method, more in options.items()]
        check(xp.stack(found), np.stack(expected))
        check(getattr(ours, name)(*shapes, loc=-0.5).logsf(on(X[kept])), getattr(theirs, name)(*shapes, loc=-0.5).logsf(x[kept]), 256)


@pytest.mark.parametrize("name", QUANTILES)
def test_quantiles(name):
    shapes = CONTINUOUS[name]
    with xp.config(fallback="error"):
        options = (1.0, 2.0)
        expected = [getattr(getattr(theirs, name), method)(Q.astype(float), *shapes, *options) for method in ("ppf", "isf")]
        check(xp.stack([getattr(getattr(ours, name), method)(on(Q), *shapes, *options) for method in ("ppf", "isf")]), np.stack(expected))


@pytest.mark.parametrize("name", BISECTED)
def test_quantiles_by_bisection(name):
    """The probability of what is found is q to 16 u of the smaller one of q and 1 - q, and of the number's own rounding."""
    shapes, q = CONTINUOUS[name], np.array([0.0, 2e-3, 0.3, 0.5, 0.97, 1.0, -0.5], np.float32)
    d = getattr(theirs, name)
    with xp.config(fallback="error"), np.errstate(all="ignore"):
        found = np.asarray(getattr(ours, name).ppf(on(q), *shapes).to_device("cpu")).astype(float)
        expected, density = d.ppf(q.astype(float), *shapes), d.pdf(d.ppf(q.astype(float)[1:5], *shapes), *shapes)
    np.testing.assert_array_equal(found[[0, 5, 6]], expected[[0, 5, 6]])
    near, found, expected = np.minimum(q, 1.0 - q)[1:5], found[1:5], expected[1:5]
    bound = (16 * near + 2 * (name == "vonmises")) * U / density + 2 * U * np.abs(expected)  # whose 1 / 2 is added last
    np.testing.assert_array_less(np.abs(found - expected), bound + 2.0**-60)


@pytest.mark.parametrize("name", ["t", "f"])
def test_one_probability_of_several_shapes(name):
    """Which broadcast against it; the search is for quantiles, as above."""
    shapes = np.array([3.0, 5.0, 9.0], np.float32), *[4.0] * (name == "f")
    d = getattr(theirs, name)(*shapes)
    with xp.config(fallback="error"):
        found = getattr(ours, name).ppf(0.95, *[shape if type(shape) is float else on(shape) for shape in shapes])
    bound = 16 * 0.05 * U / d.pdf(d.ppf(0.95)) + 2 * U * d.ppf(0.95)
    np.testing.assert_array_less(np.abs(np.asarray(found.to_device("cpu")) - d.ppf(0.95)), bound)


def test_bisection_is_in_float32():
    """Under NumPy's defaults too: its turns in float64 took five times as long on the simulator."""
    with xp.config(fallback="error", defaults="numpy"):
        q = on(np.float32([0.25, 0.75]))
        found = bisected(lambda x: x, lambda x: 1 - x, q, 1 - q, 0.0, 1.0, rises=True)
    assert found.dtype == np.float32
    np.testing.assert_array_equal(np.asarray(found.to_device("cpu")), [0.25, 0.75])


@pytest.mark.parametrize("name", DISCRETE)
def test_discrete_quantiles(name):
    """A table in float64 has SciPy's; zipf's, whose tail is long, come by bisection."""
    shapes, q = DISCRETE[name], np.array([0.0, 1e-6, 0.3, 0.5, 0.7, 0.9375, 1.0, 2.0], np.float32)
    for method, of in (("ppf", q), ("isf", np.where(q == 1e-6, np.float32(0.01), q))):
        with xp.config(fallback="error"):
            found = np.asarray(getattr(getattr(ours, name), method)(on(of), *shapes, loc=2).to_device("cpu"))
        np.testing.assert_array_equal(found, getattr(getattr(theirs, name), method)(of.astype(float), *shapes, loc=2))


@pytest.mark.parametrize("name", TAILS)
def test_tails(name):
    """Errors are 32 u of the results, since no 1 - p is taken of small ones; the argument's rounding is magnified by its tail's slope."""
    shapes, q, x = CONTINUOUS[name], np.array([1e-20, 1e-9, 0.25], np.float32), np.array([2.0, 4.0], np.float32)
    pair = getattr(ours, name), getattr(theirs, name)
    with xp.config(fallback="error"), np.errstate(all="ignore"):
        found, expected = [d.isf(each, *shapes) for d, each in zip(pair, (on(q), q.astype(float)), strict=True)]
        kept = np.isfinite(expected)  # older SciPy loses quantiles of the smallest one
        np.testing.assert_allclose(np.asarray(found.to_device("cpu"))[kept], expected[kept], rtol=32 * U)
        for method in ("logsf", "logcdf"):
            found, expected = [getattr(d, method)(each, *shapes) for d, each in zip(pair, (on(x), x.astype(float)), strict=True)]
            kept = expected != 0  # older SciPy loses logarithms of what is near 1
            np.testing.assert_allclose(np.asarray(found.to_device("cpu"))[kept], expected[kept], rtol=64 * U)


def test_probabilities_that_vanish():
    with xp.config(fallback="error"):
        found = np.asarray(ours.cauchy.cdf(on(np.float32([-1e6, -3.0]))).to_device("cpu"))
        np.testing.assert_allclose(found, theirs.cauchy.cdf([-1e6, -3.0]), rtol=16 * U)
        found = np.asarray(ours.norm.logcdf(on(np.float32([-20.0]))).to_device("cpu"))
        np.testing.assert_allclose(found, theirs.norm.logcdf([-20.0]), rtol=16 * U)
        with pytest.raises(xp.FallbackError):  # whose logarithm is lost
            ours.gamma.logcdf(on(np.float32([1.0])), 200.0)


@pytest.mark.parametrize("name", DISCRETE)
def test_discrete(name):
    shapes = DISCRETE[name]
    k = np.array(
        [-1.0, 0, 1, 2, *([] if name in {"hypergeom", "logser", "yulesimon", "zipfian"} else [2.5]), 5, 9, 10, np.nan], np.float32
    )
    with xp.config(fallback="error"), np.errstate(all="ignore"):
        options = [(method, loc) for method in ("pmf", "logpmf", "cdf", "sf") for loc in (0, 1)]
        expected = [getattr(getattr(theirs, name), method)(k.astype(float), *shapes, loc) for method, loc in options]
        check(xp.stack([getattr(getattr(ours, name), method)(on(k), *shapes, loc) for method, loc in options]), np.stack(expected))


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
        for call in (
            lambda: ours.norm.pdf(on(X), scale=-1.0),
            lambda: ours.binom.pmf(on(Q), 3, 1.5),
            lambda: ours.skewnorm.isf(on(Q[1:] / 64), 2.0),
        ):
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


def test_quantiles_of_float64():
    """Within 16 u of the result, and 4 u of q over the density."""
    q = np.array([0.0, 1e-9, 0.3, 0.999, 1.0, -1.0])
    with xp.config(fallback="error"):
        found = np.asarray(ours.gamma.ppf(on(q), 2.5).to_device("cpu"))
    expected = theirs.gamma.ppf(q, 2.5)
    np.testing.assert_array_equal(found[[0, 4, 5]], expected[[0, 4, 5]])
    q, found, expected = q[1:4], found[1:4], expected[1:4]
    assert np.all(np.abs(found - expected) <= 2.0**-53 * (16 * expected + 4 * q / theirs.gamma.pdf(expected, 2.5)))
    with xp.config(fallback="error"), pytest.raises(xp.FallbackError):  # float32 has no such probability
        ours.gamma.ppf(on(np.array([1e-200])), 2.5)


def test_quantiles_of_float64_near_an_end():
    """Within 8 u of the distance from the end, where the density is infinite, and 8 u of the probability above over the density."""
    q = np.array([0.5, 0.999, 0.9999])
    with xp.config(fallback="error"):
        found = np.asarray(ours.beta.ppf(on(q), 2.31, 0.627).to_device("cpu"))
    expected = theirs.beta.ppf(q, 2.31, 0.627)
    assert np.all(np.abs(found - expected) <= 2.0**-53 * (8 + 8 / theirs.beta.pdf(expected, 2.31, 0.627)))


WIDE = {name: CONTINUOUS[name] for name in ("burr12", "exponweib", "fatiguelife", "genlogistic", "halflogistic", "moyal", "powernorm")}


@pytest.mark.parametrize("name", WIDE)
def test_derived_ones_in_float64(name):
    """Within 256 u of terms up to 16: compositions of functions that err by a few units each."""
    x, q = X[np.isfinite(X)].astype(float) + 0.125, np.array([1e-9, 0.3, 0.5, 0.85])
    with xp.config(fallback="error"), np.errstate(all="ignore"):
        for method, points in (("logpdf", x), ("cdf", x), ("sf", x), ("ppf", q)):
            found = getattr(getattr(ours, name), method)(on(points), *WIDE[name])
            expected = getattr(getattr(theirs, name), method)(points, *WIDE[name])
            assert found.dtype == np.float64
            scale = np.maximum(1.0, np.where(np.isfinite(expected), np.abs(expected), 1.0))
            np.testing.assert_allclose(np.asarray(found.to_device("cpu")) / scale, expected / scale, rtol=0, atol=256 * 2.0**-53)
