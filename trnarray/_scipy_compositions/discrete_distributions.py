"""
Discrete distributions of scipy.stats.

Those whose shapes are numbers have tables: SciPy's probabilities in float64, computed on the host once as other constants of shapes are.
Quantiles are found in one, exactly; probabilities of float64 and of what has no formula, too. Formulas compute the rest.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .distribution_functions import constant, filled, logarithm, special
from .operands import leave_unless, xp
from .quantiles import bisected_integers

__all__ = ["DISCRETE", "compute_discrete", "takes_discrete"]


def _poisson_logpmf(k: Any, mu: Any) -> Any:
    return special.xlogy(k, filled(mu, k)) - special.gammaln(k + 1.0) - mu


def _binom_logpmf(k: Any, n: Any, p: Any) -> Any:
    ways = constant("gammaln", n + 1.0) - special.gammaln(k + 1.0) - special.gammaln(n - k + 1.0)
    return ways + special.xlogy(k, filled(p, k)) + special.xlog1py(n - k, filled(-p, k))


def _binom_cdf(k: Any, n: Any, p: Any) -> Any:
    left = xp.where(k < n, n - k, 1.0)
    return xp.where(k < n, special.betainc(left, k + 1.0, filled(1.0 - p, k)), 1.0)


def _binom_sf(k: Any, n: Any, p: Any) -> Any:
    left = xp.where(k < n, n - k, 1.0)
    return xp.where(k < n, special.betainc(k + 1.0, left, filled(p, k)), 0.0)


def _nbinom_logpmf(k: Any, n: Any, p: Any) -> Any:
    ways = special.gammaln(n + k) - special.gammaln(k + 1.0) - constant("gammaln", n)
    return ways + n * constant("log", p) + special.xlog1py(k, filled(-p, k))


def _once(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make the function of one trial of one of several."""
    return lambda k, p: function(k, 1.0, p)


_FORMULAS: Final[Mapping[str, tuple[float, Callable[..., Any], Callable[..., Any], Callable[..., Any]]]] = {
    "poisson": (
        0.0, _poisson_logpmf, lambda k, mu: special.gammaincc(k + 1.0, filled(mu, k)),
        lambda k, mu: special.gammainc(k + 1.0, filled(mu, k)),
    ),
    "binom": (0.0, _binom_logpmf, _binom_cdf, _binom_sf),
    "bernoulli": (0.0, _once(_binom_logpmf), _once(_binom_cdf), _once(_binom_sf)),
    "geom": (
        1.0, lambda k, p: special.xlog1py(k - 1.0, filled(-p, k)) + constant("log", p), lambda k, p: -xp.expm1(k * math.log1p(-p)),
        lambda k, p: xp.exp(k * math.log1p(-p)),
    ),
    "nbinom": (
        0.0, _nbinom_logpmf, lambda k, n, p: special.betainc(filled(n, k), k + 1.0, filled(p, k)),
        lambda k, n, p: special.betainc(k + 1.0, filled(n, k), filled(1.0 - p, k)),
    ),
    "zipf": (
        1.0, lambda k, a: -a * xp.log(k) - math.log(constant("zeta", a)),
        lambda k, a: 1.0 - special.zeta(filled(a, k), k + 1.0) / constant("zeta", a),
        lambda k, a: special.zeta(filled(a, k), k + 1.0) / constant("zeta", a),
    ),
}  # fmt: skip
"""The least value, the logarithm of the probability of a value, that of values up to it, and of those above it."""
_TABLED: Final = ("betabinom", "boltzmann", "hypergeom", "logser", "nhypergeom", "planck", "randint", "yulesimon", "zipfian")
DISCRETE: Final = frozenset({*_FORMULAS, *_TABLED})
"""The names of distributions that are composed."""
_MOST: Final = 4096
"""Values of a table."""
_LAST: Final = 1 << 24
"""The integers that float32 has."""


def takes_discrete(name: str, shapes: Mapping[str, Any], arrays: list[str]) -> bool:
    """Tell whether shapes are taken; SciPy answers for those that are not allowed."""
    if name in _TABLED:
        return not {*shapes} & {*arrays}
    if "p" in shapes:  # a probability, and a number of trials
        whole = isinstance(shapes.get("n", 1.0), float) and shapes.get("n", 1.0).is_integer()
        return not {"n", "p"} & {*arrays} and 0 < shapes["p"] < 1 and whole
    return name != "zipf" or ("a" not in arrays and shapes["a"] > 1)


@functools.lru_cache(maxsize=32)
def _table(distribution: Any, method: str, shapes: tuple[float, ...]) -> tuple[int, bool, npt.NDArray[np.float64]]:
    """Tabulate probabilities: the least value, whether the table ends before the largest one, and a row of float64."""
    given = [int(shape) if shape.is_integer() else shape for shape in shapes]
    least, most = map(float, distribution.support(*given))
    leave_unless(least <= most and math.isfinite(least))
    count = min(most - least + 1.0, float(_MOST))
    values = int(least) + np.arange(int(count))
    if method in {"cdf", "sf"} and distribution.name in {"hypergeom", "logser"}:  # which SciPy adds up for each value anew
        masses = distribution.pmf(values, *given)
        below = np.minimum(np.cumsum(masses), 1.0)
        ends = most - least < _MOST
        table = below if method == "cdf" else np.append(np.cumsum(masses[:0:-1])[::-1], 0.0) if ends else 1.0 - below
    else:
        table = getattr(distribution, method)(values, *given)
    leave_unless(not bool(np.any(np.isnan(table))))
    return int(least), most - least >= _MOST, table


def _looked_up(distribution: Any, method: str, k: Any, shapes: tuple[float, ...]) -> Any:
    """Take probabilities of values from the table of SciPy's."""
    least, cut, table = _table(distribution, method, shapes)
    last = least + len(table) - 1
    whole = xp.floor(k)
    if cut:
        leave_unless(not bool(xp.any(whole > last)))
    index = xp.astype(xp.clip(xp.where(xp.isnan(whole), float(least), whole), least, last) - least, xp.int32)
    found = xp.take(xp.asarray(table, dtype=k.dtype, device=k.device), xp.reshape(index, (-1,)))
    found = xp.reshape(found, k.shape)
    none = -math.inf if method.startswith("log") else 0.0
    if method in {"pmf", "logpmf"}:
        found = xp.where((whole == k) & (whole >= least) & (whole <= last), found, none)
    else:
        ends = (none, 1.0 if none == 0.0 else 0.0)
        below, above = ends[::-1] if method.endswith("sf") else ends
        found = xp.where(whole < least, below, xp.where(whole > last, above, found))
    return xp.where(xp.isnan(k), math.nan, found)


def _quantile(distribution: Any, method: str, q: Any, shapes: tuple[Any, ...]) -> Any:
    """
    Find the least value up to which the probability is q at least, or above which it is q at most.

    It is exact, as a table in float64 has it whose elements are rounded away from q.
    """
    name = type(distribution).__name__.removesuffix("_gen")
    below = method == "ppf"
    certain, impossible = (1, 0) if below else (0, 1)
    inside = (q >= 0) & (q <= 1)
    within = xp.where(inside, q, 0.5)
    least, cut, table = _table(distribution, "cdf" if below else "sf", shapes)
    reach = table[-1] if below else 1.0 - table[-1]
    if cut and reach <= 1.0 - 2.0**-24 and q.dtype == xp.float32:
        leave_unless(name in _FORMULAS)
        _, _, cdf, sf = _FORMULAS[name]
        sides = (within, 1.0 - within) if below else (1.0 - within, within)
        found = bisected_integers(lambda k: cdf(k, *shapes), lambda k: sf(k, *shapes), *sides, least, _LAST)
        leave_unless(not bool(xp.any((found >= _LAST) & (within != certain))))
    else:
        if cut and (q.dtype == xp.float64 or not below):
            reached = within <= float(table[-1]) if below else within >= float(table[-1])
            leave_unless(bool(xp.all(reached | (within == certain))))
        rows, sought = (table, within) if below else (-table, -within)
        row = rows.astype(q.dtype)
        row = np.where(row > rows, np.nextafter(row, np.asarray(-np.inf, q.dtype)), row)
        index = xp.searchsorted(xp.asarray(row, device=q.device), xp.reshape(sought, (-1,)))
        last = least + len(table) - 1
        found = xp.minimum(xp.astype(xp.reshape(index, q.shape), q.dtype) + float(least), float(last))
        found = xp.where(within == impossible, least - 1.0, found)
    most = distribution.support(*shapes)[1]
    return xp.where(inside, xp.where(within == certain, float(most), found), math.nan)


def compute_discrete(distribution: Any, method: str, x: Any, shapes: tuple[Any, ...], loc: Any) -> Any:
    """Compute a method by its name."""
    numbers = all(type(shape) is float for shape in shapes)
    if method in {"ppf", "isf"}:
        leave_unless(numbers)
        return _quantile(distribution, method, x, shapes) + loc
    name = type(distribution).__name__.removesuffix("_gen")
    k = x - loc
    if name not in _FORMULAS or (numbers and x.dtype == xp.float64):
        return _looked_up(distribution, method, k, shapes)
    least, logpmf, cdf, sf = _FORMULAS[name]
    high = {"binom": shapes[0], "bernoulli": 1.0}.get(name, math.inf)
    if method in {"pmf", "logpmf"}:
        inside = (k >= least) & (k <= high) & (xp.floor(k) == k)
        found = xp.where(inside, logpmf(xp.where(inside, k, least), *shapes), -math.inf)
        found = xp.exp(found) if method == "pmf" else found
    else:
        whole = xp.floor(k)
        inside = (whole >= least) & (whole < high)
        near, far = (sf, cdf) if method.endswith("sf") else (cdf, sf)
        at = xp.where(inside, whole, least)
        found = near(at, *shapes)
        if method.startswith("log"):
            found = logarithm(found, lambda: far(at, *shapes), inside)
        ends = (-math.inf, 0.0) if method.startswith("log") else (0.0, 1.0)
        below, above = ends[::-1] if method.endswith("sf") else ends
        found = xp.where(inside, found, xp.where(whole < least, below, above))
    return xp.where(xp.isnan(k), math.nan, found)
