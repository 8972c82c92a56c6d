"""
How far a prediction may be off: an interval that is stated to cover 80 % of kernels that the cost model has not seen.

Each class of work on the critical path has a factor that nobody knows, the same for all steps of the class, independent of the others;
its logarithm spreads as the residuals of the fit do (`conformance predictions --fit`). So the spread of a program is the root of the sum of
squares of what its classes contribute, and no sum of extremes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from .critical_path import Step, share, weights
from .table import rows_of

__all__ = ["CLASSES", "SPREADS", "interval", "shares", "spread"]

CLASSES: Final = ("tensor", "vector", "scalar", "gpsimd", "moving", "issue", "other", "start")
SPREADS: Final[Mapping[str, float]] = {
    "tensor": 0.25,
    "vector": 0.25,
    "scalar": 0.3,
    "gpsimd": 0.4,
    "moving": 0.25,
    "issue": 0.25,
    "other": 0.4,
    "start": 0.25,  # and end of a kernel, which is no part of a program
}
"""Half the width of the interval of a program that does nothing else, as a logarithm."""


def shares(steps: tuple[Step, ...], skipped: Sequence[tuple[float, int]] = ()) -> dict[str, float]:
    """Divide a critical path among the classes: the engines; DMA that moves; the issue and the latency of DMA; sequencers and meetings."""
    found = {name: [0.0] * len(steps) for name in CLASSES}
    for number, step in enumerate(steps):
        length = step.end - step.start
        if rows_of(step.instruction.opcode.name)[0].kind == "dma":
            found["moving"][number], found["issue"][number] = step.moving, length - step.moving
        else:
            found[step.queue if step.queue in found else "other"][number] = length
    weighted = weights(steps, skipped)
    return {name: share(weighted, lengths) for name, lengths in found.items() if any(lengths)}


def spread(of: Mapping[str, float], spreads: Mapping[str, float] = SPREADS) -> float:
    """Tell the spread of a program by its shares."""
    return math.sqrt(sum((spreads[name] * part) ** 2 for name, part in of.items()))


def interval(seconds: float, steps: tuple[Step, ...], skipped: Sequence[tuple[float, int]] = ()) -> tuple[float, float]:
    """Find the interval of a prediction."""
    factor = math.exp(spread(shares(steps, skipped)))
    return seconds / factor, seconds * factor
