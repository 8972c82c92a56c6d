"""Ops that reduce along axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...dtypes import BOOL, FLOAT32, DType, is_low_precision
from ...op import get_op
from ...ops import searching as _searching  # noqa: F401  # registers them
from ...ops import statistical as _statistical  # noqa: F401
from ..build import broadcast, cast, elementwise, fill, reduce, reshape
from ..graph import Node
from ..planes import plane_dtypes
from ..value import Value
from . import NotNativeError
from .elementwise import write_out
from .operands import computes, convert, operand, take

if TYPE_CHECKING:
    from ..engine import NeuronEngine

__all__ = ["sum_dtype"]

_IDENTITY: Final[Mapping[str, int]] = {"add": 0, "multiply": 1, "logical_or": 0, "logical_and": 1, "count_nonzero": 0}
_NO_VALUE: Final[Any] = np._NoValue
_INT32: Final = np.dtype(np.int32)


def _axes(axis: Any, ndim: int) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(ndim))
    given = axis if isinstance(axis, (tuple, list)) else (axis,)
    found = tuple(np.lib.array_utils.normalize_axis_index(one, ndim) for one in given)
    if len(set(found)) != len(found):
        raise ValueError("duplicate value in 'axis': name each axis once")
    return found


def _reduced(name: str, plane: Node, axes: tuple[int, ...], dtype: DType) -> Node:
    """Reduce a plane: over no axis, no element and one element, too."""
    length = math.prod(plane.shape[axis] for axis in axes)
    shape = tuple(extent for axis, extent in enumerate(plane.shape) if axis not in axes)
    if length == 0:
        if name not in _IDENTITY:
            raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
        return fill(_IDENTITY[name], shape, dtype)
    if length == 1:
        single = reshape(plane, shape)
        if name.startswith("arg"):
            return fill(0, shape, dtype)
        if name in ("logical_or", "logical_and", "count_nonzero"):
            single = elementwise("not_equal", single, fill(0, (), single.dtype), dtype=BOOL)
        return cast(single, dtype)
    return reduce(name, plane, axes, dtype)


def _finish(
    engine: NeuronEngine, planes: tuple[Node, ...], dtype: DType, axes: tuple[int, ...], given: Value, keepdims: bool, out: Any
) -> Any:
    shape = planes[0].shape
    if keepdims:
        shape = tuple(1 if axis in axes else extent for axis, extent in enumerate(given.shape))
        planes = tuple(reshape(plane, shape) for plane in planes)
    if out is not None:
        return write_out(engine, planes, dtype, shape, out, True, "same_kind")
    value = engine.make(planes, dtype)
    value.detached = shape == ()
    return value


def sum_dtype(engine: NeuronEngine, dtype: DType) -> DType:
    """
    Widen small integers, as sums do.

    Parameters
    ----------
    engine : NeuronEngine
        Whose defaults count.
    dtype : dtype
        Of the elements.

    Returns
    -------
    dtype
        Of the sum.
    """
    wide = engine.promotion.default_int
    if dtype.kind not in "biu" or dtype.itemsize > wide.itemsize or (dtype.itemsize == wide.itemsize and dtype.kind != "b"):
        return dtype
    return np.dtype(np.uint32) if dtype.kind == "u" else wide


def _folding(name: str, widen: bool) -> Callable[..., Any]:
    """Lower a ufunc's reduction."""

    def run(
        engine: NeuronEngine, a: Any, axis: Any = 0, dtype: DType | None = None, out: Any = None, keepdims: bool = False,
        initial: Any = _NO_VALUE, where: Any = True,
    ) -> Any:  # fmt: skip
        value = take(engine, a)
        if not isinstance(value, Value):
            raise NotNativeError("it has no array")
        truth = name.startswith("logical")
        wanted = dtype or (BOOL if truth else sum_dtype(engine, value.dtype) if widen else value.dtype)
        axes = () if value.ndim == 0 and axis in (0, -1) else _axes(axis, value.ndim)  # which ufuncs allow
        if truth:
            if not computes(value.dtype) and value.dtype.kind != "c":
                raise NotNativeError(f"it has no kernel for {value.dtype}")
            planes = convert(value.read(), value.dtype, BOOL) if value.dtype.kind == "c" else value.read()
        else:
            if wanted.kind == "c" and (name != "add" or len(plane_dtypes(wanted)) > 2):
                raise NotNativeError(f"it has no kernel for {wanted} yet")
            if wanted.kind != "c" and not computes(wanted):
                raise NotNativeError(f"it has no kernel for {wanted}")
            if wanted.kind in "iu" and name == "multiply":
                raise NotNativeError("integers are multiplied along axes on the host")
            exact = wanted.kind in "iu"  # a sum widens integers itself
            planes = _integers(value, wanted) if exact else convert(value.read(), value.dtype, wanted)
        if where is not True:
            if initial is _NO_VALUE and name not in _IDENTITY:
                raise ValueError(f"reduction operation '{name}' has no identity: give initial= where there is a where= mask")
            neutral = _IDENTITY.get(name, initial)
            (mask,) = operand(engine, take(engine, where), BOOL, value.shape)
            masked = []
            for plane in planes:
                other = operand(engine, neutral, plane.dtype, ())[0]
                masked.append(elementwise("where", mask, plane, other, dtype=plane.dtype))
            planes = tuple(masked)
        results = tuple(_reduced(name, plane, axes, part) for plane, part in zip(planes, plane_dtypes(wanted), strict=True))
        if initial is not _NO_VALUE and initial is not None:
            first = operand(engine, initial, wanted, results[0].shape)
            results = tuple(elementwise(name, one, other, dtype=one.dtype) for one, other in zip(results, first, strict=True))
        return _finish(engine, results, wanted, axes, value, keepdims, out)

    return run


def _integers(value: Value, wanted: DType) -> tuple[Node, ...]:
    """Give integers to a sum as they are where it widens them itself, exactly."""
    if value.dtype.kind in "biu" and computes(value.dtype) and value.dtype.itemsize < wanted.itemsize and value.dtype != np.uint32:
        return value.read()
    return convert(value.read(), value.dtype, wanted)


def _arg(name: str) -> Callable[..., Any]:
    def run(engine: NeuronEngine, a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
        if not isinstance(a, Value) or not computes(a.dtype):
            raise NotNativeError("it has no kernel for this dtype")
        axes = _axes(axis, a.ndim)
        if math.prod(a.shape[one] for one in axes) == 0:
            raise ValueError(f"attempt to get {name} of an empty sequence")
        plane = _reduced(name, a.read()[0], axes, _INT32)
        return _finish(engine, (plane,), _INT32, axes, a, keepdims is True, out)

    return run


def _count_nonzero(engine: NeuronEngine, a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    if not isinstance(a, Value) or not computes(a.dtype):
        raise NotNativeError("it has no kernel for this dtype")
    axes = _axes(axis, a.ndim)
    return _finish(engine, (_reduced("count_nonzero", a.read()[0], axes, _INT32),), _INT32, axes, a, keepdims, None)


def _moments(engine: NeuronEngine, a: Any, axis: Any, dtype: DType | None) -> tuple[Value, DType, tuple[Node, ...], tuple[int, ...], int]:
    """Prepare a mean: the elements in the dtype that is computed in, the axes, and how many elements each has."""
    value = take(engine, a)
    if not isinstance(value, Value):
        raise NotNativeError("it has no array")
    wanted = dtype or (engine.promotion.default_float if value.dtype.kind in "biu" else value.dtype)
    if len(plane_dtypes(wanted)) > 2 or (wanted.kind != "c" and not computes(wanted)) or wanted.kind in "biu":
        raise NotNativeError(f"it has no kernel for {wanted}")
    inner = FLOAT32 if is_low_precision(wanted) else wanted
    axes = _axes(axis, value.ndim)
    return value, wanted, convert(value.read(), value.dtype, inner), axes, math.prod(value.shape[one] for one in axes)


def _divided(plane: Node, divisor: float) -> Node:
    if math.frexp(divisor)[0] == 0.5:  # a power of two, by whose reciprocal products are the same
        return elementwise("multiply", plane, fill(1 / divisor, (), FLOAT32), dtype=FLOAT32)
    return elementwise("divide", plane, fill(float(divisor), (), FLOAT32), dtype=FLOAT32)


def _mean(
    engine: NeuronEngine, a: Any, axis: Any = None, dtype: DType | None = None, out: Any = None, keepdims: Any = False, *, where: Any = True
) -> Any:
    if where is not True and where is not _NO_VALUE:
        raise NotNativeError("masked means are computed on the host")
    value, wanted, planes, axes, count = _moments(engine, a, axis, dtype)
    if count == 0:
        raise NotNativeError("means of nothing are computed on the host")
    means = tuple(_divided(_reduced("add", plane, axes, FLOAT32), count) for plane in planes)
    return _finish(engine, convert(means, FLOAT32, wanted) if len(means) == 1 else means, wanted, axes, value, keepdims is True, out)


def _variance(root: bool) -> Callable[..., Any]:
    def run(
        engine: NeuronEngine, a: Any, axis: Any = None, dtype: DType | None = None, out: Any = None, ddof: float = 0, keepdims: Any = False,
        *, where: Any = True, mean: Any = _NO_VALUE, correction: float = 0,
    ) -> Any:  # fmt: skip
        value, wanted, planes, axes, count = _moments(engine, a, axis, dtype)
        divisor = count - ddof - correction
        if (where is not True and where is not _NO_VALUE) or mean is not _NO_VALUE or divisor <= 0 or len(planes) != 1:
            raise NotNativeError("masked, complex and empty variances are computed on the host")
        (plane,) = planes
        kept = tuple(1 if axis_ in axes else extent for axis_, extent in enumerate(plane.shape))
        center = broadcast(reshape(_divided(_reduced("add", plane, axes, FLOAT32), count), kept), plane.shape)
        deviation = elementwise("subtract", plane, center, dtype=FLOAT32)
        result = _divided(_reduced("add", elementwise("square", deviation, dtype=FLOAT32), axes, FLOAT32), divisor)
        if root:
            result = elementwise("sqrt", result, dtype=FLOAT32)
        return _finish(engine, convert((result,), FLOAT32, wanted), wanted, axes, value, keepdims is True, out)

    return run


def _register() -> None:
    table = {
        "sum": _folding("add", True),
        "prod": _folding("multiply", True),
        "max": _folding("maximum", False),
        "min": _folding("minimum", False),
        "any": _folding("logical_or", False),
        "all": _folding("logical_and", False),
        "argmax": _arg("argmax"),
        "argmin": _arg("argmin"),
        "count_nonzero": _count_nonzero,
        "mean": _mean,
        "var": _variance(root=False),
        "std": _variance(root=True),
        "standard.var": _variance(root=False),
        "standard.std": _variance(root=True),
    }
    for name, function in table.items():
        get_op(name).implement("neuron", function)


_register()
