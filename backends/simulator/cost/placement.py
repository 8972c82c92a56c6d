"""Where tiles are for the schedule: as far apart in time as memory allows, as a compiler that wants loads early would put them."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Mapping

from ..passes.liveness import liveness
from ..program.program import Core
from ..target import Target
from ..tensor.storage import MemoryRegion, Storage

__all__ = ["Place", "rotate"]

Place = tuple[int, int, tuple[Storage, ...]]  # partition, byte, tiles that were there before
_ALIGNMENT = 4


class _Ring:
    """A memory that is filled from the lowest address on and then again from the start, around what is alive."""

    def __init__(self, capacity: int, bank: int) -> None:
        self.capacity, self.bank, self.next = capacity, bank, 0
        self.alive: list[tuple[int, int, int, Storage]] = []  # start, end, last use
        self.fixed: list[tuple[int, int]] = []
        self.painted: list[tuple[int, int, int]] = []  # start, end, index into tiles; disjoint
        self.tiles: list[Storage] = []

    def place(self, storage: Storage, first: int, last: int, otherwise: int) -> tuple[int, tuple[Storage, ...]]:
        self.alive = [row for row in self.alive if row[2] >= first]
        size = -(-storage.nbytes // _ALIGNMENT) * _ALIGNMENT
        start = self._gap(size)
        if start is None:
            start = otherwise
        self.next = start + size
        insort(self.alive, (start, start + size, last, storage), key=lambda row: row[:2])
        return start, self._paint(start, start + size, storage)

    def _gap(self, size: int) -> int | None:
        taken = sorted([(start, end) for start, end, _, _ in self.alive] + self.fixed)
        first = -(-self.next // self.bank) * self.bank if self.bank else self.next
        for candidate in dict.fromkeys((first, self.next, 0)):
            at = self._within_bank(candidate, size)
            for start, end in taken:
                if end > at and start < at + size:
                    at = self._within_bank(-(-end // _ALIGNMENT) * _ALIGNMENT, size)
            if at + size <= self.capacity:
                return at
        return None

    def _within_bank(self, at: int, size: int) -> int:
        if self.bank and at % self.bank and at // self.bank != (at + size - 1) // self.bank:
            return -(-at // self.bank) * self.bank
        return at

    def _paint(self, start: int, end: int, storage: Storage) -> tuple[Storage, ...]:
        """Record who holds these bytes now; return who held them."""
        self.tiles.append(storage)
        at = bisect_left(self.painted, start, key=lambda row: row[1] - 1)
        before: dict[Storage, None] = {}
        pieces = []
        while at < len(self.painted) and self.painted[at][0] < end:
            low, high, index = self.painted.pop(at)
            before[self.tiles[index]] = None
            pieces += [(low, start, index)] if low < start else []
            pieces += [(end, high, index)] if high > end else []
        for piece in (*pieces, (start, end, len(self.tiles) - 1)):
            insort(self.painted, piece)
        return tuple(before)


def rotate(core: Core, target: Target) -> Mapping[Storage, Place]:
    """Place every on-chip tile for scheduling."""
    rings = {
        MemoryRegion.sbuf: _Ring(target.sbuf_usable, 0),
        MemoryRegion.psum: _Ring(target.psum_bytes, target.psum_bank_bytes),
    }
    alive = liveness(core.nodes).tensors
    places: dict[Storage, Place] = {}
    for storage in alive:
        if storage.on_chip and storage.address is not None:
            partition, byte = storage.address
            rings[storage.buffer].fixed.append((byte, byte + storage.nbytes))
            places[storage] = (partition, byte, ())
    for storage, interval in sorted(alive.items(), key=lambda item: item[1].first):
        if storage.on_chip and storage.address is None:
            partition, byte = core.addresses[storage]
            at, before = rings[storage.buffer].place(storage, interval.first, interval.last, byte)
            places[storage] = (partition, at, tuple(tile for tile in before if alive[tile].last < interval.first))
    return places
