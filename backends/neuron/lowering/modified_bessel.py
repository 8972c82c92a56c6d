"""
Modified Bessel functions of the first kind, of orders 0 and 1, in float64.

They are means of ``exp(-x (1 - cos(t)))`` over half a turn, of order 1 with ``x sin(t)**2`` beside that, by the trapezoidal rule, which
converges faster than any power for periodic functions; beyond 30 with ``2 sin(t / 2)**2 = s**2 / x``, in which it is ``exp(-s**2)``.
Errors are 8 u, and 2 u more of exponentials that do not scale.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from .real_words import Real, along_new_axis, choose, function_of, of_words

__all__ = ["BESSELS"]

_POINTS: Final = 40
_LARGE: Final = 30.0
_STEP: Final = 6.2 / (_POINTS - 1)


def _points(index: Real) -> tuple[Real, ...]:
    """Give ``sin(t / 2)**2`` and weights; ``s**2`` and ``exp(-s**2)``."""
    sine = function_of("sin", index * (math.pi / (2 * (_POINTS - 1))))
    square = (index * _STEP) * (index * _STEP)
    end, last = index.equals(0.0), index.equals(_POINTS - 1.0)
    half = choose(end, 0.5, choose(last, 0.5, 1.0))
    return sine * sine, half, square, function_of("exp", -square) * half


def _bessel(order: int, scaled: bool) -> Callable[[Real], Real]:
    def term(sine: Real, half: Real, square: Real, weight: Real, x: Real) -> Real:
        large = x > _LARGE
        far = square / function_of("maximum", x, _LARGE)
        near = half * function_of("exp", sine * function_of("minimum", x, _LARGE) * -2.0)
        beyond = weight / function_of("sqrt", 1.0 - far * 0.5)
        if order:
            near, beyond = near * (sine * (1.0 - sine) * 4.0), beyond * (1.0 - far)
        return choose(large, beyond, near)

    def function(x: Real) -> Real:
        size = abs(x)
        inside = choose(size < math.inf, size, 1.0)
        total = along_new_axis(_POINTS, _points, term, inside)
        near = total * (1.0 / (_POINTS - 1))
        far = total * (_STEP * math.sqrt(2.0) / math.pi) / function_of("sqrt", inside)
        found = choose(inside > _LARGE, far, near * inside if order else near)
        if not scaled:
            half = function_of("exp", inside * 0.5)  # the whole may be infinite where the product is not
            found = found * half * half
        found = choose(size.equals(math.inf), 0.0 if scaled else math.inf, found)
        found = function_of("copysign", found, x) if order else found
        return choose(x.is_nan(), x, found)

    return function


BESSELS: Final[Mapping[str, Callable[..., Any]]] = {
    f"special.i{order}{'e' * scaled}": of_words(_bessel(order, scaled)) for order in (0, 1) for scaled in (False, True)
}
"""Functions of words."""
