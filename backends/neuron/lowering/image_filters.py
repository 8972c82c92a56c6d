"""
Filters of scipy.ndimage: sums, minima and ranks of the pixels around each.

An image is extended at its borders once, and each tap of a filter is a view of it, so that a filter is one sum of products of elements,
fused, and NaN and infinities reach the pixels that SciPy's reach. Minima and sums over a window of equal weights double their length.
Sums are of float32, where SciPy's are of float64: errors are (taps + 1) u of the sum of absolute products.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from ...dtypes import FLOAT64, INT32, DType
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


def _axes(x: Expression, axes: Any) -> list[int]:
    """List the axes that are filtered."""
    given = range(x.ndim) if axes is None else [axes] if np.ndim(axes) == 0 else axes
    return [range(x.ndim)[axis] for axis in given]


def _each(item: Any, count: int) -> list[Any]:
    """Give a parameter for each axis."""
    if isinstance(item, Expression):
        raise NotNativeError("a parameter is an Array, whose value the host reads")
    return [item] * count if isinstance(item, str) or np.ndim(item) == 0 else [*item]


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
    before = size // 2 + int(origin)
    return before, size - 1 - before


def _weighted(ops: Ops, x: Expression, weights: Any, axis: int, mode: str, cval: Any, origin: int, turned: bool = False) -> Expression:
    """Correlate along an axis, or convolve, with weights of the host's or of the device's."""
    taps = weights if isinstance(weights, Expression) else np.asarray(weights)
    size = taps.shape[0]
    if turned:
        taps = taps.viewed(np.flip) if isinstance(taps, Expression) else taps[::-1]
        origin = -int(origin) - (size % 2 == 0)
    if size > _MOST_TAPS:
        raise NotNativeError(f"sums of more than {_MOST_TAPS} products of elements have no kernel")
    before, after = _range(size, origin)
    padded = _extended(ops, x, axis, before, after, mode, cval)
    lead, length = (slice(None),) * axis, x.shape[axis]
    shifted = [padded[(*lead, slice(k, k + length))] for k in range(size)]
    numbers = [taps[k] if isinstance(taps, Expression) else _number(taps[k]) for k in range(size)]
    return functools.reduce(lambda total, term: total + term, [view * number for view, number in zip(shifted, numbers, strict=True)])


def _number(weight: Any) -> complex:
    return complex(weight) if np.iscomplexobj(weight) else float(weight)


def _correlate1d(ops: Ops, name: str, image: Any, dtype: Any = None, *, weights: Any, axis: Any, mode: Any, cval: Any, origin: Any) -> Any:
    x = _numbers(ops, image)
    taps = ops.floats(weights, wide=True) if isinstance(weights, Expression) else weights
    found = _weighted(ops, x, taps, range(x.ndim)[axis], mode, cval, origin, turned=name.endswith("convolve1d"))
    return _finished(ops, found, dtype)


def _correlate(
    ops: Ops, name: str, image: Any, dtype: Any = None, *, weights: Any, mode: Any, cval: Any, origin: Any, axes: Any = None
) -> Any:  # fmt: skip
    x = _numbers(ops, image)
    taps = ops.floats(weights, wide=True) if isinstance(weights, Expression) else np.asarray(weights)
    chosen = _axes(x, axes)
    origins, modes, sizes = _each(origin, len(chosen)), _each(mode, len(chosen)), taps.shape
    if name.endswith("convolve"):
        taps = taps.viewed(np.flip) if isinstance(taps, Expression) else np.flip(taps)
        origins = [-int(o) - (size % 2 == 0) for o, size in zip(origins, sizes, strict=True)]
    if math.prod(sizes) > _MOST_TAPS:
        raise NotNativeError(f"sums of more than {_MOST_TAPS} products of elements have no kernel")
    padded = _surrounded(ops, x, chosen, sizes, origins, modes, cval)
    total: Expression | None = None
    for place in np.ndindex(*sizes):
        weight: Any = taps[place]
        if not isinstance(taps, Expression):
            if abs(weight) <= np.finfo(float).eps:  # such are no part of SciPy's sums
                continue
            weight = _number(weight)
        index = [slice(None)] * x.ndim
        for axis, start in zip(chosen, place, strict=True):
            index[axis] = slice(start, start + x.shape[axis])
        term = padded[tuple(index)] * weight
        total = term if total is None else total + term
    return _finished(ops, x * 0.0 if total is None else total, dtype)


def _surrounded(
    ops: Ops, x: Expression, axes: Sequence[int], sizes: Sequence[int], origins: Sequence[Any], modes: Sequence[str], cval: Any
) -> Expression:  # fmt: skip
    """Extend an image along several axes."""
    for axis, size, origin, mode in zip(axes, sizes, origins, modes, strict=True):
        x = _extended(ops, x, axis, *_range(size, int(origin)), mode, cval)
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
    ops: Ops, image: Any, dtype: Any = None, *, sigma: Any, axis: Any, order: Any, mode: Any, cval: Any, truncate: Any, radius: Any = None
) -> Any:  # fmt: skip
    x = _numbers(ops, image)
    taps = _gaussian(sigma, order, truncate, radius)
    return _finished(ops, _weighted(ops, x, taps, range(x.ndim)[axis], mode, cval, 0), dtype)


def _gaussian_along(
    ops: Ops, x: Expression, sigma: Any, order: Any, mode: Any, cval: Any, truncate: Any = 4.0, radius: Any = None, axes: Any = None
) -> Expression:  # fmt: skip
    chosen = _axes(x, axes)
    each = [_each(item, len(chosen)) for item in (sigma, order, mode, radius)]
    for axis, one, derivative, border, reach in zip(chosen, *each, strict=True):
        if one > 1e-15:
            x = _weighted(ops, x, _gaussian(one, derivative, truncate, reach), axis, border, cval, 0)
    return x


def _gaussian_filter(ops: Ops, image: Any, dtype: Any = None, **parameters: Any) -> Any:
    return _finished(ops, _gaussian_along(ops, _numbers(ops, image), **parameters) * 1.0, dtype)


def _gaussian_parts(
    ops: Ops, name: str, image: Any, dtype: Any = None, *, sigma: Any, mode: Any, cval: Any, axes: Any = None, **parameters: Any
) -> Any:  # fmt: skip
    """Add second derivatives, or find the length of the gradient."""
    x = _numbers(ops, image)
    chosen = _axes(x, axes)
    laplace = name.endswith("laplace")
    parts = []
    for axis in chosen:
        orders = [(2 if laplace else 1) if other == axis else 0 for other in chosen]
        part = _gaussian_along(ops, x, sigma, orders, mode, cval, axes=chosen, **parameters)
        parts.append(part if laplace else part * part)
    total = functools.reduce(lambda a, b: a + b, parts)
    return _finished(ops, total if laplace else ops("sqrt", total), dtype)


def _slopes(ops: Ops, name: str, image: Any, dtype: Any = None, *, axis: Any, mode: Any, cval: Any) -> Any:
    x = _numbers(ops, image)
    axis = range(x.ndim)[axis]
    modes = _each(mode, x.ndim)
    across = [1, 2, 1] if name.endswith("sobel") else [1, 1, 1]
    x = _weighted(ops, x, [-1, 0, 1], axis, modes[axis], cval, 0)
    for other in range(x.ndim):
        if other != axis:
            x = _weighted(ops, x, across, other, modes[other], cval, 0)
    return _finished(ops, x, dtype)


def _laplace(ops: Ops, image: Any, dtype: Any = None, *, mode: Any, cval: Any, axes: Any = None) -> Any:
    x = _numbers(ops, image)
    chosen = _axes(x, axes)
    parts = [_weighted(ops, x, [1, -2, 1], axis, one, cval, 0) for axis, one in zip(chosen, _each(mode, len(chosen)), strict=True)]
    return _finished(ops, functools.reduce(lambda a, b: a + b, parts), dtype)


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


def _windowed(ops: Ops, x: Expression, join: Any, axis: int, size: int, mode: str, cval: Any, origin: Any) -> Expression:
    length = x.shape[axis]
    return _doubled(_extended(ops, x, axis, *_range(int(size), int(origin)), mode, cval), axis, int(size), length, join)


def _uniform1d(ops: Ops, image: Any, dtype: Any = None, *, size: Any, axis: Any, mode: Any, cval: Any, origin: Any) -> Any:
    x = _numbers(ops, image)
    found = _windowed(ops, x, lambda a, b: a + b, range(x.ndim)[axis], size, mode, cval, origin)
    return _finished(ops, found * (1.0 / int(size)), dtype)


def _uniform(ops: Ops, image: Any, dtype: Any = None, *, size: Any, mode: Any, cval: Any, origin: Any, axes: Any = None) -> Any:
    x = _numbers(ops, image)
    chosen = _axes(x, axes)
    each = [_each(item, len(chosen)) for item in (size, mode, origin)]
    for axis, one, border, shift in zip(chosen, *each, strict=True):
        x = _windowed(ops, x, lambda a, b: a + b, axis, one, border, cval, shift) * (1.0 / int(one))
    return _finished(ops, x, dtype)


def _ordered(ops: Ops, image: Any, dtype: Any) -> Expression:
    x = ops.array(image)
    if x.is_complex or (x.dtype.itemsize > 4 and x.dtype != FLOAT64) or (dtype is not None and dtype != x.dtype):
        raise NotNativeError(f"it has no kernel for {x.dtype} that gives {dtype or x.dtype}")
    return x


def _extreme1d(
    ops: Ops, name: str, image: Any, dtype: Any = None, *, size: Any, axis: Any, mode: Any, cval: Any, origin: Any
) -> Any:  # fmt: skip
    x = _ordered(ops, image, dtype)
    join = functools.partial(ops, "minimum" if "minimum" in name else "maximum")
    return _windowed(ops, x, join, range(x.ndim)[axis], size, mode, cval, origin)


def _footprint(size: Any, footprint: Any, count: int) -> Any:
    """Tell which pixels of a window are looked at."""
    if footprint is None:
        return np.ones([int(one) for one in _each(size, count)], bool)
    if isinstance(footprint, Expression):
        raise NotNativeError("a footprint is an Array, whose elements the host reads")
    taken = np.asarray(footprint).astype(bool)
    if taken.ndim != count or not taken.any():
        raise ValueError(f"footprints have an axis for each of the image, {count}, and true elements; this one is of shape {taken.shape}")
    return taken


def _views(ops: Ops, x: Expression, axes: Sequence[int], footprint: Any, origin: Any, mode: Any, cval: Any) -> list[Expression]:
    """View an image once for each pixel of a footprint."""
    padded = _surrounded(ops, x, axes, footprint.shape, _each(origin, len(axes)), _each(mode, len(axes)), cval)
    found = []
    for place in np.argwhere(footprint).tolist():
        index = [slice(None)] * x.ndim
        for axis, start in zip(axes, place, strict=True):
            index[axis] = slice(start, start + x.shape[axis])
        found.append(padded[tuple(index)])
    return found


def _extreme(
    ops: Ops, name: str, image: Any, dtype: Any = None, *, size: Any = None, footprint: Any = None, mode: Any, cval: Any, origin: Any,
    axes: Any = None,
) -> Any:  # fmt: skip
    x = _ordered(ops, image, dtype)
    chosen = _axes(x, axes)
    join = functools.partial(ops, "minimum" if "minimum" in name else "maximum")
    window = _footprint(size, footprint, len(chosen))
    if not window.all():
        if np.count_nonzero(window) > _MOST_TAPS:
            raise NotNativeError(f"footprints of more than {_MOST_TAPS} pixels have no kernel")
        return functools.reduce(join, _views(ops, x, chosen, window, origin, mode, cval))
    for axis, one, border, shift in zip(chosen, window.shape, _each(mode, len(chosen)), _each(origin, len(chosen)), strict=True):
        x = _windowed(ops, x, join, axis, one, border, cval, shift)
    return x


def _rank(
    ops: Ops, name: str, image: Any, dtype: Any = None, *, rank: Any = None, percentile: Any = None, size: Any = None,
    footprint: Any = None, mode: Any, cval: Any, origin: Any, axes: Any = None,
) -> Any:  # fmt: skip
    """Sort the pixels of each window, and take one."""
    x = _ordered(ops, image, dtype)
    chosen = _axes(x, axes)
    window = _footprint(size, footprint, len(chosen))
    count = int(np.count_nonzero(window))
    if name.endswith("median_filter"):
        rank = count // 2
    elif name.endswith("percentile_filter"):
        share = float(percentile) + (100.0 if percentile < 0 else 0.0)
        rank = count - 1 if share == 100.0 else int(float(count) * share / 100.0)
    rank = int(rank) + (count if rank < 0 else 0)
    if not 0 <= rank < count:
        raise ValueError(f"rank {rank} of {count} pixels")
    if x.size * count > _MOST_WINDOW:
        raise NotNativeError(f"windows of more than {_MOST_WINDOW} pixels in all have no kernel")
    if window.all():
        padded = _surrounded(ops, x, chosen, window.shape, _each(origin, len(chosen)), _each(mode, len(chosen)), cval)
        pixels = padded.viewed(lambda shadow: np.lib.stride_tricks.sliding_window_view(shadow, window.shape, tuple(chosen)))
        pixels = pixels.reshape(*x.shape, count)
    else:
        pixels = ops("stack", _views(ops, x, chosen, window, origin, mode, cval), -1)
    return ops("sort", pixels, axis=-1)[..., rank]


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
