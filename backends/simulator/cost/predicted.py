"""What a program is predicted to take, as a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ..knobs import Knobs
from ..program.instruction import ForLoop, Instruction, WhileLoop
from ..target import Target
from .critical_path import Step

__all__ = ["Interval", "Predicted", "Skip"]


class Interval(NamedTuple):
    """
    A stretch of time during which a queue is busy.

    Attributes
    ----------
    core : int
        Core.
    queue : str
        An engine, or ``"dma loads"``, ``"dma stores"``, ``"dma moves"``.
    start, end : float
        Seconds; for a DMA until its result can be used, for others until the queue can begin the next instruction.
    instruction : Instruction
        What runs.
    """

    core: int
    queue: str
    start: float
    end: float
    instruction: Instruction


class Skip(NamedTuple):
    """
    Iterations of a device loop that are like those before them and have no intervals of their own.

    Attributes
    ----------
    core : int
        Core.
    loop : ForLoop or WhileLoop
        The loop.
    start, end : float
        Seconds.
    iterations : int
        How many.
    """

    core: int
    loop: ForLoop | WhileLoop
    start: float
    end: float
    iterations: int


@dataclass(frozen=True, eq=False)
class Predicted:
    """What `Prediction` is made of, and what it is drawn from."""

    name: str
    target: Target
    seconds: float
    low: float
    high: float
    worst: float
    busy: Mapping[str, float]
    hbm_read: float
    hbm_written: float
    arithmetic: float
    arithmetic_of: Mapping[str, float]
    peak: Mapping[str, int]
    critical_path: tuple[Step, ...]
    guessed: float
    bounds: Mapping[str, float]
    intervals: tuple[Interval, ...]
    skipped: tuple[Skip, ...]
    unknown_loops: tuple[str, ...]
    instructions: int
    knobs: Knobs
    calibration: str = ""
    measured: tuple[str, ...] = field(default=())

    @property
    def bound(self) -> str:
        """
        The resource that limits the program.

        Returns
        -------
        str
            That with the largest of `bounds`.
        """
        return max(self.bounds, key=lambda name: self.bounds[name])

    @property
    def roofline(self) -> float:
        """
        How close the program is to the limit of that resource.

        Returns
        -------
        float
            The largest of `bounds` over `seconds`: 1 on the roofline.
        """
        return self.bounds[self.bound] / self.seconds if self.seconds else 0.0

    def __str__(self) -> str:
        source = f"figures of {self.calibration}" if self.calibration else "predicted, nothing measured"
        return (
            f"{self.name} on {self.target.name}: {self.seconds * 1e6:.1f} us ({self.low * 1e6:.1f} to {self.high * 1e6:.1f}; {source}), "
            f"{self.roofline:.0%} of the {self.bound} bound, {self.guessed:.0%} of the critical path guessed"
        )
