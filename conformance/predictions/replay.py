"""Published kernels traced once and played with any figures, for the fit: its thousands of predictions differ in figures alone."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final

from ...backends.simulator import Calibration, Program, predict
from ...backends.simulator.cost.access import Accesses
from ...backends.simulator.cost.figure import Figure
from ...backends.simulator.cost.placement import rotate
from ...backends.simulator.cost.predict import meet
from ...backends.simulator.cost.profile import Profiles
from ...backends.simulator.cost.rates import Rates
from ...backends.simulator.cost.schedule import CoreSchedule, Tape, trip_count
from ...backends.simulator.cost.spread import shares
from .published import Published
from .runner import traces

__all__ = ["Replay"]

Figures = Mapping[str, Figure]


class Replay:
    """
    A published time with what its kernel waits for.

    Parameters
    ----------
    published : Published
        The row.
    directory : Path
        The folder that holds the checkouts.
    """

    def __init__(self, published: Published, directory: Path) -> None:
        self.published: Final = published
        self._parts = [(times, _Part(program)) for times, program in traces(published, directory)]

    def seconds(self, figures: Figures) -> float:
        """Predict with figures."""
        target = self._parts[0][1].program.target
        start = Rates(target, figures)["kernel_start"] * self.published.starts
        return 1e-9 * sum(times * (start + self.published.repeats * part.play(figures)) for times, part in self._parts)


    def shares(self, figures: Figures) -> dict[str, float]:
        """Divide the critical path of the longest program among the classes of work."""
        calibration = Calibration(self.published.target, "the fit", figures)
        predictions = [predict(part.program, calibration=calibration, keep=False) for _, part in self._parts]
        longest = max(predictions, key=lambda prediction: prediction.seconds)
        return shares(longest.critical_path, [(skip.end - skip.start, skip.iterations) for skip in longest.skipped])


class _Part:
    """One program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._profiles = Profiles()
        self._accesses = [Accesses(core, rotate(core, program.target)) for core in program.cores]
        self._tapes: list[Tape] = [[] for _ in program.cores]

    def play(self, figures: Figures) -> float:
        rates = Rates(self.program.target, figures)
        turns = partial(trip_count, given={})
        parts = zip(self.program.cores, self._accesses, self._tapes, strict=True)
        alone = len(self._accesses) == 1
        schedules = [CoreSchedule(core, rates, touched, self._profiles, turns, True, tape, alone) for core, touched, tape in parts]
        meet(schedules)
        return max(schedule.end for schedule in schedules)
