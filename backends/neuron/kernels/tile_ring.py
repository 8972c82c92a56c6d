"""Rings: tiles used in turn, so that an engine fills one while others still read those before it."""

from __future__ import annotations

from typing import Any

from ...isa import nl

__all__ = ["Ring", "psum_ring"]

BANK_BYTES = 2048


class Ring:
    """
    Tiles of one shape, used in turn.

    Parameters
    ----------
    count : int
        How many.
    shape : tuple of int
        (partitions, elements...) of each.
    dtype : str
        NKI dtype.
    buffer : MemoryRegion, optional
        SBUF unless given.

    Notes
    -----
    Tiles made one after the other would be placed on top of each other as soon as their uses do not overlap in program order, and the
    engines would wait for each other. A ring keeps `count` of them apart.
    """

    def __init__(self, count: int, shape: tuple[int, ...], dtype: str, buffer: Any = None) -> None:
        self._tiles = [nl.ndarray(shape, dtype, buffer=nl.sbuf if buffer is None else buffer) for _ in range(count)]
        self._next = 0

    def take(self) -> Any:
        """Take the next tile."""
        tile = self._tiles[self._next]
        self._next = (self._next + 1) % len(self._tiles)
        return tile


def psum_ring(count: int, banks: int = 1) -> Ring:
    """Ring of PSUM banks, or of several together."""
    return Ring(count, (nl.tile_size.pmax, banks * BANK_BYTES // 4), nl.float32, nl.psum)
