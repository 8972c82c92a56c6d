"""What trnarray.scipy costs over SciPy on the host: each public function on a few float64 elements, beside SciPy's own.

A benchmark, not a test: run it on a quiet machine. An excess is the median of the differences of interleaved runs, of those in which the
machine was fastest; see `trnarray.conformance.timing.excess`. What is measured while the machine is slow is converted to its full speed,
by the time of a loop of fixed work that runs in between: full speed is the fastest that the loop ran beside any of the functions. The
figures are those at full speed, and ``"slowness"`` tells by how much the machine was slower. A function beyond the limit is measured
again at the end, up to twice, and the measurement counts at which the machine was fastest, whatever it says. It fails if it exceeds the
limit by two standard errors.
"""

from __future__ import annotations

import os
import warnings
from argparse import ArgumentParser, Namespace
from fnmatch import fnmatchcase
from functools import partial
from typing import Final

import scipy

from ...backends.device import CPU, Device
from ..report import Report
from ..scipy_calls.plain import MODULES, PlainCall, plain_calls
from ..suite import SuiteError
from ..timing import Excess, excess

__all__ = ["LIMIT", "add_arguments", "run"]

LIMIT: Final = 10.0
"""The most that a call may take longer than SciPy's, in microseconds."""

_REPETITIONS: Final = 2  # of measurements that exceed it


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--module", metavar="M", action="append", choices=MODULES, help="a subpackage, as 'linalg'; may be repeated")
    parser.add_argument("--only", metavar="PATTERN", action="append", help="calls to measure, as 'sparse.*'; may be repeated")
    parser.add_argument("--runs", metavar="N", type=int, default=61, help="interleaved runs before the error is looked at (default 61)")
    parser.add_argument("--seconds", metavar="S", type=float, default=1.0, help="how long to measure a function at most (default 1)")


def run(report: Report, device: Device, options: Namespace) -> None:
    """Measure every function, and hold each excess against the limit."""
    if device is not CPU:
        raise SuiteError(f"suite 'scipy-overhead' measures the host engine, and the device is {str(device)!r}; leave --device out")
    if os.environ.get("OMP_NUM_THREADS") != "1" and (os.cpu_count() or 1) > 1:
        raise SuiteError("the times of several threads vary too much; set OMP_NUM_THREADS=1 in the environment")
    patterns = options.only or ["*"]
    calls = {
        call.name: call
        for module in options.module or MODULES
        for call in plain_calls(module)
        if any(fnmatchcase(call.name, pattern) for pattern in patterns)
    }
    if not calls:
        raise SuiteError(f"no call is named {' or '.join(patterns)}; name one as in --only 'sparse.*'")
    found = {name: _measure(call, options) for name, call in calls.items()}
    for _ in range(_REPETITIONS):
        speed = min(times.reference for times in found.values())
        for name in [name for name, times in found.items() if times.at_speed(speed).excess > LIMIT * 1e-6]:
            found[name] = min(found[name], _measure(calls[name], options), key=lambda times: times.reference)
    speed = min(times.reference for times in found.values())
    for name, times in found.items():
        base, over, error = (round(seconds * 1e6, 1) for seconds in times.at_speed(speed)[:3])
        report.figures[name] = {"scipy": base, "over": over, "error": error, "slowness": round(times.reference / speed, 2)}
        if over - 2 * error <= LIMIT:
            report.add(name)
        else:
            report.add(name, "failed", f"{over} ± {error} µs over SciPy's {base} µs, and the limit is {LIMIT} µs")
    report.figures["scipy_version"] = scipy.__version__


def _measure(call: PlainCall, options: Namespace) -> Excess:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what becomes of such small operands
        return excess(
            partial(call.theirs, *call.operands, **call.options),
            partial(call.ours, *call.arrays, **call.named),
            options.runs,
            options.seconds,
        )
