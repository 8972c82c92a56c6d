"""Functions of float32 on floats of fewer bits: one rounding more."""

from __future__ import annotations

from typing import Final

from ....isa import nl
from ...function import LOW_FLOATS, Cost, Emit, Loop, Tile, loops
from .tile import copy, in_dtype, scratch

__all__ = ["float_loops", "through_float32"]

_CONVERSION: Final = 1  # cycle of the Vector Engine for each operand, and for the result


def through_float32(emit: Emit) -> Emit:
    """
    Compute in float32, and round to the destination's dtype.

    Parameters
    ----------
    emit : callable
        Emits a function of float32.

    Returns
    -------
    callable
        Emits it for any floating dtype.
    """

    def through(dst: Tile, *operands: Tile) -> None:
        result = scratch(dst, nl.float32)
        emit(result, *(in_dtype(operand, nl.float32) for operand in operands))
        copy(dst, result)

    return through


def float_loops(emit: Emit, cost: Cost, arity: int = 1, may_alias: tuple[int, ...] = ()) -> dict[str, Loop]:
    """
    Make the loops of a function for all floating dtypes.

    Parameters
    ----------
    emit : callable
        Emits a function of float32, with a float32 result.
    cost : Cost
        What it costs.
    arity : int, optional
        Number of operands.
    may_alias : tuple of int, optional
        As of `Loop`.

    Returns
    -------
    dict
        One entry for each dtype.
    """
    low = Cost(cost.vector + _CONVERSION * (arity + 1), cost.scalar, cost.gpsimd, cost.scratch + 4 * arity)
    return {
        **loops(("float32",), emit, cost, may_alias=may_alias),
        **loops(LOW_FLOATS, through_float32(emit), low, may_alias=may_alias),
    }
