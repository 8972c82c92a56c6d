"""Draws, estimates and densities of several axes on devices, against SciPy in float64."""

import pickle

import numpy as np
import pytest
from scipy import stats as theirs

import trnarray as xp
from trnarray.scipy import stats as ours

U = 2.0**-24
X = np.random.default_rng(3).uniform(0.5, 2.0, (20, 2)).astype(np.float32)
MEAN, COVARIANCE = [0.5, 1.0], [[1.0, 0.3], [0.3, 2.0]]


def on(x):
    return xp.asarray(x, device="sim:trn2")


def host(x):
    return np.asarray(x.to_device("cpu"))


DRAWN = {
    "norm": (), "fisk": (2.0,), "dgamma": (2.0,), "skewnorm": (2.0,), "nct": (5.0, 1.0), "genextreme": (-0.2,), "arcsine": (),
    "beta": (2.0, 3.0), "betaprime": (2.0, 5.0), "bradford": (2.0,), "burr": (2.0, 3.0), "burr12": (2.0, 3.0), "chi": (2.5,),
    "dweibull": (2.0,), "exponnorm": (1.5,), "exponpow": (2.0,), "exponweib": (2.0, 1.5), "fatiguelife": (0.7,), "foldcauchy": (1.0,),
    "foldnorm": (1.0,), "gamma": (2.5,), "gengamma": (2.0, 1.5), "genlogistic": (2.0,), "gennorm": (1.5,), "genpareto": (0.2,),
    "gibrat": (), "gompertz": (0.5,), "halfcauchy": (), "halfgennorm": (1.5,), "halflogistic": (), "hypsecant": (), "invgamma": (3.0,),
    "invgauss": (0.7,), "invweibull": (3.0,), "johnsonsb": (0.5, 1.2), "johnsonsu": (0.5, 1.2), "levy": (), "loggamma": (0.5,),
    "loglaplace": (2.0,), "lognorm": (0.5,), "loguniform": (0.1, 3.0), "lomax": (2.0,), "maxwell": (), "moyal": (), "nakagami": (1.5,),
    "pareto": (2.0,), "powerlaw": (2.0,), "recipinvgauss": (0.7,), "rice": (1.0,), "semicircular": (), "t": (8.0,), "triang": (0.3,),
    "truncexpon": (2.0,), "wald": (), "anglit": (), "levy_l": (),
}  # fmt: skip


@pytest.mark.parametrize(("name", "shapes"), DRAWN.items())
def test_draws(name, shapes):
    """The largest distance of 500 draws from the distribution exceeds 2.2 / sqrt(500) once in ten thousand times; the seed is given."""
    with xp.config(fallback="error"), xp.default_device("sim:trn2"):
        drawn = getattr(ours, name).rvs(*shapes, loc=1.0, scale=2.0, size=(5, 100), random_state=7)
        again = getattr(ours, name)(*shapes, 1.0, 2.0).rvs(size=(5, 100), random_state=7)
    assert (drawn.shape, drawn.dtype, str(drawn.device)) == ((5, 100), np.float32, "sim:trn2")
    np.testing.assert_array_equal(host(drawn), host(again))
    assert theirs.kstest(host(drawn).ravel(), getattr(theirs, name)(*shapes, 1.0, 2.0).cdf).statistic < 2.2 / np.sqrt(500)


def test_sizes_of_draws_are_scipys():
    calls = (
        lambda m: m.norm.rvs(),
        lambda m: m.norm.rvs(size=1),
        lambda m: m.norm.rvs(0.0, 1.0, 3),
        lambda m: m.gamma.rvs(2.0, 0.0, 1.0, (2, 2)),
        lambda m: m.norm(1.0, 2.0).rvs(),
        lambda m: m.norm(1.0, 2.0).rvs(2),
    )
    with xp.default_device("sim:trn2"), xp.config(fallback="error"):
        for call in calls:
            assert call(ours).shape == np.shape(call(theirs))


def test_draws_of_numpys_generators_are_scipys():
    with xp.config(fallback="allow"), xp.default_device("sim:trn2"):
        drawn = ours.norm.rvs(size=3, random_state=np.random.default_rng(1))
    np.testing.assert_allclose(host(drawn), theirs.norm.rvs(size=3, random_state=np.random.default_rng(1)), rtol=2 * U)


COUNTED = (
    ("poisson", (3.0,)), ("binom", (6, 0.3)), ("geom", (0.3,)), ("bernoulli", (0.3,)), ("randint", (-2, 5)), ("hypergeom", (20, 7, 12)),
    ("skellam", (2.0, 3.0)), ("planck", (0.5,)), ("dlaplace", (0.8,)), ("logser", (0.5,)), ("nbinom", (5, 0.3)), ("zipf", (3.0,)),
)  # fmt: skip


def test_draws_of_counts():
    """The largest distance of 500 draws from the distribution, of steps at its integers."""
    with xp.config(fallback="error"), xp.default_device("sim:trn2"):
        for name, shapes in COUNTED:
            drawn = host(getattr(ours, name).rvs(*shapes, size=500, random_state=7))
            k = np.arange(-3, 30)
            assert drawn.dtype.kind == "i"
            assert np.max(np.abs(np.mean(drawn <= k[:, None], axis=1) - getattr(theirs, name)(*shapes).cdf(k))) < 2.2 / np.sqrt(500)
        assert ours.poisson(3.0).rvs(4).shape == ours.poisson.rvs(3.0, 2, size=4).shape == (4,)


FITS = [
    *[(name, 0, {}) for name in ("norm", "expon", "uniform", "laplace")],
    *[(name, 0, {"floc": 0.25}) for name in ("norm", "expon", "laplace", "gamma", "lognorm", "rayleigh")],
    ("beta", -0.5, {"floc": -0.25, "fscale": 2}),
]


@pytest.mark.parametrize(("name", "shift", "held"), FITS)
def test_fits(name, shift, held):
    """A shape of 20 numbers is steep in the mean of their logarithms; SciPy's search ends within 1.5e-8 of the root."""
    x = X[:, 0] + np.float32(shift)
    with xp.config(fallback="error"):
        found = [float(each) for each in getattr(ours, name).fit(on(x), **held)]
        if name == "norm":
            loss = float(ours.norm.nnlf((0.25, 2.0), on(x)))
            np.testing.assert_allclose(loss, theirs.norm.nnlf((0.25, 2.0), x.astype(float)), rtol=64 * U)
    np.testing.assert_allclose(found, getattr(theirs, name).fit(x.astype(float), **held), rtol=512 * U)


@pytest.mark.parametrize("name", ["norm", "lognorm", "beta", "poisson"])
def test_frozen_distributions_are_of_scipys_class(name):
    shapes = {"lognorm": [0.5], "beta": [2.0, 3.0], "poisson": [4.0]}.get(name, [])
    frozen = getattr(ours, name)(*shapes, loc=on(np.float32(1.0)))
    assert isinstance(frozen, type(getattr(theirs, name)(*shapes)))
    assert not isinstance(frozen, xp.Array)



def test_distributions_of_arrays():
    x, loc, scale, q = X[:4, 0], X[4:8, 0], X[8:12, 0], np.float32([0.1, 0.4, 0.5, 0.9])
    with xp.config(fallback="error"), xp.default_device("sim:trn2"):
        found = ours.norm(on(loc), scale=on(scale))
        expected = theirs.norm(loc.astype(float), scale=scale.astype(float))
        assert isinstance(found, type(expected))
        again = pickle.loads(pickle.dumps(found))
        for name, given in (("logpdf", x), ("sf", x), ("ppf", q)):
            np.testing.assert_allclose(host(getattr(again, name)(on(given))), getattr(expected, name)(given.astype(float)), rtol=64 * U)
        ends = ours.weibull_min.interval(on(q), 2.0, scale=on(scale))
        wanted = theirs.weibull_min.interval(q.astype(float), 2.0, scale=scale)
        np.testing.assert_allclose([host(each) for each in ends], wanted, rtol=64 * U)
        assert found.rvs().shape == ours.norm.rvs(on(loc), on(scale)).shape == (4,)
        assert found.rvs(size=(3, 4)).shape == (3, 4)
        with pytest.raises(xp.FallbackError):
            found.mean()
    with xp.config(fallback="allow"):
        np.testing.assert_array_equal(host(found.mean()), loc)


def test_normal_densities_of_vectors():
    """Covariances may be a number, a diagonal, or an Array, which is fetched; many axes are a product."""
    long, wide = np.random.default_rng(4).standard_normal((2, 7, 12)).astype(np.float32), np.diag(np.arange(1.0, 13)) + 0.25
    normal, expected = ours.multivariate_normal, theirs.multivariate_normal
    given = [(on(X[0]), on(np.float32(COVARIANCE))), (MEAN, 2.0), (MEAN, [1.0, 3.0])]
    with xp.config(fallback="error"):
        found = [normal.logpdf(on(X), *each) for each in given] + [normal.logpdf(on(long[0]), cov=wide)]
    given[0] = (X[0].astype(float), np.float32(COVARIANCE).astype(float))
    wanted = [expected.logpdf(X.astype(float), *each) for each in given] + [expected.logpdf(long[0].astype(float), cov=wide)]
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(host(one), other, rtol=64 * U, atol=64 * U)
    with xp.config(fallback="error"), xp.default_device("sim:trn2"):
        drawn = host(normal.rvs(MEAN, COVARIANCE, size=900, random_state=3))
        assert normal(MEAN, COVARIANCE).rvs((2, 2)).shape == (2, 2, 2)
    assert np.all(np.abs(drawn.mean(axis=0) - MEAN) < 5 * np.sqrt(np.diag(COVARIANCE) / 900))
    np.testing.assert_allclose(np.cov(drawn.T), COVARIANCE, atol=5 * 2 * np.sqrt(2 / 900))


def test_normal_densities_of_frozen_distributions():
    with xp.config(fallback="error"):
        logs = ours.multivariate_normal.logpdf(on(X), MEAN, COVARIANCE)
        density = ours.multivariate_normal(MEAN, COVARIANCE).pdf(on(X))
    expected = theirs.multivariate_normal(MEAN, COVARIANCE)
    np.testing.assert_allclose(host(logs), expected.logpdf(X.astype(float)), rtol=64 * U)
    np.testing.assert_allclose(host(density), expected.pdf(X.astype(float)), rtol=64 * U)
