"""What a suite is, and the table of suites."""

from __future__ import annotations

import importlib
from argparse import ArgumentParser, Namespace
from typing import Final, NamedTuple, Protocol, cast

from ..backends.device import Device
from .report import Report

__all__ = ["SUITES", "Entry", "Suite", "SuiteError", "load_suite"]


class SuiteError(Exception):
    """A suite cannot run here; the message says what is missing and how to get it."""


class Suite(Protocol):
    """A module that checks something."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the suite's own options."""

    def run(self, report: Report, device: Device, options: Namespace) -> None:
        """Run the suite."""


class Entry(NamedTuple):
    """
    A line of the table of suites.

    Attributes
    ----------
    module : str
        Where the suite is.
    summary : str
        What it checks.
    max_examples : int
        Examples per check, unless the command line says otherwise.
    """

    module: str
    summary: str
    max_examples: int


SUITES: Final[dict[str, Entry]] = {
    "hypothesis": Entry("trnarray.conformance.suites.hypothesis", "every function, dtype, shape and view against NumPy", 20),
    "coverage": Entry("trnarray.conformance.suites.coverage", "which functions and dtypes a Neuron device has kernels for, and why not", 4),
    "rules": Entry("trnarray.conformance.suites.rules", "shapes and dtypes by the rules of Ops against the host and a Neuron device", 4),
    "indexing": Entry("trnarray.conformance.suites.indexing", "random index expressions, read and written, against NumPy", 1000),
    "views": Entry("trnarray.conformance.suites.views", "random chains of views and writes against NumPy: what aliases what", 2000),
    "random": Entry("trnarray.conformance.suites.random", "counter-based random numbers against distributions and NumPy's draws", 100_000),
    "products": Entry("trnarray.conformance.suites.products", "matrix products of every precision against exact arithmetic", 153),
    "factors": Entry("trnarray.conformance.suites.factors", "factorizations, equations and eigenproblems of a gallery of matrices", 0),
    "fuzz": Entry("trnarray.conformance.suites.fuzz", "calls that make no sense, of every function, against NumPy's verdict", 2000),
    "mutants": Entry("trnarray.conformance.suites.mutants", "small faults in a copy of the tree, and whether the nearest tests notice", 0),
    "array-api-tests": Entry("trnarray.conformance.suites.array_api_tests", "the Array API standard's own test suite", 100),
    "overrides": Entry("trnarray.conformance.suites.overrides", "numpy.* functions and ufuncs on Arrays against NumPy on ndarrays", 0),
    "operands": Entry("trnarray.conformance.suites.operands", "lists, tuples and ranges beside Arrays in all of NumPy's functions", 0),
    "numpy": Entry("trnarray.conformance.suites.numpy", "NumPy's own tests with `np` swapped", 0),
    "scipy": Entry("trnarray.conformance.suites.scipy", "SciPy's own array-API tests on Arrays", 0),
    "scipy-modules": Entry("trnarray.conformance.suites.scipy_modules", "SciPy's own tests with its linalg, signal or sparse swapped", 0),
    "scipy-names": Entry("trnarray.conformance.suites.scipy_names", "every public name of SciPy under trnarray.scipy, and its stubs", 0),
    "sklearn": Entry("trnarray.conformance.suites.sklearn", "scikit-learn's own array-API tests on Arrays", 0),
    "consumers": Entry("trnarray.conformance.suites.consumers", "libraries that take any arrays: dask, xarray, einops and others", 0),
    "trnsci": Entry("trnarray.conformance.suites.trnsci", "kernels of trnfft and trnblas beside our calls: predicted times", 0),
    "chemistry": Entry("trnarray.conformance.suites.chemistry", "energies of molecules beside PySCF's", 0),
    "programs": Entry("trnarray.conformance.suites.programs", "ordinary programs with their imports swapped, against NumPy in float64", 0),
    "simulator": Entry("trnarray.conformance.suites.simulator", "every NKI instruction, dtype, target and knob against a reference", 5),
    "ulp": Entry("trnarray.conformance.suites.ulp", "errors of a device's functions in units in the last place, and cycles", 1_000_000),
    "ulp64": Entry("trnarray.conformance.suites.ulp64", "float64 on a device, bit for bit against the host, and its functions", 100_000),
    "function-work": Entry("trnarray.conformance.suites.function_work", "the table of instructions of functions against their traces", 0),
    "predictions": Entry(
        "trnarray.conformance.suites.predictions", "published times of kernels beside predicted ones, fitted to and held out", 0
    ),
    "neuron-predictions": Entry(
        "trnarray.conformance.suites.neuron_predictions", "a benchmark: chains of calls, fused and one by one, predicted", 0
    ),
    "cliffs": Entry("trnarray.conformance.suites.cliffs", "calls over shapes and layouts: predicted times beside bounds, and why", 0),
    "neuron-choices": Entry("trnarray.conformance.suites.neuron_choices", "variants that estimates choose, beside predictions of all", 0),
    "simulator-speed": Entry("trnarray.conformance.suites.simulator_speed", "a benchmark: what simulating a kernel costs on the host", 0),
    "neuron-overhead": Entry(
        "trnarray.conformance.suites.neuron_overhead", "a benchmark: what appending a call and launching a program cost the host", 0
    ),
    "overhead": Entry("trnarray.conformance.suites.overhead", "a benchmark: what an Array costs over an ndarray on the host", 0),
    "scipy-overhead": Entry("trnarray.conformance.suites.scipy_overhead", "a benchmark: what trnarray.scipy costs over SciPy", 0),
}


def load_suite(name: str) -> Suite:
    """Import a suite."""
    try:
        return cast(Suite, importlib.import_module(SUITES[name].module))
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("trnarray"):
            raise
        raise SuiteError(f"suite {name!r} needs the package {error.name!r}; install it with `pip install 'trnarray[test]'`") from error
