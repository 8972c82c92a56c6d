"""Suite ``scipy-modules``: SciPy's own tests of a module with ours in its place, as trnarray.scipy.linalg for scipy.linalg.

The functions are called with Arrays for the tests' ndarrays, and what they return is compared as ndarrays. The share of a module is
what passes of all its tests that SciPy itself does not skip; another one leaves out the tests of dtypes that Arrays cannot have. Tests of
linalg and sparse are written for NumPy's default dtypes, so devices have these.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

import scipy

from ...backends.device import Device
from ..pytest_process import add_options, installed_tests, outcomes, run_pytest
from ..report import Report
from ..scipy_tests.installed import scipy_with_tests
from ..scipy_tests.modules import PAIRS
from ..scipy_tests.other_dtypes import OTHER_DTYPES
from ..suite import SuiteError

__all__ = ["FILES", "add_arguments", "run"]

FILES: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "linalg": {
        "linalg/tests": (
            *("basic", "batch", "decomp", "decomp_cholesky", "decomp_cossin", "decomp_ldl", "decomp_lu", "decomp_polar"),
            *("decomp_update", "matfuncs", "matmul_toeplitz", "procrustes", "sketches", "solve_toeplitz", "solvers"),
            "special_matrices",
        )
    },
    "sparse": {
        "sparse/tests": (
            *("arithmetic1d", "base", "common1d", "construct", "coo", "csc", "csr", "extract", "indexing1d", "matrix_io"),
            "minmax1d",
        ),
        "sparse/linalg/tests": ("expm_multiply", "funm_multiply_krylov", "interface", "matfuncs", "norm", "onenormest"),
        "sparse/linalg/_isolve/tests": ("gcrotmk", "iterative", "lgmres", "lsmr", "lsqr", "minres"),
        "sparse/linalg/_eigen/tests": ("svds",),
        "sparse/linalg/_eigen/lobpcg/tests": ("lobpcg",),
        "sparse/linalg/_eigen/arpack/tests": ("arpack",),
        "sparse/linalg/_dsolve/tests": ("linsolve",),
    },
    **{module: {f"{module}/tests": ()} for module in ("integrate", "interpolate", "ndimage", "optimize", "signal", "stats")},
    "spatial": {"spatial/tests": (), "spatial/transform/tests": ()},
    "cluster": {"cluster/tests": (), "cluster/hierarchy/tests": (), "cluster/vq/tests": ()},  # the first of SciPy < 1.18
}
"""By subpackage and folder, the files of tests of what we have, without ``test_`` and ``.py``, or all; older SciPy may lack some."""

PRIVATE: Final = frozenset({
    *("_linprog_clean_inputs", "_numdiff", "_remove_redundancy", "cython_abi", "cython_optimize", "differentiable_functions"),
    *("extending", "lbfgsb_setulb", "linesearch", "lsq_common"),
    *("continued_fraction", "device_dtype", "tukeylambda_stats"),
})
"""Files of tests of private modules of SciPy's, and of its interfaces for C and Cython."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--module", metavar="M", action="append", choices=PAIRS, help="a subpackage, as 'linalg'; may be repeated")
    parser.add_argument("--only", metavar="PATTERN", default="*", help="the files to run, as 'test_lobpcg.py'")
    parser.add_argument("--fallback", choices=("allow", "error"), default="allow", help="the setting that the tests run under")
    parser.add_argument("--one-case-in", metavar="N", type=int, default=1, help="run one test in N (default: all)")
    parser.add_argument("--defaults", choices=("native", "numpy"), help="default dtypes of devices (default: numpy)")
    add_options(parser)


def run(report: Report, device: Device, options: Namespace) -> None:
    """Run SciPy's tests on our modules."""
    root = scipy_with_tests()
    for module in options.module or FILES:
        counts: Counter[str] = Counter()
        paths = [path for folder, names in FILES[module].items() for path in sorted((root / folder).glob("test_*.py")) if _has(path, names)]
        files = [path for path in paths if fnmatchcase(path.name, options.only)]
        if not files:
            raise SuiteError(f"no file is named {options.only}; name one of: {', '.join(path.name for path in paths)}")
        arguments = installed_tests(files, root.parent, "trnarray.conformance.scipy_tests.swapped_plugin")
        arguments += [f"--swapped={module}", f"--one-case-in={options.one_case_in}", f"--fallback={options.fallback}"]
        arguments += [f"--defaults={options.defaults}"] if options.defaults else []
        others = 0
        for outcome in outcomes(run_pytest(f"on scipy.{module}", arguments, device, jobs=options.jobs, select=options.select)):
            report.add(*outcome)
            counts[outcome.status] += 1
            others += outcome.reason == OTHER_DTYPES
        ran = counts.total() - counts["skipped"]
        report.figures[module] = {
            **counts,
            "share": _share(counts["passed"], ran),
            "share with dtypes that Arrays have": _share(counts["passed"], ran - others),
        }
    report.figures["scipy_version"] = scipy.__version__


def _has(path: Path, names: tuple[str, ...]) -> bool:
    stem = path.stem.removeprefix("test_")
    return stem in names if names else stem not in PRIVATE


def _share(passed: int, ran: int) -> float:
    return round(passed / ran, 3) if ran else 0.0
