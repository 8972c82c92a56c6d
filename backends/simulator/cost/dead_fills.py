"""Fills that nobody reads: what a compiler may drop."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ..program.instruction import Instruction, Node
from ..program.program import Core
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import Storage
from .footprint import Footprint, covers, footprint, overlap

__all__ = ["without_dead_fills"]

_FILLS: Final = frozenset(("iota", "memset"))
_OVERWRITE: Final = _FILLS | {"activation", "dma_copy", "nc_matmul", "nc_transpose", "tensor_copy", "tensor_scalar", "tensor_tensor"}


def without_dead_fills(core: Core) -> Core:
    """Drop the fills on chip whose bytes one instruction of the same straight code overwrites before any is read."""
    nodes = _live(core.nodes)
    return core if nodes is core.nodes else replace(core, nodes=nodes, repeats=())


def _live(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    open_fills: dict[Storage, list[tuple[Instruction, Footprint]]] = {}
    dead, changed = set[Instruction](), dict[Node, Node]()
    for node in nodes:
        if not isinstance(node, Instruction):
            open_fills = {}
            body = _live(node.body)
            if body is not node.body:
                changed[node] = replace(node, body=body)
            continue
        for view in node.touched()[0 if node.arguments.get("accumulate") else len(node.writes) :]:
            _keep(open_fills, view)
        for view in node.writes:
            if view._indirection is not None or node.opcode.name not in _OVERWRITE:
                _keep(open_fills, view)
                continue
            at, left = footprint(view), []
            for fill, filled in open_fills.pop(view._storage, ()):
                if covers(at, filled):
                    dead.add(fill)
                else:
                    left.append((fill, filled))
            if node.opcode.name in _FILLS and view._storage.on_chip and view._storage.address is None:
                left.append((node, at))
            open_fills[view._storage] = left
    if not dead and not changed:
        return nodes
    return tuple(changed.get(node, node) for node in nodes if node not in dead)


def _keep(open_fills: dict[Storage, list[tuple[Instruction, Footprint]]], view: NkiTensor) -> None:
    """Let the fills live that a view has bytes of."""
    found = open_fills.get(view._storage)
    if found:
        at = footprint(view)
        open_fills[view._storage] = [] if view._indirection is not None else [entry for entry in found if not overlap(at, entry[1])]
