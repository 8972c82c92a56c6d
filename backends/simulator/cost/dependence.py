"""What an instruction has to wait for: who wrote what it reads, who used what it overwrites."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..program.instruction import Instruction, Node
from ..program.program import Core, walk
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import Storage
from .footprint import Footprint, covers, footprint, overlap
from .operation import Operation
from .placement import Place

__all__ = ["Dependences"]

_TENSOR, _FIRST_RING = 0, 5


class _History:
    """Accesses of a tensor that later ones may have to wait for."""

    __slots__ = ("reads", "writes")

    def __init__(self) -> None:
        self.writes: list[tuple[Footprint, Operation]] = []
        self.reads: list[tuple[Footprint, Operation]] = []


class Dependences:
    """
    Accesses so far.

    Parameters
    ----------
    core : Core
        What a core runs.
    places : mapping
        Where its tiles are.

    Attributes
    ----------
    registers : dict
        Who wrote each register last.
    """

    def __init__(self, core: Core, places: Mapping[Storage, Place]) -> None:
        self.places = places
        self._histories: dict[Any, _History] = {}
        self._free = _untracked(core.nodes)
        self._seen = set[Storage]()
        self._asked: dict[Instruction, list[Instruction]] = {}
        for consumer, producer in core.dependencies:
            self._asked.setdefault(consumer, []).append(producer)
        self._producers = frozenset(producer for _, producer in core.dependencies)
        self._last: dict[Instruction, Operation] = {}
        self.registers: dict[int, Operation] = {}
        self._footprints: dict[int, tuple[NkiTensor, Any, Footprint]] = {}

    def add(self, op: Operation) -> dict[Operation, bool]:
        """Append an operation."""
        i, queue = op.instruction, op.queue
        after: dict[Operation, bool] = {}
        reads, writes = [self._where(view) for view in i.touched()[len(i.writes) :]], [self._where(view) for view in i.writes]
        for view, key, _ in (*reads, *writes):
            if view._storage not in self._seen:
                self._displace(view._storage, key, after)
        asynchronous = queue >= _FIRST_RING or op.asynchronous
        for _, key, at in reads:
            if key is not None:
                for other, producer in self._histories[key].writes:
                    if overlap(at, other):
                        after[producer] = True
        for _, key, at in writes:
            if key is None:
                continue
            history = self._histories[key]
            for other, producer in history.writes:
                if (producer.queue != queue or asynchronous) and overlap(at, other):
                    after.setdefault(producer, False)
            for other, reader in history.reads:
                if (reader.queue != queue or asynchronous) and overlap(at, other):
                    after.setdefault(reader, False)
            if history.writes:
                history.writes = [entry for entry in history.writes if not covers(at, entry[0])]
            if history.reads:
                history.reads = [entry for entry in history.reads if not covers(at, entry[0])]
            history.writes.append((at, op))
        for _, key, at in reads:
            if key is not None:
                entries = self._histories[key].reads
                if not asynchronous:
                    entries[:] = [entry for entry in entries if entry[1].queue != queue or entry[0] != at]
                entries.append((at, op))
        self._order(op, after)
        after.pop(op, None)
        return after

    def _order(self, op: Operation, after: dict[Operation, bool]) -> None:
        """Add registers, and what the kernel asked for."""
        i = op.instruction
        for number in op.profile.registers_read:
            if number in self.registers:
                after[self.registers[number]] = True
        for number in op.profile.registers_written:
            self.registers[number] = op
        for producer in self._asked.get(i, ()):
            if producer in self._last:
                after[self._last[producer]] = True
        if i in self._producers:
            self._last[i] = op

    def _where(self, view: NkiTensor) -> tuple[NkiTensor, Any, Footprint]:
        """Key of the history and bytes; views with explicit addresses share the history of their memory."""
        found = self._footprints.get(id(view))
        if found is None:
            storage = view._storage
            key: Any = None if storage in self._free else storage
            partition = byte = 0
            if storage.on_chip and storage.address is not None:
                key, (partition, byte, _) = storage.buffer, self.places[storage]
            found = self._footprints[id(view)] = view, key, footprint(view, partition, byte)
            if key is not None and key not in self._histories:
                self._histories[key] = _History()
        return found

    def _displace(self, storage: Storage, key: Any, after: dict[Operation, bool]) -> None:
        """Memory is used again: wait for all that used it."""
        self._seen.add(storage)
        if key is None or not storage.on_chip:
            return
        for tile in self.places[storage][2]:
            history = self._histories.get(tile)
            if history is not None:
                for _, other in (*history.writes, *history.reads):
                    after.setdefault(other, False)


def _untracked(nodes: tuple[Node, ...]) -> set[Storage]:
    """HBM tensors that are read only, or written only: DMAs need no order among them."""
    read, written = set[Storage](), set[Storage]()
    for node, _ in walk(nodes):
        if isinstance(node, Instruction):
            written.update(view._storage for view in node.writes)
            read.update(view._storage for view in node.touched()[len(node.writes) :])
    return {storage for storage in (read | written) - (read & written) if not storage.on_chip}
