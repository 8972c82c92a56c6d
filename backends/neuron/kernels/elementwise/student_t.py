"""
Student's t distribution of float32, within 6 units in the last place.

With ``a = df / 2`` and ``u = t**2 / df`` both tails together are ``I_x(a, 1/2)`` of ``x = 1 / (1 + u)``. Five steps of its recurrence in a
leave a sum of five positive terms, and what remains belongs to ``a + 5``: with ``xi = log(1 + u)`` and ``w = a + 5 - 1/4`` it is the
integral from xi of ``exp(-w s) s**(-1/2) g(s)`` over that from 0, of which ``g(s) = (sinh(s / 2) / (s / 2))**(-1/2)`` is nearly 1. Four
terms of g give the normal distribution at ``sqrt(2 w xi)`` and a small correction (so A. R. DiDonato and A. H. Morris, Algorithm 708, ACM
Trans. Math. Softw. 18, 1992, expand for large a). All has the factor ``exp(-a xi)``, of which the exponent is a pair: no tail is the
difference of larger numbers, and that of infinite df is normal. About t = 0, one half is a term of its own. The first term of the sum is a
quotient of gamma functions. Coefficients are nearly minimax ones, from the script beside the tests. There is no loop, and GpSimd is what
limits it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ....isa import nl
from ...function import Emitter, Tile
from .alu import add, arithmetic, copy, is_nan, limited, minus_reciprocal, multiply, patch, then, twice, wide
from .beta import LOG_2
from .error_function import NORMAL_SLOPE, central, normal_tail
from .exponential import times_exponential
from .incomplete_gamma import half_square
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
    times,
)
from .pairs import Pair, exact_sum, inverse, ratio, renormalized, root
from .polynomial import times_argument
from .significand import LARGEST, NAN, is_infinite, magnitude_of, power_of_two
from .widening import float_loops

__all__ = ["GAMMA_QUOTIENT", "NEARLY_ONE", "STUDENT_T"]

GAMMA_QUOTIENT: Final = (0.0312485057, 0.0234716148, 0.0128821536, 0.00467796372, -0.00620200523, 0.00270407327, -0.000472420041)
"""``((gamma(a + 1) / gamma(a + 1/2))**2 - a - 1/4) / u`` in powers of ``u = 1 / (a + 1)``, for 0 <= a, lowest power first."""
NEARLY_ONE: Final = (-0.0208331585, 0.000389723411, -7.05061131e-06)
"""(g(s) - 1) / s**2 in powers of s**2, for 0 <= s, weighed by ``exp(-4 s)``."""
_STEPS: Final = 5
_MOST: Final = 2.0**36
"""Of a, beyond which the terms of the sum do not count."""
_NEAR: Final = 0.4
"""Of u, below which the exponent is ``t**2 / 2`` less what the logarithm takes of it."""
_CENTRE: Final = 0.5
"""Of ``w xi``, below which the normal distribution is taken from its middle."""
_FAR: Final = 20.0
"""Of xi, beyond which what the steps leave does not count."""
_OVER_ROOT_PI: Final = (0.564208984375, -1.94008272245e-05)  # 12 bits, and the rest


class _Argument(NamedTuple):
    """``u = t**2 / df`` and 1 + u, and 1, over a power of two that makes them moderate; and the logarithm of 1 + u."""

    above: Pair
    below: Pair
    one: Tile
    log: Pair


def _argument(df: Tile, t: Tile) -> _Argument:
    of_t = apart(single(t))
    value, power = quotient_of(product_of((of_t, of_t)), apart(single(df)))
    positive = arithmetic(nl.maximum, power, 0.0)
    above = times(value, power_of_two(limited(power, -126.0, 0.0)))
    one = power_of_two(limited(minus(positive), -126.0, 0.0))
    total = exact_sum(above.high, one)
    below = renormalized(total.high, add(total.low, above.low))
    return _Argument(above, below, one, product_of_pairs(renormalized(*log2_of(Scaled(below, positive))), constant(one, *LOG_2)))


def _exponent(a: Tile, t: Tile, argument: _Argument) -> Pair:
    """Give ``a log(1 + u)``; for small u as ``t**2 / 2 - a (u - log(1 + u))``."""
    exponent = product_of_pairs(single(arithmetic(nl.minimum, a, _MOST)), argument.log)
    near = arithmetic(nl.less, argument.above.high, _NEAR)
    bent = product_of_pairs(single(a), half_square(times(argument.above, near)))
    size = single(arithmetic(nl.minimum, t, 2.0**62))
    choose(exponent, difference_of_pairs(times(product_of_pairs(size, size), 0.5), bent), near.view(nl.uint32))
    return exponent


def _terms(a: Tile, argument: _Argument) -> Pair:
    """Sum what the recurrence has before ``a + 5``, over the common factor: the first term, all but exactly, and the rest."""
    opposite = minus_reciprocal(arithmetic(nl.add, a, 1.0))
    square = add(arithmetic(nl.add, a, 0.25), times_argument(GAMMA_QUOTIENT, minus(opposite)))
    high, low = root(add(*ratio(argument.above.high, multiply(argument.below.high, square))))
    low = then(high, nl.multiply, _OVER_ROOT_PI[1], nl.add, arithmetic(nl.multiply, low, sum(_OVER_ROOT_PI)))
    high = arithmetic(nl.multiply, high, _OVER_ROOT_PI[0])
    x = multiply(argument.one, add(*inverse(*argument.below)))
    more = None
    for place in range(_STEPS - 1, 0, -1):
        less = opposite if place == 1 else minus_reciprocal(arithmetic(nl.add, a, float(place)))
        step = multiply(twice(less, nl.multiply, 0.5, nl.add, 1.0), x)
        more = step if more is None else then(more, nl.add, 1.0, nl.multiply, step)
    return Pair(high, add(low, multiply(add(high, low), more)))


def _correction(a: Tile, xi: Tile, size: Tile) -> Tile:
    """Give what g adds to the normal distribution, over ``exp(-size**2 / 2)``: integrals by parts, each from the one before."""
    v = reciprocal(arithmetic(nl.add, a, _STEPS - 0.25))
    part, total, power = v, None, None
    for place in range(1, 2 * len(NEARLY_ONE)):
        power = xi if power is None else multiply(power, xi)
        part = multiply(then(part, nl.multiply, place + 0.5, nl.add, power), v)
        if place % 2:
            term = arithmetic(nl.multiply, part, NEARLY_ONE[place // 2])
            total = term if total is None else add(total, term)
    whole = twice(multiply(v, v), nl.multiply, -0.75 * NEARLY_ONE[0], nl.add, 1.0)  # from 0 on, g adds to both integrals
    return multiply(then(size, nl.multiply, NORMAL_SLOPE, nl.multiply, total), whole)


def _lower(df: Tile, t: Tile) -> Tile:
    """Give the distribution function at -t."""
    argument = _argument(df, t)
    a = arithmetic(nl.multiply, df, 0.5)
    exponent = _exponent(a, t, argument)
    a = arithmetic(nl.minimum, a, _MOST)
    xi = arithmetic(nl.minimum, argument.log.high, _FAR)
    high, low = renormalized(arithmetic(nl.multiply, xi, 4.0), arithmetic(nl.multiply, xi, _STEPS - 4.25))
    low = then(argument.log.low, nl.multiply, _STEPS - 0.25, nl.add, low)
    square = add(exponent.high, high)  # half of it
    size = add(*root(twice(square, nl.minimum, _MOST, nl.multiply, 2.0)))
    outside = arithmetic(nl.greater_equal, square, _CENTRE)
    tail = normal_tail(size)
    tail = Pair(multiply(tail.high, outside), add(multiply(tail.low, outside), _correction(a, xi, size)))
    rest = times_exponential(tail, minus(high), minus(low))
    terms = _terms(a, argument)
    both = exact_sum(terms.high, rest)
    both = Pair(both.high, add(both.low, terms.low))
    result = times_exponential(both, arithmetic(nl.maximum, minus(exponent.high), -104.0), limited(minus(exponent.low), -1.0, 1.0), 0.5)
    middle = central(minus(size))
    patch(result, add(middle.high, add(middle.low, result)), arithmetic(nl.less, outside, 0.5, dtype=nl.uint8))
    return result


def _emit(dst: Tile, df: Tile, t: Tile) -> None:
    df, t = (wide(operand, dst) for operand in (df, t))
    size = magnitude_of(t)
    value = _lower(*(arithmetic(nl.minimum, operand, LARGEST) for operand in (magnitude_of(df), size)))
    patch(value, 0.0, is_infinite(size))
    patch(value, twice(value, nl.multiply, -1.0, nl.add, 1.0), arithmetic(nl.greater, t, 0.0, dtype=nl.uint8))
    for where in (arithmetic(nl.less_equal, df.view(nl.int32), 0.0, dtype=nl.uint8), is_nan(df), is_nan(t)):
        patch(value.view(nl.uint32), NAN, where)
    copy(dst, value)


STUDENT_T: Final = (Emitter("special.stdtr", 2, float_loops(_emit), 6.0),)
