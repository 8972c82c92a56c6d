"""The chain of operations that the end of a program waited for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ..program.instruction import Instruction
from .operation import Operation
from .profile import QUEUES

__all__ = ["Step", "critical_path", "share"]

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


def share(steps: tuple[Step, ...], amounts: Sequence[float], skipped: Sequence[tuple[float, int]]) -> float:
    """Find out which share of the critical path amounts of its steps are; skipped stretches, (seconds, iterations), are as those before."""
    parts: list[tuple[float, float, float]] = []  # start, length, what of it counts
    for step, amount in zip(steps, amounts, strict=True):
        now = parts[-1][0] + parts[-1][1] if parts else step.start
        gap = step.start - now
        if gap > _JOINT and skipped:
            _, iterations = min(skipped, key=lambda stretch: abs(stretch[0] - gap))
            last = parts[-1][0]  # how the step before the gap was passed on is not known
            since = last - gap / iterations  # what the path takes of one; others may take longer
            before = [part for part in parts[:-1] if part[0] + part[1] > since] or parts
            taken = [(min(1.0, (begin + long - since) / long), long, part) for begin, long, part in before]
            whole = sum(share * long for share, long, _ in taken)
            parts.append((now, gap, gap * sum(share * part for share, _, part in taken) / whole if whole else 0.0))
        if step.end > step.start:
            parts.append((step.start, step.end - step.start, amount))
    whole = sum(part[1] for part in parts)
    return min(1.0, sum(part[2] for part in parts) / whole) if whole else 0.0
