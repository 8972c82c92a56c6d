"""Suite `programs`: programs run with our modules, and other results are told."""

from argparse import Namespace

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
    given = {"programs": tmp_path, "data": "float32", "fallback": "allow", "swap": "imports", "only": "*", "defaults": None} | options
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


@pytest.mark.parametrize(("defaults", "status"), [("native", {"p9": "failed"}), ("numpy", {})])
def test_programs_are_held_against_themselves_on_the_same_data(tmp_path, defaults, status):
    """Of float32, in which the steps of `t` are other ones; squares beyond int32 take NumPy's defaults."""
    (tmp_path / "p9.py").write_text(ROUNDED)
    _, notes = run(tmp_path, Device("sim:trn2"), defaults=defaults, only="p9")
    assert notes == status


def test_a_device_tells_launches_and_refusals(tmp_path):
    report, notes = run(tmp_path, Device("sim:trn2"), fallback="error")
    assert notes == {"p1": "failed", "p2": "xfailed", "p3": "failed"}
    assert "1 launches of" in report.figures["p0"]
    assert "0 fallbacks" in report.figures["p0"]
    assert "eigvals" in next(note.reason for note in report.notes if note.name == "p2")


def test_needs_programs(tmp_path):
    with pytest.raises(SuiteError, match="--programs DIR"):
        run(tmp_path, CPU, programs=None)
