"""Rules of Ops that join, repeat, pad and cut elements."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..promotion import NUMPY, PromotionTable
from ..shape import checked_axis
from .signature import NeedsValueError, Shape, Signature, signature_of
from .views import in_a_row, stand_in
from .writing import check_fits

__all__ = [
    "append",
    "block",
    "column_stack",
    "concatenate",
    "delete",
    "dstack",
    "hstack",
    "insert",
    "pad",
    "repeat",
    "stack",
    "tile",
    "vstack",
]


def _parts(promotion: PromotionTable, arrays: Any) -> list[Signature]:
    """Tell the arrays of a sequence, which may be those along the first axis of one."""
    if isinstance(arrays, (list, tuple)):
        parts = [signature_of(promotion, item) for item in arrays]
    else:
        shape, dtype = signature_of(promotion, arrays)
        parts = [Signature(shape[1:], dtype)] * shape[0] if shape else []
    if not parts:
        raise ValueError("need at least one array to join; give a sequence of them")
    return parts


def _joined(
    promotion: PromotionTable, parts: Sequence[Signature], axis: int | None, dtype: Any = None, casting: str = "same_kind"
) -> Signature:
    """Join arrays along an axis that they have, or with None one after the other."""
    common = promotion.result_type(*[part.dtype for part in parts]) if dtype is None else np.dtype(dtype)
    for part in parts:
        if part.dtype != common and not NUMPY.can_cast(part.dtype, common, casting):
            raise TypeError(f"cannot cast from {part.dtype} to {common} by the rule {casting!r}; allow it with casting='unsafe'")
    if axis is None:
        return Signature((sum(part.size for part in parts),), common)
    first = parts[0].shape
    if not first:
        raise ValueError("zero-dimensional arrays cannot be concatenated; stack them")
    axis = checked_axis(axis, len(first))
    length = 0
    for shape, _ in parts:
        if len(shape) != len(first) or any(one != other for i, (one, other) in enumerate(zip(shape, first, strict=True)) if i != axis):
            raise ValueError(f"all the input array dimensions except axis {axis} must match, and shapes {first} and {shape} do not")
        length += shape[axis]
    return Signature((*first[:axis], length, *first[axis + 1 :]), common)


def concatenate(
    promotion: PromotionTable, arrays: Any, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
) -> Signature:
    """See `numpy.concatenate`."""
    return _joined(promotion, _parts(promotion, arrays), axis, dtype, casting)


def stack(
    promotion: PromotionTable, arrays: Any, axis: int = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
) -> Signature:
    """See `numpy.stack`."""
    parts = _parts(promotion, arrays)
    shape = parts[0].shape
    for part in parts:
        if part.shape != shape:
            raise ValueError(f"all input arrays must have the same shape, but two have the shapes {shape} and {part.shape}")
    axis = checked_axis(axis, len(shape) + 1)
    return _joined(promotion, [Signature((*shape[:axis], 1, *shape[axis:]), part.dtype) for part in parts], axis, dtype, casting)


def _at_least(parts: Sequence[Signature], look: Any) -> list[Signature]:
    """Give arrays so many axes as one of the functions `numpy.atleast_1d`, `atleast_2d` and `atleast_3d` does."""
    return [Signature(look(stand_in(part)).shape, part.dtype) for part in parts]


def vstack(promotion: PromotionTable, tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Signature:
    """See `numpy.vstack`."""
    return _joined(promotion, _at_least(_parts(promotion, tup), np.atleast_2d), 0, dtype, casting)


def hstack(promotion: PromotionTable, tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Signature:
    """See `numpy.hstack`."""
    parts = _at_least(_parts(promotion, tup), np.atleast_1d)
    return _joined(promotion, parts, 0 if parts[0].ndim == 1 else 1, dtype, casting)


def dstack(promotion: PromotionTable, tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Signature:
    """See `numpy.dstack`."""
    return _joined(promotion, _at_least(_parts(promotion, tup), np.atleast_3d), 2, dtype, casting)


def column_stack(promotion: PromotionTable, tup: Any) -> Signature:
    """See `numpy.column_stack`: vectors are columns."""
    parts = [Signature((*shape, 1)[-2:] if len(shape) < 2 else shape, dtype) for shape, dtype in _parts(promotion, tup)]
    return _joined(promotion, [Signature((1,) * (2 - part.ndim) + part.shape, part.dtype) for part in parts], 1)


def block(promotion: PromotionTable, arrays: Any) -> Signature:
    """See `numpy.block`: the innermost lists join along the last axis, those around them along the one before, and so on."""
    depth = _depth(arrays)
    ndim = max(depth, *(leaf.ndim for leaf in _leaves(promotion, arrays)))
    return _block(promotion, arrays, depth, ndim)


def _depth(arrays: Any) -> int:
    if isinstance(arrays, tuple):
        raise TypeError("np.block takes lists of arrays, and a tuple is among them; write a list")
    if not isinstance(arrays, list):
        return 0
    depths = {_depth(item) for item in arrays}
    if not depths:
        raise ValueError("List depths are mismatched or a list is empty; give each list an array")
    if len(depths) > 1:
        raise ValueError("List depths are mismatched; nest all arrays equally deep")
    return depths.pop() + 1


def _leaves(promotion: PromotionTable, arrays: Any) -> list[Signature]:
    if isinstance(arrays, list):
        return [leaf for item in arrays for leaf in _leaves(promotion, item)]
    return [signature_of(promotion, arrays)]


def _block(promotion: PromotionTable, arrays: Any, depth: int, ndim: int) -> Signature:
    if not isinstance(arrays, list):
        shape, dtype = signature_of(promotion, arrays)
        return Signature((1,) * (ndim - len(shape)) + shape, dtype)
    return _joined(promotion, [_block(promotion, item, depth - 1, ndim) for item in arrays], ndim - depth)


def append(promotion: PromotionTable, arr: Any, values: Any, axis: int | None = None) -> Signature:
    """See `numpy.append`."""
    return _joined(promotion, [signature_of(promotion, arr), signature_of(promotion, values)], axis)


def _flat_or(operand: Signature, axis: int | None) -> tuple[Shape, int]:
    """Give the shape and the axis along which elements come and go: of all elements in a row without an axis."""
    if axis is None:
        return (operand.shape if operand.ndim == 1 else (operand.size,)), 0
    return operand.shape, checked_axis(axis, operand.ndim)


def _with_length(operand: Signature, shape: Shape, axis: int, length: int) -> Signature:
    return Signature((*shape[:axis], length, *shape[axis + 1 :]), operand.dtype)


def insert(promotion: PromotionTable, arr: Any, obj: Any, values: Any, axis: int | None = None) -> Signature:
    """See `numpy.insert`."""
    operand = signature_of(promotion, arr)
    shape, axis = _flat_or(operand, axis)
    length = shape[axis]
    given = signature_of(promotion, values).shape
    if isinstance(obj, slice):
        count, flat = len(range(*obj.indices(length))), True
    else:
        indices = signature_of(promotion, obj)
        if indices.dtype.kind == "b":
            raise NeedsValueError("a mask says where it inserts")
        if indices.ndim > 1:
            raise ValueError(f"index array argument obj to insert must be one dimensional or scalar, and has the shape {indices.shape}")
        if indices.size and indices.dtype.kind not in "iu":
            raise IndexError(f"arrays used as indices are of integers, and these are of {indices.dtype}")
        if not hasattr(obj, "dtype"):
            _check_positions(obj, length + 1)
        count, flat = indices.size, indices.ndim > 0
    if count == 1:
        given = (1,) * (len(shape) - len(given)) + given
        if not flat:  # the first axis of what is inserted at a number is the one along which it goes
            given = (*given[1 : axis + 1], given[0], *given[axis + 1 :])
        count = given[axis]
    check_fits(given, (*shape[:axis], count, *shape[axis + 1 :]))
    return _with_length(operand, shape, axis, length + count)


def _check_positions(indices: Any, end: int) -> None:
    for index in np.atleast_1d(indices).tolist():
        if not -end < index + (index >= 0) <= end:
            raise IndexError(f"index {index} is out of bounds for an axis of size {end - 1}")


def delete(promotion: PromotionTable, arr: Any, obj: Any, axis: int | None = None) -> Signature:
    """See `numpy.delete`."""
    operand = signature_of(promotion, arr)
    shape, axis = _flat_or(operand, axis)
    length = shape[axis]
    if isinstance(obj, slice):
        return _with_length(operand, shape, axis, length - len(range(*obj.indices(length))))
    indices = signature_of(promotion, obj)
    if indices.size == 1 and indices.dtype.kind in "iu":
        if not hasattr(obj, "dtype"):
            (index,) = np.ravel(obj).tolist()
            if not -length <= index < length:
                raise IndexError(f"index {index} is out of bounds for axis {axis} with size {length}")
        return _with_length(operand, shape, axis, length - 1)
    if hasattr(obj, "dtype"):
        raise NeedsValueError("it deletes as many elements as there are different indices")
    kept = np.delete(np.empty(length, np.bool), obj)
    return _with_length(operand, shape, axis, kept.size)


def repeat(promotion: PromotionTable, a: Any, repeats: Any, axis: int | None = None) -> Signature:
    """See `numpy.repeat`."""
    operand = signature_of(promotion, a)
    shape, axis = in_a_row(operand, axis)
    counts = signature_of(promotion, repeats)
    if hasattr(repeats, "dtype") and not isinstance(repeats, np.generic):
        raise NeedsValueError("its length is the sum of the repeats")
    if counts.dtype.kind not in "biu" and counts.size:
        raise TypeError(f"repeats are integers, and these are of {counts.dtype}; cast them with astype")
    if counts.ndim > 1:
        raise ValueError(f"repeats are a number or one-dimensional, and have the shape {counts.shape} here")
    each = np.ravel(repeats).tolist()
    if len(each) not in (1, shape[axis]):
        raise ValueError(f"{len(each)} repeats do not broadcast to the {shape[axis]} elements of axis {axis}; give one for each, or one")
    if shape[axis] and any(count < 0 for count in each):
        raise ValueError("repeats may not contain negative values.")
    return _with_length(operand, shape, axis, each[0] * shape[axis] if len(each) == 1 else sum(each))


def tile(promotion: PromotionTable, A: Any, reps: Any) -> Signature:  # NumPy's
    """See `numpy.tile`."""
    shape, dtype = signature_of(promotion, A)
    times = tuple(reps) if isinstance(reps, (list, tuple)) else (operator.index(reps),)
    ndim = max(len(shape), len(times))
    sides = zip((1,) * (ndim - len(shape)) + shape, (1,) * (ndim - len(times)) + times, strict=True)
    result = tuple([side * operator.index(count) for side, count in sides])
    if any(side < 0 for side in result):
        raise ValueError("negative dimensions are not allowed: the elements are repeated 0 times or more")
    return Signature(result, dtype)


def pad(promotion: PromotionTable, array: Any, pad_width: Any, mode: Any = "constant", **_: Any) -> Signature:
    """See `numpy.pad`."""
    shape, dtype = signature_of(promotion, array)
    if isinstance(pad_width, dict):
        widths = [(0, 0)] * len(shape)
        for axis, width in pad_width.items():
            widths[checked_axis(axis, len(shape))] = (width, width) if isinstance(width, int) else width
    else:
        widths = pad_width
    pairs = np.asarray(widths)
    if pairs.dtype.kind not in "iu":
        raise TypeError("`pad_width` must be of integral type.")
    if pairs.size and pairs.min() < 0:
        raise ValueError("index can't contain negative values")
    if pairs.shape == (2, 1) and len(shape) == 2:  # as NumPy reads it: one number for both ends of each axis
        pairs = np.repeat(pairs, 2, axis=1)
    pairs = np.broadcast_to(pairs, (len(shape), 2))
    if callable(mode):
        raise NeedsValueError("a function of the caller's fills what it pads")
    if mode not in _MODES:
        raise ValueError(f"mode {mode!r} is not supported; use one of {', '.join(sorted(_MODES))}")
    for axis, (side, ends) in enumerate(zip(shape, pairs.tolist(), strict=True)):
        if side == 0 and any(ends) and mode not in ("constant", "empty"):
            raise ValueError(f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'")
    return Signature(tuple([side + sum(ends) for side, ends in zip(shape, pairs.tolist(), strict=True)]), dtype)


_MODES = frozenset({"constant", "edge", "empty", "linear_ramp", "maximum", "mean", "median", "minimum", "reflect", "symmetric", "wrap"})
