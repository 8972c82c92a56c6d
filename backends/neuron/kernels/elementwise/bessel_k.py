"""
Modified Bessel functions of the second kind, of orders 0 and 1, of float32, within 3 units in the last place.

Up to 1 they are their series (NIST Digital Library of Mathematical Functions, 10.31), with ``L = log(2 / x) - gamma``, which is a pair,
and ``t = x**2 / 4``: ``L + t (L A(t) + B(t))`` for order 0, and ``(1 - 2 t (L A(t) + B(t))) / x`` for order 1. From there on they are
``exp(-x) P(1 / x) / sqrt(x)``. Coefficients are nearly minimax ones, from the script beside the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from ....isa import nl
from ...function import Emitter, Tile
from .alu import add, arithmetic, copy, is_nan, limited, multiply, patch, scratch, subtract, then
from .bessel import over_root, over_root_anywhere
from .exponential import exponential_product, times_exponential, times_power
from .logarithm import less_logarithm
from .pairs import Pair, inverse
from .polynomial import polynomial
from .significand import INFINITY, NAN, is_below, is_zero, magnitude_of
from .widening import float_loops

__all__ = ["BESSEL_K", "FIRST", "ZEROTH", "Order", "Scaled", "Series", "near_zero"]


class Series(NamedTuple):
    """
    One of the functions about 0.

    Attributes
    ----------
    times_logarithm, beside : tuple of float
        A and B, in powers of t.
    first : bool
        Whether it is that of order 1.
    """

    times_logarithm: tuple[float, ...]
    beside: tuple[float, ...]
    first: bool


class Order(NamedTuple):
    """
    One of the functions.

    Attributes
    ----------
    near : Series
        About 0.
    far : tuple of float
        P, in powers of 1 / x - 1 / 2.
    """

    near: Series
    far: tuple[float, ...]


ZEROTH: Final = Order(
    Series((0.99999998, 0.250000772, 0.0277685691, 0.00177934512), (0.999999954, 0.375001764, 0.0509048755, 0.00371569912), first=False),
    (
        1.19015718, -0.104558131, 0.0322702013, -0.0152590233, 0.00908217772, -0.00648355995, 0.00523787069, -0.00267354129, 0.00129299072,
        -0.00797889479, 0.00957050087,
    ),
)  # fmt: skip
FIRST: Final = Order(
    Series((0.999999899, 0.500003872, 0.0832871465, 0.00716111492), (0.499999779, 0.625008468, 0.13878789, 0.014073152), first=True),
    (
        1.46155698, 0.375957937, -0.0634124471, 0.024886533, -0.0134719223, 0.00903366628, -0.00707004941, 0.00365781005, -0.00146329497,
        0.00973164009, -0.0121560488,
    ),
)  # fmt: skip
_CONSTANT: Final = 0.11593151565841245  # log(2) - gamma
_CENTRE: Final = 0.5
_EDGE: Final = 1.0
_MOST: Final = 106.0
"""Where the functions are less than all numbers."""


class Scaled(NamedTuple):
    """
    A value in factors: ``value 2**exponent``, where there is an exponent.

    Attributes
    ----------
    value : Pair
        In two parts.
    exponent : NkiTensor or None
        Integers in float32.
    """

    value: Pair
    exponent: Tile | None


def near_zero(series: Series, x: Tile, square: Tile) -> Scaled:
    """Give the function, from its series in ``t = x**2 / 4``; with minus that, -pi / 2 times the Bessel function of the second kind."""
    of = less_logarithm(_CONSTANT, x)
    logarithm = add(of.upper, of.lower)
    more = add(multiply(polynomial(series.times_logarithm, square), logarithm), polynomial(series.beside, square))
    if not series.first:
        return Scaled(Pair(of.upper, add(multiply(more, square), of.lower)), None)
    reciprocal = inverse(arithmetic(nl.add, of.f, 1.0))
    less = then(square, nl.multiply, 2.0, nl.multiply, more)
    rest = subtract(reciprocal.low, multiply(less, add(*reciprocal)))
    return Scaled(Pair(reciprocal.high, rest), arithmetic(nl.multiply, of.e, -1.0))


def _near(order: Order, x: Tile) -> Scaled:
    return near_zero(order.near, x, then(x, nl.multiply, 0.25, nl.multiply, x))


def _finish(dst: Tile, x: Tile, result: Tile) -> None:
    """Put in what the functions are of zeros, negative numbers and NaN."""
    copy(dst, result)
    patch(dst.view(nl.uint32), NAN, arithmetic(nl.less, x.view(nl.int32), 0.0, dtype=nl.uint8))
    patch(dst.view(nl.uint32), INFINITY, is_zero(magnitude_of(x).view(nl.uint32)))
    patch(dst, x, is_nan(x))


def _function(order: Order) -> Callable[[Tile, Tile], None]:
    def emit(dst: Tile, x: Tile) -> None:
        magnitude = magnitude_of(x)
        inside = limited(magnitude, _EDGE, _MOST)
        result = times_exponential(over_root(order.far, _CENTRE, inside), arithmetic(nl.multiply, inside, -1.0))
        below = is_below(x, _EDGE)
        patch(magnitude, _EDGE, below, reverse=True)  # a minimum may flush subnormal numbers
        near, exponent = _near(order, magnitude)
        total = add(*near)
        if exponent is not None:
            times_power(total, total, exponent)
        patch(result, total, below)
        _finish(dst, x, result)

    return emit


def _scaled(order: Order) -> Callable[[Tile, Tile], None]:
    def emit(dst: Tile, x: Tile) -> None:
        magnitude = magnitude_of(x)
        result = over_root_anywhere(order.far, _CENTRE, arithmetic(nl.maximum, magnitude, _EDGE))
        below = is_below(x, _EDGE)
        patch(magnitude, _EDGE, below, reverse=True)
        near, exponent = _near(order, magnitude)
        product, n = exponential_product(near, magnitude)
        total = scratch(x, nl.float32)
        times_power(total, add(*product), n if exponent is None else add(n, exponent))
        patch(result, total, below)
        _finish(dst, x, result)

    return emit


BESSEL_K: Final = (
    Emitter("special.k0", 1, float_loops(_function(ZEROTH)), 3.0),
    Emitter("special.k0e", 1, float_loops(_scaled(ZEROTH)), 3.0),
    Emitter("special.k1", 1, float_loops(_function(FIRST)), 3.0),
    Emitter("special.k1e", 1, float_loops(_scaled(FIRST)), 3.0),
)
