"""Equations of Sylvester, Lyapunov and Riccati."""

from __future__ import annotations

from .._apply import apply
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



def solve_sylvester(a: ArrayLike, b: ArrayLike, q: ArrayLike) -> Array:
    """Solve the Sylvester equation a x + x b = q. See `scipy.linalg.solve_sylvester`."""
    return apply(OPS["solve_sylvester"], a, b, q)


def solve_continuous_lyapunov(a: ArrayLike, q: ArrayLike) -> Array:
    """Solve the continuous Lyapunov equation a x + x a^H = q. See `scipy.linalg.solve_continuous_lyapunov`."""
    return apply(OPS["solve_continuous_lyapunov"], a, q)


def solve_discrete_lyapunov(a: ArrayLike, q: ArrayLike, method: str | None = None) -> Array:
    """Solve the discrete Lyapunov equation a x a^H - x + q = 0. See `scipy.linalg.solve_discrete_lyapunov`."""
    return apply(OPS["solve_discrete_lyapunov"], a, q, method)


def solve_continuous_are(
    a: ArrayLike, b: ArrayLike, q: ArrayLike, r: ArrayLike, e: ArrayLike | None = None, s: ArrayLike | None = None, balanced: bool = True,
) -> Array:
    """Solve the continuous algebraic Riccati equation. See `scipy.linalg.solve_continuous_are`."""
    return apply(OPS["solve_continuous_are"], a, b, q, r, e, s, balanced)


def solve_discrete_are(
    a: ArrayLike, b: ArrayLike, q: ArrayLike, r: ArrayLike, e: ArrayLike | None = None, s: ArrayLike | None = None, balanced: bool = True,
) -> Array:
    """Solve the discrete algebraic Riccati equation. See `scipy.linalg.solve_discrete_are`."""
    return apply(OPS["solve_discrete_are"], a, b, q, r, e, s, balanced)
