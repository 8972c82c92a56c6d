"""Exponentials, logarithms, roots, circular and hyperbolic functions and signs of complex numbers, from functions of their parts.

The error is at most 8 u of the modulus, but of exp2, which is exp of a product that is rounded first, as in NumPy's loop. Special values
are those of C's functions, signs of zeros that it leaves open aside.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from ..graph.graph import Node
from .float_nodes import choose, full, number, real, test

__all__ = ["COMPLEX_FUNCTIONS"]

Pair = tuple[Node, ...]
_FLAT: Final = 22.0
"""From it on, hyperbolic tangents are 1, of float64, too."""
_MOST: Final = 80.0
"""From it on, exponentials are the square of those of half the number, which overflow later."""


def _times(x: Node, factor: float) -> Node:
    return real("multiply", x, number(factor))


def _with_factor(x: Node, factor: Node, plain: Node, scale: float) -> Node:
    """Multiply `plain`, or where x is large ``scale exp(abs(x))``, by a factor of magnitude up to 1."""
    size = real("absolute", x)
    half = real("exp", _times(size, 0.5))
    large = real("multiply", real("multiply", _times(half, scale), factor), half)
    return choose(test("greater", size, number(_MOST)), large, real("multiply", plain, factor))


def _exp(a: Pair) -> Pair:
    x, y = a
    growing = real("exp", x)
    positive = test("greater", x, number(0.0))
    parts = []
    for function in ("cos", "sin"):
        factor = real(function, y)
        plain = real("multiply", growing, factor)
        parts.append(choose(positive, _with_factor(x, factor, growing, 1.0), plain))
    vanishes = test("equal", x, number(-math.inf))
    infinite = test("logical_and", test("equal", x, number(math.inf)), test("logical_not", test("isfinite", y)))
    at_zero = test("equal", y, number(0.0))
    real_part = choose(infinite, full(math.inf, x), choose(at_zero, growing, parts[0]))
    zero = full(0.0, x)
    lost = test("logical_and", vanishes, test("logical_not", test("isfinite", y)))
    return choose(lost, zero, real_part), choose(at_zero, y, choose(lost, zero, parts[1]))


def _expm1(a: Pair) -> Pair:
    """Compute both parts as NumPy's loop does, which loses both where only the exponential of the real part overflows."""
    x, y = a
    bend = _times(real("square", real("sin", _times(y, 0.5))), 2.0)
    real_part = real("subtract", real("multiply", real("expm1", x), real("cos", y)), bend)
    return real_part, real("multiply", real("exp", x), real("sin", y))


def _standard_expm1(a: Pair) -> Pair:
    """Take NumPy's real part near the imaginary axis, where 1 is taken from both factors before they are multiplied."""
    growing, imaginary = _exp(a)
    near = real("add", _expm1(a)[0], number(0.0))  # -0.0 becomes the 0.0 that C asks for
    small = test("less_equal", real("absolute", a[0]), number(0.5))
    return choose(small, near, real("subtract", growing, number(1.0))), imaginary


def _log(a: Pair) -> Pair:
    """Near the unit circle, take half the logarithm of 1 and what the square of the modulus has beyond it."""
    sizes = [real("absolute", part) for part in a]
    large, small = real("maximum", *sizes), real("minimum", *sizes)
    huge, tiny = test("greater", large, number(2.0**126)), test("less", large, number(2.0**-100))
    scale, back = (
        choose(huge, full(down, large), choose(tiny, full(up, large), full(middle, large)))
        for down, up, middle in ((0.25, 2.0**64, 1.0), (math.log(4), -64 * math.log(2), 0.0))
    )
    modulus = real("add", real("log", real("hypot", *(real("multiply", size, scale) for size in sizes))), back)
    product = real("multiply", real("subtract", large, number(1.0)), real("add", large, number(1.0)))
    near = _times(real("log1p", real("add", product, real("square", small))), 0.5)
    inside = test("logical_and", test("greater", large, number(0.5)), test("less", large, number(2.0)))
    return choose(inside, near, modulus), real("arctan2", a[1], a[0])


def _log1p(a: Pair) -> Pair:
    """Take the logarithm of the rounded modulus, as NumPy's loop does, which loses small real parts."""
    moved = real("add", a[0], number(1.0))
    return real("log", real("hypot", moved, a[1])), real("arctan2", a[1], moved)


def _standard_log1p(a: Pair) -> Pair:
    """Near 0, take half the logarithm of 1 and what the square of the modulus of ``1 + a`` has beyond it."""
    x, y = a
    far, imaginary = _log((real("add", x, number(1.0)), y))
    excess = real("add", real("multiply", x, real("add", x, number(2.0))), real("square", y))
    near = test("less", real("maximum", real("absolute", x), real("absolute", y)), number(0.5))
    return choose(near, _times(real("log1p", excess), 0.5), far), imaginary


def _log_in_base(base: float) -> Callable[[Pair], Pair]:
    factor = 1 / math.log(base)
    return lambda a: tuple(_times(part, factor) for part in _log(a))


def _sqrt(a: Pair) -> Pair:
    """Take the root of half the sum of modulus and real part, scaled, and divide the imaginary part by it."""
    sizes = [real("absolute", part) for part in a]
    large = real("maximum", *sizes)
    huge, tiny = test("greater", large, number(2.0**125)), test("less", large, number(2.0**-75))
    one = full(1.0, large)
    scale, back = (
        choose(huge, full(down, large), choose(tiny, full(up, large), one)) for down, up in ((2.0**-4, 2.0**80), (4.0, 2.0**-40))
    )
    across, along = (real("multiply", size, scale) for size in sizes)
    half = real("sqrt", _times(real("add", across, real("hypot", across, along)), 0.5))
    other = _times(real("divide", along, half), 0.5)
    other = choose(test("equal", half, number(0.0)), full(0.0, half), other)
    half, other = real("multiply", half, back), real("multiply", other, back)
    infinite = test("isinf", a[1])
    left = test("signbit", a[0])
    real_part = choose(infinite, full(math.inf, half), choose(left, other, half))
    imaginary = choose(infinite, full(math.inf, half), choose(left, half, other))
    return real_part, real("copysign", imaginary, a[1])


def _signs(x: Node) -> Node:
    """Make 1 or -1, by which products keep the sign of a zero."""
    return real("copysign", full(1.0, x), x)


def _sinh(a: Pair) -> Pair:
    x, y = a
    size = real("absolute", x)
    sine = real("sinh", size)
    real_part = real("multiply", _signs(x), _with_factor(x, real("cos", y), sine, 0.5))
    imaginary = _with_factor(x, real("sin", y), real("cosh", size), 0.5)
    extreme = test("logical_or", test("equal", x, number(0.0)), test("isinf", x))
    lost = test("logical_and", extreme, test("logical_not", test("isfinite", y)))
    at_zero = test("equal", y, number(0.0))
    return choose(at_zero, real("copysign", sine, x), choose(lost, x, real_part)), choose(at_zero, y, imaginary)


def _cosh(a: Pair) -> Pair:
    x, y = a
    signs, size = _signs(x), real("absolute", x)
    real_part = _with_factor(x, real("cos", y), real("cosh", size), 0.5)
    imaginary = real("multiply", signs, _with_factor(x, real("sin", y), real("sinh", size), 0.5))
    lost = test("logical_not", test("isfinite", y))
    real_part = choose(test("logical_and", lost, test("isinf", x)), size, real_part)
    imaginary = choose(test("logical_and", lost, test("equal", x, number(0.0))), x, imaginary)
    return real_part, choose(test("equal", y, number(0.0)), real("multiply", signs, y), imaginary)


def _tanh(a: Pair) -> Pair:
    """Divide by the sum of two squares, which has no terms that cancel; far out the imaginary part decays."""
    x, y = a
    inner = real("maximum", real("minimum", x, number(_FLAT)), number(-_FLAT))
    along = real("multiply", real("sinh", inner), real("cosh", inner))
    across = real("multiply", real("sin", y), real("cos", y))
    total = real("add", real("square", real("sinh", inner)), real("square", real("cos", y)))
    size = real("absolute", x)
    decayed = real("multiply", _times(across, 4.0), real("exp", _times(size, -2.0)))
    flat = test("greater", size, number(_FLAT))
    first = choose(flat, _signs(x), real("divide", along, total))
    second = choose(flat, decayed, real("divide", across, total))
    lost, infinite = test("logical_not", test("isfinite", y)), test("isinf", x)
    first = choose(test("logical_and", lost, test("logical_not", infinite)), across, first)  # NaN
    first = choose(test("equal", x, number(0.0)), x, first)
    second = choose(test("logical_and", lost, infinite), full(0.0, x), second)
    level = test("equal", y, number(0.0))
    return choose(level, real("tanh", x), first), choose(level, y, second)


def _standard_tanh(a: Pair) -> Pair:
    """Give the imaginary part the argument's sign where the real part is infinite, where C leaves it to ``0 * sin(2 * y)``."""
    first, second = _tanh(a)
    return first, choose(test("isinf", a[0]), real("copysign", full(0.0, second), a[1]), second)


def _turned(a: Pair) -> Pair:
    """Multiply by i."""
    return real("negative", a[1]), a[0]


def _sin(a: Pair) -> Pair:
    real_part, imaginary = _sinh(_turned(a))
    return imaginary, real("negative", real_part)


def _cos(a: Pair) -> Pair:
    return _cosh(_turned(a))


def _tan(a: Pair) -> Pair:
    first, second = _tanh(_turned(a))
    return second, real("negative", first)


def _sign(a: Pair) -> Pair:
    """Divide by the modulus as NumPy's loop does: where that is infinite, one infinite part outweighs, and else the imaginary part does."""
    modulus, one, zero = real("hypot", *a), full(1.0, a[0]), full(0.0, a[0])
    infinite = [test("isinf", part) for part in a]
    outweighed = test("logical_and", test("isinf", modulus), test("logical_not", test("logical_and", *infinite)))
    extremes = choose(infinite[0], real("copysign", one, a[0]), zero), choose(infinite[0], zero, real("copysign", one, a[1]))
    nothing = test("equal", modulus, number(0.0))
    quotients = (choose(nothing, zero, real("divide", part, modulus)) for part in a)
    return tuple(choose(outweighed, *pair) for pair in zip(extremes, quotients, strict=True))


def _standard_sign(a: Pair) -> Pair:
    """Scale by a power of two where the modulus would overflow or lose digits."""
    largest = real("maximum", *(real("absolute", part) for part in a))
    huge, tiny = test("greater", largest, number(2.0**125)), test("less", largest, number(2.0**-100))
    scale = choose(huge, full(2.0**-4, largest), choose(tiny, full(2.0**60, largest), full(1.0, largest)))
    return _sign(tuple(real("multiply", part, scale) for part in a))


COMPLEX_FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "exp": _exp,
    "exp2": lambda a: _exp(tuple(_times(part, math.log(2)) for part in a)),
    "expm1": _expm1,
    "log": _log,
    "log1p": _log1p,
    "log2": _log_in_base(2),
    "log10": _log_in_base(10),
    "sqrt": _sqrt,
    "sin": _sin,
    "cos": _cos,
    "sinh": _sinh,
    "cosh": _cosh,
    "tan": _tan,
    "tanh": _tanh,
    "standard.expm1": _standard_expm1,
    "standard.log1p": _standard_log1p,
    "standard.tanh": _standard_tanh,
    "standard.sign": _standard_sign,
    "rint": lambda a: tuple(real("rint", part) for part in a),
    "sign": _sign,
}
"""By Op: functions of (real part, imaginary part)."""
