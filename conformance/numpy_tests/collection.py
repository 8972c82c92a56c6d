"""Collection by pytest of test modules that find swapped modules when they import."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from .modules import Modules, importing

__all__ = ["collect"]


class _SwappedModule(pytest.Module):
    modules: Modules
    edit: Callable[[str], str]
    package: str

    def _getobj(self) -> Any:
        tree = ast.parse(self.edit(self.path.read_text("utf-8")))
        module = ModuleType(self.path.stem)
        module.__file__ = str(self.path)
        module.__package__ = self.package
        vars(module)["__builtins__"] = vars(builtins) | {"__import__": importing(self.modules)}
        sys.modules[module.__name__] = module
        exec(compile(tree, self.path, "exec"), vars(module))  # noqa: S102
        return module


def collect(
    path: Path, parent: Any, modules: Modules, *, edit: Callable[[str], str] = str, package: str = ""
) -> pytest.Module:
    """Collect a test module."""
    collector = _SwappedModule.from_parent(parent, path=path)
    collector.modules, collector.edit, collector.package = modules, edit, package
    return collector
