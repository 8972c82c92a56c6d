"""
Quotients and square roots of binary64 numbers.

Digits of 21 bits, each rounded to nearest from a float32 estimate, so that a digit that errs is made up for by the next one; remainders
are exact modulo 2**64. Only the estimates of a reciprocal and of a root are the Scalar Engine's, with a step of Newton's method; 12 bits of
them suffice. After D. W. Matula, "Highly parallel divide and square root algorithms for a new generation floating point processor", 1989.
"""

from __future__ import annotations

from .....isa import nl
from .frame import EXPONENT, LIMB, NAN, SIGN, UNIT, Frame, Number, classes, finished, packed, unpacked, usual_significand
from .instruction_graph import Graph, Word
from .products import balanced

__all__ = [
    "divide", "estimated_inverse", "less_product", "real", "reciprocal", "sqrt", "usual_divide", "usual_reciprocal", "usual_sqrt",
]  # fmt: skip

_DIGIT = 21
Words = tuple[Word, Word]


def _rounded(number: Word, scale: float) -> Word:
    return number.scaled(scale, dtype=nl.int32)


def real(words: Words) -> Word:
    """Estimate a number of two words, of which the high one is signed, over 2**32."""
    return words[1].scaled(2.0**-32) + words[0].view(nl.int32)


def _shifted(words: Words, bits: int) -> Words:
    return (words[0] << bits).joined(words[1] >> (32 - bits)), words[1] << bits


def _difference(words: Words, low: Word) -> tuple[Word, Word]:
    """Subtract from a low word, and tell what that takes from the high one."""
    rest = words[1].sub(low)
    return rest, ((words[1] - low) - rest).scaled(2.0**-32, dtype=nl.int32)


def less_product(words: Words, digit: Word, factor: Words) -> Words:
    """Subtract a product from a number of two words, modulo 2**64; the digit has 22 bits and a sign."""
    low = words[1].sub(factor[1].mul(digit))
    small = (words[1] - digit * factor[1].low) - low
    carry = (small + (digit * factor[1].high).scaled(-(2.0**16))).scaled(2.0**-32, dtype=nl.int32)
    return words[0].sub(factor[0].mul(digit)).add(carry), low


def _less_balanced(words: Words, digit: Word, factor: Words) -> Words:
    """Subtract a product as `less_product`; the low word of the factor has a sign, so that a float32 product errs by less than 2**29."""
    low = words[1].sub(factor[1].view(nl.uint32).mul(digit))
    carry = ((words[1] - low) - digit * factor[1]).scaled(2.0**-32, dtype=nl.int32)
    return words[0].sub(factor[0].mul(digit)).add(carry), low


def estimated_inverse(divisor: Words) -> Word:
    """Estimate the reciprocal of a significand of 53 bits, over 2**32."""
    size = real(divisor)
    near = size.scaled(1.0, function=nl.reciprocal)
    return near * (size * near).twice("multiply", -1.0, "add", 2.0)


def _assembled(first: Word, second: Word, third: Word, rest: Words) -> Frame:
    """Make a frame of three digits, of which the last one is too large by 1 where a negative remainder is left."""
    below = rest[0].part(1, nl.int16).twice("less", 0.0, "multiply", -1.0)
    last = (third + below).scaled(1.0, 2.0**_DIGIT, nl.uint32)
    middle = (second + (last >> _DIGIT)).scaled(1.0, 2.0**22 - 1, nl.uint32)
    high = first.scaled(2.0**14, -(2.0**15), nl.int32).view(nl.uint32).add(middle >> 7)
    lost = (rest[0] | rest[1]).sign(dtype=nl.uint32)
    return Frame(high, ((middle << 21) & LIMB) | (last & (2**_DIGIT - 1)) | lost)


def _quotient(a: Number, b: Number) -> Frame:
    """Divide significands, of 53 bits each: 56 bits."""
    divisor = balanced(b.high, b.low)
    inverse = estimated_inverse(divisor)
    rest: Words = (a.high, a.low)
    digits = []
    for bits in (13, _DIGIT, _DIGIT):
        digit = _rounded(real(rest) * inverse, 2.0**bits)
        rest = _less_balanced(_shifted(rest, bits), digit, divisor)
        digits.append(digit)
    return _assembled(digits[0], digits[1], digits[2], rest)


def _divided(a: Words, b: Words) -> Words:
    (first, zero), (second, other_zero) = unpacked(*a), unpacked(*b)
    (special, nan), (other_special, other_nan) = classes(*a), classes(*b)
    infinite, other_infinite = (item.arithmetic("greater_equal", 0.0) for item in (special, other_special))
    second = second._replace(high=second.high | 0x100000)  # of nothing, too
    large, small = infinite.arithmetic("maximum", other_zero), zero.arithmetic("maximum", other_infinite)
    invalid = nan.arithmetic("maximum", other_nan).arithmetic("maximum", (infinite * other_infinite) + (zero * other_zero))
    limit = (first.exponent - second.exponent).scaled(1.0, 1023.0) + (large - small).scaled(8192.0)
    return finished(_quotient(first, second), limit, (a[0] ^ b[0]) & SIGN, invalid.test("greater", 0.0))


def divide(graph: Graph, a_high: Word, a_low: Word, b_high: Word, b_low: Word) -> Words:  # noqa: ARG001
    """Divide."""
    return _divided((a_high, a_low), (b_high, b_low))


def reciprocal(graph: Graph, high: Word, low: Word) -> Words:
    """Divide 1."""
    return _divided((graph.constant(0x3FF00000), graph.constant(0)), (high, low))


def _packed_usual(number: Frame, exponent: Word, some: Word) -> Words:
    """
    Round a frame of 55 or 56 bits, and put it under an exponent, if it is of some number.

    The exponent is the field times 2**20 that a frame of 55.5 bits would have; that and the field say whether the result is normal.
    """
    longer = number.high.high.sign(1.0, 0.5 - 2.0**11, nl.float32)
    field = longer.fused(UNIT / 2, exponent).fused(-UNIT, some, op="add", then="multiply")
    some.graph.beyond(field, -1.0, 0.0)
    some.graph.beyond(field, 1.0 / UNIT, 2045.0)
    by = longer.scaled(-0.5, 1.5, nl.uint32)
    return packed(Frame(number.high << by, number.low << by), field.scaled(1.0 / UNIT))


def usual_divide(graph: Graph, a_high: Word, a_low: Word, b_high: Word, b_low: Word) -> Words:
    """Divide a normal number or 0 by a normal number, where the quotient is one or 0."""
    first, second = usual_significand(a_high, a_low), usual_significand(b_high, b_low)
    graph.beyond(second.exponent, -1.0 / UNIT, -1.0)
    exponent = second.exponent.fused(-1.0, first.exponent)
    found = _quotient(first, second)
    high, low = _packed_usual(found, exponent.scaled(1.0, 1022.5 * UNIT), first.exponent.sign(dtype=nl.float32))
    return high.joined((a_high ^ b_high) & SIGN), low


def usual_reciprocal(graph: Graph, high: Word, low: Word) -> Words:
    """Divide 1 by a normal number, where the quotient is one."""
    return usual_divide(graph, graph.constant(0x3FF00000), graph.constant(0), high, low)


def _root(radicand: Words) -> Frame:
    """
    Take the square root of a number from 2**52 to 2**54: 55 bits.

    With the digits s, q and t the root is (s 2**42 + q 2**21 + t) 2**-28.
    """
    size = (radicand[0].scaled(2.0**32)) + radicand[1]
    near = size.scaled(1.0, function=nl.rsqrt)
    inverse = near * ((size * near) * near).twice("multiply", -0.5, "add", 1.5)
    root = size * inverse
    first = _rounded(root, 2.0**-14)
    squared = first.view(nl.uint32).mul(first.view(nl.uint32))
    low, borrow = _difference(radicand, squared << 28)
    rest: Words = (radicand[0].sub(squared >> 4).add(borrow), low)
    apart = (first.scaled(2.0**14) - root) * inverse
    second = _rounded((real(rest) * inverse) * apart.twice("multiply", -0.5, "add", 1.0), 2.0**38)
    low = (first.view(nl.uint32) << 22).add(second)
    carry = (((first.view(nl.uint32) << 22) + second) - low).scaled(2.0**-32, dtype=nl.int32)
    rest = less_product(_shifted(rest, 14), second, ((first.view(nl.uint32) >> 10).add(carry), low))
    third = _rounded(real(rest) * inverse, 2.0**45)
    low = (second.view(nl.uint32) << 22).add(third)
    carry = ((second.scaled(2.0**22) + third) - low).scaled(2.0**-32, dtype=nl.int32)
    rest = rest[1] << 10, low.sub(low)
    rest = less_product(rest, third, ((first.view(nl.uint32) << 11).add(carry), low))
    return _assembled(first, second, third, rest)


def _rooted(number: Number) -> Words:
    """Take the root of a number that is not 0, with its exponent's field less 1."""
    half = number.exponent.scaled(0.5, -0.25, nl.int32)
    odd = (number.exponent + half.scaled(-2.0)).to(nl.uint32)
    root = _root(((number.high << odd).joined((number.low >> 31) & odd), number.low << odd))
    exact = Frame((root.high << 2).joined(root.low >> 26), (root.low << 2) & LIMB)
    return packed(exact, half.scaled(1.0, 511.0))


def usual_sqrt(graph: Graph, high: Word, low: Word) -> Words:
    """Take the square root of a positive normal number below 2**1023, or of +0."""
    exponent = high & EXPONENT
    significand = (high & 0xFFFFF) | 0x100000
    graph.subnormal(low.fused(1.0, high), exponent)
    graph.beyond(high, 1.0 / UNIT, 2046.0)  # negative numbers, too
    found = _rooted(Number(significand, low, exponent.scaled(1.0 / UNIT, -1.0)))
    some = exponent.sign(-1.0).view(nl.uint32)  # all ones, or 0
    return found[0] & some, found[1] & some


def sqrt(graph: Graph, high: Word, low: Word) -> Words:  # noqa: ARG001
    """Take the square root; of -0 it is -0."""
    number, zero = unpacked(high, low)
    special, nan = classes(high, low)
    found = _rooted(number)
    kept = zero.arithmetic("maximum", special.arithmetic("greater_equal", 0.0)).to(nl.uint8)
    negative = high.part(1, nl.int16).arithmetic("less", 0.0)
    invalid = nan.arithmetic("maximum", negative - zero).test("greater", 0.0)
    return found[0].patched(kept, high).patched(invalid, NAN), found[1].patched(kept, low)
