"""Tiles of products of float64 or float32 matrices, product by product, exactly: whatever the exponents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from ....isa import nisa, nl
from ..elementwise.alu import arithmetic, bits, bits_twice, limited, scratch, spread, then, twice
from .operands import row_of
from .sliced_operand import window
from .slicing import unpacked
from .wide_rounding import round_to_float

__all__ = ["ExactTiles"]

_LIMB: Final = 14  # bits, of whose products GpSimd adds several
_LIMBS: Final = 4
_WORDS: Final = 5  # of a sum: 32 bits below a product's last one, 106 bits, and room for 2**21 terms
_ZERO: Final = -20000.0  # exponent of a zero
_NOTHING: Final = -45000.0


class ExactTiles:
    """
    Sums over products of elements in 160 bits.

    Parameters
    ----------
    a, b : sequence of tensor
        Words in HBM, the high one first, flat.
    extents : tuple of int
        Batches, rows, depth, columns.
    transposed : tuple of bool
        Whether operands are stored transposed.

    Notes
    -----
    *Method.* A first pass finds the largest exponent of the products that each element adds up. A second one shifts each product of 106
    bits below that, and adds it to a sum in limbs of 16 bits; what is shifted out is less than 2**-30 of what may be lost. What meets
    NaN or infinities is any number.

    *Layout.* Rows of the left operand lie on partitions; a row of the right one is loaded to all of them. The device counts the products.

    *Bound.* Vector Engine and GpSimd: about 170 instructions for each 128 x 512 products, a thousand times what slices take.
    """

    def __init__(self, a: Sequence[Any], b: Sequence[Any], extents: tuple[int, int, int, int], transposed: tuple[bool, bool]) -> None:
        self.a, self.b, self.transposed = a, b, transposed
        _, self.rows, self.depth, self.columns = extents

    def tile(self, own: Sequence[Any], rows: tuple[Any, int], columns: tuple[Any, int], results: int) -> list[Any]:
        """Compute words of a part of the product, of matrices of batches."""
        shape = rows[1], columns[1]
        largest = nl.ndarray(shape, nl.float32, buffer=nl.sbuf)
        nisa.memset(largest, _NOTHING)
        limbs = [nl.ndarray(shape, nl.uint32, buffer=nl.sbuf) for _ in range(2 * _WORDS)]
        for limb in limbs:
            nisa.memset(limb, 0)

        def measure(k: Any) -> None:
            one, other = self._elements(own, k, rows, columns)
            nisa.scalar_tensor_tensor(largest, _exponent(other), nl.add, _exponent(one), nl.maximum, largest)

        def multiply(k: Any) -> None:
            one, other = self._elements(own, k, rows, columns)
            distance = arithmetic(nl.subtract, largest, arithmetic(nl.add, _exponent(other), _exponent(one)))
            words = _shifted(_product(one, other), limited(distance, 0.0, 32.0 * _WORDS, nl.uint32))
            _add(limbs, words, bits(nl.right_shift, bits(nl.bitwise_xor, other.high, spread(one.high, shape[1])), 31))

        nl.fori_loop(0, self.depth, measure)
        nl.fori_loop(0, self.depth, multiply)
        bias = 1023 if len(self.a) == 2 else 127
        unit = arithmetic(nl.add, largest, float(-2 * (bias + 52) - 32))
        return round_to_float(limbs, unit, results)

    def _elements(self, own: Sequence[Any], k: Any, rows: tuple[Any, int], columns: tuple[Any, int]) -> tuple[_Numbers, _Numbers]:
        """Load column k of the left matrix, and row k of the right one for all partitions."""
        found = []
        for number, (tensors, other, extent) in enumerate(((self.a, rows, self.rows), (self.b, columns, self.columns))):
            first = self.transposed[number] == bool(number)  # whether rows of the tensor are those of the result
            loaded = []
            for tensor in tensors:
                if first:
                    view = window(tensor, self.depth, (row_of(own[number], extent, other[0]), other[1]), (k, 1), bool(number))
                else:
                    view = window(tensor, extent, (row_of(own[number], self.depth, k), 1), other, not number)
                tile = nl.ndarray((rows[1], other[1] if number else 1), nl.uint32, buffer=nl.sbuf)
                nisa.dma_copy(tile, view.broadcast(0, rows[1]) if number else view)
                loaded.append(tile)
            found.append(_Numbers(*unpacked(loaded), loaded[0]))
        return found[0], found[1]


class _Numbers(NamedTuple):
    """Floats: exponent fields, significands of 53 bits in two words, and a word with the sign."""

    field: Any
    top: Any
    low: Any
    high: Any

    @property
    def significand(self) -> Any:
        """Give a word that is 0 where the number is."""
        return bits(nl.bitwise_or, self.top, self.low)


def _exponent(number: _Numbers) -> Any:
    """Give exponents, of denormals 1."""
    zero = twice(number.significand, nl.equal, 0.0, nl.multiply, _ZERO)
    return then(number.field, nl.maximum, 1.0, nl.add, zero)


def _limbs(number: _Numbers) -> list[Any]:
    """Take the significand of 53 bits apart, the lowest limb first: int32."""
    top, low = number.top, number.low
    parts = [
        bits(nl.bitwise_and, low, 0x3FFF),
        bits_twice(low, nl.right_shift, 14, nl.bitwise_and, 0x3FFF),
        bits(nl.bitwise_or, bits(nl.right_shift, low, 28), bits_twice(top, nl.bitwise_and, 0x3FF, nl.left_shift, 4)),
        bits(nl.right_shift, top, 10),
    ]
    return [part.view(nl.int32) for part in parts]


def _product(one: _Numbers, other: _Numbers) -> list[Any]:
    """Multiply significands: four words, the lowest one first."""
    width, sums = other.high.shape[1], [None] * (2 * _LIMBS - 1)
    right = _limbs(other)
    for place, limb in enumerate(_limbs(one)):
        for number, factor in enumerate(right):
            product = scratch(factor, nl.int32)
            nisa.tensor_tensor(product, spread(limb, width), factor, nl.multiply, engine=nisa.engine.gpsimd)
            if sums[place + number] is not None:
                nisa.tensor_tensor(product, product, sums[place + number], nl.add, engine=nisa.engine.gpsimd)
            sums[place + number] = product
    digits: list[Any] = []
    carry: Any = None
    for total in sums:
        if carry is not None:
            nisa.tensor_tensor(total, total, carry, nl.add, engine=nisa.engine.gpsimd)
        digits.append(bits(nl.bitwise_and, total.view(nl.uint32), 0x3FFF))  # type: ignore[attr-defined]
        carry = bits(nl.right_shift, total.view(nl.uint32), _LIMB).view(nl.int32)  # type: ignore[attr-defined]
    digits.append(carry.view(nl.uint32))
    words: list[Any] = [None] * 4
    for place, digit in enumerate(digits):
        word, at = divmod(_LIMB * place, 32)
        moves = [(word, nl.left_shift, at)]
        if at + _LIMB > 32 and word + 1 < len(words):
            moves.append((word + 1, nl.right_shift, 32 - at))
        for target, shift, count in moves:
            part = bits(shift, digit, count) if count else digit
            words[target] = part if words[target] is None else bits(nl.bitwise_or, words[target], part)
    return words


def _shifted(words: Sequence[Any], shift: Any) -> list[Any]:
    """Shift four words down by up to 159 bits, from the upper four of five: the lowest one first."""
    whole, part = bits(nl.right_shift, shift, 5), bits(nl.bitwise_and, shift, 31)
    rest = twice(part, nl.multiply, -1.0, nl.add, 31.0, nl.uint32)
    crossing = [bits(nl.left_shift, bits(nl.left_shift, word, 1), rest) for word in words]
    moved = [crossing[0]]
    for place, word in enumerate(words):
        kept = bits(nl.right_shift, word, part)
        moved.append(kept if place + 1 == len(words) else bits(nl.bitwise_or, kept, crossing[place + 1]))
    masks = [twice(whole, nl.equal, float(place), nl.multiply, -1.0, nl.int32).view(nl.uint32) for place in range(_WORDS)]
    result = []
    for place in range(_WORDS):
        total = None
        for source in range(place, _WORDS):
            chosen = bits(nl.bitwise_and, moved[source], masks[source - place])
            total = chosen if total is None else bits(nl.bitwise_or, total, chosen)
        result.append(total)
    return result


def _add(limbs: Sequence[Any], words: Sequence[Any], negative: Any) -> None:
    """Add numbers, or their negatives as two's complements, in place: the lower halves of limbs count."""
    mask = arithmetic(nl.multiply, negative, -1.0, dtype=nl.int32).view(nl.uint32)
    carry = negative
    for place, word in enumerate(words):
        signed = bits(nl.bitwise_xor, word, mask)
        for half in range(2):
            limb = limbs[2 * place + half]
            total = arithmetic(nl.add, limb.view(nl.uint16)[:, 0::2], signed.view(nl.uint16)[:, half::2])
            nisa.tensor_tensor(limb, total, carry, nl.add, engine=nisa.engine.vector)
            carry = limb.view(nl.uint16)[:, 1::2]
