"""Draws of scipy.stats by the streams of `trnarray.random`, estimates with a closed form, and the normal distribution of several axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from .._array import Array
from ..backends.device import CPU
from ..backends.settings import get_default_device
from .continuous_distributions import CONTINUOUS
from .operands import doubles, leave_unless, xp

__all__ = ["METHODS"]

_DRAWS: Final[Mapping[str, str]] = {
    "beta": "beta", "cauchy": "standard_cauchy", "chi2": "chisquare", "expon": "standard_exponential", "f": "f", "gamma": "standard_gamma",
    "erlang": "standard_gamma", "gumbel_r": "gumbel", "laplace": "laplace", "logistic": "logistic", "norm": "standard_normal",
    "rayleigh": "rayleigh", "t": "standard_t", "uniform": "random", "weibull_min": "weibull",
}  # fmt: skip
"""By distribution: the method of a generator that draws it at location 0 and scale 1, of its shapes and a size."""


def _given(distribution: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[str, list[float], float, float]:
    """Read shapes, location and scale, which are numbers."""
    if hasattr(distribution, "dist"):
        leave_unless(not args and not kwargs)
        distribution, args, kwargs = distribution.dist, distribution.args, distribution.kwds
    known = ([] if distribution.shapes is None else distribution.shapes.replace(" ", "").split(",")) + ["loc", "scale"]
    leave_unless(len(args) <= len(known) and kwargs.keys() <= {*known})
    given = {"loc": 0.0, "scale": 1.0, **dict(zip(known, args, strict=False)), **kwargs}
    leave_unless({*given} == {*known} and all(isinstance(item, (int, float)) for item in given.values()))
    leave_unless(given["scale"] > 0 and all(given[key] > 0 for key in known[:-2]))
    name = type(distribution).__name__.removesuffix("_gen")
    return name, [float(given[key]) for key in known[:-2]], float(given["loc"]), float(given["scale"])


def _rvs(distribution: Any, *args: Any, size: Any = None, random_state: Any = None, **kwargs: Any) -> Any:
    """Draw on the default device; a generator of NumPy's is SciPy's."""
    leave_unless(get_default_device() is not CPU)
    before = 0 if hasattr(distribution, "dist") else distribution.numargs + 2  # of shapes, location and scale, which come first
    leave_unless(len(args) <= before + 1 and (len(args) <= before or size is None))
    args, size = args[:before], args[before] if len(args) > before else size
    size = () if size is None else size
    name, shapes, loc, scale = _given(distribution, args, kwargs)
    leave_unless(name in _DRAWS and (random_state is None or type(random_state) is int or isinstance(random_state, xp.random.Generator)))
    generator = random_state if isinstance(random_state, xp.random.Generator) else xp.random.default_rng(random_state)
    found = getattr(generator, _DRAWS[name])(*shapes, size=size)
    leave_unless(isinstance(found, Array))
    return found * scale + loc if (loc, scale) != (0.0, 1.0) else found


_rvs.makes_samples = True  # type: ignore[attr-defined]  # without Arrays among its arguments


def _fit(distribution: Any, data: Any, *args: Any, **kwargs: Any) -> Any:
    """Estimate location and scale by the greatest likelihood."""
    leave_unless(not args and not kwargs)
    (x,) = doubles(data)
    x = xp.reshape(x, (-1,))
    leave_unless(x.size > 0 and bool(xp.all(xp.isfinite(x))))
    name = type(distribution).__name__.removesuffix("_gen")
    if name == "norm":
        return xp.mean(x), xp.std(x)
    low = xp.min(x)
    return low, xp.mean(x) - low if name == "expon" else xp.max(x) - low


def _nnlf(distribution: Any, theta: Any, x: Any) -> Any:
    """Sum the negative logarithms of densities."""
    leave_unless(type(theta) in {tuple, list} and all(isinstance(item, (int, float)) for item in theta))
    *shapes, loc, scale = map(float, theta)
    found = CONTINUOUS[type(distribution).__name__.removesuffix("_gen")]
    count = 0 if distribution.shapes is None else len(distribution.shapes.split(","))
    leave_unless(len(shapes) == count and scale > 0 and all(shape > 0 for shape in shapes))
    leave_unless(found.takes is None or found.takes(*shapes))
    (points,) = doubles(x)
    return -xp.sum(found.compute("logpdf", points, tuple(shapes), loc, scale))


def _multivariate(logarithm: bool) -> Callable[..., Any]:
    """Make a density of vectors by differences from the mean, made independent by the inverse of a factor of the covariances."""

    def density(distribution: Any, x: Any, mean: Any = None, cov: Any = 1, allow_singular: bool = False) -> Any:
        frozen = hasattr(distribution, "cov_object")
        leave_unless(not any(isinstance(item, Array) for item in (mean, cov)) and not allow_singular)
        leave_unless(not frozen or not distribution.allow_singular)
        matrix = np.atleast_2d(np.asarray(distribution.cov if frozen else cov, np.float64))
        center = np.asarray(distribution.mean if frozen else np.zeros(len(matrix)) if mean is None else mean, np.float64).reshape(-1)
        (points,) = doubles(x)
        d = len(center)
        leave_unless(matrix.shape == (d, d) and points.ndim > 0 and points.shape[-1] == d and d > 1)
        leave_unless(np.array_equal(matrix, matrix.T) and bool(np.linalg.eigvalsh(matrix)[0] > 1e-6 * np.linalg.eigvalsh(matrix)[-1]))
        lower = np.linalg.cholesky(matrix)
        inverse = np.linalg.solve(lower, np.eye(d))
        above = points - xp.asarray(center, dtype=points.dtype, device=points.device)
        parts = [sum((above[..., i] * float(row[i]) for i in range(j + 1)), start=0.0) for j, row in enumerate(inverse)]
        rest = d / 2.0 * math.log(2.0 * math.pi) + float(np.sum(np.log(np.diag(lower))))
        found = -(sum((part * part for part in parts), start=0.0) / 2.0) - rest
        return found if logarithm else xp.exp(found)

    return density


METHODS: Final[Mapping[str, Callable[..., Any]]] = {
    **{f"scipy.stats.{name}_gen.rvs": _rvs for name in _DRAWS},
    "scipy.stats.rv_continuous_frozen.rvs": _rvs,
    **{f"scipy.stats.{name}_gen.fit": _fit for name in ("norm", "expon", "uniform")},
    **{f"scipy.stats.{name}_gen.nnlf": _nnlf for name in CONTINUOUS},
    **{
        f"scipy.stats.multivariate_normal_{kind}.{name}": _multivariate(name == "logpdf")
        for kind in ("gen", "frozen")
        for name in ("pdf", "logpdf")
    },
}
"""Methods of SciPy's distributions."""
