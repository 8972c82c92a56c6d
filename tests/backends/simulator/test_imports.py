"""The simulator's modules import each other without circles."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from trnarray.backends import simulator

ROOT = Path(simulator.__file__).parent

# An instruction has its opcode, an opcode computes instructions on a run, and a trace may execute on one: these types mention each other.
MENTION_EACH_OTHER = {"machine.run", "program.instruction", "program.opcode", "program.trace"}


def modules():
    found = {}
    for path in ROOT.rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(node, types_too, inside=False):
    """Relative imports, those within functions included: a circle that waits for a call is one, too."""
    for child in ast.iter_child_nodes(node):
        only_types = isinstance(child, ast.If) and getattr(child.test, "id", None) == "TYPE_CHECKING"
        if isinstance(child, ast.ImportFrom) and child.level:
            yield child
        if not only_types or types_too:
            yield from imports(child, types_too)


def graph(types_too):
    found = modules()
    edges = {name: set() for name in found}
    for name, path in found.items():
        package = name.split(".") if path.name == "__init__.py" and name else name.split(".")[:-1]
        for node in imports(ast.parse(path.read_text()), types_too):
            base = package[: len(package) - node.level + 1] + (node.module.split(".") if node.module else [])
            for alias in node.names:
                target = ".".join([*base, alias.name])
                target = target if target in found else ".".join(base)
                if target in found and target != name:
                    edges[name].add(target)
    return edges


def circle(edges):
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        return " -> ".join(error.args[1])
    return None


def test_a_circle_is_found():
    assert circle({"a": {"b"}, "b": {"a"}}) is not None


def test_no_circles():
    assert len(graph(False)) > 50
    assert circle(graph(False)) is None


def test_no_circles_among_types_but_one():
    edges = graph(True)
    assert circle({name: to - MENTION_EACH_OTHER for name, to in edges.items() if name not in MENTION_EACH_OTHER}) is None
    inside = {name: edges[name] & MENTION_EACH_OTHER for name in MENTION_EACH_OTHER}
    assert circle(inside) is not None, "the exception is not needed any more: take it out"
    outward = {name: edges[name] - MENTION_EACH_OTHER for name in MENTION_EACH_OTHER}
    reached = set().union(*outward.values())
    while (more := reached.union(*(edges[name] for name in reached))) != reached:
        reached = more
    assert not reached & MENTION_EACH_OTHER


@pytest.mark.parametrize("name", ["trnarray", "trnarray.conformance", "trnarray.backends.neuron"])
def test_knows_nothing_of_trnarray(name):
    for path in modules().values():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                assert not any(alias.name.partition(".")[0] == name.partition(".")[0] for alias in node.names), path
            if isinstance(node, ast.ImportFrom) and not node.level:
                assert (node.module or "").partition(".")[0] != "trnarray", path
