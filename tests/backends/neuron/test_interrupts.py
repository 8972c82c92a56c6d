"""Code that interrupts a thread in a call: signal handlers, `__del__` methods, Ctrl-C. The call is unharmed, or did not happen."""

import gc
import random
import signal
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.device import Device
from trnarray.backends.engine import engine_for
from trnarray.backends.neuron import engine as engine_module
from trnarray.backends.neuron.graph.graph import DeviceBusyError

DEVICE = "sim:trn2"
# Where engine, graph and values change: an interrupt comes where a function of these begins.
FILES = ("engine.py", "graph/graph.py", "value.py", "launch/simulated.py")
PLACES = frozenset(str(Path(engine_module.__file__).parent / name) for name in FILES)
UNRAISED = frozenset({"__del__", "<genexpr>"})  # Python only prints what is raised when these end
A = np.arange(40, dtype=np.float32)


@pytest.fixture
def engine():
    return engine_for(Device(DEVICE))


@pytest.fixture
def on_alarm():
    """Install a signal handler, for the time of the test."""
    before = signal.getsignal(signal.SIGALRM)
    yield lambda handler: signal.signal(signal.SIGALRM, lambda *_: handler())
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def during_launch(engine, monkeypatch):
    """Call a function in the middle of the next launch."""
    run = engine.launcher.run
    waiting = []

    def interrupted(*arguments):
        if waiting:
            waiting.pop()()
        return run(*arguments)

    monkeypatch.setattr(engine.launcher, "run", interrupted)
    return waiting.append


def on_device(values):
    return xp.asarray(values, device=DEVICE)


USES = {
    "compute": (lambda y: (y[1:] * 2 + 1).sum().tolist(), 24.0),
    "make": (lambda _: xp.full(3, 7, dtype=xp.int32, device=DEVICE).tolist(), [7, 7, 7]),
    "bring": (lambda _: xp.asarray(np.ones(2, np.int16), device=DEVICE).tolist(), [1, 1]),
    "write": (lambda y: y.__setitem__(0, 0), None),
    "read": (lambda y: y.tolist(), [0, 1, 2, 3, 4]),
    "wait": (lambda _: xp.synchronize(), None),
    "explain": (lambda y: str(xp.explain(y * 2))[:0], ""),
}


@pytest.mark.parametrize("use", USES)
def test_a_handler_during_a_computation_is_refused(use, on_alarm, during_launch):
    x, y = on_device(A), on_device(A[:5])
    xp.synchronize()
    x[1:4] += 1
    refused = []

    def handler():
        with pytest.raises(DeviceBusyError, match=f"'{DEVICE}' is in the middle of a call .* signal handler .* set a flag") as caught:
            USES[use][0](y)
        refused.append(caught)

    on_alarm(handler)
    during_launch(lambda: signal.raise_signal(signal.SIGALRM))
    expected = A.copy()
    expected[1:4] += 1
    np.testing.assert_array_equal(x.to_device("cpu"), expected)
    assert len(refused) == 1
    assert USES[use][0](y) == USES[use][1]  # after it


@pytest.mark.parametrize("use", USES)
def test_a_handler_while_a_call_is_appended(use, on_alarm, monkeypatch):
    """It would change what the call takes lists for: float64 beside float64, and float32 alone."""
    x, y = on_device(np.ones(1)), on_device(A[:5])
    xp.synchronize()
    lower, outcomes = engine_module.lower, []

    def interrupted(*arguments):
        monkeypatch.setattr(engine_module, "lower", lower)
        signal.raise_signal(signal.SIGALRM)
        return lower(*arguments)

    def handler():
        try:
            outcomes.append(USES[use][0](y) == USES[use][1])
        except DeviceBusyError:
            outcomes.append(True)

    on_alarm(handler)
    monkeypatch.setattr(engine_module, "lower", interrupted)
    assert xp.concatenate([x, [0.1]]).tolist() == [1, 0.1]
    assert outcomes == [True]


@pytest.mark.parametrize("use", USES)
def test_a_handler_at_any_time(use, on_alarm):
    """It is refused or gives what is right, and what it interrupts is right."""
    function, expected = USES[use]
    y = on_device(A[:5])
    xp.synchronize()
    draws, outcomes = random.Random(use), []

    def handler():
        try:
            outcomes.append(function(y) == expected)
        except DeviceBusyError:
            outcomes.append(True)

    on_alarm(handler)
    for _ in range(25):
        host, words = A.copy(), np.arange(5) * (2**40 + 3)
        x, w = on_device(host), on_device(words)
        signal.setitimer(signal.ITIMER_REAL, draws.uniform(5e-5, 3e-3))
        for step in range(draws.choice([1, 3, 10, 30])):
            target, wanted = ((x, host), (w, words))[step % 2]
            target[1:4] = target[:3] + step
            wanted[1:4] = wanted[:3] + step
        np.testing.assert_array_equal((x * 2).to_device("cpu"), host * 2)
        np.testing.assert_array_equal(w.to_device("cpu"), words)
        signal.setitimer(signal.ITIMER_REAL, 0)
    assert outcomes
    assert all(outcomes)


def test_what_a_handler_raises_goes_on_to_the_caller(on_alarm, during_launch):
    """As from other calls, such as a time limit; the value is there when it is asked for again."""

    def handler():
        raise TimeoutError("too late")

    on_alarm(handler)
    for count in (1, 3):  # values that the program gives
        several = [on_device(A) + number for number in range(count)]
        during_launch(lambda: signal.raise_signal(signal.SIGALRM))
        with pytest.raises(TimeoutError, match="too late"):
            several[0].tolist()
        for number, x in enumerate(several):
            np.testing.assert_array_equal(x.to_device("cpu"), A + number)


def test_a_del_method_during_a_computation_is_refused(during_launch, monkeypatch):
    y, told = on_device(A[:5]), []

    class Saver:
        def __init__(self):
            self.itself = self  # which a collection finds

        def __del__(self):
            y.tolist()

    monkeypatch.setattr(sys, "unraisablehook", lambda found: told.append(found.exc_type))
    x = on_device(A) + 1
    Saver()
    during_launch(gc.collect)
    np.testing.assert_array_equal(x.to_device("cpu"), A + 1)
    assert told == [DeviceBusyError]


def test_another_thread_waits(during_launch):
    found, x = [], on_device(A) + 1
    other = threading.Thread(target=lambda: found.append((xp.ones(3, device=DEVICE) + 1).tolist()))

    def start():
        other.start()
        other.join(0.05)
        assert not found

    during_launch(start)
    np.testing.assert_array_equal(x.to_device("cpu"), A + 1)
    other.join(60)
    assert found == [[2, 2, 2]]


def test_a_callback_of_a_function_on_the_host_may_use_the_device():
    y = on_device(A[:5])

    def callback(row):
        return (on_device(row) * y).sum().tolist()

    with xp.config(fallback="allow"):
        found = xp.apply_along_axis(callback, 1, on_device(A.reshape(8, 5)))
    np.testing.assert_array_equal(found.to_device("cpu"), A.reshape(8, 5) @ A[:5])


STEPS = {
    "a part": (np.float32, lambda x: x.__setitem__(slice(1, 4), x[1:4] + 1)),
    "all": (np.complex64, lambda x: x.__iadd__(2)),
    "words": (np.int64, lambda x: x.__setitem__(0, 2**40 + 1)),
    "scatter": (np.float32, lambda x: np.add.at(x, np.asarray([1, 1, 2], np.int32), 1)),
}


@pytest.mark.parametrize("name", STEPS)
def test_a_keyboard_interrupt(name):
    """Wherever it comes, the target has the value before or after, all planes of it, and what was pending is computed once."""
    dtype, step = STEPS[name]
    before = (A * (2**33 + 1) if name == "words" else A).astype(dtype)
    after = before.copy()
    step(after)
    settings = xp.config(host_transfer="allow")
    count = 0
    with settings:
        for place in range(400):
            x = on_device(before)
            xp.synchronize()
            left = place

            def trace(frame, event, _):
                nonlocal left
                code = frame.f_code
                if event == "call" and code.co_filename in PLACES and code.co_name not in UNRAISED:
                    left -= 1
                    if left < 0:
                        sys.settrace(None)
                        raise KeyboardInterrupt

            sys.settrace(trace)
            try:
                step(x)
                x.tolist()
            except KeyboardInterrupt:
                count += 1
            else:
                break
            finally:
                sys.settrace(None)
            found = x.to_device("cpu")
            assert np.array_equal(found, before) or np.array_equal(found, after)
            np.testing.assert_array_equal((x * 2).to_device("cpu"), found * 2)
    assert 10 < count < 400
