"""SBUF: how many partitions it has, and tiles there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from ...isa import nisa, nl
from ..function import Table

__all__ = ["PARTITIONS", "load_tables", "scratch"]

PARTITIONS: Final = 128


def scratch(shape: tuple[int, ...], dtype: Any) -> Any:
    """Make a tile, which has its place for as long as it is used."""
    return nl.ndarray(shape, dtype, buffer=nl.sbuf)


def load_tables(tables: Iterable[Table]) -> dict[Table, Any]:
    """Load what functions look up, to all partitions."""
    tiles = {}
    for table in dict.fromkeys(tables):
        words = nl.shared_constant(table.make())
        tiles[table] = scratch((PARTITIONS, table.rows * table.columns), nl.uint32)
        nisa.dma_copy(tiles[table], words.ap(pattern=[[0, PARTITIONS], [1, table.rows * table.columns]], offset=0))
    return tiles
