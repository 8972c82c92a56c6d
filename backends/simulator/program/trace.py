"""Tracing: a kernel runs as ordinary Python, and every call records what the device will do."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple, Protocol

from ..config import DEFAULT_CONFIGS, Configs
from ..dtypes import canonical
from ..errors import KernelError, NkiConstraintError
from ..options import Options
from ..registers import NkiScalar, VirtualRegister
from ..source import SourceLine, calling_line
from ..target import Target
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import MemoryRegion, Storage
from .instruction import Instruction, NkiInstruction, Node
from .program import Repeat

__all__ = ["Prepared", "Trace", "current_trace", "found_trace", "is_tracing"]

_CURRENT: ContextVar[Trace | None] = ContextVar("trnarray.simulator.trace", default=None)


class Executor(Protocol):
    """What executes instructions one by one; see `machine.run.Run`."""

    memories: Any
    registers: dict[int, int]

    def value(self, value: Any) -> int:
        """Give a number that may be known at run time only."""

    def step(self, instruction: Instruction) -> object:
        """Execute the next one."""


class Prepared(NamedTuple):
    """
    A collective that is held back.

    Attributes
    ----------
    instruction : Instruction
        What will be recorded.
    nodes : list of Node
        The body that it is in.
    position : int
        How many nodes that had.
    """

    instruction: Instruction
    nodes: list[Node]
    position: int


class Trace:
    """
    One core's program in the making.

    Parameters
    ----------
    options : Options
        Target, and whether to execute at once.
    core, cores : int
        Which of how many cores of a logical core.
    shared : list of Storage
        Shared HBM tensors that an earlier core made; this one's are the same, in order.
    run : Executor, optional
        Executes instructions at once, for the eager mode.
    configs : Configs, optional
        Of the kernel that is traced; those it calls must not contradict them.
    """

    def __init__(
        self,
        options: Options,
        core: int = 0,
        cores: int = 1,
        shared: list[Storage] | None = None,
        run: Executor | None = None,
        configs: Configs = DEFAULT_CONFIGS,
    ) -> None:
        self.options, self.core, self.cores, self.run, self.configs = options, core, cores, run, configs
        self.nodes: list[Node] = []
        self.storages: list[Storage] = []
        self.registers = 0
        self.dependencies: list[tuple[Instruction, Instruction]] = []
        self.regions: list[tuple[Instruction, ...]] = []  # of nl.no_reorder
        self.repeats: list[Repeat] = []
        self.shared: list[Storage] = []
        self.broken: KernelError | None = None  # found where nothing can be raised
        self.prepared: Prepared | None = None  # the one that waits for its trigger
        self._inherited = shared
        self._serial = 0
        self._open: list[tuple[list[Node], list[Storage]]] = []
        self._depth: dict[int, int] = {}
        self._region: list[Instruction] | None = None
        self._names: set[str] = set()

    @property
    def target(self) -> Target:
        """The generation."""
        return self.options.target

    @property
    def depth(self) -> int:
        """Number of device loops around what is traced now."""
        return len(self._open)

    def next_serial(self) -> int:
        """Take the number of the next instruction."""
        self._serial += 1
        return self._serial - 1

    def record(self, instruction: Instruction) -> NkiInstruction:
        """Append an instruction; in the eager mode execute it, too."""
        for view in instruction.touched():
            if view._storage.depth > self.depth:
                raise KernelError(
                    f"{instruction.opcode.name}: tensor {view._storage.name!r} was made in a loop body and does not outlive it; "
                    "make it before the loop",
                    instruction.where,
                )
        self.nodes.append(instruction)
        self._depth[instruction.serial] = self.depth
        if self._region is not None:
            self._region.append(instruction)
        if self.run is not None:
            self.run.step(instruction)
        handle = NkiInstruction(instruction)
        handle._trace = self
        return handle

    def prepare(self, instruction: Instruction) -> NkiInstruction:
        """Hold an instruction back until it is triggered."""
        self.prepared = Prepared(instruction, self.nodes, len(self.nodes))
        self._depth[instruction.serial] = self.depth
        handle = NkiInstruction(instruction)
        handle._trace = self
        return handle

    def depend(self, consumer: Instruction, producer: Instruction) -> None:
        """Order two instructions."""
        if self._depth[producer.serial] > self._depth[consumer.serial] or self._depth[consumer.serial] != self.depth:
            raise KernelError(
                "depends_on: both instructions are at the same nesting of device loops, or the producer is further out", consumer.where
            )
        self.dependencies.append((consumer, producer))

    def allocate(
        self, shape: Any, dtype: Any, buffer: MemoryRegion, name: str = "", address: tuple[int, int] | None = None, constant: Any = None
    ) -> NkiTensor:
        """Make a tensor."""
        where = calling_line()
        extents = tuple(operator.index(extent) for extent in (shape if isinstance(shape, list | tuple) else (shape,)))
        region = MemoryRegion(buffer)
        label = name or f"t{len(self.storages)}"
        while label in self._names:
            label += "'"
        self._names.add(label)
        storage = Storage(extents, canonical(dtype), region, label, where, address, self._pitch(region), constant)
        if address is not None:
            self._check_address(storage, where)
        if region is MemoryRegion.shared_hbm:
            storage = self._share(storage, where)
        storage.depth = self.depth
        self.add(storage)
        return NkiTensor._of(storage)

    def add(self, storage: Storage) -> None:
        """Count a tensor among those of what is traced now."""
        self.storages.append(storage)
        if self._open and storage.depth == self.depth:
            self._open[-1][1].append(storage)

    def _pitch(self, region: MemoryRegion) -> int:
        return self.target.psum_bytes if region is MemoryRegion.psum else self.target.sbuf_usable

    def _check_address(self, storage: Storage, where: SourceLine) -> None:
        assert storage.address is not None
        partition, byte = storage.address
        if not storage.on_chip:
            raise NkiConstraintError(
                "nl.ndarray", "only on-chip tensors have an address", storage.buffer, "sbuf or psum", "nki.language.ndarray", where
            )
        end, bank = byte + storage.nbytes, self.target.psum_bank_bytes
        if partition < 0 or byte < 0 or partition + storage.shape[0] > 128 or end > storage.pitch:
            raise NkiConstraintError(
                "nl.ndarray",
                "a tensor is within its memory",
                f"partitions {partition}..{partition + storage.shape[0]}, bytes {byte}..{end}",
                f"128 partitions of {storage.pitch} bytes",
                "nki.language.ndarray",
                where,
            )
        if storage.buffer is MemoryRegion.psum and byte % bank and byte // bank != (end - 1) // bank:
            raise NkiConstraintError(
                "nl.ndarray",
                "a PSUM tensor does not cross a bank boundary in its middle",
                f"bytes {byte}..{end}",
                f"banks of {bank} bytes",
                "nki.language.ndarray",
                where,
            )

    def _share(self, storage: Storage, where: SourceLine) -> Storage:
        """Cores make the same shared tensors in the same order."""
        place = len(self.shared)
        if self._inherited is not None:
            if (
                place >= len(self._inherited)
                or self._inherited[place].shape != storage.shape
                or self._inherited[place].dtype != storage.dtype
            ):
                raise KernelError("all cores of a logical core make the same shared_hbm tensors in the same order", where)
            storage = self._inherited[place]
        self.shared.append(storage)
        return storage

    def register(self) -> int:
        """Take a register."""
        self.registers += 1
        return self.registers - 1

    @contextmanager
    def body(self) -> Iterator[tuple[list[Node], list[Storage]]]:
        """Trace the body of a device loop."""
        if self._region is not None:
            raise KernelError("device loops cannot be inside nl.no_reorder(); put no_reorder inside the body", calling_line())
        outer, self.nodes = self.nodes, []
        made: list[Storage] = []
        inner = self.nodes
        self._open.append((inner, made))
        try:
            yield inner, made
        finally:
            self._open.pop()
            self.nodes = outer

    @contextmanager
    def region(self) -> Iterator[None]:
        """Trace instructions that stay in order."""
        outer, self._region = self._region, []
        try:
            yield
        finally:
            assert self._region is not None
            self.regions.append(tuple(self._region))
            self._region = outer

    @contextmanager
    def active(self) -> Iterator[Trace]:
        """Make this the trace that calls record into."""
        token = _CURRENT.set(self)
        try:
            yield self
        finally:
            _CURRENT.reset(token)

    def index(self, bounds: tuple[object, ...]) -> VirtualRegister | NkiScalar:
        """Make a loop's index."""
        number = self.register()
        if any(isinstance(bound, VirtualRegister) for bound in bounds):
            return VirtualRegister(number, frozen=True)
        return NkiScalar(number)


def current_trace(what: str) -> Trace:
    """Find the trace that calls record into."""
    trace = _CURRENT.get()
    if trace is None:
        raise RuntimeError(f"{what} is called outside of a kernel; decorate the function with @nki.jit and call that")
    return trace


def found_trace() -> Trace | None:
    """Find the trace that calls record into, if there is one."""
    return _CURRENT.get()


def is_tracing() -> bool:
    """Whether a kernel is being traced."""
    return _CURRENT.get() is not None
