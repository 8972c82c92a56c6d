"""Where numbers belong in a sorted array: all of them compared with it, or both sorted together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from ...dtypes import BOOL, COMPLEX64, COMPLEX128, FLOAT32, FLOAT64, INT32, INT64, UINT64
from ...rules import Signature
from ..costs import Costs
from ..function import work_table
from ..graph.build import broadcast, cast, elementwise, fill, reshape
from ..graph.build import call as call_kernel
from ..graph.graph import Node
from ..graph.primitives import Fill, Read, Write
from ..kernel import InvalidCallError, Kernel, Ruling, Variant, declare, estimate
from ..layout import Layout
from ..value import Value
from . import Builder
from .concatenation import join
from .joining import flat
from .plane_reductions import reduced
from .sort_keys import LONGEST, Keys, keys_of, places, places_of, sort_keys
from .sorting import ordered

__all__ = ["positions"]

_BEFORE: Final = {"left": "less", "right": "less_equal"}


def positions(builder: Builder, table: Value, value: Value, side: str) -> Node:
    """
    Find where numbers belong in a sorted array.

    Notes
    -----
    Few pairs of real numbers are all compared, in keys, so that NaN is last and a subnormal number is none other's equal. Else both arrays
    are sorted together, equal numbers of one before those of the other; a running sum counts the elements of `table`; and a second sort, by
    place, brings the counts back.
    """
    if table.size * value.size == 0:
        return fill(0, value.shape, INT32)
    numbers = flat(value)
    if table.dtype in (COMPLEX64, COMPLEX128, FLOAT64, INT64, UINT64):
        found = _merged_by_several_keys(builder, numbers, table, side)
    else:
        (found,) = call_kernel("search", *_planes(keys_of(builder, numbers)), *_planes(keys_of(builder, table)), side=side)
    return reshape(found, value.shape)


def _planes(keys: Keys) -> tuple[Node, ...]:
    return (keys.leading,) if keys.trailing is None else (keys.leading, keys.trailing)


def _rule(*keys: Signature, side: str) -> Ruling:
    """Search for numbers, by their keys, among those of a sorted array, which are as many planes."""
    numbers, entries = keys[: len(keys) // 2], keys[len(keys) // 2 :]
    if len(keys) not in (2, 4) or len({*numbers}) + len({*entries}) != 2 or {key.dtype for key in keys} != {FLOAT32}:
        raise InvalidCallError(f"search takes one or two float32 keys of numbers, and as many of an array, not {keys}")
    return (Signature(numbers[0].shape, INT32),), (side, len(numbers), numbers[0].shape[0], entries[0].shape[0])


def _counted(*operands: Any) -> Sequence[Node]:
    """Count the elements that are less, or not greater."""
    *keys, side, planes, columns, rows = operands
    ours, theirs = keys[:planes], keys[planes:]

    def compared(name: str, one: Node, other: Node) -> Node:
        left, right = broadcast(one, (columns, rows)), broadcast(reshape(other, (columns, 1)), (columns, rows))
        return elementwise(name, left, right, dtype=BOOL)

    before = _BEFORE[side]
    if planes == 1:
        mask = compared(before, theirs[0], ours[0])
    else:
        tie = elementwise(
            "logical_and",
            compared("equal", theirs[0], ours[0]),
            compared(before, _without_sign(theirs[1]), _without_sign(ours[1])),
            dtype=BOOL,
        )
        mask = elementwise("logical_or", compared("less", theirs[0], ours[0]), tie, dtype=BOOL)
    return (reduced("count_nonzero", mask, (1,), INT32),)


def _counting_time(costs: Costs, _results: tuple[Signature, ...], side: str, planes: int, numbers: int, entries: int) -> float:
    """Estimate functions of tiles that have numbers on partitions and all entries beside each."""
    names = [(_BEFORE[side], "float32"), ("reduce by count_nonzero", "uint8")]
    if planes == 2:
        names += [("less", "float32"), ("equal", "float32"), ("logical_and", "uint8"), ("logical_or", "uint8")]
    each = math.ceil(numbers / costs.partitions) * entries
    return 2 * costs.transfer_waits + sum(sum(work_table()[name].times(costs, each).values()) for name in names)


def _without_sign(trailing: Node) -> Node:
    """Give both zeros one key."""
    return cast(elementwise("bitwise_and", cast(trailing, INT32), fill(-2, (), INT32), dtype=INT32), FLOAT32)


def _merged(*operands: Any) -> Sequence[Node]:
    """Sort numbers and array together, and count."""
    *keys, side, planes, numbers, _ = operands
    joined = [_joined(*pair) if side == "left" else _joined(*reversed(pair)) for pair in zip(keys[:planes], keys[planes:], strict=True)]
    together = Keys(joined[0], joined[1] if planes == 2 else None, FLOAT32)
    trailing = sort_keys(together, places(joined[0].shape)).trailing
    assert trailing is not None
    return (_brought_back(places_of(trailing), numbers, side),)


def _joined(first: Node, second: Node) -> Node:
    result = Node(Fill(None, Signature((first.size + second.size,), first.dtype)), ())
    for part, offset in ((first, 0), (second, first.size)):
        result = Node(Write(Layout(offset, part.shape, (1,))), (result, part))
    return result


def _brought_back(place: Node, numbers: int, side: str) -> Node:
    """Count, of what is sorted together, the elements of the array, and bring the counts to the places of the numbers."""
    entries = place.size - numbers
    first = numbers if side == "left" else entries
    of_table = elementwise("greater_equal" if side == "left" else "less", place, fill(first, (), INT32), dtype=BOOL)
    (before,) = call_kernel("scan", cast(of_table, FLOAT32), function="add")
    counts = sort_keys(Keys(cast(place, FLOAT32), None, FLOAT32), before).trailing
    assert counts is not None
    mine = Layout(0 if side == "left" else entries, (numbers,), (1,))
    return cast(Node(Read(mine), (counts,)), INT32)


def _merging_time(costs: Costs, _results: tuple[Signature, ...], _side: str, _planes: int, numbers: int, entries: int) -> float:
    size = numbers + entries
    return math.inf if size > LONGEST else 2 * estimate("sort", costs, (), 2, 1, size)


def _merged_by_several_keys(builder: Builder, value: Value, table: Value, side: str) -> Node:
    """Sort both arrays together, and count."""
    parts = [value, table] if side == "left" else [table, value]
    together = join(builder, [(part.shape, part.read()) for part in parts], 0, table.dtype)
    place = ordered(builder, together, 0).places
    assert place is not None
    return _brought_back(place, value.size, side)


declare(
    Kernel(
        "search",
        _rule,
        None,
        "search",
        "{2} numbers among {3}",
        variants=(Variant("by comparing all", _counting_time, expand=_counted), Variant("by sorting", _merging_time, expand=_merged)),
    )
)
