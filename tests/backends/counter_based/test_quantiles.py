"""Quantile functions and their tables, against mpmath's inverses and SciPy's distributions in float64."""

import hashlib

import numpy as np
import pytest
from scipy import stats

from trnarray.backends.counter_based.float64_quantiles import WideTable, wide_table
from trnarray.backends.counter_based.quantiles import QUANTILES, table

# Name, parameters, SciPy's distribution.
DISTRIBUTIONS = [
    ("normal", (), stats.norm),
    ("exponential", (), stats.expon),
    ("rayleigh", (), stats.rayleigh),
    ("logistic", (), stats.logistic),
    ("laplace", (), stats.laplace),
    ("cauchy", (), stats.cauchy),
    ("gumbel", (), stats.gumbel_r),
    ("weibull", (0.5,), stats.weibull_min(0.5)),
    ("weibull", (5.0,), stats.weibull_min(5.0)),
    ("pareto", (3.0,), stats.lomax(3.0)),
    ("power", (0.5,), stats.powerlaw(0.5)),
    ("power", (3.0,), stats.powerlaw(3.0)),
    ("gamma", (0.5,), stats.gamma(0.5)),
    ("gamma", (2.5,), stats.gamma(2.5)),
    ("gamma", (1000.0,), stats.gamma(1000.0)),
    ("beta", (2.0, 3.0), stats.beta(2.0, 3.0)),
    ("beta", (50.0, 0.9), stats.beta(50.0, 0.9)),
    ("standard_t", (1.5,), stats.t(1.5)),
    ("standard_t", (5.0,), stats.t(5.0)),
    ("f", (3.0, 7.5), stats.f(3.0, 7.5)),
]


def words():
    """Random ones, and those of all magnitudes from both ends."""
    some = np.random.default_rng(1).integers(0, 2**32, 20000, dtype=np.uint32)
    tails = np.concatenate([np.arange(300), *(some[:200] >> bits for bits in range(31))]).astype(np.uint32)
    return np.concatenate([some, tails, ~tails, tails | np.uint32(1 << 31), ~tails & np.uint32(0x7FFFFFFF)])


@pytest.mark.parametrize(("name", "parameters", "reference"), DISTRIBUTIONS)
def test_tables_are_accurate(name, parameters, reference):
    sides = QUANTILES[name].sides
    x = words()
    got = table(name, *parameters).evaluate(x).astype(np.float64)
    if sides == "one":
        p = (x + 0.5) * 2.0**-32
        want = np.where(p < 0.5, reference.isf(p), reference.ppf(1 - p)) if name != "power" else reference.ppf(p)
    else:
        p, upper = ((x & 0x7FFFFFFF) + 0.5) * 2.0**-32, (x >> 31) == (1 if sides == "two" else 0)
        want = np.where(upper, reference.isf(p), reference.ppf(p))
    # Half a unit for each of three sums of float32, and as much for the piece, of the value or of a typical one.
    np.testing.assert_array_less(np.abs(got - want), 2.0**-21 * (np.abs(want) + np.median(np.abs(want))))


@pytest.mark.parametrize(
    ("name", "parameters", "reference"), [row for row in DISTRIBUTIONS if not row[1] or row[0] in ("power", "weibull")]
)
def test_tables_of_float64_are_accurate(name, parameters, reference):
    """To 6 units of the value or of a typical one: two references, one of them through 7 nodes, which doubles its error, and two sums."""
    first = words()
    second = np.random.default_rng(2).permutation(first)
    sides, got = QUANTILES[name].sides, wide_table(name, *parameters).evaluate(first, second)
    tail = first if sides == "one" else first & np.uint32(0x7FFFFFFF)
    p, upper = tail * 2.0**-32 + (second + 0.5) * 2.0**-64, (first >> 31) == (1 if sides == "two" else 0)
    want = np.where(upper | (sides == "one"), reference.isf(p), reference.ppf(p))
    if name == "power":  # whose p is that of what is smaller
        want = reference.ppf(p)
    if name == "cauchy":  # older SciPy cancels in its tails
        want = np.where(upper, 1, -1) / np.tan(np.longdouble("3.14159265358979323846264") * p)
    off = np.abs(got - want)
    assert np.max(off / (np.abs(want) + np.median(np.abs(want)))) < 6 * 2.0**-53
    assert sides != "one" or got.min() >= 0


@pytest.mark.parametrize(("name", "parameters"), [("normal", ()), ("pareto", (3.0,)), ("gamma", (0.75,)), ("f", (3.0, 7.5))])
def test_pieces_are_fitted_where_numbers_are(name, parameters):
    first, second = words()[:20000:400], words()[1:20000:400]
    whole, some = WideTable(name, *parameters), WideTable(name, *parameters)
    assert np.isfinite(whole.rows).all()
    got = [some.evaluate(first[place : place + 3], second[place : place + 3]) for place in range(0, 50, 3)]
    np.testing.assert_array_equal(np.concatenate(got), whole.evaluate(first, second))
    ends = np.array([0, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF], np.uint32)
    np.testing.assert_array_equal(some.evaluate(ends, ends), whole.evaluate(ends, ends))


def test_normals_are_accurate_in_the_tails():
    """Absolutely to 2**-21, out to the last word, which is 6.3 standard deviations away."""
    x = words()
    p = ((x & 0x7FFFFFFF) + 0.5) * 2.0**-32
    want = np.where(x >> 31, 1, -1) * stats.norm.ppf(p)
    got = table("normal").evaluate(x)
    assert np.max(np.abs(got - want)) < 2.0**-21
    assert got.min() < -6.33
    assert got.max() > 6.33


@pytest.mark.parametrize(("name", "reference"), [("normal", stats.norm), ("exponential", stats.expon), ("laplace", stats.laplace)])
def test_rare_numbers_have_a_second_word(name, reference):
    """Out to probabilities of 2**-65: as accurate as others, and of all sizes; without it there are 1024 of them."""
    words = np.repeat(np.array([0, 1, 2, 7, 100, 1023, 1024], np.uint32), 64) | np.uint32(0 if name == "exponential" else 1 << 31)
    second = np.tile(np.array([0, 1, 2, 0xFFFFFFFF, *range(60)], np.uint32) << np.uint32(3), 7)
    got = table(name).evaluate(words, lambda places: second[places]).astype(np.float64)
    p = (words & 0x7FFFFFFF) * 2.0**-32 + np.where((words & 0x7FFFFFFF) < 1024, (second + 0.5) * 2.0**-64, 2.0**-33)
    np.testing.assert_allclose(np.abs(got), reference.isf(p), rtol=2.0**-21)
    assert len(set(got[:64].tolist())) > 60
    if name == "normal":
        assert 9.1 < -got.min() < 9.2


def test_normals_come_at_the_right_rate():
    """Count the words beyond some standard deviations, by bisection: the table is monotone there up to a unit."""
    for sigma in (3, 4, 5, 6):
        low, high = 0, 2**31
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if -table("normal").evaluate(np.array([middle | 1 << 31], np.uint32))[0] > sigma else (low, middle)
        assert abs(high * 2.0**-32 / stats.norm.sf(sigma) - 1) < (0.0002 if sigma < 6 else 0.06)


@pytest.mark.parametrize(
    ("name", "digest"), [("normal", "49baf2fda06a1ef8"), ("exponential", "c5648243570ce0a9")]
)
def test_tables_have_the_same_bits_everywhere(name, digest):
    assert hashlib.sha256(table(name).rows.astype("<f4").tobytes()).hexdigest()[:16] == digest


def test_what_no_table_is_accurate_for_has_none():
    assert table("gamma", 0.01) is None
    assert table("weibull", 0.01) is None
