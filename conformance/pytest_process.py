"""Other projects' tests: pytest runs them in a process of its own, and its JUnit XML tells what came of them."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

import trnarray

from ..backends.device import Device
from .report import Outcome, Status
from .suite import SuiteError

__all__ = ["add_options", "check_packages", "find_reason", "installed_tests", "outcomes", "path_in", "run_pytest"]

_FINISHED: Final = (0, 1)  # pytest's status: passed, failed
_TAGS: Final[dict[str, Status]] = {"skipped": "skipped", "error": "errors", "failure": "failed"}


def add_options(parser: ArgumentParser) -> None:
    """Declare the options of the suites that run other projects' tests, which `run_pytest` takes by these names."""
    parser.add_argument("--jobs", metavar="N", default="1", help="processes, or 'auto' (default 1; more need pytest-xdist)")
    parser.add_argument("--select", metavar="EXPRESSION", help="only the tests that match, as pytest's -k")


def check_packages(who: str, wanted: Mapping[str, str]) -> None:
    """Check that packages are there."""
    missing = [package for module, package in wanted.items() if importlib.util.find_spec(module) is None]
    if missing:
        raise SuiteError(f"{who} more packages; run `{sys.executable} -m pip install {' '.join(missing)}`")


def installed_tests(files: Iterable[Path], root: Path, plugin: str) -> list[str]:
    """
    Give pytest's arguments for tests that came with a package: no configuration but a plugin.

    Examples
    --------
    >>> installed_tests([Path("test_a.py")], Path("package"), "a.plugin")[-2:]
    ['-p', 'a.plugin']
    """
    return [*map(str, files), "--tb=line", "-c", os.devnull, f"--rootdir={root}", "-p", plugin]


def run_pytest(
    what: str,
    arguments: Sequence[str],
    device: Device,
    *,
    jobs: str = "1",
    select: str | None = None,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    finished: Collection[int] = _FINISHED,
) -> ET.Element:
    """Run pytest on a device."""
    if jobs != "1":
        check_packages("several processes need", {"xdist": "pytest-xdist"})
        arguments = [*arguments, "-n", jobs]
    if select:
        arguments = [*arguments, "-k", select]
    with tempfile.TemporaryDirectory() as scratch:
        results = Path(scratch, "results.xml")
        command = [sys.executable, "-m", "pytest", *arguments, "-q", "-p", "no:cacheprovider", f"--junit-xml={results}"]
        variables = {
            "TRNARRAY_DEVICE": str(device),
            "HYPOTHESIS_STORAGE_DIRECTORY": scratch,
            # Our directory first: the process runs elsewhere, and trnarray need not be installed.
            "PYTHONPATH": os.pathsep.join(filter(None, [str(Path(trnarray.__file__).parents[1]), os.environ.get("PYTHONPATH")])),
        }
        variables = os.environ | variables | dict(environment or {})
        done = subprocess.run(command, cwd=folder or scratch, env=variables, capture_output=True, text=True, check=False)
        if done.returncode not in finished or not results.exists():
            last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-3:]
            raise SuiteError(f"pytest {what} stopped with status {done.returncode}: {' | '.join(last)}")
        return ET.parse(results).getroot()


def outcomes(results: ET.Element) -> Iterator[Outcome]:
    """Read pytest's JUnit XML."""
    for case in results.iter("testcase"):
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


def find_reason(exclusions: Mapping[str, Mapping[str, str]], file: str, name: str) -> str | None:
    """
    Tell why a test is excluded.

    Examples
    --------
    >>> exclusions = {"test_sums.py": {"it is slow": "test_.*_large test_all"}}
    >>> find_reason(exclusions, "test_sums.py", "test_add_large")
    'it is slow'
    >>> find_reason(exclusions, "test_sums.py", "test_add")
    """
    for reason, patterns in exclusions.get(file, {}).items():
        if any(re.fullmatch(pattern, name) for pattern in patterns.split()):
            return reason
    return None


def path_in(package: str, path: Path) -> str:
    """
    Give the path of a file from the folder of a package.

    Examples
    --------
    >>> path_in("scipy", Path("lib", "scipy", "fft", "tests", "test_basic.py"))
    'scipy/fft/tests/test_basic.py'
    """
    parts = path.parts
    return Path(*parts[len(parts) - 1 - parts[::-1].index(package) :]).as_posix()
