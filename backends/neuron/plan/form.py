"""The form of a graph: all of it that a plan depends on, as a key."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from typing import NamedTuple

from ..graph.graph import Node
from ..graph.primitives import AnyLoop, Elementwise, Iota, Looped, Read, Scalar, Write
from ..launch.capacity import is_large
from ..layout import Layout, nearby
from ..loop import Loop

__all__ = ["Form", "form_of", "is_brought"]


class Form(NamedTuple):
    """Pending nodes and the computed ones that they use, and all that a plan depends on."""

    nodes: list[Node]
    numbers: list[float]
    offsets: dict[int, int]
    near: set[tuple[int, int]]  # pairs of offsets whose difference is in the key
    key: Hashable


def form_of(order: list[Node], wanted: Collection[Node]) -> Form:
    """
    Give numbers to nodes and offsets.

    Notes
    -----
    Which numbers and offsets are equal matters to a plan, but not what they are; except of offsets that are near each other and of one
    base how far they are apart, since what they read is moved together.
    """
    walk = _Walk(wanted)
    walk.take(order)
    return Form(walk.nodes, walk.numbers, walk.offsets, walk.near, tuple(walk.parts))


class _Walk:
    def __init__(self, wanted: Collection[Node]) -> None:
        self.wanted = wanted
        self.offsets: dict[int, int] = {}
        self.near = set[tuple[int, int]]()
        self.begun: dict[tuple[Node, tuple[int, ...]], dict[int, dict[int, None]]] = {}  # by base and strides, where reads begin
        self.places: dict[Node, int] = {}
        self.nodes: list[Node] = []
        self.numbers: list[float] = []
        self.parts: list[Hashable] = []  # of each node what it is, then its inputs: a number, after what is told of a computed one
        self.loops: dict[AnyLoop, int] = {}

    def take(self, order: Iterable[Node]) -> None:
        """Go through nodes."""
        wanted, places, nodes, parts = self.wanted, self.places, self.nodes, self.parts
        for node in order:
            primitive = node.primitive
            kind: Hashable = Scalar
            if type(primitive) is Elementwise:
                kind = primitive.name  # the same object for all calls, whose hash is known
            elif type(primitive) is Scalar:
                self.numbers.append(primitive.value)
            else:
                kind = self.kind(node)
            parts += (kind, node.shape, node.dtype.num, node.holders > 0, node in wanted)
            for item in node.inputs:
                place = places.get(item)
                if place is None:  # it is computed
                    place = places[item] = len(nodes)
                    nodes.append(item)
                    parts += (item.shape, item.dtype.num, item.holders > 0)
                parts.append(place)
            places[node] = len(nodes)
            nodes.append(node)
            if type(primitive) is Looped and primitive.loop not in self.loops:
                self.turn(primitive.loop)

    def kind(self, node: Node) -> Hashable:
        """Tell of a primitive what a plan depends on."""
        primitive = node.primitive
        if isinstance(primitive, Looped):
            return Looped, self.loops.get(primitive.loop, len(self.loops)), primitive.number
        if not isinstance(primitive, Read | Write) or not is_brought(primitive.layout, node.inputs[0]):
            return primitive
        layout = primitive.layout
        backwards = isinstance(node.inputs[0].primitive, Iota)  # of which programs make elements in any order
        start = layout.offset if backwards else layout.lowest
        kind = (type(primitive), layout.shape, layout.strides, self.offsets.setdefault(start, len(self.offsets)))
        if isinstance(primitive, Write):
            return kind
        close = _close(self.begun.setdefault((node.inputs[0], layout.strides), {}), layout, start)
        self.near.update([(min(start, other), max(start, other)) for other in close])
        return (*kind, *[(self.offsets[other], start - other) for other in close])

    def turn(self, loop: AnyLoop) -> None:
        """Go through what a turn of a loop computes, after the first of its results."""
        assert isinstance(loop, Loop)
        self.loops[loop] = len(self.loops)
        for node in (*loop.carried, *loop.invariants):
            self.places[node] = len(self.nodes)
            self.nodes.append(node)
            self.parts.append((node.shape, node.dtype.num))
        self.parts.append((loop.turns, loop.likely, loop.conditional, len(loop.carried)))
        self.take(loop.order)
        self.parts.append((None if loop.index is None else self.places.get(loop.index), *(self.places[node] for node in loop.writes)))


def _close(begun: dict[int, dict[int, None]], layout: Layout, start: int) -> list[int]:
    """Find reads that begin near another, and remember it, by intervals as long as the distance that is near."""
    reach = nearby(zip(layout.strides, layout.shape, strict=True))
    if not reach:
        return []
    at = start // reach
    found = [other for one in (at - 1, at, at + 1) for other in begun.get(one, ()) if 0 < abs(start - other) <= reach]
    begun.setdefault(at, {})[start] = None
    return found


def is_brought(layout: Layout, node: Node) -> bool:
    """Tell whether a launch brings the offset of an access, so that one program serves all; not where it says in which piece that is."""
    return layout.varies(node.size) and not is_large(node.size, node.dtype.itemsize)
