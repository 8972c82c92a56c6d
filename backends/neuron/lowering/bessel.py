"""The modified Bessel function of order 0, as NumPy has it."""

from __future__ import annotations

from typing import Final

from ...dtypes import FLOAT64
from ..graph.build import elementwise
from ..value import Value
from . import Builder, Lowerings, NotNativeError
from .binary64_functions import FUNCTIONS64
from .op_calls import as_floats
from .operands import computes

__all__: list[str] = []


def _i0(builder: Builder, value: Value) -> Value:
    floating = as_floats(builder, value)
    if floating.dtype == FLOAT64:
        return builder.like(value, FUNCTIONS64["special.i0"](floating.read()), FLOAT64)
    if not computes(floating.dtype):
        raise NotNativeError(f"it has no kernel for {floating.dtype}")
    return builder.like(value, (elementwise("special.i0", floating.read()[0], dtype=floating.dtype),), floating.dtype)


LOWERINGS: Final[Lowerings] = {"i0": _i0}
