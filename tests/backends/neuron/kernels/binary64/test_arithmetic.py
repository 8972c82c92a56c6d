"""float64 from words of 32 bits, bit for bit as NumPy computes it, on all targets and under readings of the documents."""

from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.neuron.function import PAIRS

from ..elementwise_harness import kernel_of
from .numbers import READINGS, SPECIAL, apply, assert_same, joined, pairs, words

COUNT = 128 * 32
BINARY = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": np.divide,
    **{name: getattr(np, name) for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")},
    "maximum": lambda x, y: np.where((x > y) | np.isnan(x), x, y),
    "minimum": lambda x, y: np.where((x < y) | np.isnan(x), x, y),
    "fmax": lambda x, y: np.where((x > y) | np.isnan(y), x, y),
    "fmin": lambda x, y: np.where((x < y) | np.isnan(y), x, y),
}
UNARY = {name: getattr(np, name) for name in ("square", "reciprocal", "sign", "isnan", "isinf", "isfinite", "signbit")}
UNARY["nonzero"] = lambda x: x != 0
INTEGRAL = ("trunc", "rint", "floor", "ceil")
EACH = pytest.mark.parametrize(("target", "knobs"), READINGS, ids=lambda item: item if isinstance(item, str) else "")


@EACH
@pytest.mark.parametrize("name", BINARY)
def test_pairs(name, target, knobs):
    x, y = pairs(COUNT, 1)
    with np.errstate(all="ignore"):
        expected = BINARY[name](x, y)
    assert_same(apply(name, x, y, target=target, knobs=knobs), expected, x, y)


@EACH
@pytest.mark.parametrize("name", UNARY)
def test_single(name, target, knobs):
    x, _ = pairs(COUNT, 2)
    with np.errstate(all="ignore"):
        expected = UNARY[name](x)
    assert_same(apply(name, x, target=target, knobs=knobs), expected, x)


@EACH
def test_roots(target, knobs):
    x, y = pairs(COUNT, 3)
    with np.errstate(all="ignore"):
        square = x**2
        x = np.select([y < -1, y < 1], [np.nextafter(square, 0), np.nextafter(square, np.inf)], x)
        expected = np.sqrt(x)
    assert_same(apply("sqrt", x, target=target, knobs=knobs), expected, x)


def around_integers(count, seed):
    rng = np.random.default_rng(seed)
    x = np.ldexp(1 + rng.random(count), rng.integers(-3, 66, count)) * rng.choice([-1, 1], count)
    half, kind = np.rint(x) + 0.5, rng.integers(0, 5, count)
    x = np.select([kind == 0, kind == 1, kind == 2, kind == 3], [half, np.rint(x), np.nextafter(half, 0), np.nextafter(half, np.inf)], x)
    x[: 2 * SPECIAL.size] = [*SPECIAL, *-SPECIAL]
    return x


@EACH
@pytest.mark.parametrize("name", INTEGRAL)
def test_integral(name, target, knobs):
    x = around_integers(COUNT, 4)
    assert_same(apply(name, x, target=target, knobs=knobs), getattr(np, name)(x), x)


@EACH
@np.errstate(all="ignore")
def test_casts(target, knobs):
    how = {"target": target, "knobs": knobs}
    rng = np.random.default_rng(5)
    x = np.ldexp(1 + rng.random(COUNT), rng.integers(-160, 140, COUNT)) * rng.choice([-1, 1], COUNT)
    ties, kind = x.view(np.uint64) & ~np.uint64(2**29 - 1) | np.uint64(1 << 28), rng.integers(0, 3, COUNT)
    near = ties + rng.integers(-1, 2, COUNT).astype(np.uint64)
    x = np.select([kind == 0, kind == 1], [ties, near], x.view(np.uint64)).view(np.float64)
    x[: 2 * SPECIAL.size] = [*SPECIAL, *-SPECIAL]
    assert_same(apply("to_float32", x, **how), x.astype(np.float32), x)
    for dtype in (np.float16, ml_dtypes.bfloat16):
        odd = apply("to_odd_float32", x, **how).astype(dtype).astype(np.float32)
        assert_same(odd, x.astype(dtype).astype(np.float32), x)
    single = rng.integers(0, 2**32, COUNT, dtype=np.uint32)
    single[::3] &= np.uint32(0x807FFFFF)
    single[:5] = [0, 1 << 31, 1, 0x7F800000, 0xFF800000]
    assert_same(apply("from_float32", single.view(np.float32), **how), single.view(np.float32).astype(np.float64))
    integers = rng.integers(0, 2**64, COUNT, dtype=np.uint64) >> rng.integers(0, 64, COUNT).astype(np.uint64)
    middle = (integers[::3] | np.uint64(2**63)) & ~np.uint64(2**11 - 1) | np.uint64(2**10)  # of two numbers, or next to it
    integers[::3] = (middle + rng.integers(-1, 2, middle.size).astype(np.uint64)) >> rng.integers(0, 11, middle.size).astype(np.uint64)
    integers[:7] = [0, 1, 2**63, 2**64 - 1, 2**53 + 1, 2**54 - 1, 2**54 + 2]
    for dtype in (np.int64, np.uint64):
        numbers = integers.view(dtype)
        assert_same(apply(f"from_{numbers.dtype}", numbers.view(np.float64), **how), numbers.astype(np.float64), numbers)
    x = around_integers(COUNT, 6)
    inside = np.where(np.abs(x) < 2.0**63, x, -(2.0**63))
    assert_same(apply("to_int64", inside, **how).view(np.int64), inside.astype(np.int64), inside)
    inside = np.where(np.abs(x) < 2.0**64, np.abs(x), 0)
    assert_same(apply("to_int64", inside, **how).view(np.uint64), inside.astype(np.uint64), inside)


@EACH
def test_fixed_point(target, knobs):
    rng = np.random.default_rng(7)
    count = 128 * 4
    parts = rng.integers(0, 2**32, (3, count), dtype=np.uint32)
    kind = rng.integers(0, 8, count)
    parts[0][kind < 3], parts[0][kind == 3], parts[1][kind == 1], parts[2][kind == 2] = 0, 2**32 - 1, 0, 0
    parts[:, :3] = [[0, 0, 0], [0, 0, 0], [0, 1, 0]]
    exponents = rng.integers(-1200, 1000, count).astype(np.int32)
    exponents[::2] = rng.integers(-1170, -1060, count // 2)
    found = apply("from_fixed", *parts, exponents.view(np.uint32), target=target, knobs=knobs)
    expected = []
    for high, middle, low, exponent in zip(*parts.tolist(), exponents.tolist(), strict=True):
        number = (high << 64 | middle << 32 | low) - (high >> 31 << 96)
        exact = Fraction(number) * Fraction(2) ** exponent
        try:
            expected.append(exact.numerator / exact.denominator or (-0.0 if number < 0 else 0.0))
        except OverflowError:
            expected.append(np.inf if number > 0 else -np.inf)
    assert_same(found, np.array(expected))


@EACH
def test_powers_of_two(target, knobs):
    x, _ = pairs(COUNT, 8)
    rng = np.random.default_rng(9)
    by = rng.integers(-2200, 2200, COUNT).astype(np.int32)
    by[::2] = rng.integers(-60, 60, COUNT // 2)
    by[:4] = [2**31 - 1, -(2**31), 0, 1]
    with np.errstate(all="ignore"):
        assert_same(apply("ldexp", x, by.view(np.uint32), target=target, knobs=knobs), np.ldexp(x, by), x)
        assert_same(apply("frexp", x, target=target, knobs=knobs), np.frexp(x)[0], x)


def test_scalars_and_short_rows():
    """An operand of one number for each partition, and tiles too short to be divided."""
    x, y = (item.reshape(128, -1) for item in pairs(128 * 6, 10))
    for name, function in (("add", np.add), ("divide", np.divide), ("maximum", BINARY["maximum"])):
        kernel = kernel_of(PAIRS[f"float64.{name}.high"].loops["uint32"], others=("uint32",))
        for left, right in ((x, y[:, :1]), (x[:, :1], y)):
            left, right = map(np.ascontiguousarray, (left, right))
            with simulator.options("trn2"), np.errstate(all="ignore"):
                assert_same(joined(*kernel(*words(left), *words(right))).ravel(), function(left, right).ravel())


@EACH
def test_sums_of_limbs(target, knobs):
    """Integers of 16-bit limbs, the last one signed, times a power of two; infinities and NaN beside them."""
    rng = np.random.default_rng(9)
    count = 128 * 2
    limbs = rng.integers(0, 2**32, (6, count), dtype=np.uint64).astype(np.uint32)
    limbs[:, ::5] >>= rng.integers(0, 32, limbs[:, ::5].shape).astype(np.uint32)
    last = (rng.integers(-(2**31), 2**31, count) >> rng.integers(0, 32, count)).astype(np.int32)
    limbs[2:, ::3], last[::3], last[1::3] = 0, 0, rng.integers(-1, 1, count)[1::3]
    fields = rng.integers(0, 1500, count).astype(np.float32)
    fields[::4] = 0
    special = np.zeros(count, np.float32)
    special[:4] = [np.inf, -np.inf, np.nan, 0]
    operands = [*limbs, last.view(np.uint32), fields.view(np.uint32), special.view(np.uint32)]
    found = apply("rounded_sum", *operands, target=target, knobs=knobs)
    expected = []
    for *parts, top, field in zip(*limbs.tolist(), last.tolist(), fields.tolist(), strict=True):
        number = sum(part << (16 * place) for place, part in enumerate([*parts, top]))
        exact = Fraction(number) * Fraction(2) ** (int(field) - 1116)
        expected.append(float(exact) if abs(exact) < Fraction(2) ** 1024 - Fraction(2) ** 970 else np.copysign(np.inf, number))
    expected[:3] = special[:3]
    assert_same(found, np.array(expected))
