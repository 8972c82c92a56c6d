"""Functions of complex numbers on the device, special values included, against the host engine."""

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends import simulator
from trnarray.backends.simulator.knobs import Knobs

from .beside_host import DEVICE, assert_near, assert_same, run

PARTS = np.array([0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan, 1e-30, 3e38, 2.0**-126], np.float32)
NUMBERS = np.array([complex(a, b) for a in PARTS for b in PARTS]).astype(np.complex64)


def pairs(count=3000):
    rng = np.random.default_rng(1)
    random = (rng.standard_normal((2, 500)) + 1j * rng.standard_normal((2, 500))).astype(np.complex64)
    first, second = (np.concatenate([rng.choice(NUMBERS, count), part]) for part in random)
    return first, second


@pytest.mark.parametrize("name", ["maximum", "minimum", "fmax", "fmin"])
def test_functions_of_two_numbers(name):
    with np.errstate(all="ignore"):
        assert_same(getattr(xp, name), *pairs())


HUGE = np.float32(2.0**125)


def are_huge(*operands):
    """Finite numbers of which some part is beyond what NumPy divides well."""
    largest = np.maximum.reduce([np.abs(part) for z in operands for part in (z.real, z.imag)])
    return np.isfinite(largest) & (largest > HUGE)


def test_quotients():
    x, y = pairs()
    with np.errstate(all="ignore"):
        usual = ~are_huge(x, y)
        assert_same(xp.divide, x[usual], y[usual])


@pytest.mark.parametrize("denormals", ["keep", "flush"])
def test_quotients_of_huge_numbers(denormals):
    """Those of Smith's method with a few roundings: 8 u of the modulus, and what is subnormal may be 0."""
    rng = np.random.default_rng(3)
    x, y = ((rng.uniform(-3.4e38, 3.4e38, 2000) + 1j * rng.uniform(-3.4e38, 3.4e38, 2000)).astype(np.complex64) for _ in range(2))
    x[:500] *= np.exp2(rng.uniform(-100, 0, 500)).astype(np.float32)
    y[500:1000] *= np.exp2(rng.uniform(-100, 0, 500)).astype(np.float32)
    y[1000:1500] *= np.exp2(rng.uniform(-128, -124, 500)).astype(np.float32)  # quotients of about 1e38
    knobs = Knobs(**{f"denormals_{engine}": denormals for engine in ("pe", "dve", "act", "pool")})
    with simulator.options("trn2", knobs=knobs), xp.config(fallback="error"):
        found = np.asarray((xp.asarray(x, device=DEVICE) / xp.asarray(y, device=DEVICE)).to_device("cpu"))
    exact = x.astype(np.complex128) / y
    held = np.maximum(np.abs(exact.real), np.abs(exact.imag)) < 3.4e38
    assert np.all(np.abs(found - exact)[held] <= 8 * 2.0**-24 * np.abs(exact)[held] + 2.0**-126)


@pytest.mark.parametrize(
    "name", ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "logical_and", "logical_or", "logical_xor"]
)
def test_comparisons(name):
    assert_same(getattr(xp, name), *pairs())


@pytest.mark.parametrize("name", ["reciprocal", "logical_not", "isfinite", "isinf", "isnan"])
def test_functions_of_one_number(name):
    assert_same(getattr(xp, name), pairs()[0])


def test_magnitudes():
    """Two squares, a sum and a root, each rounded, and the host's own rounding: 3 units in the last place."""
    x = pairs()[0]
    (mine,), (theirs,) = run(xp.abs, x)
    finite = np.isfinite(theirs)
    assert np.array_equal(mine[~finite], theirs[~finite], equal_nan=True)
    assert np.all(np.abs(mine[finite].astype(np.float64) - theirs[finite]) <= 3 * np.spacing(theirs[finite]))


@pytest.mark.parametrize("length", [1, 2, 5, 33])
def test_products_and_extremes_along_axes(length):
    rng = np.random.default_rng(length)
    x = (rng.uniform(0.5, 1, (3, length)) * np.exp(1j * rng.uniform(0, 6, (3, length)))).astype(np.complex64)
    assert_same(lambda y: (xp.max(y, axis=1), xp.min(y, axis=0), xp.max(y)), x)
    # Each product of complex numbers errs by at most sqrt(8) roundings, here and on the host.
    bound = 2 * length * 2.9 * 2.0**-24
    assert_near(lambda y: xp.prod(y, axis=1), bound, x)
    assert_near(lambda y: xp.cumprod(y, axis=1), bound, x)


def test_numbers_and_broadcasts():
    x = pairs(120)[0]
    x = x[~are_huge(x)][:60].reshape(6, 10)
    with np.errstate(all="ignore"):
        assert_same(lambda y: (y / (2 - 1j), (1 + 1j) / y, y / y[:1], y == 1j, xp.maximum(y, 0.5)), x)
