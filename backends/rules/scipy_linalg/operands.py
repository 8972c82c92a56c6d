"""Operands of scipy.linalg."""

from __future__ import annotations

from typing import Any

from ...dtypes import DType
from ...promotion import PromotionTable
from ..signature import refused, scipy_dtype, signature_of

__all__ = ["matrix", "square"]


def matrix(promotion: PromotionTable, a: Any) -> tuple[int, int, DType]:
    """Read a matrix: its rows, columns and the dtype of floats."""
    shape = signature_of(promotion, a).shape
    if len(shape) != 2 or 0 in shape:
        raise refused()
    return shape[0], shape[1], scipy_dtype(promotion, a)


def square(promotion: PromotionTable, a: Any) -> tuple[int, DType]:
    """Read a square matrix: its order and the dtype of floats."""
    rows, columns, dtype = matrix(promotion, a)
    if rows != columns:
        raise refused()
    return rows, dtype
