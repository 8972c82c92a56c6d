"""Positions as coordinates, coordinates as positions, and open meshes of them."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ....dtypes import BOOL, INT32, INT64
from ...graph.build import check
from ...value import Value
from .. import Builder, Lowerings
from ..host_constants import brought
from ..op_calls import as_positions, call, call_several, converted
from .operands import Bounds, combined, places
from .take import index, mask_on_host

__all__: list[str] = []

_INT32: Final = 2**31 - 1


def _unravel_index(builder: Builder, indices: Any, lengths: tuple[int, ...], *, order: str) -> Any:
    at = index(builder, indices)
    if not lengths and at.shape:
        raise ValueError("multiple indices are not supported for 0d arrays")
    total, bounds = math.prod(lengths), Bounds(f"an array of shape {lengths}", ValueError, from_end=False)
    rest = builder.result((places(builder, at, total, bounds),), INT32) if total <= _INT32 else _wide_places(builder, at, total, bounds)
    found = []
    for length in reversed(lengths) if order == "C" else lengths:
        quotient, remainder = call_several(builder, "divmod", rest, length)
        found.append(converted(builder, remainder, INT32) if length <= _INT32 else remainder)
        rest = quotient
    return as_positions(builder, tuple(reversed(found) if order == "C" else found))


def _wide_places(builder: Builder, at: Value | npt.NDArray[Any], total: int, bounds: Bounds) -> Value:
    """Find the places in an array of more elements than int32 counts, which there is no memory for, but coordinates of."""
    value = brought(builder, at, narrow=False) if isinstance(at, np.ndarray) else at
    within = call(builder, "logical_and", call(builder, "greater_equal", value, 0), call(builder, "less", value, total))
    found = converted(builder, call(builder, "where", within, value, 0), INT64)
    if value.size:
        holds = check(call(builder, "all", within, None).read()[0], bounds.error, bounds.message("an index", total))
        for plane in found.read():
            plane.demand(holds)
    return found


def _ravel_multi_index(builder: Builder, parts: list[Any], lengths: tuple[int, ...], *, mode: tuple[Any, ...], order: str) -> Any:
    if any(not length for length in lengths) and any(np.size(part) if not isinstance(part, Value) else part.size for part in parts):
        raise ValueError("cannot unravel if shape has zero entries (is empty).")
    nodes = [
        places(builder, index(builder, part), length, Bounds(place, ValueError, from_end=False), how)
        for place, (part, length, how) in enumerate(zip(parts, lengths, mode, strict=True))
    ]
    both = (nodes, lengths) if order == "C" else (nodes[::-1], lengths[::-1])
    if math.prod(lengths) <= _INT32:
        return as_positions(builder, builder.result((combined(*both),), INT32))
    total: Any = 0
    for node, length in zip(*both, strict=True):
        total = call(builder, "add", call(builder, "multiply", total, length), converted(builder, builder.result((node,), INT32), INT64))
    return total


def _ix(builder: Builder, *sequences: Any) -> tuple[Value, ...]:
    found = []
    for place, item in enumerate(sequences):
        value = item if isinstance(item, Value) else brought(builder, item)
        if value.dtype == BOOL:
            value = brought(builder, np.flatnonzero(mask_on_host(builder, value)))
        shape = [value.size if one == place else 1 for one in range(len(sequences))]
        found.append(value.view(value.shadow.reshape(shape)))
    return tuple(found)


LOWERINGS: Final[Lowerings] = {"unravel_index": _unravel_index, "ravel_multi_index": _ravel_multi_index, "ix_": _ix}
