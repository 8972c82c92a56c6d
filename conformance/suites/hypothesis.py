"""Suite ``hypothesis``: every function × dtype × shape, view and parameters against NumPy.

Each row of the table (`trnarray.conformance.function_table`) is one property; each drawn call is made once for every dtype. Where a
dtype fails, the smallest call that fails for it is looked for. Under ``--fallback error`` a call that the table `REFUSALS` leaves to the
host counts as an expected refusal, ``xfailed``, with its reason; any other fallback is an error.
"""

from __future__ import annotations

import traceback
import warnings
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import partial
from typing import Final, Literal, NamedTuple

import hypothesis
import numpy as np
from hypothesis import HealthCheck, Phase

from ...backends.device import Device
from ...backends.dtypes import DType
from ...backends.policy import FallbackError
from ...backends.settings import config, default_device, get_config
from ..function_table.check import check, describe
from ..function_table.comparison import Mismatch
from ..function_table.native import is_native, leads_of, with_default_integers
from ..function_table.refusals import expected
from ..function_table.row import Row
from ..function_table.rows import EXEMPT, ROWS, public_functions
from ..function_table.template import Call
from ..report import Report, Status
from ..suite import SuiteError

__all__ = ["add_arguments", "run", "run_row", "unnamed"]

_SHRINK_EXAMPLES: Final = 200


class _Problem(NamedTuple):
    status: Status
    text: str


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--only", metavar="PATTERN", action="append", help="functions to check, as 'linalg.*'; may be repeated")
    parser.add_argument(
        "--fallback",
        choices=("allow", "error"),
        default="allow",
        help="with 'error' calls may not run on the host, and are made in dtypes that a NeuronCore computes with only (default 'allow')",
    )
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="another seed gives other examples (default 0)")
    parser.add_argument(
        "--defaults", choices=("native", "numpy"), help="the setting that calls are made under: whose dtypes Neuron devices give"
    )


def run(report: Report, device: Device, options: Namespace) -> None:
    """Check every function of the namespace."""
    patterns = options.only or ["*"]
    names = [name for name in public_functions() if any(fnmatchcase(name, pattern) for pattern in patterns)]
    if not names:
        raise SuiteError(f"no function is named {' or '.join(patterns)}; name one as in --only 'linalg.*'")
    table: dict[str, list[Row]] = {}
    for row in ROWS:
        table.setdefault(row.name, []).append(row)
    computed, defaults = 0, options.defaults or get_config().defaults
    with config(defaults=defaults):
        for name in names:
            if name in EXEMPT:
                report.add(name, "skipped", EXEMPT[name])
            elif name not in table:
                report.add(name, "errors", "is not in the table; add a row, or list it in EXEMPT with a reason")
            for row in table.get(name, ()):
                computed += run_row(report, row, device, options.max_examples, options.seed, options.fallback)
    report.figures.update(functions=len(names), calls=computed, numpy=np.__version__, seed=options.seed)
    report.figures.update(fallback=options.fallback, defaults=defaults)


def run_row(
    report: Report, row: Row, device: Device, max_examples: int, seed: int = 0, fallback: Literal["allow", "error"] = "allow"
) -> int:
    """Check one function for all its dtypes."""
    if row.numpy_function() is None:
        report.add(row.name, "skipped", f"NumPy {np.__version__} has no function to compare with")
        return 0
    failing: dict[DType, _Problem] = {}
    refused: dict[DType, _Problem] = {}
    dtypes = row.dtypes if fallback == "allow" else leads_of(row)
    made = 0
    settings = hypothesis.settings(
        max_examples=max_examples, phases=[Phase.generate], deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )

    @hypothesis.seed(seed)
    @settings
    @hypothesis.given(row.calls)
    def sweep(call: Call) -> None:
        nonlocal made
        if fallback != "allow":
            call = with_default_integers(call)
        for lead in dtypes:
            if lead not in failing and (fallback == "allow" or is_native(call, lead)):
                made += 1
                problem = _problem(row, call, lead, device)
                if problem is not None:
                    (refused if problem.status == "xfailed" else failing)[lead] = problem

    with warnings.catch_warnings(), np.errstate(all="ignore"), config(fallback=fallback), default_device(device):
        warnings.simplefilter("ignore")
        sweep()
        failing = _smallest(row, failing, device)
    for lead in dtypes:
        report.add(f"{row.name}[{lead.name}]", *failing.get(lead, refused.get(lead, ("passed", ""))))
    return made


def _problem(row: Row, call: Call, lead: DType, device: Device) -> _Problem | None:
    try:
        check(row, call, lead, device)
    except Mismatch as mismatch:
        return _Problem("failed", f"{mismatch}\n{describe(row, call, lead)}")
    except FallbackError as error:
        reason = expected(row.name, lead, error)
        return _Problem("xfailed", reason) if reason else _Problem("errors", f"{error}\n{describe(row, call, lead)}")
    except Exception as error:  # noqa: BLE001  # whatever else comes is reported, and the other functions are still checked
        where = traceback.extract_tb(error.__traceback__)[-1]
        text = f"{type(error).__name__}: {error} ({where.filename.rpartition('/')[2]}:{where.lineno})"
        return _Problem("errors", f"{text}\n{describe(row, call, lead)}")
    return None


def _fails(row: Row, lead: DType, device: Device, call: Call) -> bool:
    problem = _problem(row, call, lead, device)
    return problem is not None and problem.status != "xfailed"


def _smallest(row: Row, failing: dict[DType, _Problem], device: Device) -> dict[DType, _Problem]:
    """Look for the smallest failing call of each dtype; where there is none among so many examples, keep the one that was found."""
    settings = hypothesis.settings(
        max_examples=_SHRINK_EXAMPLES, phases=[Phase.generate, Phase.shrink], deadline=None, database=None,
        suppress_health_check=list(HealthCheck), derandomize=True,
    )  # fmt: skip
    small: list[Call] = []
    result = {}
    for lead, found in failing.items():
        problem = next((_problem(row, call, lead, device) for call in small if _fails(row, lead, device, call)), None)
        if problem is None:  # no call that is small for another dtype fails for this one
            try:
                call = hypothesis.find(row.calls, partial(_fails, row, lead, device), settings=settings)
            except (hypothesis.errors.NoSuchExample, hypothesis.errors.Flaky):
                problem = found
            else:
                small.append(call)
                problem = _problem(row, call, lead, device)
        result[lead] = problem or found
    return result


def unnamed(names: Iterable[str]) -> list[str]:
    """List the names that the table does not have."""
    known = {row.name for row in ROWS} | set(EXEMPT)
    return [name for name in names if name not in known]
