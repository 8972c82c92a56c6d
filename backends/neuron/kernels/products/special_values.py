"""NaN and infinities of exact products: numbers without their sizes, multiplied and added as IEEE arithmetic does it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ....isa import nisa, nl
from ..elementwise.alu import arithmetic, bits, bits_twice, copy, patch, scratch, twice
from ..sbuf import PARTITIONS
from ..tile_ring import Ring, psum_ring
from .sliced_operand import each_part
from .slicing import unpacked

__all__ = ["ProductOfClasses", "class_of", "put_special"]

_DEEP: Final = 64  # tiles of the contraction whose products are added in PSUM


def class_of(words: Sequence[Any], dtype: Any = nl.bfloat16) -> Any:
    """Give 0, 1 for other finite numbers, infinity or NaN, with signs, of float64 or float32 in words (P, F)."""
    field, top, low = unpacked(words)
    some = twice(bits(nl.bitwise_or, top, low), nl.not_equal, 0.0, nl.multiply, float(0x3F800000), nl.uint32)
    special = arithmetic(nl.greater_equal, field, 2047.0 if len(words) == 2 else 255.0)
    rest = bits(nl.bitwise_or, bits(nl.bitwise_and, top, 0xFFFFF), low)
    nan = arithmetic(nl.multiply, twice(rest, nl.not_equal, 0.0, nl.multiply, float(0x400000)), special, dtype=nl.uint32)
    found = bits(nl.bitwise_or, some, bits(nl.bitwise_and, words[0], 0x80000000))
    for part in (arithmetic(nl.multiply, special, float(0x40000000), dtype=nl.uint32), nan):
        found = bits(nl.bitwise_or, found, part)
    return copy(scratch(field, dtype), found.view(nl.float32))


def put_special(words: Sequence[Any], classes: Any) -> None:
    """Put NaN and infinities into words, where a sum of products of classes is one."""
    word = classes.view(nl.uint32)
    exponent = bits_twice(word, nl.right_shift, 23, nl.bitwise_and, 0xFF)
    wanted = arithmetic(nl.greater_equal, exponent, 255.0, dtype=nl.uint32)
    nan = arithmetic(nl.not_equal, classes, classes, dtype=nl.uint32)
    patterns = (0x7FF00000, 0x7FF80000) if len(words) == 2 else (0x7F800000, 0x7FC00000)
    patch(words[0], bits_twice(word, nl.bitwise_and, 0x80000000, nl.bitwise_or, patterns[0]), wanted)
    patch(words[0], patterns[1], nan)
    for low in words[1:]:
        patch(low, 0, wanted)


class ProductOfClasses:
    """
    Products of tiles of classes, in bfloat16.

    Parameters
    ----------
    depth : int
        Of the contraction, at most 2**21: a sum of signs is far below what float32 holds.
    width : int
        Columns of a tile.
    """

    def __init__(self, depth: int, width: int) -> None:
        self.depth, self.deep = depth, -(-depth // PARTITIONS)
        self.sides = [Ring(3, (PARTITIONS, extent), nl.bfloat16) for extent in (PARTITIONS, width)]
        self.banks = psum_ring(2)

    def tile(self, cut: tuple[Any, Any], tiles: tuple[Any, Any], height: int, width: int) -> Any:
        """Multiply, and add up: (P, F), of which only NaN and infinities mean something."""
        total = nl.ndarray((height, width), nl.float32, buffer=nl.sbuf)
        nisa.memset(total, 0.0)

        def block(number: Any, _: Any, length: int) -> None:
            bank = self.banks.take()[:height, :width]
            for place in range(-(-length // PARTITIONS)):
                rows, loaded = min(PARTITIONS, length - place * PARTITIONS), []
                for ring, source, tile, extent in zip(self.sides, cut, tiles, (height, width), strict=True):
                    side = ring.take()[:rows, :extent]
                    nisa.dma_copy(side, source.select(0, tile * self.deep + number * _DEEP + place)[:rows, 0, :extent])
                    loaded.append(side)
                nisa.nc_matmul(bank, *loaded, accumulate=place > 0)
            nisa.tensor_tensor(total, total, bank, nl.add, engine=nisa.engine.vector)

        each_part(self.depth, _DEEP * PARTITIONS, 4 * _DEEP, block)
        return total
