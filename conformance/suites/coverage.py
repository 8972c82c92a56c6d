"""Suite ``coverage``: which functions run on a device, for which dtypes, and why the others run on the host.

The calls are those of the table of suite ``hypothesis``. They are made under ``fallback="error"`` and not computed: whether there is a
kernel is known when a call is appended to the graph.
"""

from __future__ import annotations

import warnings
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final, Literal

import hypothesis
import numpy as np
from hypothesis import HealthCheck, Phase

import trnarray

from ...backends.coverage import native_calls
from ...backends.device import CPU, Device
from ...backends.dtypes import COMPLEX128, DTYPES, FLOAT64, INT64, UINT64, DType
from ...backends.policy import FallbackError
from ...backends.rules import Dynamic
from ...backends.settings import config, default_device
from ..function_table.check import on_device
from ..function_table.native import NATIVE, is_native, leads_of, with_default_integers
from ..function_table.row import Row
from ..function_table.rows import EXEMPT, ROWS, public_functions
from ..function_table.template import Call
from ..report import Report
from ..suite import SuiteError
from .rules import count_rules, registered

__all__ = ["LETTERS", "Finding", "add_arguments", "page", "probe", "run", "waiting"]

Outcome = Literal["kernel", "composed", "partly", "host", "none"]
LETTERS: Final[dict[Outcome, str]] = {"kernel": "K", "composed": "C", "partly": "p", "host": "h", "none": "."}
"""How outcomes look in the printed table."""
_COLUMNS: Final = (*NATIVE, INT64, UINT64, FLOAT64, COMPLEX128)
"""The dtypes of the page."""
_MEANINGS: Final[dict[Outcome, str]] = {
    "kernel": "one call of the device",
    "composed": "several calls of the device",
    "partly": "some calls run on the host",
    "host": "all calls run on the host",
    "none": "the function does not take the dtype",
}
_MORE: Final = 8  # times as many calls, where a function refuses the first ones for all native dtypes
_REFUSALS: Final = (TypeError, ValueError, ArithmeticError, LookupError, StopIteration)


class Finding:
    """
    What became of the calls of one function on one dtype.

    Attributes
    ----------
    native, fallbacks, refused : int
        Calls that ran on the device, that would have run on the host, and that the function does not allow.
    ops : int
        The most Ops that one native call came to.
    reasons : Counter
        Why calls would have run on the host.
    crashes : Counter
        Exceptions that no function should raise.
    """

    def __init__(self) -> None:
        self.native = self.fallbacks = self.refused = self.ops = 0
        self.reasons: Counter[str] = Counter()
        self.crashes: Counter[str] = Counter()

    @property
    def outcome(self) -> Outcome:
        """Sum up."""
        if self.fallbacks:
            return "partly" if self.native else "host"
        if not self.native:
            return "none"
        return "composed" if self.ops > 1 else "kernel"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--only", metavar="PATTERN", action="append", help="functions to look at, as 'linalg.*'; may be repeated")
    parser.add_argument("--require-native", action="store_true", help="fail wherever a call on a native dtype runs on the host")
    parser.add_argument("--page", metavar="FILE", type=Path, help="write the table there, in Markdown")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="another seed gives other calls (default 0)")


def run(report: Report, device: Device, options: Namespace) -> None:
    """Call every function of the namespace on every dtype, and print the table."""
    if device is CPU:
        raise SuiteError("suite 'coverage' asks what runs on a Neuron device; name one, as in --device sim:trn2")
    rules = count_rules()
    patterns = options.only or ["*"]
    names = [name for name in public_functions() if name not in EXEMPT and any(fnmatchcase(name, pattern) for pattern in patterns)]
    if not names:
        raise SuiteError(f"no function is named {' or '.join(patterns)}; name one as in --only 'linalg.*'")
    totals: Counter[Outcome] = Counter()
    table: dict[str, dict[DType, Finding]] = {}
    width = max(map(len, names))
    for line in _header(width):
        print(line)
    for name in names:
        found = table[name] = probe(name, device, options.max_examples, options.seed)
        print(f"{name:<{width}}  {' '.join(LETTERS[found[dtype].outcome] for dtype in DTYPES)}", flush=True)
        totals.update(found[dtype].outcome for dtype in NATIVE)
        crashes = sorted({text for finding in found.values() for text in finding.crashes})
        if crashes:
            report.add(name, "errors", "\n".join(crashes))
            continue
        missing = [f"{dtype}: {_reasons(found[dtype])}" for dtype in NATIVE if found[dtype].fallbacks]
        if not missing:
            report.add(name)
            continue
        lacks = "." not in name and any(found[dtype].outcome == "host" for dtype in NATIVE)
        report.add(name, "failed" if lacks or options.require_native else "skipped", _merged(missing))
    report.figures.update({f"{outcome}, function x native dtype": totals[outcome] for outcome in LETTERS} | rules)
    if options.page is not None:
        options.page.write_text(page(table, device), encoding="utf-8")


def page(table: Mapping[str, Mapping[DType, Finding]], device: Device) -> str:
    """Write a page of what was found."""
    count = Counter(findings[dtype].outcome for findings in table.values() for dtype in NATIVE)
    lines = [
        "# What runs on a NeuronCore",
        "",
        f"Written by `python -m trnarray.conformance coverage --device {device} --page docs/coverage.md`; do not edit it but run it again.",
        "The calls are those of the suite `hypothesis` on the dtypes that a NeuronCore computes with, which are counted, and on those of",
        "64 bits, which it computes in words of 32.",
        "",
        "| | meaning | function × dtype |",
        "|---|---|---|",
        *(f"| {letter} | {_MEANINGS[outcome]} | {count[outcome]} |" for outcome, letter in LETTERS.items()),
        "",
        "Where the shape of a result depends on values, as that of `nonzero`, `x[mask]`, `compress`, `unique` and `bincount` does, what",
        "it depends on (short masks, counts, extremes, moments) is computed on the device and brought to the host. So is what",
        "decides on a dtype or a warning: in `poly`, whether complex roots come in pairs; in `polyfit`, as many equations as there are",
        "coefficients, which the host solves. `xp.coverage()` lists that as a transfer. The elements stay.",
        "",
        f"| function | {' | '.join(dtype.name for dtype in _COLUMNS)} |",
        f"|---|{'---|' * len(_COLUMNS)}",
    ]
    for name, findings in table.items():
        lines.append(f"| `{name}` | {' | '.join(LETTERS[findings[dtype].outcome] for dtype in _COLUMNS)} |")
    lines += ["", *waiting(), "", "## Why some calls run on the host", ""]
    for name, findings in table.items():
        missing = [f"{dtype}: {_reasons(findings[dtype])}" for dtype in NATIVE if findings[dtype].fallbacks]
        lines += [f"- `{name}`, {text}" for text in _merged(missing).splitlines()]
    return "\n".join(lines) + "\n"


def waiting() -> list[str]:
    """Write which calls wait in the graph, and which never do, by the rules of the registry."""
    reasons: dict[str, list[str]] = {}
    for op in registered():
        if isinstance(op.rule, Dynamic):
            reasons.setdefault(op.rule.reason, []).append(op.name)
    counts = count_rules()
    known, dynamic, missing = (counts[kind] for kind in ("Ops with a rule", "Ops whose rule is Dynamic", "Ops without a rule"))
    lines = [
        "## Which calls wait",
        "",
        f"A call waits in the graph, with kernels or without, where a rule knows the shapes and dtypes of its results: {known} Ops have",
        "one. It may need a value in some calls, as that of `compress` does where the mask is an Array, or that of `histogram` where the",
        f"elements choose the bins. {dynamic} Ops run at once in every call:",
        "",
        "| why | Ops |",
        "|---|---|",
        *(f"| {reason} | {', '.join(f'`{name}`' for name in names)} |" for reason, names in sorted(reasons.items())),
    ]
    return [*lines, "", f"{missing} Ops have no rule yet, and run at once where they have no kernel."] if missing else lines


def _header(width: int) -> Iterator[str]:
    """Write the dtypes' names downwards."""
    names = [dtype.name for dtype in DTYPES]
    for place in range(max(map(len, names))):
        yield f"{'':<{width}}  {' '.join(name[place] if place < len(name) else ' ' for name in names)}".rstrip()


def _reasons(finding: Finding) -> str:
    return " / ".join(reason for reason, _ in finding.reasons.most_common())


def _merged(lines: list[str]) -> str:
    """Give each text once, after the dtypes that it is about."""
    about: dict[str, list[str]] = {}
    for line in lines:
        dtype, _, text = line.partition(": ")
        about.setdefault(text, []).append(dtype)
    return "\n".join(f"{' '.join(dtypes)}: {text}" for text, dtypes in about.items())


def probe(name: str, device: Device, calls: int, seed: int = 0) -> dict[DType, Finding]:
    """Call one function on every dtype."""
    found = {dtype: Finding() for dtype in DTYPES}
    for row in ROWS:
        if row.name == name:
            _probe_row(row, device, calls, seed, found)
    return found


def _probe_row(row: Row, device: Device, calls: int, seed: int, found: dict[DType, Finding]) -> None:
    native = leads_of(row)
    carried = [dtype for dtype in row.dtypes if dtype not in NATIVE]

    def sweep(call: Call) -> None:
        for lead in carried:
            _try(row, call, lead, device, found[lead])
        call = with_default_integers(call)
        for lead in native:
            if is_native(call, lead):
                _try(row, call, lead, device, found[lead])

    with warnings.catch_warnings(), np.errstate(all="ignore"), default_device(device):
        warnings.simplefilter("ignore")
        for count in (calls, _MORE * calls):
            settings = hypothesis.settings(
                max_examples=count, phases=[Phase.generate], deadline=None, database=None, suppress_health_check=list(HealthCheck)
            )
            hypothesis.seed(seed)(settings(hypothesis.given(row.calls)(sweep)))()
            if any(found[lead].outcome != "none" for lead in native):
                break


def _try(row: Row, call: Call, lead: DType, device: Device, finding: Finding) -> None:
    make = on_device(lead, device)
    parents: list[Any] = []
    with config(fallback="allow"):
        args, kwargs = call.realize(lambda item: make(item, parents))
    function = row.our_function(trnarray)
    assert function is not None
    counted = not finding.native
    before = native_calls() if counted else 0
    try:
        with config(fallback="error"):
            function(*args, **kwargs)
    except FallbackError as error:
        finding.fallbacks += 1
        op, _, rest = str(error).partition(" on ")
        finding.reasons[f"{op}: {rest.partition(' would run on the host: ')[2].partition('; ')[0]}"] += 1
    except _REFUSALS:
        finding.refused += 1
    except Exception as error:  # noqa: BLE001  # whatever else comes is reported, and the other functions are still looked at
        finding.crashes[f"{type(error).__name__}: {error}"] += 1
    else:
        finding.native += 1
        if counted:
            finding.ops = native_calls() - before
