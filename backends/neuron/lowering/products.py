"""Ops that multiply matrices."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ...dtypes import BOOL, FLOAT32, DType, is_low_precision
from ...rules import broadcast_shapes
from ..graph.build import broadcast, cast, elementwise, fill, reduce, reshape
from ..graph.build import call as call_kernel
from ..graph.graph import Node
from ..planes import plane_dtypes
from ..value import Value
from . import Lowerings, NotNativeError
from .elementwise import write_out, write_result
from .joining import flat
from .op_calls import call, in_float32
from .operands import check_cast, computes, convert

if TYPE_CHECKING:
    from ..graph.builder import Builder

__all__ = ["multiplied", "multiply_matrices"]

_FLOATS = ("float32", "bfloat16", "float16")
_INT32 = np.dtype(np.int32)
_MOST_PRODUCTS = 1 << 24


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


def multiply_matrices(
    left: tuple[Node, ...], right: tuple[Node, ...], left_transposed: bool = False, right_transposed: bool = False
) -> tuple[Node, ...]:
    """Multiply (batches of) matrices."""
    one, other = left[0], right[0]
    m, k = one.shape[-2:] if not left_transposed else one.shape[:-3:-1]
    n = other.shape[-1 if not right_transposed else -2]
    batch = broadcast_shapes(one.shape[:-2], other.shape[:-2])
    count = math.prod(batch)
    shape = (*batch, m, n)
    if k == 0 or count * m * n == 0:
        return (fill(0, shape, one.dtype),) * max(len(left), len(right))
    flat = math.prod(other.shape[:-2]) == 1 and count > 1 and not left_transposed  # one long matrix
    operands: list[Node] = []
    for item in (*left, *right):
        matrix = item.shape[-2:]
        if flat and len(operands) < len(left):
            operands.append(reshape(broadcast(item, (*batch, m, k)), (1, count * m, k)))
        elif math.prod(item.shape[:-2]) == 1:
            operands.append(reshape(item, (1, *matrix)))
        else:
            operands.append(reshape(broadcast(item, (*batch, *matrix)), (count, *matrix)))
    results = call_kernel("matmul", *operands, left=len(left), left_transposed=left_transposed, right_transposed=right_transposed)
    return tuple(reshape(node, shape) for node in results)


def multiplied(
    builder: Builder, left: Any, right: Any, dtype: DType | None = None, casting: str = "same_kind"
) -> tuple[tuple[Node, ...], DType]:
    """Multiply matrices, in batches that broadcast."""
    if dtype is not None:
        for value in (left, right):
            check_cast(value.dtype, dtype, casting)
    result = dtype or builder.promotion.result_type(left.dtype, right.dtype)
    if result.kind in "biu" and computes(result):
        return (_integers(left, right, result),), result
    if is_low_precision(result) and computes(result) and result.name not in _FLOATS:
        product, _ = multiplied(builder, left, right, FLOAT32, casting)
        return convert(product, FLOAT32, result), result
    if result.name not in (*_FLOATS, "complex64"):
        raise NotNativeError(f"it has no kernel for {result} yet")
    a, b = _as_it_lies(left, result), _as_it_lies(right, result)

    ours, theirs = (item.planes if value.dtype.kind == "c" else item.planes[:1] for item, value in ((a, left), (b, right)))
    return multiply_matrices(ours, theirs, a.transposed, b.transposed), result


def _integers(left: Value, right: Value, dtype: DType) -> Node:
    """Multiply matrices of integers by all products of two elements, which is as exact as the sums, modulo the dtype's range."""
    batch = broadcast_shapes(left.shape[:-2], right.shape[:-2])
    (m, k), n = left.shape[-2:], right.shape[-1]
    if math.prod(batch) * m * n * k == 0:
        return fill(0, (*batch, m, n), plane_dtypes(dtype)[0])
    if math.prod(batch) * m * n * k > _MOST_PRODUCTS:
        raise NotNativeError(f"matrices of integers with more than {_MOST_PRODUCTS} products are multiplied on the host")
    shape = (*batch, m, n, k)
    rows = left.view(np.broadcast_to(left.shadow[..., :, np.newaxis, :], shape))
    columns = right.view(np.broadcast_to(np.swapaxes(right.shadow, -1, -2)[..., np.newaxis, :, :], shape))
    (x,), (y,) = (convert(value.read(), value.dtype, dtype) for value in (rows, columns))
    if dtype == BOOL:
        both = elementwise("logical_and", x, y, dtype=BOOL)
        return reduce("logical_or", both, (len(shape) - 1,), both.dtype) if k > 1 else reshape(both, shape[:-1])
    products = elementwise("multiply", x, y, dtype=dtype)
    wide = dtype if dtype.itemsize == _INT32.itemsize else _INT32
    return cast(reduce("add", products, (len(shape) - 1,), wide), dtype) if k > 1 else reshape(products, shape[:-1])


def _matmul(
    builder: Builder, left: Any, right: Any, out: Any = None, *, dtype: DType | None = None, casting: str = "same_kind", **more: Any
) -> Any:
    left, right = builder.operand(left), builder.operand(right)
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
    planes, result = multiplied(builder, a, b, dtype, casting)
    shape = planes[0].shape
    if left.ndim == 1:
        shape = (*shape[:-2], shape[-1])
    if right.ndim == 1:
        shape = shape[:-1]
    planes = tuple(reshape(plane, shape) for plane in planes)
    return _into(builder, planes, result, shape, (left.ndim > 1) + (right.ndim > 1), out, casting)


def _into(
    builder: Builder, planes: tuple[Node, ...], dtype: DType, shape: tuple[int, ...], core: int, out: Any, casting: str
) -> Value:
    """Give a result of matrices to the caller, in `out` if there is one: its last axes are the matrix's, to the others that broadcasts."""
    if out is None:
        return builder.result(planes, dtype)
    target: Value = out[0] if isinstance(out, tuple) else out
    if target.shape[target.ndim - core :] != shape[len(shape) - core :]:
        raise ValueError(f"the result has shape {shape} and out has {target.shape}; their last axes must be equal")
    written: Value = write_out(builder, planes, dtype, shape, target, True, casting)
    return written


def _dot(builder: Builder, left: Any, right: Any, out: Any = None) -> Any:
    left, right = builder.operand(left), builder.operand(right)
    if not getattr(left, "shape", ()) or not getattr(right, "shape", ()):
        return call(builder, "multiply", left, right) if out is None else call(builder, "multiply", left, right, out=out)
    of_matrices = right.ndim <= 2  # axes
    result: Value = _matmul(builder, left, right) if of_matrices else _tensordot(builder, left, right, (left.ndim - 1, right.ndim - 2))
    if out is None:
        return result
    if out.dtype != result.dtype or not out.flags.c_contiguous:
        raise ValueError(f"out of dot must be {result.dtype} in C order, and it is {out.dtype}; give such memory, or use matmul")
    return write_result(builder, result.read(), result.dtype, result.shape, out)


def _conjugate(builder: Builder, value: Value) -> Value:
    conjugate: Value = call(builder, "conjugate", value) if value.dtype.kind == "c" else value
    return conjugate


def _tensordot(builder: Builder, left: Any, right: Any, axes: Any = 2) -> Any:
    left, right = builder.operand(left), builder.operand(right)
    if not isinstance(left, Value) or not isinstance(right, Value):
        raise NotNativeError("products with scalars are computed on the host")
    ours: list[Any]
    theirs: list[Any]
    if isinstance(axes, (int, np.integer)):
        if axes > min(left.ndim, right.ndim):
            raise IndexError(f"axes={axes} is more than the operands have, which are of shapes {left.shape} and {right.shape}")
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
        matrices.append(builder.make(tuple(reshape(plane, extents) for plane in moved.read()), value.dtype))
    planes, result = multiplied(builder, matrices[0], matrices[1])
    return builder.result(tuple(reshape(plane, shape) for plane in planes), result)


def _contracted(builder: Builder, left: Any, right: Any, vectors: tuple[bool, bool], out: Any, parameters: dict[str, Any]) -> Any:
    """Multiply stacks of vectors (which are conjugated if they come first) and matrices."""
    a, b = builder.operand(left), builder.operand(right)
    dtype, casting = parameters.pop("dtype", None), parameters.pop("casting", "same_kind")
    axis = parameters.pop("axis", -1)
    if parameters or not isinstance(a, Value) or not isinstance(b, Value):
        raise NotNativeError("it has parameters that are looked after on the host")
    if min(a.ndim, b.ndim) == 0 or any(value.ndim < 2 for value, vector in zip((a, b), vectors, strict=True) if not vector):
        raise ValueError(f"operands of shapes {a.shape} and {b.shape} do not have enough dimensions")
    if axis != -1:
        a, b = (value.view(np.moveaxis(value.shadow, axis, -1)) for value in (a, b))
    if vectors[0]:
        a = _conjugate(builder, a)
        a = a.view(a.shadow[..., np.newaxis, :])
    if vectors[1]:
        b = b.view(b.shadow[..., :, np.newaxis])
    if a.shape[-1] != b.shape[-2]:
        raise ValueError(f"the axes to sum over have {a.shape[-1]} and {b.shape[-2]} elements; they must be equal")
    planes, result = multiplied(builder, a, b, dtype, casting)
    shape = planes[0].shape
    shape = shape[:-2] + (() if vectors[0] else shape[-2:-1]) + (() if vectors[1] else shape[-1:])
    planes = tuple(reshape(plane, shape) for plane in planes)
    return _into(builder, planes, result, shape, len(vectors) - sum(vectors), out, casting)


def _of_vectors(first: bool, second: bool) -> Callable[..., Any]:
    def run(builder: Builder, left: Any, right: Any, out: Any = None, **parameters: Any) -> Any:
        return _contracted(builder, left, right, (first, second), out, parameters)

    return run


def _vdot(builder: Builder, left: Any, right: Any) -> Any:
    a, b = (flat(value) for value in builder.arrays([left, right]))
    return _matmul(builder, _conjugate(builder, a), b)


def _inner(builder: Builder, left: Any, right: Any) -> Any:
    a, b = builder.arrays([left, right])
    if not a.ndim or not b.ndim:
        return call(builder, "multiply", a, b)
    return _tensordot(builder, a, b, (a.ndim - 1, b.ndim - 1))


def _outer(builder: Builder, left: Any, right: Any, out: Any = None) -> Any:
    a, b = (flat(value) for value in builder.arrays([left, right]))
    rows, columns = a.view(a.shadow[:, np.newaxis]), b.view(b.shadow[np.newaxis, :])
    return call(builder, "multiply", rows, columns) if out is None else call(builder, "multiply", rows, columns, out=out)


def _outer_of_vectors(builder: Builder, left: Any, right: Any) -> Any:
    a, b = builder.arrays([left, right])
    if a.ndim != 1 or b.ndim != 1:
        raise ValueError(f"the outer product takes vectors, and these have {a.ndim} and {b.ndim} axes")
    return _outer(builder, a, b)


def _kron(builder: Builder, left: Any, right: Any) -> Any:
    a, b = builder.arrays([left, right])
    ndim = max(a.ndim, b.ndim)
    first, second = ((1,) * (ndim - value.ndim) + value.shape for value in (a, b))
    a = a.view(np.expand_dims(a.shadow[(np.newaxis,) * (ndim - a.ndim) + (...,)], tuple(range(1, 2 * ndim, 2))))
    b = b.view(np.expand_dims(b.shadow[(np.newaxis,) * (ndim - b.ndim) + (...,)], tuple(range(0, 2 * ndim, 2))))
    product = call(builder, "multiply", a, b)
    shape = tuple(x * y for x, y in zip(first, second, strict=True))
    return builder.result(tuple(reshape(plane, shape) for plane in product.read()), product.dtype)


_PLANE_VECTORS: Final = tuple(map(int, np.__version__.split(".")[:2])) < (2, 5)  # which NumPy took, and warned of


@in_float32
def _cross(
    builder: Builder, left: Any, right: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Any:
    a, b = builder.arrays([left, right])
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = a.view(np.moveaxis(a.shadow, axisa, -1)), b.view(np.moveaxis(b.shadow, axisb, -1))
    if a.shape[-1] != 3 or b.shape[-1] != 3:  # vectors in space
        if _PLANE_VECTORS:
            raise NotNativeError("cross products other than of three components are computed on the host")
        raise ValueError(f"cross products take vectors of 3 components, and these have {a.shape[-1]} and {b.shape[-1]}")

    def part(value: Value, place: int) -> Value:
        return value.view(value.shadow[..., place % 3])

    def times(x: Value, y: Value) -> Value:
        product: Value = call(builder, "multiply", x, y)
        return product

    parts = []
    for place in range(3):
        terms = times(part(a, place + 1), part(b, place + 2)), times(part(a, place + 2), part(b, place + 1))
        parts.append(call(builder, "subtract", *terms))
    stacked = call(builder, "stack", parts, -1)
    return stacked.view(np.moveaxis(stacked.shadow, -1, axisc))


def _cross_of_vectors(builder: Builder, left: Any, right: Any, axis: int = -1) -> Any:
    a, b = builder.arrays([left, right])
    if a.shape[axis] != 3 or b.shape[axis] != 3:  # vectors in space
        raise ValueError(f"cross products take vectors of 3 components, and these have {a.shape[axis]} and {b.shape[axis]}")
    return _cross(builder, a, b, axis=axis)


def _matrix_power(builder: Builder, a: Any, n: int) -> Any:
    value = builder.array(a)
    if value.ndim < 2 or value.shape[-1] != value.shape[-2]:  # rows and columns
        raise np.linalg.LinAlgError(f"powers are of square matrices, and the array has shape {value.shape}")
    if n < 0:
        raise NotNativeError("inverses are computed on the host")
    if n == 0:
        one = call(builder, "eye", value.shape[-1], None, 0, value.dtype)
        return builder.make(value.view(value.shadow).read(), value.dtype) if value.size == 0 else _stacked(builder, one, value.shape)
    if n == 1:
        return value
    result: Any = None
    while n:
        if n & 1:
            result = value if result is None else _matmul(builder, result, value)
        n >>= 1
        if n:
            value = _matmul(builder, value, value)
    return builder.make(result.read(), result.dtype)


def _stacked(builder: Builder, matrix: Value, shape: tuple[int, ...]) -> Value:
    return builder.make(matrix.view(np.broadcast_to(matrix.shadow, shape)).read(), matrix.dtype)


LOWERINGS: Final[Lowerings] = {
    "matmul": _matmul,
    "dot": _dot,
    "tensordot": _tensordot,
    "vecdot": _of_vectors(True, True),
    "matvec": _of_vectors(False, True),
    "vecmat": _of_vectors(True, False),
    "vdot": _vdot,
    "inner": _inner,
    "outer": _outer,
    "linalg.outer": _outer_of_vectors,
    "kron": _kron,
    "cross": _cross,
    "linalg.cross": _cross_of_vectors,
    "linalg.matrix_power": in_float32(_matrix_power),
}
