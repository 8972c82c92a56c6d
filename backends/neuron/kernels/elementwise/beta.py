"""
The beta function of float32 and its logarithm, within 4 units in the last place.

The units are those of the result, but for the logarithm of 1 / 16 where it is smaller, and of 1 for negative numbers.

For P and Q from 1 on, ``log B(P, Q) = P log(r) - (P + Q) log(1 + r) + log(2 pi (1 + r) / P) / 2 + c(P) + c(Q) - c(P + Q)`` with
``r = P / Q``: Stirling's series, of which no large terms are left to cancel; c is what the series has beyond its first terms, and r and the
logarithms are pairs. Below 1, B is the value one further on times ``(P + Q) / P``, and of negative numbers that of other positive ones, or
its reciprocal, times sines (NIST Digital Library of Mathematical Functions, 5.5 and 5.12). The coefficients are nearly minimax ones, from
the script beside the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from ....isa import nisa, nl
from ...function import Emitter, Tile
from .alu import add, arithmetic, bits, copy, is_nan, limited, multiply, patch, scratch, subtract, then, twice, wide
from .exponential import EXP2, LOG2_E, parted, scaled
from .half_turns import sine
from .logarithm import BINARY, with_one
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
    ratio_of_pairs,
    reciprocal,
    single,
    sum_of_pairs,
    times,
)
from .pairs import Pair, exact_sum, renormalized
from .polynomial import polynomial, times_argument
from .registers import greatest, turns
from .significand import INFINITY, LARGEST, MINUS_INFINITY, NAN, is_infinite, is_zero, magnitude_of, power_of_two, sign_bit
from .widening import float_loops

__all__ = ["BETAS", "BEYOND_STIRLING", "LOG_2", "TWO_PI", "beyond_stirling", "log_beta"]

BEYOND_STIRLING: Final = (0.0833334757, 0.0416615865, 0.0181161118, 0.00591644935, 0.00276847809, -0.000164186704, 0.00175946189)
"""c(x) = gammaln(x) - (x - 1 / 2) log(x) + x - log(2 pi) / 2, over u, in powers of ``u = 1 / (x + 1 / 2)``, for 1 <= x."""
_SHIFT: Final = 0.5
_LARGE: Final = 2.0**40
"""From it on, c does not count."""
TWO_PI: Final = (6.2831854820251465, -1.7484555314695172e-07)
LOG_2: Final = (0.6931471824645996, -1.904654323148236e-09)
_NEAR: Final = 2.0**-10
"""Of r, below which ``(1 + 1 / r) log(1 + r)`` is a short series."""
_INTEGERS: Final = 2.0**31
"""From it on, SciPy does not look whether numbers are integers."""


def beyond_stirling(x: Tile) -> Tile:
    """Compute what the logarithm of the gamma function has beyond the first terms of Stirling's series."""
    u = reciprocal(twice(x, nl.minimum, _LARGE, nl.add, _SHIFT))
    return multiply(polynomial(BEYOND_STIRLING, u), u)


def log_beta(p: Pair, q: Pair, factor: Scaled) -> Scaled:
    """Take the logarithm to base 2 of ``B(p, q) sqrt(factor)``."""
    (of_p, power), (of_q, power_of_q) = apart(p), apart(q)
    less = subtract(power, power_of_q)
    quotient = ratio_of_pairs(of_p, of_q)
    r = times(quotient, power_of_two(arithmetic(nl.maximum, less, -100.0)))
    one = with_one(r.high)
    one = renormalized(one[0], add(one[1], r.low))
    # (P + Q) log(1 + r) is P (1 + 1 / r) log(1 + r)
    total = sum_of_pairs(times(of_q, power_of_two(limited(minus(less), -1.0, 20.0))), of_p)
    grown = log2_of(Scaled(one, arithmetic(nl.multiply, less, 0.0)))
    near = arithmetic(nl.less, r.high, _NEAR, dtype=nl.uint8)
    slope = multiply(twice(r.high, nl.multiply, LOG2_E / 12, nl.subtract, LOG2_E / 6), r.high)
    slope = then(slope, nl.add, LOG2_E / 2, nl.multiply, r.high)
    choose(total, of_p, near)
    patch(grown.high, BINARY.high, near)
    patch(grown.low, arithmetic(nl.add, slope, BINARY.low), near)
    first = product_of_pairs(of_p, renormalized(*log2_of(Scaled(quotient, less))))
    exponent = difference_of_pairs(first, product_of_pairs(total, renormalized(*grown)))
    circle = Scaled(product_of_pairs(constant(one.high, *TWO_PI), one), minus(power))
    root = log2_of(quotient_of(product_of((circle, factor)), Scaled(of_p, arithmetic(nl.multiply, power, 0.0))))
    beyond = subtract(add(beyond_stirling(p.high), beyond_stirling(q.high)), beyond_stirling(add(p.high, q.high)))
    rest = exact_sum(arithmetic(nl.multiply, root.high, 0.5), arithmetic(nl.multiply, beyond, LOG2_E))
    rest = renormalized(rest.high, then(root.low, nl.multiply, 0.5, nl.add, rest.low))
    down = power_of_two(limited(minus(power), -126.0, 0.0))
    return Scaled(sum_of_pairs(exponent, times(rest, down)), power)


def _ones(like: Tile) -> Pair:
    return constant(like, 1.0, 0.0)


class _Angle(NamedTuple):
    """The magnitude of ``sin(pi x) / pi``, its sign bit, what the nearest integer leaves of x, and a sign bit where that is odd."""

    size: Pair
    sign: Tile
    fraction: Tile
    odd: Tile


def _angle(x: Tile, more: Tile | None = None) -> _Angle:
    """Of numbers, and where there is more to add, of numbers below 2."""
    negative, magnitude = sign_bit(x), magnitude_of(x)
    of = sine(magnitude)
    value, low = of.value
    value = renormalized(value, low if more is None else add(low, _signed(more, negative)))
    odd = bits(nl.left_shift, of.integer, 31)
    patch(odd, 0, arithmetic(nl.greater_equal, magnitude, 2.0**24, dtype=nl.uint8))
    turned = sign_bit(value.high)
    size = Pair(*(_signed(part, turned) for part in value))
    return _Angle(size, bits(nl.bitwise_xor, bits(nl.bitwise_xor, odd, negative), turned), _signed(of.value.high, negative), odd)


def _signed(x: Tile, sign: Tile) -> Tile:
    return bits(nl.bitwise_xor, x.view(nl.uint32), sign).view(nl.float32)


class _Reflected(NamedTuple):
    """
    ``B(a, b)`` is ``B(p, q) factor``, or where the direction is -1 the reciprocal of that.

    There are masks for where it is zero, and where infinite.
    """

    p: Pair
    q: Pair
    factor: Scaled
    direction: Tile
    sign: Tile
    zero: Tile
    infinite: Tile


def _reflect(to: _Reflected, low: Tile, high: Tile, odd: Tile) -> None:
    """Replace what is of negative numbers. Where both are integers, the quotient of sines is 1 or -1."""
    total = exact_sum(low, high)
    negative, both = arithmetic(nl.less, low, 0.0), arithmetic(nl.less, high, 0.0)
    above = then(total.high, nl.greater, 0.0, nl.multiply, negative)
    inverse = add(above, both)
    mixed = subtract(negative, inverse)
    of_low, of_high = _angle(low), _angle(high)
    of_total = _angle(*exact_sum(of_low.fraction, of_high.fraction))
    beyond = sum_of_pairs(times(total, -1.0), _ones(low))
    where_negative, where_both, where_above, where_mixed, where_inverse = (
        where.view(nl.uint32) for where in (negative, both, above, mixed, inverse)
    )
    choose(to.p, single(high), where_mixed)
    choose(to.p, Pair(*with_one(minus(low))), where_inverse)
    choose(to.q, beyond, where_mixed)
    choose(to.q, total, where_above)
    choose(to.q, Pair(*with_one(minus(high))), where_both)
    # sines, and what else is beside the function
    upper, second, third, lower = (_ones(low) for _ in range(4))
    choose(upper, of_total.size, where_mixed)
    choose(upper, of_low.size, where_inverse)
    patch(second.high, high, where_above)
    choose(second, of_high.size, where_both)
    choose(third, beyond, where_both)
    choose(lower, of_low.size, where_mixed)
    choose(lower, of_total.size, where_both)
    low_whole, high_whole, vanishes = (arithmetic(nl.equal, of.size.high, 0.0) for of in (of_low, of_high, of_total))
    whole = multiply(low_whole, high_whole).view(nl.uint32)
    for sines in (upper, lower):
        choose(sines, _ones(low), whole)
    factor = quotient_of(product_of((apart(upper), apart(second), apart(third))), apart(lower))
    choose(to.factor.value, factor.value, where_negative)
    patch(to.factor.power, factor.power, where_negative)
    patch(to.direction, -1.0, where_inverse)
    # signs, and where it is finite at a pole
    sign = bits(nl.bitwise_xor, of_total.sign, bits(nl.bitwise_xor, of_low.odd, of_high.odd))
    patch(sign, 0, vanishes.view(nl.uint32))
    patch(sign, 0, where_above)
    sign = bits(nl.bitwise_xor, of_low.sign, sign)
    patch(sign, bits(nl.bitwise_xor, sign, of_high.sign), where_both)
    high_pole = then(high, nl.less_equal, 0.0, nl.multiply, high_whole)
    pole = arithmetic(nl.maximum, low_whole, high_pole)
    known = arithmetic(nl.greater, low, -_INTEGERS)
    finite = multiply(multiply(whole.view(nl.float32), mixed), then(high, nl.greater, 0.0, nl.multiply, known))
    patch(sign, 0, pole.view(nl.uint32))
    patch(sign, of_high.odd, finite.view(nl.uint32))
    patch(sign, odd, multiply(multiply(low_whole, high_pole), known).view(nl.uint32))
    patch(to.sign, sign, where_negative)
    arithmetic(nl.multiply, subtract(pole, finite), negative, to.infinite)
    beside = then(pole, nl.less, 0.5, nl.multiply, then(above, nl.less, 0.5, nl.multiply, vanishes))
    arithmetic(nl.multiply, beside, negative, to.zero)


def _positive(to: _Reflected) -> Scaled:
    """Take the logarithm to base 2."""
    turned = arithmetic(nl.greater, to.p.high, to.q.high, dtype=nl.uint8)
    p, q = (Pair(*(copy(scratch(part, nl.float32), part) for part in number)) for number in (to.p, to.q))
    choose(p, to.q, turned)
    choose(q, to.p, turned)
    numerators, denominators = [], []
    for number in (p, q):
        small = arithmetic(nl.less, number.high, 1.0, dtype=nl.uint8)
        total, divisor = _ones(number.high), _ones(number.high)
        choose(total, sum_of_pairs(p, q), small)
        choose(divisor, number, small)
        numerators.append(apart(total))
        denominators.append(apart(divisor))
        choose(number, sum_of_pairs(number, _ones(number.high)), small)
    factor = product_of((quotient_of(product_of(numerators), product_of(denominators)), to.factor))
    return log_beta(p, q, product_of((factor, factor)))


def _parts(a: Tile, b: Tile) -> _Reflected:
    """Sort operands; NaN is as a number that is no integer."""
    known = []
    for operand in (a, b):
        known.append(limited(operand, -LARGEST, LARGEST))
        patch(known[-1], 0.5, is_nan(operand))
    low, high = (arithmetic(op, *known) for op in (nl.minimum, nl.maximum))
    direction, power = _ones(low)
    sign, (zero, infinite) = copy(scratch(low, nl.uint32), power), (copy(scratch(low, nl.float32), power) for _ in range(2))
    to = _Reflected(single(low), single(high), Scaled(_ones(low), power), direction, sign, zero, infinite)
    some = scratch(a, nl.float32, 1)
    nisa.tensor_reduce(some, nl.maximum, arithmetic(nl.less, low, 0.0), axis=1)
    nl.fori_loop(0, turns(greatest(some)), lambda _: _reflect(to, low, high, _angle(known[1]).odd))
    return to


def _function(logarithm: bool) -> Callable[[Tile, Tile, Tile], None]:
    def emit(dst: Tile, a: Tile, b: Tile) -> None:
        a, b = (wide(operand, dst) for operand in (a, b))
        parts = _parts(a, b)
        value, power = _positive(parts)
        value = times(value, parts.direction)
        result = scratch(dst, nl.float32)
        infinities = [is_infinite(magnitude_of(operand)) for operand in (a, b)]
        far = arithmetic(nl.maximum, infinities[0], infinities[1], dtype=nl.uint8)
        if logarithm:
            arithmetic(nl.multiply, add(*product_of_pairs(value, constant(dst, *LOG_2))), power_of_two(power), result)
            zero, sign = MINUS_INFINITY, bits(nl.bitwise_and, parts.sign, 0)
        else:
            value = times(value, power_of_two(arithmetic(nl.minimum, power, 20.0)))
            n, r = parted(limited(value.high, -151.0, 129.0))
            scaled(result, times_argument(EXP2, add(r, limited(value.low, -1.0, 1.0))), n)
            zero, sign = 0, parts.sign
        result = result.view(nl.uint32)
        patch(result, zero, parts.zero.view(nl.uint32))
        patch(result, zero, far)
        negative = arithmetic(nl.less, arithmetic(nl.minimum, a, b), 0.0)
        patch(result, INFINITY, then(far, nl.multiply, 1.0, nl.multiply, negative, dtype=nl.uint8))
        patch(result, NAN, arithmetic(nl.multiply, infinities[0], infinities[1], dtype=nl.uint8))
        for operand in (a, b):
            patch(result, NAN, is_nan(operand))
        patch(result, INFINITY, parts.infinite.view(nl.uint32))
        for operand in (a, b):
            patch(result, INFINITY, is_zero(magnitude_of(operand).view(nl.uint32)))
        bits(nl.bitwise_or, result, sign, dst.view(nl.uint32))

    return emit


BETAS: Final = (
    Emitter("special.beta", 2, float_loops(_function(logarithm=False)), 4.0),
    Emitter("special.betaln", 2, float_loops(_function(logarithm=True)), 4.0),
)
