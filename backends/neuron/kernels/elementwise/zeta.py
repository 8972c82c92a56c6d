"""
The zeta function of A. Hurwitz and the polygamma functions of float32, within 8 units in the last place.

For q > 0 it is ``q**-x`` times a sum: a few terms, and the rest by the summation formula of Euler and Maclaurin (NIST Digital Library of
Mathematical Functions, 2.10 and 25.11), all relative to the first term, of which the exponent is a pair. With a negative q, of which x has
to be an integer, the terms on both sides of 0 are those of three positive numbers. The polygamma function of order n is
``(-1)**(n + 1) gamma(n + 1) zeta(n + 1, x)``, where the gamma function joins the exponent; from order 171 on, it is infinite. For negative
q units are those of what is summed on both sides.
"""

from __future__ import annotations

from typing import Any, Final

from ....isa import nisa, nl
from ...function import Emitter, Tile
from .alu import add, arithmetic, bits, copy, is_nan, limited, multiply, patch, scratch, subtract, then, twice
from .beta import beyond_stirling
from .digamma import digamma
from .exponential import EXP, EXP2, LOG2_E, parted, times_power
from .half_turns import sine
from .log_sum import decaying
from .logarithm import BINARY, log_of_sum, with_one
from .pair_arithmetic import Scaled, constant, minus, product_of_pairs, reciprocal, single, sum_of_pairs, times
from .pairs import Pair, exact_sum, renormalized
from .polynomial import times_argument
from .power import log2
from .registers import greatest, turns
from .significand import INFINITY, LARGEST, NAN, ROUND, decompose, is_infinite, is_zero, magnitude_of, power_of_two, sign_bit
from .widening import float_loops

__all__ = ["ZETAS", "log_factorial"]

_TERMS: Final = 5
"""What is summed before the rest."""
_REST: Final = (60.0, 42.0)
"""How much smaller each coefficient of the rest is than the one before: those of B(2 k) / (2 k)!, from 1 / 12 on."""
_MOST: Final = 2.0**33
"""Of x, beyond which the powers of whatever is not 1 are 0 or infinite."""
_FAR: Final = 2.0**12
"""Of x, beyond which the rest does not count."""
_LARGE: Final = 40
"""Binary exponent of q from which on the terms are equal."""
_SCIPYS_LARGE: Final = 1e8
"""Of q, beyond which SciPy gives 0 for an infinite x, and below NaN."""
_ROOM: Final = 24.0
"""By how many powers of two terms are smaller than their sum, which may be finite where they are not."""
_ALONE: Final = 28.0
"""Of x, beyond which terms but the first do not count for q up to 1 / 2."""
_CLOSE: Final = 0.34
"""Of exponents, up to which `EXP` is good."""
_ORDERS: Final = 170.0
"""From the next one on, gamma(n + 1) is infinite."""
_ROUNDED: Final = 2.0**53
"""Of n, from where on SciPy's n + 1 is even."""
_HALF_LOG2_2_PI: Final = (1.325748085975647, -2.1239487502100474e-08)


def _sum(x: Tile, q: Tile) -> Scaled:
    """Give the sum relative to its first term, for 1 < x and q > 0."""
    of_q = decompose(q)
    power = arithmetic(nl.subtract, of_q.exponent, 127.0)
    near = limited(power, -60.0, float(_LARGE))
    inverse = multiply(reciprocal(of_q.significand), power_of_two(minus(near)))
    total = scratch(q, nl.float32)
    nisa.memset(total, 1.0)
    less = arithmetic(nl.subtract, x, 1.0)
    for place in range(1, _TERMS + 1):
        log = log_of_sum(*with_one(arithmetic(nl.multiply, inverse, float(place))))
        if place < _TERMS:
            total = add(total, decaying(minus(multiply(log, arithmetic(nl.minimum, x, _FAR)))))
    # 1 / (x - 1) + 1 / (2 w) + x / (12 w**2) - ... with w = q + 5, times q (w / q)**(1 - x)
    step = reciprocal(twice(q, nl.minimum, 2.0**_LARGE, nl.add, float(_TERMS)))
    ratio = multiply(arithmetic(nl.minimum, x, _FAR), step)
    series = None
    for place, divisor in reversed(list(enumerate(_REST))):
        first, second = (then(step, nl.multiply, 2.0 * place + more, nl.add, ratio) for more in (1.0, 2.0))
        following = multiply(first, second)
        following = arithmetic(nl.multiply, following if series is None else multiply(following, series), -1.0 / divisor)
        series = arithmetic(nl.add, following, 1.0)
    series = then(multiply(ratio, series), nl.multiply, 1.0 / 12.0, nl.add, constant(q, 0.5, 0.0).high)
    rest = add(reciprocal(limited(less, 2.0**-24, _MOST)), multiply(series, step))
    grown = multiply(rest, decaying(minus(multiply(log, arithmetic(nl.minimum, less, _FAR)))))
    up = limited(power, 0.0, 126.0)
    down = power_of_two(minus(up))
    q_scaled = multiply(of_q.significand, power_of_two(limited(subtract(power, up), -100.0, 1.0)))
    parts = decompose(add(multiply(total, down), multiply(q_scaled, grown)))
    return Scaled(Pair(parts.significand, parts.significand), add(arithmetic(nl.subtract, parts.exponent, 127.0), up))


def _positive(x: Tile, q: Tile, more: Pair | None) -> Tile:
    """Give ``2**more zeta(x, q)`` for 1 < x and q > 0."""
    relative = _sum(x, q)
    inside = arithmetic(nl.minimum, x, _MOST)
    exponent = times(product_of_pairs(Pair(inside, arithmetic(nl.multiply, inside, 0.0)), log2(q)), -1.0)
    if more is not None:
        exponent = sum_of_pairs(exponent, more)
    n, r = parted(limited(exponent.high, -512.0, 512.0))
    r = add(r, limited(exponent.low, -1.0, 1.0))
    significand = relative.value.high
    result = scratch(x, nl.float32)
    grown = add(significand, multiply(times_argument(EXP2, r), significand))
    times_power(result, grown, limited(add(n, relative.power), -159.0, 129.0))
    return result


def _positive_of_pair(x: Tile, q: Pair, more: Pair) -> Tile:
    """Give the same for q from 1 / 2 to 1, where it is its first term to which the low part counts."""
    grown = multiply(multiply(arithmetic(nl.minimum, x, _FAR), q.low), reciprocal(q.high))
    return multiply(_positive(x, q.high, more), twice(grown, nl.multiply, -1.0, nl.add, 1.0))


def _cancel(below: Tile, above: Tile, x: Tile, near: Tile, odd: Tile) -> None:
    """
    Take values at `near` and 1 - `near`, of which the difference is wanted where x is odd, to that difference and 0 where they are close.

    The quotient of their first terms is ``exp(-2 x arctanh(2 d))`` with ``d = 1 / 2 - near``; others do not count.
    """
    distance = twice(near, nl.multiply, -1.0, nl.add, 0.5)
    linear = then(distance, nl.multiply, -4.0, nl.multiply, arithmetic(nl.minimum, x, _FAR))
    exponent = then(multiply(multiply(distance, distance), linear), nl.multiply, 4.0 / 3.0, nl.add, linear)
    difference = multiply(below, minus(times_argument((1.0, *EXP), exponent)))
    patch(difference, 0.0, arithmetic(nl.equal, distance, 0.0, dtype=nl.uint8))  # of infinity, too
    reach = twice(x, nl.greater, _ALONE, nl.multiply, -_CLOSE)
    close = multiply(arithmetic(nl.greater_equal, exponent, reach), odd).view(nl.uint32)
    patch(below, difference, close)
    patch(above, 0.0, close)


def _zeta_of_all(dst: Tile, x: Tile, q: Tile, more: Pair | None) -> None:
    """Give ``2**more zeta(x, q)`` for 1 < x, an integer where q is negative, and q that is not an integer then."""
    first = scratch(q, nl.float32)
    negative = arithmetic(nl.less, q.view(nl.int32), 0.0)  # subnormal ones, too
    copy(first, q)
    patch(first, 1.0, negative.view(nl.uint32))
    copy(dst, _positive(x, first, more))
    some = scratch(q, nl.float32, 1)
    nisa.tensor_reduce(some, nl.maximum, negative, axis=1)

    def others(_: Any) -> None:
        magnitude = magnitude_of(q)
        fraction = sine(magnitude).value.high  # what the nearest integer leaves
        near = magnitude_of(fraction)
        odd = _odd(x)
        alike = then(near, nl.equal, 0.5, nl.multiply, odd)
        up = twice(alike, nl.multiply, -_ROOM, nl.add, _ROOM)
        less = single(minus(up))
        less = less if more is None else sum_of_pairs(more, less)
        above, below = _positive_of_pair(x, Pair(*with_one(minus(near))), less), _positive(x, near, less)
        patch(above, 0.0, is_infinite(above))
        _cancel(below, above, x, near, odd)
        turned = arithmetic(nl.less, fraction, 0.0).view(nl.uint32)
        upward, downward = copy(scratch(q, nl.float32), above), copy(scratch(q, nl.float32), below)
        patch(upward, below, turned)
        patch(downward, above, turned)
        beyond = _positive(x, arithmetic(nl.add, magnitude, 1.0), less)
        patch(beyond, 0.0, then(alike, nl.less, 0.5, nl.multiply, is_infinite(beyond)).view(nl.uint32))
        downward = subtract(downward, beyond)
        sign = twice(odd, nl.multiply, -2.0, nl.add, 1.0)
        total = multiply(add(upward, multiply(downward, sign)), power_of_two(up))
        patch(dst, total, negative.view(nl.uint32))

    nl.fori_loop(0, turns(greatest(some)), others)


def _odd(x: Tile) -> Tile:
    """Find odd numbers among integers that are not negative."""
    shift = twice(x, nl.less, ROUND, nl.multiply, ROUND)
    shifted = add(arithmetic(nl.minimum, x, 2.0 * ROUND), shift)
    return copy(scratch(x, nl.float32), bits(nl.bitwise_and, shifted.view(nl.uint32), 1))


def _whole(x: Tile) -> Tile:
    """Find integers among numbers that are not negative."""
    shift = twice(x, nl.less, ROUND, nl.multiply, ROUND)
    whole = arithmetic(nl.equal, arithmetic(nl.subtract, arithmetic(nl.add, x, shift), shift), x)
    patch(whole, 0.0, arithmetic(nl.less, x.view(nl.uint32), ROUND, dtype=nl.uint8))  # subnormal ones
    patch(whole, 1.0, is_zero(x.view(nl.uint32)))
    return whole


def _special(dst: Tile, x: Tile, q: Tile) -> None:
    """Put in what is not defined, and poles, for 1 < x."""
    negative = arithmetic(nl.less, q.view(nl.int32), 0.0)
    patch(dst, 0.0, arithmetic(nl.greater, q, LARGEST, dtype=nl.uint8))
    whole = _whole(magnitude_of(q))
    patch(dst.view(nl.uint32), NAN, then(_whole(x), nl.less, 0.5, nl.multiply, negative).view(nl.uint32))
    for operand in (x, q):
        patch(dst.view(nl.uint32), NAN, is_nan(operand))
    patch(dst.view(nl.uint32), INFINITY, multiply(whole, negative).view(nl.uint32))
    patch(dst.view(nl.uint32), INFINITY, is_zero(magnitude_of(q).view(nl.uint32)))


def _full(dst: Tile, *operands: Tile) -> list[Tile]:
    return [copy(scratch(dst, nl.float32), operand) for operand in operands]


def _zeta(dst: Tile, x: Tile, q: Tile) -> None:
    x, q = _full(dst, x, q)
    result = scratch(dst, nl.float32)
    inside = arithmetic(nl.maximum, x, 1.0 + 2.0**-23)
    _zeta_of_all(result, inside, q, None)
    endless = then(x, nl.greater, LARGEST, nl.multiply, arithmetic(nl.greater, q, 1.0))
    patch(result.view(nl.uint32), NAN, then(q, nl.less_equal, _SCIPYS_LARGE, nl.multiply, endless).view(nl.uint32))
    _special(result, x, q)
    patch(result.view(nl.uint32), INFINITY, arithmetic(nl.equal, x, 1.0, dtype=nl.uint8))
    patch(result.view(nl.uint32), NAN, arithmetic(nl.less, x, 1.0, dtype=nl.uint8))
    copy(dst, result)


def log_factorial(n: Tile, each: tuple[float, float] = BINARY[:2]) -> Pair:
    """Take the logarithm to base 2 of ``gamma(n + 1) / factor**n``."""
    log = log2(n)
    total = exact_sum(log.high, arithmetic(nl.add, arithmetic(nl.multiply, n, 0.0), -each[0]))
    less = renormalized(total.high, add(total.low, arithmetic(nl.subtract, log.low, each[1])))
    half = times(log, 0.5)
    beyond = then(beyond_stirling(n), nl.multiply, LOG2_E, nl.add, half.low)
    small = sum_of_pairs(exact_sum(half.high, beyond), constant(n, *_HALF_LOG2_2_PI))
    return sum_of_pairs(product_of_pairs(Pair(n, arithmetic(nl.multiply, n, 0.0)), less), small)


def _polygamma(dst: Tile, n: Tile, x: Tile) -> None:
    n, x = _full(dst, n, x)
    result = scratch(dst, nl.float32)
    even = then(_odd(n), nl.equal, 0.0, nl.multiply, arithmetic(nl.less, n, _ROUNDED))
    order = arithmetic(nl.minimum, arithmetic(nl.maximum, n, 1.0), arithmetic(nl.add, even, _ORDERS - 1.0))
    _zeta_of_all(result, arithmetic(nl.add, order, 1.0), x, log_factorial(order))
    exponent = arithmetic(nl.add, n, 1.0)
    beyond = arithmetic(nl.greater, n, _ORDERS)
    nothing = then(result, nl.equal, 0.0, nl.multiply, arithmetic(nl.less, x, 0.0))
    patch(result.view(nl.uint32), bits(nl.bitwise_or, sign_bit(result), INFINITY), beyond.view(nl.uint32))
    patch(result.view(nl.uint32), NAN, multiply(beyond, nothing).view(nl.uint32))
    least = then(log2(x).high, nl.multiply, 2.0**-10, nl.multiply, arithmetic(nl.minimum, exponent, _MOST))
    least = then(least, nl.greater, 1.05, nl.multiply, arithmetic(nl.greater, x, 1.0))
    _special(result, exponent, x)
    patch(result.view(nl.uint32), NAN, multiply(beyond, least).view(nl.uint32))
    none = arithmetic(nl.equal, n, 0.0)
    result = multiply(result, twice(even, nl.multiply, -2.0, nl.add, 1.0))
    some = scratch(dst, nl.float32, 1)
    nisa.tensor_reduce(some, nl.maximum, none, axis=1)

    def zeroth(_: Any) -> None:
        values = scratch(dst, nl.float32)
        digamma(values, x)
        patch(result, values, none.view(nl.uint32))

    nl.fori_loop(0, turns(greatest(some)), zeroth)
    defined = then(n, nl.greater_equal, 0.0, nl.multiply, _whole(magnitude_of(n)))
    patch(result.view(nl.uint32), NAN, then(defined, nl.less, 0.5, nl.multiply, constant(dst, 1.0, 0.0).high).view(nl.uint32))
    copy(dst, result)


ZETAS: Final = (
    Emitter("special.zeta", 2, float_loops(_zeta), 8.0),
    Emitter("special.polygamma", 2, float_loops(_polygamma), 8.0),
)
