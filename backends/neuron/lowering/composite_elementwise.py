"""Elementwise functions of real numbers made of others, step by step as NumPy's loops: angles, steps, integer and fractional parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...dtypes import BOOL, FLOAT32
from ...rules import UfuncLoop
from ..graph.build import cast, elementwise, fill
from ..graph.graph import Node
from . import Lowerings
from .elementwise import composed, float_dtype
from .operands import operand

if TYPE_CHECKING:
    from ..graph.builder import Builder

__all__: list[str] = []

# NumPy's factors are quotients of float32 numbers.
_PI: Final = np.float32(np.pi)
_TO_DEGREES: Final = float(np.float32(180.0) / _PI)
_TO_RADIANS: Final = float(_PI / np.float32(180.0))


def _real(name: str, *nodes: Node) -> Node:
    return elementwise(name, *nodes, dtype=FLOAT32)


def _number(value: float) -> Node:
    return fill(value, (), FLOAT32)


def _times(factor: float) -> Callable[[Node], tuple[Node, ...]]:
    return lambda x: (_real("multiply", x, _number(factor)),)


def _step(x: Node, at_zero: Node) -> tuple[Node, ...]:
    positive = elementwise("greater", x, _number(0.0), dtype=BOOL)
    zero = elementwise("equal", x, _number(0.0), dtype=BOOL)
    step = _real("where", zero, at_zero, cast(positive, FLOAT32))
    return (_real("where", elementwise("isnan", x, dtype=BOOL), x, step),)


def _parts(x: Node) -> tuple[Node, ...]:
    """Take the fractional part, of x's sign, and the integral one."""
    whole = _real("trunc", x)
    infinite = elementwise("isinf", x, dtype=BOOL)
    fraction = _real("where", infinite, _number(0.0), _real("subtract", x, whole))
    return _real("copysign", fraction, x), whole


def _lowered(function: Callable[..., tuple[Node, ...]]) -> Callable[..., Any]:
    def planes(builder: Builder, operands: tuple[Any, ...], loop: UfuncLoop, shape: tuple[int, ...]) -> list[tuple[Node, ...]]:
        need = float_dtype(loop)
        results = function(*(cast(operand(builder, item, need, shape)[0], FLOAT32) for item in operands))
        return [(cast(node, item),) for node, item in zip(results, loop.outs, strict=True)]

    return composed(planes)


LOWERINGS: Final[Lowerings] = {
    "degrees": _lowered(_times(_TO_DEGREES)),
    "rad2deg": _lowered(_times(_TO_DEGREES)),
    "radians": _lowered(_times(_TO_RADIANS)),
    "deg2rad": _lowered(_times(_TO_RADIANS)),
    "heaviside": _lowered(_step),
    "modf": _lowered(_parts),
}
