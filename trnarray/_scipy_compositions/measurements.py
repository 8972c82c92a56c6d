"""Measurements of labelled images, and filters of their transforms, of scipy.ndimage."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from .operands import arrays, doubles, leave_unless, per_axis, xp

__all__ = ["COMPOSITIONS", "medians"]

_MOST: Final = 1 << 26
"""Elements of the table of which pixels belong to which labels."""


def _belonging(input: Any, labels: Any, index: Any) -> tuple[Any, Any, bool]:
    """Give pixels in a row, a table of which of them belong to each label, and whether there is one label alone."""
    leave_unless(arrays(input)[0].dtype.kind == "f")
    (x,) = doubles(input)
    leave_unless(x.ndim > 0 and x.size)
    flat = xp.reshape(x, (-1,))
    if labels is None:
        leave_unless(index is None)
        return flat, xp.ones_like(flat[None, :]) > 0, True
    (marks,) = arrays(labels)
    leave_unless(marks.shape == x.shape and marks.dtype.kind in "iub")
    marks = xp.reshape(marks, (1, -1))
    if index is None:
        return flat, marks != 0, True
    single = type(index) is int
    leave_unless(single or type(index) in {xp.Array, list, tuple, range})
    numbers = [index] if single else index if type(index) is xp.Array else list(index)
    leave_unless(type(numbers) is xp.Array or all(type(each) is int for each in numbers))
    wanted = xp.asarray(numbers, dtype=marks.dtype if marks.dtype.kind != "b" else xp.int32, device=x.device)
    leave_unless(wanted.ndim == 1 and wanted.shape[0] * x.size <= _MOST and wanted.size)
    return flat, marks == wanted[:, None], single


def _sums(flat: Any, belongs: Any) -> tuple[Any, Any]:
    """Add up the pixels of each label, and count them."""
    return xp.sum(xp.where(belongs, flat, 0.0), axis=1), xp.sum(xp.astype(belongs, flat.dtype), axis=1)


def _measured(measure: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    def measured(input: Any, labels: Any = None, index: Any = None) -> Any:
        flat, belongs, single = _belonging(input, labels, index)
        found = measure(flat, belongs)
        return found[0] if single else found

    return measured


def _mean(flat: Any, belongs: Any) -> Any:
    total, count = _sums(flat, belongs)
    return total / count


def _variance(flat: Any, belongs: Any) -> Any:
    total, count = _sums(flat, belongs)
    above = xp.where(belongs, flat - (total / count)[:, None], 0.0)
    return xp.sum(above * above, axis=1) / count


def _extreme(flat: Any, belongs: Any, largest: bool) -> Any:
    found = (xp.max if largest else xp.min)(xp.where(belongs, flat, -math.inf if largest else math.inf), axis=1)
    return xp.where(xp.any(belongs, axis=1), found, 0.0)


def medians(flat: Any, belongs: Any) -> Any:
    """Sort the pixels of each label before the others, and average the middle ones."""
    count = xp.sum(xp.astype(belongs, xp.int32), axis=1)
    ordered = xp.sort(xp.where(belongs, flat, math.nan), axis=1)
    last = xp.maximum(count - 1, 0)
    half = last // 2
    low, high = [xp.take_along_axis(ordered, each[:, None], axis=1)[:, 0] for each in (half, last - half)]
    return (low + high) * 0.5


def _labelled_median(input: Any, labels: Any = None, index: Any = None) -> Any:
    flat, belongs, single = _belonging(input, labels, index)
    leave_unless(single or bool(xp.all(xp.any(belongs, axis=1))))  # of labels that are nowhere SciPy takes others' pixels
    found = medians(flat, belongs)
    return xp.where(xp.any(belongs & xp.isnan(flat)), math.nan, found[0]) if single else found


def _position(flat: Any, belongs: Any, largest: bool, single: bool) -> Any:
    """Find an extreme pixel: of equal ones the first, but of several labels the last maximum, as SciPy's are."""
    seen = xp.where(belongs, flat, -math.inf if largest else math.inf)
    if single or not largest:
        return (xp.argmax if largest else xp.argmin)(seen, axis=1)
    return (flat.shape[0] - 1) - xp.argmax(xp.flip(seen, axis=1), axis=1)


def _extremes(input: Any, labels: Any, index: Any, sides: tuple[bool, ...], values: bool) -> Any:
    """Give positions of extremes, which SciPy gives as tuples, after the extremes if these are wanted."""
    flat, belongs, single = _belonging(input, labels, index)
    leave_unless(bool(xp.all(xp.any(belongs, axis=1)) & ~xp.any(xp.isnan(flat))))
    shape = arrays(input)[0].shape
    extremes = [_extreme(flat, belongs, largest) for largest in sides]
    positions = []
    for largest in sides:
        parts = xp.unravel_index(_position(flat, belongs, largest, single), shape)
        positions.append([tuple(part[k] for part in parts) for k in range(belongs.shape[0])])
    found = [*([each[0] if single else each for each in extremes] if values else []), *(each[0] if single else each for each in positions)]
    return tuple(found) if values else found[0]


def _histogram(input: Any, min: Any, max: Any, bins: Any, labels: Any = None, index: Any = None) -> Any:
    """Count the pixels of each label between edges, rounded so that pixels lie on the same side of them as in float64."""
    leave_unless(all(isinstance(each, (int, float)) for each in (min, max)) and min < max and type(bins) is int and bins > 0)
    flat, belongs, single = _belonging(input, labels, index)
    edges = np.linspace(min, max, bins + 1)
    if flat.dtype == np.float32:
        near = edges.astype(np.float32)
        up = np.where(near < edges, np.nextafter(near, np.float32(np.inf)), near)
        up[-1] = near[-1] if near[-1] <= edges[-1] else np.nextafter(near[-1], np.float32(-np.inf))
        edges = up
    limits = xp.asarray(edges, device=flat.device)
    place = xp.searchsorted(limits, flat, side="right") - 1
    place = xp.where(flat == limits[-1], bins - 1, place)
    inside = (flat >= limits[0]) & (flat <= limits[-1])
    numbers = xp.arange(bins, dtype=place.dtype, device=flat.device)
    leave_unless(belongs.shape[0] * bins * flat.shape[0] <= _MOST)
    counts = [xp.sum(xp.astype((place == numbers[:, None]) & (inside & row), xp.int32), axis=1) for row in belongs]
    if single:
        return counts[0]
    found = np.empty(len(counts), object)
    for k, each in enumerate(counts):
        found[k] = each
    return found


def _ellipsoid(input: Any, size: Any, n: Any = -1, axis: Any = -1, output: Any = None) -> Any:
    """Weight a spectrum by the transform of an ellipsoid: of a few axes each function of a radius."""
    (x,) = arrays(input)
    leave_unless(output is None and type(n) is int and type(axis) is int and x.dtype.kind == "c" and 0 < x.ndim <= 3 and x.size > 0)
    leave_unless(-x.ndim <= axis < x.ndim)
    import scipy.ndimage

    factor = scipy.ndimage.fourier_ellipsoid(np.ones(x.shape, complex), per_axis(size, x.ndim), n, axis).real
    return x * xp.asarray(factor.astype(xp.finfo(x.dtype).dtype), device=x.device)


def _center_of_mass(input: Any, labels: Any = None, index: Any = None) -> Any:
    flat, belongs, single = _belonging(input, labels, index)
    shape = arrays(input)[0].shape
    total, _ = _sums(flat, belongs)
    parts = []
    for axis, length in enumerate(shape):
        lengths = [1] * len(shape)
        lengths[axis] = length
        places = xp.arange(length, dtype=flat.dtype, device=flat.device).reshape(lengths)
        parts.append(_sums(flat * xp.reshape(xp.broadcast_to(places, shape), (-1,)), belongs)[0] / total)
    if single:
        return tuple(part[0] for part in parts)
    return [tuple(part[k] for part in parts) for k in range(belongs.shape[0])]


def _transform(name: str, parameter: str) -> Callable[..., Any]:
    """Compose a filter that is a product of functions of each frequency, which SciPy's makes of ones."""

    def filtered(input: Any, *args: Any, **kwargs: Any) -> Any:
        given = {"n": -1, "axis": -1, "output": None, **dict(zip((parameter, "n", "axis", "output"), args, strict=False)), **kwargs}
        n, axis, value = given["n"], given["axis"], given[parameter]
        (x,) = arrays(input)
        leave_unless(given["output"] is None and type(n) is int and type(axis) is int and x.dtype.kind == "c" and x.ndim > 0 and x.size)
        leave_unless(-x.ndim <= axis < x.ndim)
        import scipy.ndimage

        for place, each in enumerate(per_axis(value, x.ndim)):
            real = n if place == axis % x.ndim else -1
            factor = getattr(scipy.ndimage, name)(np.ones(x.shape[place], complex), each, real, 0)
            factor = factor if name == "fourier_shift" else factor.real
            shape = [1] * x.ndim
            shape[place] = -1
            dtype = x.dtype if factor.dtype.kind == "c" else xp.finfo(x.dtype).dtype
            x = x * xp.asarray(factor.astype(dtype), device=x.device).reshape(shape)
        return x

    return filtered


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "center_of_mass": _center_of_mass,
    "extrema": lambda input, labels=None, index=None: _extremes(input, labels, index, (False, True), True),
    "fourier_ellipsoid": _ellipsoid,
    "fourier_gaussian": _transform("fourier_gaussian", "sigma"),
    "fourier_shift": _transform("fourier_shift", "shift"),
    "fourier_uniform": _transform("fourier_uniform", "size"),
    "histogram": _histogram,
    "maximum": _measured(lambda flat, belongs: _extreme(flat, belongs, True)),
    "maximum_position": lambda input, labels=None, index=None: _extremes(input, labels, index, (True,), False),
    "mean": _measured(_mean),
    "median": _labelled_median,
    "minimum": _measured(lambda flat, belongs: _extreme(flat, belongs, False)),
    "minimum_position": lambda input, labels=None, index=None: _extremes(input, labels, index, (False,), False),
    "standard_deviation": _measured(lambda flat, belongs: xp.sqrt(_variance(flat, belongs))),
    "sum": _measured(lambda flat, belongs: _sums(flat, belongs)[0]),
    "sum_labels": _measured(lambda flat, belongs: _sums(flat, belongs)[0]),
    "variance": _measured(_variance),
}
"""Functions of scipy.ndimage."""
