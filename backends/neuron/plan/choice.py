"""Choice by predicted time: of a kernel's variants the one that is estimated to take the shortest, with the figures of the cost model."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final, NamedTuple

from ...rules import Signature
from ..costs import Costs
from ..graph.graph import Node, needs
from ..graph.primitives import AnyLoop, Looped, Result
from ..kernel import InvalidCallError, Invocation, Variant
from ..loop import Loop
from .plan import Choice

__all__ = ["Chooser", "Expanded", "expand"]

_KEPT: Final = 4096  # choices


class Chooser:
    """
    Chooses variants, and remembers what it chose for a call of the same kernel, parameters and results.

    Parameters
    ----------
    costs : Costs
        The figures.
    preferred : mapping, optional
        By the names of kernels, variants that are taken wherever they take a call; to compare what they take and give.

    Notes
    -----
    Every process chooses the same, since estimates are closed forms of the figures. They take 10 to 20 us for a call, once, about as long
    as to read a file with one choice (14 us) that another process left; so none is kept.
    """

    def __init__(self, costs: Costs, preferred: Mapping[str, str] = MappingProxyType({})) -> None:
        self.costs, self.preferred = costs, preferred
        self._chosen: dict[Invocation, tuple[Variant, Choice]] = {}

    def choose(self, invocation: Invocation) -> tuple[Variant, Choice]:
        """Choose."""
        found = self._chosen.get(invocation)
        if found is None:
            if len(self._chosen) >= _KEPT:
                self._chosen.clear()
            found = self._chosen[invocation] = self._ranked(invocation)
        return found

    def _ranked(self, invocation: Invocation) -> tuple[Variant, Choice]:
        kernel, parameters, results = invocation
        timed = [(variant.estimate(self.costs, results, *parameters), variant) for variant in kernel.variants]
        taking = [(1e-9 * time, variant) for time, variant in timed if time < math.inf]
        if not taking:
            raise InvalidCallError(f"no variant of {kernel.name} takes {parameters}")
        wanted = self.preferred.get(kernel.name)
        taking.sort(key=lambda one: (one[1].name != wanted, one[0]))
        (seconds, variant), *others = taking
        second = (others[0][1].name, others[0][0]) if others else ("", math.inf)
        return variant, Choice(*kernel.describe(parameters), variant.name, seconds, *second)


_EXPANDING: Final = frozenset((Result, Looped))


class Expanded(NamedTuple):
    """
    Pending nodes, in which calls of kernels whose chosen variants are graphs are these graphs.

    Attributes
    ----------
    order : list of Node
        Inputs before users.
    instead : dict
        From nodes to those in their places, which have the same values.
    choices : tuple of Choice
        What was chosen.
    """

    order: list[Node]
    instead: Mapping[Node, Node]
    choices: tuple[Choice, ...]


def expand(order: list[Node], roots: Collection[Node], chooser: Chooser) -> Expanded:
    """Make calls whose chosen variants are graphs into these; no node changes. What no root needs of a graph is left out."""
    if _EXPANDING.isdisjoint({type(node.primitive) for node in order}) or not any(map(_expands, order)):
        return Expanded(order, {}, ())
    expansion = _Expansion(chooser)
    for node in order:
        expansion.take(node)
    needed = {expansion.instead.get(node, node) for node in roots}
    for node in reversed(expansion.order):
        if node in needed:
            needed.update(needs(node))
    return Expanded([node for node in expansion.order if node in needed], expansion.instead, tuple(expansion.choices))


def _expands(node: Node) -> bool:
    primitive = node.primitive
    if type(primitive) is Looped:
        assert isinstance(primitive.loop, Loop)
        return any(map(_expands, primitive.loop.order))
    return type(primitive) is Result and primitive.invocation.kernel.expands


class _Expansion:
    def __init__(self, chooser: Chooser) -> None:
        self.chooser = chooser
        self.order: dict[Node, None] = {}
        self.instead: dict[Node, Node] = {}
        self.choices: dict[Choice, None] = {}
        self.loops: dict[AnyLoop, AnyLoop] = {}
        self.calls: dict[tuple[Hashable, ...], dict[int, Node]] = {}  # results of calls that no node took yet

    def take(self, node: Node) -> None:
        """Take the next node: as it is, of other inputs, or as a graph."""
        inputs = tuple([self.instead.get(item, item) for item in node.inputs])
        if isinstance(node.primitive, Looped) and _expands(node):
            made = Node(node.primitive._replace(loop=self.loop(node.primitive.loop)), inputs)
            self.order[made] = None
        elif _expands(node):
            assert isinstance(node.primitive, Result)
            made = self.result(node.primitive, inputs)
        elif inputs != node.inputs:
            made = Node(node.primitive, inputs)
            self.order[made] = None
        else:
            self.order[node] = None
            return
        made.holders = node.holders
        self.instead[node] = made

    def loop(self, loop: AnyLoop) -> AnyLoop:
        """Expand what a turn of a loop computes."""
        found = self.loops.get(loop)
        if found is None:
            assert isinstance(loop, Loop)
            roots = loop.writes if loop.index is None else (*loop.writes, loop.index)  # which a turn counts on, whoever needs it
            order, instead, choices = expand([*loop.order], roots, self.chooser)
            writes = tuple(instead.get(node, node) for node in loop.writes)
            found = self.loops[loop] = replace(loop, order=tuple(order), writes=writes)
            self.choices |= dict.fromkeys(choices)
        return found

    def result(self, result: Result, inputs: tuple[Node, ...]) -> Node:
        """Expand a call, once for its several results, of which each has memory of its own."""
        key = (result.invocation, *inputs)
        found = self.calls.get(key, {})
        if result.number not in found:
            found = self.calls[key] = dict(enumerate(self.graph(result.invocation, inputs)))
        return found.pop(result.number)

    def graph(self, invocation: Invocation, inputs: tuple[Node, ...]) -> list[Node]:
        """Expand a call, and the calls of which that makes it."""
        (variant, *others) = invocation.kernel.variants
        if others:
            variant, choice = self.chooser.choose(invocation)
            self.choices[choice] = None
        assert variant.expand is not None
        results = variant.expand(*inputs, *invocation.parameters)
        new = dict[Node, None]()
        stack = list(results)
        while stack:
            node = stack.pop()
            if node.buffer is None and node not in new and node not in self.order:
                new[node] = None
                stack += node.inputs
        for node in sorted(new, key=lambda node: node.serial):
            self.take(node)
        found = [self.instead.get(node, node) for node in results]
        if [Signature(node.shape, node.dtype) for node in found] != list(invocation.results):
            raise InvalidCallError(f"variant {variant.name} of {invocation.kernel.name} does not give {invocation.results}")
        return found
