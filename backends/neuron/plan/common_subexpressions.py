"""Common subexpressions: nodes that have the same value as one before."""

from __future__ import annotations

from collections.abc import Hashable
from collections.abc import Set as AbstractSet
from typing import Final

from ..graph.graph import Node, changed_inputs
from ..graph.primitives import Cast, Elementwise, Fill, Iota, Primitive, Read, Reduce, Result, is_empty

__all__ = ["equal_nodes"]

_PURE: Final = (Elementwise, Cast, Read, Reduce, Fill, Iota)


def _is_pure(primitive: Primitive) -> bool:
    """Tell whether equal inputs make equal values."""
    if isinstance(primitive, Result):
        return primitive.invocation.kernel.pure
    return isinstance(primitive, _PURE) and not is_empty(primitive)


def equal_nodes(order: list[Node], roots: AbstractSet[Node]) -> dict[Node, Node]:
    """
    Find nodes that need not be computed.

    Notes
    -----
    Numbers that the launch brings count as different, even if they are equal this time: the plan serves others. A value that is written
    over in part keeps its own node.
    """
    changed = {item for node in order for item in changed_inputs(node)}
    first: dict[Hashable, Node] = {}
    same: dict[Node, Node] = {}
    for node in order:
        if not _is_pure(node.primitive) or node in changed:
            continue
        key = (node.primitive, node.shape, node.dtype, *(same.get(item, item) for item in node.inputs))
        if first.setdefault(key, node) is not node and node not in roots:
            same[node] = first[key]
    return same
