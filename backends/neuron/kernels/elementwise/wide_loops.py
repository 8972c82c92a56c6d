"""
Powers and greatest common divisors of unsigned integers of 64 bits, in words of 32, by loops of the device.

Powers square and multiply modulo 2**64, once for each bit of the largest exponent of a tile. Divisors are Euclid's, of whose steps there
are at most 1.45 for each bit of the second number (G. Lame, 1844), and 2. Layout and engines are those of `binary64`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from ....isa import nisa, nl
from ...function import DtypeLoop, Emit, Emitter, Pair, Tile
from .binary64.fixed_point import full_product
from .binary64.frame import leading
from .binary64.instruction_graph import Graph, Word
from .binary64.scheduling import Function, one_of_two
from .registers import greatest, turns
from .wide_division import divided

__all__ = ["WIDE_LOOPS", "WIDE_LOOP_PAIRS"]

_WORD: Final = str(nl.uint32)
_FLOAT: Final = str(nl.float32)
_PER_BIT: Final = 1.45


def _length(high: Word, low: Word, scale: float = 1.0, bias: float = 0.0) -> Word:
    """Count the bits of a number, up to the first one that is set, as float32; and scale that."""
    place = leading(high, low, bits=32)
    return place.arithmetic("maximum", 126.0).scaled(scale, bias - 126.0 * scale)


def _product(a: tuple[Word, Word], b: tuple[Word, Word]) -> tuple[Word, Word]:
    """Multiply modulo 2**64."""
    low = full_product(a[1], b[1])
    return low.high.add(a[0].mul(b[1])).add(a[1].mul(b[0])), low.low


def _powers_begin(graph: Graph, x_high: Word, x_low: Word, y_high: Word, y_low: Word) -> tuple[Word, ...]:
    """Give 1, the base, the exponent, and how many bits that has."""
    one = x_low.sub(x_low) | 1
    del graph
    return x_low.sub(x_low), one, x_high, x_low, y_high, y_low, _length(y_high, y_low)


def _powers_turn(
    graph: Graph, high: Word, low: Word, x_high: Word, x_low: Word, y_high: Word, y_low: Word, _: Word
) -> tuple[Word, ...]:  # fmt: skip
    """Multiply where the last bit of the exponent is set; square the base, and halve the exponent."""
    del graph
    bit = (y_low & 1).to(nl.uint8)
    more = _product((high, low), (x_high, x_low))
    found = high.patched(bit, more[0]), low.patched(bit, more[1])
    return *found, *_product((x_high, x_low), (x_high, x_low)), y_high >> 1, (y_low >> 1) | (y_high << 31)


def _divisors_begin(graph: Graph, x_high: Word, x_low: Word, y_high: Word, y_low: Word) -> tuple[Word, ...]:
    del graph
    return x_high.to(nl.uint32), x_low.to(nl.uint32), y_high.to(nl.uint32), y_low.to(nl.uint32), _length(y_high, y_low, _PER_BIT, 2.5)


def _divisors_turn(graph: Graph, x_high: Word, x_low: Word, y_high: Word, y_low: Word, _: Word) -> tuple[Word, ...]:
    """Go on with the second number and what it leaves of the first, until nothing is left."""
    del graph
    rest = divided((x_high, x_low), (y_high, y_low))[1]
    over = (y_high | y_low).test("equal", 0.0)
    return y_high.patched(over, x_high), y_low.patched(over, x_low), *rest


def _looped(begin: Callable[..., Any], turn: Callable[..., Any], state: int, kept: int, most: int) -> Emit:
    """
    Emit a loop over words of state, of which the first two are the result.

    `kept` of them change; the last operand of a turn is the number of turns that is wanted, in float32.
    """
    first = Function(begin, (_WORD,) * 4, (*(_WORD,) * state, _FLOAT))
    step = Function(turn, (*(_WORD,) * state, _FLOAT), (_WORD,) * kept)

    def tiles(like: Tile, dtypes: Sequence[str]) -> list[Tile]:
        return [nl.ndarray(like.shape, dtype, buffer=nl.sbuf) for dtype in dtypes]

    def emit(high: Tile, low: Tile, *operands: Tile) -> None:
        held = tiles(high, first.results)
        first.emit(*range(state + 1))(*held, *operands)
        longest = nl.ndarray((high.shape[0], 1), nl.float32, buffer=nl.sbuf)
        nisa.tensor_reduce(longest, nl.maximum, held[-1], axis=1)

        def body(_: Any) -> None:
            found = tiles(high, step.results)
            step.emit(*range(kept))(*found, *held)
            for old, new in zip(held[:kept], found, strict=True):
                nisa.tensor_copy(old, new)

        nl.fori_loop(0, turns(greatest(longest), likely=most // 8, most=most), body)
        nisa.tensor_copy(high, held[0])
        nisa.tensor_copy(low, held[1])

    return emit


_LOOPS: Final = {
    "wide.power": _looped(_powers_begin, _powers_turn, state=6, kept=6, most=64),
    "wide.gcd": _looped(_divisors_begin, _divisors_turn, state=4, kept=4, most=96),
}
WIDE_LOOPS: Final = tuple(
    Emitter(f"{name}.{part}", 4, {_WORD: DtypeLoop(one_of_two(emit, place), _WORD)}, math.inf, needs_wrapping=True)
    for name, emit in _LOOPS.items()
    for place, part in enumerate(("high", "low"))
)
WIDE_LOOP_PAIRS: Final = tuple(
    Pair(name, (f"{name}.high", f"{name}.low"), {_WORD: DtypeLoop(emit, _WORD)}) for name, emit in _LOOPS.items()
)
