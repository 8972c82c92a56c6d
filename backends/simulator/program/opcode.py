"""What an instruction is: its operands, its engines, its documented constraints and what it computes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Final, NamedTuple, Protocol

from ..engines import engine
from ..errors import NkiConstraintError
from ..operators import Operator
from ..source import calling_line
from ..tensor.nkitensor import NkiTensor
from .instruction import Instruction, NkiInstruction
from .trace import current_trace

__all__ = ["GENERIC_RULES", "OPCODES", "Broken", "Opcode", "Rule", "find_rule"]


class Broken(NamedTuple):
    """
    Why a rule is broken.

    Attributes
    ----------
    found : object
        What the kernel gave.
    allowed : object
        What it may give.
    """

    found: object
    allowed: object


class Rule(NamedTuple):
    """
    A documented constraint.

    Attributes
    ----------
    name : str
        Short, unique within its instruction.
    text : str
        What is required, as a sentence.
    document : str
        The document that says so.
    check : callable
        Takes the instruction; returns `Broken`, or None where the rule holds.
    """

    name: str
    text: str
    document: str
    check: Callable[[Instruction], Broken | None]


class Executor(Protocol):
    """Computes an instruction."""

    def __call__(self, run: Any, i: Instruction) -> None:
        """Read, compute, write."""


@dataclass(frozen=True)
class Opcode:
    """
    A kind of instruction. Making one registers it in `OPCODES`.

    Parameters
    ----------
    name : str
        That of the function in nki.isa.
    writes, reads : tuple of str
        Parameters that are tensors (or lists of tensors, or None), in NKI's names.
    engines : tuple of engine
        Those it can run on.
    execute : callable
        What it computes.
    rules : tuple of Rule
        Its constraints, beyond `GENERIC_RULES`.
    choose : callable, optional
        Takes the instruction, its engine unknown; returns the engine. By default the first of `engines`.
    since : int, optional
        First generation that has it.
    together : callable, optional
        For instructions at which cores meet: called once with the runs and instructions of all that wait, instead of `execute`.
    anywhere : tuple of str, optional
        Parameters whose first partition has a rule of its own.
    indirect : tuple of str, optional
        Parameters that may be views by `NkiTensor.indirect`: the destination, and the source that its offsets go with, first.
    indirect_engines : tuple of engine, optional
        Engines that may run it then, if not all.
    """

    name: str
    writes: tuple[str, ...]
    reads: tuple[str, ...]
    engines: tuple[engine, ...]
    execute: Executor
    rules: tuple[Rule, ...] = ()
    choose: Callable[[Instruction], engine] | None = None
    since: int = 2
    together: Callable[[list[tuple[Any, Instruction]]], None] | None = field(default=None)
    anywhere: tuple[str, ...] = ()
    indirect: tuple[str, ...] = ()
    indirect_engines: tuple[engine, ...] | None = None

    def __post_init__(self) -> None:
        if self.name in OPCODES:
            raise ValueError(f"opcode {self.name!r} exists already")
        OPCODES[self.name] = self

    def issue(self, **arguments: Any) -> NkiInstruction:
        """Record an instruction of this kind."""
        return current_trace(self.name).record(self.make(**arguments))

    def make(self, **arguments: Any) -> Instruction:
        """Make an instruction of this kind and check it."""
        trace, where = current_trace(self.name), calling_line()
        name = arguments.pop("name", None)
        writes, reads = self._operands(self.writes, arguments), self._operands(self.reads, arguments)
        queue = arguments.get("engine") or engine.unknown
        if queue is engine.unknown and self.choose is None:
            queue = self.engines[0]
        instruction = Instruction(trace.next_serial(), self, queue, arguments, writes, reads, name, where, trace.target)
        if queue is engine.unknown and self.choose is not None:
            instruction = replace(instruction, engine=self.choose(instruction))
        self.check(instruction)
        return instruction

    def _operands(self, names: tuple[str, ...], arguments: Mapping[str, Any]) -> tuple[NkiTensor, ...]:
        found: list[NkiTensor] = []
        for name in names:
            value = arguments[name]
            if isinstance(value, NkiTensor):
                found.append(value)
            elif isinstance(value, list | tuple):
                found.extend(item for item in value if isinstance(item, NkiTensor))
            elif not (value is None or (name not in self.writes and isinstance(value, int | float))):
                raise TypeError(f"{self.name}: {name} is an NkiTensor, not {type(value).__name__} (arrays enter a kernel as its arguments)")
        return tuple(found)

    def check(self, instruction: Instruction) -> None:
        """Check every rule, unless an instruction with the same operands but in other tensors was checked."""
        form = _form_of(instruction, current_trace(self.name).cores)
        if form is not None and form in _CHECKED:
            return
        for rules in (GENERIC_RULES, self.rules):
            for rule in rules:
                broken = rule.check(instruction)
                if broken is not None:
                    raise NkiConstraintError(self.name, rule.text, broken.found, broken.allowed, rule.document, instruction.where)
        if form is not None:
            if len(_CHECKED) >= _MOST_CHECKED:
                _CHECKED.clear()
            _CHECKED.add(form)


_CHECKED: Final[set[Hashable]] = set()
_MOST_CHECKED: Final = 1 << 16
_PLAIN: Final = frozenset({bool, int, float, str, type(None)})
_NAMED: Final = (Operator, Enum)


def _form_of(instruction: Instruction, cores: int) -> Hashable | None:
    """Collect what rules ask of an instruction; None where an address is known at run time only."""
    parts: list[Hashable] = [instruction.opcode.name, instruction.engine, instruction.target.name, cores, *instruction.arguments]
    return tuple(parts) if _add_forms(instruction.arguments.values(), parts) else None


def _add_forms(values: Iterable[Any], parts: list[Hashable]) -> bool:
    for value in values:
        kind: type = type(value)
        if kind is NkiTensor:
            storage = value._storage
            parts += (value.shape, value.strides, value.offset, value.dtype, storage.shape, storage.dtype, storage.buffer, storage.address)
            if value._indirection is not None:
                return False
        elif kind in _PLAIN or issubclass(kind, _NAMED):
            parts += (kind, value)
        elif kind is list or kind is tuple:
            parts += (kind, len(value))
            if not _add_forms(value, parts):
                return False
        else:
            return False
    return True


OPCODES: Final[dict[str, Opcode]] = {}
GENERIC_RULES: Final[list[Rule]] = []


def find_rule(identity: str) -> Rule:
    """Look a rule up."""
    opcode, _, name = identity.partition(":")
    for rule in GENERIC_RULES if opcode == "*" else OPCODES[opcode].rules:
        if rule.name == name:
            return rule
    raise KeyError(f"no rule {identity!r}")
