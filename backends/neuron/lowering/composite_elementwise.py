"""Elementwise functions of real numbers made of others, step by step as NumPy's loops: angles, steps, integer and fractional parts."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...dtypes import FLOAT32, FLOAT64
from ...rules import UfuncLoop
from ..graph.build import cast
from ..graph.graph import Node
from . import Builder, Lowerings
from .elementwise import composed, float_dtype
from .float_nodes import choose, full, number, real, test
from .operands import operand

__all__ = ["of_real_floats"]

Function = Callable[..., tuple[Any, ...]]
"""Of nodes of float32, or of words of float64."""
# NumPy's factors are quotients of numbers of the dtype.
_PI: Final = np.float32(np.pi)
_TO_DEGREES: Final = float(np.float32(180.0) / _PI), 180.0 / math.pi
_TO_RADIANS: Final = float(_PI / np.float32(180.0)), math.pi / 180.0


def _times(factor: float, wide: float) -> Function:
    return lambda x: (real("multiply", x, number(wide if isinstance(x, tuple) else factor)),)


def _step(x: Any, at_zero: Any) -> tuple[Any, ...]:
    step = choose(test("greater", x, number(0.0)), full(1.0, x), full(0.0, x))
    step = choose(test("equal", x, number(0.0)), at_zero, step)
    return (choose(test("isnan", x), x, step),)


def _parts(x: Any) -> tuple[Any, ...]:
    """Take the fractional part, of x's sign, and the integral one."""
    whole = real("trunc", x)
    fraction = choose(test("isinf", x), number(0.0), real("subtract", x, whole))
    return real("copysign", fraction, x), whole


def of_real_floats(function: Function) -> Callable[..., Any]:
    """Lower a universal function of real floats by one of nodes of float32, or of words of float64."""

    def planes(builder: Builder, operands: tuple[Any, ...], loop: UfuncLoop, shape: tuple[int, ...]) -> list[tuple[Node, ...]]:
        if loop.ins[0] == FLOAT64:
            found: list[tuple[Node, ...]] = [*function(*(operand(builder, item, FLOAT64, shape) for item in operands))]
            return found
        need = float_dtype(loop)
        results = function(*(cast(operand(builder, item, need, shape)[0], FLOAT32) for item in operands))
        return [(cast(node, item),) for node, item in zip(results, loop.outs, strict=True)]

    return composed(planes)


LOWERINGS: Final[Lowerings] = {
    "degrees": of_real_floats(_times(*_TO_DEGREES)),
    "rad2deg": of_real_floats(_times(*_TO_DEGREES)),
    "radians": of_real_floats(_times(*_TO_RADIANS)),
    "deg2rad": of_real_floats(_times(*_TO_RADIANS)),
    "heaviside": of_real_floats(_step),
    "modf": of_real_floats(_parts),
}
