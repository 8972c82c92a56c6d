"""
Exponentials, logarithms and the hyperbolic tangent of float32.

Arguments are reduced as W. J. Cody and W. Waite do (Software Manual for the Elementary Functions, 1980): a multiple of log 2 whose product
is exact is taken away, and the small rest of that. On what is left a polynomial is within 2**-26 of the function; its coefficients are
nearly minimax ones for the interval (C. L. Lawson's reweighted least squares), which a test derives anew. Results are within 2 units in
the last place for all inputs, most within 1.25, under every reading of how two-operator instructions round.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ....isa import nisa, nl
from .emitter import LOW_FLOATS, Cost, Emitter, Loop, Tile, loops
from .significand import INFINITY, MAGNITUDE, NAN, decompose, is_infinite, is_zero
from .tile import arithmetic, bits, copy, in_dtype, is_nan, limited, patch, scratch, then

__all__ = ["EXP", "EXP2", "EXPONENTIALS", "LOG", "TANH"]

_LOG2_E: Final = 1.4426950408889634
_LOG_2: Final = (0.693145751953125, 1.4286068203094172e-06)  # 16 bits, and the rest
_LOG10_2: Final = (0.30103302001953125, -3.0243555500547862e-06)
_SQRT_2: Final = 1.4142135623730951
_TO_INTEGER: Final = 1.5 * 2.0**23
"""Added to a number of less than 22 bits and taken away again, it rounds that to an integer."""

EXP: Final = (0.50000001, 0.16666518, 0.0416662, 0.00836895, 0.00139506)
"""(exp(r) - 1 - r) / r**2 for abs(r) <= log(2) / 2, lowest power first."""
EXP2: Final = (0.6931471805599453, 0.240226512, 0.0555036146, 0.00961802235, 0.00133905517, 0.000154719717)
"""(2**r - 1) / r for abs(r) <= 1 / 2."""
LOG: Final = (0.33333317, -0.25000813, 0.20002294, -0.1662445, 0.1418095, -0.13129615, 0.1288373, -0.0785972)
"""(log(1 + f) - f + f**2 / 2) / f**3 for sqrt(1/2) <= 1 + f <= sqrt(2)."""
TANH: Final = (-0.33333263, 0.133309, -0.05369297, 0.02048331, -0.00552863)
"""(tanh(x) - x) / x**3 in powers of x**2, for abs(x) <= 0.65."""
_NEAR: Final = 0.625


def _twice(x: Tile, op0: Any, first: float, op1: Any, second: float, dtype: str = nl.float32) -> Tile:
    """Combine ``(x op0 first) op1 second``, where a rounding in between does not count."""
    dst = scratch(x, dtype)
    nisa.tensor_scalar(dst, x, op0, first, op1=op1, operand1=second)
    return dst


def _times_argument(coefficients: Sequence[float], r: Tile) -> Tile:
    """Evaluate a polynomial times its argument, by Horner's scheme: two cycles per coefficient."""
    result = arithmetic(nl.multiply, r, coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        result = then(result, nl.add, coefficient, nl.multiply, r)
    return result


def _power(dst: Tile, fraction: Tile, n: Tile) -> None:
    """
    Scale: ``(1 + fraction) * 2**n`` for -160 < n < 130.

    In two steps, so that a subnormal result is rounded once; infinity where it is too large.
    """
    near = limited(n, -100.0, 127.0)
    scale = bits(nl.left_shift, arithmetic(nl.add, near, 127.0, dtype=nl.uint32), 23).view(nl.float32)
    rest = then(near, nl.subtract, 127.0, nl.subtract, n, dtype=nl.uint32, reverse=True)
    result = then(fraction, nl.add, 1.0, nl.multiply, scale)
    arithmetic(nl.multiply, result, bits(nl.left_shift, rest, 23).view(nl.float32), dst, engine=nisa.engine.gpsimd)


def _reduced(x: Tile) -> tuple[Tile, Tile]:
    """Give n and r with ``x = n log(2) + r`` and abs(r) < 0.35; abs(x) < 110."""
    n = arithmetic(nl.subtract, _twice(x, nl.multiply, _LOG2_E, nl.add, _TO_INTEGER), _TO_INTEGER)
    return n, then(n, nl.multiply, -_LOG_2[1], nl.add, then(n, nl.multiply, -_LOG_2[0], nl.add, x))


def _exp(dst: Tile, x: Tile) -> None:
    unknown = is_nan(x)
    n, r = _reduced(limited(x, -104.0, 89.0))
    _power(dst, _times_argument((1.0, *EXP), r), n)
    patch(dst.view(nl.uint32), NAN, unknown)


def _exp2(dst: Tile, x: Tile) -> None:
    unknown = is_nan(x)
    inside = limited(x, -151.0, 129.0)
    n = arithmetic(nl.subtract, arithmetic(nl.add, inside, _TO_INTEGER), _TO_INTEGER)
    _power(dst, _times_argument(EXP2, arithmetic(nl.subtract, inside, n, engine=nisa.engine.gpsimd)), n)
    patch(dst.view(nl.uint32), NAN, unknown)


def _logarithm(x: Tile) -> tuple[Tile, Tile, Tile]:
    """Give f and y with ``log(x) = e log(2) + (f + y)``, f exact and abs(y) < abs(f) / 2, and e."""
    parts = decompose(x)
    above = arithmetic(nl.greater, parts.significand, _SQRT_2)
    half = then(above, nl.multiply, -0.5, nl.multiply, parts.significand)
    f = then(parts.significand, nl.subtract, 1.0, nl.add, half)
    square = arithmetic(nl.multiply, f, f, engine=nisa.engine.gpsimd)
    y = arithmetic(nl.multiply, _times_argument(LOG, f), square, engine=nisa.engine.gpsimd)
    y = then(square, nl.multiply, -0.5, nl.add, y)
    return f, y, then(parts.exponent, nl.subtract, 127.0, nl.add, above)


def _finish(dst: Tile, result: Tile, x: Tile) -> None:
    """Put in what logarithms are of zeros, negative numbers, infinity and NaN."""
    result = result.view(nl.uint32)
    magnitude = bits(nl.bitwise_and, x.view(nl.uint32), MAGNITUDE)
    patch(result, INFINITY, is_infinite(magnitude))
    patch(result, NAN, arithmetic(nl.less, x.view(nl.int32), 0.0, dtype=nl.uint8))
    patch(result, 0xFF800000, is_zero(magnitude))
    patch(result, NAN, is_nan(x))
    copy(dst.view(nl.uint32), result)


def _log(dst: Tile, x: Tile) -> None:
    f, y, e = _logarithm(x)
    small = arithmetic(nl.add, then(e, nl.multiply, _LOG_2[1], nl.add, y), f, engine=nisa.engine.gpsimd)
    _finish(dst, then(e, nl.multiply, _LOG_2[0], nl.add, small), x)


def _split(f: Tile, y: Tile) -> tuple[Tile, Tile]:
    """Give f + y as a number of 12 bits and the rest."""
    total = arithmetic(nl.add, f, y, engine=nisa.engine.gpsimd)
    upper = bits(nl.bitwise_and, total.view(nl.uint32), 0xFFFFF000).view(nl.float32)
    return upper, arithmetic(nl.add, arithmetic(nl.subtract, f, upper, engine=nisa.engine.gpsimd), y, engine=nisa.engine.gpsimd)


def _in_base(high: float, low: float, e_high: float, e_low: float) -> Callable[[Tile, Tile], None]:
    """Make a logarithm of another base: `high` has 12 bits and `high` + `low` is 1 / log(base)."""

    def emit(dst: Tile, x: Tile) -> None:
        f, y, e = _logarithm(x)
        upper, lower = _split(f, y)
        small = then(upper, nl.multiply, low, nl.add, arithmetic(nl.multiply, lower, high + low))
        if e_low:
            small = then(e, nl.multiply, e_low, nl.add, small)
        near = then(upper, nl.multiply, high, nl.add, small)
        _finish(dst, then(e, nl.multiply, e_high, nl.add, near), x)

    return emit


def _through_float32(emit: Callable[[Tile, Tile], None]) -> Callable[[Tile, Tile], None]:
    def through(dst: Tile, x: Tile) -> None:
        result = scratch(dst, nl.float32)
        emit(result, in_dtype(x, nl.float32))
        copy(dst, result)

    return through


def _rows(emit: Callable[[Tile, Tile], None], cost: Cost) -> dict[str, Loop]:
    low = Cost(cost.vector + 2, cost.scalar, cost.gpsimd, cost.scratch + 4)
    return {**loops(("float32",), emit, cost), **loops(LOW_FLOATS, _through_float32(emit), low)}


def _is_tiny(x: Tile) -> Tile:
    """Find numbers whose square does not count beside them."""
    magnitude = bits(nl.bitwise_and, x.view(nl.uint32), MAGNITUDE)
    return arithmetic(nl.less, magnitude.view(nl.float32), 2.0**-25, dtype=nl.uint8)


def _expm1(dst: Tile, x: Tile) -> None:
    """Scale by half of 2**n, of which the largest would be infinite: ``2 (2**(n - 1) s + 2**(n - 1) - 1 / 2)``."""
    inside = limited(x, -20.0, 89.0)
    n, r = _reduced(inside)
    scale = bits(nl.left_shift, arithmetic(nl.add, n, 126.0, dtype=nl.uint32), 23).view(nl.float32)
    fraction = arithmetic(nl.multiply, _times_argument(EXP, r), r, engine=nisa.engine.gpsimd)
    fraction = arithmetic(nl.add, fraction, r, engine=nisa.engine.gpsimd)  # with half the error of the product (1 + ...) r
    product = arithmetic(nl.multiply, fraction, scale, engine=nisa.engine.gpsimd)
    result = arithmetic(nl.multiply, then(scale, nl.subtract, 0.5, nl.add, product), 2.0).view(nl.uint32)
    patch(result, x.view(nl.uint32), _is_tiny(x))
    patch(result, NAN, is_nan(x))
    copy(dst.view(nl.uint32), result)


def _log1p(dst: Tile, x: Tile) -> None:
    """Take the logarithm of 1 + x rounded, and correct it by what the sum has lost, divided by the sum's power of two."""

    def subtract(left: Tile | float, right: Tile) -> Tile:
        return arithmetic(nl.subtract, left, right)

    total = arithmetic(nl.add, x, 1.0)
    back = arithmetic(nl.subtract, total, 1.0)
    lost = arithmetic(nl.add, subtract(1.0, subtract(total, back)), subtract(x, back), engine=nisa.engine.gpsimd)
    f, y, e = _logarithm(total)
    power = bits(nl.left_shift, _twice(limited(e, -30.0, 100.0), nl.multiply, -1.0, nl.add, 127.0, nl.uint32), 23).view(nl.float32)
    lost = then(f, nl.subtract, 1.0, nl.multiply, arithmetic(nl.multiply, lost, power, engine=nisa.engine.gpsimd))
    small = subtract(then(e, nl.multiply, _LOG_2[1], nl.add, y), lost)
    small = arithmetic(nl.add, small, f, engine=nisa.engine.gpsimd)
    result = then(e, nl.multiply, _LOG_2[0], nl.add, small)
    patch(result, x, _is_tiny(x))
    _finish(dst, result, total)


def _tanh(dst: Tile, x: Tile) -> None:
    """Use a polynomial near 0, and beyond ``1 - 2 / (exp(2 x) + 1)`` with an estimated reciprocal that a step of Newton's refines."""
    magnitude = bits(nl.bitwise_and, x.view(nl.uint32), MAGNITUDE).view(nl.float32)
    near = arithmetic(nl.less, magnitude, _NEAR, dtype=nl.uint8)
    unknown = is_nan(x)
    n, r = _reduced(_twice(magnitude, nl.minimum, 12.0, nl.multiply, 2.0))
    denominator = scratch(x, nl.float32)
    _power(denominator, _times_argument((1.0, *EXP), r), n)
    denominator = arithmetic(nl.add, denominator, 1.0)
    reciprocal = scratch(x, nl.float32)
    nisa.activation(reciprocal, nl.reciprocal, denominator)
    reciprocal = then(arithmetic(nl.multiply, denominator, reciprocal), nl.subtract, 2.0, nl.multiply, reciprocal)
    result = _twice(reciprocal, nl.multiply, 2.0, nl.add, 1.0)
    square = arithmetic(nl.multiply, magnitude, magnitude, engine=nisa.engine.gpsimd)
    patch(result, then(_times_argument(TANH, square), nl.add, 1.0, nl.multiply, magnitude), near)
    sign = bits(nl.bitwise_and, x.view(nl.uint32), 0x80000000)
    result = bits(nl.bitwise_or, result.view(nl.uint32), sign)
    patch(result, x.view(nl.uint32), _is_tiny(x))
    patch(result, NAN, unknown)
    copy(dst.view(nl.uint32), result)


_ERROR: Final = 1.25

EXPONENTIALS: Final = (
    Emitter("exp", 1, _rows(_exp, Cost(30, 0, 2, 24)), _ERROR),
    Emitter("exp2", 1, _rows(_exp2, Cost(26, 0, 4, 24)), _ERROR),
    Emitter("log", 1, _rows(_log, Cost(52, 0, 6, 28)), _ERROR),
    Emitter("log2", 1, _rows(_in_base(1.44287109375, -0.00017605286103659264, 1.0, 0.0), Cost(56, 0, 10, 28)), _ERROR),
    Emitter("log10", 1, _rows(_in_base(0.434326171875, -3.168997174817235e-05, *_LOG10_2), Cost(58, 0, 10, 28)), _ERROR),
    Emitter("expm1", 1, _rows(_expm1, Cost(30, 0, 6, 20)), 2.0),
    Emitter("log1p", 1, _rows(_log1p, Cost(70, 0, 10, 34)), 2.0),
    Emitter("tanh", 1, _rows(_tanh, Cost(59, 1, 4, 30)), 2.0),
)
