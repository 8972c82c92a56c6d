"""Fraction and exponent of floats: frexp and ldexp."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...dtypes import FLOAT32, FLOAT64, UINT32
from ...rules import UfuncLoop
from ..graph.build import cast, elementwise
from ..graph.graph import Node
from . import Builder, Lowerings, NotNativeError
from .binary64 import binary64, check_setting
from .elementwise import composed, float_dtype
from .operands import computes, operand

__all__: list[str] = []

_INT32 = np.dtype(np.int32)


def _frexp(builder: Builder, operands: tuple[Any, ...], loop: UfuncLoop, shape: tuple[int, ...]) -> list[tuple[Node, ...]]:
    if loop.ins[0] == FLOAT64:
        check_setting()
        high, low, power = binary64("frexp", *operand(builder, operands[0], FLOAT64, shape))
        return [(high, low), (cast(power, loop.outs[1]),)]
    need = float_dtype(loop)
    (x,) = operand(builder, operands[0], need, shape)
    fraction, exponent = (elementwise(name, x, dtype=dtype) for name, dtype in (("frexp.fraction", need), ("frexp.exponent", _INT32)))
    return [(cast(fraction, loop.outs[0]),), (cast(exponent, loop.outs[1]),)]


def _ldexp(builder: Builder, operands: tuple[Any, ...], loop: UfuncLoop, shape: tuple[int, ...]) -> list[tuple[Node, ...]]:
    """Take exponents through float32, which holds all that do not overflow anyway; of float64 as integers of 32 bits."""
    if not computes(loop.ins[1]):
        raise NotNativeError(f"it has no kernel for exponents of {loop.ins[1]}")
    if loop.ins[0] == FLOAT64:
        check_setting()
        power = cast(cast(operand(builder, operands[1], loop.ins[1], shape)[0], _INT32), UINT32)
        return [binary64("ldexp", *operand(builder, operands[0], FLOAT64, shape), power)]
    dtypes = float_dtype(loop), loop.ins[1]
    x, exponent = (cast(operand(builder, item, dtype, shape)[0], FLOAT32) for item, dtype in zip(operands, dtypes, strict=True))
    return [(cast(elementwise("ldexp", x, exponent, dtype=FLOAT32), loop.outs[0]),)]


LOWERINGS: Final[Lowerings] = {"frexp": composed(_frexp), "ldexp": composed(_ldexp)}
