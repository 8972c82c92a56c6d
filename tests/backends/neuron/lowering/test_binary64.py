"""float64 and complex128 on the device: NumPy's bits, with no fallback."""

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends import simulator
from trnarray.backends.simulator.knobs import Knobs

from ..kernels.binary64.numbers import pairs
from .beside_host import assert_same

CALLS = {
    "sums": lambda x, y: (x + y, x - y, -x, +x),
    "products": lambda x, y: (x * y, x / y, np.square(x), np.reciprocal(y)),
    "comparisons": lambda x, y: (x == y, x != y, x < y, x <= y, x > y, x >= y),
    "choices": lambda x, y: (np.where(x < y, x, y), np.clip(x, -1.0, y), np.clip(x, None, 7.5)),
    "signs": lambda x, y: (abs(x), np.sign(x), np.copysign(x, y), np.signbit(x), np.conjugate(x)),
    "signs of a number": lambda x, y: (np.copysign(0.1, x), np.copysign(y[3], x), np.copysign(x, -1), np.nextafter(0.1, x)),
    "kinds": lambda x, _: (np.isnan(x), np.isinf(x), np.isfinite(x)),
    "integral": lambda x, _: (np.floor(x), np.ceil(x), np.trunc(x), np.rint(x)),
    "neighbours": lambda x, y: (np.nextafter(x, y), np.spacing(x)),
    "truths": lambda x, y: (np.logical_and(x, y), np.logical_or(x, y), np.logical_xor(x, y), np.logical_not(x), x.astype(bool)),
    "numbers": lambda x, _: (x * 2, 1 / x, 0.1 - x, x > 0.3, x**2),
    "chain": lambda x, y: x * y + y * y - x,
    "casts": lambda x, _: (x.astype(np.float32), x.astype(np.float16)),
}


@pytest.mark.parametrize("call", CALLS)
def test_pairs(call):
    x, y = pairs(1200, 11)
    with np.errstate(all="ignore"):
        assert_same(CALLS[call], x, y)


def test_views_broadcasts_and_outputs():
    x = np.arange(-12.0, 12).reshape(4, 6) / 7

    def call(a, out):
        out += a
        out[1:3] *= 1.1
        return a[1:] * a[:1], a.T - 7, np.add(a, 1e40, out=out), out, a[::-1, ::2] / 3

    assert_same(call, x, np.zeros_like(x), views=("strided",))


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int32", "uint32", "int64", "uint64", "float16", "float32"])
def test_casts_to_float64(dtype):
    kind = np.dtype(dtype)
    numbers = np.arange(-3, 3).astype(kind) if kind.kind != "i" else np.array([0, -1, 5, np.iinfo(kind).min, np.iinfo(kind).max], kind)
    assert_same(lambda x: (x.astype(np.float64), x.astype(np.complex128)), numbers, wide=True)


def test_casts_from_float64():
    x = np.array([0.0, -0.9, 2.5, -100.25, 127.0])
    assert_same(lambda x: tuple(x.astype(dtype) for dtype in (np.int8, np.int16, np.int32, np.int64, np.complex64, np.complex128)), x)
    assert_same(lambda x: tuple(x.astype(dtype) for dtype in (np.uint8, np.uint32, np.uint64)), abs(x))
    assert_same(lambda x: (x + 0.1, 2 * x), np.array([2**63 - 1, -(2**53) - 1, 3])[:, None] + np.zeros(3))


def test_where_integers_do_not_wrap_it_refuses():
    """Arithmetic modulo 2**32 is what everything rests on."""
    x = xp.asarray(np.array([1.5, 2.5]), device="sim:trn2")
    saturating = Knobs(gpsimd_overflow="saturate")
    with simulator.options("trn2", knobs=saturating), pytest.raises(RuntimeError, match='config\\(float64="host"\\)'):
        np.asarray((x * x).to_device("cpu"))


def test_the_setting_leaves_it_to_the_host():
    x = xp.asarray(np.array([1.5, 2.5]), device="sim:trn2")
    with xp.config(float64="host", fallback="error"), pytest.raises(xp.FallbackError, match='float64="host"'):
        x * x
    with xp.config(float64="host", fallback="allow"):
        np.testing.assert_array_equal(np.asarray((x * x).to_device("cpu")), [2.25, 6.25])


def index(result):
    """Positions have the device's default dtype, which is narrower."""
    return xp.asarray(result).astype(np.int64)


REDUCTIONS = {
    "extremes": lambda x: (x.max(axis=1), x.min(axis=0), index(np.argmax(x, axis=1)), index(np.argmin(x)), np.max(x), np.ptp(x, axis=0)),
    "exact": lambda x: (index(np.count_nonzero(x)), np.any(x), np.all(x, axis=0), np.sum(np.round(x)), np.prod(np.sign(x), axis=1)),
    "masked": lambda x: (np.max(x, initial=0.5, where=x < 3), np.sum(np.rint(x), axis=0, where=x > 0, initial=2.0)),
}


@pytest.mark.parametrize("call", REDUCTIONS)
def test_reductions(call):
    x = np.random.default_rng(5).standard_normal((7, 33)) * 100
    x[2, 5], x[3, 4] = 0.0, -0.0
    assert_same(REDUCTIONS[call], x)


def test_extremes_are_nan_where_there_is_one():
    x = np.random.default_rng(6).standard_normal((4, 9))
    x[1, 3] = x[1, 7] = np.nan
    assert_same(lambda x: (np.max(x, axis=1), np.min(x), index(np.argmax(x, axis=1)), index(np.argmin(x, axis=0))), x)


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_sums_in_pairs(dtype):
    """An element takes part in ceil(log2(n)) sums and in the one with 0, each rounded by half a unit; NumPy's own sums err alike."""
    rng = np.random.default_rng(7)
    x = rng.standard_normal((3, 1000)) * np.exp(rng.standard_normal((3, 1000)) * 5)
    x = x.astype(dtype) + (1j * x[::-1] if dtype == "complex128" else 0)
    exact = x.astype(np.clongdouble if dtype == "complex128" else np.longdouble)
    sizes = np.abs(x).sum(1)
    with xp.config(fallback="error"):
        y = xp.asarray(x, device="sim:trn2")
        total, mean, variance, deviation = (np.asarray(item.to_device("cpu")) for item in (y.sum(1), y.mean(1), y.var(1), y.std(1, ddof=1)))
    u = 2.0**-53
    assert np.all(np.abs(total - exact.sum(1)) <= 12 * u * sizes)
    assert np.all(np.abs(mean - exact.mean(1)) <= 13 * u * sizes / 1000)
    # squares of deviations err by the mean's error and four roundings more; a root halves that
    np.testing.assert_allclose(variance, exact.var(1), rtol=30 * u)
    np.testing.assert_allclose(deviation, exact.std(1, ddof=1), rtol=20 * u)


def test_complex128():
    rng = np.random.default_rng(8)
    x, y = rng.standard_normal((2, 40)) + 1j * rng.standard_normal((2, 40))
    x[:4], y[:4] = [0, np.inf, complex(np.nan, 1), 1e300], [0, 1, 2, 1e300j]
    assert_same(lambda x, y: (x + y, x - y, -x, np.conj(x), x == y, x != y, x.real * y.imag, np.isnan(x), np.where(x.real > 0, x, y)), x, y)
    assert_same(lambda x, y: (x * 2, x + 1, 1j * y), x, y)


def test_complex128_products_round_four_products_and_quotients_are_numpys():
    rng = np.random.default_rng(9)
    x, y = rng.standard_normal((2, 60)) + 1j * rng.standard_normal((2, 60))
    with xp.config(fallback="error"):
        a, b = (xp.asarray(item, device="sim:trn2") for item in (x, y))
        product, quotient, size = (np.asarray(item.to_device("cpu")) for item in (a * b, a / b, abs(a)))
    np.testing.assert_array_equal(product.real, x.real * y.real - x.imag * y.imag)
    np.testing.assert_array_equal(product.imag, x.real * y.imag + x.imag * y.real)
    np.testing.assert_array_equal(quotient, x / y)
    np.testing.assert_allclose(size, np.abs(x), rtol=4 * 2.0**-53)  # two squares, a sum and a root; and NumPy's unit


def numbers_with_ties(dtype, count=70):
    rng = np.random.default_rng(12)
    if dtype in ("int64", "uint64"):
        near = rng.integers(0, 3, count) + np.array([0, 2**31, 2**32, 2**53, 2**62])[rng.integers(0, 5, count)]
        return np.where(rng.integers(0, 2, count) == 1, near, -near).astype(dtype) if dtype == "int64" else near.astype(dtype) * 2
    x = np.array([0.0, -0.0, 1 + 2.0**-52, 1.0, -1.0, 5e-324, -5e-324, np.inf, -np.inf, 1e300])[rng.integers(0, 10, count)]
    x = np.where(rng.integers(0, 3, count) == 0, rng.standard_normal(count), x)
    x[:3] = np.nan, -np.nan, np.nan
    with np.errstate(invalid="ignore"):
        return x if dtype == "float64" else x[rng.permutation(count)] + 1j * x


ORDERS = {
    "sort": lambda x: (np.sort(x), np.sort(x.reshape(7, 10), axis=0)),
    "argsort": lambda x: (index(np.argsort(x, kind="stable")), index(np.argsort(x.reshape(7, 10), axis=0, kind="stable"))),
    "search": lambda x: (index(np.searchsorted(np.sort(x), x)), index(np.searchsorted(np.sort(x), x, side="right"))),
    "sets": lambda x: (np.unique(x[3:]), np.intersect1d(x[3:30], x[10:])),
}


@pytest.mark.parametrize("dtype", ["float64", "int64", "uint64", "complex128"])
@pytest.mark.parametrize("call", ORDERS)
def test_orders(call, dtype):
    assert_same(ORDERS[call], numbers_with_ties(dtype))


def test_quantiles_are_of_float64():
    x = np.random.default_rng(13).standard_normal(41)

    def call(x):
        return np.median(x), np.percentile(x, 30.1), np.quantile(x, [0.1, 0.77]), np.median(x.reshape(1, 41)[:, 1:], axis=1)

    assert_same(call, x)


def test_fractions_and_exponents():
    x, _ = pairs(600, 14)
    by = np.random.default_rng(15).integers(-1100, 1100, 600).astype(np.int32)
    with np.errstate(all="ignore"):
        assert_same(lambda x, by: (np.ldexp(x, by), np.ldexp(x, 3), np.frexp(x)[0], np.frexp(x)[1].astype(np.int64)), x, by)
        wide = by.astype(np.int64) << np.where(by % 5, 0, 33)  # of which 32 bits would be small, or of the other sign
        assert_same(lambda x, by: (np.ldexp(x, by), np.ldexp(x.astype(np.float32), by)), x, wide)


def test_running_sums_double_their_reach():
    """Each is made of log2(n) sums, as exact as those in pairs."""
    x = np.random.default_rng(16).standard_normal((3, 50))
    with xp.config(fallback="error"):
        found = np.asarray(xp.cumsum(xp.asarray(x, device="sim:trn2"), axis=1).to_device("cpu"))
    exact = np.cumsum(x.astype(np.longdouble), axis=1)
    assert np.all(np.abs(found - exact) <= 7 * 2.0**-53 * np.cumsum(np.abs(x), axis=1))
    assert_same(lambda x: (np.cumsum(np.rint(x), axis=0), np.round(x, 2), np.diff(x), np.cumprod(np.sign(x), axis=1)), x)


DIVISIONS = {
    "floor_divide": lambda x, y: (x // y, np.divmod(x, y)[0]),
    "remainder": lambda x, y: (x % y, np.divmod(x, y)[1]),
    "fmod": np.fmod,
}


@pytest.mark.parametrize("call", DIVISIONS)
def test_divisions(call):
    x, y = pairs(500, 17)
    with np.errstate(all="ignore"):
        assert_same(DIVISIONS[call], x, y)


@pytest.mark.parametrize("dtype", ["int64", "uint64"])
@pytest.mark.parametrize("call", DIVISIONS)
def test_divisions_of_integers(call, dtype):
    rng = np.random.default_rng(18)
    x, y = rng.integers(0, 2**64, (2, 600), dtype=np.uint64) >> rng.integers(0, 64, (2, 600)).astype(np.uint64)
    x[::5] = y[::5] * (x[::5] % np.uint64(99)) - x[::5] % np.uint64(2)
    x[:8], y[:8] = 2**63, [1, 2**64 - 1, 0, 3, 2**63, 2**63 + 1, 2**32, 7]
    with np.errstate(all="ignore"):
        assert_same(DIVISIONS[call], x.view(dtype), y.view(dtype))
