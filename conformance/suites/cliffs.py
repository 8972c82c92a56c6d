"""
Every call over a grid of shapes and layouts: its predicted time beside its bound, the worst ones, and why.

The bound is what DMA takes for the bytes of operands and results, once; strided operands count the rows that they touch. A call may take
ten times that and 10 us, or what the mechanisms of its stages allow, which are formulas (``cliffs/mechanisms.py``): a change for the worse
fails. Nothing runs and nothing is measured.
"""

from __future__ import annotations

import warnings
from argparse import ArgumentParser, Namespace
from fnmatch import fnmatchcase
from typing import Final, NamedTuple

import trnarray as xp

from ...backends.device import Device
from ...backends.neuron.costs import current_costs
from ...backends.policy import FallbackError
from ..cliffs.calls import CALLS, LAYOUTS, Layout, operands
from ..cliffs.mechanisms import allowed
from ..report import Report
from .neuron_predictions import engine_of, predicting

__all__ = ["Found", "add_arguments", "measure", "run"]

_FACTOR: Final = 10.0
_LATENCY: Final = 10e-6
_WORST: Final = 50
_REFUSALS: Final = (TypeError, ValueError, IndexError, NotImplementedError, FallbackError)


class Found(NamedTuple):
    """
    A call's times, in seconds.

    Attributes
    ----------
    seconds : float
        Predicted.
    bound : float
        Of DMA.
    allowed : float
        By the mechanisms of its stages.
    mechanisms : tuple of str
        These.
    """

    seconds: float
    bound: float
    allowed: float
    mechanisms: tuple[str, ...]

    @property
    def times(self) -> float:
        """How many times the bound it takes, beyond what starting takes."""
        return max(0.0, self.seconds - _LATENCY) / self.bound

    @property
    def beyond(self) -> float:
        """Its time as a share of ten times the bound and what starting takes, which tiny bounds do not make huge."""
        return self.seconds / (_FACTOR * self.bound + _LATENCY)

    @property
    def is_cliff(self) -> bool:
        """Whether it takes longer than is allowed, and no mechanism says why."""
        return self.seconds > max(_FACTOR * self.bound + _LATENCY, self.allowed)


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options."""
    parser.add_argument("--only", metavar="PATTERN", default="*", help="calls by name, as in 'sum*'")
    parser.add_argument("--layout", metavar="PATTERN", default="*", help="layouts by name, as in 'strided*'")


def measure(name: str, layout: Layout, device: Device) -> Found | None:
    """Predict a call; None where it does not take such operands, or runs on the host."""
    engine, (count, function) = engine_of(device), CALLS[name]
    with predicting(engine) as launcher, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        arrays = operands(layout, count, device)
        engine.flush()
        launcher.predictions, launcher.plans = [], []
        try:
            with xp.config(fallback="error"):
                result = function(*arrays)
        except _REFUSALS:
            return None
        engine.flush()
        results = result if isinstance(result, list | tuple) else [result]
        nbytes = 4 * count * _touched(layout) + sum(one.nbytes for one in results)
    costs = current_costs(engine.launcher.target)
    reasons = [allowed(costs, plan) for plan in launcher.plans]
    mechanisms = tuple(dict.fromkeys(one for _, names in reasons for one in names))
    seconds = sum(one.seconds for one in launcher.predictions)
    return Found(seconds, 1e-9 * costs.moves(0, 0, nbytes), 1e-9 * sum(ns for ns, _ in reasons), mechanisms)


def _touched(layout: Layout) -> int:
    size = 1
    for extent in layout.shape:
        size *= extent
    return size


def run(report: Report, device: Device, options: Namespace) -> None:
    """Predict all calls."""
    found: dict[str, Found] = {}
    for name in CALLS:
        for which, layout in LAYOUTS.items():
            if not (fnmatchcase(name, options.only) and fnmatchcase(which, options.layout)):
                continue
            one = measure(name, layout, device)
            label = f"{name}, {which}"
            if one is None:
                report.add(label, "skipped", "it takes no such operands, or runs on the host")
                continue
            found[label] = one
            if one.is_cliff:
                report.add(label, "failed", f"{_told(one)}; it may take {1e6 * max(_FACTOR * one.bound + _LATENCY, one.allowed):.1f} us")
            else:
                report.add(label)
    worst = sorted(found, key=lambda label: -found[label].beyond)[:_WORST]
    for label in worst:
        report.figures[label] = _told(found[label])


def _told(found: Found) -> str:
    reason = f" by {', '.join(found.mechanisms)}" if found.times > _FACTOR else ""
    times = f"{found.times:.1f} x the bound of {1e6 * found.bound:.1f} us"
    return f"{1e6 * found.seconds:.1f} us predicted, {times}, {found.beyond:.1f} x what needs no reason{reason}"

