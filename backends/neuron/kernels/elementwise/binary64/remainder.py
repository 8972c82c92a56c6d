"""
The remainder of binary64 division towards zero, which no rounding touches.

Long division, 21 bits of the quotient at a time, in a loop of the device that turns as often as the largest distance between exponents in
a tile asks for. A digit is rounded to nearest from an estimate; where that leaves a negative remainder, the divisor is added.
"""

from __future__ import annotations

from typing import Any, Final

from .....isa import nisa, nl
from ....function import Tile
from ..registers import greatest, turns
from .conversions import with_carry
from .frame import NAN, SIGN, Number, classes, finished, frame, normalised, unpacked
from .instruction_graph import Graph, Word
from .quotients import estimated_inverse, less_product, real
from .scheduling import Function

__all__ = ["emit_fmod"]

_DIGIT: Final = 21.0
_DIGITS: Final = 103  # of the quotient of the largest number by the smallest, 2151 bits
_WORD, _FLOAT = str(nl.uint32), str(nl.float32)


def _begin(graph: Graph, a_high: Word, a_low: Word, b_high: Word, b_low: Word) -> tuple[Word, ...]:  # noqa: ARG001
    """Give the remainder to begin with, by how many bits it is to be shifted, the divisor, and its reciprocal."""
    (first, _), (second, _) = unpacked(a_high, a_low), unpacked(b_high, b_low)
    divisor = second.high | 0x100000, second.low  # of nothing, too
    return first.high, first.low, first.exponent - second.exponent, *divisor, estimated_inverse(divisor)


def _digit(graph: Graph, high: Word, low: Word, left: Word, b_high: Word, b_low: Word, inverse: Word) -> tuple[Word, ...]:  # noqa: ARG001
    """Shift the remainder, and take the nearest multiple of the divisor away."""
    shift = left.arithmetic("maximum", 0.0).arithmetic("minimum", _DIGIT)
    count = shift.to(nl.uint32)
    power = shift.scaled(2.0**23, 127 * 2.0**23, nl.uint32).view(nl.float32)
    digit = ((real((high, low)) * inverse) * power).to(nl.int32)
    moved = (high << count) | ((low >> 1) >> count.scaled(-1.0, 31.0, nl.uint32)), low << count
    rest = less_product(moved, digit, (b_high, b_low))
    ones = rest[0].part(1, nl.int16).twice("less", 0.0, "multiply", -1.0, nl.int32).view(nl.uint32)
    return *with_carry(rest, (b_high & ones, b_low & ones)), left - shift


def _end(graph: Graph, a_high: Word, a_low: Word, b_high: Word, b_low: Word, high: Word, low: Word) -> tuple[Word, ...]:
    (first, _), (second, other_zero) = unpacked(a_high, a_low), unpacked(b_high, b_low)
    number, none = normalised(Number(high, low, graph.constant(0)))
    limit = (number.exponent + second.exponent).scaled(1.0, 1.0) + none.scaled(-8192.0)
    found = finished(frame(number), limit, a_high & SIGN)
    smaller = (first.exponent - second.exponent).test("less", 0.0)
    (special, nan), (_, other_nan) = classes(a_high, a_low), classes(b_high, b_low)
    invalid = other_zero.arithmetic("maximum", special.arithmetic("greater_equal", 0.0))
    invalid = invalid.arithmetic("maximum", nan.arithmetic("maximum", other_nan)).test("greater", 0.0)
    return found[0].patched(smaller, a_high).patched(invalid, NAN), found[1].patched(smaller, a_low)


_BEGIN: Final = Function(_begin, (_WORD,) * 4, (_WORD, _WORD, _FLOAT, _WORD, _WORD, _FLOAT))
_TURN: Final = Function(_digit, (_WORD, _WORD, _FLOAT, _WORD, _WORD, _FLOAT), (_WORD, _WORD, _FLOAT))
_END: Final = Function(_end, (_WORD,) * 6, (_WORD, _WORD))


def _tiles(function: Function, like: Tile) -> list[Tile]:
    return [nl.ndarray(like.shape, dtype, buffer=nl.sbuf) for dtype in function.results]


def emit_fmod(high: Tile, low: Tile, *operands: Tile) -> None:
    """Emit both words of the remainder of two numbers."""
    state = _tiles(_BEGIN, high)
    _BEGIN.emit(*range(6))(*state, *operands)
    most = nl.ndarray((high.shape[0], 1), nl.float32, buffer=nl.sbuf)
    nisa.tensor_reduce(most, nl.maximum, state[2], axis=1)
    count = nl.ndarray((1, 1), nl.float32, buffer=nl.sbuf)
    nisa.tensor_scalar(count, greatest(most), nl.multiply, 1 / _DIGIT, op1=nl.add, operand1=0.5 + 0.5 / _DIGIT)

    def turn(_: Any) -> None:
        found = _tiles(_TURN, high)
        _TURN.emit(0, 1, 2)(*found, *state)
        for old, new in zip(state[:3], found, strict=True):
            nisa.tensor_copy(old, new)

    nl.fori_loop(0, turns(count, likely=1, most=_DIGITS), turn)
    _END.emit(0, 1)(high, low, *operands, state[0], state[1])
