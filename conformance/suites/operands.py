"""Suite ``operands``: lists, tuples and ranges beside Arrays count as arrays of the documented dtype, in all of NumPy's functions."""

from __future__ import annotations

import warnings
from argparse import ArgumentParser, Namespace
from fnmatch import fnmatchcase
from typing import Final

import numpy as np

import trnarray

from ...backends.device import Device
from ..overrides.calls import CALLS
from ..overrides.sequences import KINDS, calls, check, named
from ..report import Report
from ..suite import SuiteError

__all__ = ["add_arguments", "run"]

_DTYPES: Final = ("float64", "float32", "int64", "int32")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--only", metavar="PATTERN", action="append", help="what to check, as 'linalg.*'; may be repeated")


def run(report: Report, device: Device, options: Namespace) -> None:
    """Check every function of the table of calls."""
    patterns = options.only or ["*"]
    there = [path for path in CALLS if None not in (named(path, np), named(path, trnarray))]
    paths = [path for path in there if any(fnmatchcase(path, pattern) for pattern in patterns)]
    if not paths:
        raise SuiteError(f"no function is named {' or '.join(patterns)}; name one as in --only 'linalg.*'")
    made = 0
    for path in paths:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            cases = [(text, dtype, kind) for dtype in _DTYPES for text in calls(path, dtype) for kind in KINDS]
            outcomes = [outcome for case in cases for outcome in check(path, *case, device)]
        made += len(outcomes)
        findings = [outcome for outcome in outcomes if outcome is not None]
        if findings:
            report.add(f"numpy.{path}", "failed", f"{findings[0].call}: {findings[0].text} ({len(findings)} in all)")
        elif outcomes:
            report.add(f"numpy.{path}")
    report.figures.update(calls=made)
