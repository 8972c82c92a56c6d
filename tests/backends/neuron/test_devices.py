"""Which devices there are, and which launcher each gets, on machines made up from the driver's files and distributions."""

import sys

import pytest

import trnarray as xp
from trnarray.backends import device as device_module
from trnarray.backends import isa
from trnarray.backends.device import Device, NeuronHardware, neuron_cores
from trnarray.backends.engine import available_devices, engine_for
from trnarray.backends.neuron import devices
from trnarray.backends.neuron.launch import environment
from trnarray.backends.neuron.launch.simulated import SimulatedLauncher

from .launch.stand_in import Jax, Nki


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """A machine with chips, AWS's NKI and perhaps JAX."""
    for variable in ("PLATFORM_TARGET_OVERRIDE", "CC_FLAGS", "LOGICAL_NC_CONFIG", "RT_VISIBLE_CORES", "RT_STOCHASTIC_ROUNDING_EN"):
        monkeypatch.setenv(f"NEURON_{variable}", "")  # so that it is restored even if code under test sets it
        monkeypatch.delenv(f"NEURON_{variable}")
    monkeypatch.delenv("TRNARRAY_NKI", raising=False)

    def configure(chips=2, nki="0.7.0+g12", arch="v3", cores=8, jax=False):
        reason = "" if chips and nki else "nothing here"
        found = NeuronHardware(tuple(range(chips)), nki, reason)
        for module in (device_module, devices, isa, sys.modules["trnarray.backends.engine"]):
            monkeypatch.setattr(module, "neuron_hardware", lambda: found)
        for chip in range(chips):
            folder = tmp_path / f"neuron{chip}"
            (folder / "info" / "architecture").mkdir(parents=True)
            if cores:
                (folder / "core_count").write_text(f"{cores}\n")
            if arch:
                (folder / "info" / "architecture" / "arch_type").write_text(f"{arch}\n")
        monkeypatch.setattr(device_module, "_SYSFS", str(tmp_path))
        monkeypatch.setattr(isa, "nki", Nki())
        monkeypatch.setattr(devices, "find_spec", lambda name: object() if jax and name in ("jax", "libneuronxla") else None)
        if jax:
            monkeypatch.setitem(sys.modules, "jax", Jax())
            monkeypatch.setitem(sys.modules, "jax.experimental.serialize_executable", sys.modules["jax"])
        neuron_cores.cache_clear()

    yield configure
    neuron_cores.cache_clear()


@pytest.mark.parametrize(
    ("arch", "target"), [("v2", "trn1"), ("v3", "trn2"), ("v4", "trn3"), ("NCv3", "trn2"), ("v1", None), ("", None)]
)
def test_what_the_driver_says(machine, arch, target):
    machine(chips=2, arch=arch, cores=8)
    assert neuron_cores() == (16, target)


def test_listing(machine):
    machine(chips=1, arch="v2", cores=2)
    assert xp.devices() == available_devices() == ("cpu", "sim:trn1", "sim:trn2", "sim:trn3", "trn:0", "trn:1")


def test_listing_without_hardware(machine):
    machine(chips=0)
    assert available_devices() == ("cpu", "sim:trn1", "sim:trn2", "sim:trn3")


def test_launchers_with_numpy(machine):
    machine()
    assert devices.launcher_name(Device("trn:3")) == "nki.jit on NumPy"
    launcher = devices.launcher_for(Device("trn:3"))
    assert (launcher.name, launcher.target) == ("nki.jit on NumPy", "trn2")
    assert environment.os.environ["NEURON_RT_VISIBLE_CORES"] == "3"
    assert environment.os.environ["NEURON_CC_FLAGS"] == "--auto-cast=none"
    with pytest.raises(ValueError, match="NeuronCore 4 cannot be opened while .* is '3': without JAX"):
        devices.launcher_for(Device("trn:4"))


def test_launchers_with_jax(machine):
    machine(jax=True)
    launcher = devices.launcher_for(Device("trn:1"))
    assert (launcher.name, launcher.target, launcher._device.id) == ("nki.jit on JAX", "trn2", 1)
    with pytest.raises(ValueError, match="'trn:2' is none of the 2 that JAX finds"):
        devices.launcher_for(Device("trn:2"))


def test_launchers_of_simulated_devices(machine):
    machine()
    launcher = devices.launcher_for(Device("sim:trn1"))
    assert (launcher.name, launcher.target) == ("nki.simulate", "trn1"), "kernels are written against AWS's"


@pytest.mark.parametrize("version", ["simulator", None])
def test_launchers_of_simulated_devices_without_nki(machine, monkeypatch, version):
    machine(nki="0.7.0" if version else None)
    if version:
        monkeypatch.setenv("TRNARRAY_NKI", version)
    assert type(devices.launcher_for(Device("sim:trn1"))) is SimulatedLauncher


@pytest.mark.parametrize(
    ("name", "keywords", "variables", "said"),
    [
        ("trn:0", {"chips": 0}, {}, "'trn:0' cannot be opened: nothing here"),
        ("trn:16", {}, {}, "this machine has NeuronCores 0 to 15"),
        ("trn:0", {"nki": "0.6.0"}, {}, "nki is 0.6.0, kernels need 0.7 or newer"),
        ("trn:0", {"arch": "v1"}, {}, "does not tell the generation of its chips; set NEURON_PLATFORM_TARGET_OVERRIDE"),
        ("trn:0", {}, {"TRNARRAY_NKI": "simulator"}, "TRNARRAY_NKI has kernels written against the simulator; unset it"),
        ("trn:0", {}, {"NEURON_LOGICAL_NC_CONFIG": "2"}, "set it to 1"),
    ],
)
def test_devices_that_cannot_be_opened(machine, monkeypatch, name, keywords, variables, said):
    machine(**keywords)
    for variable, value in variables.items():
        monkeypatch.setenv(variable, value)
    with pytest.raises(ValueError, match=said):
        engine_for(Device(name))


def test_a_driver_that_says_nothing(machine, monkeypatch):
    machine(arch="", cores=0)
    monkeypatch.setenv("NEURON_PLATFORM_TARGET_OVERRIDE", "gen4")
    assert devices.launcher_for(Device("trn:0")).target == "trn3"
