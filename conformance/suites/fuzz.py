"""Suite ``fuzz``: calls that make no sense, of every function, against NumPy's and SciPy's verdict: no internal error, crash or hang."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from ...backends.device import Device
from ..report import Report
from ..suite import SuiteError

__all__ = ["add_arguments", "run"]

_SHOWN: Final = 3
_THREADS: Final = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="another seed gives other calls (default 0)")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="processes (default 1)")
    parser.add_argument("--seconds", metavar="S", type=float, default=20.0, help="what a call may take (default 20)")
    parser.add_argument("--refused", action="store_true", help="list what is refused, by documented exceptions, though NumPy takes it")


def run(report: Report, device: Device, options: Namespace) -> None:
    """
    Make calls, under ``fallback="allow"``; an example is a call.

    A call fails by an exception that is no documented one where NumPy has no such, by one that names internal classes, by a result that
    nobody reviewed where NumPy raises, by a hang, and by a crash. It is an expected failure where NumPy hangs or crashes, too.
    """
    if not hasattr(os, "fork"):
        raise SuiteError("suite 'fuzz' forks processes, which this system cannot")
    failed: dict[str, list[str]] = {}
    counts = Counter[str]()
    for entry in _entries(str(device), options):
        sort, reason = entry.get("finding"), entry.get("reason")
        if entry.get("side") == "ours":
            counts["calls"] += 1
        elif entry.get("side") == "theirs":
            counts["calls that NumPy or SciPy made, too"] += 1
        elif sort == "refused":
            counts["refused by documented exceptions, and taken by NumPy"] += 1
            if options.refused:
                print(f"refused {entry['call']}: {entry['what']}")
        elif sort == "taken" and reason:
            counts[f"taken, and refused by NumPy: {reason}"] += 1
        elif entry.get("lost") == "ours" and entry["alike"]:
            counts["lost"] += 1
            report.add(entry["call"], "xfailed", "NumPy hangs or crashes, too")
        elif entry.get("lost") == "ours" or sort:
            what = f"{sort}: {entry['what']}\n{entry['stack']}" if sort else f"lost, exit status {entry['status']}:\n{entry['stack']}"
            failed.setdefault(_place(what), []).append(f"{entry['call']}: {what}")
    for places in failed.values():
        for number, text in enumerate(places):
            name, _, reason = text.partition(": ")
            report.add(name, "failed", reason if number < _SHOWN else "as those before")
    for _ in range(counts["calls"] - sum(map(len, failed.values())) - counts["lost"]):
        report.add("call")
    report.figures.update({"seed": options.seed, **counts})


def _place(what: str) -> str:
    """Give the line that raised, or the sort of error."""
    lines = [line for line in what.splitlines() if line.lstrip().startswith("File")]
    return lines[-1] if lines else what[:60]


def _entries(device: str, options: Namespace) -> Iterator[Any]:
    """Run the workers, and give what they tell."""
    with tempfile.TemporaryDirectory() as folder:
        files = [(Path(folder, f"{part}.told"), Path(folder, f"{part}.stack")) for part in range(options.jobs)]
        workers = []
        for part, (told, stack) in enumerate(files):
            told.touch()
            words = [device, options.seed, options.max_examples, part, options.jobs, options.seconds, told, stack]
            command = [sys.executable, "-W", "ignore", "-m", "trnarray.conformance.fuzz.worker", *map(str, words)]
            workers.append(subprocess.Popen(command, env=os.environ | _THREADS))
        for worker, (told, _) in zip(workers, files, strict=True):
            if worker.wait():
                raise SuiteError(f"a worker of suite 'fuzz' ended with status {worker.returncode}; what it says stands above")
            with told.open(encoding="utf-8") as lines:
                yield from map(json.loads, lines)
