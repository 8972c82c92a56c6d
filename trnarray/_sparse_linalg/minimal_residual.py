"""Methods that make the residual as small as their subspace allows: GMRES for any matrix, MINRES for symmetric ones."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .._array import Array
from ..creation_functions import zeros
from ..data_type_functions import finfo
from ..linear_algebra_functions import vdot
from .arnoldi import MinimalResidual, combine
from .arnoldi_cycle import restarted
from .device_iteration import iterate
from .host_solver import direct_solver
from .system import System, linear_system, magnitude

__all__ = ["gmres", "minres"]



@direct_solver()
def gmres(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    restart: int | None = None,
    maxiter: int | None = None,
    M: Any = None,
    callback: Callable[[Any], Any] | None = None,
    callback_type: str | None = None,
) -> tuple[Array, int]:
    """
    Solve by generalized minimal residuals.

    The method is that of Y. Saad and M. H. Schultz, "GMRES: a generalized minimal residual algorithm for solving nonsymmetric linear
    systems", SIAM Journal on Scientific and Statistical Computing 7, 1986. Vectors stay on their device; the small triangular
    system of their coefficients is solved on the host. On Neuron devices a cycle is a program, see `arnoldi_cycle`, unless there is a
    callback.

    See `scipy.sparse.linalg.gmres`.
    """
    if callback is not None and callback_type is None:
        warnings.warn(
            "gmres called without specifying `callback_type`, whose default will change with SciPy's; choose 'pr_norm', 'x' or 'legacy'",
            DeprecationWarning,
            stacklevel=2,
        )
    kind = callback_type or "legacy"
    if kind not in ("x", "pr_norm", "legacy"):
        raise ValueError(f"callback_type is 'x', 'pr_norm' or 'legacy', but is {callback_type!r}")
    counts_steps = kind == "legacy" and callback is not None
    system = linear_system(A, b, x0, rtol, atol, maxiter, M, "gmres")
    if system.bnorm == 0:
        return system.b, 0
    x, r = system.x, system.r
    rnorm = magnitude(r)
    if rnorm < system.atol:
        return x, 0
    eps = float(finfo(x.dtype).eps)
    width = min(20 if restart is None else restart, len(system.b))
    if callback is None:
        found = iterate(system._replace(maxiter=system.maxiter * width), restarted(width))
        if found is not None:
            return found[0], -(-found[1] // width)
    loosened = 1.0
    target = magnitude(system.psolve(system.b)) * min(loosened, system.atol / system.bnorm)
    steps = 0
    for _ in range(system.maxiter):
        cycle = MinimalResidual(system.psolve(r))
        while cycle.columns < width:
            cycle.extend(system.psolve(system.matvec(cycle.basis[-1])))
            steps += 1
            if callback is not None and kind != "x":
                callback(np.float64(cycle.residual / system.bnorm))
            if (counts_steps and steps == system.maxiter) or cycle.residual <= target or cycle.broken:
                break
        x = x + combine(cycle.basis[:-1], _back_substitution(cycle.triangular, cycle.right))
        r = system.b - system.matvec(x)
        rnorm = magnitude(r)
        if counts_steps and steps == system.maxiter:
            break
        if callback is not None and kind == "x":
            callback(x)
        if rnorm <= system.atol or cycle.broken:
            break
        loosened = max(eps, 0.25 * loosened) if cycle.residual <= target else min(1.0, 1.5 * loosened)
        target = cycle.residual * min(loosened, system.atol / rnorm)
    return x, 0 if rnorm <= system.atol else system.maxiter


def _back_substitution(r: Any, right: Any) -> Any:
    """Solve a triangular system; where the last element of the diagonal is 0, that of the solution is."""
    y = right.copy()
    for k in range(len(y) - 1, -1, -1):
        if y[k] != 0:
            y[k] = y[k] / r[k, k] if r[k, k] else 0
            y[:k] -= y[k] * r[:k, k]
    return y


@direct_solver()
def minres(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    rtol: float = 1e-5,
    shift: float = 0.0,
    maxiter: int | None = None,
    M: Any = None,
    callback: Callable[[Array], Any] | None = None,
    show: bool = False,
    check: bool = False,
) -> tuple[Array, int]:
    """
    Solve with a symmetric or Hermitian matrix, which may be indefinite, by minimal residuals.

    The method is that of C. C. Paige and M. A. Saunders, "Solution of sparse indefinite systems of linear equations", SIAM Journal
    on Numerical Analysis 12, 1975. It stops where the residual is small relative to the norms of the matrix and the solution.

    See `scipy.sparse.linalg.minres`.
    """
    system = linear_system(A, b, x0, rtol, 0.0, maxiter, M, "minres")
    x, n = system.x, len(system.b)
    steps = 5 * n if maxiter is None else maxiter
    eps = float(finfo(x.dtype).eps)
    r1 = system.r
    y = system.psolve(r1)
    first = _real(vdot(r1, y))
    if first < 0:
        raise ValueError("the preconditioner is indefinite; minres needs a positive definite one")
    if first == 0:
        return x, 0
    if system.bnorm == 0:
        return system.b, 0
    beta1 = math.sqrt(first)
    if check:
        _check_symmetry(system, r1, y, eps)
    beta, before, dbar, epsln, phibar = beta1, 0.0, 0.0, 0.0, beta1
    cs, sn, total, largest, least = -1.0, 0.0, 0.0, 0.0, float(finfo(x.dtype).max)
    w = zeros(n, dtype=x.dtype, device=x.device)
    w2, r2 = w, r1
    for step in range(1, steps + 1):
        # The next vector of Lanczos
        v = y * (1 / beta)
        y = system.matvec(v)
        if shift:
            y = y - shift * v
        if step > 1:
            y = y - (beta / before) * r1
        alpha = _real(vdot(v, y))
        y = y - (alpha / beta) * r2
        r1, r2 = r2, y
        y = system.psolve(r2)
        before = beta
        square = _real(vdot(r2, y))
        if square < 0:
            raise ValueError("the matrix is not symmetric, or the preconditioner not; minres needs both to be")
        beta = math.sqrt(square)
        total += alpha**2 + before**2 + beta**2
        eigenvector = step == 1 and beta / beta1 <= 10 * eps

        # The rotations that make the tridiagonal matrix of its coefficients triangular
        oldeps, delta = epsln, cs * dbar + sn * alpha
        gbar, epsln, dbar = sn * dbar - cs * alpha, sn * beta, -cs * beta
        root = math.hypot(gbar, dbar)
        gamma = max(math.hypot(gbar, beta), eps)
        cs, sn = gbar / gamma, beta / gamma
        phi, phibar = cs * phibar, sn * phibar
        w1, w2 = w2, w
        w = (v - oldeps * w1 - delta * w2) * (1 / gamma)
        x = x + phi * w

        # Norms by which to stop
        largest, least = max(largest, gamma), min(least, gamma)
        norm, size = math.sqrt(total), magnitude(x)
        test1 = phibar / (norm * size) if norm * size else math.inf
        test2 = root / norm if norm else math.inf
        stop = eigenvector or min(test1, test2) <= max(rtol, eps / 2)
        stop = stop or largest / least >= 0.1 / eps or norm * size * eps >= beta1
        if show:
            print(f"minres: step {step}, residual {phibar:.3e}, relative to the matrix {test1:.3e}, {test2:.3e}")  # noqa: T201
        if callback is not None:
            callback(x)
        if stop:
            return x, 0
    return x, steps


def _real(x: Array) -> float:
    """Fetch a scalar product that is real but for rounding."""
    return float(x.real)


def _check_symmetry(system: System, r1: Array, y: Array, eps: float) -> None:
    """Check by products that the matrix and the preconditioner are symmetric."""
    w = system.matvec(y)
    matrix = vdot(w, w), vdot(y, system.matvec(w)), "matrix"
    preconditioner = vdot(y, y), vdot(r1, system.psolve(y)), "preconditioner"
    for left, right, what in (matrix, preconditioner):
        square = _real(left)
        if float(abs(left - right)) > (square + eps) * eps ** (1 / 3):
            raise ValueError(f"the {what} is not symmetric, which minres needs it to be")
