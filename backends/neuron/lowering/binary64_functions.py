"""
Functions of float64 made of others, each of which rounds: logarithms of sums of exponentials, and products of numbers and logarithms.

They are off by two units in the last place at most of what is added or multiplied last.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from .binary64 import BINARY64, Words
from .float_nodes import choose, number, real, test
from .gamma_functions import GAMMA_FUNCTIONS
from .modified_bessel import BESSELS
from .normal_quantiles import NORMALS
from .tail_integrals import TAILS
from .zeta_functions import ZETA_FUNCTIONS

__all__ = ["FUNCTIONS64"]


def _log_of_sum(exponential: str, factor: float) -> Callable[[Words, Words], Words]:
    """Add to the larger number what the smaller one gives; equal ones, which may be infinite, have no distance."""

    def run(a: Words, b: Words) -> Words:
        size = real("absolute", real("subtract", a, b))
        more = real("log1p", real(exponential, real("negative", size)))
        if factor != 1:
            more = real("multiply", more, number(factor))
        same = test("equal", a, b)
        more = choose(same, number(math.log(2) * factor), more)
        result: Words = real("add", real("maximum", a, b), more)
        return result

    return run


def _times_log(name: str) -> Callable[[Words, Words], Words]:
    """Multiply by a logarithm; 0 times that of any number is 0."""

    def run(x: Words, y: Words) -> Words:
        nothing = test("logical_and", test("equal", x, number(0.0)), test("logical_not", test("isnan", y)))
        result: Words = choose(nothing, number(0.0), real("multiply", x, real(name, y)))
        return result

    return run


def _entropy(x: Words) -> Words:
    product = real("negative", _times_log("log")(x, x))
    result: Words = choose(test("less", x, number(0.0)), number(-math.inf), product)
    return result


def _relative_entropy(x: Words, y: Words) -> Words:
    zero, product = number(0.0), real("multiply", x, real("log", real("divide", x, y)))
    positive = test("logical_and", test("greater", x, zero), test("greater", y, zero))
    edge = test("logical_and", test("equal", x, zero), test("greater_equal", y, zero))
    unknown = test("logical_or", test("isnan", x), test("isnan", y))
    result: Words = choose(positive, product, choose(edge, zero, choose(unknown, real("add", x, y), number(math.inf))))
    return result


def _logit(x: Words) -> Words:
    """Take the logarithm of ``x / (1 - x)``, which near 1/2 is 1 and what ``2 x - 1`` makes of it."""
    rest = real("subtract", number(1.0), x)
    far = real("log", real("divide", x, rest))
    near = real("log1p", real("divide", real("subtract", x, rest), rest))
    result: Words = choose(test("less", real("absolute", real("subtract", x, number(0.5))), number(0.25)), near, far)
    return result


FUNCTIONS64: Final[Mapping[str, Callable[..., Any]]] = {
    **BINARY64,
    **GAMMA_FUNCTIONS,
    **NORMALS,
    **BESSELS,
    **TAILS,
    **ZETA_FUNCTIONS,
    "logaddexp": _log_of_sum("exp", 1.0),
    "logaddexp2": _log_of_sum("exp2", 1 / math.log(2)),
    "special.xlogy": _times_log("log"),
    "special.xlog1py": _times_log("log1p"),
    "special.entr": _entropy,
    "special.rel_entr": _relative_entropy,
    "special.logit": _logit,
}
"""By Op: functions of words of float64, those of operations too."""
