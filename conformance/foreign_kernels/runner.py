"""Running samples and counting what ran, what matched and why others did not."""

from __future__ import annotations

import copy
import importlib.util
from collections import Counter
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np

from ...backends import simulator
from ..report import Report, Status
from ..suite import SuiteError
from .checkout import isolated, load, locate
from .comparison import difference, to_torch
from .fragments import reason_not_to_run
from .inventory import inventory
from .sample import Arguments, Sample, Theirs
from .table import SAMPLES

__all__ = ["run"]


def run(
    directory: Path,
    report: Report,
    targets: Sequence[str] | None = None,
    only: Sequence[str] = ("*",),
    samples: Mapping[str, Sequence[Sample]] = SAMPLES,
    knobs: simulator.Knobs | None = None,
) -> None:
    """Run the kernels of checkouts."""
    if not directory.is_dir():
        raise SuiteError(f"{directory} is not a folder; name the one that holds the checkouts")
    total: Counter[str] = Counter()
    for repository, entries in samples.items():
        verdicts: dict[tuple[str, str, int], set[str]] = {}
        relaxed: dict[str, list[str]] = {}
        for sample in entries:
            for target in sample.targets:
                name = _name(repository, sample, target)
                if (targets is None or target in targets) and any(fnmatchcase(name, pattern) for pattern in only):
                    status, verdict, reason = _check(directory, sample, target, knobs)
                    report.add(name, status, reason)
                    verdicts.setdefault((sample.file, sample.kernel, sample.occurrence), set()).add(verdict)
                    for option in _relaxed(sample):
                        relaxed.setdefault(option, []).append(f"{_name('', sample, target).lstrip('/')} {verdict}")
        counts = Counter(_decisive(found) for found in verdicts.values())
        total += counts
        if counts:
            report.figures[repository] = _sentence(counts)
        report.figures.update({f"{repository} with {option}": "; ".join(names) for option, names in sorted(relaxed.items())})
    if not total:
        raise SuiteError(f"no sample is named {' or '.join(only)}; name one as in --only '*matmul*'")
    report.figures["in all"] = _sentence(total)
    report.figures["simulated with"] = f"uninitialized=error, races=True, {knobs or simulator.Knobs()}"
    if "*" in only:
        _add_others(directory, report, {(sample.file, sample.kernel) for entries in samples.values() for sample in entries})


def _add_others(directory: Path, report: Report, known: set[tuple[str, str]]) -> None:
    """Name the kernels that no sample runs."""
    found = list(inventory(directory))
    others = {item: reason_not_to_run(item.file, item.kernel) for item in found if not item.old and (item.file, item.kernel) not in known}
    for item, reason in others.items():
        report.add(f"{item.checkout}/{item.file}:{item.kernel}", "skipped", reason or "no sample is declared for it")
    report.figures["without a sample"] = sum(not reason for reason in others.values())
    report.figures["excluded"] = (
        f"{sum(map(bool, others.values()))} fragments and tests, {sum(item.old for item in found)} for neuronxcc.nki"
    )


# What a kernel counts as, if it has several samples and targets: one that a target's rule excludes may match on another.
_VERDICTS = ("failed", "does not match", "fault", "matched", "rule", "version", "package", "absent")


def _decisive(found: set[str]) -> str:
    return next(verdict for verdict in _VERDICTS if verdict in found)


def _sentence(counts: Counter[str]) -> str:
    ran = counts["matched"] + counts["does not match"]
    parts = [f"{ran} ran", f"{counts['matched']} matched"]
    words = {
        "does not match": "did not match",
        "failed": "failed",
        "rule": "against a documented rule",
        "fault": "at fault",
        "package": "in need of another package",
        "version": "for an NKI before 0.3",
        "absent": "not found here, or a package is not",
    }
    return ", ".join(parts + [f"{counts[verdict]} {word}" for verdict, word in words.items() if counts[verdict]])


def _relaxed(sample: Sample) -> list[str]:
    """Options that a sample runs with and that are not the default, as ``races=False``."""
    defaults = simulator.Options()
    return [f"{option}={value}" for option, value in sample.options.items() if getattr(defaults, option) != value]


def _name(repository: str, sample: Sample, target: str) -> str:
    number = f"#{sample.occurrence + 1}" if sample.occurrence else ""
    case = f"-{sample.case}" if sample.case else ""
    cores = f"[{sample.lnc}]" if sample.lnc > 1 else ""
    return f"{repository}/{sample.file}:{sample.kernel}{cores}{number}{case}[{target}]"


def _check(directory: Path, sample: Sample, target: str, knobs: simulator.Knobs | None) -> tuple[Status, str, str]:
    """Status for the report, verdict for the counts, and reason."""
    checkout = locate(directory, sample.file)
    if checkout is None:
        return "skipped", "absent", f"no checkout below {directory.name} has {sample.file}"
    missing = [package for package in sample.needs if importlib.util.find_spec(package) is None]
    if missing:
        return "skipped", "absent", f"{' and '.join(missing)} not installed"
    explanation = sample.explained(target)
    try:
        text = _run(checkout, sample, target, knobs)
    except Exception as error:  # noqa: BLE001  # whatever somebody else's code raises is a finding
        text = f"{type(error).__name__}: {error}"
        if explanation is None or not explanation.explains(error):
            return "failed", "failed", text
        return "xfailed", explanation.kind, f"{explanation.kind}: {explanation.evidence}\n{text}"
    if explanation is None:
        return ("failed", "does not match", text) if text else ("passed", "matched", "")
    if explanation.error is None and text:
        return "xfailed", explanation.kind, f"{explanation.kind}: {explanation.evidence}\n{text}"
    return "failed", "failed", f"is said not to work, and {text or 'matches'}; {explanation.evidence}"


def _run(checkout: Path, sample: Sample, target: str, knobs: simulator.Knobs | None) -> str:
    """How the kernel's results differ from the reference's; empty if they do not."""
    arguments = sample.inputs(np.random.default_rng(0))
    with isolated(), simulator.as_nki(target=target, knobs=knobs or simulator.Knobs(), **sample.options):
        module = load(checkout, sample.file, sample.root, sample.prelude, sample.kernel, sample.occurrence, sample.docstring)
        function: Any = module
        for part in sample.kernel.split("."):
            function = getattr(function, part)
        kernel = simulator.simulate(function if sample.adapt is None else sample.adapt(function))
        if sample.lnc != 1:
            kernel = kernel[sample.lnc]
        given = copy.deepcopy(arguments)
        got = kernel(**given) if sample.call is None else sample.call(kernel, **given)
        return difference(got, _reference(checkout, sample, arguments), sample.tolerance)


def _reference(checkout: Path, sample: Sample, arguments: Arguments) -> Any:
    reference = sample.reference
    if not isinstance(reference, Theirs):
        return reference(**arguments)
    module = load(checkout, reference.file or sample.file, sample.root, sample.prelude, reference.name)
    function = getattr(module, reference.name)
    if reference.torch:
        arguments = {name: to_torch(value) for name, value in arguments.items()}
    return function(**arguments) if reference.call is None else reference.call(function, **arguments)
