"""
Logarithms of float32, within 2 units in the last place, most within 1.25.

``log(x) = e log(2) + log(1 + f)`` with 1 + f from sqrt(1 / 2) to sqrt(2), where ``log(1 + f) = f - f**2 / 2 + f**3 P(f)``: f and the
product of e with the upper part of log(2) are exact (W. J. Cody and W. Waite, Software Manual for the Elementary Functions, 1980).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from ....isa import nl
from ...function import Emitter, Tile
from .alu import add, arithmetic, copy, limited, multiply, patch, subtract, then, twice
from .pairs import Pair, renormalized, upper_half
from .polynomial import times_argument
from .significand import LARGEST, MINUS_INFINITY, NAN, decompose, is_below, is_zero, magnitude_of, power_of_two
from .widening import float_loops

__all__ = [
    "BINARY", "DECIMAL", "LOG", "LOGARITHMS", "SQRT_2", "Base", "LessLogarithm", "corrected", "finish", "in_base", "less_logarithm",
    "log_of_sum", "logarithm", "natural", "pair_of", "with_one",
]  # fmt: skip

LOG: Final = (0.33333317, -0.25000813, 0.20002294, -0.1662445, 0.1418095, -0.13129615, 0.1288373, -0.0785972)
"""(log(1 + f) - f + f**2 / 2) / f**3 for sqrt(1/2) <= 1 + f <= sqrt(2), lowest power first."""
_LOG_2: Final = (0.693145751953125, 1.4286068203094172e-06)  # 16 bits, and the rest
_LOG10_2: Final = (0.30103302001953125, -3.0243555500547862e-06)
SQRT_2: Final = 1.4142135623730951
"""Above it, significands are halved."""
_BESIDE: Final = 4  # steps of the polynomial that other engines do


def logarithm(x: Tile) -> tuple[Tile, Tile, Tile, Tile]:
    """Prepare a logarithm; 33 cycles per element of the Vector Engine."""
    parts = decompose(x)
    above = arithmetic(nl.greater, parts.significand, SQRT_2)
    half = then(above, nl.multiply, -0.5, nl.multiply, parts.significand)
    f = then(parts.significand, nl.subtract, 1.0, nl.add, half)
    square = multiply(f, f)
    y = multiply(times_argument(LOG, f, _BESIDE), square)
    y = then(square, nl.multiply, -0.5, nl.add, y)
    return f, y, then(parts.exponent, nl.subtract, 127.0, nl.add, above), parts.magnitude


def finish(dst: Tile, x: Tile, magnitude: Tile) -> None:
    """Put in what logarithms are of zeros, negative numbers, infinity and NaN."""
    number = arithmetic(nl.less_equal, magnitude.view(nl.float32), LARGEST, dtype=nl.uint8)
    patch(dst, x, number, reverse=True)
    patch(dst.view(nl.uint32), NAN, arithmetic(nl.less, x.view(nl.int32), 0.0, dtype=nl.uint8))
    patch(dst.view(nl.uint32), MINUS_INFINITY, is_zero(magnitude))


def corrected(total: Tile, lost: Tile) -> tuple[Tile, Tile, Tile]:
    """Prepare the logarithm of a pair: that of the first part, corrected by the quotient."""
    f, y, e, _ = logarithm(total)
    lost = multiply(lost, power_of_two(arithmetic(nl.multiply, limited(e, -100.0, 100.0), -1.0)))
    return f, subtract(y, then(f, nl.subtract, 1.0, nl.multiply, lost)), e


def log_of_sum(total: Tile, lost: Tile, more: Tile | None = None) -> Tile:
    """Take the logarithm of ``2**more (total + lost)``."""
    f, y, e = corrected(total, lost)
    return natural(f, y, e if more is None else add(e, more))


def natural(f: Tile, y: Tile, e: Tile) -> Tile:
    """Put a logarithm together."""
    small = add(then(e, nl.multiply, _LOG_2[1], nl.add, y), f)
    return then(e, nl.multiply, _LOG_2[0], nl.add, small)


def pair_of(f: Tile, y: Tile, e: Tile) -> Pair:
    """Put a logarithm together without its last rounding."""
    small = then(e, nl.multiply, _LOG_2[1], nl.add, y)
    near = add(small, f)
    total = renormalized(arithmetic(nl.multiply, e, _LOG_2[0]), near)
    return Pair(total.high, add(total.low, subtract(small, subtract(near, f))))


class LessLogarithm(NamedTuple):
    """
    A number less a logarithm: what the singularities of special functions at 0 are made of.

    Attributes
    ----------
    upper, lower : NkiTensor
        The difference, in two parts.
    f, e : NkiTensor
        With ``x = (1 + f) 2**e``.
    """

    upper: Tile
    lower: Tile
    f: Tile
    e: Tile


def less_logarithm(number: float, x: Tile) -> LessLogarithm:
    """Subtract logarithms from a number below 1: what 16 bits have of it is summed without loss."""
    high = round(number * 2.0**16) * 2.0**-16
    f, y, e, _ = logarithm(x)
    power = twice(e, nl.multiply, -_LOG_2[0], nl.add, high)
    total = subtract(power, f)
    lost = subtract(subtract(power, total), f)
    small = then(e, nl.multiply, _LOG_2[1], nl.add, y)
    return LessLogarithm(total, then(lost, nl.add, number - high, nl.subtract, small), f, e)


class Base(NamedTuple):
    """
    A base of logarithms, other than e.

    Attributes
    ----------
    high, low : float
        1 / log(base), in 12 bits and the rest.
    e_high, e_low : float
        The logarithm of 2, in 16 bits and the rest.
    """

    high: float
    low: float
    e_high: float
    e_low: float


BINARY: Final = Base(1.44287109375, -0.00017605286103659264, 1.0, 0.0)
DECIMAL: Final = Base(0.434326171875, -3.168997174817235e-05, *_LOG10_2)


def in_base(base: Base, f: Tile, y: Tile, e: Tile) -> Tile:
    """Put a logarithm of another base together."""
    upper = upper_half(add(f, y))
    lower = add(subtract(f, upper), y)
    small = then(upper, nl.multiply, base.low, nl.add, arithmetic(nl.multiply, lower, base.high + base.low))
    if base.e_low:
        small = then(e, nl.multiply, base.e_low, nl.add, small)
    near = then(upper, nl.multiply, base.high, nl.add, small)
    return then(e, nl.multiply, base.e_high, nl.add, near)


def with_one(x: Tile) -> tuple[Tile, Tile]:
    """Add 1 without loss."""
    total = arithmetic(nl.add, x, 1.0)
    back = arithmetic(nl.subtract, total, 1.0)
    return total, add(arithmetic(nl.subtract, 1.0, subtract(total, back)), subtract(x, back))


def _log(dst: Tile, x: Tile) -> None:
    *parts, magnitude = logarithm(x)
    copy(dst, natural(*parts))
    finish(dst, x, magnitude)


def _to(base: Base) -> Callable[[Tile, Tile], None]:
    def emit(dst: Tile, x: Tile) -> None:
        *parts, magnitude = logarithm(x)
        copy(dst, in_base(base, *parts))
        finish(dst, x, magnitude)

    return emit


def _log1p(dst: Tile, x: Tile) -> None:
    total, lost = with_one(x)
    copy(dst, log_of_sum(total, lost))
    patch(dst, x, is_below(x, 2.0**-25))
    finish(dst, total, magnitude_of(total).view(nl.uint32))


_ERROR: Final = 1.25

LOGARITHMS: Final = (
    Emitter("log", 1, float_loops(_log), _ERROR),
    Emitter("log2", 1, float_loops(_to(BINARY)), _ERROR),
    Emitter("log10", 1, float_loops(_to(DECIMAL)), _ERROR),
    Emitter("log1p", 1, float_loops(_log1p), 2.0),
)
