"""The benchmark of the simulator: its figures are there, and what is over its limit fails."""

from argparse import ArgumentParser

import pytest

from trnarray.backends.device import CPU, parse_device
from trnarray.conformance.report import Report
from trnarray.conformance.suite import SuiteError, load_suite

SUITE = load_suite("simulator-speed")


def options(*arguments):
    parser = ArgumentParser()
    SUITE.add_arguments(parser)
    return parser.parse_args(arguments)


def test_figures_and_limits(monkeypatch):
    monkeypatch.setattr(SUITE, "_SIZE", 512)
    monkeypatch.setattr(SUITE, "_REPEATS", 10)
    monkeypatch.setattr(SUITE, "_STRAIGHT", 100)
    monkeypatch.setattr(SUITE, "_SIDE", 256)
    monkeypatch.setattr(SUITE, "_OVERHEAD_LIMIT", 0.0)
    report = Report("simulator-speed", "cpu")
    SUITE.run(report, CPU, options("--runs", "1", "--target", "trn3"))
    assert str(report.figures["simulated as"]).startswith("trn3")
    assert {f"{name} of (128, 8), µs" for name in SUITE.INSTRUCTIONS} <= set(report.figures)
    assert report.figures["times that the body of a loop of 1000 turns is traced"] == 1
    assert "100 instructions predicted, columns of one tile, s" in report.figures
    assert "256^3 bfloat16 product explained, s" in report.figures
    assert "an executed instruction, median of kinds" in [note.name for note in report.notes if note.status == "failed"]


def test_other_devices_are_declined():
    with pytest.raises(SuiteError, match="measures the host"):
        SUITE.run(Report("simulator-speed", "sim:trn2"), parse_device("sim:trn2"), options())
