"""Rings of tiles for transforms of rows: how many of each sort there may be, how rows are addressed in them, and which ones in HBM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from ....isa import nisa, nl
from ..tile_ring import Ring

__all__ = ["RINGS", "SPARE", "Chunk", "Rings", "Tiles"]

_PARTITIONS: Final = 128


class Rings(NamedTuple):
    """How many tiles of each sort there are."""

    inputs: int
    works: int
    turned: int
    outputs: int


RINGS: Final = (
    *(Rings(4, 4, 3, 3), Rings(4, 3, 3, 3), Rings(3, 2, 3, 2), Rings(3, 2, 2, 2), Rings(2, 2, 2, 2)),
    *(Rings(2, 2, 1, 2), Rings(1, 2, 2, 1)),
)
"""
From the most to the fewest: those after the first are for several groups of products of a row, of which its sums are made but once, and one
block of each sort where the first group of the next row may be transposed before the last one is multiplied.

All rows that have several groups are folded before, so that an input is free as soon as its sums are made.
"""

SPARE: Final = 4096
"""Numbers of a partition for copies out of PSUM and for transposes."""


class Chunk(NamedTuple):
    """Rows that are loaded together: `each` beside each other on `partitions`, after `skipped` rows and `first` times `each`."""

    skipped: int
    first: Any
    partitions: int
    each: int

    def of(self, tensor: Any) -> Any:
        """View them in HBM, a partition's beside each other."""
        whole = (tensor.shape[0] - self.skipped) // self.each
        rows = tensor[self.skipped : self.skipped + whole * self.each].reshape_dim(0, (whole, self.each)).flatten_dims(1, 2)
        return rows[nl.ds(self.first, self.partitions)]


class Tiles:
    """A ring of tiles of (128, rows, width) that are addressed by patterns; some elements of each are zero from the start."""

    def __init__(self, count: int, rows: int, width: int, spare: int = 0) -> None:
        self.width, self.pitch = width, rows * width + spare
        self.ring = Ring(count, (_PARTITIONS, self.pitch), nl.float32)

    def fill(self, zeros: Sequence[int], rows: int, count: int) -> None:
        """Write the zeros."""
        for _ in range(count):
            tile = self.ring.take()
            for place in zeros:
                nisa.memset(self.view(tile, _PARTITIONS, (0, rows), place, 1, 1), 0.0)

    def view(self, tile: Any, partitions: int, rows: tuple[int, int], start: int, step: int, count: int) -> Any:
        """Look at elements of some rows."""
        pattern = [[self.pitch, partitions], [self.width, rows[1]], [step, count]]
        return tile.ap(pattern=pattern, offset=rows[0] * self.width + start)
