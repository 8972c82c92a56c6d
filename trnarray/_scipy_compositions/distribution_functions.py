"""The functions of a continuous distribution of scipy.stats, of its formulas at location 0 and scale 1."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from .operands import leave_unless, xp
from .quantiles import bisected, refined

__all__ = ["Continuous", "constant", "filled", "log1p_power", "logarithm", "on_sides", "special"]

special: Final[Any] = xp.scipy.special
Function = Callable[..., Any]


def constant(name: str, *shapes: Any) -> Any:
    """Apply a function of scipy.special, or of math, to shapes: on the host where they are numbers."""
    if all(type(shape) is float for shape in shapes):
        import scipy.special

        return float(np.log(*shapes) if name == "log" else getattr(scipy.special, name)(*shapes))
    return getattr(xp if name == "log" else special, name)(*shapes)


def filled(shape: Any, x: Any) -> Any:
    """Make an Array of a shape of a distribution."""
    return xp.full_like(x, shape) if type(shape) is float else shape + xp.zeros_like(x)


def log1p_power(x: Any, c: Any) -> Any:
    """Compute log(1 + x^c)."""
    z = c * xp.log(x)
    return xp.maximum(z, 0.0) + xp.log1p(xp.exp(-xp.abs(z)))


def on_sides(x: Any, tail: Any, rises: bool) -> Any:
    """Give the probability below, or above, of a distribution that is even, of that beyond |x|."""
    return xp.where((x > 0) if rises else (x < 0), 1.0 - tail, tail)


def logarithm(near: Any, far: Callable[[], Any], inside: Any, least: float = 0.0) -> Any:
    """
    Compute the logarithm of a probability, which SciPy does where it underflows, or is below the least one that has its digits.

    `near` is the probability; `far`, which makes its complement, tells how much it is less than 1.
    """
    least = max(least, float(xp.finfo(near.dtype).tiny) * 2.0**24)
    leave_unless(bool(xp.all((near >= least) | ~inside)))
    return xp.where(near > 0.5, xp.log1p(-far()), xp.log(near))


def _within(low: float, high: float) -> float:
    """Choose an element of a support."""
    if math.isfinite(low) and math.isfinite(high):
        return (low + high) / 2.0
    return 0.5 if low <= 0.5 <= high else low + 1.0 if math.isfinite(low) else high - 1.0


@dataclasses.dataclass(frozen=True)
class Continuous:
    """
    A distribution with a density.

    Parameters
    ----------
    support : tuple of float, or callable
        The least and the largest element, or what gives them for shapes.
    logpdf, cdf, sf, ppf, isf, logcdf, logsf : callable
        Functions of elements and shapes. Logarithms are composed of `cdf` and `sf` where they are absent, and quantiles searched for.
    takes : callable
        Tells whether shapes that are numbers are taken; shapes are positive, and may be Arrays, where it is absent.
    least : float
        Below this probabilities are differences that cancel: SciPy computes their logarithms and quantiles.
    """

    support: tuple[float, float] | Callable[..., tuple[float, float]]
    logpdf: Function
    cdf: Function
    sf: Function
    ppf: Function | None = None
    isf: Function | None = None
    logcdf: Function | None = None
    logsf: Function | None = None
    takes: Callable[..., bool] | None = None
    least: float = 0.0

    def quantile(self, method: str, q: Any, shapes: tuple[Any, ...]) -> Any:
        """Compute `ppf` or `isf` of probabilities."""
        inside = (q >= 0) & (q <= 1)
        q = xp.where(inside, q, 0.5)
        own = self.ppf if method == "ppf" else self.isf
        found = self._searched(q, shapes, rises=method == "ppf") if own is None else own(q, *shapes)
        return xp.where(inside, found, math.nan)

    def _searched(self, q: Any, shapes: tuple[Any, ...], rises: bool) -> Any:
        """Find quantiles without a closed form."""
        low, high = self.support(*shapes) if callable(self.support) else self.support
        q = xp.broadcast_arrays(q, *[shape for shape in shapes if type(shape) is not float])[0]
        if self.least:
            leave_unless(bool(xp.all((q == 0) | (q == 1) | (xp.minimum(q, 1.0 - q) >= self.least))))
        narrow, rest, known = q, 1.0 - q, shapes
        if q.dtype == xp.float64:
            narrow, rest = xp.astype(q, xp.float32), xp.astype(rest, xp.float32)
            known = tuple([shape if type(shape) is float else xp.astype(shape, xp.float32) for shape in shapes])
        found = bisected(lambda x: self.cdf(x, *known), lambda x: self.sf(x, *known), narrow, rest, low, high, rises)
        if q.dtype == xp.float64:
            near = self.cdf if rises else self.sf
            found = refined(lambda x: near(x, *shapes), lambda x: self.logpdf(x, *shapes), q, found, low, high, rises)
        first, last = (low, high) if rises else (high, low)
        return xp.where(q == 0, first, xp.where(q == 1, last, found))

    def compute(self, method: str, x: Any, shapes: tuple[Any, ...], loc: Any, scale: Any) -> Any:
        """Compute a method by its name."""
        if method in {"ppf", "isf"}:
            return self.quantile(method, x, shapes) * scale + loc
        low, high = self.support(*shapes) if callable(self.support) else self.support
        z = (x - loc) / scale
        inside = (z >= low) & (z <= high)
        z_inside = xp.where(inside, z, _within(low, high))
        if method in {"pdf", "logpdf"}:
            found = self.logpdf(z_inside, *shapes) - (xp.log(scale) if type(scale) is xp.Array else math.log(scale))
            found = xp.where(inside, found, -math.inf)
            found = xp.exp(found) if method == "pdf" else found
        else:
            sides = (self.cdf, self.sf) if method.endswith("cdf") else (self.sf, self.cdf)
            own = {"logcdf": self.logcdf, "logsf": self.logsf}.get(method)
            if own is not None:
                found = own(z_inside, *shapes)
            elif method in {"logcdf", "logsf"}:
                found = logarithm(sides[0](z_inside, *shapes), lambda: sides[1](z_inside, *shapes), (z > low) & (z < high), self.least)
            else:
                found = sides[0](z_inside, *shapes)
            ends = (-math.inf, 0.0) if method.startswith("log") else (0.0, 1.0)
            below, above = ends if method.endswith("cdf") else ends[::-1]
            found = xp.where(inside, found, xp.where(z < low, below, above))
        return xp.where(xp.isnan(z), math.nan, found)
