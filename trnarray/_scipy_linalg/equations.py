"""Linear equations of general and triangular matrices."""

from __future__ import annotations

from typing import Any

from .._apply import apply
from .._array import Array
from .._typing import ArrayLike
from ..backends.ops.scipy_linalg import OPS

__all__ = [
    "solve",
    "solve_triangular",
]



def solve(
    a: ArrayLike,
    b: ArrayLike,
    lower: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    assume_a: str | None = None,
    transposed: bool = False,
) -> Array:
    """Solve linear equations. See `scipy.linalg.solve`."""
    return apply(OPS["solve"], a, b, lower, overwrite_a, overwrite_b, check_finite, assume_a, transposed)


def solve_triangular(
    a: ArrayLike,
    b: ArrayLike,
    trans: Any = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> Array:
    """Solve equations with a triangular matrix. See `scipy.linalg.solve_triangular`."""
    return apply(OPS["solve_triangular"], a, b, trans, lower, unit_diagonal, overwrite_b, check_finite)
