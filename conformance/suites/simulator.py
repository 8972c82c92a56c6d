"""Suite ``simulator``: every instruction of the NKI simulator × dtype × target × knob against references of its own.

Each row of the table (`trnarray.conformance.instruction_tests`) is a family of small kernels, whose extents, views and values hypothesis
draws. What the documents forbid, and what races, is in the suite as pairs: a program that is refused, and one that barely is not.
"""

from __future__ import annotations

import inspect
import warnings
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import fields
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from ...backends.device import Device
from ...backends.simulator import KernelError, Knobs, NkiConstraintError, isa, options
from ...backends.simulator.program.opcode import GENERIC_RULES, OPCODES, find_rule
from ...backends.simulator.target import TARGETS
from ..constraint_cases.case import Case, all_cases, trace_case
from ..foreign_kernels import run as run_samples
from ..instruction_tests.check import check_row
from ..instruction_tests.races import PATTERNS, is_refused
from ..instruction_tests.row import ALTERNATIVES
from ..instruction_tests.rows import ROWS
from ..report import Report
from ..suite import SuiteError

__all__ = ["add_arguments", "check_cases", "check_coverage", "check_races", "run"]

# Functions of nki.isa that are not instructions; rows of instructions use the first, `_check_queries` the others.
_NO_OPCODE: Final = frozenset({"register_alloc", "get_nc_version", "get_nc_sub_version"})


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--target", choices=TARGETS, action="append", help="generation to simulate; may be repeated (default: all)")
    parser.add_argument("--only", metavar="PATTERN", action="append", help="rows (or samples) to check, as 'nc_matmul.*'; may be repeated")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="another seed gives other examples (default 0)")
    parser.add_argument("--samples", metavar="DIR", type=Path, help="run the kernels of public checkouts in that folder instead")


def run(report: Report, device: Device, options: Namespace) -> None:
    """Check the instructions and what is refused; or with ``--samples`` run the kernels of public checkouts."""
    del device
    if options.samples is not None:
        run_samples(options.samples, report, options.target, options.only or ("*",))
        return
    targets = options.target or list(TARGETS)
    rows = [row for row in ROWS if any(fnmatchcase(row.name, pattern) for pattern in options.only or ["*"])]
    if not rows:
        raise SuiteError(f"no row is named {' or '.join(options.only)}; name one as in --only 'nc_matmul.*'")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for row in rows:
            for target in targets:
                check_row(report, row, target, options.max_examples, options.seed)
    figures = {"targets": " ".join(targets), "rows": len(rows), "opcodes": len({name for row in rows for name in row.opcodes})}
    if not options.only:
        check_coverage(report)
        _check_queries(report, targets)
        figures["constraints"] = len(check_cases(report))
        figures["races"] = len(check_races(report, targets))
    report.figures.update(figures, knobs=str(Knobs()), **{"knobs varied": len(ALTERNATIVES)}, seed=options.seed)


def check_coverage(report: Report) -> None:
    """Check that nothing is without a row: instructions, functions of nki.isa, knobs."""
    covered = {name for row in ROWS for name in row.opcodes}
    functions = {name for name in isa.__all__ if inspect.isfunction(getattr(isa, name))} - _NO_OPCODE
    for name in sorted(functions | set(OPCODES)):
        if name in covered:
            report.add(f"coverage of {name}")
        else:
            report.add(f"coverage of {name}", "errors", "no row is for it; add one to trnarray.conformance.instruction_tests.rows")
    named = {name for row in ROWS for name in row.knobs}
    for field in fields(Knobs):
        if field.name in named and field.name in ALTERNATIVES:
            report.add(f"coverage of knob {field.name}")
        else:
            report.add(f"coverage of knob {field.name}", "errors", "no row names it, or ALTERNATIVES has no setting; add both")


def _check_queries(report: Report, targets: Sequence[str]) -> None:
    for target in targets:
        with options(target):
            found = isa.get_nc_version(), isa.get_nc_sub_version()
        wanted = isa.nc_version(TARGETS[target].generation), 0
        report.add(f"get_nc_version[{target}]", *(() if found == wanted else ("failed", f"{found} where {wanted} is right")))


def check_cases(report: Report) -> list[tuple[str, str, str]]:
    """Check both sides of every documented constraint."""
    table = [_case(report, number, case) for number, case in enumerate(all_cases())]
    rules = {f"*:{rule.name}" for rule in GENERIC_RULES} | {f"{n}:{rule.name}" for n, opcode in OPCODES.items() for rule in opcode.rules}
    for identity in sorted(rules - {row[0] for row in table}):
        report.add(f"constraint {identity}", "errors", "no case has a program that breaks it and one that does not; add one to cases/")
    for row in table:
        print(f"{row[0]:<60} {row[1]:<50} {row[2]}")
    return table


def _case(report: Report, number: int, case: Case) -> tuple[str, str, str]:
    rule, label = find_rule(case.rule), f"constraint {case.rule} ({number})"
    try:
        trace_case(case.breaks, case.target, case.cores[0])
        broken = "traced"
    except KernelError as error:
        right = isinstance(error, NkiConstraintError) and (error.rule, error.document) == (rule.text, rule.document)
        broken = "refused" if right else f"refused for another reason: {error}"
    report.add(f"{label} broken", *(() if broken == "refused" else ("failed", f"{rule.text}: the program that breaks it is {broken}")))
    try:
        trace_case(case.holds, case.holds_on or case.target, case.cores[1])
        held = "traced"
    except KernelError as error:
        held = f"refused: {error}"
    report.add(f"{label} kept", *(() if held == "traced" else ("failed", f"{rule.text}: the program that barely keeps it is {held}")))
    return case.rule, rule.document, f"broken: {broken}, kept: {held}"


def check_races(report: Report, targets: Sequence[str]) -> list[tuple[str, str]]:
    """Check both sides of every race pattern."""
    table = []
    for pattern in PATTERNS:
        for target in targets:
            if TARGETS[target].generation < pattern.since:
                continue
            for ordered in (False, True):
                label = f"race {pattern.name}[{target}, {'in order' if ordered else 'not in order'}]"
                refused = is_refused(pattern, ordered, target)
                if refused is not ordered:
                    report.add(label)
                else:
                    report.add(label, "failed", "refused, though in order" if refused else "not refused")
                table.append((label, "refused" if refused else "runs"))
    for row in table:
        print(f"{row[0]:<110} {row[1]}")
    return table
