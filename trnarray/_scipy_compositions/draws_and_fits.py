"""Draws of scipy.stats by generators of `trnarray.random`, estimates with a closed form, and the normal distribution of several axes."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from .._array import Array
from ..backends.device import CPU
from ..backends.settings import get_default_device
from .distributions import CONTINUOUS
from .objectives import fetched
from .operands import doubles, leave_unless, xp
from .random_variates import COUNTS, DRAWS

__all__ = ["METHODS"]

def _given(distribution: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[str, list[float], Any, Any]:
    """Read shapes, which are numbers, and location and scale, which may be Arrays."""
    if hasattr(distribution, "dist"):
        leave_unless(not args and not kwargs)
        distribution, args, kwargs = distribution.dist, distribution.args, distribution.kwds
    known = ([] if distribution.shapes is None else distribution.shapes.replace(" ", "").split(",")) + ["loc", "scale"]
    leave_unless(len(args) <= len(known) and kwargs.keys() <= {*known})
    given = {"loc": 0.0, "scale": 1.0, **dict(zip(known, args, strict=False)), **kwargs}
    name = type(distribution).__name__.removesuffix("_gen")
    places = [given["loc"], given["scale"]]
    leave_unless({*given} == {*known} and all(isinstance(given[key], (int, float)) for key in known[:-2]))
    leave_unless(all(isinstance(item, (int, float)) or (name in DRAWS and type(item) is Array) for item in places))
    shapes = [float(given[key]) for key in known[:-2]]
    leave_unless(all(float(given[key]).is_integer() for key in {*known} & {"M", "N", "n", "low", "high"}))
    leave_unless(not any(map(math.isnan, distribution.support(*shapes))))  # SciPy raises its error
    leave_unless(type(places[1]) is Array or places[1] > 0)
    return name, shapes, *places


def _generator(random_state: Any) -> Any:
    """Take a generator of ours, or make one of a seed."""
    if isinstance(random_state, xp.random.Generator):
        return random_state
    leave_unless(random_state is None or type(random_state) is int)
    return xp.random.default_rng(random_state)


def _rvs(distribution: Any, *args: Any, size: Any = None, random_state: Any = None, **kwargs: Any) -> Any:
    """Draw on the default device; a generator of NumPy's is SciPy's."""
    leave_unless(get_default_device() is not CPU)
    places = 1 if type(distribution).__name__.removesuffix("_gen") in COUNTS else 2
    before = 0 if hasattr(distribution, "dist") else distribution.numargs + places  # of shapes, location and scale, which come first
    leave_unless(len(args) <= before + 1 and (len(args) <= before or size is None))
    args, size = args[:before], args[before] if len(args) > before else size
    size = () if size is None else size
    name, shapes, loc, scale = _given(distribution, args, kwargs)
    leave_unless(name in DRAWS or name in COUNTS)
    leave_unless(name != "vonmises" or (type(loc) is not Array and loc == 0))  # which SciPy wraps
    generator = _generator(random_state)
    placed = [item for item in (loc, scale) if type(item) is Array]
    if placed and size in {(), 1}:
        size = xp.broadcast_shapes(*[item.shape for item in placed])
    found = {**DRAWS, **COUNTS}[name](generator, *shapes, size=size)
    leave_unless(isinstance(found, Array))
    if name in COUNTS:
        leave_unless(isinstance(loc, int) or float(loc).is_integer())
        return found + int(loc) if loc else found
    leave_unless(type(scale) is not Array or bool(xp.all(scale > 0)))
    return found * scale + loc if placed or (loc, scale) != (0.0, 1.0) else found


_rvs.makes_samples = True  # type: ignore[attr-defined]  # without Arrays among its arguments


def _fit(distribution: Any, data: Any, *args: Any, **kwargs: Any) -> Any:
    """Estimate by the greatest likelihood, where that has a closed form, or is the root of a function of two means."""
    leave_unless(not args and all(type(item) in {int, float} for item in kwargs.values()))
    (x,) = doubles(data)
    x = xp.reshape(x, (-1,))
    name = type(distribution).__name__.removesuffix("_gen")
    leave_unless(x.size > 0 and kwargs.keys() <= _FITTED[name] and bool(xp.all(xp.isfinite(x))))
    loc = kwargs.get("floc")
    if name in {"norm", "laplace"}:
        middle = (xp.mean(x) if name == "norm" else xp.median(x)) if loc is None else xp.full_like(x[0], loc)
        apart = x - middle
        return middle, xp.sqrt(xp.mean(apart * apart)) if name == "norm" else xp.mean(xp.abs(apart))
    if name in {"expon", "uniform"}:
        low = xp.min(x)
        if loc is not None:
            leave_unless(name == "expon" and bool(low >= loc))
            low = xp.full_like(low, loc)
        return low, xp.mean(x) - low if name == "expon" else xp.max(x) - low
    leave_unless(name == "beta" or (loc is not None and "fscale" not in kwargs))
    return _positive_fit(name, x, kwargs)


_FITTED: Final[Mapping[str, set[str]]] = {
    "beta": {"floc", "fscale"}, "expon": {"floc"}, "gamma": {"floc", "fscale"}, "laplace": {"floc"}, "lognorm": {"floc", "fscale"},
    "norm": {"floc"}, "rayleigh": {"floc", "fscale"}, "uniform": set(),
}  # fmt: skip
"""By distribution: what may be held."""


def _positive_fit(name: str, x: Any, held: Mapping[str, float]) -> Any:
    """Estimate the parameters of a distribution of positive numbers from a location that is held; means of logarithms are fetched."""
    from scipy.optimize import brentq
    from scipy.special import psi

    loc = float(held["floc"]) if "floc" in held else math.nan
    z = x - loc
    leave_unless(bool(xp.all(z > 0)))
    like = functools.partial(xp.full_like, x[0])
    if name == "rayleigh":
        return like(loc), xp.sqrt(xp.mean(z * z) / 2.0)
    logs = xp.log(z)
    if name == "lognorm":
        return xp.std(logs), like(loc), xp.exp(xp.mean(logs))
    if name == "gamma":
        mean = xp.mean(z)
        (gap,) = fetched(-xp.mean(xp.log(z / mean)))  # of the logarithm of the mean and the mean of logarithms
        leave_unless(gap > 0)
        start = (3.0 - gap + math.sqrt((gap - 3.0) ** 2 + 24.0 * gap)) / (12.0 * gap)
        shape = brentq(lambda a: math.log(a) - psi(a) - gap, start * 0.6, start * 1.4)
        return like(shape), like(loc), mean / shape
    from scipy.optimize import fsolve

    z = z / float(held.get("fscale", math.nan))
    leave_unless(bool(xp.all(z < 1)))
    near, far, mean, spread = fetched(xp.mean(xp.log(z)), xp.mean(xp.log1p(-z)), xp.mean(z), xp.var(z))
    leave_unless(spread > 0)
    total = mean * (1.0 - mean) / spread - 1.0

    def equations(shapes: Any) -> Any:
        return psi(shapes) - psi(sum(shapes)) - (near, far)

    shapes, _, status, _ = fsolve(equations, (mean * total, (1.0 - mean) * total), full_output=True)
    leave_unless(status == 1)
    return like(shapes[0]), like(shapes[1]), like(loc), like(held["fscale"])


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


_ROWS: Final = 8
"""Axes up to which the factor's rows are added one after the other."""


def _moments(distribution: Any, mean: Any, cov: Any, d: int, like: Any) -> tuple[Any, Any]:
    """Take a mean, and the covariances on the host in float64: Arrays of these are fetched, which is counted."""
    if hasattr(distribution, "cov_object"):
        leave_unless(not distribution.allow_singular)
        mean, cov = distribution.mean, distribution.cov
    matrix = np.asarray(cov.tolist() if type(cov) is Array else cov, np.float64)
    leave_unless(mean is not None or matrix.ndim == 2)  # else SciPy takes one axis
    matrix = matrix * np.eye(d) if matrix.ndim == 0 else np.diag(matrix) if matrix.ndim == 1 else matrix
    center = doubles(mean)[0].astype(like.dtype) if type(mean) is Array else xp.asarray(
        np.zeros(d) if mean is None else np.asarray(mean, np.float64).reshape(-1), dtype=like.dtype, device=like.device
    )
    leave_unless(matrix.shape == (d, d) and center.shape == (d,))
    sizes = np.linalg.eigvalsh(matrix)
    leave_unless(np.array_equal(matrix, matrix.T) and bool(sizes[0] > 1e-6 * sizes[-1]))
    return center, matrix


def _multivariate(logarithm: bool) -> Callable[..., Any]:
    """Make a density of vectors by differences from the mean, made independent by the inverse of a factor of the covariances."""

    def density(distribution: Any, x: Any, mean: Any = None, cov: Any = 1, allow_singular: bool = False) -> Any:
        leave_unless(not allow_singular)
        (points,) = doubles(x)
        d = points.shape[-1] if points.ndim else 0
        leave_unless(d > 1)
        center, matrix = _moments(distribution, mean, cov, d, points)
        lower = np.linalg.cholesky(matrix)
        inverse = np.linalg.solve(lower, np.eye(d))
        above = points - center
        if d <= _ROWS:
            parts = [sum((above[..., i] * float(row[i]) for i in range(j + 1)), start=0.0) for j, row in enumerate(inverse)]
            square = sum((part * part for part in parts), start=0.0)
        else:
            square = xp.sum(xp.square(above @ xp.asarray(inverse.T, dtype=points.dtype, device=points.device)), axis=-1)
        rest = d / 2.0 * math.log(2.0 * math.pi) + float(np.sum(np.log(np.diag(lower))))
        found = -(square / 2.0) - rest
        return found if logarithm else xp.exp(found)

    return density


def _vectors(distribution: Any, mean: Any = None, cov: Any = 1, size: Any = 1, random_state: Any = None) -> Any:
    """Draw vectors of the normal distribution."""
    if hasattr(distribution, "cov_object"):
        leave_unless(cov == 1 and size == 1)
        size, mean = 1 if mean is None else mean, None
        d = len(distribution.mean)
    else:
        d = np.shape(mean)[0] if np.ndim(mean) else np.shape(cov)[0] if np.ndim(cov) else 1
    leave_unless(get_default_device() is not CPU and d > 1 and (type(size) is int or (type(size) is tuple and len(size) > 0)))
    generator = _generator(random_state)
    shape = () if size == 1 else (size,) if type(size) is int else size
    z = generator.standard_normal(size=(*shape, d))
    leave_unless(isinstance(z, Array))
    center, matrix = _moments(distribution, mean, cov, d, z)
    return z @ xp.asarray(np.linalg.cholesky(matrix).T, dtype=z.dtype, device=z.device) + center


_vectors.makes_samples = True  # type: ignore[attr-defined]


METHODS: Final[Mapping[str, Callable[..., Any]]] = {
    **{f"scipy.stats.{name}_gen.rvs": _rvs for name in (*DRAWS, *COUNTS)},
    "scipy.stats.rv_continuous_frozen.rvs": _rvs,
    "scipy.stats.rv_discrete_frozen.rvs": _rvs,
    **{f"scipy.stats.{name}_gen.fit": _fit for name in _FITTED},
    **{f"scipy.stats.{name}_gen.nnlf": _nnlf for name in CONTINUOUS},
    **{
        f"scipy.stats.multivariate_normal_{kind}.{name}": _multivariate(name == "logpdf")
        for kind in ("gen", "frozen")
        for name in ("pdf", "logpdf")
    },
    "scipy.stats.multivariate_normal_gen.rvs": _vectors,
    "scipy.stats.multivariate_normal_frozen.rvs": _vectors,
}
"""Methods of SciPy's distributions."""
