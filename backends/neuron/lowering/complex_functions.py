"""Exponentials, logarithms, roots, circular and hyperbolic functions and signs of complex numbers, from functions of their parts.

The error is at most 8 u of the modulus, but of exp2, which is exp of a product that is rounded first, as in NumPy's loop. Special values
are those of C's functions, signs of zeros that it leaves open aside.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from ..graph import Node
from .float_nodes import choose, full, number, real, test

__all__ = ["COMPLEX_FUNCTIONS"]

Pair = tuple[Node, ...]
_FLAT: Final = 10.0
"""From it on, hyperbolic tangents are 1."""
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


def _exp2(a: Pair) -> Pair:
    return _exp(tuple(_times(part, math.log(2)) for part in a))


def _expm1(a: Pair) -> Pair:
    """Near the imaginary axis, take 1 from both factors of the real part before they are multiplied."""
    x, y = a
    growing, imaginary = _exp(a)
    bend = _times(real("square", real("sin", _times(y, 0.5))), 2.0)
    near = real("subtract", real("multiply", real("expm1", x), real("cos", y)), bend)
    near = real("add", near, number(0.0))  # -0.0 becomes the 0.0 that C asks for
    small = test("less_equal", real("absolute", x), number(0.5))
    return choose(small, near, real("subtract", growing, number(1.0))), imaginary


def _log(a: Pair) -> Pair:
    """Near the unit circle, take half the logarithm of 1 and what the square of the modulus has beyond it."""
    sizes = [real("absolute", part) for part in a]
    large, small = real("maximum", *sizes), real("minimum", *sizes)
    huge = test("greater", large, number(2.0**126))
    scale = choose(huge, full(0.25, large), full(1.0, large))
    modulus = real("log", real("hypot", *(real("multiply", size, scale) for size in sizes)))
    modulus = choose(huge, real("add", modulus, number(math.log(4))), modulus)
    product = real("multiply", real("subtract", large, number(1.0)), real("add", large, number(1.0)))
    near = _times(real("log1p", real("add", product, real("square", small))), 0.5)
    inside = test("logical_and", test("greater", large, number(0.5)), test("less", large, number(2.0)))
    return choose(inside, near, modulus), real("arctan2", a[1], a[0])


def _log1p(a: Pair) -> Pair:
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


def _sinh(a: Pair) -> Pair:
    x, y = a
    minus = test("less", x, number(0.0))
    half = choose(minus, full(-1.0, x), full(1.0, x))
    real_part = real("multiply", half, _with_factor(x, real("cos", y), real("sinh", real("absolute", x)), 0.5))
    imaginary = _with_factor(x, real("sin", y), real("cosh", x), 0.5)
    lost = test("logical_not", test("isfinite", y))
    real_part = choose(test("logical_and", lost, test("isinf", x)), x, real_part)
    real_part = choose(test("equal", x, number(0.0)), x, real_part)
    at_zero = test("equal", y, number(0.0))
    return choose(at_zero, real("sinh", x), real_part), choose(at_zero, y, imaginary)


def _cosh(a: Pair) -> Pair:
    x, y = a
    minus = test("less", x, number(0.0))
    half = choose(minus, full(-1.0, x), full(1.0, x))
    real_part = _with_factor(x, real("cos", y), real("cosh", x), 0.5)
    imaginary = real("multiply", half, _with_factor(x, real("sin", y), real("sinh", real("absolute", x)), 0.5))
    lost = test("logical_not", test("isfinite", y))
    real_part = choose(test("logical_and", lost, test("isinf", x)), real("absolute", x), real_part)
    nothing = test("logical_or", test("equal", x, number(0.0)), test("equal", y, number(0.0)))
    sign = real("multiply", real("copysign", full(1.0, x), x), real("copysign", full(1.0, y), y))
    return real_part, choose(nothing, real("copysign", full(0.0, x), sign), imaginary)


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
    first = choose(flat, real("copysign", full(1.0, x), x), real("divide", along, total))
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


def _rint(a: Pair) -> Pair:
    return tuple(real("rint", part) for part in a)


def _sign(a: Pair) -> Pair:
    """Divide by the modulus, scaled by a power of two where it would overflow or lose digits; one infinite part outweighs the other."""
    largest = real("maximum", *(real("absolute", part) for part in a))
    one, zero = full(1.0, largest), full(0.0, largest)
    huge, tiny = test("greater", largest, number(2.0**125)), test("less", largest, number(2.0**-100))
    scale = choose(huge, full(2.0**-4, largest), choose(tiny, full(2.0**60, largest), one))
    scaled = [real("multiply", part, scale) for part in a]
    modulus = real("hypot", *scaled)
    infinite = [test("isinf", part) for part in a]
    alone, nothing = test("logical_xor", *infinite), test("equal", largest, number(0.0))
    results = []
    for part, size, outweighs in zip(a, scaled, infinite, strict=True):
        extreme = choose(outweighs, real("copysign", one, part), zero)
        results.append(choose(nothing, zero, choose(alone, extreme, real("divide", size, modulus))))
    return tuple(results)


COMPLEX_FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "exp": _exp,
    "exp2": _exp2,
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
    "standard.tanh": _standard_tanh,
    "rint": _rint,
    "sign": _sign,
}
"""By Op: functions of (real part, imaginary part)."""
