"""Logical functions: what is not zero is true, NaN included."""

from __future__ import annotations

from typing import Any, Final

from ....isa import nl
from ...function import FLOATS, INTEGERS, Emitter, Tile, loops
from .alu import arithmetic

__all__ = ["LOGICAL"]

_DTYPES: Final = (*FLOATS, *INTEGERS, "bool")


def _binary(name: str, op: Any) -> Emitter:
    def emit(dst: Tile, x: Tile, y: Tile) -> None:
        arithmetic(op, x, y, dst)

    return Emitter(name, 2, loops(_DTYPES, emit, "uint8"))


def _not(dst: Tile, x: Tile) -> None:
    arithmetic(nl.equal, x, 0.0, dst)


LOGICAL: Final = (
    _binary("logical_and", nl.logical_and),
    _binary("logical_or", nl.logical_or),
    _binary("logical_xor", nl.logical_xor),
    Emitter("logical_not", 1, loops(_DTYPES, _not, "uint8")),
)
