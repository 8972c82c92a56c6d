"""Ops that reduce along axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ...dtypes import BOOL, COMPLEX64, FLOAT32, FLOAT64, INT32, DType, is_double, is_low_precision, real_of
from ...rules import broadcast_shapes, sum_dtype
from ...signatures.reduction import FROM_IDENTITY
from ..graph.build import broadcast, broadcast_scalar, cast, elementwise, reshape
from ..graph.graph import Node
from ..planes import plane_dtypes
from ..value import Value
from . import Builder, Lowerings, NotNativeError
from .exact_integers import IN_WORDS, magnitude, may_exceed, narrowed, product_fits
from .exact_sums import sum64
from .float_nodes import choose, number, real
from .neutral_elements import IDENTITY, identity
from .op_calls import call
from .operands import check_dtype, computes, convert, operand
from .plane_reductions import are_extreme, extreme_words, in_pairs, joined, reduced
from .wide_integers import WIDE_INTEGERS
from .wide_sums import word_sum

__all__ = ["folding"]

_EXTREMES: Final[Mapping[str, str]] = {"argmax": "maximum", "argmin": "minimum"}
_IN_PAIRS: Final = frozenset({"bitwise_or", "bitwise_and", "bitwise_xor", "fmax", "fmin"})
"""What has no kernel that reduces."""


def _finish(builder: Builder, planes: tuple[Node, ...], dtype: DType, axes: tuple[int, ...], given: Value, keepdims: bool) -> Value:
    if keepdims:
        shape = tuple(1 if axis in axes else extent for axis, extent in enumerate(given.shape))
        planes = tuple([reshape(plane, shape) for plane in planes])
    return builder.result(planes, dtype)


def folding(name: str, widen: bool = False) -> Callable[..., Value]:
    """Lower a ufunc's reduction."""

    def exactly(builder: Builder, value: Value, wanted: DType, axis: tuple[int, ...], keepdims: bool, initial: Any, where: Any) -> Value:
        """Compute in 64 bits, and give results 32."""
        wide = run(builder, value, axis, IN_WORDS[wanted], keepdims, initial, where)
        if name == "add":
            return narrowed(builder, name, wide, value.dtype, wanted)
        first = initial if initial is FROM_IDENTITY else magnitude(builder, initial)
        sizes = run(builder, magnitude(builder, value), axis, FLOAT32, keepdims, first, where)
        nonzero = _all(builder, value, axis, None, keepdims, FROM_IDENTITY, where)
        if initial is not FROM_IDENTITY:
            counts = call(builder, "not_equal", initial, 0) if isinstance(initial, Value) else bool(initial)
            nonzero = call(builder, "logical_and", nonzero, counts)
        return narrowed(builder, name, wide, value.dtype, wanted, product_fits(builder, sizes, nonzero))

    def run(
        builder: Builder, value: Value, axis: tuple[int, ...], dtype: DType | None = None, keepdims: bool = False,
        initial: Any = FROM_IDENTITY, where: Any = True,
    ) -> Value:  # fmt: skip
        if name == "logical_xor":  # which is one of the bits of truth values
            truths = builder.make(convert(value.read(), value.dtype, BOOL), BOOL)
            return _parity(builder, truths, axis, None, keepdims, initial, where)
        truth = name.startswith("logical")
        wanted = dtype or (BOOL if truth else sum_dtype(builder.promotion, value.dtype) if widen else value.dtype)
        from_identity = initial is FROM_IDENTITY
        if initial is None:
            initial = FROM_IDENTITY
        if from_identity and name == "multiply" and wanted.kind == "c":  # which changes zeros and infinities
            initial = 1
        if widen and dtype is None:
            count = math.prod(value.shape[one] for one in axis)
            if may_exceed(name, value.dtype, wanted, count, initial is not FROM_IDENTITY):
                return exactly(builder, value, wanted, axis, keepdims, initial, where)
        given = wanted  # of the planes
        if truth:
            planes = value.read() if computes(value.dtype) else convert(value.read(), value.dtype, BOOL)
        else:
            _check(name, value.dtype, wanted)
            if name in ("add", "multiply") and wanted.kind == "b":
                return (_any if name == "add" else _all)(builder, value, axis, None, keepdims, initial, where)
            if name == "add" and _widens(value.dtype, wanted):
                given = value.dtype
            planes = convert(value.read(), value.dtype, given)
        if where is not True:
            neutral = identity(name, given) if name in IDENTITY else initial
            (mask,) = operand(builder, where, BOOL, value.shape)
            others = operand(builder, neutral, given if len(planes) > 1 else planes[0].dtype, ())
            planes = tuple(elementwise("where", mask, plane, other, dtype=plane.dtype) for plane, other in zip(planes, others, strict=True))
        if name not in IDENTITY and math.prod(value.shape[one] for one in axis) == 0:
            shape = tuple(extent for one, extent in enumerate(value.shape) if one not in axis)
            nothing = operand(builder, 0 if initial is FROM_IDENTITY else initial, wanted, ())
            results = tuple(broadcast_scalar(plane, shape) for plane in nothing)
        else:
            results = _folded(name, planes, given, axis, wanted, from_identity)
        if initial is not FROM_IDENTITY:
            first = operand(builder, initial, wanted, results[0].shape)
            results = joined(name, results, first, wanted)
        return _finish(builder, results, wanted, axis, value, keepdims)

    return run


_any, _all, _parity = folding("logical_or"), folding("logical_and"), folding("bitwise_xor")


def _check(name: str, dtype: DType, wanted: DType) -> None:
    """Refuse what the host does, or tells what is wrong with."""
    check_dtype(wanted, dtype)
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
    if is_double(wanted):
        if name == "add" and from_identity:
            return tuple([plane for place in range(0, len(planes), 2) for plane in sum64(planes[place : place + 2], axes)])
        return in_pairs(name, planes, axes, wanted)
    if name in _IN_PAIRS or (name == "multiply" and wanted.kind in "iu") or (name != "add" and len(planes) > 1):
        return in_pairs(name, planes, axes, wanted)
    if from_identity and name == "add" and wanted.kind not in "biu":
        name = "sum"
    parts = (INT32,) if wanted.kind in "iu" and name == "add" and wanted.itemsize < INT32.itemsize else plane_dtypes(wanted)
    results = tuple(reduced(name, plane, axes, part) for plane, part in zip(planes, parts, strict=True))
    return tuple(cast(plane, part) for plane, part in zip(results, plane_dtypes(wanted), strict=True))


def _arg(name: str) -> Callable[..., Any]:
    def run(builder: Builder, value: Value, *, axis: int | None, keepdims: bool = False) -> Value:
        check_dtype(value.dtype)
        planes, axes = value.read(), tuple(range(value.ndim)) if axis is None else (axis,)
        if len(planes) == 1:
            first = reduced(name, planes[0], axes, INT32)
        else:
            first = reduced("argmax", are_extreme(_EXTREMES[name], planes, value.dtype, axes), axes, INT32)
        return _finish(builder, (first,), INT32, axes, value, keepdims)

    return run


def _count_nonzero(builder: Builder, value: Value, *, axis: tuple[int, ...], keepdims: bool = False) -> Value:
    # The kernel adds bytes up, which have to be 0 and 1.
    plain = computes(value.dtype) and value.dtype != np.uint8
    (plane,) = value.read() if plain else convert(value.read(), value.dtype, BOOL)
    if may_exceed("add", BOOL, INT32, math.prod(value.shape[one] for one in axis)):
        truths = builder.make(convert(value.read(), value.dtype, BOOL), BOOL)
        return call(builder, "sum", truths, axis, keepdims=keepdims)
    return _finish(builder, (reduced("count_nonzero", plane, axis, INT32),), INT32, axis, value, keepdims)


class _Moments(NamedTuple):
    """
    What means are made of.

    Attributes
    ----------
    value : Value
        The elements.
    dtype : dtype
        Of results.
    parts : tuple
        Elements, or real and imaginary parts, in float32 or words of float64, 0 where they do not count.
    axes : tuple of int
        Along which.
    number : Node, Words or float
        How many count: nodes of the result's shape where there is a mask.
    mask : Node or None
        Which count.
    """

    value: Value
    dtype: DType
    parts: tuple[Any, ...]
    axes: tuple[int, ...]
    number: Any
    mask: Node | None

    @property
    def wide(self) -> bool:
        """Whether they are computed in float64."""
        return isinstance(self.parts[0], tuple)

    def added(self, part: Any, name: str = "add") -> Any:
        """Add up along the axes."""
        return sum64(part, self.axes) if self.wide else reduced(name, part, self.axes, FLOAT32)


def _moments(builder: Builder, value: Value, axis: tuple[int, ...], wanted: DType, where: Any) -> _Moments:
    check_dtype(wanted, value.dtype)
    if wanted.kind in "biu":
        raise NotNativeError(f"means of {wanted} are computed on the host")
    wide = is_double(wanted)
    planes = convert(value.read(), value.dtype, FLOAT32 if is_low_precision(wanted) else wanted)
    parts: tuple[Any, ...] = tuple(planes[place : place + 2] for place in range(0, len(planes), 2)) if wide else planes
    if where is True:
        return _Moments(value, wanted, parts, axis, float(math.prod(value.shape[one] for one in axis)), None)
    (mask,) = operand(builder, where, BOOL, value.shape)
    mask = mask if mask.shape == value.shape else broadcast_scalar(mask, value.shape)
    parts = tuple([choose(mask, part, number(0.0)) for part in parts])
    counts = convert((reduced("count_nonzero", mask, axis, INT32),), INT32, FLOAT64 if wide else FLOAT32)
    return _Moments(value, wanted, parts, axis, counts if wide else counts[0], mask)


def _divided(part: Any, divisor: Any) -> Any:
    if not isinstance(divisor, float):
        return real("divide", part, divisor)
    if divisor == 1:
        return part
    if math.frexp(divisor)[0] == 0.5:  # a power of two, by whose reciprocal products are the same
        return real("multiply", part, number(1 / divisor))
    return real("divide", part, number(divisor))


def _mean(builder: Builder, value: Value, *, axis: tuple[int, ...], dtype: DType, keepdims: bool = False, where: Any = True) -> Value:
    of = _moments(builder, value, axis, dtype, where)
    sums = [of.added(part, "sum") for part in of.parts]
    if len(sums) == 2:  # NumPy divides by a complex number, so that an infinite part leaves NaN in the other one
        nothing = [real("multiply", part, number(0.0)) for part in sums]
        sums = [real(name, *pair) for name, *pair in zip(("add", "subtract"), sums, nothing[::-1], strict=True)]
    means = [_divided(part, of.number) for part in sums]
    return _finish(builder, _planes(means, of.dtype), of.dtype, of.axes, of.value, keepdims)


def _planes(parts: Sequence[Any], dtype: DType) -> tuple[Node, ...]:
    if isinstance(parts[0], tuple):
        return tuple([node for part in parts for node in part])
    return tuple(parts) if dtype.kind == "c" else convert(tuple(parts), FLOAT32, dtype)


def _variance(root: bool) -> Callable[..., Any]:
    def run(
        builder: Builder, value: Value, *, axis: tuple[int, ...], dtype: DType, ddof: float = 0, correction: float = 0,
        keepdims: bool = False, where: Any = True, mean: Any = None,
    ) -> Value:  # fmt: skip
        of = _moments(builder, value, axis, dtype, where)
        # Where there are no more elements than ddof, the divisor is 0, as NumPy's, or, of the standard's correction, the result is NaN.
        divisor: Any
        if correction > 0 and math.prod(value.shape[one] for one in axis) <= correction:
            divisor = math.nan
        elif isinstance(of.number, float):
            divisor = max(of.number - ddof - correction, 0.0)
        else:
            divisor = real("maximum", real("subtract", of.number, number(float(ddof + correction))), number(0.0))
        means = None if mean is None else _given_means(builder, of, mean)
        scale = 2.0**32 if of.value.dtype in WIDE_INTEGERS and not of.wide else 1.0  # whose squares float32 does not hold
        result = _divided(_squares(of, means, scale), divisor)
        if root:
            result = real("sqrt", result)
        result = _divided(result, 1 / scale if root else scale**-2)
        wanted = real_of(of.dtype)
        return _finish(builder, _planes([result], wanted), wanted, of.axes, of.value, keepdims)

    return run


def _given_means(builder: Builder, of: _Moments, mean: Any) -> tuple[Any, ...]:
    """Take means as `mean` gives them with ``keepdims=True``."""
    shape = of.value.shape
    if broadcast_shapes(shape, getattr(mean, "shape", ())) != shape:
        raise NotNativeError("means by which elements are repeated are looked at on the host")
    dtype = of.dtype if of.wide else COMPLEX64 if of.dtype.kind == "c" else FLOAT32
    planes = tuple(broadcast(plane, shape) for plane in operand(builder, mean, dtype, shape))
    return tuple(planes[place : place + 2] for place in range(0, len(planes), 2)) if of.wide else planes


def _squares(of: _Moments, means: tuple[Any, ...] | None, scale: float) -> Any:
    """Add up squares of deviations from the mean, or from given ones, divided by a scale."""
    shape, total = of.value.shape, None
    kept = tuple(1 if axis in of.axes else extent for axis, extent in enumerate(shape))
    for place, part in enumerate(of.parts):
        if means is None:
            mean = _divided(of.added(part), of.number)
            mean = tuple(broadcast(reshape(node, kept), shape) for node in (mean if of.wide else (mean,)))
            mean = mean if of.wide else mean[0]
        else:
            mean = means[place]
        deviation = real("subtract", part, mean)
        if of.mask is not None:
            deviation = choose(of.mask, deviation, number(0.0))
        square = real("square", _divided(deviation, scale))
        total = square if total is None else real("add", total, square)
    return of.added(total)


LOWERINGS: Final[Lowerings] = {
    "sum": folding("add", widen=True),
    "prod": folding("multiply", widen=True),
    "max": folding("maximum"),
    "min": folding("minimum"),
    "any": _any,
    "all": _all,
    "argmax": _arg("argmax"),
    "argmin": _arg("argmin"),
    "mean": _mean,
    **dict.fromkeys(("count_nonzero", "numpy.count_nonzero"), _count_nonzero),
    **dict.fromkeys(("var", "standard.var", "numpy.var"), _variance(root=False)),
    **dict.fromkeys(("std", "standard.std", "numpy.std"), _variance(root=True)),
}
