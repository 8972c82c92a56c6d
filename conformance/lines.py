"""Lines of Python outside tests, by package: code, docstrings, comments and blank lines apart. ``make lint`` prints them."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from typing import Final

__all__ = ["PACKAGES", "count", "main"]

PACKAGES: Final = ("trnarray", "backends", "conformance")
_ROOT: Final = Path(__file__).resolve().parents[1]
_KINDS: Final = ("code", "docstring", "comment", "blank")
_DOCUMENTED: Final = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def count(source: str) -> Counter[str]:
    r"""
    Count the lines of a source file by kind.

    Examples
    --------
    >>> sorted(count('def f():\n    "Do nothing."\n\n').items())
    [('blank', 1), ('code', 1), ('docstring', 1)]
    """
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node) is not None:
            docstrings.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    return Counter(_kind(line.strip(), number in docstrings) for number, line in enumerate(source.splitlines(), 1))


def _kind(line: str, documents: bool) -> str:
    if documents:
        return "docstring"
    return "code" if line and not line.startswith("#") else "comment" if line else "blank"


def main() -> None:
    """Print a row for each package, and their sum."""
    totals: Counter[str] = Counter()
    print(f"{'lines':<12} {'sum':>7} " + " ".join(f"{kind:>10}" for kind in _KINDS))
    for package in PACKAGES:
        found: Counter[str] = Counter()
        for path in (_ROOT / package).rglob("*.py"):
            if package == "trnarray" and path.relative_to(_ROOT / package).parts[0] in PACKAGES:
                continue  # links to the other two
            found += count(path.read_text("utf-8"))
        totals += found
        _print(package, found)
    _print("all", totals)


def _print(name: str, found: Counter[str]) -> None:
    print(f"{name:<12} {found.total():>7,} " + " ".join(f"{found[kind]:>10,}" for kind in _KINDS))


if __name__ == "__main__":
    main()
