"""
Quotients and remainders of unsigned integers of 64 bits, in words of 32: long division by four digits of 16 bits.

A digit is not too large and too small by less than two, from a float32 estimate of the quotient; two comparisons make up for that of the
last one. Remainders are exact modulo 2**64. Division by 0 gives 0.
"""

from __future__ import annotations

import math
from typing import Final

from ....isa import nl
from ...function import DtypeLoop, Emitter, Pair
from .binary64.conversions import with_carry
from .binary64.instruction_graph import Graph, Word
from .binary64.quotients import less_product
from .binary64.scheduling import Function

__all__ = ["WIDE_DIVISION", "WIDE_DIVISION_PAIRS", "divided"]

Words = tuple[Word, Word]
_WORD: Final = str(nl.uint32)
_BELOW: Final = 1.0 - 2.0**-21


def _real(words: Words) -> Word:
    return words[1].scaled(2.0**-32) + words[0]


def _shifted(words: Words, bits: int) -> Words:
    if bits == 0:
        return words
    if bits < 32:
        return (words[0] << bits) | (words[1] >> (32 - bits)), words[1] << bits
    return words[1] << (bits - 32) if bits > 32 else words[1], words[1].sub(words[1])


def _not_less(a: Words, b: Words) -> Word:
    """Compare: 1.0 where a >= b; each half decides by its sign, however the sum with what follows is rounded."""
    halves = [(one.part(half), other.part(half)) for one, other in zip(a, b, strict=True) for half in (1, 0)]
    key = None
    for one, other in halves:
        key = one - other if key is None else key.scaled(2.0**16) + (one - other)
    assert key is not None
    return key.arithmetic("greater_equal", 0.0)


def divided(x: Words, y: Words) -> tuple[Words, Words]:
    """Give the quotient and the remainder."""
    zero = (y[0] | y[1]).test("equal", 0.0)
    divisor = y[0], y[1].patched(zero, 1)
    size = _real(divisor)
    near = size.scaled(1.0, function=nl.reciprocal)
    inverse = near * (size * near).twice("multiply", -1.0, "add", 2.0)
    rest, digits = x, []
    for bits in (48, 32, 16, 0):
        digit = (_real(rest) * inverse).scaled(_BELOW * 2.0**-bits, -0.5).arithmetic("maximum", 0.0).to(nl.int32)
        rest = less_product(rest, digit, _shifted(divisor, bits))
        digits.append(digit.view(nl.uint32))
    high = (digits[0] << 16).add(digits[1]).add(digits[2] >> 16)
    quotient = with_carry((high, digits[2] << 16), (digits[3].sub(digits[3]), digits[3]))
    for _ in range(2):
        once = _not_less(rest, divisor).to(nl.uint32)
        quotient = with_carry(quotient, (once.sub(once), once))
        rest = less_product(rest, once.view(nl.int32), divisor)
    return tuple(word.patched(zero, 0) for word in quotient), tuple(word.patched(zero, 0) for word in rest)  # type: ignore[return-value]


def _quotient(graph: Graph, x_high: Word, x_low: Word, y_high: Word, y_low: Word) -> Words:  # noqa: ARG001
    return divided((x_high, x_low), (y_high, y_low))[0]


def _rest(graph: Graph, x_high: Word, x_low: Word, y_high: Word, y_low: Word) -> Words:  # noqa: ARG001
    return divided((x_high, x_low), (y_high, y_low))[1]


_FUNCTIONS: Final = {
    name: Function(build, (_WORD,) * 4, (_WORD, _WORD)) for name, build in (("wide.quotient", _quotient), ("wide.rest", _rest))
}
WIDE_DIVISION: Final = tuple(
    Emitter(f"{name}.{part}", 4, {_WORD: function.loop(place)}, math.inf, needs_wrapping=True)
    for name, function in _FUNCTIONS.items()
    for place, part in enumerate(("high", "low"))
)
WIDE_DIVISION_PAIRS: Final = tuple(
    Pair(name, (f"{name}.high", f"{name}.low"), {_WORD: DtypeLoop(function.emit(0, 1), _WORD)}) for name, function in _FUNCTIONS.items()
)
