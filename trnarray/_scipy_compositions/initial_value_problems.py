"""
Explicit Runge-Kutta methods of scipy.integrate.solve_ivp, with the state on the device.

The stages of a step, its result and the norm of its error are one program; that norm alone is fetched, since it decides on the next step.
Steps, tolerances and counts are SciPy's.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .operands import arrays, floats, leave_unless, xp

__all__ = ["COMPOSITIONS"]

_METHODS: Final = ("RK23", "RK45", "DOP853")
_DONE: Final = "The solver successfully reached the end of the integration interval."
_STUCK: Final = "Required step size is less than spacing between numbers."


@functools.cache
def _bundle() -> type[Any]:
    """Find the class of SciPy's results."""
    import scipy.integrate

    return type(scipy.integrate.solve_ivp(lambda t, y: y, (0.0, 1e-3), [1.0]))  # noqa: ARG005


def _sum(terms: list[Any], weights: npt.NDArray[np.float64], factor: float) -> Any:
    """Add up stages by their weights, of which some are zero."""
    parts = [term * (float(weight) * factor) for term, weight in zip(terms, weights, strict=True) if weight]
    return functools.reduce(lambda a, b: a + b, parts)


def _norm(x: Any) -> Any:
    return xp.sqrt(xp.mean(x * x))


class _Solver:
    """One of SciPy's methods, from one time to another."""

    def __init__(
        self, method: str, fun: Callable[..., Any], t0: float, y0: Any, end: float, rtol: float, atol: float, max_step: float
    ) -> None:  # fmt: skip
        import scipy.integrate

        kind: Any = getattr(scipy.integrate, method)
        self.A, self.B, self.C = kind.A, kind.B, kind.C
        self.P: Any = getattr(kind, "P", None)  # of polynomials between two times
        self.E = (kind.E3, kind.E5) if method == "DOP853" else (kind.E,)
        self.order, self.t, self.y, self.end = kind.error_estimator_order, t0, y0, end
        self.rtol, self.atol, self.max_step = rtol, atol, max_step
        self.direction = 1.0 if end >= t0 else -1.0
        self._fun, self.nfev = fun, 0
        self.f = self.slope(t0, y0)
        self.stages: list[Any] = []
        self.t_old, self.y_old, self.h_abs = t0, y0, 0.0

    def slope(self, t: float, y: Any) -> Any:
        """Call the user's function, which gives an Array, or a list of components."""
        self.nfev += 1
        found = self._fun(t, y)
        if isinstance(found, (list, tuple)):
            found = xp.stack([xp.astype(xp.asarray(each, device=y.device), y.dtype) for each in found])
        found = xp.asarray(found, device=y.device)
        return xp.astype(xp.reshape(found, y.shape), y.dtype)

    def first_step(self) -> float:
        """Choose the first step by the size of the state and its first two derivatives."""
        length = abs(self.end - self.t)
        if not length:
            return 0.0
        scale = self.atol + xp.abs(self.y) * self.rtol
        d0, d1 = xp.stack([_norm(self.y / scale), _norm(self.f / scale)])._host().tolist()
        h0 = min(1e-6 if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1, length)
        ahead = self.slope(self.t + h0 * self.direction, self.y + self.f * (h0 * self.direction))
        d2 = float(_norm((ahead - self.f) / scale)) / h0
        h1 = max(1e-6, h0 * 1e-3) if d1 <= 1e-15 and d2 <= 1e-15 else (0.01 / max(d1, d2)) ** (1.0 / (self.order + 1))
        return min(100 * h0, h1, length, self.max_step)

    def _error(self, scale: Any, h: float) -> Any:
        if len(self.E) == 1:
            return _norm(_sum(self.stages, self.E[0], h) / scale)
        third, fifth = [xp.sum(xp.square(_sum(self.stages, each, 1.0) / scale)) for each in self.E]
        below = xp.sqrt((fifth + 0.01 * third) * float(self.y.shape[0]))
        return xp.where(fifth + third == 0, 0.0, abs(h) * fifth / xp.where(below == 0, 1.0, below))

    def step(self) -> bool:
        """Take a step; False where it would be too small."""
        least = 10 * abs(math.nextafter(self.t, self.direction * math.inf) - self.t)
        h_abs, rejected = min(max(self.h_abs, least), max(self.max_step, least)), False
        while True:
            if h_abs < least:
                return False
            t_new = self.t + h_abs * self.direction
            t_new = self.end if self.direction * (t_new - self.end) > 0 else t_new
            h = t_new - self.t
            h_abs = abs(h)
            self.stages = [self.f]
            for row, c in zip(self.A[1:], self.C[1:], strict=True):
                at = self.y + _sum(self.stages, row[: len(self.stages)], h)
                self.stages.append(self.slope(self.t + float(c) * h, at))
            y_new = self.y + _sum(self.stages, self.B, h)
            f_new = self.slope(t_new, y_new)
            self.stages.append(f_new)
            scale = self.atol + xp.maximum(xp.abs(self.y), xp.abs(y_new)) * self.rtol
            error = float(self._error(scale, h))
            if error < 1:
                factor = 10.0 if error == 0 else min(10.0, 0.9 * error ** (-1.0 / (self.order + 1)))
                self.h_abs = h_abs * (min(1.0, factor) if rejected else factor)
                self.t_old, self.y_old = self.t, self.y
                self.t, self.y, self.f = t_new, y_new, f_new
                return True
            h_abs *= max(0.2, 0.9 * error ** (-1.0 / (self.order + 1)))
            rejected = True

    def between(self, times: npt.NDArray[np.float64]) -> Any:
        """Interpolate the state at times within the last step."""
        h = self.t - self.t_old
        powers = ((times - self.t_old) / h)[None, :] ** np.arange(1, self.P.shape[1] + 1)[:, None]
        weights = xp.asarray(h * (self.P @ powers), dtype=self.y.dtype, device=self.y.device)
        return self.y_old[:, None] + xp.stack(self.stages, axis=1) @ weights


def _solve_ivp(
    fun: Any, t_span: Any, y0: Any, method: Any = "RK45", t_eval: Any = None, dense_output: bool = False, events: Any = None,
    vectorized: bool = False, args: Any = None, *, rtol: Any = 1e-3, atol: Any = 1e-6, max_step: Any = math.inf, first_step: Any = None,
) -> Any:  # fmt: skip
    leave_unless(type(method) is str and method in _METHODS and events is None and not dense_output and not vectorized)
    leave_unless((t_eval is None or method != "DOP853") and (args is None or type(args) is tuple))
    leave_unless(all(type(each) in {int, float} for each in (rtol, atol, max_step)) and max_step > 0 and atol >= 0)
    leave_unless(len(t_span) == 2 and all(isinstance(each, (int, float)) for each in t_span) and type(y0) is xp.Array)
    (y,) = floats(y0)
    leave_unless(y.ndim == 1 and y.size and rtol >= 100 * float(xp.finfo(y.dtype).eps))
    start, end = map(float, t_span)
    leave_unless(first_step is None or (type(first_step) in {int, float} and 0 < first_step <= abs(end - start)))
    times = None if t_eval is None else arrays(t_eval)[0]._host().astype(float)
    if times is not None:
        direction = 1 if end >= start else -1
        leave_unless(times.ndim == 1 and bool(np.all(direction * np.diff(times) > 0)))
        leave_unless(bool(np.all((times >= min(start, end)) & (times <= max(start, end)))))
    solver = _Solver(method, fun if args is None else lambda t, x: fun(t, x, *args), start, y, end, rtol, atol, max_step)
    solver.h_abs = float(first_step) if first_step is not None else solver.first_step()
    ts: list[float] = [] if times is not None else [start]
    ys: list[Any] = [] if times is not None else [y[:, None]]
    done, going = 0, True
    while going and (solver.t != end or not ts):
        going = solver.step() if start != end else True
        if not going:
            break
        if times is None:
            ts.append(solver.t)
            ys.append(solver.y[:, None])
        else:
            upto = int(np.searchsorted(solver.direction * times, solver.direction * solver.t, side="right"))
            if upto > done:
                ts += times[done:upto].tolist()
                ys.append(solver.between(times[done:upto]))
                done = upto
        if solver.t == end:
            break
    status = 0 if going else -1
    values = xp.concatenate(ys, axis=1) if ys else []
    return _bundle()(
        t=xp.asarray(ts, dtype=y.dtype, device=y.device), y=values, sol=None, t_events=None, y_events=None, nfev=solver.nfev, njev=0, nlu=0,
        status=status, message=_DONE if going else _STUCK, success=going,
    )  # fmt: skip


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {"solve_ivp": _solve_ivp}
"""Functions of scipy.integrate."""
