"""Methods that make the residual small but for the lengths of their vectors: QMR, and TFQMR, which needs no products with the adjoint."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from .._array import Array
from .._linalg.norms import vector_norm
from ..creation_functions import zeros_like
from ..data_type_functions import finfo
from ..elementwise_functions import conj, sqrt
from ..linear_algebra_functions import vdot
from .device_iteration import Products, iterate, narrow_product, one_of, recurrence, safe_quotient
from .host_solver import direct_solver
from .linear_operator import LinearOperator
from .system import is_solved, linear_system, magnitude, preconditioner, tolerance, true_residual

__all__ = ["qmr", "tfqmr"]

_Product = Callable[[Any], Array]
_Solves = tuple[_Product, _Product, _Product, _Product]


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
    left, left_adjoint, right, right_adjoint = solves = _preconditioners(A, M1, M2, system.A, b)
    found = iterate(system, recurrence(partial(_qmr_start, solves), partial(_qmr_turn, solves), restarts=True), callback)
    if found is not None:
        return found
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
        if is_solved(system, x, r):
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


def _qmr_start(solves: _Solves, _products: Products, r: Any) -> tuple[Any, ...]:
    left, _, _, right_adjoint = _narrowed(solves, r)
    y, z, nothing, one = left(r), right_adjoint(r), zeros_like(r), one_of(r)
    rho, xi = vector_norm(y), vector_norm(z)
    return r, y, r, z, rho, xi, rho * 0 + 1, rho * 0, -one, nothing, nothing, nothing, nothing, one


def _qmr_turn(solves: _Solves, products: Products, x: Any, r: Any, kept: Any, _: Any) -> Any:
    left, left_adjoint, right, right_adjoint = _narrowed(solves, r)
    v, y, w, z, rho, xi, gamma, theta, eta, p, q, d, s, epsilon = kept
    (per_rho, failed), (per_xi, ended) = (safe_quotient(one * 0 + 1, one) for one in (rho, xi))
    v, y, w, z = v * per_rho, y * per_rho, w * per_xi, z * per_xi
    delta = vdot(z, y)
    ratio, flat = safe_quotient(delta, epsilon)
    p, q = right(y) - (xi * ratio) * p, left_adjoint(z) - (rho * conj(ratio)) * q
    product = products.matvec(p)
    epsilon = vdot(q, product)
    beta, broken = safe_quotient(epsilon, delta)
    v, w = product - beta * v, products.rmatvec(q) - conj(beta) * w
    y, z = left(v), right_adjoint(w)
    before, theta_before, gamma_before, rho, xi = rho, theta, gamma, vector_norm(y), vector_norm(z)
    theta, stopped = safe_quotient(rho, gamma * abs(beta))
    gamma = 1 / sqrt(1 + theta**2)
    eta = -eta * safe_quotient(before, beta)[0] * (gamma / gamma_before) ** 2
    rest = (theta_before * gamma) ** 2
    d, s = eta * p + rest * d, eta * product + rest * s
    state = v, y, w, z, rho, xi, gamma, theta, eta, p, q, d, s, epsilon
    return x + d, r - s, state, failed | ended | flat | broken | stopped


def _narrowed(solves: _Solves, r: Array) -> list[Callable[[Any], Any]]:
    return [narrow_product(product, r.dtype) for product in solves]


def _preconditioners(A: Any, M1: Any, M2: Any, operator: LinearOperator, b: Any) -> _Solves:
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
    on Scientific Computing 14, 1993. As SciPy's, it makes `rtol` relative to the residual at the start, but asks for no residual below the
    rounding of the right-hand side. The preconditioner is applied
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
    eps = float(finfo(x.dtype).eps)
    target = max(tolerance(atol, rtol, tau, "tfqmr"), eps * system.bnorm)
    steps = min(10000, system.maxiter) if maxiter is None else maxiter
    if not show:
        found = iterate(system._replace(atol=target, maxiter=-(-steps // 2)), _TFQMR, callback)
        if found is not None:
            return found[0], min(2 * found[1], steps)

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
        small = tau * math.sqrt(step + 1) < target or tau == 0  # a bound of the residual
        if small and magnitude(true_residual(system, x)) <= target:
            if show:
                print(f"tfqmr: converged in {step} half-steps")  # noqa: T201
            return x, 0
        if tau == 0:
            break
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


def _tfqmr_start(products: Products, r: Any) -> tuple[Any, ...]:
    nothing, tau, rho, image = zeros_like(r), vector_norm(r), vdot(r, r), products.matvec(products.psolve(r))
    return r, r, r, image, image, nothing, nothing, tau, tau * 0, rho * 0, rho


def _tfqmr_turn(products: Products, x: Any, r: Any, kept: Any, _: Any) -> Any:
    """Make both half-steps, with the image of the direction, which makes the residual."""
    shadow, u, w, v, image, d, turned, tau, factor, eta, rho = kept
    alpha, broken = safe_quotient(rho, vdot(shadow, v))
    step = zeros_like(d)
    for half in range(2):
        if half:
            u = u - alpha * v
            image = products.matvec(products.psolve(u))
        w = w - alpha * image
        weight = safe_quotient(factor * eta, alpha)[0]
        d, turned = u + weight * d, image + weight * turned
        theta = safe_quotient(vector_norm(w), tau)[0]
        cosine = 1 / sqrt(1 + theta**2)
        tau, factor, eta = tau * theta * cosine, theta**2, cosine**2 * alpha
        step, r = step + eta * d, r - eta * turned
    before, rho = rho, vdot(shadow, w)
    beta, failed = safe_quotient(rho, before)
    u = w + beta * u
    ahead = products.matvec(products.psolve(u))
    v = ahead + beta * (image + beta * v)
    return x + products.psolve(step), r, (shadow, u, w, v, ahead, d, turned, tau, factor, eta, rho), broken | failed


_TFQMR: Final = recurrence(_tfqmr_start, _tfqmr_turn, restarts=True)
