"""Equations of Sylvester, Lyapunov and Riccati."""

from __future__ import annotations

from typing import Final

from .._apply import apply, direct
from .._array import Array
from .._array.parameters import document
from .._typing import ArrayLike
from ..backends.ops.scipy_linalg import OPS
from .parameters import PARAMETERS

__all__ = [
    "solve_continuous_are",
    "solve_continuous_lyapunov",
    "solve_discrete_are",
    "solve_discrete_lyapunov",
    "solve_sylvester",
]

_PARAMETERS: Final = PARAMETERS | {
    "b": "array_like: The second matrix.",
    "q": "array_like: The right-hand side or the weight.",
    "r": "array_like: The weight of the input.",
    "e": "array_like, optional: The matrix of the generalized equation.",
    "s": "array_like, optional: The cross weight.",
    "balanced": "bool, optional: Whether to balance the pencil.",
}
_documented: Final = document(_PARAMETERS)


@direct(OPS)
@_documented
def solve_sylvester(a: ArrayLike, b: ArrayLike, q: ArrayLike) -> Array:
    """
    Solve the Sylvester equation a x + x b = q.

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
@_documented
def solve_continuous_lyapunov(a: ArrayLike, q: ArrayLike) -> Array:
    """
    Solve the continuous Lyapunov equation a x + x a^H = q.

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
@_documented
def solve_discrete_lyapunov(a: ArrayLike, q: ArrayLike, method: str | None = None) -> Array:
    """
    Solve the discrete Lyapunov equation a x a^H - x + q = 0.

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
@_documented
def solve_continuous_are(
    a: ArrayLike, b: ArrayLike, q: ArrayLike, r: ArrayLike, e: ArrayLike | None = None, s: ArrayLike | None = None, balanced: bool = True,
) -> Array:
    """
    Solve the continuous algebraic Riccati equation.

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
@_documented
def solve_discrete_are(
    a: ArrayLike, b: ArrayLike, q: ArrayLike, r: ArrayLike, e: ArrayLike | None = None, s: ArrayLike | None = None, balanced: bool = True,
) -> Array:
    """
    Solve the discrete algebraic Riccati equation.

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
