"""The benchmarks of what an Array costs over an ndarray: every public function is measured, and nothing is changed."""

from argparse import Namespace
from importlib import import_module
from time import sleep

import numpy as np
import pytest

from trnarray.backends.device import CPU, Device
from trnarray.conformance.report import Report
from trnarray.conformance.scipy_calls import plain
from trnarray.conformance.suite import SuiteError
from trnarray.conformance.suites import overhead, scipy_overhead
from trnarray.conformance.timing import Excess, excess


def test_an_excess_is_a_difference_in_turns():
    found = excess(lambda: sleep(0.001), lambda: sleep(0.003), 3, seconds=0.02)
    assert found.base >= 0.001
    assert 0.001 < found.excess < 0.1
    assert found.error >= 0
    assert 0 < found.reference < 0.1


LEFT_OUT = {
    "sparse": {"linalg", "sparray", "SparseWarning", "SparseEfficiencyWarning", "load_npz", "save_npz"},
    "sparse.linalg": {
        *("ArpackError", "ArpackNoConvergence", "LaplacianNd", "LinearOperator", "MatrixRankWarning", "SuperLU"),
        *("funm_multiply_krylov", "use_solver"),
    },
}


@pytest.mark.parametrize("module", plain.MODULES)
def test_every_function_has_a_call(module):
    ours, theirs = import_module(f"trnarray.scipy.{module}"), import_module(f"scipy.{module}")
    called = {call.ours for call in plain.plain_calls(module)}
    measured = {name for name in ours.__all__ if not module.startswith("sparse") or name not in LEFT_OUT[module]}
    if not module.startswith("sparse"):
        measured = {name for name in measured if not isinstance(getattr(ours, name), type)}
    assert {name for name in measured if hasattr(theirs, name)} == {name for name in measured if getattr(ours, name) in called}


@pytest.mark.filterwarnings("ignore::scipy.sparse.SparseEfficiencyWarning")
def test_operations_of_sparse_arrays_are_made_on_both():
    for call in plain.plain_calls("sparse"):
        expected, got = call.theirs(*call.operands, **call.options), call.ours(*call.arrays, **call.named)
        np.testing.assert_array_equal(as_dense(got), as_dense(expected), err_msg=call.name)


def as_dense(value):
    return np.asarray(value.toarray() if hasattr(value, "toarray") else value)


OPTIONS = Namespace(module=["signal"], only=None, runs=1, seconds=0.1)


@pytest.mark.parametrize(("over", "error", "passed"), [(10.0, 0.0, 1), (10.5, 0.3, 1), (10.6, 0.2, 0), (-9.0, 1.0, 1)])
def test_excesses_are_held_against_the_limit(monkeypatch, over, error, passed):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setattr(scipy_overhead, "excess", lambda *_: Excess(10e-6, over * 1e-6, error * 1e-6, 20e-6))
    report = Report("scipy-overhead", "cpu")
    scipy_overhead.run(report, CPU, OPTIONS)
    count = len([*plain.plain_calls("signal")])
    assert (report.counts["passed"], report.counts["failed"]) == ((count, 0) if passed else (0, count))
    assert report.figures["signal.convolve"] == {"scipy": 10.0, "over": over, "error": error, "slowness": 1.0}


def test_what_was_measured_on_a_slow_machine_counts_at_its_full_speed(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    measured = iter([Excess(10e-6, 3e-6, 0.0, 20e-6), *[Excess(20e-6, 8e-6, 0.0, 40e-6)] * 999])
    monkeypatch.setattr(scipy_overhead, "excess", lambda *_: next(measured))
    report = Report("scipy-overhead", "cpu")
    scipy_overhead.run(report, CPU, OPTIONS)
    assert report.counts["failed"] == 0
    assert {(f["over"], f["slowness"]) for name, f in report.figures.items() if "." in name} == {(3.0, 1.0), (4.0, 2.0)}


def test_the_measurement_counts_at_which_the_machine_was_fastest(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    speeds = {name: iter((20e-6, 10e-6, 20e-6)) for name in (call.name for call in plain.plain_calls("signal"))}
    monkeypatch.setattr(scipy_overhead, "_measure", lambda call, _: Excess(1e-5, 19e-6, 0.0, next(speeds[call.name])))
    report = Report("scipy-overhead", "cpu")
    scipy_overhead.run(report, CPU, OPTIONS)
    assert report.counts["passed"] == 0
    assert all(not any(rest) for rest in speeds.values())  # all three were made
    assert {f["over"] for name, f in report.figures.items() if "." in name} == {19.0}  # the second: it was the fastest


def test_few_calls_are_measured_if_few_are_asked_for(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setattr(scipy_overhead, "excess", lambda *_: Excess(10e-6, 3e-6, 0.0, 20e-6))
    report = Report("scipy-overhead", "cpu")
    scipy_overhead.run(report, CPU, Namespace(module=["signal"], only=["*.convolve", "signal.hilbert"], runs=1, seconds=0.1))
    assert {name for name in report.figures if "." in name} == {"signal.convolve", "signal.hilbert"}
    with pytest.raises(SuiteError, match="--only"):
        scipy_overhead.run(report, CPU, Namespace(module=["signal"], only=["convolve"], runs=1, seconds=0.1))


def test_what_cannot_be_measured_is_refused(monkeypatch):
    with pytest.raises(SuiteError, match="leave --device out"):
        overhead.run(Report("overhead", "sim:trn2"), Device("sim:trn2"), Namespace(runs=1))
    with pytest.raises(SuiteError, match="leave --device out"):
        scipy_overhead.run(Report("scipy-overhead", "sim:trn2"), Device("sim:trn2"), Namespace(module=None, only=None, runs=1, seconds=0.1))
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    with pytest.raises(SuiteError, match="OMP_NUM_THREADS=1"):
        scipy_overhead.run(Report("scipy-overhead", "cpu"), CPU, Namespace(module=None, only=None, runs=1, seconds=0.1))
