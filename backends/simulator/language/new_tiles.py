"""One instruction each, whose result is a new tile in SBUF: what composed functions and reductions are made of."""

from __future__ import annotations

from typing import Any, Final

from ..isa.activation import activation
from ..isa.elementwise import tensor_scalar, tensor_tensor
from ..operators import OPERATORS
from ..tensor.nkitensor import NkiTensor
from .creation import ndarray

__all__ = ["F32", "applied", "with_number", "with_tile"]

F32: Final = "float32"
"""What engines compute in."""


def with_number(x: NkiTensor, op0: str, a: float, op1: str | None = None, b: float | None = None, dtype: Any = F32) -> NkiTensor:
    """Combine a tile with one number, and then with another one."""
    result = ndarray(x.shape, dtype)
    tensor_scalar(result, x, OPERATORS[op0], a, op1=None if op1 is None else OPERATORS[op1], operand1=b)
    return result


def with_tile(x: NkiTensor, op: str, y: NkiTensor, dtype: Any = F32) -> NkiTensor:
    """Combine two tiles of one shape."""
    result = ndarray(x.shape, dtype)
    tensor_tensor(result, x, y, OPERATORS[op])
    return result


def applied(name: str, x: NkiTensor, dtype: Any = F32) -> NkiTensor:
    """Apply an activation function to a tile."""
    result = ndarray(x.shape, dtype)
    activation(result, OPERATORS[name], x)
    return result
