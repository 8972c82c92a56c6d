"""Index expressions with arrays: what their basic part looks at, and which elements of that the arrays select."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ....dtypes import BOOL
from ...value import Value
from .. import Builder
from .masks import coordinates, is_long

__all__ = ["Selection", "has_arrays", "select"]

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


def has_arrays(key: tuple[Any, ...]) -> bool:
    """Tell whether a key has arrays, which a canonical one then has for each of its sequences and bools."""
    return any(isinstance(item, (Value, np.ndarray)) for item in key)


def select(builder: Builder, value: Value, key: tuple[Any, ...]) -> Selection:
    """Take an index expression with arrays apart."""
    basic: list[Any] = []
    arrays: list[Index] = []
    axes: list[int] = []  # of the array
    places: list[int] = []  # in the view
    axis = place = 0
    runs, ahead = 0, False  # runs of arrays and integers in the key, and whether one has just been
    for item in key:
        fancy = item is not None and item is not Ellipsis and not isinstance(item, slice)
        runs += fancy and not ahead
        ahead = fancy
        if item is Ellipsis:  # that stands for no axis
            continue
        if not isinstance(item, (Value, np.ndarray)):
            basic.append(item)
            axis, place = axis + (item is not None), place + (not fancy)
            continue
        scalar = item.dtype == BOOL and not item.ndim
        for one in _integers(builder, item):
            basic.append(None if scalar else slice(None))
            arrays.append(one)
            axes.append(axis)
            places.append(place)
            axis, place = axis + (not scalar), place + 1
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


def _integers(builder: Builder, item: Index) -> list[Index]:
    """Give the integers that an array means, one array for each axis it takes."""
    if item.dtype != BOOL:
        return [item]
    if isinstance(item, Value) and is_long(item):
        return list(coordinates(builder, item))
    mask = builder.on_host(item) if isinstance(item, Value) else item
    if not mask.ndim:
        return [np.zeros(int(mask), np.intp)]
    return list(np.nonzero(mask)) if math.prod(mask.shape) else [np.zeros(0, np.intp)] * mask.ndim
