"""
Minimization of scipy.optimize with the state on the device: BFGS, conjugate gradients, Newton's method.

A point of a line search is one program: the function, its gradient, and the direction that would follow. A few numbers of it are fetched in
one round, and SciPy's line searches decide by these on the host.
"""

from __future__ import annotations

import dataclasses
import math
import warnings
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from .limited_memory import limited_memory
from .objectives import EPSILON, SCHEMES, Objective, Watcher, fetched, initial, resolved
from .operands import leave_unless, xp
from .trust_regions import SUBPROBLEMS, trust_region

__all__ = ["COMPOSITIONS"]

_Follow = Callable[[Any, Any, Any], tuple[Any, Any]]


def _norm(x: Any, order: float) -> Any:
    if math.isinf(order):
        return xp.max(xp.abs(x)) if order > 0 else xp.min(xp.abs(x))
    return xp.sum(xp.abs(x) ** float(order)) ** (1.0 / order)


@dataclasses.dataclass(slots=True)
class _Point:
    """A point with what was fetched of it; `state`, `p` and `slope` belong to the direction that follows it."""

    x: Any
    f: float
    g: Any
    norm: float
    square: float
    state: Any
    p: Any
    slope: float


class _Ray:
    """The function along a direction from a point; `together` evaluates its slope with each value."""

    def __init__(self, objective: Objective, point: _Point, order: float, follow: _Follow, together: bool) -> None:
        self.objective, self.start, self.order, self.follow, self.together = objective, point, order, follow, together
        self.alpha = -1.0  # none yet
        self.f: Any = None
        self.end: _Point | None = None
        self.along = 0.0

    def value(self, alpha: float) -> float:
        """Evaluate the function; SciPy's searches ask for its slope next, if at all."""
        self.alpha, self.end = float(alpha), None  # a scalar of NumPy's would make float64 of float32
        self.x = self.start.x + self.alpha * self.start.p
        self.f = self.objective.value(self.x)
        return self._measure().f if self.together else fetched(self.f)[0]

    def slope(self, alpha: float) -> float:
        """Give the derivative along the direction."""
        self.at(alpha)
        return self.along

    def at(self, alpha: float) -> _Point:
        """Give the point of a step."""
        if alpha != self.alpha:
            self.value(alpha)
        return self.end or self._measure()

    def _measure(self) -> _Point:
        start = self.start
        g = self.objective.gradient(self.x, self.f)
        state, p = self.follow(self.alpha * start.p, g - start.g, g)
        f, self.along, norm, square, slope = fetched(self.f, g @ start.p, _norm(g, self.order), g @ g, p @ g)
        f = resolved(f, start.f, self.alpha * (start.slope + self.along) / 2, self.x)
        self.end = _Point(self.x, f, g, norm, square, state, p, slope)
        return self.end


def _search(
    objective: Objective, point: _Point, before: float | None, order: float, follow: _Follow,
    accepts: Callable[[_Point], bool] | None = None, *, c1: float, c2: float, amin: float = 1e-8, amax: float | None = None,
) -> _Point | None:  # fmt: skip
    """Find a step that meets the strong Wolfe conditions, by SciPy's two searches; None where there is none."""
    from scipy.optimize import _linesearch as searches

    ray = _Ray(objective, point, order, follow, together=True)
    alpha, *_ = searches.scalar_search_wolfe1(
        ray.value, ray.slope, point.f, before, point.slope, c1=c1, c2=c2, amax=50 if amax is None else amax, amin=amin
    )
    if alpha is not None and (accepts is None or accepts(ray.at(alpha))):
        return ray.at(alpha)
    ray = _Ray(objective, point, order, follow, together=False)
    extra = None if accepts is None else lambda alpha, _: accepts(ray.at(alpha))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", searches.LineSearchWarning)
        alpha, *_ = searches.scalar_search_wolfe2(ray.value, ray.slope, point.f, before, point.slope, c1, c2, amax, extra, maxiter=10)
    return None if alpha is None else ray.at(alpha)


def _report(result: Any, options: Mapping[str, Any]) -> Any:
    """Print what SciPy prints, where it is asked to."""
    if options["disp"]:
        if result.success:
            print(result.message)  # noqa: T201
        else:
            from scipy.optimize import OptimizeWarning

            warnings.warn(result.message, OptimizeWarning, stacklevel=2)
        print(f"         Current function value: {result.fun:f}\n         Iterations: {result.nit:d}")  # noqa: T201
        print(f"         Function evaluations: {result.nfev:d}\n         Gradient evaluations: {result.njev:d}")  # noqa: T201
    return result


def _descend(objective: Objective, x: Any, options: Mapping[str, Any], watcher: Watcher, conjugate: bool) -> Any:
    """Minimize by BFGS, or by conjugate gradients of Polak and Ribière with restarts."""
    from scipy.optimize import OptimizeResult
    from scipy.optimize._optimize import _status_message as messages

    order, gtol = float(options["norm"]), float(options["gtol"])
    maxiter = 200 * x.shape[0] if options["maxiter"] is None else options["maxiter"]
    point: _Point

    def follow_bfgs(s: Any, y: Any, g: Any) -> tuple[Any, Any]:
        inner = y @ s
        rho = xp.where(inner == 0, 1000.0, 1.0 / xp.where(inner == 0, 1.0, inner))
        turned = y if point.state is None else point.state @ y
        outer = turned[:, None] * s[None, :]
        state = (xp.eye(x.shape[0], dtype=x.dtype, device=x.device) if point.state is None else point.state) - rho * (outer + outer.T)
        state = state + (rho + rho * rho * (y @ turned)) * (s[:, None] * s[None, :])
        return state, -(state @ g)

    def follow_conjugate(_: Any, y: Any, g: Any) -> tuple[Any, Any]:
        beta = xp.maximum(y @ g / point.square, 0.0)
        return None, beta * point.p - g

    def accepts(end: _Point) -> bool:
        return end.norm <= gtol or end.slope <= -0.01 * end.square

    f = objective.value(x)
    g = objective.gradient(x, f)
    state = None if conjugate or options["hess_inv0"] is None else xp.asarray(options["hess_inv0"], dtype=x.dtype, device=x.device)
    p = -g if state is None else -(state @ g)
    value, norm, square, slope = fetched(f, _norm(g, order), g @ g, p @ g)
    point = _Point(x, value, g, norm, square, state, p, slope)
    before, k, status, all_points, inverse = value + math.sqrt(square) / 2, 0, 0, [x], state
    follow: _Follow = follow_conjugate if conjugate else follow_bfgs
    while point.norm > gtol and k < maxiter:
        end = _search(
            objective, point, before, order, follow, accepts if conjugate else None, c1=options["c1"], c2=options["c2"], amin=1e-100,
            amax=1e100,
        )  # fmt: skip
        if end is None:
            status = 2
            break
        last, before, point, k = point, point.f, end, k + 1
        inverse = last.state  # SciPy stops before it updates
        all_points.append(point.x)
        if watcher.halts(point.x, point.f):
            break
        if not conjugate and point.norm > gtol:
            xrtol = options["xrtol"]
            if xrtol and bool(xp.linalg.vector_norm(point.x - last.x) <= xrtol * (xrtol + xp.linalg.vector_norm(point.x))):
                break
            if not math.isfinite(point.f):
                status = 2
                break
            inverse = point.state
    if status == 2:
        message = messages["pr_loss"]
    elif k >= maxiter:
        status, message = 1, messages["maxiter"]
    elif math.isnan(point.norm) or math.isnan(point.f) or bool(xp.any(xp.isnan(point.x))):
        status, message = 3, messages["nan"]
    else:
        message = messages["success"]
    result = OptimizeResult(
        fun=point.f, jac=point.g, nfev=objective.nfev, njev=objective.njev, status=status, success=status == 0, message=message, x=point.x,
        nit=k,
    )  # fmt: skip
    if not conjugate:
        result.hess_inv = xp.eye(x.shape[0], dtype=x.dtype, device=x.device) if inverse is None else inverse
    if options["return_all"]:
        result.allvecs = all_points
    return _report(result, options)


def _newton(objective: Objective, x: Any, options: Mapping[str, Any], watcher: Watcher) -> Any:
    """Minimize by Newton's method, whose systems are solved by truncated conjugate gradients: a round for each of their steps."""
    from scipy.optimize import OptimizeResult
    from scipy.optimize._optimize import _status_message as messages

    n, eps = x.shape[0], float(np.finfo(np.float64).eps)
    maxiter = 200 * n if options["maxiter"] is None else options["maxiter"]
    f = objective.value(x)
    g = objective.gradient(x, f)
    value, size = fetched(f, _norm(g, 1))
    before, k, calls, all_points, update = None, 0, 0, [x], math.inf

    def ended(status: int, message: str) -> Any:
        result = OptimizeResult(
            fun=value, jac=g, nfev=objective.nfev, njev=objective.njev, nhev=calls, status=status, success=status == 0, message=message,
            x=x, nit=k,
        )  # fmt: skip
        if options["return_all"]:
            result.allvecs = all_points
        return _report(result, options)

    while update > n * options["xtol"]:
        if k >= maxiter:
            return ended(1, "Warning: " + messages["maxiter"])
        limit = min(0.5, math.sqrt(size)) * size
        p, residual, d = xp.zeros_like(x), g, -g
        squared, left = None, size
        matrix = None
        if objective.has_matrix:
            matrix, calls = objective.hessian(x), calls + 1
        for turn in range(20 * n):
            if left <= limit:
                break
            if matrix is not None:
                turned = matrix @ d
            elif objective.has_product:
                turned, calls = objective.product(x, d), calls + 1
            else:
                turned = (objective.slopes(x + options["eps"] * d) - g) / options["eps"]
            bend = d @ turned
            square = residual @ residual if squared is None else squared
            alpha = square / xp.where(bend == 0, 1.0, bend)
            ahead = residual + alpha * turned
            squared_ahead = ahead @ ahead
            curvature, left, steepest = fetched(bend, _norm(ahead, 1), square)
            if 0 <= curvature <= 3 * eps:
                break
            if curvature < 0:
                p = steepest / curvature * g if turn == 0 else p
                break
            p, residual, d = p + alpha * d, ahead, squared_ahead / square * d - ahead
            squared = squared_ahead
        else:
            return ended(3, "Warning: CG iterations didn't converge. The Hessian is not positive definite.")
        point = _Point(x, value, g, size, 0.0, None, p, fetched(p @ g)[0])
        end = _search(objective, point, before, 1, lambda s, _, g: (xp.sum(xp.abs(s)), g), c1=options["c1"], c2=options["c2"])
        if end is None:
            return ended(2, "Warning: " + messages["pr_loss"])
        before, k = value, k + 1
        update = fetched(end.state)[0]
        x, value, g, size = end.x, end.f, end.g, end.norm
        all_points.append(x)
        if watcher.halts(x, value):
            return ended(5, "")
    if math.isnan(value) or math.isnan(update):
        return ended(3, messages["nan"])
    return ended(0, messages["success"])


_COMMON: Final = {"disp": False, "return_all": False, "maxiter": None, "workers": None}
_SEARCHED: Final = _COMMON | {"gtol": 1e-5, "norm": math.inf, "eps": EPSILON, "finite_diff_rel_step": None, "c1": 1e-4}
_TRUSTED: Final = _COMMON | {"initial_trust_radius": 1.0, "max_trust_radius": 1000.0, "eta": 0.15, "gtol": 1e-4, "inexact": True}
_METHODS: Final[Mapping[str, Mapping[str, Any]]] = {
    "bfgs": _SEARCHED | {"c2": 0.9, "xrtol": 0, "hess_inv0": None},
    "cg": _SEARCHED | {"c2": 0.4},
    "newton-cg": _COMMON | {"xtol": 1e-5, "eps": EPSILON, "c1": 1e-4, "c2": 0.9},
    "l-bfgs-b": {
        "maxcor": 10, "ftol": 2.2204460492503131e-09, "gtol": 1e-5, "eps": 1e-8, "maxfun": 15000, "maxiter": 15000, "maxls": 20,
        "finite_diff_rel_step": None, "workers": None,
    },
    **dict.fromkeys(SUBPROBLEMS, _TRUSTED),
}  # fmt: skip
_TOLERANCES: Final = {"newton-cg": ("xtol",), "l-bfgs-b": ("ftol", "gtol")}


def _minimize(
    fun: Any, x0: Any, args: Any = (), method: Any = None, jac: Any = None, hess: Any = None, hessp: Any = None, bounds: Any = None,
    constraints: Any = (), tol: Any = None, callback: Any = None, options: Any = None,
) -> Any:  # fmt: skip
    leave_unless(method is None or type(method) is str)
    name = ("bfgs" if bounds is None else "l-bfgs-b") if method is None else method.lower()
    known = _METHODS.get(name, {})
    given = dict(options or {})
    leave_unless(bool(known) and callable(fun) and type(constraints) in {tuple, list} and not constraints and set(given) <= set(known))
    for each in _TOLERANCES.get(name, ("gtol",)) if tol is not None else ():
        given.setdefault(each, tol)
    given = {**known, **given}
    second = name == "newton-cg" or name in SUBPROBLEMS
    leave_unless((hess is None or (second and callable(hess))) and (hessp is None or (second and callable(hessp))))
    leave_unless((bounds is None or name == "l-bfgs-b") and (callable(jac) or jac is None or jac is True or jac is False or jac in SCHEMES))
    leave_unless(given["workers"] is None and not (second and not callable(jac) and jac is not True))
    args = args if isinstance(args, tuple) else (args,)
    x = initial(x0, args)
    absolute = None if jac in SCHEMES else given.get("eps")
    scheme = jac if callable(jac) or jac is True or jac in SCHEMES else "2-point"
    if not callable(scheme) and scheme is not True and x.dtype == np.float32 and jac not in SCHEMES and absolute in {EPSILON, 1e-8}:
        scheme, absolute = "3-point", None  # steps for float64 are lost in float32
    if name == "newton-cg" and x.dtype == np.float32 and given["eps"] == EPSILON:
        given["eps"] = math.sqrt(float(xp.finfo(x.dtype).eps))
    watcher = Watcher(callback)
    limits = None if bounds is None else _limits(bounds, x)
    if limits is not None:
        x = xp.minimum(xp.maximum(x, limits[0]), limits[1])
    objective = Objective(fun, args, scheme, (given.get("finite_diff_rel_step"), absolute), limits, hess, hessp)
    if name in SUBPROBLEMS:
        result = trust_region(objective, x, name, given, watcher, _report)
    elif name == "l-bfgs-b":
        result = limited_memory(objective, x, given, watcher, limits)
    elif name == "newton-cg":
        result = _newton(objective, x, given, watcher)
    else:
        result = _descend(objective, x, given, watcher, conjugate=name == "cg")
    if watcher.stopped:
        result.success, result.status, result.message = False, 99, "`callback` raised `StopIteration`."
    return result


def _limits(bounds: Any, x: Any) -> tuple[Any, Any]:
    """Make vectors of bounds: SciPy's object, or pairs."""
    from scipy.optimize import Bounds

    bounds = getattr(bounds, "scipy", bounds)
    if isinstance(bounds, Bounds):
        lower, upper = (np.broadcast_to(np.asarray(each, float), x.shape) for each in (bounds.lb, bounds.ub))
    else:
        pairs = [[-math.inf if low is None else float(low), math.inf if high is None else float(high)] for low, high in bounds]
        leave_unless(len(pairs) == x.shape[0])
        lower, upper = np.asarray(pairs).T
    leave_unless(bool(np.all(lower < upper)))  # SciPy removes variables that are fixed, and raises for others
    return tuple([xp.asarray(each, dtype=x.dtype, device=x.device) for each in (lower, upper)])


def _by_name(method: str, results: str) -> Callable[..., Any]:
    """Make one of the functions that are older than `minimize`, of what it gives if it is asked for all."""
    known = _METHODS[method]

    def minimized(f: Any, x0: Any, fprime: Any = None, *, args: Any = (), callback: Any = None, **options: Any) -> Any:
        every, path = bool(options.pop("full_output", 0)), bool(options.pop("retall", 0))
        hess, hessp = options.pop("fhess", None), options.pop("fhess_p", None)
        given = {{"epsilon": "eps", "avextol": "xtol"}.get(key, key): item for key, item in options.items()}
        given |= {"disp": bool(given.get("disp", True)), "return_all": path}
        leave_unless(given.keys() <= known.keys())
        made = _minimize(f, x0, args, method, fprime, hess, hessp, callback=callback, options=given)
        found = [made[key] for key in (results.split() if every else ["x"]) + ["allvecs"] * path]
        return tuple(found) if len(found) > 1 else found[0]

    return minimized


def _fmin_l_bfgs_b(
    func: Any, x0: Any, fprime: Any = None, args: Any = (), approx_grad: Any = 0, bounds: Any = None, m: int = 10, factr: float = 1e7,
    pgtol: float = 1e-5, epsilon: float = 1e-8, maxfun: int = 15000, maxiter: int = 15000, callback: Any = None, maxls: int = 20,
) -> Any:  # fmt: skip
    jac = None if approx_grad else True if fprime is None else fprime
    options = {
        "maxcor": m, "ftol": factr * np.finfo(float).eps, "gtol": pgtol, "eps": epsilon, "maxfun": maxfun, "maxiter": maxiter,
        "maxls": maxls,
    }  # fmt: skip
    made = _minimize(func, x0, args, "L-BFGS-B", jac, bounds=bounds, callback=callback, options=options)
    return made.x, made.fun, {"grad": made.jac, "task": made.message, "funcalls": made.nfev, "nit": made.nit, "warnflag": made.status}


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "fmin_bfgs": _by_name("bfgs", "x fun jac hess_inv nfev njev status"),
    "fmin_cg": _by_name("cg", "x fun nfev njev status"),
    "fmin_l_bfgs_b": _fmin_l_bfgs_b,
    "fmin_ncg": _by_name("newton-cg", "x fun nfev njev nhev status"),
    "minimize": _minimize,
}
"""Functions of scipy.optimize."""
