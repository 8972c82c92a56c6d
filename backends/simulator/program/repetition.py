"""Repeating what was traced: instructions of one call of a function again, with other tensors, for another call of the same class."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, Final, NamedTuple

from ..registers import NkiScalar, RuntimeValue, VirtualRegister, registers_of
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import Storage
from .instruction import Instruction, Node, WhileLoop
from .program import Repeat, walk
from .trace import Trace, found_trace

__all__ = ["Recordings", "repeated"]


class _Recording(NamedTuple):
    """
    What a call recorded.

    Attributes
    ----------
    nodes : list of Node
        Instructions and loops.
    made : list of Storage
        Tensors that it made, those of loops, too.
    registers : range
        Registers that it took.
    given : list of Storage
        Tensors that it was called with.
    holders : dict
        By the numbers of instructions, the arguments that hold tensors or registers.
    first : int
        Node of the trace that it began with.
    """

    nodes: list[Node]
    made: list[Storage]
    registers: range
    given: list[Storage]
    holders: dict[int, tuple[str, ...]]
    first: int


_HOLDING: Final = (NkiTensor, NkiScalar, VirtualRegister, list, tuple)
Recordings = dict[Hashable, _Recording]


def repeated(
    known: Recordings, key: Hashable, tensors: Sequence[NkiTensor], call: Callable[[], None], others: Callable[[], Iterable[NkiTensor]]
) -> None:
    """
    Call a function that issues instructions, or repeat the instructions of an earlier call; where AWS's NKI traces, call it.

    The key, and shapes and dtypes of `tensors`, decide on the instructions. Calls share what `others` lists; one that adds to that, or uses
    any other tensor or register from outside, is not repeated.
    """
    trace = found_trace()
    if trace is None:
        call()
        return
    given = [tensor._storage for tensor in tensors]
    key = key, trace.depth, tuple((storage.shape, storage.dtype, storage.buffer) for storage in given)
    found = known.get(key)
    if found is not None:
        _repeat(trace, found, given)
        return
    shared = [*others()]
    nodes, storages, registers, order = len(trace.nodes), len(trace.storages), trace.registers, _ordered(trace)
    call()
    recording = _Recording(trace.nodes[nodes:], trace.storages[storages:], range(registers, trace.registers), given, {}, nodes)
    if order == _ordered(trace) and len(shared) == len([*others()]) and _is_closed(recording, shared):
        known[key] = recording
        _note(trace, recording, nodes, (*given, *recording.made))


def _note(trace: Trace, recording: _Recording, first: int, storages: tuple[Storage, ...]) -> None:
    """Tell the program which calls are alike; those in a loop are not, for the loop is."""
    if not trace.depth:
        trace.repeats.append(Repeat(first, len(trace.nodes), recording.first, storages))


def _ordered(trace: Trace) -> tuple[object, ...]:
    """Tell what is in a trace besides its nodes; one that executes at once, or that meets others, is never the same."""
    apart = object() if trace.run is not None or trace.cores > 1 else None
    return len(trace.dependencies), len(trace.regions), len(trace.shared), trace.prepared, apart


def _is_closed(recording: _Recording, shared: Sequence[NkiTensor]) -> bool:
    """Whether a call used no tensors and registers but its own, and what it was given."""
    allowed = {*recording.made, *recording.given, *(tensor._storage for tensor in shared)}
    for node, _ in walk(tuple(recording.nodes)):
        if isinstance(node, Instruction):
            if node.name is not None or any(view._storage not in allowed for view in node.touched()):
                return False
            used = node.registers()
            recording.holders[node.serial] = tuple(name for name, value in node.arguments.items() if isinstance(value, _HOLDING))
        else:
            bounds = (node.initial, node.result) if isinstance(node, WhileLoop) else (node.lower, node.upper)
            used = registers_of(node.register).union(*map(registers_of, bounds))
        if any(number not in recording.registers for number in used):
            return False
    return True


def _repeat(trace: Trace, recording: _Recording, given: Sequence[Storage]) -> None:
    copier = _Copier(trace, recording, dict(zip(recording.given, given, strict=True)))
    trace.registers += len(recording.registers)
    for storage in recording.made:
        twin = copier.storages[storage] = storage.twin(f"t{len(trace.storages)}")
        trace.add(twin)
    first = len(trace.nodes)
    trace.nodes += map(copier.node, recording.nodes)
    _note(trace, recording, first, (*given, *(copier.storages[storage] for storage in recording.made)))


class _Copier:
    """Copies nodes, with other tensors and registers."""

    def __init__(self, trace: Trace, recording: _Recording, storages: dict[Storage, Storage]) -> None:
        self.trace, self.holders, self.storages = trace, recording.holders, storages
        self.further = trace.registers - recording.registers.start
        self.views: dict[int, NkiTensor] = {}  # by identity
        self.values: dict[int, RuntimeValue] = {}

    def node(self, node: Node) -> Node:
        """Copy a node."""
        if isinstance(node, Instruction):
            arguments = {**node.arguments}
            for name in self.holders[node.serial]:
                arguments[name] = self.argument(arguments[name])
            writes, reads = tuple([self.view(view) for view in node.writes]), tuple([self.view(view) for view in node.reads])
            serial = self.trace.next_serial()
            return Instruction(serial, node.opcode, node.engine, arguments, writes, reads, None, node.where, node.target)
        body, made = tuple(map(self.node, node.body)), tuple(self.storages[storage] for storage in node.made)
        names = ("register", "initial", "result") if isinstance(node, WhileLoop) else ("register", "lower", "upper")
        return replace(node, body=body, made=made, **{name: self.argument(getattr(node, name)) for name in names})

    def argument(self, value: Any) -> Any:
        """Copy what holds tensors or registers; all else is shared."""
        if isinstance(value, NkiTensor):
            return self.view(value)
        if isinstance(value, NkiScalar | VirtualRegister):
            return self.value(value)
        kind = type(value)
        return kind(map(self.argument, value)) if kind is list or kind is tuple else value

    def view(self, view: NkiTensor) -> NkiTensor:
        """Look at another tensor in the same way."""
        found = self.views.get(id(view))
        if found is None:
            found = self.views[id(view)] = view.of(self.storages.get(view._storage, view._storage))
            by = view._indirection
            if by is not None:
                found._indirection = by._replace(source=self.argument(by.source))
        return found

    def value(self, value: RuntimeValue) -> RuntimeValue:
        """Name other registers."""
        found = self.values.get(id(value))
        if found is None:
            found = self.values[id(value)] = copy(value)
            state = value.state
            found.state = (state[0], *map(self.argument, state[1:])) if isinstance(state, tuple) else state + self.further
        return found
