"""Operators called as functions of tiles: each makes its result and issues the instructions."""

from __future__ import annotations

from typing import Any

from ..isa.activation import activation
from ..isa.elementwise import tensor_scalar, tensor_tensor
from ..operators import Operator
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import MemoryRegion
from .creation import ndarray

__all__ = ["apply"]


def apply(op: Operator, operands: tuple[Any, ...], dtype: Any) -> NkiTensor:
    """
    Apply an operator to tiles.

    Parameters
    ----------
    op : Operator
        The operator.
    operands : tuple
        One or two; tiles, or a tile and a number.
    dtype : str, optional
        Of the result; by default that of the first tile.

    Returns
    -------
    NkiTensor
        A new tile in SBUF.

    Raises
    ------
    TypeError
        If no operand is a tile.
    """
    first = next((x for x in operands if isinstance(x, NkiTensor)), None)
    if first is None:
        raise TypeError(f"nl.{op.name}: one operand is a tile; {', '.join(type(x).__name__ for x in operands)} given")
    result = ndarray(first.shape, first.dtype if dtype is None else dtype, MemoryRegion.sbuf)
    if len(operands) == 1 and op.activation is not None:
        activation(result, op, first)
    elif len(operands) == 1:
        tensor_scalar(result, first, op, 0)
    elif all(isinstance(x, NkiTensor) for x in operands):
        tensor_tensor(result, operands[0], operands[1], op)
    else:
        reverse = first is not operands[0]
        tensor_scalar(result, first, op, operands[0] if reverse else operands[1], reverse)
    return result
