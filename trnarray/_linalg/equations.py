"""Linear equations, least squares and inverses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, overload

import numpy as np

from .._apply import apply
from .._array import Array
from .._operand import as_operand, as_operands
from .._typing import ArrayLike
from ..backends.ops import linalg as ops
from ..backends.precision import Accuracy, Precision
from ..backends.settings import get_config
from .verified_solutions import solved

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


@overload
def solve(
    a: ArrayLike,
    b: ArrayLike,
    *,
    precision: Precision | None = ...,
    target_forward_error: float | None = ...,
    return_info: Literal[False] = ...,
) -> Array: ...
@overload
def solve(
    a: ArrayLike,
    b: ArrayLike,
    *,
    precision: Precision | None = ...,
    target_forward_error: float | None = ...,
    return_info: Literal[True],
) -> tuple[Array, Accuracy]: ...
def solve(
    a: ArrayLike,
    b: ArrayLike,
    *,
    precision: Precision | None = None,
    target_forward_error: float | None = None,
    return_info: bool = False,
) -> Array | tuple[Array, Accuracy]:
    """
    Solve linear equations. See `numpy.linalg.solve`.

    Parameters
    ----------
    a, b : array_like
        Square matrices, and right-hand sides.
    precision : str, optional
        How float32 and complex64 are solved: ``"float32"``; ``"float32-exact"``, by corrections with residuals of float64, rounded once; or
        ``"float64"``, rounded once. float64 operands mean float64.
    target_forward_error : float, optional
        The largest error of a column of the solution, relative to its largest element, as `config(target_forward_error=)`. Ways to solve
        are tried from the cheapest one on, and the bound of each is fetched.
    return_info : bool, optional
        Whether to tell how it was computed and what the error is at most: a bound that is computed with the solution. It holds for every
        matrix, and is infinite where nothing is known, as of nearly singular ones. Bounds and condition numbers are Arrays, of an element
        for each matrix.

    Returns
    -------
    Array, or Array and Accuracy
        The solutions.

    Raises
    ------
    PrecisionError
        If no way to solve is known to meet the error.

    Examples
    --------
    >>> import trnarray as xp
    >>> a = xp.asarray([[3.0, 1.0], [1.0, 2.0]], device="sim:trn2")
    >>> x, info = xp.linalg.solve(a, xp.asarray([9.0, 8.0], device="sim:trn2"), target_forward_error=1e-7, return_info=True)
    >>> x.tolist(), info.rung, float(info.bound) < 1e-7
    ([2.0, 3.0], 'float32', True)
    """
    target = get_config().target_forward_error if target_forward_error is None else target_forward_error
    if target is None and precision is None and not return_info:
        return apply(ops.solve, a, b)
    matrices, sides = as_operands(a, b)
    x, accuracy = solved(matrices, sides, precision, target)
    return (x, accuracy) if return_info else x


def lstsq(a: ArrayLike, b: ArrayLike, rcond: float | None = None) -> tuple[Array, Array, Array, Array]:
    """Solve linear equations in the sense of least squares. See `numpy.linalg.lstsq`."""
    return Array._apply(ops.lstsq, a, b, rcond)  # type: ignore[no-any-return]


def tensorinv(a: ArrayLike, ind: int = 2) -> Array:
    """Invert an array as a linear map of arrays. See `numpy.linalg.tensorinv`."""
    return apply(ops.tensorinv, a, ind)


def tensorsolve(a: ArrayLike, b: ArrayLike, axes: Sequence[int] | None = None) -> Array:
    """Solve linear equations between arrays. See `numpy.linalg.tensorsolve`."""
    return apply(ops.tensorsolve, a, b, axes)
