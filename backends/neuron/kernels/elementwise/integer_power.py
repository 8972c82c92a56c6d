"""
Powers of integers, modulo their range.

Squares and products by the bits of exponents, from the lowest up (D. E. Knuth, "The Art of Computer Programming" 2, 4.6.3, algorithm A), in
a loop of the device that turns once for each bit of the largest exponent in a tile.
"""

from __future__ import annotations

from typing import Any, Final

from ....isa import nisa, nl
from ...function import INTEGERS, DtypeLoop, Emit, Emitter, Tile, loops
from .alu import arithmetic, bits, copy, in_dtype, patch, scratch, unsigned
from .integer import MULTIPLY, WITHOUT_WRAPPING, low_part
from .registers import greatest, turns

__all__ = ["INTEGER_POWERS"]


def _power(multiply: Emit) -> Emit:
    """Make the emitter; exponents are not negative."""

    def emit(dst: Tile, x: Tile, y: Tile) -> None:
        wide = nl.int32 if dst.dtype.startswith("int") else nl.uint32
        factor, left, result = (scratch(dst, nl.uint32) for _ in range(3))
        copy(factor, unsigned(in_dtype(x, wide)))
        copy(left, unsigned(in_dtype(y, wide)))
        nisa.memset(result, 1)
        most = scratch(dst, nl.float32, 1)
        nisa.tensor_reduce(most, nl.maximum, left, axis=1)

        def step(_: Any) -> None:
            product = scratch(dst, nl.uint32)
            multiply(product, result, factor)
            patch(result, product, bits(nl.bitwise_and, left, 1))
            multiply(factor, factor, factor)
            bits(nl.right_shift, left, 1, left)

        # the exponent of the largest number, less that of 1/2, counts its bits
        exponent = bits(nl.right_shift, greatest(most).view(nl.uint32), 23)
        nl.fori_loop(0, turns(arithmetic(nl.subtract, exponent, 126.0), likely=2, most=32), step)
        copy(dst, result.view(dst.dtype) if dst.dtype == wide else low_part(result, dst.dtype))

    return emit


def _loops(multiply: Emit) -> dict[str, DtypeLoop]:
    return loops(INTEGERS, _power(multiply), may_alias=(0, 1))


INTEGER_POWERS: Final = (
    Emitter("integer_power", 2, _loops(MULTIPLY["uint32"].emit)),
    Emitter("without_wrapping.integer_power", 2, _loops(WITHOUT_WRAPPING["multiply"]["uint32"].emit)),
)
