"""Rosenbrock's function, derivatives by differences, fixed points and linear equations by least squares, of scipy.optimize."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from .objectives import EPSILON, SCHEMES, differences, initial, steps
from .operands import floats, is_one, leave_unless, xp

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


def _rosen_hess_prod(x: Any, p: Any) -> Any:
    x, p = floats(x, p)
    leave_unless(x.ndim == 1 and x.shape == p.shape)
    return _rosen_hess(x) @ p


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


def _approx_fprime(xk: Any, f: Any, epsilon: Any = EPSILON, *args: Any) -> Any:
    """Take differences of two points; steps that are lost in float32 are those that it has, on both sides."""
    leave_unless(type(epsilon) is float and epsilon > 0)
    x = initial(xk, args)
    lost = x.dtype != xp.float64 and epsilon < math.sqrt(float(xp.finfo(x.dtype).eps))
    scheme = SCHEMES[lost]
    h, one = steps(x, scheme, None, None if lost else epsilon, None)

    def values(at: Any) -> Any:
        found = xp.asarray(f(at, *args), device=x.device)
        return xp.reshape(found, ()) if found.size == 1 else found

    first = values(x)
    leave_unless(first.ndim <= 1)
    return differences(values, x, first, scheme, h, one)


def _check_grad(
    func: Any, grad: Any, x0: Any, *args: Any, epsilon: Any = EPSILON, direction: str = "all", rng: Any = None, seed: Any = None
) -> Any:  # fmt: skip
    """Measure how far a gradient is from differences along the axes."""
    leave_unless(direction == "all" and rng is seed is None)
    x = initial(x0, args)
    return xp.linalg.vector_norm(xp.asarray(grad(x, *args), device=x.device) - _approx_fprime(x, func, float(epsilon), *args))


def _lsq_linear(
    A: Any, b: Any, bounds: Any = (-math.inf, math.inf), method: Any = "trf", tol: Any = 1e-10, lsq_solver: Any = None,
    lsmr_tol: Any = None, max_iter: Any = None, verbose: Any = 0, *, lsmr_maxiter: Any = None,
) -> Any:  # fmt: skip
    """Solve without bounds, or with such as the solution keeps; others are SciPy's."""
    leave_unless(is_one(method, "trf", "bvls") and is_one(lsq_solver, None, "exact") and is_one(verbose, 0))
    leave_unless(lsmr_tol is lsmr_maxiter is max_iter is None and type(tol) is float and type(bounds) is tuple and len(bounds) == 2)
    leave_unless(all(type(each) in {int, float} for each in bounds) and bounds[0] < bounds[1])
    from scipy.optimize import OptimizeResult

    matrix, right = floats(A, b)
    leave_unless(matrix.ndim == 2 and matrix.size > 0 and right.shape == matrix.shape[:1])
    solved = xp.linalg.lstsq(matrix, right, rcond=-1)
    x = solved[0]
    leave_unless(bool(xp.all((x >= bounds[0]) & (x <= bounds[1]))))
    left = matrix @ x - right
    return OptimizeResult(
        x=x, fun=left, cost=0.5 * xp.sum(left * left), optimality=xp.max(xp.abs(matrix.T @ left)), active_mask=xp.zeros_like(x),
        unbounded_sol=solved, nit=0, status=3, success=True, message="The unconstrained solution is optimal.",
    )  # fmt: skip


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "approx_fprime": _approx_fprime,
    "check_grad": _check_grad,
    "fixed_point": _fixed_point,
    "lsq_linear": _lsq_linear,
    "rosen": _rosen,
    "rosen_der": _rosen_der,
    "rosen_hess": _rosen_hess,
    "rosen_hess_prod": _rosen_hess_prod,
}
"""Functions of scipy.optimize."""
