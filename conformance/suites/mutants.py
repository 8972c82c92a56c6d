"""Suite ``mutants``: small faults planted in a copy of the tree, one at a time, and whether the nearest tests notice.

An operator is drawn, and one of the places of the chosen folders where it applies. The tests of a mutant are those that mirror its module,
and those that name most of the Ops, kernels and functions that the module names. A test counts if it fails with the mutant and passes
without it.
"""

from __future__ import annotations

import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import trnarray

from ...backends.device import Device
from ..report import Report, Status
from ..suite import SuiteError

__all__ = ["Mutant", "add_arguments", "draw", "mutants", "nearest", "run"]

_TARGETS: Final = ("backends/neuron/lowering", "backends/neuron/plan", "backends/neuron/value.py")
_IGNORED: Final = shutil.ignore_patterns(".git", ".venv", "_build", "__pycache__", ".hypothesis", ".*_cache")
_COMPARISONS: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_ARITHMETIC: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
_FILES: Final = 5  # of tests, for a mutant
_PASSED, _FAILED = 0, 1  # pytest's status
_SAID: Final[dict[Status, str]] = {"passed": "killed", "failed": "survived", "skipped": "undecided"}


class Mutant(NamedTuple):
    """
    A change of one expression or statement.

    Attributes
    ----------
    path : str
        The file, within the tree.
    line : int
        Where.
    start, end : int
        What of the file's text is replaced.
    text : str
        By what.
    what : str
        The change, to be read.
    """

    path: str
    line: int
    start: int
    end: int
    text: str
    what: str


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options."""
    parser.add_argument("--seed", type=int, default=0, help="of the draw (default 0)")
    parser.add_argument("--count", type=int, default=40, help="mutants to draw (default 40)")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="go on at the N-th of them")
    parser.add_argument("--seconds", type=float, default=300, help="time limit for the tests of each (default 300)")
    parser.add_argument("--target", action="append", metavar="PATH", help="folder or file to draw from (default: lowering, plan and views)")


def _changes(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Give the mutated copies of a node, with the name of the operator."""
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            flipped = [_COMPARISONS[type(operator)]() if place == number else each for number, each in enumerate(node.ops)]
            yield ast.Compare(node.left, flipped, node.comparators), "comparison"
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield ast.Constant(node.value + 1), "constant"
        yield ast.Constant(node.value - 1), "constant"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand, "dropped not"
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values), "and/or"
    elif isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        yield ast.BinOp(node.left, _ARITHMETIC[type(node.op)](), node.right), "arithmetic"
    elif isinstance(node, ast.Call) and len(node.args) > 1 and not any(isinstance(each, ast.Starred) for each in node.args[:2]):
        yield ast.Call(node.func, [node.args[1], node.args[0], *node.args[2:]], node.keywords), "swapped arguments"
    elif isinstance(node, ast.AugAssign) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        yield ast.Pass(), "dropped statement"


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Walk what runs when functions are called: no annotations, docstrings, assertions, messages, nor tables of modules."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Raise | ast.Assert | ast.JoinedStr | ast.Import | ast.ImportFrom):
            continue
        if isinstance(child, ast.arguments):
            continue
        if isinstance(node, ast.FunctionDef) and (child in node.decorator_list or child is node.returns):
            continue
        if isinstance(node, ast.AnnAssign) and child is node.annotation:
            continue
        yield child
        yield from _nodes(child)


def mutants(root: Path, targets: Sequence[str] = _TARGETS) -> list[Mutant]:
    """List all mutants."""
    found = []
    for target in targets:
        folder = root / target
        for path in [folder] if folder.is_file() else sorted(folder.rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            starts = [0]
            for line in text.encode().splitlines(keepends=True):
                starts.append(starts[-1] + len(line))
            functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
            inner = {id(child) for function in functions for child in ast.walk(function) if child is not function}
            for function in (each for each in functions if id(each) not in inner):
                for node in _nodes(function):
                    for changed, what in _changes(node):
                        assert isinstance(node, ast.expr | ast.stmt)
                        assert node.end_lineno is not None
                        assert node.end_col_offset is not None
                        start, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
                        new = "pass" if isinstance(changed, ast.Pass) else f"({ast.unparse(changed)})"
                        shown = f"{what}: {ast.unparse(node)} -> {new}"
                        found.append(Mutant(str(path.relative_to(root)), node.lineno, start, end, new, shown))
    return found


def draw(found: Sequence[Mutant], seed: int, count: int) -> list[Mutant]:
    """Draw mutants, each operator as often as the others."""
    source = random.Random(seed)
    operators: dict[str, list[Mutant]] = {}
    for mutant in found:
        operators.setdefault(mutant.what.partition(":")[0], []).append(mutant)
    drawn: dict[tuple[str, int], Mutant] = {}
    while len(drawn) < count:
        mutant = source.choice(operators[source.choice(sorted(operators))])
        drawn.setdefault((mutant.path, mutant.line), mutant)
    return list(drawn.values())


def nearest(root: Path, path: str) -> list[str]:
    """Choose tests for a module."""
    module = (root / path).read_text(encoding="utf-8")
    stem = Path(path).stem
    words = {word for text in re.findall(r'"([a-z][\w. ]+)"', module) for word in (text, text.rpartition(".")[2])} | {stem}
    words |= {word.lstrip("_") for word in re.findall(r"^def (\w+)", module, re.MULTILINE)}
    files = [file for folder in ("backends/neuron", "trnarray") for file in sorted((root / "tests" / folder).rglob("test_*.py"))]
    texts = {str(file.relative_to(root)): file.read_text(encoding="utf-8") for file in files}
    spread = Counter(word for text in texts.values() for word in words if re.search(rf"\b{re.escape(word)}\b", text))

    def score(name: str) -> float:
        text = texts[name]
        named = sum(1 / spread[word] for word in words if re.search(rf"\b{re.escape(word)}\b", text))
        mirrors = Path(name).stem in {f"test_{stem}", f"test_{stem.removesuffix('s')}"} or stem.startswith(Path(name).stem[5:])
        return named + 10 * mirrors + 0.5 * (Path(name).parent.name == Path(path).parent.name)

    ranked = sorted(texts, key=score, reverse=True)[:_FILES]
    return [name for name in ranked if score(name)]


def _pytest(tree: Path, arguments: Sequence[str], seconds: float) -> tuple[int | None, str]:
    """Run tests in a tree; no status if they take too long."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-n", "0", "--tb=no", *arguments]
    environment = os.environ | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stdout


def _verdict(tree: Path, mutant: Mutant, seconds: float) -> tuple[Status, str]:
    """Plant a mutant, run its tests, and take it out again. A test that also fails without it is left out."""
    file = tree / mutant.path
    before = file.read_bytes()
    tests = nearest(tree, mutant.path)
    left_out: list[str] = []
    while True:
        try:
            file.write_bytes(before[: mutant.start] + mutant.text.encode() + before[mutant.end :])
            status, output = _pytest(tree, [*tests, *left_out], seconds)
        finally:
            file.write_bytes(before)
        if status is None:
            return "skipped", f"the tests took longer than {seconds:g} s"
        if status == _PASSED:
            return "failed", "not noticed by " + ", ".join(tests)
        named = re.search(r"^(?:FAILED|ERROR) (\S+)", output, re.MULTILINE)
        if status != _FAILED or named is None or "::" not in named[1]:
            return "passed", "nothing can be imported or collected"
        if _pytest(tree, [named[1]], seconds)[0] != _PASSED:
            left_out.append(f"--deselect={named[1]}")
            continue
        return "passed", named[1]


def run(report: Report, device: Device, options: Namespace) -> None:  # noqa: ARG001  # the protocol's
    """Draw mutants and try them."""
    root = Path(trnarray.__file__).parents[1]
    if not (root / "tests").is_dir():
        raise SuiteError("suite 'mutants' needs a clone of the repository, with its tests; run it there")
    drawn = draw(mutants(root, options.target or _TARGETS), options.seed, options.count)
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(root, tree, symlinks=True, ignore=_IGNORED)
        for number, mutant in enumerate(drawn[options.first :], options.first):
            status, why = _verdict(tree, mutant, options.seconds)
            name = f"{number} {mutant.path}:{mutant.line} {mutant.what}"
            print(f"{_SAID[status]} {name}: {why}", flush=True)
            report.add(name, status, why)
