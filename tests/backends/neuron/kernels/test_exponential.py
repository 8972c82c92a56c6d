"""Exponentials and logarithms against float64, over all exponents and special values, and where their coefficients come from."""

import ml_dtypes
import numpy as np
import pytest

from trnarray.backends.neuron.kernels.elementwise import EMITTERS
from trnarray.backends.neuron.kernels.elementwise.exponential import EXP, EXP2, EXPONENTIALS, LOG, TANH

from .elementwise_harness import FLUSHED, FUSED, adversarial, apply

NAMES = [emitter.name for emitter in EXPONENTIALS]
TINY = float(np.finfo(np.float32).tiny)
EDGES = [88.72, 88.73, 89, -87.3, -103.9, -103.98, -104, 127.99, 128, -126, -149, -149.5, -150, -151, 0.5, 1, 2, 10, 1000]


def values(name, rng, size):
    """Bits of all kinds, the range in which results are finite, the neighbourhood of 0 and of 1."""
    finite = rng.uniform(-160, 135, size) if name[0] in "et" else np.exp2(rng.uniform(-149, 128, size))
    near = rng.uniform(-1, 1, size) ** 9
    wide = np.concatenate([finite, near, 1 + near / 2, EDGES]).astype(np.float32)
    found = np.concatenate([adversarial("float32", rng, size), wide])
    return np.resize(found, (128, -(-found.size // 128)))


def distance(found, exact):
    """In units in the last place; 0 where both are the same special value, or where both are too large."""
    with np.errstate(over="ignore", invalid="ignore"):
        rounded = exact.astype(np.float32)
        same = (found == rounded) | (np.isnan(found) & np.isnan(rounded))
        error = np.abs(found.astype(np.float64) - exact) / np.spacing(np.maximum(np.abs(rounded), np.float32(TINY))).astype(np.float64)
    return np.where(same & ~np.isfinite(rounded), 0.0, error)


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
@pytest.mark.parametrize("name", NAMES)
def test_within_the_stated_units(name, target):
    x = values(name, np.random.default_rng(len(name)), 20_000)
    with np.errstate(all="ignore"):
        exact = getattr(np, name)(x.astype(np.float64))
    for knobs in (None, FUSED):
        found = apply(EMITTERS[name].loops["float32"], x, target=target, knobs=knobs)
        assert distance(found, exact).max() <= EMITTERS[name].error


@pytest.mark.parametrize("name", NAMES)
def test_flushing_changes_subnormal_results_only(name):
    x = values(name, np.random.default_rng(3), 20_000)
    kept, flushed = (apply(EMITTERS[name].loops["float32"], x, knobs=knobs) for knobs in (None, FLUSHED))
    differs = ~((kept == flushed) | (np.isnan(kept) & np.isnan(flushed)))
    assert np.all(np.abs(kept[differs]) < TINY)
    assert not flushed[differs].any()


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float8_e5m2"])
@pytest.mark.parametrize("name", NAMES)
def test_low_precision_rounds_once(name, dtype):
    """Every number: within half a unit of the dtype, and what the float32 result's error can add to that."""
    kind = np.dtype(getattr(ml_dtypes, dtype, dtype))
    x = np.arange(2 ** (8 * kind.itemsize), dtype=f"u{kind.itemsize}").view(kind)
    x = x.reshape(min(128, x.size), -1)
    with np.errstate(all="ignore"):
        exact = getattr(np, name)(x.astype(np.float32).astype(np.float64))
        right = exact.astype(np.float32).astype(kind).astype(np.float32)
    found = apply(EMITTERS[name].loops[dtype], x).astype(np.float32)
    same = (found == right) | (np.isnan(found) & np.isnan(right))
    with np.errstate(all="ignore"):
        near = np.abs(found - exact) <= np.abs(right - exact) + 2.0**-21 * np.abs(exact)  # a tie that either rounds to
    assert np.all(same | near)


def remainder_of_exp(r):
    series = 0.5 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r / 720)))
    with np.errstate(all="ignore"):
        return np.where(np.abs(r) < 1e-2, series, (np.expm1(r) - r) / r**2)


def remainder_of_log(f):
    series = np.polynomial.polynomial.polyval(f, [(-1) ** k / (k + 3) for k in range(20)])
    with np.errstate(all="ignore"):
        return np.where(np.abs(f) < 5e-2, series, (np.log1p(f) - f + f * f / 2) / f**3)


LN2 = np.log(2)
def remainder_of_tanh(z):
    x, series = np.sqrt(z), -1 / 3 + z * (2 / 15 + z * (-17 / 315 + z * 62 / 2835))
    with np.errstate(all="ignore"):
        return np.where(z < 2e-3, series, (np.tanh(x) - x) / x**3)


FITS = {  # function, coefficients, interval, power by which the argument weighs an error
    "exp": (remainder_of_exp, EXP, (-LN2 / 2, LN2 / 2), 2),
    "exp2": (lambda r: remainder_of_exp(LN2 * r) * LN2**2, EXP2[1:], (-0.5, 0.5), 2),
    "log": (remainder_of_log, LOG, (np.sqrt(0.5) - 1, np.sqrt(2) - 1), 2),
    "tanh": (remainder_of_tanh, TANH, (0, 0.65**2), 1),
}


@pytest.mark.parametrize("name", FITS)
def test_coefficients(name):
    """Lawson's iteration: least squares with weights that grow where the error is large."""
    function, coefficients, (low, high), power = FITS[name]
    degree = len(coefficients) - 1
    x = (low + high) / 2 + (high - low) / 2 * np.cos(np.pi * (np.arange(2000) + 0.5) / 2000)
    powers, wanted, weights = np.vander(x, degree + 1, increasing=True), function(x), np.full(x.size, 1 / x.size)
    errors = []
    for _ in range(50):
        rows = np.sqrt(weights) * np.abs(x) ** power
        fitted = np.linalg.lstsq(powers * rows[:, None], wanted * rows)[0]
        error = np.abs(powers @ fitted - wanted) * np.abs(x) ** power
        errors.append(error.max())
        weights = weights * error / (weights * error).sum()
    ours = np.abs(powers @ np.array(coefficients) - wanted) * np.abs(x) ** power
    assert ours.max() < 2.0**-24 / 4  # of what is added to 1, or to log(m)
    assert ours.max() < 2 * min(errors)
