"""Rules of the Ops of linear algebra: matrices are in the last two axes, and what computes with them computes in floats."""

from __future__ import annotations

from typing import Any

from numpy.linalg import LinAlgError

from ..promotion import PromotionTable
from .signature import Shape, Signature, broadcast_shapes, float_dtype, signature_of

__all__ = ["check_square", "cholesky", "det", "inv", "solve"]


def check_square(shape: Shape) -> None:
    """Refuse what are no square matrices."""
    if len(shape) < 2:
        raise LinAlgError(f"a matrix or a stack of matrices is wanted, but the array is {len(shape)}-dimensional, of shape {shape}")
    if shape[-1] != shape[-2]:
        raise LinAlgError(f"the last 2 dimensions of the array must be square, but its shape is {shape}")


def inv(promotion: PromotionTable, a: Any) -> Signature:
    """See `numpy.linalg.inv`."""
    shape, dtype = signature_of(promotion, a)
    check_square(shape)
    return Signature(shape, float_dtype(promotion, dtype))


def cholesky(promotion: PromotionTable, a: Any, /, *, upper: bool = False) -> Signature:  # noqa: ARG001  # NumPy's
    """See `numpy.linalg.cholesky`."""
    return inv(promotion, a)


def det(promotion: PromotionTable, a: Any) -> Signature:
    """See `numpy.linalg.det`."""
    shape, dtype = inv(promotion, a)
    return Signature(shape[:-2], dtype)


def solve(promotion: PromotionTable, a: Any, b: Any) -> Signature:
    """See `numpy.linalg.solve`: one right-hand side where `b` has one axis, else matrices of them."""
    shape, dtype = signature_of(promotion, a)
    sides, other = signature_of(promotion, b)
    check_square(shape)
    if not sides:
        raise ValueError("the right-hand side of solve is a vector or a matrix, but has no axes")
    if sides[-1 if len(sides) == 1 else -2] != shape[-1]:
        raise ValueError(f"matrices of shape {shape} and right-hand sides of shape {sides} do not fit: give as many rows as equations")
    if len(sides) == 1:
        return Signature(shape[:-1], float_dtype(promotion, dtype, other))
    return Signature((*broadcast_shapes(shape[:-2], sides[:-2]), *sides[-2:]), float_dtype(promotion, dtype, other))
