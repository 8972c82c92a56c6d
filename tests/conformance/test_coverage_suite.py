"""Suite coverage: what it finds for functions whose kernels are known, that a fallback shows, and its exit status."""

import json

import pytest

from trnarray.backends.device import parse_device
from trnarray.backends.op import get_op
from trnarray.conformance import __main__ as command
from trnarray.conformance.function_table.native import NATIVE
from trnarray.conformance.suites.coverage import Finding, probe

DEVICE = "sim:trn2"


def outcomes(name):
    return {dtype.name: finding.outcome for dtype, finding in probe(name, parse_device(DEVICE), 3).items()}


def test_a_kernel_and_what_a_device_only_carries():
    found = outcomes("add")
    assert {found[dtype.name] for dtype in NATIVE} == {"kernel"}
    assert (found["float64"], found["uint64"]) == ("kernel", "kernel")
    assert outcomes("linalg.eigvals")["float64"] == "host"


def test_moves_are_native_for_carried_dtypes():
    assert set(outcomes("tile").values()) == {"kernel"}


def test_a_dtype_that_a_function_refuses():
    assert outcomes("bitwise_and")["float32"] == "none"


def test_a_fallback_shows(monkeypatch):
    monkeypatch.setattr(get_op("roll"), "neuron", None)
    findings = probe("roll", parse_device(DEVICE), 2)
    assert {finding.outcome for finding in findings.values()} == {"host"}
    assert all("roll: it has no kernel yet" in finding.reasons for finding in findings.values())


@pytest.mark.parametrize(
    ("native", "fallbacks", "ops", "outcome"),
    [(0, 0, 0, "none"), (2, 0, 1, "kernel"), (2, 0, 3, "composed"), (1, 1, 1, "partly"), (0, 2, 0, "host")],
)
def test_outcomes(native, fallbacks, ops, outcome):
    finding = Finding()
    finding.native, finding.fallbacks, finding.ops = native, fallbacks, ops
    assert finding.outcome == outcome


def test_exit_status_and_figures(monkeypatch, tmp_path, capsys):
    arguments = ["coverage", "--device", DEVICE, "--only", "roll", "--only", "tile", "--max-examples", "2"]
    path = tmp_path / "report.json"
    table = tmp_path / "coverage.md"
    assert command.main([*arguments, "--require-native", "--json", str(path), "--page", str(table)]) == 0
    figures = json.loads(path.read_text())["figures"]
    assert figures["kernel, function x native dtype"] == 2 * len(NATIVE)
    assert table.read_text().count("| K " * len(NATIVE)) == 2
    monkeypatch.setattr(get_op("roll"), "neuron", None)
    assert command.main(arguments) == 1
    assert "roll: it has no kernel yet" in capsys.readouterr().out


def test_what_other_namespaces_lack_fails_on_request(monkeypatch, capsys):
    monkeypatch.setattr(get_op("linalg.diagonal"), "neuron", None)
    arguments = ["coverage", "--device", DEVICE, "--only", "linalg.diagonal", "--only", "tile", "--max-examples", "1"]
    assert command.main(arguments) == 0
    assert command.main([*arguments, "--require-native"]) == 1
    assert "linalg.diagonal: it has no kernel yet" in capsys.readouterr().out


def test_the_host_is_refused(capsys):
    assert command.main(["coverage", "--device", "cpu"]) == 2
    assert "sim:trn2" in capsys.readouterr().err


def test_indices_have_the_default_dtype():
    assert (outcomes("put")["uint32"], outcomes("ravel_multi_index")["int32"]) == ("kernel", "kernel")
