"""What instructions touch: the tensor or memory, the bytes, and what the address has in it that only the device knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..dtypes import itemsize
from ..passes.reach import affine, loop_indices
from ..program.instruction import Instruction, Node
from ..program.program import Core, walk
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import Storage
from .footprint import Footprint, footprint, whole
from .placement import Place
from .profile import registers_written

__all__ = ["Access", "Accesses", "Base", "Touched"]

Base = tuple[tuple[int, int], ...]


class Access(NamedTuple):
    """
    What a view touches.

    Attributes
    ----------
    storage : Storage
        The tensor.
    key : object
        What has one history: the tensor, the memory of explicit addresses, or None where no order is needed.
    base : tuple of (int, int), or None
        Registers in the address that keep their value, and the bytes that one more moves it. Accesses of one base are compared by their
        bytes, which are counted from there; those of different bases may meet anywhere. None if the address may be any.
    at : Footprint
        The bytes.
    """

    storage: Storage
    key: Any
    base: Base | None
    at: Footprint


class _Moving(NamedTuple):
    """An access that loops' indices move: where it is at their zero, and bytes that one more of each moves it."""

    access: Access
    steps: dict[int, int]


class Touched(NamedTuple):
    """
    What an instruction touches.

    Attributes
    ----------
    reads, writes : tuple of Access
        Views that hold run-time indices are read.
    moves : bool
        Whether a loop's index moves any of it.
    """

    reads: tuple[Access, ...]
    writes: tuple[Access, ...]
    moves: bool


class Accesses:
    """
    What a core's instructions touch, each looked at once.

    Parameters
    ----------
    core : Core
        What it runs.
    places : mapping
        Where its tiles are.

    Attributes
    ----------
    kept : frozenset of int
        Registers that have one value in all of the program.
    """

    def __init__(self, core: Core, places: Mapping[Storage, Place]) -> None:
        self.places = places
        self._free = _untracked(core.nodes)
        self._loops = frozenset(register for register, _ in loop_indices(core.nodes))
        self.kept = _written_once(core.nodes)
        self._known = self._loops | self.kept
        self._found: dict[Instruction, Touched] = {}
        self._moving: dict[Instruction, list[_Moving]] = {}

    def of(self, i: Instruction, turns: Mapping[int, int]) -> Touched:
        """List the accesses of an instruction; `turns` are the indices of the loops around it."""
        found = self._found.get(i)
        if found is not None:
            return found
        moving = self._moving.get(i)
        if moving is None:
            moving = [self._access(view) for view in i.touched()]
        written, moves = len(i.writes), any(each.steps for each in moving)
        accesses = tuple(_moved(each, turns) for each in moving) if moves else tuple(each.access for each in moving)
        found = Touched(accesses[written:], accesses[:written], moves)
        if moves:
            self._moving[i] = moving
        else:
            self._found[i] = found
        return found

    def _access(self, view: NkiTensor) -> _Moving:
        storage = view._storage
        key: Any = None if storage in self._free else storage
        partition = byte = 0
        if storage.on_chip and storage.address is not None:
            key, (partition, byte, _) = storage.buffer, self.places[storage]
        by = view._indirection
        if by is None or key is None:
            return _Moving(Access(storage, key, (), footprint(view, partition, byte)), {})
        step = by.stride * itemsize(view.dtype)
        found = affine(by.source, self._known) if by.kind == "scalar" else None
        if found is None or (storage.on_chip and abs(step) >= storage.nbytes):  # unknown, or it moves along partitions
            return _Moving(Access(storage, key, None, whole(view, partition, byte)), {})
        constant, terms = found
        base = tuple(sorted((register, factor * step) for register, factor in terms.items() if register not in self._loops and factor))
        steps = {register: factor * step for register, factor in terms.items() if register in self._loops and factor}
        return _Moving(Access(storage, key, base, footprint(view, partition, byte, step * constant)), steps)


def _moved(moving: _Moving, turns: Mapping[int, int]) -> Access:
    access, at = moving.access, moving.access.at
    if not moving.steps:
        return access
    by = sum(step * turns[register] for register, step in moving.steps.items())
    return Access(access.storage, access.key, access.base, Footprint(at.first, at.last, at.start + by, at.stop + by, at.period, at.run))


def _written_once(nodes: tuple[Node, ...]) -> frozenset[int]:
    """Find the registers that one instruction writes, outside of loops."""
    count: dict[int, int] = {}
    for node, depth in walk(nodes):
        if isinstance(node, Instruction):
            for number in registers_written(node):
                count[number] = count.get(number, 0) + (2 if depth else 1)
    return frozenset(number for number, times in count.items() if times == 1)


def _untracked(nodes: tuple[Node, ...]) -> set[Storage]:
    """HBM tensors that are read only, or written only: DMAs need no order among them."""
    read, written = set[Storage](), set[Storage]()
    for node, _ in walk(nodes):
        if isinstance(node, Instruction):
            written.update(view._storage for view in node.writes)
            read.update(view._storage for view in node.touched()[len(node.writes) :])
    return {storage for storage in (read | written) - (read & written) if not storage.on_chip}
