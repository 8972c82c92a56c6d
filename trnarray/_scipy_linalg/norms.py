"""Determinants and norms."""

from __future__ import annotations

from typing import Any

from .._apply import apply
from .._array import Array
from .._typing import ArrayLike
from ..backends.ops.scipy_linalg import OPS

__all__ = [
    "det",
    "norm",
]



def det(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """Compute the determinant of matrices. See `scipy.linalg.det`."""
    return apply(OPS["det"], a, overwrite_a, check_finite)


def norm(a: ArrayLike, ord: Any = None, axis: Any = None, keepdims: bool = False, check_finite: bool = True) -> Array:
    """Compute the norm of a vector or a matrix. See `scipy.linalg.norm`."""
    return apply(OPS["norm"], a, ord, axis, keepdims, check_finite)
