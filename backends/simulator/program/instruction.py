"""The nodes of a program: instructions, and loops over them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

from ..engines import engine
from ..registers import NkiScalar, RuntimeValue, VirtualRegister, registers_of
from ..source import SourceLine
from ..target import Target
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import Storage

__all__ = ["ForLoop", "Instruction", "Kind", "NkiInstruction", "Node", "WhileLoop"]


_REGISTERS = (VirtualRegister, NkiScalar)
_USUAL = ("unknown", "none", "error", "idle")  # members that say nothing


def _spell(value: object) -> str:
    return value.name if isinstance(value, Enum) else repr(value)


def _worth_showing(value: object) -> bool:
    if isinstance(value, Enum):
        return value.name not in _USUAL
    return isinstance(value, NkiScalar) or not (value is None or value is False or isinstance(value, NkiTensor) or value == ())


class Kind(Protocol):
    """What is asked of an instruction's opcode; see `Opcode`."""

    @property
    def name(self) -> str:
        """That of the function in nki.isa."""

    @property
    def engines(self) -> tuple[engine, ...]:
        """Those it can run on."""

    @property
    def execute(self) -> Callable[..., None]:
        """What it computes, of a run and the instruction."""

    @property
    def together(self) -> Callable[..., None] | None:
        """What cores compute that meet at it."""

    @property
    def since(self) -> int:
        """First generation that has it."""

    @property
    def anywhere(self) -> tuple[str, ...]:
        """Parameters whose first partition has a rule of its own."""

    @property
    def indirect(self) -> tuple[str, ...]:
        """Parameters that may be indirect views."""

    @property
    def indirect_engines(self) -> tuple[engine, ...] | None:
        """Engines that may run it then, if not all."""


@dataclass(frozen=True, slots=True, eq=False)
class Instruction:
    """
    One instruction.

    Parameters
    ----------
    serial : int
        Its place in the order of tracing.
    opcode : Kind
        Its kind.
    engine : engine
        The queue it runs on.
    arguments : mapping
        What the kernel passed, by parameter.
    writes, reads : tuple of NkiTensor
        The views it touches.
    name : str, optional
        That the kernel gave it.
    where : SourceLine
        The line of the kernel.
    target : Target
        The generation it is for.
    """

    serial: int
    opcode: Kind
    engine: engine
    arguments: Mapping[str, Any]
    writes: tuple[NkiTensor, ...]
    reads: tuple[NkiTensor, ...]
    name: str | None
    where: SourceLine
    target: Target

    def __getitem__(self, parameter: str) -> Any:
        return self.arguments[parameter]

    def touched(self) -> list[NkiTensor]:
        """Every view it touches, those that hold run-time indices included."""
        views = [*self.writes, *self.reads]
        sources = [view._indirection.source for view in views if view._indirection is not None]
        return [*views, *(source for source in sources if isinstance(source, NkiTensor))] if sources else views

    def registers(self) -> set[int]:
        """Collect the registers it reads or writes."""
        found = set[int]()
        for value in self.arguments.values():
            if isinstance(value, _REGISTERS):
                found |= registers_of(value)
        for view in (*self.writes, *self.reads):
            if view._indirection is not None:
                found |= registers_of(view._indirection.source)
        return found

    def __str__(self) -> str:
        shown = [f"{key}={_spell(value)}" for key, value in self.arguments.items() if _worth_showing(value)]
        operands = ", ".join(map(repr, self.writes)) + (" <- " if self.reads else "") + ", ".join(map(repr, self.reads))
        label = f" {self.name!r}" if self.name else ""
        return f"{self.engine.name:7} {self.opcode.name}{label} {operands}  {' '.join(shown)}".rstrip()


@dataclass(frozen=True, slots=True, eq=False)
class ForLoop:
    """
    A counted device loop.

    Parameters
    ----------
    register : VirtualRegister or NkiScalar
        Its index.
    lower, upper : int, VirtualRegister or NkiScalar
        Bounds.
    step : int
        Positive.
    body : tuple of Node
        Traced once.
    made : tuple of Storage
        Tensors that the body makes, anew in each iteration.
    where : SourceLine
        The line of the kernel.
    """

    register: RuntimeValue
    lower: int | RuntimeValue
    upper: int | RuntimeValue
    step: int
    body: tuple[Node, ...]
    made: tuple[Storage, ...]
    where: SourceLine

    def __str__(self) -> str:
        return f"for {self.register!r} in {self.lower!r}..{self.upper!r} step {self.step}"


@dataclass(frozen=True, slots=True, eq=False)
class WhileLoop:
    """
    A device loop that runs while a register is not zero.

    Parameters
    ----------
    register : VirtualRegister
        What the body receives.
    initial : VirtualRegister
        The first condition.
    result : VirtualRegister
        The next condition.
    body : tuple of Node
        Traced once.
    made : tuple of Storage
        Tensors that the body makes.
    where : SourceLine
        The line of the kernel.
    """

    register: VirtualRegister
    initial: VirtualRegister
    result: VirtualRegister
    body: tuple[Node, ...]
    made: tuple[Storage, ...]
    where: SourceLine

    def __str__(self) -> str:
        return f"while {self.register!r} (from {self.initial!r}, then {self.result!r})"


Node = Instruction | ForLoop | WhileLoop


@dataclass(slots=True, eq=False)
class NkiInstruction:
    """
    Handle of a traced instruction.

    Parameters
    ----------
    handle : Instruction
        The instruction.
    """

    handle: Instruction
    _trace: Any = field(default=None, init=False, repr=False)

    def depends_on(self, *producers: NkiInstruction) -> NkiInstruction:
        """Run after others."""
        for producer in producers:
            self._trace.depend(self.handle, producer.handle)
        return self
