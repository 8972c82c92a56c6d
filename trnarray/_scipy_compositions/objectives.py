"""Functions of the user's that methods of optimization evaluate on the device: values, derivatives, and what is fetched of them."""

from __future__ import annotations

import contextlib
import inspect
import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from .._array import Array
from ..backends.dtypes import FLOAT32, FLOAT64
from .operands import device_of, floats, leave_unless, points_like, xp

__all__ = [
    "EPSILON", "SCHEMES", "Objective", "Watcher", "differences", "fetched", "initial", "number_of", "resolved", "steps", "takes_results",
]  # fmt: skip

SCHEMES: Final = ("2-point", "3-point")
EPSILON: Final = math.sqrt(float(np.finfo(np.float64).eps))
"""SciPy's step of differences of two points."""


def initial(x0: Any, beside: Any = ()) -> Any:
    """Make the start of an iteration of a user's argument: a vector on the device of the Arrays of the call."""
    if type(x0) is not Array:
        made: Any = xp.asarray([x0] if isinstance(x0, (int, float, np.generic)) else x0, device=device_of(beside))
        if made.dtype.kind != "f":
            made = xp.astype(made, xp.zeros((), device=made.device).dtype)
        x0 = points_like(x0, made) if type(x0) is np.ndarray else made
    (x,) = floats(x0)
    leave_unless(x.ndim <= 1 and x.size > 0)
    return xp.reshape(x, (-1,))


def number_of(value: Any, x: Any) -> Any:
    """Make an Array without axes of what a user's function gives, which may be a number."""
    value = xp.asarray(value, device=x.device)
    if value.size != 1:
        raise ValueError(f"the function gave an array of shape {value.shape}: return a number, or an Array of one element")
    value = xp.reshape(value, ())
    return value if value.dtype.kind == "f" else xp.astype(value, x.dtype)


def fetched(*values: Any) -> list[float]:
    """Fetch numbers that wait, all in one round."""
    made: list[float] = xp.stack([xp.astype(each, FLOAT64) if each.dtype.kind != "f" else each for each in values])._host().tolist()
    return made


def resolved(value: float, before: float, change: float, x: Any) -> float:
    """
    Tell two values apart that float32 rounds to neighbours: by the change that the slopes at both ends give.

    Without it no search can tell whether a step of 1e-4 improves anything. See Hager and Zhang, SIAM J. Optim. 16 (2005), on approximate
    Wolfe conditions.
    """
    if x.dtype == FLOAT32 and abs(value - before) <= 8 * float(xp.finfo(x.dtype).eps) * abs(before):
        return before + change
    return value


def steps(x: Any, scheme: str, relative: Any, absolute: Any, bounds: Any) -> tuple[Any, Any]:
    """
    Choose the steps of differences, as SciPy does, and where both of a central difference lie on one side.

    A step that is lost in the dtype of the point is replaced by the default one. Bounds turn or shorten steps.
    """
    eps = float(xp.finfo(x.dtype).eps)
    usual = eps ** (1 / 2 if scheme == "2-point" else 1 / 3)
    sign = xp.where(x >= 0, 1.0, -1.0)
    default = usual * sign * xp.maximum(1.0, xp.abs(x))
    h = default
    if relative is not None:
        h = relative * sign * xp.abs(x)
    elif absolute is not None:
        h = absolute * xp.ones_like(x)
    if relative is not None or absolute is not None:
        h = xp.where((x + h) - x == 0, default, h)
    if scheme == "3-point":
        h = xp.abs(h)
    one = xp.zeros(x.shape, dtype=xp.bool, device=x.device)
    if bounds is None:
        return h, one
    below, above = x - bounds[0], bounds[1] - x
    if scheme == "2-point":
        beyond = ((x + h < bounds[0]) | (x + h > bounds[1])) & (xp.abs(h) <= xp.maximum(below, above))
        short = xp.abs(h) > xp.maximum(below, above)
        return xp.where(short, xp.where(above >= below, above, -below), xp.where(beyond, -h, h)), one
    central = (below >= h) & (above >= h)
    side = xp.where(above >= below, xp.minimum(h, 0.5 * above), -xp.minimum(h, 0.5 * below))
    near = xp.minimum(below, above)
    closer = ~central & (xp.abs(side) <= near)
    return xp.where(central, h, xp.where(closer, near, side)), ~central & ~closer


def differences(fun: Callable[[Any], Any], x: Any, f: Any, scheme: str, h: Any, one: Any) -> Any:
    """Find derivatives by differences of values that wait: the last axis is that of the variables."""
    index = xp.arange(x.shape[0], device=x.device)
    near = x + h if scheme == "2-point" else xp.where(one, x + h, x - h)
    far = None if scheme == "2-point" else xp.where(one, x + 2.0 * h, x + h)
    columns = []
    for i in range(x.shape[0]):
        first = fun(xp.where(index == i, near, x))
        if far is None:
            columns.append((first - f) / (near - x)[i])
            continue
        second = fun(xp.where(index == i, far, x))
        aside = (-3.0 * f + 4.0 * first - second) / (far - x)[i]
        columns.append(xp.where(one[i], aside, (second - first) / xp.where(one[i], 1.0, (far - near)[i])))
    return xp.stack(columns, axis=-1)


class Objective:
    """
    A scalar function with its derivatives, and how often each was called. Nothing is fetched here.

    Parameters
    ----------
    fun, args
        The user's function, and what it is given besides the point.
    jac : callable, bool or str
        The gradient; True where `fun` gives it, too; else a scheme of differences.
    step : tuple
        The relative and absolute steps of differences.
    """

    def __init__(
        self, fun: Any, args: tuple[Any, ...], jac: Any, step: tuple[Any, Any] = (None, None), bounds: Any = None, hess: Any = None,
        hessp: Any = None,
    ) -> None:  # fmt: skip
        self._fun, self._args, self._jac, self._step, self._bounds, self._hess, self._hessp = fun, args, jac, step, bounds, hess, hessp
        self.nfev = self.njev = self.nhev = 0
        self._given: Any = None

    def value(self, x: Any) -> Any:
        """Call the function."""
        self.nfev += 1
        found = self._fun(xp.copy(x), *self._args)
        if self._jac is True:
            found, self._given = found
        return number_of(found, x)

    def gradient(self, x: Any, f: Any) -> Any:
        """Find the gradient where the function was called last."""
        self.njev += 1
        if self._jac is True:
            found = self._given
        elif callable(self._jac):
            found = self._jac(xp.copy(x), *self._args)
        else:
            found = differences(self.value, x, f, self._jac, *steps(x, self._jac, *self._step, self._bounds))
        found = xp.asarray(found, device=x.device)
        return xp.astype(xp.reshape(found, x.shape), x.dtype)

    def slopes(self, x: Any) -> Any:
        """Find the gradient at a point whose value is not needed."""
        return self.gradient(x, None if callable(self._jac) else self.value(x))

    @property
    def has_matrix(self) -> bool:
        """Tell whether second derivatives come as matrices."""
        return self._hess is not None

    @property
    def has_product(self) -> bool:
        """Tell whether second derivatives come as products with vectors."""
        return self._hessp is not None

    def hessian(self, x: Any) -> Any:
        """Call the function of the second derivatives."""
        self.nhev += 1
        found = self._hess(xp.copy(x), *self._args)
        return xp.astype(xp.asarray(found, device=x.device), x.dtype) if isinstance(found, (Array, list, tuple, np.ndarray)) else found

    def product(self, x: Any, p: Any) -> Any:
        """Call the function that multiplies second derivatives and a vector."""
        self.nhev += 1
        return xp.reshape(xp.asarray(self._hessp(xp.copy(x), p, *self._args), device=x.device), p.shape)


def takes_results(callback: Callable[..., Any]) -> bool:
    """Tell whether a user's function is called with ``intermediate_result=``; one in C, which does not tell, gets points."""
    with contextlib.suppress(ValueError):
        return set(inspect.signature(callback).parameters) == {"intermediate_result"}
    return False


class Watcher:
    """The user's function that is called after each iteration: with the point, or with ``intermediate_result=``; it may stop all."""

    def __init__(self, callback: Any) -> None:
        self._callback = callback
        self._of_results = callable(callback) and takes_results(callback)
        self.stopped = False

    def halts(self, x: Any, f: Any) -> bool:
        """Call it; True where it raises StopIteration."""
        from scipy.optimize import OptimizeResult

        if self._callback is None:
            return False
        try:
            if self._of_results:
                self._callback(intermediate_result=OptimizeResult(x=xp.copy(x), fun=f))
            else:
                self._callback(xp.copy(x))
        except StopIteration:
            self.stopped = True
        return self.stopped
