"""Suite `programs`: programs run with our modules, and other results are told."""

from argparse import ArgumentParser, Namespace

import pytest

from trnarray.backends.device import CPU, Device
from trnarray.conformance.report import Report
from trnarray.conformance.suite import SuiteError
from trnarray.conformance.suites import programs

RIGHT = """
import numpy as np
from scipy.special import expit

def load(host):
    return {"x": host.linspace(-1, 1, 12).reshape(3, 4), "times": 2}

def main(x, times):
    for _ in range(times):
        x = expit(x) - np.mean(x, axis=0)
    return {"x": x, "name": 3.0, "_iters": times}
"""
NAN = RIGHT.replace('"x": x,', '"x": x * (float("nan") if type(x).__name__ == "Array" else 1),')
WRONG = RIGHT.replace('"x": x,', '"x": x + (type(x).__name__ == "Array"),')
REFUSED = RIGHT.replace("expit(x)", "np.linalg.eigvals(x @ x.T)[:, np.newaxis]")


def run(tmp_path, device, **options):
    for number, text in enumerate((RIGHT, WRONG, REFUSED, NAN)):
        (tmp_path / f"p{number}.py").write_text(text)
    report = Report("programs", str(device))
    given = {"programs": tmp_path, "data": "float32", "fallback": "allow", "swap": "imports", "only": "*", "defaults": "numpy"} | options
    programs.run(report, device, Namespace(**given))
    return report, {note.name: note.status for note in report.notes}


@pytest.mark.parametrize("swap", ["imports", "arrays"])
@pytest.mark.parametrize("data", ["float32", "float64"])
def test_other_results_fail(tmp_path, swap, data):
    report, notes = run(tmp_path, CPU, swap=swap, data=data)
    assert notes == {"p1": "failed", "p3": "failed"}
    assert "error" in report.figures["p0"]


ROUNDED = """
import numpy as np

def load(host):
    return {"t": 1e9 + host.arange(4) * 64.0}

def main(t):
    return {"steps": t - t[0], "total": np.sum(1.0 / np.arange(1, 70001) ** 2)}
"""


@pytest.mark.parametrize(("defaults", "status"), [("native", {"p9": "xfailed"}), ("numpy", {})])
def test_programs_are_held_against_themselves_on_the_same_data(tmp_path, defaults, status):
    """Of float32, in which the steps of `t` are other ones; squares beyond int32 take NumPy's defaults."""
    (tmp_path / "p9.py").write_text(ROUNDED)
    report, notes = run(tmp_path, Device("sim:trn2"), defaults=defaults, only="p9")
    assert notes == status
    assert report.figures["defaults"] == defaults
    assert all("; so is NumPy with int32 and float32 for defaults: use --defaults numpy" in note.reason for note in report.notes)


@pytest.mark.parametrize("defaults", ["native", "numpy"])
def test_only_what_wraps_in_numpy_too_is_expected_to(tmp_path, defaults):
    """Other values fail under native defaults, too, beside integers that wrap; a sum beyond int32 is refused; float32 may be too short."""
    (tmp_path / "p9.py").write_text(ROUNDED.replace("t - t[0]", "t - t[0] + 999 * (type(t).__name__ == 'Array')"))
    (tmp_path / "p8.py").write_text(ROUNDED.replace("1.0 / np.arange(1, 70001) ** 2", "np.arange(1, 70001)"))
    (tmp_path / "p7.py").write_text(ROUNDED.replace("1.0 / np.arange(1, 70001) ** 2", "1.0 / np.arange(1, 4) + 1e9 - 1e9"))
    report, notes = run(tmp_path, Device("sim:trn2"), defaults=defaults, only="p[789]")
    assert notes == {"p9": "failed"} | ({"p7": "xfailed", "p8": "xfailed"} if defaults == "native" else {})
    assert all("OverflowError" in note.reason for note in report.notes if note.name == "p8")


def test_programs_run_under_numpys_defaults_unless_told_otherwise():
    parser = ArgumentParser()
    programs.add_arguments(parser)
    assert parser.parse_args([]).defaults == "numpy"


def test_a_device_tells_launches_and_refusals(tmp_path):
    report, notes = run(tmp_path, Device("sim:trn2"), fallback="error", defaults="native")
    assert notes == {"p1": "failed", "p2": "xfailed", "p3": "failed"}
    assert "1 launches of" in report.figures["p0"]
    assert "0 fallbacks" in report.figures["p0"]
    assert "eigvals" in next(note.reason for note in report.notes if note.name == "p2")


def test_needs_programs(tmp_path):
    with pytest.raises(SuiteError, match="--programs DIR"):
        run(tmp_path, CPU, programs=None)
