"""
Densities, probabilities and quantiles of distributions of scipy.stats.

Continuous ones are in ``continuous_distributions.py`` and ``derived_distributions.py``, discrete ones in ``discrete_distributions.py``.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from .continuous_distributions import CONTINUOUS as _BASIC
from .derived_distributions import DERIVED
from .discrete_distributions import DISCRETE, compute_discrete, takes_discrete
from .distribution_functions import Continuous
from .objects import Composed
from .operands import doubles, leave_unless, xp

__all__ = ["CONTINUOUS", "METHODS"]

CONTINUOUS: Final[Mapping[str, Continuous]] = {**_BASIC, **DERIVED}


def _evaluated(distribution: Any, method: str, frozen: tuple[tuple[Any, ...], Mapping[str, Any]], x: Any, *args: Any, **kwargs: Any) -> Any:
    """Compute a method of one of SciPy's distributions, whose shapes, location and scale are given, or were frozen."""
    name = type(distribution).__name__.removesuffix("_gen")
    continuous = CONTINUOUS.get(name)
    leave_unless(continuous is not None or name in DISCRETE)
    known = ([] if distribution.shapes is None else distribution.shapes.replace(" ", "").split(",")) + ["loc", "scale"]
    args, kwargs = (*frozen[0], *args), {**frozen[1], **kwargs}
    leave_unless(len(args) <= len(known) and kwargs.keys() <= {*known})
    given = {"loc": 0.0, "scale": 1.0, **dict(zip(known, args, strict=False)), **kwargs}
    leave_unless(set(known) <= set(given) and (continuous is not None or "scale" not in kwargs))
    arrays = [key for key in known if not isinstance(given[key], (int, float, np.floating, np.integer))]
    x, *made = doubles(x, *[given[key] for key in arrays])
    given |= dict(zip(arrays, made, strict=True))
    takes = None if continuous is None else continuous.takes
    signed = {"loc", *(known[:-2] if takes is not None or name == "randint" else ()), *(("N", "n", "M") if name == "hypergeom" else ())}
    valid: Any = None
    for key in known:
        if key in arrays:
            leave_unless(key not in signed or key == "loc")
            valid = valid if key == "loc" else given[key] > 0 if valid is None else valid & (given[key] > 0)
        else:
            given[key] = float(given[key])
            leave_unless(math.isfinite(given[key]) and (key in signed or given[key] > 0))
    shapes = tuple([given[key] for key in known[:-2]])
    leave_unless(name != "genpareto" or "c" not in arrays)  # whose shape may be negative
    if continuous is None:
        leave_unless(takes_discrete(name, {key: given[key] for key in known[:-2]}, arrays))
        found = compute_discrete(distribution, method, x, shapes, given["loc"])
    else:
        leave_unless(takes is None or takes(*shapes))
        found = continuous.compute(method, x, shapes, given["loc"], given["scale"])
    return found if valid is None else xp.where(valid, found, math.nan)


def _method(method: str) -> Callable[..., Any]:
    def compute(distribution: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        if hasattr(distribution, "dist"):
            return _evaluated(distribution.dist, method, (distribution.args, distribution.kwds), x, *args, **kwargs)
        return _evaluated(distribution, method, ((), {}), x, *args, **kwargs)

    return compute


def _interval(distribution: Any, confidence: Any, *args: Any, **kwargs: Any) -> Any:
    """Compute the quantiles around the median with a probability between them."""
    (p,) = doubles(confidence)
    find, known = _method("ppf"), (p >= 0) & (p <= 1)
    return tuple([find(distribution, xp.where(known, q, math.nan), *args, **kwargs) for q in ((1.0 - p) / 2.0, (1.0 + p) / 2.0)])


class _Frozen(Composed):
    """A distribution whose shapes, location or scale are Arrays."""

    def __init__(self, distribution: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        proxy = getattr(xp.scipy.stats, distribution.name)
        super().__init__(functools.partial(proxy.freeze, *args, **kwargs))
        self.dist, self.args, self.kwds = proxy, args, kwargs

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """SciPy's class."""
        scipy = self.dist.scipy
        return type(scipy(*[1] * scipy.numargs))

    def __getattr__(self, name: str) -> Any:
        if name in {*_METHODS, "interval", "rvs"} and hasattr(self.dist.scipy, name):
            return functools.partial(self._called, getattr(self.dist, name))
        return super().__getattr__(name)

    def _called(self, method: Callable[..., Any], *x: Any, **options: Any) -> Any:
        """Call a method of the distribution."""
        return method(*x, *self.args, **self.kwds, **options)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _frozen_again, (self.dist, self.args, self.kwds)


def _frozen_again(distribution: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    return distribution(*args, **kwargs)


def _frozen(distribution: Any, *args: Any, **kwargs: Any) -> Any:
    """Freeze Arrays; numbers are SciPy's."""
    leave_unless(any(type(item) is xp.Array for item in (*args, *kwargs.values())) and hasattr(xp.scipy.stats, distribution.name))
    return _Frozen(distribution, args, kwargs)


_METHODS: Final = ("pdf", "logpdf", "pmf", "logpmf", "cdf", "sf", "logcdf", "logsf", "ppf", "isf")
_FROZEN: Final = ("rv_continuous_frozen", "rv_discrete_frozen")
METHODS: Final[Mapping[str, Callable[..., Any]]] = {
    **{
        f"scipy.stats.{name}_gen.{method}": _method(method)
        for table, own in ((CONTINUOUS, "pdf logpdf"), (DISCRETE, "pmf logpmf"))
        for name in table
        for method in (*own.split(), "cdf", "sf", "logcdf", "logsf", "ppf", "isf")
    },
    **{f"scipy.stats.{kind}.{method}": _method(method) for kind in _FROZEN for method in _METHODS},
    **{f"scipy.stats.{name}_gen.__call__": _frozen for name in (*CONTINUOUS, *DISCRETE)},
    **{f"scipy.stats.{name}_gen.interval": _interval for name in CONTINUOUS},
    "scipy.stats.rv_continuous_frozen.interval": _interval,
}
"""Methods of SciPy's distributions, and of frozen ones."""
