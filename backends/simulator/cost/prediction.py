"""What a program is predicted to take, and the ways to look at it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from .critical_path import Step
from .perfetto import trace
from .predicted import Interval, Predicted, Skip
from .report import report
from .roofline import roofline_plot

__all__ = ["Interval", "Prediction", "Skip", "Step"]


@dataclass(frozen=True, eq=False)
class Prediction(Predicted):
    """
    What a program is predicted to take on the device. Nothing of it was measured, unless `calibration` says so.

    Parameters
    ----------
    name : str
        Of the kernel.
    target : Target
        The generation.
    seconds : float
        With every figure at its likeliest value. Launching the program is not included.
    low, high : float
        An interval stated to cover 80 % of kernels that the cost model has not seen, seconds; see `spread`. It is as wide as the published
        times say to which figures are fitted, with or without a calibration.
    worst : float
        As `seconds`, where loops that only data bound run as often as their kernels state at most; in the other figures they run as often
        as is likely, which for a branch that few data take is not at all.
    busy : mapping
        Share of the time that each engine is busy, and each DMA engine (``"dma0"`` to ``"dma15"``) and all of them (``"dma"``); the mean
        over cores.
    hbm_read, hbm_written : float
        Bytes.
    arithmetic : float
        Operations, those of products twice the number of multiplications.
    arithmetic_of : mapping
        The same by engine.
    peak : mapping
        Most bytes per partition that were alive together, by memory.
    critical_path : tuple of Step
        What the end waited for.
    guessed : float
        Share of the critical path that rests on guesses.
    bounds : mapping
        Seconds that each resource needs at least: the Tensor Engine for the arithmetic of its products, HBM and the DMA engines for the
        bytes, the other engines for their instructions.
    intervals : tuple of Interval
        Who was busy when.
    skipped : tuple of Skip
        Loop iterations without intervals.
    unknown_loops : tuple of str
        Lines of loops whose trip count is known at run time only; they count as one iteration.
    instructions : int
        Executed, loops unrolled.
    knobs : Knobs
        The reading of the documents.
    calibration : str
        Where measured figures come from; empty if there are none.
    measured : tuple of str
        Names of the figures that were replaced.
    """

    def report(self, steps: int = 10) -> str:
        """
        Lay the prediction out as a table.

        Parameters
        ----------
        steps : int, optional
            How many lines of the critical path.

        Returns
        -------
        str
            Time and range, busy engines, bytes, arithmetic, memory, and what the end waited for, by source line.
        """
        return report(self, steps)

    def write_trace(self, path: str | PathLike[str]) -> None:
        """
        Write the schedule for Perfetto (ui.perfetto.dev) or Chrome's tracing page.

        Parameters
        ----------
        path : path-like
            The JSON file.
        """
        Path(path).write_text(json.dumps(trace(self)), encoding="utf-8")

    def write_roofline(self, path: str | PathLike[str]) -> None:
        """
        Write a roofline plot with this one point; `roofline_plot` takes several.

        Parameters
        ----------
        path : path-like
            The SVG file.
        """
        Path(path).write_text(roofline_plot({self.name: self}), encoding="utf-8")
