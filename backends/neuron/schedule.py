"""The schedule: pending nodes as programs, separated by what the host computes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .graph import Node, needs
from .host_call import HostCall
from .primitives import HostStep

__all__ = ["Step", "schedule"]


class Step(NamedTuple):
    """
    A part of the pending work that runs in one piece.

    Attributes
    ----------
    call : HostCall or None
        What the host computes; None for a program.
    nodes : list of Node
        Whose values the step gives.
    checked : list of Node
        Nodes of the program, whether it gives their values or not, that have a check.
    kept : frozenset of Node
        What later steps read and this one must not write over.
    """

    call: HostCall | None
    nodes: list[Node]
    checked: Sequence[Node] = ()
    kept: frozenset[Node] = frozenset()


def schedule(roots: Iterable[Node], order: Sequence[Node]) -> list[Step]:
    """Order the computation of nodes: host calls as early as operands allow, programs as late as possible, so that they are few."""
    if not order:
        return []
    outputs = set(roots)
    checked = [node for node in order if node.check is not None]
    outputs.update(node.check.holds for node in checked if node.check is not None)
    if not any(type(node.primitive) is HostStep for node in order):
        kept = frozenset(item for node in order for item in node.inputs) if checked else frozenset[Node]()
        return [Step(None, [node for node in order if node in outputs], checked, kept)]
    rounds = _latest(order)
    for node in order:
        on_host = type(node.primitive) is HostStep
        outputs.update(item for item in node.inputs if item in rounds and (on_host or rounds[item] != rounds[node]))
    steps: list[Step] = []
    readers: list[Sequence[Node]] = []  # of each step, the nodes that it computes
    by_round: list[list[Node]] = [[] for _ in range(max(rounds.values()) + 1)]
    for node in order:
        by_round[rounds[node]].append(node)
    for here in by_round:
        device = [node for node in here if type(node.primitive) is not HostStep]
        if results := [node for node in device if node in outputs]:
            steps.append(Step(None, results, [node for node in device if node.check is not None]))
            readers.append(device)
        calls: dict[HostCall, list[Node]] = {}
        for node in here:
            if isinstance(node.primitive, HostStep):
                calls.setdefault(node.primitive.call, []).append(node)
        for call, results in calls.items():
            steps.append(Step(call, results))
            readers.append(results)
    kept = frozenset()
    for place in reversed(range(len(steps))):
        read = {item for node in readers[place] for item in node.inputs}
        steps[place] = steps[place]._replace(kept=kept | read if steps[place].checked else kept)
        kept |= read
    return steps


def _latest(order: Sequence[Node]) -> dict[Node, int]:
    """Give a round, a program and the host calls after it, to each node: to calls the first one that can have them, to others the last."""
    rounds: dict[Node, int] = {}
    for node in order:
        earlier = [rounds[item] + (type(item.primitive) is HostStep) for item in needs(node) if item in rounds]
        rounds[node] = max(earlier, default=0)
    last = max(rounds[node] + (type(node.primitive) is HostStep) for node in order)
    latest = dict.fromkeys(order, last)
    for node in reversed(order):
        if type(node.primitive) is HostStep:
            latest[node] = rounds[node]
        for item in needs(node):
            if item in latest:
                latest[item] = min(latest[item], latest[node])
    return latest
