"""Medians and quantiles on the device, against the host engine, with no fallback."""

import numpy as np
import pytest

import trnarray as xp

from .beside_host import DEVICE, U, assert_near, assert_same, place, samples

METHODS = [
    "linear", "lower", "higher", "nearest", "midpoint", "inverted_cdf", "averaged_inverted_cdf", "closest_observation",
    "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased", "normal_unbiased",
]  # fmt: skip
CASES = {
    "median": lambda x: xp.median(x, axis=0),
    "median of all": xp.median,
    "nanmedian": lambda x: xp.nanmedian(x, axis=1, keepdims=True),
    "quantile": lambda x: xp.quantile(x, 0.3, axis=(0, 1)),
    "percentile": lambda x: xp.percentile(x, [30, 5, 95], axis=-1, keepdims=True),
    "nanquantile": lambda x: xp.nanquantile(x, 0.7, axis=0),
    "nanpercentile": lambda x: xp.nanpercentile(x, [[0, 50], [25, 100]], axis=1),
    "end": lambda x: xp.quantile(x, 1, axis=0),
}


def numbers(dtype, nan):
    x = samples((6, 5), np.dtype(dtype), special=False)
    if nan:
        x[::2, 1], x[1, 3:], x[:, 0] = np.nan, np.nan, np.nan
    return x


@pytest.mark.parametrize(("name", "number"), [(name, number) for number, name in enumerate(CASES)])
def test_quantiles(name, number):
    """Within the rounding of float32, where the host computes with float64; narrow floats are rounded once more."""
    for dtype, bound in (("float32", 32 * U), (["int16", "uint32", "float16"][number % 3], 2.0**-7)):
        for nan in (False, True) if dtype.startswith("float") else (False,):
            with np.errstate(invalid="ignore"):
                assert_near(CASES[name], bound, numbers(dtype, nan))


@pytest.mark.parametrize("name", ["median", "nanmedian"])
def test_medians_of_complex_numbers(name):
    for nan in (False, True):
        x = numbers("complex64", nan)
        assert_same(lambda x: getattr(xp, name)(x, axis=0, keepdims=True), x[: 5 + nan])


@pytest.mark.parametrize("method", METHODS)
def test_methods(method):
    x = numbers("float32", nan=True)[:, 1:]
    for q in (0.0, [0.1, 0.35, 0.5, 0.8], 1.0):
        assert_near(lambda x, q=q: xp.nanquantile(x, q, axis=0, method=method), 32 * U, x)
    assert_near(lambda x: xp.quantile(x, 0.4, method=method), 32 * U, samples((9,), np.dtype(np.int32)))


def test_many_probabilities_and_long_rows():
    x = np.random.default_rng(1).standard_normal((2, 3000)).astype(np.float32)
    x[0, ::7] = np.nan
    q = np.linspace(0, 1, 20)
    assert_near(lambda x: xp.nanquantile(x, q.tolist(), axis=1), 16 * U, x)
    assert_near(lambda x: xp.quantile(x, q.tolist(), axis=1), 16 * U, x)


def test_large_numbers():
    """What is infinite is so for NumPy, too."""
    x = np.asarray([3e38, 3e38, np.inf, -np.inf, np.nan], np.float32)
    for call in (lambda x: xp.nanmedian(x[:1]), lambda x: xp.nanmedian(x[:3]), lambda x: xp.median(x[:4]), xp.nanmedian):
        assert_same(call, x)


def test_nothing():
    x = np.zeros((0, 3), np.float32)
    for call in (lambda x: xp.median(x, axis=0), lambda x: xp.nanquantile(x, [0.1], axis=0), lambda x: xp.median(x, axis=1)):
        with np.errstate(all="ignore"):
            assert_near(call, 0, x)
    with xp.config(fallback="error"), pytest.raises(IndexError, match="no elements"):
        xp.quantile(place(x, DEVICE), 0.5)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: xp.quantile(x, 1.5), ValueError, r"range \[0, 1\]"),
        (lambda x: xp.percentile(x, [101]), ValueError, r"range \[0, 100\]"),
        (lambda x: xp.quantile(x, 0.5, method="no such"), ValueError, "not a valid method"),
        (lambda x: xp.quantile(x > 0, 0.5), TypeError, "between True and False"),
        (lambda x: xp.median(x, axis=2), np.exceptions.AxisError, "out of bounds"),
    ],
)
def test_errors(call, error, message):
    with xp.config(fallback="error"), pytest.raises(error, match=message):
        call(place(samples((2, 3), np.dtype(np.float32)), DEVICE))
