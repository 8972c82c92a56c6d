"""
The regularized incomplete beta functions of float32, within 8 units in the last place.

Below the mean ``a / (a + b)`` it is ``x**a y**b / B(a, b)`` with ``y = 1 - x`` times a continued fraction (A. R. DiDonato and A. H. Morris,
Algorithm 708, ACM Trans. Math. Softw. 18, 1992); above, the other function is that with a and b, and x and y, exchanged. The fraction
has 32 levels, and 80, in loops of the device, where a tile has parameters that need them; where both are large, and about the mean, where
the fraction rounds most, it gives way to the uniform expansion around the normal distribution (N. M. Temme, Special Functions, 1996), whose
terms are expanded by the skewness of the distribution. The exponent of the factor is a pair: with A and
B, which are a and b or, below 1, a + 1 and b + 1, it is ``-A h(N / A) - B h(-N / B)`` with ``N = B x - A y`` and ``h(d) = d - log(1 + d)``.
What the other function leaves of 1 counts in units of 1 / 2 where it is smaller, and all where both parameters are above 2**48.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from ....isa import nisa, nl
from ...function import Emitter, Tile
from .alu import add, arithmetic, copy, is_nan, limited, multiply, patch, scratch, subtract, then, twice, wide
from .beta import LOG_2, TWO_PI, beyond_stirling
from .error_function import NORMAL_SLOPE, normal_tail
from .exponential import EXP2, LOG2_E, parted, times_exponential, times_power
from .incomplete_gamma import half_square, of_both
from .logarithm import with_one
from .pair_arithmetic import (
    Scaled,
    apart,
    choose,
    constant,
    difference_of_pairs,
    log2_of,
    minus,
    product_of,
    product_of_pairs,
    quotient_of,
    reciprocal,
    single,
    sum_of_pairs,
    times,
)
from .pairs import Pair, exact_sum, halves, renormalized, root, rounded_product
from .polynomial import times_argument
from .registers import greatest, turns
from .significand import LARGEST, NAN, is_infinite, is_negative, is_zero, magnitude_of, power_of_two
from .widening import float_loops

__all__ = ["FIRST_TERM", "INCOMPLETE_BETAS", "SECOND_TERM"]

_LEVELS: Final = ((80, 64.0), (32, 0.0))
"""Levels of the continued fraction, and the smaller parameter from which on there are so many."""
_LARGE: Final = 6000.0
"""Of the smaller parameter, from where on the uniform expansion is used."""
_MIDDLE: Final = (100.0, -8.0)
"""Of the smaller parameter and of the exponent, from where on it is used, too: the fraction rounds most about the mean."""
FIRST_TERM: Final = ((1 / 3,), (1 / 12, 1 / 4), (2 / 135, 1 / 15), (1 / 864, 1 / 144, 1 / 96))
SECOND_TERM: Final = ((1 / 540, 1 / 20), (-1 / 288, -1 / 48, -1 / 32), (-1 / 378, -5 / 252, -1 / 28))
"""Of the expansion, by powers of the distance from the mean in standard deviations; rows are as of `_expanded`."""
_STEPS: Final = 16.0
"""Beyond so many standard deviations nothing is left."""
_MOST: Final = 2.0**118
_FAR: Final = 2.0**40
"""Of a, beyond which quotients of the fraction do not change."""
_MOST_OF_B: Final = 2.0**30
_NEAR: Final = 0.4
"""Of d, below which h is a series."""
_CENTRE: Final = 1.5
"""Of the argument of the normal distribution, below which the difference of reciprocals is a series."""
_LOG2_E: Final = (1.4426950216293335, 1.9259629911266175e-08)


def _signed_quotient(numerator: Pair, denominator: Scaled, sign: float) -> Pair:
    """Divide a number of either sign; the quotient is at most 2**10."""
    below = arithmetic(nl.less, numerator.high, 0.0)
    direction = twice(below, nl.multiply, -2.0 * sign, nl.add, sign)
    size = twice(below, nl.multiply, -2.0, nl.add, 1.0)
    value, power = quotient_of(apart(times(numerator, size)), denominator)
    return times(times(value, power_of_two(limited(power, -126.0, 10.0))), direction)


def _bent(weight: Pair, distance: Pair, log: Pair, linear: Pair) -> Pair:
    """Give ``weight (log2(1 + d) - d log2(e))``, by the logarithm and the linear term, or for small d by a series."""
    limited_log = Pair(limited(log.high, -150.0, 150.0), log.low)
    direct = difference_of_pairs(product_of_pairs(weight, renormalized(*limited_log)), linear)
    inside = Pair(limited(distance.high, -_NEAR, _NEAR), distance.low)
    series = product_of_pairs(product_of_pairs(weight, times(half_square(inside), -1.0)), constant(weight.high, *_LOG2_E))
    choose(direct, series, arithmetic(nl.less, magnitude_of(distance.high), _NEAR, dtype=nl.uint8))
    return direct


def _distance(a: Tile, b: Tile, x: Pair, y: Pair) -> Pair:
    """Give ``b x - a y`` without an error that counts: all products are exact."""
    first, second = [(halves(number), halves(other.high)) for number, other in ((b, x), (a, y))]
    total = exact_sum(multiply(first[0].high, first[1].high), minus(multiply(second[0].high, second[1].high)))
    for (left, right), sign in ((first, 1.0), (second, -1.0)):
        total = sum_of_pairs(total, times(exact_sum(multiply(left.high, right.low), multiply(left.low, right.high)), sign))
    total = sum_of_pairs(total, exact_sum(multiply(first[0].low, first[1].low), minus(multiply(second[0].low, second[1].low))))
    return sum_of_pairs(total, difference_of_pairs(rounded_product(b, x.low), rounded_product(a, y.low)))


class _Exponent(NamedTuple):
    """
    Of the factor ``x**a y**b / B(a, b)``, or where a is below 1, that over a, to base 2: what is normal, and the whole.

    The product is ``N**2 (A + B) / (A B)``.
    """

    normal: Pair
    whole: Pair
    product: Tile


def _exponent(a: Tile, b: Tile, x: Pair, y: Pair, distance: Pair) -> _Exponent:
    one = constant(a, 1.0, 0.0)
    p, q = single(a), single(b)
    divisors, above = [], single(one.high)
    for number, other, argument, opposite in ((p, q, x, times(y, -1.0)), (q, p, y, x)):
        below = arithmetic(nl.less, number.high, 1.0)
        distance, small = sum_of_pairs(distance, times(opposite, below)), below.view(nl.uint32)
        for divisor in (sum_of_pairs(number, other), argument):
            chosen = single(one.high)
            choose(chosen, divisor, small)
            divisors.append(apart(chosen))
        if number is q:
            choose(above, number, small)
        choose(number, sum_of_pairs(number, one), small)
    total = sum_of_pairs(p, q)
    of_p, of_q, of_total = apart(p), apart(q), apart(total)
    linear = product_of_pairs(distance, constant(a, *_LOG2_E))
    logs = [log2_of(quotient_of(product_of((apart(part), of_total)), of)) for part, of in ((x, of_p), (y, of_q))]
    distances = _signed_quotient(distance, of_p, 1.0), _signed_quotient(distance, of_q, -1.0)
    first = _bent(p, distances[0], logs[0], linear)
    second = _bent(q, distances[1], logs[1], times(linear, -1.0))
    product = minus(multiply(multiply(distances[0].high, total.high), distances[1].high))
    normal = sum_of_pairs(first, second)
    # the rest, squared
    factor = quotient_of(apart(above), product_of(divisors))
    circle = product_of((of_total, apart(constant(a, *TWO_PI))))
    square = product_of((quotient_of(product_of((of_p, of_q)), circle), factor, factor))
    root = log2_of(square)
    beyond = subtract(beyond_stirling(total.high), add(beyond_stirling(p.high), beyond_stirling(q.high)))
    rest = exact_sum(arithmetic(nl.multiply, root.high, 0.5), arithmetic(nl.multiply, beyond, LOG2_E))
    rest = renormalized(rest.high, then(root.low, nl.multiply, 0.5, nl.add, rest.low))
    return _Exponent(normal, sum_of_pairs(normal, rest), product)


def _fraction(a: Tile, b: Tile, x: Tile, y: Tile, excess: Tile, live: Tile) -> Tile:
    """
    Give the fraction, or where a is below 1, that times a, from its end.

    `excess` is ``a y - b x``, and `live` the smaller parameter where the fraction matters, else 0.
    """
    a = arithmetic(nl.minimum, a, _FAR)
    of_b = arithmetic(nl.minimum, multiply(b, x), _MOST_OF_B)
    more = twice(excess, nl.minimum, _MOST_OF_B, nl.add, 1.0)
    slope = arithmetic(nl.add, y, 1.0)
    result, inverse, place = scratch(a, nl.float32), scratch(a, nl.float32), scratch(a, nl.float32, 1)
    arithmetic(nl.add, more, 2.0 * _LEVELS[-1][0], result)

    def scaled_sum() -> Tile:
        """Of the level, but for the factor ``(a + place) inverse`` and what does not have it."""
        following = arithmetic(nl.add, place, 1.0)
        less = subtract(of_b, multiply(x, following))
        term = multiply(multiply(add(multiply(less, inverse), x), less), reciprocal(result))
        return add(add(multiply(slope, place), more), arithmetic(nl.multiply, term, following))

    def level(_: Any) -> None:
        weight = arithmetic(nl.subtract, 1.0, multiply(inverse, arithmetic(nl.add, place, 1.0)))
        total = multiply(scaled_sum(), weight)
        copy(inverse, reciprocal(arithmetic(nl.add, a, twice(place, nl.multiply, 2.0, nl.subtract, 1.0))))
        middle = multiply(multiply(subtract(of_b, multiply(x, place)), inverse), place)
        arithmetic(nl.add, arithmetic(nl.add, middle, place), total, result)
        arithmetic(nl.subtract, place, 1.0, place)

    most = scratch(a, nl.float32, 1)
    nisa.tensor_reduce(most, nl.maximum, live, axis=1)
    most = greatest(most)
    for (levels, least), (last, _) in zip(_LEVELS, (*_LEVELS[1:], (0, 0.0)), strict=True):
        nisa.memset(place, float(levels))
        copy(inverse, reciprocal(arithmetic(nl.add, a, 2.0 * levels + 1.0)))
        further = levels - last
        count = turns(twice(most, nl.greater, least, nl.multiply, float(further)), likely=0 if least else further, most=further)
        nl.fori_loop(0, count, level)
    last = arithmetic(nl.subtract, 1.0, inverse)
    patch(last, inverse, arithmetic(nl.less, a, 1.0, dtype=nl.uint8))
    return reciprocal(multiply(scaled_sum(), last))


def _expanded(rows: tuple[tuple[float, ...], ...], skew: Tile, over_total: tuple[Tile, ...], step: Tile) -> Tile:
    """Sum rows of coefficients by powers of the step; a row is by powers of 1 / (a + b), and skew makes up the power that they all have."""
    square, result = multiply(skew, skew), None
    for place, (first, *rest) in reversed(list(enumerate(rows))):
        total = None
        for number, power in zip(rest, over_total, strict=False):
            term = arithmetic(nl.multiply, square, first) if total is None else multiply(total, square)
            total = then(power, nl.multiply, number, nl.add, term)
        if place % 2 == 0:
            total = arithmetic(nl.multiply, skew, first) if total is None else multiply(total, skew)
        result = total if result is None else add(multiply(result, step), total)
    return result


def _uniform(a: Tile, b: Tile, half: Pair, product: Tile) -> Tile:
    """
    Expand around the normal distribution of which `half` is half the square; `product` is that of the distance from the mean.

    The first term is the latter's reciprocal less the other's, for which there is a series where both are small.
    """
    numbers = (twice(number, nl.multiply, 2.0**-20, nl.minimum, _FAR) for number in (a, b, add(a, b)))
    over_a, over_b, over_total = map(reciprocal, numbers)
    squares = ((half.high, 2.0), (product, 1.0))
    size, steps = (add(*root(twice(square, nl.minimum, _FAR, nl.multiply, factor))) for square, factor in squares)
    difference = subtract(*(reciprocal(arithmetic(nl.maximum, number, _CENTRE / 2.0)) for number in (steps, size)))
    skew = multiply(subtract(over_a, over_b), reciprocal(add(*root(add(over_a, over_b)))))
    skew, over_total = arithmetic(nl.multiply, skew, 2.0**-10), arithmetic(nl.multiply, over_total, 2.0**-20)
    step, powers = arithmetic(nl.minimum, size, _STEPS), (over_total, multiply(over_total, over_total))
    patch(difference, _expanded(FIRST_TERM, skew, powers, step), arithmetic(nl.less, size, _CENTRE, dtype=nl.uint8))
    difference = add(difference, _expanded(SECOND_TERM, skew, powers, step))
    tail = normal_tail(size)
    halved = times(tail, 0.5)
    value = renormalized(halved.high, then(difference, nl.multiply, NORMAL_SLOPE, nl.add, halved.low))
    return times_exponential(value, arithmetic(nl.maximum, minus(half.high), -104.0), limited(minus(half.low), -1.0, 1.0))


def _scale(a: Tile, b: Tile) -> Tile:
    """Where both parameters are so small or so large that their quotient alone counts, make them less so."""
    scale = constant(a, 1.0, 0.0).high
    patch(scale, 2.0**40, arithmetic(nl.less, arithmetic(nl.maximum, a, b), 2.0**-80, dtype=nl.uint8))
    patch(scale, 2.0**-10, arithmetic(nl.greater, arithmetic(nl.minimum, a, b), 2.0**70, dtype=nl.uint8))
    return scale


def _smaller(a: Tile, b: Tile, x: Pair, y: Pair) -> tuple[Tile, Tile]:
    """Give the function below the mean, or what it leaves of 1 above, and where that is."""
    scale = _scale(a, b)
    a, b = (limited(multiply(operand, scale), 0.0, LARGEST) for operand in (a, b))
    for operand in (a, b):
        patch(operand, 1.0, is_nan(operand))  # so that NaN has no part in the turns of loops
    factor = constant(a, 1.0, 0.0).high
    many = then(x.high, nl.less, 2.0**-40, nl.multiply, arithmetic(nl.greater, b, 2.0**100))  # b x counts alone
    patch(factor, 2.0**-24, many.view(nl.uint32))
    b = arithmetic(nl.minimum, multiply(b, factor), _MOST)
    a = arithmetic(nl.minimum, a, _MOST)
    patch(factor, 2.0**24, many.view(nl.uint32))
    x = times(x, factor)
    distance = _distance(a, b, x, y)
    # with a parameter below 1, the fraction goes on to the mean of (a + 1) and (b + 1)
    small = arithmetic(nl.less, arithmetic(nl.minimum, a, b), 1.0)
    above = arithmetic(nl.greater, add(distance.high, multiply(subtract(x.high, y.high), small)), 0.0)
    where = above.view(nl.uint32)
    first, second = single(a), single(b)
    left, right = (Pair(*(copy(scratch(a, nl.float32), part) for part in number)) for number in (x, y))
    for dst, src in ((first, b), (second, a)):
        patch(dst.high, src, where)
    choose(left, y, where)
    choose(right, x, where)
    a, b = first.high, second.high
    distance = times(distance, twice(above, nl.multiply, -2.0, nl.add, 1.0))
    exponent = _exponent(a, b, left, right, distance)
    least = arithmetic(nl.minimum, a, b)
    middle = then(least, nl.greater, _MIDDLE[0], nl.multiply, arithmetic(nl.greater, exponent.normal.high, _MIDDLE[1]))
    large = then(least, nl.greater, _LARGE, nl.maximum, middle)
    alive = arithmetic(nl.greater, exponent.whole.high, -170.0)
    live = multiply(then(large, nl.less, 0.5, nl.multiply, alive), least)
    sums = _fraction(a, b, add(*left), add(*right), minus(distance.high), live)
    n, r = parted(limited(exponent.whole.high, -170.0, 129.0))
    r = add(r, limited(exponent.whole.low, -1.0, 1.0))
    grown = add(sums, multiply(times_argument(EXP2, r), sums))
    result = scratch(a, nl.float32)
    times_power(result, arithmetic(nl.multiply, grown, 2.0**-3), limited(arithmetic(nl.add, n, 3.0), -159.0, 129.0))
    patch(result, 0.0, then(alive, nl.less, 0.5, nl.multiply, constant(a, 1.0, 0.0).high).view(nl.uint32))
    some = scratch(a, nl.float32, 1)
    nisa.tensor_reduce(some, nl.maximum, large, axis=1)

    def uniform(_: Any) -> None:
        up = arithmetic(nl.add, twice(scale, nl.less, 0.5, nl.multiply, 2.0**10 - 1.0), 1.0)  # both are as large as parameters are
        half = times(product_of_pairs(exponent.normal, constant(a, -LOG_2[0], -LOG_2[1])), up)
        patch(result, _uniform(a, b, half, multiply(exponent.product, up)), large.view(nl.uint32))

    nl.fori_loop(0, turns(greatest(some)), uniform)
    return arithmetic(nl.minimum, result, 1.0), above


def _special(dst: Tile, a: Tile, b: Tile, x: Tile, complement: bool) -> None:
    """Put in what functions are of zeros and infinities, and what is not defined."""
    one, zero = (0.0, 1.0) if complement else (1.0, 0.0)
    sizes = [magnitude_of(operand).view(nl.uint32) for operand in (a, b)]
    none, endless = ([find(size) for size in sizes] for find in (is_zero, is_infinite))
    for number, where in ((one, none[0]), (one, endless[1]), (zero, none[1]), (zero, endless[0])):
        patch(dst, number, where)
    patch(dst, zero, is_zero(magnitude_of(x).view(nl.uint32)))
    patch(dst, one, arithmetic(nl.equal, x, 1.0, dtype=nl.uint8))
    for pair in (none, endless):
        patch(dst.view(nl.uint32), NAN, arithmetic(nl.multiply, pair[0], pair[1], dtype=nl.uint8))
    patch(dst.view(nl.uint32), NAN, arithmetic(nl.greater, x, 1.0, dtype=nl.uint8))
    for operand in (a, b, x):
        patch(dst.view(nl.uint32), NAN, is_negative(operand))
        patch(dst.view(nl.uint32), NAN, is_nan(operand))


def _function(complement: bool) -> Callable[[Tile, Tile, Tile, Tile], None]:
    """Make the lower function, or the upper one."""

    def emit(dst: Tile, a: Tile, b: Tile, x: Tile) -> None:
        a, b, x = (wide(operand, dst) for operand in (a, b, x))
        inside = limited(x, 0.0, 1.0)
        patch(inside, 0.5, is_nan(x))
        value = of_both(*_smaller(a, b, single(inside), renormalized(*with_one(minus(inside)))), complement)
        _special(value, a, b, x, complement)
        copy(dst, value)

    return emit


_ERROR: Final = 8.0

INCOMPLETE_BETAS: Final = (
    Emitter("special.betainc", 3, float_loops(_function(complement=False)), _ERROR),
    Emitter("special.betaincc", 3, float_loops(_function(complement=True)), _ERROR),
)
