"""Tests of signs, orders and ranks on devices against SciPy's in float64."""

import itertools

import numpy as np
import pytest
from scipy import stats as theirs

import trnarray as xp
from trnarray._scipy_compositions.rank_tests import _inversions, _signed_ranks
from trnarray.scipy import stats as ours

U = 2.0**-24
rng = np.random.default_rng(3)
A = np.float32(rng.standard_normal(20))
B = np.float32(A / 2 + rng.standard_normal(20))
TIED = [np.float32(np.round(x * 2) / 2) for x in (A, B)]
LONG = [np.float32(rng.standard_normal(60) + shift) for shift in (0.0, 0.2)]


def check(name, *args, roundings=32, **options):
    """Statistics are sums of integers, exact but for their scale; probabilities of the normal distribution cost 16 u."""
    with xp.config(fallback="error"):
        found = getattr(ours, name)(*[xp.asarray(x, device="sim:trn2") for x in args], **options)
    expected = getattr(theirs, name)(*[x.astype(float) for x in args], **options)
    assert isinstance(found, type(expected)) or not isinstance(expected, tuple)
    for one, other in zip(*[x if isinstance(x, tuple) else (x,) for x in (found, expected)], strict=True):
        np.testing.assert_allclose(np.asarray(one.to_device("cpu")), other, rtol=roundings * U, atol=U)
    return found


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_kendalls_correlation(alternative):
    check("kendalltau", A, B, alternative=alternative)  # exact
    if alternative != "less":
        found = check("kendalltau", *TIED, alternative=alternative)
        assert found.correlation is found.statistic
    check("kendalltau", A[:5], -A[:5], alternative=alternative)


@pytest.mark.parametrize("n", [3, 6])
def test_orders_are_counted(n):
    wrong = [sum(a > b for a, b in itertools.combinations(order, 2)) for order in itertools.permutations(range(n))]
    for most in range(n):
        assert _inversions(n, most) == np.mean(np.array(wrong) <= most)
    sums = [sum(part) for k in range(n + 1) for part in itertools.combinations(range(1, n + 1), k)]
    assert _signed_ranks(n) == np.bincount(sums).tolist()


def test_signed_ranks():
    for alternative in ("two-sided", "less"):
        check("wilcoxon", A, B, alternative=alternative)  # exact
    check("wilcoxon", *LONG, alternative="greater")
    for zero_method in ("wilcox", "pratt", "zsplit") if "asymptotic" in theirs.wilcoxon.__doc__ else ():  # older ones say "approx"
        check("wilcoxon", *TIED, zero_method=zero_method, correction=True, method="asymptotic")
    with xp.config(fallback="error"), pytest.raises(xp.FallbackError):
        ours.wilcoxon(*[xp.asarray(x, device="sim:trn2") for x in TIED])


def test_other_functions_of_orders():
    check("mood", A, LONG[0], alternative="less")
    check("mode", TIED[0])
    for method in ("separate", "joint"):
        check("theilslopes", B[:9], A[:9], method=method)
    for method in ("bh", "by"):
        check("false_discovery_control", np.float32(rng.uniform(0, 0.2, (2, 5))), axis=1, method=method)
    with xp.config(fallback="error"):
        for name, args in (("mood", TIED), ("theilslopes", TIED), ("mode", [np.arange(4).reshape(2, 2)])):
            with pytest.raises(xp.FallbackError):
                getattr(ours, name)(*[xp.asarray(x, device="sim:trn2") for x in args])


def test_samples_with_nan():
    lost = np.append(A, np.float32(np.nan))
    with xp.config(fallback="error"):
        x, y = (xp.asarray(z, device="sim:trn2") for z in (lost, np.append(B, np.float32(1))))
        for found in (ours.kendalltau(x, y), ours.wilcoxon(x, y, method="asymptotic"), ours.mood(x, y)):
            assert np.isnan(np.asarray(found.pvalue.to_device("cpu")))
