"""The suite ``numpy``: a short file of NumPy's own tests, and one of ours, run on trnarray; `make conformance` runs all of NumPy's."""

import builtins
import importlib
from argparse import Namespace
from pathlib import Path

import numpy as np
import pytest

from trnarray.backends.device import CPU
from trnarray.conformance.numpy_tests.edits import EDITS, edited
from trnarray.conformance.numpy_tests.exclusions import EXCLUSIONS
from trnarray.conformance.numpy_tests.modules import importing, numpy_modules
from trnarray.conformance.report import Report
from trnarray.conformance.suite import SuiteError
from trnarray.conformance.suites import numpy as suite

OPTIONS = {"fallback": "warn", "defaults": "numpy", "one_layout_in": None, "jobs": "1", "select": None}


def test_numpys_tests_pass():
    report = Report("numpy", "cpu")
    suite.run(report, CPU, Namespace(only="test_helper.py", **OPTIONS))
    assert report.ok, report.table()
    figures = report.figures["test_helper.py"]
    assert figures["share"] >= 0.9
    assert figures["passed"] + figures["excluded"] == figures["collected"]


def test_every_file_has_its_exclusions():
    assert [Path(file).name for file in suite.FILES] == list(EXCLUSIONS)
    assert EDITS.keys() <= EXCLUSIONS.keys()


def outcomes_of(tmp_path, text):
    path = tmp_path / "test_einsum.py"
    path.write_text(text)
    options = Namespace(**OPTIONS)
    return {outcome.name.rpartition(":")[2]: outcome for outcome in suite._outcomes(path, CPU, options)}


def test_the_tests_run_on_our_arrays(tmp_path):
    text = """
import numpy as np
from numpy import linalg
from numpy.fft import fft
from numpy.linalg import norm
from numpy.testing import assert_allclose

class Plain(np.ndarray):
    pass

class TestEinsum:
    array = np.array
    edited = np.arange(9, dtype=object)

    def test_names(self):
        for x in (np.ones(2), linalg.inv(np.eye(2)), fft([1, 2]), norm([3, 4]), self.array([1], dtype=float), np.arange(3).view(Plain)):
            assert type(x).__module__ == "trnarray", type(x)

    def test_assertions_take_our_arrays(self):
        assert_allclose(np.ones(2), [1, 1])

    def test_texts_are_edited(self):
        assert self.edited.dtype == np.int_

    def test_failures_are_seen(self):
        assert_allclose(np.ones(2), [1, 2])

    def test_einsum_sums_object(self):
        np.array([None])

    def test_einsum_sums_longdouble(self):
        pass
"""
    got = outcomes_of(tmp_path, text)
    assert {name: outcome.status for name, outcome in got.items()} == {
        "test_names": "passed",
        "test_assertions_take_our_arrays": "passed",
        "test_texts_are_edited": "passed",
        "test_failures_are_seen": "failed",
        "test_einsum_sums_object": "xfailed",
        "test_einsum_sums_longdouble": "failed",  # it passes, and the table of exclusions says that it cannot
    }
    assert "object" in got["test_einsum_sums_object"].reason


def test_an_edit_that_no_longer_applies_is_an_error():
    assert edited("x = np.array([None])", {"None": "1"}, complete=False) == "x = np.array([1])"
    assert edited("x = 1", {"None": "1"}, complete=False) == "x = 1"
    with pytest.raises(LookupError, match="no text 'None', which is to become '1'"):
        edited("x = 1", {"None": "1"}, complete=True)


@pytest.mark.parametrize(
    "statements",
    [
        "import numpy.linalg as linalg",
        "from numpy import linalg",
        "import numpy\nlinalg = numpy.linalg",
        "def get():\n from numpy import linalg\n return linalg\nlinalg = get()",
    ],
)
def test_modules_are_swapped_for_the_code_that_imports_them_only(statements):
    names = {"__builtins__": vars(builtins) | {"__import__": importing(numpy_modules())}}
    exec(f"import numpy as np\n{statements}", names)  # noqa: S102
    assert names["np"].ones(1).device == "cpu"
    assert names["linalg"] is names["np"].linalg
    assert names["linalg"].norm is not np.linalg.norm
    assert names["np"].ma is np.ma
    assert importlib.import_module("numpy") is np


def test_a_file_that_cannot_be_run_is_an_error(tmp_path):
    with pytest.raises(SuiteError, match="stopped with status 2"):
        outcomes_of(tmp_path, "raise RuntimeError")


def test_a_pattern_that_names_nothing_is_refused():
    with pytest.raises(SuiteError, match="no file is named test_core.py"):
        suite.run(Report("numpy", "cpu"), CPU, Namespace(only="test_core.py", **OPTIONS))


def test_numpy_without_its_tests_is_named(monkeypatch):
    monkeypatch.setattr(suite, "FILES", ("linalg/tests/test_absent.py",))
    with pytest.raises(SuiteError, match="without its tests"):
        suite.run(Report("numpy", "cpu"), CPU, Namespace(only="*", **OPTIONS))
