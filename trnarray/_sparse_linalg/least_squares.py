"""Least squares by Golub and Kahan's bidiagonalization: LSQR and LSMR."""

from __future__ import annotations

import math
from typing import Any, Final

from .._array import Array
from .._linalg.norms import vector_norm
from .._operand import as_operand
from .._placement import promotion_table
from ..backends.device import Device
from ..creation_functions import zeros
from ..data_type_functions import result_type
from .host_solver import direct_solver
from .linear_operator import LinearOperator
from .matrix_operator import single_operator
from .system import magnitude

__all__ = ["lsmr", "lsqr"]

_EPS: Final = 2.0**-52  # of the scalars, which are fetched


class _Bidiagonalization:
    """The matrix brought to lower bidiagonal form, one step at a time: ``A @ V = U @ B``."""

    def __init__(self, A: LinearOperator, b: Array, x0: Array | None, dtype: Any) -> None:
        right = b.squeeze() if b.ndim > 1 else b.reshape(-1)
        if right.ndim > 1 or right.shape[0] != A.shape[0]:
            raise ValueError(f"the right-hand side has shape {b.shape}, but a matrix of shape {A.shape} needs {A.shape[:1]}")
        self.A, self.bnorm = A, float(vector_norm(right))
        if x0 is None:
            self.x = zeros(A.shape[1], dtype=dtype, device=right.device)
            u = right
        else:
            self.x = x0.reshape(A.shape[1])
            u = right - A.matvec(self.x)
        self.beta = magnitude(u)
        self.alpha = 0.0
        self.v = zeros(A.shape[1], dtype=dtype, device=right.device) if x0 is None else self.x
        if self.beta > 0:
            u = u * (1 / self.beta)
            self.v = A.rmatvec(u)
            self.alpha = magnitude(self.v)
        if self.alpha > 0:
            self.v = self.v * (1 / self.alpha)
        self.u = u

    def advance(self) -> None:
        """Make a step."""
        u = self.A.matvec(self.v) - self.alpha * self.u
        self.beta = magnitude(u)
        if self.beta > 0:
            u = u * (1 / self.beta)
            v = self.A.rmatvec(u) - self.beta * self.v
            self.alpha = magnitude(v)
            self.v = v * (1 / self.alpha) if self.alpha > 0 else v
        self.u = u


def _rotation(a: float, b: float) -> tuple[float, float, float]:
    """Give the cosine and sine that turn ``(a, b)`` to ``(r, 0)``, and ``r``, which has the sign of the larger."""
    if b == 0:
        return math.copysign(1.0, a) if a else 0.0, 0.0, abs(a)
    if a == 0:
        return 0.0, math.copysign(1.0, b), abs(b)
    if abs(b) > abs(a):
        tau = a / b
        s = math.copysign(1.0, b) / math.sqrt(1 + tau * tau)
        return s * tau, s, b / s
    tau = b / a
    c = math.copysign(1.0, a) / math.sqrt(1 + tau * tau)
    return c, c * tau, a / c


def _reason(test1: float, test2: float, test3: float, t1: float, tolerances: tuple[float, float, float], last: bool) -> int:
    """Say why to stop, by SciPy's numbers: 1 to 3 where a tolerance is reached, 4 to 6 where the precision is, 7 after the last step."""
    for number, (reached, tolerance) in enumerate(zip((test1, test2, test3), tolerances, strict=True), 1):
        if reached <= tolerance:
            return number
    for number, value in ((4, t1), (5, test2), (6, test3)):
        if 1 + value <= 1:
            return number
    return 7 if last else 0


def _show(name: str, step: int, *numbers: float) -> None:
    """Print a step."""
    print(f"{name}: step {step}, residual {numbers[0]:.3e}, of the normal equations {numbers[1]:.3e}, condition {numbers[2]:.1e}")  # noqa: T201


def _wrap_lsqr(results: tuple[Any, ...], device: Device) -> tuple[Any, ...]:
    """Make Arrays and Python's numbers of what SciPy's function gives; one by one, as a loop takes twice as long."""
    x, reason, step, r1norm, r2norm, anorm, acond, arnorm, xnorm, var = results
    norms = float(r1norm), float(r2norm), float(anorm), float(acond), float(arnorm), float(xnorm)
    return Array._wrap(x, device), reason, step, *norms, Array._wrap(var, device)


@direct_solver(wrap=_wrap_lsqr)
def lsqr(
    A: Any,
    b: Any,
    damp: float = 0.0,
    atol: float = 1e-6,
    btol: float = 1e-6,
    conlim: float = 1e8,
    iter_lim: int | None = None,
    show: bool = False,
    calc_var: bool = False,
    x0: Any = None,
) -> tuple[Array, int, int, float, float, float, float, float, float, Array]:
    """
    Solve a linear system or a least-squares problem.

    The method is that of C. C. Paige and M. A. Saunders, "LSQR: an algorithm for sparse linear equations and sparse least squares", ACM
    Transactions on Mathematical Software 8, 1982. It is in exact arithmetic that of conjugate gradients for the normal equations.

    See `scipy.sparse.linalg.lsqr`.
    """
    operator = single_operator(A, "lsqr", b, x0)
    n = operator.shape[1]
    steps = 2 * n if iter_lim is None else iter_lim
    right = as_operand(b, A, x0)
    start = None if x0 is None else as_operand(x0, A, b)
    device = right.device
    real = promotion_table(device).default_float
    process = _Bidiagonalization(operator, right, start, real)
    x, w, var = process.x, process.v, zeros(n, dtype=real, device=device)
    bnorm, square = process.bnorm, damp**2
    rhobar, phibar = process.alpha, process.beta
    r1norm = r2norm = phibar
    arnorm = process.alpha * process.beta
    anorm = acond = xnorm = 0.0
    inverse = residual = size = z = 0.0  # sums of squares of the inverse's columns, of the damping's part and of the solution
    cs2, sn2 = -1.0, 0.0
    if arnorm == 0:
        return x, 0, 0, r1norm, r2norm, anorm, acond, arnorm, xnorm, var
    for step in range(1, steps + 1):
        alpha = process.alpha
        process.advance()
        if process.beta > 0:
            anorm = math.sqrt(anorm**2 + alpha**2 + process.beta**2 + square)

        # Rotations that take the damping and then the subdiagonal away
        psi = 0.0
        diagonal = rhobar
        if damp > 0:
            diagonal = math.sqrt(rhobar**2 + square)
            psi, phibar = damp / diagonal * phibar, rhobar / diagonal * phibar
        cs, sn, rho = _rotation(diagonal, process.beta)
        theta, rhobar = sn * process.alpha, -cs * process.alpha
        phi, phibar = cs * phibar, sn * phibar
        dk = w * (1 / rho)
        x = x + (phi / rho) * w
        w = process.v + (-theta / rho) * w
        inverse += magnitude(dk) ** 2
        if calc_var:
            var = var + dk**2

        # A rotation from the right, for the norm of the solution
        delta, gambar = sn2 * rho, -cs2 * rho
        rhs = phi - delta * z
        xnorm = math.sqrt(size + (rhs / gambar) ** 2)
        gamma = math.sqrt(gambar**2 + theta**2)
        cs2, sn2, z = gambar / gamma, theta / gamma, rhs / gamma
        size += z**2

        acond = anorm * math.sqrt(inverse)
        residual += psi**2
        r2norm = math.sqrt(phibar**2 + residual)
        arnorm = process.alpha * abs(sn * phi)
        rest = r2norm**2 - square * size
        r1norm = math.copysign(math.sqrt(abs(rest)), rest) if damp > 0 else r2norm
        test1, test2, test3 = r2norm / bnorm, arnorm / (anorm * r2norm + _EPS), 1 / (acond + _EPS)
        scale = anorm * xnorm / bnorm
        tolerances = btol + atol * scale, atol, 1 / conlim if conlim > 0 else 0.0
        reason = _reason(test1, test2, test3, test1 / (1 + scale), tolerances, step >= steps)
        if show:
            _show("lsqr", step, r1norm, arnorm, acond)
        if reason:
            return x, reason, step, r1norm, r2norm, anorm, acond, arnorm, xnorm, var
    return x, 0, 0, r1norm, r2norm, anorm, acond, arnorm, xnorm, var


def _wrap_lsmr(results: tuple[Any, ...], device: Device) -> tuple[Any, ...]:
    """Make an Array and Python's numbers of what SciPy's function gives."""
    x, reason, step, normr, normar, norma, conda, normx = results
    return Array._wrap(x, device), reason, step, float(normr), float(normar), float(norma), float(conda), float(normx)


@direct_solver(wrap=_wrap_lsmr)
def lsmr(
    A: Any,
    b: Any,
    damp: float = 0.0,
    atol: float = 1e-6,
    btol: float = 1e-6,
    conlim: float = 1e8,
    maxiter: int | None = None,
    show: bool = False,
    x0: Any = None,
) -> tuple[Array, int, int, float, float, float, float, float]:
    """
    Solve a least-squares problem, with a residual of the normal equations that falls step by step.

    The method is that of D. C.-L. Fong and M. A. Saunders, "LSMR: an iterative algorithm for sparse least-squares problems", SIAM Journal
    on Scientific Computing 33, 2011. It is in exact arithmetic that of minimal residuals for the normal equations.

    See `scipy.sparse.linalg.lsmr`.
    """
    operator = single_operator(A, "lsmr", b, x0)
    n = operator.shape[1]
    steps = min(operator.shape) if maxiter is None else maxiter
    right = as_operand(b, A, x0)
    start = None if x0 is None else as_operand(x0, A, b)
    given = [x.dtype for x in (operator, right, start) if x is not None and x.dtype is not None]
    dtype = result_type(*given, promotion_table(right.device).default_float)
    process = _Bidiagonalization(operator, right, start, dtype)
    x, bnorm = process.x, process.bnorm
    zetabar, alphabar = process.alpha * process.beta, process.alpha
    rho = rhobar = cbar = 1.0
    sbar = zeta = 0.0
    h, hbar = process.v, zeros(n, dtype=dtype, device=right.device)

    # For the norm of the residual
    betadd, betad, rhod, tau, theta, damped = process.beta, 0.0, 1.0, 0.0, 0.0, 0.0
    normr, normar = process.beta, process.alpha * process.beta
    # For the norm of the matrix and its condition
    square, largest, least = process.alpha**2, 0.0, 1e100
    norma, conda, normx = process.alpha, 1.0, 0.0
    if normar == 0:
        return x, 0, 0, normr, normar, norma, conda, normx
    if bnorm == 0:
        return zeros(n, dtype=dtype, device=right.device), 0, 0, normr, normar, norma, conda, normx
    for step in range(1, steps + 1):
        process.advance()
        alpha, beta = process.alpha, process.beta

        # Rotations of the bidiagonal matrix with damping, to upper bidiagonal form, and of its transpose likewise
        chat, shat, alphahat = _rotation(alphabar, damp)
        before = rho
        c, s, rho = _rotation(alphahat, beta)
        thetanew, alphabar = s * alpha, c * alpha
        barbefore, zetabefore = rhobar, zeta
        thetabar, turned = sbar * rho, cbar * rho
        cbar, sbar, rhobar = _rotation(turned, thetanew)
        zeta, zetabar = cbar * zetabar, -sbar * zetabar
        hbar = h - (thetabar * rho / (before * barbefore)) * hbar
        x = x + (zeta / (rho * rhobar)) * hbar
        h = process.v - (thetanew / rho) * h

        # The norm of the residual
        acute, check = chat * betadd, -shat * betadd
        hat, betadd = c * acute, -s * acute
        thetabefore = theta
        ctilde, stilde, rhotilde = _rotation(rhod, thetabar)
        theta, rhod = stilde * rhobar, ctilde * rhobar
        betad = -stilde * betad + ctilde * hat
        tau = (zetabefore - thetabefore * tau) / rhotilde
        last = (zeta - theta * tau) / rhod
        damped += check**2
        normr = math.sqrt(damped + (betad - last) ** 2 + betadd**2)

        square += beta**2
        norma = math.sqrt(square)
        square += alpha**2
        largest = max(largest, barbefore)
        least = min(least, barbefore) if step > 1 else least
        conda = max(largest, turned) / min(least, turned)
        normar, normx = abs(zetabar), magnitude(x)
        test1, test3 = normr / bnorm, 1 / conda
        test2 = normar / (norma * normr) if norma * normr else math.inf
        scale = norma * normx / bnorm
        tolerances = btol + atol * scale, atol, 1 / conlim if conlim > 0 else 0.0
        reason = _reason(test1, test2, test3, test1 / (1 + scale), tolerances, step >= steps)
        if show:
            _show("lsmr", step, normr, normar, conda)
        if reason:
            return x, reason, step, normr, normar, norma, conda, normx
    return x, 0, 0, normr, normar, norma, conda, normx
