"""Loops: a body that is traced once, as nodes of its own, and that a program computes again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from ..caller import find_caller
from ..dtypes import BOOL, INT32
from ..policy import LoopError
from ..rules import Signature
from .graph.build import elementwise, fill, reshape
from .graph.graph import Check, Graph, Node, Trace, ancestors, changed_inputs, dependents
from .graph.primitives import Buffer, Elementwise, Fill, Iota, Looped, LoopStep, Read, Scalar, Write, is_empty
from .layout import Layout, contiguous_strides
from .value import Value

if TYPE_CHECKING:
    from ..caller import Caller

__all__ = ["Loop", "looped", "repeat"]

_ENDLESS: Final = 2**31 - 1
_BYTE: Final = np.dtype(np.uint8)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Loop:
    """
    What is computed again and again.

    Parameters
    ----------
    turns : int
        How often; at most, where a condition ends it.
    likely : int
        How often, where a condition ends it: what predictions count.
    conditional : bool
        Whether it ends before a turn that finds the last carried plane zero.
    carried, invariants : tuple of Node
        They stand for the inputs, in order: planes that a turn hands to the next one, then those that stay as they are.
    index : Node or None
        The number of the turn, whose value is that of the first one.
    order : tuple of Node
        What a turn computes, inputs before users.
    writes : tuple of Node
        For each carried plane, that with what the turn writes to its memory: the last of several changes of it, or all of it written over.
    caller : Caller
        Whose loop.
    """

    turns: int
    likely: int
    conditional: bool
    carried: tuple[Node, ...]
    invariants: tuple[Node, ...]
    index: Node | None
    order: tuple[Node, ...]
    writes: tuple[Node, ...]
    caller: Caller

    def __repr__(self) -> str:
        return f"<{self.name} at {self.caller}>"

    @property
    def name(self) -> str:
        """The function that made it."""
        return "while_loop" if self.conditional else "fori_loop"

    @property
    def results(self) -> tuple[Signature, ...]:
        """Tell shape and dtype of each plane that its turns hand on."""
        return tuple(Signature(node.shape, node.dtype) for node in self.carried)

    def written_back(self, apart: Sequence[bool]) -> Loop:
        """Write some of the planes back at the end of a turn, which are changed in memory of their own."""
        planes = zip(self.carried, self.writes, apart, strict=True)
        writes = [_written_over(item, last) if one else last for item, last, one in planes]
        return replace(self, order=(*self.order, *(node for node in writes if node not in self.writes)), writes=tuple(writes))


def looped(loop: Loop, inputs: tuple[Node, ...]) -> tuple[Node, ...]:
    """Call a loop that one program runs."""
    return tuple([Node(Looped(loop, number), inputs) for number in range(len(loop.carried))])


def repeat(
    graph: Graph,
    states: Sequence[Value],
    body: Callable[..., Sequence[Value]],
    *,
    turns: int,
    first: int | None = None,
    condition: Callable[..., Value] | None = None,
) -> list[Value]:
    """
    Append a loop: what a turn gives the next one gets, of the same shapes and dtypes.

    Body and condition get Values, and are called once, to be traced. With `first`, the body gets the number of the turn before them. With a
    condition there is no turn beyond one that it holds for, and `turns` are those between two looks of the host at it.
    """
    trace = Trace("fori_loop" if condition is None else "while_loop", find_caller(("numpy", "scipy")))
    nested = graph.trace is not None
    inits = [state.read() for state in states]
    going = None if condition is None else _truth(condition(*states))
    parameters: list[Node] = []

    def stands_for(node: Node) -> Node:
        if not node.size:  # it is there
            return node
        made = Node(Buffer(Signature(node.shape, node.dtype)), ())
        made.error = trace.error
        parameters.append(made)
        return made

    def value(nodes: Sequence[Node], state: Value) -> Value:
        made = Value.of_nodes(tuple(nodes), state.dtype, graph)
        made.detached = state.detached
        return made

    with _traced(graph, trace, parameters):
        given = [tuple(map(stands_for, planes)) for planes in inits]
        values = [value(planes, state) for planes, state in zip(given, states, strict=True)]
        index = None
        if first is not None:
            index = stands_for(fill(0, (), INT32))
            values.insert(0, Value.of_nodes((index,), INT32, graph).without_memory())
        found = [one.read() for one in body(*values)]
        still = None
        if condition is not None:
            still = _truth(condition(*[value(planes, state) for planes, state in zip(found, states, strict=True)]))
    call = _Call(trace.caller, parameters)
    if index is not None and first is not None:
        call.number(index, first)
    carried = [
        (init, old, new)
        for planes in zip(inits, given, found, strict=True)
        for init, old, new in zip(*planes, strict=True)
        if init.size
    ]
    if going is not None and still is not None:
        results = call.make(carried, (going, still), _ENDLESS if nested else turns, turns, at_once=nested)
    else:
        results = call.make(carried, None, turns, turns, at_once=True)
    nodes = iter(results)
    return [value([next(nodes) if init.size else init for init in planes], state) for planes, state in zip(inits, states, strict=True)]


def _truth(value: Value) -> Node:
    return reshape(value.read()[0], ())


@contextmanager
def _traced(graph: Graph, trace: Trace, parameters: Sequence[Node]) -> Iterator[None]:
    """Trace: what depends on parameters is not pending on the device, then or later."""
    outer, graph.trace = graph.trace, trace
    try:
        yield
    finally:
        graph.trace = outer
        graph.forget(dependents(ancestors(graph.pending()), parameters))
        lost = LoopError(
            f"an Array that the body of {trace.name} at {trace.caller} made is used after the loop, when it has no value: return it from "
            "the body"
        )
        for node in parameters:
            node.error = lost


def _is_orderly(layout: Layout) -> bool:
    """Tell whether a look goes through memory in its order, so that a loop need not have a copy."""
    strides = [stride for stride, length in zip(layout.strides, layout.shape, strict=True) if stride and length > 1]
    return all(stride > 0 for stride in strides) and strides == sorted(strides, reverse=True)


def _seen(node: Node) -> Node:
    """Find what a node looks at."""
    while isinstance(node.primitive, Read):
        node = node.inputs[0]
    return node


def _whole(node: Node) -> Read:
    return Read(Layout(0, node.shape, contiguous_strides(node.shape)))


def _begin(node: Node) -> Node:
    """Find what a node is that was changed, perhaps again and again."""
    node = _seen_whole(node)
    while changed := changed_inputs(node):
        node = _seen_whole(changed[node.primitive.number if isinstance(node.primitive, Looped) else 0])
    return node


def _unfinished(node: Node) -> set[Node]:
    """Find what has been written of memory that began with nothing in it, which is there in a turn only."""
    found = set[Node]()
    while changed := changed_inputs(node):
        node = _seen_whole(changed[0])
        found.add(node)
    return found if is_empty(node.primitive) else set()


def _written_over(memory: Node, value: Node) -> Node:
    return Node(Write(Layout(0, (memory.size,), (1,))), (memory, value))


class _Call:
    """A loop in the making: the nodes of a trace made anew, with operands of their own."""

    def __init__(self, caller: Caller, parameters: Sequence[Node]) -> None:
        self.caller, self.parameters = caller, parameters
        self.made: dict[Node, Node] = {}  # by the node of the trace, or by an outer one
        self.order: list[Node] = []
        self.invariants: dict[Node, Node] = {}  # by the outer node
        self.index: Node | None = None

    def number(self, parameter: Node, first: int) -> None:
        """Let the number of the turn stand for a parameter."""
        self.index = self.made[parameter] = self.append(Node(Scalar(first, INT32), ()))

    def append(self, node: Node) -> Node:
        """Compute a node in each turn."""
        self.order.append(node)
        return node

    def invariant(self, outer: Node) -> Node:
        """Take what is there before the loop."""
        found = self.invariants.get(outer)
        if found is None:
            found = self.invariants[outer] = Node(Buffer(Signature(outer.shape, outer.dtype)), ())
            found.holders = 1  # other turns need it
        return found

    def operand(self, node: Node) -> Node:
        """Find an operand: computed in the turn, made in it as cheaply as it is read, or invariant."""
        looks: list[Node] = []
        while node not in self.made and node.buffer is None:
            if not isinstance(node.primitive, Read) or not _is_orderly(node.primitive.layout):
                break
            looks.append(node)
            node = node.inputs[0]
        found = self.made.get(node)
        if found is None:
            constant = node.buffer is None and isinstance(node.primitive, Fill | Iota | Scalar)
            found = self.made[node] = self.append(Node(node.primitive, ())) if constant else self.invariant(node)
        for look in reversed(looks):
            found = self.made[look] = self.append(Node(look.primitive, (found,)))
        return found

    def make(
        self, planes: Sequence[tuple[Node, Node, Node]], condition: tuple[Node, Node] | None, turns: int, likely: int, *, at_once: bool
    ) -> list[Node]:
        """Make the call of planes, each as it is before the loop, as the trace had it and as the turn left it, and give the results."""
        traced = ancestors([*(new for _, _, new in planes), *(condition or ())[1:]])
        depending = dependents(traced, self.parameters)
        for node in traced:
            if node in depending and not depending.issuperset(changed_inputs(node)):
                depending |= _unfinished(node)
        checks = list(dict.fromkeys(node.check for node in traced if node.check is not None and node in depending))
        changed = [(init, old, new) for init, old, new in planes if _seen_whole(new) is not old]
        for init, old, new in planes:
            if _seen_whole(new) is old:
                self.made[old] = self.invariant(init)
        inits = [init for init, _, _ in changed] + [fill(1, (), _BYTE) for _ in checks]
        carried = [Node(Buffer(Signature(node.shape, node.dtype)), ()) for node in inits]
        self.made |= {old: node for (_, old, _), node in zip(changed, carried, strict=False)}
        for node in traced:
            if node in depending and node not in self.made:
                self.made[node] = self.append(Node(node.primitive, tuple(map(self.operand, node.inputs))))
        nexts = [self.operand(new) for _, _, new in changed]
        for check, flag in zip(checks, carried[len(changed) :], strict=True):
            nexts.append(self.append(elementwise("logical_and", flag, self.operand(check.holds), dtype=BOOL)))
        if condition is not None:
            before, after = condition
            inits.append(before)
            carried.append(Node(Buffer(Signature((), before.dtype)), ()))
            goes_on = self.operand(after)
            for flag in nexts[len(changed) :]:
                goes_on = self.append(elementwise("logical_and", goes_on, flag, dtype=BOOL))
            nexts.append(goes_on)
        if not carried:
            return [init for init, _, _ in planes]
        memory = set(carried)
        # What looks at carried planes is read before any is written over.
        values = [self.append(Node(Elementwise("positive"), (node,))) if _seen(node) in memory else node for node in nexts]
        writes = []
        for item, value in zip(carried, values, strict=True):
            in_place = _begin(value) is item
            writes.append(_seen_whole(value) if in_place else self.append(_written_over(item, value)))
        loop = Loop(
            turns,
            likely,
            condition is not None,
            tuple(carried),
            tuple(self.invariants.values()),
            self.index,
            tuple(self.order),
            tuple(writes),
            self.caller,
        )
        if at_once:
            nodes = looped(loop, (*inits, *self.invariants))
        else:  # launches write over what the first one gets
            copies = [Node(_whole(node), (node,)) for node in inits]
            nodes = tuple([Node(LoopStep(loop, number), (*copies, *self.invariants)) for number in range(len(carried))])
        results = dict(zip((old for _, old, _ in changed), nodes, strict=False))
        found = []
        for init, old, _ in planes:
            node = results.get(old, init)
            for check, holds in zip(checks, nodes[len(changed) :], strict=False):
                node = Node(_whole(node), (node,), Check(holds, check.error, check.message, check.caller))
            found.append(node)
        return found


def _seen_whole(node: Node) -> Node:
    """Find what a node is all of, in its order."""
    while isinstance(node.primitive, Read) and node.size == node.inputs[0].size and node.primitive == _whole(node):
        node = node.inputs[0]
    return node
