"""Ops that reduce along axes."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ...dtypes import BOOL, COMPLEX64, FLOAT32, INT32, DType, is_low_precision
from ...rules import broadcast_shapes, sum_dtype
from ...shape import checked_axis
from ..graph.build import broadcast, broadcast_scalar, cast, elementwise, fill, reshape
from ..graph.graph import Node
from ..planes import plane_dtypes
from ..value import Value
from . import Lowerings, NotNativeError
from .elementwise import write_result
from .exact_integers import IN_WORDS, magnitude, may_exceed, narrowed, product_fits
from .op_calls import call
from .operands import computes, convert, operand, take
from .plane_reductions import IDENTITY, are_extreme, extreme_words, identity, in_pairs, joined, reduced
from .wide_integers import WIDE_INTEGERS
from .wide_sums import word_sum

if TYPE_CHECKING:
    from ..graph.builder import Builder

__all__ = ["common_dtype", "folding"]

_EXTREMES: Final[Mapping[str, str]] = {"argmax": "maximum", "argmin": "minimum"}
_IN_PAIRS: Final = frozenset({"bitwise_or", "bitwise_and", "bitwise_xor", "fmax", "fmin"})
"""What has no kernel that reduces."""
_ON_BOOL: Final[Mapping[str, str]] = {"add": "logical_or", "multiply": "logical_and"}
_NO_VALUE: Final[Any] = np._NoValue


def _axes(axis: Any, ndim: int) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(ndim))
    given = axis if isinstance(axis, tuple) else (axis,)
    found = tuple(checked_axis(one, ndim) for one in given)
    if len(set(found)) != len(found):
        raise ValueError("duplicate value in 'axis': name each axis once")
    return found


def _ufunc_axes(axis: Any, ndim: int) -> tuple[int, ...]:
    """Take an axis that does not exist, as ufuncs do, for none of an array without any."""
    return () if ndim == 0 and axis in (0, -1) else _axes(axis, ndim)


def _finish(
    builder: Builder, planes: tuple[Node, ...], dtype: DType, axes: tuple[int, ...], given: Value, keepdims: bool, out: Any,
    casting: str = "same_kind",
) -> Any:  # fmt: skip
    shape = planes[0].shape
    if keepdims:
        shape = tuple(1 if axis in axes else extent for axis, extent in enumerate(given.shape))
        planes = tuple(reshape(plane, shape) for plane in planes)
    if out is not None:
        return write_result(builder, planes, dtype, shape, out, casting)
    return builder.result(planes, dtype)


def folding(name: str, widen: bool = False) -> Callable[..., Any]:
    """Lower a ufunc's reduction."""

    def exactly(builder: Builder, value: Value, wanted: DType, axis: Any, keepdims: bool, initial: Any, where: Any) -> Value:
        """Compute in 64 bits, and give results 32."""
        wide = run(builder, value, axis, IN_WORDS[wanted], None, keepdims, initial, where)
        if name == "add":
            return narrowed(builder, name, wide, value.dtype, wanted)
        first = _NO_VALUE if initial is _NO_VALUE else magnitude(builder, initial)
        sizes = run(builder, magnitude(builder, value), axis, FLOAT32, None, keepdims, first, where)
        nonzero = call(builder, "all", value, axis, keepdims=keepdims, where=where)
        if initial is not _NO_VALUE:
            counts = call(builder, "not_equal", initial, 0) if isinstance(initial, Value) else bool(initial)
            nonzero = call(builder, "logical_and", nonzero, counts)
        return narrowed(builder, name, wide, value.dtype, wanted, product_fits(builder, sizes, nonzero))

    def run(
        builder: Builder, a: Any, axis: Any = 0, dtype: DType | None = None, out: Any = None, keepdims: bool = False,
        initial: Any = _NO_VALUE, where: Any = True,
    ) -> Any:  # fmt: skip
        value = take(builder, a)
        if not isinstance(value, Value):
            raise NotNativeError("it has no array")
        if name == "logical_xor":  # which is one of the bits of truth values
            truths = builder.make(convert(value.read(), value.dtype, BOOL), BOOL)
            return folding("bitwise_xor")(builder, truths, axis, None, out, keepdims, initial, where)
        truth = name.startswith("logical")
        named = dtype or (None if truth else common_dtype(builder, value, out))
        wanted = named or (BOOL if truth else sum_dtype(builder.promotion, value.dtype) if widen else value.dtype)
        axes = _ufunc_axes(axis, value.ndim)
        from_identity = initial is _NO_VALUE
        if getattr(initial, "shape", ()):
            raise ValueError(f"a reduction begins with one number, and not with an array of shape {initial.shape}; give initial[0]")
        if isinstance(initial, np.integer):  # which has to fit as Python's has
            initial = int(initial)
        if initial is None:  # which takes an identity away
            if 0 in (value.shape[one] for one in axes) and 0 not in (length for one, length in enumerate(value.shape) if one not in axes):
                raise ValueError(f"zero-size array to reduction operation {name} which has no identity; leave initial out")
            initial = _NO_VALUE
        if from_identity and name == "multiply" and wanted.kind == "c":  # which changes zeros and infinities
            initial = 1
        if widen and named is None:
            count = math.prod(value.shape[one] for one in axes)
            if may_exceed(name, value.dtype, wanted, count, initial is not _NO_VALUE):
                return exactly(builder, value, wanted, axis, keepdims, initial, where)
        given = wanted  # of the planes
        if truth:
            planes = value.read() if computes(value.dtype) else convert(value.read(), value.dtype, BOOL)
        else:
            _check(name, value.dtype, wanted)
            if name in ("add", "multiply") and wanted.kind == "b":
                return folding(_ON_BOOL[name])(builder, value, axis, None, out, keepdims, initial, where)
            if name == "add" and _widens(value.dtype, wanted):
                given = value.dtype
            planes = convert(value.read(), value.dtype, given)
        if where is not True:
            if initial is _NO_VALUE and name not in IDENTITY:
                raise ValueError(f"reduction operation '{name}' has no identity: give initial= where there is a where= mask")
            neutral = identity(name, given) if name in IDENTITY else initial
            (mask,) = operand(builder, take(builder, where), BOOL, value.shape)
            others = operand(builder, neutral, given if len(planes) > 1 else planes[0].dtype, ())
            planes = tuple(
                elementwise("where", mask, plane, other, dtype=plane.dtype) for plane, other in zip(planes, others, strict=True)
            )
        if initial is not _NO_VALUE and name not in IDENTITY and math.prod(value.shape[one] for one in axes) == 0:
            shape = tuple(extent for one, extent in enumerate(value.shape) if one not in axes)
            results = tuple(broadcast_scalar(plane, shape) for plane in operand(builder, initial, wanted, ()))
        else:
            results = _folded(name, planes, given, axes, wanted, from_identity)
        if initial is not _NO_VALUE:
            first = operand(builder, initial, wanted, results[0].shape)
            results = joined(name, results, first, wanted)
        return _finish(builder, results, wanted, axes, value, keepdims, out, "unsafe")

    return run


def _check(name: str, dtype: DType, wanted: DType) -> None:
    """Refuse what the host does, or tells what is wrong with."""
    if wanted != COMPLEX64 and wanted not in WIDE_INTEGERS and not computes(wanted):
        raise NotNativeError(f"it has no kernel for {wanted}")
    if dtype.kind == "c" and wanted.kind != "c":
        raise NotNativeError("imaginary parts are dropped on the host")
    if name.startswith("bitwise") and wanted.kind not in "biu":
        raise NotNativeError(f"{wanted} has no bits that are combined")


def _widens(dtype: DType, wanted: DType) -> bool:
    """Tell whether a sum takes integers as they are and widens them itself, exactly."""
    if dtype.kind not in "biu" or wanted.kind not in "iu" or not computes(dtype):
        return False
    return wanted in WIDE_INTEGERS or (dtype.itemsize < wanted.itemsize and dtype != np.uint32)


def _folded(
    name: str, planes: tuple[Node, ...], given: DType, axes: tuple[int, ...], wanted: DType, from_identity: bool
) -> tuple[Node, ...]:
    """Reduce planes by a kernel that does so, or by what is made of kernels; sums of floats begin with 0 if they are to."""
    if wanted in WIDE_INTEGERS:
        if name == "add":
            return word_sum(planes, given, axes)
        if name in ("maximum", "minimum"):
            return extreme_words(name, planes, wanted, axes)
    if name in _IN_PAIRS or (name == "multiply" and wanted.kind in "iu") or (name != "add" and len(planes) > 1):
        return in_pairs(name, planes, axes, wanted)
    if from_identity and name == "add" and wanted.kind not in "biu":
        name = "sum"
    parts = (INT32,) if wanted.kind in "iu" and name == "add" and wanted.itemsize < INT32.itemsize else plane_dtypes(wanted)
    results = tuple(reduced(name, plane, axes, part) for plane, part in zip(planes, parts, strict=True))
    return tuple(cast(plane, part) for plane, part in zip(results, plane_dtypes(wanted), strict=True))


def common_dtype(builder: Builder, value: Value, out: Any) -> DType | None:
    """Find the dtype in which a ufunc's reduction computes for an output, if nobody names one."""
    target: Value | None = out[0] if isinstance(out, tuple) else out
    if target is None:
        return None
    if value.dtype.kind == "c" and target.dtype.kind != "c":
        raise NotNativeError("imaginary parts are dropped on the host")
    return builder.promotion.result_type(value.dtype, target.dtype)


def _arg(name: str) -> Callable[..., Any]:
    def run(builder: Builder, a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
        if not isinstance(a, Value) or not (computes(a.dtype) or a.dtype == COMPLEX64 or a.dtype in WIDE_INTEGERS):
            raise NotNativeError("it has no kernel for this dtype")
        axes = _ufunc_axes(axis if axis is None or isinstance(axis, bool) else operator.index(axis), a.ndim)
        if math.prod(a.shape[one] for one in axes) == 0:
            raise ValueError(f"attempt to get {name} of an empty sequence")
        planes = a.read()
        if len(planes) == 1:
            first = reduced(name, planes[0], axes, INT32)
        else:
            first = reduced("argmax", are_extreme(_EXTREMES[name], planes, a.dtype, axes), axes, INT32)
        dtype = INT32 if out is None else builder.promotion.default_index
        return _finish(builder, convert((first,), INT32, dtype), dtype, axes, a, keepdims is True, out, "safe")

    return run


def _count_nonzero(builder: Builder, a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    value = take(builder, a)
    if not isinstance(value, Value):
        raise NotNativeError("it has no array")
    # The kernel adds bytes up, which have to be 0 and 1.
    plain = computes(value.dtype) and value.dtype != np.uint8
    (plane,) = value.read() if plain else convert(value.read(), value.dtype, BOOL)
    axes = _ufunc_axes(axis, value.ndim)
    if may_exceed("add", BOOL, INT32, math.prod(value.shape[one] for one in axes)):
        truths = builder.make(convert(value.read(), value.dtype, BOOL), BOOL)
        return call(builder, "sum", truths, axis, keepdims=keepdims)
    return _finish(builder, (reduced("count_nonzero", plane, axes, INT32),), INT32, axes, value, keepdims, None)


class _Moments(NamedTuple):
    """What means are made of: elements in the dtype that is computed in, 0 where they do not count, and how many there are."""

    value: Value
    dtype: DType
    planes: tuple[Node, ...]
    axes: tuple[int, ...]
    number: Node | float  # a node of the result's shape where there is a mask
    mask: Node | None


def _moments(builder: Builder, a: Any, axis: Any, dtype: DType | None, where: Any) -> _Moments:
    value = take(builder, a)
    if not isinstance(value, Value):
        raise NotNativeError("it has no array")
    wanted = dtype or (builder.promotion.default_float if value.dtype.kind in "biu" else value.dtype)
    if len(plane_dtypes(wanted)) > 2 or (wanted.kind != "c" and not computes(wanted)) or wanted.kind in "biu":
        raise NotNativeError(f"it has no kernel for {wanted}")
    if value.dtype.kind == "c" and wanted.kind != "c":
        raise NotNativeError("imaginary parts are dropped on the host")
    inner = FLOAT32 if is_low_precision(wanted) else wanted
    if where is True or where is _NO_VALUE:
        axes = _axes(axis, value.ndim)
        count = float(math.prod(value.shape[one] for one in axes))
        return _Moments(value, wanted, convert(value.read(), value.dtype, inner), axes, count, None)
    condition = take(builder, where)
    shape = broadcast_shapes(value.shape, getattr(condition, "shape", ()))
    if shape != value.shape:
        raise ValueError(f"where has shape {condition.shape}, which does not broadcast to that of the array, {value.shape}")
    value = value.view(np.broadcast_to(value.shadow, shape))
    axes = _ufunc_axes(axis, value.ndim)
    (mask,) = operand(builder, condition, BOOL, shape)
    mask = mask if mask.shape == shape else broadcast_scalar(mask, shape)
    zero = fill(0, (), FLOAT32)
    planes = tuple(elementwise("where", mask, plane, zero, dtype=FLOAT32) for plane in convert(value.read(), value.dtype, inner))
    return _Moments(value, wanted, planes, axes, cast(reduced("count_nonzero", mask, axes, INT32), FLOAT32), mask)


def _divided(plane: Node, divisor: Node | float) -> Node:
    if isinstance(divisor, Node):
        return elementwise("divide", plane, divisor, dtype=FLOAT32)
    if math.frexp(divisor)[0] == 0.5:  # a power of two, by whose reciprocal products are the same
        return elementwise("multiply", plane, fill(1 / divisor, (), FLOAT32), dtype=FLOAT32)
    return elementwise("divide", plane, fill(divisor, (), FLOAT32), dtype=FLOAT32)


def _mean(
    builder: Builder, a: Any, axis: Any = None, dtype: DType | None = None, out: Any = None, keepdims: Any = False, *, where: Any = True
) -> Any:
    of = _moments(builder, a, axis, dtype, where)
    if out is not None and common_dtype(builder, of.value, out) != of.dtype:
        raise NotNativeError("means go to memory of another dtype on the host")
    means = tuple(_divided(reduced("sum", plane, of.axes, FLOAT32), of.number) for plane in of.planes)
    return _finish(builder, _narrowed(means, of.dtype), of.dtype, of.axes, of.value, keepdims is True, out)


def _narrowed(planes: tuple[Node, ...], dtype: DType) -> tuple[Node, ...]:
    return planes if dtype.kind == "c" else convert(planes, FLOAT32, dtype)


def _variance(root: bool, standard: bool = False) -> Callable[..., Any]:
    def run(
        builder: Builder, a: Any, axis: Any = None, dtype: DType | None = None, out: Any = None, ddof: float = 0, keepdims: Any = False,
        *, where: Any = True, mean: Any = _NO_VALUE, correction: float = 0,
    ) -> Any:  # fmt: skip
        of = _moments(builder, a, axis, dtype, where)
        # Where there are no more elements than the correction, the divisor is 0, as NumPy's, or the standard's result is NaN.
        divisor: Node | float
        if standard and correction > 0 and math.prod(of.value.shape[one] for one in of.axes) <= correction:
            divisor = math.nan
        elif isinstance(of.number, Node):
            less = elementwise("subtract", of.number, fill(float(ddof + correction), (), FLOAT32), dtype=FLOAT32)
            divisor = elementwise("maximum", less, fill(0.0, (), FLOAT32), dtype=FLOAT32)
        else:
            divisor = max(of.number - ddof - correction, 0.0)
        means = None if mean is _NO_VALUE else _given_means(builder, of, take(builder, mean))
        result = _divided(_squares(of, means), divisor)
        if root:
            result = elementwise("sqrt", result, dtype=FLOAT32)
        real = FLOAT32 if of.dtype.kind == "c" else of.dtype
        return _finish(builder, convert((result,), FLOAT32, real), real, of.axes, of.value, keepdims is True, out)

    return run


def _numpy_variance(root: bool) -> Callable[..., Any]:
    variance = _variance(root)

    def run(
        builder: Builder, a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: float = 0, keepdims: Any = False,
        *, where: Any = True, mean: Any = _NO_VALUE, correction: Any = _NO_VALUE,
    ) -> Any:  # fmt: skip
        if correction is not _NO_VALUE and ddof != 0:
            raise ValueError("ddof and correction can't be provided simultaneously.")
        given = None if dtype is None else np.dtype(dtype)
        return variance(builder, a, axis, given, out, ddof if correction is _NO_VALUE else correction, keepdims, where=where, mean=mean)

    return run


def _given_means(builder: Builder, of: _Moments, mean: Any) -> tuple[Node, ...]:
    """Take means as `mean` gives them with ``keepdims=True``."""
    shape = of.planes[0].shape
    if broadcast_shapes(shape, getattr(mean, "shape", ())) != shape:
        raise NotNativeError("means by which elements are repeated are looked at on the host")
    return tuple(broadcast(plane, shape) for plane in operand(builder, mean, COMPLEX64 if of.dtype.kind == "c" else FLOAT32, shape))


def _squares(of: _Moments, means: tuple[Node, ...] | None) -> Node:
    """Add up squares of deviations from the mean, or from given ones."""
    total: Node | None = None
    for place, plane in enumerate(of.planes):
        if means is None:
            kept = tuple(1 if axis in of.axes else extent for axis, extent in enumerate(plane.shape))
            mean = broadcast(reshape(_divided(reduced("add", plane, of.axes, FLOAT32), of.number), kept), plane.shape)
        else:
            mean = means[place]
        deviation = elementwise("subtract", plane, mean, dtype=FLOAT32)
        if of.mask is not None:
            deviation = elementwise("where", of.mask, deviation, fill(0, (), FLOAT32), dtype=FLOAT32)
        square = elementwise("square", deviation, dtype=FLOAT32)
        total = square if total is None else elementwise("add", total, square, dtype=FLOAT32)
    assert total is not None
    return reduced("add", total, of.axes, FLOAT32)


LOWERINGS: Final[Lowerings] = {
    "sum": folding("add", widen=True),
    "prod": folding("multiply", widen=True),
    "max": folding("maximum"),
    "min": folding("minimum"),
    "any": folding("logical_or"),
    "all": folding("logical_and"),
    "argmax": _arg("argmax"),
    "argmin": _arg("argmin"),
    "count_nonzero": _count_nonzero,
    "mean": _mean,
    "var": _variance(root=False),
    "std": _variance(root=True),
    "standard.var": _variance(root=False, standard=True),
    "standard.std": _variance(root=True, standard=True),
    "numpy.var": _numpy_variance(root=False),
    "numpy.std": _numpy_variance(root=True),
    "numpy.count_nonzero": _count_nonzero,
}
