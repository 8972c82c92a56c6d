"""
Published times of kernels beside the cost model's predictions: rows that its open figures are fitted to, and rows that are held out.

Notes
-----
- ``published.py``: what a published figure is, and which are held out. ``table.py``: those of kernels that can be had, from checkouts,
  unmodified. ``described.py``: those of kernels that are described, with kernels of ours in ``streams.py``, ``products.py`` and
  ``selective_scan.py``, made of ``tiles.py``.
- ``runner.py``: tracing and comparing. ``replay.py``: playing a kernel with any figures. ``fit.py``: fitting the figures.
"""

from __future__ import annotations

from pathlib import Path

from ..report import Report
from .fit import fit as fit_figures
from .fit import fit_spreads, replays_of
from .runner import ALL, run

__all__ = ["fit", "run"]


def fit(directory: Path | None, report: Report) -> None:
    """Fit the open figures and the spreads anew; they are written into the tables by hand."""
    replays = replays_of(ALL, directory or Path())
    values = fit_figures(replays)
    for one, value in values.items():
        where = "/".join(one.targets)
        report.figures[f"{' and '.join(one.names)} on {where}"] = f"{value:.4g} {one.figure.unit} (in the tables {one.figure.value:.4g})"
    for name, width in fit_spreads(replays, values).items():
        report.figures[f"spread of {name}"] = f"{width:.2f}"
