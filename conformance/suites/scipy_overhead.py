"""What trnarray.scipy costs over SciPy on the host: each public function on a few float64 elements, beside SciPy's own.

A benchmark, not a test: run it on a quiet machine. An excess is the median of the differences of interleaved runs, and beyond its limit
if it is by two standard errors; those of functions that take long are the larger ones.
"""

from __future__ import annotations

import os
import warnings
from argparse import ArgumentParser, Namespace
from functools import partial
from typing import Final

import scipy

from ...backends.device import CPU, Device
from ..report import Report
from ..scipy_calls.plain import MODULES, plain_calls
from ..suite import SuiteError
from ..timing import excess

__all__ = ["LIMIT", "add_arguments", "run"]

LIMIT: Final = 5.0
"""The most that a call may take longer than SciPy's, in microseconds."""


def add_arguments(parser: ArgumentParser) -> None:
    """
    Declare the suite's own options.

    Parameters
    ----------
    parser : ArgumentParser
        Where to add them.
    """
    parser.add_argument("--module", metavar="M", action="append", choices=MODULES, help="a subpackage, as 'linalg'; may be repeated")
    parser.add_argument("--runs", metavar="N", type=int, default=31, help="interleaved runs of which the median is taken (default 31)")


def run(report: Report, device: Device, options: Namespace) -> None:
    """
    Measure every function, and hold each excess against the limit.

    Parameters
    ----------
    report : Report
        Takes the outcomes; the figures are SciPy's time, the excess and its standard error, in microseconds.
    device : Device
        Must be the host.
    options : Namespace
        The command line.

    Raises
    ------
    SuiteError
        On any other device: enqueueing there is another matter; or if BLAS may take several threads, whose times vary.
    """
    if device is not CPU:
        raise SuiteError(f"suite 'scipy-overhead' measures the host engine, and the device is {str(device)!r}; leave --device out")
    if os.environ.get("OMP_NUM_THREADS") != "1" and (os.cpu_count() or 1) > 1:
        raise SuiteError("the times of several threads vary too much; set OMP_NUM_THREADS=1 in the environment")
    for module in options.module or MODULES:
        for call in plain_calls(module):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of what becomes of such small operands
                found = excess(
                    partial(call.theirs, *call.operands, **call.options), partial(call.ours, *call.arrays, **call.options), options.runs
                )
            base, over, error = (round(seconds * 1e6, 1) for seconds in found)
            report.figures[call.name] = {"scipy": base, "over": over, "error": error}
            if over - 2 * error <= LIMIT:
                report.add(call.name)
            else:
                report.add(call.name, "failed", f"{over} ± {error} µs over SciPy's {base} µs, and the limit is {LIMIT} µs")
    report.figures["scipy_version"] = scipy.__version__
