"""
The zeta functions of A. Hurwitz and B. Riemann and the polygamma functions in float64.

For q > 0 a sum of ten terms is exact, and the summation formula of Euler and Maclaurin adds the rest (NIST Digital Library of Mathematical
Functions, 25.11.28). With a negative q, of which x has to be an integer, the terms on both sides of 0 are those of three positive numbers.
Below 0, Riemann's function is reflected. Errors are 8 (1 + k) u, k being the condition number; between 0 and 1 of Riemann's argument, 64 u
of the larger one of 1 and the result; with a negative q, u of what is summed on both sides.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from ..graph.graph import Node
from .binary64 import binary64
from .float_nodes import full, number, real, test
from .gamma_functions import GAMMA_FUNCTIONS
from .real_words import Real, along_new_axis, any_of, choose, function_of, of_each, of_words

__all__ = ["ZETA_FUNCTIONS"]

_TERMS: Final = 10
_EXACT: Final = 2
"""Of the terms of the rest, those that are not of float32."""
_FAR: Final = 1024.0
"""Of x, beside q and the terms, from where on the rest does not count."""
_SCIPYS_LARGE: Final = 1e8
"""Of q, up to which SciPy gives NaN for an infinite x, and 0 beyond it."""


def _ratios() -> tuple[float, ...]:
    """Divide each coefficient of the rest, ``B(2 k) / (2 k)!``, by the one before it."""
    bernoulli = [Fraction(1)]
    for n in range(1, 2 * _TERMS + 1):
        bernoulli.append(-sum((math.comb(n + 1, k) * bernoulli[k] for k in range(n)), Fraction(0)) / (n + 1))
    return tuple(
        float(bernoulli[2 * k + 2] / bernoulli[2 * k] / ((2 * k + 1) * (2 * k + 2))) for k in range(1, _TERMS)
    )  # fmt: skip


_RATIOS: Final = _ratios()


def _positive(x: Real, q: Real | float) -> Real:
    """Sum ``(q + n)**-x`` for q > 0, or give what continues that below x = 1."""
    at = q if isinstance(q, Real) else Real(full(q, x.words))
    total = along_new_axis(_TERMS, lambda index: (index,), lambda n, x, q: function_of("power", q + n, -x), x, at)
    end = at + float(_TERMS)
    inverse = 1.0 / end
    slope = function_of("minimum", x, end * _FAR) * inverse
    small = [binary64("to_float32", *item.words) for item in (slope, inverse)]
    narrow = full(1.0, small[0])
    for place in range(_TERMS - 1, _EXACT, -1):
        first, second = (real("add", small[0], real("multiply", small[1], number(2.0 * place - less))) for less in (1.0, 0.0))
        factor = real("multiply", real("multiply", first, second), number(_RATIOS[place - 1]))
        narrow = real("add", real("multiply", factor, narrow), number(1.0))
    series = Real(binary64("from_float32", narrow))
    for place in range(_EXACT, 0, -1):
        factors = (slope + inverse * (2.0 * place - 1.0)) * (slope + inverse * (2.0 * place))
        series = factors * _RATIOS[place - 1] * series + 1.0
    rest = 1.0 / (x - 1.0) + (slope * series * (1 / 12) + 0.5) * inverse
    return total + function_of("power", end, 1.0 - x) * rest


def _whole(x: Real) -> Node:
    return x.equals(function_of("rint", x))


def _even(x: Real) -> Node:
    return _whole(x * 0.5)


def _not(mask: Node) -> Node:
    found: Node = test("logical_not", mask)
    return found


def _both(one: Node, other: Node) -> Node:
    found: Node = test("logical_and", one, other)
    return found


def _zeta(x: Real, q: Real) -> Real:
    negative = q < 0.0
    inside = choose(any_of(x.is_nan(), x <= 1.0), 2.0, x)
    size = choose(_both(negative, q > -math.inf), q, -0.5)
    upward, downward = size - function_of("floor", size), function_of("ceil", size) - size
    at = choose(negative, upward, choose(_both(q > 0.0, q < math.inf), q, 1.0))
    at, above = (choose(item.equals(0.0), 1.0, item) for item in (at, downward))
    found, first, beyond = of_each(_positive, (inside, at), (inside, above), (inside, 1.0 - size))
    both = choose(_even(inside), (found + first) - beyond, (found - first) + beyond)  # which may cancel but for the last
    found = choose(negative, both, found)
    found = choose(q.equals(math.inf), 0.0, found)
    endless = _both(x.equals(math.inf), _both(q > 1.0, q <= _SCIPYS_LARGE))
    undefined = any_of(endless, x.is_nan(), q.is_nan(), _both(negative, _not(_whole(x))))
    found = choose(undefined, math.nan, found)
    pole = any_of(_both(q <= 0.0, _whole(q)), x.equals(1.0))
    return choose(x < 1.0, math.nan, choose(pole, math.inf, found))


def _riemann(x: Real) -> Real:
    negative = x < 0.0
    y = choose(negative, 1.0 - x, x)
    found = _positive(y, 1.0)
    turned = x - function_of("rint", x * 0.25) * 4.0  # from -2 to 2
    turned = choose(abs(turned) > 1.0, function_of("copysign", 2.0, turned) - turned, turned)
    sine = function_of("sin", turned * (math.pi / 2))
    log_gamma = Real(GAMMA_FUNCTIONS["special.gammaln"](y.words))
    size = function_of("exp", log_gamma - y * math.log(2 * math.pi))
    reflected = choose(sine.equals(0.0), 0.0, size * (sine * 2.0) * found)
    return choose(negative, reflected, found)


def _polygamma(n: Real, x: Real) -> Real:
    order = n + 1.0
    found = function_of("special.gamma", order) * _zeta(order, x)
    found = choose(_even(order), found, -found)
    found = choose(_whole(n), found, math.nan)
    return choose(n.equals(0.0), Real(GAMMA_FUNCTIONS["special.psi"](x.words)), found)


_FUNCTIONS: Final[Mapping[str, Callable[..., Real]]] = {"zeta": _zeta, "riemann_zeta": _riemann, "polygamma": _polygamma}
ZETA_FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {f"special.{name}": of_words(function) for name, function in _FUNCTIONS.items()}
"""Functions of words."""
