"""Published times of kernels beside predicted ones, and the fit of the cost model to them."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from ...backends.device import CPU, Device
from .. import predictions
from ..report import Report
from ..suite import SuiteError

__all__ = ["add_arguments", "run"]


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--samples", metavar="DIR", type=Path, help="the folder that holds the checkouts of the kernels")
    parser.add_argument("--fit", action="store_true", help="fit the open figures of the cost model anew, to the rows that are not held out")
    parser.add_argument("--only", metavar="PATTERN", nargs="+", default=["*"], help="published times by name, as in '*mamba*'")


def run(report: Report, device: Device, options: Namespace) -> None:
    """Compare."""
    if device != CPU:
        raise SuiteError(f"suite 'predictions' predicts each figure for its own generation; leave --device {device} away")
    if options.fit:
        predictions.fit(options.samples, report)
    else:
        predictions.run(options.samples, report, options.only)
