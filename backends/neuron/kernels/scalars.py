"""Numbers that a program uses with every element."""

from __future__ import annotations

from typing import Any

from ...isa import nisa, nl
from .elementwise import cast
from .sbuf import PARTITIONS

__all__ = ["Scalars"]


class Scalars:
    """
    Numbers that are the same on all partitions: those of the launch, and constants.

    Parameters
    ----------
    table : NkiTensor, optional
        Words of 32 bits in HBM, one for each scalar.
    outside : Scalars, optional
        Those around a loop of the device, which does not lend what it makes.
    """

    def __init__(self, table: Any, outside: Scalars | None = None) -> None:
        self._constants: dict[tuple[str, str], Any] = {}
        self._counts: dict[int, Any] = {}  # numbers of the launch that a loop counts on, in memory of their own
        self._table = None
        if outside is not None:
            self._constants |= outside._constants
            self._counts |= outside._counts
            self._table = outside._table
        if table is not None:
            self._table = nl.ndarray((PARTITIONS, table.shape[0]), nl.uint32, buffer=nl.sbuf)
            nisa.dma_copy(self._table, table.ap(pattern=[[0, PARTITIONS], [1, table.shape[0]]], offset=0))

    def tiles(self) -> list[Any]:
        """List what holds numbers now."""
        return [*([] if self._table is None else [self._table]), *self._constants.values(), *self._counts.values()]

    def of_launch(self, place: int, dtype: str) -> Any:
        """Find a number that the launch brought."""
        assert self._table is not None
        word = self._counts[place] if place in self._counts else self._table[:, place : place + 1]
        if dtype == "uint32":
            return word
        if dtype in ("int32", "int16", "int8", "uint16", "uint8"):
            word = word.view(nl.int32)
            return word if dtype == "int32" else _copied(word, dtype)
        return word.view(nl.float32)

    def offset(self, place: int) -> Any:
        """Load an offset that the launch brought."""
        assert self._table is not None
        return nisa.scalar_load(self._table[0:1, place : place + 1].view(nl.int32))

    def counted(self, place: int) -> Scalars:
        """Make what a loop uses that counts on from a number that the launch brought."""
        inside = Scalars(None, self)
        count = nl.ndarray((PARTITIONS, 1), nl.uint32, buffer=nl.sbuf)
        nisa.tensor_copy(count, self.of_launch(place, "uint32"))
        inside._counts[place] = count
        return inside

    def count(self, place: int) -> None:
        """Add one to such a number, in a loop."""
        count = self._counts[place].view(nl.int32)
        nisa.tensor_tensor(count, count, self.constant(1, "int32"), nl.add, engine=nisa.engine.gpsimd)

    def counter(self) -> Any:
        """Make a number that a loop of the device will count with."""
        tile = nl.ndarray((PARTITIONS, 1), nl.int32, buffer=nl.sbuf)
        nisa.memset(tile, 0)
        return tile

    def constant(self, value: float, dtype: str) -> Any:
        """Make a number of the program's, once."""
        key = (dtype, repr(value))
        if key not in self._constants:
            tile = nl.ndarray((PARTITIONS, 1), dtype, buffer=nl.sbuf)
            nisa.memset(tile, value)
            self._constants[key] = tile
        return self._constants[key]


def _copied(tile: Any, dtype: str) -> Any:
    result = nl.ndarray(tile.shape, dtype, buffer=nl.sbuf)
    cast(result, tile, dtype, str(tile.dtype))
    return result
