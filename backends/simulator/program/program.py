"""A traced kernel: immutable, printable, replayable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..target import Target
from ..tensor.storage import Storage
from .instruction import Instruction, Node

__all__ = ["Core", "Interval", "Program", "Repeat", "walk"]


def walk(nodes: tuple[Node, ...], depth: int = 0) -> Iterator[tuple[Node, int]]:
    """Every node, loops before their bodies."""
    for node in nodes:
        yield node, depth
        if not isinstance(node, Instruction):
            yield from walk(node.body, depth + 1)


class Interval(NamedTuple):
    """
    Positions in the order of tracing, both included.

    Attributes
    ----------
    first : int
        First use.
    last : int
        Last use; that of the loop if the next iteration needs it.
    """

    first: int
    last: int


class Repeat(NamedTuple):
    """
    A call outside of loops whose instructions are those of an earlier one on other tensors, or that earlier one.

    Attributes
    ----------
    first, last : int
        Nodes of the program, the second excluded.
    of : int
        The first node of the call that was traced.
    storages : tuple of Storage
        What it was given and what it made, in the order of that call's.
    """

    first: int
    last: int
    of: int
    storages: tuple[Storage, ...]


@dataclass(frozen=True, eq=False)
class Core:
    """
    What one core runs.

    Parameters
    ----------
    nodes : tuple of Node
        Instructions and loops, in order.
    storages : tuple of Storage
        Every tensor.
    addresses : mapping
        (partition, byte) of on-chip tensors, from the allocation pass.
    last_use : tuple of tuple of Storage
        For each of `nodes`, the tensors that are not used after it.
    peak : mapping
        Most bytes per partition that were alive together, by memory.
    alive : mapping
        From where to where each tensor that is used is alive.
    dependencies : tuple
        Pairs (consumer, producer) that the kernel asked for.
    regions : tuple
        Instructions of each nl.no_reorder block.
    repeats : tuple of Repeat
        Calls that are alike, in order.
    """

    nodes: tuple[Node, ...]
    storages: tuple[Storage, ...]
    addresses: Mapping[Storage, tuple[int, int]]
    last_use: tuple[tuple[Storage, ...], ...]
    peak: Mapping[str, int]
    alive: Mapping[Storage, Interval]
    dependencies: tuple[tuple[Instruction, Instruction], ...] = ()
    regions: tuple[tuple[Instruction, ...], ...] = ()
    repeats: tuple[Repeat, ...] = ()


@dataclass(frozen=True, eq=False)
class Program:
    """
    A traced kernel. Holds no data but constants, and no Python of the kernel.

    Parameters
    ----------
    name : str
        Of the kernel.
    target : Target
        The generation it was checked for.
    cores : tuple of Core
        One for each core of the logical core.
    inputs : tuple of Storage
        HBM tensors that a launch brings, in the order of the arguments.
    outputs : object
        What the kernel returned: an NkiTensor, a tuple of them, or None.
    """

    name: str
    target: Target
    cores: tuple[Core, ...]
    inputs: tuple[Storage, ...]
    outputs: Any
    written: frozenset[Storage] = field(default=frozenset())

    @property
    def instructions(self) -> list[Instruction]:
        """
        Every instruction, loop bodies once.

        Returns
        -------
        list of Instruction
            Core after core.
        """
        return [node for core in self.cores for node, _ in walk(core.nodes) if isinstance(node, Instruction)]

    def __str__(self) -> str:
        lines = [f"program {self.name} for {self.target.name}, {len(self.cores)} core(s), {len(self.instructions)} instructions"]
        lines += [f"  input  {storage!r}" for storage in self.inputs]
        for number, core in enumerate(self.cores):
            peak = ", ".join(f"{memory} {size} B/partition" for memory, size in core.peak.items())
            lines.append(f"core {number}: {len(core.storages)} tensors, peak {peak or 'nothing on chip'}")
            lines += [
                f"  tensor {storage!r}" + (f" at {core.addresses[storage]}" if storage in core.addresses else "")
                for storage in core.storages
                if storage not in self.inputs
            ]
            for node, depth in walk(core.nodes):
                label = f"{node.serial:5}" if isinstance(node, Instruction) else "     "
                lines.append(f"{label}  {'  ' * depth}{node}  # {node.where.short}")
        lines.append(f"returns {self.outputs!r}")
        return "\n".join(lines)
