"""Mathematical constants as fractions, to more bits than functions of binary64 need."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

__all__ = ["LN2", "LOG2_E", "LOG10_E", "PI_4", "TWO_OVER_PI", "TWO_OVER_PI_BITS"]

_BITS: Final = 1300
TWO_OVER_PI_BITS: Final = 1312
_LEADING: Final = 112


def _series(divisor: int, sign: int) -> int:
    """Take the inverse hyperbolic tangent of a reciprocal, or, with alternating signs, the inverse tangent, times a power of two."""
    power, number, total = (1 << _BITS) // divisor, 0, 0
    while power:
        total += sign**number * (power // (2 * number + 1))
        power, number = power // divisor**2, number + 1
    return total


_LN2 = 2 * _series(3, 1)
_LN10 = 3 * _LN2 + 2 * _series(9, 1)  # 10 is 8 times 5/4
_PI_4 = 4 * _series(5, -1) - _series(239, -1)  # J. Machin, 1706
LN2: Final = Fraction(_LN2, 1 << _BITS)
LOG2_E: Final = Fraction((1 << 2 * _BITS) // _LN2, 1 << _BITS)
LOG10_E: Final = Fraction((1 << 2 * _BITS) // _LN10, 1 << _BITS)
PI_4: Final = Fraction(_PI_4, 1 << _BITS)
TWO_OVER_PI: Final = (1 << (_BITS - 1 + TWO_OVER_PI_BITS - _LEADING)) // _PI_4
"""Its bits behind 112 zeros, so that there is a window for all exponents from -27 on."""
