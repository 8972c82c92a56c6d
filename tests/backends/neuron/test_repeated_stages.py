"""Stages of a program that do the same on other tensors are traced once: the program is the one that tracing all of them gives."""

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.isa import is_real
from trnarray.backends.neuron import program as programs
from trnarray.backends.neuron.launch import simulated
from trnarray.backends.neuron.launch.simulated import SimulatedLauncher
from trnarray.backends.simulator import find_target

pytestmark = pytest.mark.skipif(is_real(), reason="AWS's NKI traces by itself")
RNG = np.random.default_rng(24)


@pytest.fixture
def plans(monkeypatch):
    """Keep the plans that are launched."""
    found, run = [], SimulatedLauncher.run
    monkeypatch.setattr(SimulatedLauncher, "run", lambda self, plan, *rest: found.append(plan) or run(self, plan, *rest))
    return found


def test_time_steps(plans, monkeypatch):
    a, b = RNG.standard_normal((3, 3)) + 4 * np.eye(3), RNG.standard_normal((5, 3))
    matrix, states = (xp.asarray(values, dtype=xp.float32, device="sim:trn2") for values in (a, b))
    state, x = xp.zeros(3, dtype=xp.float32, device="sim:trn2"), np.zeros(3)
    with xp.config(fallback="error"):
        for k in range(5):
            state = xp.linalg.solve(matrix, state + states[k] / 3.0)
            x = np.linalg.solve(a, x + b[k] / 3.0)
        np.testing.assert_allclose(np.asarray(state.to_device("cpu")), x, rtol=1e-5)
    (plan,) = plans
    calls, real = [], programs._emit
    monkeypatch.setattr(programs, "_emit", lambda stage, *rest: calls.append(stage) or real(stage, *rest))
    again = _traced(plan)
    repeated, calls[:] = len(calls), []
    monkeypatch.setattr(programs, "repeated", lambda known, key, tensors, call, others: call())
    assert again == _traced(plan)
    assert repeated < len(calls) / 2


def _traced(plan):
    simulated._TRACED.clear()
    return str(simulated.trace(plan, find_target("trn2")))
