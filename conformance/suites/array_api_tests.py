"""The Array API standard's own test suite, https://github.com/data-apis/array-api-tests, run from a checkout in a process of its own.

It is on no package index, and it takes the device from the environment, hence the process.
"""

from __future__ import annotations

import tempfile
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

import trnarray

from ...backends.device import CPU, Device
from ..pytest_process import add_options, check_packages, outcomes, run_pytest
from ..report import Report
from ..suite import SuiteError

__all__ = ["add_arguments", "run"]

_OF_HOST_MEMORY: Final = {
    "array_api_tests/test_dlpack.py::test_dlpack_device": "the test's list of device types ends before kDLTrn (18), DLPack's for Trainium",
    "array_api_tests/test_dlpack.py::test_dunder_dlpack": (
        "the standard allows BufferError where memory cannot be exported, as a NeuronCore's cannot but by a copy on the host; "
        "the test does not"
    ),
}
"""Tests that no Array elsewhere than on the host can pass, and why."""
_CLONE: Final = "git clone --recurse-submodules https://github.com/data-apis/array-api-tests"
_MODULES: Final = {"pytest_jsonreport": "pytest-json-report", "ndindex": "ndindex", "hypothesis": "hypothesis", "pytest": "pytest"}
_FINISHED: Final = (0, 1, 2, 5)  # pytest's status: passed, failed, not all collected (which the results tell), no tests


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--checkout", metavar="DIR", type=Path, required=True, help=f"a checkout of the suite: `{_CLONE}`")
    add_options(parser)
    parser.add_argument("--xfails", metavar="FILE", type=Path, help="ids of tests that are known to fail, one a line")
    parser.add_argument("--skips", metavar="FILE", type=Path, help="ids of tests that are not to be run, one a line")
    parser.add_argument("--seed", metavar="N", type=int, help="makes the examples those of a seed (default: new ones every time)")


def run(report: Report, device: Device, options: Namespace) -> None:
    """Run the suite in a process and read its counts."""
    version = trnarray.__array_api_version__
    _check(options.checkout, version)
    with tempfile.TemporaryDirectory() as scratch:
        nothing = Path(scratch, "none.txt")  # or else the checkout's own lists would be taken
        nothing.touch()
        arguments = ["array_api_tests", "--tb=short", "--disable-deadline", f"--max-examples={options.max_examples}"]
        arguments += [f"--xfails-file={(options.xfails or nothing).resolve()}", f"--skips-file={(options.skips or nothing).resolve()}"]
        arguments += [f"--hypothesis-seed={options.seed}"] if options.seed is not None else []
        if device is not CPU:
            for name, reason in _OF_HOST_MEMORY.items():
                arguments.append(f"--deselect={name}")
                report.add(name, "skipped", reason)
        environment = {"ARRAY_API_TESTS_MODULE": "trnarray", "ARRAY_API_TESTS_VERSION": version}
        results = run_pytest(
            f"in {options.checkout}",
            arguments,
            device,
            jobs=options.jobs,
            select=options.select,
            folder=options.checkout,
            environment=environment,
            finished=_FINISHED,
        )
        for outcome in outcomes(results):
            report.add(*outcome)
    report.figures["array_api_version"] = version
    report.figures["max_examples"] = options.max_examples


def _check(checkout: Path, version: str) -> None:
    """Check all that the run needs, so that what is missing is named with its remedy."""
    if not (checkout / "array_api_tests" / "__init__.py").is_file():
        raise SuiteError(f"{checkout} is not a checkout of array-api-tests; make one with `{_CLONE}` and name its folder")
    if not (checkout / "array-api" / "spec").is_dir():
        raise SuiteError(f"{checkout} lacks its submodule array-api; run `git submodule update --init` in it")
    if not (checkout / "array-api" / "spec" / version).is_dir():
        raise SuiteError(f"{checkout} does not know version {version} of the standard; run `git pull --recurse-submodules` in it")
    check_packages("array-api-tests needs", _MODULES)
