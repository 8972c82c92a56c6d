"""Nested lists and tuples: how deep they may be, and their items replaced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .shape import MAX_DIMS

__all__ = ["check_depth", "replace"]


def check_depth(depth: int) -> None:
    """Refuse to look deeper into a sequence than arrays have axes: it may hold itself."""
    if depth > MAX_DIMS:
        raise ValueError(f"an operand is nested more than {MAX_DIMS} deep, as no array can be; flatten it")


def replace(item: Any, kind: type[Any] | tuple[type[Any], ...], function: Callable[[Any], Any], depth: int = 0) -> Any:
    """
    Replace what is of one type, in lists, tuples and named tuples too.

    Examples
    --------
    >>> replace([1, ("a", [2])], int, float)
    [1.0, ('a', [2.0])]
    """
    if isinstance(item, kind):
        return function(item)
    if type(item) in (list, tuple):
        check_depth(depth)
        return type(item)([replace(each, kind, function, depth + 1) for each in item])
    if isinstance(item, tuple) and hasattr(item, "_fields"):
        return type(item)(*[replace(each, kind, function, depth + 1) for each in item])
    return item
