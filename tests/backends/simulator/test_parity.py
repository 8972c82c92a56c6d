"""The surface against NKI's: every name, parameter, order, default, method and member of signatures.json."""

import inspect
import json
from enum import Enum
from pathlib import Path

import pytest

from trnarray.backends.simulator.surface import modules

SURFACE = json.loads((Path(__file__).parent / "signatures.json").read_text())
MODULES = modules()

# What NKI 0.7 adds to functions of signatures.json, which is of 0.6.
ADDED = {
    "nki.isa.activation": ["engine"],
    "nki.isa.activate2": ["engine"],
    "nki.language.empty_like": ["transpose_axes", "address"],
}


def functions():
    return [(module, name, sig) for module, part in SURFACE.items() for name, sig in part["functions"].items()]


def classes():
    return [(module, name, part) for module, entry in SURFACE.items() for name, part in entry["classes"].items()]


def spelled(default):
    """A default as signatures.json spells it."""
    if isinstance(default, Enum):
        return str(default) if type(default).__name__ != "MemoryRegion" else default.name
    return repr(default)


def check(parameters, wanted):
    """Names, order and defaults; extra parameters of ours would break positional calls."""
    found = [("*" * (p.kind is p.VAR_POSITIONAL) + "**" * (p.kind is p.VAR_KEYWORD) + p.name, p.default) for p in parameters]
    assert [name for name, _ in found] == [p["name"] for p in wanted]
    for (name, default), parameter in zip(found, wanted, strict=True):
        if "default" not in parameter:
            assert default is inspect.Parameter.empty, name
        elif parameter["default"] not in ("...", "None") or default is not None:
            assert parameter["default"] == "..." or spelled(default).strip("'\"") == parameter["default"].strip("'\""), name


@pytest.mark.parametrize(("module", "name", "wanted"), functions(), ids=lambda value: value if isinstance(value, str) else "")
def test_function(module, name, wanted):
    found = inspect.signature(getattr(MODULES[module], name)).parameters
    added = ADDED.get(f"{module}.{name}", [])
    assert found.keys() >= {*added}
    check([parameter for parameter in found.values() if parameter.name not in added], wanted)


@pytest.mark.parametrize(("module", "name", "wanted"), classes(), ids=lambda value: value if isinstance(value, str) else "")
def test_class(module, name, wanted):
    cls = getattr(MODULES[module], name)
    for member, value in wanted["members"].items():
        if issubclass(cls, Enum):
            assert repr(cls[member].value) == value
        else:
            assert hasattr(cls, member) or member in inspect.signature(cls).parameters or member in getattr(cls, "__slots__", ()), member
    for method, entry in wanted["methods"].items():
        found = inspect.getattr_static(cls, method)
        assert isinstance(found, property) == bool(entry.get("property"))
        if not entry.get("property") and not (method == "__init__" and entry["params"][1:] == [{"name": "**kwargs"}]):
            check(inspect.signature(getattr(cls, method)).parameters.values(), entry["params"])


@pytest.mark.parametrize(("module", "name"), [(m, name) for m, entry in SURFACE.items() for name in entry["constants"]])
def test_constant(module, name):
    assert hasattr(MODULES[module], name)
