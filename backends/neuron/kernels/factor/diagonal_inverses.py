"""Inverses of the diagonal blocks of triangles, 128 rows each."""

from __future__ import annotations

from typing import Any, Final

from ....isa import nisa, nl
from ..evacuation import Evacuation
from ..move.tile_transpose import TileTransposer
from ..sbuf import PARTITIONS, scratch
from ..tile_ring import Ring

__all__ = ["Inverses", "TriangleMasks"]

_QUADRANT: Final = 32
_BANK: Final = 4  # blocks whose products share a PSUM bank
_VECTOR: Final = nisa.engine.vector


class TriangleMasks:
    """
    Masks of a block of 128 rows, (row, column), as numbers and as what predicates take.

    Attributes
    ----------
    unit : tensor
        A unit matrix.
    below, above : tensor
        1 strictly below, or above, the diagonal.
    """

    def __init__(self) -> None:
        after = scratch((PARTITIONS, PARTITIONS), nl.float32)
        nisa.iota(after, [[1, PARTITIONS]], channel_multiplier=-1)
        self.unit, self.below, self.above = (self._where(after, op) for op in (nl.equal, nl.less, nl.greater))

    @staticmethod
    def _where(after: Any, op: Any) -> Any:
        mask = scratch((PARTITIONS, PARTITIONS), nl.float32)
        nisa.tensor_scalar(mask, after, op, 0.0, engine=_VECTOR)
        return mask


class Inverses:
    """
    Inverts triangular blocks T = D (I + N), several at once.

    Parameters
    ----------
    masks : TriangleMasks
        Of a block.
    lower, unit : bool
        Whether blocks are lower triangles, and have ones on their diagonals.
    least : tensor
        (128, 1), multiplied with 0 where an element of a diagonal is 0.
    banks : Ring
        Of PSUM.

    Notes
    -----
    *Method.* E inverts the four blocks of 32 rows on the diagonal of I + N, all at once, by substitution: a shuffle gives row i of a
    quadrant to all of its partitions. With F, the rest of N, and M = -E F, of which the fourth power is zero, the inverse is
    (I + M) (I + M**2) E inv(D).
    """

    def __init__(self, masks: TriangleMasks, least: Any, banks: Ring, *, lower: bool, unit: bool) -> None:
        self.masks, self.least, self.banks, self.lower, self.unit = masks, least, banks, lower, unit
        self.evacuation = Evacuation()
        self.transposer = TileTransposer(2, self.evacuation)
        self.start = scratch((PARTITIONS, _QUADRANT), nl.float32)
        for some in _quadrants():
            nisa.tensor_copy(self.start[some], masks.unit[some, some], engine=_VECTOR)

    def invert(self, inverse: Any, turned: Any) -> None:
        """Invert blocks whose transposes are given, (128, blocks, 128), and give the transposes of the inverses."""
        count = turned.shape[1]
        shape = (PARTITIONS, count, PARTITIONS)
        rows, rest = scratch(shape, nl.float32), scratch(shape, nl.float32)
        self.transposer.planes(rows, turned)
        four = None
        if not self.unit:
            four = self._reciprocals(rows, count)
            nisa.scalar_tensor_tensor(rows, rows, nl.multiply, -0.25, nl.multiply, four.broadcast(2, PARTITIONS))
        below = (self.masks.below if self.lower else self.masks.above).expand_dim(1).broadcast(1, count)
        nisa.scalar_tensor_tensor(rest, rows, nl.multiply, -1.0 if self.unit else 1.0, nl.multiply, below)
        small = self._small(rest, count)
        wide, across = scratch(shape, nl.float32), scratch(shape, nl.float32)
        nisa.memset(wide, 0.0)
        for some in _quadrants():
            nisa.tensor_copy(wide[some, :, some], small[some], engine=_VECTOR)
        self.transposer.planes(across, wide)
        turned_power, power, square, left = (scratch(shape, nl.float32) for _ in range(4))
        self._products(turned_power, rest, across)
        self._products(power, across, rest)
        self._products(square, power, turned_power, added=self.masks.unit)
        self._products(left, square, wide)
        nisa.tensor_tensor(turned_power, turned_power, self.masks.unit.expand_dim(1).broadcast(1, count), nl.add, engine=_VECTOR)
        self._products(inverse, left, turned_power)
        if four is not None:
            nisa.scalar_tensor_tensor(inverse, inverse, nl.multiply, 0.25, nl.multiply, four.broadcast(2, PARTITIONS))

    def _reciprocals(self, rows: Any, count: int) -> Any:
        """Find four times the reciprocals of the diagonals: those of large numbers are normal, too."""
        kept, diagonal, size = (scratch((PARTITIONS, count, width), nl.float32) for width in (PARTITIONS, 1, 1))
        nisa.tensor_tensor(kept, rows, self.masks.unit.expand_dim(1).broadcast(1, count), nl.multiply, engine=_VECTOR)
        nisa.tensor_reduce(diagonal, nl.add, kept, axis=2, keepdims=True)
        nisa.tensor_scalar(size, diagonal, nl.not_equal, 0.0, engine=_VECTOR)
        small = scratch((PARTITIONS, 1), nl.float32)
        nisa.tensor_reduce(small, nl.minimum, size.squeeze_dim(2), axis=1)
        nisa.tensor_tensor(self.least, self.least, small, nl.multiply, engine=_VECTOR)
        nisa.tensor_scalar(diagonal, diagonal, nl.multiply, 0.25, engine=_VECTOR)
        nisa.reciprocal(size, diagonal)
        return size

    def _small(self, rest: Any, count: int) -> Any:
        """Invert the blocks of 32 rows, given -N, of which they are taken away: (128, count, 32)."""
        shape = (PARTITIONS, count, _QUADRANT)
        minus, inverse, row, product = (scratch(shape, nl.float32) for _ in range(4))
        for some in _quadrants():
            nisa.tensor_copy(minus[some], rest[some, :, some], engine=_VECTOR)
            nisa.memset(rest[some, :, some], 0.0)
        nisa.tensor_copy(inverse, self.start.expand_dim(1).broadcast(1, count), engine=_VECTOR)
        for i in range(_QUADRANT - 1) if self.lower else range(_QUADRANT - 1, 0, -1):
            active = slice(0, i + 1) if self.lower else slice(i, _QUADRANT)  # columns of the row that are not zero
            width = active.stop - active.start
            nisa.nc_stream_shuffle(row[:, :, active], inverse[:, :, active], [i] * _QUADRANT)
            factor = minus[:, :, i : i + 1].broadcast(2, width)
            nisa.tensor_tensor(product[:, :, active], row[:, :, active], factor, nl.multiply, engine=_VECTOR)
            nisa.tensor_tensor(inverse[:, :, active], inverse[:, :, active], product[:, :, active], nl.add, engine=_VECTOR)
        return inverse

    def _products(self, result: Any, stationary: Any, moving: Any, added: Any = None) -> None:
        """Multiply the transposes of blocks with blocks."""
        count = result.shape[1]
        for first in range(0, count, _BANK):
            some = range(first, min(first + _BANK, count))
            bank = self.banks.take()[:, : PARTITIONS * len(some)].reshape_dim(1, (len(some), PARTITIONS))
            for place, block in enumerate(some):
                nisa.nc_matmul(bank[:, place], stationary[:, block], moving[:, block], accumulate=False)
            into = result[:, first : first + len(some)]
            if added is None:
                self.evacuation.copy(into, bank)
            else:
                nisa.tensor_tensor(into, bank, added.expand_dim(1).broadcast(1, len(some)), nl.add, engine=_VECTOR)


def _quadrants() -> list[slice]:
    return [slice(first, first + _QUADRANT) for first in range(0, PARTITIONS, _QUADRANT)]
