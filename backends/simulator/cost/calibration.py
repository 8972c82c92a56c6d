"""
Measured figures in the place of guesses.

A calibration is a JSON file::

    {
      "format": 1,
      "target": "trn2",
      "source": "trn2.48xlarge, Neuron SDK 2.33.1, 2026-12-01",
      "measurements": [
        {"benchmark": "scalar_chain", "repeats": 16, "seconds": 1.9e-05},
        {"benchmark": "scalar_chain", "repeats": 512, "seconds": 1.3e-04}
      ]
    }

Each benchmark (a kernel of `microbenchmarks`) is measured with two or more numbers of repeats; what a repeat takes, the slope of the
seconds, gives the figure, so launches and loads do not matter. ``"figures": {"semaphore": 60.0}`` sets figures directly, in the units of
the tables: by the names of `hardware.HARDWARE`, or ``"ROW:stream"`` and ``"ROW:extra"`` with the names of `table.ROWS`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ..target import TARGETS
from .figure import Figure, exact
from .hardware import HARDWARE
from .inversion import INVERSIONS
from .table import ROWS

__all__ = ["Calibration"]

_FORMAT: Final = 1


def _known(name: str, target: str) -> Figure:
    """Find the figure that a measurement replaces."""
    if name in HARDWARE:
        return HARDWARE[name][target]
    row, _, part = name.rpartition(":")
    for candidate in ROWS:
        if candidate.name == row and target in candidate.targets and part in ("stream", "extra"):
            return candidate.stream if part == "stream" else candidate.extra
    raise ValueError(f"calibration: no figure {name!r} on {target}; names are those of hardware.HARDWARE, or ROW:stream, ROW:extra")


def _slope(points: list[tuple[float, float]]) -> float:
    """Least squares."""
    mean_x, mean_y = sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
    spread = sum((x - mean_x) * (x - mean_x) for x, _ in points)
    if not spread:
        raise ValueError("calibration: a benchmark is measured with at least two numbers of repeats")
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread


@dataclass(frozen=True)
class Calibration:
    """
    Figures that were measured on a device.

    Parameters
    ----------
    target : str
        The chip.
    source : str
        Where, with what software, and when.
    figures : mapping
        Measured figures by name.
    """

    target: str
    source: str
    figures: Mapping[str, Figure] = field(default_factory=dict)

    @staticmethod
    def parse(content: Mapping[str, Any]) -> Calibration:
        """
        Work figures out from measurements.

        Parameters
        ----------
        content : mapping
            As in the JSON file that this module documents.

        Returns
        -------
        Calibration
            The figures.

        Raises
        ------
        ValueError
            If the format, the target, a benchmark or a figure is unknown, or a value is not positive.

        Examples
        --------
        >>> found = Calibration.parse({"format": 1, "target": "trn2", "source": "a test", "measurements": [], "figures": {"semaphore": 60}})
        >>> found.figures["semaphore"].value
        60.0
        """
        target, source = str(content.get("target")), str(content.get("source", ""))
        if content.get("format") != _FORMAT or target not in TARGETS or not source:
            raise ValueError(f"calibration: format {_FORMAT}, a target of {', '.join(TARGETS)} and a source are required")
        figures: dict[str, Figure] = {}

        def put(name: str, value: float) -> None:
            known = _known(name, target)
            if not value >= 0 or (known.unit == "B/ns" and not value):
                raise ValueError(f"calibration: {name} is {value} {known.unit}; figures are not negative, and rates positive")
            figures[name] = exact(value, known.unit, source, "measured")

        def look_up(name: str) -> float:
            return (figures.get(name) or _known(name, target)).value

        for name, value in content.get("figures", {}).items():
            put(name, float(value))
        points: dict[str, list[tuple[float, float]]] = {}
        for row in content.get("measurements", []):
            if row["benchmark"] not in INVERSIONS:
                raise ValueError(f"calibration: no benchmark {row['benchmark']!r}; there are {', '.join(INVERSIONS)}")
            points.setdefault(row["benchmark"], []).append((float(row["repeats"]), float(row["seconds"])))
        for benchmark, inversion in INVERSIONS.items():
            if benchmark in points:
                put(inversion.figure, inversion.solve(1e9 * _slope(points[benchmark]), TARGETS[target], look_up))
        return Calibration(target, source, figures)

    @staticmethod
    def load(path: str | Path) -> Calibration:
        """
        Read a calibration.

        Parameters
        ----------
        path : str or Path
            A JSON file.

        Returns
        -------
        Calibration
            The figures.
        """
        return Calibration.parse(json.loads(Path(path).read_text(encoding="utf-8")))
