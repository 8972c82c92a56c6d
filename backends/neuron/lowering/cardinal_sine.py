"""The cardinal sine, sin(πx)/(πx), as NumPy makes it."""

from __future__ import annotations

import math
from typing import Any, Final

from ...dtypes import FLOAT64
from ...limits import finfo
from ..value import Value
from . import Builder, Lowerings
from .op_calls import as_floats, call, in_float32

__all__: list[str] = []


@in_float32
def _sinc(builder: Builder, value: Value) -> Any:
    detached = value.detached
    value = as_floats(builder, value)
    angle = call(builder, "multiply", value, math.pi)
    least = 1e-20 if value.dtype.kind == "c" or value.dtype == FLOAT64 else float(finfo(value.dtype).eps)
    angle = call(builder, "where", call(builder, "not_equal", angle, 0), angle, least)
    result = call(builder, "divide", call(builder, "sin", angle), angle)
    result.detached = detached
    return result


LOWERINGS: Final[Lowerings] = {"sinc": _sinc}
