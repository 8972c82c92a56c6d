"""Calls of the main namespace, products and transforms, on operands of many shapes and layouts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

import trnarray as xp

__all__ = ["CALLS", "LAYOUTS", "Layout", "operands"]

Function = Callable[..., Any]


class Layout(NamedTuple):
    """
    How an operand lies in memory.

    Attributes
    ----------
    shape : tuple of int
        Of what is made.
    view : callable
        What of it is the operand.
    """

    shape: tuple[int, ...]
    view: Callable[[Any], Any] = lambda x: x


LAYOUTS: Final[Mapping[str, Layout]] = {
    "one": Layout((1,)),
    "tiny": Layout((7,)),
    "vector": Layout((1 << 20,)),
    "prime": Layout((1009, 1013)),
    "tall": Layout((1 << 17, 8)),
    "flat": Layout((8, 1 << 17)),
    "square": Layout((1024, 1024)),
    "many axes": Layout((16, 16, 16, 16)),
    "strided": Layout((1 << 21,), lambda x: x[::2]),
    "strided columns": Layout((1024, 2048), lambda x: x[:, ::2]),
    "transposed": Layout((1024, 1024), lambda x: x.T),
    "permuted": Layout((12, 20, 12, 20), lambda x: x.transpose(0, 3, 2, 1)),
    "broadcast": Layout((1, 1024), lambda x: xp.broadcast_to(x, (1024, 1024))),
    "large": Layout((1 << 24,)),
}
"""Of operands, by name."""

_UNARY: Final = """
    abs acos acosh asin asinh atan atanh ceil cos cosh exp expm1 floor isfinite isinf isnan log log1p log2 log10 logical_not negative
    positive reciprocal round sign signbit sin sinh sqrt square tan tanh trunc cbrt exp2 fabs rint deg2rad rad2deg nan_to_num sinc copy
    ravel spacing
"""
_BINARY: Final = """
    add subtract multiply divide maximum minimum equal less greater logical_and logical_or pow atan2 hypot copysign nextafter remainder
    floor_divide fmax fmin fmod heaviside logaddexp arctan2 where_binary isclose
"""
_REDUCING: Final = "sum prod max min mean var std any all argmax argmin count_nonzero nansum nanmax ptp median"
_ALONG: Final = "cumsum cumprod sort argsort flip diff roll1 repeat2 unstack0"


def _named(name: str) -> Function:
    functions: dict[str, Function] = {
        "where_binary": lambda x, y: xp.where(x > 0, x, y),
        "roll1": lambda x, axis: xp.roll(x, 1, axis=axis),
        "repeat2": lambda x, axis: xp.repeat(x, 2, axis=axis),
        "unstack0": lambda x, axis: xp.take(x, xp.arange(2, device=x.device), axis=axis) if x.shape[axis] > 1 else x,
    }
    function: Function = functions.get(name) or getattr(xp, name)
    return function


def _reducing(name: str, axis: int | None) -> Function:
    function = _named(name)
    return lambda x: function(x, axis=axis)


def _of_matrices(function: Function) -> Function:
    """Refuse operands that are no matrices of moderate extents."""

    def run(x: Any, *others: Any) -> Any:
        if x.ndim != 2 or min(x.shape) < 8 or x.size > 1 << 21:
            raise ValueError("a matrix is wanted")
        return function(x, *others)

    return run


def _calls() -> Iterator[tuple[str, tuple[int, Function]]]:
    for name in _UNARY.split():
        yield name, (1, _named(name))
    for name in _BINARY.split():
        yield name, (2, _named(name))
    for name in _REDUCING.split():
        for axis in (None, 0, -1):
            yield f"{name}, axis {axis}", (1, _reducing(name, axis))
    for name in _ALONG.split():
        for axis in (0, -1):
            yield f"{name}, axis {axis}", (1, _reducing(name, axis))
    yield "softmax", (1, lambda x: (e := xp.exp(x - xp.max(x, axis=-1, keepdims=True))) * (1 / xp.sum(e, axis=-1, keepdims=True)))
    yield "deviation", (1, lambda x: x - xp.mean(x, axis=-1, keepdims=True))
    yield "reversed axes", (1, lambda x: xp.copy(x.transpose()))
    yield "concatenate", (2, lambda x, y: xp.concatenate([x, y]))
    yield "stack", (2, lambda x, y: xp.stack([x, y], axis=-1))
    yield "reshape", (1, lambda x: xp.reshape(x, (-1,)))
    yield "tile", (1, lambda x: xp.tile(x, 2))
    yield "neighbours", (1, lambda x: x[..., 1:] - x[..., :-1])
    yield "x.T @ x", (1, _of_matrices(lambda x: x.T @ x if x.shape[1] <= 1024 else x.T @ x[:, :8]))
    yield "x @ x.T", (1, _of_matrices(lambda x: x @ x.T if x.shape[0] <= 1024 else x @ x[:8].T))
    yield "x @ v", (1, _of_matrices(lambda x: x @ x[0]))
    yield "vdot", (2, xp.vdot)
    yield "outer", (1, lambda x: xp.outer(x.reshape(-1)[:1024], x.reshape(-1)[:1024]))
    yield "vecdot", (2, xp.vecdot)
    yield "tensordot", (2, lambda x, y: xp.tensordot(x, y, axes=x.ndim))
    for name in ("fft", "ifft", "rfft"):
        yield f"fft.{name}", (1, getattr(xp.fft, name))


CALLS: Final[Mapping[str, tuple[int, Function]]] = dict(_calls())
"""By name, how many operands a call has, and the call."""


def operands(layout: Layout, count: int, device: Any) -> list[Any]:
    """Make operands of zeros."""
    return [layout.view(xp.asarray(np.zeros(layout.shape, np.float32), device=device)) for _ in range(count)]
