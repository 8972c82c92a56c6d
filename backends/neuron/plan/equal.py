"""Common subexpressions: nodes that have the same value as one before."""

from __future__ import annotations

from collections.abc import Hashable
from collections.abc import Set as AbstractSet
from typing import Final

from ..graph import Node
from ..primitives import (
    Cast,
    Compress,
    Elementwise,
    Fill,
    GatherElements,
    GatherRows,
    Iota,
    Matmul,
    Read,
    Reduce,
    Scan,
    Scatter,
    Sort,
    Write,
)

__all__ = ["equal_nodes"]

_PURE: Final = (Elementwise, Cast, Read, Reduce, Scan, Sort, Matmul, GatherRows, GatherElements, Compress, Fill, Iota)


def equal_nodes(order: list[Node], roots: AbstractSet[Node]) -> dict[Node, Node]:
    """
    Find nodes that need not be computed.

    Parameters
    ----------
    order : list of Node
        Inputs before users.
    roots : set of Node
        Those whose values are wanted: each has memory of its own, since it may be written to, and is computed.

    Returns
    -------
    dict
        From such a node to the first one of the same function of the same inputs.

    Notes
    -----
    Numbers that the launch brings count as different, even if they are equal this time: the plan serves others. A value that is written
    over in part keeps its own node.
    """
    changed = {node.inputs[0] for node in order if isinstance(node.primitive, Write | Scatter)}
    first: dict[Hashable, Node] = {}
    same: dict[Node, Node] = {}
    for node in order:
        if not isinstance(node.primitive, _PURE) or node.primitive == Fill(None) or node in changed:
            continue
        key = (node.primitive, node.shape, node.dtype, *(same.get(item, item) for item in node.inputs))
        if first.setdefault(key, node) is not node and node not in roots:
            same[node] = first[key]
    return same
