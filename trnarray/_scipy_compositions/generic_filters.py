"""Filters of scipy.ndimage that are made of a function of the user's, which computes where the image is."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from .morphology import PADDINGS
from .operands import arrays, is_one, leave_unless, per_axis, xp

__all__ = ["COMPOSITIONS"]

_MOST: Final = 1 << 26
"""Elements of all windows of an image."""


def _derived(square: bool) -> Callable[..., Any]:
    """Add derivatives along all axes, or find the length of the gradient; the first is written to an Array, as SciPy has it written."""

    def filtered(
        input: Any, derivative: Any, output: Any = None, mode: Any = "reflect", cval: Any = 0.0, extra_arguments: Any = (),
        extra_keywords: Any = None, *, axes: Any = None,
    ) -> Any:  # fmt: skip
        leave_unless(callable(derivative) and output is None and axes is None and type(mode) is str)
        (x,) = arrays(input)
        leave_unless(x.dtype.kind == "f" and x.ndim > 0)
        keywords = extra_keywords or {}
        total = xp.zeros_like(x)
        derivative(x, 0, total, mode, cval, *extra_arguments, **keywords)
        total = total * total if square else total
        for axis in range(1, x.ndim):
            each = derivative(x, axis, x.dtype, mode, cval, *extra_arguments, **keywords)
            total = total + (each * each if square else each)
        return xp.sqrt(total) if square else total

    return filtered


def _laplace(
    input: Any, derivative2: Any, output: Any = None, mode: Any = "reflect", cval: Any = 0.0, extra_arguments: Any = (),
    extra_keywords: Any = None, *, axes: Any = None,
) -> Any:  # fmt: skip
    return _derived(False)(input, derivative2, output, mode, cval, extra_arguments, extra_keywords, axes=axes)


def _vectorized_filter(
    input: Any, function: Any, *, size: Any = None, footprint: Any = None, output: Any = None, mode: str = "reflect", cval: Any = None,
    origin: Any = None, axes: Any = None, batch_memory: Any = None,  # noqa: ARG001
) -> Any:  # fmt: skip
    """Give the function all windows at once, along new last axes."""
    leave_unless(callable(function) and footprint is None and output is None and axes is None and is_one(mode, *PADDINGS))
    leave_unless(cval is None or type(cval) in {int, float})
    (x,) = arrays(input)
    leave_unless(x.ndim > 0 and x.size > 0 and x.dtype.kind == "f")
    sizes = per_axis(size, x.ndim)
    origins = per_axis(0 if origin is None else origin, x.ndim)
    leave_unless(all(type(each) is int and each > 0 for each in sizes))
    before = [each // 2 + shift for each, shift in zip(sizes, origins, strict=True)]
    leave_unless(all(0 <= start < each for start, each in zip(before, sizes, strict=True)))
    kind = PADDINGS[mode]
    options = {"constant_values": 0.0 if cval is None else cval} if kind == "constant" else {}
    padded = xp.pad(x, [(start, each - 1 - start) for start, each in zip(before, sizes, strict=True)], mode=kind, **options)
    leave_unless(x.size * math.prod(sizes) <= _MOST)
    windows = xp.lib.stride_tricks.sliding_window_view(padded, tuple(sizes))
    return function(windows, axis=tuple(range(-x.ndim, 0)))


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "generic_gradient_magnitude": _derived(True),
    "generic_laplace": _laplace,
    "vectorized_filter": _vectorized_filter,
}
"""Functions of scipy.ndimage."""
