"""What an instruction has to wait for: who wrote what it reads, who used what it overwrites, and what its queue must not overtake."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from ..engines import reduce_cmd as commands
from ..program.instruction import Instruction
from ..program.program import Core
from ..tensor.storage import Storage
from .access import Access, Accesses, Base
from .footprint import Footprint, covers, overlap
from .operation import Operation

__all__ = ["DATA", "ORDER", "SPACE", "Dependences"]

ORDER, SPACE, DATA = range(3)  # begins after the other began, on one queue; after it is done with memory; after its result is there

_RANDOM: Final = frozenset(("dropout", "rand2", "rand_get_state", "rand_set_state", "rng", "set_rng_seed"))

class _Piece:
    """
    Bytes that accesses touched, with who did last: a node of the graph of pieces that have bytes in common.

    Attributes
    ----------
    at : Footprint
        The bytes.
    writers, readers : list of Operation
        Those that later accesses may have to wait for.
    behind : bool
        Whether a later write waited for the readers. Who reads the piece next waits for that write, so that whoever waits for the new
        reader need not wait for those.
    meets : list of _Piece
        What has bytes in common with this, itself included.
    covers : list of _Piece
        What lies within it, itself included.
    """

    __slots__ = ("at", "behind", "covers", "meets", "readers", "writers")

    def __init__(self, at: Footprint) -> None:
        self.at, self.behind = at, False
        self.writers: list[Operation] = []
        self.readers: list[Operation] = []
        self.meets, self.covers = [self], [self]

    def meet(self, other: _Piece, alike: bool) -> None:
        """Link two pieces; bytes tell whether one covers the other if their addresses are counted from one place."""
        self.meets.append(other)
        other.meets.append(self)
        if alike and covers(self.at, other.at):
            self.covers.append(other)
        if alike and covers(other.at, self.at):
            other.covers.append(self)


class _Pieces:
    """Pieces of a tensor, found by their bytes: for each size, a power of two, in buckets as long, of which a piece lies in two at most."""

    __slots__ = ("_known", "_sizes")

    def __init__(self) -> None:
        self._known: dict[Base | None, dict[Footprint, _Piece]] = {}
        self._sizes: dict[Base | None, dict[int, dict[int, list[_Piece]]]] = {}

    def at(self, access: Access) -> _Piece:
        """Find the piece that an access touches, or make it."""
        at, base = access.at, access.base
        known = self._known.setdefault(base, {})
        found = known.get(at)
        if found is None:
            found = _Piece(at)
            for other, pieces in self._known.items():
                for piece in self._near(base, at) if other == base else pieces.values():
                    found.meet(piece, alike=other == base)
            known[at] = found
            size = (at.stop - at.start - 1).bit_length()
            buckets = self._sizes.setdefault(base, {}).setdefault(size, {})
            for number in {at.start >> size, (at.stop - 1) >> size}:
                buckets.setdefault(number, []).append(found)
        return found

    def _near(self, base: Base | None, at: Footprint) -> Iterable[_Piece]:
        found: dict[_Piece, None] = {}
        for size, buckets in self._sizes.get(base, {}).items():
            first, last = at.start >> size, (at.stop - 1) >> size
            numbers = range(first, last + 1) if last - first < len(buckets) else [number for number in buckets if first <= number <= last]
            for number in numbers:
                for piece in buckets.get(number, ()):
                    if overlap(at, piece.at):
                        found[piece] = None
        return found

    def __iter__(self) -> Iterator[_Piece]:
        return (piece for pieces in self._known.values() for piece in pieces.values())


class _Kind(NamedTuple):
    """What of an instruction's waiting is the same each time."""

    read: list[_Piece]
    written: list[_Piece]
    ordered: bool  # by more than memory


class Dependences:
    """
    Accesses so far.

    Parameters
    ----------
    core : Core
        What a core runs.
    accesses : Accesses
        What its instructions touch.
    """

    def __init__(self, core: Core, accesses: Accesses) -> None:
        self._accesses = accesses
        self._pieces: dict[Any, _Pieces] = {}
        self._kinds: dict[Instruction, _Kind] = {}
        self._seen = set[Any]()
        self._asked: dict[Instruction, list[Instruction]] = {}
        for consumer, producer in core.dependencies:
            self._asked.setdefault(consumer, []).append(producer)
        self._producers = frozenset(producer for _, producer in core.dependencies)
        self._last: dict[Instruction, Operation] = {}
        self._regions = {i: number for number, region in enumerate(core.regions) for i in region}
        self._chains: dict[tuple[int, object], Operation] = {}
        self._registers: dict[int, Operation] = {}  # who wrote each last
        self._readers: dict[int, list[Operation]] = {}  # since then

    def add(self, op: Operation, turns: Mapping[int, int]) -> dict[Operation, int]:
        """Append an operation; `turns` are the indices of loops. Returns whom it waits for, and how."""
        after: dict[Operation, int] = {}
        queue, alone = op.queue, op.asynchronous
        read, written, ordered = self._kinds.get(op.instruction) or self._look_up(op, turns, after)
        for piece in read:
            for other in piece.meets:
                for producer in other.writers:
                    after[producer] = DATA
        for piece in written:
            for other in piece.meets:
                for producer in (*other.writers, *other.readers) if other.readers else other.writers:
                    if producer not in after:
                        after[producer] = ORDER if producer.queue == queue and not alone and not producer.asynchronous else SPACE
                other.behind = True
            for other in piece.covers:  # whoever comes later waits for this operation
                if other.writers:
                    other.writers = []
                if other.readers:
                    other.readers = []
            piece.writers.append(op)
        for piece in read:
            if piece.behind:
                piece.readers, piece.behind = [], False
            piece.readers.append(op)
        if ordered:
            self._order(op, after)
        after.pop(op, None)
        return after

    def repeat(self, written: Iterable[tuple[Storage, Storage]]) -> None:
        """Let those who wait for tensors that were written as another was, but not played, wait for the accesses of that."""
        for one, other in written:
            self._seen.add(other)
            if one in self._pieces:
                self._pieces[other] = self._pieces[one]

    def _look_up(self, op: Operation, turns: Mapping[int, int], after: dict[Operation, int]) -> _Kind:
        """Find the pieces that an operation reads and writes; the first time also who used the memory before."""
        i, profile = op.instruction, op.profile
        reads, writes, moves = self._accesses.of(i, turns)
        for access in (*reads, *writes):
            if access.storage not in self._seen:
                self._displace(access, after)
        read, written = ([self._piece(access) for access in side if access.key is not None] for side in (reads, writes))
        named = i in self._asked or i in self._producers or bool(self._chained(i))
        found = _Kind(read, written, named or bool(profile.registers_read or profile.registers_written))
        if not moves:
            self._kinds[i] = found
        return found

    def _piece(self, access: Access) -> _Piece:
        pieces = self._pieces.get(access.key)
        if pieces is None:
            pieces = self._pieces[access.key] = _Pieces()
        return pieces.at(access)

    def _order(self, op: Operation, after: dict[Operation, int]) -> None:
        """Add registers, what the kernel asked for, and what a queue may not reorder."""
        i = op.instruction
        for number in op.profile.registers_read:
            if number in self._registers:
                after[self._registers[number]] = DATA
            if number not in self._accesses.kept:
                self._readers.setdefault(number, []).append(op)
        for number in op.profile.registers_written:
            for before in (*self._readers.pop(number, ()), self._registers.get(number)):
                if before is not None and before.queue == op.queue:  # each engine has registers of its own
                    after.setdefault(before, ORDER)
            self._registers[number] = op
        for producer in self._asked.get(i, ()):
            if producer in self._last:
                after[self._last[producer]] = DATA
        if i in self._producers:
            self._last[i] = op
        for name in self._chained(i):
            before = self._chains.get((op.queue, name))
            if before is not None:
                after.setdefault(before, ORDER)
            self._chains[op.queue, name] = op

    def _chained(self, i: Instruction) -> list[object]:
        """Name what makes instructions of a queue keep their order, beside memory."""
        found = list[object]()
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
        for tile in self._accesses.places[storage][2]:
            for piece in self._pieces.get(tile, ()):
                for other in (*piece.writers, *piece.readers):
                    after.setdefault(other, SPACE)
