"""Lowering: what each Op means in primitives, one module per chapter, each with a table `LOWERINGS`; `table.py` has all of them."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from ...signatures import NotNativeError
from ..graph.builder import Builder

__all__ = ["Builder", "Lowerings", "NotNativeError"]

Lowerings: TypeAlias = Mapping[str, Callable[..., Any]]
"""Functions ``lowering(builder, *operands, **attributes)``, by the name of the Op."""
