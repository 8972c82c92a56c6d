"""From where to where each tensor is alive, and which registers are."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..program.instruction import Instruction, Node
from ..program.program import Interval
from ..registers import registers_of
from ..tensor.storage import Storage

__all__ = ["Interval", "Liveness", "liveness"]


class Liveness(NamedTuple):
    """
    The result of the pass.

    Attributes
    ----------
    tensors : dict
        Interval of each storage that is used.
    registers : dict
        Interval of each register.
    ends : list of int
        Position at which each top-level node ends.
    """

    tensors: dict[Storage, Interval]
    registers: dict[int, Interval]
    ends: list[int]


class _Walk:
    def __init__(self) -> None:
        self.position = 0
        self.tensors: dict[Storage, list[int]] = {}
        self.registers: dict[int, list[int]] = {}
        self.born: dict[int, int] = {}  # loops around the first use of a register

    def node(self, node: Node, starts: tuple[int, ...]) -> list[tuple[list[int], int]]:
        """Record the uses of a node; returns those that reach to the end of a loop, with its depth."""
        self.position += 1
        here, reaching = self.position, list[tuple[list[int], int]]()
        if isinstance(node, Instruction):
            for view in node.touched():
                self._use(self.tensors, view._storage, view._storage.depth, here, starts, reaching)
            for number in node.registers():
                self._use(self.registers, number, self.born.setdefault(number, len(starts)), here, starts, reaching)
            return reaching
        for value in (getattr(node, name, None) for name in ("register", "lower", "upper", "initial", "result")):
            for number in registers_of(value):
                self._use(self.registers, number, self.born.setdefault(number, len(starts)), here, starts, reaching)
        inner = [use for child in node.body for use in self.node(child, (*starts, here))]
        self.position += 1
        for number in registers_of(node.register):
            self.registers[number][1] = self.position
        for interval, depth in inner:
            interval[1] = max(interval[1], self.position)
            if depth < len(starts):
                reaching.append((interval, depth))
        return reaching

    def _use(
        self, table: dict[Any, list[int]], key: Any, depth: int, here: int, starts: tuple[int, ...], reaching: list[tuple[list[int], int]]
    ) -> None:
        inside = len(starts) > depth
        first = starts[depth] if inside else here
        interval = table.get(key)
        if interval is None:
            interval = table[key] = [first, here]
        else:
            if first < interval[0]:
                interval[0] = first
            if here > interval[1]:
                interval[1] = here
        if inside:
            reaching.append((interval, depth))


def liveness(nodes: tuple[Node, ...]) -> Liveness:
    """Find out where tensors and registers are alive."""
    walk, ends = _Walk(), []
    for node in nodes:
        walk.node(node, ())
        ends.append(walk.position)
    return Liveness(
        {key: Interval(*value) for key, value in walk.tensors.items()},
        {key: Interval(*value) for key, value in walk.registers.items()},
        ends,
    )
