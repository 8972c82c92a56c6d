"""Suite ``consumers``: libraries that take arrays of any kind, on Arrays, against the same calls on ndarrays.

A library that is not installed is skipped. The tests of array-api-extra come from a checkout and run in a process of their own.
"""

from __future__ import annotations

import importlib.util
import warnings
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fnmatch import fnmatchcase
from importlib.metadata import version
from pathlib import Path
from typing import Final

from ...backends.coverage import reset_coverage
from ...backends.device import Device
from ...backends.settings import get_config, set_config
from ..consumers.check import Call, Consumer, compare
from ..consumers.table import CONSUMERS
from ..pytest_process import check_packages, outcomes, run_pytest
from ..report import Report, Status
from ..suite import SuiteError

__all__ = ["add_arguments", "run"]

_EXTRA: Final = "array-api-extra"
_CLONE: Final = f"git clone https://github.com/data-apis/{_EXTRA}"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--only", metavar="PATTERN", default="*", help="the libraries to check, as 'dask'")
    parser.add_argument("--checkout", metavar="DIR", type=Path, help=f"a checkout of {_EXTRA}, whose tests run as well: `{_CLONE}`")


def run(report: Report, device: Device, options: Namespace) -> None:
    """Run the checks."""
    consumers = {name: consumer for name, consumer in CONSUMERS.items() if fnmatchcase(name, options.only)}
    extra = fnmatchcase(_EXTRA, options.only)
    if not consumers and not extra:
        raise SuiteError(f"no library is named {options.only}; name one of: {', '.join([*CONSUMERS, _EXTRA])}")
    for name, consumer in consumers.items():
        if not _installed(consumer.module):
            report.add(name, "skipped", f"not installed; run `pip install '{consumer.package}'`")
        else:
            report.figures[name] = _check(report, name, consumer, device)
    if extra and options.checkout is None:
        report.add(_EXTRA, "skipped", f"its tests need a checkout; make one with `{_CLONE}` and name it with --checkout")
    elif extra:
        report.figures[_EXTRA] = _run_extra(report, options.checkout.resolve(), device)


def _installed(module: str) -> bool:
    """Tell whether a module is there; the package that it is in may be missing, or be there without it."""
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def _check(report: Report, name: str, consumer: Consumer, device: Device) -> Mapping[str, object]:
    """Make the calls of a library, and count the transfers that it makes."""
    distribution = consumer.package.partition("[")[0]
    before = dict(report.counts)
    with warnings.catch_warnings(), _settings(device):
        warnings.simplefilter("ignore")  # about what the libraries do to each other
        calls = consumer.checks()
        reset_coverage()
        for call, check in calls.items():
            report.add(f"{name}::{call}", *_outcome(check, consumer.limits.get(call)))
    transfers = sum(found.calls for found in reset_coverage().transfers)
    return {
        "version": version(distribution),
        "passed": report.counts["passed"] - before["passed"],
        "failed": report.counts["failed"] - before["failed"],
        "transfers": transfers,
    }


@contextmanager
def _settings(device: Device) -> Iterator[None]:
    """Set a device and what is allowed for the whole process: some libraries compute in threads of their own."""
    before = get_config()
    set_config(host_transfer="allow", fallback="allow", default_device=device)
    try:
        yield
    finally:
        set_config(host_transfer=before.host_transfer, fallback=before.fallback, default_device=before.default_device)


def _outcome(call: Call, limit: str | None) -> tuple[Status, str]:
    """Make a call, which is to fail if there is something in the library that stands in its way."""
    try:
        wrong = compare(call)
    except Exception as error:  # noqa: BLE001  # whatever comes is reported, and the other calls are still checked
        wrong = f"{type(error).__name__}: {error}"
    if limit is None:
        return ("failed", wrong) if wrong else ("passed", "")
    return ("xfailed", limit) if wrong else ("failed", f"it works, though it is on record that {limit}")


def _run_extra(report: Report, checkout: Path, device: Device) -> Mapping[str, object]:
    """Run array-api-extra's tests."""
    if not (checkout / "tests" / "main").is_dir() or not (checkout / "src" / "array_api_extra").is_dir():
        raise SuiteError(f"{checkout} is not a checkout of {_EXTRA}; make one with `{_CLONE}` and name its folder")
    check_packages(f"{_EXTRA}'s tests need", {"pytest": "pytest", "hypothesis": "hypothesis", "array_api_compat": "array-api-compat"})
    counts: Counter[str] = Counter()
    arguments = ["tests/main", "--tb=line", "-o", "pythonpath=src", "-p", "trnarray.conformance.consumers.array_api_extra_plugin"]
    environment = {"PYTHONDONTWRITEBYTECODE": "1"}
    for outcome in outcomes(run_pytest(f"in {checkout}", arguments, device, folder=checkout, environment=environment)):
        report.add(*outcome)
        counts[outcome.status] += 1
    return {status: counts[status] for status in report.counts}
