"""Draws, estimates and densities of several axes on devices, against SciPy in float64."""

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


@pytest.mark.parametrize(("name", "shapes"), [("norm", ()), ("gamma", (2.5,)), ("t", (8.0,)), ("weibull_min", (1.5,)), ("uniform", ())])
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


@pytest.mark.parametrize("name", ["norm", "expon", "uniform"])
def test_fits(name):
    with xp.config(fallback="error"):
        found = [float(each) for each in getattr(ours, name).fit(on(X[:, 0]))]
        loss = float(getattr(ours, name).nnlf((0.25, 2.0), on(X[:, 0])))
    np.testing.assert_allclose(found, getattr(theirs, name).fit(X[:, 0].astype(float)), rtol=32 * U)
    np.testing.assert_allclose(loss, getattr(theirs, name).nnlf((0.25, 2.0), X[:, 0].astype(float)), rtol=64 * U)


def test_normal_densities_of_vectors():
    with xp.config(fallback="error"):
        logs = ours.multivariate_normal.logpdf(on(X), MEAN, COVARIANCE)
        density = ours.multivariate_normal(MEAN, COVARIANCE).pdf(on(X))
    expected = theirs.multivariate_normal(MEAN, COVARIANCE)
    np.testing.assert_allclose(host(logs), expected.logpdf(X.astype(float)), rtol=64 * U)
    np.testing.assert_allclose(host(density), expected.pdf(X.astype(float)), rtol=64 * U)
