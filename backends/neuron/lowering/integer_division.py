"""Quotients and remainders of 8- and 16-bit integers, through float32.

float32 holds both operands, and the rounded quotient of integers below 2**24 is on the same side of every integer as the exact one: that
differs from an integer by at least 1 / divisor, which is more than half a unit in the quotient's last place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...dtypes import FLOAT32, DType
from ...op import get_op
from ...ops import elementwise as _ops  # noqa: F401  # registers them
from ...rules import Elementwise, broadcast_shapes
from ..build import cast, elementwise, fill
from ..graph import Node
from . import NotNativeError
from .elementwise import delivered
from .operands import operand, take

if TYPE_CHECKING:
    from ..engine import NeuronEngine

__all__: list[str] = []

_INT32 = np.dtype(np.int32)


def _quotient(x: Node, y: Node, rounding: str) -> tuple[Node, Node]:
    """Divide, and give the remainder too; both are 0 where the divisor is 0, as NumPy's are."""
    zero = fill(0.0, (), FLOAT32)
    nothing = elementwise("equal", y, zero, dtype=np.dtype(np.bool))
    quotient = elementwise(rounding, elementwise("divide", x, y, dtype=FLOAT32), dtype=FLOAT32)
    quotient = elementwise("where", nothing, zero, quotient, dtype=FLOAT32)
    remainder = elementwise("subtract", x, elementwise("multiply", quotient, y, dtype=FLOAT32), dtype=FLOAT32)
    return quotient, elementwise("where", nothing, zero, remainder, dtype=FLOAT32)


def _divided(rule: Elementwise, rounding: str, places: tuple[int, ...]) -> Callable[..., Any]:
    def run(engine: NeuronEngine, *operands: Any, out: Any = None, where: Any = True, casting: str = "same_kind", **parameters: Any) -> Any:
        dtype = parameters.pop("dtype", None)
        if parameters or len(operands) != 2 or (len(places) > 1 and (out is not None or where is not True)):  # x and y
            raise NotNativeError("it has parameters that are looked after on the host")
        taken = [take(engine, item) for item in operands]
        loop = rule.loop(engine.promotion, *taken, dtype=dtype)
        if any(item.kind not in "iu" or item.itemsize > 2 for item in loop.ins):  # bytes
            raise NotNativeError(f"it has no kernel for {loop.ins[0]} yet")
        shape = broadcast_shapes(*(getattr(item, "shape", ()) for item in taken))
        x, y = (cast(operand(engine, item, need, shape)[0], FLOAT32) for item, need in zip(taken, loop.ins, strict=True))
        both = _quotient(x, y, rounding)
        results = [(_narrowed(both[place], item),) for place, item in zip(places, loop.outs, strict=True)]
        return delivered(engine, results, loop.outs, shape, out, where, casting)

    return run


def _narrowed(node: Node, dtype: DType) -> Node:
    """Convert by way of int32, so that the one quotient that is too large wraps."""
    return cast(cast(node, _INT32), dtype)


def _register() -> None:
    table: dict[str, tuple[str, tuple[int, ...]]] = {
        "floor_divide": ("floor", (0,)),
        "standard.floor_divide": ("floor", (0,)),
        "remainder": ("floor", (1,)),
        "fmod": ("trunc", (1,)),
        "divmod": ("floor", (0, 1)),
    }
    for name, (rounding, places) in table.items():
        op = get_op(name)
        assert isinstance(op.rule, Elementwise)
        op.implement("neuron", _divided(op.rule, rounding, places))


_register()
