"""The command line, the report and the table of suites, with suites made for the purpose."""

import json
import subprocess
import sys
from types import SimpleNamespace

import pytest

from trnarray.conformance import __main__ as command
from trnarray.conformance.report import STATUSES, Report
from trnarray.conformance.suite import SUITES, Entry, SuiteError, load_suite

KEYS = ["suite", "device", "passed", "failed", "errors", "skipped", "xfailed", "seconds", "figures"]


@pytest.fixture
def fake(monkeypatch):
    """Put a suite into the table that reports what it is told to."""

    def install(*outcomes, error=None):
        seen = SimpleNamespace(options=None, device=None)

        def run(report, device, options):
            seen.options, seen.device = options, device
            if error is not None:
                raise SuiteError(error)
            for outcome in outcomes:
                report.add(*outcome)
            report.figures["computed"] = 7

        module = SimpleNamespace(add_arguments=lambda parser: parser.add_argument("--own", default="o"), run=run)
        monkeypatch.setitem(SUITES, "fake", Entry("a.fake", "reports what it is told to", 5))
        monkeypatch.setitem(sys.modules, "a.fake", module)
        return seen

    return install


def test_exit_status_and_json_of_a_suite_that_passes(fake, tmp_path, capsys):
    seen = fake(("one",), ("two", "skipped", "not here"), ("three", "xfailed", "known"))
    assert command.main(["fake", "--json", str(tmp_path / "out.json"), "--device", "cpu", "--max-examples", "3", "--own", "p"]) == 0
    written = json.loads((tmp_path / "out.json").read_text())
    assert list(written) == KEYS
    assert written["figures"] == {"computed": 7}
    assert (written["suite"], written["device"]) == ("fake", "cpu")
    assert [written[status] for status in STATUSES] == [1, 0, 0, 1, 1]
    assert (seen.options.max_examples, seen.options.own, str(seen.device)) == (3, "p", "cpu")
    shown = capsys.readouterr().out
    assert "not here" in shown
    assert "known" in shown
    assert "one\n" not in shown


@pytest.mark.parametrize("status", ["failed", "errors"])
def test_one_failure_decides_and_its_reason_is_shown(fake, status, capsys):
    fake(("one",), ("add[int8]", status, "1 is not 2\nxp.add(x0, x1)"))
    assert command.main(["fake"]) == 1
    assert f"{status:<8}add[int8]\n        1 is not 2\n        xp.add(x0, x1)" in capsys.readouterr().out


@pytest.mark.parametrize("outcomes", [(), (("one", "skipped", "not here"),)])
def test_nothing_run_is_no_success(fake, outcomes, capsys):
    fake(*outcomes)
    assert command.main(["fake"]) == 1
    assert "nothing ran" in capsys.readouterr().out


def test_options_may_come_before_the_suite_and_have_defaults(fake):
    seen = fake(("one",))
    assert command.main(["--device", "cpu", "fake"]) == 0
    assert seen.options.max_examples == 5
    assert seen.options.own == "o"


def test_a_suite_that_cannot_run_says_why(fake, capsys):
    fake(error="clone it first")
    assert command.main(["fake"]) == 2
    assert capsys.readouterr().err == "python -m trnarray.conformance: clone it first\n"


@pytest.mark.parametrize(("device", "word"), [("gpu", "gpu"), ("trn:9999", "cannot be opened")])
def test_devices_that_cannot_compute_are_refused(fake, device, word, capsys):
    fake(("one",))
    assert command.main(["fake", "--device", device]) == 2
    assert word in capsys.readouterr().err


@pytest.mark.parametrize("argv", [[], ["no-such-suite"], ["fake", "--max-examples", "0"], ["fake", "--no-such-option"]])
def test_wrong_command_lines(fake, argv, capsys):
    fake(("one",))
    with pytest.raises(SystemExit) as exit_:
        command.main(argv)
    assert exit_.value.code == 2
    assert "usage: python -m trnarray.conformance" in capsys.readouterr().err


def test_help_lists_the_suites(capsys):
    with pytest.raises(SystemExit):
        command.main(["--help"])
    shown = capsys.readouterr().out
    for name, entry in SUITES.items():
        assert name in shown
        assert entry.summary in shown


def test_every_suite_of_the_table_is_a_suite():
    for name in SUITES:
        suite = load_suite(name)
        assert callable(suite.run)
        assert callable(suite.add_arguments)


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(SUITES, "fake", Entry("no_such_package.suite", "", 1))
    with pytest.raises(SuiteError, match="needs the package 'no_such_package'"):
        load_suite("fake")


def test_it_runs_as_a_module(tmp_path):
    target = tmp_path / "out.json"
    done = subprocess.run(
        [sys.executable, "-m", "trnarray.conformance", "hypothesis", "--only", "add", "--max-examples", "1", "--json", target],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert list(json.loads(target.read_text())) == KEYS


def test_a_reason_is_demanded():
    with pytest.raises(ValueError, match="without a reason"):
        Report("s", "cpu").add("one", "failed", " ")


def test_a_common_reason_is_given_once():
    report = Report("s", "cpu")
    for name in ("one", "two"):
        report.add(name, "skipped", "not here")
    assert report.table().startswith("skipped one\nskipped two\n        not here\n\n")
