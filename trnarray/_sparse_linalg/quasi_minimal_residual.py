"""Methods that make the residual small but for the lengths of their vectors: QMR, and TFQMR, which needs no products with the adjoint."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .._array import Array
from ..data_type_functions import finfo
from ..linear_algebra_functions import vdot
from .host_solver import direct_solver
from .linear_operator import LinearOperator
from .system import linear_system, magnitude, preconditioner, tolerance

__all__ = ["qmr", "tfqmr"]

_Product = Callable[[Any], Array]


@direct_solver(apart=frozenset({"M1", "M2"}))  # which SciPy takes as operators only
def qmr(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    maxiter: int | None = None,
    M1: Any = None,
    M2: Any = None,
    callback: Callable[[Array], Any] | None = None,
) -> tuple[Array, int]:
    """
    Solve by quasi-minimal residuals, which need products with the adjoint of the matrix.

    The method is that of R. W. Freund and N. M. Nachtigal, "An implementation of the QMR method based on coupled two-term recurrences",
    SIAM Journal on Scientific Computing 15, 1994, without look-ahead.

    See `scipy.sparse.linalg.qmr`.
    """
    system = linear_system(A, b, x0, rtol, atol, maxiter, None, "qmr")
    if system.bnorm == 0:
        return system.b, 0
    left, left_adjoint, right, right_adjoint = _preconditioners(A, M1, M2, system.A, b)
    x, r = system.x, system.r
    smallest = float(finfo(x.dtype).eps)
    v, w = r, r
    y, z = left(v), right_adjoint(w)
    rho, xi = magnitude(y), magnitude(z)
    gamma, theta = 1.0, 0.0
    eta: Any = -1.0
    p: Any = None
    q: Any = None
    d: Any = None
    s: Any = None
    epsilon: Any = None
    for _ in range(system.maxiter):
        if magnitude(r) < system.atol:
            return x, 0
        if rho < smallest:
            return x, -10
        if xi < smallest:
            return x, -15
        v, y, w, z = v * (1 / rho), y * (1 / rho), w * (1 / xi), z * (1 / xi)
        delta = vdot(z, y)
        if abs(delta) < smallest:
            return x, -13
        # Directions of both Lanczos sequences
        ahead, back = right(y), left_adjoint(z)
        if p is None:
            p, q = ahead, back
        else:
            ratio = delta / epsilon
            p, q = ahead - (xi * ratio) * p, back - (rho * ratio.conj()) * q
        product = system.matvec(p)
        epsilon = vdot(q, product)
        if abs(epsilon) < smallest:
            return x, -14
        beta = epsilon / delta
        if abs(beta) < smallest:
            return x, -11
        v, w = product - beta * v, system.A.rmatvec(q) - beta.conj() * w
        y, z = left(v), right_adjoint(w)
        before, rho, xi = rho, magnitude(y), magnitude(z)
        # The rotation that makes the bidiagonal matrix of coefficients triangular
        theta_before, gamma_before = theta, gamma
        theta = rho / (gamma * float(abs(beta)))
        gamma = 1 / math.hypot(1.0, theta)
        if gamma < smallest:
            return x, -12
        eta = -eta * (before / beta) * (gamma / gamma_before) ** 2
        if d is None:
            d, s = eta * p, eta * product
        else:
            kept = (theta_before * gamma) ** 2
            d, s = eta * p + kept * d, eta * product + kept * s
        x, r = x + d, r - s
        if callback:
            callback(x)
    return x, system.maxiter


def _preconditioners(A: Any, M1: Any, M2: Any, operator: LinearOperator, b: Any) -> tuple[_Product, _Product, _Product, _Product]:
    """Give the products with the left and the right preconditioner and their adjoints."""
    if M1 is None and M2 is None and hasattr(A, "psolve"):
        return (
            lambda x: A.psolve(x, "left"),
            lambda x: A.rpsolve(x, "left"),
            lambda x: A.psolve(x, "right"),
            lambda x: A.rpsolve(x, "right"),
        )
    return *preconditioner(M1, operator, A, b), *preconditioner(M2, operator, A, b)


@direct_solver(apart=frozenset({"M"}))  # with which SciPy does not solve the system
def tfqmr(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: Any = None,
    callback: Callable[[Array], Any] | None = None,
    show: bool = False,
) -> tuple[Array, int]:
    """
    Solve by transpose-free quasi-minimal residuals.

    The method is that of R. W. Freund, "A transpose-free quasi-minimal residual algorithm for non-Hermitian linear systems", SIAM Journal
    on Scientific Computing 14, 1993. As SciPy's, it makes `rtol` relative to the residual at the start. The preconditioner is applied
    from the right, so that what becomes small is the residual of the system itself; with SciPy's, which mixes both sides, another system
    is solved where `A` and `M` do not commute.

    See `scipy.sparse.linalg.tfqmr`.
    """
    system = linear_system(A, b, x0, rtol, atol, maxiter, M, "tfqmr")
    x, r = system.x, system.r
    tau = magnitude(r)
    if system.bnorm == 0:
        return system.b, 0
    if tau == 0:
        return x, 0
    target = tolerance(atol, rtol, tau, "tfqmr")
    steps = min(10000, system.maxiter) if maxiter is None else maxiter

    def product(y: Array) -> Array:
        return system.matvec(system.psolve(y))

    shadow, u, w = r, r, r
    v = image = product(u)
    theta = 0.0
    d: Any = None
    ahead: Any = None
    rho = vdot(shadow, r)
    alpha: Any = None
    eta: Any = None
    for step in range(1, steps + 1):
        first = step % 2 == 1  # of the two half-steps that share v
        if first:
            sigma = vdot(shadow, v)
            if sigma == 0:
                return x, -1
            alpha = rho / sigma
            ahead = u - alpha * v
        w = w - alpha * image
        d = u if d is None else u + (theta**2 * eta / alpha) * d
        theta = magnitude(w) / tau
        c = 1 / math.hypot(1.0, theta)
        tau = tau * theta * c
        eta = c**2 * alpha
        x = x + eta * system.psolve(d)
        if callback:
            callback(x)
        if tau * math.sqrt(step + 1) < target or tau == 0:  # a bound of the residual
            if show:
                print(f"tfqmr: converged in {step} half-steps")  # noqa: T201
            return x, 0
        if first:
            u = ahead
            image = product(u)
        else:
            before, rho = rho, vdot(shadow, w)
            beta = rho / before
            u = w + beta * u
            v = beta * (image + beta * v)
            image = product(u)
            v = v + image
    if show:
        print(f"tfqmr: not converged in {steps} half-steps")  # noqa: T201
    return x, steps
