"""The suite ulp64: what it counts, and that it finds a wrong bit."""

from argparse import Namespace

import numpy as np
import pytest

from trnarray.backends.device import CPU, Device
from trnarray.conformance.report import Report
from trnarray.conformance.suite import SuiteError
from trnarray.conformance.suites import ulp64

DEVICE = Device("sim:trn2")


def run(*functions, device=DEVICE, examples=300):
    report = Report("ulp64", str(device))
    ulp64.run(report, device, Namespace(function=list(functions), max_examples=examples, seed=0))
    return report


def test_operations_casts_and_functions_pass():
    report = run("add", "cast to float32", "log")
    assert (report.counts["passed"], report.counts["failed"]) == (3, 0)
    assert report.figures["add"]["pairs"] == 300


def test_a_wrong_bit_is_found(monkeypatch):
    monkeypatch.setattr(ulp64, "_fetched", lambda x: np.nextafter(np.asarray(x.to_device("cpu")), 9.0))
    report = run("multiply", "exp")
    assert report.counts["failed"] == 2
    assert "and NumPy" in report.notes[0].reason


def test_what_cannot_be_run_is_refused():
    with pytest.raises(SuiteError, match="Neuron device"):
        run("add", device=CPU)
    with pytest.raises(SuiteError, match="no function is named"):
        run("nothing")
