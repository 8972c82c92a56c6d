"""
Exponentials, logarithms and hypotenuses of float64, of operations that each round as IEEE 754 asks: within one unit in the last place.

The argument is reduced to a small number, whose rounding error is kept, and the series is summed from its end; terms below 2**-34 of the
result are float32. After W. J. Cody, W. Waite, "Software manual for the elementary functions", 1980, and P. T. P. Tang, "Table-driven
implementation of the exponential function in IEEE floating-point arithmetic", ACM Trans. Math. Softw. 15, 1989.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from ...dtypes import BOOL, FLOAT32, UINT32
from ..graph.build import cast, elementwise, fill
from ..graph.graph import Node
from .binary64 import BINARY64, Words, binary64, check_setting
from .float_nodes import choose, full, number, real, test

__all__ = ["FUNCTIONS64", "hypotenuse"]

_LN2_HIGH: Final = float.fromhex("0x1.62e42feep-1")  # 33 bits, so that products with exponents are exact
_LN2_LOW: Final = float.fromhex("0x1.a39ef35793c76p-33")
_SERIES_OF_EXP: Final = tuple(1 / math.factorial(power) for power in range(2, 15))
_SERIES_OF_LOG: Final = tuple(2 / (2 * power + 1) for power in range(1, 12))
_LONG_OF_EXP: Final = 8  # terms in float64
_LONG_OF_LOG: Final = 6


def _single(value: float) -> Node:
    return fill(float(np.float32(value)), (), FLOAT32)


def _series(x: Words, coefficients: Sequence[float], long: int) -> Words:
    """Sum a power series: the first terms in float64, the others in float32."""
    (short, *others) = reversed(coefficients[long:])
    narrow = binary64("to_float32", *x)
    total = _single(short)
    for coefficient in others:
        total = real("add", real("multiply", total, narrow), _single(coefficient))
    found: Words = binary64("from_float32", total)
    for coefficient in reversed(coefficients[:long]):
        found = real("add", real("multiply", found, x), number(coefficient))
    return found


def _exp(x: Words) -> Words:
    """Take 2**k exp(r + rest), with r up to ln(2) / 2."""
    check_setting()
    inside = real("maximum", real("minimum", x, number(710.0)), number(-746.0))
    turns = real("rint", real("multiply", inside, number(1 / math.log(2))))
    high, low = real("subtract", inside, real("multiply", turns, number(_LN2_HIGH))), real("multiply", turns, number(_LN2_LOW))
    r = real("subtract", high, low)
    rest = real("subtract", real("subtract", high, r), low)
    series = real("multiply", real("square", r), _series(r, _SERIES_OF_EXP, _LONG_OF_EXP))
    value = real("add", number(1.0), real("add", r, real("add", rest, series)))
    found: Words = binary64("ldexp", *value, binary64("to_int64", *turns)[1])
    return found


def _log(x: Words) -> Words:
    """
    Take k ln(2) + log(1 + f), with 1 + f from the root of 1/2 to that of 2.

    By s = f / (2 + f) the logarithm is f - (f f / 2 - s (f f / 2 + series)).
    """
    check_setting()
    *fraction, power = binary64("frexp", *x)
    small = test("less", tuple(fraction), number(math.sqrt(0.5)))
    f = real("subtract", choose(small, real("add", tuple(fraction), tuple(fraction)), tuple(fraction)), number(1.0))
    less = elementwise("where", small, fill(0xFFFFFFFF, (), UINT32), fill(0, (), UINT32), dtype=UINT32)
    power = elementwise("add", power, less, dtype=UINT32)
    k: Words = binary64("from_float32", cast(cast(power, np.dtype(np.int32)), FLOAT32))
    s = real("divide", f, real("add", number(2.0), f))
    z = real("square", s)
    half = real("multiply", number(0.5), real("square", f))
    series = real("multiply", z, _series(z, _SERIES_OF_LOG, _LONG_OF_LOG))
    inner = real("add", real("multiply", s, real("add", half, series)), real("multiply", k, number(_LN2_LOW)))
    found = real("subtract", real("multiply", k, number(_LN2_HIGH)), real("subtract", real("subtract", half, inner), f))
    found = choose(test("equal", x, number(0.0)), number(-math.inf), found)
    found = choose(test("less", x, number(0.0)), number(math.nan), found)
    same = elementwise("logical_or", test("isnan", x), test("equal", x, number(math.inf)), dtype=BOOL)
    result: Words = choose(same, x, found)
    return result


def hypotenuse(a: Words, b: Words) -> Words:
    """
    Take the root of the sum of squares, and correct it by what squares, sum and root lost to rounding.

    After C. F. Borges, "An improved algorithm for hypot(a,b)", arXiv:1904.09481, 2019; numbers far from 1 are scaled by powers of two.
    """
    check_setting()
    sizes = real("absolute", a), real("absolute", b)
    large, small = real("maximum", *sizes), real("minimum", *sizes)
    huge, tiny = test("greater", large, number(2.0**500)), test("less", large, number(2.0**-500))
    scale = choose(huge, number(2.0**-600), choose(tiny, number(2.0**600), full(1.0, large)))
    back = choose(huge, number(2.0**600), choose(tiny, number(2.0**-600), full(1.0, large)))
    x, y = real("multiply", large, scale), real("multiply", small, scale)
    h = real("sqrt", real("add", real("square", x), real("square", y)))
    twice_y = real("add", y, y)
    near = test("less_equal", h, twice_y)
    rest = real("subtract", h, choose(near, y, x))
    double = real("add", rest, rest)
    apart = real("subtract", x, y)
    one = real("multiply", x, real("subtract", double, x))
    two = real("multiply", real("subtract", rest, real("add", apart, apart)), rest)
    three = real("multiply", double, real("subtract", x, twice_y))
    four = real("add", real("multiply", real("subtract", real("add", double, double), y), y), real("square", rest))
    lost = real("add", choose(near, one, three), choose(near, two, four))
    found = real("subtract", h, real("divide", lost, real("add", h, h)))
    found = choose(test("equal", large, number(0.0)), number(0.0), real("multiply", found, back))
    infinite = elementwise("logical_or", test("isinf", a), test("isinf", b), dtype=BOOL)
    result: Words = choose(infinite, number(math.inf), found)
    return result


FUNCTIONS64: Final[Mapping[str, Callable[..., Any]]] = {**BINARY64, "exp": _exp, "hypot": hypotenuse, "log": _log}
"""By Op: functions of words of float64, those of operations too."""
