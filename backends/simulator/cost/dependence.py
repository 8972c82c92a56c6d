"""What an instruction has to wait for: who wrote what it reads, who used what it overwrites, and what its queue must not overtake."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ..engines import reduce_cmd as commands
from ..program.instruction import Instruction
from ..program.program import Core
from .access import Access, Accesses, Base
from .footprint import Footprint, covers, overlap
from .operation import Operation

__all__ = ["DATA", "ORDER", "SPACE", "Dependences"]

ORDER, SPACE, DATA = range(3)  # begins after the other began, on one queue; after it is done with memory; after its result is there

_RANDOM: Final = frozenset(("dropout", "rand2", "rand_get_state", "rand_set_state", "rng", "set_rng_seed"))

_Entry = tuple[Footprint, Operation]


class _Entries:
    """Accesses found by their bytes: for each size, a power of two, in buckets as long, of which an access reaches into two at most."""

    __slots__ = ("_sizes",)

    def __init__(self) -> None:
        self._sizes: dict[int, dict[int, list[_Entry]]] = {}

    def add(self, at: Footprint, op: Operation) -> None:
        size = (at.stop - at.start - 1).bit_length()
        buckets = self._sizes.get(size)
        if buckets is None:
            buckets = self._sizes[size] = {}
        for number in {at.start >> size, (at.stop - 1) >> size}:
            held = buckets.get(number)
            if held is None:
                buckets[number] = [(at, op)]
            else:
                held.append((at, op))

    def _buckets(self, at: Footprint) -> Iterator[tuple[dict[int, list[_Entry]], int]]:
        for size, buckets in self._sizes.items():
            first, last = at.start >> size, (at.stop - 1) >> size
            if last - first < len(buckets):
                yield from ((buckets, number) for number in range(first, last + 1) if number in buckets)
            else:
                yield from ((buckets, number) for number in [*buckets] if first <= number <= last)

    def overlapping(self, at: Footprint) -> list[Operation]:
        """List who touched some of these bytes; one may appear twice."""
        return [op for buckets, number in self._buckets(at) for other, op in buckets[number] if overlap(at, other)]

    def replace(self, at: Footprint) -> None:
        """Forget those who touched nothing but these bytes: whoever comes later waits for who touches them now."""
        for buckets, number in self._buckets(at):
            held = [entry for entry in buckets[number] if not covers(at, entry[0])]
            if held:
                buckets[number] = held
            else:
                del buckets[number]

    def __iter__(self) -> Iterator[Operation]:
        return (op for buckets in self._sizes.values() for held in buckets.values() for _, op in held)


class _History:
    """Accesses of a tensor that later ones may have to wait for, by what their addresses are counted from."""

    __slots__ = ("_reads", "_writes")

    def __init__(self) -> None:
        self._writes: dict[Base | None, _Entries] = {}
        self._reads: dict[Base | None, _Entries] = {}

    def writers(self, access: Access) -> Iterator[Operation]:
        return _meeting(self._writes, access)

    def readers(self, access: Access) -> Iterator[Operation]:
        return _meeting(self._reads, access)

    def write(self, access: Access, op: Operation) -> None:
        for side in (self._writes, self._reads):
            if access.base in side:
                side[access.base].replace(access.at)
        _put(self._writes, access, op)

    def read(self, access: Access, op: Operation) -> None:
        _put(self._reads, access, op)

    def __iter__(self) -> Iterator[Operation]:
        return (op for side in (self._writes, self._reads) for entries in side.values() for op in entries)


def _put(side: dict[Base | None, _Entries], access: Access, op: Operation) -> None:
    entries = side.get(access.base)
    if entries is None:
        entries = side[access.base] = _Entries()
    entries.add(access.at, op)


def _meeting(side: dict[Base | None, _Entries], access: Access) -> Iterator[Operation]:
    for base, entries in side.items():
        yield from entries.overlapping(access.at) if base == access.base else entries


class Dependences:
    """
    Accesses so far.

    Parameters
    ----------
    core : Core
        What a core runs.
    accesses : Accesses
        What its instructions touch.

    Attributes
    ----------
    registers : dict
        Who wrote each register last.
    turns : dict
        Indices of the loops that run, by register.
    """

    def __init__(self, core: Core, accesses: Accesses) -> None:
        self.accesses = accesses
        self._histories: dict[Any, _History] = {}
        self._seen = set[Any]()
        self._asked: dict[Instruction, list[Instruction]] = {}
        for consumer, producer in core.dependencies:
            self._asked.setdefault(consumer, []).append(producer)
        self._producers = frozenset(producer for _, producer in core.dependencies)
        self._last: dict[Instruction, Operation] = {}
        self._regions = {i: number for number, region in enumerate(core.regions) for i in region}
        self._chains: dict[tuple[int, object], Operation] = {}
        self.registers: dict[int, Operation] = {}
        self._readers: dict[int, list[Operation]] = {}  # since then
        self.turns: dict[int, int] = {}

    def add(self, op: Operation) -> dict[Operation, int]:
        """Append an operation; returns whom it waits for, and how."""
        after: dict[Operation, int] = {}
        reads, writes = self.accesses.of(op.instruction, self.turns)
        for access in (*reads, *writes):
            if access.storage not in self._seen:
                self._displace(access, after)
        queue, alone = op.queue, op.asynchronous
        for access in reads:
            if access.key is not None:
                for producer in self._history(access).writers(access):
                    after[producer] = DATA
        for access in writes:
            if access.key is None:
                continue
            history = self._history(access)
            for earlier in (history.writers(access), history.readers(access)):
                for producer in earlier:
                    if producer not in after:
                        after[producer] = ORDER if producer.queue == queue and not alone and not producer.asynchronous else SPACE
            history.write(access, op)
        for access in reads:
            if access.key is not None:
                self._history(access).read(access, op)
        self._order(op, after)
        after.pop(op, None)
        return after

    def _history(self, access: Access) -> _History:
        found = self._histories.get(access.key)
        if found is None:
            found = self._histories[access.key] = _History()
        return found

    def _order(self, op: Operation, after: dict[Operation, int]) -> None:
        """Add registers, what the kernel asked for, and what a queue may not reorder."""
        i = op.instruction
        for number in op.profile.registers_read:
            if number in self.registers:
                after[self.registers[number]] = DATA
            if number not in self.accesses.kept:
                self._readers.setdefault(number, []).append(op)
        for number in op.profile.registers_written:
            for before in (*self._readers.pop(number, ()), self.registers.get(number)):
                if before is not None and before.queue == op.queue:  # each engine has registers of its own
                    after.setdefault(before, ORDER)
            self.registers[number] = op
        for producer in self._asked.get(i, ()):
            if producer in self._last:
                after[self._last[producer]] = DATA
        if i in self._producers:
            self._last[i] = op
        for name in self._bound_to(op):
            before = self._chains.get((op.queue, name))
            if before is not None:
                after.setdefault(before, ORDER)
            self._chains[op.queue, name] = op

    def _bound_to(self, op: Operation) -> list[object]:
        """Name what makes instructions of a queue keep their order, beside memory."""
        i, found = op.instruction, list[object]()
        if i.opcode.name in _RANDOM or i.arguments.get("reduce_cmd", commands.idle) is not commands.idle:
            found.append("state of the engine")
        if i in self._regions:
            found.append(self._regions[i])
        return found

    def _displace(self, access: Access, after: dict[Operation, int]) -> None:
        """Memory is used again: wait for all that used it."""
        storage = access.storage
        self._seen.add(storage)
        if access.key is None or not storage.on_chip:
            return
        for tile in self.accesses.places[storage][2]:
            for other in self._histories.get(tile, ()):
                after.setdefault(other, SPACE)
