"""Descriptive statistics and tests of hypotheses on devices against SciPy's in float64."""

import inspect

import numpy as np
import pytest
from scipy import stats as theirs

import trnarray as xp
from trnarray.scipy import stats as ours

U = {np.float32: 2.0**-24, np.float64: 2.0**-53}
rng = np.random.default_rng(11)
A, B, C = 0.5 + rng.standard_normal((24, 3)), 0.3 + 1.3 * rng.standard_normal((24, 3)), rng.standard_normal((24, 3))
P, Q = rng.random((9, 4)) + 0.1, rng.random((9, 4)) + 0.1
TIES = np.round(A[:, 0] * 3) / 3
FLIP = {"axis": 1}
COUNTS = rng.integers(20, 40, (6, 2)).astype(float)
EXPECTED = COUNTS[::-1].copy()

# Calls, and by how many roundings of the largest result they may be off: samples of 24 elements, whose powers have up to 4 factors.
MOMENTS = {
    "describe": ([A], {}, 64),
    "circmean": ([A], {"axis": 0}, 64),
    "circmean, degrees": ([P * 90], {"high": 180, "low": -180}, 64),
    "circstd": ([P], {"axis": 1}, 64),
    "circvar": ([P], {"high": 3.0, "axis": 0, "keepdims": True}, 64),
    "describe, biased": ([A.T], {"axis": 1, "ddof": 0, "bias": False}, 64),
    "entropy": ([P], {}, 64),
    "entropy, relative": ([P, Q], {"base": 2, "axis": 1}, 64),
    "gmean": ([P], {}, 64),
    "gmean, weights": ([P], {"weights": Q, "axis": -1}, 64),
    "gzscore": ([P], {}, 256),
    "gstd": ([P], {"axis": 1}, 64),
    "hmean": ([P], {"axis": None}, 64),
    "iqr": ([A], {"axis": 0}, 16),
    "kstat": ([A], {"n": 4, "axis": 0}, 512),
    "kstat, third": ([A, 3], {}, 256),
    "kstatvar": ([A], {"axis": 0}, 512),
    "kurtosis": ([A], {}, 64),
    "kurtosis, unbiased": ([A], {"axis": None, "bias": False, "fisher": False}, 64),
    "median_abs_deviation": ([A], {"scale": "normal"}, 16),
    "moment": ([A, 3], {}, 64),
    "boxcox": ([P[:, 0], 0.5], {}, 64),
    "boxcox_llf": ([0.5, P[:, 0]], {}, 256),
    "energy_distance": ([A[:, 0], TIES], {}, 64),
    "moment, several": ([A, [2, 3]], {}, 64),
    "percentileofscore": ([TIES, 0.5], {}, 4),
    "quantile": ([A, 0.3], {}, 16),
    "scoreatpercentile": ([A, 30], {}, 16),
    "wasserstein_distance": ([A[:, 0], TIES], {}, 64),
    "yeojohnson": ([A[:, 0], 0.5], {}, 64),
    "yeojohnson_llf": ([0.5, A[:, 0]], {}, 256),
    "moment, first": ([A], {"order": 1, "keepdims": True}, 64),
    "moment, center": ([A, 2], {"center": 1.5, "axis": -1}, 64),
    "pmean": ([P, 2.5], {"axis": 0}, 64),
    "sem": ([A], {"keepdims": True}, 64),
    "skew": ([A], {"bias": False, "keepdims": True}, 64),
    "tmax": ([A, 1.0], {"inclusive": False}, 0),
    "tmean": ([A, (-0.5, None)], {"axis": 0}, 64),
    "tmin": ([A], {"lowerlimit": 0.5, "axis": 0}, 0),
    "trim_mean": ([A, 0.1], {}, 64),
    "tsem": ([A, (-1, 1)], {"axis": None}, 64),
    "tstd": ([A], {"keepdims": True}, 64),
    "tvar": ([A, (-1.0, 1.5), (False, True)], {}, 64),
    "variation": ([P], {"ddof": 1}, 64),
    "zmap": ([A, B], {"axis": 1}, 64),
    "zscore": ([A], {}, 64),
    "zscore, all": ([A], {"axis": None, "ddof": 1}, 64),
}
# The incomplete gamma and beta functions are within 32 u, and their arguments within about 16 u more.
TESTS = {
    "bartlett": ([A, B, C], {}, 512),
    "brunnermunzel": ([A[:, 0], B[:20, 0]], {}, 256),
    "combine_pvalues": ([P[:, 0] / 2], {}, 256),
    "combine_pvalues, Stouffer": ([P[:, 0] / 2], {"method": "stouffer"}, 256),
    "friedmanchisquare": ([A[:, 0], B[:, 0], TIES], {}, 256),
    "power_divergence, mod": ([COUNTS, EXPECTED], {"lambda_": "mod-log-likelihood"}, 256),
    "power_divergence, Cressie": ([COUNTS, EXPECTED], {"lambda_": "cressie-read"}, 256),
    "chisquare": ([COUNTS, EXPECTED], {"axis": 0}, 128),
    "chisquare, uniform": ([COUNTS[:, 0]], {"ddof": 1}, 128),
    "f_oneway": ([A, B, C], {}, 256),
    "f_oneway, rows": ([A.T, B.T[:, :20]], {"axis": 1, "keepdims": True}, 256),
    "jarque_bera": ([A], {"axis": 0}, 256),
    "kruskal": ([A[:, 0], B[:20, 0], TIES], {}, 128),
    "kurtosistest": ([A], {}, 512),
    "levene": ([A[:, 0], B[:, 0]], {}, 256),
    "linregress": ([A[:, 0], B[:, 0]], {}, 256),
    "mannwhitneyu": ([TIES, B[:20, 0]], {}, 128),
    "normaltest": ([A], {}, 512),
    "pearsonr": ([A[:, 0], B[:, 0] + A[:, 0]], {}, 256),
    "pearsonr, less": ([A[:, 0], B[:, 0]], {"alternative": "less"}, 256),
    "power_divergence": ([COUNTS, EXPECTED], {"lambda_": "log-likelihood"}, 256),
    "rankdata": ([TIES], {}, 0),
    **{f"rankdata, {each}": ([TIES], {"method": each}, 0) for each in ("min", "dense", "ordinal")},
    "spearmanr, columns": ([A], {}, 256),
    "ranksums": ([TIES, B[:20, 0]], {"alternative": "less"}, 128),
    "skewtest": ([A], {"alternative": "greater"}, 256),
    "spearmanr": ([TIES, B[:, 0]], {}, 256),
    "ttest_1samp": ([A, 0.25], {}, 256),
    "ttest_1samp, all": ([A, 0], {"axis": None, "alternative": "greater"}, 256),
    "ttest_ind": ([A, B[:20]], {}, 256),
    "ttest_ind, Welch": ([A, B[:20]], {"equal_var": False, "alternative": "less"}, 256),
    "ttest_ind_from_stats": ([1.0, 0.5, 20.0, P[0, 0] + 1.0, 0.25, 24.0], {"equal_var": False}, 256),
    "ttest_rel": ([A, B], {}, 256),
}


def on(item, dtype, device="sim:trn2"):
    return xp.asarray(item.astype(dtype), device=device) if isinstance(item, np.ndarray) else item


def wide(item, dtype):
    return item.astype(dtype).astype(float) if isinstance(item, np.ndarray) else item


def leaves(result):
    return [leaf for item in result for leaf in leaves(item)] if isinstance(result, tuple) else [result]


def check(name, arguments, options, roundings, dtype, device="sim:trn2"):
    function = name.partition(",")[0]
    if not hasattr(theirs, function):
        pytest.skip("this SciPy lacks it")
    if any(key not in inspect.signature(getattr(theirs, function)).parameters for key in options):
        pytest.skip("this SciPy has fewer parameters")
    if function == "ttest_ind_from_stats":
        arguments = [np.asarray(item) for item in arguments]
    given = [on(item, dtype, device) for item in arguments], {key: on(item, dtype, device) for key, item in options.items()}
    rounded = [wide(item, dtype) for item in arguments], {key: wide(item, dtype) for key, item in options.items()}
    found, expected = getattr(ours, function)(*given[0], **given[1]), getattr(theirs, function)(*rounded[0], **rounded[1])
    assert not isinstance(expected, tuple) or isinstance(found, type(expected))
    assert len(leaves(found)) == len(leaves(expected))
    for one, other in zip(leaves(found), leaves(expected), strict=True):
        assert np.shape(one) == np.shape(other)
        if isinstance(one, xp.Array):
            assert (one.dtype, str(one.device)) == (dtype, device)
            one = np.asarray(one.to_device("cpu"))
        scale = max(1.0, float(np.max(np.abs(other), initial=0.0)))
        np.testing.assert_allclose(one, other, rtol=0, atol=roundings * U[dtype] * scale)


@pytest.mark.parametrize("name", MOMENTS)
def test_moments(name):
    with xp.config(fallback="error"):
        check(name, *MOMENTS[name], np.float32)


@pytest.mark.parametrize("name", TESTS)
def test_tests(name):
    with xp.config(fallback="error"):
        check(name, *TESTS[name], np.float32)


@pytest.mark.parametrize("name", ["gmean", "kurtosis", "zscore", "trim_mean"])
def test_moments_in_float64(name):
    with xp.config(fallback="error"):
        check(name, *MOMENTS[name], np.float64)


@pytest.mark.parametrize("name", ["ttest_ind, Welch", "chisquare"])
def test_tests_in_float64(name):
    with xp.config(fallback="error"):
        check(name, *TESTS[name], np.float64)


@pytest.mark.parametrize("device", ["sim:trn1", "sim:trn3"])
@pytest.mark.parametrize("table", [MOMENTS, TESTS], ids=["moments", "tests"])
def test_elsewhere(table, device):
    name = "skew" if table is MOMENTS else "ttest_rel"
    check(name, *table[name], np.float32, device)


def test_attributes_of_results():
    a, b = [on(x[:, 0], np.float32) for x in (A, B)]
    x, y = [wide(x[:, 0], np.float32) for x in (A, B)]
    found, expected = ours.linregress(a, b), theirs.linregress(x, y)
    assert float(found.intercept_stderr) == pytest.approx(expected.intercept_stderr, rel=1e-5)
    found, expected = ours.pearsonr(a, b), theirs.pearsonr(x, y)
    np.testing.assert_allclose([*map(float, found.confidence_interval(0.9))], [*expected.confidence_interval(0.9)], atol=1e-6)
    with xp.config(fallback="error"):
        for alternative in ("two-sided", "less"):
            found, expected = ours.ttest_ind(a, b, alternative=alternative), theirs.ttest_ind(x, y, alternative=alternative)
            assert float(found.df) == expected.df
            np.testing.assert_allclose([*map(float, found.confidence_interval())], [*expected.confidence_interval()], rtol=1e-5)


def test_constant_samples():
    x = np.full((12, 2), 0.1, np.float32)
    x[:, 1] = rng.standard_normal(12)
    with xp.config(fallback="error"):
        for name in ("skew", "kurtosis", "zscore"):
            found = np.asarray(getattr(ours, name)(on(x, np.float32)).to_device("cpu"))
            assert np.array_equal(np.isnan(found), np.broadcast_to([True, False], found.shape))
        assert np.isnan(float(ours.pearsonr(on(x[:, 0], np.float32), on(x[:, 1], np.float32)).statistic))
        assert np.isinf(float(ours.f_oneway(on(x[:, 0], np.float32), on(x[:, 0] + 1, np.float32)).statistic))


def test_what_is_left_to_scipy():
    a = on(A, np.float32)
    with xp.config(fallback="error"):
        for call in (
            lambda: ours.skew(a, nan_policy="omit"),
            lambda: ours.ttest_ind(a, a, trim=0.1),
            lambda: ours.chisquare(a, 2 * a),
            lambda: ours.entropy(a, base="2"),
            lambda: ours.mode(a),
            lambda: ours.tmean(a, (90, None)),
        ):
            with pytest.raises(xp.FallbackError, match="would run on the host"):
                call()
    with xp.config(fallback="allow"), pytest.raises(ValueError, match="sum of the observed frequencies|must agree"):
        ours.chisquare(xp.abs(a), 2 * xp.abs(a))


def test_the_likeliest_powers():
    """A maximum is flat: within the root of the roundoff of its value, as in all searches."""
    for name, x in (("boxcox", P[:, 0]), ("yeojohnson", A[:, 0])):
        with xp.config(fallback="error"):
            found, power = getattr(ours, name)(on(x, np.float32))
        expected, best = getattr(theirs, name)(x.astype(np.float32).astype(float))
        assert power == pytest.approx(best, abs=8 * 2.0**-12)
        np.testing.assert_allclose(found.tolist(), expected, atol=64 * 2.0**-12)


def test_integers_and_float16():
    with xp.config(fallback="error"):
        found = ours.skew(xp.asarray([1, 2, 3, 9], device="sim:trn2"))
        assert (found.dtype, float(found)) == (np.float32, pytest.approx(theirs.skew([1, 2, 3, 9]), abs=1e-6))
        assert ours.zscore(xp.asarray([1.0, 2.0, 4.0], dtype=xp.float16, device="sim:trn2")).dtype == np.float16


def test_tables_and_truth_values():
    """What gives numbers beside Arrays, or takes truth values."""
    table, group, x = COUNTS[:3].astype(np.float32), A[:, 0] > 0.5, B[:, 0].astype(np.float32)
    with xp.config(fallback="error"):
        found, expected = ours.chi2_contingency(on(table, np.float32)), theirs.chi2_contingency(table.astype(float))
        assert isinstance(found, type(expected))
        assert found.dof == expected.dof
        for one, other in zip((found[0], found[1], found[3]), (expected[0], expected[1], expected[3]), strict=True):
            np.testing.assert_allclose(np.asarray(one.to_device("cpu")), other, rtol=256 * 2.0**-24)
        found = ours.pointbiserialr(xp.asarray(group, device="sim:trn2"), on(x, np.float32))
        expected = theirs.pointbiserialr(group, x.astype(float))
        np.testing.assert_allclose([float(each) for each in found], [*expected], rtol=256 * 2.0**-24)
        trimmed = np.asarray(ours.trimboth(on(x, np.float32), 0.1).to_device("cpu"))
    np.testing.assert_array_equal(trimmed, np.sort(theirs.trimboth(x, 0.1)))
