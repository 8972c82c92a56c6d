"""Suite ``numpy``: the tests that come with NumPy, with `np` swapped, in a process of their own for each file.

Tests about NumPy itself are excluded, each with its reason (`trnarray.conformance.numpy_tests.exclusions`); they are expected to
fail. The share of a file is what passes of all its tests that NumPy itself does not skip, excluded ones included.

They are written for NumPy's default dtypes, so devices have these; and of the layouts of memory that each test of matrices goes over,
thousands of them, a Neuron device, for which each is another program, takes one in a hundred; of transforms of all lengths, those of up
to 64 points.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

import numpy as np

from ...backends.device import CPU, Device
from ..numpy_tests.exclusions import EXCLUSIONS
from ..pytest_process import add_options, check_packages, installed_tests, outcomes, run_pytest
from ..report import Outcome, Report
from ..suite import SuiteError

__all__ = ["FILES", "add_arguments", "run"]

FILES: Final = (
    *("linalg/tests/test_linalg.py", "fft/tests/test_pocketfft.py", "fft/tests/test_helper.py", "lib/tests/test_function_base.py"),
    *("_core/tests/test_einsum.py", "lib/tests/test_nanfunctions.py", "_core/tests/test_indexing.py"),
)
"""The files of tests, in NumPy's folder."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--only", metavar="PATTERN", default="*", help="the files to run, as 'test_linalg.py'")
    parser.add_argument("--fallback", choices=("warn", "error"), default="warn", help="the setting that the tests run under")
    parser.add_argument("--defaults", choices=("native", "numpy"), default="numpy", help="the default dtypes of devices (default numpy)")
    parser.add_argument("--one-layout-in", metavar="N", type=int, help="of layouts (default 100 on a Neuron device, else 1)")
    add_options(parser)


def run(report: Report, device: Device, options: Namespace) -> None:
    """Run NumPy's tests."""
    root = Path(np.__file__).parent
    files = [file for file in FILES if fnmatchcase(Path(file).name, options.only)]
    if not files:
        raise SuiteError(f"no file is named {options.only}; name one of: {', '.join(EXCLUSIONS)}")
    absent = [file for file in files if not (root / file).is_file()]
    if absent:
        raise SuiteError(f"this NumPy comes without its tests ({absent[0]}); install the wheel, as with `pip install numpy`")
    check_packages("NumPy's tests need", {"pytest": "pytest", "hypothesis": "hypothesis"})
    for file in files:
        counts: Counter[str] = Counter()
        for outcome in _outcomes(root / file, device, options):
            report.add(*outcome)
            counts[outcome.status] += 1
        collected = counts.total() - counts["skipped"]
        name = Path(file).name
        report.figures[name] = {
            "collected": collected,
            "passed": counts["passed"],
            "excluded": counts["xfailed"],
            "share": round(counts["passed"] / max(collected, 1), 4),
        }


def _outcomes(path: Path, device: Device, options: Namespace) -> Iterator[Outcome]:
    arguments = installed_tests([path], path.parent, "trnarray.conformance.numpy_tests.plugin")
    one = options.one_layout_in or (1 if device is CPU else 100)
    arguments += [f"--fallback={options.fallback}", f"--defaults={options.defaults}", f"--one-layout-in={one}"]
    return outcomes(run_pytest(f"on {path.name}", arguments, device, jobs=options.jobs, select=options.select))
