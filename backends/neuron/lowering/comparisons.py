"""Comparisons of integers: with a Python integer beyond their dtype, which is on one side of all of them, and with floats, exactly."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from ...dtypes import BOOL, FLOAT32, INT64, UINT64, DType
from ...rules import UfuncLoop, broadcast_shapes
from ..dtypes import NKI_NAMES
from ..graph.build import broadcast, cast, elementwise, fill
from ..graph.graph import Node
from ..value import Value
from . import Builder, Lowerings
from .elementwise import lowered
from .float_nodes import number, real, test
from .op_calls import call
from .operands import operand
from .wide_conversions import from_float
from .wide_integers import WIDE_INTEGERS

__all__: list[str] = []

_BYTE: Final = np.dtype(np.uint8)
_WORD_BYTES: Final = 4
_MIXED: Final = frozenset({("integers", "floats"), ("integers", "number"), ("floats", "integers"), ("number", "integers")})
_MIRRORED: Final = {
    "equal": "equal", "not_equal": "not_equal", "less": "greater", "less_equal": "greater_equal", "greater": "less",
    "greater_equal": "less_equal",
}  # fmt: skip
_COMPARISONS: Final[Mapping[str, Callable[[float, float], bool]]] = {
    "equal": operator.eq,
    "not_equal": operator.ne,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
}


def _lowered(name: str, compare: Callable[[float, float], bool]) -> Callable[..., Any]:
    general = lowered(name)

    def run(builder: Builder, first: Any, second: Any, *, loop: UfuncLoop) -> Value:
        if (_sort(first), _sort(second)) in _MIXED:
            return _of_mixed(builder, name, first, second)
        try:
            return general(builder, first, second, loop=loop)
        except OverflowError:
            return _beyond(builder, compare, first, second, loop)

    return run


def _sort(item: Any) -> str:
    """Name what is compared: integers, floats, or a float of the host."""
    if isinstance(item, Value):
        if item.dtype in (INT64, UINT64) or (item.dtype in NKI_NAMES and item.dtype.kind in "iu"):
            return "integers"
        return "floats" if item.dtype in NKI_NAMES else ""
    return "number" if isinstance(item, (float, np.float32, np.float16)) else ""


def _of_mixed(builder: Builder, name: str, first: Any, second: Any) -> Value:
    """Compare integers with floats as numbers: the common dtype would round the integers."""
    if _sort(first) != "integers":
        return _of_mixed(builder, _MIRRORED[name], second, first)
    if _sort(second) == "number":
        return _with_number(builder, name, first, float(second))
    shape = broadcast_shapes(first.shape, second.shape)
    (floats,) = operand(builder, second, second.dtype, shape)
    compare = _of_words if first.dtype in (INT64, UINT64) else _of_halves
    truth = compare(name, operand(builder, first, first.dtype, shape), first.dtype, cast(floats, FLOAT32))
    return builder.result((broadcast(truth, shape),), BOOL)


def _with_number(builder: Builder, name: str, integers: Value, other: float) -> Value:
    """Compare with the integer next to a number of the host: n < 2.5 is n < 3."""
    if math.isfinite(other) and (name not in ("equal", "not_equal") or other == math.floor(other)):
        whole = math.ceil(other) if name in ("less", "greater_equal") else math.floor(other)
        return call(builder, name, integers, whole)
    truth = _COMPARISONS[name](0, other if not math.isfinite(other) else math.nan)  # all integers compare alike
    return builder.result((fill(int(truth), integers.shape, _BYTE),), BOOL)


def _of_halves(name: str, planes: tuple[Node, ...], dtype: DType, floats: Node) -> Node:
    """
    Compare integers of up to 32 bits: the float next to one first, and what it differs from that where the floats are equal.

    With 16-bit halves a and b, b - (float(n) - 65536 a) is exact, and its sign is that of n - float(n).
    """
    (plane,) = planes
    nearest = cast(plane, FLOAT32)
    strict = name.removesuffix("_equal")
    if dtype.itemsize < _WORD_BYTES:
        return test(name, nearest, floats)
    high = cast(elementwise("right_shift", plane, fill(16, (), dtype), dtype=dtype), FLOAT32)
    low = cast(elementwise("bitwise_and", plane, fill(0xFFFF, (), dtype), dtype=dtype), FLOAT32)
    rest = real("subtract", low, real("subtract", nearest, real("multiply", high, number(65536.0))))
    if name in ("equal", "not_equal"):
        same = test("logical_and", test("equal", nearest, floats), test("equal", rest, number(0.0)))
        return same if name == "equal" else test("logical_not", same)
    beside = test("logical_and", test("equal", nearest, floats), test(name, rest, number(0.0)))
    return test("logical_or", test(strict, nearest, floats), beside)


def _of_words(name: str, planes: tuple[Node, ...], dtype: DType, floats: Node) -> Node:
    """Compare 64-bit integers with the integers of floats, and fractions where those are equal."""
    signed = dtype == INT64
    whole = from_float(floats, signed)
    fraction = real("subtract", floats, real("trunc", floats))
    over = test("greater_equal", floats, number(2.0**63 if signed else 2.0**64))
    under = test("less", floats, number(-(2.0**63))) if signed else test("less_equal", floats, number(-1.0))
    words = WIDE_INTEGERS[dtype]
    inside = test("logical_and", test("equal", floats, floats), test("logical_not", test("logical_or", over, under)))
    (same,) = words["equal"](planes, whole)
    if name in ("equal", "not_equal"):
        same = test("logical_and", inside, test("logical_and", same, test("equal", fraction, number(0.0))))
        return same if name == "equal" else test("logical_not", same)
    (apart,) = words[name.removesuffix("_equal")](planes, whole)
    near = test("logical_or", apart, test("logical_and", same, test(name, number(0.0), fraction)))
    return test("logical_or", over if name.startswith("less") else under, test("logical_and", inside, near))


def _beyond(builder: Builder, compare: Callable[[float, float], bool], first: Any, second: Any, loop: UfuncLoop) -> Value:
    """Compare with a number that no element can be: they all compare as the least one does."""
    least = int(np.iinfo(loop.ins[0]).min)
    truth = compare(*(item if type(item) is int else least for item in (first, second)))
    shape = broadcast_shapes(*(getattr(item, "shape", ()) for item in (first, second)))
    return builder.result((fill(int(truth), shape, _BYTE),), BOOL)


LOWERINGS: Final[Lowerings] = {name: _lowered(name, compare) for name, compare in _COMPARISONS.items()}
