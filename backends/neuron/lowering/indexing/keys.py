"""Index expressions with arrays: what their basic part looks at, and which elements of that the arrays select."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ....dtypes import BOOL
from ...value import Value
from .. import NotNativeError
from .masks import coordinates, is_long

if TYPE_CHECKING:
    from ...graph.builder import Builder

__all__ = ["Selection", "is_basic", "is_number", "select"]

Index = Value | npt.NDArray[Any]


class Selection(NamedTuple):
    """
    What an index expression selects.

    Attributes
    ----------
    view : Value
        What the basic part looks at.
    lead : int
        Axes of the view before those that arrays select from.
    arrays : list of Value or ndarray
        Integers, for one axis of the view after the other.
    axes : list of int
        Of the array that is indexed, for messages.
    shape : tuple of int
        To which the arrays broadcast.
    first : bool
        Whether the axes of the arrays come first in the result, before the leading ones of the view.
    """

    view: Value
    lead: int
    arrays: list[Index]
    axes: list[int]
    shape: tuple[int, ...]
    first: bool

    @property
    def lengths(self) -> tuple[int, ...]:
        """Look up the axes that arrays select from."""
        return self.view.shape[self.lead : self.lead + len(self.arrays)]

    @property
    def outer(self) -> tuple[int, ...]:
        """Look up the axes before those."""
        return self.view.shape[: self.lead]

    @property
    def inner(self) -> tuple[int, ...]:
        """Look up the axes after those."""
        return self.view.shape[self.lead + len(self.arrays) :]

    @property
    def turned(self) -> bool:
        """Tell whether the axes of the result come in another order than those that are looked at."""
        return self.first and bool(self.outer) and bool(self.shape)


def is_number(item: Any) -> bool:
    """Tell whether an item of a key is an integer, which takes an axis away."""
    return hasattr(item, "__index__") and not isinstance(item, (bool, np.bool, Value, np.ndarray))


def is_basic(key: Any) -> bool:
    """Tell whether a key has no arrays."""
    return all(item is None or item is Ellipsis or isinstance(item, slice) or is_number(item) for item in _items(key))


def _items(key: Any) -> tuple[Any, ...]:
    return key if isinstance(key, tuple) else (key,)


def select(builder: Builder, value: Value, key: Any) -> Selection:
    """Take an index expression apart."""
    items = [_taken(item) for item in _items(key)]
    used = sum(_axes(item) for item in items)
    if used > value.ndim:
        raise IndexError(f"too many indices for array: array is {value.ndim}-dimensional, but {used} were indexed")
    ellipses = sum(item is Ellipsis for item in items)
    if ellipses > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    if not ellipses:
        items.append(Ellipsis)
    basic: list[Any] = []
    arrays: list[Index] = []
    axes: list[int] = []  # of the array
    places: list[int] = []  # in the view
    axis = place = 0
    runs, ahead = 0, False  # runs of arrays and integers in the key, and whether one has just been
    for item in items:
        if item is Ellipsis:
            count = value.ndim - used
            basic += [slice(None)] * count
            axis, place = axis + count, place + count
        elif item is None or isinstance(item, slice):
            basic.append(item)
            axis, place = axis + (item is not None), place + 1
        elif is_number(item):
            basic.append(item)
            axis += 1
        else:
            for one in _integers(builder, item, value.shape, axis):
                scalar = item.dtype == BOOL and not item.ndim
                basic.append(None if scalar else slice(None))
                arrays.append(one)
                axes.append(axis)
                places.append(place)
                axis, place = axis + (not scalar), place + 1
        fancy = not (item is Ellipsis or item is None or isinstance(item, slice))
        runs += fancy and not ahead
        ahead = fancy
    shadow = value.shadow[(*basic, ...)]
    lead = places[0]
    if places != list(range(lead, lead + len(places))):
        shadow, lead = np.moveaxis(shadow, places, range(len(places))), 0
    try:
        shape = np.broadcast_shapes(*(array.shape for array in arrays))
    except ValueError:
        shapes = " ".join(str(array.shape) for array in arrays)
        raise IndexError(f"shape mismatch: indexing arrays could not be broadcast together with shapes {shapes}") from None
    return Selection(value.view(shadow), lead, arrays, axes, shape, runs > 1)


def _taken(item: Any) -> Any:
    """Make arrays of lists and bools."""
    if item is None or item is Ellipsis or isinstance(item, (slice, Value)) or is_number(item):
        return item
    if isinstance(item, (list, tuple)):
        if any(isinstance(one, Value) for one in _leaves(item)):
            raise NotNativeError("lists of arrays are made arrays on the host")
        array = np.asarray(item)
        item = array.astype(np.intp) if not array.size and array.dtype.kind == "f" else array
    if isinstance(item, (bool, np.bool)):
        item = np.asarray(item)
    if isinstance(item, np.ndarray) and item.dtype.kind in "biu":
        return item
    raise IndexError(
        "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices"
    )


def _leaves(items: Any) -> Iterator[Any]:
    for item in items:
        if isinstance(item, (list, tuple)):
            yield from _leaves(item)
        else:
            yield item


def _axes(item: Any) -> int:
    """Count the axes that an item takes."""
    if item is None or item is Ellipsis:
        return 0
    if isinstance(item, (Value, np.ndarray)) and item.dtype == BOOL:
        return len(item.shape)
    return 1


def _integers(builder: Builder, item: Index, shape: tuple[int, ...], axis: int) -> list[Index]:
    """Give the integers that an array means, one array for each axis it takes."""
    if item.dtype != BOOL:
        if item.dtype.kind not in "iu":
            raise IndexError(f"arrays used as indices must be of integer or boolean type, and this one is of {item.dtype}; convert it")
        return [item]
    for place, length in enumerate(item.shape):
        if length not in (0, shape[axis + place]):  # NumPy takes a mask of length 0 for an axis of any
            raise IndexError(
                f"boolean index did not match indexed array along axis {axis + place}; size of axis is {shape[axis + place]} "
                f"but size of corresponding boolean axis is {length}"
            )
    if isinstance(item, Value) and is_long(item):
        return list(coordinates(builder, item))
    mask = builder.on_host(item) if isinstance(item, Value) else item
    if not mask.ndim:
        return [np.zeros(int(mask), np.intp)]
    return list(np.nonzero(mask)) if math.prod(mask.shape) else [np.zeros(0, np.intp)] * mask.ndim
