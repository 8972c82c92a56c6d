"""Tests of the distribution of samples, and statistics of bins, on devices against SciPy's in float64."""

import numpy as np
import pytest
from scipy import stats as theirs

import trnarray as xp
from trnarray.scipy import stats as ours

U = 2.0**-24
rng = np.random.default_rng(30)
A, B = np.float32(rng.standard_normal(30)), np.float32(rng.standard_normal(24) * 1.5 + 0.25)


def on(x):
    return xp.asarray(x, device="sim:trn2")


def agree(found, expected, roundings=64):
    assert isinstance(found, type(expected))
    for name in ("statistic", "pvalue"):
        np.testing.assert_allclose(float(getattr(found, name)), getattr(expected, name), rtol=roundings * U)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_kolmogorov_and_smirnov(alternative):
    """Distances are differences of shares, which have 2 u, and of probabilities, which have 8 u; SciPy's probabilities are steep there."""
    with xp.config(fallback="error"):
        one = ours.kstest(on(A), "norm", alternative=alternative)
        two = ours.ks_2samp(on(A), on(B), alternative=alternative)
        rough = ours.ks_2samp(on(A), on(B), alternative=alternative, method="asymp")
    expected = theirs.kstest(A.astype(float), "norm", alternative=alternative)
    agree(one, expected, 512)
    assert (float(one.statistic_location), one.statistic_sign) == (expected.statistic_location, expected.statistic_sign)
    agree(two, theirs.ks_2samp(A, B, alternative=alternative))
    agree(rough, theirs.ks_2samp(A, B, alternative=alternative, method="asymp"), 512)


def test_other_tests_of_distributions():
    """W is 1 less half of a squared distance of unit vectors, whose logarithm the probability is steep in."""
    with xp.config(fallback="error"):
        agree(ours.ks_1samp(on(A), lambda x: xp.scipy.special.ndtr(x / 2)), theirs.ks_1samp(A.astype(float), theirs.norm(0, 2).cdf), 512)
        agree(ours.cramervonmises(on(A), "norm"), theirs.cramervonmises(A.astype(float), "norm"), 512)
        for n in (3, 4, 6, 11, 30):
            agree(ours.shapiro(on(A[:n])), theirs.shapiro(A[:n].astype(float)), 512)
        for center in ("median", "mean"):
            agree(ours.fligner(on(A), on(B), center=center), theirs.fligner(A.astype(float), B.astype(float), center=center), 4096)
        (quantiles, ordered), line = ours.probplot(on(A))
        expected = theirs.probplot(A.astype(float))
        np.testing.assert_allclose(quantiles.tolist(), expected[0][0], rtol=64 * U)
        np.testing.assert_array_equal(ordered.tolist(), expected[0][1])
        np.testing.assert_allclose([float(each) for each in line], expected[1], rtol=64 * U, atol=64 * U)
        for sample in (np.full(5, np.nan, np.float32), A[:3] * 0):
            with pytest.raises(xp.FallbackError):
                ours.shapiro(on(sample))


@pytest.mark.parametrize("statistic", ["mean", "count", "sum", "std", "median", "min", "max"])
def test_bins(statistic):
    """The last edge belongs to its bin; a bin that is empty has no mean."""
    x, y, values = np.append(A[:12], [1.0, 5.0]).astype(np.float32), B[:14], np.float32(rng.standard_normal(14))
    bins = [-2.0, -0.5, 1.0, 4.0, 5.0] if statistic == "mean" else 3
    with xp.config(fallback="error"):
        found = ours.binned_statistic(on(x), on(values), statistic, bins=bins)
        both = ours.binned_statistic_2d(on(x), on(y), on(values), statistic, bins=[2, 3])
    expected = theirs.binned_statistic(x, values.astype(float), statistic, bins=bins)
    assert isinstance(found, type(expected))
    assert found.binnumber.tolist() == expected.binnumber.tolist()
    np.testing.assert_allclose(found.statistic.tolist(), expected.statistic, rtol=64 * U, atol=U)
    np.testing.assert_allclose(found.bin_edges.tolist(), expected.bin_edges, rtol=4 * U)
    expected = theirs.binned_statistic_2d(x, y, values.astype(float), statistic, bins=[2, 3])
    assert both.binnumber.tolist() == expected.binnumber.tolist()
    np.testing.assert_allclose(both.statistic.tolist(), expected.statistic, rtol=64 * U, atol=U)


def test_bins_of_points_and_clipped_samples():
    points = np.stack([A[:24], B], axis=1)
    with xp.config(fallback="error"):
        found = ours.binned_statistic_dd(on(points), on(B), bins=2, range=[(-1, 1), (-2, 2)])
        clipped = ours.sigmaclip(on(A), 1.5, 1.5)
    with xp.config(defaults="numpy", fallback="error"):
        assert ours.binned_statistic(on(A[:6]), on(A[:6]), bins=2).binnumber.dtype == np.int64
    expected = theirs.binned_statistic_dd(points, B.astype(float), bins=2, range=[(-1, 1), (-2, 2)])
    np.testing.assert_allclose(found.statistic.tolist(), expected.statistic, rtol=64 * U)
    assert found.binnumber.tolist() == expected.binnumber.tolist()
    expected = theirs.sigmaclip(A.astype(float), 1.5, 1.5)
    np.testing.assert_array_equal(clipped.clipped.tolist(), expected.clipped)
    np.testing.assert_allclose([float(clipped.lower), float(clipped.upper)], [expected.lower, expected.upper], rtol=64 * U)
