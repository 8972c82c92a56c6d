"""Functions of float32 on floats of fewer bits: one rounding more."""

from __future__ import annotations

from ....isa import nl
from ...function import LOW_FLOATS, DtypeLoop, Emit, Tile, loops
from .alu import copy, in_dtype, scratch

__all__ = ["float_loops", "through_float32"]


def through_float32(emit: Emit, results: int = 1) -> Emit:
    """Compute in float32, and round to the dtypes of destinations that are floats of fewer bits."""

    def through(*tiles: Tile) -> None:
        destinations, operands = tiles[:results], tiles[results:]
        wide = [scratch(dst, nl.float32) if dst.dtype in LOW_FLOATS else dst for dst in destinations]
        emit(*wide, *(in_dtype(operand, nl.float32) for operand in operands))
        for dst, result in zip(destinations, wide, strict=True):
            if result is not dst:
                copy(dst, result)

    return through


def float_loops(emit: Emit, may_alias: tuple[int, ...] = (), results: int = 1) -> dict[str, DtypeLoop]:
    """Make the loops of a function for all floating dtypes."""
    return {
        **loops(("float32",), emit, may_alias=may_alias),
        **loops(LOW_FLOATS, through_float32(emit, results), may_alias=may_alias),
    }
