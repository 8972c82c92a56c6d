"""Exponentials, logarithms, roots and circular functions of complex numbers, from those of real and imaginary parts.

The error is at most 8 u of the modulus. Special values are those of C's functions, signs of zeros that it leaves open aside.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from ...dtypes import BOOL, FLOAT32
from ..build import elementwise, fill
from ..graph import Node

__all__ = ["COMPLEX_FUNCTIONS"]

Pair = tuple[Node, ...]
_MOST: Final = 80.0
"""From it on, exponentials are the square of those of half the number, which overflow later."""


def _real(name: str, *nodes: Node) -> Node:
    return elementwise(name, *nodes, dtype=FLOAT32)


def _test(name: str, *nodes: Node) -> Node:
    return elementwise(name, *nodes, dtype=BOOL)


def _number(value: float) -> Node:
    return fill(value, (), FLOAT32)


def _times(x: Node, number: float) -> Node:
    return _real("multiply", x, _number(number))


def _choose(mask: Node, one: Node, other: Node) -> Node:
    return _real("where", mask, one, other)


def _full(value: float, like: Node) -> Node:
    return fill(value, like.shape, FLOAT32)


def _with_factor(x: Node, factor: Node, plain: Node, scale: float) -> Node:
    """Multiply `plain`, or where x is large ``scale exp(abs(x))``, by a factor of magnitude up to 1."""
    size = _real("absolute", x)
    half = _real("exp", _times(size, 0.5))
    large = _real("multiply", _real("multiply", _times(half, scale), factor), half)
    return _choose(_test("greater", size, _number(_MOST)), large, _real("multiply", plain, factor))


def _exp(a: Pair) -> Pair:
    x, y = a
    growing = _real("exp", x)
    positive = _test("greater", x, _number(0.0))
    parts = []
    for function in ("cos", "sin"):
        factor = _real(function, y)
        plain = _real("multiply", growing, factor)
        parts.append(_choose(positive, _with_factor(x, factor, growing, 1.0), plain))
    vanishes = _test("equal", x, _number(-math.inf))
    infinite = _test("logical_and", _test("equal", x, _number(math.inf)), _test("logical_not", _test("isfinite", y)))
    at_zero = _test("equal", y, _number(0.0))
    real = _choose(infinite, _full(math.inf, x), _choose(at_zero, growing, parts[0]))
    zero = _full(0.0, x)
    lost = _test("logical_and", vanishes, _test("logical_not", _test("isfinite", y)))
    return _choose(lost, zero, real), _choose(at_zero, y, _choose(lost, zero, parts[1]))


def _log(a: Pair) -> Pair:
    """Near the unit circle, take half the logarithm of 1 and what the square of the modulus has beyond it."""
    sizes = [_real("absolute", part) for part in a]
    large, small = _real("maximum", *sizes), _real("minimum", *sizes)
    huge = _test("greater", large, _number(2.0**126))
    scale = _choose(huge, _full(0.25, large), _full(1.0, large))
    modulus = _real("log", _real("hypot", *(_real("multiply", size, scale) for size in sizes)))
    modulus = _choose(huge, _real("add", modulus, _number(math.log(4))), modulus)
    product = _real("multiply", _real("subtract", large, _number(1.0)), _real("add", large, _number(1.0)))
    near = _times(_real("log1p", _real("add", product, _real("square", small))), 0.5)
    inside = _test("logical_and", _test("greater", large, _number(0.5)), _test("less", large, _number(2.0)))
    return _choose(inside, near, modulus), _real("arctan2", a[1], a[0])


def _log_in_base(base: float) -> Callable[[Pair], Pair]:
    factor = 1 / math.log(base)
    return lambda a: tuple(_times(part, factor) for part in _log(a))


def _sqrt(a: Pair) -> Pair:
    """Take the root of half the sum of modulus and real part, scaled, and divide the imaginary part by it."""
    sizes = [_real("absolute", part) for part in a]
    large = _real("maximum", *sizes)
    huge, tiny = _test("greater", large, _number(2.0**125)), _test("less", large, _number(2.0**-75))
    one = _full(1.0, large)
    scale, back = (
        _choose(huge, _full(down, large), _choose(tiny, _full(up, large), one)) for down, up in ((2.0**-4, 2.0**80), (4.0, 2.0**-40))
    )
    across, along = (_real("multiply", size, scale) for size in sizes)
    half = _real("sqrt", _times(_real("add", across, _real("hypot", across, along)), 0.5))
    other = _times(_real("divide", along, half), 0.5)
    other = _choose(_test("equal", half, _number(0.0)), _full(0.0, half), other)
    half, other = _real("multiply", half, back), _real("multiply", other, back)
    infinite = _test("isinf", a[1])
    left = _test("signbit", a[0])
    real = _choose(infinite, _full(math.inf, half), _choose(left, other, half))
    imaginary = _choose(infinite, _full(math.inf, half), _choose(left, half, other))
    return real, _real("copysign", imaginary, a[1])


def _sinh(a: Pair) -> Pair:
    x, y = a
    minus = _test("less", x, _number(0.0))
    half = _choose(minus, _full(-1.0, x), _full(1.0, x))
    real = _real("multiply", half, _with_factor(x, _real("cos", y), _real("sinh", _real("absolute", x)), 0.5))
    imaginary = _with_factor(x, _real("sin", y), _real("cosh", x), 0.5)
    lost = _test("logical_not", _test("isfinite", y))
    real = _choose(_test("logical_and", lost, _test("isinf", x)), x, real)
    real = _choose(_test("equal", x, _number(0.0)), x, real)
    at_zero = _test("equal", y, _number(0.0))
    return _choose(at_zero, _real("sinh", x), real), _choose(at_zero, y, imaginary)


def _cosh(a: Pair) -> Pair:
    x, y = a
    minus = _test("less", x, _number(0.0))
    half = _choose(minus, _full(-1.0, x), _full(1.0, x))
    real = _with_factor(x, _real("cos", y), _real("cosh", x), 0.5)
    imaginary = _real("multiply", half, _with_factor(x, _real("sin", y), _real("sinh", _real("absolute", x)), 0.5))
    lost = _test("logical_not", _test("isfinite", y))
    real = _choose(_test("logical_and", lost, _test("isinf", x)), _real("absolute", x), real)
    nothing = _test("logical_or", _test("equal", x, _number(0.0)), _test("equal", y, _number(0.0)))
    sign = _real("multiply", _real("copysign", _full(1.0, x), x), _real("copysign", _full(1.0, y), y))
    return real, _choose(nothing, _real("copysign", _full(0.0, x), sign), imaginary)


def _turned(a: Pair) -> Pair:
    """Multiply by i."""
    return _real("negative", a[1]), a[0]


def _sin(a: Pair) -> Pair:
    real, imaginary = _sinh(_turned(a))
    return imaginary, _real("negative", real)


def _cos(a: Pair) -> Pair:
    return _cosh(_turned(a))


COMPLEX_FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "exp": _exp,
    "log": _log,
    "log2": _log_in_base(2),
    "log10": _log_in_base(10),
    "sqrt": _sqrt,
    "sin": _sin,
    "cos": _cos,
    "sinh": _sinh,
    "cosh": _cosh,
}
"""By Op: functions of (real part, imaginary part)."""
