"""What a reduction leaves as it is: its identity, or for extremes the outermost number of a dtype."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from ...dtypes import DType
from ...limits import finfo

__all__ = ["IDENTITY", "identity", "identity_number", "outermost"]

IDENTITY: Final[Mapping[str, int]] = {
    **dict.fromkeys(("add", "sum", "logical_or", "logical_xor", "bitwise_or", "bitwise_xor", "count_nonzero"), 0),
    **dict.fromkeys(("multiply", "logical_and"), 1),
    "bitwise_and": -1,
}
"""What a function of two leaves as it is."""


def identity_number(name: str, dtype: DType) -> float:
    """Give what a function of two leaves as it is, as a number of Python's: of floats both zeros stay."""
    if name not in IDENTITY:
        raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
    return -0.0 if name == "add" and dtype.kind not in "biu" else IDENTITY[name]


def identity(name: str, dtype: DType) -> Any:
    """Give what a function of two leaves as it is."""
    value = np.array(identity_number(name, dtype)).astype(dtype)
    if dtype.kind == "c":  # of which both zeros are negative, as of floats
        value.imag = 0.0 * value.real
    return value[()]


def outermost(name: str, dtype: DType) -> Any:
    """Give what "max" or "min" leaves as it is: an infinity, or the last number of a dtype without infinities."""
    if dtype.kind == "b":
        return dtype.type(name == "min")
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return dtype.type(info.min if name == "max" else info.max)
    end = -np.inf if name == "max" else np.inf
    if dtype.kind == "c":
        return dtype.type(complex(end, end))
    limits = finfo(dtype)
    return dtype.type(end if np.isinf(np.asarray(end).astype(dtype)) else float(limits.min if name == "max" else limits.max))
