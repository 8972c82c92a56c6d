"""Division of float32 of moderate size: a quotient of two digits of 12 bits, and what is left decides the last bit.

Schoolbook division with digits whose products are exact (T. J. Dekker, "A floating-point technique for extending the available
precision", Numer. Math. 18, 1971). Where quotients are normal numbers and no remainder is subnormal, floating-point addition puts the
digits together and scales by itself. Signs go beside: they are those of the first estimate, also for zeros.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from ....isa import nisa, nl
from ...function import Tile
from .alu import arithmetic, bits, estimate, scratch, subtract, then
from .integer import low_part
from .pairs import halves
from .registers import greatest, turns
from .significand import INFINITY, magnitude_of, sign_bit

__all__ = ["Quotient", "moderate_quotient"]

_UPPER: Final = 0x7FFFF000  # the upper 12 bits of a significand, and no sign
_DENOMINATORS: Final = (-41, 41)  # binary exponents between which the Scalar Engine's reciprocal is valid, with a margin for the scale
_NUMERATORS: Final = (-58, 62)  # quotients are then from 2**-100 on, and remainders from 2**-105
_BIAS: Final = 127


class Quotient(NamedTuple):
    """
    Rounded quotients, but for the last step.

    Attributes
    ----------
    magnitude : NkiTensor
        In float32: the magnitude, or the number below it.
    rest : NkiTensor
        uint32: the sign bit, and 1 for the number below. The sum of this and the bits of the magnitude are those of the quotient.
    others : NkiScalar
        1 if the tiles have numbers for which the two say nothing, else 0: turns of a loop.
    """

    magnitude: Tile
    rest: Tile
    others: Any


def moderate_quotient(x: Tile, y: Tile, few_bits: bool) -> Quotient:
    """
    Divide; 13 cycles per element of the Vector Engine, 18 of GpSimd and 8 of the Scalar Engine, which multiplies by divisors of whole rows.

    Notes
    -----
    In units of the quotient's exponent, with estimates that are right to 2**-15: the first one is too large by 0.7 to 1.3 times 2**-13, so
    that cut to 12 bits it is within 0.82 * 2**-11, and its remainder has 24 bits. The estimate of the lower digit is within
    0.82 * 2**-26; less 2**-26 ... 2**-25 it is too small, by less than 2**-24, so that the sum is the rounded quotient or the number
    below. It is the latter if what then remains is more than half a unit in its last place times the denominator.
    """
    numerator, denominator = magnitude_of(x), estimate(nl.abs, y)
    others = _immoderate(numerator, denominator)
    near = _times(x, estimate(nl.reciprocal, y, 1.0 if few_bits else 1.0 - 2.0**-13))
    reciprocal = estimate(nl.reciprocal, denominator)
    rest = sign_bit(near)
    upper = bits(nl.bitwise_and, near.view(nl.uint32), _UPPER).view(nl.float32)
    if few_bits:
        remainder = subtract(numerator, _times(upper, denominator))
        return Quotient(arithmetic(nl.add, _times(remainder, reciprocal), upper), rest, others)
    high, low = halves(denominator)
    even = numerator.shape[1] == denominator.shape[1] and nisa.get_nc_version() >= nisa.nc_version.gen3  # GpSimd has the least to spare
    remainder = subtract(numerator, _times(upper, high))
    remainder = arithmetic(nl.subtract, remainder, _times(upper, low), engine=None if even else nisa.engine.gpsimd)
    less = then(upper, nl.multiply, -(2.0**-26), nl.add, _times(remainder, reciprocal))
    quotient = arithmetic(nl.add, upper, less)
    lower = arithmetic(nl.subtract, quotient, upper)
    remainder = subtract(remainder, _times(lower, high))
    remainder = arithmetic(nl.subtract, remainder, _times(lower, low, nisa.engine.vector))
    power = bits(nl.bitwise_and, quotient.view(nl.uint32), INFINITY).view(nl.float32)
    half = then(power, nl.multiply, 2.0**-24, nl.multiply, denominator)
    arithmetic(nl.greater, remainder, half, low_part(rest, nl.uint16))
    return Quotient(quotient, rest, others)


def _times(left: Tile, right: Tile, wide: Any = nisa.engine.gpsimd) -> Tile:
    """Multiply by tiles on an engine, by a number for each row on the Scalar Engine, from NeuronCore-v3 on."""
    narrow = right.shape[1] < left.shape[1] and nisa.get_nc_version() >= nisa.nc_version.gen3
    return arithmetic(nl.multiply, left, right, engine=nisa.engine.scalar if narrow else wide)


def _immoderate(numerator: Tile, denominator: Tile) -> Any:
    """
    Look for magnitudes out of range.

    Exponents are read from the bits, so that subnormal numbers and NaN are found whatever an engine makes of them.
    """
    found = scratch(denominator, nl.float32, 4)
    low, high, small, large = (found[:, column : column + 1] for column in range(4))
    _sum(nl.relu, denominator, -(2.0**-23), _BIAS + _DENOMINATORS[0], low)
    _sum(nl.relu, denominator, 2.0**-23, -_BIAS - _DENOMINATORS[1], high)
    _sum(nl.relu, numerator, 2.0**-23, -_BIAS - _NUMERATORS[1], large)
    _sum(nl.sign, numerator, -(2.0**-23), _BIAS + _NUMERATORS[0], small)  # those below, less the others
    zeros = scratch(denominator, nl.float32, 1)
    _sum(nl.relu, numerator, -1.0, 1.0, zeros)
    arithmetic(nl.add, then(zeros, nl.multiply, -2.0, nl.add, small), float(numerator.shape[1]), small)
    most = scratch(denominator, nl.float32, 1)
    nisa.tensor_reduce(most, nl.maximum, found, axis=1)
    return turns(arithmetic(nl.greater, greatest(most), 0.0))


def _sum(function: Any, magnitude: Tile, scale: float, number: float, dst: Tile) -> None:
    """Sum a function of ``scale * bits + number`` over the free axis."""
    bias = scratch(magnitude, nl.float32, 1)
    nisa.memset(bias, float(number))
    terms = scratch(magnitude, nl.bfloat16)
    nisa.activation(
        terms, function, magnitude.view(nl.uint32), bias, scale, reduce_op=nl.add, reduce_res=dst, reduce_cmd=nisa.reduce_cmd.reset_reduce
    )
