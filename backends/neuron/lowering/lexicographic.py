"""Orders by several keys: rows are sorted by one after the other, the most significant last; each sort keeps equal elements in order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from ...dtypes import BOOL, COMPLEX64, COMPLEX128, FLOAT64, INT32, INT64, UINT32, UINT64
from ..graph.build import cast, elementwise, fill, reshape
from ..graph.graph import Node
from ..value import Value
from . import Builder
from .binary64 import binary64, check_setting
from .float_nodes import test
from .indexing.gather import gather
from .sort_keys import keys_of, places, places_of, sort_keys

__all__ = ["in_order", "lexicographic_order", "several_keys"]

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


def several_keys(builder: Builder, value: Value) -> list[Value] | None:
    """Find the keys by which numbers are compared, the least significant first; None where one key tells all of a number."""
    planes = value.read()
    if value.dtype == COMPLEX64:
        nan = [elementwise("isnan", plane, dtype=BOOL) for plane in planes]
        return _made(builder, (planes[1], planes[0], _group(nan)))
    if value.dtype == COMPLEX128:
        parts = planes[:2], planes[2:]
        nan = [test("isnan", part) for part in parts]
        return _made(builder, (*_float_keys(parts[1]), *_float_keys(parts[0]), _group(nan)))
    if value.dtype == FLOAT64:
        return _made(builder, _float_keys(planes))
    if value.dtype == INT64:
        return _made(builder, (planes[1], cast(planes[0], INT32)))
    return _made(builder, (planes[1], planes[0])) if value.dtype == UINT64 else None


def _made(builder: Builder, planes: Sequence[Node]) -> list[Value]:
    return [builder.make((plane,), BOOL if plane.dtype == _BYTE else plane.dtype) for plane in planes]


def _group(nan: Sequence[Node]) -> Node:
    """Order complex numbers as NumPy does: numbers, NaN as the imaginary part, as the real part, as both."""
    twice = elementwise("left_shift", nan[0], fill(1, (), _BYTE), dtype=_BYTE)
    return cast(elementwise("bitwise_or", twice, nan[1], dtype=_BYTE), INT32)


def _float_keys(words: tuple[Node, ...]) -> tuple[Node, Node]:
    """Give words of float64, the low one first, that are ordered as the numbers are: both zeros alike, and all NaN last."""
    check_setting()
    nonzero = binary64("nonzero", *words)
    high = elementwise("where", nonzero, words[0], fill(0, (), UINT32), dtype=UINT32)
    negative = binary64("signbit", high, words[1])
    flips = [elementwise("where", negative, fill(bits, (), UINT32), fill(0, (), UINT32), dtype=UINT32) for bits in (0x7FFFFFFF, 0xFFFFFFFF)]
    keys = [elementwise("bitwise_xor", word, flip, dtype=UINT32) for word, flip in zip((high, words[1]), flips, strict=True)]
    nan = test("isnan", words)
    last = fill(0x7FFFFFFF, (), UINT32), fill(0xFFFFFFFF, (), UINT32)
    keys = [elementwise("where", nan, end, key, dtype=UINT32) for end, key in zip(last, keys, strict=True)]
    return keys[1], cast(keys[0], INT32)
