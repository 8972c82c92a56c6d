"""Suite mutants, on a small tree: what is noticed, what is not, and that a seed gives the same mutants."""

from types import SimpleNamespace

import pytest

from trnarray.conformance import __main__ as command
from trnarray.conformance.suites import mutants as suite

MODULE = '''"""A module."""

LEAST: int = 3


def limited(x: int, most: int = 7) -> int:
    """Limit a number."""
    assert x < 100, "too large"
    if not x > LEAST:
        raise ValueError(f"{x + 1} is too small")
    return min(x, most) + 0 * x


def unseen(x):
    return x + 1
'''
TESTS = """from backends.neuron.lowering.limits import limited

def test_limited():
    assert limited(5) == 5
    assert limited(9) == 7
"""


@pytest.fixture
def tree(tmp_path, monkeypatch):
    for name, text in (("backends/neuron/lowering/limits.py", MODULE), ("tests/backends/neuron/lowering/test_limits.py", TESTS)):
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_text(text)
    (tmp_path / "tests" / "trnarray").mkdir()
    monkeypatch.setattr(suite, "trnarray", SimpleNamespace(__file__=str(tmp_path / "trnarray" / "__init__.py")))
    return tmp_path


def test_mutants_change_what_runs(tree):
    found = suite.mutants(tree, ["backends/neuron/lowering"])
    text = (tree / "backends/neuron/lowering/limits.py").read_text()
    assert {text[mutant.start : mutant.end] for mutant in found} == {
        "not x > LEAST", "x > LEAST", "min(x, most) + 0 * x", "min(x, most)", "0 * x", "0", "x + 1", "1",
    }  # fmt: skip
    assert {mutant.text for mutant in found if mutant.line == 9} == {"(x > LEAST)", "(x >= LEAST)"}
    for mutant in found:
        compile(text[: mutant.start] + mutant.text + text[mutant.end :], mutant.path, "exec")
    assert suite.draw(found, 3, 3) == suite.draw(found, 3, 3)
    assert len({mutant.line for mutant in suite.draw(found, 5, 3)}) == 3
    assert suite.nearest(tree, "backends/neuron/lowering/limits.py") == ["tests/backends/neuron/lowering/test_limits.py"]


def test_mutants_are_noticed_or_not(tree, capsys):
    """One in the function that is tested, and one in the function that is not."""
    arguments = ["mutants", "--count", "3", "--first", "1", "--target", "backends/neuron/lowering/limits.py", "--seed", "1"]
    assert command.main(arguments) == 1
    killed, survived, *_ = capsys.readouterr().out.splitlines()
    module = "backends/neuron/lowering/limits.py"
    assert killed.startswith(f"killed 1 {module}:11 constant: 0 -> (1): tests/backends/neuron/lowering/test_limits.py::")
    assert survived.startswith(f"survived 2 {module}:15 arithmetic: x + 1 -> (x - 1): not noticed by tests/")
    assert (tree / "backends/neuron/lowering/limits.py").read_text() == MODULE


def test_a_clone_is_needed(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(suite, "trnarray", SimpleNamespace(__file__=str(tmp_path / "trnarray" / "__init__.py")))
    assert command.main(["mutants"]) == 2
    assert "needs a clone of the repository" in capsys.readouterr().err
