"""Least squares by Golub and Kahan's bidiagonalization: LSQR and LSMR.

Steps are turns of one loop, a program on devices: all numbers are Arrays without axes, and are fetched after the last one.
"""

from __future__ import annotations

from typing import Any

from .._array import Array
from .._linalg.norms import vector_norm
from .._operand import as_operand
from .._placement import promotion_table
from ..array_conversion import asarray
from ..backends.device import Device
from ..creation_functions import zeros
from ..data_type_functions import finfo, result_type
from ..elementwise_functions import hypot, maximum, minimum, sqrt
from ..searching_functions import where
from .device_iteration import MOST_TURNS, run_turns, safe_quotient
from .host_solver import direct_solver
from .linear_operator import LinearOperator
from .matrix_operator import single_operator

__all__ = ["lsmr", "lsqr"]

_State = dict[str, Any]


def _bidiagonalization(A: LinearOperator, b: Array, x0: Array | None, dtype: Any) -> _State:
    """Begin to bring the matrix to lower bidiagonal form, ``A @ V = U @ B``: the solution so far, the first vectors, and their lengths."""
    right = b.squeeze() if b.ndim > 1 else b.reshape(-1)
    if right.ndim > 1 or right.shape[0] != A.shape[0]:
        raise ValueError(f"the right-hand side has shape {b.shape}, but a matrix of shape {A.shape} needs {A.shape[:1]}")
    if x0 is None:
        x, u = zeros(A.shape[1], dtype=dtype, device=right.device), right
    else:
        x = x0.reshape(A.shape[1])
        u = right - A.matvec(x)
    beta = vector_norm(u)
    u = u * _quotient(1, beta)
    v = A.rmatvec(u)
    alpha = vector_norm(v)
    real, kind = alpha.dtype, result_type(u.dtype, v.dtype)
    norms = {"alpha": alpha, "beta": beta.astype(real), "bnorm": vector_norm(right).astype(real)}
    return norms | {"x": x, "u": u.astype(kind, copy=False), "v": v * _quotient(1, alpha)}


def _advance(A: LinearOperator, s: _State) -> _State:
    """Make a step of it; where the space ends, the last vector and its length stay."""
    u = A.matvec(s["v"]) - s["alpha"] * s["u"]
    beta = vector_norm(u)
    u = u * _quotient(1, beta)
    v = A.rmatvec(u) - beta * s["v"]
    alpha = vector_norm(v)
    v = v * _quotient(1, alpha)
    return {"u": u, "v": where(beta > 0, v, s["v"]), "alpha": where(beta > 0, alpha, s["alpha"]), "beta": beta}


def _quotient(a: Any, b: Any) -> Any:
    """Divide, or give 0 where that is not possible."""
    return safe_quotient(a, b)[0]


def _rotation(a: Any, b: Any) -> tuple[Any, Any, Any]:
    """Give the cosine and sine that turn ``(a, b)`` to ``(r, 0)``, and ``r``."""
    r = hypot(a, b)
    return _quotient(a, r), _quotient(b, r), r


def _numbers(like: Any, **numbers: float) -> _State:
    """Make numbers of the state, since programs depend on others."""
    return {name: asarray(number, dtype=like.dtype, device=like.device) for name, number in numbers.items()}


def _reason(s: _State, test1: Any, test2: Any, test3: Any, scale: Any) -> Any:
    """Say why to stop, by SciPy's numbers: 1 to 3 where a tolerance is reached, 4 to 6 where the precision is, 7 after the last step."""
    reason: Any = where(s["left"] <= 1, 7.0, 0.0)
    reached = test3 <= s["inverse_limit"], test2 <= s["atol"], test1 <= s["btol"] + s["atol"] * scale
    precise = 1 + test3 <= 1, 1 + test2 <= 1, 1 + test1 / (1 + scale) <= 1
    for number, held in zip((6.0, 5.0, 4.0, 3.0, 2.0, 1.0), (*precise, *reached), strict=True):
        reason = where(held, number, reason)
    return reason.astype(s["reason"].dtype)


def _run(name: str, turn: Any, state: _State, show: bool) -> tuple[_State, int, int]:
    """Take steps until there is a reason to stop: the state then, that reason, and how many steps there were."""

    def print_step(s: _State) -> None:
        norm, normal, condition = (float(s[key]) for key in ("r1norm", "arnorm", "acond"))
        step = steps - int(s["left"])
        print(f"{name}: step {step}, residual {norm:.3e}, of the normal equations {normal:.3e}, condition {condition:.1e}")  # noqa: T201

    steps = int(state["left"])
    state = run_turns(lambda s: (s["left"] > 0) & (s["reason"] == 0), turn, state, print_step if show else None)
    return state, int(state["reason"]), steps - int(state["left"])


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
    real = promotion_table(right.device).default_float
    begun = _bidiagonalization(operator, right, start, real)
    alpha, beta, kind = begun["alpha"], begun["beta"], result_type(begun["x"].dtype, begun["v"].dtype)
    var = zeros(n, dtype=result_type(real, kind), device=right.device)
    if float(alpha) * float(beta) == 0:
        norm = float(beta)
        return begun["x"], 0, 0, norm, norm, 0.0, 0.0, 0.0, 0.0, var
    eps = float(finfo(alpha.dtype).eps)
    zero = 0 * alpha
    state = begun | dict.fromkeys(("anorm", "acond", "xnorm", "inverse", "residual", "size", "z", "sn2", "reason"), zero)
    state |= {"w": begun["v"], "x": begun["x"].astype(kind, copy=False), "rhobar": alpha, "phibar": beta, "cs2": zero - 1}
    state |= {"r1norm": beta, "r2norm": beta, "arnorm": alpha * beta}
    state |= _numbers(alpha, left=min(steps, MOST_TURNS), damp=damp, atol=atol, btol=btol, inverse_limit=1 / conlim if conlim > 0 else 0.0)
    if calc_var:
        state["var"] = var

    def turn(s: _State) -> _State:
        new = s | _advance(operator, s)
        beta, square = new["beta"], s["damp"] ** 2
        anorm = where(beta > 0, sqrt(s["anorm"] ** 2 + s["alpha"] ** 2 + beta**2 + square), s["anorm"])

        # Rotations that take the damping and then the subdiagonal away
        diagonal, psi, phibar = s["rhobar"], None, s["phibar"]
        if damp > 0:
            diagonal = sqrt(diagonal**2 + square)
            psi, phibar = s["damp"] / diagonal * phibar, s["rhobar"] / diagonal * phibar
        cs, sn, rho = _rotation(diagonal, beta)
        theta, rhobar = sn * new["alpha"], -cs * new["alpha"]
        phi, phibar = cs * phibar, sn * phibar
        dk = s["w"] * _quotient(1, rho)
        inverse = s["inverse"] + vector_norm(dk) ** 2
        if calc_var:
            new["var"] = s["var"] + dk**2

        # A rotation from the right, for the norm of the solution
        delta, gambar = s["sn2"] * rho, -s["cs2"] * rho
        rhs = phi - delta * s["z"]
        xnorm = sqrt(s["size"] + _quotient(rhs, gambar) ** 2)
        gamma = hypot(gambar, theta)
        z = _quotient(rhs, gamma)
        size = s["size"] + z**2

        acond = anorm * sqrt(inverse)
        residual = s["residual"] if psi is None else s["residual"] + psi**2
        r2norm = sqrt(phibar**2 + residual)
        arnorm = new["alpha"] * abs(sn * phi)
        rest = r2norm**2 - square * size
        r1norm = where(rest < 0, -1.0, 1.0) * sqrt(abs(rest)) if damp > 0 else r2norm
        scale = _quotient(anorm * xnorm, s["bnorm"])
        tests = _quotient(r2norm, s["bnorm"]), arnorm / (anorm * r2norm + eps), 1 / (acond + eps)
        new |= {"x": s["x"] + phi * dk, "w": new["v"] - theta * dk, "rhobar": rhobar, "phibar": phibar, "z": z, "size": size}
        new |= {"cs2": _quotient(gambar, gamma), "sn2": _quotient(theta, gamma), "inverse": inverse, "residual": residual, "anorm": anorm}
        new |= {"acond": acond, "xnorm": xnorm, "r1norm": r1norm, "r2norm": r2norm, "arnorm": arnorm, "left": s["left"] - 1}
        return new | {"reason": _reason(s, *tests, scale)}

    s, reason, step = _run("lsqr", turn, state, show)
    norms = [float(s[name]) for name in ("r1norm", "r2norm", "anorm", "acond", "arnorm", "xnorm")]
    return (s["x"], reason, step, *norms, s.get("var", var))


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
    begun = _bidiagonalization(operator, right, start, dtype)
    alpha, beta = begun["alpha"], begun["beta"]
    h, nothing = begun["v"].astype(dtype), zeros(n, dtype=dtype, device=right.device)
    norms = float(alpha), float(beta)
    if norms[0] * norms[1] == 0 or float(begun["bnorm"]) == 0:
        x = begun["x"] if norms[0] * norms[1] == 0 else nothing
        return x, 0, 0, norms[1], norms[0] * norms[1], norms[0], 1.0, 0.0
    zero, one = 0 * alpha, 0 * alpha + 1
    state = begun | dict.fromkeys(("sbar", "zeta", "betad", "tau", "theta", "damped", "largest", "normx", "started", "reason"), zero)
    state |= dict.fromkeys(("rho", "rhobar", "cbar", "rhod", "acond"), one) | {"h": h, "v": h, "x": begun["x"].astype(dtype)}
    state |= {"hbar": nothing, "zetabar": alpha * beta, "alphabar": alpha, "betadd": beta, "r1norm": beta, "arnorm": alpha * beta}
    state |= {"square": alpha**2, "norma": alpha, "least": zero + float(finfo(alpha.dtype).max)}
    state |= _numbers(alpha, left=min(steps, MOST_TURNS), damp=damp, atol=atol, btol=btol, inverse_limit=1 / conlim if conlim > 0 else 0.0)

    def turn(s: _State) -> _State:
        new = s | _advance(operator, s)
        alpha, beta = new["alpha"], new["beta"]

        # Rotations of the bidiagonal matrix with damping, to upper bidiagonal form, and of its transpose likewise
        chat, shat, alphahat = _rotation(s["alphabar"], s["damp"])
        c, sn, rho = _rotation(alphahat, beta)
        thetanew = sn * alpha
        thetabar, turned = s["sbar"] * rho, s["cbar"] * rho
        cbar, sbar, rhobar = _rotation(turned, thetanew)
        zeta, zetabar = cbar * s["zetabar"], -sbar * s["zetabar"]
        hbar = s["h"] - _quotient(thetabar * rho, s["rho"] * s["rhobar"]) * s["hbar"]
        x = s["x"] + _quotient(zeta, rho * rhobar) * hbar

        # The norm of the residual
        acute, check = chat * s["betadd"], -shat * s["betadd"]
        hat, betadd = c * acute, -sn * acute
        ctilde, stilde, rhotilde = _rotation(s["rhod"], thetabar)
        theta, rhod = stilde * rhobar, ctilde * rhobar
        betad = -stilde * s["betad"] + ctilde * hat
        tau = _quotient(s["zeta"] - s["theta"] * s["tau"], rhotilde)
        damped = s["damped"] + check**2
        normr = sqrt(damped + (betad - _quotient(zeta - theta * tau, rhod)) ** 2 + betadd**2)

        norma = sqrt(s["square"] + beta**2)
        largest = maximum(s["largest"], s["rhobar"])
        least = where(s["started"] > 0, minimum(s["least"], s["rhobar"]), s["least"])
        conda = _quotient(maximum(largest, turned), minimum(least, turned))
        normar, normx = abs(zetabar), vector_norm(x)
        scale = _quotient(norma * normx, s["bnorm"])
        product = norma * normr
        tests = _quotient(normr, s["bnorm"]), where(product == 0, 1.0, _quotient(normar, product)), _quotient(1, conda)
        new |= {"x": x, "h": new["v"] - _quotient(thetanew, rho) * s["h"], "hbar": hbar, "alphabar": c * alpha, "rho": rho, "cbar": cbar}
        new |= {"sbar": sbar, "rhobar": rhobar, "zeta": zeta, "zetabar": zetabar, "betad": betad, "betadd": betadd, "theta": theta}
        new |= {"rhod": rhod, "tau": tau, "damped": damped, "square": s["square"] + beta**2 + alpha**2, "norma": norma, "largest": largest}
        new |= {"least": least, "started": s["started"] * 0 + 1, "acond": conda, "r1norm": normr, "arnorm": normar, "normx": normx}
        return new | {"reason": _reason(s, *tests, scale), "left": s["left"] - 1}

    s, reason, step = _run("lsmr", turn, state, show)
    return (s["x"], reason, step, *(float(s[name]) for name in ("r1norm", "arnorm", "norma", "acond", "normx")))
