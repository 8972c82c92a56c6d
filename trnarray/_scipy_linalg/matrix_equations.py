"""Equations of Sylvester, Lyapunov and Riccati."""

from __future__ import annotations

from typing import Final

from .._apply import apply
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


@_documented
def solve_sylvester(a: ArrayLike, b: ArrayLike, q: ArrayLike) -> Array:
    """Solve the Sylvester equation a x + x b = q. See `scipy.linalg.solve_sylvester`."""
    return apply(OPS["solve_sylvester"], a, b, q)


@_documented
def solve_continuous_lyapunov(a: ArrayLike, q: ArrayLike) -> Array:
    """Solve the continuous Lyapunov equation a x + x a^H = q. See `scipy.linalg.solve_continuous_lyapunov`."""
    return apply(OPS["solve_continuous_lyapunov"], a, q)


@_documented
def solve_discrete_lyapunov(a: ArrayLike, q: ArrayLike, method: str | None = None) -> Array:
    """Solve the discrete Lyapunov equation a x a^H - x + q = 0. See `scipy.linalg.solve_discrete_lyapunov`."""
    return apply(OPS["solve_discrete_lyapunov"], a, q, method)


@_documented
def solve_continuous_are(
    a: ArrayLike, b: ArrayLike, q: ArrayLike, r: ArrayLike, e: ArrayLike | None = None, s: ArrayLike | None = None, balanced: bool = True,
) -> Array:
    """Solve the continuous algebraic Riccati equation. See `scipy.linalg.solve_continuous_are`."""
    return apply(OPS["solve_continuous_are"], a, b, q, r, e, s, balanced)


@_documented
def solve_discrete_are(
    a: ArrayLike, b: ArrayLike, q: ArrayLike, r: ArrayLike, e: ArrayLike | None = None, s: ArrayLike | None = None, balanced: bool = True,
) -> Array:
    """Solve the discrete algebraic Riccati equation. See `scipy.linalg.solve_discrete_are`."""
    return apply(OPS["solve_discrete_are"], a, b, q, r, e, s, balanced)
