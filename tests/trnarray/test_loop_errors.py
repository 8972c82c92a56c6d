"""Errors of loops: what a body cannot do, and what fails in a turn or in a launch."""

import numpy as np
import pytest

import trnarray as xp
import trnarray.scipy.linalg as ours
from trnarray.backends.device import parse_device
from trnarray.backends.engine import engine_for
from trnarray.backends.neuron.launch.launcher import LaunchError
from trnarray.backends.settings import config

NEURON = "sim:trn2"


def host(x):
    return np.asarray(x.to_device("cpu"))


def test_an_index_that_is_out_of_bounds_in_a_turn():
    x = xp.asarray(np.arange(5, dtype=np.float32), device=NEURON)

    def turn(state):
        number, total = state
        return number + 1, total + xp.take(x, xp.reshape(number, (1,)))

    def run(last):
        return xp.while_loop(lambda s: s[0] < last, turn, (xp.asarray(2, device=NEURON), xp.zeros(1, dtype=xp.float32, device=NEURON)))

    assert host(run(5)[1]).tolist() == [9]
    with pytest.raises(IndexError, match="out of bounds"):
        host(run(10**9)[1])  # it ends where the index is wrong


REFUSED = {
    "a choice": (lambda i, x: x + 1 if i > 2 else x, "wants the value of an Array that a turn computes"),
    "a number": (lambda i, x: x * float(x[0]), "wants the value of an Array that a turn computes"),
    "an index that selects": (lambda i, x: x[x > 0], "wants the value of an Array that a turn computes"),
    "random numbers": (lambda i, x: x + xp.random.default_rng(1).standard_normal(5, device=NEURON), "draws random numbers"),
    "a call on the host": (lambda i, x: ours.schur(xp.reshape(x, (5, 1)) * x)[0][0], "calls scipy.linalg.schur of float32, which runs on"),
    "another shape": (lambda i, x: x[:3], r"shape \(3,\) for part 0 of the state, which begins as \(5,\)"),
    "another dtype": (lambda i, x: x.astype(xp.int32), "int32 for part 0 of the state, which begins as float32"),
    "another structure": (lambda i, x: (x, x), r"gives \(Array, Array\) for a state of Array"),
}


@pytest.mark.parametrize("label", REFUSED)
def test_what_a_body_cannot_do(label):
    body, message = REFUSED[label]
    x = xp.asarray(np.arange(5, dtype=np.float32), device=NEURON)
    error = ValueError if "shape" in label else TypeError if "another" in label else xp.LoopError
    with config(fallback="allow"), pytest.raises(error, match=message):
        xp.fori_loop(0, 4, body, x)
    assert host(x + 1).tolist() == [1, 2, 3, 4, 5]


def test_a_body_does_not_write_outside():
    outside, x = xp.zeros(4, device=NEURON), xp.ones(4, device=NEURON)
    kept = outside[1:]

    def through_a_view(i, x):
        kept[...] = x[1:]
        return x

    def add_to(i, x):
        nonlocal outside
        outside += x
        return x

    def from_an_inner_loop(i, x):
        def inner(j, y):
            x[0] = 1
            return y + 1

        return xp.fori_loop(0, 2, inner, x)

    for body in (through_a_view, add_to, from_an_inner_loop):
        with pytest.raises(xp.LoopError, match=r"writes to an Array float32\[\d\] from outside of it"):
            xp.fori_loop(0, 2, body, x)
    assert host(outside).tolist() == [0] * 4


def test_arrays_of_a_body_have_no_value_after_it():
    leaked, kept = [], []

    def body(i, x):
        leaked.append(x + 1)
        kept.append(xp.ones(3, device=NEURON) * 2)
        return x * int(kept[0][0])  # of what no turn changes

    found = xp.fori_loop(0, 3, body, xp.ones(3, device=NEURON))
    xp.synchronize(NEURON)
    assert host(found).tolist() == [8] * 3
    assert host(kept[0]).tolist() == [2] * 3
    with pytest.raises(xp.LoopError, match="is used after the loop, when it has no value: return it from the body"):
        host(leaked[0])
    with pytest.raises(xp.LoopError, match="after the loop"):
        host(leaked[0] + found)
    with pytest.raises(xp.LoopError, match="after the loop"):
        xp.explain(leaked[0])


def test_a_body_that_raises_leaves_the_device_as_it_was():
    x = xp.ones(3, device=NEURON)

    def body(i, x):
        x += 1
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        xp.fori_loop(0, 3, body, x)
    x += 1
    assert host(x).tolist() == [2] * 3


def test_parameters():
    x = xp.ones(3, device=NEURON)
    with pytest.raises(ValueError, match="every is 0, and has to be at least 1"):
        xp.while_loop(lambda x: x[0] < 3, lambda x: x + 1, x, every=0)
    with pytest.raises(ValueError, match="has to give one truth value"):
        xp.while_loop(lambda x: x < 3, lambda x: x + 1, x)
    with pytest.raises(ValueError, match="have to be numbers of 32 bits"):
        xp.fori_loop(2**31 - 2, 2**31 + 2, lambda i, x: x, x)
    with pytest.raises(ValueError, match="move them to one device"):
        xp.fori_loop(0, 2, lambda i, s: s, (x, xp.ones(3, device="sim:trn1")))


def test_a_launch_that_fails_loses_no_other_array(monkeypatch):
    launcher = engine_for(parse_device(NEURON)).launcher
    x = xp.zeros(6, dtype=xp.int32, device=NEURON)
    other = x + 5
    found = xp.while_loop(lambda x: x[0] < 20, lambda x: x + 1, x, every=4)
    run, count = launcher.run, 0

    def failing(plan, inputs, scalars):
        nonlocal count
        count += 1
        if count == 4:  # of the third four turns
            raise RuntimeError("the runtime lost its connection")
        return run(plan, inputs, scalars)

    monkeypatch.setattr(launcher, "run", failing)
    with pytest.raises(RuntimeError, match="lost its connection") as caught:
        host(found)
    assert any("while_loop was called at " in note for note in caught.value.__notes__)
    assert host(x).tolist() == [0] * 6
    assert host(other).tolist() == [5] * 6
    count = 100
    assert host(found).tolist() == [20] * 6
    assert count == 103  # it went on where it was


def test_a_launch_that_loses_its_state_loses_no_other_array(monkeypatch):
    launcher = engine_for(parse_device(NEURON)).launcher
    x, step = xp.zeros(6, dtype=xp.int32, device=NEURON), xp.asarray(2, dtype=xp.int32, device=NEURON)
    found = xp.while_loop(lambda x: x[0] < 20, lambda x: x + step, x, every=4)
    run, launched = launcher.run, []

    def failing(plan, inputs, scalars):
        launched.append(plan)
        if len(launched) == 3:
            raise LaunchError("the device was reset", tuple(place for place, tensor in enumerate(plan.brought) if tensor.role == "updated"))
        return run(plan, inputs, scalars)

    monkeypatch.setattr(launcher, "run", failing)
    for _ in range(2):
        with pytest.raises(LaunchError, match="was reset"):
            host(found)
    assert len(launched) == 3  # there is nothing to go on from
    assert host(x + step).tolist() == [2] * 6
    assert host(xp.while_loop(lambda x: x[0] < 20, lambda x: x + step, x)).tolist() == [20] * 6
