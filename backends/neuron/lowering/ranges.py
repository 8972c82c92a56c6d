"""Ranges of evenly spaced numbers: of the numbers 0, 1, …, with NumPy's roundings; start and step are brought by the launch.

Where NumPy's numbers are float64's, rounded once, they are made here if float32 holds all of them; if not, the host makes and brings them.
Between the elements of arrays, numbers are computed in float32.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from ...dtypes import BOOL, FLOAT32, INT32, DType, is_low_precision
from ...host.creation import range_length
from ...op import get_op
from ..graph.build import cast, check, elementwise, iota, reshape, scalar
from ..graph.graph import Node
from ..planes import plane_dtypes
from ..value import Value
from . import Builder, Lowerings, NotNativeError
from .host_constants import brought
from .op_calls import call, call_several, converted
from .operands import computes, convert, host_number

__all__: list[str] = []

_DIGITS: Final = 24  # of float32
_LEAST: Final = 2.0**-126  # normal number of float32
_LARGEST: Final = 2.0**127
_HALF: Final = 2**31  # of the integers of 32 bits


def _are_real(*numbers: Any) -> bool:
    """Tell whether ends are real numbers, and not of wider dtypes."""
    return all(isinstance(item, (int, float, np.integer, np.float32)) for item in numbers)


def _is_exact(start: float, step: float, count: int) -> bool:
    """Tell whether float32 holds i step and start + i step for all i below a count."""
    (first, over), (delta, under) = start.as_integer_ratio(), step.as_integer_ratio()
    whole = max(over, under)  # they are powers of two
    first, delta = abs(first) * (whole // over), abs(delta) * (whole // under)
    unit = (first | delta) & -(first | delta)
    largest = first + delta * max(count - 1, 0)
    return not largest or (largest // unit < 2**_DIGITS and unit / whole >= _LEAST and largest / whole <= _LARGEST)


def _integers(count: int, start: int, step: int) -> Node:
    """Make start + i step in 32 bits, which wrap."""
    first, delta = (scalar((item + _HALF) % (2 * _HALF) - _HALF, INT32) for item in (start, step))
    return elementwise("add", elementwise("multiply", iota(count), delta, dtype=INT32), first, dtype=INT32)


def _floats(count: int, start: float, step: float) -> Node:
    """Make start + i step in float32, each operation rounded."""
    product = elementwise("multiply", cast(iota(count), FLOAT32), scalar(step, FLOAT32), dtype=FLOAT32)
    return elementwise("add", product, scalar(start, FLOAT32), dtype=FLOAT32)


def _exact(count: int, start: float, step: float, dtype: DType) -> Node | None:
    """Make start + i step in float32, for a range that is float64's, rounded once; None where float32 does not hold its numbers."""
    if (computes(dtype) or plane_dtypes(dtype)[0] == FLOAT32) and _is_exact(start, step, count):
        return _floats(count, start, step)
    return None


def _arange(builder: Builder, start: Any, stop: Any, step: Any, *, dtype: DType) -> Value:
    node = _from(start, stop, step, dtype) if _are_real(start, stop, step) else None
    if node is None:
        made: Value = brought(builder, get_op("arange").host(start, stop, step, dtype=dtype), narrow=False)
        return made
    return builder.make(convert((node,), node.dtype, dtype), dtype)


def _from(start: Any, stop: Any, step: Any, dtype: DType) -> Node | None:
    """Make what 32 bits hold."""
    count = range_length(start, stop, step, dtype)
    # As NumPy does, the first two are converted, and give the rest.
    first, second = (host_number(item, dtype).item() if place < count else 0 for place, item in enumerate((start, start + step)))
    if dtype.kind in "biu":
        step = int(second) - int(first)
        if dtype.itemsize == 8 and not all(-_HALF <= item < _HALF for item in (first, first + count * step)):
            return None
        return _integers(count, int(first), step)
    if plane_dtypes(dtype)[0] != FLOAT32:
        return _exact(count, float(start), float(step), dtype)
    first, second = np.float32(np.real(first)), np.float32(np.real(second))
    with np.errstate(all="ignore"):
        delta = second - first
        differs = count > 1 and first + delta != second
    node = _floats(count, float(first), float(delta))
    if differs:
        is_second = elementwise("equal", iota(count), scalar(1, INT32), dtype=BOOL)
        node = elementwise("where", is_second, scalar(float(second), FLOAT32), node, dtype=FLOAT32)
    return node


def _linspace(builder: Builder, start: Any, stop: Any, *, num: int, endpoint: bool, retstep: bool, dtype: DType, axis: int) -> Any:
    if isinstance(start, Value) or isinstance(stop, Value):
        return _between(builder, start, stop, num, endpoint, retstep, dtype, axis)
    node = _evenly(start, stop, num, endpoint, dtype)
    if node is None:
        host = get_op("linspace").host(start, stop, num, endpoint, retstep, dtype=dtype, axis=axis)
        return (brought(builder, host[0], narrow=False), brought(builder, host[1])) if retstep else brought(builder, host, narrow=False)
    samples = builder.make(convert((node,), FLOAT32, dtype), dtype)
    if not retstep:
        return samples
    parts = num - 1 if endpoint else num
    step = (float(stop) - float(start)) / parts if parts > 0 else math.nan
    distance = host_number(np.float64(step), dtype if is_low_precision(dtype) else builder.promotion.default_float)
    return samples, builder.from_host(distance, copy=True)


def _evenly(start: Any, stop: Any, num: int, endpoint: bool, dtype: DType) -> Node | None:
    """Make what float32 holds."""
    if not _are_real(start, stop):
        return None
    first, last, parts = float(start), float(stop), num - 1 if endpoint else num
    delta = (last - first) / parts if parts > 0 else 0.0
    if not (math.isfinite(first) and math.isfinite(delta)) or (delta == 0 < parts and first != last):
        return None
    if endpoint and num > 1 and first + parts * delta != last:
        return None
    node = _exact(num, first, delta, dtype)
    return node if node is None or dtype.kind not in "iu" else elementwise("floor", node, dtype=FLOAT32)


def _between(builder: Builder, start: Any, stop: Any, num: int, endpoint: bool, retstep: bool, dtype: DType, axis: int) -> Any:
    """Make ranges between the elements of arrays, as NumPy does in float32."""
    common = builder.promotion.result_type(*(getattr(item, "dtype", item) for item in (start, stop)), 1.0)
    wide = FLOAT32 if is_low_precision(common) else common
    first, last = (converted(builder, builder.array(item), wide) for item in (start, stop))
    parts = num - 1 if endpoint else num
    distance = call(builder, "subtract", last, first)
    step = call(builder, "divide", distance, parts) if parts > 0 else call(builder, "full", distance.shape, math.nan, wide)
    shape = (num, *(1 for _ in distance.shape))
    places = builder.make((reshape(cast(iota(num), FLOAT32), shape),), FLOAT32)
    samples = call(builder, "add", call(builder, "multiply", places, step if parts > 0 else distance), first)
    if endpoint and num > 1:
        call(builder, "setitem", samples, (-1, Ellipsis), last)
    if dtype.kind in "iu":
        samples = call(builder, "floor", samples)
    samples = converted(builder, samples, dtype)
    samples = samples.view(np.moveaxis(samples.shadow, 0, axis))
    return (samples, converted(builder, step, common)) if retstep else samples


def _logspace(builder: Builder, start: Any, stop: Any, *, num: int, endpoint: bool, base: Any, dtype: DType, axis: int) -> Any:
    if not any(isinstance(item, Value) for item in (start, stop, base)):
        return brought(builder, get_op("logspace").host(start, stop, num, endpoint, base, dtype=dtype, axis=axis), narrow=False)
    if getattr(base, "shape", ()):
        raise NotNativeError("bases that are arrays are looked at on the host")
    wide = FLOAT32 if dtype.kind in "biu" or is_low_precision(dtype) else dtype
    exponents = _between(builder, start, stop, num, endpoint, False, wide, axis)
    return converted(builder, call(builder, "power", base, exponents), dtype)


def _geomspace(builder: Builder, start: Any, stop: Any, *, num: int, endpoint: bool, dtype: DType, axis: int) -> Any:
    if not isinstance(start, Value) and not isinstance(stop, Value):
        return brought(builder, get_op("geomspace").host(start, stop, num, endpoint, dtype=dtype, axis=axis), narrow=False)
    wide = builder.promotion.result_type(*(getattr(item, "dtype", item) for item in (start, stop)), 1.0)
    if wide.kind == "c":
        raise NotNativeError("spirals between arrays of complex numbers are computed on the host")
    wide = FLOAT32 if is_low_precision(wide) else wide
    ends = call_several(builder, "broadcast_arrays", *(converted(builder, builder.array(item), wide) for item in (start, stop)))
    sign = call(builder, "sign", ends[0])
    first, last = (call(builder, "divide", end, sign) for end in ends)
    start, stop = call(builder, "log10", first), call(builder, "log10", last)
    found = _between(builder, start, stop, num, endpoint, False, wide, 0)
    found = call(builder, "power", 10.0, found)
    if num:
        call(builder, "setitem", found, (0, Ellipsis), first)
    if num > 1 and endpoint:
        call(builder, "setitem", found, (-1, Ellipsis), last)
    found = call(builder, "multiply", found, sign)
    if found.size:
        nonzero = [call(builder, "all", call(builder, "not_equal", end, 0), None) for end in ends]
        (holds,) = call(builder, "logical_and", *nonzero).read()
        refusal = check(holds, ValueError, "a geometric sequence cannot include zero")
        for plane in found.read():
            plane.demand(refusal)
    found = converted(builder, found, dtype)
    return found.view(np.moveaxis(found.shadow, 0, axis))


LOWERINGS: Final[Lowerings] = {"linspace": _linspace, "logspace": _logspace, "geomspace": _geomspace, "arange": _arange}
