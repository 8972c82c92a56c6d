"""Determinants and norms."""

from __future__ import annotations

from typing import Any, Final

from .._apply import apply
from .._array import Array
from .._array.parameters import document
from .._typing import ArrayLike
from ..backends.ops.scipy_linalg import OPS
from .parameters import PARAMETERS

__all__ = [
    "det",
    "norm",
]

_PARAMETERS: Final = PARAMETERS | {
    "ord": "{int, float, str}, optional: Which norm.",
    "axis": "int or pair of int, optional: The axes of vectors or matrices.",
    "keepdims": "bool, optional: Whether to keep the axes, with length 1.",
}
_documented: Final = document(_PARAMETERS)


@_documented
def det(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """Compute the determinant of matrices. See `scipy.linalg.det`."""
    return apply(OPS["det"], a, overwrite_a, check_finite)


@document(_PARAMETERS | {"a": "array_like: The vectors or matrices."})
def norm(a: ArrayLike, ord: Any = None, axis: Any = None, keepdims: bool = False, check_finite: bool = True) -> Array:
    """Compute the norm of a vector or a matrix. See `scipy.linalg.norm`."""
    return apply(OPS["norm"], a, ord, axis, keepdims, check_finite)
