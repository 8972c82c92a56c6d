"""
The regularized incomplete gamma functions of float32, within 8 units in the last place.

Where a is large and x near it, they are N. M. Temme's uniform expansion (The asymptotic expansion of the incomplete gamma functions, SIAM
J. Math. Anal. 10, 1979) in ``eta**2 / 2 = x / a - 1 - log(x / a)``, around the normal distribution of ``eta sqrt(a)``. Elsewhere the lower
one is its power series for small x, and the upper one a continued fraction for large x, of 32 terms each, in loops of the device that do
not turn where a tile has no need for them; where x and a are small, the upper one is a series from which the leading 1 has been taken. Of
the common factor ``x**a exp(-x) / gamma(a + 1)`` the exponent is a pair. Coefficients are nearly minimax ones, from the script beside
the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from ....isa import nisa, nl
from .emitter import Cost, Emitter, Tile
from .error_function import normal_tail
from .exponential import EXP, EXP2, LOG2_E, parted, times_exponential, times_power
from .gamma import STIRLING, near_zeros
from .logarithm import BINARY, logarithm, natural
from .pair_arithmetic import Scaled, log2_of
from .pairs import Pair, exact_product, exact_sum, halves, inverse, product, ratio, renormalized, root, split, upper_half
from .polynomial import polynomial, times_argument
from .sequencer import greatest, turns
from .significand import NAN, decompose, is_below, is_infinite, is_zero, magnitude_of, power_of_two
from .tile import add, arithmetic, copy, estimate, is_nan, limited, minus_reciprocal, multiply, patch, scratch, subtract, then, twice
from .widening import float_loops

__all__ = ["ARCTANH_NEAR", "INCOMPLETE_GAMMAS", "UNIFORM", "half_square"]

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
_SLOPE: Final = 0.3989422804014327  # 1 / sqrt(2 pi)


class _Side(NamedTuple):
    """The function that is small, or is found first, and where that is the upper one: 1, else 0."""

    value: Tile
    upper: Tile


class _Quotient(NamedTuple):
    """``x / a = value 2**power``; and x / a - 1, where that is small."""

    value: Pair
    power: Tile
    less_one: Pair


def _quotient(a: Tile, x: Tile) -> _Quotient:
    of_a, of_x = decompose(a), decompose(x)
    power = subtract(of_x.exponent, of_a.exponent)
    scaled = multiply(of_x.significand, power_of_two(limited(power, -20.0, 20.0)))
    value = ratio(of_x.significand, of_a.significand)
    return _Quotient(value, power, ratio(subtract(scaled, of_a.significand), of_a.significand))


def half_square(less_one: Pair) -> Pair:
    """
    Give eta**2 / 2, which is ``d - log(1 + d)``, as ``s (d - 2 s**3 (1 / 3 + s**2 / 5 + ...))`` with s = d / (2 + d).

    Parameters
    ----------
    less_one : Pair
        The number d = x / a - 1, from -0.43 to 0.76.

    Returns
    -------
    Pair
        The half square.
    """
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


def _uniform(a: Tile, half: Pair, above: Tile) -> Tile:
    """Expand around the normal distribution."""
    inside = limited(a, _LARGE, 2.0**62)
    square_root = renormalized(*root(inside))
    reciprocal = add(*inverse(*square_root))
    small = multiply(reciprocal, reciprocal)
    size = multiply(add(*root(arithmetic(nl.multiply, half.high, 2.0))), arithmetic(nl.greater, half.high, 0.0))
    sign = twice(above, nl.multiply, 2.0, nl.subtract, 1.0)
    eta = multiply(arithmetic(nl.minimum, size, 0.52), sign)
    zeroth, first, second = (polynomial(coefficients, eta) for coefficients in UNIFORM)
    series = multiply(then(small, nl.multiply, _NEXT, nl.add, second), small)
    series = multiply(add(first, series), small)
    series = multiply(multiply(add(zeroth, series), reciprocal), sign)
    tail = normal_tail(multiply(size, square_root.high))
    halved = add(arithmetic(nl.multiply, tail.high, 0.5), arithmetic(nl.multiply, tail.low, 0.5))
    value = renormalized(halved, arithmetic(nl.multiply, series, _SLOPE))
    exponent = product(halves(inside), split(half))
    minus = renormalized(*(arithmetic(nl.multiply, part, -1.0) for part in exponent))
    return times_exponential(value, arithmetic(nl.maximum, minus.high, -104.0), limited(minus.low, -1.0, 1.0))


def _factor(a: Tile, x: Tile, quotient: _Quotient) -> tuple[Tile, Tile]:
    """
    Give ``x**a exp(-x) / gamma(a + 1)`` but for a power of two, and its exponent.

    That is ``exp(-a eta**2 / 2)`` times ``a**a exp(-a) / gamma(a + 1)``, which has no large exponents.
    """
    log = log2_of(Scaled(renormalized(*quotient.value), quotient.power))
    first = exact_product(halves(log.high), halves(a))
    distance = exact_sum(x, arithmetic(nl.multiply, a, -1.0))
    upper = upper_half(distance.high)
    rest = add(subtract(distance.high, upper), distance.low)
    second = then(upper, nl.multiply, BINARY.low, nl.add, arithmetic(nl.multiply, rest, BINARY.high + BINARY.low))
    exponent = exact_sum(first.high, arithmetic(nl.multiply, upper, -BINARY.high))
    low = add(add(exponent.low, multiply(log.low, a)), subtract(first.low, second))
    # gamma(a + 1)
    reciprocal = add(*inverse(*renormalized(*root(a))))
    square = multiply(reciprocal, reciprocal)
    scale = arithmetic(nl.multiply, reciprocal, _SLOPE)
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
    return turns(arithmetic(nl.multiply, greatest(most), float(_TERMS)))


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


def _smaller(a: Tile, x: Tile, quotient: _Quotient) -> _Side:
    half = half_square(quotient.less_one)
    above = arithmetic(nl.greater, quotient.less_one.high, 0.0)
    uniform = _uniform(a, half, above)
    far = then(a, nl.greater, _LARGE, nl.multiply, arithmetic(nl.less, half.high, _REACH**2 / 2))
    inside, argument = (arithmetic(nl.minimum, operand, 2.0**20) for operand in (a, x))
    factor, n = _factor(arithmetic(nl.maximum, inside, 2.0**-80), argument, quotient)
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

    That is ``1 - e (1 - a S)`` with ``e = x**a / gamma(a + 1)`` and S a series.
    """
    inside, argument = arithmetic(nl.minimum, a, 1.0), arithmetic(nl.minimum, x, 1.0)
    exponent = subtract(multiply(inside, log), near_zeros(inside, arithmetic(nl.less_equal, inside, 1.0)))
    where = then(exponent, nl.greater, -0.33, nl.multiply, arithmetic(nl.less, x, _SMALL))
    where = then(a, nl.less, 1.0, nl.multiply, where)
    exponent = limited(exponent, -0.35, 0.35)
    less_one = add(exponent, multiply(times_argument(EXP, exponent), exponent))
    series = None
    for place in range(_LEADING, 0, -1):
        minus = minus_reciprocal(arithmetic(nl.add, inside, float(place)))
        inner = arithmetic(nl.multiply, minus, -1.0) if series is None else then(minus, nl.multiply, -1.0, nl.subtract, series)
        series = then(inner, nl.multiply, 1.0 / place, nl.multiply, argument)
    scaled = multiply(then(less_one, nl.add, 1.0, nl.multiply, series), inside)
    return subtract(scaled, less_one), where


def _special(dst: Tile, a: Tile, x: Tile, complement: bool) -> None:
    """Put in what functions are of zeros, infinities, negative numbers and NaN."""
    one, zero = (0.0, 1.0) if complement else (1.0, 0.0)
    shape, argument = (magnitude_of(operand).view(nl.uint32) for operand in (a, x))
    no_shape, no_argument, all_shape, all_argument = is_zero(shape), is_zero(argument), is_infinite(shape), is_infinite(argument)
    for number, where in ((one, no_shape), (zero, no_argument), (one, all_argument), (zero, all_shape)):
        patch(dst, number, where)
    for first, second in ((no_shape, no_argument), (all_shape, all_argument)):
        patch(dst.view(nl.uint32), NAN, arithmetic(nl.multiply, first, second, dtype=nl.uint8))
    for operand, nothing in ((a, no_shape), (x, no_argument)):
        negative = arithmetic(nl.less, operand.view(nl.int32), 0.0)
        patch(dst.view(nl.uint32), NAN, then(nothing, nl.less, 0.5, nl.multiply, negative, dtype=nl.uint8))
        patch(dst, operand, is_nan(operand))


def _function(complement: bool, halved: bool = False) -> Callable[[Tile, Tile, Tile], None]:
    """Make the lower function, or the upper one; of half of each operand for the chi-square distribution."""

    def emit(dst: Tile, a: Tile, x: Tile) -> None:
        a, x = (operand if operand.shape[1] == dst.shape[1] else copy(scratch(dst, nl.float32), operand) for operand in (a, x))
        shape, argument = magnitude_of(a), magnitude_of(x)
        quotient = _quotient(shape, argument)  # of all bits, which half of a subnormal number has not
        if halved:
            shape, argument = (arithmetic(nl.multiply, operand, 0.5) for operand in (shape, argument))
        value, upper = _smaller(shape, argument, quotient)
        opposite = twice(value, nl.multiply, -1.0, nl.add, 1.0)
        if complement:
            value, opposite = opposite, value
        patch(value, opposite, upper.view(nl.uint32))
        if complement:
            f, y, e, _ = logarithm(magnitude_of(x))
            log = natural(f, y, arithmetic(nl.subtract, e, 1.0) if halved else e)
            tiny = is_below(a, 2.0**-80)  # a factor, which is scaled so that no bit is lost
            patch(shape, arithmetic(nl.multiply, magnitude_of(a), 2.0**32), tiny)
            small, where = _without_leading(shape, argument, log)
            patch(small, arithmetic(nl.multiply, small, 2.0**-33 if halved else 2.0**-32), tiny)
            patch(value, small, where.view(nl.uint32))
        copy(dst, value)
        _special(dst, a, x, complement)

    return emit


_ERROR: Final = 8.0

INCOMPLETE_GAMMAS: Final = (
    Emitter("special.gammainc", 2, float_loops(_function(complement=False), Cost(435, 20, 454, 92), 2), _ERROR),
    Emitter("special.gammaincc", 2, float_loops(_function(complement=True), Cost(585, 33, 502, 92), 2), _ERROR),
    Emitter("special.chdtr", 2, float_loops(_function(complement=False, halved=True), Cost(437, 20, 454, 92), 2), _ERROR),
    Emitter("special.chdtrc", 2, float_loops(_function(complement=True, halved=True), Cost(588, 33, 502, 92), 2), _ERROR),
)
