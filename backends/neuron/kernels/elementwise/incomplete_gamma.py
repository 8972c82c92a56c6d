"""
The regularized incomplete gamma functions of float32, within 8 units in the last place.

Where a is large and x near it, they are N. M. Temme's uniform expansion (The asymptotic expansion of the incomplete gamma functions, SIAM
J. Math. Anal. 10, 1979) in ``eta**2 / 2 = x / a - 1 - log(x / a)``, around the normal distribution of ``eta sqrt(a)``. Elsewhere the lower
one is its power series for small x, and the upper one a continued fraction for large x, of 32 terms each, in loops of the device that do
not turn where a tile has no need for them; where x and a are small, the upper one is a series from which the leading 1 has been taken. Of
the common factor ``x**a exp(-x) / gamma(a + 1)`` the exponent is a pair. Coefficients are nearly minimax ones, from the script beside
the tests.

Distributions are these functions of other operands: the chi-square one of halves, the gamma one of a product with a rate, and the Poisson
one of an integer and 1 more. Products and sums are pairs, and so is x / a - 1, for shapes of all sizes. GpSimd and the Vector Engine limit
all.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from ....isa import nisa, nl
from ...function import Emitter, Tile
from .alu import (
    add,
    arithmetic,
    bits,
    copy,
    estimate,
    is_nan,
    limited,
    minus_reciprocal,
    multiply,
    patch,
    scratch,
    subtract,
    then,
    twice,
    wide,
)
from .error_function import NORMAL_SLOPE, normal_tail
from .exponential import EXP, EXP2, LOG2_E, parted, times_exponential, times_power
from .gamma import STIRLING, beyond_half, near_zeros
from .logarithm import BINARY, corrected, logarithm, natural, with_one
from .pair_arithmetic import Scaled, apart, choose, log2_of, ratio_of_pairs, single, times
from .pairs import Pair, exact_product, exact_sum, halves, inverse, product, ratio, renormalized, root, rounded_product, split, upper_half
from .polynomial import polynomial, times_argument
from .registers import greatest, turns
from .significand import (
    INFINITY,
    LARGEST,
    NAN,
    ROUND,
    decompose,
    is_below,
    is_infinite,
    is_negative,
    is_zero,
    magnitude_of,
    power_of_two,
    sign_bit,
)
from .widening import float_loops

__all__ = ["ARCTANH_NEAR", "INCOMPLETE_GAMMAS", "UNIFORM", "half_square", "of_both"]

ARCTANH_NEAR: Final = (0.333333336, 0.199999325, 0.142906114, 0.109670607, 0.109095796)
"""(arctanh(s) / s - 1) / s**2 in powers of s**2, for s**2 <= 0.076, lowest power first."""
UNIFORM: Final = (
    (-0.333333333, 0.0833333298, -0.0148148289, 0.00115751876, 0.0003529567, -0.000179640965, 3.80392952e-05),
    (-0.00185186814, -0.00347225669, 0.00264645122, -0.000989766401, 0.00019746732),
    (0.00413504928, -0.00267954406, 0.000736700115),
)
"""What the expansion has with powers of 1 / a, each in powers of eta, for abs(eta) <= 0.52."""
_NEXT: Final = 0.00064943413
"""With a**-3, at 0."""
_REACH: Final = 0.5
"""Of eta in the uniform expansion."""
_LARGE: Final = 20.0
"""Of a, from where on it is used."""
_DEAD: Final = 2048.0
"""Of a, from where on all is 0 that the expansion does not reach."""
_SMALL: Final = 0.7
"""Of x, below which the continued fraction takes too long."""
_TWO_THIRDS: Final = (0.66650390625, 0.00016276041666666666)  # 12 bits, and the rest; half of it is nearly ARCTANH_NEAR[0]
_TERMS: Final = 32
_LEADING: Final = 9
"""Terms of the series without its leading 1."""
_MOST: Final = 2.0**62
"""Of a, beyond which the expansion is the distribution."""
_FAR: Final = 2.0**40
_LEAST: Final = 2.0**-25
"""Of x / a - 1, below which that is eta."""


class _Side(NamedTuple):
    """The function that is small, or is found first, and where that is the upper one: 1, else 0."""

    value: Tile
    upper: Tile


class _Quotient(NamedTuple):
    """``x / a = value 2**power``; and x / a - 1, where that is small."""

    value: Pair
    power: Tile
    less_one: Pair


class _Operands(NamedTuple):
    """
    The shape a and the argument x, and their quotient; it alone has all bits of what halves, products or sums round.

    What rounding has taken of the shape and of the argument is None where it has taken nothing.
    """

    shape: Tile
    argument: Tile
    quotient: _Quotient
    of_shape: Tile | None = None
    of_argument: Tile | None = None


def _of_bits(a: Tile, x: Tile) -> _Quotient:
    of_a, of_x = decompose(a), decompose(x)
    power = subtract(of_x.exponent, of_a.exponent)
    scaled = multiply(of_x.significand, power_of_two(limited(power, -20.0, 20.0)))
    value = ratio(of_x.significand, of_a.significand)
    return _Quotient(value, power, ratio(subtract(scaled, of_a.significand), of_a.significand))


def _of_pairs(a: Scaled, x: Scaled) -> _Quotient:
    power = subtract(x.power, a.power)
    high, low = times(x.value, power_of_two(limited(power, -20.0, 20.0)))
    difference = exact_sum(subtract(high, a.value.high), subtract(low, a.value.low))
    return _Quotient(ratio_of_pairs(x.value, a.value), power, ratio_of_pairs(difference, a.value))


def half_square(less_one: Pair) -> Pair:
    """Give eta**2 / 2, which is ``d - log(1 + d)``, as ``s (d - 2 s**3 (1 / 3 + s**2 / 5 + ...))`` with s = d / (2 + d)."""
    d = renormalized(*less_one)
    total = arithmetic(nl.add, d.high, 2.0)
    lost = add(subtract(d.high, arithmetic(nl.subtract, total, 2.0)), d.low)
    high, low = ratio(d.high, total)
    s = add(high, low)
    low = add(low, multiply(subtract(d.low, multiply(s, lost)), estimate(nl.reciprocal, total)))
    # 2 s**2 (1 / 3 + ...), of which the third is a pair
    upper, lower = halves(multiply(high, high))
    cross = multiply(then(high, nl.multiply, 2.0, nl.add, low), low)
    square = multiply(s, s)
    further = multiply(times_argument(ARCTANH_NEAR[1:], square), square)
    rest = then(upper, nl.multiply, _TWO_THIRDS[1], nl.add, arithmetic(nl.multiply, add(lower, cross), sum(_TWO_THIRDS)))
    rest = then(further, nl.multiply, 2.0, nl.add, rest)
    less = renormalized(d.high, arithmetic(nl.multiply, upper, -_TWO_THIRDS[0]))
    factor = renormalized(less.high, add(less.low, subtract(d.low, rest)))
    return renormalized(*product(Pair(high, low), split(factor)))


def _uniform(operands: _Operands, half: Pair, above: Tile) -> Tile:
    """
    Expand around the normal distribution.

    Where x / a - 1 is that of pairs, it can be small enough that larger shapes matter, of which the distribution alone does.
    """
    a, less_one, lost = operands.shape, operands.quotient.less_one.high, operands.of_shape
    paired = lost is not None or operands.of_argument is not None
    inside, beyond = limited(a, _LARGE, _MOST), arithmetic(nl.greater, a, _MOST, dtype=nl.uint8) if paired else None
    if beyond is not None:
        patch(inside, arithmetic(nl.multiply, a, 2.0**-50), beyond)
    square_root = renormalized(*root(inside))
    reciprocal = add(*inverse(*square_root))
    size = multiply(add(*root(arithmetic(nl.multiply, half.high, 2.0))), arithmetic(nl.greater, half.high, 0.0))
    if beyond is not None:
        patch(reciprocal, 0.0, beyond)
        patch(size, magnitude_of(less_one), is_below(less_one, _LEAST))
    small = multiply(reciprocal, reciprocal)
    sign = twice(above, nl.multiply, 2.0, nl.subtract, 1.0)
    eta = multiply(arithmetic(nl.minimum, size, 0.52), sign)
    zeroth, first, second = (polynomial(coefficients, eta) for coefficients in UNIFORM)
    series = multiply(then(small, nl.multiply, _NEXT, nl.add, second), small)
    series = multiply(add(first, series), small)
    series = multiply(multiply(add(zeroth, series), reciprocal), sign)
    distance = multiply(size, square_root.high)
    exponent = product(halves(inside), split(half))
    if beyond is not None:
        patch(distance, twice(distance, nl.multiply, 2.0**25, nl.minimum, _FAR), beyond)
        choose(exponent, times(exponent, 2.0**50), beyond)
    if lost is not None:
        exponent = Pair(exponent.high, add(exponent.low, multiply(lost, half.high)))
    tail = normal_tail(distance)
    halved = add(arithmetic(nl.multiply, tail.high, 0.5), arithmetic(nl.multiply, tail.low, 0.5))
    value = renormalized(halved, arithmetic(nl.multiply, series, NORMAL_SLOPE))
    minus = renormalized(*(arithmetic(nl.multiply, part, -1.0) for part in exponent))
    return times_exponential(value, arithmetic(nl.maximum, minus.high, -104.0), limited(minus.low, -1.0, 1.0))


def _factor(a: Tile, x: Tile, lost: Tile | None, quotient: _Quotient) -> tuple[Tile, Tile]:
    """
    Give ``x**a exp(-x) / gamma(a + 1)`` but for a power of two, and its exponent.

    That is ``exp(-a eta**2 / 2)`` times ``a**a exp(-a) / gamma(a + 1)``, which has no large exponents.
    """
    log = log2_of(Scaled(renormalized(*quotient.value), quotient.power))
    first = exact_product(halves(log.high), halves(a))
    distance = exact_sum(x, arithmetic(nl.multiply, a, -1.0))
    upper = upper_half(distance.high)
    rest = add(subtract(distance.high, upper), distance.low if lost is None else add(distance.low, lost))
    second = then(upper, nl.multiply, BINARY.low, nl.add, arithmetic(nl.multiply, rest, BINARY.high + BINARY.low))
    exponent = exact_sum(first.high, arithmetic(nl.multiply, upper, -BINARY.high))
    low = add(add(exponent.low, multiply(log.low, a)), subtract(first.low, second))
    # gamma(a + 1)
    reciprocal = add(*inverse(*renormalized(*root(a))))
    square = multiply(reciprocal, reciprocal)
    scale = arithmetic(nl.multiply, reciprocal, NORMAL_SLOPE)
    beyond = arithmetic(nl.multiply, multiply(polynomial(STIRLING, multiply(square, square)), square), -LOG2_E)
    close = arithmetic(nl.less, a, 2.5, dtype=nl.uint8)
    near = arithmetic(nl.less, a, 1.5)
    *parts, _ = logarithm(a)
    logarithm_of_a = natural(*parts)
    less = add(near_zeros(a, near), multiply(logarithm_of_a, twice(near, nl.multiply, -1.0, nl.add, 1.0)))
    near_zero = subtract(multiply(a, arithmetic(nl.subtract, logarithm_of_a, 1.0)), less)
    patch(beyond, arithmetic(nl.multiply, near_zero, LOG2_E), close)
    patch(scale, 1.0, close)
    both = exact_sum(exponent.high, beyond)
    both = renormalized(both.high, add(both.low, low))
    n, r = parted(limited(both.high, -151.0, 129.0))
    r = add(r, limited(both.low, -1.0, 1.0))
    return add(scale, multiply(times_argument(EXP2, r), scale)), n


def _terms(where: Tile) -> Any:
    """Count the turns of a loop: none where a mask is 0 everywhere."""
    most = scratch(where, nl.float32, 1)
    nisa.tensor_reduce(most, nl.maximum, where, axis=1)
    return turns(arithmetic(nl.multiply, greatest(most), float(_TERMS)), likely=_TERMS, most=_TERMS)


def _series(a: Tile, x: Tile, where: Tile) -> Tile:
    """Sum ``1 + x / (a + 1) (1 + x / (a + 2) (1 + ...))`` from its end."""
    total, place = scratch(a, nl.float32), scratch(a, nl.float32, 1)
    nisa.memset(total, 1.0)
    nisa.memset(place, float(_TERMS))

    def term(_: Any) -> None:
        minus = minus_reciprocal(arithmetic(nl.add, a, place))
        arithmetic(nl.add, then(multiply(total, x), nl.multiply, -1.0, nl.multiply, minus), 1.0, total)
        arithmetic(nl.subtract, place, 1.0, place)

    nl.fori_loop(0, _terms(where), term)
    return total


def _fraction(a: Tile, x: Tile, where: Tile) -> Tile:
    """Give ``1 / (d + 1 + (a - 1) / (d + 3 + 2 (a - 2) / (d + 5 + ...)))`` with d = x - a, from its end."""
    distance = subtract(x, a)
    total, place = arithmetic(nl.add, distance, 2.0 * _TERMS + 1.0), scratch(a, nl.float32, 1)
    nisa.memset(place, float(_TERMS))

    def level(_: Any) -> None:
        numerator = arithmetic(nl.multiply, arithmetic(nl.subtract, a, place), place)
        rest = then(numerator, nl.multiply, -1.0, nl.multiply, minus_reciprocal(total))
        odd = twice(place, nl.multiply, 2.0, nl.subtract, 1.0)
        arithmetic(nl.add, arithmetic(nl.add, distance, odd), rest, total)
        arithmetic(nl.subtract, place, 1.0, place)

    nl.fori_loop(0, _terms(where), level)
    return arithmetic(nl.multiply, minus_reciprocal(total), -1.0)


def _smaller(operands: _Operands) -> _Side:
    a, x, quotient, _, of_argument = operands
    half = half_square(quotient.less_one)
    above = arithmetic(nl.greater, quotient.less_one.high, 0.0)
    uniform = _uniform(operands, half, above)
    far = then(a, nl.greater, _LARGE, nl.multiply, arithmetic(nl.less, half.high, _REACH**2 / 2))
    inside, argument = (arithmetic(nl.minimum, operand, 2.0**20) for operand in (a, x))
    factor, n = _factor(arithmetic(nl.maximum, inside, 2.0**-80), argument, of_argument, quotient)
    patch(factor, 0.0, arithmetic(nl.greater, a, _DEAD, dtype=nl.uint8))
    upper = arithmetic(nl.greater_equal, x, arithmetic(nl.maximum, a, _SMALL))
    elsewhere = twice(far, nl.multiply, -1.0, nl.add, 1.0)
    sums = _series(inside, argument, then(upper, nl.less, 0.5, nl.multiply, elsewhere))
    fraction = multiply(_fraction(inside, argument, multiply(upper, elsewhere)), inside)
    patch(sums, fraction, upper.view(nl.uint32))
    result = scratch(a, nl.float32)
    times_power(result, multiply(factor, sums), n)
    patch(result, uniform, far.view(nl.uint32))
    patch(upper, above, far.view(nl.uint32))
    return _Side(result, upper)


def _without_leading(a: Tile, x: Tile, log: Tile) -> tuple[Tile, Tile]:
    """
    Give the upper function for small numbers, by the logarithm of x, and where it is that.

    That is ``a (e S - (e - 1) / a)`` with ``e = x**a / gamma(a + 1)`` and S a series.
    """
    inside, argument = arithmetic(nl.minimum, a, 1.0), arithmetic(nl.minimum, x, 1.0)
    # log(x) - log(gamma(a + 1)) / a, about halves
    rest = multiply(arithmetic(nl.subtract, 1.0, inside), beyond_half(inside))
    slope = add(then(inside, nl.multiply, -0.5, nl.add, arithmetic(nl.add, log, 0.5)), rest)
    exponent = multiply(slope, inside)
    where = then(exponent, nl.greater, -0.33, nl.multiply, arithmetic(nl.less, x, _SMALL))
    where = then(a, nl.less, 1.0, nl.multiply, where)
    exponent = limited(exponent, -0.35, 0.35)
    grown = add(slope, multiply(times_argument(EXP, exponent), slope))
    series = None
    for place in range(_LEADING, 1, -1):
        minus = minus_reciprocal(arithmetic(nl.add, inside, float(place)))
        inner = arithmetic(nl.multiply, minus, -1.0) if series is None else then(minus, nl.multiply, -1.0, nl.subtract, series)
        series = then(inner, nl.multiply, 1.0 / place, nl.multiply, argument)
    less = multiply(minus_reciprocal(arithmetic(nl.add, inside, 1.0)), inside)
    series = multiply(then(less, nl.add, 1.0, nl.subtract, series), argument)
    whole = then(multiply(grown, inside), nl.add, 1.0, nl.multiply, series)
    return multiply(subtract(whole, grown), inside), where


def _special(dst: Tile, a: Tile, x: Tile, complement: bool) -> None:
    """Put in what functions are of zeros, infinities, negative numbers and NaN."""
    one, zero = (0.0, 1.0) if complement else (1.0, 0.0)
    shape, argument = (magnitude_of(operand).view(nl.uint32) for operand in (a, x))
    no_shape, no_argument, all_shape, all_argument = is_zero(shape), is_zero(argument), is_infinite(shape), is_infinite(argument)
    for number, where in ((one, no_shape), (zero, no_argument), (one, all_argument), (zero, all_shape)):
        patch(dst, number, where)
    for first, second in ((no_shape, no_argument), (all_shape, all_argument)):
        patch(dst.view(nl.uint32), NAN, arithmetic(nl.multiply, first, second, dtype=nl.uint8))
    for operand in (a, x):
        patch(dst.view(nl.uint32), NAN, is_negative(operand))
        patch(dst, operand, is_nan(operand))


def _value(operands: _Operands, complement: bool) -> Tile:
    """Compute the lower function or the upper one, but for an upper one that is small because the shape is."""
    return of_both(*_smaller(operands), complement)


def of_both(smaller: Tile, upper: Tile, complement: bool) -> Tile:
    """Give the lower function or the upper one, which add up to 1, by the smaller of the two."""
    value, opposite = smaller, twice(smaller, nl.multiply, -1.0, nl.add, 1.0)
    if complement:
        value, opposite = opposite, value
    patch(value, opposite, upper.view(nl.uint32))
    return value


def _patch_small_shapes(value: Tile, a: Tile, factor: float, operands: _Operands, log: Tile) -> None:
    """Put the upper function in where the shape, which is `factor` times the operand a, makes it small."""
    tiny = is_below(a, 2.0**-80)  # a factor, which is scaled so that no bit is lost
    patch(operands.shape, arithmetic(nl.multiply, magnitude_of(a), 2.0**32), tiny)
    small, where = _without_leading(operands.shape, operands.argument, log)
    patch(small, arithmetic(nl.multiply, small, factor * 2.0**-32), tiny)
    patch(value, small, where.view(nl.uint32))


def _function(complement: bool, factor: float = 1.0) -> Callable[[Tile, Tile, Tile], None]:
    """Make the lower function, or the upper one; of half of each operand for the chi-square distribution."""

    def emit(dst: Tile, a: Tile, x: Tile) -> None:
        a, x = (wide(operand, dst) for operand in (a, x))
        shape, argument = magnitude_of(a), magnitude_of(x)
        quotient = _of_bits(shape, argument)  # which half of a subnormal number has not
        if factor != 1.0:
            shape, argument = (arithmetic(nl.multiply, operand, factor) for operand in (shape, argument))
        operands = _Operands(shape, argument, quotient)
        value = _value(operands, complement)
        if complement:
            f, y, e, _ = logarithm(magnitude_of(x))
            log = natural(f, y, e if factor == 1.0 else arithmetic(nl.add, e, math.log2(factor)))
            _patch_small_shapes(value, a, factor, operands, log)
        copy(dst, value)
        _special(dst, a, x, complement)

    return emit


def _scaled(complement: bool) -> Callable[[Tile, Tile, Tile, Tile], None]:
    """Make the function of the shape and the product of argument and rate, for the gamma distribution."""

    def emit(dst: Tile, rate: Tile, a: Tile, x: Tile) -> None:
        rate, a, x = (wide(operand, dst) for operand in (rate, a, x))
        (first, second), (power, more) = zip(*[parts[1:] for parts in map(decompose, (rate, x))], strict=True)
        value, power = rounded_product(first, second), then(power, nl.subtract, 254.0, nl.add, more)
        shape, (high, low) = magnitude_of(a), times(value, power_of_two(limited(power, -126.0, 127.0)))
        argument = arithmetic(nl.minimum, high, LARGEST)
        patch(argument, LARGEST, arithmetic(nl.greater, power, 127.0, dtype=nl.uint8))
        quotient = _of_pairs(apart(single(shape)), Scaled(value, power))
        operands = _Operands(shape, argument, quotient, of_argument=limited(low, -1.0, 1.0))
        result = _value(operands, complement)
        if complement:
            f, y, e = corrected(*value)
            _patch_small_shapes(result, a, 1.0, operands, natural(f, y, add(e, power)))
        copy(dst, result)
        # zeros and infinities of the product, and its sign
        first, second = (magnitude_of(operand).view(nl.uint32) for operand in (rate, x))
        zero, infinite = (arithmetic(nl.maximum, find(first), find(second), dtype=nl.uint8) for find in (is_zero, is_infinite))
        bits(nl.bitwise_or, argument.view(nl.uint32), sign_bit(rate), argument.view(nl.uint32))
        patch(argument, 0.0, zero)
        patch(argument.view(nl.uint32), bits(nl.bitwise_or, sign_bit(rate), INFINITY), infinite)
        for where in (arithmetic(nl.multiply, zero, infinite, dtype=nl.uint8), is_nan(rate), is_nan(x)):
            patch(argument.view(nl.uint32), NAN, where)
        _special(dst, a, argument, complement)
        patch(dst.view(nl.uint32), NAN, is_negative(x))

    return emit


def _counts(complement: bool) -> Callable[[Tile, Tile, Tile], None]:
    """Make the function of one more than an integer, for the Poisson distribution."""

    def emit(dst: Tile, k: Tile, mean: Tile) -> None:
        k, mean = (wide(operand, dst) for operand in (k, mean))
        count, argument = arithmetic(nl.minimum, magnitude_of(k), LARGEST), magnitude_of(mean)
        whole = arithmetic(nl.subtract, arithmetic(nl.add, count, ROUND), ROUND)
        patch(count, subtract(whole, arithmetic(nl.greater, whole, count)), is_below(k, ROUND))
        shape, lost = with_one(count)
        patch(lost, 0.0, arithmetic(nl.greater, shape, _MOST, dtype=nl.uint8))
        quotient = _of_pairs(apart(Pair(shape, lost)), apart(single(argument)))
        copy(dst, _value(_Operands(shape, argument, quotient, lost), complement))
        known = magnitude_of(k)
        patch(known, 1.0, is_below(k, 1.0))
        certain = arithmetic(nl.multiply, is_nan(k), is_zero(argument.view(nl.uint32)), dtype=nl.uint8)
        patch(known, 1.0, certain)  # no events come of none, and SciPy does not ask for k
        _special(dst, known, mean, complement)
        patch(dst.view(nl.uint32), NAN, is_negative(k))

    return emit


_ERROR: Final = 8.0

INCOMPLETE_GAMMAS: Final = (
    Emitter("special.gammainc", 2, float_loops(_function(complement=False)), _ERROR),
    Emitter("special.gammaincc", 2, float_loops(_function(complement=True)), _ERROR),
    Emitter("special.chdtr", 2, float_loops(_function(complement=False, factor=0.5)), _ERROR),
    Emitter("special.chdtrc", 2, float_loops(_function(complement=True, factor=0.5)), _ERROR),
    Emitter("special.gdtr", 3, float_loops(_scaled(complement=False)), _ERROR),
    Emitter("special.gdtrc", 3, float_loops(_scaled(complement=True)), _ERROR),
    Emitter("special.pdtr", 2, float_loops(_counts(complement=True)), _ERROR),
    Emitter("special.pdtrc", 2, float_loops(_counts(complement=False)), _ERROR),
)
