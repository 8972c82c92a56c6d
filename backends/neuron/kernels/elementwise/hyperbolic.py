"""
Hyperbolic functions of float32 and their inverses, within 2 units in the last place.

With ``abs(x) = n log(2) + r``, the sine and cosine of r are polynomials, and those of x are sums of them with weights
``2**n + 2**-n`` and ``2**n - 2**-n``, which do not cancel. The inverses are logarithms of sums that are kept as pairs, near 0
polynomials. Coefficients are nearly minimax ones, from the script beside the tests.
"""

from __future__ import annotations

from typing import Final

from ....isa import nl
from ...function import Emitter, Pair, Tile
from .alu import add, arithmetic, bits, copy, estimate, is_nan, multiply, patch, scratch, subtract, then, twice
from .exponential import EXP, reduced, scaled
from .logarithm import log_of_sum, with_one
from .pairs import inverse, renormalized, root
from .polynomial import times_argument
from .significand import INFINITY, NAN, is_below, is_finite, magnitude_of, sign_bit
from .widening import float_loops

__all__ = ["ARCSINH", "ARCTANH", "COSH", "HYPERBOLIC", "SINH", "SINH_AND_COSH", "TANH"]

SINH: Final = (0.166666668, 0.00833328862, 0.000199052033)
"""(sinh(r) - r) / r**3 in powers of r**2, for abs(r) <= log(2) / 2, lowest power first."""
COSH: Final = (0.500000008, 0.041666264, 0.00139464486)
"""(cosh(r) - 1) / r**2 in powers of r**2."""
TANH: Final = (-0.33333263, 0.133309, -0.05369297, 0.02048331, -0.00552863)
"""(tanh(x) - x) / x**3 in powers of x**2, for abs(x) <= 0.65."""
ARCSINH: Final = (-0.166666439, 0.074986633, -0.0443858672, 0.0281755623, -0.0132481047)
"""(arcsinh(x) - x) / x**3 in powers of x**2, for abs(x) <= 1 / 2."""
ARCTANH: Final = (0.333332988, 0.200025877, 0.142214871, 0.118339601, 0.0509855182, 0.177196468)
"""(arctanh(x) - x) / x**3 in powers of x**2, for abs(x) <= 1 / 2."""
_MOST: Final = 89.7
"""Beyond it sinh and cosh are infinite."""
_NEAR: Final = 0.625
_LARGE: Final = 2.0**20
"""From it on, 1 does not count beside the square."""
_TINY: Final = 2.0**-13


def _odd(coefficients: tuple[float, ...], x: Tile) -> Tile:
    """Evaluate a function of odd powers that begins with its argument."""
    return add(x, multiply(times_argument(coefficients, multiply(x, x)), x))


def _parts(x: Tile) -> tuple[Tile, Tile, Tile, Tile]:
    """
    Prepare the hyperbolic sine and cosine of abs(x).

    Gives, of r, the sine and what the cosine has beyond 1, and the weights that they have in the sine of x, divided by 2.
    """
    n, r = reduced(arithmetic(nl.minimum, magnitude_of(x), _MOST))
    square = multiply(r, r)
    sine = add(r, multiply(times_argument(SINH, square), r))
    up = bits(nl.left_shift, arithmetic(nl.add, n, 125.0, dtype=nl.uint32), 23).view(nl.float32)
    down = bits(nl.left_shift, twice(n, nl.multiply, -1.0, nl.add, 125.0, nl.uint32), 23).view(nl.float32)  # 0 where it does not count
    return sine, times_argument(COSH, square), add(up, down), subtract(up, down)


def _sinh_of(dst: Tile, x: Tile, parts: tuple[Tile, Tile, Tile, Tile], nan: Tile) -> None:
    sine, beyond, of_sine, of_cosine = parts
    small = add(multiply(of_cosine, beyond), multiply(of_sine, sine))
    result = arithmetic(nl.multiply, add(of_cosine, small), 2.0)
    patch(result, magnitude_of(x), is_below(x, _TINY))
    bits(nl.bitwise_or, result.view(nl.uint32), sign_bit(x), dst.view(nl.uint32))
    patch(dst.view(nl.uint32), NAN, nan)


def _cosh_of(dst: Tile, parts: tuple[Tile, Tile, Tile, Tile], nan: Tile) -> None:
    sine, beyond, of_cosine, of_sine = parts
    small = add(multiply(of_cosine, beyond), multiply(of_sine, sine))
    arithmetic(nl.multiply, add(of_cosine, small), 2.0, dst)
    patch(dst.view(nl.uint32), NAN, nan)


def _sinh(dst: Tile, x: Tile) -> None:
    _sinh_of(dst, x, _parts(x), is_nan(x))


def _cosh(dst: Tile, x: Tile) -> None:
    _cosh_of(dst, _parts(x), is_nan(x))


def _sinh_and_cosh(sine: Tile, cosine: Tile, x: Tile) -> None:
    parts, nan = _parts(x), is_nan(x)
    _sinh_of(sine, x, parts, nan)
    _cosh_of(cosine, parts, nan)


def _arcsinh(dst: Tile, x: Tile) -> None:
    magnitude = magnitude_of(x)
    inside = arithmetic(nl.minimum, magnitude, 2.0**30)
    square = multiply(inside, inside)
    half = root(arithmetic(nl.add, square, 1.0))
    total = renormalized(half.high, inside)
    result = _log_of_large(magnitude, *renormalized(total.high, add(total.low, half.low)))
    patch(result, _odd(ARCSINH, magnitude), arithmetic(nl.less, magnitude, 0.5, dtype=nl.uint8))
    patch(result, magnitude, arithmetic(nl.less, magnitude, _TINY, dtype=nl.uint8))
    bits(nl.bitwise_or, result.view(nl.uint32), sign_bit(x), dst.view(nl.uint32))
    patch(dst, x, is_finite(x), reverse=True)


def _log_of_large(x: Tile, total: Tile, lost: Tile) -> Tile:
    """Take the logarithm of a sum, or that of 2 x where x is so large that this is it."""
    large = arithmetic(nl.greater_equal, x, _LARGE)
    where = large.view(nl.uint32)
    patch(total, x, where)
    patch(lost, 0.0, where)
    return log_of_sum(total, lost, large)


def _arccosh(dst: Tile, x: Tile) -> None:
    """Take the logarithm of ``1 + (d + sqrt(d (d + 2)))`` with d = x - 1."""
    beyond = twice(x, nl.subtract, 1.0, nl.minimum, 2.0**30)
    half = root(then(beyond, nl.add, 2.0, nl.multiply, beyond))
    total = renormalized(half.high, beyond)
    total = renormalized(total.high, add(total.low, half.low))
    one_more, lost = with_one(total.high)
    result = _log_of_large(x, one_more, add(lost, total.low))
    copy(dst, result)
    patch(dst, x, is_finite(x), reverse=True)
    patch(dst, 0.0, arithmetic(nl.equal, x, 1.0, dtype=nl.uint8))
    patch(dst.view(nl.uint32), NAN, arithmetic(nl.less, x, 1.0, dtype=nl.uint8))


def _arctanh(dst: Tile, x: Tile) -> None:
    """Take half the logarithm of (1 + x) / (1 - x), which is ``2 / (1 - x) - 1``."""
    magnitude = magnitude_of(x)
    one_over = inverse(twice(magnitude, nl.multiply, -1.0, nl.add, 1.0))
    total = twice(one_over.high, nl.multiply, 2.0, nl.subtract, 1.0)
    result = arithmetic(nl.multiply, log_of_sum(*renormalized(total, arithmetic(nl.multiply, one_over.low, 2.0))), 0.5)
    patch(result, _odd(ARCTANH, magnitude), arithmetic(nl.less, magnitude, 0.5, dtype=nl.uint8))
    patch(result, magnitude, arithmetic(nl.less, magnitude, _TINY, dtype=nl.uint8))
    patch(result.view(nl.uint32), INFINITY, arithmetic(nl.equal, magnitude, 1.0, dtype=nl.uint8))
    patch(result.view(nl.uint32), NAN, arithmetic(nl.greater, magnitude, 1.0, dtype=nl.uint8))
    patch(result, x, is_nan(x))
    bits(nl.bitwise_or, result.view(nl.uint32), sign_bit(x), dst.view(nl.uint32))


def _tanh(dst: Tile, x: Tile) -> None:
    """Use a polynomial near 0, and beyond ``1 - 2 / (exp(2 x) + 1)`` with an estimated reciprocal that a step of Newton's refines."""
    magnitude = magnitude_of(x)
    n, r = reduced(twice(magnitude, nl.minimum, 12.0, nl.multiply, 2.0))
    denominator = scratch(x, nl.float32)
    scaled(denominator, times_argument((1.0, *EXP), r), n)
    denominator = arithmetic(nl.add, denominator, 1.0)
    reciprocal = estimate(nl.reciprocal, denominator)
    reciprocal = then(arithmetic(nl.multiply, denominator, reciprocal), nl.subtract, 2.0, nl.multiply, reciprocal)
    result = twice(reciprocal, nl.multiply, 2.0, nl.add, 1.0)
    patch(result, _odd(TANH, magnitude), arithmetic(nl.less, magnitude, _NEAR, dtype=nl.uint8))
    patch(result, magnitude, is_below(x, 2.0**-25))
    bits(nl.bitwise_or, result.view(nl.uint32), sign_bit(x), dst.view(nl.uint32))
    patch(dst, x, is_nan(x))


HYPERBOLIC: Final = (
    Emitter("sinh", 1, float_loops(_sinh), 2.0),
    Emitter("cosh", 1, float_loops(_cosh), 2.0),
    Emitter("tanh", 1, float_loops(_tanh), 2.0),
    Emitter("arcsinh", 1, float_loops(_arcsinh), 2.0),
    Emitter("arccosh", 1, float_loops(_arccosh), 2.0),
    Emitter("arctanh", 1, float_loops(_arctanh), 2.0),
)
SINH_AND_COSH: Final = Pair("sinh and cosh", ("sinh", "cosh"), float_loops(_sinh_and_cosh, results=2))
