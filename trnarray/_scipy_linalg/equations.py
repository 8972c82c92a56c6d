"""Linear equations of general and triangular matrices."""

from __future__ import annotations

from typing import Any, Final

from .._apply import apply
from .._array import Array
from .._array.parameters import document
from .._typing import ArrayLike
from ..backends.ops.scipy_linalg import OPS
from .parameters import PARAMETERS

__all__ = [
    "solve",
    "solve_triangular",
]

_PARAMETERS: Final = PARAMETERS | {
    "transposed": "bool, optional: Whether the transposed matrix is meant.",
    "unit_diagonal": "bool, optional: Whether the diagonal is taken for ones.",
}
_documented: Final = document(_PARAMETERS)


@_documented
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


@_documented
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
