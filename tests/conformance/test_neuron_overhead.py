"""The benchmark of what a Neuron device costs the host: it measures, changes nothing, and refuses other devices."""

from argparse import Namespace

import pytest

from trnarray.backends.device import CPU, Device
from trnarray.backends.engine import engine_for
from trnarray.conformance.report import Report
from trnarray.conformance.suite import SuiteError
from trnarray.conformance.suites import neuron_overhead


def test_measures_calls_and_launches():
    device = Device("sim:trn2")
    engine = engine_for(device)
    launcher, report = engine.launcher, Report("neuron-overhead", str(device))
    before = engine.planner.misses
    neuron_overhead.run(report, device, Namespace(runs=3))
    assert sum(report.counts.values()) == 2 * len(neuron_overhead.CHAINS) + len(neuron_overhead.GRAPHS)
    assert len(report.figures) == sum(report.counts.values()) + sum(len(sizes) for _, sizes in neuron_overhead.GRAPHS.values())
    assert all(microseconds > 0 for microseconds in report.figures.values())
    assert engine.launcher is launcher
    assert engine.planner.misses <= before + 1 + len(neuron_overhead.CHAINS)  # each chain is planned once, and its operands


def test_refuses_the_host():
    with pytest.raises(SuiteError, match="sim:trn2"):
        neuron_overhead.run(Report("neuron-overhead", "cpu"), CPU, Namespace(runs=1))
