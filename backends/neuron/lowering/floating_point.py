"""Floats taken apart and put together: frexp and ldexp."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...dtypes import FLOAT32, is_low_precision
from ...op import Op, get_op
from ...ops import elementwise as _ops  # noqa: F401  # registers them
from ...rules import Elementwise, Loop, broadcast_shapes
from ..build import cast, elementwise
from . import NotNativeError
from .elementwise import delivered
from .operands import computes, operand, take

if TYPE_CHECKING:
    from ..engine import NeuronEngine

__all__: list[str] = []

_INT32 = np.dtype(np.int32)


def _loop(engine: NeuronEngine, op: Op, taken: list[Any], parameters: dict[str, Any]) -> Loop:
    assert isinstance(op.rule, Elementwise)
    loop = op.rule.loop(engine.promotion, *taken, dtype=parameters.pop("dtype", None))
    if parameters or len(taken) != op.rule.operands:
        raise NotNativeError("it has parameters that are looked after on the host")
    need = loop.exact if is_low_precision(loop.exact) else loop.ins[0]
    if not computes(need) or (need != FLOAT32 and not is_low_precision(need)):
        raise NotNativeError(f"it has no kernel for {need}")
    return loop


def _frexp(
    engine: NeuronEngine, *operands: Any, out: Any = None, where: Any = True, casting: str = "same_kind", **parameters: Any
) -> Any:
    taken = [take(engine, item) for item in operands]
    loop = _loop(engine, get_op("frexp"), taken, parameters)
    need = loop.exact if is_low_precision(loop.exact) else FLOAT32
    shape = getattr(taken[0], "shape", ())
    (x,) = operand(engine, taken[0], need, shape)
    fraction, exponent = (elementwise(name, x, dtype=dtype) for name, dtype in (("frexp.fraction", need), ("frexp.exponent", _INT32)))
    planes = [(cast(fraction, loop.outs[0]),), (cast(exponent, loop.outs[1]),)]
    return delivered(engine, planes, loop.outs, shape, out, where, casting)


def _ldexp(
    engine: NeuronEngine, *operands: Any, out: Any = None, where: Any = True, casting: str = "same_kind", **parameters: Any
) -> Any:
    """Take exponents through float32, which holds all that do not overflow anyway."""
    taken = [take(engine, item) for item in operands]
    loop = _loop(engine, get_op("ldexp"), taken, parameters)
    if not computes(loop.ins[1]):
        raise NotNativeError(f"it has no kernel for exponents of {loop.ins[1]}")
    need = loop.exact if is_low_precision(loop.exact) else FLOAT32
    shape = broadcast_shapes(*(getattr(item, "shape", ()) for item in taken))
    x, exponent = (cast(operand(engine, item, dtype, shape)[0], FLOAT32) for item, dtype in zip(taken, (need, loop.ins[1]), strict=True))
    planes = (cast(elementwise("ldexp", x, exponent, dtype=FLOAT32), loop.outs[0]),)
    return delivered(engine, [planes], loop.outs, shape, out, where, casting)


def _register() -> None:
    get_op("frexp").implement("neuron", _frexp)
    get_op("ldexp").implement("neuron", _ldexp)


_register()
