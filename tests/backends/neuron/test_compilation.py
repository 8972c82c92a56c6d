"""Compilation is visible: which programs are there, which line compiles, what compiles ahead; and what memory holds."""

import gc

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.device import Device
from trnarray.backends.engine import engine_for
from trnarray.backends.neuron.value import Value

DEVICES = ("sim:trn1", "sim:trn2", "sim:trn3")
_lengths = iter(range(1000, 3000))


@pytest.fixture(params=DEVICES)
def device(request):
    gc.collect()
    xp.synchronize()
    xp.reset_coverage()
    return Device(request.param)


def fresh(device):
    """Make an Array of a length that no program was compiled for."""
    return xp.asarray(np.linspace(-1, 1, next(_lengths), dtype=np.float32), device=device)


def step(x):
    return xp.tanh(x) * 0.7 + 0.1


def test_explain_says_which_programs_are_new(device):
    x = fresh(device)
    first = xp.explain(step(x))
    (program,) = first.steps
    assert not program.compiled
    likeliest, least, most = program.compile_time
    assert 0 < least < likeliest < most
    assert "1. new program" in str(first)
    assert "1 program to compile (AWS's compiler is predicted to take" in str(first)
    assert "guesses" in str(first)
    np.asarray(step(x).to_device("cpu"))
    again = xp.explain(step(x))
    assert again.steps[0].compiled
    assert "1. cached program" in str(again)
    assert "no programs to compile, 1 cached" in str(again)


def test_more_instructions_take_longer_to_compile(device):
    x = fresh(device)
    short = xp.explain(step(x)).steps[0].compile_time
    y = x
    for _ in range(20):
        y = step(y)
    long = xp.explain(y).steps[0].compile_time
    assert all(one < other for one, other in zip(short, long, strict=True))


def test_lines_that_compile_are_counted(device):
    x = fresh(device)
    for _ in range(3):
        step(x).to_device("cpu")
    (counted,) = xp.coverage().compilations
    assert (counted.device, counted.programs) == (device, 1)
    assert counted.caller.startswith(__file__)
    assert "compiled programs\n  device" in str(xp.coverage())
    for _ in range(3):  # the length changes at every turn
        step(fresh(device)).to_device("cpu")
    assert max(item.programs for item in xp.coverage().compilations) == 3
    xp.reset_coverage()
    assert xp.coverage().compilations == ()


def test_what_is_warm_compiles_nothing_and_nothing_ran(device, monkeypatch):
    x = fresh(device)
    launcher = engine_for(device).launcher
    with monkeypatch.context() as patch:
        patch.setattr(launcher, "run", lambda *_: pytest.fail("a program ran"))
        assert xp.warm(step, x) == 1
        assert xp.warm(step, x) == 0
        assert xp.warm(lambda x: {"both": [step(x), xp.sum(step(x))]}, x) == 1
        assert xp.warm(np.asarray, 3) == 0
    assert sum(item.programs for item in xp.coverage().compilations) == 2
    xp.reset_coverage()
    expected = np.tanh(np.linspace(-1, 1, x.size)) * 0.7 + 0.1
    np.testing.assert_allclose(np.asarray(step(x).to_device("cpu")), expected, atol=2.0**-22)  # four roundings below 1
    assert xp.coverage().compilations == ()


def test_programs_around_calls_on_the_host_are_compiled_ahead(device):
    x = xp.asarray(np.arange(next(_lengths), dtype=np.float64), device=device)

    def hosted(x):
        return (xp.flip(x).copy() > 2.5).astype(xp.float32) * 2 + 1

    with xp.config(fallback="allow"):
        compiled = xp.warm(hosted, x)
        assert compiled >= 1
        xp.reset_coverage()
        found = hosted(x).to_device("cpu")
    np.testing.assert_array_equal(np.asarray(found), (np.arange(x.size)[::-1] > 2.5) * 2.0 + 1)
    assert xp.coverage().compilations == ()


def test_a_kernel_that_is_refused_is_an_error_of_warm(device, monkeypatch):
    monkeypatch.setattr(engine_for(device).launcher, "compile", lambda plan: (_ for _ in ()).throw(RuntimeError("refused")))
    with pytest.raises(RuntimeError, match="refused"):
        xp.warm(step, fresh(device))


def test_the_peak_is_what_values_and_the_plan_take(device):
    x = xp.zeros((512, 256), dtype=xp.float32, device=device)
    xp.synchronize(device)
    used = xp.memory(device).used
    explanation = xp.explain(x + 1)
    assert explanation.peak == used + x.nbytes
    assert explanation.capacity == xp.memory(device).capacity
    assert "HBM taken at most" in str(explanation)


def test_a_plan_beyond_the_capacity_is_explained_and_refused(device, monkeypatch):
    x = xp.ones((1000,), dtype=xp.float32, device=device)
    xp.synchronize(device)
    engine = engine_for(device)
    engine._release()  # constants, which make room when it is wanted
    monkeypatch.setattr(type(engine.memory), "capacity", engine.memory.used() + 3000, raising=False)
    monkeypatch.delattr(engine.memory, "capacity")
    y = x + 1
    assert "more than there is: it will be refused" in str(xp.explain(y))
    with pytest.raises(MemoryError, match=r"4.00 kB more do not fit .* are free; delete Arrays.*\n(.*\n)*.*float32\[1000\], 4.00 kB"):
        y.to_device("cpu")


def test_memory_lists_arrays_once_and_waiting_ones_not_at_all(device):
    before = xp.memory(device)
    x = xp.asarray(np.ones((1000, 7), np.complex64), device=device)
    view, waiting = x[::2], x + 1
    after = xp.memory(device)
    assert after.used - before.used == x.nbytes
    assert after.free == after.capacity - after.used
    assert [array.nbytes for array in after.arrays if array.shape == (1000, 7)] == [x.nbytes]
    assert [array.nbytes for array in after.arrays] == sorted((array.nbytes for array in after.arrays), reverse=True)
    assert "complex64[1000, 7], 56.0 kB" in str(after)
    del x, waiting
    assert [array.shape for array in xp.memory(device).arrays if array.nbytes == 56_000] == [(1000, 7)], "its view keeps it"
    del view
    assert xp.memory(device).used == before.used


def test_memory_of_the_default_device_and_of_the_host():
    assert xp.memory("cpu") == xp.memory(Device("cpu")) == ("cpu", 0, 0, ())
    with xp.default_device("sim:trn2"):
        assert xp.memory().device == "sim:trn2"
    with pytest.raises(ValueError, match="device"):
        xp.memory("gpu")


def test_reports_hold_no_array(device):
    x = fresh(device)
    use = xp.memory(device)
    size = len([item for item in gc.get_objects() if type(item) is Value])
    del x
    assert len([item for item in gc.get_objects() if type(item) is Value]) == size - 1
    assert use.arrays
