"""Rosenbrock's function and its derivatives, and fixed points, of scipy.optimize."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from .operands import floats, leave_unless, xp

__all__ = ["COMPOSITIONS"]


def _rosen(x: Any) -> Any:
    (x,) = floats(x)
    leave_unless(x.ndim > 0 and x.shape[0] > 1)
    return xp.sum(100.0 * xp.square(x[1:] - xp.square(x[:-1])) + xp.square(1.0 - x[:-1]), axis=0)


def _rosen_der(x: Any) -> Any:
    (x,) = floats(x)
    leave_unless(x.ndim == 1 and x.shape[0] > 2)
    above = x[1:] - xp.square(x[:-1])
    own = -400.0 * above * x[:-1] - 2.0 * (1.0 - x[:-1])
    return xp.concatenate([own[:1], 200.0 * above[:-1] + own[1:], 200.0 * above[-1:]])


def _rosen_hess(x: Any) -> Any:
    (x,) = floats(x)
    leave_unless(x.ndim == 1 and x.shape[0] > 2)
    beside = -400.0 * x[:-1]
    own = 1200.0 * xp.square(x[:-1]) - 400.0 * x[1:] + 2.0
    last = xp.full_like(x[:1], 200.0)
    return xp.diag(xp.concatenate([own[:1], own[1:] + 200.0, last])) + xp.diag(beside, 1) + xp.diag(beside, -1)


def _fixed_point(func: Any, x0: Any, args: Any = (), xtol: Any = 1e-8, maxiter: Any = 500, method: Any = "del2") -> Any:
    """Iterate with Steffensen's acceleration; one number is fetched in each turn. In float32 changes end at its roundings."""
    leave_unless(method in {"del2", "iteration"} and type(maxiter) is int and type(args) is tuple and type(xtol) is float)
    (x,) = floats(x0)
    xtol = max(xtol, 4.0 * float(xp.finfo(x.dtype).eps))
    for _ in range(maxiter):
        first = xp.asarray(func(x, *args))
        found = first
        if method == "del2":
            second = xp.asarray(func(first, *args))
            bend = second - 2.0 * first + x
            found = xp.where(bend == 0, second, x - xp.square(first - x) / xp.where(bend == 0, 1.0, bend))
        error = xp.where(x == 0, found, (found - x) / xp.where(x == 0, 1.0, x))
        x = found
        if bool(xp.all(xp.abs(error) < xtol)):
            return x
    raise RuntimeError(
        f"fixed_point has not converged in {maxiter} iterations; the last value is {x}: give a better start, or raise maxiter"
    )


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "fixed_point": _fixed_point,
    "rosen": _rosen,
    "rosen_der": _rosen_der,
    "rosen_hess": _rosen_hess,
}
"""Functions of scipy.optimize."""
