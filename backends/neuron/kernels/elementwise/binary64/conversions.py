"""Casts of binary64: from and to integers, float32 and narrower floats, each with one rounding; and numbers of fixed point."""

from __future__ import annotations

from typing import Final

from .....isa import nl
from .frame import EXPONENT, MAGNITUDE, SIGN, UNIT, Frame, classes, finished, leading, significand
from .instruction_graph import Graph, Word

__all__ = [
    "from_fixed", "from_float32", "from_int64", "from_uint64", "from_words", "to_float32", "to_int64", "to_odd_float32",
    "with_carry",
]  # fmt: skip

Words = tuple[Word, Word]
_NAN32: Final = 0x7FC00000
_INFINITY32: Final = 0x7F800000


def _negated(words: tuple[Word, ...], negative: Word) -> tuple[Word, ...]:
    """Change the sign of integers in two's complement where a word is all ones, and not where it is 0."""
    one = negative & 1
    carry, found = one, []
    for word in reversed(words):
        found.append((word ^ negative).add(carry))
        carry = (found[-1].arithmetic("equal", 0.0) * carry).to(nl.uint32)
    return tuple(reversed(found))


def with_carry(a: Words, b: Words) -> Words:
    """Add numbers of two words modulo 2**64: the carry is what a float32 sum has beyond 32 bits."""
    low = a[1].add(b[1])
    return a[0].add(b[0]).add(((a[1] + b[1]) - low).scaled(2.0**-32, dtype=nl.uint32)), low


def _all_ones_if_negative(word: Word) -> Word:
    return word.part(1, nl.int16).twice("less", 0.0, "multiply", -1.0, nl.int32).view(nl.uint32)


def _across(high: Word, low: Word, count: Word, rest: Word) -> Word:
    """Shift two words to the left by a count below 32, and take the upper one; `rest` is 31 less the count."""
    return (high << count).joined((low >> 1) >> rest)


def from_fixed(graph: Graph, high: Word, middle: Word, low: Word, exponent: Word) -> Words:  # noqa: ARG001
    """
    Round integers of 96 bits, in two's complement, times a power of two.

    The exponent of that is an int32 below 2**20 in magnitude, of which the operand has the bits. Zero is +0; where the result is beyond
    all numbers it is infinity, and below them it is rounded as a subnormal number.
    """
    return from_words((high, middle, low), exponent.view(nl.int32))


def from_words(words: tuple[Word, ...], exponent: Word) -> Words:
    """Round integers of three words or four, in two's complement, times a power of two, whose exponent is an integer of any dtype."""
    third, second, first, *others = _negated(words, _all_ones_if_negative(words[0]))
    place = leading(third, second, first, *others, bits=32)
    count = place.scaled(-1.0, 126.0 + 32.0 * len(words))
    masks = [count.test("greater_equal", 32.0 * number) for number in range(1, len(words))]
    upper = third.patched(masks[0], second).patched(masks[1], first)
    lower = second.patched(masks[0], first)
    last = first
    if others:
        upper, lower = upper.patched(masks[2], others[0]), lower.patched(masks[1], others[0]).patched(masks[2], 0)
        last = last.patched(masks[0], others[0]).patched(masks[1], 0)
    else:
        lower, last = lower.patched(masks[1], 0), last.patched(masks[0], 0)
    moved = masks[0] + masks[1] if len(masks) == 2 else (masks[0] + masks[1]) + masks[2]
    near = (count - moved.scaled(32.0)).arithmetic("minimum", 31.0, nl.uint32)
    rest = near.scaled(-1.0, 31.0, nl.uint32)
    upper, lower, below = _across(upper, lower, near, rest), _across(lower, last, near, rest), last << near
    if others:
        below = below | ((others[0] >> 1) >> rest).patched(masks[0], 0) | (others[0] << near).patched(masks[0], 0)
    lost = ((lower << 24) | below).sign(dtype=nl.uint32)
    frame = Frame(upper >> 4, ((upper << 28) >> 4) | (lower >> 8) | lost)
    none = place.arithmetic("equal", 0.0).scaled(-(2.0**21))
    return finished(frame, ((exponent - count).scaled(1.0, 1022.0 + 32.0 * len(words))) + none, words[0] & SIGN)


def _from_magnitude(high: Word, low: Word) -> Words:
    """
    Round an integer of 64 bits, without a sign.

    It is shifted up to the 64th bit. Its last 12 bits, of which one is kept, are rounded to a number of 0 to 2, and the upper word follows
    from an estimate of the whole significand less its lower word.
    """
    place = leading(high, low, bits=32)
    far = place.test("less", 127.0 + 32.0)
    upper, lower = high.patched(far, low), low.patched(far, 0)
    near = (place + far.scaled(32.0)).scaled(-1.0, 190.0, nl.uint32)
    upper, lower = _across(upper, lower, near, near.scaled(-1.0, 31.0, nl.uint32)), lower << near
    rest = (lower & 0xFFF).scaled(2.0**-11, dtype=nl.uint32)
    bottom = (upper << 21).joined((lower >> 12) << 1).add(rest)
    top = upper.fused(2.0**21, bottom, then="subtract").scaled(2.0**-32, dtype=nl.uint32)
    exponent = place.fused(1022.0 - 127.0, place.sign(dtype=nl.float32), op="add", then="multiply")  # less 1, or 0 of 0
    return top.add(exponent.scaled(UNIT, dtype=nl.uint32)), bottom


def from_int64(graph: Graph, high: Word, low: Word) -> Words:  # noqa: ARG001
    """Round int64."""
    direction = high.part(1, nl.int16).sign(2.0, 1.0)
    borrow = direction.positive(-1.0, dtype=nl.float32).arithmetic("multiply", low.sign(dtype=nl.float32), nl.uint32)
    upper, lower = _from_magnitude(high.mul(direction.view(nl.uint32)).sub(borrow), low.mul(direction.view(nl.uint32)))
    return upper.joined(high & SIGN), lower


def from_uint64(graph: Graph, high: Word, low: Word) -> Words:  # noqa: ARG001
    """Round uint64."""
    return _from_magnitude(high, low)


def from_float32(graph: Graph, x: Word) -> Words:
    """Convert float32, which binary64 holds: subnormal numbers are integers times 2**-149."""
    bits = x.view(nl.uint32)
    size = bits & MAGNITUDE
    small, none = size.test("less", 2.0**23), size.test("equal", 0.0)
    special = size.high.test("greater_equal", float(_INFINITY32 >> 16))
    shifted = size.patched(small, size.to(nl.float32).view(nl.uint32))
    bias = graph.constant(896 << 20).patched(small, 747 << 20).patched(none, 0).patched(special, 1792 << 20)
    return (shifted >> 3).add(bias) | (bits & SIGN), shifted << 29


def _to_float32(high: Word, low: Word, odd: bool) -> Word:
    """Round to float32, to nearest even, or to what is odd where anything is lost, which other roundings may follow."""
    number = significand(high, low)
    exponent = (high & EXPONENT).scaled(1.0 / UNIT, -897.0)
    upper = number.high.scaled(128.0, dtype=nl.uint32).add(low >> 25)
    near = exponent.positive(-1.0, 0.0).arithmetic("minimum", 31.0, nl.uint32)
    lost = ((upper << 1) << near.scaled(-1.0, 31.0, nl.uint32)) | (low << 7)
    kept = (upper >> near) | lost.sign(dtype=nl.uint32)
    field = exponent.positive(dtype=nl.float32).arithmetic("minimum", 254.0).scaled(2.0**23, dtype=nl.uint32)
    if odd:
        size = ((kept >> 4).add(field)) | (kept << 28).sign(dtype=nl.uint32)
        over = size.high.test("greater_equal", float(_INFINITY32 >> 16))
        size = size.patched(over, _INFINITY32 - 1)
    else:
        size = (kept.add(((kept >> 4) & 1).scaled(1.0, 7.0, nl.uint32)) >> 4).add(field)
        over = size.high.test("greater_equal", float(_INFINITY32 >> 16))
        size = size.patched(over, _INFINITY32)
    special, nan = classes(high, low)
    if odd:
        size = size.patched(special.test("greater_equal", 0.0), _INFINITY32)
    return (size.patched(nan.test("greater", 0.0), _NAN32) | (high & SIGN)).view(nl.float32)


def to_float32(graph: Graph, high: Word, low: Word) -> tuple[Word]:  # noqa: ARG001
    """Round to float32."""
    return (_to_float32(high, low, False),)


def to_odd_float32(graph: Graph, high: Word, low: Word) -> tuple[Word]:  # noqa: ARG001
    """Round to a float32 that rounds to a narrower float as the number itself does."""
    return (_to_float32(high, low, True),)


def to_int64(graph: Graph, high: Word, low: Word) -> Words:  # noqa: ARG001
    """Cut off the fraction; what int64 does not hold is its least number, as on x86-64, and of 2**63 to 2**64 the bits of uint64."""
    number = significand(high, low)
    exponent = number.exponent.scaled(-1.0 / UNIT, 1085.0)  # by how much the significand, at the upper end, is shifted to the right
    upper, lower = number.high.scaled(2.0**11, dtype=nl.uint32).add(low >> 21), low << 11
    far = exponent.test("greater_equal", 32.0)
    count = (exponent - far.scaled(32.0)).arithmetic("minimum", 31.0).arithmetic("maximum", 0.0, nl.uint32)
    none = exponent.test("greater_equal", 64.0)
    lower = lower.patched(far, upper)
    upper = upper.patched(far, 0)
    lower = (lower >> count) | ((upper << 1) << count.scaled(-1.0, 31.0, nl.uint32))
    upper, lower = _negated(((upper >> count), lower.patched(none, 0)), _all_ones_if_negative(high))
    negative = high.part(1, nl.int16).arithmetic("less", 0.0)
    beyond = (exponent - negative).test("less", 0.0)
    return upper.patched(beyond, SIGN), lower.patched(beyond, 0)
