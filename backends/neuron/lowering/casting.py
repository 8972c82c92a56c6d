"""Ops that convert arrays to other dtypes."""

from __future__ import annotations

from typing import Final

from ...dtypes import DType
from ..value import Value
from . import Builder, Lowerings
from .operands import convert

__all__: list[str] = []


def _astype(builder: Builder, value: Value, dtype: DType, *, copy: bool = True) -> Value:
    if dtype == value.dtype and not copy:
        return value
    return builder.make(convert(value.read(), value.dtype, dtype), dtype)


LOWERINGS: Final[Lowerings] = {"astype": _astype, "ndarray.astype": _astype}
