"""Elementwise functions of complex numbers, from those of real and imaginary parts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from ...dtypes import BOOL, FLOAT32
from ..build import elementwise, fill
from ..graph import Node
from .complex_functions import COMPLEX_FUNCTIONS

__all__ = ["COMPLEX"]

Pair = tuple[Node, ...]


def _real(name: str, *nodes: Node) -> Node:
    return elementwise(name, *nodes, dtype=nodes[0].dtype)


def _add(a: Pair, b: Pair) -> Pair:
    return _real("add", a[0], b[0]), _real("add", a[1], b[1])


def _subtract(a: Pair, b: Pair) -> Pair:
    return _real("subtract", a[0], b[0]), _real("subtract", a[1], b[1])


def _multiply(a: Pair, b: Pair) -> Pair:
    """Take the four products, each rounded, as NumPy's loop does."""
    real = _real("subtract", _real("multiply", a[0], b[0]), _real("multiply", a[1], b[1]))
    imaginary = _real("add", _real("multiply", a[0], b[1]), _real("multiply", a[1], b[0]))
    return real, imaginary


def _negative(a: Pair) -> Pair:
    return _real("negative", a[0]), _real("negative", a[1])


def _positive(a: Pair) -> Pair:
    return a


def _conjugate(a: Pair) -> Pair:
    return a[0], _real("negative", a[1])


def _square(a: Pair) -> Pair:
    return _multiply(a, a)


def _both(name: str, join: str) -> Callable[[Pair, Pair], Pair]:
    def run(a: Pair, b: Pair) -> Pair:
        parts = [elementwise(name, x, y, dtype=BOOL) for x, y in zip(a, b, strict=True)]
        return (elementwise(join, *parts, dtype=BOOL),)

    return run


def _any_part(name: str, join: str) -> Callable[[Pair], Pair]:
    def run(a: Pair) -> Pair:
        return (elementwise(join, *(elementwise(name, x, dtype=BOOL) for x in a), dtype=BOOL),)

    return run


def _choose(mask: Node, one: Node, other: Node) -> Node:
    return elementwise("where", mask, one, other, dtype=FLOAT32)


def _test(name: str, *nodes: Node) -> Node:
    return elementwise(name, *nodes, dtype=BOOL)


def _number(value: float) -> Node:
    return fill(value, (), FLOAT32)


def _magnitude(x: Node) -> Node:
    return _real("absolute", x)


def _divide(a: Pair, b: Pair) -> Pair:
    """Divide as NumPy does: by the ratio of the divisor's parts (R. L. Smith, "Algorithm 116", Commun. ACM 5, 1962)."""
    sizes = [_magnitude(part) for part in b]
    real_leads = _test("greater_equal", *sizes)
    leading, following = _choose(real_leads, *b), _choose(real_leads, b[1], b[0])
    ratio = _real("divide", following, leading)
    scale = _real("divide", _number(1.0), _real("add", leading, _real("multiply", following, ratio)))
    first, second = _choose(real_leads, *a), _choose(real_leads, a[1], a[0])
    real = _real("multiply", _real("add", first, _real("multiply", second, ratio)), scale)
    product = _real("multiply", first, ratio)
    difference = _choose(real_leads, _real("subtract", second, product), _real("subtract", product, second))
    imaginary = _real("multiply", difference, scale)
    nothing = _test("logical_and", *(_test("equal", size, _number(0.0)) for size in sizes))
    infinite = [_real("multiply", part, _number(math.inf)) for part in a]  # what division by 0 gives
    return _choose(nothing, infinite[0], real), _choose(nothing, infinite[1], imaginary)


def _reciprocal(a: Pair) -> Pair:
    real_leads = _test("less_equal", _magnitude(a[1]), _magnitude(a[0]))
    leading, following = _choose(real_leads, *a), _choose(real_leads, a[1], a[0])
    ratio = _real("divide", following, leading)
    divisor = _real("add", leading, _real("multiply", following, ratio))
    minus = _real("negative", ratio)
    real = _real("divide", _choose(real_leads, _full(1.0, ratio), ratio), divisor)
    return real, _real("divide", _choose(real_leads, minus, _full(-1.0, ratio)), divisor)


def _full(value: float, like: Node) -> Node:
    """Make a number of a node's shape."""
    return fill(value, like.shape, FLOAT32)


def _absolute(a: Pair) -> Pair:
    """
    Take the root of the sum of squares, scaled by a power of two where squares would overflow or underflow.

    Two squares, a sum and a root, each rounded: at most 2 units in the last place.
    """
    sizes = [_magnitude(part) for part in a]
    largest = _real("maximum", *sizes)
    large, small = _test("greater", largest, _number(2.0**60)), _test("less", largest, _number(2.0**-60))
    one = _full(1.0, largest)
    scale, back = (
        _choose(large, _full(down, largest), _choose(small, _full(up, largest), one))
        for down, up in ((2.0**-70, 2.0**90), (2.0**70, 2.0**-90))
    )
    squares = [_real("square", _real("multiply", size, scale)) for size in sizes]
    result = _real("multiply", _real("sqrt", _real("add", *squares)), back)
    infinite = _test("logical_or", *(_test("isinf", size) for size in sizes))
    return (_choose(infinite, _full(math.inf, result), result),)


def _truth(name: str) -> Callable[..., Pair]:
    """Apply a logical function to what is not zero."""

    def run(*operands: Pair) -> Pair:
        zero = _number(0.0)
        truths = [_test("logical_or", *(_test("not_equal", part, zero) for part in operand)) for operand in operands]
        return (_test(name, *truths),)

    return run


def _ordered(name: str) -> Callable[[Pair, Pair], Pair]:
    """Compare real parts, and imaginary parts where those are equal; NaN compares with nothing."""
    strict = name.removesuffix("_equal")

    def run(a: Pair, b: Pair) -> Pair:
        numbers = _test("logical_not", _test("logical_or", _test("isnan", a[1]), _test("isnan", b[1])))
        by_real = _test("logical_and", _test(strict, a[0], b[0]), numbers)
        by_imaginary = _test("logical_and", _test("equal", a[0], b[0]), _test(name, a[1], b[1]))
        return (_test("logical_or", by_real, by_imaginary),)

    return run


def _extreme(comparison: str, number_first: bool) -> Callable[[Pair, Pair], Pair]:
    """Take the first where the comparison favours it, or where the first (or, for fmax, the second) is NaN."""

    def run(a: Pair, b: Pair) -> Pair:
        (better,) = _ordered(comparison)(a, b)
        (nan,) = _any_part("isnan", "logical_or")(b if number_first else a)
        first = _test("logical_or", better, nan)
        return _choose(first, a[0], b[0]), _choose(first, a[1], b[1])

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
}
"""By Op: functions of (real part, imaginary part)."""
