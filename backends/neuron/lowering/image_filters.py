"""
Filters of scipy.ndimage: sums, minima and ranks of the pixels around each.

An image is extended at its borders once, and each tap of a filter is a view of it, so that a filter is one sum of products of elements,
fused, and NaN and infinities reach the pixels that SciPy's reach. Minima and sums over a window of equal weights double their length.
Sums are of float32, where SciPy's are of float64: errors are (taps + 1) u of the sum of absolute products. Many weights along an axis slide
along the lines, laid one after the other, on the Tensor Engine.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ...dtypes import FLOAT32, FLOAT64, INT32, DType
from ...signatures.images import rank_of
from . import Lowerings, NotNativeError
from .composition import Expression, Ops, compositions

__all__: list[str] = []

_MODES: Final = {
    "reflect": "symmetric", "grid-mirror": "symmetric", "mirror": "reflect", "nearest": "edge", "wrap": "wrap", "grid-wrap": "wrap",
    "constant": "constant", "grid-constant": "constant",
}  # fmt: skip
_MOST_TAPS: Final = 512
_MOST_WINDOW: Final = 1 << 26
"""Elements of the windows that a rank is taken of."""
_WIDE: Final = (9, 17)
"""Weights along an axis, and along the last one, which the Tensor Engine slides in less time than the others add up."""
_MANY: Final = 1 << 20
"""Products from which on it does."""


def _numbers(ops: Ops, image: Any) -> Expression:
    """Take an image that sums are taken of: SciPy sums integers in float64 and cuts fractions off."""
    taken = ops.array(image)
    if taken.dtype.kind not in "fc":
        raise NotNativeError(f"it sums {taken.dtype} in float64")
    return ops.floats(taken, wide=True)


def _finished(ops: Ops, result: Expression, dtype: DType | None) -> Expression:
    """Give a result the dtype that is asked for; SciPy cuts fractions off for integers."""
    if dtype is None or dtype == result.dtype:
        return result
    if dtype.kind not in "fc" or dtype.itemsize > result.dtype.itemsize:
        raise NotNativeError(f"it gives {dtype} of sums in float64")
    return result.astype(dtype)


def _extended(ops: Ops, x: Expression, axis: int, before: int, after: int, mode: str, cval: Any) -> Expression:
    """Extend an image at both ends of an axis."""
    length = x.shape[axis]
    lead = (slice(None),) * axis
    if _MODES[mode] == "constant":
        ends = [(*x.shape[:axis], count, *x.shape[axis + 1 :]) for count in (before, after)]
        sides = [ops("full", shape, cval, x.dtype) for shape in ends]
        return ops.concatenate([sides[0], x, sides[1]], axis)
    index = np.pad(np.arange(length), (before, after), mode=_MODES[mode])  # type: ignore[call-overload]
    parts = []
    for part in (index[:before], index[before + length :]):
        steps = np.diff(part)
        if not part.size:
            parts.append(x[(*lead, slice(0, 0))])
        elif part.size == 1 or np.all(steps == 1):
            parts.append(x[(*lead, slice(int(part[0]), int(part[-1]) + 1))])
        elif np.all(steps == -1):
            parts.append(x[(*lead, slice(int(part[-1]), int(part[0]) + 1))].viewed(functools.partial(np.flip, axis=axis)))
        elif np.all(steps == 0):
            edge = x[(*lead, slice(int(part[0]), int(part[0]) + 1))]
            parts.append(edge.broadcast_to((*x.shape[:axis], part.size, *x.shape[axis + 1 :])))
        else:
            parts.append(ops("take", x, ops.constant(part, INT32), axis=axis))
    return ops.concatenate([parts[0], x, parts[1]], axis)


def _range(size: int, origin: int) -> tuple[int, int]:
    """Tell how far a window reaches before and after its pixel."""
    before = size // 2 + origin
    return before, size - 1 - before


def _weighted(ops: Ops, x: Expression, weights: Any, axis: int, mode: str, cval: Any, origin: int) -> Expression:
    """Correlate along an axis."""
    taps = _taps(ops, weights)
    size = taps.shape[0]
    if size > _MOST_TAPS:
        raise NotNativeError(f"sums of more than {_MOST_TAPS} products of elements have no kernel")
    known = x.dtype == FLOAT32 and not isinstance(taps, Expression) and not np.iscomplexobj(taps)
    if known and size >= _WIDE[axis == x.ndim - 1] and x.size * size >= _MANY:
        return _slid(ops, _extended(ops, x.moveaxis(axis, -1), x.ndim - 1, *_range(size, origin), mode, cval), taps).moveaxis(-1, axis)
    padded = _extended(ops, x, axis, *_range(size, origin), mode, cval)
    lead, length = (slice(None),) * axis, x.shape[axis]
    terms: list[Expression] = [padded[(*lead, slice(k, k + length))] * _number(taps[k]) for k in range(size)]
    return functools.reduce(lambda total, term: total + term, terms)


def _slid(ops: Ops, padded: Expression, taps: Any) -> Expression:
    """Slide weights along lines that lie one after the other, as one sequence; sums that straddle lines are left out."""
    length = padded.shape[-1]
    sums = ops("correlate", padded.reshape(padded.size), ops.constant(taps, FLOAT32), mode="valid")
    kept = (*padded.shape[:-1], length - taps.shape[0] + 1)

    def lines(shadow: npt.NDArray[Any]) -> npt.NDArray[Any]:
        steps = [shadow.strides[0] * math.prod(padded.shape[axis + 1 :]) for axis in range(padded.ndim)]
        return np.lib.stride_tricks.as_strided(shadow, kept, steps)

    return sums.viewed(lines)


def _taps(ops: Ops, weights: Any) -> Any:
    """Take weights of the host's or of the device's."""
    return ops.floats(weights, wide=True) if isinstance(weights, Expression) else np.asarray(weights)


def _number(weight: Any) -> Any:
    if isinstance(weight, Expression):
        return weight
    return complex(weight) if np.iscomplexobj(weight) else float(weight)


def _correlating(ops: Ops, name: str, weights: Any, origins: Sequence[int]) -> tuple[Any, list[int]]:
    """Turn weights of a convolution, and conjugate those of a correlation, as SciPy does."""
    taps = _taps(ops, weights)
    if "correlate" in name:
        return taps.conj(), [*origins]
    flipped = taps.viewed(np.flip) if isinstance(taps, Expression) else np.flip(taps)
    return flipped, [-origin - (size % 2 == 0) for origin, size in zip(origins, taps.shape, strict=True)]


def _correlate1d(ops: Ops, name: str, image: Any, *, dtype: Any, weights: Any, axis: int, mode: str, cval: Any, origin: int) -> Any:
    taps, (origin,) = _correlating(ops, name, weights, [origin])
    return _finished(ops, _weighted(ops, _numbers(ops, image), taps, axis, mode, cval, origin), dtype)


def _correlate(
    ops: Ops, name: str, image: Any, *, dtype: Any, weights: Any, mode: str, cval: Any, origin: Sequence[int], axes: Sequence[int]
) -> Any:  # fmt: skip
    x = _numbers(ops, image)
    taps, origins = _correlating(ops, name, weights, origin)
    if math.prod(taps.shape) > _MOST_TAPS:
        raise NotNativeError(f"sums of more than {_MOST_TAPS} products of elements have no kernel")
    padded = _surrounded(ops, x, axes, taps.shape, origins, mode, cval)
    total: Expression | None = None
    for place in np.ndindex(*taps.shape):
        weight = taps[place]
        if not isinstance(taps, Expression) and abs(weight) <= np.finfo(float).eps:  # such are no part of SciPy's sums
            continue
        term = _shifted(padded, x, axes, place) * _number(weight)
        total = term if total is None else total + term
    return _finished(ops, x * 0.0 if total is None else total, dtype)


def _shifted(padded: Expression, x: Expression, axes: Sequence[int], place: Sequence[int]) -> Expression:
    """View the pixels of an extended image that lie at a place of the windows."""
    index = [slice(None)] * x.ndim
    for axis, start in zip(axes, place, strict=True):
        index[axis] = slice(start, start + x.shape[axis])
    return padded[tuple(index)]


def _surrounded(
    ops: Ops, x: Expression, axes: Sequence[int], sizes: Sequence[int], origins: Sequence[int], mode: str | Sequence[str], cval: Any
) -> Expression:  # fmt: skip
    """Extend an image along several axes."""
    modes = [mode] * len(axes) if isinstance(mode, str) else mode
    for axis, size, origin, border in zip(axes, sizes, origins, modes, strict=True):
        x = _extended(ops, x, axis, *_range(size, origin), border, cval)
    return x


def _gaussian(sigma: float, order: int, truncate: float, radius: int | None) -> Any:
    """Sample a derivative of the normal density, turned around for a correlation; the samples of the density add up to one."""
    from numpy.polynomial import hermite_e

    reach = int(truncate * float(sigma) + 0.5) if radius is None else int(radius)
    x = np.arange(-reach, reach + 1) / float(sigma)
    density = np.exp(-0.5 * x**2)
    polynomial = hermite_e.hermeval(x, [0] * order + [1]) / float(sigma) ** order
    return density / density.sum() * polynomial


def _gaussian1d(
    ops: Ops, image: Any, *, dtype: Any, sigma: Any, axis: int, order: Any, mode: str, cval: Any, truncate: Any, radius: Any
) -> Any:  # fmt: skip
    return _finished(ops, _weighted(ops, _numbers(ops, image), _gaussian(sigma, order, truncate, radius), axis, mode, cval, 0), dtype)


def _gaussian_along(
    ops: Ops, x: Expression, *, sigma: Sequence[Any], order: Sequence[Any], mode: Sequence[str], cval: Any, axes: Sequence[int],
    radius: Sequence[Any], truncate: Any = 4.0,
) -> Expression:  # fmt: skip
    for axis, one, derivative, border, reach in zip(axes, sigma, order, mode, radius, strict=True):
        if one > 1e-15:
            x = _weighted(ops, x, _gaussian(one, derivative, truncate, reach), axis, border, cval, 0)
    return x


def _gaussian_filter(ops: Ops, image: Any, *, dtype: Any, **parameters: Any) -> Any:
    x = _numbers(ops, image)
    found = _gaussian_along(ops, x, **parameters)
    return _finished(ops, x * 1.0 if found is x else found, dtype)


def _gaussian_parts(
    ops: Ops, name: str, image: Any, *, dtype: Any, sigma: Sequence[Any], mode: Sequence[str], cval: Any, axes: Sequence[int],
    radius: Any = None, **parameters: Any,
) -> Any:  # fmt: skip
    """Add second derivatives, or find the length of the gradient; a part has the border of its own axis along all axes."""
    x = _numbers(ops, image)
    laplace = name.endswith("laplace")
    every = range(x.ndim)
    widths = [dict(zip(axes, sigma, strict=True)).get(axis, 0) for axis in every] if laplace else sigma
    parts = []
    for axis, border in zip(axes, mode, strict=True):
        orders = [(2 if laplace else 1) * (other == axis) for other in every]
        given: dict[str, Any] = {"sigma": widths, "order": orders, "mode": [border] * x.ndim, "radius": radius or [None] * x.ndim}
        part = _gaussian_along(ops, x, cval=cval, axes=every, **given, **parameters)
        parts.append(part if laplace else part * part)
    total = functools.reduce(lambda a, b: a + b, parts) if parts else x * 1.0
    return _finished(ops, total if laplace or not parts else ops("sqrt", total), dtype)


def _slopes(ops: Ops, name: str, image: Any, *, dtype: Any, axis: int, mode: Sequence[str], cval: Any) -> Any:
    x = _weighted(ops, _numbers(ops, image), [-1, 0, 1], axis, mode[axis], cval, 0)
    across = [1, 2, 1] if name.endswith("sobel") else [1, 1, 1]
    for other in range(x.ndim):
        if other != axis:
            x = _weighted(ops, x, across, other, mode[other], cval, 0)
    return _finished(ops, x, dtype)


def _laplace(ops: Ops, image: Any, *, dtype: Any, mode: Sequence[str], cval: Any, axes: Sequence[int]) -> Any:
    x = _numbers(ops, image)
    parts = [_weighted(ops, x, [1, -2, 1], axis, border, cval, 0) for axis, border in zip(axes, mode, strict=True)]
    return _finished(ops, functools.reduce(lambda a, b: a + b, parts) if parts else x * 1.0, dtype)


def _doubled(x: Expression, axis: int, size: int, length: int, join: Callable[[Expression, Expression], Expression]) -> Expression:
    """Join the elements of windows along an axis by windows of half the length."""
    lead = (slice(None),) * axis

    def windows(count: int) -> Expression:
        if count == 1:
            return x
        half = windows(count // 2)
        reach = x.shape[axis] - count + 1
        step = count // 2
        found = join(half[(*lead, slice(0, reach))], half[(*lead, slice(step, step + reach))])
        return join(found, x[(*lead, slice(count - 1, count - 1 + reach))]) if count % 2 else found

    return windows(size)[(*lead, slice(0, length))]


def _windowed(ops: Ops, x: Expression, join: Any, axis: int, size: int, mode: str, cval: Any, origin: int) -> Expression:
    return _doubled(_extended(ops, x, axis, *_range(size, origin), mode, cval), axis, size, x.shape[axis], join)


def _uniform1d(ops: Ops, image: Any, *, axis: int, size: int, mode: str, origin: int, **parameters: Any) -> Any:
    return _uniform(ops, image, axes=[axis], size=[size], mode=[mode], origin=[origin], **parameters)


def _uniform(
    ops: Ops, image: Any, *, dtype: Any, size: Sequence[int], mode: Sequence[str], cval: Any, origin: Sequence[int], axes: Sequence[int]
) -> Any:  # fmt: skip
    x = _numbers(ops, image)
    for axis, one, border, shift in zip(axes, size, mode, origin, strict=True):
        if one > 1:
            x = _windowed(ops, x, lambda a, b: a + b, axis, one, border, cval, shift) * (1.0 / one)
    return _finished(ops, x, dtype)


def _ordered(ops: Ops, image: Any, dtype: Any) -> Expression:
    x = ops.array(image)
    if x.is_complex or (x.dtype.itemsize > 4 and x.dtype != FLOAT64) or (dtype is not None and dtype != x.dtype):
        raise NotNativeError(f"it has no kernel for {x.dtype} that gives {dtype or x.dtype}")
    return x


def _extreme1d(ops: Ops, name: str, image: Any, *, axis: int, size: int, mode: str, origin: int, **parameters: Any) -> Any:
    return _extreme(ops, name, image, footprint=np.ones(size, bool), mode=[mode], origin=[origin], axes=[axis], **parameters)


def _views(ops: Ops, x: Expression, footprint: Any, origin: Any, mode: Any, cval: Any, axes: Sequence[int]) -> list[Expression]:
    """View an image once for each pixel of a footprint."""
    padded = _surrounded(ops, x, axes, footprint.shape, origin, mode, cval)
    return [_shifted(padded, x, axes, place) for place in np.argwhere(footprint).tolist()]


def _extreme(
    ops: Ops, name: str, image: Any, *, dtype: Any, footprint: Any, mode: Any, cval: Any, origin: Sequence[int], axes: Sequence[int]
) -> Any:  # fmt: skip
    x = _ordered(ops, image, dtype)
    join = functools.partial(ops, "minimum" if "minimum" in name else "maximum")
    if not footprint.all():
        if np.count_nonzero(footprint) > _MOST_TAPS:
            raise NotNativeError(f"footprints of more than {_MOST_TAPS} pixels have no kernel")
        return functools.reduce(join, _views(ops, x, footprint, origin, mode, cval, axes))
    for axis, one, border, shift in zip(axes, footprint.shape, mode, origin, strict=True):
        x = _windowed(ops, x, join, axis, one, border, cval, shift)
    return x


def _rank(
    ops: Ops, _: str, image: Any, *, dtype: Any, footprint: Any, mode: Any, cval: Any, origin: Sequence[int], axes: Sequence[int],
    **which: Any,
) -> Any:  # fmt: skip
    """Sort the pixels of each window, and take one."""
    x = _ordered(ops, image, dtype)
    count = int(np.count_nonzero(footprint))
    if x.size * count > _MOST_WINDOW:
        raise NotNativeError(f"windows of more than {_MOST_WINDOW} pixels in all have no kernel")
    if footprint.all():
        padded = _surrounded(ops, x, axes, footprint.shape, origin, mode, cval)
        pixels = padded.viewed(lambda shadow: np.lib.stride_tricks.sliding_window_view(shadow, footprint.shape, tuple(axes)))
        pixels = pixels.reshape(*x.shape, count)
    else:
        pixels = ops("stack", _views(ops, x, footprint, origin, mode, cval, axes), -1)
    return ops("sort", pixels, axis=-1)[..., rank_of(count, **which)]


def _named(prefix: str, table: dict[str, Callable[..., Any]]) -> Lowerings:
    return compositions({f"{prefix}{name}": function for name, function in table.items()})


LOWERINGS: Final[Lowerings] = _named(
    "scipy.ndimage.",
    {
        "convolve": _correlate,
        "convolve1d": _correlate1d,
        "correlate": _correlate,
        "correlate1d": _correlate1d,
        "gaussian_filter": _gaussian_filter,
        "gaussian_filter1d": _gaussian1d,
        "gaussian_gradient_magnitude": _gaussian_parts,
        "gaussian_laplace": _gaussian_parts,
        "laplace": _laplace,
        "maximum_filter": _extreme,
        "maximum_filter1d": _extreme1d,
        "median_filter": _rank,
        "minimum_filter": _extreme,
        "minimum_filter1d": _extreme1d,
        "percentile_filter": _rank,
        "prewitt": _slopes,
        "rank_filter": _rank,
        "sobel": _slopes,
        "uniform_filter": _uniform,
        "uniform_filter1d": _uniform1d,
    },
)
