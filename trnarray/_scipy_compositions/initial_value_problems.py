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

from .objectives import fetched, number_of
from .operands import arrays, floats, leave_unless, xp

__all__ = ["COMPOSITIONS"]

_METHODS: Final = ("RK23", "RK45", "DOP853")
_MESSAGES: Final = {
    0: "The solver successfully reached the end of the integration interval.", 1: "A termination event occurred.",
    -1: "Required step size is less than spacing between numbers.",
}  # fmt: skip


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
        self.P: Any = kind.P  # of polynomials between two times; DOP853 has another kind
        self.kind = kind
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

    def segment(self) -> _Segment:
        """Give the polynomial within the last step; that of DOP853 calls the function three times."""
        h = self.t - self.t_old
        if self.P is not NotImplemented:
            return _Segment(self.t_old, self.t, self.y_old, self.stages, h * self.P)
        stages = list(self.stages)
        for row, c in zip(self.kind.A_EXTRA, self.kind.C_EXTRA, strict=True):
            stages.append(self.slope(self.t_old + float(c) * h, self.y_old + _sum(stages, row[: len(stages)], h)))
        change = self.y - self.y_old
        terms = [change, h * stages[0] - change, 2.0 * change - h * (self.f + stages[0]), *[_sum(stages, row, h) for row in self.kind.D]]
        return _Segment(self.t_old, self.t, self.y_old, terms, None)


class _Segment:
    """The polynomial of a step: terms of the state's shape, whose weights are polynomials of the time."""

    def __init__(self, t_old: float, t: float, y_old: Any, terms: list[Any], weights: npt.NDArray[np.float64] | None) -> None:
        self.t_old, self.t, self.y_old, self.terms, self.weights = t_old, t, y_old, terms, weights
        self.t_min, self.t_max = min(t_old, t), max(t_old, t)

    def __call__(self, times: Any) -> Any:
        """Interpolate the state at a time, or at several."""
        x = (np.atleast_1d(np.asarray(times, float)) - self.t_old) / (self.t - self.t_old)
        if self.weights is None:  # terms by turns times x and 1 - x, as Horner's scheme adds them
            rows = [np.prod([x if k % 2 == 0 else 1.0 - x for k in range(place + 1)], axis=0) for place in range(len(self.terms))]
            weights = np.stack(rows)
        else:
            weights = self.weights @ x[None, :] ** np.arange(1, self.weights.shape[1] + 1)[:, None]
        factors = xp.asarray(weights, dtype=self.y_old.dtype, device=self.y_old.device)
        found = self.y_old[:, None] + xp.stack(self.terms, axis=1) @ factors
        return found if np.ndim(times) else found[:, 0]


@functools.cache
def _solution() -> type[Any]:
    """Make the class of continuous solutions: SciPy's, of segments on the device."""
    from scipy.integrate import OdeSolution

    class Solution(OdeSolution):  # type: ignore[misc]
        def __call__(self, t: Any) -> Any:
            times = np.asarray(t._host() if type(t) is xp.Array else t, float)
            if times.ndim == 0:
                return self._call_single(float(times))
            found = np.searchsorted(self.ts_sorted, times, side=self.side) - 1
            segments = np.clip(found, 0, self.n_segments - 1)
            segments = segments if self.ascending else self.n_segments - 1 - segments
            places = [np.nonzero(segments == each)[0] for each in np.unique(segments)]
            joined = xp.concatenate([self.interpolants[segments[at[0]]](times[at]) for at in places], axis=1)
            return joined[:, xp.asarray(np.argsort(np.concatenate(places)).astype(np.int32), device=joined.device)]

    return Solution


def _solve_ivp(
    fun: Any, t_span: Any, y0: Any, method: Any = "RK45", t_eval: Any = None, dense_output: bool = False, events: Any = None,
    vectorized: bool = False, args: Any = None, *, rtol: Any = 1e-3, atol: Any = 1e-6, max_step: Any = math.inf, first_step: Any = None,
) -> Any:  # fmt: skip
    leave_unless(type(method) is str and method in _METHODS and not vectorized and (args is None or type(args) is tuple))
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
    given = args or ()
    solver = _Solver(method, lambda t, x: fun(t, x, *given), start, y, end, rtol, atol, max_step)
    solver.h_abs = float(first_step) if first_step is not None else solver.first_step()
    watch = None if events is None else _Events(events, given, start, y)
    ts, ys = ([], []) if times is not None else ([start], [y[:, None]])
    segments: list[_Segment] = []
    ends, done, status = [start], 0, 0
    while True:
        if start != end and not solver.step():
            status = -1
            break
        if start == end:  # a step of no length
            solver.t_old, solver.stages = solver.t, []
        t, state = solver.t, solver.y
        needed = dense_output or (times is not None and bool(np.any(_covered(times[done:], t, solver.direction))))
        segment = solver.segment() if needed and start != end else None
        if watch is not None and start != end:
            root, segment = watch.step(solver, segment)
            if root is not None:
                status, t = 1, root
                assert segment is not None
                state = segment(t)
        if dense_output and segment is not None:
            segments.append(segment)
        ends.append(t)
        if times is None:
            ts.append(t)
            ys.append(state[:, None])
        else:
            upto = done + int(np.sum(_covered(times[done:], t, solver.direction)))
            if upto > done:
                ts += times[done:upto].tolist()
                ys.append(segment(times[done:upto]) if segment is not None else xp.repeat(y[:, None], upto - done, axis=1))
                done = upto
        if status == 1 or solver.t == end:
            break
    t_events, y_events = (None, None) if watch is None else watch.found()
    return _bundle()(
        t=xp.asarray(ts, dtype=y.dtype, device=y.device), y=xp.concatenate(ys, axis=1) if ys else [],
        sol=_solution()(np.asarray(ends), segments) if dense_output and segments else None, t_events=t_events, y_events=y_events,
        nfev=solver.nfev, njev=0, nlu=0, status=status, message=_MESSAGES[status], success=status >= 0,
    )  # fmt: skip


def _covered(times: npt.NDArray[np.float64], t: float, direction: float) -> npt.NDArray[np.bool_]:
    """Tell which times have been passed."""
    return direction * times <= direction * t


class _Events:
    """The user's functions whose zeros are looked for: their values are fetched after each step, all in one round."""

    def __init__(self, events: Any, args: tuple[Any, ...], t: float, y: Any) -> None:
        from scipy.integrate._ivp import ivp

        self._ivp, self._y = ivp, y
        functions, self._most, self._direction = ivp.prepare_events(events)
        self._functions = [functools.partial(lambda each, t, y: number_of(each(t, y, *args), y), each) for each in functions]
        self._count = np.zeros(len(functions))
        self._times: list[list[float]] = [[] for _ in functions]
        self._states: list[list[Any]] = [[] for _ in functions]
        self._values = self._now(t, y)

    def _now(self, t: float, y: Any) -> list[float]:
        return fetched(*[each(t, y) for each in self._functions])

    def step(self, solver: _Solver, segment: _Segment | None) -> tuple[float | None, _Segment | None]:
        """Find zeros within the last step; give the time of one that ends all, and the polynomial that was needed."""
        values = self._now(solver.t, solver.y)
        active = self._ivp.find_active_events(self._values, values, self._direction)
        self._values = values
        if not active.size:
            return None, segment
        segment = segment or solver.segment()
        self._count[active] += 1
        numbers = [functools.partial(lambda each, t, y: fetched(each(t, y))[0], each) for each in self._functions]
        places, roots, ends = self._ivp.handle_events(
            segment, numbers, active, self._count, self._most, solver.t_old, solver.t
        )
        for place, root in zip(places, roots, strict=True):
            self._times[place].append(float(root))
            self._states[place].append(segment(float(root)))
        return (float(roots[-1]) if ends else None), segment

    def found(self) -> tuple[list[Any], list[Any]]:
        """Give times and states of zeros."""
        y = self._y
        states = [xp.stack(each) if each else xp.zeros((0,), dtype=y.dtype, device=y.device) for each in self._states]
        return [xp.asarray(each, dtype=y.dtype, device=y.device) for each in self._times], states


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {"solve_ivp": _solve_ivp}
"""Functions of scipy.integrate."""
