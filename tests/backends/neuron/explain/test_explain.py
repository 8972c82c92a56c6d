"""Explanations: they say what runs, compute nothing, and their figures are the cost model's."""

import json
import math
import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends import simulator
from trnarray.backends.device import Device
from trnarray.backends.engine import engine_for
from trnarray.backends.neuron.explain.report import ExplainedProgram, ExplainedRound
from trnarray.backends.neuron.launch.launcher import LaunchError
from trnarray.backends.neuron.launch.simulated import trace
from trnarray.backends.neuron.program import program

TIME = re.compile(r"\d (?:[nmu]?s)\b")


@pytest.fixture(params=["sim:trn1", "sim:trn2", "sim:trn3"])
def device(request):
    return Device(request.param)


def samples(*shape):
    return np.random.default_rng(7).standard_normal(shape).astype(np.float32)


def normalised(x, w):
    """Two stages at least: a product, and rows that follow it."""
    h = x @ w
    return (h - xp.max(h, axis=1, keepdims=True)) * 0.5


def with_host_call(device):
    """A program, a call on the host (which is asked for of float64), and a program after it."""
    wide = xp.asarray(samples(256).astype(np.float64), device=device)
    x = xp.asarray(samples(256), device=device)
    turned = xp.flip(wide).copy()
    with xp.config(fallback="allow", float64="host"):
        mask = turned > 0.25
    return xp.where(mask, x * 2, x), np.where(np.flip(samples(256).astype(np.float64)) > 0.25, samples(256) * 2, samples(256))


def test_figures_are_those_of_the_cost_model(device):
    x, w = (xp.asarray(samples(256, 256), device=device) for _ in range(2))
    y = normalised(x, w)
    (step,) = xp.explain(y).steps
    given = [simulator.Abstract((t.size,), t.dtype) for t in step.plan.brought]
    table = simulator.Abstract((step.plan.scalars,), "uint32") if step.plan.scalars else None
    with simulator.options(device.target):
        expected = program.predict(step.plan, table, *given)
    explanation = xp.explain(y)
    assert (explanation.seconds, explanation.low, explanation.high) == (expected.seconds, expected.low, expected.high)
    assert 0 < explanation.low <= explanation.seconds <= explanation.high < math.inf
    found = step.prediction
    assert (found.hbm_read, found.hbm_written, found.busy) == (expected.hbm_read, expected.hbm_written, expected.busy)
    assert expected.target.name in device


def test_stages_move_what_the_program_moves(device):
    x, w = (xp.asarray(samples(256, 256), device=device) for _ in range(2))
    y = normalised(x, w)
    (step,) = xp.explain(y).steps
    assert len(step.stages) == len(step.plan.stages) > 1
    moved = [sum(getattr(stage.prediction, name) for stage in step.stages) for name in ("hbm_read", "hbm_written")]
    # The table of scalars goes to 128 partitions once for a program, and so once more for each further stage that is taken alone.
    again = 128 * 4 * step.plan.scalars * (len(step.stages) - 1)
    assert step.prediction.hbm_read <= moved[0] <= step.prediction.hbm_read + again
    assert moved[1] == step.prediction.hbm_written
    assert step.stages[0].computes == "matmul"
    assert "256 × 256" in step.stages[0].over
    assert {"maximum", "subtract", "multiply"} <= set(re.findall(r"[a-z]+", " ".join(stage.computes for stage in step.stages)))
    assert step.hbm_bytes("input") == 2 * x.nbytes
    assert step.hbm_bytes("output") >= x.nbytes


def test_functions_before_and_after_a_product_are_named(device):
    x, w = (xp.asarray(samples(256, 256), device=device) for _ in range(2))
    y = xp.abs(x) @ w - 1
    (step,) = xp.explain(y).steps
    names = [stage.computes for stage in step.stages]
    assert names == ["absolute on operand 1, matmul, then subtract"]
    assert step.stages[0].over == "256 × 256 by 256 × 256, float32"


def test_nothing_runs_and_what_runs_later_is_what_was_explained(device, monkeypatch):
    engine = engine_for(device)
    x, w = (xp.asarray(samples(128, 128), device=device) for _ in range(2))
    y = normalised(x, w)
    kept = x + 1  # waits as well, and runs with it

    def refuse(*_):
        raise AssertionError("a program ran")

    ran = []
    run = engine.launcher.run
    with monkeypatch.context() as patch:
        for name in ("run", "to_host", "to_device"):
            patch.setattr(engine.launcher, name, refuse)
        first, second = xp.explain(y), xp.explain(y)
    assert str(first) == str(second)
    assert first._repr_html_() == second._repr_html_()
    assert len(engine.graph.pending()) == 2
    for step in first.steps:  # nor is anything traced again
        assert trace(step.plan, simulator.find_target(device.target)) is step.traced
    monkeypatch.setattr(engine.launcher, "run", lambda plan, *more: ran.append(plan) or run(plan, *more))
    result = np.asarray(y.to_device("cpu"))
    assert ran == [step.plan for step in first.steps]
    monkeypatch.undo()
    again = normalised(*(xp.asarray(samples(128, 128), device=device) for _ in range(2)))
    np.testing.assert_array_equal(result, np.asarray(again.to_device("cpu")))
    np.testing.assert_array_equal(np.asarray(kept.to_device("cpu")), samples(128, 128) + 1)
    assert xp.explain(y).steps == ()
    assert str(xp.explain(y)) == "nothing waits: the value is computed"


def test_calls_on_the_host_are_shown_with_their_reasons(device):
    y, expected = with_host_call(device)
    explanation = xp.explain(y)
    kinds = [type(step) for step in explanation.steps]
    assert kinds == [ExplainedProgram, ExplainedRound, ExplainedProgram]
    first, together, last = explanation.steps
    (call,) = together.calls
    assert (call.op, call.dtypes) == ("greater", "float64")
    assert "float64" in call.reason
    assert call.caller.rpartition(":")[0].endswith("test_explain.py")
    assert (call.taken, call.given) == (together.fetched, together.brought) == (256 * 8, 256)
    text = str(explanation)
    assert "2 programs, 1 call on the host" in text
    assert "of calls on the host no time is predicted" in text
    for part in (f"2. on the host: greater of float64, called at {call.caller}", f"reason: {call.reason}", "2.05 kB to the host"):
        assert part in text
    assert explanation.seconds == first.prediction.seconds + last.prediction.seconds
    np.testing.assert_array_equal(np.asarray(y.to_device("cpu")), expected)


def test_every_line_with_a_time_says_that_it_is_predicted(device):
    for y in (with_host_call(device)[0], normalised(*(xp.asarray(samples(256, 256), device=device) for _ in range(2)))):
        explanation = xp.explain(y)
        lines = [line for line in str(explanation).splitlines() if TIME.search(line)]
        assert len(lines) >= 3
        assert all("predicted" in line for line in lines)
        assert max(map(len, str(explanation).splitlines())) < 200


def test_html_is_well_formed_and_says_the_same(device):
    explanation = xp.explain(with_host_call(device)[0])
    first, call, last = explanation.steps
    first = replace(first, stages=tuple(replace(stage, computes="<b> & c") for stage in first.stages))
    explanation = replace(explanation, steps=(first, replace(call, calls=(replace(call.calls[0], reason="a < b & c"),)), last))
    root = ET.fromstring(explanation._repr_html_())
    assert root.tag == "div"
    text = "".join(root.itertext())
    assert "reason: a < b & c" in text
    tables = root.findall(".//table")
    assert len(tables) == 2
    for table, step in zip(tables, explanation.steps[::2], strict=True):
        assert len(table.findall("./tbody/tr")) == len(step.stages)
        assert len(table.findall("./thead/tr/th")) == len(table.findall("./tbody/tr[1]/td"))
    for line in str(explanation).splitlines():
        for cell in re.split(r"  +", line.strip()):
            assert cell in text


def test_the_trace_has_the_programs_one_after_the_other(device, tmp_path):
    explanation = xp.explain(with_host_call(device)[0])
    explanation.trace(tmp_path / "trace.json")
    laid = json.loads((tmp_path / "trace.json").read_text())
    events = laid["traceEvents"]
    assert list(laid["otherData"]) == ["1 program", "3 program"]
    assert "predicted" in laid["otherData"]["1 program"]["nature"]
    names = {event["pid"]: event["args"]["name"] for event in events if event["name"] == "process_name"}
    first = explanation.steps[0].prediction
    spans = {"1 program": [], "3 program": []}
    for event in events:
        if event["ph"] == "X":
            spans[names[event["pid"]].partition(",")[0]].append((event["ts"], event["ts"] + event["dur"]))
    assert max(end for _, end in spans["1 program"]) <= 1e6 * first.seconds + 1e-3  # in us, written to six places
    assert min(start for start, _ in spans["3 program"]) >= 1e6 * first.seconds - 1e-3
    assert max(end for _, end in spans["3 program"]) == pytest.approx(1e6 * explanation.seconds, abs=1e-3)
    (mark,) = [event for event in events if event["ph"] == "i"]
    assert mark["name"] == "2 greater on the host"
    assert mark["ts"] == pytest.approx(1e6 * first.seconds, abs=1e-3)


def test_what_failed_is_explained_again_unless_its_operands_are_lost(device, monkeypatch):
    engine = engine_for(device)
    y = xp.asarray(samples(64), device=device) * 2
    lost = ()

    def fail(*_):
        raise LaunchError("no luck", lost)

    for lost in ((), (0,)):
        before = str(xp.explain(y))
        with monkeypatch.context() as patch:
            patch.setattr(engine.launcher, "run", fail)
            with pytest.raises(LaunchError, match="no luck"):
                y.to_device("cpu")
        if not lost:
            assert str(xp.explain(y)) == before
    with pytest.raises(LaunchError, match="no luck"):
        xp.explain(y)


@pytest.mark.parametrize(
    "make",
    [
        lambda x: (x + 1).astype(xp.int32) ** (x - 2).astype(xp.int32),
        lambda x: xp.take(x, (x + 5).astype(xp.int32)),
        lambda x: np.digitize(x, x[xp.asarray([0, 2, 1], dtype=xp.int32, device=x.device)]),
    ],
    ids=["power", "take", "digitize"],
)
def test_what_is_explained_is_still_checked(device, make):
    y = make(xp.asarray([0.0, 1.0, 2.0], device=device))
    xp.explain(y)
    with pytest.raises((ValueError, IndexError), match="in the call at"):
        y.tolist()


def test_arrays_that_wait_for_nothing():
    here = xp.explain(xp.ones(3))
    assert here.steps == ()
    assert (here.seconds, here.low, here.high) == (0, 0, 0)
    assert str(here).startswith("nothing waits: the device 'cpu' computes at once")
    ET.fromstring(here._repr_html_())
    with pytest.raises(ValueError, match="there is no schedule to draw"):
        here.trace("never.json")
    empty = xp.zeros((0, 3), device="sim:trn2", dtype=xp.float32) + 1
    assert str(xp.explain(empty)) == "nothing waits: the value has no elements"
    with pytest.raises(TypeError, match="explain takes an Array, and got a list"):
        xp.explain([1.0])
