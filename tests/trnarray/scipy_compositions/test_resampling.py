"""Resampling on devices against SciPy's in float64 with the same generator, whose resamples are the same."""

import numpy as np
import pytest
from scipy import stats as theirs

import trnarray as xp
from trnarray.scipy import stats as ours

X, Y = np.random.default_rng(29).standard_normal((2, 12)).astype(np.float32)
U = 2.0**-24


def on(x):
    return xp.asarray(x, device="sim:trn2")


def host(x):
    return np.asarray(x.to_device("cpu"))


def generator():
    return {"random_state": np.random.default_rng(1)}


def difference(x, y, axis):
    """Subtract means, in the namespace of the samples."""
    space = xp if isinstance(x, xp.Array) else np
    return space.mean(x, axis=axis) - space.mean(y, axis=axis)


@pytest.mark.parametrize("method", ["BCa", "percentile", "basic"])
def test_bootstrap(method):
    """Means of 12 numbers up to 3 err by 16 u; BCa's probabilities, whose interval they are, by as much."""
    options = {"n_resamples": 49, "method": method}
    with xp.config(fallback="error"):
        found = ours.bootstrap((on(X),), xp.mean, **options, **generator())
        expected = theirs.bootstrap((X.astype(float),), np.mean, **options, **generator())
        assert isinstance(found, type(expected))
        for one, other in zip(found.confidence_interval, expected.confidence_interval, strict=True):
            np.testing.assert_allclose(host(one), other, atol=64 * U)
        np.testing.assert_allclose(host(found.standard_error), expected.standard_error, atol=64 * U)
        np.testing.assert_allclose(host(found.bootstrap_distribution), expected.bootstrap_distribution, atol=64 * U)


@pytest.mark.parametrize("paired", [False, True])
def test_bootstrap_of_two_samples(paired):
    """A quantile moves by what its probability errs by, times the gap of neighbours: 1/49 of a range of 2."""
    options = {"n_resamples": 49, "vectorized": True, "paired": paired}
    with xp.config(fallback="error"):
        found = ours.bootstrap((on(X), on(Y)), difference, **options, **generator())
    expected = theirs.bootstrap((X.astype(float), Y.astype(float)), difference, **options, **generator())
    for one, other in zip(found.confidence_interval, expected.confidence_interval, strict=True):
        np.testing.assert_allclose(host(one), other, atol=256 * U)


@pytest.mark.parametrize("options", [{"n_resamples": 49, "alternative": "less"}, {"n_resamples": 49, "permutation_type": "samples"}, {}])
def test_permutations(options):
    """Without `n_resamples` the three numbers of each sample are permuted in all ways."""
    x, y = (X, Y) if options else (X[:3], Y[:3])
    with xp.config(fallback="error"):
        found = ours.permutation_test((on(x), on(y)), difference, vectorized=True, **options, **generator())
        expected = theirs.permutation_test((x.astype(float), y.astype(float)), difference, vectorized=True, **options, **generator())
        np.testing.assert_allclose(host(found.pvalue), expected.pvalue, rtol=2 * U)
        np.testing.assert_allclose(host(found.null_distribution), expected.null_distribution, atol=64 * U)


def test_monte_carlo():
    drawn = np.random.default_rng(2).standard_normal((49, 12)).astype(np.float32)
    with xp.config(fallback="error"):
        found = ours.monte_carlo_test(on(X), lambda size: on(drawn.reshape(size)), xp.mean, n_resamples=49)
        expected = theirs.monte_carlo_test(X.astype(float), lambda size: drawn.reshape(size).astype(float), np.mean, n_resamples=49)
        np.testing.assert_allclose(host(found.pvalue), expected.pvalue, rtol=2 * U)


def test_statistics_without_an_axis_are_scipys():
    with xp.config(fallback="error"), pytest.raises(xp.FallbackError, match="bootstrap"):
        ours.bootstrap((on(X),), lambda x: x[0] + x[1], n_resamples=9)
