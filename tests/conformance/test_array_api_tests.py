"""Suite array-api-tests, on checkouts made for the purpose; the real one is run by the continuous integration."""

import json

import pytest

import trnarray
from trnarray.conformance import __main__ as command
from trnarray.conformance.suites import array_api_tests

VERSION = trnarray.__array_api_version__
CONFTEST = """
import os, pytest
def pytest_addoption(parser):
    for name in ("--max-examples", "--xfails-file", "--skips-file"):
        parser.addoption(name)
    parser.addoption("--disable-deadline", action="store_true")
"""
TESTS = """
import os, pytest
import trnarray
def test_environment(request):
    assert os.environ["ARRAY_API_TESTS_MODULE"] == "trnarray"
    assert os.environ["ARRAY_API_TESTS_VERSION"] == trnarray.__array_api_version__
    assert str(trnarray.asarray(1).device) == os.environ["TRNARRAY_DEVICE"] == "cpu"
    assert request.config.getoption("--max-examples") == "7"
    assert request.config.getoption("--disable-deadline")
@pytest.mark.parametrize("n", [1, 2])
def test_fails(n):
    def inner():
        raise ValueError("not so")
    assert n == 1 or inner()
def test_skipped():
    pytest.skip("no extension")
@pytest.mark.xfail(reason="known")
def test_xfailed():
    raise AssertionError
@pytest.fixture
def broken():
    raise RuntimeError("no fixture")
def test_error(broken):
    pass
"""


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    package = tmp_path / "checkout" / "array_api_tests"
    package.mkdir(parents=True)
    (tmp_path / "checkout" / "array-api" / "spec" / VERSION).mkdir(parents=True)
    (tmp_path / "checkout" / "conftest.py").write_text(CONFTEST)
    (package / "__init__.py").touch()
    (package / "test_it.py").write_text(TESTS)
    monkeypatch.setattr(array_api_tests, "_MODULES", {"pytest": "pytest"})
    return tmp_path / "checkout"


def run(checkout, tmp_path, *options):
    target = tmp_path / "out.json"
    status = command.main(["array-api-tests", "--checkout", str(checkout), "--max-examples", "7", "--json", str(target), *options])
    return status, json.loads(target.read_text()) if target.exists() else None


def test_counts_and_reasons_with_nothing_left_in_the_checkout(checkout, tmp_path, capsys):
    status, written = run(checkout, tmp_path)
    shown = capsys.readouterr().out
    assert status == 1, shown
    assert [written[key] for key in ("passed", "failed", "errors", "skipped", "xfailed")] == [2, 1, 1, 1, 1], shown
    assert written["figures"] == {"array_api_version": VERSION, "max_examples": 7}
    assert "failed  array_api_tests/test_it.py::test_fails[2]\n        ValueError: not so\n" in shown
    assert "errors  array_api_tests/test_it.py::test_error\n        RuntimeError: no fixture\n" in shown
    assert "no extension" in shown
    assert "known" in shown
    assert not {path.name for path in checkout.iterdir()} & {".hypothesis", ".pytest_cache"}


def test_selection_can_pass(checkout, tmp_path):
    status, written = run(checkout, tmp_path, "--select", "environment")
    assert (status, written["passed"]) == (0, 1)


@pytest.mark.parametrize(
    ("remove", "message"),
    [
        ("array_api_tests", "is not a checkout of array-api-tests; make one with `git clone --recurse-submodules"),
        ("array-api/spec", "lacks its submodule array-api; run `git submodule update --init`"),
        (f"array-api/spec/{VERSION}", f"does not know version {VERSION} of the standard"),
    ],
)
def test_incomplete_checkouts(checkout, tmp_path, remove, message, capsys):
    (checkout / remove).rename(checkout / "elsewhere")
    status, written = run(checkout, tmp_path)
    shown = capsys.readouterr().err
    assert (status, written) == (2, None)
    assert message in shown
    assert shown.count("\n") == 1


def test_missing_packages_are_named(checkout, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(array_api_tests, "_MODULES", {"no_such_module": "no-such-package"})
    assert run(checkout, tmp_path)[0] == 2
    assert "pip install no-such-package" in capsys.readouterr().err


def test_a_broken_run_is_no_result(checkout, tmp_path, capsys):
    (checkout / "conftest.py").write_text("raise RuntimeError('broken')")
    assert run(checkout, tmp_path) == (2, None)
    assert "stopped with status" in capsys.readouterr().err


def test_the_device_must_exist_before_anything_runs(checkout, tmp_path):
    assert run(checkout, tmp_path, "--device", "trn:99") == (2, None)
