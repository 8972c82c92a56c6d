"""Floor division, remainders and common divisors: of integers by kernels of 32 bits, of floats step by step as NumPy makes them of fmod."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...dtypes import FLOAT32, FLOAT64, INT64, UINT64, DType, is_low_precision
from ...rules import UfuncLoop
from ..graph.build import cast, elementwise
from ..graph.graph import Node
from . import Builder, Lowerings, NotNativeError
from .elementwise import composed
from .float_nodes import full, number, real, test
from .operands import computes, operand
from .wide_division import WIDE_DIVISION

__all__: list[str] = []

Function = Callable[[Any, Any], Any]
"""Of nodes, or of words of float64."""
_WORD = np.dtype(np.uint32)


def _both(x: Node, y: Node) -> tuple[Node, Node]:
    """
    Divide, and give the remainder too.

    The numerator less its remainder is nearly a multiple of the divisor, so that the quotient is nearly an integer. A remainder whose sign
    is not the divisor's is the next multiple's.
    """
    zero = number(0.0)
    rest = real("fmod", x, y)
    quotient = real("divide", real("subtract", x, rest), y)
    differ = test("logical_and", test("not_equal", rest, zero), test("logical_xor", test("less", y, zero), test("less", rest, zero)))
    quotient = real("where", differ, real("subtract", quotient, number(1.0)), quotient)
    whole = real("floor", quotient)
    above = test("greater", real("subtract", quotient, whole), number(0.5))
    whole = real("where", above, real("add", whole, number(1.0)), whole)
    plain = real("divide", x, y)
    whole = real("where", test("equal", quotient, zero), _zero(plain), whole)
    nothing = real("where", test("equal", rest, zero), _zero(y), rest)
    return real("where", test("equal", y, zero), plain, whole), real("where", differ, real("add", rest, y), nothing)


def _zero(like: Node) -> Node:
    """Give zeros of a node's signs."""
    return real("copysign", full(0.0, like), like)


def _floor_divide(x: Node, y: Node) -> Node:
    return _both(x, y)[0]


def _remainder(x: Node, y: Node) -> Node:
    return _both(x, y)[1]


def _standard_floor_divide(x: Node, y: Node) -> Node:
    """Give the quotient itself where an operand is infinite."""
    infinite = test("logical_or", test("isinf", x), test("isinf", y))
    return real("where", infinite, real("divide", x, y), _floor_divide(x, y))


def _words(name: str) -> Function:
    def run(x: Node, y: Node) -> Node:
        return elementwise(name, x, y, dtype=x.dtype)

    return run


def _lcm(x: Node, y: Node) -> Node:
    """Multiply a number without the divisors that the other one has, too; magnitudes, modulo their range."""
    x, y = (cast(elementwise("absolute", item, dtype=item.dtype), _WORD) for item in (x, y))
    rest = elementwise("floor_divide", x, elementwise("gcd", x, y, dtype=_WORD), dtype=_WORD)
    return elementwise("multiply", rest, y, dtype=_WORD)


def _lowered(of_integers: tuple[Function, ...], of_floats: tuple[Function, ...], *names: str) -> Callable[..., Any]:
    """Lower a function by those of 32-bit integers, of floats, and of 64-bit integers by names."""

    def planes(builder: Builder, operands: tuple[Any, ...], loop: UfuncLoop, shape: tuple[int, ...]) -> list[tuple[Node, ...]]:
        need = loop.exact if is_low_precision(loop.exact) else loop.ins[0]
        if need in (FLOAT64, INT64, UINT64):
            words = [operand(builder, item, need, shape) for item in operands]
            if need == FLOAT64 and of_floats:
                return [function(*words) for function in of_floats]
            if need != FLOAT64 and names:
                return [WIDE_DIVISION[need][name](*words) for name in names]
        wide = _computed_in(need)
        x, y = (cast(operand(builder, item, need, shape)[0], wide) for item in operands)
        results = [function(x, y) for function in (of_floats if wide == FLOAT32 else of_integers)]
        return [(cast(node, item),) for node, item in zip(results, loop.outs, strict=True)]

    return composed(planes)


def _computed_in(dtype: DType) -> DType:
    if dtype == FLOAT32 or (is_low_precision(dtype) and computes(dtype)):
        return FLOAT32
    if dtype.kind not in "iu" or dtype.itemsize > 4:  # bytes
        raise NotNativeError(f"it has no kernel for {dtype} yet")
    return np.dtype(np.int32 if dtype.kind == "i" else np.uint32)


_QUOTIENT, _REST = _words("floor_divide"), _words("remainder")
LOWERINGS: Final[Lowerings] = {
    "floor_divide": _lowered((_QUOTIENT,), (_floor_divide,), "floor_divide"),
    "standard.floor_divide": _lowered((_QUOTIENT,), (_standard_floor_divide,), "floor_divide"),
    "remainder": _lowered((_REST,), (_remainder,), "remainder"),
    "fmod": _lowered((_words("fmod"),), (functools.partial(real, "fmod"),), "fmod"),
    "divmod": _lowered((_QUOTIENT, _REST), (_floor_divide, _remainder), "floor_divide", "remainder"),
    "gcd": _lowered((_words("gcd"),), (), "gcd"),
    "lcm": _lowered((_lcm,), (), "lcm"),
}
