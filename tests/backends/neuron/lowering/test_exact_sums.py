"""Sums of float64 on devices are those of `math.fsum`, in any order and on all targets."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp

rng = np.random.default_rng(42)
ANY = np.sqrt(rng.random(70_000)) * rng.choice([-1, 1], 70_000) * np.exp2(rng.integers(-9, 9, 70_000))


def on(x, target="trn2"):
    return xp.asarray(x, device=f"sim:{target}")


def fetched(x):
    return np.asarray(x.to_device("cpu"))


@pytest.fixture(autouse=True)
def _native():
    with xp.config(fallback="error"):
        yield


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
@pytest.mark.parametrize("count", [1, 2, 3, 130, 4097])
def test_one_rounding(target, count):
    for x in (ANY[:count], rng.permutation(ANY[:count])):
        assert float(fetched(xp.sum(on(x, target)))) == math.fsum(ANY[:count])


@pytest.mark.parametrize("length", [70_000, 1 << 18])  # whose last run is short, and runs of runs
@pytest.mark.parametrize("special", [0.0, np.inf, np.nan])
def test_runs_of_sums(length, special):
    x = np.resize(ANY, length)
    x[-3] += special
    x[length // 2] = 2.0**-30  # small beside the others of its run
    assert np.isnan(special) or float(fetched(xp.sum(on(x)))) == math.fsum(x)
    assert not np.isnan(special) or np.isnan(float(fetched(xp.sum(on(x)))))


@pytest.mark.parametrize("axis", [0, 1, 2, (0, 2), None])
def test_axes(axis):
    x = ANY[: 3 * 41 * 7].reshape(3, 41, 7)
    rows = np.moveaxis(x, axis if axis is not None else (0, 1, 2), range(-np.size(axis if axis is not None else (0, 1, 2)), 0))
    rows = rows.reshape(*np.sum(x, axis=axis).shape, -1)
    expected = np.array([math.fsum(row) for row in rows.reshape(-1, rows.shape[-1])]).reshape(rows.shape[:-1])
    np.testing.assert_array_equal(fetched(xp.sum(on(x), axis=axis)), expected)
    np.testing.assert_array_equal(fetched(xp.mean(on(x), axis=axis)), expected / rows.shape[-1])


def test_views_and_complex_numbers():
    x = ANY[:600].reshape(20, 30)
    assert float(fetched(xp.sum(on(x)[::-2, 1::3]))) == math.fsum(x[::-2, 1::3].ravel())
    z = x[:10] + 1j * x[10:]
    assert complex(fetched(xp.sum(on(z)))) == complex(math.fsum(x[:10].ravel()), math.fsum(x[10:].ravel()))


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ([], 0.0), ([-0.0, -0.0], 0.0), ([1.0, -1.0], 0.0), ([5e-324, 5e-324, -1e-310], -1e-310 + 1e-323), ([1e308, 1e308], math.inf),
        ([1e308, 1e308, -1e308], 1e308), ([math.inf, 1.0], math.inf), ([-math.inf, 1.0], -math.inf), ([math.inf, -math.inf], math.nan),
        ([math.nan, math.inf], math.nan), ([1.0, 2.0**-53], 1.0), ([1.0, 2.0**-53, 2.0**-93], 1 + 2.0**-52), ([-1.0, 2.0**-54], -1.0),
    ],
)  # fmt: skip
def test_ends(numbers, expected):
    found = fetched(xp.sum(on(np.array(numbers, np.float64))))
    np.testing.assert_array_equal(found, expected)
    assert np.signbit(found) == np.signbit(expected) or math.isnan(expected)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, width=64), min_size=2, max_size=30))
def test_any_exponents(numbers):
    """What is below the frame of the largest exponent is cut off: less than 2**-94 of it each."""
    x = np.array(numbers)
    found = float(fetched(xp.sum(on(x))))
    exact = sum(map(Fraction, numbers))
    if abs(exact) < Fraction(2) ** 1023:
        largest = max(2.0**-1022, float(np.max(np.abs(x))))
        assert abs(Fraction(found) - exact) <= Fraction(float(np.spacing(abs(found)))) / 2 + len(numbers) * Fraction(largest) / 2**93


def test_deviations():
    x = ANY[:1000].reshape(4, 250)
    mean = np.array([math.fsum(row) for row in x]) / 250
    expected = np.array([math.fsum((row - one) ** 2) for row, one in zip(x, mean, strict=True)]) / 250
    np.testing.assert_array_equal(fetched(xp.var(on(x), axis=1)), expected)
    np.testing.assert_array_equal(fetched(np.linalg.norm(on(x), axis=1)), np.sqrt([math.fsum(row**2) for row in x]))
