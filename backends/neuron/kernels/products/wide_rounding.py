"""
Exact sums of several planes of integers, rounded once to float64 or float32, or taken modulo 2**64.

A plane is a tile of int32 below 2**30, and counts 2**(8 t). Sums are limbs of 16 bits, which the Vector Engine adds exactly in float32:
the carry of a limb is the upper half of its word, read as a strided view.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ....isa import nisa, nl
from ..elementwise.alu import arithmetic, bits, bits_twice, copy, limited, patch, scratch, then, twice

__all__ = ["carried", "integer_of_planes", "limbs_of_planes", "round_to_float", "words_of_limbs"]

_SIGN: Final = 0x80000000
_ALL: Final = 0xFFFFFFFF


def _low(tile: Any) -> Any:
    return tile.view(nl.uint16)[:, 0::2]


def _high(tile: Any) -> Any:
    return tile.view(nl.uint16)[:, 1::2]


def limbs_of_planes(planes: Sequence[Any], count: int) -> list[Any]:
    """Add planes, the first one counting 1, each next one 2**8 times as much: limbs modulo 2**(16 count), the lowest one first."""
    sums: list[Any] = [None] * count
    bias = 0

    def add(limb: int, view: Any, factor: float = 1.0) -> None:
        if limb >= count:
            return
        if sums[limb] is None:
            sums[limb] = arithmetic(nl.multiply, view, factor)
        else:
            sums[limb] = then(view, nl.multiply, factor, nl.add, sums[limb])

    for place, plane in enumerate(planes):
        biased, limb = bits(nl.bitwise_xor, plane.view(nl.uint32), _SIGN), place // 2
        bias += 1 << (31 + 8 * place)
        if place % 2 == 0:
            add(limb, _low(biased))
            add(limb + 1, _high(biased))
        else:
            add(limb, biased.view(nl.uint8)[:, 0::4], 256.0)
            add(limb + 1, bits_twice(biased, nl.right_shift, 8, nl.bitwise_and, 0xFFFF))
            add(limb + 2, biased.view(nl.uint8)[:, 3::4])
    correction = -bias % (1 << 16 * count)
    for place, total in enumerate(sums):
        if total is None:  # above all planes
            sums[place] = scratch(planes[0], nl.float32)
            nisa.memset(sums[place], 0.0)
    return carried(sums, [float(correction >> 16 * place & 0xFFFF) for place in range(count)])


def carried(sums: Sequence[Any], constants: Sequence[float] | None = None) -> list[Any]:
    """Carry sums below 2**24 from limb to limb, with a constant added to each: lower halves of uint32 count."""
    limbs: list[Any] = []
    for place, total in enumerate(sums):
        constant = constants[place] if constants else 0.0
        if limbs:
            limbs.append(then(total, nl.add, constant, nl.add, _high(limbs[-1]), dtype=nl.uint32))
        else:
            limbs.append(arithmetic(nl.add, total, constant, dtype=nl.uint32))
    return limbs


def words_of_limbs(limbs: Sequence[Any]) -> list[Any]:
    """Join pairs of limbs, of whose words the lower halves count, to words, the lowest one first."""
    words = []
    for place in range(0, len(limbs), 2):
        word = scratch(limbs[0], nl.uint32)
        for half in range(2):
            copy(word.view(nl.uint16)[:, half::2], _low(limbs[place + half]))
        words.append(word)
    return words


def integer_of_planes(planes: Sequence[Any], count: int = 2) -> list[Any]:
    """Add planes modulo 2**(32 count): words, the high one first."""
    return words_of_limbs(limbs_of_planes(planes, 2 * count))[::-1]


def round_to_float(limbs: Sequence[Any], unit: Any, results: int) -> list[Any]:
    """
    Round integers to float64 (two words, the high one first) or float32 (one), to nearest and even.

    Limbs are those of a two's complement, the lowest one first: lower halves of uint32 (P, F), of an even number. The unit, float32 (P, F),
    is what an integer of 1 stands for, as an exponent of two of any size.

    Notes
    -----
    About 110 instructions, most on the Vector Engine.
    """
    negative = bits_twice(limbs[-1], nl.right_shift, 15, nl.bitwise_and, 1)
    words = words_of_limbs(_magnitudes(limbs, negative))[::-1]
    bias = 1023 if results == 2 else 127
    exponent = arithmetic(nl.add, unit, 32.0 * len(words) - 1 + bias)
    words, exponent = _leading_words(words, exponent)
    high, low, sticky, exponent = _normalised(words, exponent)
    some = twice(high, nl.not_equal, 0.0, nl.multiply, -1.0, nl.int32).view(nl.uint32)
    high, low, sticky = _below_normal(high, low, sticky, exponent)
    rounded = _rounded(high, low, sticky, exponent) if results == 2 else _rounded_to_float32(high, low, sticky, exponent)
    sign = bits(nl.left_shift, negative, 31)
    kept = [bits(nl.bitwise_and, word, some) for word in rounded]
    return [bits(nl.bitwise_or, kept[0], sign), *kept[1:]]


def _magnitudes(limbs: Sequence[Any], negative: Any) -> list[Any]:
    """Change the sign of negative numbers."""
    sign = twice(negative, nl.multiply, -2.0, nl.add, 1.0)
    found: list[Any] = []
    for limb in limbs:
        if not found:
            found.append(arithmetic(nl.multiply, _low(limb), sign, dtype=nl.int32))
            continue
        borrow = found[-1].view(nl.int16)[:, 1::2]
        found.append(arithmetic(nl.add, arithmetic(nl.multiply, _low(limb), sign), borrow, dtype=nl.int32))
    return found


def _leading_words(words: list[Any], exponent: Any) -> tuple[list[Any], Any]:
    """Move words up while the first one is 0."""
    for last in range(len(words) - 1, 0, -1):
        empty = arithmetic(nl.equal, words[0], 0.0, dtype=nl.uint32)
        for place in range(last):
            patch(words[place], words[place + 1], empty)
        patch(words[last], 0, empty)
        exponent = then(empty, nl.multiply, -32.0, nl.add, exponent)
    return words, exponent


def _normalised(words: Sequence[Any], exponent: Any) -> tuple[Any, Any, Any, Any]:
    """Move the leading bit to the top: 64 bits, what follows them (0 or not), and the exponent of the leading bit."""
    first, second, third, *others = words
    inverse = bits_twice(first, nl.right_shift, 1, nl.bitwise_xor, _ALL)
    number = copy(scratch(first, nl.float32), bits(nl.bitwise_and, first, inverse))  # cannot round up to the next power of two
    right = twice(bits(nl.right_shift, number.view(nl.uint32), 23), nl.subtract, 127.0, nl.maximum, 0.0, nl.uint32)
    left = twice(right, nl.multiply, -1.0, nl.add, 31.0, nl.uint32)
    high, low = (
        bits(nl.bitwise_or, bits(nl.left_shift, one, left), bits(nl.right_shift, bits(nl.right_shift, other, 1), right))
        for one, other in ((first, second), (second, third))
    )
    sticky = bits(nl.left_shift, third, left)
    for other in others:
        sticky = bits(nl.bitwise_or, sticky, other)
    return high, low, sticky, then(right, nl.subtract, 31.0, nl.add, exponent)


def _below_normal(high: Any, low: Any, sticky: Any, exponent: Any) -> tuple[Any, Any, Any]:
    """Move numbers below the normal range to where their last bit is that of denormals."""
    shift = limited(twice(exponent, nl.multiply, -1.0, nl.add, 1.0), 0.0, 63.0, nl.uint32)
    whole, part = bits(nl.right_shift, shift, 5), bits(nl.bitwise_and, shift, 31)
    rest = twice(part, nl.multiply, -1.0, nl.add, 31.0, nl.uint32)
    far = arithmetic(nl.multiply, whole, -1.0, dtype=nl.int32).view(nl.uint32)
    near = bits(nl.bitwise_xor, far, _ALL)
    lost = bits(nl.left_shift, bits(nl.left_shift, low, 1), rest)
    low = bits(nl.bitwise_or, bits(nl.right_shift, low, part), bits(nl.left_shift, bits(nl.left_shift, high, 1), rest))
    high = bits(nl.right_shift, high, part)
    lost = bits(nl.bitwise_or, lost, bits(nl.bitwise_and, low, far))
    low = bits(nl.bitwise_or, bits(nl.bitwise_and, low, near), bits(nl.bitwise_and, high, far))
    return bits(nl.bitwise_and, high, near), low, bits(nl.bitwise_or, sticky, lost)


def _rounded(high: Any, low: Any, sticky: Any, exponent: Any) -> list[Any]:
    """Keep 53 of 64 bits, and join them with the exponent."""
    low = bits(nl.bitwise_or, low, arithmetic(nl.not_equal, sticky, 0.0, dtype=nl.uint32))
    even = bits_twice(low, nl.right_shift, 11, nl.bitwise_and, 1)
    halves = [then(_low(low), nl.add, float(0x3FF), nl.add, even, dtype=nl.uint32)]
    for half in (_high(low), _low(high), _high(high)):
        halves.append(arithmetic(nl.add, half, _high(halves[-1]), dtype=nl.uint32))
    result = bits_twice(halves[0], nl.bitwise_and, 0xFFFF, nl.right_shift, 11)
    for other in (bits_twice(halves[1], nl.bitwise_and, 0xFFFF, nl.left_shift, 5), bits(nl.left_shift, halves[2], 21)):
        result = bits(nl.bitwise_or, result, other)
    upper = then(halves[3], nl.multiply, 32.0, nl.add, bits_twice(halves[2], nl.bitwise_and, 0xFFFF, nl.right_shift, 11), dtype=nl.uint32)
    found = _with_exponent(upper, exponent, 20, 2047)
    patch(result, 0, found[1])
    return [found[0], result]


def _rounded_to_float32(high: Any, low: Any, sticky: Any, exponent: Any) -> list[Any]:
    """Keep 24 of 64 bits, and join them with the exponent."""
    rest = arithmetic(nl.not_equal, bits(nl.bitwise_or, low, sticky), 0.0, dtype=nl.uint32)
    high = bits(nl.bitwise_or, high, rest)
    even = bits_twice(high, nl.right_shift, 8, nl.bitwise_and, 1)
    lower = then(_low(high), nl.add, float(0x7F), nl.add, even, dtype=nl.uint32)
    upper = arithmetic(nl.add, _high(high), _high(lower), dtype=nl.uint32)
    last = bits_twice(lower, nl.bitwise_and, 0xFFFF, nl.right_shift, 8)
    return [_with_exponent(then(upper, nl.multiply, 256.0, nl.add, last, dtype=nl.uint32), exponent, 23, 255)[0]]


def _with_exponent(upper: Any, exponent: Any, place: int, infinite: int) -> tuple[Any, Any]:
    """Join a significand, whose hidden bit adds 1 to the exponent, with that; and tell what is infinite."""
    field = twice(twice(exponent, nl.subtract, 1.0, nl.maximum, 0.0), nl.minimum, infinite - 1.0, nl.multiply, 2.0**place, nl.uint32)
    found = scratch(upper, nl.uint32)
    nisa.tensor_tensor(found, field, upper, nl.add, engine=nisa.engine.gpsimd)
    beyond = arithmetic(nl.greater_equal, bits(nl.right_shift, found, place), float(infinite), dtype=nl.uint32)
    patch(found, infinite << place, beyond)
    return found, beyond
