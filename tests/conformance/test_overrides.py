"""The suite ``overrides``: it passes in full, and it finds what it is there to find."""

from argparse import Namespace

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.device import CPU
from trnarray.conformance.overrides.calls import CALLS
from trnarray.conformance.overrides.functions import overridable_functions
from trnarray.conformance.report import Report
from trnarray.conformance.suite import SuiteError
from trnarray.conformance.suites import overrides
from trnarray.numpy_protocol import REFUSED, RETURNS

NUMPY = tuple(map(int, np.__version__.split(".")[:2]))


def report_of(*patterns):
    report = Report("overrides", "cpu")
    overrides.run(report, CPU, Namespace(only=list(patterns)))
    return report


def test_everything_that_can_be_overridden_is():
    report = report_of("*")
    assert report.ok, report.table()
    figures = report.figures
    assert figures["silent_ndarrays"] == 0
    assert figures["refused"] <= 55
    assert figures["computed"] >= (291 if NUMPY >= (2, 5) else 289)
    assert figures["computed"] + figures["refused"] == len(overridable_functions())
    assert figures["ufuncs"] >= 320
    assert figures["ufunc_cells"] > 60_000


def test_the_tables_name_what_numpy_has():
    names = set(overridable_functions())
    assert not REFUSED.keys() & RETURNS.keys()
    assert set(CALLS) == set(RETURNS)
    assert names <= RETURNS.keys() | REFUSED.keys()
    if NUMPY >= (2, 5):
        assert names == (RETURNS.keys() | REFUSED.keys()) - {"in1d"}


def sabotage(monkeypatch, func, spoiled):
    """Have one of NumPy's functions give something else on Arrays."""
    original = xp.Array.__array_function__

    def hook(self, called, types, args, kwargs):
        if called is func:
            return spoiled(lambda: original(self, called, types, args, kwargs), args, kwargs)
        return original(self, called, types, args, kwargs)

    monkeypatch.setattr(xp.Array, "__array_function__", hook)


def swallowed(call):
    try:
        return call()
    except TypeError:
        return xp.ones(3)


@pytest.mark.parametrize(
    ("func", "spoiled", "text", "silent"),
    [
        (np.flip, lambda call, args, kwargs: np.asarray(call()), "is a ndarray, not an Array", True),
        (np.hsplit, lambda call, args, kwargs: [np.asarray(x) for x in call()], "[0] is a ndarray, not an Array", True),
        (np.flip, lambda call, args, kwargs: call() + 1, "where NumPy gives", False),
        (np.flip, lambda call, args, kwargs: call().copy(), "does not share memory", False),
        (np.swapaxes, lambda call, args, kwargs: call().astype(np.complex64), "is complex64", False),
        (np.hsplit, lambda call, args, kwargs: tuple(call()), "is a tuple of 2, where NumPy gives a list of 2", False),
        (np.unique_counts, lambda call, args, kwargs: tuple(call()), "with the fields", False),
        (np.ndim, lambda call, args, kwargs: xp.asarray(call()), "where NumPy gives", False),
        (np.allclose, lambda call, args, kwargs: not call(), "where NumPy gives", False),
        (np.put, lambda call, args, kwargs: None, "operand 0 after the call", False),
        (np.save, lambda call, args, kwargs: None, "where NumPy gives b", False),
        (np.bincount, lambda call, args, kwargs: swallowed(call), "gives a result, where NumPy raises TypeError", False),
        (np.vander, lambda call, args, kwargs: xp.vander(args[0], **kwargs), "by keyword: raises IndexError", False),
    ],
)
def test_what_is_wrong_is_found(monkeypatch, func, spoiled, text, silent):
    sabotage(monkeypatch, func, spoiled)
    report = report_of(func.__name__)
    assert not report.ok
    assert any(text in note.reason for note in report.notes), report.table()
    assert bool(report.figures["silent_ndarrays"]) is silent


def test_a_refused_function_that_gives_a_result_is_found(monkeypatch):
    sabotage(monkeypatch, np.is_busday, lambda call, args, kwargs: None)
    report = report_of("is_busday")
    assert "gives a result" in report.notes[0].reason
    assert report.figures["refused"] == 0


@pytest.mark.parametrize(
    ("spoiled", "text"),
    [
        (np.asarray, "is a ndarray"),
        (lambda result: result if result is None else result + result, "where NumPy gives"),
        (lambda result: (result, result), "where NumPy gives"),
    ],
)
@pytest.mark.parametrize("method", ["__call__", "reduce", "accumulate", "outer", "reduceat"])
def test_what_is_wrong_with_a_ufunc_is_found(monkeypatch, method, spoiled, text):
    original = xp.Array.__array_ufunc__

    def hook(self, ufunc, called, *inputs, **kwargs):
        result = original(self, ufunc, called, *inputs, **kwargs)
        return spoiled(result) if called == method and ufunc is np.subtract else result

    monkeypatch.setattr(xp.Array, "__array_ufunc__", hook)
    report = report_of("subtract")
    assert [note.name for note in report.notes] == [f"numpy.subtract.{method}"]
    assert text in report.notes[0].reason


def test_a_pattern_that_names_nothing_is_refused():
    with pytest.raises(SuiteError, match="no function or ufunc is named sums"):
        report_of("sums")
