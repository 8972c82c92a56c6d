"""Suite fuzz: that it runs, and that it finds internal errors, hangs and crashes, and what is taken though NumPy refuses it."""

import json
import subprocess
import sys

import pytest

from trnarray.backends.policy import FallbackError
from trnarray.conformance import __main__ as command
from trnarray.conformance.fuzz.calls import Call, draw
from trnarray.conformance.fuzz.targets import Target, targets
from trnarray.conformance.fuzz.verdict import Ending, judge


@pytest.mark.parametrize(("device", "calls"), [("cpu", 800), ("sim:trn2", 400)])
def test_some_calls(device, calls):
    assert command.main(["fuzz", "--device", device, "--max-examples", str(calls), "--seed", "17"]) == 0


def sort(ours, theirs=None, name="trnarray.sum", model=True):
    target = Target(name, lambda _: sum, None, ())
    found = judge(Call(target, None, [], {}), Ending(ours), Ending(theirs) if model else None)
    return found and found.sort


def test_verdict():
    assert sort(None) is sort(TypeError("an operand"), TypeError("another")) is sort(FallbackError("on the host"), ValueError()) is None
    for error in (AttributeError("x"), KeyError("x"), RecursionError("x"), RuntimeError("x"), AssertionError("x"), SystemError("x")):
        assert sort(error) == sort(error, TypeError()) == sort(error, model=False) == "internal"
        assert sort(error, type(error)("as NumPy")) is None
    assert sort(AssertionError("not equal"), name="trnarray.testing.assert_equal", model=False) is None
    assert sort(TypeError("'Value' object is not iterable"), ValueError()) == sort(ValueError(), TypeError()) == "unclear"
    assert sort(None, TypeError("no")) == "taken"
    assert sort(TypeError("no")) == "refused"


def test_calls_depend_on_their_target_alone():
    some = targets()[:20]
    assert [str(draw(each, 3, 5)) for each in some] == [str(draw(each, 3, 5)) for each in reversed(some)][::-1]
    assert len({str(draw(some[0], 3, number)) for number in range(20)}) > 10


LOST = """
import os, sys, time
from pathlib import Path
from trnarray.conformance.fuzz.targets import Target
from trnarray.conformance.fuzz.worker import Server

def fails():
    raise KeyError("internal")

calls = {"sleeps": lambda: time.sleep(60), "ends": os.abort, "fails": fails, "returns": lambda: None}
theirs = {"ends": os.abort}
every = [Target(name, lambda _, call=call: call, lambda _, name=name: theirs.get(name, list), ()) for name, call in calls.items()]
Server(every, "cpu", 0, 0.3, Path(sys.argv[1]), Path(sys.argv[2])).make(range(4))
"""


def test_what_is_lost_is_told(tmp_path):
    told = tmp_path / "told"
    told.touch()
    subprocess.run([sys.executable, "-W", "ignore", "-c", LOST, told, tmp_path / "stack"], check=True)
    entries = [json.loads(line) for line in told.read_text("utf-8").splitlines()]
    (sleeps, ends), (fails,) = ([entry for entry in entries if kind in entry] for kind in ("lost", "finding"))
    assert (sleeps["call"], sleeps["lost"], sleeps["alike"]) == ("sleeps()", "ours", False)
    assert "Timeout" in sleeps["stack"]
    assert (ends["call"], ends["lost"], ends["alike"]) == ("ends()", "ours", True)
    assert (fails["call"], fails["finding"]) == ("fails()", "internal")
    assert [entry["call"] for entry in entries if entry.get("side") == "ours"] == ["sleeps()", "ends()", "fails()", "returns()"]
