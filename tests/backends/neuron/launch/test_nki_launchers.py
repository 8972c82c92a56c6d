"""What launchers ask of AWS's NKI and of JAX, by stand-ins that record it; nothing here runs either."""

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from trnarray.backends import isa
from trnarray.backends.device import Device
from trnarray.backends.neuron import devices as _devices  # noqa: F401  # registers lowerings
from trnarray.backends.neuron.engine import NeuronEngine
from trnarray.backends.neuron.launch import environment, fingerprint, jax_arrays, numpy_arrays
from trnarray.backends.neuron.launch.failure import translated
from trnarray.backends.neuron.launch.launcher import LaunchError
from trnarray.backends.neuron.launch.store import Store
from trnarray.backends.neuron.plan.plan import Access, Compute, Plan, RowStage, Tensor
from trnarray.backends.op import get_op

from .stand_in import Jax, Nki, recording

VARIABLES = (
    "NEURON_PLATFORM_TARGET_OVERRIDE",
    "NEURON_CC_FLAGS",
    "NEURON_LOGICAL_NC_CONFIG",
    "NEURON_RT_VISIBLE_CORES",
    "NEURON_RT_STOCHASTIC_ROUNDING_EN",
)
NO_TABLE = np.empty(0, np.uint32)


@pytest.fixture(autouse=True)
def clean(monkeypatch):
    for variable in VARIABLES:  # setting it first has it restored afterwards even if code under test sets it
        monkeypatch.setenv(variable, "")
        monkeypatch.delenv(variable)


def updating():
    """x[...] = x + y, and x*s with a run-time scalar as an output."""
    tensors = (Tensor(4, "float32", "updated"), Tensor(4, "float32", "input"), Tensor(4, "float32", "output"))
    loads = tuple(Access(place, 0, (1,), "full") for place in range(2))
    computes = (
        Compute("elementwise", "add", (0, 1), "float32", "full", loop="float32"),
        Compute("scalar", "", (), "float32", "one", value=0),
        Compute("elementwise", "multiply", (0, 3), "float32", "full", loop="float32"),
    )
    stores = ((2, Access(0, 0, (1,), "full")), (4, Access(2, 0, (1,), "full")))
    return Plan(tensors, 1, (RowStage((4,), 0, loads, computes, stores),))


def adding(dtype="float32"):
    tensors = (Tensor(4, dtype, "input"), Tensor(4, dtype, "input"), Tensor(4, dtype, "output"))
    loads = tuple(Access(place, 0, (1,), "full") for place in range(2))
    compute = Compute("elementwise", "add", (0, 1), dtype, "full", loop=dtype)
    return Plan(tensors, 0, (RowStage((4,), 0, loads, (compute,), ((2, Access(2, 0, (1,), "full")),)),))


X, Y = np.float32([1, 2, 3, 4]), np.float32([10, 20, 30, 40])
TABLE = np.float32([3]).view(np.uint32)


def test_nki_simulate(monkeypatch):
    calls, nki = recording(monkeypatch, numpy_arrays), Nki()
    launcher = numpy_arrays.simulated_by_nki(nki, "trn1")
    monkeypatch.setenv("NEURON_PLATFORM_TARGET_OVERRIDE", "trn3")
    x = X.copy()
    for _ in range(2):
        updated, output = launcher.run(updating(), [x, Y], TABLE)
        np.testing.assert_array_equal(updated, X + Y)
        np.testing.assert_array_equal(output, X * 3)
    np.testing.assert_array_equal(x, X)
    launcher.run(adding(), [X, Y], NO_TABLE)
    assert nki.calls == [("simulate", 1)] * 2, "once for each plan, on one core"
    assert [call[:2] for call in calls] == [(1, "trn1")] * 3, "for the launcher's target, whatever the environment says"
    assert [call[2] for call in calls] == [updating(), updating(), adding()]
    assert [call[3] for call in calls] == [TABLE.tolist(), TABLE.tolist(), None]
    assert environment.os.environ["NEURON_PLATFORM_TARGET_OVERRIDE"] == "trn3"
    assert (launcher.statistics.hits, launcher.statistics.misses) == (1, 2)


def test_nki_jit_on_numpy(monkeypatch):
    calls = recording(monkeypatch, numpy_arrays)
    environment.prepare("trn2")
    launcher = numpy_arrays.compiled("trn2")
    x = X.copy()
    updated, output = launcher.run(updating(), [*launcher.to_device([x.reshape(2, 2)]), Y], TABLE)
    np.testing.assert_array_equal(launcher.to_host([updated], [np.dtype(np.float32)])[0], X + Y)
    np.testing.assert_array_equal(output, X * 3)
    np.testing.assert_array_equal(x, X)
    assert calls == [(1, "trn2", updating(), TABLE.tolist(), 2)]


def test_results_that_are_not_the_plans_are_an_error():
    launcher = numpy_arrays.NumpyLauncher("strange", "trn2", lambda kernel: lambda *args: (np.zeros(3, np.float32),))
    with pytest.raises(LaunchError, match=r"strange returned tensors of \[3\] elements where the plan has \[4\]"):
        launcher.run(adding(), [X, Y], NO_TABLE)


@pytest.fixture
def jax(monkeypatch):
    """JAX by a stand-in."""
    found = Jax()
    monkeypatch.setitem(sys.modules, "jax", found)
    monkeypatch.setitem(sys.modules, "jax.experimental.serialize_executable", found)
    environment.prepare("trn2")
    return found


def on_jax(jax, tmp_path):
    launcher = jax_arrays.JaxLauncher("trn2", jax.found[1], Store(tmp_path))
    return launcher, list(launcher.to_device([X, Y]))


def test_nki_jit_on_jax(monkeypatch, jax, tmp_path):
    calls = recording(monkeypatch, jax_arrays)
    launcher, (x, y) = on_jax(jax, tmp_path)
    updated, output = launcher.run(updating(), [x, y], TABLE)
    assert x.is_deleted(), "it was donated"
    assert not y.is_deleted()
    np.testing.assert_array_equal(launcher.to_host([updated], [np.dtype(np.float32)])[0], X + Y)
    np.testing.assert_array_equal(launcher.to_host([output], [np.dtype(np.uint32)])[0], (X * 3).view(np.uint32))
    launcher.run(updating(), [updated, y], TABLE)
    launcher.run(adding(), [output, y], NO_TABLE)
    assert calls == [(1, "trn2", updating(), TABLE.tolist(), 2)] * 2 + [(1, "trn2", adding(), None, 2)]
    assert [call for call in jax.calls if call[0] == "compile"] == [("compile", (1,)), ("compile", ())]
    assert ("put", (1,), "uint32", 1) in jax.calls
    assert (launcher.statistics.hits, launcher.statistics.misses) == (1, 2)


def test_jax_programs_outlive_the_process(monkeypatch, jax, tmp_path):
    recording(monkeypatch, jax_arrays)
    for _ in range(2):  # the second launcher is another process's
        launcher, (x, y) = on_jax(jax, tmp_path)
        updated, _ = launcher.run(updating(), [x, y], TABLE)
        np.testing.assert_array_equal(np.asarray(updated), X + Y)
    assert sum(call[0] == "compile" for call in jax.calls) == 1
    (loaded,) = [call for call in jax.calls if call[0] == "load"]
    assert loaded == ("load", b"executable 0", ("tree", (("*", "*", "*"), {})), ("tree", ("*", "*")), "client", 1)
    assert launcher.store.statistics.hits == 1


def test_jax_compiles_ahead_for_arrays_that_need_not_exist(monkeypatch, jax, tmp_path):
    calls = recording(monkeypatch, jax_arrays)
    launcher, (x, y) = on_jax(jax, tmp_path)
    assert not launcher.is_compiled(updating())
    del jax.calls[:]
    launcher.compile(updating())
    assert jax.calls == [
        ("abstract", (1,), "uint32", ("on", 1)),
        *[("abstract", (4,), "float32", ("on", 1))] * 2,
        ("compile", (1,)),
    ]
    assert calls == [], "nothing ran"
    with monkeypatch.context() as patch:  # a loaded program is found without a fingerprint, as every launch asks
        patch.setattr(jax_arrays, "fingerprint", None)
        assert launcher.is_compiled(updating())
    launcher.run(updating(), [x, y], TABLE)
    assert [call[0] for call in jax.calls].count("compile") == 1
    another, _ = on_jax(jax, tmp_path)  # in another process the store has it
    assert another.is_compiled(updating())
    assert not another.is_compiled(adding())
    assert not jax_arrays.JaxLauncher("trn2", jax.found[1], None).is_compiled(updating())


def test_nki_on_numpy_compiles_ahead_by_running_on_zeros(monkeypatch):
    calls = recording(monkeypatch, numpy_arrays)
    environment.prepare("trn2")
    launcher = numpy_arrays.compiled("trn2")
    launcher.compile(updating())
    assert calls == [(1, "trn2", updating(), [0], 2)]
    assert launcher.is_compiled(updating())
    simulated = numpy_arrays.simulated_by_nki(Nki(), "trn2")
    simulated.compile(updating())
    assert len(calls) == 1, "nothing is compiled there"
    assert simulated.is_compiled(updating())


@pytest.mark.parametrize("kept", [False, True])
def test_jax_loops_hand_their_state_from_launch_to_launch(monkeypatch, jax, tmp_path, kept):
    calls = recording(monkeypatch, jax_arrays)
    launcher = jax_arrays.JaxLauncher("trn2", jax.found[1], Store(tmp_path))
    engine = NeuronEngine(Device("trn:0"), launcher)
    x, least = engine.from_host(X, copy=True), engine.from_host(np.float32(9), copy=True)

    def first_is_less(x):
        return engine.run(get_op("less"), [engine.run(get_op("min"), [x], {}), least], {})

    found = engine.repeat([x], lambda x: [engine.run(get_op("add"), [x, 2], {})], turns=3, condition=first_is_less)
    if not kept:
        del x
    np.testing.assert_array_equal(engine.to_host(found[0], copy=True), X + 8)
    assert len(calls) == 3  # the first condition with a copy of the state, and twice three turns at most
    assert sum(call[0] == "compile" for call in jax.calls) == 2
    if kept:
        np.testing.assert_array_equal(engine.to_host(x, copy=True), X)


def test_stored_programs_that_cannot_be_loaded_are_compiled_again(monkeypatch, jax, tmp_path):
    recording(monkeypatch, jax_arrays)
    launcher, (x, y) = on_jax(jax, tmp_path)
    launcher.run(updating(), [x, y], TABLE)
    jax.functions.clear()
    launcher, (x, y) = on_jax(jax, tmp_path)
    with pytest.warns(RuntimeWarning, match="could not be loaded and is compiled again: INTERNAL"):
        updated, _ = launcher.run(updating(), [x, y], TABLE)
    np.testing.assert_array_equal(np.asarray(updated), X + Y)
    assert sum(call[0] == "compile" for call in jax.calls) == 2


@pytest.mark.parametrize("error", [TypeError("a list, not bytes"), AttributeError("no such class"), EOFError()])
def test_stored_programs_of_the_wrong_kind_are_compiled_again(monkeypatch, jax, tmp_path, error):
    recording(monkeypatch, jax_arrays)
    launcher, (x, y) = on_jax(jax, tmp_path)
    launcher.run(updating(), [x, y], TABLE)
    launcher, (x, y) = on_jax(jax, tmp_path)

    def refuse(*_args, **_kwargs):
        raise error

    monkeypatch.setattr(jax, "deserialize_and_load", refuse)
    with pytest.warns(RuntimeWarning, match="could not be loaded and is compiled again"):
        updated, _ = launcher.run(updating(), [x, y], TABLE)
    np.testing.assert_array_equal(np.asarray(updated), X + Y)


@pytest.mark.parametrize("reason", ["plug-in", "directory"])
def test_jax_without_a_store(monkeypatch, jax, tmp_path, reason):
    recording(monkeypatch, jax_arrays)
    if reason == "plug-in":
        jax.serializable = False
    else:
        (tmp_path / "locks").write_text("a file, where a directory should be")
    launcher, (x, y) = on_jax(jax, tmp_path)
    with pytest.warns(RuntimeWarning, match="compiled programs will not outlive this process"):
        updated, output = launcher.run(updating(), [x, y], TABLE)
    np.testing.assert_array_equal(np.asarray(updated), X + Y)
    launcher.run(adding(), [output, y], NO_TABLE)  # and warns once
    assert [call[0] for call in jax.calls].count("compile") == 2


def test_jax_says_what_a_failed_launch_has_lost(monkeypatch, jax, tmp_path):
    recording(monkeypatch, jax_arrays)
    launcher, (x, y) = on_jax(jax, tmp_path)
    jax.fail = RuntimeError("INTERNAL: NRT_EXEC_HW_ERR")
    with pytest.raises(LaunchError, match="nki.jit on JAX.*NRT_EXEC_HW_ERR.*doctor") as caught:
        launcher.run(updating(), [x, y], TABLE)
    assert caught.value.lost == (0,)
    assert isinstance(caught.value.__cause__, RuntimeError)


def test_what_the_compiler_refuses_is_lost_nowhere(monkeypatch, jax, tmp_path):
    recording(monkeypatch, jax_arrays)
    launcher, (x, y) = on_jax(jax, tmp_path)
    monkeypatch.setattr(jax, "jit", lambda *args, **kwargs: (_ for _ in ()).throw(ValueError("NCC_IXGM002")))
    with pytest.raises(LaunchError, match="NCC_IXGM002; set NEURON_LOGICAL_NC_CONFIG=1") as caught:
        launcher.run(updating(), [x, y], TABLE)
    assert caught.value.lost == ()
    assert not x.is_deleted()


@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (RuntimeError("RESOURCE_EXHAUSTED: 3 GiB"), MemoryError, "memory does not suffice"),
        (RuntimeError("failed to allocate 5 bytes"), MemoryError, "memory does not suffice"),
        (RuntimeError("NRT_INIT failed"), LaunchError, "neuron-ls"),
        (ValueError("unsupported NEFF version"), LaunchError, "one release of the SDK"),
        (AssertionError("whatever"), LaunchError, "AssertionError: whatever; .*doctor"),
        (MemoryError("host"), MemoryError, "^host$"),
    ],
)
def test_errors_are_translated(error, kind, said):
    with pytest.raises(kind, match=said), translated("it"):
        raise error
    with pytest.raises(KeyboardInterrupt), translated("it"):
        raise KeyboardInterrupt


def test_environment_of_programs(monkeypatch):
    environment.prepare("trn1")
    found = {variable: environment.os.environ.get(variable) for variable in VARIABLES[:3]}
    assert list(found.values()) == ["trn1", "--auto-cast=none", "1"]
    environment.prepare("trn1")  # and once more changes nothing
    assert found == {variable: environment.os.environ.get(variable) for variable in VARIABLES[:3]}


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("NEURON_CC_FLAGS", "-O1 --auto-cast=all", "has --auto-cast=all, which changes results"),
        ("NEURON_CC_FLAGS", "--auto-cast matmult -O1", "has --auto-cast=matmult"),
        ("NEURON_LOGICAL_NC_CONFIG", "2", "is '2', but programs run on one physical core; set it to 1"),
        ("NEURON_RT_STOCHASTIC_ROUNDING_EN", "1", "makes casts random; unset it"),
        ("NEURON_PLATFORM_TARGET_OVERRIDE", "gen4", "is 'gen4', but the device is of trn2"),
        ("NEURON_PLATFORM_TARGET_OVERRIDE", "trn9", "is one of trn1, inf2, .* got 'trn9'"),
    ],
)
def test_environments_that_would_make_results_wrong(monkeypatch, variable, value, said):
    monkeypatch.setenv(variable, value)
    with pytest.raises(ValueError, match=said):
        environment.prepare("trn2")


@pytest.mark.parametrize("said", ["--auto-cast=none -O1", "--auto-cast none"])
def test_flags_that_say_it_already(said):
    assert environment.compiler_flags(said) == said


def test_fingerprints_tell_apart_all_that_programs_depend_on(monkeypatch):
    def keys():
        fingerprint._versions.cache_clear()
        fingerprint._kernels.cache_clear()
        return fingerprint.fingerprint(adding(), "trn2")

    found = {keys(), fingerprint.fingerprint(adding(), "trn3"), fingerprint.fingerprint(adding("bfloat16"), "trn2")}
    monkeypatch.setenv("NEURON_CC_FLAGS", "-O1")
    found.add(keys())
    for name in fingerprint.DISTRIBUTIONS:
        with monkeypatch.context() as patch:
            patch.setattr(fingerprint, "installed", lambda distribution, name=name: "99" if distribution == name else None)
            found.add(keys())
    assert len(found) == 4 + len(fingerprint.DISTRIBUTIONS)
    before = keys()
    assert keys() == before
    monkeypatch.setattr(fingerprint.Path, "read_bytes", lambda path: b"changed")
    assert keys() != before
    monkeypatch.undo()
    keys()


def test_the_launchers_have_what_the_protocol_asks():
    names = {"name", "target", "statistics", "to_device", "to_host", "run", "call"}
    assert names <= set(dir(numpy_arrays.compiled("trn2")))
    assert names <= {*dir(jax_arrays.JaxLauncher), "target"}
    assert not isa.is_real(), "kernels here are written against the simulator"


def test_threads_compile_for_their_own_targets(monkeypatch, switching):
    calls, nki = recording(monkeypatch, numpy_arrays), Nki()
    launchers = [numpy_arrays.simulated_by_nki(nki, target) for target in ("trn1", "trn2", "trn3")]

    def work(launcher):
        for _ in range(10):
            (found,) = launcher.run(adding(), [X, Y], NO_TABLE)
            np.testing.assert_array_equal(found, X + Y)

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(work, launchers))
    assert sorted(call[1] for call in calls) == ["trn1"] * 10 + ["trn2"] * 10 + ["trn3"] * 10
    assert "NEURON_PLATFORM_TARGET_OVERRIDE" not in environment.os.environ
