"""Suite ``scipy``: the array-API tests that come with SciPy, run on Arrays, in a process of their own for each subpackage.

Those of scipy.fft come to trnarray by its backend of uarray, all others under SCIPY_ARRAY_API. With ``--host-transfer error``
SciPy may not convert an Array, and the functions that SciPy itself says it computes on the host only are skipped. With ``--offload``
all tests of scipy.fft and scipy.signal run on ndarrays, whose transforms `trnarray.scipy.fft.offload` has the device compute.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections import Counter
from pathlib import Path
from typing import Final

import scipy

from ...backends.device import Device
from ..pytest_process import add_options, installed_tests, outcomes, run_pytest
from ..report import Report
from ..scipy_tests.installed import scipy_with_tests

__all__ = ["MODULES", "add_arguments", "run"]

MODULES: Final = (
    *("cluster", "constants", "differentiate", "fft", "integrate", "interpolate", "linalg", "ndimage", "optimize", "signal"),
    *("sparse", "spatial", "special", "stats", "_lib"),
)
"""The subpackages of SciPy that have tests of arrays of other libraries; in _lib is what the others use to take them."""
_TRANSFORMING: Final = ("fft", "signal")
_FINISHED: Final = (0, 1, 5)  # pytest's status: passed, failed, no tests
_FIXTURE: Final = re.compile(r"\bxp\b")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--module", metavar="M", action="append", choices=MODULES, help="a subpackage, as 'fft'; may be repeated")
    parser.add_argument("--host-transfer", choices=("error", "allow"), default="allow", help="when SciPy converts an Array")
    parser.add_argument("--fallback", choices=("allow", "error"), default="allow", help="the setting that the tests run under")
    parser.add_argument("--offload", action="store_true", help="all tests of fft and signal, on ndarrays, with offload as the backend")
    add_options(parser)


def run(report: Report, device: Device, options: Namespace) -> None:
    """Run SciPy's tests."""
    root = scipy_with_tests()
    transfers: Counter[str] = Counter()
    for module in options.module or (_TRANSFORMING if options.offload else MODULES):
        before = dict(report.counts)
        found = _run_module(report, root, module, device, options)
        transfers += found
        report.figures[module] = {status: report.counts[status] - before[status] for status in report.counts}
        report.figures[module]["transfers"] = found.total()
    report.figures["transfers"] = transfers.total()
    report.figures["transfers_by"] = dict(transfers.most_common(20))
    report.figures["scipy_version"] = scipy.__version__


def _run_module(report: Report, root: Path, module: str, device: Device, options: Namespace) -> Counter[str]:
    """Run the tests of a subpackage, and count the transfers by who made them."""
    files = sorted((root / module).rglob("tests/test_*.py"))
    if options.offload:
        files = sorted((root / module / "tests").glob("test_*.py"))  # those of parts of it call no backend
        arguments = installed_tests(files, root.parent, "trnarray.conformance.scipy_tests.offload_plugin")
    else:
        files = [path for path in files if _FIXTURE.search(path.read_text("utf-8"))]
        arguments = installed_tests(files, root.parent, "trnarray.conformance.scipy_tests.plugin")
        arguments += [f"--host-transfer={options.host_transfer}", f"--fallback={options.fallback}"]
    results = run_pytest(
        f"on scipy.{module}",
        arguments,
        device,
        jobs=options.jobs,
        select=options.select,
        environment={} if options.offload else {"SCIPY_ARRAY_API": "1"},
        finished=_FINISHED,
    )
    for outcome in outcomes(results):
        report.add(*outcome)
    return Counter(found.get("value", "") for found in results.iter("property") if found.get("name") == "transfer")
