"""The schedule: pending nodes as programs, separated by what the host computes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .graph import Node, ancestors
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
    kept : frozenset of Node
        What later steps read and this one must not write over.
    """

    call: HostCall | None
    nodes: list[Node]
    kept: frozenset[Node] = frozenset()


def schedule(roots: Iterable[Node]) -> list[Step]:
    """
    Order the computation of nodes: host calls as early as their operands allow, and programs as late as possible, which makes them few.

    Parameters
    ----------
    roots : iterable of Node
        Pending ones.

    Returns
    -------
    list of Step
        In order: one program where nothing is computed on the host.
    """
    wanted = dict.fromkeys(roots)
    order = ancestors(wanted)
    if not any(type(node.primitive) is HostStep for node in order):
        return [Step(None, list(wanted))] if wanted else []
    # Round r is program r, then the host calls that it allows: a node's round is the first one that can have it.
    rounds: dict[Node, int] = {}
    for node in order:
        earlier = [rounds[item] + (type(item.primitive) is HostStep) for item in node.inputs if item in rounds]
        rounds[node] = max(earlier, default=0)
    last = max(rounds[node] + (type(node.primitive) is HostStep) for node in order)
    latest = dict.fromkeys(order, last)
    outputs = set(wanted)
    for node in reversed(order):
        if type(node.primitive) is HostStep:
            latest[node] = rounds[node]
        for item in node.inputs:
            if item in latest:
                latest[item] = min(latest[item], latest[node])
                if type(node.primitive) is HostStep:
                    outputs.add(item)
    for node in order:
        outputs.update(item for item in node.inputs if item in latest and latest[item] != latest[node])
    steps: list[Step] = []
    readers: list[list[Node]] = []  # of each step, the nodes that it computes
    for number in range(last + 1):
        here = [node for node in order if latest[node] == number]
        device = [node for node in here if type(node.primitive) is not HostStep]
        if results := [node for node in device if node in outputs]:
            steps.append(Step(None, results))
            readers.append(device)
        calls: dict[HostCall, list[Node]] = {}
        for node in here:
            if isinstance(node.primitive, HostStep):
                calls.setdefault(node.primitive.call, []).append(node)
        for call, results in calls.items():
            steps.append(Step(call, results))
            readers.append(results)
    kept = frozenset[Node]()
    for place in reversed(range(len(steps))):
        steps[place] = steps[place]._replace(kept=kept)
        kept |= {item for node in readers[place] for item in node.inputs}
    return steps
