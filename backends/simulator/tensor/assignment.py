"""Assignment ``t[key] = value``. Tensors know no instructions: the language provides the function that issues them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["assign", "provide"]

_Assignment = Callable[[Any, Any], None]
_PROVIDED: list[_Assignment] = []


def provide(function: _Assignment) -> _Assignment:
    """Say how values are assigned."""
    _PROVIDED[:] = [function]
    return function


def assign(view: Any, value: Any) -> None:
    """Assign a value to the elements of a view."""
    _PROVIDED[0](view, value)
