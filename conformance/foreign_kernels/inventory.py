"""Which kernels a folder of checkouts holds, and for which NKI they are written."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from .checkout import code_blocks

__all__ = ["Found", "inventory"]

_OLD: Final = "neuronxcc"
_DECORATED: Final = re.compile(r"^[ \t]*@nki\.jit\b.*\n[ \t]*def (\w+)", re.MULTILINE)


class Found(NamedTuple):
    """
    A kernel of a file.

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
    """List the functions decorated as kernels, in Python files and in the code blocks of documents."""
    for checkout in sorted(path for path in directory.iterdir() if path.is_dir()):
        for path in sorted(checkout.rglob("*")):
            if path.suffix in (".py", ".rst"):
                file = path.relative_to(checkout).as_posix()
                for kernel, old in (_of_module if path.suffix == ".py" else _of_document)(path):
                    yield Found(checkout.name, file, kernel, old)


def _of_module(path: Path) -> Iterator[tuple[str, bool]]:
    text = path.read_text(encoding="utf-8", errors="replace")
    if "nki" not in text or "jit" not in text:
        return
    try:
        tree = ast.parse(text)
    except SyntaxError:  # not a file of this Python
        return
    old = any(name.startswith(_OLD) for name in _imports(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any(map(_is_jit, node.decorator_list)):
            yield node.name, old


def _of_document(path: Path) -> Iterator[tuple[str, bool]]:
    """Search the text of code blocks, which need not be whole programs."""
    if "nki.jit" in path.read_text(encoding="utf-8", errors="replace"):
        for _, block in code_blocks(path):
            for found in _DECORATED.finditer(block):
                yield found[1], _OLD in block


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
