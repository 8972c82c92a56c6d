"""Which kernels a folder of checkouts holds, and for which NKI they are written."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

__all__ = ["Found", "inventory"]


class Found(NamedTuple):
    """
    A kernel of a Python file.

    Attributes
    ----------
    checkout : str
        The sub-folder.
    file : str
        The file, relative to the checkout.
    kernel : str
        The function's name.
    old : bool
        Its file imports ``neuronxcc.nki``, as kernels for NKI before 0.1 do.
    """

    checkout: str
    file: str
    kernel: str
    old: bool


def inventory(directory: Path) -> Iterator[Found]:
    """
    List the functions decorated as kernels.

    Parameters
    ----------
    directory : Path
        Holds the checkouts as sub-folders.

    Yields
    ------
    Found
        In the order of the files' names.
    """
    for checkout in sorted(path for path in directory.iterdir() if path.is_dir()):
        for path in sorted(checkout.rglob("*.py")):
            text = path.read_text(encoding="utf-8", errors="replace")
            if "nki" not in text or "jit" not in text:
                continue
            try:
                tree = ast.parse(text)
            except SyntaxError:  # not a file of this Python
                continue
            old = any(name.startswith("neuronxcc") for name in _imports(tree))
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef) and any(map(_is_jit, node.decorator_list)):
                    yield Found(checkout.name, path.relative_to(checkout).as_posix(), node.name, old)


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def _is_jit(decorator: ast.expr) -> bool:
    """``@nki.jit``, ``@jit`` or a call of these."""
    if isinstance(decorator, ast.Call):
        decorator = decorator.func
    if isinstance(decorator, ast.Attribute):
        return decorator.attr == "jit" and isinstance(decorator.value, ast.Name) and decorator.value.id == "nki"
    return isinstance(decorator, ast.Name) and decorator.id == "jit"
