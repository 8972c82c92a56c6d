"""
Signatures of reductions along axes: the methods of universal functions, extrema and their indices, means and variances.

Their attributes are `axis`, a tuple; `dtype`, where the caller or `out` asks for one; `keepdims`, `initial` and `where`, where they are not
the defaults.
"""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..dtypes import BOOL
from ..rules import broadcast_shapes, is_true
from ..shape import all_axes
from .attributes import asked_dtype, common_dtype, flat_axis, index_axis, output, reduced_axes, target
from .call import Call, NotNativeError, Output, Reader, SignatureKind

if TYPE_CHECKING:
    from ..dtypes import DType

__all__ = [
    "FROM_IDENTITY",
    "argument",
    "averaged",
    "check_truth",
    "counted",
    "extreme_range",
    "mean",
    "reduction",
    "rounding",
    "skipping_extreme",
    "skipping_reduction",
    "standard_variance",
    "trace",
    "trace_of_matrices",
    "variance",
    "weighted",
]  # fmt: skip

FROM_IDENTITY: Final[Any] = np._NoValue
"""The `initial` of a reduction that begins with its function's identity; None begins with the first element."""

_WITHOUT_IDENTITY: Final = frozenset({"maximum", "minimum", "fmax", "fmin"})


def reduction(name: str) -> SignatureKind:
    """Read ``ufunc.reduce``."""

    def read(
        reader: Reader, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None, keepdims: Any = False, initial: Any = FROM_IDENTITY,
        where: Any = True,
    ) -> Call:  # fmt: skip
        return _reduced(reader, name, array, axis, dtype, out, keepdims, initial, where)

    return read


def skipping_reduction(name: str) -> SignatureKind:
    """Read ``numpy.nansum`` and what is like it."""

    def read(
        reader: Reader, a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, initial: Any = FROM_IDENTITY,
        where: Any = True,
    ) -> Call:  # fmt: skip
        return _reduced(reader, name, a, axis, dtype, out, keepdims, initial, where)

    return read


def skipping_extreme(name: str) -> SignatureKind:
    """Read ``numpy.nanmax`` and ``numpy.nanmin``."""

    def read(
        reader: Reader, a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, initial: Any = FROM_IDENTITY, where: Any = True
    ) -> Call:
        call = _reduced(reader, name, a, axis, None, None, keepdims, initial, where)
        return call._replace(output=output(out))

    return read


def _reduced(reader: Reader, name: str, array: Any, axis: Any, dtype: Any, out: Any, keepdims: Any, initial: Any, where: Any) -> Call:
    value = reader.array(array)
    axes = reduced_axes(axis, value.ndim)
    attributes: dict[str, Any] = {"axis": axes}
    if keepdims is not False and is_true(keepdims):
        attributes["keepdims"] = True
    if initial is not FROM_IDENTITY:
        attributes["initial"] = initial = _initial(initial)
    if where is not True:
        attributes["where"] = _mask(reader, where, value)
        if name in _WITHOUT_IDENTITY and (initial is None or initial is FROM_IDENTITY):
            raise ValueError(f"reduction operation '{name}' has no identity: give initial= where there is a where= mask")
    if initial is None or (initial is FROM_IDENTITY and name in _WITHOUT_IDENTITY):
        _check_elements(name, value.shape, axes)
    asked = asked_dtype(dtype)
    into = target(out)
    if into is not None and asked is None and not name.startswith("logical"):
        asked = common_dtype(reader, value.dtype, into.dtype)
    if asked is not None:
        check_truth(name, asked)
        attributes["dtype"] = asked
    return Call((value,), attributes, None if into is None else Output((into,), casting="unsafe"))


def check_truth(name: str, dtype: DType | None) -> None:
    """Refuse dtypes in which functions of truth values do not compute, as NumPy does."""
    if dtype not in (None, BOOL) and name.startswith("logical"):
        raise TypeError(f"{name} gives truth values and has no loop for {dtype}; leave dtype out, or give bool")


def _mask(reader: Reader, where: Any, value: Any) -> Any:
    """Read which elements are taken."""
    mask = reader.operand(where)
    if broadcast_shapes(value.shape, getattr(mask, "shape", ())) != value.shape:
        raise ValueError(f"where has shape {mask.shape}, which does not broadcast to that of the array, {value.shape}")
    return mask


def _initial(initial: Any) -> Any:
    """Read what a reduction begins with."""
    if getattr(initial, "shape", ()):
        raise ValueError(f"a reduction begins with one number, and not with an array of shape {initial.shape}; give initial[0]")
    return int(initial) if isinstance(initial, np.integer) else initial  # an integer has to fit as Python's has


def _check_elements(name: str, shape: tuple[int, ...], axes: tuple[int, ...]) -> None:
    """Refuse to reduce no elements, even if nothing is asked for, as NumPy does."""
    if 0 in shape and 0 in [shape[one] for one in axes]:
        raise ValueError(f"zero-size array to reduction operation {name} which has no identity; give initial=, to begin with that")


def argument(name: str) -> SignatureKind:
    """Read ``numpy.argmax`` and what is like it."""

    def read(reader: Reader, a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Call:
        value = reader.array(a)
        along = flat_axis(axis if axis is None or isinstance(axis, bool) else operator.index(axis), value.ndim)
        if not (value.size if along is None else value.shape[along]):
            raise ValueError(f"attempt to get {name.removeprefix('nan')} of an empty sequence")
        return Call((value,), {"axis": along, "keepdims": is_true(keepdims)}, output(out, "safe"))

    return read


def counted(reader: Reader, a: Any, axis: Any = None, *, keepdims: Any = False) -> Call:
    """Read ``numpy.count_nonzero``."""
    value = reader.array(a)
    return Call((value,), {"axis": reduced_axes(axis, value.ndim), "keepdims": is_true(keepdims)})


def extreme_range(reader: Reader, a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Call:
    """Read ``numpy.ptp``."""
    value = reader.array(a)
    axes = reduced_axes(axis, value.ndim)
    _check_elements("maximum", value.shape, axes)
    return Call((value,), {"axis": axes, "keepdims": is_true(keepdims)}, output(out))


def averaged(
    reader: Reader, a: Any, axis: Any, dtype: Any, out: Any, keepdims: Any, where: Any, skipping: bool
) -> tuple[Any, dict[str, Any], Output | None]:
    """
    Read what means and variances have in common: the array, `axis`, `dtype`, which is never None, `keepdims` and `where`, and `out`.

    NumPy's take axis 0 of an array without axes for none where they skip elements.
    """
    value = reader.array(a)
    wanted = asked_dtype(dtype) or (reader.promotion.default_float if value.dtype.kind in "biu" else value.dtype)
    attributes: dict[str, Any] = {"dtype": wanted, "keepdims": is_true(keepdims)}
    if where is np._NoValue:
        where = True
    copied = where is not True or (skipping and value.dtype.kind not in "biu")
    attributes["axis"] = (reduced_axes if copied else all_axes)(axis, value.ndim)
    if where is not True:
        attributes["where"] = _mask(reader, where, value)
    return value, attributes, output(out)


def mean(*, skipping: bool = False) -> SignatureKind:
    """Read ``numpy.mean``, or ``numpy.nanmean``, which skips NaN."""

    def read(
        reader: Reader, a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = True
    ) -> Call:
        value, attributes, into = averaged(reader, a, axis, dtype, out, keepdims, where, skipping)
        if into is not None and common_dtype(reader, value.dtype, into.targets[0].dtype) != attributes["dtype"]:
            raise NotNativeError("means go to memory of another dtype on the host")
        return Call((value,), attributes, into)

    return read


def variance(*, skipping: bool = False) -> SignatureKind:
    """Read ``numpy.var`` and ``numpy.std``, or those that skip NaN: `correction` is `ddof`, and `mean` given by its values."""

    def read(
        reader: Reader, a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: float = 0, keepdims: Any = False,
        *, where: Any = True, mean: Any = np._NoValue, correction: Any = np._NoValue,
    ) -> Call:  # fmt: skip
        if correction is not np._NoValue and ddof != 0:
            raise ValueError("ddof and correction can't be provided simultaneously.")
        value, attributes, into = averaged(reader, a, axis, dtype, out, keepdims, where, skipping)
        attributes["ddof"] = ddof if correction is np._NoValue else correction
        if mean is not np._NoValue:
            attributes["mean"] = reader.operand(mean)
        return Call((value,), attributes, into)

    return read


_VARIANCE: Final = variance()


def standard_variance(
    reader: Reader, x: Any, axis: Any = None, correction: float = 0, keepdims: Any = False, *, dtype: Any = None, out: Any = None,
    where: Any = True, mean: Any = np._NoValue,
) -> Call:  # fmt: skip
    """Read the standard's ``var`` and ``std``."""
    call = _VARIANCE(reader, x, axis, dtype, out, correction, keepdims, where=where, mean=mean)
    return call._replace(attributes={"correction" if name == "ddof" else name: item for name, item in call.attributes.items()})


def weighted(reader: Reader, a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: Any = False) -> Call:
    """Read ``numpy.average``: weights of the array's shape, or of the lengths of `axis`, which then are brought to its axes."""
    value = reader.array(a)
    axes = all_axes(tuple(axis) if isinstance(axis, list) else axis, value.ndim)
    attributes: dict[str, Any] = {"axis": axes, "returned": bool(returned), "keepdims": is_true(keepdims)}
    averages = math.prod(length for one, length in enumerate(value.shape) if one not in axes)
    if weights is None:
        if not averages:
            raise ZeroDivisionError("division by zero: there are no averages, so each is that of any number of elements")
        return Call((value,), attributes)
    weight = reader.array(weights)
    if weight.shape != value.shape:
        if axis is None or weight.ndim != len(axes):
            raise NotNativeError("weights of another shape are looked at on the host")
        if weight.shape != tuple(value.shape[one] for one in axes):
            raise ValueError(f"weights have shape {weight.shape}, and the array has {value.shape}: they must agree along the axes {axes}")
    if value.size == 0 and averages:
        raise ZeroDivisionError("weights sum to zero: there are no elements to average")
    return Call((value,), {**attributes, "weights": weight})


def trace(reader: Reader, a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, dtype: Any = None, out: Any = None) -> Call:
    """Read ``numpy.trace``."""
    value = reader.array(a)
    asked, into = asked_dtype(dtype), target(out)
    if into is not None and asked is None:
        asked = common_dtype(reader, value.dtype, into.dtype)
    axes = [index_axis(axis, value.ndim) for axis in (axis1, axis2)]
    attributes = {"offset": operator.index(offset), "axis1": axes[0], "axis2": axes[1], "dtype": asked}
    return Call((value,), attributes, None if into is None else Output((into,), casting="unsafe"))


def trace_of_matrices(reader: Reader, x: Any, /, *, offset: Any = 0, dtype: Any = None) -> Call:
    """Read ``numpy.linalg.trace``."""
    return Call((reader.array(x),), {"offset": operator.index(offset), "dtype": asked_dtype(dtype)})


_MOST_DECIMALS: Final = 308  # 10**308 is a float64


def rounding(reader: Reader, a: Any, decimals: Any = 0, out: Any = None) -> Call:
    """Read ``numpy.round``."""
    value, places = reader.array(a), operator.index(decimals)
    if abs(places) > _MOST_DECIMALS:
        raise OverflowError(f"{places} decimals are more than any number has; give at most {_MOST_DECIMALS}")
    if value.dtype.kind == "b" and places:
        raise TypeError(f"bools are not rounded to {places} decimals; convert to integers")
    return Call((value, places), {}, output(out))
