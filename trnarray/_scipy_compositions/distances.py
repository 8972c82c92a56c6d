"""
Distances of scipy.spatial.

Those of pairs of vectors are sums over a broadcast difference. Squared distances between many vectors are |x|² + |y|² - 2 x·y, whose
product the Tensor Engine makes; pairs for which that cancels are found and computed from their differences.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from .operands import arrays, doubles, leave_unless, xp

__all__ = ["COMPOSITIONS", "squares_between"]

_DIRECT: Final = 1 << 16
"""Products of elements up to which differences are taken of all pairs."""
_KEPT: Final = 2.0**-3  # of |x|² + |y|², above which a squared distance has lost little
_LARGE: Final = 2.0**120
_TINY: Final = 2.0**-90


def _squares(u: Any, v: Any, weight: Any = None) -> Any:
    d = u - v
    return xp.sum(d * d if weight is None else d * d * weight, axis=-1)


def _sum(terms: Any, weight: Any) -> Any:
    return xp.sum(terms if weight is None else terms * weight, axis=-1)


def _quotient(above: Any, below: Any, otherwise: float = 0.0) -> Any:
    """Divide; what is 0 / 0 is given."""
    empty = below == 0
    return xp.where(empty, otherwise, above / xp.where(empty, 1.0, below))


def _minkowski(u: Any, v: Any, w: Any = None, p: float = 2) -> Any:
    leave_unless(type(p) in {int, float} and p > 0)
    d = xp.abs(u - v)
    if p == 1:
        return _sum(d, w)
    if p == 2:
        return xp.sqrt(_sum(d * d, w))
    if math.isinf(p):
        return xp.max(d if w is None else xp.where(w != 0, d, 0.0), axis=-1)
    largest: Any = xp.max(d, axis=-1, keepdims=True)  # a power of 3 leaves float32 soon
    scale: Any = xp.where((largest > 0) & (largest < math.inf), largest, 1.0)
    return scale[..., 0] * xp.power(_sum(xp.power(d / scale, float(p)), w), 1.0 / p)


def _canberra(u: Any, v: Any, w: Any = None) -> Any:
    return _sum(_quotient(xp.abs(u - v), xp.abs(u) + xp.abs(v)), w)


def _braycurtis(u: Any, v: Any, w: Any = None) -> Any:
    return _sum(xp.abs(u - v), w) / _sum(xp.abs(u + v), w)


def _hamming(u: Any, v: Any, w: Any = None) -> Any:
    differ = xp.astype(u != v, u.dtype)
    return xp.mean(differ, axis=-1) if w is None else _sum(differ, w) / xp.sum(w)


def _chebyshev(u: Any, v: Any, w: Any = None) -> Any:
    return _minkowski(u, v, w, math.inf)


def _correlation(u: Any, v: Any, w: Any = None, centered: bool = True) -> Any:
    if w is not None:
        w = w / xp.sum(w)
    if centered:
        u, v = [x - (xp.mean(x, axis=-1, keepdims=True) if w is None else xp.sum(x * w, axis=-1, keepdims=True)) for x in (u, v)]
    length = [xp.sqrt(_sum(x * x, w)) for x in (u, v)]
    return xp.clip(1.0 - _sum(u * v, w) / (length[0] * length[1]), 0.0, 2.0)


def _jensenshannon(p: Any, q: Any, base: float | None = None, *, axis: int = 0, keepdims: bool = False) -> Any:
    p, q = doubles(p, q)
    leave_unless(base is None or type(base) in {int, float})
    p, q = [x / xp.sum(x, axis=axis, keepdims=True) for x in (p, q)]
    middle = (p + q) / 2.0
    left, right = [xp.sum(xp.scipy.special.rel_entr(x, middle), axis=axis, keepdims=keepdims) for x in (p, q)]
    total = xp.maximum(left + right, 0.0)
    return xp.sqrt(total / (2.0 if base is None else 2.0 * math.log(base)))


_SUMS: Final[Mapping[str, Callable[..., Any]]] = {
    "braycurtis": _braycurtis,
    "canberra": _canberra,
    "chebyshev": _chebyshev,
    "cityblock": lambda u, v, w=None: _sum(xp.abs(u - v), w),
    "correlation": _correlation,
    "cosine": lambda u, v, w=None: _correlation(u, v, w, centered=False),
    "euclidean": lambda u, v, w=None: xp.sqrt(_squares(u, v, w)),
    "hamming": _hamming,
    "minkowski": _minkowski,
    "sqeuclidean": _squares,
}
"""Distances of the last axes of real operands, which are broadcast."""


def _dice(tt: Any, tf: Any, ft: Any, ff: Any) -> Any:  # noqa: ARG001
    return (tf + ft) / (2.0 * tt + tf + ft)


def _yule(tt: Any, tf: Any, ft: Any, ff: Any) -> Any:
    half = tf * ft
    return xp.where(half == 0, 0.0, 2.0 * half / xp.where(half == 0, 1.0, tt * ff + half))


_COUNTS: Final[Mapping[str, Callable[[Any, Any, Any, Any], Any]]] = {
    "dice": _dice,
    "jaccard": lambda tt, tf, ft, ff: _quotient(tf + ft, tt + tf + ft),  # noqa: ARG005
    "rogerstanimoto": lambda tt, tf, ft, ff: 2.0 * (tf + ft) / (tt + ff + 2.0 * (tf + ft)),
    "russellrao": lambda tt, tf, ft, ff: (tf + ft + ff) / (tt + tf + ft + ff),
    "sokalsneath": lambda tt, tf, ft, ff: 2.0 * (tf + ft) / (tt + 2.0 * (tf + ft)),  # noqa: ARG005
    "yule": _yule,
}
"""Distances of boolean vectors, of how often both are true, only one is, and none is."""


def _single(name: str) -> Callable[..., Any]:
    """Compose the distance of two vectors."""

    def distance(u: Any, v: Any, *args: Any, **parameters: Any) -> Any:
        names = {"minkowski": ("p", "w"), "correlation": ("w", "centered")}.get(name, ("w",))
        parameters |= dict(zip(names, args, strict=False))
        w = parameters.pop("w", None)
        made = doubles(u, v, *([] if w is None else [w]))
        leave_unless(all(x.ndim == 1 and x.shape == made[0].shape and x.shape[0] > 0 for x in made))
        leave_unless(w is None or type(w) is not xp.Array or not bool(xp.any(made[2] < 0)))
        return _SUMS[name](*made, **parameters)

    return distance


def _single_of_booleans(name: str) -> Callable[..., Any]:
    def distance(u: Any, v: Any, w: Any = None) -> Any:
        made = arrays(u, v)
        leave_unless(w is None and all(x.dtype.kind == "b" and x.ndim == 1 and x.shape == made[0].shape and x.shape[0] > 0 for x in made))
        a, b = doubles(*made)
        return _COUNTS[name](*_counts(a[None], b[None]))[0, 0]

    return distance


def _counts(a: Any, b: Any) -> tuple[Any, Any, Any, Any]:
    """Count by products; they are exact up to 2**24 booleans."""
    leave_unless(a.shape[-1] < 1 << 24)
    tt = a @ b.T
    tf, ft = xp.sum(a, axis=1)[:, None] - tt, xp.sum(b, axis=1)[None, :] - tt
    return tt, tf, ft, float(a.shape[-1]) - tt - tf - ft


def _seuclidean(u: Any, v: Any, V: Any) -> Any:
    u, v, V = doubles(u, v, V)
    leave_unless(u.ndim == 1 and u.shape == v.shape == V.shape)
    return xp.sqrt(_squares(u, v, 1.0 / V))


def _mahalanobis(u: Any, v: Any, VI: Any) -> Any:
    u, v, VI = doubles(u, v, VI)
    leave_unless(u.ndim == 1 and u.shape == v.shape and VI.shape == 2 * u.shape)
    return xp.sqrt(xp.sum((u - v) @ VI * (u - v)))


def squares_between(x: Any, y: Any) -> Any:
    """Square the distances between rows; where their product cancels, differences are taken."""
    m, n, k = x.shape[0], y.shape[0], x.shape[1]
    if m * n * k <= _DIRECT:
        return _squares(x[:, None, :], y[None, :, :])
    near = [z - x[0] for z in (x, y)]  # distances do not change, and less cancels
    squares = [xp.sum(z * z, axis=1) for z in near]
    found = near[0] @ (-2.0 * near[1]).T + squares[0][:, None] + squares[1]
    least, *lengths = [z._host() for z in (xp.min(found, axis=1), *squares)]
    with np.errstate(all="ignore"):
        scales = lengths[0] + np.max(lengths[1])
        suspects = np.flatnonzero(~((least > _KEPT * scales + _TINY) & (scales < _LARGE)))
    if not suspects.size:
        return found
    rows = xp.asarray(suspects, dtype=xp.int32, device=x.device)
    lost = ~(found[rows] > _KEPT * (squares[0][rows][:, None] + squares[1]) + _TINY)
    lost = lost | ~(squares[0][rows][:, None] + squares[1] < _LARGE)
    if int(xp.count_nonzero(lost)) * k > 16 * m * n:
        return _squares(x[:, None, :], y[None, :, :])
    among, columns = xp.nonzero(lost)
    rows = rows[among]
    found[rows, columns] = _squares(x[rows], y[columns])
    return found


def _all_cosines(x: Any, y: Any) -> Any:
    x, y = [z / xp.sqrt(xp.sum(z * z, axis=1, keepdims=True)) for z in (x, y)]
    return xp.clip(1.0 - x @ y.T, 0.0, 2.0)


def _inverse_covariance(items: tuple[Any, ...]) -> Any:
    """Invert the covariances of columns, in float64, as SciPy does."""
    wide = xp.astype(xp.concatenate([*items]), xp.float64)
    leave_unless(wide.shape[0] > wide.shape[1] > 1)  # else there is no inverse, or no matrix
    return xp.astype(xp.linalg.inv(xp.cov(wide.T)), items[0].dtype)


def _between(x: Any, y: Any, metric: Any, w: Any = None, p: Any = 2, V: Any = None, VI: Any = None, both: Any = None) -> Any:
    """Compute the distances between the rows of two matrices; `both` are those that variances are taken of."""
    leave_unless(type(metric) is str)
    metric = metric.lower()
    if metric in _COUNTS:
        given = arrays(x, y)
        leave_unless(w is None and all(z.dtype.kind == "b" for z in given))
        return _COUNTS[metric](*_counts(*doubles(*given)))
    x, y = doubles(x, y)
    leave_unless(x.ndim == y.ndim == 2 and x.shape[1] == y.shape[1] and x.size > 0 and y.size > 0)
    if w is not None:
        (w,) = doubles(w, beside=(x,))
        leave_unless(w.shape == (x.shape[1],) and w.dtype == x.dtype and not bool(xp.any(w < 0)))
    if metric in {"seuclidean", "mahalanobis"}:
        leave_unless(w is None)
        if metric == "mahalanobis":
            VI = _inverse_covariance(both or (x, y)) if VI is None else VI
            difference = x[:, None, :] - y[None, :, :]
            return xp.sqrt(xp.sum(difference @ doubles(VI, beside=(x,))[0] * difference, axis=-1))
        variance = xp.var(xp.concatenate([*(both or (x, y))]), axis=0, ddof=1) if V is None else doubles(V, beside=(x,))[0]
        deviation = xp.sqrt(variance)
        return xp.sqrt(squares_between(x / deviation, y / deviation))
    if metric == "jensenshannon":
        leave_unless(w is None)
        return _jensenshannon(x[:, None, :], y[None, :, :], axis=-1)
    if metric in {"euclidean", "sqeuclidean"} or (metric == "minkowski" and p == 2):
        found = squares_between(*((x, y) if w is None else (x * xp.sqrt(w), y * xp.sqrt(w))))
        return found if metric == "sqeuclidean" else xp.sqrt(found)
    if metric in {"cosine", "correlation"} and w is None:
        return _all_cosines(*([z - xp.mean(z, axis=1, keepdims=True) for z in (x, y)] if metric == "correlation" else (x, y)))
    leave_unless(metric in _SUMS)
    return _SUMS[metric](x[:, None, :], y[None, :, :], w, **({"p": p} if metric == "minkowski" else {}))


_OWN: Final[Mapping[str, frozenset[str]]] = {
    "mahalanobis": frozenset({"VI"}), "minkowski": frozenset({"w", "p"}), "seuclidean": frozenset({"V"}),
}  # fmt: skip


def _takes(metric: Any, parameters: Mapping[str, Any]) -> bool:
    """Tell whether a metric takes all parameters; SciPy raises the error of one that does not."""
    return type(metric) is str and parameters.keys() <= _OWN.get(metric.lower(), {"w"})


def cdist(XA: Any, XB: Any, metric: Any = "euclidean", *, out: Any = None, **parameters: Any) -> Any:
    """Compute the distances between the rows of two matrices."""
    leave_unless(out is None and _takes(metric, parameters))
    return _between(XA, XB, metric, **parameters)


def _distance_matrix(x: Any, y: Any, p: Any = 2, threshold: Any = 1000000) -> Any:  # noqa: ARG001
    leave_unless(isinstance(p, (int, float)) and p >= 1)
    metric = {1: "cityblock", 2: "euclidean", math.inf: "chebyshev"}.get(p)
    return _between(x, y, "minkowski", p=p) if metric is None else _between(x, y, metric)


def _directed_hausdorff(u: Any, v: Any, rng: Any = None) -> Any:  # noqa: ARG001  # which orders SciPy's search, and decides between equals
    between = _between(u, v, "euclidean")
    nearest = xp.min(between, axis=1)
    first = xp.argmax(nearest)
    return nearest[first], first, xp.argmin(between[first])


def _condensed(m: int) -> Any:
    rows, columns = np.triu_indices(m, 1)
    return rows * m + columns


def pdist(X: Any, metric: Any = "euclidean", *, out: Any = None, **parameters: Any) -> Any:
    """Compute the distances between the rows of a matrix."""
    leave_unless(out is None and _takes(metric, parameters))
    (x,) = arrays(X)
    leave_unless(x.ndim == 2 and x.shape[0] > 1)
    found = _between(x, x, metric, both=(doubles(x)[0],), **parameters)
    return xp.take(xp.reshape(found, (-1,)), xp.asarray(_condensed(x.shape[0]), dtype=xp.int32, device=x.device))


def squareform(X: Any, force: str = "no", checks: bool = True) -> Any:
    """Turn a condensed matrix of distances into a square one, or back."""
    leave_unless(force == "no")
    (x,) = arrays(X)
    leave_unless(x.ndim in {1, 2} and x.size > 1)
    if x.ndim == 2:
        m = x.shape[0]
        leave_unless(x.shape[1] == m)
        leave_unless(not checks or bool(xp.all(x == x.T) & xp.all(xp.diagonal(x) == 0)))
        return xp.take(xp.reshape(x, (-1,)), xp.asarray(_condensed(m), dtype=xp.int32, device=x.device))
    m = math.ceil(math.sqrt(2 * x.shape[0]))
    leave_unless(m * (m - 1) == 2 * x.shape[0])
    index = np.zeros((m, m), np.int32)
    index[np.triu_indices(m, 1)] = np.arange(1, x.shape[0] + 1)
    index += index.T
    return xp.take(xp.concatenate([xp.zeros_like(x[:1]), x]), xp.asarray(index, device=x.device))




COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    **{name: _single(name) for name in _SUMS},
    **{name: _single_of_booleans(name) for name in _COUNTS},
    "cdist": cdist,
    "directed_hausdorff": _directed_hausdorff,
    "distance_matrix": _distance_matrix,
    "jensenshannon": _jensenshannon,
    "mahalanobis": _mahalanobis,
    "pdist": pdist,
    "seuclidean": _seuclidean,
    "squareform": squareform,
}
"""Functions of scipy.spatial.distance, and one of scipy.spatial."""
