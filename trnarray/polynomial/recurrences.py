"""Series on devices: the three-term recurrences of their polynomials, as expressions on Arrays.

``P[n + 1] = (a(n) x + b(n)) P[n] - c(n) P[n - 1]``; sums are C. W. Clenshaw's, "A note on the summation of Chebyshev series", Mathematical
Tables and Other Aids to Computation 9, 1955.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from numpy.exceptions import RankWarning

from .._scipy_compositions.operands import arrays, leave_unless, xp

__all__ = ["COMPOSED"]


def _zero(_: int) -> float:
    return 0.0


def _one(_: int) -> float:
    return 1.0


def _two(_: int) -> float:
    return 2.0


class _Family(NamedTuple):
    """
    Polynomials of a weight.

    Attributes
    ----------
    slope, constant, back : callable
        a, b and c of the recurrence.
    first : tuple of float
        The polynomial of degree 1, its slope first.
    weight : callable or None
        To which they are orthogonal.
    """

    slope: Callable[[int], float]
    constant: Callable[[int], float]
    back: Callable[[int], float]
    first: tuple[float, float]
    weight: Callable[[Any], Any] | None


_FAMILIES: Final = {
    "poly": _Family(_one, _zero, _zero, (1.0, 0.0), None),
    "cheb": _Family(_two, _zero, _one, (1.0, 0.0), lambda x: 1.0 / (xp.sqrt(1.0 + x) * xp.sqrt(1.0 - x))),
    "leg": _Family(lambda n: (2 * n + 1) / (n + 1), _zero, lambda n: n / (n + 1), (1.0, 0.0), lambda x: x * 0.0 + 1.0),
    "herm": _Family(_two, _zero, lambda n: 2.0 * n, (2.0, 0.0), lambda x: xp.exp(-(x**2))),
    "herme": _Family(_one, _zero, float, (1.0, 0.0), lambda x: xp.exp(-0.5 * x**2)),
    "lag": _Family(
        lambda n: -1 / (n + 1), lambda n: (2 * n + 1) / (n + 1), lambda n: n / (n + 1), (-1.0, 1.0), lambda x: xp.exp(-x)
    ),
}


def _floats(*items: Any) -> list[Any]:
    """Make Arrays of operands, integers as floats."""
    made = arrays(*items)
    leave_unless(all(x.size for x in made))
    return [x if x.dtype.kind in "fc" else x * 1.0 for x in made]


def _linear(x: Any, slope: float, constant: float) -> Any:
    scaled = x if slope == 1 else x * slope
    return scaled + constant if constant else scaled


def _summed(family: _Family, x: Any, c: Any) -> Any:
    """Sum a series whose coefficients are rows of `c` that broadcast with `x`."""
    sums: Any = c[-1]
    before: Any = None
    if len(c) == 1:
        return sums + x * 0
    for n in range(len(c) - 2, 0, -1):
        product = _linear(x, family.slope(n), family.constant(n)) * sums
        back = 0.0 if before is None else family.back(n + 1)
        before, sums = sums, c[n] + (product if not back else product - before * back)
    found = c[0] + _linear(x, *family.first) * sums
    back = 0.0 if before is None else family.back(1)
    return found - before * back if back else found


def _val(family: _Family, x: Any, c: Any, tensor: Any = True) -> Any:
    leave_unless(type(tensor) is bool)
    x, c = _floats(x, c)
    c = c[None] if not c.ndim else c
    return _summed(family, x, c.reshape(c.shape + (1,) * x.ndim) if tensor else c)


def _points(family: _Family, points: Sequence[Any], c: Any, grid: bool) -> Any:
    *points, c = _floats(*points, c)
    leave_unless(grid or all(x.shape == points[0].shape for x in points))
    leave_unless(c.ndim >= len(points))
    for place, x in enumerate(points):
        c = _val(family, x, c, grid or place == 0)
    return c


def _vander(family: _Family, x: Any, deg: Any) -> Any:
    leave_unless(type(deg) is int and deg >= 0)
    (x,) = _floats(x)
    x = x if x.ndim else x[None]
    columns = [x * 0 + 1.0, _linear(x, *family.first)][: deg + 1]
    for n in range(1, deg):
        following = _linear(x, family.slope(n), family.constant(n)) * columns[-1]
        columns.append(following - columns[-2] * family.back(n) if family.back(n) else following)
    return xp.stack(columns, axis=-1)


def _products(family: _Family, points: Sequence[Any], deg: Any) -> Any:
    degrees = list(deg) if type(deg) in {list, tuple} else []
    leave_unless(len(degrees) == len(points))
    points = _floats(*points)
    leave_unless(all(x.shape == points[0].shape for x in points))
    found: Any = None
    for x, degree in zip(points, degrees, strict=True):
        matrix = _vander(family, x, degree)
        found = matrix if found is None else (found[..., None] * matrix[..., None, :]).reshape((*found.shape[:-1], -1))
    return found


def _weight(family: _Family, x: Any) -> Any:
    assert family.weight is not None
    return family.weight(_floats(x)[0])


def _fit(family: _Family, x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None) -> Any:
    leave_unless(type(deg) is int and deg >= 0 and full is False and (rcond is None or type(rcond) is float))
    x, y, *weights = _floats(x, y, *(() if w is None else (w,)))
    leave_unless(x.ndim == 1 and y.ndim in {1, 2} and len(x) == len(y) and all(item.shape == x.shape for item in weights))
    matrix = _vander(family, x, deg)
    for item in weights:
        matrix, y = matrix * item[:, None], (y.T * item).T
    norms = xp.linalg.vector_norm(matrix, axis=0)
    norms = xp.where(norms == 0, 1.0, norms)
    least = len(x) * float(xp.finfo(x.dtype).eps) if rcond is None else rcond
    found, _, rank, _ = xp.linalg.lstsq(matrix / norms, y, rcond=least)
    if int(rank) <= deg:
        warnings.warn("The fit may be poorly conditioned", RankWarning, stacklevel=4)
    return (found.T / norms).T


def _functions(prefix: str, family: _Family) -> dict[str, Callable[..., Any]]:
    """Give functions the signatures of NumPy's."""
    made: dict[str, Callable[..., Any]] = {
        "val": partial(_val, family),
        "val2d": lambda x, y, c: _points(family, (x, y), c, False),
        "val3d": lambda x, y, z, c: _points(family, (x, y, z), c, False),
        "grid2d": lambda x, y, c: _points(family, (x, y), c, True),
        "grid3d": lambda x, y, z, c: _points(family, (x, y, z), c, True),
        "vander": partial(_vander, family),
        "vander2d": lambda x, y, deg: _products(family, (x, y), deg),
        "vander3d": lambda x, y, z, deg: _products(family, (x, y, z), deg),
        "fit": partial(_fit, family),
    }
    if family.weight is not None:
        made["weight"] = partial(_weight, family)
    return {prefix + kind: function for kind, function in made.items()}


COMPOSED: Final[Mapping[str, Callable[..., Any]]] = {
    name: function for prefix, family in _FAMILIES.items() for name, function in _functions(prefix, family).items()
}
"""Functions of `numpy.polynomial` on devices, by name."""
