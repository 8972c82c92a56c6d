"""Making nodes of float32 and of truth values, of which functions of floats are composed."""

from __future__ import annotations

from ...dtypes import BOOL, FLOAT32
from ..graph.build import elementwise, fill
from ..graph.graph import Node

__all__ = ["choose", "full", "number", "real", "test"]


def real(name: str, *nodes: Node) -> Node:
    """Apply a function of float32."""
    return elementwise(name, *nodes, dtype=FLOAT32)


def test(name: str, *nodes: Node) -> Node:
    """Compare, or combine truth values."""
    return elementwise(name, *nodes, dtype=BOOL)


def number(value: float) -> Node:
    """Make a constant."""
    return fill(value, (), FLOAT32)


def full(value: float, like: Node) -> Node:
    """Make a constant of a node's shape."""
    return fill(value, like.shape, FLOAT32)


def choose(mask: Node, one: Node, other: Node) -> Node:
    """Take elements of one node where a mask is true, else of another."""
    return real("where", mask, one, other)
