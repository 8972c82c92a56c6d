"""Rules of Ops that select elements by position, and of those that write to selected elements."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from ..dtypes import INT64, DType
from ..promotion import PromotionTable
from ..shape import canonical_shape, checked_axis
from .signature import NeedsValueError, Shape, Signature, broadcast_shapes, meeting_dtype, signature_of
from .views import in_a_row, stand_in

__all__ = [
    "choose",
    "compress",
    "diag_indices_from",
    "flat_getitem",
    "getitem",
    "ix_",
    "ravel_multi_index",
    "select",
    "take",
    "take_along_axis",
    "unravel_index",
    "where",
]

_MASK = "its length is the number of elements that a mask selects"


def getitem(promotion: PromotionTable, x: Any, key: Any) -> Signature:
    """See the user guide of NumPy on indexing."""
    operand = signature_of(promotion, x)
    items = [_index(promotion, item) for item in (key if isinstance(key, tuple) else (key,))]
    if not any(isinstance(item, Signature) for item in items):
        result = stand_in(operand)[key if isinstance(key, tuple) else tuple(items)]
        return Signature(result.shape, operand.dtype)
    # Integers are arrays, too, where there are arrays: all of them meet, where they stand next to each other in their place
    # and otherwise in front.
    view = stand_in(operand)[tuple(slice(None) if isinstance(item, Signature) else item for item in items)]  # checks the number of axes
    shapes = [item.shape for item in items if isinstance(item, Signature)]
    try:
        meeting = broadcast_shapes(*shapes)
    except ValueError:
        raise IndexError(f"arrays of indices of shapes {' and '.join(map(str, shapes))} do not broadcast; lengths are equal or 1") from None
    advanced = [isinstance(item, Signature) or _is_number(item) for item in items]
    first = advanced.index(True)
    adjacent = all(advanced[first : len(advanced) - advanced[::-1].index(True)])
    shape: list[int] = []
    places: list[int] = []
    axis = 0
    for item in [*items, *([] if Ellipsis in _plain(items) else [Ellipsis])]:
        if item is Ellipsis:
            count = view.ndim - sum(other is not Ellipsis and not _is_number(other) for other in items)
            shape += view.shape[axis : axis + count]
            axis += count
        elif isinstance(item, Signature):
            places.append(len(shape))
            axis += 1
        elif _is_number(item):
            places.append(len(shape))
        else:
            shape.append(view.shape[axis])
            axis += 1
    place = places[0] if adjacent else 0
    return Signature((*shape[:place], *meeting, *shape[place:]), operand.dtype)


def _plain(items: Sequence[Any]) -> list[Any]:
    return [item for item in items if not isinstance(item, Signature)]


def _is_number(item: Any) -> bool:
    return not isinstance(item, (Signature, slice)) and item is not None and item is not Ellipsis


def _index(promotion: PromotionTable, item: Any) -> Any:
    """Tell what an item of a key is: a Signature where it is an array."""
    if item is None or item is Ellipsis or isinstance(item, slice):
        return item
    if isinstance(item, (bool, np.bool)):
        raise NeedsValueError(_MASK)
    if isinstance(item, (list, tuple, range)) or (hasattr(item, "shape") and hasattr(item, "dtype")):
        if isinstance(item, np.generic):
            return item
        array = signature_of(promotion, item)
        if array.dtype.kind == "b":
            raise NeedsValueError(_MASK)
        if array.dtype.kind not in "iu":
            if isinstance(item, (list, tuple)) and not array.size:
                return array
            raise IndexError(f"arrays used as indices must be of integer (or boolean) type, and one is of {array.dtype}")
        return array
    return item


def flat_getitem(promotion: PromotionTable, x: Any, key: Any) -> Signature:
    """See `numpy.ndarray.flat`."""
    shape, dtype = signature_of(promotion, x)
    return getitem(promotion, Signature((prod(shape),), dtype), key)


def take(promotion: PromotionTable, a: Any, indices: Any, axis: int | None = None, out: Any = None, mode: str = "raise") -> Signature:
    """See `numpy.take`."""
    shape, dtype = signature_of(promotion, a)
    places = signature_of(promotion, indices)
    if hasattr(indices, "dtype") and places.dtype.kind not in "biu" and places.size:
        raise TypeError(f"indices are integers, and these are of {places.dtype}; cast them with astype")
    shape, axis = in_a_row(Signature(shape, dtype), axis)
    _check_mode(mode)
    if not shape[axis] and places.size and prod(shape[:axis]):
        raise IndexError("cannot do a non-empty take from an empty axes.")
    return Signature((*shape[:axis], *places.shape, *shape[axis + 1 :]), dtype)


def _check_mode(mode: Any) -> None:
    """Refuse what does not say what becomes of indices that are out of bounds."""
    if isinstance(mode, str) and mode not in ("raise", "wrap", "clip"):
        raise ValueError(f"mode is {mode!r}; use 'raise', 'wrap' or 'clip'")


def take_along_axis(promotion: PromotionTable, x: Any, indices: Any, /, *, axis: int | None = -1) -> Signature:
    """See `numpy.take_along_axis`."""
    shape, dtype = signature_of(promotion, x)
    places = signature_of(promotion, indices)
    if places.dtype.kind not in "iu":
        raise IndexError(f"`indices` must be an integer array, and is of {places.dtype}")
    if axis is None:
        if places.ndim != 1:
            raise ValueError("when axis=None, `indices` must have a single dimension.")
        return Signature(places.shape, dtype)
    if len(shape) != places.ndim:
        raise ValueError(f"`indices` and `arr` must have the same number of dimensions, and have {places.ndim} and {len(shape)}")
    axis = checked_axis(axis, len(shape))
    beside = broadcast_shapes((*shape[:axis], 1, *shape[axis + 1 :]), (*places.shape[:axis], 1, *places.shape[axis + 1 :]))
    return Signature((*beside[:axis], places.shape[axis], *beside[axis + 1 :]), dtype)


def compress(promotion: PromotionTable, condition: Any, a: Any, axis: int | None = None, out: Any = None) -> Signature:
    """See `numpy.compress`."""
    shape, dtype = signature_of(promotion, a)
    mask = signature_of(promotion, condition)
    if mask.ndim != 1:
        raise ValueError(f"condition must be a 1-d array, and has the shape {mask.shape}")
    if hasattr(condition, "dtype"):
        raise NeedsValueError(_MASK)
    shape, axis = in_a_row(Signature(shape, dtype), axis)
    chosen = np.flatnonzero(condition)
    if chosen.size and chosen[-1] >= shape[axis]:
        raise IndexError(f"index {chosen[-1]} is out of bounds for axis {axis} with size {shape[axis]}")
    return Signature((*shape[:axis], chosen.size, *shape[axis + 1 :]), dtype)


def choose(promotion: PromotionTable, a: Any, choices: Any, out: Any = None, mode: str = "raise") -> Signature:
    """See `numpy.choose`."""
    places = signature_of(promotion, a)
    if places.dtype.kind not in "biu":
        raise TypeError(f"choose takes integers that say which choice, and these are of {places.dtype}; cast them with astype")
    if isinstance(choices, (list, tuple)):
        parts = [signature_of(promotion, item) for item in choices]
    else:
        shape, dtype = signature_of(promotion, choices)
        parts = [Signature(shape[1:], dtype)] * (shape[0] if shape else 0)
    _check_mode(mode)
    if not parts:
        raise ValueError("choose needs an array to choose from; give one or more")
    shape = broadcast_shapes(places.shape, *[part.shape for part in parts])
    return Signature(shape, promotion.result_type(*[part.dtype for part in parts]))


def select(promotion: PromotionTable, condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0) -> Signature:
    """See `numpy.select`."""
    if len(condlist) != len(choicelist):
        raise ValueError(f"select takes as many conditions as choices, and has {len(condlist)} and {len(choicelist)}")
    if not len(condlist):
        raise ValueError("select needs a condition and a choice at least")
    conditions = [signature_of(promotion, item) for item in condlist]
    for number, condition in enumerate(conditions):
        if condition.dtype.kind != "b":
            raise TypeError(f"invalid entry {number} in condlist: it is of {condition.dtype}, and should be of bool")
    choices = [*choicelist, default]
    shape = broadcast_shapes(*[signature_of(promotion, item).shape for item in choices], *[item.shape for item in conditions])
    return Signature(shape, meeting_dtype(promotion, *choices))


def where(promotion: PromotionTable, condition: Any, *choices: Any) -> Signature:
    """See `numpy.where`."""
    if not choices:
        raise NeedsValueError("it gives as many indices as there are elements that are not zero")
    if len(choices) != 2:
        raise ValueError("either both or neither of x and y should be given")
    shapes = [signature_of(promotion, item).shape for item in (condition, *choices)]
    return Signature(broadcast_shapes(*shapes), meeting_dtype(promotion, *choices))


def ix_(promotion: PromotionTable, *args: Any) -> tuple[Signature, ...]:
    """See `numpy.ix_`."""
    result = []
    for place, item in enumerate(args):
        shape, dtype = signature_of(promotion, item)
        if len(shape) != 1:
            raise ValueError(f"Cross index must be 1 dimensional, and one has the shape {shape}")
        if dtype.kind == "b":
            raise NeedsValueError(_MASK)
        if not shape[0] and not hasattr(item, "dtype"):
            dtype = promotion.default_index
        result.append(Signature((1,) * place + shape + (1,) * (len(args) - place - 1), dtype))
    return tuple(result)


def diag_indices_from(promotion: PromotionTable, arr: Any) -> tuple[Signature, ...]:
    """See `numpy.diag_indices_from`."""
    shape = signature_of(promotion, arr).shape
    if len(shape) < 2:
        raise ValueError(f"input array must be at least 2-d, and has the shape {shape}")
    if len(set(shape)) > 1:
        raise ValueError(f"All dimensions of input must be of equal length, and they are {shape}")
    return (Signature(shape[:1], promotion.default_index),) * len(shape)


def unravel_index(promotion: PromotionTable, indices: Any, shape: Any, order: str = "C") -> tuple[Signature, ...]:  # NumPy's
    """See `numpy.unravel_index`."""
    places = signature_of(promotion, indices)
    sides: Shape = canonical_shape(shape, promotion.default_index)
    if places.dtype.kind not in "iu" and places.size:
        raise TypeError(f"only int indices permitted, and these are of {places.dtype}")
    return tuple([Signature(places.shape, _counting(promotion, side)) for side in sides])


def _counting(promotion: PromotionTable, count: int) -> DType:
    """Tell the dtype of positions among so many."""
    return INT64 if count > np.iinfo(promotion.default_index).max else promotion.default_index


def ravel_multi_index(promotion: PromotionTable, multi_index: Any, dims: Any, mode: Any = "raise", order: str = "C") -> Signature:
    """See `numpy.ravel_multi_index`."""
    if isinstance(multi_index, (list, tuple)):
        parts = [signature_of(promotion, item) for item in multi_index]
    else:
        shape, dtype = signature_of(promotion, multi_index)
        parts = [Signature(shape[1:], dtype)] * (shape[0] if shape else 0)
    sides = canonical_shape(dims, promotion.default_index)
    for one in mode if isinstance(mode, tuple) else (mode,):
        _check_mode(one)
    if len(parts) != len(sides):
        raise ValueError(f"parameter multi_index must be a sequence of length {len(sides)}, and has {len(parts)}")
    if any(part.dtype.kind not in "iu" and part.size for part in parts):
        raise TypeError("only int indices permitted")
    return Signature(broadcast_shapes(*[part.shape for part in parts]), _counting(promotion, prod(sides)))
