"""Draws and writes that wait: NumPy's generator is drawn from in the order of calls, and what is written to is written in it."""

import sys
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp
from trnarray.backends.device import Device
from trnarray.backends.engine import engine_for
from trnarray.backends.ops import linalg

DEVICE = "sim:trn2"


@pytest.fixture(autouse=True, scope="module")
def setting():
    with xp.config(fallback="allow", defaults="numpy"):
        yield


def on_device(array):
    return xp.asarray(np.asarray(array), device=DEVICE)


def host(x):
    return np.asarray(x.to_device("cpu"))


def waiting():
    return len(engine_for(Device(DEVICE)).graph.draws)


STEPS = ("normal", "of numbers", "dropped", "permutation", "shuffle", "permuted out", "on cpu", "other device", "state", "read", "integers")


@given(st.lists(st.sampled_from(STEPS), max_size=8), st.booleans())
@settings(max_examples=30)
def test_draws_are_those_of_numpy_in_every_order(steps, legacy):
    make, theirs = (xp.random.RandomState, np.random.RandomState(7)) if legacy else (xp.random.default_rng, np.random.default_rng(7))
    rng = make(7)
    data = np.arange(6.0)
    x, target, results, expected = on_device(data), on_device(data), [], []
    reference = data.copy()
    for step in steps:
        if step == "normal":
            results.append(rng.normal(x * 2, 3.0))
            expected.append(theirs.normal(data * 2, 3.0))
        elif step == "of numbers":
            results.append(rng.normal(1.0, 2.0, size=(2,), device=DEVICE))
            expected.append(theirs.normal(1.0, 2.0, size=(2,)))
        elif step == "dropped":
            rng.normal(x)
            theirs.normal(data)
        elif step == "permutation":
            results.append(rng.permutation(target))
            expected.append(theirs.permutation(reference))
        elif step == "shuffle":
            rng.shuffle(target[1:])
            theirs.shuffle(reference[1:])
        elif step == "permuted out" and not legacy:
            results.append(rng.permuted(target, out=target))
            expected.append(theirs.permuted(reference, out=reference).copy())
            results[-1] = results[-1] + 0
        elif step == "on cpu":
            results.append(rng.normal(0.0, 1.0, size=2, device="cpu"))
            expected.append(theirs.normal(0.0, 1.0, size=2))
        elif step == "other device":
            results.append(rng.normal(xp.asarray(data, device="sim:trn3"), 1.0))
            expected.append(theirs.normal(data, 1.0))
        elif step == "state" and not legacy:
            assert rng.bit_generator.state == theirs.bit_generator.state
        elif step == "read" and results:
            np.testing.assert_array_equal(host(results[-1]), expected[-1])
        elif step == "integers":
            results.append(rng.normal(xp.asarray(np.arange(3, dtype=np.int32), device=DEVICE)))
            expected.append(theirs.normal(np.arange(3)))
    for got, wanted in zip(reversed(results), reversed(expected), strict=True):
        np.testing.assert_array_equal(host(got), wanted)
    np.testing.assert_array_equal(host(target), reference)
    again, wanted = rng.normal(0.0, 1.0, size=1, device="cpu"), theirs.normal(0.0, 1.0, size=1)
    np.testing.assert_array_equal(host(again), wanted)


def test_draws_wait_and_share_a_round():
    rng, x = xp.random.default_rng(3), on_device(np.arange(4.0))
    first, second = rng.normal(x), rng.normal(x)
    assert waiting() == 1
    (together,) = xp.explain(second).steps
    assert [call.op for call in together.calls] == ["random.normal", "random.normal"]
    theirs = np.random.default_rng(3)
    np.testing.assert_array_equal(host(first), theirs.normal(np.arange(4.0)))
    np.testing.assert_array_equal(host(second), theirs.normal(np.arange(4.0)))
    assert waiting() == 0


def test_generators_that_others_may_draw_from_do_not_wait():
    bits = np.random.PCG64(5)
    theirs, x = np.random.Generator(np.random.PCG64(5)), on_device(np.arange(4.0))
    drawn = xp.random.Generator(bits).normal(x)
    assert waiting() == 0
    also = np.random.Generator(bits).normal(size=2)
    np.testing.assert_array_equal(host(drawn), theirs.normal(np.arange(4.0)))
    np.testing.assert_array_equal(also, theirs.normal(size=2))


def test_a_draw_that_fails_leaves_later_ones_unharmed():
    rng, x = xp.random.default_rng(3), on_device(np.arange(1.0, 4))
    good, bad = rng.normal(x), rng.normal(x, -x)
    later = rng.normal(xp.linalg.inv(on_device(np.eye(2))))  # in the next round
    with pytest.raises(ValueError, match="scale < 0") as caught:
        host(bad)
    assert any(f"random.normal was called at {__file__}" in note for note in caught.value.__notes__)
    theirs = np.random.default_rng(3)
    np.testing.assert_array_equal(host(good), theirs.normal(np.arange(1.0, 4)))
    np.testing.assert_array_equal(host(later), theirs.normal(np.eye(2)))
    assert waiting() == 0


def test_warnings_of_the_host_are_told_at_the_line_of_the_call(monkeypatch):
    def inv(a):
        warnings.warn("ill-conditioned", np.exceptions.ComplexWarning, stacklevel=2)
        return np.linalg.inv(a)

    monkeypatch.setattr(linalg.inv, "host", inv)
    monkeypatch.setattr(linalg.inv, "neuron", None)
    x = on_device(np.eye(2))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        y = xp.linalg.inv(x)
        line = sys._getframe().f_lineno - 1
        host(y)
    assert [(one.filename, one.lineno) for one in caught] == [(__file__, line)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        quiet = xp.linalg.inv(x)
    np.testing.assert_array_equal(host(quiet), np.eye(2))  # as it was to be when it was called
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loud = xp.linalg.inv(x)
    with pytest.raises(np.exceptions.ComplexWarning, match="ill-conditioned"):
        host(loud)


def test_read_only_targets_are_refused_at_the_call():
    x = on_device(np.arange(4.0))
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        xp.random.default_rng(0).shuffle(x)
