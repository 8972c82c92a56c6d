"""The Array API standard's own test suite, https://github.com/data-apis/array-api-tests, run from a checkout in a process of its own.

It is on no package index, and it takes the device from the environment, hence the process.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

import trnarray

from ...backends.device import Device
from ..report import Outcome, Report, Status
from ..suite import SuiteError

__all__ = ["add_arguments", "outcomes", "run"]

_CLONE: Final = "git clone --recurse-submodules https://github.com/data-apis/array-api-tests"
_MODULES: Final = {"pytest_jsonreport": "pytest-json-report", "ndindex": "ndindex", "hypothesis": "hypothesis", "pytest": "pytest"}
_FINISHED: Final = (0, 1, 2, 5)  # pytest's status: passed, failed, not all collected (which the results tell), no tests
_TAGS: Final[dict[str, Status]] = {"skipped": "skipped", "error": "errors", "failure": "failed"}


def add_arguments(parser: ArgumentParser) -> None:
    """
    Declare the suite's own options.

    Parameters
    ----------
    parser : ArgumentParser
        Where to add them.
    """
    parser.add_argument("--checkout", metavar="DIR", type=Path, required=True, help=f"a checkout of the suite: `{_CLONE}`")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="processes (default 1; more need pytest-xdist)")
    parser.add_argument("--xfails", metavar="FILE", type=Path, help="ids of tests that are known to fail, one a line")
    parser.add_argument("--skips", metavar="FILE", type=Path, help="ids of tests that are not to be run, one a line")
    parser.add_argument("--select", metavar="EXPRESSION", help="only the tests that match, as pytest's -k")
    parser.add_argument("--seed", metavar="N", type=int, help="makes the examples those of a seed (default: new ones every time)")


def run(report: Report, device: Device, options: Namespace) -> None:
    """
    Run the suite in a process and read its counts.

    Parameters
    ----------
    report : Report
        Takes every test's outcome.
    device : Device
        The default device of the process.
    options : Namespace
        The parsed command line.

    Raises
    ------
    SuiteError
        If `options.checkout` is no complete checkout, a package is missing, or no test could be run.
    """
    version = trnarray.__array_api_version__
    _check(options.checkout, version, options.jobs)
    with tempfile.TemporaryDirectory() as scratch:
        results = Path(scratch, "results.xml")
        nothing = Path(scratch, "none.txt")  # or else the checkout's own lists would be taken
        nothing.touch()
        command = [sys.executable, "-m", "pytest", "array_api_tests", "-q", "--tb=short", "-p", "no:cacheprovider"]
        command += [f"--junit-xml={results}", "--disable-deadline", f"--max-examples={options.max_examples}"]
        command += [f"--xfails-file={(options.xfails or nothing).resolve()}", f"--skips-file={(options.skips or nothing).resolve()}"]
        command += ["-n", str(options.jobs)] if options.jobs > 1 else []
        command += ["-k", options.select] if options.select else []
        command += [f"--hypothesis-seed={options.seed}"] if options.seed is not None else []
        environment = os.environ | {
            "ARRAY_API_TESTS_MODULE": "trnarray",
            "ARRAY_API_TESTS_VERSION": version,
            "TRNARRAY_DEVICE": str(device),
            "HYPOTHESIS_STORAGE_DIRECTORY": scratch,
            # Our directory first: the process runs inside the checkout, and trnarray need not be installed.
            "PYTHONPATH": os.pathsep.join(filter(None, [str(Path(trnarray.__file__).parents[1]), os.environ.get("PYTHONPATH")])),
        }
        done = subprocess.run(command, cwd=options.checkout, env=environment, capture_output=True, text=True, check=False)
        if done.returncode not in _FINISHED or not results.exists():
            last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-3:]
            raise SuiteError(f"pytest in {options.checkout} stopped with status {done.returncode}: {' | '.join(last)}")
        for outcome in outcomes(results):
            report.add(*outcome)
    report.figures["array_api_version"] = version
    report.figures["max_examples"] = options.max_examples


def _check(checkout: Path, version: str, jobs: int) -> None:
    """Check all that the run needs, so that what is missing is named with its remedy."""
    if not (checkout / "array_api_tests" / "__init__.py").is_file():
        raise SuiteError(f"{checkout} is not a checkout of array-api-tests; make one with `{_CLONE}` and name its folder")
    if not (checkout / "array-api" / "spec").is_dir():
        raise SuiteError(f"{checkout} lacks its submodule array-api; run `git submodule update --init` in it")
    if not (checkout / "array-api" / "spec" / version).is_dir():
        raise SuiteError(f"{checkout} does not know version {version} of the standard; run `git pull --recurse-submodules` in it")
    wanted = _MODULES | ({"xdist": "pytest-xdist"} if jobs > 1 else {})
    missing = [package for module, package in wanted.items() if importlib.util.find_spec(module) is None]
    if missing:
        raise SuiteError(f"array-api-tests needs more packages; run `{sys.executable} -m pip install {' '.join(missing)}`")


def outcomes(results: Path) -> Iterator[Outcome]:
    """
    Read pytest's JUnit XML.

    Parameters
    ----------
    results : Path
        The file.

    Yields
    ------
    Outcome
        One per test, with the last line of the error as its reason.
    """
    for case in ET.parse(results).iter("testcase"):
        name = f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}"
        status: Status = "passed"
        reason = ""
        for tag, found in _TAGS.items():
            element = case.find(tag)
            if element is not None:
                status = "xfailed" if element.get("type") == "pytest.xfail" else found
                reason = _last_error(element) or "no reason given"
        yield Outcome(name, status, reason)


def _last_error(element: ET.Element) -> str:
    """Find the last error of a traceback, without the example that hypothesis appends to it, or else the message."""
    lines = [line[1:].strip() for line in (element.text or "").splitlines() if line.startswith("E ")]
    example = next((i for i, line in enumerate(lines) if line.startswith("Falsifying example")), len(lines))
    errors = [line for line in lines[:example] if line] or (element.get("message") or "").splitlines()
    return errors[-1] if errors else ""
