"""Fraction and exponent of floats: frexp and ldexp."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...dtypes import FLOAT32, FLOAT64, UINT32
from ...rules import UfuncLoop
from ..graph.build import cast, elementwise, fill
from ..graph.graph import Node
from . import Builder, Lowerings
from .binary64 import binary64, check_setting
from .elementwise import composed, float_dtype
from .operands import check_dtype, convert, operand

__all__: list[str] = []

_INT32 = np.dtype(np.int32)
_FAR = 4096  # beyond all exponents of float64


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
    """Take exponents through float32, which holds all that do not overflow anyway."""
    check_dtype(loop.ins[1])
    (exponent,) = convert(operand(builder, operands[1], loop.ins[1], shape), loop.ins[1], FLOAT32)
    if loop.ins[0] == FLOAT64:
        check_setting()
        for name, bound in (("minimum", _FAR), ("maximum", -_FAR)):
            exponent = elementwise(name, exponent, fill(bound, (), FLOAT32), dtype=FLOAT32)
        return [binary64("ldexp", *operand(builder, operands[0], FLOAT64, shape), cast(cast(exponent, _INT32), UINT32))]
    x = cast(operand(builder, operands[0], float_dtype(loop), shape)[0], FLOAT32)
    return [(cast(elementwise("ldexp", x, exponent, dtype=FLOAT32), loop.outs[0]),)]


LOWERINGS: Final[Lowerings] = {"frexp": composed(_frexp), "ldexp": composed(_ldexp)}
