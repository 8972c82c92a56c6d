"""Rules of Ops that look at elements in another shape or order: NumPy says what that is of a stand-in without elements."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, Final

import numpy as np

from ..dtypes import DType, HostArray, real_of
from ..promotion import PromotionTable
from ..shape import canonical_shape, checked_axis
from .signature import Results, Shape, Signature, signature_of

__all__ = ["View", "copied", "flatten", "in_a_row", "real", "reshape", "resize", "resized", "roll", "stand_in", "triangle", "view"]

_MEMORY: Final = bytes(16)  # of the one element of all stand-ins


def stand_in(operand: Signature) -> HostArray:
    """
    Make an array that stands in for one of a signature: all its elements are one, and nobody looks at that.

    Examples
    --------
    >>> stand_in(Signature((2, 3), np.dtype(np.float32))).strides
    (0, 0)
    """
    return np.ndarray(operand.shape, operand.dtype, _MEMORY, 0, (0,) * len(operand.shape))


def in_a_row(operand: Signature, axis: int | None) -> tuple[Shape, int]:
    """Give shape and axis as functions see them that take all elements in a row without an axis, and a number for a vector."""
    if axis is None:
        return (operand.size,), 0
    shape = operand.shape or (1,)
    return shape, checked_axis(axis, len(shape))


class View:
    """
    The rule of an Op that gives views of its operands, with the errors of NumPy.

    Parameters
    ----------
    function : callable
        NumPy's. It must not copy what has no strides: its result would take as much memory as the Op's.
    operands : int, optional
        How many of the positional operands are arrays, if not all.
    """

    __slots__ = ("_function", "_operands")

    def __init__(self, function: Callable[..., Any], operands: int | None = 1) -> None:
        self._function: Final = function
        self._operands: Final = operands

    def __call__(self, promotion: PromotionTable, /, *operands: Any, **parameters: Any) -> Results:
        """Infer the results; see `Rule`."""
        count = self._operands
        arrays = operands[:count]
        looked_at = [stand_in(signature_of(promotion, item)) for item in arrays]
        return _signatures(self._function(*looked_at, *operands[len(arrays) :], **parameters))


def _signatures(result: Any) -> Results:
    if isinstance(result, (list, tuple)):
        return type(result)([_signatures(item) for item in result])
    return Signature(result.shape, result.dtype)


def reshape(promotion: PromotionTable, a: Any, /, shape: Any, order: Any = "C", *, copy: bool | None = None) -> Signature:
    """See `numpy.reshape`."""
    result = np.reshape(stand_in(signature_of(promotion, a)), shape, order)
    return Signature(result.shape, result.dtype)


def flatten(promotion: PromotionTable, a: Any, order: Any = "C") -> Signature:  # NumPy's
    """See `numpy.ravel` and `numpy.ndarray.flatten`."""
    shape, dtype = signature_of(promotion, a)
    return Signature((prod(shape),), dtype)


def copied(promotion: PromotionTable, x: Any, *_: Any, **__: Any) -> Signature:
    """Give what has the shape and the dtype of its first operand."""
    operand: Signature = signature_of(promotion, x)
    return operand


def real(promotion: PromotionTable, val: Any) -> Signature:
    """See `numpy.real` and `numpy.imag`."""
    shape, dtype = signature_of(promotion, val)
    return Signature(shape, real_of(dtype) if dtype.kind == "c" else dtype)


def view(promotion: PromotionTable, x: Any, dtype: DType) -> Signature:
    """See `numpy.ndarray.view`: the last axis takes the change of width."""
    shape, old = signature_of(promotion, x)
    if old.itemsize == dtype.itemsize:
        return Signature(shape, dtype)
    if not shape:
        raise ValueError(f"a 0-d array of {old} has no view of {dtype}, whose elements have another width; reshape it to (1,) first")
    nbytes = shape[-1] * old.itemsize
    if nbytes % dtype.itemsize:
        raise ValueError(f"a last axis of {nbytes} bytes is no whole number of elements of {dtype}, which have {dtype.itemsize} bytes")
    return Signature((*shape[:-1], nbytes // dtype.itemsize), dtype)


def resize(promotion: PromotionTable, a: Any, new_shape: Any) -> Signature:
    """See `numpy.resize`."""
    dtype = signature_of(promotion, a).dtype
    return Signature(canonical_shape(new_shape, dtype), dtype)


def resized(promotion: PromotionTable, x: Any, shape: Shape) -> Signature:
    """Give an array in another shape, as `numpy.ndarray.resize` makes of it."""
    return Signature(shape, signature_of(promotion, x).dtype)


def roll(promotion: PromotionTable, a: Any, shift: Any, axis: Any = None) -> Signature:
    """See `numpy.roll`."""
    operand = signature_of(promotion, a)
    if axis is not None:
        axes = axis if isinstance(axis, (tuple, list)) else (axis,)
        for one in axes:
            checked_axis(one, operand.ndim)
        np.broadcast_shapes(np.shape(shift) if isinstance(shift, (tuple, list)) else (), (len(axes),))
    return operand


def triangle(promotion: PromotionTable, m: Any, k: int = 0) -> Signature:  # NumPy's
    """See `numpy.tril` and `numpy.triu`: of a vector, each row of a matrix is one."""
    shape, dtype = signature_of(promotion, m)
    if not shape:
        raise TypeError("a triangle is that of a matrix, but the array has no axes; give it two, as in x[None, None]")
    return Signature(shape if len(shape) > 1 else shape * 2, dtype)
