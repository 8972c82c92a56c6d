"""Ops that multiply matrices."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...dtypes import FLOAT32, DType
from ...op import get_op
from ...ops import elementwise as _elementwise  # noqa: F401  # registers them
from ...ops import linalg as _linalg  # noqa: F401
from ...rules import broadcast_shapes
from ..build import broadcast, elementwise, fill, reshape
from ..graph import Node
from ..planes import plane_dtypes
from ..primitives import Matmul
from ..value import Value
from . import NotNativeError
from .elementwise import write_out
from .operands import convert, take

if TYPE_CHECKING:
    from ..engine import NeuronEngine

__all__ = ["multiply_matrices"]

_FLOATS = ("float32", "bfloat16", "float16")


class _Operand(NamedTuple):
    """Matrices of an operand, as they lie: (batch..., rows, columns), and whether that is the transpose."""

    planes: tuple[Node, ...]
    transposed: bool


def _as_it_lies(value: Value, dtype: DType) -> _Operand:
    """Read an operand without a transpose where it lies transposed."""
    shadow = value.shadow
    if value.ndim >= 2 and not shadow.flags.c_contiguous:
        swapped = value.view(np.swapaxes(shadow, -1, -2))
        if swapped.shadow.flags.c_contiguous:
            return _Operand(convert(swapped.read(), value.dtype, dtype), True)
    return _Operand(convert(value.read(), value.dtype, dtype), False)


def multiply_matrices(left: Node, right: Node, left_transposed: bool = False, right_transposed: bool = False) -> Node:
    """
    Multiply (batches of) matrices.

    Parameters
    ----------
    left, right : Node
        (batch..., M, K) and (batch..., K, N), or transposed; batches broadcast.
    left_transposed, right_transposed : bool, optional
        Whether the last two axes of an input are the other way round.

    Returns
    -------
    Node
        (batch..., M, N).
    """
    m, k = left.shape[-2:] if not left_transposed else left.shape[:-3:-1]
    n = right.shape[-1 if not right_transposed else -2]
    batch = broadcast_shapes(left.shape[:-2], right.shape[:-2])
    count = math.prod(batch)
    shape = (*batch, m, n)
    if k == 0 or count * m * n == 0:
        return fill(0, shape, left.dtype)
    if math.prod(right.shape[:-2]) == 1 and count > 1 and not left_transposed:  # one long matrix
        flat = reshape(broadcast(left, (*batch, m, k)), (1, count * m, k))
        node = Node(Matmul(False, right_transposed), (flat, reshape(right, (1, *right.shape[-2:]))), (1, count * m, n), left.dtype)
        return reshape(node, shape)
    operands = []
    for item in (left, right):
        matrix = item.shape[-2:]
        if math.prod(item.shape[:-2]) == 1:
            operands.append(reshape(item, (1, *matrix)))
        else:
            operands.append(reshape(broadcast(item, (*batch, *matrix)), (count, *matrix)))
    node = Node(Matmul(left_transposed, right_transposed), tuple(operands), (count, m, n), left.dtype)
    return reshape(node, shape)


def _product(engine: NeuronEngine, left: Any, right: Any, dtype: DType | None = None) -> tuple[tuple[Node, ...], DType]:
    """Multiply values of at least two dimensions."""
    result = dtype or engine.promotion.result_type(left.dtype, right.dtype)
    planes = plane_dtypes(result)
    if result.name not in (*_FLOATS, "complex64"):
        raise NotNativeError(f"it has no kernel for {result} yet")
    a, b = _as_it_lies(left, result), _as_it_lies(right, result)

    def times(x: Node, y: Node) -> Node:
        return multiply_matrices(x, y, a.transposed, b.transposed)

    if len(planes) == 1:
        return (times(a.planes[0], b.planes[0]),), result
    if left.dtype.kind != "c" or right.dtype.kind != "c":  # a real operand multiplies each part
        real = 0 if left.dtype.kind != "c" else 1
        if real == 0:
            return tuple(times(a.planes[0], part) for part in b.planes), result
        return tuple(times(part, b.planes[0]) for part in a.planes), result
    parts = (
        elementwise("subtract", times(a.planes[0], b.planes[0]), times(a.planes[1], b.planes[1]), dtype=FLOAT32),
        elementwise("add", times(a.planes[0], b.planes[1]), times(a.planes[1], b.planes[0]), dtype=FLOAT32),
    )
    return parts, result


def _matmul(
    engine: NeuronEngine, left: Any, right: Any, out: Any = None, *, dtype: DType | None = None, casting: str = "same_kind", **more: Any
) -> Any:
    left, right = take(engine, left), take(engine, right)
    if more or not isinstance(left, Value) or not isinstance(right, Value):
        raise NotNativeError("it has parameters that are looked after on the host")
    if left.ndim == 0 or right.ndim == 0:
        raise ValueError("matmul: Input operand does not have enough dimensions: 0-d operands are multiplied with *")
    a = left.view(left.shadow[np.newaxis, :]) if left.ndim == 1 else left
    b = right.view(right.shadow[:, np.newaxis]) if right.ndim == 1 else right
    if a.shape[-1] != b.shape[-2]:
        raise ValueError(
            f"matmul: shapes {left.shape} and {right.shape} do not fit: the last axis of the first has {a.shape[-1]} elements, "
            f"and the axis of the second that it meets has {b.shape[-2]}"
        )
    planes, result = _product(engine, a, b, dtype)
    shape = planes[0].shape
    if left.ndim == 1:
        shape = (*shape[:-2], shape[-1])
    if right.ndim == 1:
        shape = shape[:-1]
    planes = tuple(reshape(plane, shape) for plane in planes)
    if out is not None:
        return write_out(engine, planes, result, shape, out, True, casting)
    value = engine.make(planes, result)
    value.detached = shape == ()
    return value


def _dot(engine: NeuronEngine, left: Any, right: Any, out: Any = None) -> Any:
    left, right = take(engine, left), take(engine, right)
    if not isinstance(left, Value) or not isinstance(right, Value) or not left.ndim or not right.ndim or right.ndim > 2:
        raise NotNativeError("products with scalars and over inner axes are computed on the host")
    return _matmul(engine, left, right, out)


def _tensordot(engine: NeuronEngine, left: Any, right: Any, axes: Any = 2) -> Any:
    left, right = take(engine, left), take(engine, right)
    if not isinstance(left, Value) or not isinstance(right, Value):
        raise NotNativeError("products with scalars are computed on the host")
    ours: list[Any]
    theirs: list[Any]
    if isinstance(axes, (int, np.integer)):
        ours, theirs = list(range(left.ndim - int(axes), left.ndim)), list(range(int(axes)))
    else:
        ours, theirs = ([one] if isinstance(one, (int, np.integer)) else list(one) for one in axes)
    ours = [int(axis) % max(1, left.ndim) for axis in ours]
    theirs = [int(axis) % max(1, right.ndim) for axis in theirs]
    if len(ours) != len(theirs) or any(left.shape[x] != right.shape[y] for x, y in zip(ours, theirs, strict=True)):
        raise ValueError(f"shape-mismatch for sum: axes {ours} of {left.shape} and {theirs} of {right.shape} have different lengths")
    rows = [axis for axis in range(left.ndim) if axis not in ours]
    columns = [axis for axis in range(right.ndim) if axis not in theirs]
    depth = math.prod(left.shape[axis] for axis in ours)
    shape = (*(left.shape[axis] for axis in rows), *(right.shape[axis] for axis in columns))
    matrices = []
    for value, order, extents in (
        (left, [*rows, *ours], (math.prod(left.shape[axis] for axis in rows), depth)),
        (right, [*theirs, *columns], (depth, math.prod(right.shape[axis] for axis in columns))),
    ):
        moved = value.view(np.transpose(value.shadow, order))
        matrices.append(engine.make(tuple(reshape(plane, extents) for plane in moved.read()), value.dtype))
    planes, result = _product(engine, matrices[0], matrices[1])
    value = engine.make(tuple(reshape(plane, shape) for plane in planes), result)
    value.detached = shape == ()
    return value


def _vecdot(engine: NeuronEngine, left: Any, right: Any, *more: Any, **parameters: Any) -> Any:
    left, right = take(engine, left), take(engine, right)
    if more or parameters or not isinstance(left, Value) or not isinstance(right, Value) or "c" in (left.dtype.kind, right.dtype.kind):
        raise NotNativeError("complex products, and those along other axes, are computed on the host")
    a = left.view(left.shadow[..., np.newaxis, :])
    b = right.view(right.shadow[..., :, np.newaxis])
    if a.shape[-1] != b.shape[-2]:
        raise ValueError(f"vecdot: the last axes have {a.shape[-1]} and {b.shape[-2]} elements; they must be equal")
    planes, result = _product(engine, a, b)
    shape = planes[0].shape[:-2]
    value = engine.make(tuple(reshape(plane, shape) for plane in planes), result)
    value.detached = shape == ()
    return value


def _register() -> None:
    for name, function in {"matmul": _matmul, "dot": _dot, "tensordot": _tensordot, "vecdot": _vecdot}.items():
        get_op(name).implement("neuron", function)


_register()
