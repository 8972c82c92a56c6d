"""What the doctor says of machines, made up and real."""

import json
import subprocess
import sys

import pytest

from trnarray.backends import isa
from trnarray.backends.device import Device, NeuronCores, NeuronHardware
from trnarray.backends.neuron import devices, doctor
from trnarray.backends.neuron.selftest import Facts, kept

VERSIONS = {"trnarray": "1", "nki": "0.7.0", "neuronx-cc": "2.28", "jax": "0.8", "jaxlib": "0.8", "libneuronxla": "3.0"}


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """A machine to configure."""
    monkeypatch.setenv("TRNARRAY_CACHE_DIR", str(tmp_path / "cache"))
    kept._known.clear()

    def configure(versions=VERSIONS, chips=(0, 1), nki="0.7.0", driver="2.31", runtime=True, cores=(16, "trn2")):
        hardware = NeuronHardware(chips, nki, "" if chips and nki else "nki 0.0.1 is not AWS's compiler but a placeholder")
        for module in (doctor, devices, isa, sys.modules["trnarray.backends.engine"]):
            monkeypatch.setattr(module, "neuron_hardware", lambda: hardware)
            monkeypatch.setattr(module, "neuron_cores", lambda: NeuronCores(*cores), raising=False)
        monkeypatch.setattr(doctor, "installed", versions.get)
        monkeypatch.setattr(doctor, "_DRIVER", str(tmp_path / "version"))
        monkeypatch.setattr(doctor, "_RUNTIME", str(tmp_path / "libnrt.so*"))
        monkeypatch.setattr(devices, "find_spec", lambda name: object() if name in versions else None)
        if driver:
            (tmp_path / "version").write_text(f"{driver}\n")
        if runtime:
            (tmp_path / "libnrt.so.1").touch()

    yield configure
    kept._known.clear()


def states():
    return {finding.name: finding.state for finding in doctor.parts()}


def test_a_whole_machine(machine):
    machine()
    assert set(states().values()) == {"ok"}
    text = {finding.name: finding.text for finding in doctor.parts()}
    assert text["chips"] == "2 chips, 16 NeuronCores of trn2"
    assert (text["driver"], text["nki"]) == ("2.31", "0.7.0")
    found = {str(device): launcher for device, launcher, _ in doctor.devices()}
    assert found == {
        **dict.fromkeys(("sim:trn1", "sim:trn2", "sim:trn3"), "nki.simulate"),
        **dict.fromkeys((f"trn:{core}" for core in range(16)), "nki.jit on JAX"),
    }


def test_a_bare_machine(machine):
    machine({"trnarray": "1"}, (), None, driver="", runtime=False, cores=(0, None))
    assert set(states().values()) == {"missing"}
    for finding in doctor.parts():
        assert "install it" in finding.text or "comes with" in finding.text or "use an EC2" in finding.text
    found = {str(device): (launcher, reason) for device, launcher, reason in doctor.devices()}
    assert found["sim:trn3"] == ("simulator", "")
    assert found["trn:0"][0] == ""
    assert "'trn:0' cannot be opened" in found["trn:0"][1]


def test_placeholders(machine):
    machine(VERSIONS | {"nki": "0.0.1", "neuronx-cc": "0.0.2"}, nki=None)
    found = states()
    assert (found["nki"], found["neuronx-cc"], found["jax"]) == ("placeholder", "placeholder", "ok")
    (text,) = [finding.text for finding in doctor.parts() if finding.name == "nki"]
    assert text == "0.0.1 is a placeholder of the public index; uninstall it, and install it from the Neuron package index"


def test_unknown_chips(machine):
    machine(cores=(0, None))
    assert doctor.parts()[-1].text == "2 chips, an unknown number of NeuronCores of an unknown generation"


def test_report(machine, monkeypatch, capsys, tmp_path):
    machine({"trnarray": "1"}, (), None, cores=(0, None))
    monkeypatch.setenv("NEURON_CC_FLAGS", "-O1")
    assert doctor.main([]) == 0
    said = capsys.readouterr().out
    for line in ("NEURON_CC_FLAGS=-O1", "pe_product                    exact", "Self-test of sim:trn2 (simulator)", "bfloat16 slices: yes"):
        assert line in said
    assert doctor.main(["--json", "--device", "sim:trn3"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["self-test"]["facts"]["dve_accumulator_bits"] == 24
    assert found["self-test"]["kept in"].startswith(str(tmp_path))
    assert found["cache"] == {"directory": str(tmp_path / "cache"), "programs": 0, "bytes": 0, "limit": 4 << 30}
    assert doctor.main(["--no-selftest"]) == 0
    assert "Self-test" not in capsys.readouterr().out


def test_refusals_are_said(machine, monkeypatch, capsys):
    machine({"trnarray": "1"}, (), None, cores=(0, None))
    monkeypatch.setattr(doctor, "facts", lambda device, anew: Facts(missing={"integers": "no such instruction"}))
    assert doctor.main([]) == 0
    said = capsys.readouterr().out
    assert "exact products by bfloat16 slices: refused, since the self-test did not find products of bfloat16 exact" in said
    assert "probe integers: no such instruction" in said
    assert "gpsimd_overflow               not measured" in said


@pytest.mark.parametrize(("name", "said"), [("trn:0", "cannot be opened"), ("cpu", "no self-test"), ("gpu", "there is no device")])
def test_devices_that_cannot_be_tested(machine, capsys, name, said):
    machine({"trnarray": "1"}, (), None, cores=(0, None))
    assert doctor.main(["--device", name]) == 1
    found = capsys.readouterr()
    assert said in found.err
    assert "Neuron SDK" in found.out


def test_as_a_module():
    command = [sys.executable, "-W", "error", "-m", "trnarray.backends.neuron.doctor", "--no-selftest"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Devices" in done.stdout


def test_default_device_is_hardware_where_it_can_be_used(machine, monkeypatch):
    machine()
    asked = []
    monkeypatch.setattr(doctor, "report", lambda device, anew=False: asked.append(device) or {})
    monkeypatch.setattr(doctor, "_written", lambda found: "")
    assert doctor.main([]) == 0
    assert asked == [Device("trn:0")]
