"""The instructions that elementwise functions are made of, on operands of shape (P, F), (P, 1) and numbers alike.

Every function here emits one instruction (and a copy of P elements where a scalar has another dtype than float32) and gives its result,
as wide as the widest operand. What is computed from scalars alone is so computed once for each partition.
"""

from __future__ import annotations

from typing import Any, Final

from ....isa import nisa, nl
from ...function import Tile
from ..move.tile_transpose import itemsize

__all__ = [
    "SIGN", "add", "arithmetic", "bits", "bits_twice", "copy", "estimate", "in_dtype", "is_nan", "limited", "minus_reciprocal", "multiply",
    "patch", "plus", "scratch", "signed", "spread", "subtract", "then", "twice", "unsigned", "wide",
]  # fmt: skip

SIGN: Final = {1: 0x80, 2: 0x8000, 4: 0x80000000}
"""The sign bit, by itemsize."""
_SHORT: Final = 16  # elements of a partition below which waiting for another engine takes longer than the work
_UNSIGNED: Final = {1: nl.uint8, 2: nl.uint16, 4: nl.uint32}
_SIGNED: Final = {1: nl.int8, 2: nl.int16, 4: nl.int32}


def _is_tile(operand: Any) -> bool:
    return not isinstance(operand, int | float)


def _width(*operands: Any) -> int:
    widths: list[int] = [operand.shape[1] for operand in operands if _is_tile(operand)]
    return max(widths)


def scratch(like: Tile, dtype: str, width: int | None = None) -> Tile:
    """Make a tile in SBUF."""
    return nl.ndarray((like.shape[0], width or like.shape[1]), dtype=dtype, buffer=nl.sbuf)


def spread(operand: Tile, width: int) -> Tile:
    """Repeat a scalar along the free axis."""
    return operand if operand.shape[1] == width else operand.broadcast(1, width)


def unsigned(tile: Tile) -> Tile:
    """Look at the bits."""
    return tile.view(_UNSIGNED[itemsize(tile.dtype)])


def signed(tile: Tile) -> Tile:
    """Look at the bits."""
    return tile.view(_SIGNED[itemsize(tile.dtype)])


def copy(dst: Tile, src: Tile) -> Tile:
    """Copy bits, or convert with one rounding from float32."""
    if src is not dst:
        nisa.tensor_copy(dst, spread(src, dst.shape[1]))
    return dst


def wide(operand: Tile, like: Tile) -> Tile:
    """Repeat a scalar in a tile of its own."""
    return operand if operand.shape[1] == like.shape[1] else copy(scratch(like, nl.float32), operand)


def in_dtype(operand: Tile, dtype: str) -> Tile:
    """Convert an operand unless it has the dtype."""
    return operand if operand.dtype == dtype else copy(scratch(operand, dtype), operand)


def arithmetic(op: Any, left: Any, right: Any, dst: Tile | None = None, dtype: str = nl.float32, engine: Any = None) -> Tile:
    """Combine two operands in float32."""
    tiles = [operand for operand in (left, right) if _is_tile(operand)]
    if dst is None:
        dst = scratch(tiles[0], dtype, _width(*tiles))
    width = dst.shape[1]
    if len(tiles) == 2 and left.shape[1] == right.shape[1]:
        on = nisa.engine.gpsimd if engine is nisa.engine.gpsimd and width >= _SHORT else nisa.engine.vector
        nisa.tensor_tensor(dst, spread(left, width), spread(right, width), op, engine=on)
        return dst
    reverse = not _is_tile(left) or (_is_tile(right) and right.shape[1] > left.shape[1])
    data, operand = (right, left) if reverse else (left, right)
    operand = in_dtype(operand, nl.float32) if _is_tile(operand) else operand
    data = spread(data, width)
    if engine is not nisa.engine.scalar:
        nisa.tensor_scalar(dst, data, op, operand, reverse0=reverse, engine=nisa.engine.vector)
    elif op is not nl.subtract:
        nisa.tensor_scalar(dst, data, op, operand, engine=engine)
    elif reverse:  # the Scalar Engine has no differences
        nisa.tensor_scalar(dst, data, nl.multiply, -1.0, op1=nl.add, operand1=operand, engine=engine)
    else:
        opposite = arithmetic(nl.multiply, operand, -1.0) if _is_tile(operand) else -operand
        nisa.tensor_scalar(dst, data, nl.add, opposite, engine=engine)
    return dst


def add(left: Tile, right: Tile) -> Tile:
    """Add tiles in float32, on GpSimd."""
    return arithmetic(nl.add, left, right, engine=nisa.engine.gpsimd)


def subtract(left: Tile, right: Tile) -> Tile:
    """Subtract tiles in float32, on GpSimd."""
    return arithmetic(nl.subtract, left, right, engine=nisa.engine.gpsimd)


def multiply(left: Tile, right: Tile) -> Tile:
    """Multiply tiles in float32, on GpSimd."""
    return arithmetic(nl.multiply, left, right, engine=nisa.engine.gpsimd)


def plus(x: Tile, number: float) -> Tile:
    """Add a number in float32, from NeuronCore-v3 on on the Scalar Engine."""
    sums = nisa.get_nc_version() >= nisa.nc_version.gen3
    return arithmetic(nl.add, x, number, engine=nisa.engine.scalar if sums else None)


def estimate(function: Any, x: Tile, scale: float = 1.0) -> Tile:
    """Estimate a function of ``scale x``, on the Scalar Engine."""
    dst = scratch(x, nl.float32)
    nisa.activation(dst, function, x, scale=scale)
    return dst


def minus_reciprocal(x: Tile) -> Tile:
    """Take the reciprocal with its sign changed: a step of Newton's method from the Scalar Engine's estimate."""
    reciprocal = estimate(nl.reciprocal, x)
    return then(multiply(x, reciprocal), nl.subtract, 2.0, nl.multiply, reciprocal)


def twice(x: Tile, op0: Any, first: float, op1: Any, second: float, dtype: str = nl.float32, engine: Any = None) -> Tile:
    """Combine ``(x op0 first) op1 second`` in float32, on the Vector Engine or another."""
    dst = scratch(x, dtype)
    nisa.tensor_scalar(dst, x, op0, first, op1=op1, operand1=second, engine=engine or nisa.engine.vector)
    return dst


def then(
    data: Tile, op0: Any, number: float, op1: Any, right: Tile, dst: Tile | None = None, dtype: str = nl.float32, reverse: bool = False
) -> Tile:
    """Combine ``(data op0 number) op1 right`` in float32, on the Vector Engine."""
    if dst is None:
        dst = scratch(data, dtype, _width(data, right))
    width = dst.shape[1]
    nisa.scalar_tensor_tensor(dst, spread(data, width), op0, number, op1, spread(right, width), reverse1=reverse)
    return dst


def limited(x: Tile, low: float, high: float, dtype: str = nl.float32) -> Tile:
    """Limit numbers that are not NaN, on the Vector Engine."""
    return twice(x, nl.maximum, low, nl.minimum, high, dtype)


def bits(op: Any, left: Tile, right: Any, dst: Tile | None = None) -> Tile:
    """Combine bit patterns, on the Vector Engine."""
    if dst is None:
        dst = scratch(left, left.dtype, _width(left, right) if _is_tile(right) else None)
    width = dst.shape[1]
    if not _is_tile(right) or right.shape[1] < left.shape[1]:
        nisa.tensor_scalar(dst, spread(left, width), op, right)
    else:
        nisa.tensor_tensor(dst, spread(left, width), spread(right, width), op)
    return dst


def bits_twice(data: Tile, op0: Any, first: int, op1: Any, second: int, dst: Tile | None = None) -> Tile:
    """Combine bit patterns with two constants: ``(data op0 first) op1 second``."""
    dst = scratch(data, data.dtype) if dst is None else dst
    nisa.tensor_scalar(dst, spread(data, dst.shape[1]), op0, first, op1=op1, operand1=second)
    return dst


def patch(dst: Tile, src: Tile | float, where: Tile, reverse: bool = False) -> None:
    """Copy bits where a mask is true."""
    width = dst.shape[1]
    nisa.tensor_copy_predicated(dst, spread(src, width) if _is_tile(src) else src, spread(where, width), reverse_pred=reverse)


def is_nan(operand: Tile, dst: Tile | None = None, engine: Any = None) -> Tile:
    """Find NaN: what differs from itself."""
    return arithmetic(nl.not_equal, operand, operand, dst, nl.uint8, engine)
