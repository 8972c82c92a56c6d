"""Methods that make the residual as small as their subspace allows: GMRES for any matrix, MINRES for symmetric ones."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .._array import Array
from .._linalg.norms import vector_norm
from ..array_conversion import asarray
from ..creation_functions import zeros
from ..data_type_functions import finfo
from ..elementwise_functions import hypot, maximum, minimum, sqrt
from ..linear_algebra_functions import vdot
from .arnoldi import MinimalResidual
from .arnoldi_cycle import restarted
from .device_iteration import MOST_TURNS, iterate, run_turns, safe_quotient
from .host_solver import direct_solver
from .system import System, linear_system, magnitude, same, true_residual

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
        cycle = MinimalResidual(system.psolve(r), width)
        while cycle.columns < width:
            cycle.extend(system.psolve(system.matvec(cycle.last)))
            steps += 1
            if callback is not None and kind != "x":
                callback(np.float64(cycle.residual / system.bnorm))
            if (counts_steps and steps == system.maxiter) or cycle.residual <= target or cycle.broken:
                break
        x = x + cycle.combine(_back_substitution(cycle.triangular, cycle.right))
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

    Steps are turns of one loop, which is a program on devices unless there is a callback. Where it ends with a residual that does not meet
    the tolerance, nor is that of least squares, both computed in double precision, it begins again there; without success it is none.

    See `scipy.sparse.linalg.minres`.
    """
    system = linear_system(A, b, x0, rtol, 0.0, maxiter, M, "minres")
    steps = 5 * len(system.b) if maxiter is None else maxiter
    if shift and system.r is not system.b:
        system = system._replace(r=system.r + shift * system.x)
    if system.bnorm == 0:
        return system.b, 0
    if math.isnan(system.bnorm):
        return system.x + system.bnorm, steps
    least = math.inf
    while True:
        x, norm, found = _lanczos(system, rtol, shift, steps, callback, show, check)
        if not found:
            return x, steps
        r = true_residual(system, x) + shift * x
        length = _length(system, r.astype(x.dtype, copy=False))
        if length <= max(rtol * norm * magnitude(x), rtol * system.bnorm):
            return x, 0
        direction = system.psolve(r)
        image = system.matvec(direction)
        if _length(system, image - shift * direction if shift else image) <= rtol * norm * length:
            return x, 0
        if not length < least / 2:
            return x, steps
        system, least = system._replace(x=x, r=r.astype(x.dtype, copy=False)), length


def _length(system: System, r: Array) -> float:
    """Compute the norm that a preconditioner makes, of which `minres` makes the least."""
    return magnitude(r) if system.psolve is same else math.sqrt(max(0.0, _real(vdot(r, system.psolve(r)))))


def _lanczos(
    system: System, rtol: float, shift: float, steps: int, callback: Callable[[Array], Any] | None, show: bool, check: bool
) -> tuple[Array, float, bool]:
    """Take steps from a residual: the solution, an estimate of the matrix's norm, and whether there was a reason to stop."""
    x, n, r = system.x, len(system.b), system.r
    eps = float(finfo(x.dtype).eps)
    y = system.psolve(r)
    square = vdot(r, y).real
    first = float(square)
    if first < 0:
        raise ValueError("the preconditioner is indefinite; minres needs a positive definite one")
    if first == 0:
        return x, 0.0, True
    if check:
        _check_symmetry(system, r, y, eps)
    nothing, zero, beta = zeros(n, dtype=x.dtype, device=x.device), 0 * square, sqrt(square)

    def number(value: float) -> Array:
        """Make one of the state, since programs depend on others."""
        return asarray(value, dtype=square.dtype, device=x.device)

    state: dict[str, Any] = dict.fromkeys(("dbar", "epsln", "sn", "total", "largest", "stop", "started", "test1", "test2"), zero)
    state |= {"x": x, "w": nothing, "w2": nothing, "r1": nothing, "r2": r, "y": y.astype(x.dtype, copy=False), "beta": beta, "beta1": beta}
    state |= {"before": zero + 1, "phibar": beta, "cs": zero - 1, "least": number(float(finfo(x.dtype).max)), "square": square}
    state |= {"left": number(min(steps, MOST_TURNS)), "rtol": number(max(rtol, eps / 2)), "shift": number(shift)}

    def turn(s: dict[str, Any]) -> dict[str, Any]:
        # The next vector of Lanczos
        beta, before = s["beta"], s["before"]
        v = s["y"] * (1 / beta)
        y = system.matvec(v)
        if shift:
            y = y - s["shift"] * v
        y = y - (beta / before) * s["r1"]
        alpha = vdot(v, y).real
        r2 = y - (alpha / beta) * s["r2"]
        y = system.psolve(r2)
        square = vdot(r2, y).real
        before, beta = beta, sqrt(maximum(square, 0))
        total = s["total"] + alpha**2 + before**2 + beta**2
        eigenvector = (s["started"] == 0) & (beta <= 10 * eps * s["beta1"])

        # The rotations that make the tridiagonal matrix of its coefficients triangular
        oldeps, delta = s["epsln"], s["cs"] * s["dbar"] + s["sn"] * alpha
        gbar, epsln, dbar = s["sn"] * s["dbar"] - s["cs"] * alpha, s["sn"] * beta, -s["cs"] * beta
        gamma = maximum(hypot(gbar, beta), eps)
        cs, sn = gbar / gamma, beta / gamma
        phi, phibar = cs * s["phibar"], sn * s["phibar"]
        w = (v - oldeps * s["w2"] - delta * s["w"]) * (1 / gamma)
        x = s["x"] + phi * w

        # Norms by which to stop
        largest, least = maximum(s["largest"], gamma), minimum(s["least"], gamma)
        norm, size = sqrt(total), vector_norm(x)
        test1, failed = safe_quotient(phibar, norm * size)
        test2, flat = safe_quotient(hypot(gbar, dbar), norm)
        stop = eigenvector | (~failed & (test1 <= s["rtol"])) | (~flat & (test2 <= s["rtol"])) | (square < 0)
        stop = stop | (largest >= 0.1 / eps * least) | (norm * size * eps >= s["beta1"])
        new = s | {"x": x, "w": w, "w2": s["w"], "r1": s["r2"], "r2": r2, "y": y.astype(x.dtype, copy=False), "beta": beta}
        new |= {"before": before, "dbar": dbar, "epsln": epsln, "phibar": phibar, "cs": cs, "sn": sn, "total": total}
        new |= {"largest": largest, "least": least, "test1": test1, "test2": test2, "square": square}
        return new | {"stop": stop.astype(total.dtype), "started": s["started"] * 0 + 1, "left": s["left"] - 1}

    def observe(s: dict[str, Any]) -> None:
        if show:
            norms = [float(s[name]) for name in ("phibar", "test1", "test2")]
            step = steps - int(s["left"])
            print(f"minres: step {step}, residual {norms[0]:.3e}, relative to the matrix {norms[1]:.3e}, {norms[2]:.3e}")  # noqa: T201
        if callback is not None:
            callback(s["x"])

    s = run_turns(lambda s: (s["left"] > 0) & (s["stop"] == 0), turn, state, observe if show or callback is not None else None)
    if float(s["square"]) < 0:
        raise ValueError("the matrix is not symmetric, or the preconditioner not; minres needs both to be")
    return s["x"], math.sqrt(float(s["total"])), bool(s["stop"])


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
