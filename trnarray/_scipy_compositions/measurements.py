"""Measurements of labelled images, and filters of their transforms, of scipy.ndimage."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from .operands import arrays, doubles, leave_unless, xp

__all__ = ["COMPOSITIONS"]

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
        values = [value] * x.ndim if type(value) in {int, float} else list(value) if type(value) in {list, tuple} else []
        leave_unless(len(values) == x.ndim and all(type(each) in {int, float} for each in values))
        import scipy.ndimage

        for place, each in enumerate(values):
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
    "fourier_gaussian": _transform("fourier_gaussian", "sigma"),
    "fourier_shift": _transform("fourier_shift", "shift"),
    "fourier_uniform": _transform("fourier_uniform", "size"),
    "maximum": _measured(lambda flat, belongs: _extreme(flat, belongs, True)),
    "mean": _measured(_mean),
    "minimum": _measured(lambda flat, belongs: _extreme(flat, belongs, False)),
    "standard_deviation": _measured(lambda flat, belongs: xp.sqrt(_variance(flat, belongs))),
    "sum": _measured(lambda flat, belongs: _sums(flat, belongs)[0]),
    "sum_labels": _measured(lambda flat, belongs: _sums(flat, belongs)[0]),
    "variance": _measured(_variance),
}
"""Functions of scipy.ndimage."""
