"""Finite, infinite, not a number: integers and booleans always are finite."""

from __future__ import annotations

from typing import Final

from ....isa import nisa, nl
from ...function import FLOATS, INTEGERS, DtypeLoop, Emit, Emitter, Tile, loops
from ..move.tile_transpose import itemsize
from .alu import SIGN, arithmetic, bits, is_nan, unsigned
from .significand import LARGEST

__all__ = ["PREDICATES"]


def _isnan(dst: Tile, x: Tile) -> None:
    is_nan(x, dst)


def _isfinite(dst: Tile, x: Tile) -> None:
    """Multiply by zero: infinity and NaN give NaN, which is not zero."""
    nisa.tensor_scalar(dst, x, nl.multiply, 0.0, op1=nl.equal, operand1=0.0)


def _isinf(dst: Tile, x: Tile) -> None:
    """Of larger magnitude than the largest float32."""
    magnitude = bits(nl.bitwise_and, unsigned(x), SIGN[itemsize(x.dtype)] - 1)
    arithmetic(nl.greater, magnitude.view(x.dtype), LARGEST, dst)


def _always(value: int) -> Emit:
    def emit(dst: Tile, _: Tile) -> None:
        nisa.memset(dst, value)

    return emit


def _rows(emit: Emit, integers: int) -> dict[str, DtypeLoop]:
    return {
        **loops(FLOATS, emit, "uint8"),
        **loops((*INTEGERS, "bool"), _always(integers), "uint8"),
    }


PREDICATES: Final = (
    Emitter("isnan", 1, _rows(_isnan, 0)),
    Emitter("isfinite", 1, _rows(_isfinite, 1)),
    Emitter("isinf", 1, _rows(_isinf, 0)),
)
