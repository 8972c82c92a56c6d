"""Modules import each other without circles, and from layer to layer one way."""

import ast
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import trnarray

ROOT = Path(trnarray.__file__).parent
pytestmark = pytest.mark.slow
LAYERS = ("conformance", "", "backends")  # below trnarray; each imports from those behind it


@lru_cache
def modules():
    """From the name below trnarray to the file; the two layers beside the folder are links in it, which rglob does not follow."""
    paths = [*ROOT.rglob("*.py"), *(ROOT / "backends").resolve().rglob("*.py"), *(ROOT / "conformance").resolve().rglob("*.py")]
    found = {}
    for path in {path.resolve() for path in paths}:
        parts = (path.relative_to(ROOT) if path.is_relative_to(ROOT) else path.relative_to(ROOT.parent)).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@lru_cache
def imports(path):
    """The imports of a module, and whether they are for types only; also those within functions: a circle that waits for a call is one."""
    found, bodies = [], [(ast.parse(path.read_text("utf-8")).body, False)]
    while bodies:
        body, for_types = bodies.pop()
        for statement in body:
            if isinstance(statement, (ast.Import, ast.ImportFrom)):
                found.append((statement, for_types))
            only_types = for_types or (isinstance(statement, ast.If) and getattr(statement.test, "id", None) == "TYPE_CHECKING")
            bodies += [(getattr(statement, part), only_types) for part in ("body", "orelse", "finalbody") if hasattr(statement, part)]
            bodies += [(one.body, only_types) for part in ("handlers", "cases") for one in getattr(statement, part, ())]
    return found


@lru_cache
def graph(types_too):
    found = modules()
    edges = {name: set() for name in found}
    for name, path in found.items():
        package = name.split(".") if path.name == "__init__.py" and name else name.split(".")[:-1]
        for node, for_types in imports(path):
            if isinstance(node, ast.Import) or not node.level or (for_types and not types_too):
                continue
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


def layer(name):
    first = name.partition(".")[0]
    return LAYERS.index(first if first in LAYERS else "")


def below(name, package):
    return name == package or name.startswith(f"{package}.")


def test_a_circle_is_found():
    assert circle({"a": {"b"}, "b": {"a"}}) is not None


@pytest.mark.parametrize("types_too", [False, True])
def test_no_circles(types_too):
    assert {"", "backends.simulator.jit", "conformance.suite"} <= modules().keys()
    assert sum(map(len, graph(types_too).values())) > 1000 + 500 * types_too
    assert circle(graph(types_too)) is None


def test_layers_import_one_way():
    assert [(name, to) for name, all_to in graph(True).items() for to in all_to if layer(to) < layer(name)] == []


def test_the_simulator_knows_nothing_of_arrays():
    outside = [
        (name, to)
        for name, all_to in graph(True).items()
        for to in all_to
        if below(name, "backends.simulator") and not below(to, "backends.simulator")
    ]
    assert outside == []


def test_the_neuron_engine_knows_the_simulator_as_isa_launcher_and_costs():
    found = [
        (name, to)
        for name, all_to in graph(False).items()
        for to in all_to
        if below(name, "backends.neuron") and below(to, "backends.simulator") and not below(name, "backends.neuron.launch")
    ]
    assert found == [("backends.neuron.costs", "backends.simulator")]


def test_lowerings_import_no_kernel_and_plans_no_emitter():
    found = [
        (name, to)
        for name, all_to in graph(True).items()
        for to in all_to
        if below(name, "backends.neuron.lowering") or below(name, "backends.neuron.plan")
        if below(to, "backends.neuron.kernels")
    ]
    assert found == []


@pytest.mark.parametrize("layer", ["backends", "conformance"])
def test_nothing_is_imported_by_its_absolute_name(layer):
    for name, path in modules().items():
        if not below(name, layer):
            continue
        for node, _ in imports(path):
            if isinstance(node, ast.Import):
                assert not any(alias.name.partition(".")[0] in ("backends", "conformance") for alias in node.names), path
                assert layer != "backends" or not any(alias.name.partition(".")[0] == "trnarray" for alias in node.names), path
            if isinstance(node, ast.ImportFrom) and not node.level:
                first = (node.module or "").partition(".")[0]
                assert first not in ("backends", "conformance"), path
                assert layer != "backends" or first != "trnarray", path
