"""Division, reciprocal and square root of float32, correctly rounded for all inputs.

An estimate of the Scalar Engine (`reciprocal`, `sqrt`) is rounded to 12 bits; its exact remainder, from products of 12-bit halves
(T. J. Dekker, "A floating-point technique for extending the available precision", Numer. Math. 18, 1971), gives the other bits; and the
exact remainder of all 24 bits decides the last one, as in software division with remainders (P. Markstein, "Computation of
elementary functions on the IBM RISC System/6000 processor", IBM J. Res. Dev. 34, 1990), without a fused multiply-add.

Quotients of moderate numbers are made so as they are. Where a tile has others, a loop of the device turns once, and all of the tile is
taken apart into significands and exponents first.

The estimates may be wrong by 2**-15 relatively, 256 units in the last place: their error on hardware is not published, and this is far
more than a table with a use for float32 should have. They are asked for arguments in [1, 4] only. All numbers in between are normal and
every result is put together from its bits, so that engines that flush subnormal numbers give subnormal results all the same.
Differences and products go to GpSimd, the rest to the Vector Engine, which bounds.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from ....isa import nisa, nl
from ...function import FLOATS, NARROW_INTEGERS, DtypeLoop, Emit, Emitter, Tile, loops
from .alu import SIGN, add, arithmetic, bits, copy, estimate, in_dtype, is_nan, multiply, patch, scratch, subtract, then
from .integer import native
from .moderate_division import moderate_quotient
from .pairs import halves
from .registers import rarely
from .significand import FRACTION, INFINITY, NAN, compose, decompose, is_infinite, is_zero, sign_of

__all__ = ["DIVISION"]

_ULP: Final = 2.0**-23  # of numbers in [1, 2)
_TO_12_BITS: Final = 2.0**12  # added to a number in [1, 2] and taken away again, it leaves 12 bits


def _to_12_bits(x: Tile) -> Tile:
    return arithmetic(nl.subtract, arithmetic(nl.add, x, _TO_12_BITS), _TO_12_BITS)


def _short_quotient(a: Tile, b: Tile) -> Tile:
    """
    Divide numbers of 11 bits, as `_quotient`; the quotient is off by 2**-24 at most.

    No such quotient is closer than 2**-23 to a number of 12 bits without being it, so that rounding it to 11 bits is right.
    """
    reciprocal = estimate(nl.reciprocal, b)
    upper = _to_12_bits(multiply(a, reciprocal))
    remainder = subtract(a, multiply(upper, b))
    return arithmetic(nl.add, multiply(remainder, reciprocal), upper)


def _quotient(a: Tile, b: Tile) -> tuple[Tile, Tile]:
    """
    Divide: 1 <= b < 2 and 1 <= a / b < 2; give the rounded quotient and the sign of what the exact one has beyond it.

    Every product is one of 12-bit numbers, every difference a multiple of the last place of one of its operands and small: both
    exact. The estimate of the lower bits is off by less than 2**-26.5; less 2**-26 it is too small, by less than 2**-25, so that the
    sum is the rounded quotient or the number below.
    """
    reciprocal = estimate(nl.reciprocal, b)
    upper = _to_12_bits(multiply(a, reciprocal))
    high, low = halves(b)
    remainder = subtract(subtract(a, multiply(upper, high)), multiply(upper, low))
    quotient = then(multiply(remainder, reciprocal), nl.subtract, 2.0**-26, nl.add, upper)
    lower = subtract(quotient, upper)
    remainder = subtract(subtract(remainder, multiply(lower, high)), multiply(lower, low))
    short = then(b, nl.multiply, _ULP / 2, nl.less, remainder)
    beyond = sign_of(subtract(remainder, then(short, nl.multiply, _ULP, nl.multiply, b)))
    return then(short, nl.multiply, _ULP, nl.add, quotient), beyond


def _divide(dst: Tile, x: Tile, y: Tile, few_bits: bool = False) -> None:
    """Divide float32; `few_bits` promises that they have 11 and that the result will be rounded to as many."""
    result = moderate_quotient(x, y, few_bits)

    def again(_: Any) -> None:
        copy(result.magnitude.view(nl.uint32), _quotient_by_parts(x, y, few_bits))
        nisa.memset(result.rest, 0)

    def finish() -> None:
        native(nl.add, result.magnitude.view(nl.int32), result.rest.view(nl.int32), dst.view(nl.int32))

    rarely(result.others, again, finish)


def _quotient_by_parts(x: Tile, y: Tile, few_bits: bool) -> Tile:
    """Divide numbers of all exponents; give the bits of the result."""
    numerator, denominator = decompose(x), decompose(y)
    less = arithmetic(nl.less, numerator.significand, denominator.significand)
    a = then(less, nl.add, 1.0, nl.multiply, numerator.significand)
    b = denominator.significand
    quotient, beyond = (_short_quotient(a, b), None) if few_bits else _quotient(a, b)
    exponent = then(less, nl.subtract, 127.0, nl.subtract, subtract(numerator.exponent, denominator.exponent), reverse=True)
    result = compose(quotient, exponent, beyond)
    zero = then(numerator.magnitude, nl.equal, 0.0, nl.add, is_infinite(denominator.magnitude), dtype=nl.uint8)
    infinite = then(denominator.magnitude, nl.equal, 0.0, nl.add, is_infinite(numerator.magnitude), dtype=nl.uint8)
    patch(result, 0, zero)
    patch(result, INFINITY, infinite)
    patch(result, NAN, arithmetic(nl.multiply, zero, infinite, dtype=nl.uint8))
    both = add(x, y)
    patch(result, NAN, is_nan(both))  # infinities of different signs come in between, and give NaN, too
    left, right = x.view(nl.uint32), y.view(nl.uint32)
    left, right = (right, left) if left.shape[1] < right.shape[1] else (left, right)
    sign = bits(nl.bitwise_and, bits(nl.bitwise_xor, left, right), SIGN[4])
    return bits(nl.bitwise_or, result, sign, result)


def _reciprocal(dst: Tile, x: Tile, few_bits: bool = False) -> None:
    one = scratch(x, nl.float32, 1)
    nisa.memset(one, 1.0)
    _divide(dst, one, x, few_bits)


def _root(m: Tile, few_bits: bool) -> Tile:
    """
    Take the square root, rounded, of 1 <= m < 4.

    As `_quotient`, with the root upper + lower and m - upper**2 = lower (2 upper + lower). A number in the middle of two float32 is no
    root of one. The last remainder may need 25 bits, but only where it is so large that its rounding does not matter.
    """
    near = estimate(nl.sqrt, m)
    upper = _to_12_bits(near)
    remainder = subtract(m, multiply(upper, upper))
    reciprocal = estimate(nl.reciprocal, arithmetic(nl.add, near, upper))
    if few_bits:
        return arithmetic(nl.add, multiply(remainder, reciprocal), upper)
    root = then(multiply(remainder, reciprocal), nl.subtract, 2.0**-25, nl.add, upper)
    lower = subtract(root, upper)
    remainder = then(multiply(upper, lower), nl.multiply, -2.0, nl.add, remainder)
    remainder = subtract(remainder, multiply(lower, lower))
    short = then(root, nl.multiply, _ULP, nl.less, remainder)
    return then(short, nl.multiply, _ULP, nl.add, root)


def _sqrt(dst: Tile, x: Tile, few_bits: bool = False) -> None:
    parts = decompose(x)
    exponent = arithmetic(nl.add, parts.exponent, 129.0, dtype=nl.uint32)  # unbiased, plus 256
    odd = bits(nl.bitwise_and, exponent, 1)
    root = _root(then(odd, nl.add, 1.0, nl.multiply, parts.significand), few_bits)
    half = arithmetic(nl.subtract, bits(nl.right_shift, exponent, 1), 1.0, dtype=nl.uint32)
    fraction = bits(nl.bitwise_and, root.view(nl.uint32), FRACTION)
    result = bits(nl.bitwise_or, bits(nl.left_shift, half, 23), fraction)
    patch(result, INFINITY, is_infinite(parts.magnitude))
    patch(result, NAN, arithmetic(nl.less, x.view(nl.int32), 0.0, dtype=nl.uint8))
    patch(result, 0, is_zero(parts.magnitude))
    patch(result, NAN, is_nan(x))
    sign = bits(nl.bitwise_and, x.view(nl.uint32), SIGN[4])
    bits(nl.bitwise_or, result, sign, dst.view(nl.uint32))


def _emit(emit: Emit) -> Emit:
    """Compute in float32, and round to the loop dtype where that is a low one."""

    def through_float32(dst: Tile, *operands: Tile) -> None:
        operands = tuple(in_dtype(operand, nl.float32) for operand in operands)
        if dst.dtype == nl.float32:
            emit(dst, *operands)
        else:
            result = scratch(dst, nl.float32)
            emit(result, *operands, few_bits=True)
            copy(dst, result)

    return through_float32


def _rows(emit: Emit, arity: int, late: bool = False) -> dict[str, DtypeLoop]:
    found = loops(FLOATS, _emit(emit), may_alias=tuple(range(arity)))
    return {**found, "float32": replace(found["float32"], late=late)}


def _reciprocal_of_integer(dst: Tile, x: Tile) -> None:
    """Divide 1 by integers, towards 0: whatever is neither 1 nor -1 gives 0."""
    x = in_dtype(x, dst.dtype)
    masks = [arithmetic(nl.equal, x, number, dtype=nl.uint8) for number in (1.0, -1.0)]
    nisa.memset(dst, 0)
    for mask in masks:
        patch(dst, x, mask)


def _reciprocal_of_int32(dst: Tile, x: Tile) -> None:
    """Give the least integer for 0, as NumPy's loop does on x86-64."""
    zero = arithmetic(nl.equal, in_dtype(x, dst.dtype), 0.0, dtype=nl.uint8)
    least = scratch(dst, nl.int32)
    nisa.memset(least, -(2**31))
    _reciprocal_of_integer(dst, x)
    patch(dst, least, zero)


DIVISION: Final = (
    Emitter("divide", 2, _rows(_divide, 2, late=True)),
    Emitter(
        "reciprocal",
        1,
        {
            **_rows(_reciprocal, 1, late=True),
            **loops((*NARROW_INTEGERS, "uint32"), _reciprocal_of_integer),
            **loops(("int32",), _reciprocal_of_int32),
        },
    ),
    Emitter("sqrt", 1, _rows(_sqrt, 1)),
)
