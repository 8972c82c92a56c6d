"""The method of conjugate gradients and its relatives for matrices that are not symmetric.

They are written in operations of Arrays, and so run wherever these are. On devices they are programs, see `device_iteration`;
elsewhere, and where that needs float64, each step fetches norms, and what it must decide on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from .._array import Array
from .._sparse.base import is_sparse, run_raw, wrap_result
from ..array_conversion import asarray
from ..backends.ops.sparse_linalg import OPS
from ..creation_functions import zeros_like
from ..data_type_functions import finfo
from ..elementwise_functions import conj
from ..joining_functions import stack
from ..linear_algebra_functions import vdot
from .device_iteration import EVERY, MOST_TURNS, Products, iterate, one_of, recurrence, safe_quotient
from .host_solver import direct_solver
from .linear_operator import LinearOperator
from .matrix_operator import is_matrix
from .system import is_solved, linear_system, same

__all__ = ["bicg", "bicgstab", "cg", "cgs"]

_Callback = Callable[[Array], Any] | None


@direct_solver()
def cg(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: Any = None,
    callback: _Callback = None,
) -> tuple[Array, int]:
    """
    Solve with a symmetric or Hermitian positive definite matrix by conjugate gradients.

    The method is that of M. R. Hestenes and E. Stiefel, "Methods of conjugate gradients for solving linear systems", Journal of
    Research of the National Bureau of Standards 49, 1952.

    See `scipy.sparse.linalg.cg`.
    """
    system = linear_system(A, b, x0, rtol, atol, maxiter, M, "cg")
    if system.bnorm == 0:
        return system.b, 0
    found = iterate(system, _CG, callback)
    if found is not None:
        return found
    x, r = system.x, system.r
    p: Any = None
    rho: Any = None
    for _ in range(system.maxiter):
        if is_solved(system, x, r):
            return x, 0
        z = system.psolve(r)
        before, rho = rho, vdot(r, z)
        p = z if p is None else z + (rho / before) * p
        q = system.matvec(p)
        alpha = rho / vdot(p, q)
        x = x + alpha * p
        r = r - alpha * q
        if callback:
            callback(x)
    return x, system.maxiter


@direct_solver()
def cgs(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: Any = None,
    callback: _Callback = None,
) -> tuple[Array, int]:
    """
    Solve by conjugate gradients squared.

    The method is that of P. Sonneveld, "CGS, a fast Lanczos-type solver for nonsymmetric linear systems", SIAM Journal on Scientific
    and Statistical Computing 10, 1989.

    See `scipy.sparse.linalg.cgs`.
    """
    system = linear_system(A, b, x0, rtol, atol, maxiter, M, "cgs")
    if system.bnorm == 0:
        return system.b, 0
    found = iterate(system, _CGS, callback)
    if found is not None:
        return found
    x, r = system.x, system.r
    shadow, smallest = r, _smallest(r)
    p: Any = None
    q: Any = None
    rho: Any = None
    for _ in range(system.maxiter):
        if is_solved(system, x, r):
            return x, 0
        before, rho = rho, vdot(shadow, r)
        if abs(rho) < smallest:
            return x, -10
        if p is None:
            u = p = r
        else:
            beta = rho / before
            u = r + beta * q
            p = u + beta * (q + beta * p)
        v = system.matvec(system.psolve(p))
        sigma = vdot(shadow, v)
        if sigma == 0:
            return x, -11
        alpha = rho / sigma
        q = u - alpha * v
        x = x + alpha * system.psolve(u + q)
        r = system.b - system.matvec(x)  # not by recurrence, in which errors build up
        if callback:
            callback(x)
    return x, system.maxiter


@direct_solver()
def bicg(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: Any = None,
    callback: _Callback = None,
) -> tuple[Array, int]:
    """
    Solve by biconjugate gradients, which need products with the adjoint of the matrix.

    The method is that of R. Fletcher, "Conjugate gradient methods for indefinite systems", Lecture Notes in Mathematics 506, 1976.

    See `scipy.sparse.linalg.bicg`.
    """
    system = linear_system(A, b, x0, rtol, atol, maxiter, M, "bicg")
    if system.bnorm == 0:
        return system.b, 0
    found = iterate(system, _BICG, callback)
    if found is not None:
        return found
    x, r = system.x, system.r
    shadow, smallest = r, _smallest(r)
    p: Any = None
    other: Any = None
    rho: Any = None
    for _ in range(system.maxiter):
        if is_solved(system, x, r):
            return x, 0
        z, w = system.psolve(r), system.rpsolve(shadow)
        before, rho = rho, vdot(shadow, z)
        if abs(rho) < smallest:
            return x, -10
        if p is None:
            p, other = z, w
        else:
            beta = rho / before
            p, other = z + beta * p, w + beta.conj() * other
        q = system.matvec(p)
        sigma = vdot(other, q)
        if sigma == 0:
            return x, -11
        alpha = rho / sigma
        x = x + alpha * p
        r = r - alpha * q
        shadow = shadow - alpha.conj() * system.A.rmatvec(other)
        if callback:
            callback(x)
    return x, system.maxiter


@direct_solver()
def bicgstab(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: Any = None,
    callback: _Callback = None,
) -> tuple[Array, int]:
    """
    Solve by stabilized biconjugate gradients.

    The method is that of H. A. van der Vorst, "Bi-CGSTAB: a fast and smoothly converging variant of Bi-CG for the solution of
    nonsymmetric linear systems", SIAM Journal on Scientific and Statistical Computing 13, 1992.

    See `scipy.sparse.linalg.bicgstab`.
    """
    system = linear_system(A, b, x0, rtol, atol, maxiter, M, "bicgstab")
    if system.bnorm == 0:
        return system.b, 0
    found = iterate(system, _BICGSTAB, callback)
    if found is not None:
        return found
    x, r = system.x, system.r
    shadow, smallest = r, _smallest(r)
    p: Any = None
    v: Any = None
    rho: Any = None
    alpha: Any = None
    omega: Any = None
    for _ in range(system.maxiter):
        if is_solved(system, x, r):
            return x, 0
        before, rho = rho, vdot(shadow, r)
        if abs(rho) < smallest:
            return x, -10
        if p is None:
            p = r
        else:
            if abs(omega) < smallest:
                return x, -11
            beta = (rho / before) * (alpha / omega)
            p = r + beta * (p - omega * v)
        direction = system.psolve(p)
        v = system.matvec(direction)
        sigma = vdot(shadow, v)
        if sigma == 0:
            return x, -11
        alpha = rho / sigma
        s = r - alpha * v
        x = x + alpha * direction
        if is_solved(system, x, s):
            return x, 0
        correction = system.psolve(s)
        t = system.matvec(correction)
        omega = vdot(t, s) / vdot(t, t)
        x = x + omega * correction
        r = s - omega * t
        if callback:
            callback(x)
    return x, system.maxiter


def _cg_turn(products: Products, x: Any, r: Any, kept: Any, square: Any) -> Any:
    p, before = kept
    z = products.psolve(r)
    rho = square.astype(r.dtype) if z is r else vdot(r, z)
    beta, failed = safe_quotient(rho, before)
    p = z + beta * p
    q = products.matvec(p)
    alpha, broken = safe_quotient(rho, vdot(p, q))
    return x + alpha * p, r - alpha * q, (p, rho), failed | broken


def _cgs_turn(products: Products, x: Any, r: Any, kept: Any, _: Any) -> Any:
    matvec, psolve = products.matvec, products.psolve
    shadow, p, q, before = kept
    rho = vdot(shadow, r)
    beta, failed = safe_quotient(rho, before)
    u = r + beta * q
    p = u + beta * (q + beta * p)
    v = matvec(psolve(p))
    alpha, broken = safe_quotient(rho, vdot(shadow, v))
    q = u - alpha * v
    direction = psolve(u + q)
    return x + alpha * direction, r - alpha * matvec(direction), (shadow, p, q, rho), failed | broken


def _bicg_turn(products: Products, x: Any, r: Any, kept: Any, _: Any) -> Any:
    shadow, p, other, before = kept
    z, w = products.psolve(r), products.rpsolve(shadow)
    rho = vdot(shadow, z)
    beta, failed = safe_quotient(rho, before)
    p, other = z + beta * p, w + conj(beta) * other
    q = products.matvec(p)
    alpha, broken = safe_quotient(rho, vdot(other, q))
    return x + alpha * p, r - alpha * q, (shadow - conj(alpha) * products.rmatvec(other), p, other, rho), failed | broken


def _bicgstab_turn(products: Products, x: Any, r: Any, kept: Any, _: Any) -> Any:
    matvec, psolve = products.matvec, products.psolve
    shadow, p, v, before, alpha, omega = kept
    rho = vdot(shadow, r)
    first, failed = safe_quotient(rho, before)
    second, stopped = safe_quotient(alpha, omega)
    p = r + first * second * (p - omega * v)
    direction = psolve(p)
    v = matvec(direction)
    alpha, broken = safe_quotient(rho, vdot(shadow, v))
    s = r - alpha * v
    correction = psolve(s)
    t = matvec(correction)
    omega, ended = safe_quotient(vdot(t, s), vdot(t, t))
    x = x + alpha * direction + omega * correction
    return x, s - omega * t, (shadow, p, v, rho, alpha, omega), failed | stopped | broken | ended


def _cg_advance(products: Products, r: Any, kept: Any, most: int, bound: float) -> tuple[Any, Any, tuple[Any, ...], int, bool, bool]:
    """Take steps in one kernel that keeps vectors on the chip, where a device has one for the matrix; else as turns of a loop."""
    operator = getattr(products.matvec, "__self__", None)
    most = min(most, MOST_TURNS)
    x, left = zeros_like(r), most
    while products.psolve is same and isinstance(operator, LinearOperator) and is_matrix(operator) and is_sparse(operator.args[0]):
        others = (bound * bound, min(left, EVERY), 0.0)
        numbers = [kept[1].astype(r.dtype), *(asarray(one, dtype=r.dtype, device=r.device) for one in others)]
        result, device = run_raw(OPS["cg_turns"], (operator.args[0], x, r, kept[0], stack(numbers), EVERY), {})
        if result is None:
            break
        x, r, p, state = wrap_result(result, device)
        _, square, ahead, broken = state.tolist()
        left, kept = left - min(left, EVERY) + int(ahead), (p, state[0])
        if broken or not square > bound * bound or not left:
            return x, r, kept, most - left, bool(broken), square <= bound * bound
    return _CG_TURNS.advance(products, r, kept, most, bound)


_CG_TURNS: Final = recurrence(lambda _, r: (zeros_like(r), one_of(r)), _cg_turn)
_CG: Final = _CG_TURNS._replace(advance=_cg_advance)
_CGS: Final = recurrence(lambda _, r: (r, zeros_like(r), zeros_like(r), one_of(r)), _cgs_turn)
_BICG: Final = recurrence(lambda _, r: (r, zeros_like(r), zeros_like(r), one_of(r)), _bicg_turn)
_BICGSTAB: Final = recurrence(lambda _, r: (r, zeros_like(r), zeros_like(r), one_of(r), one_of(r), one_of(r)), _bicgstab_turn)


def _smallest(r: Array) -> float:
    """Give what a scalar product must reach: the square of the dtype's precision."""
    return float(finfo(r.dtype).eps) ** 2
