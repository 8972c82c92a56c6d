"""Outputs: results are written to memory that the caller gave, converted by a casting rule and under a mask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..dtypes import BOOL
from ..promotion import NUMPY
from ..rules import Signature, broadcast_shapes
from .graph.build import broadcast, broadcast_scalar, elementwise
from .graph.graph import Node
from .lowering.operands import convert, operand
from .lowering.size_classes import write_grown
from .value import Value

if TYPE_CHECKING:
    from ..signatures import Output
    from .graph.builder import Builder

__all__ = ["check_target", "deliver", "store", "write"]


def deliver(builder: Builder, result: Any, output: Output) -> Any:
    """Write the results of a lowering where the caller of its Op wants them."""
    values = result if isinstance(result, tuple) else (result,)
    written = [_delivered(builder, value, target, output) for value, target in zip(values, output.targets, strict=True)]
    return tuple(written) if isinstance(result, tuple) else written[0]


def _delivered(builder: Builder, value: Value, target: Value | None, output: Output) -> Value:
    if target is None:  # of which elements that the mask leaves out may be anything
        shape = broadcast_shapes(value.shape, getattr(output.where, "shape", ()))
        return builder.make(tuple([_filled(broadcast(plane, shape), shape) for plane in value.read()]), value.dtype)
    check_target(Signature(value.shape, value.dtype), target, output)
    write(builder, target, value, output.where)
    return target


def check_target(result: Signature, target: Value, output: Output) -> None:
    """Refuse memory of a dtype to which the result is not converted, and of another shape; in this order, as NumPy does."""
    if not NUMPY.can_cast(result.dtype, target.dtype, output.casting):
        raise TypeError(
            f"the result is {result.dtype} and out is {target.dtype}, to which casting={output.casting!r} does not lead; "
            "allow it with casting='unsafe'"
        )
    fits = broadcast_shapes(result.shape, target.shape) == target.shape if output.broadcasts else result.shape == target.shape
    if not fits:
        raise ValueError(
            f"the result has shape {result.shape}, which does not broadcast to that of out, {target.shape}" if output.broadcasts else
            f"out has wrong shape, {target.shape}, and the result {result.shape}; give memory of the result's shape"
        )  # fmt: skip


def write(builder: Builder, target: Value, value: Value, where: Any = True) -> None:
    """Write elements there, where a mask holds; both broadcast to the target, or are refused."""
    if broadcast_shapes(value.shape, target.shape) != target.shape:
        raise ValueError(f"could not broadcast input array from shape {value.shape} into shape {target.shape}")
    if write_grown(builder, target, value, where):
        return
    planes = tuple([broadcast(plane, target.shape) for plane in convert(value.read(), value.dtype, target.dtype)])
    if where is not True:
        shape = getattr(where, "shape", ())
        if broadcast_shapes(shape, target.shape) != target.shape:
            raise ValueError(f"where has shape {shape}, which does not broadcast to that of out, {target.shape}")
        (mask,) = operand(builder, where, BOOL, target.shape)
        kept = target.held()
        planes = tuple([elementwise("where", mask, new, old, dtype=new.dtype) for new, old in zip(planes, kept, strict=True)])
    store(target, planes)


def store(target: Value, planes: tuple[Node, ...]) -> None:
    """Replace the elements of a value; planes of shape () fill it."""
    target.write(tuple([_filled(plane, target.shape) for plane in planes]))


def _filled(plane: Node, shape: tuple[int, ...]) -> Node:
    return plane if plane.shape == shape else elementwise("positive", broadcast_scalar(plane, shape), dtype=plane.dtype)
