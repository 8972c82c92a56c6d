"""Where tiles are for the schedule: as far apart in time as memory allows, as a compiler that wants loads early would put them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Mapping, Sequence
from itertools import accumulate

from ..program.program import Core, Interval
from ..target import Target
from ..tensor.storage import MemoryRegion, Storage

__all__ = ["Place", "rotate"]

Place = tuple[int, int, tuple[Storage, ...]]  # partition, byte, tiles that were there before
_ALIGNMENT = 4


def _aligned(byte: int) -> int:
    return -(-byte // _ALIGNMENT) * _ALIGNMENT


class _Ring:
    """A memory that is filled from the lowest address on and then again from the start, around what is alive."""

    def __init__(self, capacity: int, bank: int) -> None:
        self.capacity, self.bank, self.next, self.fits = capacity, bank, 0, True
        self.alive: list[tuple[int, int, int, Storage]] = []  # start, end, last use
        self.fixed: list[tuple[int, int]] = []
        self.staying: list[tuple[int, int, Interval]] = []  # start, end, when
        self.painted: list[tuple[int, int, int]] = []  # start, end, index into tiles; disjoint
        self.tiles: list[Storage] = []

    def settle(self, rows: Sequence[tuple[Storage, Interval]]) -> Mapping[Storage, int]:
        """
        Place those of the tiles, given in the order of their first use, that stay while the others fill what is left once more.

        They lie together at the start: scattered among the others they leave gaps that nothing fits into.
        """
        filled = list(accumulate((storage.nbytes for storage, _ in rows), initial=0))
        firsts = [when.first for _, when in rows]
        found, settled = dict[Storage, int](), list[tuple[int, int, Interval]]()
        for before, (storage, when) in zip(filled, rows, strict=False):
            self.staying = [row for row in self.staying if row[2].last >= when.first]
            left = self.capacity - sum(end - start for start, end, _ in self.staying)
            if filled[bisect_right(firsts, when.last)] - before > left:
                size = _aligned(storage.nbytes)
                start = self._gap(size, when, (0,))
                if start is not None:
                    found[storage] = start
                    settled.append((start, start + size, when))
                    self.staying.append(settled[-1])
        self.staying = settled
        return found

    def place(self, storage: Storage, when: Interval, otherwise: int) -> tuple[int, tuple[Storage, ...]]:
        self.alive = [row for row in self.alive if row[2] >= when.first]
        self.staying = [row for row in self.staying if row[2].last >= when.first]
        size = _aligned(storage.nbytes)
        first = -(-self.next // self.bank) * self.bank if self.bank else self.next
        start = self._gap(size, when, (first, self.next, 0))
        if start is None:
            start, self.fits = otherwise, False
        self.next = start + size
        insort(self.alive, (start, start + size, when.last, storage), key=lambda row: row[:2])
        return start, self.paint(start, start + size, storage)

    def _gap(self, size: int, when: Interval, candidates: Sequence[int]) -> int | None:
        """Find the first free place at or after a candidate."""
        staying = [(start, end) for start, end, other in self.staying if other.first <= when.last and other.last >= when.first]
        taken = sorted([(start, end) for start, end, _, _ in self.alive] + self.fixed + staying)
        for candidate in dict.fromkeys(candidates):
            at = self._within_bank(candidate, size)
            for start, end in taken:
                if end > at and start < at + size:
                    at = self._within_bank(_aligned(end), size)
            if at + size <= self.capacity:
                return at
        return None

    def _within_bank(self, at: int, size: int) -> int:
        if self.bank and at % self.bank and at // self.bank != (at + size - 1) // self.bank:
            return -(-at // self.bank) * self.bank
        return at

    def paint(self, start: int, end: int, storage: Storage) -> tuple[Storage, ...]:
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
    """Place every on-chip tile for scheduling; those that stay together, where tiles find no gap else."""
    places, fits = _places(core, target, core.alive, False)
    return places if fits else _places(core, target, core.alive, True)[0]


def _places(core: Core, target: Target, alive: Mapping[Storage, Interval], together: bool) -> tuple[Mapping[Storage, Place], bool]:
    """Place every tile, and tell whether each found a gap."""
    rings = {
        MemoryRegion.sbuf: _Ring(target.sbuf_usable, 0),
        MemoryRegion.psum: _Ring(target.psum_bytes, target.psum_bank_bytes),
    }
    places: dict[Storage, Place] = {}
    for storage in alive:
        if storage.on_chip and storage.address is not None:
            partition, byte = storage.address
            rings[storage.buffer].fixed.append((byte, byte + storage.nbytes))
            places[storage] = (partition, byte, ())
    rows = [(storage, when) for storage, when in alive.items() if storage.on_chip and storage.address is None]
    rows.sort(key=lambda row: row[1].first)
    staying: dict[Storage, int] = {}
    for region, ring in rings.items() if together else ():
        staying.update(ring.settle([row for row in rows if row[0].buffer is region]))
    for storage, when in rows:
        partition, byte = core.addresses[storage]
        ring = rings[storage.buffer]
        if storage in staying:
            at = staying[storage]
            before = ring.paint(at, at + _aligned(storage.nbytes), storage)
        else:
            at, before = ring.place(storage, when, byte)
        places[storage] = (partition, at, tuple(tile for tile in before if alive[tile].last < when.first))
    return places, all(ring.fits for ring in rings.values())
