"""Powers: of integers, and those whose exponent is a number that makes them another function, or a few products."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...dtypes import BOOL, COMPLEX128
from ...rules import UfuncLoop, broadcast_shapes
from ..graph.build import broadcast, check, fill, reduce, reshape
from ..graph.graph import Node
from ..graph.primitives import Elementwise
from ..value import Value
from . import Builder, Lowerings, NotNativeError
from .elementwise import lowered
from .float_nodes import test
from .op_calls import call
from .operands import computes, operand
from .wide_integers import WIDE_INTEGERS, is_negative

__all__: list[str] = []

_FUNCTIONS: Final[Mapping[float, str]] = {1: "positive", 2: "square", -1: "reciprocal"}
_OF_COMPLEX: Final[Mapping[float, str]] = {**_FUNCTIONS, 0.5: "sqrt"}
"""By exponent; the root of a negative zero or infinity is not its power, but among complex numbers."""
_MOST: Final[Mapping[str, int]] = {"i": 64, "u": 64, "c": 4}
"""The largest exponent that is written as products, by the kind of the base; of complex64 products are exact enough to 4."""
_NUMPYS: Final = 99
"""The same of complex128, as in NumPy's loop."""

_NEGATIVE: Final = "an exponent is negative, and there are no negative integer powers of integers; convert one of them to floats"


def _function(base: Any, exponent: Any) -> str | None:
    """Name the function of one operand that a power is."""
    if not isinstance(base, Value) or base.dtype == BOOL:
        return None
    if base.dtype.kind in "iu" and (type(exponent) is float or exponent < 0):  # of another dtype, or refused
        return None
    return (_OF_COMPLEX if base.dtype.kind == "c" else _FUNCTIONS).get(exponent)


def _is_product(base: Any, exponent: Any) -> bool:
    """Tell whether a power is a product of one factor, integer or complex."""
    if not isinstance(base, Value) or (type(exponent) is float and base.dtype.kind != "c"):
        return False
    if base.dtype == COMPLEX128:
        return abs(exponent) in range(2, _NUMPYS + 1)
    return exponent in range(2, _MOST.get(base.dtype.kind, 0) + 1)


def _product(builder: Builder, factor: Value, exponent: int) -> Value:
    """Square and multiply, modulo the range at every step."""
    result: Value | None = None
    while True:
        if exponent & 1:
            result = factor if result is None else call(builder, "multiply", result, factor)
        exponent >>= 1
        if not exponent:
            assert result is not None
            return result
        factor = call(builder, "square", factor)


def _integers(builder: Builder, base: Any, exponent: Any, loop: UfuncLoop) -> Value:
    """Take powers of integers, modulo the range, of which no exponent may be negative."""
    (need, *_), (result,) = loop.ins, loop.outs
    wide = need in WIDE_INTEGERS
    if not wide and not computes(need):
        raise NotNativeError(f"it has no kernel for {need} yet")
    shape = broadcast_shapes(*(getattr(item, "shape", ()) for item in (base, exponent)))
    exponents = operand(builder, exponent, need, getattr(exponent, "shape", ()))
    not_negative = None
    if need.kind == "i" and not isinstance(exponent, Value):
        if exponent < 0 and 0 not in shape:
            raise ValueError(_NEGATIVE)
    elif need.kind == "i" and exponents[0].size:
        holds = test("logical_not", is_negative(exponents)) if wide else test("greater_equal", exponents[0], fill(0, (), need))
        holds = reduce("logical_and", reshape(holds, (holds.size,)), [0], holds.dtype) if holds.shape else holds
        not_negative = check(holds, ValueError, _NEGATIVE)
    inputs = tuple([broadcast(node, shape) for node in (*operand(builder, base, need, shape), *exponents)])
    names = [f"wide.power.{part}" for part in ("high", "low")] if wide else ["integer_power"]
    return builder.result(tuple([Node(Elementwise(name), inputs, not_negative) for name in names]), result)


_GENERAL: Final = lowered("power")


def _power(builder: Builder, base: Any, exponent: Any, *, loop: UfuncLoop) -> Value:
    if type(exponent) in (int, float) and loop.outs[0] == getattr(base, "dtype", None):
        name = _function(base, exponent)
        if name is not None:
            return call(builder, name, base)
        if _is_product(base, exponent):
            product = _product(builder, base, abs(int(exponent)))
            return product if exponent > 0 else call(builder, "divide", 1.0, product)
    if loop.ins[0].kind in "iu":
        return _integers(builder, base, exponent, loop)
    return _GENERAL(builder, base, exponent, loop=loop)


LOWERINGS: Final[Lowerings] = {"power": _power}
