"""Operators that are functions of tiles, too: each makes its result and issues the instructions."""

from __future__ import annotations

from typing import Any, Final

from ..isa.activation import activation
from ..isa.elementwise import tensor_scalar, tensor_tensor
from ..isa.move import tensor_copy
from ..operators import OPERATORS, Operator
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import MemoryRegion
from .composed import reduced_sin, same_shape
from .creation import full, ndarray

__all__ = ["FUNCTIONS", "apply"]

# The API reference shows these two with one value per partition; release notes exclude that for binary operations in general.
_PER_PARTITION: Final = frozenset({"abs_max", "abs_min"})


def apply(op: Operator, operands: tuple[Any, ...], dtype: Any) -> NkiTensor:
    """Apply an operator to tiles."""
    first = next((x for x in operands if isinstance(x, NkiTensor)), None)
    if first is None:
        raise TypeError(f"nl.{op.name}: one operand is a tile; {', '.join(type(x).__name__ for x in operands)} given")
    if op.name == "sin":
        return reduced_sin(first, dtype)
    operands, first = _arranged(op, operands)
    result = ndarray(first.shape, first.dtype if dtype is None else dtype, MemoryRegion.sbuf)
    if op.name == "copy":
        tensor_copy(result, first)
    elif len(operands) == 1 and op.activation is not None:
        activation(result, op, first)
    elif len(operands) == 1:
        tensor_scalar(result, first, op, 0)
    elif all(isinstance(x, NkiTensor) and x.shape == first.shape for x in operands):
        tensor_tensor(result, operands[0], operands[1], op)
    else:
        reverse = first is not operands[0]
        tensor_scalar(result, first, op, operands[0] if reverse else operands[1], reverse)
    return result


def _arranged(op: Operator, operands: tuple[Any, ...]) -> tuple[tuple[Any, ...], NkiTensor]:
    """Make the operands what an instruction takes, and find the tile that the result is like."""
    like = max((x for x in operands if isinstance(x, NkiTensor)), key=lambda x: x.size)
    if op.name not in _PER_PARTITION:
        same_shape(op.name, operands)
    elif any(isinstance(x, NkiTensor) and x.shape != like.shape and x.dtype != "float32" for x in operands):
        operands = tuple(x if x is like else _as_float32(x) for x in operands)  # as tensor_scalar wants it
    if op.alu is not None and op.alu.pool_only:  # only tensor_tensor has it, which takes no numbers
        operands = tuple(x if isinstance(x, NkiTensor) else full(like.shape, x, "float32") for x in operands)
    return operands, like


def _as_float32(x: NkiTensor) -> NkiTensor:
    result = ndarray(x.shape, "float32", MemoryRegion.sbuf)
    tensor_copy(result, x)
    return result


class Unary(Operator):
    """An operator of one tile."""

    def __call__(self, x: Any, dtype: str | None = None) -> NkiTensor:
        return apply(self, (x,), dtype)


class Binary(Operator):
    """An operator of two tiles."""

    def __call__(self, x: Any, y: Any, dtype: str | None = None) -> NkiTensor:
        return apply(self, (x, y), dtype)


def _function(op: Operator) -> Operator:
    """Find the callable form of an operator; those without an engine's arithmetic are values for `op=` alone."""
    if op.alu is None and op.activation is None:
        return op
    return (Binary if op.alu is not None and op.alu.arity == 2 else Unary)(op.name, op.alu, op.activation)


FUNCTIONS: Final = {name: _function(op) for name, op in OPERATORS.items()}
