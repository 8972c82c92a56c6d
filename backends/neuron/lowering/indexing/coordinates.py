"""Positions as coordinates, coordinates as positions, and open meshes of them."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ....dtypes import BOOL, INT32
from ...value import Value
from .. import Lowerings
from ..host_constants import brought
from ..op_calls import as_positions, call
from .operands import Bounds, combined, places
from .take import index, mask_on_host

if TYPE_CHECKING:
    from ...graph.builder import Builder

__all__: list[str] = []


def _lengths(shape: Any) -> tuple[int, ...]:
    return tuple(map(operator.index, shape if isinstance(shape, (list, tuple)) else (shape,)))


def _unravel_index(builder: Builder, indices: Any, shape: Any, order: str = "C") -> Any:
    lengths, at = _lengths(shape), index(indices)
    if order not in ("C", "F"):
        raise ValueError(f"only 'C' or 'F' order is permitted, not {order!r}")
    bounds = Bounds(f"an array of shape {lengths}", ValueError, from_end=False)
    rest = builder.result((places(builder, at, math.prod(lengths), bounds),), INT32)
    found = []
    for length in reversed(lengths) if order == "C" else lengths:
        quotient, remainder = call(builder, "divmod", rest, length)
        found.append(remainder)
        rest = quotient
    return as_positions(builder, tuple(reversed(found) if order == "C" else found))


def _ravel_multi_index(builder: Builder, multi_index: Any, dims: Any, mode: Any = "raise", order: str = "C") -> Any:
    lengths = _lengths(dims)
    if order not in ("C", "F"):
        raise ValueError(f"only 'C' or 'F' order is permitted, not {order!r}")
    parts = [multi_index[place] for place in range(len(multi_index))] if isinstance(multi_index, (list, tuple)) else _rows(multi_index)
    if len(parts) != len(lengths):
        raise ValueError(f"parameter multi_index must be a sequence of length {len(lengths)}")
    modes: tuple[Any, ...] = (mode,) * len(lengths) if isinstance(mode, str) else tuple(mode)
    nodes = [
        places(builder, index(part), length, Bounds(place, ValueError, from_end=False), how)
        for place, (part, length, how) in enumerate(zip(parts, lengths, modes, strict=True))
    ]
    both = (nodes, lengths) if order == "C" else (nodes[::-1], lengths[::-1])
    return as_positions(builder, builder.result((combined(*both),), INT32))


def _rows(value: Any) -> list[Value]:
    if not isinstance(value, Value) or not value.shape:
        raise TypeError("multi_index is a sequence of arrays, one for each axis, or an array of rows")
    return [value.view(value.shadow[place, ...]) for place in range(value.shape[0])]


def _ix(builder: Builder, *sequences: Any) -> Any:
    found = []
    for place, item in enumerate(sequences):
        shape = [1] * len(sequences)
        if not isinstance(item, (Value, list, tuple, range, np.ndarray)) or (isinstance(item, Value) and item.ndim != 1):
            raise ValueError("Cross index must be 1 dimensional")
        value = builder.array(item) if len(getattr(item, "shape", item)) else brought(builder, np.zeros(0, np.int64))
        if value.ndim != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if value.dtype == BOOL:
            value = brought(builder, np.flatnonzero(mask_on_host(builder, value)))
        shape[place] = value.size
        found.append(value.view(value.shadow.reshape(shape)))
    return tuple(found)


LOWERINGS: Final[Lowerings] = {"unravel_index": _unravel_index, "ravel_multi_index": _ravel_multi_index, "ix_": _ix}
