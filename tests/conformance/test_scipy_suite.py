"""The suite ``scipy``: tests like SciPy's own run on Arrays, and what SciPy converts is told from what tests convert.

`make conformance` runs the suite itself.
"""

from argparse import Namespace
from pathlib import Path

import pytest

from trnarray.backends.device import CPU, parse_device
from trnarray.conformance.report import Report
from trnarray.conformance.scipy_tests.exclusions import EXCLUSIONS, ON_NEURON
from trnarray.conformance.scipy_tests.offload_exclusions import LONG, OFFLOADED
from trnarray.conformance.suite import SuiteError
from trnarray.conformance.suites import scipy as suite

scipy = pytest.importorskip("scipy")
pytestmark = pytest.mark.skipif(tuple(map(int, scipy.__version__.split(".")[:2])) < (1, 17), reason="for the tests of SciPy from 1.17 on")
OPTIONS = {"fallback": "allow", "jobs": "1", "select": None, "offload": False}
CONFTEST = """
import pytest

@pytest.fixture
def xp(request):
    return request.param
"""
TESTS = """
import numpy as np
import pytest
import scipy.linalg

def test_namespace(xp):
    assert xp.__name__ == "trnarray"

def test_devices_are_a_list(xp, devices):
    assert isinstance(devices, list) and devices[-1] is None

def test_own_conversion(xp):
    assert np.asarray(xp.ones(2)).sum() == 2

def test_conversion_by_scipy(xp):
    assert scipy.linalg.det(xp.ones((2, 2))) == 0

def test_failures_are_seen(xp):
    assert xp.ones(1) == 2

def test_without_namespace():
    raise AssertionError("not to be run")

def test_not_our_namespace(numbers):
    raise AssertionError("not to be run")
"""


OFFLOADED_TESTS = """
import numpy as np
import scipy.fft
import trnarray

def test_on_the_device():
    x = np.arange(8.0)
    assert np.allclose(scipy.fft.fft(x), np.fft.fft(x), rtol=1e-13)
    assert trnarray.coverage().native["fft.fft"] == 1

def test_failures_are_seen():
    assert scipy.fft.fft([1.0])[0] == 2
"""


@pytest.fixture
def root(tmp_path):
    """A folder like SciPy's with tests of ours."""
    folder = tmp_path / "scipy" / "constants" / "tests"
    folder.mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / "conftest.py").write_text(CONFTEST + "\n@pytest.fixture(params=[1])\ndef numbers(request):\n    return 1\n\n")
    with (folder / "conftest.py").open("a") as file:
        file.write("@pytest.fixture\ndef devices(xp):\n    raise AssertionError('SciPy before 1.18 adds a list to a tuple')\n")
    (folder / "test_ours.py").write_text(TESTS)
    return tmp_path / "scipy"


@pytest.mark.parametrize(("action", "failed"), [("allow", {"failures_are_seen"}), ("error", {"failures_are_seen", "conversion_by_scipy"})])
def test_conversions_by_scipy_are_counted_and_refused(root, action, failed):
    report = Report("scipy", "cpu")
    found = suite._run_module(report, root, "constants", CPU, Namespace(host_transfer=action, **OPTIONS))
    assert {note.name.rpartition("::test_")[2].removesuffix("[trnarray]") for note in report.notes} == failed
    assert report.counts["passed"] == 5 - len(failed)
    assert found.total() == 1
    assert next(iter(found)).startswith("scipy.linalg.")


def test_exclusions_are_of_files_that_scipy_has():
    assert all((Path(scipy.__file__).parents[1] / file).is_file() for file in (*EXCLUSIONS, *ON_NEURON, *LONG, *OFFLOADED))


def test_transforms_of_ndarrays_are_offloaded(tmp_path):
    folder = tmp_path / "scipy" / "fft" / "tests"
    folder.mkdir(parents=True)
    (folder / "test_ours.py").write_text(OFFLOADED_TESTS)
    report = Report("scipy", "sim:trn2")
    suite._run_module(report, tmp_path / "scipy", "fft", parse_device("sim:trn2"), Namespace(**OPTIONS | {"offload": True}))
    assert [(note.name.rpartition("::")[2], note.status) for note in report.notes] == [("test_failures_are_seen", "failed")]
    assert report.counts["passed"] == 1


def test_scipy_without_its_tests_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(suite.scipy, "__file__", str(tmp_path / "__init__.py"))
    with pytest.raises(SuiteError, match="without its tests"):
        suite.run(Report("scipy", "cpu"), CPU, Namespace(module=None, host_transfer="allow", **OPTIONS))
