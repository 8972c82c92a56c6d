"""The suite ``consumers``: what is compared, what is skipped, and what is known to stand in the way."""

import json
from argparse import Namespace

import numpy as np
import pytest

import trnarray
from trnarray.backends.device import CPU
from trnarray.conformance import __main__ as command
from trnarray.conformance.consumers import array_api_compat
from trnarray.conformance.consumers.check import Consumer, compare, numbers
from trnarray.conformance.consumers.table import CONSUMERS
from trnarray.conformance.report import Report
from trnarray.conformance.suite import SuiteError
from trnarray.conformance.suites import consumers as suite


@pytest.mark.parametrize(
    ("call", "wrong"),
    [
        (lambda xp: numbers(xp, 3, 4), None),
        (lambda xp: (numbers(xp, 3), xp.asarray([1, 2])), None),
        (lambda xp: xp.sum(numbers(xp, 1000)), None),
        (lambda xp: xp.asarray([xp.nan, xp.inf, 1.0]), None),
        (lambda xp: np.ones(3), "numpy.ndarray in the place of an Array"),
        (lambda xp: xp.ones(3) if xp is np else xp.ones(3, device="sim:trn2"), "on sim:trn2 in the place of cpu"),
        (lambda xp: xp.ones(3 if xp is np else 2), "shape (2,) in the place of (3,)"),
        (lambda xp: xp.ones(3, dtype=float if xp is np else int), "dtype int64 in the place of float64"),
        (lambda xp: xp.ones(3) * (1 if xp is np else 1 + 1e-12), "is not"),
        (lambda xp: xp.asarray([1, 2 if xp is np else 3]), "is not"),
        (lambda xp: [xp.ones(1)] * (1 if xp is np else 2), "2 results in the place of 1"),
    ],
)
def test_comparison(call, wrong):
    found = compare(call)
    assert (found is None) if wrong is None else (wrong in found)


def test_operands_are_the_same_everywhere():
    assert np.array_equal(np.from_dlpack(numbers(trnarray, 5, 7)), numbers(np, 5, 7))
    assert numbers(np, 5).dtype == np.float64


@pytest.fixture
def table(monkeypatch):
    calls = {"same": lambda xp: numbers(xp, 3), "raises": lambda xp: xp.no_such_name, "numpy": lambda xp: np.ones(1)}
    found = Consumer("array-api-compat", "array_api_compat", lambda: calls, {"numpy": "it is NumPy's", "same": "it is not the same"})
    absent = Consumer("absent[array]", "absent.array", dict)
    monkeypatch.setattr(suite, "CONSUMERS", {"found": found, "absent": absent})


def test_outcomes(table):
    report = Report("consumers", "cpu")
    suite.run(report, CPU, Namespace(only="*", checkout=None))
    assert {note.name: (note.status, note.reason.partition(";")[0]) for note in report.notes} == {
        "found::same": ("failed", "it works, though it is on record that it is not the same"),
        "found::raises": ("failed", "AttributeError: module 'numpy' has no attribute 'no_such_name'"),
        "found::numpy": ("xfailed", "it is NumPy's"),
        "absent": ("skipped", "not installed"),
        "array-api-extra": ("skipped", "its tests need a checkout"),
    }
    assert report.figures["found"] | {"version": ""} == {"version": "", "passed": 0, "failed": 2, "transfers": 0}


def test_transfers_are_counted(monkeypatch):
    consumer = Consumer("array-api-compat", "array_api_compat", lambda: {"converts": lambda xp: xp.asarray(np.asarray(numbers(xp, 3)))})
    monkeypatch.setattr(suite, "CONSUMERS", {"converting": consumer})
    report = Report("consumers", "cpu")
    suite.run(report, CPU, Namespace(only="converting", checkout=None))
    assert report.figures["converting"]["transfers"] == 1


def test_every_limit_is_of_a_call():
    imported = {name: consumer for name, consumer in CONSUMERS.items() if consumer.limits and suite._installed(consumer.module)}
    assert all(consumer.limits.keys() <= consumer.checks().keys() for consumer in imported.values())


def test_helpers_of_array_api_compat():
    report = Report("consumers", "cpu")
    suite.run(report, CPU, Namespace(only="array-api-compat", checkout=None))
    assert report.ok, report.table()
    assert report.counts["passed"] == len(array_api_compat.checks())
    assert report.figures["array-api-compat"]["transfers"] == 0


LIBRARY = """
import pytest

@pytest.fixture(params=["numpy"])
def library(request):
    return request.param
"""
TESTS = """
import array_api_extra

def test_library(library):
    assert library.modname == "trnarray" and not library.like(1)
    assert array_api_extra.answer == 42

def test_failures_are_seen(library):
    raise ValueError("not so")

class TestNUnique:
    def test_delegates(self, library):
        raise ValueError("an exclusion")

def test_of_none():
    raise AssertionError("not to be run")
"""


@pytest.fixture
def checkout(tmp_path):
    """A folder like a checkout of array-api-extra, with tests of ours."""
    folder = tmp_path / "checkout" / "tests" / "main"
    source = tmp_path / "checkout" / "src" / "array_api_extra"
    folder.mkdir(parents=True)
    source.mkdir(parents=True)
    (source / "__init__.py").write_text("answer = 42")
    (folder / "conftest.py").write_text(LIBRARY)
    (folder / "test_set.py").write_text(TESTS)  # a file that has an exclusion
    return tmp_path / "checkout"


def test_array_api_extra(checkout, tmp_path, capsys):
    target = tmp_path / "out.json"
    arguments = ["consumers", "--only", "array-api-extra", "--checkout", str(checkout), "--json", str(target)]
    assert command.main(arguments) == 1
    written = json.loads(target.read_text())
    assert [written[status] for status in ("passed", "failed", "xfailed")] == [1, 1, 1], capsys.readouterr().out
    assert not [path for path in checkout.rglob("*") if path.name in ("__pycache__", ".pytest_cache")]


def test_what_is_no_checkout_is_named(tmp_path):
    with pytest.raises(SuiteError, match="is not a checkout of array-api-extra; make one with `git clone"):
        suite.run(Report("consumers", "cpu"), CPU, Namespace(only="array-api-extra", checkout=tmp_path))


def test_a_pattern_that_names_nothing_is_refused():
    with pytest.raises(SuiteError, match="no library is named pandas"):
        suite.run(Report("consumers", "cpu"), CPU, Namespace(only="pandas", checkout=None))
