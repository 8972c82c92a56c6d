"""The form of a graph: all of it that a plan depends on, as a key."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator
from typing import Final, NamedTuple

from ..function import FUNCTIONS
from ..graph.graph import Node
from ..graph.primitives import AnyLoop, Elementwise, Iota, Looped, Read, Scalar, Write
from ..launch.capacity import is_large
from ..layout import Layout, nearby
from ..loop import Loop

__all__ = ["WITHOUT_WRAPPING", "Form", "form_of", "is_brought"]

_LOOKS: Final = (Read, Write)
WITHOUT_WRAPPING: Final = "without_wrapping."
"""What names of functions begin with that do not need GpSimd to wrap."""


class Form(NamedTuple):
    """Pending nodes and the computed ones that they use, and all that a plan depends on."""

    nodes: list[Node]
    numbers: list[float]
    offsets: dict[int, int]
    near: set[tuple[int, int]]  # pairs of offsets whose difference is in the key
    wraps: bool
    key: Hashable


def form_of(order: list[Node], wanted: Collection[Node], wraps: Callable[[], bool]) -> Form:
    """
    Give numbers to nodes and offsets.

    Notes
    -----
    Which numbers and offsets are equal matters to a plan, but not what they are; except of offsets that are near each other and of one
    base how far they are apart, since what they read is moved together.
    """
    offsets: dict[int, int] = {}
    near = set[tuple[int, int]]()
    begun: dict[tuple[Node, tuple[int, ...]], dict[int, dict[int, None]]] = {}  # by base and strides, where reads begin
    places: dict[Node, int] = {}
    nodes: list[Node] = []
    numbers: list[float] = []
    parts: list[Hashable] = []
    loops: dict[AnyLoop, int] = {}
    matters = needed = False
    stack = [iter(order)]
    while stack:
        node = next(stack[-1], None)
        if node is None:
            stack.pop()
            continue
        primitive = node.primitive
        if isinstance(primitive, Scalar):
            numbers.append(primitive.value)
            parts.append((Scalar, node.dtype.num, node.holders > 0, node in wanted))
        else:
            kind: Hashable = primitive
            if isinstance(primitive, Elementwise):
                kind = primitive.name  # the same object for all calls, whose hash is known
                matters |= node.dtype.kind in "iu" and WITHOUT_WRAPPING + primitive.name in FUNCTIONS
                needed |= FUNCTIONS[primitive.name].needs_wrapping
            elif isinstance(primitive, _LOOKS):
                layout = primitive.layout
                if is_brought(layout, node.inputs[0]):
                    backwards = isinstance(node.inputs[0].primitive, Iota)  # of which programs make elements in any order
                    start = layout.offset if backwards else layout.lowest
                    kind = (type(primitive), layout.shape, layout.strides, offsets.setdefault(start, len(offsets)))
                    if type(primitive) is Read:
                        close = _close(begun.setdefault((node.inputs[0], layout.strides), {}), layout, start)
                        near.update([(min(start, other), max(start, other)) for other in close])
                        kind = (*kind, *[(offsets[other], start - other) for other in close])
            elif isinstance(primitive, Looped):
                if primitive.loop not in loops:  # what a turn computes comes after the first of the results
                    stack.append(_turn(primitive.loop, places, nodes, parts))
                kind = (Looped, loops.setdefault(primitive.loop, len(loops)), primitive.number)
            found = [kind, node.shape, node.dtype.num, node.holders > 0, node in wanted]
            for item in node.inputs:
                place = places.get(item)
                if place is None:  # it is computed
                    place = places[item] = len(nodes)
                    nodes.append(item)
                    found += (item.shape, item.dtype.num, item.holders > 0)
                found.append(place)
            parts.append(tuple(found))
        places[node] = len(nodes)
        nodes.append(node)
    wrapping = not (matters or needed) or wraps()
    if needed and not wrapping:
        raise RuntimeError(
            "the self-test did not find that 32-bit integers of GpSimd wrap, from which float64 is computed; "
            'use config(float64="host"), or float32'
        )
    return Form(nodes, numbers, offsets, near, wrapping, (wrapping, *parts))


def _close(begun: dict[int, dict[int, None]], layout: Layout, start: int) -> list[int]:
    """Find reads that begin near another, and remember it, by intervals as long as the distance that is near."""
    reach = nearby(zip(layout.strides, layout.shape, strict=True))
    if not reach:
        return []
    at = start // reach
    found = [other for one in (at - 1, at, at + 1) for other in begun.get(one, ()) if 0 < abs(start - other) <= reach]
    begun.setdefault(at, {})[start] = None
    return found


def _turn(loop: AnyLoop, places: dict[Node, int], nodes: list[Node], parts: list[Hashable]) -> Iterator[Node]:
    """Go through what a turn computes, and tell what a plan depends on besides."""
    assert isinstance(loop, Loop)
    for node in (*loop.carried, *loop.invariants):
        places[node] = len(nodes)
        nodes.append(node)
        parts.append((node.shape, node.dtype.num))
    parts.append((loop.turns, loop.likely, loop.conditional, len(loop.carried)))
    yield from loop.order
    parts.append((None if loop.index is None else places.get(loop.index), *(places[node] for node in loop.writes)))


def is_brought(layout: Layout, node: Node) -> bool:
    """Tell whether a launch brings the offset of an access, so that one program serves all; not where it says in which piece that is."""
    return layout.varies(node.size) and not is_large(node.size, node.dtype.itemsize)
