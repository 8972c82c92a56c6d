"""The chain of operations that the end of a program waited for."""

from __future__ import annotations

from typing import NamedTuple

from ..program.instruction import Instruction
from .operation import Operation
from .profile import QUEUES

__all__ = ["Step", "critical_path"]


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
    """

    instruction: Instruction
    core: int
    queue: str
    start: float
    end: float
    waited_for: str
    guessed: float


def critical_path(last: Operation | None, core: int, semaphore: float, semaphore_guessed: bool, drains_guessed: bool) -> tuple[Step, ...]:
    """
    Walk back from the operation that ends last.

    Parameters
    ----------
    last : Operation or None
        That operation.
    core : int
        Its core.
    semaphore : float
        A hand-over between engines; ns.
    semaphore_guessed, drains_guessed : bool
        Whether that is a guess, and whether it is one that iterations of loops wait for their DMA.

    Returns
    -------
    tuple of Step
        In the order of time. Iterations that were skipped are gaps between steps.
    """
    steps = []
    op, end, successor = last, last.complete if last is not None else 0.0, last
    while op is not None and successor is not None:
        length = max(0.0, end - op.since)
        if successor is op or successor.why in ("data", "space"):
            passed = semaphore if successor is not op and successor.queue != op.queue else 0.0
            limit, guessed = op.complete + passed, op.guess_complete + semaphore_guessed * passed
        elif successor.why in ("DMA engine", "HBM"):
            limit, guessed = op.complete, op.guess_moving
        elif op.asynchronous and successor.why == "queue" and end > op.free + op.guess_turn:  # the loop waits for its DMA: a guess itself
            limit, guessed = op.complete + op.guess_turn, drains_guessed * length
        else:
            limit, guessed = op.free + op.guess_turn, op.guess_free + op.guess_turn
        steps.append(
            Step(
                op.instruction,
                core,
                QUEUES[op.queue],
                1e-9 * op.since,
                1e-9 * min(end, max(limit, op.since)),
                op.why if op.cause is not None else "",
                1e-9 * min(guessed, length),
            )
        )
        successor, op = op, op.cause
        end = successor.since
    return tuple(reversed(steps))
