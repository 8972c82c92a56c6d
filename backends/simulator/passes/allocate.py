"""Placing tensors in SBUF, PSUM and HBM, and registers on their sequencers."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Mapping
from functools import cache
from operator import itemgetter
from typing import Final

from ..errors import OutOfMemoryError
from ..target import REGISTERS, Target
from ..tensor.storage import MemoryRegion, Storage, is_hbm
from .liveness import Interval, Liveness

__all__ = ["Placement", "allocate", "check_hbm", "check_registers"]

_ALIGNMENT = 4  # bytes; of every on-chip address
_QUADRANTS = 4

Placement = dict[Storage, tuple[int, int]]


@cache
def _quadrants(height: int) -> list[tuple[int, int]]:
    """First quadrant of 32 partitions and the number of them, for each place the hardware lets a tensor of this height begin."""
    count = -(-height // 32)
    return [(first, count) for first in range(0, _QUADRANTS, 4 if count > 2 else count)]


def _listing(storages: Iterable[Storage]) -> str:
    rows = sorted(storages, key=lambda storage: -storage.nbytes)
    return "".join(f"\n    {s.nbytes:8} B/partition x {s.shape[0]}  {s!r}, made at {s.where}" for s in rows[:40])


_first_byte: Final = itemgetter(3)


class _Memory:
    """One on-chip memory, filled in the order of first use; lowest address that is free, first partition first."""

    def __init__(self, region: MemoryRegion, target: Target) -> None:
        self.name, self.bank = region.value, target.psum_bank_bytes if region is MemoryRegion.psum else 0
        self.capacity = target.psum_bytes if region is MemoryRegion.psum else target.sbuf_usable
        self.placed: list[tuple[int, int, int, int, int, Storage]] = []  # last, quadrant, quadrants, byte, end, storage
        self.peak = 0

    def size(self, storage: Storage) -> int:
        return -(-storage.nbytes // _ALIGNMENT) * _ALIGNMENT

    def place(self, storage: Storage, interval: Interval, fixed: list[tuple[Interval, Storage]]) -> tuple[int, int]:
        self.placed = [row for row in self.placed if row[0] >= interval.first]
        if storage.address is not None:
            partition, byte = storage.address
            quadrant, count = partition // 32, -(-(partition % 32 + storage.shape[0]) // 32)
            return self._put(storage, interval, quadrant, count, byte, (partition, byte))
        size, held = self.size(storage), self._held(interval, fixed)
        for quadrant, count in _quadrants(storage.shape[0]):
            taken = [row[3:5] for row in held if row[1] < quadrant + count and quadrant < row[1] + row[2]]
            byte = self._gap(taken, size)
            if byte + size <= self.capacity:
                return self._put(storage, interval, quadrant, count, byte, (32 * quadrant, byte))
        live = [row[5] for row in held] + [storage]
        raise OutOfMemoryError(
            f"{storage!r} does not fit into {self.name}: {self.capacity} bytes per partition are usable and these are "
            f"alive together:{_listing(live)}\n  make tiles smaller or reuse them sooner",
            storage.where,
        )

    def _held(self, interval: Interval, fixed: list[tuple[Interval, Storage]]) -> list[tuple[int, int, int, int, int, Storage]]:
        """List what is placed, and what has an explicit address later on while this tensor is alive, from the lowest address on."""
        later = [
            (i.last, s.address[0] // 32, -(-(s.address[0] % 32 + s.shape[0]) // 32), s.address[1], s.address[1] + s.nbytes, s)
            for i, s in fixed
            if s.address is not None and i.first <= interval.last and i.last >= interval.first
        ]
        return sorted(self.placed + later, key=_first_byte) if later else self.placed

    def _gap(self, taken: list[tuple[int, int]], size: int) -> int:
        byte, bank = 0, self.bank
        for first, end in taken:
            if (self._fits(byte, size) if bank else byte) + size <= first:
                break
            if end > byte:
                byte = -(-end // _ALIGNMENT) * _ALIGNMENT
        return self._fits(byte, size)

    def _fits(self, byte: int, size: int) -> int:
        """Find the next address at which the tensor does not cross a bank in its middle."""
        if self.bank and byte % self.bank and byte // self.bank != (byte + size - 1) // self.bank:
            return -(-byte // self.bank) * self.bank
        return byte

    def _put(self, storage: Storage, interval: Interval, quadrant: int, count: int, byte: int, address: tuple[int, int]) -> tuple[int, int]:
        end = byte + self.size(storage)
        insort(self.placed, (interval.last, quadrant, count, byte, end, storage), key=_first_byte)
        self.peak = max(self.peak, end)
        return address


def allocate(alive: Liveness, target: Target) -> tuple[Placement, Mapping[str, int]]:
    """Place every on-chip tensor."""
    memories = {region: _Memory(region, target) for region in (MemoryRegion.sbuf, MemoryRegion.psum)}
    fixed: dict[MemoryRegion, list[tuple[Interval, Storage]]] = {region: [] for region in memories}
    for storage, interval in alive.tensors.items():
        if storage.address is not None:
            fixed[storage.buffer].append((interval, storage))
    placement: Placement = {}
    for storage, interval in sorted(alive.tensors.items(), key=lambda item: item[1].first):
        if storage.buffer in memories:
            placement[storage] = memories[storage.buffer].place(storage, interval, fixed[storage.buffer])
    return placement, {memory.name: memory.peak for memory in memories.values() if memory.peak}


def check_hbm(storages: Iterable[Storage], target: Target) -> None:
    """Check that HBM holds all tensors."""
    tensors = {storage for storage in storages if is_hbm(storage.buffer)}
    total, share = sum(storage.nbytes for storage in tensors), target.hbm_bytes // target.cores
    if total > share:
        raise OutOfMemoryError(
            f"HBM tensors need {total} bytes and a core has {share}:"
            + "".join(f"\n    {s.nbytes} B  {s!r}, made at {s.where}" for s in sorted(tensors, key=lambda s: -s.nbytes)[:40])
        )


def check_registers(alive: Liveness) -> None:
    """Check that registers suffice."""
    events = sorted([(i.first, 1) for i in alive.registers.values()] + [(i.last + 1, -1) for i in alive.registers.values()])
    held = most = 0
    for _, change in events:
        held += change
        most = max(most, held)
    if most > REGISTERS:
        raise OutOfMemoryError(f"{most} registers are alive together and a sequencer has {REGISTERS}; keep state in SBUF tensors")
