"""
Angles reduced to the quadrant around a multiple of pi / 2.

Up to 3216 by W. J. Cody and W. Waite's method (Software Manual for the Elementary Functions, 1980): the multiple of pi / 2 is taken away in
parts whose products with it are exact. Beyond, by M. H. Payne and R. N. Hanek's (Radian reduction for trigonometric functions, ACM SIGNUM
Newsletter 18, 1983): those bits of 2 / pi that matter for an exponent are multiplied by the significand, in products of 23 bits. That is a
loop of the device that turns once where a tile has such a number, and else not at all.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final, NamedTuple

from ....isa import nisa, nl
from ...function import Tile
from .alu import add, arithmetic, bits, bits_twice, patch, scratch, subtract, then, twice
from .pairs import Pair, exact_sum, halves, renormalized
from .registers import greatest, turns
from .significand import FRACTION, is_infinite

__all__ = ["Angle", "reduced"]

_PER_QUADRANT: Final = 0.6366197723675814
_QUADRANT: Final = (1.5703125, 0.0004838109016418457, 1.5890691429376602e-08, 2.563344151594519e-12)  # of 12, 13, 12 and 24 bits
_TO_INTEGER: Final = 1.5 * 2.0**23
"""Added to a number of less than 22 bits and taken away again, it rounds that to an integer, which is in the low bits in between."""
_LIMIT: Final = 3216.0  # of which the multiple has 11 bits
_TWO_OVER_PI: Final = (0, 0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0, 0xDB629599, 0x3C439041, 0xFE5163AB)
"""Its bits, 32 in each number, behind 32 zeros."""
_FIRST: Final = 120  # biased exponent for which the bits that matter begin with the first one
_WINDOW: Final = 3  # words of bits that matter
_PIECES: Final = ((21, 0x7FF), (10, 0x7FF), (0, 0x3FF))  # of a word: where they begin, and their bits
_PI_2: Final = (1.5703125, 0.0004838267934624809)  # 12 bits, and the rest


class Angle(NamedTuple):
    """
    A reduced angle.

    Attributes
    ----------
    angle : Pair
        From -pi / 4 to pi / 4.
    quadrant : NkiTensor
        uint32: its two low bits count the quarters of a turn that have been taken away.
    """

    angle: Pair
    quadrant: Tile


def reduced(magnitude: Tile) -> Angle:
    """Reduce angles."""
    shifted = twice(magnitude, nl.multiply, _PER_QUADRANT, nl.add, _TO_INTEGER)
    count = arithmetic(nl.subtract, shifted, _TO_INTEGER)
    rest = magnitude
    for part in _QUADRANT[:2]:
        rest = then(count, nl.multiply, -part, nl.add, rest)
    high = then(count, nl.multiply, -_QUADRANT[2], nl.add, rest)
    low = then(count, nl.multiply, -_QUADRANT[2], nl.add, subtract(rest, high))
    low = then(count, nl.multiply, -_QUADRANT[3], nl.add, low)
    angle = Angle(Pair(high, low), shifted.view(nl.uint32))
    beyond = scratch(magnitude, nl.uint8)
    most = scratch(magnitude, nl.float32, 1)
    nisa.tensor_scalar_reduce(beyond, magnitude, nl.greater_equal, _LIMIT, nl.maximum, reduce_res=most)

    def replace(_: Any) -> None:
        large = _reduced_by_bits(magnitude)
        patch(beyond, 0, is_infinite(magnitude))
        patch(high, large.angle.high, beyond)
        patch(low, large.angle.low, beyond)
        patch(angle.quadrant, large.quadrant, beyond)

    nl.fori_loop(0, turns(greatest(most)), replace)
    return angle


def _reduced_by_bits(magnitude: Tile) -> Angle:
    """
    Reduce angles from 64 up.

    Bits of 2 / pi that give multiples of 4 quadrants are left out. The next 85 are taken in pieces of 10 and 11, and the significand in two
    of 12, of whose products the weights are known, whatever the exponent. Those of more than 1 quadrant lose what is a multiple of 4; their
    sum is exact, so is what its nearest integer leaves, and the others are added to that without loss.
    """
    bit_pattern = magnitude.view(nl.uint32)
    significand = bits_twice(bit_pattern, nl.bitwise_and, FRACTION, nl.bitwise_or, FRACTION + 1)
    upper, lower = bits(nl.right_shift, significand, 12), bits(nl.bitwise_and, significand, 0xFFF)
    first, second, third = _window(bit_pattern)
    a, b, c = _pieces(first)
    d, e, f = _pieces(second)
    g, h, _ = _pieces(third)
    large = _sum(
        _product(lower, a, -9, 0x7FF), _product(upper, b, -8, 0x3FF), _product(upper, c, -18, 0xFFFFF), _product(lower, b, -20, 0x3FFFFF)
    )
    shifted = arithmetic(nl.add, large, _TO_INTEGER)
    total = subtract(large, arithmetic(nl.subtract, shifted, _TO_INTEGER))
    rest = None
    for term in (
        _product(upper, d, -29), _product(lower, c, -30), _product(upper, e, -40), _product(lower, d, -41), _product(upper, f, -50),
        _product(lower, e, -52), _sum(_product(upper, g, -61), _product(lower, f, -62), _product(upper, h, -72), _product(lower, g, -73)),
    ):  # fmt: skip
        total, lost = exact_sum(total, term)
        rest = lost if rest is None else add(rest, lost)
    assert rest is not None
    quarters = renormalized(total, rest)
    split = halves(quarters.high)
    small = then(quarters.low, nl.multiply, _PI_2[0], nl.add, arithmetic(nl.multiply, quarters.high, _PI_2[1]))
    small = then(split.low, nl.multiply, _PI_2[0], nl.add, small)
    return Angle(renormalized(arithmetic(nl.multiply, split.high, _PI_2[0]), small), shifted.view(nl.uint32))


def _window(bit_pattern: Tile) -> list[Tile]:
    """Give the 96 bits of 2 / pi that matter for an exponent."""
    place = arithmetic(nl.subtract, bits(nl.right_shift, bit_pattern, 23), float(_FIRST), dtype=nl.uint32)
    shift = bits(nl.bitwise_and, place, 31)
    opposite = bits(nl.bitwise_xor, shift, 31)  # 31 - shift
    masks = [arithmetic(nl.greater_equal, place, 32.0 * word, dtype=nl.uint8) for word in range(1, len(_TWO_OVER_PI) - _WINDOW)]
    words = []
    for word in range(_WINDOW + 1):
        chosen = scratch(bit_pattern, nl.uint32)
        nisa.memset(chosen, _TWO_OVER_PI[word])
        for further, mask in enumerate(masks, word + 1):
            patch(chosen, _TWO_OVER_PI[further], mask)
        words.append(chosen)
    return [
        bits(
            nl.bitwise_or,
            bits(nl.left_shift, word, shift),
            bits(nl.right_shift, bits(nl.right_shift, following, 1), opposite),
        )
        for word, following in pairwise(words)
    ]


def _pieces(word: Tile) -> list[Tile]:
    return [bits_twice(word, nl.right_shift, first, nl.bitwise_and, mask) for first, mask in _PIECES]


def _product(x: Tile, y: Tile, exponent: int, mask: int | None = None) -> Tile:
    """Multiply integers of 12 and 11 bits, keep the low bits if so asked, and scale by a power of two."""
    integer = arithmetic(nl.multiply, x, y, dtype=nl.uint32)
    return arithmetic(nl.multiply, integer if mask is None else bits(nl.bitwise_and, integer, mask), 2.0**exponent)


def _sum(first: Tile, *others: Tile) -> Tile:
    for other in others:
        first = add(first, other)
    return first
