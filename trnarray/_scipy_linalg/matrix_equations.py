"""Equations of Sylvester, Lyapunov and Riccati."""

from __future__ import annotations

from .._apply import apply, direct
from .._array import Array
from .._typing import ArrayLike
from ..backends.ops.scipy_linalg import OPS

__all__ = [
    "solve_continuous_are",
    "solve_continuous_lyapunov",
    "solve_discrete_are",
    "solve_discrete_lyapunov",
    "solve_sylvester",
]


@direct(OPS)
def solve_sylvester(a: ArrayLike, b: ArrayLike, q: ArrayLike) -> Array:
    """
    Solve the Sylvester equation a x + x b = q.

    Parameters
    ----------
    a : array_like
        The matrix; further axes in front are stacks of matrices where SciPy takes them.
    b : array_like
        The second matrix.
    q : array_like
        The right-hand side or the weight.

    Returns
    -------
    Array
        The solution.

    Examples
    --------
    >>> import trnarray as xp
    >>> a = xp.asarray([[4.0, 1.0], [1.0, 3.0]])
    >>> xp.scipy.linalg.solve_sylvester(a, a, a)
    Array([[ 5.00000000e-01, -6.89125703e-17],
           [-4.11569947e-17,  5.00000000e-01]], dtype=float64, device='cpu')
    """
    return apply(OPS["solve_sylvester"], a, b, q)


@direct(OPS)
def solve_continuous_lyapunov(a: ArrayLike, q: ArrayLike) -> Array:
    """
    Solve the continuous Lyapunov equation a x + x a^H = q.

    Parameters
    ----------
    a : array_like
        The matrix; further axes in front are stacks of matrices where SciPy takes them.
    q : array_like
        The right-hand side or the weight.

    Returns
    -------
    Array
        The solution.

    Examples
    --------
    >>> import trnarray as xp
    >>> a = xp.asarray([[4.0, 1.0], [1.0, 3.0]])
    >>> xp.scipy.linalg.solve_continuous_lyapunov(a, 2 * a)
    Array([[ 1.00000000e+00, -1.37825141e-16],
           [-8.23139894e-17,  1.00000000e+00]], dtype=float64, device='cpu')
    """
    return apply(OPS["solve_continuous_lyapunov"], a, q)


@direct(OPS)
def solve_discrete_lyapunov(a: ArrayLike, q: ArrayLike, method: str | None = None) -> Array:
    """
    Solve the discrete Lyapunov equation a x a^H - x + q = 0.

    Parameters
    ----------
    a : array_like
        The matrix; further axes in front are stacks of matrices where SciPy takes them.
    q : array_like
        The right-hand side or the weight.
    method : str, optional
        How to compute it.

    Returns
    -------
    Array
        The solution.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.solve_discrete_lyapunov(xp.asarray([[0.5]]), xp.asarray([[3.0]]))
    Array([[4.]], dtype=float64, device='cpu')
    """
    return apply(OPS["solve_discrete_lyapunov"], a, q, method)


@direct(OPS)
def solve_continuous_are(
    a: ArrayLike, b: ArrayLike, q: ArrayLike, r: ArrayLike, e: ArrayLike | None = None, s: ArrayLike | None = None, balanced: bool = True,
) -> Array:
    """
    Solve the continuous algebraic Riccati equation.

    Parameters
    ----------
    a : array_like
        The matrix; further axes in front are stacks of matrices where SciPy takes them.
    b : array_like
        The second matrix.
    q : array_like
        The right-hand side or the weight.
    r : array_like
        The weight of the input.
    e : array_like, optional
        The matrix of the generalized equation.
    s : array_like, optional
        The cross weight.
    balanced : bool, optional
        Whether to balance the pencil.

    Returns
    -------
    Array
        The solution.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.solve_continuous_are(xp.asarray([[0.0]]), xp.asarray([[1.0]]), xp.asarray([[4.0]]), xp.asarray([[1.0]]))
    Array([[2.]], dtype=float64, device='cpu')
    """
    return apply(OPS["solve_continuous_are"], a, b, q, r, e, s, balanced)


@direct(OPS)
def solve_discrete_are(
    a: ArrayLike, b: ArrayLike, q: ArrayLike, r: ArrayLike, e: ArrayLike | None = None, s: ArrayLike | None = None, balanced: bool = True,
) -> Array:
    """
    Solve the discrete algebraic Riccati equation.

    Parameters
    ----------
    a : array_like
        The matrix; further axes in front are stacks of matrices where SciPy takes them.
    b : array_like
        The second matrix.
    q : array_like
        The right-hand side or the weight.
    r : array_like
        The weight of the input.
    e : array_like, optional
        The matrix of the generalized equation.
    s : array_like, optional
        The cross weight.
    balanced : bool, optional
        Whether to balance the pencil.

    Returns
    -------
    Array
        The solution.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.linalg.solve_discrete_are(xp.asarray([[0.0]]), xp.asarray([[1.0]]), xp.asarray([[4.0]]), xp.asarray([[1.0]]))
    Array([[4.]], dtype=float64, device='cpu')
    """
    return apply(OPS["solve_discrete_are"], a, b, q, r, e, s, balanced)
