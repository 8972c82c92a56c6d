"""Ranges of evenly spaced numbers: of the numbers 0, 1, …, with NumPy's roundings; start and step are brought by the launch.

Where NumPy's numbers are float64's, rounded once, they are made here if float32 holds all of them, and on the host if not.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...dtypes import BOOL, FLOAT32, INT32, DType, is_low_precision
from ...host.creation import range_length
from ...op import get_op
from ...ops import creation as _creation  # noqa: F401  # registers them
from ..build import cast, elementwise, iota, scalar
from ..graph import Node
from ..planes import plane_dtypes
from . import NotNativeError
from .operands import computes, convert, host_number

if TYPE_CHECKING:
    from ..engine import NeuronEngine
    from ..value import Value

__all__: list[str] = []

_DIGITS: Final = 24  # of float32
_LEAST: Final = 2.0**-126  # normal number of float32
_LARGEST: Final = 2.0**127
_HALF: Final = 2**31  # of the integers of 32 bits
_ROUNDED_ONCE: Final = "its numbers are those of float64, rounded once"


def _check_numbers(*numbers: Any) -> None:
    if not all(isinstance(item, (int, float, np.integer, np.float32)) for item in numbers):
        raise NotNativeError("ranges between arrays, and between numbers of other dtypes, are computed on the host")


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


def _exact(count: int, start: float, step: float, dtype: DType) -> Node:
    """Make start + i step in float32, for a range that is float64's, rounded once."""
    if not computes(dtype) and plane_dtypes(dtype)[0] != FLOAT32:
        raise NotNativeError(f"it has no kernel for {dtype}")
    if not _is_exact(start, step, count):
        raise NotNativeError(_ROUNDED_ONCE)
    return _floats(count, start, step)


def _arange(engine: NeuronEngine, start: Any, stop: Any, step: Any, *, dtype: DType) -> Value:
    _check_numbers(start, stop, step)
    count = range_length(start, stop, step, dtype)
    # As NumPy does, the first two are converted, and give the rest.
    first, second = (host_number(item, dtype).item() if place < count else 0 for place, item in enumerate((start, start + step)))
    if dtype.kind in "biu":
        step = int(second) - int(first)
        if dtype.itemsize == 8 and not all(-_HALF <= item < _HALF for item in (first, first + count * step)):
            raise NotNativeError(f"it has no kernel for {dtype} beyond 32 bits")
        return engine.make(convert((_integers(count, int(first), step),), INT32, dtype), dtype)
    if plane_dtypes(dtype)[0] != FLOAT32:
        return engine.make((cast(_exact(count, float(start), float(step), dtype), dtype),), dtype)
    first, second = np.float32(np.real(first)), np.float32(np.real(second))
    with np.errstate(all="ignore"):
        delta = second - first
        differs = count > 1 and first + delta != second
    node = _floats(count, float(first), float(delta))
    if differs:
        is_second = elementwise("equal", iota(count), scalar(1, INT32), dtype=BOOL)
        node = elementwise("where", is_second, scalar(float(second), FLOAT32), node, dtype=FLOAT32)
    return engine.make(convert((node,), FLOAT32, dtype), dtype)


def _linspace(
    engine: NeuronEngine, start: Any, stop: Any, num: int, endpoint: bool = True, retstep: bool = False, *, dtype: DType, axis: int = 0
) -> Any:
    _check_numbers(start, stop)
    if axis not in (0, -1):
        raise NotNativeError("the axis of a range is looked at on the host")
    first, last, parts = float(start), float(stop), num - 1 if endpoint else num
    step = (last - first) / parts if parts > 0 else math.nan
    delta = step if parts > 0 else 0.0
    if not (math.isfinite(first) and math.isfinite(delta)) or (delta == 0 < parts and first != last):
        raise NotNativeError(_ROUNDED_ONCE)
    node = _exact(num, first, delta, dtype)
    if endpoint and num > 1 and first + parts * delta != last:
        raise NotNativeError(_ROUNDED_ONCE)
    if dtype.kind in "iu":
        node = elementwise("floor", node, dtype=FLOAT32)
    samples = engine.make(convert((node,), FLOAT32, dtype), dtype)
    if not retstep:
        return samples
    distance = host_number(np.float64(step), dtype if is_low_precision(dtype) else engine.promotion.default_float)
    return samples, engine.from_host(distance, copy=True)


get_op("arange").implement("neuron", _arange)
get_op("linspace").implement("neuron", _linspace)
