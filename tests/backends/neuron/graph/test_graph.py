"""The graph: when values are computed, what is computed at all, and what a forked child is told."""

import operator
import os
import subprocess
import sys

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.device import Device
from trnarray.backends.engine import engine_for
from trnarray.backends.neuron.graph.graph import Node, ancestors
from trnarray.backends.neuron.graph.primitives import Fill
from trnarray.backends.neuron.kernel import InvalidCallError
from trnarray.backends.rules import Signature

DEVICE = "sim:trn2"
VECTOR = Signature((2,), np.dtype(np.float32))
A = np.arange(12, dtype=np.float32).reshape(3, 4)


@pytest.fixture
def engine():
    engine = engine_for(Device(DEVICE))
    engine.synchronize()
    return engine


def on_device(array):
    return xp.asarray(array, device=DEVICE)


def test_what_nobody_sees_fills_no_graph(engine, monkeypatch):
    monkeypatch.setattr(engine.graph, "capacity", 40)
    x = on_device(A)
    y = x + 1
    for _ in range(100):
        x * 2
    assert not is_there(y)
    assert len(engine.graph.waiting) <= 41


def test_planes_of_several_shapes_make_no_value(engine):
    word = np.dtype(np.uint32)
    planes = tuple(Node(Fill(1, Signature(shape, word)), ()) for shape in ((3,), ()))
    with pytest.raises(InvalidCallError, match=r"shapes \(3,\), \(\)"):
        engine.builder.make(planes, np.dtype(np.float64))


def is_there(x):
    return all(cell.node.buffer is not None for cell in x._value.cells)


def allowed_array(x):
    with xp.config(host_transfer="allow"):
        return np.asarray(x)


DEMANDS = {
    "__array__": allowed_array,
    "bool": bool,
    "int": int,
    "float": float,
    "complex": complex,
    "index": operator.index,
    "item": lambda x: x.item(),
    "format": format,
    "repr": repr,
    "str": str,
    "tolist": lambda x: x.tolist(),
    "DLPack": lambda x: x.__dlpack__(dl_device=(1, 0), copy=True),
    "to_device": lambda x: x.to_device("cpu"),
    "synchronize": lambda x: xp.synchronize(x.device),
    "synchronize all": lambda x: xp.synchronize(),
}


@pytest.mark.parametrize("name", DEMANDS)
def test_values_are_computed_where_they_are_needed(engine, name):
    x = on_device(np.int32(3)) * 2
    y = x + 1
    assert not is_there(x)
    DEMANDS[name](x)
    assert is_there(x)
    assert is_there(y), "what is pending with it is computed in the same program"


NOT_DEMANDS = {
    "shape": lambda x: (x.shape, x.dtype, x.ndim, x.size, x.nbytes, x.strides, x.flags, x.device, len(x)),
    "view": lambda x: x.T[1:].reshape(-1),
    "write": lambda x: x.__setitem__((0, slice(None)), 1),
    "sum": lambda x: x.sum(axis=0) + 1,
    "copy": lambda x: x.copy(),
    "element": lambda x: x[1, 2] + x[0, 0],
    "iteration": lambda x: [row[0] for row in x],
    "broadcast": lambda x: xp.broadcast_to(x, (2, 3, 4)) * 2,
}


@pytest.mark.parametrize("name", NOT_DEMANDS)
def test_values_are_not_computed_where_they_are_not_needed(engine, name):
    x = on_device(A) * 2
    kept = NOT_DEMANDS[name](x)
    assert not is_there(x)
    del kept


def test_a_great_number_of_calls_is_computed(engine, monkeypatch):
    monkeypatch.setattr(engine.graph, "capacity", 40)
    x, one = on_device(A), on_device(np.ones_like(A))  # a number would be a node of its own for each call
    for _ in range(2 * engine.graph.capacity):
        x = x + one
    assert len(engine.graph.waiting) <= engine.graph.capacity + 1
    assert len(ancestors([x._value.cells[0].node])) <= engine.graph.capacity + 1
    np.testing.assert_array_equal(x.to_device("cpu"), A + 2 * engine.graph.capacity)


def test_what_nobody_can_see_is_not_computed(engine):
    x = on_device(A)
    kept = x + 1
    forgotten = kept * 2
    overwritten = kept * 3
    overwritten[...] = 0
    del forgotten
    (launch,) = engine.pending_plan()
    functions = [compute.name for stage in launch.plan.stages for compute in getattr(stage, "computes", ())]
    assert functions.count("add") == 1
    assert functions.count("multiply") == 0
    np.testing.assert_array_equal(overwritten.to_device("cpu"), 0)
    np.testing.assert_array_equal(kept.to_device("cpu"), A + 1)


def test_operands_are_let_go_when_they_are_not_needed(engine):
    engine.memory.used()
    before = engine.memory.used()
    x = on_device(A)
    for _ in range(50):
        x = x * 0.5
    engine.synchronize()
    assert engine.memory.used() == before + A.nbytes


def test_ancestors_are_in_order_and_once():
    a = Node(Fill(1, VECTOR), ())
    b = Node(Fill(2, VECTOR), (a, a))
    c = Node(Fill(3, VECTOR), (b, a))
    assert ancestors([c, b]) == [a, b, c]
    b.computed(object())
    assert ancestors([c]) == [a, c]


FORKING = """
import os, signal, sys
import trnarray as xp
from trnarray.backends.neuron.graph.graph import ForkedDeviceError
x = xp.ones(3, device="sim:trn2") + 1
y = xp.ones(3, device="cpu") + 1
{before}
child = os.fork()
if child == 0:
    signal.alarm(20)  # ends a child that waits forever
    assert float(y[0]) == 2.0
    zeros, wait = lambda: xp.zeros(2, device="sim:trn2"), lambda: xp.synchronize("sim:trn2")
    for use in (lambda: x + 1, lambda: float(x[0]), zeros, wait, lambda: repr(x)):
        try:
            use()
        except ForkedDeviceError as error:
            assert "sim:trn2" in str(error) and "spawn" in str(error)
        else:
            os._exit(1)
    os._exit(0 if float(xp.ones(3, device="sim:trn1")[0]) == 1 else 2)  # which the parent has not used
stop.set()
thread.join()
status = os.waitpid(child, 0)[1]
assert float(x[0]) == 2.0
raise SystemExit(status != 0)
"""
HOLDING = """
import threading
from trnarray.backends.device import Device
from trnarray.backends.engine import engine_for
lock, held = engine_for(Device("sim:trn2")).graph.lock, threading.Event()
stop = threading.Event()
def hold():
    with lock:
        held.set()
        stop.wait()
thread = threading.Thread(target=hold)
thread.start()
held.wait()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_child_is_told():
    program = FORKING.format(before=HOLDING)
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program]
    done = subprocess.run(command, timeout=120, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
