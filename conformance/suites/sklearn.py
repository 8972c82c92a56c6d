"""Suite ``sklearn``: the array-API tests that come with scikit-learn, run on Arrays, in a process of their own.

They fit estimators and compute metrics with ``array_api_dispatch=True`` and compare with what NumPy gives.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

import sklearn

from ...backends.device import Device
from ..pytest_process import add_options, check_packages, installed_tests, outcomes, run_pytest
from ..report import Report
from ..suite import SuiteError

__all__ = ["add_arguments", "run"]

_OLDEST: Final = (1, 9)  # from here on scikit-learn's tests ask the functions that the plugin answers for
_PARAMETRIZED: Final = re.compile(r"\b(yield_namespace\w*|yield_mixed_\w+|parametrize_with_checks)\b")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    add_options(parser)


def run(report: Report, device: Device, options: Namespace) -> None:
    """Run scikit-learn's tests."""
    root = Path(sklearn.__file__).parent
    if tuple(map(int, sklearn.__version__.split(".")[:2])) < _OLDEST:
        raise SuiteError(f"scikit-learn {sklearn.__version__} is too old; install {'.'.join(map(str, _OLDEST))} or newer")
    if not (root / "utils" / "tests").is_dir():
        raise SuiteError("this scikit-learn comes without its tests; install the wheel, as with `pip install scikit-learn`")
    check_packages("scikit-learn's tests need", {"pytest": "pytest"})
    files = sorted(path for path in root.rglob("tests/test_*.py") if _PARAMETRIZED.search(path.read_text("utf-8")))
    arguments = installed_tests(files, root.parent, "trnarray.conformance.sklearn_tests.plugin")
    environment = {"SCIPY_ARRAY_API": "1"}
    results = run_pytest("on scikit-learn", arguments, device, jobs=options.jobs, select=options.select, environment=environment)
    for outcome in outcomes(results):
        report.add(*outcome)
    report.figures["sklearn_version"] = sklearn.__version__
