"""Equations of matrices that are factored first."""

from __future__ import annotations

from typing import Any

from .._apply import apply, apply_for_tuple
from .._array import Array
from .._typing import ArrayLike
from ..backends.ops.scipy_linalg import OPS

__all__ = [
    "cho_factor",
    "cho_solve",
    "cho_solve_banded",
    "lu_factor",
    "lu_solve",
]



def lu_factor(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Array, ...]:
    """Factor a matrix into triangular ones for lu_solve. See `scipy.linalg.lu_factor`."""
    return apply_for_tuple(OPS["lu_factor"], a, overwrite_a, check_finite)


def lu_solve(lu_and_piv: Any, b: ArrayLike, trans: Any = 0, overwrite_b: bool = False, check_finite: bool = True) -> Array:
    """Solve equations with what lu_factor gave. See `scipy.linalg.lu_solve`."""
    return apply(OPS["lu_solve"], lu_and_piv, b, trans, overwrite_b, check_finite)


def cho_factor(a: ArrayLike, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Array, ...]:
    """Factor a positive-definite matrix for cho_solve. See `scipy.linalg.cho_factor`."""
    return apply_for_tuple(OPS["cho_factor"], a, lower, overwrite_a, check_finite)


def cho_solve(c_and_lower: Any, b: ArrayLike, overwrite_b: bool = False, check_finite: bool = True) -> Array:
    """Solve equations with what cho_factor gave. See `scipy.linalg.cho_solve`."""
    return apply(OPS["cho_solve"], c_and_lower, b, overwrite_b, check_finite)


def cho_solve_banded(cb_and_lower: Any, b: ArrayLike, overwrite_b: bool = False, check_finite: bool = True) -> Array:
    """Solve equations with what cholesky_banded gave. See `scipy.linalg.cho_solve_banded`."""
    return apply(OPS["cho_solve_banded"], cb_and_lower, b, overwrite_b, check_finite)
