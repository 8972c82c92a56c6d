"""Positions as coordinates, coordinates as positions, and open meshes of them."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from ....dtypes import BOOL, INT32
from ...value import Value
from .. import Builder, Lowerings
from ..host_constants import brought
from ..op_calls import as_positions, call_several
from .operands import Bounds, combined, places
from .take import index, mask_on_host

__all__: list[str] = []


def _unravel_index(builder: Builder, indices: Any, lengths: tuple[int, ...], *, order: str) -> Any:
    at = index(builder, indices)
    bounds = Bounds(f"an array of shape {lengths}", ValueError, from_end=False)
    rest = builder.result((places(builder, at, math.prod(lengths), bounds),), INT32)
    found = []
    for length in reversed(lengths) if order == "C" else lengths:
        quotient, remainder = call_several(builder, "divmod", rest, length)
        found.append(remainder)
        rest = quotient
    return as_positions(builder, tuple(reversed(found) if order == "C" else found))


def _ravel_multi_index(builder: Builder, parts: list[Any], lengths: tuple[int, ...], *, mode: tuple[Any, ...], order: str) -> Any:
    nodes = [
        places(builder, index(builder, part), length, Bounds(place, ValueError, from_end=False), how)
        for place, (part, length, how) in enumerate(zip(parts, lengths, mode, strict=True))
    ]
    both = (nodes, lengths) if order == "C" else (nodes[::-1], lengths[::-1])
    return as_positions(builder, builder.result((combined(*both),), INT32))


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
