"""Rules of Ops that write to an operand: they give nothing, and refuse what does not fit."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..promotion import PromotionTable
from ..shape import checked_axis
from .indexing import flat_getitem, getitem, take_along_axis
from .ordering import Ordered, Partitioned
from .signature import NeedsValueError, Shape, Signature, broadcast_shapes, signature_of

__all__ = [
    "at",
    "byteswap",
    "check_fits",
    "copyto",
    "fill",
    "fill_diagonal",
    "flat_setitem",
    "partition",
    "put",
    "put_along_axis",
    "putmask",
    "set_imag",
    "set_real",
    "setitem",
    "sort",
]

_SORTED = Ordered(indices=False)
_PARTITIONED = Partitioned(indices=False)


def check_fits(given: Shape, wanted: Shape) -> None:
    """Refuse an array that does not broadcast to the elements that it is written to; axes of length 1 in front do not count."""
    while len(given) > len(wanted) and given[0] == 1:
        given = given[1:]
    if broadcast_shapes(given, wanted) != wanted:
        raise ValueError(f"could not broadcast input array from shape {given} into shape {wanted}")


def setitem(promotion: PromotionTable, array: Any, key: Any, value: Any) -> None:
    """Write to what an index expression selects."""
    given = signature_of(promotion, value).shape
    try:
        check_fits(given, getitem(promotion, array, key).shape)
    except NeedsValueError:
        if given:  # one number fits whatever a mask selects
            raise


def flat_setitem(promotion: PromotionTable, x: Any, key: Any, values: Any) -> None:
    """See `numpy.ndarray.flat`: what is written is repeated."""
    signature_of(promotion, values)
    flat_getitem(promotion, x, key)


def at(promotion: PromotionTable, a: Any, indices: Any, *b: Any) -> None:
    """See `numpy.ufunc.at`."""
    chosen = getitem(promotion, a, indices).shape
    for operand in b:
        check_fits(signature_of(promotion, operand).shape, chosen)


def copyto(promotion: PromotionTable, dst: Any, src: Any, casting: Any = "same_kind", where: Any = True) -> None:
    """See `numpy.copyto`."""
    shape, dtype = signature_of(promotion, dst)
    source = signature_of(promotion, src)
    weak = type(src) in (bool, int) or (type(src) is float and dtype.kind in "fc")
    if not weak and not np.can_cast(source.dtype, dtype, casting):
        raise TypeError(f"cannot cast from {source.dtype} to {dtype} by the rule {casting!r}; allow it with casting='unsafe'")
    check_fits(source.shape, shape)
    check_fits(signature_of(promotion, where).shape, shape)


def fill(promotion: PromotionTable, x: Any, value: Any) -> None:
    """See `numpy.ndarray.fill`."""
    check_fits(signature_of(promotion, value).shape, ())


def _check_real(promotion: PromotionTable, values: Any) -> None:
    """Refuse complex numbers, as NumPy does; of arrays it drops imaginary parts, and warns."""
    if not hasattr(values, "dtype") and signature_of(promotion, values).dtype.kind == "c":
        raise TypeError("real and imaginary parts are real numbers; take the real parts of what is written")


def set_real(promotion: PromotionTable, x: Any, values: Any) -> None:
    """Write to real parts."""
    if signature_of(promotion, x).dtype.kind != "b":  # of which all numbers are truths
        _check_real(promotion, values)
    check_fits(signature_of(promotion, values).shape, signature_of(promotion, x).shape)


def set_imag(promotion: PromotionTable, x: Any, values: Any) -> None:
    """Write to imaginary parts."""
    operand = signature_of(promotion, x)
    if operand.dtype.kind != "c":
        raise TypeError(f"an array of {operand.dtype} does not have imaginary part to set; make it complex with astype")
    _check_real(promotion, values)
    check_fits(signature_of(promotion, values).shape, operand.shape)


def byteswap(promotion: PromotionTable, x: Any, inplace: bool) -> Signature:
    """See `numpy.ndarray.byteswap`."""
    if inplace:
        raise NeedsValueError("it gives its operand back")
    return signature_of(promotion, x)


def put(promotion: PromotionTable, a: Any, ind: Any, v: Any, mode: Any = "raise") -> None:
    """See `numpy.put`."""
    places = signature_of(promotion, ind)
    signature_of(promotion, v)
    if hasattr(ind, "dtype") and places.dtype.kind not in "biu" and places.size:
        raise TypeError(f"indices are integers, and these are of {places.dtype}; cast them with astype")
    if places.size and not signature_of(promotion, a).size:
        raise IndexError("cannot replace elements of an empty array")


def put_along_axis(promotion: PromotionTable, arr: Any, indices: Any, values: Any, axis: int | None) -> None:
    """See `numpy.put_along_axis`."""
    check_fits(signature_of(promotion, values).shape, take_along_axis(promotion, arr, indices, axis=axis).shape)


def putmask(promotion: PromotionTable, a: Any, mask: Any, values: Any) -> None:
    """See `numpy.putmask` and `numpy.place`: what is written is repeated."""
    signature_of(promotion, values)
    size, count = signature_of(promotion, a).size, signature_of(promotion, mask).size
    if size != count:
        raise ValueError(f"mask and data must be the same size, and have {count} and {size} elements")


def fill_diagonal(promotion: PromotionTable, a: Any, val: Any, wrap: bool = False) -> None:
    """See `numpy.fill_diagonal`."""
    signature_of(promotion, val)
    shape = signature_of(promotion, a).shape
    if len(shape) < 2:
        raise ValueError(f"array must be at least 2-d, and has the shape {shape}")
    if len(shape) > 2 and len(set(shape)) > 1:
        raise ValueError(f"All dimensions of input must be of equal length, and they are {shape}")


def sort(promotion: PromotionTable, x: Any, axis: int = -1, *_: Any, **__: Any) -> None:
    """See `numpy.ndarray.sort`."""
    _SORTED(promotion, x, axis=checked_axis(axis, len(signature_of(promotion, x).shape)))


def partition(promotion: PromotionTable, x: Any, kth: Any, axis: int = -1, *_: Any, **__: Any) -> None:
    """See `numpy.ndarray.partition`."""
    _PARTITIONED(promotion, x, kth, axis)
