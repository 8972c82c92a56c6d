"""Arrays that meet requirements, real parts where the imaginary ones are small, and arrays without the zeros around them.

What the last two give depends on elements: whether parts are small, or where zeros end, is computed and brought to the host.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...dtypes import DType
from ...limits import finfo
from ..value import Value
from . import Builder, Lowerings
from .indexing.take import mask_on_host
from .op_calls import call, converted

__all__: list[str] = []

def _require(builder: Builder, value: Value, *, dtype: DType | None, requirements: list[str]) -> Any:
    result = value if dtype is None else converted(builder, value, dtype)
    flags = result.flags
    laid = ("C" not in requirements or flags.c_contiguous) and ("F" not in requirements or flags.f_contiguous)
    kept = laid and ("W" not in requirements or flags.writeable) and ("O" not in requirements or result.base is None)
    return result if kept else call(builder, "ndarray.copy", result, "F" if "F" in requirements else "C")


def _real_if_close(builder: Builder, value: Value, tol: float = 100) -> Any:
    if value.dtype.kind != "c":
        return value
    parts = [value.part(number) for number in range(2)]
    limit = tol * float(finfo(value.dtype).eps) if tol > 1 else tol
    near = call(builder, "all", call(builder, "less", call(builder, "absolute", parts[1]), limit), None)
    return parts[0] if builder.on_host(near) else value


def _trim_zeros(builder: Builder, value: Value, *, trim: str, axis: tuple[int, ...]) -> Any:
    if not axis:
        return value
    mask = mask_on_host(builder, value)
    index = [slice(None)] * value.ndim
    for one in axis:
        found = np.flatnonzero(mask.any(axis=tuple(place for place in range(value.ndim) if place != one)))
        if not found.size:
            index[one] = slice(0, 0)
            continue
        index[one] = slice(int(found[0]) if "f" in trim else None, int(found[-1]) + 1 if "b" in trim else None)
    return value.view(value.shadow[tuple(index)])


LOWERINGS: Final[Lowerings] = {"require": _require, "real_if_close": _real_if_close, "trim_zeros": _trim_zeros}
