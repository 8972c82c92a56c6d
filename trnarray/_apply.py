"""`Array._apply` under the types of what it returns, bound once: a chapter's function is one call of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ._array import Array

__all__ = ["apply", "apply_for_list", "apply_for_tuple"]

apply: Final[Callable[..., Array]] = Array._apply
apply_for_tuple: Final[Callable[..., tuple[Array, ...]]] = Array._apply
apply_for_list: Final[Callable[..., list[Array]]] = Array._apply
