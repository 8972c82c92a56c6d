"""The rule of reductions over axes, and the dtype of sums."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..dtypes import BOOL, DType, real_of
from ..promotion import PromotionTable
from ..shape import all_axes
from .elementwise import is_true
from .signature import Signature, signature_of

__all__ = ["Reduction", "sum_dtype", "with_integers"]


class Reduction:
    """
    The rule of a reduction over axes.

    Parameters
    ----------
    result : {"same", "sum", "float", "real", "bool", "index"}
        The dtype of the result: the operand's own; that of a sum, in which small integers widen to the default
        integer and unsigned ones to its unsigned counterpart; the operand's or the default float for integers; that of
        its real part; bool; or the dtype of indices.
    identity : bool, optional
        Whether an axis without elements can be reduced, without `initial`.
    scalars : {False, True, "where", "floats"}, optional
        Whether a number has a first and last axis, as for the ``reduce`` of ufuncs: where conditions are given, or of floats alone.
    booleans : bool, optional
        Whether bool is reduced.
    """

    __slots__ = ("_booleans", "_identity", "_scalars", "result")

    def __init__(self, result: str, *, identity: bool = True, scalars: bool | str = False, booleans: bool = True) -> None:
        self.result: Final = result
        self._identity: Final = identity
        self._scalars: Final = scalars
        self._booleans: Final = booleans

    def __call__(
        self, promotion: PromotionTable, /, a: Any, axis: Any = None, *_: Any, dtype: DType | None = None, keepdims: Any = False,
        initial: Any = np._NoValue, where: Any = True, **__: Any,
    ) -> Signature:  # fmt: skip
        """Infer the result; see `Rule`."""
        shape, old = signature_of(promotion, a)
        scalars = where is not True if self._scalars == "where" else old.kind not in "biu" if self._scalars == "floats" else self._scalars
        axis = tuple(axis) if isinstance(axis, list) else axis
        axes = () if scalars and not shape and type(axis) is int and axis in (0, -1) else all_axes(axis, len(shape))
        if is_true(keepdims):
            kept = tuple([1 if i in axes else size for i, size in enumerate(shape)])
        else:
            kept = tuple([size for i, size in enumerate(shape) if i not in axes])
        if not self._identity and initial is np._NoValue and any(shape[i] == 0 for i in axes):
            raise ValueError("there are no elements to reduce, of which a zero-size array has no result; give initial= where it is taken")
        if old.kind == "b" and not self._booleans:
            raise TypeError("this is a difference, which is not defined for bool; cast with astype")
        found = dtype or self._dtype(promotion, old)
        return Signature(kept, real_of(found) if self.result == "real" and found.kind == "c" else found)

    def _dtype(self, promotion: PromotionTable, dtype: DType) -> DType:
        if self.result == "bool":
            return BOOL
        if self.result == "index":
            return promotion.default_index
        if self.result in ("float", "real") and dtype.kind in "biu":
            return promotion.default_float
        return sum_dtype(promotion, dtype) if self.result == "sum" else dtype


def sum_dtype(promotion: PromotionTable, dtype: DType) -> DType:
    """Give the dtype of a sum or product."""
    wide = promotion.default_int
    if dtype.kind not in "biu" or dtype.itemsize >= wide.itemsize:
        return dtype
    return np.dtype(wide.name.replace("int", "uint")) if dtype.kind == "u" else wide


def with_integers(promotion: PromotionTable, dtype: DType) -> DType:
    """Give the dtype in which operands meet integers that NumPy makes, of its default dtype."""
    wide = promotion.default_int
    if dtype.kind in "biu" and dtype.itemsize <= wide.itemsize and dtype != np.uint64:
        return wide
    return promotion.promote(dtype, wide)
