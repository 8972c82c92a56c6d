"""Operands of scipy.linalg."""

from __future__ import annotations

from typing import Any

from ...dtypes import FLOAT64, DType
from ...promotion import PromotionTable
from ..signature import NeedsValueError, float_dtype, refused, signature_of

__all__ = ["common_dtype", "matrix", "square"]


def matrix(promotion: PromotionTable, a: Any) -> tuple[int, int, DType]:
    """Read a matrix: its rows, columns and the dtype of floats."""
    shape = signature_of(promotion, a).shape
    if len(shape) != 2 or 0 in shape:
        raise refused()
    return shape[0], shape[1], common_dtype(promotion, a)


def square(promotion: PromotionTable, a: Any) -> tuple[int, DType]:
    """Read a square matrix: its order and the dtype of floats."""
    rows, columns, dtype = matrix(promotion, a)
    if rows != columns:
        raise refused()
    return rows, dtype


def common_dtype(promotion: PromotionTable, *operands: Any) -> DType:
    """Find the dtype in which operands meet as floats."""
    dtypes = [signature_of(promotion, item).dtype for item in operands if item is not None]
    for dtype in dtypes:
        if dtype.kind == "b" or (dtype.kind in "iu" and dtype.itemsize <= 2 and promotion.default_float == FLOAT64):
            raise NeedsValueError("SciPy computes with bools and short integers in single or in double precision, each function in its own")
    return float_dtype(promotion, *dtypes)
