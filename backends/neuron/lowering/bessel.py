"""The modified Bessel function of order 0, as NumPy has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...op import get_op
from ...ops import mathematical as _mathematical  # noqa: F401  # registers them
from ..build import elementwise
from ..value import Value
from . import NotNativeError
from .calls import as_floats
from .joining import value_of
from .operands import computes

if TYPE_CHECKING:
    from ..builder import Builder

__all__: list[str] = []


def _i0(engine: Builder, x: Any) -> Value:
    value = value_of(engine, x)
    if value.dtype.kind == "c":
        raise TypeError("i0 not supported for complex values")
    floating = as_floats(engine, value)
    if not computes(floating.dtype):
        raise NotNativeError(f"it has no kernel for {floating.dtype}")
    result = engine.make((elementwise("special.i0", floating.read()[0], dtype=floating.dtype),), floating.dtype)
    result.detached = value.detached
    return result


get_op("i0").implement("neuron", _i0)
