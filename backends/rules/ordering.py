"""Rules of Ops that order elements, and of those that look for them in an order."""

from __future__ import annotations

from math import prod
from typing import Any, Final

import numpy as np

from ..dtypes import complex_of
from ..promotion import PromotionTable
from ..shape import checked_axis
from .signature import Signature, real_double_dtype, signature_of
from .views import in_a_row

__all__ = ["Ordered", "Partitioned", "digitize", "lexsort", "searchsorted", "sort_complex", "topk"]


class Ordered:
    """
    The rule of an Op that orders elements along an axis.

    Parameters
    ----------
    indices : bool
        Whether it gives indices.
    flat : bool
        Whether it takes a number for a vector.
    """

    __slots__ = ("_flat", "_indices")

    def __init__(self, *, indices: bool, flat: bool = False) -> None:
        self._indices: Final = indices
        self._flat: Final = flat

    def __call__(self, promotion: PromotionTable, /, a: Any, *_: Any, axis: int | None = -1, **__: Any) -> Signature:
        """Infer the result; see `Rule`."""
        shape, dtype = signature_of(promotion, a)
        if axis is None:
            shape = (prod(shape),)
        elif shape or not self._flat:
            checked_axis(axis, len(shape))
        return Signature(shape, promotion.default_index if self._indices else dtype)


class Partitioned:
    """
    The rule of an Op that puts the elements of some ranks along an axis where sorting would.

    Parameters
    ----------
    indices : bool
        Whether it gives indices.
    """

    __slots__ = ("_indices",)

    def __init__(self, *, indices: bool) -> None:
        self._indices: Final = indices

    def __call__(self, promotion: PromotionTable, /, a: Any, kth: Any, axis: int | None = -1, *_: Any, **__: Any) -> Signature:
        """Infer the result; see `Rule`."""
        shape, dtype = signature_of(promotion, a)
        if axis is not None and not shape and not self._indices:
            raise np.exceptions.AxisError(axis, 0)
        shape, axis = in_a_row(Signature(shape, dtype), axis)
        length = shape[axis]
        for rank in np.ravel(kth).tolist():
            if not isinstance(rank, int):
                raise TypeError("Partition index must be integer")
            if prod(shape) and not -length <= rank < length:
                raise ValueError(f"kth(={rank}) out of bounds ({length})")
        return Signature(shape, promotion.default_index if self._indices else dtype)


def lexsort(promotion: PromotionTable, keys: Any, axis: int = -1) -> Signature:
    """See `numpy.lexsort`."""
    if isinstance(keys, (list, tuple)):
        shapes = [signature_of(promotion, key).shape for key in keys]
    else:
        shape = signature_of(promotion, keys).shape
        shapes = [shape[1:]] * (shape[0] if shape else 0)
    if not shapes:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    if any(shape != shapes[0] for shape in shapes):
        raise ValueError(f"all keys need to be the same shape, and they are {', '.join(map(str, shapes))}")
    if shapes[0]:
        checked_axis(axis, len(shapes[0]))
    return Signature(shapes[0], promotion.default_index)


def topk(promotion: PromotionTable, x: Any, /, k: int, *, axis: int = -1, descending: bool = True) -> tuple[Signature, Signature]:
    """See `trnarray.topk`."""
    shape, dtype = signature_of(promotion, x)
    axis = checked_axis(axis, len(shape))
    if not 0 <= k <= shape[axis]:
        raise ValueError(f"topk takes from 0 to {shape[axis]} elements of this axis, and k is {k}")
    taken = (*shape[:axis], k, *shape[axis + 1 :])
    return Signature(taken, dtype), Signature(taken, promotion.default_index)


def sort_complex(promotion: PromotionTable, a: Any) -> Signature:
    """See `numpy.sort_complex`."""
    shape, dtype = signature_of(promotion, a)
    if not shape:
        raise np.exceptions.AxisError(-1, 0)
    if dtype.kind == "c":
        return Signature(shape, dtype)
    if dtype.kind in "iu" and dtype.itemsize <= 2:
        return Signature(shape, complex_of(np.dtype(np.float32)))
    return Signature(shape, complex_of(real_double_dtype(promotion, Signature(shape, dtype))))


def searchsorted(promotion: PromotionTable, a: Any, v: Any, side: Any = "left", sorter: Any = None) -> Signature:
    """See `numpy.searchsorted`."""
    numbers = signature_of(promotion, a)
    if numbers.ndim != 1:
        raise ValueError(f"searchsorted looks in a vector, and this array has the shape {numbers.shape}")
    if side not in ("left", "right", "l", "r"):
        raise ValueError(f"side is 'left' or 'right', and not {side!r}")
    if sorter is not None:
        order = signature_of(promotion, sorter)
        if order.dtype.kind not in "biu":
            raise TypeError("sorter must only contain integers")
        if order.shape != numbers.shape:
            raise ValueError("sorter.size must equal input.size")
    return Signature(signature_of(promotion, v).shape, promotion.default_index)


def digitize(promotion: PromotionTable, x: Any, bins: Any, right: bool = False) -> Signature:  # NumPy's
    """See `numpy.digitize`."""
    points, edges = signature_of(promotion, x), signature_of(promotion, bins)
    if points.dtype.kind == "c":
        raise TypeError("x may not be complex")
    if edges.ndim != 1:
        raise ValueError(f"bins must be 1-dimensional, and have the shape {edges.shape}")
    return Signature(points.shape, promotion.default_index)
