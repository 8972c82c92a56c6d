"""Published times of published kernels beside predicted ones."""

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
    parser.add_argument("--only", metavar="PATTERN", nargs="+", default=["*"], help="published times by name, as in '*mamba*'")


def run(report: Report, device: Device, options: Namespace) -> None:
    """Compare."""
    if device != CPU:
        raise SuiteError(f"suite 'predictions' predicts each figure for its own generation; leave --device {device} away")
    if options.samples is None:
        raise SuiteError("suite 'predictions' needs the kernels: give --samples DIR, the folder that holds their checkouts")
    predictions.run(options.samples, report, options.only)
