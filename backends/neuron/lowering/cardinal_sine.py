"""The cardinal sine, sin(πx)/(πx), as NumPy makes it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ...dtypes import COMPLEX64
from ...limits import finfo
from ...op import get_op
from ...ops import mathematical as _mathematical  # noqa: F401  # registers them
from . import NotNativeError
from .calls import as_floats, call, in_float32
from .joining import value_of
from .operands import computes

if TYPE_CHECKING:
    from ..builder import Builder

__all__: list[str] = []


@in_float32
def _sinc(engine: Builder, x: Any) -> Any:
    value = value_of(engine, x)
    detached = value.detached
    value = as_floats(engine, value)
    if value.dtype != COMPLEX64 and not computes(value.dtype):
        raise NotNativeError(f"it has no kernel for {value.dtype}")
    angle = call(engine, "multiply", value, math.pi)
    least = 1e-20 if value.dtype == COMPLEX64 else float(finfo(value.dtype).eps)
    angle = call(engine, "where", call(engine, "not_equal", angle, 0), angle, least)
    result = call(engine, "divide", call(engine, "sin", angle), angle)
    result.detached = detached
    return result


get_op("sinc").implement("neuron", _sinc)
