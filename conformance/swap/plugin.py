"""The pytest plugin that has NumPy's test modules import trnarray as `np`."""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest

from .edits import EDITS
from .exclusions import NOT_RUN, VERSIONS, reason_for
from .modules import swapped

__all__ = ["pytest_collection_modifyitems", "pytest_pycollect_makemodule"]

# A subclass that adds nothing is for testing that results keep the type of the operand.
_SUBCLASS: Final = re.compile(r"^( *)class (\w+)\(np\.ndarray\):\n +pass$", re.MULTILINE)


class _SwappedModule(pytest.Module):
    def _getobj(self) -> Any:
        source = self.path.read_text("utf-8")
        for old, new in EDITS.get(self.path.name, {}).items():
            source = source.replace(old, new)
        tree = ast.parse(_SUBCLASS.sub(r"\1\2 = np.ndarray", source))
        for name in _imports(tree):
            importlib.import_module(name)  # what the tests need of NumPy itself is not to see the swapped modules
        module = ModuleType(self.path.stem)
        module.__file__ = str(self.path)
        sys.modules[module.__name__] = module
        with swapped():
            exec(compile(tree, self.path, "exec"), vars(module))  # noqa: S102
        return module


def _imports(tree: ast.Module) -> list[str]:
    names = []
    for node in tree.body:
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.append(node.module)
    return names


def pytest_pycollect_makemodule(module_path: Path, parent: Any) -> Any:
    """
    Collect a module with `np` swapped.

    Parameters
    ----------
    module_path : Path
        The module.
    parent : pytest.Collector
        What it is in.

    Returns
    -------
    pytest.Module
        The collector.
    """
    return _SwappedModule.from_parent(parent, path=module_path)


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """
    Mark the excluded tests.

    Parameters
    ----------
    items : sequence of pytest.Item
        The tests.
    """
    for item in items:
        reason = reason_for(item.path.name, item.nodeid.partition("::")[2])
        if reason is not None:
            item.add_marker(pytest.mark.xfail(reason=reason, strict=reason not in VERSIONS, run=reason not in NOT_RUN))
