"""Orders by several keys: rows are sorted by one after the other, the most significant last; each sort keeps equal elements in order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from ...dtypes import BOOL
from ..graph.build import elementwise, fill, reshape
from ..graph.graph import Node
from ..value import Value
from .indexing.gather import gather
from .sort_keys import keys_of, places, places_of, sort_keys

if TYPE_CHECKING:
    from ..graph.builder import Builder

__all__ = ["complex_keys", "in_order", "lexicographic_order"]

_BYTE: Final = np.dtype(np.uint8)


def in_order(plane: Node, order: Node) -> Node:
    """Take the elements of rows in an order."""
    *outer, length = plane.shape
    rows = math.prod(outer)
    return gather(plane, reshape(order, (rows, length)), rows, length, plane.shape)


def lexicographic_order(builder: Builder, keys: Sequence[Value]) -> Node:
    """Find the places of elements in the order of several keys."""
    order: Node | None = None
    for key in keys:
        now = key if order is None else builder.make((in_order(key.read()[0], order),), key.dtype)
        trailing = sort_keys(keys_of(builder, now), places(key.shape)).trailing
        assert trailing is not None
        order = places_of(trailing) if order is None else in_order(order, places_of(trailing))
    assert order is not None
    return order


def complex_keys(builder: Builder, value: Value) -> list[Value]:
    """Find the keys of the order of complex numbers: by real, then by imaginary part, and NaN last as NumPy has it."""
    real, imaginary = value.read()
    nan = [elementwise("isnan", plane, dtype=BOOL) for plane in (real, imaginary)]
    twice = elementwise("left_shift", nan[0], fill(1, (), _BYTE), dtype=_BYTE)
    group = elementwise("bitwise_or", twice, nan[1], dtype=_BYTE)  # numbers, NaN as the imaginary part, as the real part, as both
    return [builder.make((plane,), plane.dtype) for plane in (imaginary, real, group)]
