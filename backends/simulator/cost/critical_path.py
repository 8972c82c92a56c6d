"""The chain of operations that the end of a program waited for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ..program.instruction import Instruction
from .operation import Operation
from .profile import QUEUES

__all__ = ["Step", "critical_path", "share", "weights"]

_JOINT: Final = 1e-12  # seconds; steps closer than this follow each other


class Step(NamedTuple):
    """
    A step of the critical path.

    Attributes
    ----------
    instruction : Instruction
        What ran.
    core : int
        Where.
    queue : str
        An engine, or ``"dma loads"``, ``"dma stores"``, ``"dma moves"``.
    start, end : float
        What it contributes: from when on it held the program up, to when the next step could go on; seconds.
    waited_for : str
        What held it up before: ``"queue"`` (the instruction before it), ``"data"``, ``"space"`` (a tile in use), ``"port"``, ``"bank"``,
        ``"DMA engine"``, ``"HBM"``, ``"core"``, or nothing at the beginning.
    guessed : float
        What of it rests on guesses; seconds.
    moving : float
        For how long of it a DMA moves data; seconds.
    """

    instruction: Instruction
    core: int
    queue: str
    start: float
    end: float
    waited_for: str
    guessed: float
    moving: float


def critical_path(last: Operation | None, core: int, semaphore: float, semaphore_guessed: bool, drains_guessed: bool) -> tuple[Step, ...]:
    """Walk back from the operation that ends last."""
    steps = []
    op, end, successor = last, last.complete if last is not None else 0.0, last
    while op is not None and successor is not None:
        if successor is op or successor.why in ("data", "space"):
            passed = semaphore if successor is not op and successor.queue != op.queue else 0.0
            limit, guessed = op.complete + passed, op.guess_complete + semaphore_guessed * passed
        elif successor.why in ("DMA engine", "HBM"):
            limit, guessed = op.complete, op.guess_moving
        elif op.asynchronous and successor.why == "queue" and end > op.free + op.guess_turn:  # the loop waits for its DMA: a guess itself
            limit = op.complete + op.guess_turn
            guessed = drains_guessed * (limit - op.since)
        else:
            limit, guessed = op.free + op.guess_turn, op.guess_free + op.guess_turn
        until = min(end, max(limit, op.since))
        steps.append(
            Step(
                op.instruction,
                core,
                QUEUES[op.queue],
                1e-9 * op.since,
                1e-9 * until,
                op.why if op.cause is not None else "",
                1e-9 * min(guessed, until - op.since),
                1e-9 * (min(op.moving, until - op.since) if limit >= op.complete else 0.0),
            )
        )
        successor, op = op, op.cause
        end = successor.since
    return tuple(reversed(steps))


def weights(steps: tuple[Step, ...], skipped: Sequence[tuple[float, int]]) -> list[float]:
    """
    Find by what amounts of steps are multiplied to add up to a share of the critical path; skipped stretches are (seconds, iterations).

    A stretch without steps is as the iteration before it, so that steps of that count for it, too.
    """
    parts: list[tuple[float, float, int]] = []  # start, length, number of the step or -1
    stretches: list[tuple[int, list[tuple[int, float]]]] = []  # part, and for parts before it how much of them it stands for
    for number, step in enumerate(steps):
        now = parts[-1][0] + parts[-1][1] if parts else step.start
        gap = step.start - now
        if gap > _JOINT and skipped:
            _, iterations = min(skipped, key=lambda stretch: abs(stretch[0] - gap))
            last = parts[-1][0]  # how the step before the gap was passed on is not known
            since = last - gap / iterations  # what the path takes of one; others may take longer
            before = [at for at, (begin, long, _) in enumerate(parts[:-1]) if begin + long > since] or [*range(len(parts))]
            taken = [(at, min(1.0, (parts[at][0] + parts[at][1] - since) / parts[at][1])) for at in before]
            whole = sum(part * parts[at][1] for at, part in taken)
            stretches.append((len(parts), [(at, gap * part / whole) for at, part in taken] if whole else []))
            parts.append((now, gap, -1))
        if step.end > step.start:
            parts.append((step.start, step.end - step.start, number))
    counts = [1.0] * len(parts)
    for stretch, stands_for in reversed(stretches):
        for at, times in stands_for:
            counts[at] += times * counts[stretch]
    found, whole = [0.0] * len(steps), sum(length for _, length, _ in parts)
    for (_, _, number), count in zip(parts, counts, strict=True):
        if number >= 0:
            found[number] = count / whole
    return found


def share(weights: Sequence[float], amounts: Sequence[float]) -> float:
    """Find out which share of the critical path amounts of its steps are."""
    return min(1.0, sum(weight * amount for weight, amount in zip(weights, amounts, strict=True)))
