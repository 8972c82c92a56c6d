"""Published times beside predictions: the outcomes, on a tiny checkout of our own; the table is held out from the cost table."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.device import CPU, parse_device
from trnarray.backends.simulator import Abstract
from trnarray.backends.simulator.cost.hardware import HARDWARE
from trnarray.backends.simulator.cost.table import ROWS
from trnarray.conformance.predictions import run
from trnarray.conformance.predictions.published import Launch, Published
from trnarray.conformance.predictions.runner import TOLERANCE, compare
from trnarray.conformance.predictions.selective_scan import scan_with_operands_in_psum
from trnarray.conformance.predictions.table import PUBLISHED
from trnarray.conformance.report import Report
from trnarray.conformance.suite import SuiteError, load_suite

_KERNEL = """
import nki
import nki.isa as nisa
import nki.language as nl

TIMES = 1


@nki.jit
def work(a, columns=1):
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray((128, a.shape[1] * columns), dtype=a.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile[:, 0:a.shape[1]], src=a)
    for _ in range(TIMES):
        nisa.tensor_scalar(dst=tile[:, 0:a.shape[1]], data=tile[:, 0:a.shape[1]], op0=nl.multiply, operand0=2.0)
    nisa.dma_copy(dst=out, src=tile[:, 0:a.shape[1]])
    return out
"""
_CASE = Published(
    name="work",
    source="a document",
    target="trn2",
    seconds=1.0,
    file="kernels/work.py",
    kernel="work",
    arguments={"a": Abstract((128, 512), "float32")},
    busy={"vector": 0.5},
)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    (tmp_path / "checkout" / "kernels").mkdir(parents=True)
    (tmp_path / "checkout" / "kernels" / "work.py").write_text(_KERNEL)
    return tmp_path


def _outcome(directory: Path, case: Published) -> tuple[str, str]:
    """The status that a case gets, and its reason."""
    report = Report("predictions", "cpu")
    run(directory, report, published=[case])
    (status,) = (status for status, count in report.counts.items() if count)
    return status, report.notes[0].reason if report.notes else ""


def test_a_prediction_within_the_tolerance_passes(directory: Path) -> None:
    seconds = compare(_CASE, directory).seconds
    assert _outcome(directory, replace(_CASE, seconds=seconds * (1 + TOLERANCE * 0.8))) == ("passed", "")
    status, reason = _outcome(directory, replace(_CASE, seconds=seconds * 2))
    assert status == "failed"
    assert "-50.0% is beyond 20%" in reason
    assert "a document" in reason


def test_a_miss_with_an_explanation_is_expected(directory: Path) -> None:
    status, reason = _outcome(directory, replace(_CASE, explanation="the measured kernel is another one"))
    assert status == "xfailed"
    assert "the measured kernel is another one" in reason


def test_a_kernel_that_does_not_fit_is_expected_only_where_declared(directory: Path) -> None:
    large = replace(_CASE, arguments={"a": Abstract((128, 512), "float32"), "columns": 512})
    assert _outcome(directory, large)[0] == "failed"
    declared = replace(large, explanation="AWS's compiler spills", refused="does not fit into sbuf")
    assert _outcome(directory, declared) == ("xfailed", "AWS's compiler spills")
    assert _outcome(directory, replace(_CASE, explanation="AWS's compiler spills", refused="does not fit into sbuf"))[0] == "failed"


def test_a_missing_checkout_is_skipped(directory: Path) -> None:
    status, reason = _outcome(directory, replace(_CASE, file="kernels/other.py"))
    assert status == "skipped"
    assert "kernels/other.py" in reason


def test_launches_add_up_and_are_traced_with_their_settings(directory: Path) -> None:
    one = compare(_CASE, directory)
    many = compare(replace(_CASE, launches=(Launch(1, {"TIMES": 20}),)), directory)
    both = compare(replace(_CASE, launches=(Launch(3), Launch(1, {"TIMES": 20}))), directory)
    assert many.seconds > one.seconds
    assert both.seconds == pytest.approx(3 * one.seconds + many.seconds, rel=1e-12)  # a sum of four floats
    assert one.busy["vector"] < both.busy["vector"] < many.busy["vector"]
    assert both.low <= both.seconds <= both.high


def test_only_what_is_named_runs(directory: Path) -> None:
    report = Report("predictions", "cpu")
    run(directory, report, ["*two"], [_CASE, replace(_CASE, name="work two")])
    assert [name for name in report.figures if name.startswith("work")] == ["work two"]
    with pytest.raises(SuiteError, match="no published time is named"):
        run(directory, report, ["nothing"], [_CASE])
    with pytest.raises(SuiteError, match="is not a folder"):
        run(directory / "absent", report)


def test_figures_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="not a positive number of seconds"):
        replace(_CASE, seconds=0.0)
    with pytest.raises(ValueError, match="or a kernel of ours"):
        replace(_CASE, file="")
    with pytest.raises(ValueError, match="say why"):
        replace(_CASE, refused="does not fit")


def test_the_suite_needs_checkouts_and_no_device(directory: Path) -> None:
    suite = load_suite("predictions")
    parser = ArgumentParser()
    suite.add_arguments(parser)
    report = Report("predictions", "cpu")
    with pytest.raises(SuiteError, match="--samples DIR"):
        suite.run(report, CPU, parser.parse_args([]))
    with pytest.raises(SuiteError, match="leave --device"):
        suite.run(report, parse_device("sim:trn2"), parser.parse_args(["--samples", str(directory)]))


def test_our_kernel_scans() -> None:
    """Against the recurrence in float64: two roundings per step, which the decay keeps from growing, and 16 terms."""
    rng = np.random.default_rng(0)
    delta, u = rng.uniform(0.1, 1, (2, 1, 128, 64)).astype(np.float32)
    a = -rng.uniform(0.5, 2, (128, 4)).astype(np.float32)
    b, c = rng.standard_normal((2, 1, 4, 64)).astype(np.float32)
    state, want = np.zeros((128, 4)), np.zeros((128, 64))
    for t in range(64):
        state = np.exp(delta[0, :, t, None].astype(float) * a) * state + (delta * u)[0, :, t, None] * b[0, :, t].astype(float)
        want[:, t] = state @ c[0, :, t]
    with simulator.options("trn1"):
        got = scan_with_operands_in_psum(delta, u, a, b, c)
    assert abs(got[0] - want).max() <= 64 * 2.0**-24 * abs(want).max()


def test_published_times_are_held_out() -> None:
    """The documents they come from are sources of no figure of the cost table."""
    sources = [figure.source for row in HARDWARE.values() for figure in row.values()]
    sources += [figure.source for row in ROWS for figure in (row.stream, row.extra)]
    for words in ("Mamba", "Kernel Optimization", "RMSNorm-Quant", "results.md"):
        assert any(words in item.source for item in PUBLISHED)
        assert not [source for source in sources if words.lower() in source.lower()]
    assert len({item.name for item in PUBLISHED}) == len(PUBLISHED)
