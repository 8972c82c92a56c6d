"""
The zeta function of B. Riemann of float32, within 6 units in the last place.

From -1 to 5 it is a polynomial over x - 1, beyond that 1 and a polynomial in ``2**(-x / 2)``, and below, with m = -x,
``-2 sin(pi m / 2) (2 pi)**(-1 - m) gamma(m + 1) zeta(m + 1)``, where the gamma function is by Stirling's series and the exponent a
pair (NIST Digital Library of Mathematical Functions, 25.4). The coefficients are nearly minimax ones, from the script beside the tests.
"""

from __future__ import annotations

from typing import Final

from ....isa import nisa, nl
from ...function import Emitter, Tile
from .alu import SIGN, add, arithmetic, bits, bits_twice, copy, is_nan, limited, multiply, patch, scratch, then, twice
from .exponential import EXP2, parted, times_power
from .half_turns import sine
from .pairs import quotient
from .polynomial import polynomial, times_argument
from .registers import greatest, turns
from .significand import INFINITY, LARGEST, NAN, magnitude_of, power_of_two
from .widening import float_loops
from .zeta import log_factorial

__all__ = ["ABOUT_ONE", "BEYOND_ONE", "REACH", "RIEMANN_ZETA"]

REACH: Final = (-1.0, 5.0)
"""Where it is a polynomial over x - 1."""
ABOUT_ONE: Final = (
    0.5, 0.41893854, 0.0842396955, -0.00239306744, -0.000905889879, 0.000122683798, -6.62874991e-07, -1.48065534e-06, 1.88990757e-07,
    -1.09204139e-08, 2.55149413e-10,
)  # fmt: skip
"""(x - 1) zeta(x) in powers of x, for -1 <= x <= 5, lowest power first."""
BEYOND_ONE: Final = (0.99921991, 0.494507014, 4.43518753, -21.7843023, 131.965463, -395.884707, 532.954211)
"""(zeta(x) - 1) 2**x in powers of 2**(-x / 2), for 5 <= x."""
_ONE: Final = 26.0
"""Of x, from where on it is 1."""
_MOST: Final = 90.0
"""Of -x, from where on what is not 0 is infinite."""
_LOG2_2_PI_E: Final = (4.094191074371338, 9.598994665793725e-08)


def _above(x: Tile) -> Tile:
    """Compute it from -1 on, but for its pole."""
    inside = limited(x, *REACH)
    result = add(*quotient(polynomial(ABOUT_ONE, inside), arithmetic(nl.subtract, inside, 1.0)))
    n, r = parted(arithmetic(nl.multiply, limited(x, REACH[1], _ONE), -0.5))
    root = then(times_argument(EXP2, r), nl.add, 1.0, nl.multiply, power_of_two(n))
    more = multiply(polynomial(BEYOND_ONE, root), multiply(root, root))
    patch(result, arithmetic(nl.add, more, 1.0), arithmetic(nl.greater, x, REACH[1], dtype=nl.uint8))
    return result


def _reflected(value: Tile, x: Tile) -> Tile:
    """Compute it below -1, of its value at 1 - x."""
    magnitude = magnitude_of(x)
    of = sine(arithmetic(nl.multiply, magnitude, 0.5))
    size = multiply(add(*of.value), value)
    exponent = log_factorial(limited(magnitude, -REACH[0], _MOST), _LOG2_2_PI_E)
    n, r = parted(exponent.high)
    grown = add(multiply(times_argument(EXP2, add(r, exponent.low)), size), size)
    result = scratch(x, nl.float32)
    times_power(result, grown, n)
    sign = bits_twice(of.integer, nl.left_shift, 31, nl.bitwise_xor, SIGN[4])
    result = bits(nl.bitwise_xor, result.view(nl.uint32), sign).view(nl.float32)
    patch(result, 0.0, arithmetic(nl.equal, of.square, 0.0, dtype=nl.uint8))
    return result


def _zeta(dst: Tile, x: Tile) -> None:
    below = arithmetic(nl.less, x, REACH[0])
    argument = copy(scratch(x, nl.float32), x)
    patch(argument, twice(x, nl.multiply, -1.0, nl.add, 1.0), below.view(nl.uint32))
    result = _above(argument)
    some = scratch(x, nl.float32, 1)
    nisa.tensor_reduce(some, nl.maximum, below, axis=1)
    nl.fori_loop(0, turns(greatest(some)), lambda _: patch(result, _reflected(result, x), below.view(nl.uint32)))
    patch(result.view(nl.uint32), INFINITY, arithmetic(nl.equal, x, 1.0, dtype=nl.uint8))
    patch(result.view(nl.uint32), NAN, arithmetic(nl.less, x, -LARGEST, dtype=nl.uint8))
    patch(result.view(nl.uint32), NAN, is_nan(x))
    copy(dst, result)


RIEMANN_ZETA: Final = (Emitter("special.riemann_zeta", 1, float_loops(_zeta), 6.0),)
