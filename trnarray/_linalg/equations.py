"""Linear equations, least squares and inverses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._apply import apply
from .._array import Array
from .._operand import as_operand, as_operands
from .._typing import ArrayLike
from ..backends.ops import linalg as ops

__all__ = ["inv", "lstsq", "pinv", "solve", "tensorinv", "tensorsolve"]


def inv(a: ArrayLike) -> Array:
    """Invert square matrices. See `numpy.linalg.inv`."""
    return apply(ops.inv, a)


def pinv(a: ArrayLike, rcond: ArrayLike | None = None, hermitian: bool = False, *, rtol: Any = np._NoValue) -> Array:
    """Compute the pseudo-inverse of matrices. See `numpy.linalg.pinv`."""
    if rcond is None:
        a, rtol = as_operands(a, rtol)
        return apply(ops.standard_pinv, as_operand(a), hermitian=hermitian, rtol=None if rtol is np._NoValue else rtol)
    return apply(ops.pinv, a, rcond, hermitian, rtol=rtol)


def solve(a: ArrayLike, b: ArrayLike) -> Array:
    """Solve linear equations. See `numpy.linalg.solve`."""
    return apply(ops.solve, a, b)


def lstsq(a: ArrayLike, b: ArrayLike, rcond: float | None = None) -> tuple[Array, Array, Array, Array]:
    """Solve linear equations in the sense of least squares. See `numpy.linalg.lstsq`."""
    return Array._apply(ops.lstsq, a, b, rcond)  # type: ignore[no-any-return]


def tensorinv(a: ArrayLike, ind: int = 2) -> Array:
    """Invert an array as a linear map of arrays. See `numpy.linalg.tensorinv`."""
    return apply(ops.tensorinv, a, ind)


def tensorsolve(a: ArrayLike, b: ArrayLike, axes: Sequence[int] | None = None) -> Array:
    """Solve linear equations between arrays. See `numpy.linalg.tensorsolve`."""
    return apply(ops.tensorsolve, a, b, axes)
