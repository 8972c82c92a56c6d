"""The cardinal sine, sin(πx)/(πx), as NumPy makes it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from ...dtypes import COMPLEX64
from ...limits import finfo
from ..value import Value
from . import Lowerings, NotNativeError
from .op_calls import as_floats, call, in_float32
from .operands import computes

if TYPE_CHECKING:
    from ..graph.builder import Builder

__all__: list[str] = []


@in_float32
def _sinc(builder: Builder, value: Value) -> Any:
    detached = value.detached
    value = as_floats(builder, value)
    if value.dtype != COMPLEX64 and not computes(value.dtype):
        raise NotNativeError(f"it has no kernel for {value.dtype}")
    angle = call(builder, "multiply", value, math.pi)
    least = 1e-20 if value.dtype == COMPLEX64 else float(finfo(value.dtype).eps)
    angle = call(builder, "where", call(builder, "not_equal", angle, 0), angle, least)
    result = call(builder, "divide", call(builder, "sin", angle), angle)
    result.detached = detached
    return result


LOWERINGS: Final[Lowerings] = {"sinc": _sinc}
