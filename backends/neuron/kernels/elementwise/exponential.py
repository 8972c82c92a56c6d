"""
Exponentials of float32.

Arguments are reduced as W. J. Cody and W. Waite do (Software Manual for the Elementary Functions, 1980): a multiple of log 2 whose product
is exact is taken away, and the small rest of that. On what is left a polynomial is within 2**-26 of the function; its coefficients are
nearly minimax ones for the interval (C. L. Lawson's reweighted least squares), which a test derives anew. Results are within 2 units in
the last place for all inputs, most within 1.25, under every reading of how two-operator instructions round.
"""

from __future__ import annotations

from typing import Final

from ....isa import nisa, nl
from ...function import Emitter, Tile
from .alu import add, arithmetic, bits, copy, is_nan, limited, multiply, patch, plus, scratch, subtract, then, twice
from .pairs import Pair
from .polynomial import times_argument
from .significand import NAN, is_below, power_of_two
from .widening import float_loops

__all__ = [
    "EXP", "EXP2", "EXPONENTIALS", "LOG2_E", "TO_INTEGER", "exponential_product", "pair_times_power", "parted", "reduced", "scaled",
    "times_exponential", "times_power",
]  # fmt: skip

LOG2_E: Final = 1.4426950408889634
_LOG_2: Final = (0.693145751953125, 1.4286068203094172e-06)  # 16 bits, and the rest
_STEPS: Final = 2
_SHARES: Final = (0.5 - 2.0**-10, 0.5 + 2.0**-10)  # of an exponent below 2**9: halves that round to integers, down and up
TO_INTEGER: Final = 1.5 * 2.0**23
"""Added to a number of less than 22 bits and taken away again, it rounds that to an integer."""

EXP: Final = (0.50000001, 0.16666518, 0.0416662, 0.00836895, 0.00139506)
"""(exp(r) - 1 - r) / r**2 for abs(r) <= log(2) / 2, lowest power first."""
EXP2: Final = (0.6931471805599453, 0.240226512, 0.0555036146, 0.00961802235, 0.00133905517, 0.000154719717)
"""(2**r - 1) / r for abs(r) <= 1 / 2."""


def scaled(dst: Tile, fraction: Tile, n: Tile) -> None:
    """Scale: ``(1 + fraction) 2**n``."""
    if _beside():
        lower, upper = (_power_of_share(n, share) for share in _SHARES)
        arithmetic(nl.multiply, multiply(plus(fraction, 1.0), lower), upper, dst, engine=nisa.engine.gpsimd)
        return
    scale, rest = _powers(n)
    arithmetic(nl.multiply, then(fraction, nl.add, 1.0, nl.multiply, scale), rest, dst, engine=nisa.engine.gpsimd)


def times_power(dst: Tile, x: Tile, n: Tile) -> None:
    """Scale: ``x 2**n``."""
    scale, rest = _powers(n)
    arithmetic(nl.multiply, multiply(x, scale), rest, dst)


def exponential_product(value: Pair, x: Tile, more: Tile | None = None) -> tuple[Pair, Tile]:
    """Multiply by an exponential, but for a power of two, without the last rounding: ``value exp(x + more)``."""
    n = _multiple(x)
    upper = then(n, nl.multiply, -_LOG_2[0], nl.add, x)
    lower = arithmetic(nl.multiply, n, -_LOG_2[1]) if more is None else then(n, nl.multiply, -_LOG_2[1], nl.add, more)
    r = add(upper, lower)
    lost = subtract(lower, subtract(r, upper))
    grown = times_argument((1.0, *EXP), r)
    high, low = value
    return Pair(high, add(add(low, multiply(lost, high)), multiply(grown, add(high, low)))), n


def times_exponential(value: Pair, x: Tile, more: Tile | None = None, factor: float = 1.0) -> Tile:
    """Multiply by an exponential, of which no rounding counts but the last: ``factor value exp(x + more)``."""
    product, n = exponential_product(value, x, more)
    total = add(*product)
    result = scratch(total, nl.float32)
    times_power(result, total if factor == 1.0 else arithmetic(nl.multiply, total, factor), n)
    return result


def pair_times_power(x: Pair, n: Tile) -> Pair:
    """Scale: ``x 2**n``."""
    high = scratch(x.high, nl.float32)
    times_power(high, x.high, n)
    return Pair(high, multiply(x.low, power_of_two(arithmetic(nl.maximum, n, -126.0))))


def _power_of_share(n: Tile, share: float) -> Tile:
    """Give two to the power of a share of an integer, which is rounded, on the Scalar Engine: no step but that rounds."""
    integer = twice(n, nl.multiply, share, nl.add, TO_INTEGER, engine=nisa.engine.scalar)
    bias = (127.0 - TO_INTEGER) * 2.0**23
    return twice(integer, nl.multiply, 2.0**23, nl.add, bias, nl.int32, engine=nisa.engine.scalar).view(nl.float32)


def _powers(n: Tile) -> tuple[Tile, Tile]:
    """Give two powers of two whose product is 2**n, the second one for last, so that a subnormal result is rounded once."""
    near = limited(n, -100.0, 127.0)
    rest = then(near, nl.subtract, 127.0, nl.subtract, n, dtype=nl.uint32, reverse=True)
    return power_of_two(near), bits(nl.left_shift, rest, 23).view(nl.float32)


def reduced(x: Tile, more: Tile | None = None) -> tuple[Tile, Tile]:
    """Take multiples of log(2) away."""
    n = _multiple(x)
    r = then(n, nl.multiply, -_LOG_2[0], nl.add, x)
    if more is None:
        return n, then(n, nl.multiply, -_LOG_2[1], nl.add, r)
    return n, add(r, then(n, nl.multiply, -_LOG_2[1], nl.add, more))


def _multiple(x: Tile) -> Tile:
    """Give how many times log(2) is in numbers, to the nearest integer."""
    return plus(twice(x, nl.multiply, LOG2_E, nl.add, TO_INTEGER, engine=nisa.engine.scalar if _beside() else None), -TO_INTEGER)


def parted(x: Tile) -> tuple[Tile, Tile]:
    """Take integers away."""
    n = arithmetic(nl.subtract, arithmetic(nl.add, x, TO_INTEGER), TO_INTEGER)
    return n, subtract(x, n)


def _beside() -> int:
    """Count the steps of a polynomial for the Scalar Engine and GpSimd, where they work beside the Vector Engine."""
    return _STEPS if nisa.get_nc_version() >= nisa.nc_version.gen3 else 0


def _unknown(x: Tile) -> Tile:
    """Find NaN, on GpSimd where it works beside the Vector Engine."""
    return is_nan(x, engine=nisa.engine.gpsimd if _beside() else None)


def _exp(dst: Tile, x: Tile) -> None:
    unknown = _unknown(x)
    n, r = reduced(limited(x, -104.0, 89.0))
    scaled(dst, times_argument((1.0, *EXP), r, beside=_beside()), n)
    patch(dst.view(nl.uint32), NAN, unknown)


def _exp2(dst: Tile, x: Tile) -> None:
    unknown = _unknown(x)
    n, r = parted(limited(x, -151.0, 129.0))
    scaled(dst, times_argument(EXP2, r, beside=_beside()), n)
    patch(dst.view(nl.uint32), NAN, unknown)


def _expm1(dst: Tile, x: Tile) -> None:
    """Scale by half of 2**n, of which the largest would be infinite: ``2 (2**(n - 1) s + 2**(n - 1) - 1 / 2)``."""
    inside = limited(x, -20.0, 89.0)
    n, r = reduced(inside)
    scale = power_of_two(arithmetic(nl.subtract, n, 1.0))
    fraction = add(multiply(times_argument(EXP, r), r), r)  # with half the error of the product (1 + ...) r
    product = multiply(fraction, scale)
    result = arithmetic(nl.multiply, then(scale, nl.subtract, 0.5, nl.add, product), 2.0).view(nl.uint32)
    patch(result, x.view(nl.uint32), is_below(x, 2.0**-25))
    patch(result, NAN, is_nan(x))
    copy(dst.view(nl.uint32), result)


_ERROR: Final = 1.25

EXPONENTIALS: Final = (
    Emitter("exp", 1, float_loops(_exp), _ERROR),
    Emitter("exp2", 1, float_loops(_exp2), _ERROR),
    Emitter("expm1", 1, float_loops(_expm1), 2.0),
)
