"""Suite ``overrides``: what NumPy's functions and ufuncs give on Arrays is what they give on ndarrays."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, TypeVar

from ...backends.device import Device
from ...numpy_protocol import REFUSED
from ..overrides.finding import Finding
from ..overrides.functions import check_refused, overridable_functions, sweep
from ..overrides.ufuncs import METHODS, SPECIAL_METHODS, check_method, numpy_ufuncs, special_ufuncs
from ..report import Report
from ..suite import SuiteError

__all__ = ["add_arguments", "run"]

_T = TypeVar("_T", bound=Callable[..., Any])


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--only", metavar="PATTERN", action="append", help="what to check, as 'linalg.*'; may be repeated")


def run(report: Report, device: Device, options: Namespace) -> None:
    """Check every overridable function and every ufunc."""
    patterns = options.only or ["*"]
    functions = _chosen(overridable_functions(), patterns, "")
    ufuncs = _chosen(numpy_ufuncs(), patterns, "")
    special = _chosen(special_ufuncs(), patterns, "special.")
    if not functions and not ufuncs and not special:
        raise SuiteError(f"no function or ufunc is named {' or '.join(patterns)}; name one as in --only 'linalg.*'")
    passed: dict[bool, int] = {True: 0, False: 0}
    cells = silent = 0
    for path, func in functions.items():
        refused = path in REFUSED
        findings = list((check_refused if refused else sweep)(path, func, device))
        _add(report, f"numpy.{path}", findings)
        passed[refused] += not findings
        silent += sum(finding.silent for finding in findings)
    for prefix, methods, table in (("numpy", METHODS, ufuncs), ("scipy.special", SPECIAL_METHODS, special)):
        for name, ufunc in table.items():
            for method in methods:
                outcomes = list(check_method(name, ufunc, method, device, tame=table is special))
                findings = [outcome for outcome in outcomes if outcome is not None]
                _add(report, f"{prefix}.{name}.{method}", findings)
                cells += len(outcomes)
                silent += sum(finding.silent for finding in findings)
    report.figures.update(computed=passed[False], refused=passed[True], silent_ndarrays=silent)
    report.figures.update(ufuncs=len(ufuncs) + len(special), ufunc_cells=cells)


def _chosen(table: Mapping[str, _T], patterns: Iterable[str], prefix: str) -> dict[str, _T]:
    return {name: item for name, item in table.items() if any(fnmatchcase(prefix + name, pattern) for pattern in patterns)}


def _add(report: Report, name: str, findings: Sequence[Finding]) -> None:
    if findings:
        report.add(name, "failed", f"{findings[0].call}: {findings[0].text} ({len(findings)} in all)")
    else:
        report.add(name)
