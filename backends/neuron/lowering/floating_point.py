"""Floats taken apart and put together: frexp and ldexp."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...dtypes import FLOAT32, DType
from ...op import Op, get_op
from ...rules import Elementwise, Loop, broadcast_shapes
from ..graph.build import cast, elementwise
from . import Lowerings, NotNativeError
from .elementwise import delivered, float_loop
from .operands import computes, operand, take

if TYPE_CHECKING:
    from ..graph.builder import Builder

__all__: list[str] = []

_INT32 = np.dtype(np.int32)


def _loop(builder: Builder, op: Op, taken: list[Any], casting: str, parameters: dict[str, Any]) -> tuple[Loop, DType]:
    assert isinstance(op.rule, Elementwise)
    return float_loop(builder, op.rule, taken, casting, parameters)


def _frexp(
    builder: Builder, *operands: Any, out: Any = None, where: Any = True, casting: str = "same_kind", **parameters: Any
) -> Any:
    taken = [take(builder, item) for item in operands]
    loop, need = _loop(builder, get_op("frexp"), taken, casting, parameters)
    shape = getattr(taken[0], "shape", ())
    (x,) = operand(builder, taken[0], need, shape)
    fraction, exponent = (elementwise(name, x, dtype=dtype) for name, dtype in (("frexp.fraction", need), ("frexp.exponent", _INT32)))
    planes = [(cast(fraction, loop.outs[0]),), (cast(exponent, loop.outs[1]),)]
    return delivered(builder, planes, loop.outs, shape, out, where, casting)


def _ldexp(
    builder: Builder, *operands: Any, out: Any = None, where: Any = True, casting: str = "same_kind", **parameters: Any
) -> Any:
    """Take exponents through float32, which holds all that do not overflow anyway."""
    taken = [take(builder, item) for item in operands]
    loop, need = _loop(builder, get_op("ldexp"), taken, casting, parameters)
    if not computes(loop.ins[1]):
        raise NotNativeError(f"it has no kernel for exponents of {loop.ins[1]}")
    shape = broadcast_shapes(*(getattr(item, "shape", ()) for item in taken))
    x, exponent = (cast(operand(builder, item, dtype, shape)[0], FLOAT32) for item, dtype in zip(taken, (need, loop.ins[1]), strict=True))
    planes = (cast(elementwise("ldexp", x, exponent, dtype=FLOAT32), loop.outs[0]),)
    return delivered(builder, [planes], loop.outs, shape, out, where, casting)


LOWERINGS: Final[Lowerings] = {"frexp": _frexp, "ldexp": _ldexp}
