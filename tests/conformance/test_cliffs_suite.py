"""Calls over shapes and layouts keep near their bound, or mechanisms allow more: predicted, not measured."""

from argparse import Namespace

import pytest

from trnarray.backends.device import parse_device
from trnarray.conformance.cliffs import mechanisms
from trnarray.conformance.cliffs.calls import CALLS, LAYOUTS
from trnarray.conformance.report import Report
from trnarray.conformance.suite import load_suite

SUITE = load_suite("cliffs")


def ran(device="sim:trn2", only="*", layout="*"):
    report = Report("cliffs", device)
    SUITE.run(report, parse_device(device), Namespace(only=only, layout=layout))
    return report


@pytest.mark.parametrize("device", ["sim:trn1", "sim:trn2", "sim:trn3"])
def test_calls_near_their_bound(device):
    report = ran(device, "add")
    assert report.ok
    assert report.counts["passed"] == len(LAYOUTS)
    assert all("predicted" in report.figures[f"add, {layout}"] for layout in LAYOUTS)


def test_what_takes_longer_than_is_allowed_fails(monkeypatch):
    """The formula of a mechanism is asked: without it a sort is a cliff."""
    assert ran(only="sort, axis -1", layout="tiny").ok
    monkeypatch.setattr(mechanisms, "_OF", {"sort": ("sort network", lambda *_: 0.0)})
    monkeypatch.setattr(SUITE, "_LATENCY", 0.0)
    monkeypatch.setattr(SUITE, "_FACTOR", 1.0)
    report = ran(only="sort, axis -1", layout="vector")
    assert report.counts["failed"] == 1
    assert "sort network" in report.notes[0].reason


def test_calls_that_the_device_does_not_take_are_skipped():
    report = ran(only="x.T @ x", layout="one")
    assert report.counts["skipped"] == 1


def test_few_mechanisms_for_many_calls():
    assert len(mechanisms.MECHANISMS) + 2 <= 12
    assert len(CALLS) > 150


def test_formulas_are_tight():
    """Sums fail from 2.5 times of what they take on, and strided loads long before each element has a descriptor of its own."""
    device = parse_device("sim:trn2")
    for name, layout in (("sum, axis 0", "square"), ("sum, axis -1", "flat")):
        found = SUITE.measure(name, LAYOUTS[layout], device)
        assert found.allowed < 2.5 * found.seconds
    found = SUITE.measure("add", LAYOUTS["strided"], device)
    assert found.allowed < 5 * found.bound
