"""What goes wrong when pending calls are computed: who is told, what stays as it was, and what is tried again."""

import gc
import weakref
from types import FunctionType

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.caller import find_caller
from trnarray.backends.device import Device
from trnarray.backends.engine import engine_for
from trnarray.backends.neuron import devices as _devices  # noqa: F401  # registers what Ops mean
from trnarray.backends.neuron.engine import NeuronEngine
from trnarray.backends.neuron.graph.build import check, elementwise, reduce
from trnarray.backends.neuron.graph.graph import Node
from trnarray.backends.neuron.launch.capacity import DeviceMemoryError
from trnarray.backends.neuron.launch.launcher import LaunchError
from trnarray.backends.neuron.launch.simulated import SimulatedLauncher
from trnarray.backends.neuron.memory import Memory
from trnarray.backends.neuron.plan import assemble
from trnarray.backends.neuron.value import Value
from trnarray.backends.op import get_op

A = np.arange(12, dtype=np.float32).reshape(3, 4)
BYTE = np.dtype(np.uint8)


class Flaky(SimulatedLauncher):
    """A launcher that refuses programs which multiply, as long as it is told to."""

    error: Exception | None = None
    launches = 0

    def run(self, plan, inputs, scalars):
        self.launches += 1
        if self.error is not None and "multiply" in repr(plan):
            raise self.error
        return super().run(plan, inputs, scalars)


@pytest.fixture
def engine():
    return NeuronEngine(Device("sim:trn2"), Flaky("trn2"))


def put(engine, array):
    return engine.from_host(np.asarray(array), copy=True)


def call(engine, name, *operands, **keywords):
    return engine.run(get_op(name), operands, keywords)


def guarded(engine, value):
    """Double a value whose elements must not be zero."""
    (node,) = value.read()
    holds = reduce("logical_and", node, tuple(range(len(node.shape))), BYTE)
    wanted = check(holds, ValueError, "an element is 0, where only others can be doubled; replace it first")
    result = Node(elementwise("add", node, node, dtype=node.dtype).primitive, (node, node), wanted)
    return engine.builder.make((result,), value.dtype)


def test_a_value_that_is_wrong_is_told_with_the_call(engine):
    x = put(engine, A)
    y = guarded(engine, x)
    line = guarded.__code__.co_firstlineno + 4
    for _ in range(2):  # and again
        with pytest.raises(ValueError, match=rf"element is 0.*in the call at {__file__}:{line}\)"):
            engine.to_host(y, copy=True)


def test_a_value_that_is_right_is_computed(engine):
    y = guarded(engine, put(engine, A + 1))
    np.testing.assert_array_equal(engine.to_host(y, copy=True), 2 * (A + 1))
    assert engine.launcher.launches == 1


def test_only_dependents_are_poisoned(engine):
    x = put(engine, A)
    y = guarded(engine, x)
    dependent, other = call(engine, "add", y, 1), call(engine, "add", x, 1)
    np.testing.assert_array_equal(engine.to_host(other, copy=True), A + 1)
    later = call(engine, "negative", dependent)
    np.testing.assert_array_equal(engine.to_host(call(engine, "negative", other), copy=True), -(A + 1))
    for value in (dependent, later, y, later):
        with pytest.raises(ValueError, match="element is 0"):
            engine.to_host(value, copy=True)
    np.testing.assert_array_equal(engine.to_host(x, copy=True), A)


def test_what_a_poisoned_write_would_change_stays(engine):
    base = put(engine, A)
    row = base.view(base.shadow[1])
    bad = guarded(engine, put(engine, np.zeros(4, np.float32)))
    before = call(engine, "add", base, 1)
    row.write(bad.read())  # base is written in place, by a program that turns out to be wrong
    np.testing.assert_array_equal(engine.to_host(before, copy=True), A + 1)
    with pytest.raises(ValueError, match="element is 0"):
        engine.to_host(base, copy=True)
    base.write(put(engine, A * 3).read())  # all of it is replaced, so that nothing depends on the failure any more
    np.testing.assert_array_equal(engine.to_host(row, copy=True), A[1] * 3)


def test_a_program_that_fails_can_be_retried(engine):
    x = put(engine, A)
    product, other = call(engine, "multiply", x, x), call(engine, "add", x, x)
    following = call(engine, "add", product, other)
    engine.launcher.error = RuntimeError("the device is busy")
    engine.flush()  # nobody has asked for a value
    launches = engine.launcher.launches
    np.testing.assert_array_equal(engine.to_host(other, copy=True), A + A)
    assert engine.launcher.launches == launches
    engine.flush()
    assert engine.launcher.launches == launches, "what failed is not tried again unless it is needed"
    for _ in range(2):
        with pytest.raises(RuntimeError, match="busy"):
            engine.to_host(following, copy=True)
    with pytest.raises(RuntimeError, match="busy"):
        engine.synchronize()
    engine.launcher.error = None
    np.testing.assert_array_equal(engine.to_host(following, copy=True), A * A + A + A)
    np.testing.assert_array_equal(engine.to_host(product, copy=True), A * A)


def test_a_program_that_cannot_be_made_is_told_where_its_parts_can(engine, monkeypatch):
    """An error of ours is seen, and the values are there."""

    def broken(order, roots, *others):
        return fuse(order, roots, *others) if len(roots) == 1 else roots.index  # noqa: F821  # in the globals below

    ours = {"__name__": "trnarray.broken", "fuse": assemble.fuse}
    monkeypatch.setattr(assemble, "fuse", FunctionType(broken.__code__, ours))
    x = put(engine, A)
    product, total = call(engine, "multiply", x, x), call(engine, "sum", x, axis=0)
    with pytest.warns(RuntimeWarning, match=r"2 results on 'sim:trn2' were computed one by one.*AttributeError: 'set' object.*report it"):
        engine.flush()
    np.testing.assert_array_equal(engine.to_host(product, copy=True), A * A)
    np.testing.assert_array_equal(engine.to_host(total, copy=True), A.sum(axis=0))


def test_inputs_of_a_failed_program_are_not_written_over(engine):
    x = put(engine, A)
    product = call(engine, "multiply", x, x)
    engine.launcher.error = RuntimeError("the device is busy")
    engine.flush()
    row = x.view(x.shadow[0])
    call(engine, "setitem", row, Ellipsis, 7)  # the old elements are still needed
    np.testing.assert_array_equal(engine.to_host(x, copy=True)[0], 7)
    engine.launcher.error = None
    np.testing.assert_array_equal(engine.to_host(product, copy=True), A * A)


def test_operands_that_a_launch_lost(engine):
    x = put(engine, A)
    other = call(engine, "add", x, 1)
    engine.flush()
    product = call(engine, "multiply", x, x)
    row = x.view(x.shadow[0])
    call(engine, "setitem", row, Ellipsis, 7)
    engine.launcher.error = LaunchError("the device was reset; start again", lost=(0,))
    for _ in range(2):
        with pytest.raises(LaunchError, match="was reset"):
            engine.to_host(product, copy=True)
        engine.launcher.error = None
        with pytest.raises(LaunchError, match="was reset"):
            engine.to_host(x, copy=True)
    np.testing.assert_array_equal(engine.to_host(other, copy=True), A + 1)


def test_what_a_launch_lost_stays_lost_when_nothing_that_needed_it_is_left(engine):
    x = put(engine, A)
    product = call(engine, "multiply", x, x)
    engine.launcher.error = LaunchError("the device was reset; start again", lost=(0,))
    engine.flush()
    engine.launcher.error = None
    del product
    gc.collect()
    for _ in range(2):
        np.testing.assert_array_equal(engine.to_host(call(engine, "add", put(engine, A), 1), copy=True), A + 1)
        assert not engine._failed  # it is quick again
        with pytest.raises(LaunchError, match="was reset"):
            engine.to_host(x, copy=True)
        with pytest.raises(LaunchError, match="was reset"):
            engine.to_host(call(engine, "add", x, 1), copy=True)
        gc.collect()


def test_host_calls_tell_who_made_them(engine):
    with xp.config(fallback="allow"):
        x = put(engine, np.array([[-1.0 + 0j]]))
        y, line = engine.run(get_op("linalg.cholesky"), (x,), {}), find_caller().lineno
        after = call(engine, "add", y, 1)
    for value in (y, after):
        with pytest.raises(ValueError, match="not positive definite") as caught:
            engine.to_host(value, copy=True)
        assert f"linalg.cholesky was called at {__file__}:{line}" in caught.value.__notes__


class Full(SimulatedLauncher):
    """A launcher that finds no memory, once."""

    full = False

    def run(self, plan, inputs, scalars):
        if self.full:
            self.full = False
            raise MemoryError
        return super().run(plan, inputs, scalars)


@pytest.fixture
def small():
    """Make an engine of a device with little memory."""
    engine = NeuronEngine(Device("sim:trn2"), Full("trn2"))
    engine.memory = Memory(engine.graph, 10_000)
    return engine


def test_memory_that_does_not_suffice_is_listed(small):
    engine = small
    held = [put(engine, np.zeros((length, 100), np.complex64)) for length in (2, 8)]
    with pytest.raises(DeviceMemoryError, match="not fit") as caught:
        put(engine, np.zeros(600, np.float32))
    lines = str(caught.value).splitlines()
    assert "2.40 kB more" in lines[0]
    assert "'sim:trn2', of which 2.00 kB of 10.0 kB are free" in lines[0]
    assert lines[1:] == ["  complex64[8, 100], 6.40 kB", "  complex64[2, 100], 1.60 kB"]
    del held[1]
    put(engine, np.zeros(600, np.float32))


def test_results_that_do_not_fit_fail_alone(small):
    engine = small
    x = put(engine, np.ones(1500, np.float32))
    small = call(engine, "add", x.view(x.shadow[:10]), 1)
    large = call(engine, "add", x, 1)
    np.testing.assert_array_equal(engine.to_host(small, copy=True), 2)
    with pytest.raises(DeviceMemoryError, match="float32"):
        engine.to_host(large, copy=True)
    np.testing.assert_array_equal(engine.to_host(x, copy=True), 1)


def test_a_program_that_finds_no_memory_is_run_again_when_there_is_some(small):
    engine = small
    x = call(engine, "add", put(engine, A), 1)
    engine.launcher.full = True
    np.testing.assert_array_equal(engine.to_host(x, copy=True), A + 1)


def test_pending_calls_are_computed_where_their_operands_take_the_room(small):
    engine = small
    total = call(engine, "sum", put(engine, np.ones(1500, np.float32)), axis=None)
    put(engine, np.zeros(1500, np.float32))
    assert total.cells[0].node.buffer is not None
    assert engine.to_host(total, copy=True) == 1500


def test_used_memory_counts_what_is_alive():
    engine = NeuronEngine(Device("sim:trn2"), SimulatedLauncher("trn2"))
    x = put(engine, np.zeros(1000, np.float32))
    y = call(engine, "add", x, 1)
    assert engine.memory.used() == 4000
    engine.flush()
    assert engine.memory.used() == 8000
    for _ in range(3000):
        put(engine, np.zeros(1, np.float32))
    assert len(engine.memory._nodes) < 3000
    del x
    assert engine.memory.used() == 4000
    assert isinstance(y, Value)


def on_device(values, dtype=np.float32):
    return xp.asarray(np.asarray(values, dtype), device="sim:trn2")


def write_at(x):
    x[on_device([0, 7], np.int64)] = 5


def write_where(x):
    x[x > 2] = on_device([1, 2], x.dtype)


def add_at(x):
    np.add.at(x, (on_device([9], np.int32),), 1)


def put_values(x):
    np.put(x, on_device([99], np.int32), 1)


def take_to(x):
    xp.take(x, on_device([7], np.int32), axis=0, out=x[:1])


def put_along(x):
    np.put_along_axis(x, on_device([[5], [5]], np.int32), 1, 1)


def raise_to(x):
    x **= on_device([[-1, 2, 2], [1, 2, 3]], x.dtype)


WRITES = {
    "integers": (write_at, "float32"),
    "a mask": (write_where, "float32"),
    "add.at": (add_at, "float32"),
    "put": (put_values, "int16"),
    "take": (take_to, "float32"),
    "put_along_axis": (put_along, "float32"),
    "powers": (raise_to, "int32"),
    "complex numbers": (write_at, "complex64"),
    "words": (write_at, "int64"),
}


@pytest.mark.parametrize("read", ["the target", "a view", "all"])
@pytest.mark.parametrize("name", WRITES)
def test_a_failed_write_leaves_its_target(name, read):
    write, dtype = WRITES[name]
    x = on_device([[0, 1, 2], [3, 4, 5]], dtype)
    row = x[1]
    write(x)
    with pytest.raises((IndexError, ValueError), match="in the call at"):
        {"the target": x.tolist, "a view": row.tolist, "all": xp.synchronize}[read]()
    assert (x.tolist(), row.tolist()) == ([[0, 1, 2], [3, 4, 5]], [3, 4, 5])
    x[0, 0] = 9
    xp.synchronize()
    assert x.tolist()[0][0] == 9


def test_a_write_that_does_not_fail_keeps_no_old_value():
    x = on_device([0.0, 1.0, 2.0])
    cell = x._value.cells[0]
    x[on_device([0, 2], np.int32)] = 5
    assert cell._before is not None
    assert x.tolist() == [5, 1, 5]
    xp.synchronize()
    assert cell._before is None


def test_each_failed_write_is_told():
    """The target of another one is not restored before its error was raised."""
    x, y = on_device([1.0, 2.0]), on_device([3.0, 4.0])
    for target in (x, y):
        target[on_device([7], np.int32)] = 0
    with pytest.raises(IndexError):
        x.tolist()
    with pytest.raises(IndexError):
        y.tolist()
    assert (x.tolist(), y.tolist()) == ([1, 2], [3, 4])


def test_an_error_that_was_handled_is_not_raised_again_for_what_nobody_can_reach():
    def handled():
        try:
            result = np.digitize(on_device([1]), on_device([1, 3, 2]))
            xp.synchronize()
            raise AssertionError(result)
        except ValueError:
            return

    xp.synchronize()
    gc.collect()
    gc.disable()
    try:
        handled()
        y = xp.ones(3, device="sim:trn2") + 1
        xp.synchronize()
        assert y.tolist() == [2, 2, 2]
        assert not engine_for(Device("sim:trn2"))._failed  # it is quick again
    finally:
        gc.enable()


def test_a_kept_error_keeps_no_arrays_of_its_callers(engine):
    """Neither in its frames nor in those that called them, without a collection."""

    def compute():
        other = put(engine, A + 1)
        held = weakref.ref(other.cells[0])
        product = call(engine, "multiply", put(engine, A), 3)
        with pytest.raises(LaunchError, match="reset"):
            engine.to_host(product, copy=True)
        return product, held

    engine.launcher.error = LaunchError("the device was reset")
    gc.collect()
    gc.disable()
    try:
        product, held = compute()
        assert held() is None
        assert product.cells[0].node.error is not None
    finally:
        gc.enable()
    with pytest.raises(LaunchError, match="reset") as caught:
        engine.to_host(product, copy=True)
    assert "in run" in "".join(caught.value.__notes__)  # where it was raised
