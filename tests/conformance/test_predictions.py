"""Published times beside predictions: the outcomes, on a tiny checkout of our own; the fit; and that test rows are held out."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.device import CPU, parse_device
from trnarray.backends.simulator import Abstract
from trnarray.backends.simulator.cost.figure import exact
from trnarray.backends.simulator.cost.hardware import HARDWARE
from trnarray.backends.simulator.cost.table import ROWS
from trnarray.conformance.predictions import products, run, streams
from trnarray.conformance.predictions.fit import fit, open_figures, replays_of
from trnarray.conformance.predictions.published import KNOWN, Launch, Published, is_test
from trnarray.conformance.predictions.replay import Replay
from trnarray.conformance.predictions.runner import ALL, TOLERANCE, compare
from trnarray.conformance.predictions.selective_scan import scan_with_operands_in_psum
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
    family="work",
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


def test_a_prediction_whose_interval_covers_passes(directory: Path) -> None:
    found = compare(_CASE, directory)
    assert _outcome(directory, replace(_CASE, seconds=found.high * 0.999)) == ("passed", "")
    assert _outcome(directory, replace(_CASE, seconds=found.seconds * (1 + TOLERANCE * 0.8))) == ("passed", "")
    status, reason = _outcome(directory, replace(_CASE, seconds=found.seconds * 4))
    assert status == "xfailed"
    assert "-75.0%: beyond its interval" in reason
    assert "a document" in reason
    assert "another kernel" in _outcome(directory, replace(_CASE, explanation="another kernel"))[1]


def test_families_are_held_out_as_a_whole() -> None:
    assert is_test("batched product")
    assert not is_test("rmsnorm product")
    assert not any(is_test(family) for family in KNOWN)
    counted = [row for row in ALL if row.counts]
    test = [row for row in counted if row.held_out]
    assert len(counted) >= 40
    assert len({row.family for row in counted}) >= 12
    assert len(test) >= 12
    assert len({row.family for row in test}) >= 5


def test_promises_are_about_test_rows(directory: Path) -> None:
    """A held-out family whose predictions are right keeps them; one that is off by ten fails them."""
    right = replace(_CASE, family="batched product", seconds=compare(_CASE, directory).seconds)
    for row, failed in ((right, 0), (replace(right, seconds=10 * right.seconds), 3), (replace(right, family="work 2", seconds=1.0), None)):
        report = Report("predictions", "cpu")
        run(directory, report, published=[row])
        if failed is not None:
            assert report.counts["failed"] == failed
            assert ("100%" in report.figures["test rows"]) == (not failed)


def test_the_order_of_variants_is_told(directory: Path) -> None:
    arguments = [{"a": Abstract((128, columns), "float32")} for columns in (512, 4096)]
    report = Report("predictions", "cpu")
    rows = [replace(_CASE, name=f"work {k}", arguments=argument, seconds=1e-5 * (k + 1)) for k, argument in enumerate(arguments)]
    run(directory, report, published=rows)
    assert report.figures["fit rows, order of variants"] == "work on trn2 1 of 1"


def test_what_repeats_is_predicted_by_a_part(directory: Path) -> None:
    one, many = compare(_CASE, directory), compare(replace(_CASE, repeats=3.0), directory)
    start = 1e-9 * HARDWARE["kernel_start"]["trn2"].value
    assert many.seconds - start == pytest.approx(3 * (one.seconds - start))


def test_the_fit_finds_what_made_the_times(directory: Path) -> None:
    """Times of another device: the loss falls, and figures stay within their limits, which this one's do."""
    truth = {one: one.figure.low for one in open_figures() if one.names[0] in ("dge", "kernel_start")}
    sizes = (512, 2048, 8192)
    cases = [replace(_CASE, name=f"work {n}", arguments={"a": Abstract((128, n), "float32")}) for n in sizes]
    other = {one.names[0]: one.figure._replace(value=value) for one, value in truth.items()}
    rows = [replace(case, seconds=Replay(case, directory).seconds(other)) for case in cases]
    values = fit(replays_of(rows, directory), log=False)
    for one, value in values.items():
        assert one.figure.low <= value <= one.figure.high
    tuned = {name: one.figure._replace(value=value) for one, value in values.items() if "trn2" in one.targets for name in one.names}
    for row in rows:
        assert Replay(row, directory).seconds(tuned) == pytest.approx(row.seconds, rel=0.1)
        assert Replay(row, directory).seconds({}) > 1.05 * row.seconds


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
    assert [name for name in report.figures if "work" in name and "rows" not in name] == ["fit: work two"]
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


def test_the_suite_skips_without_checkouts_and_takes_no_device(directory: Path) -> None:
    suite = load_suite("predictions")
    parser = ArgumentParser()
    suite.add_arguments(parser)
    report = Report("predictions", "cpu")
    suite.run(report, CPU, parser.parse_args(["--only", "matmul v2*"]))
    assert "--samples DIR" in report.notes[0].reason
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


def test_the_order_of_the_program_misses_the_published_scan(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason why queues take what is ready: the profile has the Vector Engine busy for 97.5 % of the time."""
    (row,) = [row for row in ALL if row.kernel is scan_with_operands_in_psum]
    ready = compare(row, directory)
    assert abs(ready.error) < 0.1
    assert ready.busy["vector"] == pytest.approx(row.busy["vector"], abs=0.02)
    monkeypatch.setitem(HARDWARE, "in_order", {"trn1": exact(1, "x", "the order of the program")})
    in_order = compare(row, directory)
    assert in_order.error > 0.15
    assert in_order.busy["vector"] < 0.9


def test_fitted_figures_name_families_that_are_not_held_out() -> None:
    """No test row is a source of a figure of the cost table."""
    figures = [figure for row in HARDWARE.values() for figure in row.values()]
    figures += [figure for row in ROWS for figure in (row.stream, row.extra)]
    fitted = {family for row in ALL if row.counts and not row.held_out for family in (row.family,)}
    held_out = {row.source.split(",")[0] for row in ALL if row.held_out} - {row.source.split(",")[0] for row in ALL if not row.held_out}
    for figure in figures:
        assert set(figure.rows) <= fitted
        assert not any(source in figure.source for source in held_out)
    assert {figure.status for figure in figures if figure.rows} == {"fitted"}
    assert len({row.name for row in ALL}) == len(ALL)


def test_our_kernels_compute_what_they_are_described_to() -> None:
    """In float32, with sums of few terms, or products of up to 256: 2e-3 would be bfloat16's, 2e-5 is that of two limbs."""
    rng = np.random.default_rng(5)

    def draw(*shape: int) -> np.ndarray:
        return rng.standard_normal(shape).astype(np.float32)

    def off(want: np.ndarray, kernel: simulator.Kernel, *arguments: np.ndarray | int | None, target: str = "trn2") -> float:
        """How far a kernel's result is off."""
        with simulator.options(target):
            return float(abs(np.asarray(kernel(*arguments), np.float64) - want).max())

    identity, wide = np.eye(128, dtype=np.float32), np.float64
    a, b = draw(2, 128, 1), draw(2, 128, 1)
    assert off(a + b, streams.add_rows, a, b) == 0
    a, b = draw(128, 8), draw(128, 8)
    assert off(a + b, streams.add_columns, a, b, 4) == 0
    assert off(a, streams.copy, a) == 0
    square = draw(256, 128)
    assert off(square.T, streams.transpose_tiles, square) == 0
    x = draw(128, 2, 8)
    for kernel in (streams.silu, streams.silu_unfused):
        assert off(x / (1 + np.exp(-x.astype(wide))), kernel, x) < 1e-5
    table, columns = draw(64, 16), draw(128, 16)
    cos, sin = table, draw(64, 16)
    turned = np.concatenate([columns[:64] * cos - columns[64:] * sin, columns[64:] * cos + columns[:64] * sin])
    swap = np.zeros((128, 128), np.float32)
    swap[np.arange(64) + 64, np.arange(64)], swap[np.arange(64), np.arange(64) + 64] = -1, 1
    assert off(turned, streams.rotate_packed, columns, cos, sin, swap, 8) < 1e-6
    assert off(turned, streams.rotate_packed, columns, cos, sin, swap, 8, True) < 1e-6
    halves = np.concatenate([columns[:64] * cos - columns[64:] * sin, columns[:64] * sin + columns[64:] * cos])
    assert off(halves, streams.rotate_halves, columns, cos, sin, 8) < 1e-6
    image, taps = draw(1, 128, 16), draw(128, 3)
    padded = np.pad(image[0].astype(wide), ((0, 0), (1, 1)))
    convolved = sum(padded[:, k : k + 16] * taps[:, k : k + 1] for k in range(3))
    assert off(convolved, streams.convolve, image, taps, 4, True, target="trn1") < 1e-5

    left, right = draw(128, 2, 128), draw(128, 2, 16)
    want = sum(left[:, k].astype(wide).T @ right[:, k] for k in range(2))
    for split in (False, True):
        assert off(want, products.transposed_product, left, right, 16, split) < 1e-3
    rows, deep = draw(2, 128, 256), draw(2, 128, 512)
    want = rows.astype(wide) @ deep.reshape(256, 512)
    assert off(want, products.blocked_product, rows, deep, identity) < 1e-3
    down, up = draw(2, 128, 32), draw(32, 512)
    want = want + (rows.astype(wide) @ down.reshape(256, 32)) @ up.astype(wide)
    for chunk, split in ((128, False), (512, True)):
        assert off(want, products.blocked_product, rows, deep, identity, down, up, chunk, split) < 2e-2
    rows, deep = draw(1, 256, 64), draw(1, 64, 512)
    want = rows.astype(wide) @ deep
    assert off(want, products.batched_product, rows, deep, identity, 2) < 1e-3
    power = np.exp(want - want.max(axis=-1, keepdims=True))
    assert off(power / power.sum(axis=-1, keepdims=True), products.batched_product, rows, deep, identity, 1, 1, True) < 1e-5
    x, w, more = draw(128, 256), draw(2, 128, 512), draw(128, 256)

    def normalized(values: np.ndarray) -> np.ndarray:
        values = values.astype(wide)
        return values / np.sqrt(np.mean(values**2, axis=1, keepdims=True))

    flat = w.reshape(256, 512)
    for split in (False, True):
        assert off(normalized(x) @ flat, products.product_of_normalized, x, w, identity, None, split) < 2e-3
        assert off(normalized(x + more) @ flat, products.product_of_normalized, x, w, identity, more, split) < 2e-3
        z, gains = draw(128, 512), draw(128, 512)
        want = normalized(x.astype(wide) @ flat + z) * gains
        assert off(want, products.product_normalized, x, w, z, gains, identity, split) < 2e-3
