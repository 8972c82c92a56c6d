"""Elementwise functions of complex numbers, from those of real and imaginary parts."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from ..graph.graph import Node
from .complex_functions import COMPLEX_FUNCTIONS
from .complex_inverses import COMPLEX_INVERSES
from .complex_powers import COMPLEX_POWERS
from .float_nodes import choose, full, number, real, test

__all__ = ["COMPLEX", "OF_COMPLEX128"]

Pair = tuple[Any, ...]
"""Real and imaginary part: nodes of float32, or words of float64."""


def _add(a: Pair, b: Pair) -> Pair:
    return real("add", a[0], b[0]), real("add", a[1], b[1])


def _subtract(a: Pair, b: Pair) -> Pair:
    return real("subtract", a[0], b[0]), real("subtract", a[1], b[1])


def _multiply(a: Pair, b: Pair) -> Pair:
    """Take the four products, each rounded, as NumPy's loop does."""
    real_part = real("subtract", real("multiply", a[0], b[0]), real("multiply", a[1], b[1]))
    imaginary = real("add", real("multiply", a[0], b[1]), real("multiply", a[1], b[0]))
    return real_part, imaginary


def _negative(a: Pair) -> Pair:
    return real("negative", a[0]), real("negative", a[1])


def _positive(a: Pair) -> Pair:
    return a


def _conjugate(a: Pair) -> Pair:
    return a[0], real("negative", a[1])


def _square(a: Pair) -> Pair:
    return _multiply(a, a)


def _both(name: str, join: str) -> Callable[[Pair, Pair], Pair]:
    def run(a: Pair, b: Pair) -> Pair:
        parts = [test(name, x, y) for x, y in zip(a, b, strict=True)]
        return (test(join, *parts),)

    return run


def _any_part(name: str, join: str) -> Callable[[Pair], Pair]:
    def run(a: Pair) -> Pair:
        return (test(join, *(test(name, x) for x in a)),)

    return run


def _magnitude(x: Node) -> Node:
    return real("absolute", x)


def _divide(a: Pair, b: Pair) -> Pair:
    """
    Divide as NumPy does, by the ratio of the divisor's parts (R. L. Smith, "Algorithm 116", Commun. ACM 5, 1962).

    Of numbers above 2**125 NumPy's sums overflow and its reciprocal is subnormal; theirs are scaled.
    """
    sizes = [_magnitude(part) for part in b]
    real_leads = test("greater_equal", *sizes)
    leading, following = choose(real_leads, *b), choose(real_leads, b[1], b[0])
    ratio = real("divide", following, leading)
    first, second = choose(real_leads, *a), choose(real_leads, a[1], a[0])

    def quotient(factor: float) -> Pair:
        """Divide what is scaled by a power of two."""
        (one, other), (lead, follow) = (
            [part if factor == 1.0 else real("multiply", part, number(factor)) for part in parts]
            for parts in ((first, second), (leading, following))
        )
        scale = real("divide", number(1.0), real("add", lead, real("multiply", follow, ratio)))
        product = real("multiply", one, ratio)
        difference = choose(real_leads, real("subtract", other, product), real("subtract", product, other))
        return tuple(real("multiply", part, scale) for part in (real("add", one, real("multiply", other, ratio)), difference))

    nothing = test("logical_and", *(test("equal", size, number(0.0)) for size in sizes))
    infinite = [real("multiply", part, number(math.inf)) for part in a]  # what division by 0 gives
    if isinstance(a[0], tuple):  # NumPy's loop of complex128 does not scale
        parts = [*quotient(1.0)]
        return choose(nothing, infinite[0], parts[0]), choose(nothing, infinite[1], parts[1])
    largest = functools.reduce(functools.partial(real, "maximum"), (*sizes, *map(_magnitude, a)))
    huge = test("logical_and", test("greater", largest, number(2.0**125)), test("isfinite", largest))
    parts = [choose(huge, *pair) for pair in zip(quotient(0.0625), quotient(1.0), strict=True)]
    return choose(nothing, infinite[0], parts[0]), choose(nothing, infinite[1], parts[1])


def _reciprocal(a: Pair) -> Pair:
    real_leads = test("less_equal", _magnitude(a[1]), _magnitude(a[0]))
    leading, following = choose(real_leads, *a), choose(real_leads, a[1], a[0])
    ratio = real("divide", following, leading)
    divisor = real("add", leading, real("multiply", following, ratio))
    minus = real("negative", ratio)
    real_part = real("divide", choose(real_leads, full(1.0, ratio), ratio), divisor)
    return real_part, real("divide", choose(real_leads, minus, full(-1.0, ratio)), divisor)


def _absolute(a: Pair) -> Pair:
    """
    Take the root of the sum of squares, scaled by a power of two where squares would overflow or underflow.

    Two squares, a sum and a root, each rounded: at most 2 units in the last place; of float64 at most 1.
    """
    if isinstance(a[0], tuple):
        return (real("hypot", *a),)
    sizes = [_magnitude(part) for part in a]
    largest = real("maximum", *sizes)
    large, small = test("greater", largest, number(2.0**60)), test("less", largest, number(2.0**-60))
    one = full(1.0, largest)
    scale, back = (
        choose(large, full(down, largest), choose(small, full(up, largest), one))
        for down, up in ((2.0**-70, 2.0**90), (2.0**70, 2.0**-90))
    )
    squares = [real("square", real("multiply", size, scale)) for size in sizes]
    result = real("multiply", real("sqrt", real("add", *squares)), back)
    infinite = test("logical_or", *(test("isinf", size) for size in sizes))
    return (choose(infinite, full(math.inf, result), result),)


def _truth(name: str) -> Callable[..., Pair]:
    """Apply a logical function to what is not zero."""

    def run(*operands: Pair) -> Pair:
        zero = number(0.0)
        truths = [test("logical_or", *(test("not_equal", part, zero) for part in operand)) for operand in operands]
        return (test(name, *truths),)

    return run


def _ordered(name: str) -> Callable[[Pair, Pair], Pair]:
    """Compare real parts, and imaginary parts where those are equal; NaN compares with nothing."""
    strict = name.removesuffix("_equal")

    def run(a: Pair, b: Pair) -> Pair:
        numbers = test("logical_not", test("logical_or", test("isnan", a[1]), test("isnan", b[1])))
        by_real = test("logical_and", test(strict, a[0], b[0]), numbers)
        by_imaginary = test("logical_and", test("equal", a[0], b[0]), test(name, a[1], b[1]))
        return (test("logical_or", by_real, by_imaginary),)

    return run


def _extreme(comparison: str, number_first: bool) -> Callable[[Pair, Pair], Pair]:
    """Take the first where the comparison favours it, or where the first (or, for fmax, the second) is NaN."""

    def run(a: Pair, b: Pair) -> Pair:
        (better,) = _ordered(comparison)(a, b)
        (nan,) = _any_part("isnan", "logical_or")(b if number_first else a)
        first = test("logical_or", better, nan)
        return choose(first, a[0], b[0]), choose(first, a[1], b[1])

    return run


COMPLEX: Final[Mapping[str, Callable[..., Any]]] = {
    "add": _add,
    "subtract": _subtract,
    "multiply": _multiply,
    "negative": _negative,
    "positive": _positive,
    "conjugate": _conjugate,
    "square": _square,
    "divide": _divide,
    "reciprocal": _reciprocal,
    "absolute": _absolute,
    "maximum": _extreme("greater_equal", False),
    "minimum": _extreme("less_equal", False),
    "fmax": _extreme("greater_equal", True),
    "fmin": _extreme("less_equal", True),
    **{name: _ordered(name) for name in ("less", "less_equal", "greater", "greater_equal")},
    **{name: _truth(name) for name in ("logical_and", "logical_or", "logical_xor", "logical_not")},
    "equal": _both("equal", "logical_and"),
    "not_equal": _both("not_equal", "logical_or"),
    "isnan": _any_part("isnan", "logical_or"),
    "isinf": _any_part("isinf", "logical_or"),
    "isfinite": _any_part("isfinite", "logical_and"),
    **COMPLEX_FUNCTIONS,
    **COMPLEX_INVERSES,
    **COMPLEX_POWERS,
}
"""By Op: functions of (real part, imaginary part)."""


def _of_words(name: str) -> Callable[..., tuple[Node, ...]]:
    """Apply a function to complex128, whose planes are the words of both parts."""
    function = COMPLEX[name]

    def run(*operands: tuple[Node, ...]) -> tuple[Node, ...]:
        found = function(*((planes[:2], planes[2:]) for planes in operands))
        return tuple([node for part in found for node in (part if isinstance(part, tuple) else (part,))])

    return run


OF_COMPLEX128: Final[Mapping[str, Callable[..., tuple[Node, ...]]]] = {name: _of_words(name) for name in COMPLEX}
"""By Op: functions of four words."""
