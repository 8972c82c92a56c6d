"""The suite ``numpy``: NumPy's own tests run on trnarray, and those that do not pass have a reason that still holds."""

import importlib
from argparse import Namespace
from pathlib import Path

import numpy as np
import pytest

from trnarray.backends.device import CPU
from trnarray.conformance.report import Report
from trnarray.conformance.suite import SuiteError
from trnarray.conformance.suites import numpy as suite
from trnarray.conformance.swap.edits import EDITS
from trnarray.conformance.swap.exclusions import EXCLUSIONS
from trnarray.conformance.swap.modules import Swapped, swapped

SLOW = {"test_linalg.py"}
# A sixth of the tests of indexing is about arrays of objects, text and records, and about subclasses.
SHARES = dict.fromkeys(EXCLUSIONS, 0.9) | {"test_indexing.py": 0.85}


@pytest.mark.parametrize("file", [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in EXCLUSIONS])
def test_numpys_tests_pass(file):
    report = Report("numpy", "cpu")
    suite.run(report, CPU, Namespace(only=file))
    assert report.ok, report.table()
    assert not report.counts["failed"], report.table()
    figures = report.figures[file]
    assert figures["share"] >= SHARES[file]
    assert figures["passed"] + figures["excluded"] == figures["collected"]


def test_every_file_has_its_exclusions():
    assert [Path(file).name for file in suite.FILES] == list(EXCLUSIONS)
    assert EDITS.keys() <= EXCLUSIONS.keys()


def outcomes_of(tmp_path, text):
    path = tmp_path / "test_einsum.py"
    path.write_text(text)
    return {outcome.name.rpartition(":")[2]: outcome for outcome in suite._outcomes(path, CPU)}


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

    def test_names(self):
        for x in (np.ones(2), linalg.inv(np.eye(2)), fft([1, 2]), norm([3, 4]), self.array([1], dtype=float), np.arange(3).view(Plain)):
            assert type(x).__module__ == "trnarray", type(x)

    def test_assertions_take_our_arrays(self):
        assert_allclose(np.ones(2), [1, 1])

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
        "test_failures_are_seen": "failed",
        "test_einsum_sums_object": "xfailed",
        "test_einsum_sums_longdouble": "failed",  # it passes, and the table of exclusions says that it cannot
    }
    assert "object" in got["test_einsum_sums_object"].reason


def test_modules_are_swapped_during_the_import_only():
    with swapped():
        inside = importlib.import_module("numpy")
        assert isinstance(inside, Swapped)
        assert inside.ones(1).device == "cpu"
        assert inside.linalg.norm is not np.linalg.norm
        assert inside.ma is np.ma
    assert importlib.import_module("numpy") is np


@pytest.mark.parametrize(("text", "match"), [("raise RuntimeError", "stopped with status 2"), ("", "stopped with status 5")])
def test_a_file_that_cannot_be_run_is_an_error(tmp_path, text, match):
    with pytest.raises(SuiteError, match=match):
        outcomes_of(tmp_path, text)


def test_a_pattern_that_names_nothing_is_refused():
    with pytest.raises(SuiteError, match="no file is named test_core.py"):
        suite.run(Report("numpy", "cpu"), CPU, Namespace(only="test_core.py"))


def test_numpy_without_its_tests_is_named(monkeypatch):
    monkeypatch.setattr(suite, "FILES", ("linalg/tests/test_absent.py",))
    with pytest.raises(SuiteError, match="without its tests"):
        suite.run(Report("numpy", "cpu"), CPU, Namespace(only="*"))
