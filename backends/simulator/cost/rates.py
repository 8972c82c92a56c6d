"""The figures of one target as numbers; measured ones in the place of others."""

from __future__ import annotations

from collections.abc import Mapping

from ..target import Target
from .figure import Figure
from .hardware import HARDWARE
from .table import Row

__all__ = ["Rates"]


class Rates:
    """
    Figures of a target.

    Parameters
    ----------
    target : Target
        The generation.
    measured : mapping
        Figures that replace those of the tables, by the names of `hardware.HARDWARE`, or ``"ROW:stream"`` and ``"ROW:extra"``.

    Attributes
    ----------
    clock : tuple of float
        GHz of the five engines, in the order of `profile.QUEUES`.
    """

    def __init__(self, target: Target, measured: Mapping[str, Figure]) -> None:
        self.target, self.measured = target, measured
        clock = target.clock_ghz
        self.clock = clock["tensor"], clock["vector"], clock["scalar"], clock["gpsimd"], clock["gpsimd"]
        self._rows: dict[Row, tuple[float, bool, float, bool]] = {}
        self._values: dict[str, float] = {}
        self._guesses: dict[str, bool] = {}

    def figure(self, name: str) -> Figure:
        """Look a figure of the hardware up."""
        return self.measured.get(name) or HARDWARE[name][self.target.name]

    def __getitem__(self, name: str) -> float:
        found = self._values.get(name)
        if found is None:
            found = self._values[name] = self.figure(name).value
        return found

    def guessed(self, name: str) -> bool:
        """Whether a figure is a guess."""
        found = self._guesses.get(name)
        if found is None:
            found = self._guesses[name] = self.figure(name).status == "guess"
        return found

    def row(self, row: Row) -> tuple[float, bool, float, bool]:
        """Look the figures of a row of the cost table up."""
        found = self._rows.get(row)
        if found is None:
            stream = self.measured.get(f"{row.name}:stream", row.stream)
            extra = self.measured.get(f"{row.name}:extra", row.extra)
            found = stream.value, stream.status == "guess", extra.value, extra.status == "guess"
            self._rows[row] = found
        return found
