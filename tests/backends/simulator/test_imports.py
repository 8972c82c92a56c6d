"""The simulator's modules import each other without circles."""

import ast
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from trnarray.backends import simulator

ROOT = Path(simulator.__file__).parent


def modules():
    found = {}
    for path in ROOT.rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@lru_cache
def parsed(path):
    return ast.parse(path.read_text())


def imports(node, types_too):
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
        for node in imports(parsed(path), types_too):
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


def test_no_circles_among_the_types_of_tensors():
    edges = {name: {t for t in to if t.startswith("tensor.")} for name, to in graph(True).items() if name.startswith("tensor.")}
    assert len(edges) > 5
    assert circle(edges) is None


def test_knows_nothing_of_trnarray():
    for path in modules().values():
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Import):
                assert not any(alias.name.partition(".")[0] == "trnarray" for alias in node.names), path
            if isinstance(node, ast.ImportFrom) and not node.level:
                assert (node.module or "").partition(".")[0] != "trnarray", path
