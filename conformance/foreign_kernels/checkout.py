"""Loading kernels from checkouts, unmodified and without a trace left behind."""

from __future__ import annotations

import ast
import importlib
import os
import re
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

__all__ = ["code_blocks", "isolated", "load", "locate"]

_CODE_BLOCK = re.compile(r"^(?P<indent>[ \t]*)(?:\.\. (?:code-block|code|sourcecode):: *\w*|.*::)[ \t]*$")


def locate(directory: Path, file: str) -> Path | None:
    """Find the checkout that holds a file."""
    candidates = [directory, *sorted(path for path in directory.iterdir() if path.is_dir())]
    return next((folder for folder in candidates if (folder / file).is_file()), None)


@contextmanager
def isolated() -> Iterator[None]:
    """Undo what loading does to the process: search path, environment, modules of checkouts."""
    path, environment, modules = list(sys.path), dict(os.environ), set(sys.modules)
    try:
        yield
    finally:
        added = [entry for entry in sys.path if entry not in path]
        for name in [name for name in sys.modules if name not in modules and _lies_below(sys.modules[name], added)]:
            del sys.modules[name]
        sys.path[:] = path
        os.environ.clear()
        os.environ.update(environment)


def _lies_below(module: object, folders: list[str]) -> bool:
    if not isinstance(module, ModuleType):
        return False
    attributes = module.__dict__  # modules may answer to any name
    places = [attributes.get("__file__") or "", *map(str, attributes.get("__path__", ()))]
    return any(place.startswith(folder + os.sep) for place in places for folder in folders)


def load(
    checkout: Path, file: str, root: str | None = None, prelude: str = "", kernel: str = "", occurrence: int = 0, docstring: bool = False
) -> ModuleType:
    """
    Import a file of a checkout; call it within `isolated`.

    The packages around the file are made without running their ``__init__``, which would import what the kernel does not need.
    """
    path = checkout / file
    if docstring or path.suffix == ".rst":
        return _load_block(path, prelude, kernel, occurrence)
    base = path.parent if root is None else checkout / root
    if str(base) not in sys.path:
        sys.path.insert(0, str(base))
        importlib.invalidate_caches()
    *packages, _ = parts = path.relative_to(base).with_suffix("").parts
    for depth in range(1, len(packages) + 1):
        name = ".".join(packages[:depth])
        if name not in sys.modules:
            package = ModuleType(name)
            package.__path__ = [str(base.joinpath(*packages[:depth]))]
            sys.modules[name] = package
    return importlib.import_module(".".join(parts))


def _load_block(path: Path, prelude: str, kernel: str, occurrence: int) -> ModuleType:
    """Run the code block that defines a function, or make a function of one that a comment says is of that name."""
    pattern = re.compile(rf"^\s*def {re.escape(kernel)}\(|^# nki\.[\w.]*\b{re.escape(kernel)}\b", re.MULTILINE)
    found = [(number, block, match) for number, block in code_blocks(path) if (match := pattern.search(block))]
    if occurrence >= len(found):
        raise LookupError(f"{len(found)} code blocks of {path.name} define {kernel}; number {occurrence} (from 0) is asked for")
    number, block, match = found[occurrence]
    module = ModuleType(f"{path.stem}:{number}")
    exec(compile(prelude, "prelude", "exec"), module.__dict__)  # noqa: S102  # our own text
    code = compile("\n" * (number - 1) + block, str(path), "exec")
    if match[0].startswith("#"):
        setattr(module, kernel, lambda: exec(code, dict(module.__dict__)))  # noqa: S102  # a document's example is run as it stands
    else:
        exec(code, module.__dict__)  # noqa: S102  # likewise
    return module


def _docstrings(text: str) -> list[str]:
    """Lines of a Python file of which the docstrings are left, each line in its place."""
    lines = [""] * len(text.splitlines())
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            found = node.value.value.splitlines()
            lines[node.lineno - 1 : node.lineno - 1 + len(found)] = found
    return lines


def code_blocks(path: Path) -> Iterator[tuple[int, str]]:
    """Find the code blocks of reStructuredText."""
    text = path.read_text(encoding="utf-8", errors="replace")
    lines = _docstrings(text) if path.suffix == ".py" else text.splitlines()
    for start, line in enumerate(lines):
        found = _CODE_BLOCK.match(line)
        if found is None:
            continue
        indent, stop = len(found["indent"]), start + 1
        while stop < len(lines) and (not lines[stop].strip() or len(lines[stop]) - len(lines[stop].lstrip()) > indent):
            stop += 1
        first = start + 1
        while first < stop and (not lines[first].strip() or re.match(r"\s*:[\w-]+:", lines[first])):
            first += 1
        yield first + 1, textwrap.dedent("\n".join(lines[first:stop])) + "\n"
