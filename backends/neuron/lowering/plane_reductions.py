"""Reductions of planes: one instruction for each element where there is a kernel, else in pairs, or plane by plane."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from ...dtypes import BOOL, COMPLEX64, COMPLEX128, FLOAT32, FLOAT64, INT32, INT64, DType, is_double, is_low_precision
from ...rules import Signature
from ..dtypes import DTYPES_BY_NAME, NKI_NAMES
from ..function import REDUCTIONS
from ..graph.build import broadcast, cast, check_tensors, elementwise, fill, reduce, reshape, transpose
from ..graph.graph import Node
from ..graph.primitives import Fill, Read, Write
from ..launch.capacity import is_large, piece_length
from ..layout import Layout, contiguous_strides
from .binary64 import BINARY64
from .complex_elementwise import COMPLEX, OF_COMPLEX128
from .concatenation import constant
from .float_nodes import choose, full, test
from .neutral_elements import identity, identity_number
from .wide_integers import ALL_BITS, WIDE_INTEGERS, Words, number

__all__ = ["are_extreme", "extreme_words", "in_pairs", "joined", "reduced"]

_WORD: Final = np.dtype(np.uint32)
_WIDEST: Final = 4096
"""
Elements of a row that a program reduces while it makes them, so that none are kept: what has no room in a tensor is reduced so first.

Sums round by it, which must not depend on predicted times.
"""
_LONG: Final = 64  # elements of a row
_HALVES: Final[Mapping[str, str]] = {"add.low": "half.low", "add.high": "half.high"}
_COMBINED: Final[Mapping[str, str]] = dict.fromkeys(("count_nonzero", "sum", "add.low", "add.high"), "add")
_TABLES: Final[Mapping[DType, Mapping[str, Callable[..., tuple[Node, ...]]]]] = {
    COMPLEX64: COMPLEX, COMPLEX128: OF_COMPLEX128, FLOAT64: BINARY64, **WIDE_INTEGERS
}  # fmt: skip


def reduced(name: str, plane: Node, axes: tuple[int, ...], dtype: DType) -> Node:
    """Reduce a plane: over no axis, no element and one element, too."""
    length = math.prod(plane.shape[axis] for axis in axes)
    shape = tuple(extent for axis, extent in enumerate(plane.shape) if axis not in axes)
    if is_large(plane.size, plane.dtype.itemsize) and length > 1:
        if name.startswith("arg"):
            check_tensors(name, plane)
        else:
            return _of_parts(name, plane, axes, dtype)
    if length == 0:
        return fill(identity_number(name, dtype), shape, dtype)
    if length == 1:
        single = reshape(plane, shape)
        if name.startswith("arg"):
            return fill(0, shape, dtype)
        if name in ("logical_or", "logical_and", "count_nonzero"):
            single = elementwise("not_equal", single, fill(0, (), single.dtype), dtype=BOOL)
        if name in _HALVES:
            half = np.dtype(np.int16 if name == "add.high" and plane.dtype.kind == "i" else np.uint16)
            single = elementwise(_HALVES[name], single, dtype=half)
        if name == "sum":  # from 0, too
            single = elementwise("add", cast(single, FLOAT32), fill(0.0, (), FLOAT32), dtype=FLOAT32)
        return cast(single, dtype)
    last = _last_axes(name, plane, axes)
    if last:
        wide = DTYPES_BY_NAME[REDUCTIONS[name](NKI_NAMES[plane.dtype])]
        rows = reduced(name, plane, last, wide)
        return cast(reduced(_COMBINED.get(name, name), rows, tuple(axis for axis in axes if axis not in last), wide), dtype)
    return reduce(name, plane, axes, dtype)


def _last_axes(name: str, plane: Node, axes: tuple[int, ...]) -> tuple[int, ...]:
    """Find the last axes, where these are reduced with others before that are not beside them: long rows go first, and nothing is moved."""
    shape, kept = plane.shape, [axis for axis in range(len(plane.shape)) if axis not in axes and plane.shape[axis] > 1]
    if name.startswith("arg") or not kept or all(axis > kept[-1] for axis in axes if shape[axis] > 1):
        return ()
    last = tuple(axis for axis in axes if axis > kept[-1])
    return last if math.prod(shape[axis] for axis in last) >= _LONG else ()


def _of_parts(name: str, plane: Node, axes: tuple[int, ...], dtype: DType) -> Node:
    """
    Reduce a plane that takes several tensors, of which a kernel takes none.

    Notes
    -----
    Along the last axes, programs reduce rows that they keep on chip, and then the results. Otherwise the plane is cut along the first axis
    into parts that have room in a tensor each.
    """
    shape, wide = plane.shape, FLOAT32 if is_low_precision(dtype) else dtype
    kept = tuple(axis for axis in range(len(shape)) if axis not in axes)
    if shape[0] == 1:
        rest = reduced(name, reshape(plane, shape[1:]), tuple(axis - 1 for axis in axes if axis), dtype)
        return reshape(rest, tuple(shape[axis] for axis in kept))
    if kept == tuple(range(len(kept))):
        lead, width = list(shape), 1
        while len(lead) > len(kept) and width * lead[-1] <= _WIDEST:
            width *= lead.pop()
        if len(lead) > len(kept):
            split = next(split for split in range(_WIDEST // width, 0, -1) if lead[-1] % split == 0)
            lead[-1] //= split
            width *= split
        if width > 1:
            found = DTYPES_BY_NAME[REDUCTIONS[name](NKI_NAMES[plane.dtype])]
            rows = reduce(name, reshape(plane, (*lead, width)), (len(lead),), found)
            return cast(reduced(_COMBINED.get(name, name), rows, tuple(range(len(kept), len(lead))), wide), dtype)
        axis, length = len(shape) - 1, shape[-1] // _WIDEST * _WIDEST  # a prime number of elements
    else:
        axis, length = 0, max(1, piece_length(plane.dtype.itemsize) // math.prod(shape[1:]))
    bounds = [*range(0, shape[axis], length), shape[axis]]
    parts = [reduced(name, _cut(plane, axis, low, high), axes, wide) for low, high in itertools.pairwise(bounds)]
    if axis in axes:
        function = _COMBINED.get(name, name)
        return cast(functools.reduce(lambda one, other: elementwise(function, one, other, dtype=one.dtype), parts), dtype)
    result = Node(Fill(None, Signature(tuple(shape[axis] for axis in kept), wide)), ())
    strides = contiguous_strides(result.shape)
    for low, part in zip(bounds, parts, strict=False):
        result = Node(Write(Layout(low * strides[0], part.shape, strides)), (result, part))
    return cast(result, dtype)


def _cut(plane: Node, axis: int, low: int, high: int) -> Node:
    """Look at a part of a plane along an axis."""
    strides = contiguous_strides(plane.shape)
    shape = (*plane.shape[:axis], high - low, *plane.shape[axis + 1 :])
    return Node(Read(Layout(low * strides[axis], shape, strides)), (plane,))


def joined(name: str, left: tuple[Node, ...], right: tuple[Node, ...], dtype: DType) -> tuple[Node, ...]:
    """Apply a function of two numbers."""
    table = _TABLES.get(dtype)
    if table is not None:
        planes: tuple[Node, ...] = table[name](left, right)
        return planes
    return (elementwise(name, left[0], right[0], dtype=left[0].dtype),)


def in_pairs(name: str, planes: tuple[Node, ...], axes: tuple[int, ...], dtype: DType) -> tuple[Node, ...]:
    """Reduce along axes by a function of two numbers: log2(n) times one after the other."""
    shape = planes[0].shape
    kept = [axis for axis in range(len(shape)) if axis not in axes]
    result = tuple(shape[axis] for axis in kept)
    length, outer = math.prod(shape[axis] for axis in axes), math.prod(result)
    if length * outer == 0:
        return constant(identity(name, dtype) if length == 0 else None, result, dtype)
    rows = tuple(reshape(transpose(plane, [*kept, *axes]), (outer, length)) for plane in planes)
    while length > 1:
        half = length // 2
        pairs = joined(name, _columns(rows, 0, half), _columns(rows, half, 2 * half), dtype)
        if length % 2:
            first = joined(name, _columns(pairs, 0, 1), _columns(rows, length - 1, length), dtype)
            last = Write(Layout(0, (outer, 1), (half, 1)))
            if half > 1:
                first = tuple(Node(last, (pair, one)) for pair, one in zip(pairs, first, strict=True))
            pairs = first
        rows, length = pairs, half
    return tuple(reshape(plane, result) for plane in rows)


def _columns(planes: tuple[Node, ...], low: int, high: int) -> tuple[Node, ...]:
    outer, length = planes[0].shape
    layout = Layout(low, (outer, high - low), (length, 1))
    return tuple(Node(Read(layout), (plane,)) for plane in planes)


def _best(of_two: str, plane: Node, axes: tuple[int, ...]) -> tuple[Node, Node]:
    """Give the extremes along axes, and which elements are equal to them."""
    shape = tuple(1 if axis in axes else extent for axis, extent in enumerate(plane.shape))
    found = reduced(of_two, plane, axes, plane.dtype)
    return found, test("equal", plane, broadcast(reshape(found, shape), plane.shape))


def _lexicographic(of_two: str, leading: Node, following: Node, worst: Node, axes: tuple[int, ...]) -> tuple[Node, Node, Node]:
    """Give extremes by a plane, and by a second one where that is extreme, and which elements are extreme."""
    first, by_first = _best(of_two, leading, axes)
    second, by_second = _best(of_two, elementwise("where", by_first, following, worst, dtype=following.dtype), axes)
    return first, second, test("logical_and", by_first, by_second)


def _of_words(of_two: str, words: Words, dtype: DType, axes: tuple[int, ...]) -> tuple[Node, Node, Node]:
    high = cast(words[0], INT32) if dtype == INT64 else words[0]
    return _lexicographic(of_two, high, words[1], number(0 if of_two == "maximum" else ALL_BITS), axes)


def extreme_words(of_two: str, words: Words, dtype: DType, axes: tuple[int, ...]) -> Words:
    """Reduce integers of 64 bits to their extremes: those of the high words, and of the low words beside them."""
    high, low, _ = _of_words(of_two, words, dtype, axes)
    return cast(high, _WORD), low


def are_extreme(of_two: str, planes: tuple[Node, ...], dtype: DType, axes: tuple[int, ...]) -> Node:
    """Tell which numbers of two planes are extreme along axes: NaN, if there are any."""
    if is_double(dtype):
        of = _TABLES[dtype]
        shape = tuple(1 if axis in axes else extent for axis, extent in enumerate(planes[0].shape))
        found = tuple(broadcast(reshape(plane, shape), planes[0].shape) for plane in in_pairs(of_two, planes, axes, dtype))
        return test("logical_or", *of["equal"](planes, found), *of["isnan"](planes))
    if dtype.kind != "c":
        return _of_words(of_two, planes, dtype, axes)[2]
    worst = fill(-math.inf if of_two == "maximum" else math.inf, (), FLOAT32)
    nan = test("logical_or", *(test("isnan", plane) for plane in planes))
    *_, both = _lexicographic(of_two, choose(nan, full(math.nan, nan), planes[0]), planes[1], worst, axes)
    return test("logical_or", nan, both)
