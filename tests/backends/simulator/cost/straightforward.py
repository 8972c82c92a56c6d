"""The scheduler as one would write it first: every pair of instructions is compared, and every queue is looked at before each step."""

import itertools

from trnarray.backends.simulator.cost.access import Accesses
from trnarray.backends.simulator.cost.dependence import DATA, ORDER, SPACE
from trnarray.backends.simulator.cost.engines import Machine
from trnarray.backends.simulator.cost.footprint import overlap
from trnarray.backends.simulator.cost.operation import Operation
from trnarray.backends.simulator.cost.placement import rotate
from trnarray.backends.simulator.cost.profile import Profiles
from trnarray.backends.simulator.cost.rates import Rates
from trnarray.backends.simulator.cost.schedule import CoreSchedule


def _meet(some, others):
    return any(one.storage is other.storage and overlap(one.at, other.at) for one in some for other in others)


def waits(later, earlier, touches):
    """How one operation waits for an earlier one, or None."""
    (reads, writes), (read, written) = touches[later], touches[earlier]
    if _meet(reads, written):
        return DATA
    if not _meet(writes, read + written):
        return None
    together = later.queue == earlier.queue and not later.asynchronous and not earlier.asynchronous
    return ORDER if together else SPACE


def straightforward(program, in_order):
    """Start and end of each instruction of a program without loops, by the definition of the schedule."""
    (core,), profiles = program.cores, Profiles()
    rates = Rates(program.target, {})
    accesses = Accesses(core, rotate(core, program.target))
    schedule = CoreSchedule(core, rates, accesses, profiles, lambda _: 1, False, None, True)  # for its banks and its semaphores alone
    machine: Machine = schedule.machine
    operations = [Operation(i, profiles[i], serial) for serial, i in enumerate(core.nodes)]
    touches = {  # nothing orders DMAs on a tensor in HBM that is only read or only written
        op: [[access for access in side if access.key is not None] for side in accesses.of(op.instruction, {})[:2]] for op in operations
    }
    producers = {
        op: [(earlier, how) for earlier in operations[: op.serial] if (how := waits(op, earlier, touches)) is not None] for op in operations
    }
    left = list(operations)
    while left:
        first = {}
        for queue, line in itertools.groupby(sorted(left, key=lambda op: op.queue), lambda op: op.queue):
            line = sorted(line, key=lambda op: op.serial)[: 1 if in_order else None]
            ready = [op for op in line if all(earlier not in left for earlier, _ in producers[op])]
            for op in ready:
                op.ready, op.cause = 0.0, None
                for earlier, how in producers[op]:
                    schedule._hand_over(earlier, op, how)
            free = machine.queues[queue].free
            if ready:
                first[queue] = min(ready, key=lambda op: (max(op.ready, free), op.serial))
        op = min(first.values(), key=lambda op: (machine.earliest(op), op.serial))
        machine.earliest(op)
        machine.place(op)
        left.remove(op)
    return [(op.instruction.serial, op.start, op.free, op.complete) for op in operations]
