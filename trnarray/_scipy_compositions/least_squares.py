"""
Least squares of scipy.optimize: residuals and their derivatives stay on the device, SciPy steps by the triangle of their factorization.

With f residuals and J their Jacobian matrix, all that the methods of SciPy ask for is the same for R f' and R J' in the place of f and J,
where Q R is the factorization of [f J]: costs, gradients, steps and covariances. f' is the length of f and zeros, so a trial point is one
program whose one number is fetched, and derivatives are a second one, of which (n + 1)² numbers are fetched for n parameters. R comes from
products with the transpose in float64 (Yamamoto, Nakatsukasa, Yanagisawa and Fukaya, ETNA 44 (2015)).
"""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .._array import Array
from ..backends.dtypes import FLOAT32, FLOAT64
from .objectives import EPSILON, SCHEMES, differences, fetched, initial, steps, takes_results
from .operands import device_of, leave_unless, points_like, xp

__all__ = ["COMPOSITIONS", "LOSSES", "MOST", "Residuals", "scheme_of"]

MOST: Final = 512
"""Parameters, whose triangle the host factors."""
_OPTIONS: Final = frozenset({"factor", "ftol", "gtol", "max_nfev", "maxfev", "tr_options", "tr_solver", "verbose", "xtol"})
_Numbers = npt.NDArray[np.float64]


def _soft(z: Any) -> tuple[Any, Any, Any]:
    t = 1.0 + z
    return 2.0 * (xp.sqrt(t) - 1.0), 1.0 / xp.sqrt(t), -0.5 * t**-1.5


def _huber(z: Any) -> tuple[Any, Any, Any]:
    inside, root = z <= 1, xp.sqrt(xp.maximum(z, 1.0))
    return xp.where(inside, z, 2.0 * root - 1.0), 1.0 / root, xp.where(inside, 0.0, -0.5 / (root * root * root))


def _cauchy(z: Any) -> tuple[Any, Any, Any]:
    t = 1.0 + z
    return xp.log1p(z), 1.0 / t, -1.0 / (t * t)


def _arctan(z: Any) -> tuple[Any, Any, Any]:
    t = 1.0 + z * z
    return xp.atan(z), 1.0 / t, -2.0 * z / (t * t)


LOSSES: Final[Mapping[str, Callable[[Any], tuple[Any, Any, Any]]]] = {
    "arctan": _arctan, "cauchy": _cauchy, "huber": _huber, "soft_l1": _soft,
}  # fmt: skip


def _triangle(table: Any) -> _Numbers:
    """Factor a matrix with many rows: R of Q R, whose first element is not negative. Columns are scaled to length one before."""
    table = xp.astype(table, FLOAT64)
    squares: _Numbers = (table.T @ table)._host()
    if not np.isfinite(squares).all():
        return squares
    lengths = np.sqrt(np.diag(squares))
    lengths[lengths == 0] = 1.0
    squares = squares / lengths / lengths[:, None]
    try:
        found: Any = np.linalg.cholesky(squares).T
        if np.linalg.cond(found) > 1e4:  # once more, of columns that are nearly orthogonal
            turned = table @ xp.asarray(np.linalg.inv(found) / lengths[:, None], device=table.device)
            found = np.linalg.cholesky((turned.T @ turned)._host()).T @ found
    except np.linalg.LinAlgError:  # columns depend on each other
        values, vectors = np.linalg.eigh(squares)
        values[values < len(values) * np.finfo(float).eps * values[-1]] = 0.0
        found = np.linalg.qr(np.sqrt(values)[:, None] * vectors.T, mode="r")
    triangle: _Numbers = found * np.where(np.diag(found) < 0, -1.0, 1.0)[:, None] * lengths
    return triangle


class Residuals:
    """
    The user's function for SciPy: `fun` and `jac` take points on the host, and give what stands for residuals and derivatives.

    Parameters
    ----------
    fun : callable
        Gives residuals, of any dtype, on the device.
    x : Array
        The first point, in whose dtype the others are.
    jac : callable or str
        The derivatives, or a scheme of differences with its relative step.
    loss, scale
        A function of squared residuals, whose Array it gets, and the scale of these.
    """

    def __init__(
        self, fun: Callable[[Any], Any], x: Any, jac: Any, step: Any = None, bounds: Any = None, loss: Any = None, scale: float = 1.0
    ) -> None:  # fmt: skip
        self._fun, self._first, self._jac, self._step, self._bounds, self._loss, self._scale = fun, x, jac, step, bounds, loss, scale
        self.calls = self.more = 0  # the latter for differences
        self._x: Any = None
        self._kept: tuple[Any, Any] = (None, None)
        self.cost = 0.0

    def _values(self, x: Any) -> Any:
        found = xp.asarray(self._fun(x), device=x.device)
        if found.ndim > 1:
            raise ValueError(f"residuals have one axis, but the function gave an array of shape {found.shape}: reshape it to (-1,)")
        found = xp.reshape(found, (-1,))
        return found if found.dtype.kind == "f" else xp.astype(found, x.dtype)

    def _more_values(self, x: Any) -> Any:
        self.more += 1
        return self._values(x)

    def _move(self, x: _Numbers) -> None:
        if self._x is not None and np.array_equal(x, self._x):
            return
        self._x, self.calls = np.array(x), self.calls + 1
        self._point = xp.asarray(self._x, dtype=self._first.dtype, device=self._first.device)
        self._f = self._scaled = self._values(xp.copy(self._point))
        self.count = self._f.shape[0]
        numbers = []
        if self._loss is not None:
            z = xp.square(self._f / self._scale)
            found = self._loss(z)
            rho = [xp.asarray(each, device=z.device) for each in (found if isinstance(found, tuple) else [found[i] for i in range(3)])]
            bend = rho[1] + 2.0 * (rho[2] / self._scale**2) * xp.square(self._f)
            self._weights = xp.sqrt(xp.maximum(bend, float(np.finfo(np.float64).eps)))
            self._scaled = self._f * rho[1] / self._weights
            numbers = [0.5 * self._scale**2 * xp.sum(rho[0])]
        self._length, *costs = fetched(xp.sqrt(xp.sum(xp.square(xp.astype(self._scaled, FLOAT64)))), *numbers)
        self.cost = costs[0] if costs else 0.5 * self._length**2

    def fun(self, x: _Numbers, *_: Any) -> _Numbers:
        """Give the length of the residuals, and zeros."""
        self._move(x)
        made = np.zeros(min(self.count, len(x) + 1))
        if self.count:
            made[0] = self._length
        return made

    def jac(self, x: _Numbers, *_: Any) -> _Numbers:
        """Give the triangle of the derivatives."""
        self._move(x)
        point = self._point
        if callable(self._jac):
            found = xp.asarray(self._jac(xp.copy(point)), device=point.device)
        else:
            found = differences(self._more_values, point, self._f, self._jac, *steps(point, self._jac, self._step, None, self._bounds))
        if found.shape != (self.count, len(x)):
            raise ValueError(f"derivatives are of shape {(self.count, len(x))}, but the function gave one of {found.shape}")
        if self._loss is not None:
            found = found * self._weights[:, None]
        self._kept = self._x, found
        made = _triangle(xp.concatenate([xp.reshape(self._scaled, (-1, 1)), xp.astype(found, self._scaled.dtype)], axis=1))
        return made[: min(self.count, len(x) + 1), 1:]

    def loss(self, z: _Numbers) -> _Numbers:
        """Give the cost where the function was called last, in SciPy's form of a loss that scales nothing."""
        made = np.zeros((3, len(z)))
        made[0, :1], made[1] = 2.0 * self.cost, 1.0
        return made

    def at(self, x: _Numbers) -> tuple[Any, Any, Any]:
        """Give the point, the residuals and the derivatives on the device."""
        self._move(x)
        if self._kept[0] is None or not np.array_equal(x, self._kept[0]):
            self.jac(x)
        return self._point, self._f, self._kept[1]


def scheme_of(jac: Any, x: Any, step: Any, default: str) -> str:
    """Choose differences; steps of two points for float64 are lost in float32."""
    scheme: str = default if jac is None else jac
    return "3-point" if x.dtype == FLOAT32 and step is None else scheme


def _bounds_of(bounds: Any, x: Any) -> tuple[Any, Any]:
    """Give bounds as SciPy takes them, on the host and on the device, where there are any."""
    bounds = getattr(bounds, "scipy", bounds)
    pair = (bounds.lb, bounds.ub) if hasattr(bounds, "lb") else bounds
    host = tuple([np.asarray(each._host() if type(each) is Array else each, float) for each in pair])
    leave_unless(len(host) == 2 and all(each.shape in {(), x.shape} for each in host))
    if all(np.all(np.isinf(each)) for each in host):
        return host, None
    return host, tuple([xp.asarray(np.broadcast_to(each, x.shape), dtype=x.dtype, device=x.device) for each in host])


def _least_squares(
    fun: Any, x0: Any, jac: Any = "2-point", bounds: Any = (-math.inf, math.inf), method: Any = "trf", ftol: Any = 1e-8, xtol: Any = 1e-8,
    gtol: Any = 1e-8, x_scale: Any = None, loss: Any = "linear", f_scale: Any = 1.0, diff_step: Any = None, tr_solver: Any = None,
    tr_options: Any = None, jac_sparsity: Any = None, max_nfev: Any = None, verbose: Any = 0, args: Any = (), kwargs: Any = None,
    callback: Any = None, workers: Any = None,
) -> Any:  # fmt: skip
    import scipy.optimize

    leave_unless(method in {"trf", "dogbox", "lm"} and jac_sparsity is None and workers is None)
    leave_unless(callable(fun) and isinstance(args, tuple))
    leave_unless(callable(jac) or jac in SCHEMES)
    leave_unless((loss == "linear") if type(loss) is str and loss not in LOSSES else (method != "lm" and f_scale > 0))
    leave_unless(diff_step is None or isinstance(diff_step, (int, float)))
    x, named = initial(x0, args), kwargs or {}
    leave_unless(x.shape[0] <= MOST)
    host, limits = _bounds_of(bounds, x)
    scheme = jac if callable(jac) else scheme_of(jac, x, diff_step, "2-point")
    residuals = Residuals(
        lambda p: fun(p, *args, **named), x, (lambda p: jac(p, *args, **named)) if callable(jac) else scheme, diff_step, limits,
        None if type(loss) is str and loss == "linear" else LOSSES[loss] if type(loss) is str else loss, f_scale,
    )  # fmt: skip
    given: dict[str, Any] = {"x_scale": x_scale, "tr_solver": tr_solver, "tr_options": tr_options, "max_nfev": max_nfev}
    given = {key: item._host() if type(item) is Array else item for key, item in given.items() if item is not None}
    if callback is not None:
        given["callback"] = _shown(callback, x)
    found = scipy.optimize.least_squares(
        residuals.fun, x._host().astype(float), residuals.jac, host, method, ftol, xtol, gtol, verbose=verbose,
        loss="linear" if residuals._loss is None else residuals.loss, **given,
    )  # fmt: skip
    found.x, found.fun, found.jac = residuals.at(found.x)
    found.grad, found.active_mask = [xp.asarray(each, device=x.device) for each in (found.grad.astype(x.dtype), found.active_mask)]
    if method == "lm" and not callable(jac):
        found.njev = None
    return found


def _shown(callback: Any, x: Any) -> Callable[..., Any]:
    """Call the user's function with Arrays."""

    def show(intermediate_result: Any) -> None:
        intermediate_result.x = xp.asarray(intermediate_result.x, dtype=x.dtype, device=x.device)
        callback(intermediate_result=intermediate_result)

    def show_point(point: Any) -> None:
        callback(xp.asarray(point, dtype=x.dtype, device=x.device))

    return show if takes_results(callback) else show_point


def _leastsq(
    func: Any, x0: Any, args: Any = (), Dfun: Any = None, full_output: Any = False, col_deriv: Any = False, ftol: Any = 1.49012e-8,
    xtol: Any = 1.49012e-8, gtol: Any = 0.0, maxfev: Any = 0, epsfcn: Any = None, factor: Any = 100, diag: Any = None,
) -> Any:  # fmt: skip
    import scipy.optimize

    leave_unless(not full_output and not col_deriv and epsfcn is None and diag is None and callable(func))
    args = args if isinstance(args, tuple) else (args,)
    x = initial(x0, args)
    leave_unless(x.shape[0] <= MOST)
    residuals = Residuals(
        lambda p: func(p, *args), x, (lambda p: Dfun(p, *args)) if callable(Dfun) else scheme_of(None, x, None, "2-point"),
        None if callable(Dfun) or x.dtype == FLOAT32 else EPSILON,
    )  # fmt: skip
    found = scipy.optimize.leastsq(
        residuals.fun, x._host().astype(float), Dfun=residuals.jac, ftol=ftol, xtol=xtol, gtol=gtol, maxfev=maxfev, factor=factor
    )
    return xp.asarray(found[0], dtype=x.dtype, device=x.device), found[1]


def _curve_fit(
    f: Any, xdata: Any, ydata: Any, p0: Any = None, sigma: Any = None, absolute_sigma: Any = False, check_finite: Any = None,
    bounds: Any = (-math.inf, math.inf), method: Any = None, jac: Any = None, *, full_output: Any = False, nan_policy: Any = None,
    **kwargs: Any,
) -> Any:  # fmt: skip
    import scipy.optimize

    leave_unless(callable(f) and nan_policy is None and method in {None, "lm", "trf", "dogbox"} and set(kwargs) <= _OPTIONS)
    leave_unless(jac is None or callable(jac) or jac in SCHEMES)
    device = device_of(xdata, ydata, sigma, p0)

    def brought(item: Any) -> Any:
        made: Any = item if type(item) is Array else points_like(item, xp.zeros((), dtype=_kind(item, device), device=device))
        return made if made.dtype.kind == "f" else xp.astype(made, xp.zeros((), device=device).dtype)

    y = brought(ydata)
    xs = brought(xdata) if isinstance(xdata, (list, tuple, np.ndarray, Array)) else xdata
    leave_unless(y.size > 0)
    if check_finite is None or check_finite:
        finite = [xp.all(xp.isfinite(each)) for each in (y, xs) if type(each) is Array]
        if not all(xp.stack(finite)._host()):
            raise ValueError("array must not contain infs or NaNs")
    y = xp.reshape(y, (-1,))
    if p0 is None:
        count = sum(each.kind <= each.POSITIONAL_OR_KEYWORD for each in inspect.signature(f).parameters.values()) - 1
        leave_unless(count > 0)
        start = xp.ones((count,), dtype=y.dtype, device=device)
    else:
        start = initial(p0, (y,))
        start = start if y.dtype != FLOAT64 else xp.astype(start, FLOAT64)
    leave_unless(start.shape[0] <= MOST)
    host, limits = _bounds_of(bounds, start)
    if p0 is None and limits is not None:  # where SciPy starts
        low, high = [np.broadcast_to(each, start.shape) for each in host]
        beside = np.where(np.isfinite(low), low + 1.0, np.where(np.isfinite(high), high - 1.0, 1.0))
        middle = np.where(np.isfinite(low) & np.isfinite(high), 0.5 * (low + high), beside)
        start = xp.asarray(middle, dtype=y.dtype, device=device)
    method = method or ("lm" if limits is None else "trf")
    leave_unless(not (method == "lm" and (limits is not None or start.shape[0] > y.shape[0])))
    weigh = _weighing(sigma, y)
    by_name = method == "lm" and jac is None and y.dtype != FLOAT32
    residuals = Residuals(
        lambda p: weigh(xp.reshape(xp.asarray(f(xs, *_parameters(p)), device=device), (-1,)) - y), start,
        (lambda p: weigh(xp.asarray(jac(xs, *_parameters(p)), device=device))) if callable(jac) else scheme_of(jac, start, None, "2-point"),
        EPSILON if by_name else None, limits,
    )  # fmt: skip
    rows = min(y.shape[0], start.shape[0] + 1)
    with warnings.catch_warnings():  # this one follows from what is known here
        warnings.filterwarnings("ignore", "Covariance of the parameters could not be estimated")
        popt, pcov, _, message, ier = scipy.optimize.curve_fit(
            lambda _, *p: residuals.fun(np.asarray(p, float)), np.zeros(rows), np.zeros(rows), start._host().astype(float),
            absolute_sigma=True, bounds=host, method=method, jac=lambda _, *p: residuals.jac(np.asarray(p, float)), full_output=True,
            **kwargs,
        )  # fmt: skip
    _, f_end, _ = residuals.at(popt)
    freedom = y.shape[0] - start.shape[0]
    if not absolute_sigma and np.isfinite(pcov).all():
        pcov = pcov * (2 * residuals.cost / freedom) if freedom > 0 else np.full_like(pcov, math.inf)
    if not np.isfinite(pcov).all():
        pcov = np.full_like(pcov, math.inf)
        warnings.warn("Covariance of the parameters could not be estimated", scipy.optimize.OptimizeWarning, stacklevel=4)
    popt, pcov = [xp.asarray(each, dtype=y.dtype, device=device) for each in (popt, pcov)]
    if not full_output:
        return popt, pcov
    return popt, pcov, {"nfev": residuals.calls + residuals.more, "fvec": f_end}, message, ier


def _kind(item: Any, device: Any) -> Any:
    """Find the dtype that data of the user's have on a device: ndarrays keep theirs."""
    known = item.dtype if isinstance(item, np.ndarray) and item.dtype.kind == "f" else xp.zeros((), device=device).dtype
    return known if known in {FLOAT32, FLOAT64} else FLOAT32


def _parameters(p: Any) -> list[Any]:
    """Give the parameters of a curve one by one."""
    return [p[i] for i in range(p.shape[0])]


def _weighing(sigma: Any, y: Any) -> Callable[[Any], Any]:
    """Make the function that divides residuals, and rows of derivatives, by their errors."""
    if sigma is None:
        return lambda rows: rows
    errors = xp.asarray(sigma, dtype=y.dtype, device=y.device)
    if errors.ndim == 2:
        leave_unless(errors.shape == (y.shape[0], y.shape[0]))
        factor = xp.linalg.cholesky(errors)
        from ..scipy.linalg import solve_triangular

        return lambda rows: solve_triangular(factor, rows, lower=True)
    leave_unless(errors.size == 1 or errors.shape == y.shape)
    return lambda rows: rows / (errors if rows.ndim == 1 else xp.reshape(errors, (-1, 1)))


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {"curve_fit": _curve_fit, "least_squares": _least_squares, "leastsq": _leastsq}
"""Functions of scipy.optimize."""
