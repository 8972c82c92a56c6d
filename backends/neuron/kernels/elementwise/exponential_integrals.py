"""
Exponential integrals of float32, E1 within 3 units in the last place and Ei within 4.

``E1(x) = -Ei(-x)`` is up to 1 its series (NIST Digital Library of Mathematical Functions, 6.6) with the logarithm in two parts, and from
there on ``exp(-x) t F(t)`` with ``t = 1 / (x + 3 / 2)``. Ei is that of negative numbers, up to 6 its series, of which the terms are
positive, about its zero x0 ``(x - x0) P(x)`` with x0 in two parts, and from 6 and from 12 on ``exp(x) F(1 / x) / x``. Coefficients are
nearly minimax ones, from the script beside the tests.
"""

from __future__ import annotations

from typing import Final

from ....isa import nl
from ...function import Emitter, Tile
from .alu import add, arithmetic, copy, is_nan, limited, multiply, patch, scratch, subtract, then
from .error_function import over_shifted
from .exponential import times_exponential
from .logarithm import less_logarithm
from .pair_arithmetic import choose, times
from .pairs import inverse
from .polynomial import polynomial, times_argument, times_pair
from .significand import INFINITY, MINUS_INFINITY, NAN, is_below, is_zero, magnitude_of
from .widening import float_loops

__all__ = ["ABOUT_ZERO", "EXPONENTIAL_INTEGRALS", "FAR", "MIDDLE", "SERIES", "SERIES_OF_EI", "TAIL", "ZERO"]

SERIES: Final = (-0.249999901, 0.0555544015, -0.010411454, 0.00165472584, -0.000216560438, 1.83872214e-05)
"""(E1(x) + log(x) + gamma - x) / x in powers of x from the first on, for 0 <= x <= 1, lowest power first."""
TAIL: Final = (
    1.15409665, 1.09138599, 2.01138728, 2.95197808, 5.85841736, 9.51411994, 20.2370371, 33.293621, 62.6361164, 113.17314, 518.230867,
    613.139902,
)  # fmt: skip
"""exp(x) E1(x) (x + 3 / 2) in powers of 1 / (x + 3 / 2) - 1 / 5, for 1 <= x."""
SERIES_OF_EI: Final = (
    0.250000039, 0.0555555305, 0.0104164625, 0.00166678375, 0.000231720611, 2.81332824e-05, 3.07036735e-06, 4.06612213e-07,
    -2.3531244e-08, 1.48626864e-08, -1.4545663e-09, 1.08393657e-10,
)  # fmt: skip
"""(Ei(x) - log(abs(x)) - gamma - x) / x in powers of x from the first on, for -1 <= x <= 6."""
ABOUT_ZERO: Final = (
    3.88807636, -3.24933225, 6.42641814, -12.6961507, 27.1251054, -60.0095301, 136.882353, -360.811705, 872.434584,
)  # fmt: skip
"""Ei(x) / (x - x0) in powers of x - 3 / 8, for 9 / 32 <= x <= 15 / 32."""
MIDDLE: Final = (
    1.18184798, 2.18348544, 5.85075411, -46.3430862, -374.101783, 2942.41066, 8813.71045, -188393.398, 563042.67,
)  # fmt: skip
"""x exp(-x) Ei(x) in powers of 1 / x - 1 / 8, for 6 <= x <= 12."""
FAR: Final = (
    1.05204247, 1.24153187, 3.39029274, 17.1246584, 152.477951, 1664.95098, 1256.17482, -457521.445, -5380831.76, 41811061.5, 774349230,
)  # fmt: skip
"""x exp(-x) Ei(x) in powers of 1 / x - 3 / 64, for 12 <= x."""
ZERO: Final = (0.3725074231624603271484375, -1.238109369268645e-08)
"""x0 in float32, and the rest."""
_GAMMA: Final = 0.5772156649015329
_SHIFT, _CENTRE, _OF_MIDDLE, _OF_FAR, _OF_ZERO = 1.5, 0.2, 0.125, 0.046875, 0.375
_EDGE, _NEAR, _FAR = 1.0, 6.0, 12.0
_WIDTH: Final = 0.09375  # of ABOUT_ZERO, on each side
_LEAST, _MOST = -106.0, 95.0
"""Where the functions are less than all numbers, and infinite."""


def _exp1(dst: Tile, x: Tile) -> None:
    magnitude = magnitude_of(x)
    below = is_below(x, _EDGE)
    inside = limited(magnitude, _EDGE, -_LEAST)
    result = times_exponential(over_shifted(TAIL, _SHIFT, _CENTRE, inside), arithmetic(nl.multiply, inside, -1.0))
    patch(magnitude, _EDGE, below, reverse=True)  # a minimum may flush subnormal numbers
    of = less_logarithm(-_GAMMA, magnitude)
    rest = add(multiply(times_argument(SERIES, magnitude), magnitude), of.lower)
    patch(result, add(add(of.upper, magnitude), rest), below)
    copy(dst, result)
    patch(dst.view(nl.uint32), NAN, arithmetic(nl.less, x.view(nl.int32), 0.0, dtype=nl.uint8))
    patch(dst.view(nl.uint32), INFINITY, is_zero(magnitude_of(x).view(nl.uint32)))
    patch(dst, x, is_nan(x))


def _near(x: Tile) -> Tile:
    """Compute Ei from -1 to 6."""
    of = less_logarithm(-_GAMMA, magnitude_of(x))
    rest = subtract(multiply(times_argument(SERIES_OF_EI, x), x), of.lower)
    result = add(subtract(x, of.upper), rest)
    from_zero = arithmetic(nl.subtract, x, ZERO[0])
    slope = polynomial(ABOUT_ZERO, arithmetic(nl.subtract, limited(x, _OF_ZERO - _WIDTH, _OF_ZERO + _WIDTH), _OF_ZERO))
    close = is_below(arithmetic(nl.subtract, x, _OF_ZERO), _WIDTH)
    patch(result, multiply(arithmetic(nl.subtract, from_zero, ZERO[1]), slope), close)
    return result


def _expi(dst: Tile, x: Tile) -> None:
    magnitude = magnitude_of(x)
    factor = times(over_shifted(TAIL, _SHIFT, _CENTRE, limited(magnitude, _EDGE, -_LEAST)), -1.0)
    reciprocal = inverse(limited(x, _NEAR, _MOST))
    whole = add(*reciprocal)
    for coefficients, centre, edge in ((MIDDLE, _OF_MIDDLE, 0.0), (FAR, _OF_FAR, _FAR)):
        beyond = arithmetic(nl.greater, x, edge, dtype=nl.uint8)
        choose(factor, times_pair(coefficients, arithmetic(nl.subtract, whole, centre), reciprocal), beyond)
    result = times_exponential(factor, limited(x, _LEAST, _MOST))
    inside = copy(scratch(x, nl.float32), x)
    outside = then(x, nl.less, -_EDGE, nl.add, arithmetic(nl.greater, x, _NEAR), dtype=nl.uint8)
    patch(inside, 1.0, outside)
    patch(result, _near(inside), outside, reverse=True)
    copy(dst, result)
    patch(dst.view(nl.uint32), MINUS_INFINITY, is_zero(magnitude.view(nl.uint32)))
    patch(dst, x, is_nan(x))


EXPONENTIAL_INTEGRALS: Final = (
    Emitter("special.exp1", 1, float_loops(_exp1), 3.0),
    Emitter("special.expi", 1, float_loops(_expi), 4.0),
)
