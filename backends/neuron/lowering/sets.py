"""Ops that treat an array as a set: it is sorted, and the first of equal neighbours stands for all.

How many there are is the shape of the result: the device counts them, and that number is fetched, which counts as a transfer.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from ...dtypes import BOOL, FLOAT32, INT32
from ..graph.build import cast, fill, iota, reshape
from ..graph.graph import Node
from ..value import Value
from . import Builder, Lowerings, NotNativeError
from .joining import concatenate, flat
from .lexicographic import in_order, lexicographic_order, several_keys
from .op_calls import call
from .sort_keys import Keys, sort_keys
from .sorting import ordered

__all__: list[str] = []


class _Runs(NamedTuple):
    """An array in order, where its elements were, and which ones differ from the one before."""

    numbers: Value
    places: Node
    first: Value

    def kept(self, builder: Builder, value: Value) -> Value:
        """Keep what belongs to the first one of each run."""
        return call(builder, "getitem", value, self.first)


def _runs(builder: Builder, value: Value, equal_nan: bool) -> _Runs:
    numbers, places = ordered(builder, flat(value), 0)
    assert places is not None
    return _Runs(numbers, places, _first(builder, _differing(builder, numbers, equal_nan)))


def _differing(builder: Builder, numbers: Value, equal_nan: bool) -> Value:
    """Tell along the last axis which sorted numbers, but the first, differ from the one before."""
    after, before = numbers.view(numbers.shadow[..., 1:]), numbers.view(numbers.shadow[..., :-1])
    new = call(builder, "not_equal", after, before)
    if equal_nan and numbers.dtype.kind not in "biu":
        new = call(builder, "logical_and", new, call(builder, "logical_not", call(builder, "isnan", before)))
    return new


def _first(builder: Builder, differing: Value) -> Value:
    """Tell along the last axis where runs begin: with the first element, and with those that differ from the one before."""
    first = call(builder, "ones", (*differing.shape[:-1], 1), BOOL)
    return concatenate(builder, [first, differing], differing.ndim - 1)


def _counts(builder: Builder, runs: _Runs) -> Value:
    starts = runs.kept(builder, builder.make((iota(runs.numbers.size),), INT32))
    end = call(builder, "full", (1,), runs.numbers.size, INT32)
    return call(builder, "diff", concatenate(builder, [starts, end], 0))


def _indices(builder: Builder, runs: _Runs) -> Value:
    return runs.kept(builder, builder.make((runs.places,), INT32))


def _inverse(builder: Builder, runs: _Runs, shape: tuple[int, ...]) -> Value:
    return builder.make((reshape(_numbered(builder, runs.first, runs.places), shape),), INT32)


def _numbered(builder: Builder, first: Value, places: Node) -> Node:
    """Give runs numbers along the last axis, and bring these back to where the elements were, by a sort."""
    number = call(builder, "subtract", call(builder, "cumsum", first, -1, INT32), 1)
    back = sort_keys(Keys(cast(places, FLOAT32), None, FLOAT32), cast(number.read()[0], FLOAT32)).trailing
    assert back is not None
    return cast(back, INT32)


def _distinct(builder: Builder, value: Value, indices: bool, inverse: bool, counts: bool, equal_nan: bool) -> tuple[Value, ...]:
    if value.size == 0:
        return builder.make(flat(value).read(), value.dtype), *_about_nothing(builder, indices, inverse, counts, value.shape)
    runs = _runs(builder, value, equal_nan)
    return runs.kept(builder, runs.numbers), *_about(builder, runs, indices, inverse, counts, value.shape)


def _about_nothing(builder: Builder, indices: bool, inverse: bool, counts: bool, shape: tuple[int, ...]) -> tuple[Value, ...]:
    """Give what is asked where there are no elements."""
    wanted = [one for one, asked in (((0,), indices), (shape, inverse), ((0,), counts)) if asked]
    return tuple(call(builder, "zeros", one, INT32) for one in wanted)


def _about(builder: Builder, runs: _Runs, indices: bool, inverse: bool, counts: bool, shape: tuple[int, ...]) -> tuple[Value, ...]:
    """Give what is asked: where each run's first element was, each element's run, how long runs are."""
    found = []
    if indices:
        found.append(_indices(builder, runs))
    if inverse:
        found.append(_inverse(builder, runs, shape))
    if counts:
        found.append(_counts(builder, runs))
    return tuple(found)


def _ranks(builder: Builder, keys: list[Value]) -> Value:
    """Find the numbers of elements in the order of several keys, the most significant last, along the last axis; equal ones have one."""
    order = lexicographic_order(builder, keys)
    new: Value | None = None
    for key in keys:
        differing = _differing(builder, builder.make((in_order(key.read()[0], order),), key.dtype), equal_nan=True)
        new = differing if new is None else call(builder, "logical_or", new, differing)
    assert new is not None
    return builder.make((_numbered(builder, _first(builder, new), order),), INT32)


def _distinct_slices(builder: Builder, value: Value, axis: int, indices: bool, inverse: bool, counts: bool) -> tuple[Value, ...]:
    """
    Find the distinct slices along an axis, in lexicographic order.

    Every element is numbered in the order of the elements at its place of all slices; then every pair of neighbours in a slice, in the
    order of such pairs; and so on, until one number stands for a slice (R. M. Karp, R. E. Miller, A. L. Rosenberg, "Rapid identification
    of repeated patterns", STOC 1972).
    """
    number = value.shape[axis]
    if number == 0:
        return builder.make(value.read(), value.dtype), *_about_nothing(builder, indices, inverse, counts, (0,))
    moved = value.view(np.moveaxis(value.shadow, axis, -1))
    columns = call(builder, "reshape", moved, (math.prod(moved.shape[:-1]), number))
    if value.size == 0:
        ranks = builder.make((fill(0, (number,), INT32),), INT32)
    else:
        ranks = _ranks(builder, several_keys(builder, columns) or [columns])
        while (length := ranks.shape[0]) > 1:
            first, second = (ranks.view(ranks.shadow[start : length // 2 * 2 : 2]) for start in (0, 1))
            pairs = _ranks(builder, [second, first])
            ranks = concatenate(builder, [pairs, ranks.view(ranks.shadow[length // 2 * 2 :])], 0) if length % 2 else pairs
    numbers, places = ordered(builder, flat(ranks), 0)
    assert places is not None
    differing = _differing(builder, numbers, equal_nan=True)
    if value.dtype.kind not in "biu":
        nan = call(builder, "take", call(builder, "any", call(builder, "isnan", columns), axis=0), builder.make((places,), INT32))
        differing = call(builder, "logical_or", differing, nan.view(nan.shadow[1:]))  # NaN makes a slice unlike any other
    runs = _Runs(numbers, places, _first(builder, differing))
    found = call(builder, "take", value, _indices(builder, runs), axis=axis)
    return found, *_about(builder, runs, indices, inverse, counts, (number,))


def _unique(
    builder: Builder, value: Value, *, return_index: bool, return_inverse: bool, return_counts: bool, axis: int | None, equal_nan: bool
) -> Any:
    if axis is None or value.ndim == 1:
        found = _distinct(builder, value, return_index, return_inverse, return_counts, equal_nan)
    else:
        found = _distinct_slices(builder, value, axis, return_index, return_inverse, return_counts)
    return found if len(found) > 1 else found[0]


def _standard(indices: bool, inverse: bool, counts: bool) -> Callable[..., Any]:
    def run(builder: Builder, value: Value) -> Any:
        return _distinct(builder, value, indices, inverse, counts, equal_nan=False)

    return run


def _unique_values(builder: Builder, value: Value) -> Value:
    return _distinct(builder, value, False, False, False, equal_nan=False)[0]


def _as_set(builder: Builder, value: Value, assume_unique: bool) -> Value:
    return flat(value) if assume_unique else _distinct(builder, value, False, False, False, equal_nan=True)[0]


def _among(builder: Builder, value: Value, others: Value, invert: bool) -> Value:
    return call(builder, "getitem", value, call(builder, "isin", value, others, invert=invert))


def _union(builder: Builder, one: Value, other: Value) -> Value:
    return _as_set(builder, concatenate(builder, [flat(item) for item in (one, other)], 0), False)


def _intersection(builder: Builder, one: Value, other: Value, assume_unique: bool = False, return_indices: bool = False) -> Any:
    """Sort both sets together: of what is in both, there are two neighbours, and the first of them is that of the first set."""
    sets = []
    for item in (one, other):
        value = flat(item)
        sets.append((value,) if assume_unique else _distinct(builder, value, return_indices, False, False, equal_nan=True))
    together = concatenate(builder, [values for values, *_ in sets], 0)
    wide = [values.dtype.kind in "iu" and values.dtype.itemsize >= together.dtype.itemsize for values, *_ in sets]
    if together.dtype.kind not in "iu" and any(wide):
        raise NotNativeError(f"integers that {together.dtype} does not tell apart are compared on the host")
    if together.size == 0:
        return (together, *(call(builder, "zeros", (0,), INT32) for _ in sets)) if return_indices else together
    numbers, places = ordered(builder, together, 0, with_places=return_indices)
    ends = slice(None, -1), slice(1, None)
    both = call(builder, "equal", *(numbers.view(numbers.shadow[end]) for end in ends))
    common = call(builder, "getitem", numbers.view(numbers.shadow[ends[0]]), both)
    if places is None:
        return common
    was = builder.make((places,), INT32)
    found = [call(builder, "getitem", was.view(was.shadow[end]), both) for end in ends]
    found[1] = call(builder, "subtract", found[1], sets[0][0].size)
    if not assume_unique:
        found = [call(builder, "take", of_given, index) for (_, of_given), index in zip(sets, found, strict=True)]
    return common, *found


def _difference(builder: Builder, one: Value, other: Value, assume_unique: bool = False) -> Value:
    return _among(builder, _as_set(builder, one, assume_unique), flat(other), True)


def _exclusive(builder: Builder, one: Value, other: Value, assume_unique: bool = False) -> Value:
    values, others = (_as_set(builder, item, assume_unique) for item in (one, other))
    parts = [_among(builder, values, others, True), _among(builder, others, values, True)]
    return call(builder, "sort", concatenate(builder, parts, 0))


LOWERINGS: Final[Lowerings] = {
    "unique": _unique,
    "unique_all": _standard(True, True, True),
    "unique_counts": _standard(False, False, True),
    "unique_inverse": _standard(False, True, False),
    "unique_values": _unique_values,
    "union1d": _union,
    "intersect1d": _intersection,
    "setdiff1d": _difference,
    "setxor1d": _exclusive,
}
