"""The schedule: pending nodes as programs, separated by what the host computes, and by loops of which it sees the end."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from ..fallback.host_call import HostCall
from ..graph.graph import Node, needs
from ..graph.primitives import HostStep, LoopStep, is_step
from ..loop import Loop
from .assemble import Launch

__all__ = ["Relaunch", "Round", "Step", "schedule"]


_NONE: Final[Mapping[HostCall, list[Node]]] = MappingProxyType({})


class Step(NamedTuple):
    """
    A part of the pending work that runs in one piece: a program, a loop, or a round of host calls that do not need each other.

    Attributes
    ----------
    nodes : list of Node
        Whose values the step gives.
    calls : mapping of HostCall to list of Node
        What the host computes, and the nodes of each call; empty for a program and a loop.
    checked : list of Node
        Nodes of the program, whether it gives their values or not, that have a check.
    kept : frozenset of Node
        What later steps read and this one must not write over.
    fetched : tuple of Node
        Of a round: what it reads that the host has not made.
    brought : frozenset of Node
        Of a round: what programs read, or users see. The rest stays on the host, for later rounds.
    loop : Loop or None
        What the host launches until a condition does not hold.
    """

    nodes: list[Node]
    calls: Mapping[HostCall, list[Node]] = _NONE
    checked: Sequence[Node] = ()
    kept: frozenset[Node] = frozenset()
    fetched: tuple[Node, ...] = ()
    brought: frozenset[Node] = frozenset()
    loop: Loop | None = None


class Relaunch(NamedTuple):
    """
    A loop that the host will launch until a condition does not hold.

    Attributes
    ----------
    loop : Loop
        Which.
    launch : Launch
        Some turns of it.
    """

    loop: Loop
    launch: Launch


class Round(NamedTuple):
    """
    What the host will compute between two programs.

    Attributes
    ----------
    calls : tuple of HostCall
        Calls that do not need each other.
    fetched, brought : int
        Bytes that move to the host and to the device: memory that several calls read moves once.
    """

    calls: tuple[HostCall, ...]
    fetched: int
    brought: int

    @classmethod
    def of(cls, step: Step) -> Round:
        """Tell of a step."""
        return cls(tuple(step.calls), *(sum(node.size * node.dtype.itemsize for node in moved) for moved in (step.fetched, step.brought)))


def schedule(roots: Iterable[Node], order: Sequence[Node]) -> list[Step]:
    """Order the computation of nodes: host calls as early as operands allow, programs as late as possible, so that they are few."""
    if not order:
        return []
    roots = frozenset(roots)
    outputs = set(roots)
    checked = [node for node in order if node.check is not None]
    outputs.update(item for node in checked if node.check is not None for item in node.check.nodes)
    if not any(is_step(node.primitive) for node in order):
        kept = frozenset(item for node in order for item in node.inputs) if checked else frozenset[Node]()
        return [Step([node for node in order if node in outputs], checked=checked, kept=kept)]
    rounds = _rounds(order)
    for node in order:
        apart = is_step(node.primitive)
        outputs.update(item for item in node.inputs if item in rounds and (apart or rounds[item] != rounds[node]))
    on_device = roots.union(item for node in order if type(node.primitive) is not HostStep for item in needs(node))
    steps: list[Step] = []
    readers: list[Sequence[Node]] = []  # of each step, the nodes that it computes
    by_round: list[list[Node]] = [[] for _ in range(max(rounds.values()) + 1)]
    for node in order:
        by_round[rounds[node]].append(node)
    for here in by_round:
        device = [node for node in here if not is_step(node.primitive)]
        if results := [node for node in device if node in outputs]:
            steps.append(Step(results, checked=[node for node in device if node.check is not None]))
            readers.append(device)
        loops: dict[Loop, list[Node]] = {}
        calls: dict[HostCall, list[Node]] = {}
        for node in here:
            if isinstance(node.primitive, HostStep):
                calls.setdefault(node.primitive.call, []).append(node)
            elif isinstance(node.primitive, LoopStep):
                assert isinstance(node.primitive.loop, Loop)
                loops.setdefault(node.primitive.loop, []).append(node)
        for loop, results in loops.items():
            steps.append(Step(results, loop=loop))
            readers.append(results)
        if calls:
            hosted = [node for results in calls.values() for node in results]
            operands = dict.fromkeys(item for node in hosted for item in node.inputs if type(item.primitive) is not HostStep)
            steps.append(Step(hosted, calls, fetched=tuple(operands), brought=on_device.intersection(hosted)))
            readers.append(hosted)
    kept = frozenset()
    for place in reversed(range(len(steps))):
        read = {item for node in readers[place] for item in node.inputs}
        steps[place] = steps[place]._replace(kept=kept | read if steps[place].checked else kept)
        kept |= read
    return steps


def _rounds(order: Sequence[Node]) -> dict[Node, int]:
    """Give a round, a program and the steps after it, to each node: to steps the first one that can have them."""
    first: dict[Node, int] = {}
    for node in order:
        after = node.primitive.call.after if isinstance(node.primitive, HostStep) else None  # which may share its round
        earlier = [first[item] + (is_step(item.primitive) and item is not after) for item in needs(node) if item in first]
        first[node] = max(earlier, default=0)
    last = dict.fromkeys(order, max(first[node] + is_step(node.primitive) for node in order))
    for node in reversed(order):
        if is_step(node.primitive):
            last[node] = first[node]
        for item in needs(node):
            if item in last:
                last[item] = min(last[item], last[node])
    programs = list[int]()  # as few rounds as there can be that have one
    for node in sorted(order, key=first.__getitem__, reverse=True):
        if not is_step(node.primitive) and (not programs or last[node] < programs[-1]):
            programs.append(first[node])
    programs.reverse()
    for node in order:
        if not is_step(node.primitive):
            last[node] = programs[bisect_right(programs, last[node]) - 1]
    return last
