"""What an Array costs over an ndarray on the host: small calls, large calls, memory and import, each beside NumPy in one process.

A benchmark, not a test: run it on a quiet machine. Times are medians of interleaved runs.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tracemalloc
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from time import perf_counter
from timeit import Timer
from typing import Any, Final, NamedTuple

import numpy as np
import scipy.fft

import trnarray as xp

from ...backends.device import CPU, Device
from ..report import Report
from ..suite import SuiteError
from ..timing import medians

__all__ = ["CALLS", "Call", "add_arguments", "run"]


class Call(NamedTuple):
    """
    One comparison.

    Attributes
    ----------
    theirs, ours : str
        The statements; ``a`` and ``b`` are ndarrays and ``x`` and ``y`` the same as Arrays.
    limit : float
        The most that ours may take longer, in microseconds.
    """

    theirs: str
    ours: str
    limit: float


CALLS: Final = (
    Call("np.add(a, b)", "xp.add(x, y)", 1.5),
    Call("a + b", "x + y", 1.5),
    Call("a[2:5]", "x[2:5]", 1.5),
    Call("np.sum(a)", "xp.sum(x)", 1.5),
    Call("np.add(a, b)", "np.add(x, y)", 3.0),
    Call("np.sum(a)", "np.sum(x)", 6.0),
    Call("fft(a)", "fft(x)", 6.0),
)
_LARGE: Final = 10_000_000
_LARGE_LIMIT: Final = 1.05
_IMPORT_LIMIT: Final = 1.4


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--runs", metavar="N", type=int, default=31, help="interleaved runs of which the median is taken (default 31)")


def run(report: Report, device: Device, options: Namespace) -> None:
    """Measure, and hold each figure against its limit."""
    if device is not CPU:
        raise SuiteError(f"suite 'overhead' measures the host engine, and the device is {str(device)!r}; leave --device out")
    small = _names(np.arange(1.0, 9.0))
    for call in CALLS:
        theirs, ours = medians(Timer(call.theirs, globals=small), Timer(call.ours, globals=small), options.runs, 1000)
        report.hold(f"{call.ours} over {call.theirs}, 8 elements", (ours - theirs) * 1e6, call.limit, "µs")
    large = _names(np.ones(_LARGE))
    for theirs_text, ours_text in (("np.add(a, b)", "xp.add(x, y)"), ("np.sin(a)", "xp.sin(x)"), ("np.sum(a)", "xp.sum(x)")):
        theirs, ours = medians(Timer(theirs_text, globals=large), Timer(ours_text, globals=large), options.runs, 1)
        report.hold(f"{ours_text} to {theirs_text}, {_LARGE:.0e} elements", ours / theirs, _LARGE_LIMIT, "times")
    report.hold("peak allocation of xp.add to np.add", _peak("xp.add(x, y)", large) / _peak("np.add(a, b)", large), 1.001, "times")
    report.hold("import trnarray to import numpy", _import_ratio(options.runs), _IMPORT_LIMIT, "times")


def _names(a: np.ndarray[Any, Any]) -> dict[str, Any]:
    b = a + 1
    return {"np": np, "xp": xp, "a": a, "b": b, "x": xp.asarray(a), "y": xp.asarray(b), "fft": scipy.fft.fft}


def _peak(statement: str, names: Mapping[str, Any]) -> int:
    code = compile(statement, "<statement>", "eval")
    tracemalloc.start()
    try:
        eval(code, dict(names))  # noqa: S307  # our own statements
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _import_ratio(runs: int) -> float:
    """Compare whole processes, with byte code cached as in an installation."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    times: dict[str, list[float]] = {"import numpy": [], "import trnarray": []}
    for turn in range(runs + 1):
        for statement, taken in times.items():
            start = perf_counter()
            subprocess.run([sys.executable, "-c", statement], check=True, env=environment)
            if turn:  # the first fills the caches
                taken.append(perf_counter() - start)
    return statistics.median(times["import trnarray"]) / statistics.median(times["import numpy"])
