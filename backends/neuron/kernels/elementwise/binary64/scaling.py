"""Binary64 numbers times powers of two, and their fractions and exponents: ldexp and frexp."""

from __future__ import annotations

from .....isa import nl
from .frame import MAGNITUDE, SIGN, classes, finished, frame, unpacked
from .instruction_graph import Graph, Word

__all__ = ["frexp", "ldexp"]

Words = tuple[Word, Word]
_FAR = 4096.0  # beyond all exponents


def ldexp(graph: Graph, high: Word, low: Word, exponent: Word) -> Words:  # noqa: ARG001
    """Multiply by a power of two, of which the operand has the bits of an int32."""
    number, zero = unpacked(high, low)
    special, nan = classes(high, low)
    by = exponent.view(nl.int32).arithmetic("minimum", _FAR).arithmetic("maximum", -_FAR)
    beyond = special.arithmetic("greater_equal", 0.0)
    limit = (number.exponent + by).scaled(1.0, 1.0) + (beyond - zero).scaled(4 * _FAR)
    return finished(frame(number), limit, high & SIGN, nan.test("greater", 0.0))


def frexp(graph: Graph, high: Word, low: Word) -> tuple[Word, Word, Word]:  # noqa: ARG001
    """Give fractions from 1/2 to 1, and exponents as int32; what is no ordinary number is its own fraction."""
    number, zero = unpacked(high, low)
    special = (high & MAGNITUDE).sub(0x7FF00000, nl.int32).arithmetic("greater_equal", 0.0)
    same = zero.arithmetic("maximum", special).to(nl.uint8)
    fraction = number.high.add(1021 << 20) | (high & SIGN)
    exponent = number.exponent.scaled(1.0, -1021.0, nl.int32).view(nl.uint32).patched(same, 0)
    return fraction.patched(same, high), number.low.patched(same, low), exponent
