"""
Signatures of filters of images: the image is an array, axes are counted from the first one on, and what may be given for each axis is.

Windows are footprints, of bool, and weights that are no Array an ndarray. Errors are of the kinds that SciPy's are.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import numpy as np

from .attributes import check_numbers, index_axis
from .call import Call, Reader, SignatureKind

__all__ = ["along_one", "each_axis", "extreme", "gaussian_parts", "rank", "rank_of", "slopes", "weighted"]

_MODES: Final = frozenset(("reflect", "grid-mirror", "mirror", "nearest", "wrap", "grid-wrap", "constant", "grid-constant"))
_DENSITY: Final = ("sigma", "order", "truncate", "radius")


def _image(reader: Reader, image: Any, *parameters: Any) -> Any:
    check_numbers(reader, *parameters)
    return reader.array(image)


def _axes(axes: Any, ndim: int) -> tuple[int, ...]:
    """Read axes: a number, or a sequence of different ones."""
    if axes is None:
        return tuple(range(ndim))
    found = tuple([index_axis(axis, ndim) for axis in (axes if isinstance(axes, Iterable) else (axes,))])
    if len({*found}) != len(found):
        raise ValueError(f"axes are {found}; give each axis once")
    return found


def _each(item: Any, count: int) -> tuple[Any, ...]:
    """Give a parameter for each axis, where one stands for all of them."""
    if isinstance(item, str) or not isinstance(item, (Sequence, np.ndarray)):
        return (item,) * count
    if len(item) != count:
        raise RuntimeError(f"a parameter has {len(item)} items for {count} axes; give one for each, or one for all")
    return tuple(item)


def _mode(mode: Any) -> str:
    if not isinstance(mode, str) or mode not in _MODES:
        raise RuntimeError(f"mode is {mode!r}; here it is one of {', '.join(sorted(_MODES))}")
    return mode


def _modes(mode: Any, count: int) -> tuple[str, ...]:
    return tuple(map(_mode, _each(mode, count)))


def _origins(origin: Any, sizes: Sequence[int], turned: bool = False) -> tuple[int, ...]:
    """Read where windows lie about their pixel, which they hold; those of convolutions are turned."""
    origins = tuple(map(operator.index, _each(origin, len(sizes))))
    for one, size in zip(origins, sizes, strict=True):
        if not -(size // 2) <= (-one - (size % 2 == 0) if turned else one) <= (size - 1) // 2:
            raise ValueError(f"origin is {one} of a window of {size} pixels, which leaves its own pixel out; give one nearer to 0")
    return origins


def _weights(reader: Reader, weights: Any, count: int, origin: Any, turned: bool) -> tuple[Any, tuple[int, ...]]:
    taken = weights if reader.is_array(weights) else np.asarray(weights)
    if len(taken.shape) != count or 0 in taken.shape:
        raise RuntimeError(f"weights are of shape {taken.shape}; give some, with an axis for each of the {count} that are filtered")
    return taken, _origins(origin, taken.shape, turned)


def _check_density(sigma: Any, order: Any, truncate: Any, radius: Any) -> None:
    """Check which derivative of a normal density is sampled, and how far."""
    reach = int(truncate * float(sigma) + 0.5) if radius is None else radius
    if order < 0 or not isinstance(reach, (int, np.integer)) or reach < 0:
        raise ValueError(f"sigma is {sigma}, order {order} and radius {radius!r}; give a sigma above 0, and integers from 0 on")


def _ascending(axes: Sequence[int], ndim: int, origin: Any) -> tuple[tuple[int, ...], tuple[Any, ...]]:
    """
    Sort the axes that a window has, and its origins.

    SciPy pairs the axes of a window with those of the image in ascending order, but origins with axes as they are given, unless all are.
    """
    origins = _each(origin, len(axes))
    order = tuple(sorted(axes))
    return order, tuple(origins if len(axes) == ndim else [origins[axes.index(axis)] for axis in order])


def weighted(*, turned: bool) -> SignatureKind:
    """Read ``correlate``, or ``convolve``, which turns its weights."""

    def read(
        reader: Reader, image: Any, dtype: Any = None, *, weights: Any, mode: Any, cval: Any, origin: Any, axes: Any = None
    ) -> Call:  # fmt: skip
        value = _image(reader, image, mode, cval, origin, axes)
        chosen, given = _ascending(_axes(axes, value.ndim), value.ndim, origin)
        taken, origins = _weights(reader, weights, len(chosen), given, turned)
        return Call((value,), {"dtype": dtype, "weights": taken, "mode": _mode(mode), "cval": cval, "origin": origins, "axes": chosen})

    return read


def along_one(*, turned: bool = False) -> SignatureKind:
    """Read filters along one axis: by weights, by a size, or by a normal density."""

    def read(reader: Reader, image: Any, dtype: Any = None, *, axis: Any, mode: Any, cval: Any, **parameters: Any) -> Call:
        weights = parameters.pop("weights", None)
        value = _image(reader, image, axis, mode, cval, *parameters.values())
        found = {"dtype": dtype, "axis": index_axis(axis, value.ndim), "mode": _mode(mode), "cval": cval, **parameters}
        if weights is not None:
            found["weights"], (found["origin"],) = _weights(reader, weights, 1, (parameters["origin"],), turned)
        elif "size" in parameters:
            found["size"] = operator.index(parameters["size"])
            if found["size"] < 1:
                raise RuntimeError(f"size is {found['size']}; it is 1 or more")
            (found["origin"],) = _origins((parameters["origin"],), (found["size"],))
        else:
            _check_density(*[parameters[name] for name in _DENSITY])
        return Call((value,), found)

    return read


def slopes(reader: Reader, image: Any, dtype: Any = None, *, axis: Any, mode: Any, cval: Any) -> Call:
    """Read ``sobel`` and ``prewitt``, which have a border for each axis of the image."""
    value = _image(reader, image, axis, mode, cval)
    found = {"axis": index_axis(axis, value.ndim), "mode": _modes(mode, value.ndim)}
    return Call((value,), {"dtype": dtype, **found, "cval": cval})


def each_axis(reader: Reader, image: Any, dtype: Any = None, *, mode: Any, cval: Any, axes: Any = None, **parameters: Any) -> Call:
    """Read ``laplace``, ``uniform_filter`` and ``gaussian_filter``, which go from axis to axis."""
    value = _image(reader, image, mode, cval, axes, *parameters.values())
    chosen = _axes(axes, value.ndim)
    found = {name: item if name == "truncate" else _each(item, len(chosen)) for name, item in parameters.items()}
    if "size" in found:
        found["size"] = _widths(found["size"], len(chosen))
        found["origin"] = _origins(found["origin"], found["size"])
    elif "sigma" in found:
        for sigma, order, radius in zip(found["sigma"], found["order"], found["radius"], strict=True):
            if sigma > 1e-15:
                _check_density(sigma, order, found["truncate"], radius)
    return Call((value,), {"dtype": dtype, **found, "mode": _modes(mode, len(chosen)), "cval": cval, "axes": chosen})


def _widths(size: Any, count: int) -> tuple[int, ...]:
    """Read sizes of windows, of which those of no pixel are of one, and fractions are cut off."""
    return tuple([max(int(one), 1) for one in _each(size, count)])


def gaussian_parts(*, of_all: bool) -> SignatureKind:
    """Read ``gaussian_laplace``, or ``gaussian_gradient_magnitude``, which smooths along all axes whichever are asked for."""

    def read(
        reader: Reader, image: Any, dtype: Any = None, *, sigma: Any, mode: Any, cval: Any, axes: Any = None, **parameters: Any
    ) -> Call:  # fmt: skip
        value = _image(reader, image, sigma, mode, cval, axes, *parameters.values())
        chosen = _axes(axes, value.ndim)
        if "radius" in parameters:
            parameters["radius"] = _each(parameters["radius"], value.ndim)
            for radius in parameters["radius"]:
                _check_density(1.0, 0, 4.0, radius)
        found = {"sigma": _each(sigma, value.ndim if of_all else len(chosen)), "mode": _modes(mode, len(chosen)), "axes": chosen}
        return Call((value,), {"dtype": dtype, **found, "cval": cval, **parameters})

    return read


def _window(axes: Sequence[int], sizes: Callable[[Any, int], tuple[int, ...]], size: Any, footprint: Any, origin: Any) -> dict[str, Any]:
    """Read which pixels about each are looked at."""
    if footprint is None and size is None:
        raise RuntimeError("neither size nor footprint is given; give one of them")
    taken = np.ones(sizes(size, len(axes)), bool) if footprint is None else np.asarray(footprint, bool)
    if taken.ndim != len(axes) or not taken.size:
        raise RuntimeError(f"the footprint is of shape {taken.shape}; give pixels, and {len(axes)} axes, as many as are filtered")
    if not taken.any():
        raise ValueError("no pixel of the footprint is true; give one that has a true one")
    return {"footprint": taken, "origin": _origins(origin, taken.shape), "axes": axes}


def extreme(
    reader: Reader, image: Any, dtype: Any = None, *, size: Any = None, footprint: Any = None, mode: Any, cval: Any, origin: Any,
    axes: Any = None,
) -> Call:  # fmt: skip
    """Read ``minimum_filter`` and ``maximum_filter``, where boxes may have a border for each axis."""
    value = _image(reader, image, size, footprint, mode, cval, origin, axes)
    chosen = _axes(axes, value.ndim)
    if footprint is not None and not np.all(footprint):
        chosen, origin = _ascending(chosen, value.ndim, origin)
    found = _window(chosen, _widths, size, footprint, origin)
    modes = _modes(mode, len(found["axes"])) if found["footprint"].all() else _mode(mode)
    return Call((value,), {"dtype": dtype, **found, "mode": modes, "cval": cval})


def rank(
    reader: Reader, image: Any, dtype: Any = None, *, size: Any = None, footprint: Any = None, mode: Any, cval: Any, origin: Any,
    axes: Any = None, **which: Any,
) -> Call:  # fmt: skip
    """Read ``rank_filter``, ``percentile_filter`` and ``median_filter``; extremes of boxes may have a border for each axis."""
    value = _image(reader, image, size, footprint, mode, cval, origin, axes, *which.values())
    given = _axes(axes, value.ndim)
    chosen, origin = _ascending(given, value.ndim, origin)
    found = _window(chosen, _lengths, size, footprint, origin)
    count = int(np.count_nonzero(found["footprint"]))
    number = rank_of(count, **which)
    if "rank" in which:
        which["rank"] = number
    is_box = found["footprint"].all() and number in (0, count - 1)
    modes = [_modes(mode, len(given))[given.index(axis)] for axis in chosen] if is_box else _mode(mode)
    return Call((value,), {"dtype": dtype, **which, **found, "mode": modes, "cval": cval})


def _lengths(size: Any, count: int) -> tuple[int, ...]:
    return tuple(map(operator.index, _each(size, count)))


def rank_of(count: int, rank: Any = None, percentile: Any = None) -> int:
    """Find a rank of so many pixels, from 0 on: one of its number, of a percentile, or in the middle."""
    if percentile is not None:
        share = percentile + (100.0 if percentile < 0 else 0.0)
        if not 0 <= share <= 100:
            raise RuntimeError(f"percentile is {percentile}; it is from -100 to 100")
        return count - 1 if share == 100 else int(float(count) * share / 100.0)
    found = count // 2 if rank is None else operator.index(rank)
    found += count if found < 0 else 0
    if not 0 <= found < count:
        raise RuntimeError(f"rank is {rank}; it is from {-count} to {count - 1} in windows of {count} pixels")
    return found
