"""
Morphology of images, of scipy.ndimage.

A binary erosion is a conjunction of views of the image, one for each true element of the structure, a grey one the least of their
differences with it. What is repeated until nothing changes is looked at after a few repetitions: a small fetch.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from .operands import arrays, is_one, leave_unless, per_axis, xp

__all__ = ["COMPOSITIONS", "PADDINGS"]

PADDINGS: Final = {
    "reflect": "symmetric", "grid-mirror": "symmetric", "mirror": "reflect", "nearest": "edge", "wrap": "wrap", "grid-wrap": "wrap",
    "constant": "constant", "grid-constant": "constant",
}  # fmt: skip
"""How `pad` names the ways in which images go on beyond their borders."""
_TOGETHER: Final = 8
"""Repetitions between two looks at what has changed."""
_MOST: Final = 128
"""True elements of a structure."""


def _fetched(window: Any) -> Any:
    """Fetch a structure or a footprint that is an Array, which is a parameter: its elements decide what is computed."""
    return window.tolist() if type(window) is xp.Array else window


def _structure(structure: Any, ndim: int) -> Any:
    if structure is None:
        return np.abs(np.indices((3,) * ndim) - 1).sum(axis=0) <= 1
    structure = _fetched(structure)
    made = np.asarray(structure) if type(structure) in {np.ndarray, list, tuple} else np.zeros(0)
    leave_unless(made.ndim == ndim and 0 < int(np.count_nonzero(made)) <= _MOST)
    return made.astype(bool)


def _views(x: Any, structure: Any, origins: Sequence[int], mode: str, value: Any) -> list[Any]:
    """View an image once for each true element of a structure."""
    before = [size // 2 + origin for size, origin in zip(structure.shape, origins, strict=True)]
    after = [size - 1 - start for size, start in zip(structure.shape, before, strict=True)]
    leave_unless(min(*before, *after, 0) == 0)
    options = {"constant_values": value} if mode == "constant" else {}
    padded = xp.pad(x, list(zip(before, after, strict=True)), mode=mode, **options)
    return [padded[tuple(slice(k, k + n) for k, n in zip(place, x.shape, strict=True))] for place in np.argwhere(structure).tolist()]


def _image(input: Any) -> Any:
    (x,) = arrays(input)
    leave_unless(x.ndim > 0 and x.size > 0 and x.dtype.kind in "biuf")
    return x != 0


def _binary(name: str) -> Callable[..., Any]:
    def filtered(
        input: Any, structure: Any = None, iterations: Any = 1, mask: Any = None, output: Any = None, border_value: Any = 0,
        origin: Any = 0, brute_force: bool = False, *, axes: Any = None,
    ) -> Any:  # fmt: skip
        leave_unless(output is None and axes is None and type(iterations) is int)
        leave_unless(type(border_value) in {int, bool} and brute_force in {False, True})
        x = _image(input)
        element, origins = _structure(structure, x.ndim), per_axis(origin, x.ndim)
        border = bool(border_value)
        if name == "dilation":  # the erosion of what is false, by the structure turned around
            element, border = np.flip(element), not border
            origins = [-o - (size % 2 == 0) for o, size in zip(origins, element.shape, strict=True)]
            x = ~x
        if mask is not None:
            leave_unless(type(mask) is xp.Array and mask.shape == x.shape and mask.dtype.kind in "biuf")
            mask = mask != 0

        def step(image: Any) -> Any:
            found = functools.reduce(xp.logical_and, _views(image, element, origins, "constant", border))
            return found if mask is None else xp.where(mask, found, image)

        changes = iterations < 1
        for _ in range(_TOGETHER if changes else iterations):
            last, x = x, step(x)
        while changes and bool(xp.any(x != last)):
            for _ in range(_TOGETHER):
                last, x = x, step(x)
        return ~x if name == "dilation" else x

    return filtered


def _binary_pair(names: tuple[str, str]) -> Callable[..., Any]:
    """Compose an opening or a closing."""

    def filtered(
        input: Any, structure: Any = None, iterations: Any = 1, output: Any = None, origin: Any = 0, mask: Any = None,
        border_value: Any = 0, brute_force: bool = False, *, axes: Any = None,
    ) -> Any:  # fmt: skip
        leave_unless(output is None)
        found = input
        for name in names:
            found = _binary(name)(found, structure, iterations, mask, None, border_value, origin, brute_force, axes=axes)
        return found

    return filtered


def _fill_holes(input: Any, structure: Any = None, output: Any = None, origin: Any = 0, *, axes: Any = None) -> Any:
    """Let what is outside come in from the border."""
    x = _image(input)
    return ~_binary("dilation")(xp.zeros_like(x), structure, -1, ~x, output, 1, origin, axes=axes)


def _propagation(
    input: Any, structure: Any = None, mask: Any = None, output: Any = None, border_value: Any = 0, origin: Any = 0, *, axes: Any = None
) -> Any:  # fmt: skip
    return _binary("dilation")(input, structure, -1, mask, output, border_value, origin, axes=axes)


def _hit_or_miss(
    input: Any, structure1: Any = None, structure2: Any = None, output: Any = None, origin1: Any = 0, origin2: Any = None, *,
    axes: Any = None,
) -> Any:  # fmt: skip
    """Find where one structure lies on what is true, and another on what is false."""
    leave_unless(output is None and axes is None)
    x = _image(input)
    first = _structure(structure1, x.ndim)
    second = ~first if structure2 is None else np.asarray(_fetched(structure2))
    leave_unless(second.ndim == x.ndim and bool(second.any()))
    hit = _binary("erosion")(x, first.tolist(), origin=origin1)
    return hit & _binary("erosion")(~x, second.tolist(), border_value=1, origin=origin1 if origin2 is None else origin2)


def _turned(item: Any, origins: Sequence[Any], sizes: Sequence[int]) -> tuple[Any, list[Any]]:
    """Turn a window around for a dilation."""
    return None if item is None else np.flip(item), [-o - (size % 2 == 0) for o, size in zip(origins, sizes, strict=True)]


def _grey(*steps: str) -> Callable[..., Any]:
    """Compose a filter of erosions and dilations."""

    def filtered(
        input: Any, size: Any = None, footprint: Any = None, structure: Any = None, output: Any = None, mode: Any = "reflect",
        cval: Any = 0.0, origin: Any = 0, *, axes: Any = None,
    ) -> Any:  # fmt: skip
        leave_unless(output is None and axes is None and is_one(mode, *PADDINGS) and type(cval) in {int, float})
        (x,) = arrays(input)
        leave_unless(x.ndim > 0 and x.size > 0 and x.dtype.kind in "iuf" and (len(steps) == 1 or origin == 0))
        footprint, structure = _fetched(footprint), _fetched(structure)
        leave_unless(all(item is None or type(item) in {np.ndarray, list, tuple} for item in (footprint, structure)))
        heights = None if structure is None else np.asarray(structure, float)
        leave_unless(heights is None or (x.dtype.kind == "f" and heights.ndim == x.ndim and heights.size > 0))
        window = np.asarray(footprint) != 0 if footprint is not None else None if heights is None else np.ones(heights.shape, bool)
        leave_unless(window is None or (window.ndim == x.ndim and 0 < int(np.count_nonzero(window)) <= _MOST))
        leave_unless(heights is None or window is None or heights.shape == window.shape)
        sizes = list(window.shape) if window is not None else per_axis(size, x.ndim)
        origins = per_axis(origin, x.ndim)

        def run(step: str, image: Any) -> Any:
            dilates = step == "dilation"
            seen, shifts = _turned(window, origins, sizes) if dilates else (window, origins)
            if heights is None:
                extreme = xp.scipy.ndimage.maximum_filter if dilates else xp.scipy.ndimage.minimum_filter
                where: Any = {"size": sizes} if seen is None else {"footprint": seen.tolist()}
                return extreme(image, **where, mode=mode, cval=cval, origin=shifts)
            rises = (np.flip(heights) if dilates else -heights)[seen].tolist()
            found: Any = None
            for view, rise in zip(_views(image, seen, shifts, PADDINGS[mode], cval), rises, strict=True):
                each = view + rise
                # A NaN stays that comes first, and others are passed over, as in SciPy's loop.
                found = each if found is None else xp.where(each > found if dilates else each < found, each, found)
            return found

        if steps[0] == "gradient":
            return run("dilation", x) - run("erosion", x)
        if steps[0] == "laplace":
            return run("dilation", x) + run("erosion", x) - x - x
        found = functools.reduce(lambda image, step: run(step, image), [step for step in steps if step not in {"white", "black"}], x)
        return x - found if steps[0] == "white" else found - x if steps[0] == "black" else found

    return filtered


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "binary_closing": _binary_pair(("dilation", "erosion")),
    "binary_dilation": _binary("dilation"),
    "binary_erosion": _binary("erosion"),
    "binary_fill_holes": _fill_holes,
    "binary_hit_or_miss": _hit_or_miss,
    "binary_opening": _binary_pair(("erosion", "dilation")),
    "binary_propagation": _propagation,
    "black_tophat": _grey("black", "dilation", "erosion"),
    "grey_closing": _grey("dilation", "erosion"),
    "grey_dilation": _grey("dilation"),
    "grey_erosion": _grey("erosion"),
    "grey_opening": _grey("erosion", "dilation"),
    "morphological_gradient": _grey("gradient"),
    "morphological_laplace": _grey("laplace"),
    "white_tophat": _grey("white", "erosion", "dilation"),
}
"""Functions of scipy.ndimage."""
