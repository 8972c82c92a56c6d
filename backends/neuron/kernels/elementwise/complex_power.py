"""
Powers of complex numbers: real and imaginary part of ``z**w = exp(w log(z))``, of finite numbers z that are not 0 and finite w.

The logarithm of the modulus, to base 2, and the angle, in quarters of a turn, are pairs with a relative error of 2**-31, since the product
with w can make hundreds of them. Half the logarithm of the sum of two squares is that of the modulus, with no loss near the unit circle,
as the sum is a pair; the angle is that of a point at 0, at arctan(1 / 2) or at an eighth of a turn, and the arctangent of at most 1 / 4.
On both axes and the diagonals angles are exact, so that powers there have no part that is not theirs.

Each of the two functions computes both logarithm and angle, as a function has one result. GpSimd bounds them, where most of the arithmetic
of pairs is done; of an exponent that is one number nothing is computed for each element but products with it.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from ....isa import nl
from ...function import DtypeLoop, Emitter, Tile
from .alu import add, arithmetic, bits, limited, multiply, subtract, then, twice
from .angle_reduction import Angle
from .exponential import EXP2, TO_INTEGER, parted, times_power
from .pair_arithmetic import Scaled, log2_of, sum_of_pairs
from .pairs import Pair, exact_product, exact_sum, halves, product, renormalized, split
from .polynomial import times_argument
from .power import MOST, Series, inverse_tangent
from .significand import magnitude_of, power_of_two
from .trigonometric import cosine

__all__ = ["ARCTANGENT", "COMPLEX_POWERS"]

ARCTANGENT: Final = (0.199999853, -0.142839931, 0.110416143, -0.0790352133)
"""(arctan(z) - z + z**3 / 3) / z**5 in powers of z**2, for abs(z) <= 1 / 4, lowest power first."""
_QUARTERS: Final = Series((-0.333251953125, -8.138020833333333e-05), ARCTANGENT, (0.63671875, -9.897763241861757e-05))  # 2 / pi
_STEP: Final = (0.295166015625, 1.2196758665261598e-06)
"""arctan(1 / 2) in quarters of a turn: 12 bits, and the rest."""
_TO_BASE_2: Final = (-2.2666015625, 0.0004214915864029223)
"""-pi / (2 log(2)), by which imaginary exponents make an exponent of 2 of an angle."""
_TO_QUARTERS: Final = (0.22064208984375, -6.489691098399142e-06)
"""log(2) / pi, by which they make an angle of twice the logarithm."""
_RIGHT_ANGLE: Final = 1.5707963267948966
_EVEN: Final = 2.0**24
"""Beyond it, all exponents are even numbers, and angles have no meaning."""
_WHOLE: Final = 1.5 * 2.0**35
"""As `TO_INTEGER`, to multiples of 2**12."""


def _polar(x: Tile, y: Tile) -> tuple[Pair, Pair]:
    """Give twice the logarithm of the modulus to base 2, and the angle in quarters of a turn."""
    sizes = [magnitude_of(part) for part in (x, y)]
    biased = bits(nl.right_shift, arithmetic(nl.maximum, *sizes).view(nl.uint32), 23)
    shift = limited(twice(biased, nl.multiply, -1.0, nl.add, 127.0), -126.0, 127.0)
    scale = power_of_two(shift)
    across, along = (multiply(size, scale) for size in sizes)
    return _logarithm(across, along, shift), _angle(across, along, x, y)


def _logarithm(across: Tile, along: Tile, shift: Tile) -> Pair:
    first, second = (exact_product(part, part) for part in (halves(across), halves(along)))
    total = exact_sum(first.high, second.high)
    squares = renormalized(total.high, add(total.low, add(first.low, second.low)))
    return log2_of(Scaled(squares, arithmetic(nl.multiply, shift, -2.0)))


def _angle(across: Tile, along: Tile, x: Tile, y: Tile) -> Pair:
    """Add what the arctangent has beyond a step to that step, and that to the axis, or take it away."""
    large, small = (arithmetic(op, across, along) for op in (nl.maximum, nl.minimum))
    one = then(large, nl.multiply, 0.25, nl.less_equal, small)
    two = then(large, nl.multiply, 0.75, nl.less_equal, small)
    steps = add(one, two)
    total = renormalized(large, then(steps, nl.multiply, 0.5, nl.multiply, small))
    numerator = subtract(small, then(steps, nl.multiply, 0.5, nl.multiply, large))  # of numbers that are near each other
    linear, cubic, rest = inverse_tangent(numerator, *total, _QUARTERS)
    step = then(one, nl.multiply, _STEP[0], nl.add, arithmetic(nl.multiply, two, 0.5 - _STEP[0]))
    first = renormalized(step, linear)
    second = renormalized(first.high, cubic.high)
    rest = add(rest, add(cubic.low, add(first.low, second.low)))
    rest = then(subtract(one, two), nl.multiply, _STEP[1], nl.add, rest)
    turned, left, below = (
        twice(test, nl.multiply, -2.0, nl.add, 1.0)
        for test in (arithmetic(nl.greater, along, across), *(arithmetic(nl.less, part.view(nl.int32), 0.0) for part in (x, y)))
    )
    axis = then(turned, nl.add, 1.0, nl.multiply, left)  # 2, 0 or -2 quarters less than 1
    axis = twice(axis, nl.multiply, -0.5, nl.add, 1.0)
    sign = multiply(turned, left)
    angle = renormalized(axis, multiply(second.high, sign))
    return Pair(multiply(angle.high, below), multiply(add(multiply(rest, sign), angle.low), below))


def _times(x: Pair, factor: tuple[float, float]) -> Pair:
    """Multiply halves by a constant."""
    small = then(x.low, nl.multiply, sum(factor), nl.add, arithmetic(nl.multiply, x.high, factor[1]))
    return split(renormalized(arithmetic(nl.multiply, x.high, factor[0]), small))


def _reduced(quarters: Pair, less: float) -> Angle:
    """Take whole quarters away, and count them, less so many."""
    whole = arithmetic(nl.subtract, arithmetic(nl.add, quarters.high, _WHOLE), _WHOLE)
    n, high = parted(subtract(quarters.high, whole))
    more, low = parted(quarters.low)
    count = then(n, nl.add, TO_INTEGER - less, nl.add, more)
    return Angle(Pair(*(arithmetic(nl.multiply, part, _RIGHT_ANGLE) for part in renormalized(high, low))), count.view(nl.uint32))


def _power(dst: Tile, x: Tile, y: Tile, exponent: Tile, imaginary: Tile, less: float) -> None:
    """Take the real part, or the imaginary one, which is that of an angle that is a quarter of a turn less."""
    logarithm, angle = map(split, _polar(x, y))
    along = halves(limited(exponent, -_EVEN, _EVEN))
    across = halves(limited(imaginary, -_EVEN, _EVEN))
    half = halves(arithmetic(nl.multiply, limited(exponent, -MOST, MOST), 0.5))
    size = sum_of_pairs(product(logarithm, half), product(angle, _times(across, _TO_BASE_2)))
    quarters = sum_of_pairs(product(angle, along), product(logarithm, _times(across, _TO_QUARTERS)))
    n, r = parted(limited(size.high, -151.0, 254.0))
    r = add(r, limited(size.low, -1.0, 1.0))
    fraction = times_argument(EXP2, r)
    times_power(dst, then(fraction, nl.add, 1.0, nl.multiply, cosine(_reduced(quarters, less))), n)


def _loops(less: float) -> dict[str, DtypeLoop]:
    return {"float32": DtypeLoop(partial(_power, less=less), "float32")}


COMPLEX_POWERS: Final = (
    Emitter("complex_power.real", 4, _loops(0.0), float("inf")),
    Emitter("complex_power.imaginary", 4, _loops(1.0), float("inf")),
)
