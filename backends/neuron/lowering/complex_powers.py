"""
Powers of complex numbers: special values as NumPy's loop has them.

Those of complex64 are within 8 u of the modulus. Those of complex128 are exponentials of products with logarithms, each of which rounds:
they err by 4 (1 + abs(w) + abs(w log z)) u, as much as roundings of z and w may change.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from ..graph.graph import Node
from .complex_functions import COMPLEX_FUNCTIONS
from .float_nodes import choose, full, number, real, test

__all__ = ["COMPLEX_POWERS"]

Pair = tuple[Any, ...]


def _of_finite(z: Pair, w: Pair) -> Pair:
    if not isinstance(z[0], tuple):
        return tuple([real(f"complex_power.{part}", *z, *w) for part in ("real", "imaginary")])
    (length, angle), (x, y) = COMPLEX_FUNCTIONS["log"](z), w
    across = real("subtract", real("multiply", x, length), real("multiply", y, angle))
    along = real("add", real("multiply", x, angle), real("multiply", y, length))
    found: Pair = COMPLEX_FUNCTIONS["exp"]((across, along))
    return found


def _any(*masks: Node) -> Node:
    return functools.reduce(functools.partial(test, "logical_or"), masks)


def _are(z: Pair, value: float) -> Node:
    """Find numbers that are real and have a value."""
    return test("logical_and", test("equal", z[0], number(value)), test("equal", z[1], number(0.0)))


def _power(z: Pair, w: Pair) -> Pair:
    """
    Take powers: of infinite z those of its direction, made infinite or 0; NaN where an exponent is not finite.

    As in NumPy's loop, whatever has exponent 0 is 1, and 0 is 0 or, where the real part of the exponent is not positive, NaN.
    """
    infinite = _any(*(test("isinf", part) for part in z))
    towards = [real("copysign", choose(test("isinf", part), full(1.0, part), full(0.0, part)), part) for part in z]
    base = [choose(infinite, *pair) for pair in zip(towards, z, strict=True)]
    grows, shrinks = (test(name, w[0], number(0.0)) for name in ("greater", "less"))
    size = choose(grows, full(math.inf, w[0]), choose(shrinks, full(0.0, w[0]), full(math.nan, w[0])))
    unknown = _any(*(test("isnan", part) for part in z), *(test("logical_not", test("isfinite", part)) for part in w))
    of_zero = choose(grows, full(0.0, w[0]), full(math.nan, w[0]))
    nothing, to_0, to_1 = _are(z, 0.0), _are(w, 0.0), _are(w, 1.0)
    results = []
    for power, part, one in zip(_of_finite(tuple(base), w), z, (1.0, 0.0), strict=True):
        result = choose(infinite, real("multiply", power, size), power)
        result = choose(unknown, full(math.nan, result), result)
        result = choose(nothing, of_zero, result)
        result = choose(to_1, part, result)
        results.append(choose(to_0, full(one, result), result))
    return tuple(results)


COMPLEX_POWERS: Final[Mapping[str, Callable[..., Any]]] = {"power": _power}
"""By Op: functions of (real part, imaginary part)."""
