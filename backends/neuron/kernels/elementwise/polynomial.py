"""Polynomials by Horner's scheme: each coefficient takes 2 cycles of the Vector Engine, or 2 of GpSimd and one of the Scalar Engine."""

from __future__ import annotations

from collections.abc import Sequence

from ....isa import nisa, nl
from ...function import Tile
from .alu import add, arithmetic, multiply, plus, subtract, then
from .pairs import Pair, upper_half

__all__ = ["polynomial", "times_argument", "times_pair"]


def times_argument(coefficients: Sequence[float], x: Tile, beside: int = 0) -> Tile:
    """Evaluate a polynomial times its argument: ``x (c[0] + x (c[1] + ...))``."""
    first = nisa.engine.scalar if beside and nisa.get_nc_version() >= nisa.nc_version.gen3 else None
    result = arithmetic(nl.multiply, x, coefficients[-1], engine=first)
    for place, coefficient in reversed(list(enumerate(coefficients[:-1]))):
        if place < beside:
            result = multiply(plus(result, coefficient), x)
        else:
            result = then(result, nl.add, coefficient, nl.multiply, x)
    return result


def polynomial(coefficients: Sequence[float], x: Tile) -> Tile:
    """Evaluate a polynomial: ``c[0] + x (c[1] + ...)``."""
    return arithmetic(nl.add, times_argument(coefficients[1:], x), coefficients[0])


def times_pair(coefficients: Sequence[float], x: Tile, factor: Pair) -> Pair:
    """Evaluate a polynomial times a pair: the first coefficient and the product are all but exact."""
    first = float(round(coefficients[0] * 2**11)) / 2**11
    small = arithmetic(nl.add, times_argument(coefficients[1:], x), coefficients[0] - first)
    whole = arithmetic(nl.add, small, first)
    upper = upper_half(whole)
    lower = add(subtract(whole, upper), subtract(small, arithmetic(nl.subtract, whole, first)))
    return Pair(multiply(factor.high, upper), add(multiply(factor.high, lower), multiply(factor.low, whole)))
