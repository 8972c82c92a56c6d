"""Programs by plan: what is traced once, what is not shared, what is given up."""

import gc
import pickle
import subprocess
import sys
import time

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends import simulator
from trnarray.backends.device import Device
from trnarray.backends.engine import engine_for
from trnarray.backends.neuron.launch import simulated
from trnarray.backends.neuron.launch.programs import ProgramCache
from trnarray.backends.neuron.plan.plan import Access, Compute, Plan, RowStage, Tensor
from trnarray.backends.simulator import KernelError, find_target


def plan(name, number=4, role="output"):
    """Two inputs of `number` elements, a function of them, into an output or into the first of them."""
    ins = ("updated" if role == "updated" else "input", "input")
    tensors = [Tensor(number, "float32", kind) for kind in ins] + ([Tensor(number, "float32", "output")] if role == "output" else [])
    load = [Access(place, 0, (1,), "full") for place in range(2)]
    store = Access(2 if role == "output" else 0, 0, (1,), "full")
    compute = Compute("elementwise", name, (0, 1), "float32", "full", loop="float32")
    return Plan(tuple(tensors), 0, (RowStage((number,), 0, tuple(load), (compute,), ((2, store),)),))


def test_the_least_recently_used_program_goes_first():
    cache, made = ProgramCache(capacity=2), []

    def find(key):
        return cache.find(key, lambda: made.append(key) or key * 2)

    assert [find(key) for key in "abacab"] == ["aa", "bb", "aa", "cc", "aa", "bb"]
    assert made == ["a", "b", "c", "b"]
    assert (cache.statistics.hits, cache.statistics.misses, cache.statistics.evicted, len(cache)) == (2, 4, 2, 2)


def test_what_cannot_be_made_is_not_kept():
    cache = ProgramCache()
    with pytest.raises(ZeroDivisionError):
        cache.find("a", lambda: 1 // 0)
    assert len(cache) == 0
    assert cache.find("a", lambda: 1) == 1


def test_plans_of_equal_shapes_have_programs_of_their_own():
    launcher = simulated.SimulatedLauncher("trn2")
    x, y = np.float32([1, 2, 3, 4]), np.float32([10, 20, 30, 40])
    for _ in range(2):
        (added,) = launcher.run(plan("add"), [x, y], np.empty(0, np.uint32))
        (multiplied,) = launcher.run(plan("multiply"), [x, y], np.empty(0, np.uint32))
        np.testing.assert_array_equal(added, x + y)
        np.testing.assert_array_equal(multiplied, x * y)
    assert (launcher.statistics.hits, launcher.statistics.misses) == (2, 2)


def test_updated_tensors_are_as_they_were_if_the_program_fails(monkeypatch):
    launcher = simulated.SimulatedLauncher("trn2")
    x, y = np.float32([1, 2, 3, 4]), np.float32([10, 20, 30, 40])
    (updated,) = launcher.run(plan("add", role="updated"), [x, y], np.empty(0, np.uint32))
    np.testing.assert_array_equal(updated, [11, 22, 33, 44])
    np.testing.assert_array_equal(x, [11, 22, 33, 44], "it is written in place")

    def broken(program, *arrays, options):
        for array in arrays:
            array[...] = 7 if array is not y else array
        raise KernelError("broken")

    monkeypatch.setattr(simulated, "execute", broken)
    with pytest.raises(KernelError, match="broken"):
        launcher.run(plan("add", role="updated"), [x, y], np.empty(0, np.uint32))
    np.testing.assert_array_equal(x, [11, 22, 33, 44])


def test_knobs_count_at_each_launch():
    launcher = simulated.SimulatedLauncher("trn2")
    x, y = np.float32([2.0**-100] * 4), np.float32([2.0**-30] * 4)
    with simulator.options(knobs=simulator.Knobs(denormals_dve="flush", denormals_act="flush", denormals_pool="flush")):
        (flushed,) = launcher.run(plan("multiply"), [x, y], np.empty(0, np.uint32))
    (kept,) = launcher.run(plan("multiply"), [x, y], np.empty(0, np.uint32))
    assert not flushed.any()
    np.testing.assert_array_equal(kept, x * y)
    assert launcher.statistics.misses == 1


def test_predictions_and_launchers_share_a_trace_and_nobody_else_keeps_it():
    one, target = plan("add", 8), find_target("trn2")
    first = simulated.trace(one, target)
    assert simulated.trace(plan("add", 8), target) is first
    assert simulated.trace(one, find_target("trn3")) is not first
    before = len(simulated._TRACED)
    del first
    gc.collect()
    assert len(simulated._TRACED) < before


def test_a_loop_with_changing_numbers_compiles_once():
    engine = engine_for(Device("sim:trn2"))
    u = xp.ones((32, 32), dtype=xp.float32, device="sim:trn2")
    found = []
    for step in range(20):
        u = u * (1.0 + step / 16)
        engine.flush()
        found.append(engine.launcher.statistics.misses)
    assert len(set(found[1:])) == 1


HASHING = """
import pickle, sys
from trnarray.backends.neuron.plan.plan import Plan
plan = pickle.loads(sys.stdin.buffer.read())
assert hash(plan) == hash(Plan(plan.tensors, plan.scalars, plan.stages, plan.budget))
print(repr(plan))
"""


def test_plans_travel_to_other_processes():
    one = plan("add")
    assert pickle.loads(pickle.dumps(one)) == one
    found = subprocess.run([sys.executable, "-c", HASHING], input=pickle.dumps(one), capture_output=True, check=False)
    assert found.returncode == 0, found.stderr.decode()
    assert found.stdout.decode().strip() == repr(one)


def test_finding_and_launching_a_program_costs_little(monkeypatch):
    """Of the 50 µs that looking up and launching a cached plan may take; the least of many times, so that load does not count."""
    launcher, one = simulated.SimulatedLauncher("trn2"), plan("add", role="updated")
    x, y = np.ones(4, np.float32), np.ones(4, np.float32)
    launcher.run(one, [x, y], np.empty(0, np.uint32))
    monkeypatch.setattr(simulated, "execute", lambda program, *arrays, options: ())
    least = 1.0
    for _ in range(3000):
        start = time.perf_counter()
        launcher.run(one, [x, y], np.empty(0, np.uint32))
        least = min(least, time.perf_counter() - start)
    assert least < 40e-6


def test_signed_zeros_have_programs_of_their_own_and_nan_has_one():
    engine = engine_for(Device("sim:trn2"))

    def padded(value):
        x = xp.pad(xp.ones((2,), dtype=xp.float32, device="sim:trn2"), 1, constant_values=value)
        return np.asarray(x.to_device("cpu"))

    for value in (0.0, -0.0, 0.0):
        np.testing.assert_array_equal(np.signbit(padded(value)), np.signbit(np.pad(np.ones(2, np.float32), 1, constant_values=value)))
    assert np.isnan(padded(float("nan"))).sum() == 2
    before = engine.launcher.statistics.misses, engine.planner.misses
    assert np.isnan(padded(float("nan"))).sum() == 2
    assert (engine.launcher.statistics.misses, engine.planner.misses) == before
