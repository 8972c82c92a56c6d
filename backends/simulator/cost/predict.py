"""From a program to its predicted time."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ..collector import without_collector
from ..options import current_options
from ..program.instruction import Instruction
from ..program.program import Program, walk
from .access import Accesses
from .calibration import Calibration
from .critical_path import critical_path, share, weights
from .dead_fills import without_dead_fills
from .hardware import DMA_ENGINES
from .placement import rotate
from .prediction import Interval, Prediction, Skip
from .profile import QUEUES, Profiles
from .rates import Rates
from .schedule import CoreSchedule, Tape, trip_count
from .spread import interval

__all__ = ["meet", "predict"]

_ENGINES = QUEUES[:5]


@without_collector()
def predict(
    program: Program,
    *,
    calibration: Calibration | None = None,
    trip_counts: Mapping[str, int] | None = None,
    keep: bool = True,
    extrapolate: bool = True,
) -> Prediction:
    """
    Predict what a program takes on the device it was traced for.

    Parameters
    ----------
    program : Program
        From `Kernel.program`.
    calibration : Calibration, optional
        Measured figures; by default those of the options in force.
    trip_counts : mapping, optional
        Iterations of loops whose bounds are known at run time only, by ``"file.py:line"``.
    keep : bool, optional
        Keep the intervals of all instructions.
    extrapolate : bool, optional
        Skip iterations of device loops once their times repeat.

    Returns
    -------
    Prediction
        The same for the same program, always.

    Raises
    ------
    ValueError
        If the calibration is of another target, or `trip_counts` names a line without such a loop.
    """
    options = current_options()
    calibration = calibration or options.calibration
    if calibration is not None and calibration.target != program.target.name:
        raise ValueError(f"the calibration is of {calibration.target} and the program for {program.target.name}; measure on that")
    measured = {} if calibration is None else calibration.figures
    trips = dict(trip_counts or {})
    loops = [node for core in program.cores for node, _ in walk(core.nodes) if not isinstance(node, Instruction)]
    lines = {loop.where.short for loop in loops}
    if set(trips) - lines:
        raise ValueError(f"trip_counts: no device loop at {', '.join(sorted(set(trips) - lines))}; there are loops at {sorted(lines)}")
    unknown = tuple(sorted({loop.where.short for loop in loops if trip_count(loop, trips) is None}))
    profiles = Profiles()
    accesses = [Accesses(core, rotate(core, program.target)) for core in program.cores]
    tapes: list[Tape] = [[] for _ in program.cores]

    def play(worst: bool = False) -> list[CoreSchedule]:
        rates = Rates(program.target, measured)
        cores = program.cores if rates["dead_fills"] else [without_dead_fills(core) for core in program.cores]
        parts = zip(cores, accesses, tapes, strict=True)
        turns = partial(trip_count, given=trips, worst=worst)
        alone = len(program.cores) == 1
        schedules = [CoreSchedule(core, rates, touched, profiles, turns, extrapolate, tape, alone) for core, touched, tape in parts]
        meet(schedules)
        return schedules

    stated = any(trip_count(loop, trips) != trip_count(loop, trips, worst=True) for loop in loops)
    worst = max(schedule.end for schedule in play(worst=True)) if stated else 0.0
    schedules = play()
    seconds = 1e-9 * max(schedule.end for schedule in schedules)
    last = max(range(len(schedules)), key=lambda number: schedules[number].end)
    rates = schedules[last].rates
    guesses = rates.guessed("semaphore"), rates.guessed("loop_drains")
    steps = critical_path(schedules[last].last, last, rates["semaphore"], *guesses)
    skipped = [(1e-9 * (skip.end - skip.start), skip.iterations) for skip in schedules[last].skipped]
    low, high = interval(seconds, steps, skipped)
    flop = [sum(schedule.machine.flop[queue] for schedule in schedules) for queue in range(len(QUEUES))]
    return Prediction(
        name=program.name,
        target=program.target,
        seconds=seconds,
        low=low,
        high=high,
        worst=max(1e-9 * worst, seconds),
        busy=_busy(schedules, seconds),
        hbm_read=sum(schedule.machine.hbm_read for schedule in schedules),
        hbm_written=sum(schedule.machine.hbm_written for schedule in schedules),
        arithmetic=sum(flop),
        arithmetic_of={name: flop[queue] for queue, name in enumerate(_ENGINES)} | {"dma": sum(flop[len(_ENGINES) :])},
        peak={memory: max(core.peak.get(memory, 0) for core in program.cores) for memory in ("sbuf", "psum")},
        critical_path=steps,
        guessed=share(weights(steps, skipped), [step.guessed for step in steps]),
        bounds=_bounds(schedules),
        intervals=_intervals(schedules) if keep else (),
        skipped=tuple(
            Skip(number, skip.loop, 1e-9 * skip.start, 1e-9 * skip.end, skip.iterations)
            for number, schedule in enumerate(schedules)
            for skip in schedule.skipped
        ),
        unknown_loops=unknown,
        instructions=sum(schedule.machine.instructions for schedule in schedules),
        knobs=options.knobs,
        calibration="" if calibration is None else calibration.source,
        measured=tuple(sorted(measured)),
    )


@without_collector()
def meet(schedules: list[CoreSchedule]) -> None:
    """Play cores in turn, each until it must meet the others."""
    running = [schedule.play() for schedule in schedules]
    waiting = [next(run, None) for run in running]
    while any(op is not None for op in waiting):
        at = max(op.start for op in waiting if op is not None)
        for number, op in enumerate(waiting):
            if op is not None:
                try:
                    waiting[number] = running[number].send(at)
                except StopIteration:
                    waiting[number] = None


def _busy(schedules: list[CoreSchedule], seconds: float) -> Mapping[str, float]:
    whole = 1e9 * seconds * len(schedules) or 1.0
    found = {name: sum(schedule.machine.busy[queue] for schedule in schedules) / whole for queue, name in enumerate(_ENGINES)}
    each = [sum(schedule.machine.dma_busy[engine] for schedule in schedules) / whole for engine in range(DMA_ENGINES)]
    return found | {"dma": sum(each) / DMA_ENGINES} | {f"dma{engine}": share for engine, share in enumerate(each)}


def _bounds(schedules: list[CoreSchedule]) -> Mapping[str, float]:
    """Cores share nothing but HBM's links, each with its share; so the busiest one counts."""

    def most(values: list[float]) -> float:
        return 1e-9 * max(values)

    machines = [schedule.machine for schedule in schedules]
    rates = schedules[0].rates
    found = {
        "tensor": most([machine.product_time for machine in machines]),
        "hbm": most([(machine.hbm_read + machine.hbm_written) / rates["hbm_rate"] for machine in machines]),
        "dma": most([machine.moved / (DMA_ENGINES * rates["dma_rate"]) for machine in machines]),
    }
    return found | {name: most([machine.busy[queue] for machine in machines]) for queue, name in enumerate(_ENGINES) if queue in (1, 2, 3)}


def _intervals(schedules: list[CoreSchedule]) -> tuple[Interval, ...]:
    found = [
        Interval(number, QUEUES[op.queue], 1e-9 * op.start, 1e-9 * (op.complete if op.asynchronous else op.free), op.instruction)
        for number, schedule in enumerate(schedules)
        for op in schedule.operations
    ]
    return tuple(sorted(found, key=lambda interval: (interval.start, interval.core, interval.queue, interval.instruction.serial)))
