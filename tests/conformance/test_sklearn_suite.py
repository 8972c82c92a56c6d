"""The suite ``sklearn``: the plugin puts trnarray among the namespaces of scikit-learn's tests."""

from argparse import Namespace

import pytest

from trnarray.backends.device import CPU
from trnarray.conformance.report import Report
from trnarray.conformance.suite import SuiteError

sklearn = pytest.importorskip("sklearn")
suite = pytest.importorskip("trnarray.conformance.suites.sklearn")
pytestmark = pytest.mark.skipif(tuple(map(int, sklearn.__version__.split(".")[:2])) < suite._OLDEST, reason="for newer tests")
TESTS = """
import os
import pytest
import trnarray
from sklearn.utils._array_api import yield_mixed_namespace_input_permutations, yield_namespace_device_dtype_combinations, yield_namespaces

@pytest.mark.parametrize("namespace, device, dtype", yield_namespace_device_dtype_combinations())
def test_failures_are_seen(namespace, device, dtype):
    assert (namespace, device, dtype) == ("trnarray", None, "float64")

@pytest.mark.parametrize("namespace, device, dtype", yield_namespace_device_dtype_combinations())
def test_host_transfers_are_allowed(namespace, device, dtype):
    assert trnarray.get_config().host_transfer == "allow"

@pytest.mark.parametrize("namespace", yield_namespaces(include_numpy_namespaces=False))
def test_namespaces(namespace):
    assert namespace == "trnarray" and os.environ["SCIPY_ARRAY_API"] == "1"

@pytest.mark.parametrize("source, target", [pytest.param(a, b, id=name) for a, b, name in yield_mixed_namespace_input_permutations()])
def test_mixed(source, target):
    assert {source.xp, target.xp} == {"trnarray", "numpy"}

@pytest.mark.parametrize("namespace", ["numpy"])
def test_of_another_namespace(namespace):
    raise AssertionError("not to be run")

def test_of_none():
    raise AssertionError("not to be run")
"""


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A folder like scikit-learn's with tests of ours, of which one file has nothing for other namespaces."""
    folder = tmp_path / "package" / "utils" / "tests"
    folder.mkdir(parents=True)
    (folder / "test_ours.py").write_text(TESTS)
    (folder / "test_others.py").write_text("raise RuntimeError('not to be imported')")
    monkeypatch.setattr(suite.sklearn, "__file__", str(tmp_path / "package" / "__init__.py"))
    return tmp_path


def test_tests_of_many_namespaces_run_on_ours(root):
    report = Report("sklearn", "cpu")
    suite.run(report, CPU, Namespace(jobs="1", select=None))
    assert [note.name.rpartition("::")[2] for note in report.notes] == ["test_failures_are_seen[trnarray-None-float32]"], report.table()
    assert (report.counts["passed"], report.counts["failed"]) == (6, 1)


def test_old_versions_are_named(monkeypatch):
    monkeypatch.setattr(suite.sklearn, "__version__", "1.6.0")
    with pytest.raises(SuiteError, match="scikit-learn 1.6.0 is too old; install 1.9 or newer"):
        suite.run(Report("sklearn", "cpu"), CPU, Namespace(jobs="1", select=None))


def test_scikit_learn_without_its_tests_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(suite.sklearn, "__file__", str(tmp_path / "__init__.py"))
    with pytest.raises(SuiteError, match="without its tests"):
        suite.run(Report("sklearn", "cpu"), CPU, Namespace(jobs="1", select=None))
