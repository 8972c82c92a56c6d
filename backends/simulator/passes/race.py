"""Accesses that overlap although nothing orders them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from ..engines import engine
from ..errors import RaceError
from ..program.instruction import ForLoop, Instruction, Node
from ..program.program import Program
from ..tensor.geometry import Geometry
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import MemoryRegion, Storage
from .reach import loop_indices, reach

__all__ = ["Race", "check_races", "find_races"]


class _Access(NamedTuple):
    """An instruction's access to memory that another tensor or core may reach, too."""

    event: int
    core: int
    view: NkiTensor
    writes: bool
    instruction: Instruction
    at: Geometry
    bytes: range


class Race(NamedTuple):
    """
    Two accesses that nothing orders.

    Attributes
    ----------
    first, second : Instruction
        Who.
    first_view, second_view : NkiTensor
        What they access; it overlaps and one is written.
    cores : tuple of int
        On which cores.
    writes : tuple of bool
        Which of the accesses write.
    """

    first: Instruction
    second: Instruction
    first_view: NkiTensor
    second_view: NkiTensor
    cores: tuple[int, int] = (0, 0)
    writes: tuple[bool, bool] = (True, True)


def _twice(nodes: tuple[Node, ...]) -> Iterator[Instruction]:
    """List instructions with the bodies of loops twice, so that those of an iteration follow those of the one before."""
    for node in nodes:
        if isinstance(node, Instruction):
            yield node
        else:
            turns = 2
            if isinstance(node, ForLoop) and isinstance(node.lower, int) and isinstance(node.upper, int):
                turns = min(2, len(range(node.lower, node.upper, node.step)))
            yield from [*_twice(node.body)] * turns


def _segments(program: Program) -> Iterator[list[tuple[int, Instruction]]]:
    """List what each core does until cores meet, in an order that could have happened; a meeting is a list of one entry per core."""
    cores = [[*_twice(core.nodes)] for core in program.cores]
    at = [0] * len(cores)
    while any(position < len(nodes) for position, nodes in zip(at, cores, strict=True)):
        meeting = []
        for number, nodes in enumerate(cores):
            while at[number] < len(nodes):
                instruction = nodes[at[number]]
                at[number] += 1
                if instruction.opcode.together is not None:
                    meeting.append((number, instruction))
                    break
                yield [(number, instruction)]
        if meeting:
            yield meeting


_Chain = tuple[int, engine]  # a core's engine runs its instructions in order


class _Order:
    """What happens before each event: of every engine, the last event that does."""

    def __init__(self, program: Program) -> None:
        self._clocks: list[dict[_Chain, int]] = []
        self._chains: list[_Chain] = []  # one that the event is on
        self._last: dict[tuple[int, Storage], int] = {}  # write
        self._readers: dict[tuple[int, Storage], list[int]] = {}
        self._events: dict[Instruction, int] = {}
        self._asked: dict[Instruction, list[Instruction]] = {}
        self._now: dict[_Chain, int] = {}
        for core in program.cores:
            for consumer, producer in (*core.dependencies, *((b, a) for region in core.regions for a, b in itertools.pairwise(region))):
                self._asked.setdefault(consumer, []).append(producer)

    def precedes(self, first: int, second: int) -> bool:
        """Whether an event happens before a later one."""
        return self._clocks[second].get(self._chains[first], -1) >= first

    def add(self, entries: list[tuple[int, Instruction]]) -> int:
        """Append an event: an instruction, or a meeting of several."""
        event, after = len(self._clocks), set[int]()
        for core, i in entries:
            after.update(self._events[producer] for producer in self._asked.get(i, ()) if producer in self._events)
            after.add(self._now.get((core, i.engine), -1))
            meets = i.opcode.together is not None  # whoever uses the data of a meeting waits for it
            for view in i.touched():
                after.add(self._last.get((core, view._storage), -1))
            for view in (*i.writes, *(i.reads if meets else ())):
                after.update(self._readers.pop((core, view._storage), ()))
        clock: dict[_Chain, int] = {}
        for earlier in after - {-1}:
            for chain, latest in self._clocks[earlier].items():
                clock[chain] = max(latest, clock.get(chain, -1))
        for core, i in entries:
            self._events[i] = event
            self._now[core, i.engine] = clock[core, i.engine] = event
            for view in i.touched():
                self._readers.setdefault((core, view._storage), []).append(event)
            for view in (*i.writes, *(i.reads if i.opcode.together is not None else ())):
                self._last[core, view._storage] = event
        self._clocks.append(clock)
        self._chains.append((entries[0][0], entries[0][1].engine))
        return event


def _span(at: Geometry, storage: Storage) -> range:
    """Bytes from an access's first to its last: of a partition on chip, of the tensor in HBM."""
    start, inner = at.offset, 0
    if storage.on_chip:
        start, inner = at.offset % storage.pitch + (storage.address[1] if storage.address else 0), 1
    steps = [(count - 1) * stride for count, stride in zip(at.shape[inner:], at.strides[inner:], strict=True)]
    return range(start + sum(min(0, step) for step in steps), start + sum(max(0, step) for step in steps) + at.dtype.itemsize)


def _overlap(a: _Access, b: _Access) -> bool:
    """Whether two accesses have a byte in common; NumPy solves that for strided layouts, and nothing is read."""
    dummy, views = np.empty(1, np.uint8), []
    for at, storage in ((a.at, a.view._storage), (b.at, b.view._storage)):
        address = storage.address
        start = at.offset + (address[0] * storage.pitch + address[1] if address else 0)
        shape, strides = (2, *at.shape, at.dtype.itemsize), (start, *at.strides, 1)
        views.append(np.lib.stride_tricks.as_strided(dummy, shape, strides)[1])
    try:
        return np.shares_memory(views[0], views[1], max_work=100_000)  # type: ignore[arg-type, no-untyped-call, unused-ignore]
    except np.exceptions.TooHardError:
        return True


def _sharing(program: Program, strict: bool) -> Iterator[tuple[int, Storage, Storage]]:
    """Tensors of a core with addresses that overlap; unless strict, only those that are in use together, since others reuse an address."""
    for number, core in enumerate(program.cores):
        placed = [storage for storage in core.storages if storage.on_chip and storage.address is not None]
        if not placed:
            continue
        alive = core.alive
        in_use: list[Storage] = []
        for b in sorted((storage for storage in placed if storage in alive), key=lambda storage: alive[storage].first):
            in_use = [a for a in in_use if strict or alive[a].last >= alive[b].first]
            yield from ((number, a, b) for a in in_use if a.meets(b))
            in_use.append(b)


def _crossing(one: list[_Access], other: list[_Access]) -> Iterator[tuple[_Access, _Access]]:
    """Pairs of which one writes and whose spans overlap."""
    if not one or not other:
        return
    starts = [np.array([access.bytes.start for access in accesses]) for accesses in (one, other)]
    stops = [np.array([access.bytes.stop for access in accesses]) for accesses in (one, other)]
    writes = [np.array([access.writes for access in accesses]) for accesses in (one, other)]
    near = (starts[0][:, None] < stops[1]) & (starts[1] < stops[0][:, None]) & (writes[0][:, None] | writes[1])
    for i, j in np.argwhere(near):
        yield one[i], other[j]


def find_races(program: Program, same: Iterable[tuple[Storage, Storage]] = (), *, strict: bool = False) -> list[Race]:
    """Find overlapping accesses, one of them a write, that no engine's order, dependence, schedule or meeting orders."""
    aliased = [*same]
    inputs = frozenset(storage for pair in aliased for storage in pair)
    placed = [*_sharing(program, strict)]
    watched = inputs | {storage for _, *pair in placed for storage in pair}
    if len(program.cores) == 1 and not watched:
        return []
    known = [dict(loop_indices(core.nodes)) for core in program.cores]
    order, accesses = _Order(program), dict[tuple[int, Storage], list[_Access]]()
    for entries in _segments(program):
        event = order.add(entries)
        for core, i in entries:
            if i.opcode.name == "core_barrier":
                continue
            for view, writes in (*((view, True) for view in i.writes), *((view, False) for view in i.reads)):
                storage = view._storage
                shared = storage.buffer is MemoryRegion.shared_hbm and len(program.cores) > 1
                if shared or storage in watched:
                    at = reach(view, known[core])
                    accesses.setdefault((core, storage), []).append(_Access(event, core, view, writes, i, at, _span(at, storage)))
    pairs = [(accesses.get((core, a), []), accesses.get((core, b), [])) for core, a, b in placed]
    cores = range(len(program.cores))
    pairs += [(accesses.get((core, a), []), accesses.get((other, b), [])) for a, b in aliased for core in cores for other in cores]
    pairs += [(mine, accesses.get((other, a), [])) for (core, a), mine in accesses.items() if not a.on_chip for other in cores[core + 1 :]]
    found = dict[frozenset[tuple[Instruction, NkiTensor]], Race]()  # once, whatever the iteration
    for one, other in pairs:
        for first, second in _crossing(one, other):
            a, b = sorted((first, second), key=lambda access: access.event)
            if a.event != b.event and not order.precedes(a.event, b.event) and _overlap(a, b):
                race = Race(a.instruction, b.instruction, a.view, b.view, (a.core, b.core), (a.writes, b.writes))
                found.setdefault(frozenset([(a.instruction, a.view), (b.instruction, b.view)]), race)
    return [*found.values()]


def check_races(program: Program, same: Iterable[tuple[Storage, Storage]] = (), *, strict: bool = False) -> None:
    """Refuse a program with races."""
    for race in find_races(program, same, strict=strict):
        by_data = race.first_view.is_indirect() or race.second_view.is_indirect()
        verbs = ["writes" if writes else "reads" for writes in race.writes]
        of_core = [f" of core {core}" if len(program.cores) > 1 else "" for core in race.cores]
        raise RaceError(
            f"{race.first.opcode.name} on {race.first.engine.name}{of_core[0]} {verbs[0]} {race.first_view!r} and "
            f"{race.second.opcode.name} on {race.second.engine.name}{of_core[1]} {verbs[1]} {race.second_view!r}, which overlap, and "
            "nothing orders them; use depends_on, a schedule, nl.no_reorder, nisa.core_barrier or one tensor, or allow it with "
            f"simulator.options(races=False) (the first is at {race.first.where})"
            + "; an index that is loaded is taken to reach everything: options(races=False) if you know better" * by_data,
            race.second.where,
        )
