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
    """
    Invert square matrices.

    Parameters
    ----------
    a : array_like
        The matrices.

    Returns
    -------
    Array
        The inverses.

    Raises
    ------
    LinAlgError
        If a matrix is singular.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.inv([[2.0, 0.0], [0.0, 4.0]])
    Array([[0.5 , 0.  ],
           [0.  , 0.25]], dtype=float64, device='cpu')
    """
    return apply(ops.inv, a)


def pinv(a: ArrayLike, rcond: ArrayLike | None = None, hermitian: bool = False, *, rtol: Any = np._NoValue) -> Array:
    """
    Compute the pseudo-inverse of matrices.

    Parameters
    ----------
    a : array_like
        The matrices.
    rcond : array_like, optional
        NumPy's older name of `rtol`.
    hermitian : bool, optional
        Whether the matrices are Hermitian, which is faster.
    rtol : array_like, optional
        What a singular value must exceed, relative to the largest, not to be taken for zero; by default the longer side
        times the machine epsilon (NumPy: 1e-15).

    Returns
    -------
    Array
        The pseudo-inverses.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.pinv([[2.0, 0.0], [0.0, 0.0]])
    Array([[0.5, 0. ],
           [0. , 0. ]], dtype=float64, device='cpu')
    """
    if rcond is None:
        a, rtol = as_operands(a, rtol)
        return apply(ops.standard_pinv, as_operand(a), hermitian=hermitian, rtol=None if rtol is np._NoValue else rtol)
    return apply(ops.pinv, a, rcond, hermitian, rtol=rtol)


def solve(a: ArrayLike, b: ArrayLike) -> Array:
    """
    Solve linear equations.

    Parameters
    ----------
    a : array_like
        Square matrices.
    b : array_like
        Right-hand sides: one vector, or matrices whose columns they are.

    Returns
    -------
    Array
        What `a` takes to `b`.

    Raises
    ------
    LinAlgError
        If a matrix is singular.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.solve([[2.0, 0.0], [0.0, 4.0]], [1.0, 1.0])
    Array([0.5 , 0.25], dtype=float64, device='cpu')
    """
    return apply(ops.solve, a, b)


def lstsq(a: ArrayLike, b: ArrayLike, rcond: float | None = None) -> tuple[Array, Array, Array, Array]:
    """
    Solve linear equations in the sense of least squares.

    Parameters
    ----------
    a : array_like
        A matrix.
    b : array_like
        Right-hand sides: a vector, or a matrix whose columns they are.
    rcond : float, optional
        What a singular value must exceed, relative to the largest, not to be taken for zero; by default the longer side
        times the machine epsilon.

    Returns
    -------
    x : Array
        The solutions of smallest norm.
    residuals : Array
        The sums of squared residuals; empty where they are all zero for want of equations, or the rank is not full.
    rank : Array
        The rank of `a`, detached.
    s : Array
        The singular values of `a`.

    Examples
    --------
    >>> import trnarray as xp
    >>> x, residuals, rank, s = xp.linalg.lstsq([[1.0], [1.0]], [1.0, 3.0])
    >>> x, rank
    (Array([2.], dtype=float64, device='cpu'), Array(1, dtype=int32, device='cpu'))
    """
    return Array._apply(ops.lstsq, a, b, rcond)  # type: ignore[no-any-return]


def tensorinv(a: ArrayLike, ind: int = 2) -> Array:
    """
    Invert an array as a linear map of arrays.

    Parameters
    ----------
    a : array_like
        The array: the first `ind` axes have as many elements as the rest.
    ind : int, optional
        How many axes the map's results have.

    Returns
    -------
    Array
        The inverse, for `tensordot` over `ind` axes.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.tensorinv(xp.reshape(xp.eye(24), (4, 6, 8, 3))).shape
    (8, 3, 4, 6)
    """
    return apply(ops.tensorinv, a, ind)


def tensorsolve(a: ArrayLike, b: ArrayLike, axes: Sequence[int] | None = None) -> Array:
    """
    Solve linear equations between arrays.

    Parameters
    ----------
    a : array_like
        The linear map, of shape ``b.shape + shape of the solution``.
    b : array_like
        The right-hand side.
    axes : sequence of int, optional
        Axes of `a` to move to the end first.

    Returns
    -------
    Array
        What `tensordot` with `a` takes to `b`.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linalg.tensorsolve(xp.reshape(xp.eye(24), (6, 4, 2, 3, 4)), xp.ones((6, 4))).shape
    (2, 3, 4)
    """
    return apply(ops.tensorsolve, a, b, axes)
