"""An instruction in the schedule: once for each time that it runs."""

from __future__ import annotations

from ..program.instruction import Instruction
from .profile import Profile

__all__ = ["Operation"]


class Operation:
    """
    An instruction that runs.

    Parameters
    ----------
    instruction : Instruction
        What runs.
    profile : Profile
        What it asks for.
    serial : int
        Its place in the order of the program, loops unrolled.

    Attributes
    ----------
    queue : int
        An index of `profile.QUEUES`.
    asynchronous : bool
        Whether it goes on after its queue is free, as a DMA does.
    start, free, complete : float
        When it begins, when its queue can begin the next, when its result can be used; ns.
    since : float
        From when on it is not held up by others: `start`, later for a DMA that waits for its engines.
    guess_free, guess_complete : float
        What of the times from `start` to `free` and to `complete` rests on guesses; ns.
    guess_moving, guess_turn : float
        The same of the time that a DMA moves data, and of the end of a loop's iteration after it; ns.
    moving : float
        For how long a DMA's busiest engine, or HBM, moves its data; ns.
    cause : Operation or None
        What it waited for last.
    why : str
        How: ``"queue"``, ``"data"``, ``"space"``, ``"port"``, ``"bank"``, ``"DMA engine"``, ``"HBM"``, ``"core"``, ``"loop"``.
    ready : float
        When all that it depends on is there.
    waiting : int
        Producers that are not yet scheduled.
    dependents : list
        Those that wait for it, and how.
    """

    __slots__ = (
        "asynchronous",
        "cause",
        "complete",
        "dependents",
        "free",
        "guess_complete",
        "guess_free",
        "guess_moving",
        "guess_turn",
        "instruction",
        "moving",
        "profile",
        "queue",
        "ready",
        "serial",
        "since",
        "start",
        "waiting",
        "why",
    )

    def __init__(self, instruction: Instruction, profile: Profile, serial: int) -> None:
        self.instruction, self.profile, self.serial, self.queue = instruction, profile, serial, profile.queue
        self.asynchronous = profile.traffic is not None
        self.start = self.since = self.free = self.complete = -1.0
        self.guess_free = self.guess_complete = self.guess_moving = self.guess_turn = self.moving = 0.0
        self.cause: Operation | None = None
        self.why = ""
        self.ready = 0.0
        self.waiting = 0
        self.dependents: list[tuple[Operation, int]] = []
