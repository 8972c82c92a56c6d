"""
Logarithms and exponentials of float32 with the same bits on every device, for what rejection decides by.

They consist of sums, products, quotients and bits of float32, each rounded by itself, and are off by a few units in the last place. Their
first argument computes: it is a `compound.Draws`.
"""

from __future__ import annotations

from typing import Any, Final

from ..dtypes import FLOAT32, INT32

__all__ = ["exp", "expm1", "exponential", "log", "log1p", "log1p_rest", "power_of_two", "uniform"]

_HALF: Final = 0x3F3504F3  # bits of the root of 1/2
_BIAS: Final = 127
_LN2_HIGH: Final = 0.693145751953125  # 16 bits
_LN2_LOW: Final = 1.42860682030941723e-06
_LEAST: Final = -86.0


def _polynomial(x: Any, coefficients: tuple[float, ...]) -> Any:
    """Evaluate by Horner's rule, the constant last."""
    found = coefficients[0]
    for coefficient in coefficients[1:]:
        found = x * found + coefficient
    return found


def _near_one(f: Any) -> Any:
    """Take log(1 + f) of f from -0.3 to 0.42."""
    s = f / (f + 2.0)
    z = s * s
    return s * 2.0 + s * z * _polynomial(z, (2 / 11, 2 / 9, 2 / 7, 2 / 5, 2 / 3))


def log(m: Any, x: Any) -> Any:
    """Take the logarithm of normal positive numbers."""
    bits = m.bits(x)
    exponent = m("right_shift", bits - _HALF, 23)
    f = m.floats(bits - m("left_shift", exponent, 23)) - 1.0
    count = exponent.astype(FLOAT32)
    return count * _LN2_HIGH + (_near_one(f) + count * _LN2_LOW)


def log1p(m: Any, x: Any) -> Any:
    """Take log(1 + x) of x above -1."""
    near = abs(x) < 0.25
    return m("where", near, _near_one(m("where", near, x, 0.0)), log(m, m("where", near, 1.0, 1.0 + x)))


def log1p_rest(m: Any, x: Any) -> Any:
    """Take what log(1 + x) has beyond the third power of x, x being above -1."""
    near = abs(x) < 0.25
    few = m("where", near, x, 0.0)
    square = few * few
    series = square * square * _polynomial(few, tuple((-1.0) ** (power + 1) / power for power in range(15, 3, -1)))
    large = m("where", near, 1.0, x)
    return m("where", near, series, log(m, 1.0 + large) - large + large * large * (0.5 - large * (1 / 3)))


def power_of_two(m: Any, exponent: Any) -> Any:
    """Make powers of two of exponents from -126 to 127, whole numbers of float32."""
    return m.floats(((exponent + float(_BIAS)) * 8388608.0).astype(INT32))


def exp(m: Any, x: Any) -> Any:
    """Take exponentials of numbers up to 88; those below -86 become 0."""
    x = m("maximum", x, _LEAST - 1)
    count = m("floor", x * 1.4426950408889634 + 0.5)
    rest = (x - count * _LN2_HIGH) - count * _LN2_LOW
    series = _polynomial(rest, (1 / 5040, 1 / 720, 1 / 120, 1 / 24, 1 / 6, 0.5))
    return m("where", x < _LEAST, 0.0, (rest * rest * series + rest + 1.0) * power_of_two(m, count))


def expm1(m: Any, x: Any) -> Any:
    """Take exp(x) - 1 of numbers up to 88."""
    near = abs(x) < 0.35
    few = m("where", near, x, 0.0)
    series = few * _polynomial(few, (1 / 40320, 1 / 5040, 1 / 720, 1 / 120, 1 / 24, 1 / 6, 0.5, 1.0))
    return m("where", near, series, exp(m, m("where", near, 0.0, x)) - 1.0)


def uniform(words: Any) -> Any:
    """Make numbers between 0 and 1, with all digits near 0, of words."""
    return words.astype(FLOAT32) * 2.0**-32 + 2.0**-33


def exponential(m: Any, words: Any) -> Any:
    """Make exponential numbers of words, with all digits near 0 and far out."""
    small = uniform(m("invert", words))
    return m("where", small < 0.25, -log1p(m, -m("minimum", small, 0.5)), -log(m, uniform(words)))
