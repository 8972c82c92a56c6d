"""Inverse circular and hyperbolic functions of complex numbers, from functions of real and imaginary parts.

Arcsine and arccosine as by T. E. Hull, T. F. Fairgrieve and P. T. P. Tang ("Implementing the complex arcsine and arccosine functions using
exception handling", ACM Trans. Math. Softw. 23, 1997), the inverse hyperbolic tangent as by W. Kahan ("Branch cuts for complex elementary
functions", 1987). The error is at most 8 u of the modulus. Special values are those of C's functions, signs that it leaves open aside.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from ..graph.graph import Node
from .float_nodes import choose, full, number, real, test

__all__ = ["COMPLEX_INVERSES"]

Pair = tuple[Node, ...]
class _Limits(NamedTuple):
    """
    Where other formulas are needed.

    Attributes
    ----------
    small : float
        Below it, functions that vanish at 0 are the number itself, but for less than its rounding.
    large : float
        Above it, 1 beside the number makes no difference, and its square is still finite.
    beside : float
        Nearer to a pole, its own logarithm is all that counts, and the square of the distance would be lost.
    """

    small: float
    large: float
    beside: float


_FLOAT32: Final = _Limits(2.0**-13, 2.0**40, 2.0**-30)
_FLOAT64: Final = _Limits(2.0**-28, 2.0**60, 2.0**-60)
_CROSSOVER: Final = 0.6417  # of the arcsine's argument, where it becomes inaccurate
_ACROSS: Final = 1.5


class _Arcs(NamedTuple):
    """Of a number in the first quadrant: real parts of arcsine and arccosine, and the magnitude of their imaginary part."""

    sine: Node
    cosine: Node
    height: Node


def _limits(x: Any) -> _Limits:
    return _FLOAT64 if isinstance(x, tuple) else _FLOAT32


def _is_large(x: Node, y: Node) -> Node:
    """Find large numbers, infinite ones among them, with no NaN but beside infinity."""
    large = test("greater", real("maximum", x, y), number(_limits(x).large))
    return test("logical_or", large, test("logical_or", test("isinf", x), test("isinf", y)))


def _is_small(x: Node, y: Node) -> Node:
    return test("less", real("maximum", x, y), number(_limits(x).small))


def _half(x: Node) -> Node:
    return real("multiply", x, number(0.5))


def _arcs(x: Node, y: Node) -> _Arcs:
    """Compute with the distances r and s from -1 and 1, whose half sum less 1 is made of terms that are not negative."""
    one = number(1.0)
    beyond, short = real("add", x, one), real("subtract", x, one)
    r, s = real("hypot", beyond, y), real("hypot", short, y)
    a = _half(real("add", r, s))
    inner = test("less", x, one)
    square = real("square", y)
    right, width = real("subtract", s, short), real("add", s, short)  # one of them cancels, by the side of 1 that x is on
    first = real("reciprocal", real("add", r, beyond))
    inverses = real("add", first, real("reciprocal", choose(inner, right, width)))
    left = real("multiply", square, first)
    more = choose(inner, real("multiply", square, inverses), real("add", left, width))  # twice what a has beyond 1
    lean = _half(real("add", a, one))
    root = real("sqrt", real("multiply", choose(inner, inverses, more), lean))  # of what has no square of y, which may underflow
    near = real("log1p", real("add", _half(more), real("multiply", root, choose(inner, y, full(1.0, y)))))
    far = real("log", real("add", a, real("sqrt", real("subtract", real("square", a), one))))
    height = choose(test("less", a, number(_ACROSS)), near, far)
    total = real("add", a, x)
    within = real("sqrt", _half(real("multiply", total, real("add", left, right))))
    root = choose(test("less_equal", x, one), within, real("multiply", y, real("sqrt", _half(real("multiply", total, inverses)))))
    ratio = real("minimum", real("divide", x, a), one)
    direct = test("less_equal", ratio, number(_CROSSOVER))
    sine = choose(direct, real("arcsin", ratio), real("arctan2", x, root))
    cosine = choose(direct, real("arccos", ratio), real("arctan2", root, x))
    # large, small, and real part 0
    large, small, upright = _is_large(x, y), _is_small(x, y), test("equal", x, number(0.0))
    quarter = real("hypot", *(real("multiply", part, number(0.25)) for part in (x, y)))
    height = choose(large, real("add", real("log", quarter), number(math.log(8))), choose(small, y, height))
    sine = choose(large, real("arctan2", x, y), choose(small, x, sine))
    cosine = choose(large, real("arctan2", y, x), cosine)
    return _Arcs(choose(upright, x, sine), choose(upright, full(math.pi / 2, x), cosine), height)


def _magnitudes(a: Pair) -> Pair:
    return tuple(real("absolute", part) for part in a)


def _with_signs(parts: Pair, signs: Pair) -> Pair:
    return tuple(real("copysign", *pair) for pair in zip(parts, signs, strict=True))


def _cosine(a: Pair, arcs: _Arcs) -> Node:
    """Reflect the real part of the arccosine."""
    return choose(test("signbit", a[0]), real("subtract", number(math.pi), arcs.cosine), arcs.cosine)


def _arcsin(a: Pair) -> Pair:
    arcs = _arcs(*_magnitudes(a))
    return _with_signs((arcs.sine, arcs.height), a)


def _arccos(a: Pair) -> Pair:
    arcs = _arcs(*_magnitudes(a))
    return _cosine(a, arcs), real("copysign", arcs.height, real("negative", a[1]))


def _arcsinh(a: Pair) -> Pair:
    arcs = _arcs(*reversed(_magnitudes(a)))
    return _with_signs((arcs.height, arcs.sine), a)


def _arccosh(a: Pair) -> Pair:
    arcs = _arcs(*_magnitudes(a))
    return arcs.height, real("copysign", _cosine(a, arcs), a[1])


def _arctanh(a: Pair) -> Pair:
    x, y = _magnitudes(a)
    one = number(1.0)
    rest = real("subtract", one, x)
    ratio = real("divide", real("multiply", x, number(4.0)), real("add", real("square", rest), real("square", y)))
    along = real("multiply", real("log1p", ratio), number(0.25))
    beside = test("logical_and", test("equal", x, one), test("less", y, number(_limits(x).beside)))
    along = choose(beside, _half(real("subtract", number(math.log(2)), real("log", y))), along)
    across = real("subtract", real("multiply", rest, real("add", x, one)), real("square", y))
    angle = _half(real("arctan2", real("multiply", y, number(2.0)), across))
    large, small = _is_large(x, y), _is_small(x, y)
    quarters = [real("multiply", part, number(0.25)) for part in (x, y)]
    modulus = real("hypot", *quarters)
    inverse = real("multiply", real("divide", real("divide", quarters[0], modulus), modulus), number(0.25))
    inverse = choose(test("isinf", modulus), full(0.0, x), inverse)
    along = choose(large, inverse, choose(small, x, along))
    angle = choose(large, choose(test("isnan", y), y, full(math.pi / 2, y)), choose(small, y, angle))
    return _with_signs((choose(test("equal", x, number(0.0)), x, along), angle), a)


def _arctan(a: Pair) -> Pair:
    """Turn, take the inverse hyperbolic tangent, and turn back."""
    along, angle = _arctanh((real("negative", a[1]), a[0]))
    return angle, real("negative", along)


COMPLEX_INVERSES: Final[Mapping[str, Callable[..., Any]]] = {
    "arcsin": _arcsin,
    "arccos": _arccos,
    "arctan": _arctan,
    "arcsinh": _arcsinh,
    "arccosh": _arccosh,
    "arctanh": _arctanh,
}
"""By Op: functions of (real part, imaginary part)."""
