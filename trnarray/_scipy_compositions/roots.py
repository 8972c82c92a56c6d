"""
Roots of scipy.optimize with the state on the device: MINPACK's hybrid method of Powell for systems, Newton's for many equations at once.

A step of the hybrid method is one program: the step within the region (Powell's dogleg), the function there, and Broyden's update of the
matrix of derivatives. The numbers that decide about it are fetched in one round.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from .._array import Array
from ..backends.dtypes import FLOAT32
from .least_squares import MOST, Residuals, scheme_of
from .objectives import differences, fetched, initial, steps
from .operands import floats, leave_unless, xp

__all__ = ["COMPOSITIONS"]

_XTOL: Final = 1.49012e-08


class _Result(NamedTuple):
    """What SciPy gives of many equations."""

    root: Any
    converged: Any
    zero_der: Any


def _norm(x: Any) -> Any:
    return xp.sqrt(x @ x)


def _quotient(a: Any, b: Any) -> Any:
    return a / xp.where(b == 0, 1.0, b)


def _dogleg(matrix: Any, f: Any, diagonal: Any, delta: float) -> Any:
    """Find Powell's step of scaled length delta at most: towards the solution of the linear system, or along the gradient first."""
    newton = -xp.linalg.solve(matrix, f)
    length = _norm(diagonal * newton)
    gradient = -(matrix.T @ f) / diagonal
    size = _norm(gradient)
    along = _quotient(gradient, size) / diagonal
    turned = _norm(matrix @ along)
    reach = _quotient(_quotient(size, turned), turned)
    share, ratio = reach / delta, _quotient(delta * xp.ones_like(length), length)
    rest = 1.0 - share * share
    middle = _quotient(_quotient(f @ f, size), length) * share
    middle = middle - ratio * share * share + xp.sqrt(xp.maximum(xp.square(middle - ratio) + (1.0 - ratio * ratio) * rest, 0.0))
    alpha = xp.where(size == 0, ratio, xp.where(share < 1.0, _quotient(ratio * rest, middle), 0.0))
    bent = (1.0 - alpha) * xp.minimum(reach, delta) * along + alpha * newton
    return xp.where(length <= delta, newton, bent)


def _hybrid(fun: Callable[[Any], Any], jac: Any, x: Any, xtol: float, maxfev: int, eps: Any, factor: float, diag: Any) -> Any:
    """Find a root by MINPACK's hybrid method."""
    from scipy.optimize import OptimizeResult

    n, unit = x.shape[0], float(xp.finfo(x.dtype).eps)
    if x.dtype == FLOAT32:
        xtol = max(xtol, 4 * unit)
    maxfev = maxfev or (100 if callable(jac) else 200) * (n + 1)
    calls = [0, 0]

    def called(x: Any) -> Any:
        calls[0] += 1
        found = xp.asarray(fun(xp.copy(x)), device=x.device)
        if found.size != n:
            raise TypeError(f"the function gave {found.size} values for {n} unknowns: give as many equations as unknowns")
        return xp.astype(xp.reshape(found, (-1,)), x.dtype)

    def derivatives(x: Any, f: Any) -> Any:
        if callable(jac):
            calls[1] += 1
            return xp.astype(xp.reshape(xp.asarray(jac(xp.copy(x)), device=x.device), (n, n)), x.dtype)
        if x.dtype == FLOAT32 and eps is None:
            return differences(called, x, f, "3-point", *steps(x, "3-point", None, None, None))
        return differences(called, x, f, "2-point", *steps(x, "2-point", math.sqrt(max(eps or 0.0, unit)), None, None))

    def lengths(matrix: Any) -> Any:
        found = xp.sqrt(xp.sum(xp.square(matrix), axis=0))
        return xp.where(found == 0, 1.0, found)

    f = called(x)
    matrix = derivatives(x, f)
    diagonal = lengths(matrix) if diag is None else xp.asarray(diag, dtype=x.dtype, device=x.device)
    size, length = fetched(_norm(f), _norm(diagonal * x))
    delta = factor * length or factor
    status = slow = slow_derivatives = successes = failures = 0
    first, fresh, beside = True, True, False
    while status == 0:
        try:
            step = _dogleg(matrix, f, diagonal, delta)
            ahead = x + step
            f_ahead = called(ahead)
            predicted = f + matrix @ step
            size_ahead, size_predicted, moved, length_ahead = fetched(
                _norm(f_ahead), _norm(predicted), _norm(diagonal * step), _norm(diagonal * ahead)
            )
        except np.linalg.LinAlgError:  # a singular matrix: as MINPACK, solve one beside it
            if beside:
                raise
            beside = True
            matrix = matrix + unit * xp.maximum(xp.max(xp.abs(matrix)), 1.0) * xp.eye(n, dtype=x.dtype, device=x.device)
            continue
        beside = False
        if first:
            delta, first = min(delta, moved), False
        actual = 1.0 - (size_ahead / size) ** 2 if size_ahead < size else -1.0
        hoped = 1.0 - (size_predicted / size) ** 2 if size_predicted < size else 0.0
        ratio = actual / hoped if hoped > 0 else 0.0
        if ratio < 0.1:
            successes, failures, delta = 0, failures + 1, 0.5 * delta
        else:
            successes, failures = successes + 1, 0
            if ratio >= 0.5 or successes > 1:
                delta = max(delta, moved / 0.5)
            if abs(ratio - 1.0) <= 0.1:
                delta = moved / 0.5
        change = (f_ahead - predicted) / (moved * moved)
        if ratio >= 1e-4:
            x, f, size, length = ahead, f_ahead, size_ahead, length_ahead
        slow = 0 if actual >= 0.001 else slow + 1
        slow_derivatives = 0 if actual >= 0.1 else slow_derivatives + (1 if fresh else 0)
        if delta <= xtol * length or size == 0 or (x.dtype == FLOAT32 and moved <= 10 * unit * length):  # nothing is left to be changed
            status = 1
        elif calls[0] >= maxfev:
            status = 2
        elif 0.1 * max(0.1 * delta, moved) <= unit * length:
            status = 3
        elif slow_derivatives == 5:
            status = 4
        elif slow == 10:
            status = 5
        elif failures == 2:
            matrix, failures, fresh = derivatives(x, f), 0, True
            diagonal = xp.maximum(diagonal, lengths(matrix)) if diag is None else diagonal
            length = fetched(_norm(diagonal * x))[0]
        else:
            matrix, fresh = matrix + change[:, None] * (diagonal * diagonal * step)[None, :], False
    texts = {
        1: "The solution converged.",
        2: f"The number of calls to function has reached maxfev = {maxfev}.",
        3: f"xtol={xtol:f} is too small, no further improvement in the approximate\n solution is possible.",
        4: "The iteration is not making good progress, as measured by the \n improvement from the last five Jacobian evaluations.",
        5: "The iteration is not making good progress, as measured by the \n improvement from the last ten iterations.",
    }
    q, r = xp.linalg.qr(matrix)
    rows = [r[i, i:] for i in range(n)]
    found = OptimizeResult(
        x=x, success=status == 1, status=status, method="hybr", nfev=calls[0], fjac=q.T, r=xp.concatenate(rows), qtf=q.T @ f, fun=f,
        message=texts[status],
    )  # fmt: skip
    if callable(jac):
        found.njev = calls[1]
    return found


_HYBRID: Final = {"xtol": _XTOL, "maxfev": 0, "eps": None, "factor": 100.0, "diag": None}


def _root(
    fun: Any, x0: Any, args: Any = (), method: Any = "hybr", jac: Any = None, tol: Any = None, callback: Any = None, options: Any = None
) -> Any:  # fmt: skip
    known = _HYBRID if method == "hybr" else {"ftol": _XTOL, "xtol": _XTOL, "gtol": 0.0, "maxiter": 0, "factor": 100.0}
    given = dict(options or {})
    leave_unless(method in {"hybr", "lm"} and callable(fun) and callback is None and set(given) <= set(known))
    if tol is not None:
        given.setdefault("xtol", tol)
    args = args if isinstance(args, tuple) else (args,)
    x = initial(x0, args)
    leave_unless(x.shape[0] <= MOST)
    function: Any = lambda x: fun(x, *args)  # noqa: E731
    derivatives: Any = (lambda x: jac(x, *args)) if callable(jac) else None
    if jac is True:
        function, derivatives = (lambda x: fun(x, *args)[0]), (lambda x: fun(x, *args)[1])
    if method == "hybr":
        return _hybrid(function, derivatives, x, **{**known, **given})
    from scipy.optimize import root

    residuals = Residuals(function, x, derivatives or scheme_of(None, x, None, "2-point"))
    found = root(residuals.fun, x._host().astype(float), method="lm", jac=residuals.jac, options=given)
    found.x, found.fun, found.fjac = residuals.at(found.x)
    for name in ("fjac", "ipvt", "qtf", "cov_x"):  # of the triangle, not of the system
        found.pop(name, None)
    return found


def _fsolve(
    func: Any, x0: Any, args: Any = (), fprime: Any = None, full_output: Any = False, col_deriv: Any = False, xtol: Any = _XTOL,
    maxfev: Any = 0, band: Any = None, epsfcn: Any = None, factor: Any = 100, diag: Any = None,
) -> Any:  # fmt: skip
    leave_unless(not col_deriv and band is None and callable(func))
    args = args if isinstance(args, tuple) else (args,)
    x = initial(x0, args)
    found = _hybrid(
        lambda x: func(x, *args), (lambda x: fprime(x, *args)) if callable(fprime) else None, x, xtol, maxfev, epsfcn, factor, diag
    )
    if full_output:
        info = {key: found[key] for key in ("nfev", "njev", "fjac", "r", "qtf") if key in found}
        return found.x, {**info, "fvec": found.fun}, found.status, found.message
    if found.status != 1:
        warnings.warn(found.message, RuntimeWarning, stacklevel=4)
    return found.x


def _newton(
    func: Any, x0: Any, fprime: Any = None, args: Any = (), tol: Any = 1.48e-8, maxiter: Any = 50, fprime2: Any = None, x1: Any = None,
    rtol: Any = 0.0, full_output: Any = False, disp: Any = True,  # noqa: ARG001
) -> Any:  # fmt: skip
    """Iterate for many equations at once: three bools are fetched in each turn. In float32 changes end at its roundings."""
    leave_unless(type(x0) in {Array, np.ndarray, list, tuple} and callable(func) and tol > 0 and maxiter >= 1)
    (p,) = floats(x0) if type(x0) is Array else (xp.reshape(initial(x0, args), np.shape(x0)),)
    leave_unless(p.size > 1 or (not full_output and x1 is None and rtol == 0))
    eps = float(xp.finfo(p.dtype).eps)
    failures = xp.ones(p.shape, dtype=xp.bool, device=p.device)
    moving = failures

    def small(step: Any) -> Any:
        return xp.abs(step) < (xp.maximum(tol, 4 * eps * xp.abs(p)) if p.dtype == FLOAT32 else tol)

    def called(function: Any, x: Any) -> Any:
        return xp.astype(xp.asarray(function(x, *args), device=x.device), x.dtype)

    result, apart = p, xp.zeros_like(p)
    if fprime is None:
        dx = eps**0.33
        ahead, active = p * (1 + dx) + xp.where(p >= 0, dx, -dx), failures
        value, value_ahead = called(func, p), called(func, ahead)
    for _ in range(maxiter):
        if fprime is not None:
            value, slope = called(func, p), called(fprime, p)
            moving = slope != 0
            step = _quotient(value, slope)
            if fprime2 is not None:
                step = step / (1.0 - 0.5 * step * _quotient(called(fprime2, p), slope))
            found = xp.where(moving, p - step, p)
        else:
            moving = value_ahead != value
            step = _quotient(value_ahead * (ahead - p), value_ahead - value)
            found = xp.where(moving, ahead - step, xp.where(active, (ahead + p) / 2.0, p))
            active = active & moving
        left = xp.where(moving, ~small(step), failures)
        zero, still, going = xp.stack([~xp.any(value != 0) & (fprime is not None), ~xp.any(moving), xp.any(left & moving)])._host().tolist()
        if zero:
            failures = xp.zeros_like(failures)
            break
        if still:
            result = result if fprime is not None else (ahead + p) / 2.0
            break
        apart, result, failures = found - (p if fprime is not None else ahead), found, left
        if not going:
            break
        if fprime is not None:
            p = found
        else:
            p, ahead, value = ahead, found, value_ahead
            value_ahead = called(func, ahead)
    flat = ~moving & failures
    some_flat, all_flat, some, every = xp.stack([xp.any(flat), xp.all(flat), xp.any(failures), xp.all(failures)])._host().tolist()
    if some_flat:
        if fprime is not None:
            warnings.warn(f"{'all' if all_flat else 'some'} derivatives were zero", RuntimeWarning, stacklevel=4)
        else:
            reached = float(xp.sqrt(xp.sum(xp.where(flat, xp.square(apart), 0.0))))
            if reached:
                warnings.warn(f"RMS of {reached:g} reached", RuntimeWarning, stacklevel=4)
    elif some:
        text = f"{'all' if every else 'some'} failed to converge after {maxiter:d} iterations"
        if every:
            raise RuntimeError(text)
        warnings.warn(text, RuntimeWarning, stacklevel=4)
    if not full_output:
        return result
    return _Result(result, ~failures, flat)


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {"fsolve": _fsolve, "newton": _newton, "root": _root}
"""Functions of scipy.optimize."""
