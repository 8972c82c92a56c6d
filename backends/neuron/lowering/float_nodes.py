"""Making nodes of truth values and of float32, or words of float64, of which functions of floats are composed."""

from __future__ import annotations

from typing import Any, overload

from ...dtypes import BOOL, FLOAT32
from ..graph.build import elementwise, fill
from ..graph.graph import Node
from .binary64 import BINARY64, Words, constant_words

__all__ = ["choose", "full", "number", "real", "test"]


@overload
def real(name: str, *operands: Node) -> Node: ...
@overload
def real(name: str, *operands: Words) -> Words: ...
@overload
def real(name: str, *operands: Any) -> Any: ...
def real(name: str, *operands: Any) -> Any:
    """Apply a function of float32, or, where one operand is words, of float64, in which constants are exact."""
    if any(isinstance(item, tuple) for item in operands):
        return BINARY64[name](*operands)
    return elementwise(name, *operands, dtype=FLOAT32)


def test(name: str, *operands: Any) -> Node:
    """Compare, or combine truth values."""
    if any(isinstance(item, tuple) for item in operands):
        found: tuple[Node] = BINARY64[name](*operands)
        return found[0]
    return elementwise(name, *operands, dtype=BOOL)


def number(value: float) -> Node:
    """Make a constant."""
    return fill(value, (), FLOAT32)


@overload
def full(value: float, like: Node) -> Node: ...
@overload
def full(value: float, like: Words) -> Words: ...
def full(value: float, like: Node | Words) -> Node | Words:
    """Make a constant of a node's shape."""
    return constant_words(value, like[0].shape) if isinstance(like, tuple) else fill(value, like.shape, FLOAT32)


@overload
def choose(mask: Node, one: Node, other: Node) -> Node: ...
@overload
def choose(mask: Node, one: Any, other: Any) -> Any: ...
def choose(mask: Node, one: Any, other: Any) -> Any:
    """Take elements of one operand where a mask is true, else of another."""
    if isinstance(one, tuple) or isinstance(other, tuple):
        return BINARY64["where"](mask, one, other)
    return elementwise("where", mask, one, other, dtype=FLOAT32)
