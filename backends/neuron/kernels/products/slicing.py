"""
Slices: numbers of 64 bits as digits that the Tensor Engine multiplies exactly.

A digit is an integer from -128 to 127 in bfloat16. A product of two has at most 15 bits, so that PSUM adds 1024 of them exactly, in any
order. Digits are cut from the words of numbers by shifts and masks, never by casts, and are those of the magnitude, times the sign: bytes
of the magnitude plus 0x8080..., less 128 each. Splitting for products without rounding: Ozaki, Ogita, Oishi and Rump, Numer. Algorithms 59
(2012); in integers: Ootomo, Ozaki and Yokota, IJHPCA 38 (2024).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ....isa import nl
from ..elementwise.alu import arithmetic, bits, bits_twice, limited, then, twice

__all__ = ["FAST", "FULL", "LEVELS", "NOT_FINITE", "float_slices", "integer_slices", "least_average", "scale_code", "scale_of", "unpacked"]

FAST: Final = 8
"""Slices of float64 numbers that are not spread wide."""
LEVELS: Final = (10, 12, 16)
"""Slices of those that are spread wider."""
FULL: Final = LEVELS[-1]
NOT_FINITE: Final = 8192.0
"""Added to the exponent that scales numbers of which some are NaN or infinite: all their slices are 0."""
_HALF_BIAS: Final = float(0x8080)
_DIGIT: Final = 128.0


def least_average(count: int) -> float:
    """
    Give what the average of magnitudes of products has to exceed for so many slices, in the units of magnitudes.

    Notes
    -----
    In units of both scales: the scale is at most twice (127 / 128) the largest magnitude's bound, and the last digit's unit is 2**(1 - 8 s)
    for s slices. Truncation leaves less than 2**(2 - 8 s) of a product. Pairs of digits p + q >= s are left out: of each p + q = s + t
    there are s - 1 - t, of at most 2**(-8 (s + t)). Together less than 1.004 (s + 3) 2**(-8 s), of which 2**-53 of the sum of magnitudes
    shall not be less: (s + 3) 2**(53 - 8 s) of each product that is not 0. Magnitudes are cut off, so that their sum is too small, and
    what is rounded is less than the rest to a power of two.

    Beside up to 12 slices magnitudes are 7 bits from 4 (s - 8) bits below the scale on, as integers, 127 if larger: the average is then
    8 (s + 3) of their units, of which 128 are enough. PSUM adds 1024 of their products exactly, so that no order changes the verdict.
    Beside 16 slices they are bfloat16 numbers, relative to the scale.
    """
    return 2.0**-70 if count == FULL else 128.0


def scale_code(words: Sequence[Any]) -> Any:
    """Give exponent and first seven bits of the significand of float64, or of float32 in one word, as a number below 2**18."""
    if len(words) == 1:
        return bits_twice(words[0], nl.right_shift, 16, nl.bitwise_and, 0x7FFF)
    return bits_twice(words[0], nl.right_shift, 13, nl.bitwise_and, 0x3FFFF)


def unpacked(words: Sequence[Any]) -> tuple[Any, Any, Any]:
    """Give exponent fields and significands of 53 bits in two words, of which float32 has the upper 24."""
    if len(words) == 2:
        field = bits_twice(words[0], nl.right_shift, 20, nl.bitwise_and, 0x7FF)
        hidden = twice(field, nl.minimum, 1.0, nl.multiply, 2.0**20, nl.uint32)
        return field, bits(nl.bitwise_or, bits(nl.bitwise_and, words[0], 0xFFFFF), hidden), words[1]
    field = bits_twice(words[0], nl.right_shift, 23, nl.bitwise_and, 0xFF)
    hidden = twice(field, nl.minimum, 1.0, nl.multiply, 2.0**23, nl.uint32)
    significand = bits(nl.bitwise_or, bits(nl.bitwise_and, words[0], 0x7FFFFF), hidden)
    return field, bits(nl.right_shift, significand, 3), bits(nl.left_shift, significand, 29)


def scale_of(code: Any, infinite: int) -> Any:
    """
    Make exponents E of the largest codes, so that magnitudes are below ``2**(E + 1) * 127 / 128``.

    The exponent of infinities is given.
    """
    bumped = arithmetic(nl.add, code, 2.0, dtype=nl.uint32)
    exponent = arithmetic(nl.maximum, bits(nl.right_shift, bumped, 7), 1.0)
    endless = twice(code, nl.greater_equal, float(infinite << 7), nl.multiply, NOT_FINITE)
    return arithmetic(nl.add, exponent, endless)


def float_slices(words: Sequence[Any], scale: Any, count: int, levels: Sequence[int] = (), weights: Sequence[float] = ()) -> list[Any]:
    """
    Cut float64 or float32 numbers into digits, the first one on top, and what tells how many are enough: bfloat16 (P, F).

    Words are (P, F), scales (P, 1) or (P, F). After the digits come magnitudes for levels of so many slices, see `least_average`, and
    weights of numbers that are not zero.
    """
    field, top, low = unpacked(words)
    distance = arithmetic(nl.subtract, scale, arithmetic(nl.maximum, field, 1.0))
    shift = limited(distance, 0.0, 8.0 * count, nl.uint32)
    sign = twice(bits(nl.right_shift, words[0], 31), nl.multiply, -2.0, nl.add, 1.0, nl.bfloat16)
    fixed = _shifted(top, low, shift, count // 4)
    magnitudes = [_magnitude(top, distance) if level == FULL else _window(fixed[0], 24 - 4 * (level - FAST)) for level in levels]
    return [*_digits(fixed, sign), *magnitudes, *[_weights(top, low, weight) for weight in weights]]


def integer_slices(words: Sequence[Any]) -> list[Any]:
    """Cut integers, in words of which the first is the high one, into digits, the last one first: modulo the range of the integers."""
    return _digits(words, None)[::-1]


def _shifted(top: Any, low: Any, shift: Any, count: int) -> list[Any]:
    """Give ``top * 2**32 + low``, of 53 bits, below the first bit of so many words, shifted to the right."""
    high = bits(nl.bitwise_or, bits(nl.left_shift, top, 10), bits(nl.right_shift, low, 22))
    low = bits(nl.left_shift, low, 10)
    whole, part = bits(nl.right_shift, shift, 5), bits(nl.bitwise_and, shift, 31)
    rest = twice(part, nl.multiply, -1.0, nl.add, 31.0, nl.uint32)
    crossing = [bits(nl.left_shift, bits(nl.left_shift, word, 1), rest) for word in ((high, low) if count > 2 else (high,))]
    moved = [bits(nl.right_shift, high, part), bits(nl.bitwise_or, bits(nl.right_shift, low, part), crossing[0]), *crossing[1:]]
    masks = [twice(whole, nl.equal, float(place), nl.multiply, -1.0, nl.int32).view(nl.uint32) for place in range(count)]
    words = []
    for place in range(count):
        word = None
        for number, part_word in enumerate(moved[: place + 1]):
            chosen = bits(nl.bitwise_and, part_word, masks[place - number])
            word = chosen if word is None else bits(nl.bitwise_or, word, chosen)
        words.append(word)
    return words


def _digits(words: Sequence[Any], sign: Any) -> list[Any]:
    """Take words apart, the first digit on top."""
    found: list[Any] = []
    carry = None
    for word in reversed(words):
        for half in range(2):
            data = word.view(nl.uint16)[:, half::2]
            if carry is None:
                biased = arithmetic(nl.add, data, _HALF_BIAS, dtype=nl.uint32)
            else:
                biased = then(data, nl.add, _HALF_BIAS, nl.add, carry, dtype=nl.uint32)
            carry = biased.view(nl.uint16)[:, 1::2]
            for place in range(2):
                byte = biased.view(nl.uint8)[:, place::4]
                if sign is None:
                    found.append(arithmetic(nl.subtract, byte, _DIGIT, dtype=nl.bfloat16))
                else:
                    found.append(then(byte, nl.subtract, _DIGIT, nl.multiply, sign, dtype=nl.bfloat16))
    return found[::-1]


def _window(word: Any, place: int) -> Any:
    """Give the seven bits from a bit on, 127 if there are others above them."""
    bits_from = bits(nl.right_shift, word, place)
    return arithmetic(nl.minimum, bits_from, 127.0, dtype=nl.bfloat16)


def _magnitude(top: Any, distance: Any) -> Any:
    """Give magnitudes relative to the scale, cut to eight bits; 0 for denormals and for what is below bfloat16's range."""
    normal = bits(nl.right_shift, top, 20)
    field = then(twice(distance, nl.multiply, -1.0, nl.add, 126.0), nl.maximum, 0.0, nl.multiply, normal)
    mantissa = then(field, nl.minimum, 1.0, nl.multiply, bits_twice(top, nl.right_shift, 13, nl.bitwise_and, 0x7F))
    return then(field, nl.multiply, 128.0, nl.add, mantissa, dtype=nl.uint16).view(nl.bfloat16)


def _weights(top: Any, low: Any, weight: float) -> Any:
    """Give a weight where numbers are not zero."""
    return twice(bits(nl.bitwise_or, top, low), nl.not_equal, 0.0, nl.multiply, weight, nl.bfloat16)
