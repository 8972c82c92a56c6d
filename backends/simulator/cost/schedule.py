"""
Playing a program: in-order queues, operations that wait for others, loops.

Straight code is played event by event: of the operations at the heads of the queues that have all they depend on, the earliest goes first.
A device loop is played iteration after iteration until the times repeat; then the rest is skipped.
"""

from __future__ import annotations

import heapq
from collections.abc import Generator, Iterable, Mapping
from typing import Final, NamedTuple

from ..program.instruction import ForLoop, Instruction, Node, WhileLoop
from ..program.program import Core, walk
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import Storage
from .dependence import Dependences
from .engines import Machine
from .operation import Operation
from .placement import Place
from .profile import QUEUES, Profiles
from .rates import Rates

__all__ = ["CoreSchedule", "Skipped", "Tape", "trip_count"]

_LONGEST: Final = 8  # period of a loop that is looked for
_PATIENCE: Final = 40  # iterations, after which the mean of the last ones is taken


Tape = list[list[tuple[int, bool]]]


class Skipped(NamedTuple):
    """
    Iterations of a loop that were not played.

    Attributes
    ----------
    loop : ForLoop or WhileLoop
        The loop.
    start, end : float
        ns.
    iterations : int
        How many.
    """

    loop: ForLoop | WhileLoop
    start: float
    end: float
    iterations: int


def trip_count(loop: Node, given: Mapping[str, int]) -> int | None:
    """
    Find out how often a loop runs.

    Parameters
    ----------
    loop : ForLoop or WhileLoop
        The loop.
    given : mapping
        What the caller knows, by ``"file.py:line"`` of loops.

    Returns
    -------
    int or None
        None if it is not known before the program runs.
    """
    assert not isinstance(loop, Instruction)
    if isinstance(loop, ForLoop) and isinstance(loop.lower, int) and isinstance(loop.upper, int):
        return len(range(loop.lower, loop.upper, loop.step))
    return given.get(loop.where.short)


class CoreSchedule:
    """
    One core's program in time.

    Parameters
    ----------
    core : Core
        What it runs.
    rates : Rates
        Figures of the target.
    places : mapping
        Where its tiles are.
    profiles : Profiles
        What instructions ask for, shared among scenarios.
    trips : mapping
        Iterations of loops that are known at run time only.
    extrapolate : bool
        Whether to skip iterations once times repeat.
    tape : list or None
        What operations wait for, if that is the same in all scenarios: in programs without loops. Filled here.

    Attributes
    ----------
    operations : list of Operation
        Those that were played, in the order of the program.
    skipped : list of Skipped
        What was not.
    """

    def __init__(
        self,
        core: Core,
        rates: Rates,
        places: Mapping[Storage, Place],
        profiles: Profiles,
        trips: Mapping[str, int],
        extrapolate: bool,
        tape: Tape | None,
    ) -> None:
        self.core, self.rates, self.places, self.profiles, self.trips = core, rates, places, profiles, trips
        self.extrapolate, self._tape = extrapolate, tape
        self._dependences: Dependences | None = None  # not needed where a tape is complete
        self.machine = Machine(rates, self._bank)
        self.operations: list[Operation] = []
        self.skipped: list[Skipped] = []
        self.end = 0.0
        self.last: Operation | None = None

    def _bank(self, view: NkiTensor) -> tuple[int, ...]:
        storage, target = view._storage, self.rates.target
        first = self.places[storage][1] + view._bytes.offset % storage.pitch
        size = sum((count - 1) * abs(stride) for count, stride in zip(view._bytes.shape[1:], view._bytes.strides[1:], strict=True))
        banks = range(first // target.psum_bank_bytes, (first + size) // target.psum_bank_bytes + 1)
        return tuple(bank % target.psum_banks for bank in banks)

    def run(self, nodes: tuple[Node, ...]) -> Generator[Operation, float]:
        """
        Play nodes.

        Parameters
        ----------
        nodes : tuple of Node
            A program or a body.

        Yields
        ------
        Operation
            One at which cores or chips meet, with the time it could begin; send the time at which all are there.
        """
        block: list[Instruction] = []
        for node in nodes:
            if isinstance(node, Instruction) and node.opcode.together is None:
                block.append(node)
                continue
            self._play(block)
            block = []
            if isinstance(node, Instruction):
                op = self._enqueue(node)
                self.machine.earliest(op)
                self.machine.meet(op, (yield op))
                self._finish(op)
            else:
                yield from self._loop(node)
        self._play(block)

    def _enqueue(self, i: Instruction) -> Operation:
        """Make the operation and find out what it waits for."""
        op = Operation(i, self.profiles[i], len(self.operations))
        self.operations.append(op)
        for producer, data in self._producers(op):
            if producer.complete >= 0:
                self._hand_over(producer, op, data)
            else:
                op.waiting += 1
                producer.dependents.append((op, data))
        return op

    def _producers(self, op: Operation) -> Iterable[tuple[Operation, bool]]:
        tape = self._tape
        if tape is not None and op.serial < len(tape):
            return [(self.operations[serial], data) for serial, data in tape[op.serial]]
        if self._dependences is None:
            self._dependences = Dependences(self.core, self.places)
        found = self._dependences.add(op).items()
        if tape is not None:
            tape.append([(producer.serial, data) for producer, data in found])
        return found

    def _hand_over(self, producer: Operation, op: Operation, data: bool) -> None:
        """Results pass to another engine by a semaphore; a DMA's time to start and to finish has it in it."""
        ready = producer.complete
        if producer.queue != op.queue and not producer.asynchronous and not op.asynchronous:
            ready += self.rates["semaphore"]
        if ready > op.ready or op.cause is None:
            op.ready, op.cause, op.why = ready, producer, "data" if data else "space"

    def _play(self, instructions: list[Instruction]) -> None:
        """Play straight code."""
        lines: list[list[Operation]] = [[] for _ in QUEUES]
        for i in instructions:
            op = self._enqueue(i)
            lines[op.queue].append(op)
        for line in lines:
            line.reverse()  # heads at the end
        machine, due = self.machine, list[tuple[float, int, int]]()
        for number, line in enumerate(lines):
            if line and not line[-1].waiting:
                heapq.heappush(due, (machine.earliest(line[-1]), line[-1].serial, number))
        while due:
            time, serial, number = heapq.heappop(due)
            op = lines[number][-1]
            start = machine.earliest(op)
            if start > time and due and (start, serial) > due[0][:2]:
                heapq.heappush(due, (start, serial, number))
                continue
            lines[number].pop()
            machine.place(op)
            self._finish(op)
            changed = {number}
            for dependent, data in op.dependents:
                self._hand_over(op, dependent, data)
                dependent.waiting -= 1
                if not dependent.waiting and dependent.queue != number and lines[dependent.queue][-1] is dependent:
                    changed.add(dependent.queue)
            op.dependents = []
            for queue in sorted(changed):
                line = lines[queue]
                if line and not line[-1].waiting:
                    heapq.heappush(due, (machine.earliest(line[-1]), line[-1].serial, queue))

    def _finish(self, op: Operation) -> None:
        if op.complete > self.end:
            self.end, self.last = op.complete, op

    def _loop(self, loop: ForLoop | WhileLoop) -> Generator[Operation, float]:
        count = trip_count(loop, self.trips)
        count = 1 if count is None else count
        meets = any(isinstance(node, Instruction) and node.opcode.together is not None for node, _ in walk(loop.body))
        steady = _Steady(self) if self.extrapolate and not meets else None
        done = 0
        while done < count:
            before = len(self.operations)
            yield from self.run(loop.body)
            self._turn(self.operations[before:])
            done += 1
            if steady is not None and done < count:
                period = steady.period(before)
                if period:
                    done += steady.skip(loop, period, count - done)
                    steady = None if done == count else _Steady(self)

    def _turn(self, played: list[Operation]) -> None:
        """End an iteration: the sequencers branch, and wait for the iteration's DMA."""
        branch = self.rates["loop"]
        drained = max((op for op in played if op.asynchronous), key=lambda op: op.complete, default=None)
        for queue in self.machine.queues:
            if drained is not None and self.rates["loop_drains"] and drained.complete > queue.free:
                queue.free, queue.last = drained.complete, drained
            queue.free += branch


class _Steady:
    """Finds out when the iterations of a loop repeat in time."""

    def __init__(self, schedule: CoreSchedule) -> None:
        self.schedule = schedule
        self.marks: list[tuple[float, int, tuple[float, ...], list[float]]] = [(self._now(), 0, (), self._totals())]

    def _now(self) -> float:
        return max(queue.free for queue in self.schedule.machine.queues)

    def _totals(self) -> list[float]:
        machine = self.schedule.machine
        return [
            *machine.busy,
            *machine.dma_busy,
            *machine.flop,
            machine.hbm_read,
            machine.hbm_written,
            machine.product_time,
            machine.instructions,
        ]

    def period(self, first: int) -> int:
        """Note the end of an iteration, which began with the operation `first`; return the period if there is one."""
        now, start = self._now(), self.marks[-1][0]
        relative = tuple(max(resource.free, start) - now for resource in self.schedule.machine.resources())
        self.marks.append((now, first, relative, self._totals()))
        for period in range(1, _LONGEST + 1):
            if len(self.marks) > 2 * period + 1 and all(self._equal(-k, -k - period) for k in range(1, period + 1)):
                return period
        return _LONGEST if len(self.marks) > _PATIENCE else 0

    def _equal(self, one: int, other: int) -> bool:
        a, b = self.marks[one], self.marks[other]
        scale = 1e-9 * (abs(a[0]) + 1)
        return len(a[2]) == len(b[2]) and all(abs(x - y) <= scale for x, y in zip(a[2], b[2], strict=True))

    def skip(self, loop: ForLoop | WhileLoop, period: int, left: int) -> int:
        """Move all times forward by whole periods; the remainder is played. Returns how many iterations were skipped."""
        times = left // period
        if not times:
            return 0
        schedule, machine = self.schedule, self.schedule.machine
        now, _, _, totals = self.marks[-1]
        then, _, _, before = self.marks[-1 - period]
        shift = times * (now - then)
        for resource in machine.resources():
            if resource.free > then:
                resource.free += shift
        for op in schedule.operations[self.marks[-period][1] :]:
            op.start, op.since, op.free, op.complete, op.ready = (
                op.start + shift,
                op.since + shift,
                op.free + shift,
                op.complete + shift,
                op.ready + shift,
            )
            schedule._finish(op)
        grown = [total + times * (total - old) for total, old in zip(totals, before, strict=True)]
        queues, engines = len(machine.busy), len(machine.dma_busy)
        machine.busy = grown[:queues]
        machine.dma_busy = grown[queues : queues + engines]
        machine.flop = grown[queues + engines : 2 * queues + engines]
        machine.hbm_read, machine.hbm_written, machine.product_time = grown[-4:-1]
        machine.instructions = round(grown[-1])
        schedule.skipped.append(Skipped(loop, then, then + shift, times * period))
        return times * period
