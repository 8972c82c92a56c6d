"""Triangular decompositions."""

from __future__ import annotations

from typing import Any

from .._apply import apply, apply_for_tuple
from .._array import Array
from .._typing import ArrayLike
from ..backends.ops.scipy_linalg import OPS

__all__ = [
    "cholesky",
    "cholesky_banded",
    "ldl",
    "lu",
]



def cholesky(a: ArrayLike, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """Factor positive-definite matrices into a triangular one and its adjoint. See `scipy.linalg.cholesky`."""
    return apply(OPS["cholesky"], a, lower, overwrite_a, check_finite)


def cholesky_banded(ab: ArrayLike, overwrite_ab: bool = False, lower: bool = False, check_finite: bool = True) -> Array:
    """Factor a positive-definite banded matrix. See `scipy.linalg.cholesky_banded`."""
    return apply(OPS["cholesky_banded"], ab, overwrite_ab, lower, check_finite)


def lu(a: ArrayLike, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True, p_indices: bool = False) -> Any:
    """Factor matrices into a permutation and triangular ones. See `scipy.linalg.lu`."""
    return apply(OPS["lu"], a, permute_l, overwrite_a, check_finite, p_indices)


def ldl(
    A: ArrayLike, lower: bool = True, hermitian: bool = True, overwrite_a: bool = False, check_finite: bool = True,
) -> tuple[Array, ...]:
    """Factor a symmetric or Hermitian matrix into block-diagonal and triangular ones. See `scipy.linalg.ldl`."""
    return apply_for_tuple(OPS["ldl"], A, lower, hermitian, overwrite_a, check_finite)
