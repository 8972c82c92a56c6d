"""
Playing a program: queues of engines, operations that wait for others, loops.

Straight code is played event by event: of the operations that have all they depend on, the one that can begin first does, among equals
the first of the program. Which of them a queue may take is a reading: any that is ready, as AWS's compiler "may reorder operations that
have no data dependencies", or the next of the program. A device loop is played iteration after iteration until the times repeat; then the
rest is skipped. So are calls that repeat an earlier one's instructions, each up to its loop, where all that was before is done by then.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Generator, Mapping
from functools import partial
from typing import Final, NamedTuple

from ..program.instruction import ForLoop, Instruction, Node, WhileLoop
from ..program.program import Core, walk
from ..registers import Turns, registers_of
from ..target import Target
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import Storage
from .access import Accesses
from .alike import Stretch, alike
from .dependence import DATA, ORDER, Dependences
from .engines import Machine
from .operation import Operation
from .placement import Place
from .profile import QUEUES, Profiles
from .rates import Rates

__all__ = ["CoreSchedule", "Skipped", "Tape", "stated_turns", "trip_count"]

_LONGEST: Final = 8  # period of a loop that is looked for
_PATIENCE: Final = 40  # iterations, after which the mean of the last ones is taken
_MANY: Final = 1000  # operations of an iteration, more than which are not played once more
_ROUNDING: Final = 1e-9  # of the time since the start: what sums of times may differ by


Tape = list[tuple[Instruction, Mapping[int, int], list[tuple[int, int]]]]


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


def trip_count(loop: Node, given: Mapping[str, int], worst: bool = False) -> int | None:
    """Find out how often a loop runs."""
    assert not isinstance(loop, Instruction)
    if isinstance(loop, ForLoop) and isinstance(loop.lower, int) and isinstance(loop.upper, int):
        return len(range(loop.lower, loop.upper, loop.step))
    turns = stated_turns(loop)
    if loop.where.short in given or turns is None:
        return given.get(loop.where.short)
    return turns.most if worst else turns.likely


def stated_turns(loop: ForLoop | WhileLoop) -> Turns | None:
    """Find what a kernel states of a loop that only data bound."""
    bound = loop.upper if isinstance(loop, ForLoop) else loop.initial
    return None if isinstance(bound, int) else bound.turns


class _Line:
    """The operations of a queue that wait for nothing but the queue and the time."""

    __slots__ = ("head", "later", "now", "version")

    def __init__(self) -> None:
        self.later: list[tuple[float, int, Operation]] = []  # by the time from which on they can begin
        self.now: list[tuple[int, Operation]] = []  # those that could, in the order of the program
        self.head: Operation | None = None  # the one that is due
        self.version = 0  # of what is due

    def first(self, free: float) -> Operation | None:
        """Find the operation that begins next where the queue is free from a time on."""
        later, now = self.later, self.now
        while later and later[0][0] <= free:
            _, serial, op = heapq.heappop(later)
            heapq.heappush(now, (serial, op))
        return now[0][1] if now else later[0][2] if later else None

    def take(self) -> None:
        """Remove that operation."""
        if self.now:
            heapq.heappop(self.now)
        else:
            heapq.heappop(self.later)


def _banks(places: Mapping[Storage, Place], target: Target, view: NkiTensor) -> tuple[int, ...]:
    storage = view._storage
    first = places[storage][1] + view._bytes.offset % storage.pitch
    size = sum((count - 1) * abs(stride) for count, stride in zip(view._bytes.shape[1:], view._bytes.strides[1:], strict=True))
    banks = range(first // target.psum_bank_bytes, (first + size) // target.psum_bank_bytes + 1)
    return tuple(bank % target.psum_banks for bank in banks)


class CoreSchedule:
    """
    One core's program in time.

    Parameters
    ----------
    core : Core
        What it runs.
    rates : Rates
        Figures of the target.
    accesses : Accesses
        What its instructions touch, shared among scenarios.
    profiles : Profiles
        What instructions ask for, shared among scenarios.
    trips : callable
        Finds out how often a loop runs; None if it is not known.
    extrapolate : bool
        Whether to skip iterations once times repeat.
    tape : list or None
        Each operation's instruction, the indices of loops, and what it waits for: the same in all scenarios that play alike. Filled here.
    alone : bool
        Whether this is the only core.

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
        accesses: Accesses,
        profiles: Profiles,
        trips: Callable[[ForLoop | WhileLoop], int | None],
        extrapolate: bool,
        tape: Tape | None,
        alone: bool,
    ) -> None:
        self.core, self.rates, self.accesses, self.profiles, self.trips = core, rates, accesses, profiles, trips
        self.extrapolate, self._tape, self.alone = extrapolate, tape, alone
        self._dependences, self._known = Dependences(core, accesses), 0  # operations that it knows
        self._turns: Mapping[int, int] = {}
        self._registers: dict[int, Operation] = {}
        self.machine = Machine(rates, partial(_banks, accesses.places, rates.target))
        self.operations: list[Operation] = []
        self.skipped: list[Skipped] = []
        self.end = 0.0
        self.last: Operation | None = None

    def play(self) -> Generator[Operation, float]:
        """Play the program."""
        nodes, at = self.core.nodes, 0
        bank = self.rates.target.psum_bank_bytes
        for stretches in alike(self.core, self.accesses.places, bank) if self.extrapolate and self.alone else ():
            yield from self.run(nodes[at : stretches[0].first])
            yield from self._alike(stretches)
            at = stretches[-1].last
        yield from self.run(nodes[at:])

    def run(self, nodes: tuple[Node, ...]) -> Generator[Operation, float]:
        """Play nodes."""
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
        for serial, how in self._producers(op):
            producer = self.operations[serial]
            if producer.complete >= 0:
                self._hand_over(producer, op, how)
            else:
                op.waiting += 1
                producer.dependents.append((op, how))
        self.operations.append(op)
        for number in op.profile.registers_written:
            self._registers[number] = op
        return op

    def _producers(self, op: Operation) -> list[tuple[int, int]]:
        tape, serial = self._tape, op.serial
        if tape is not None and serial < len(tape):
            i, turns, waits = tape[serial]
            if i is op.instruction and turns == self._turns:
                return waits
        self._catch_up()
        if tape is not None and serial < len(tape):  # from here on this scenario is another
            tape = self._tape = None
        waits = [(producer.serial, how) for producer, how in self._dependences.add(op, self._turns).items()]
        self._known = serial + 1
        if tape is not None:
            tape.append((op.instruction, self._turns, waits))
        return waits

    def _catch_up(self) -> None:
        """Let the dependences know of operations whose own are from the tape."""
        if self._tape is not None:
            for earlier, (_, turns, _) in zip(self.operations[self._known :], self._tape[self._known :], strict=False):
                self._dependences.add(earlier, turns)
            self._known = len(self.operations)

    def _hand_over(self, producer: Operation, op: Operation, how: int) -> None:
        """Results pass to another engine by a semaphore; a DMA's time to start and to finish has it in it."""
        if how == ORDER:
            return
        ready = producer.complete
        if producer.queue != op.queue and not producer.asynchronous and not op.asynchronous:
            ready += self.rates["semaphore"]
        if ready > op.ready or op.cause is None:
            op.ready, op.cause, op.why = ready, producer, "data" if how == DATA else "space"

    def _play(self, instructions: list[Instruction]) -> None:
        """Play straight code."""
        lines = [_Line() for _ in QUEUES]
        last: list[Operation | None] = [None] * len(QUEUES)
        in_order = self.rates["in_order"]
        for i in instructions:
            op = self._enqueue(i)
            before, last[op.queue] = last[op.queue], op
            if in_order and before is not None:
                op.waiting += 1
                before.dependents.append((op, ORDER))
            if not op.waiting:
                heapq.heappush(lines[op.queue].later, (op.ready, op.serial, op))
        machine, due = self.machine, list[tuple[float, int, int, int]]()
        for number in range(len(lines)):
            self._due(lines, number, due)
        while due:
            time, serial, number, version = heapq.heappop(due)
            line = lines[number]
            if line.head is None or version != line.version:
                continue
            op = line.head
            start = machine.earliest(op)
            if start > time and due and (start, serial) > due[0][:2]:
                line.version += 1
                heapq.heappush(due, (start, serial, number, line.version))
                continue
            line.take()
            machine.place(op)
            self._finish(op)
            changed = {number}
            for dependent, how in op.dependents:
                self._hand_over(op, dependent, how)
                dependent.waiting -= 1
                if not dependent.waiting:
                    heapq.heappush(lines[dependent.queue].later, (dependent.ready, dependent.serial, dependent))
                    changed.add(dependent.queue)
            op.dependents = []
            for queue in sorted(changed):
                self._due(lines, queue, due)

    def _due(self, lines: list[_Line], queue: int, due: list[tuple[float, int, int, int]]) -> None:
        """Let a queue's next operation be due, unless it is."""
        line = lines[queue]
        op = line.first(self.machine.queues[queue].free)
        if op is not line.head:
            line.head = op
            line.version += 1
            if op is not None:
                heapq.heappush(due, (self.machine.earliest(op), op.serial, queue, line.version))

    def _finish(self, op: Operation) -> None:
        if op.complete > self.end:
            self.end, self.last = op.complete, op

    def _loop(self, loop: ForLoop | WhileLoop) -> Generator[Operation, float]:
        count = self.trips(loop)
        count = 1 if count is None else count
        instructions = [node for node, _ in walk(loop.body) if isinstance(node, Instruction)]
        queues = sorted({self.profiles[i].queue for i in instructions})
        meets = not self.alone and any(i.opcode.together is not None for i in instructions)  # cores must skip the same
        self._enter(loop, queues)
        steady = _Steady(self, queues) if self.extrapolate and not meets else None
        done = 0
        while done < count:
            before = len(self.operations)
            if isinstance(loop, ForLoop) and isinstance(loop.lower, int) and isinstance(loop.register.state, int):
                self._turns = {**self._turns, loop.register.state: loop.lower + done * loop.step}
            yield from self.run(loop.body)
            self._turn(self.operations[before:], queues)
            done += 1
            if steady is not None and done < count:
                period = steady.period(before)
                if period:
                    done += steady.skip(loop, period, count - done)
                    steady = None

    def _alike(self, stretches: list[Stretch]) -> Generator[Operation, float]:
        """Play stretches that are alike, until one takes what that before it did."""
        nodes = self.core.nodes[stretches[0].first : stretches[0].last]
        steady = _Steady(self, sorted({self.profiles[node].queue for node, _ in walk(nodes) if isinstance(node, Instruction)}))
        for number, stretch in enumerate(stretches):
            before, loop = len(self.operations), self.core.nodes[stretch.last - 1]
            yield from self.run(self.core.nodes[stretch.first : stretch.last])
            left = stretches[number + 1 :]
            if left and steady.settled(before):
                assert not isinstance(loop, Instruction)
                steady.skip(loop, 1, len(left), together=True)
                self._catch_up()
                for other in left:
                    self._dependences.repeat((stretch.storages[place], other.storages[place]) for place in sorted(stretch.written))
                return

    def _enter(self, loop: ForLoop | WhileLoop, queues: list[int]) -> None:
        """Wait on every sequencer that takes part for the registers of the loop's bounds."""
        bounds = (loop.lower, loop.upper) if isinstance(loop, ForLoop) else (loop.initial,)
        written = self._registers
        loads = [written[number] for bound in bounds for number in sorted(registers_of(bound)) if number in written]
        for queue in (self.machine.queues[number] for number in queues):
            for load in loads:
                if load.complete > queue.free:
                    queue.free, queue.last = load.complete, load

    def _turn(self, played: list[Operation], queues: list[int]) -> None:
        """End an iteration: the sequencers branch, and wait for the iteration's DMA."""
        branch = self.rates["loop"]
        drained = max((op for op in played if op.asynchronous), key=lambda op: op.complete, default=None)
        for queue in (self.machine.queues[number] for number in queues):
            if drained is not None and self.rates["loop_drains"] and drained.complete > queue.free:
                queue.free, queue.last = drained.complete, drained
            queue.free += branch
            if queue.last is not None and self.rates.guessed("loop"):
                queue.last.guess_turn = branch


class _Mark(NamedTuple):
    """The end of an iteration."""

    first: int  # its first operation
    floor: float  # before that no queue of the loop begins anything
    times: list[float]  # from when on resources are free
    later: list[tuple[int, float]]  # operations of the iteration whose results come after the floor: the number, and by how much
    drained: bool  # none of them is a DMA
    end: float  # from then on all queues of the loop are free
    done: bool  # all that was before the end is done, and known on every queue
    totals: list[float]

    def after(self) -> list[float]:
        """Find how long after the floor resources are free: what was free before holds nothing up."""
        return [max(time - self.floor, 0.0) for time in self.times]


class _Steady:
    """
    Finds out when the iterations of a loop repeat in time.

    They do when they end in the same state: DMA done, the same resources and results as late. Or, for engines that do not wait for each
    other, when each resource has moved on by the same time in each of two periods.
    """

    def __init__(self, schedule: CoreSchedule, queues: list[int]) -> None:
        self.schedule, self.queues = schedule, queues
        self.marks = [self._mark(len(schedule.operations))]

    def _mark(self, first: int) -> _Mark:
        machine, operations = self.schedule.machine, self.schedule.operations
        totals = [*machine.busy, *machine.dma_busy, *machine.flop]
        totals += [machine.hbm_read, machine.hbm_written, machine.moved, machine.product_time, machine.instructions]
        floor = min((machine.queues[queue].free for queue in self.queues), default=0.0)
        late = [op for op in operations[first:] if op.complete > floor]
        later = [(op.serial - first, op.complete - floor) for op in late]
        times = [resource.free for resource in machine.resources()]
        end = max((machine.queues[queue].free for queue in self.queues), default=0.0)
        passed = end - self.schedule.rates["semaphore"]
        done = self.schedule.end <= end and all(op.asynchronous or op.complete <= passed for op in late)
        return _Mark(first, floor, times, later, not any(op.asynchronous for op in late), end, done, totals)

    def period(self, first: int) -> int:
        """Note the end of an iteration, which began with the operation `first`; return the period if there is one."""
        self.marks.append(self._mark(first))
        spare = self._spare(first)
        for period in range(1, _LONGEST + 1):
            if len(self.marks) > period + spare and self._same_state(self.marks[-1], self.marks[-1 - period]):
                return period
            if len(self.marks) > 3 * period and all(self._same_steps(-k, period) for k in range(1, period + 1)):
                return period
        return _LONGEST if len(self.marks) > _PATIENCE else 0

    def settled(self, first: int) -> bool:
        """
        Note the end of a stretch, which began with the operation `first`; tell whether the next one takes as long.

        It does if all was done at the ends of the last ones, and the last two took the same times, none of them before the end of the
        one before the last: what was before that holds nothing up.
        """
        self.marks.append(self._mark(first))
        if len(self.marks) <= 1 + self._spare(first) or not all(mark.done for mark in self.marks[-3:]):
            return False
        operations, (before, then, now) = self.schedule.operations, (mark.end for mark in self.marks[-3:])
        last, other = operations[first:], operations[self.marks[-2].first : first]
        scale, step = _ROUNDING * (now + 1), now - then
        return len(last) == len(other) and all(
            a.start >= before and abs(a.start - b.start - step) <= scale and abs(a.complete - b.complete - step) <= scale
            for a, b in zip(last, other, strict=True)
        )

    def _spare(self, first: int) -> int:
        """Find how many iterations more than a period are played: the critical path before what is skipped stands for it."""
        return 1 if len(self.schedule.operations) - first > _MANY else 2

    def _same_state(self, now: _Mark, then: _Mark) -> bool:
        if not (now.drained and then.drained and len(now.later) == len(then.later) and len(now.times) == len(then.times)):
            return False
        scale = _ROUNDING * (now.floor + 1)
        return all(a == b and abs(x - y) <= scale for (a, x), (b, y) in zip(now.later, then.later, strict=True)) and all(
            abs(a - b) <= scale for a, b in zip(now.after(), then.after(), strict=True)
        )

    def _same_steps(self, at: int, period: int) -> bool:
        now, then, before = (self.marks[at - k * period].times for k in (0, 1, 2))
        scale = _ROUNDING * (max(now) + 1)
        return len(now) == len(before) and all(abs(a - 2 * b + c) <= scale for a, b, c in zip(now, then, before, strict=True))

    def skip(self, loop: ForLoop | WhileLoop, period: int, left: int, together: bool = False) -> int:
        """
        Move times forward by whole periods, all of them alike where the state is settled; the remainder is played.

        Returns how many iterations were skipped.
        """
        times = left // period
        if not times:
            return 0
        schedule, machine = self.schedule, self.schedule.machine
        now, then = self.marks[-1], self.marks[-1 - period]
        ends = zip(now.times, then.times, strict=True)
        if together:
            steps = [now.end - then.end if end != start else 0.0 for end, start in ends]
        else:
            steps = [self._step(end, start, now, then) for end, start in ends]
        for resource, step in zip(machine.resources(), steps, strict=True):
            resource.free += times * step
        shifts = [times * step for step in steps[: len(QUEUES)]]
        for op in schedule.operations[self.marks[-period].first :]:
            shift = shifts[op.queue]
            op.start, op.since, op.ready = op.start + shift, op.since + shift, op.ready + shift
            op.free, op.complete = op.free + shift, op.complete + shift
            schedule._finish(op)
        grown = [total + times * (total - old) for total, old in zip(now.totals, then.totals, strict=True)]
        queues, engines = len(machine.busy), len(machine.dma_busy)
        machine.busy = grown[:queues]
        machine.dma_busy = grown[queues : queues + engines]
        machine.flop = grown[queues + engines : 2 * queues + engines]
        machine.hbm_read, machine.hbm_written, machine.moved, machine.product_time = grown[-5:-1]
        machine.instructions = round(grown[-1])
        start = max(then.times[: len(QUEUES)])
        schedule.skipped.append(Skipped(loop, start, start + max(shifts), times * period))
        return times * period

    @staticmethod
    def _step(end: float, start: float, now: _Mark, then: _Mark) -> float:
        """By what a resource moves in a period; with the loop, if it was used and is free before anything of the loop begins."""
        return now.floor - then.floor if end != start and end <= now.floor else end - start
