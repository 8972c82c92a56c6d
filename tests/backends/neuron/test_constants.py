"""Figures of the hardware stand in the cost model alone: no constant of the engine is a clock, a rate, a latency or a cost."""

import ast
import re
from pathlib import Path

import trnarray.backends.neuron as neuron

ROOT = Path(neuron.__file__).parent
FIGURE = re.compile(r"\b(ns|us|µs|GHz|MHz|cycles?|clocks?|bandwidth|latency|latencies|B/s|GB/s|bytes per)\b")


def constants(path):
    """Assignments of a module that have a number in them, with the comment or docstring beside."""
    text = path.read_text("utf-8")
    lines, body = text.splitlines(), ast.parse(text).body
    for statement, following in zip(body, [*body[1:], None], strict=True):
        if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
            continue
        if any(isinstance(node, ast.Constant) and type(node.value) in (int, float) for node in ast.walk(statement.value)):
            about = "\n".join(lines[statement.lineno - 1 : statement.end_lineno])
            if isinstance(following, ast.Expr):
                about += ast.unparse(following)
            yield f"{path.relative_to(ROOT)}:{statement.lineno}", about


def test_no_constant_is_a_figure_of_the_hardware():
    found = [(where, about) for path in sorted(ROOT.rglob("*.py")) for where, about in constants(path)]
    assert len(found) > 100
    assert [(where, about) for where, about in found if FIGURE.search(about)] == []


def test_such_a_constant_is_found(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    (tmp_path / "one.py").write_text('_ROW = 7.0  # ns, for a row\n_ROOM = 4096  # bytes\nRATE = 2 * 23\n"""GB/s of an engine."""\n')
    assert [where for where, about in constants(tmp_path / "one.py") if FIGURE.search(about)] == ["one.py:1", "one.py:3"]
