"""Stretches of a program that are alike: calls that repeat an earlier one's instructions, each up to the loop that it ends with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from itertools import groupby
from typing import Final, NamedTuple

from ..program.instruction import Instruction
from ..program.program import Core, Repeat, walk
from ..tensor.storage import MemoryRegion, Storage
from .placement import Place

__all__ = ["Stretch", "alike"]

_LEAST: Final = 4  # of a run: two or three are played


class Stretch(NamedTuple):
    """
    Nodes of a program up to the end of a loop.

    Attributes
    ----------
    first, last : int
        The nodes, the second excluded.
    storages : tuple of Storage
        The tensors of the calls that it is of, in an order that is the same for stretches that are alike.
    written : frozenset of int
        Which of them it may write.
    """

    first: int
    last: int
    storages: tuple[Storage, ...]
    written: frozenset[int]


def alike(core: Core, places: Mapping[Storage, Place], bank: int) -> list[list[Stretch]]:
    """Find the runs of stretches that are alike, and depend alike on the one before; `bank` is the bytes of one of PSUM's."""
    found = []
    for kind, run in groupby(_stretches(core, places, bank), key=lambda entry: entry[0]):
        stretches = [stretch for _, stretch in run]
        if kind is not None and len(stretches) >= _LEAST:
            found.append(stretches)
    return found


def _stretches(core: Core, places: Mapping[Storage, Place], bank: int) -> Iterator[tuple[Hashable, Stretch]]:
    """Cut a program after each of its loops; what calls do not cover that come often enough has no kind."""
    ends = [number + 1 for number, node in enumerate(core.nodes) if not isinstance(node, Instruction)] if core.repeats else []
    written, at, before = _written(core), 0, Stretch(0, 0, (), frozenset())
    often = Counter(part.of for part in core.repeats)
    for last in ends:
        first = before.last
        while at < len(core.repeats) and core.repeats[at].last <= first:
            at += 1
        parts, covered = list[Repeat](), first
        for part in core.repeats[at:]:
            if covered == last or max(part.first, first) != covered:
                break
            parts.append(part)
            covered = min(part.last, last)
        storages, writes = list[Storage](), set[int]()
        for part in parts:
            writes.update(len(storages) + number for number in written[part.of])
            storages += part.storages
        stretch = Stretch(first, last, tuple(storages), frozenset(writes))
        repeated = covered == last and all(often[part.of] >= _LEAST for part in parts)
        yield (_kind(parts, stretch, before, places, bank) if repeated else None), stretch
        before = stretch


def _written(core: Core) -> Mapping[int, list[int]]:
    """Find out which of its tensors each call that others repeat writes, by its first node."""
    found = {}
    for part in core.repeats:
        if part.first == part.of:
            nodes = [node for node, _ in walk(core.nodes[part.first : part.last]) if isinstance(node, Instruction)]
            storages = {view._storage for node in nodes for view in node.writes}
            found[part.of] = [number for number, storage in enumerate(part.storages) if storage in storages]
    return found


def _kind(parts: list[Repeat], stretch: Stretch, before: Stretch, places: Mapping[Storage, Place], bank: int) -> Hashable:
    """Make what is equal for stretches of the same instructions that use tensors, PSUM and what the one before used in the same way."""
    nodes = tuple((part.of, max(stretch.first - part.first, 0), min(stretch.last, part.last) - part.first) for part in parts)
    numbers, earlier, banks = dict[Storage, int](), dict[Storage, int](), dict[int, int]()
    tensors = tuple(numbers.setdefault(storage, len(numbers)) for storage in stretch.storages)
    for number, storage in enumerate(before.storages):
        earlier.setdefault(storage, number)
    shared = [(earlier[storage], number) for number, storage in enumerate(stretch.storages) if storage in earlier]
    links = tuple((one, other) for one, other in shared if one in before.written or other in stretch.written)
    memory = list[Hashable]()
    for storage in numbers:
        if storage in places:
            partition, byte, occupants = places[storage]
            if storage.address is not None:
                memory.append(byte)
            elif storage.buffer is MemoryRegion.psum:  # which banks does not matter, but who shares one
                touched = range(byte // bank, (byte + storage.nbytes - 1) // bank + 1)
                memory.append((byte % bank, tuple(banks.setdefault(number, len(banks)) for number in touched)))
            memory.append((partition, tuple(numbers[tile] for tile in occupants if tile in numbers)))
    return nodes, tensors, links, tuple(memory)
