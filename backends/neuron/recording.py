"""Recorded lowerings: run once for each class of operands, and replayed when a call of the class is planned.

What enters is a call whose lowering makes many nodes. What leaves is one node for each plane of its results; the planner expands it into
the graph that the first call of the class made. A class is told by dtypes, shapes, attributes, and the settings that lowerings ask for.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, NoReturn

import numpy as np

from ..dtypes import DType
from ..nesting import replace
from ..rules import Signature
from ..settings import get_config
from .graph.builder import Builder
from .graph.graph import Graph, Node
from .graph.primitives import Looped, Primitive, Result, is_step
from .kernel import InvalidCallError, Invocation, Kernel, Ruling, Variant, declare
from .value import Value

if TYPE_CHECKING:
    from .costs import Costs

__all__ = ["recorded"]

_MOST: Final = 256  # recordings of a device
_CONSTANTS: Final = 1 << 22  # bytes of constants of one, which the device keeps with it
_LARGEST: Final = 1 << 12  # bytes of an ndarray that is part of a class
_NONE: Final = object()


class _UnknownError(Exception):
    """A lowering asked for elements of its operands, which a recording does not have."""


class _OtherError(Exception):
    """An operand or attribute that tells no class."""


@dataclass(frozen=True, slots=True, eq=False)
class Recording:
    """
    The graph that a lowering made.

    Parameters
    ----------
    operands : tuple of Signature
        The planes that it was made of.
    constants : tuple of Node
        What it has of host data, which is on the device: inputs after the operands.
    nodes : tuple
        Of each node the primitive, and the indices of its inputs among inputs and nodes.
    results : tuple of int
        The indices of the planes of results.
    signatures : tuple of Signature
        These planes.
    structure : object
        What the lowering returned, with a `_Made` for each Value.
    """

    operands: tuple[Signature, ...]
    constants: tuple[Node, ...]
    nodes: tuple[tuple[Primitive, tuple[int, ...]], ...]
    results: tuple[int, ...]
    signatures: tuple[Signature, ...]
    structure: Any


@dataclass(frozen=True, slots=True)
class _Made:
    """A Value among results: its planes, by number, its dtype, and whether it stands for a scalar."""

    planes: slice
    dtype: DType
    detached: bool


def recorded(lowering: Callable[..., Any]) -> Callable[..., Any]:
    """Run a lowering once for each class of operands; operands that are views, and what a recording cannot hold, go to it each time."""

    @wraps(lowering)
    def run(builder: Builder, *operands: Any, **attributes: Any) -> Any:
        if builder.recording:
            return lowering(builder, *operands, **attributes)
        planes: list[Node] = []
        try:
            asked = get_config()
            settings = asked.math, asked.float64, asked.precision, asked.target_forward_error
            key = (lowering, builder.promotion, builder.sequences, settings, builder.costs, _class_of(operands, planes),
                   _class_of(attributes.values(), planes), *attributes)  # fmt: skip
            found = builder.recordings.get(key, _NONE)
        except _OtherError:
            return lowering(builder, *operands, **attributes)
        if found is _NONE:
            if len(builder.recordings) >= _MOST:
                builder.recordings.pop(next(iter(builder.recordings)))
            found = builder.recordings[key] = _record(builder, lowering, operands, attributes)
        return lowering(builder, *operands, **attributes) if found is None else _called(builder, found, planes)

    return run


def _class_of(items: Any, planes: list[Node]) -> tuple[Hashable, ...]:
    """Say what a lowering can see of operands, and list the planes of those that are arrays."""
    found: list[Hashable] = []
    for item in items:
        kind = type(item)
        if kind is Value:
            if not item.covers(item.cells[0]) or item.cells[0].node.shape != item.shape:
                raise _OtherError
            planes += item.read()
            found.append((item.dtype, item.shape, item.detached, item.of_numbers))
        elif kind is tuple or kind is list:
            found.append((kind, *_class_of(item, planes)))
        elif kind is float or kind is complex:
            found.append(repr(item))  # which tells the zeros apart, and finds NaN
        elif isinstance(item, (np.ndarray, np.generic)):
            if item.nbytes > _LARGEST or item.dtype.hasobject:
                raise _OtherError
            found.append((kind, item.dtype, item.shape, item.tobytes()))
        elif item is None or kind is int or kind is bool or kind is str or isinstance(item, np.dtype):
            found.append((kind, item))
        else:
            raise _OtherError
    return tuple(found)


def _refuse(*_: Any, **__: Any) -> NoReturn:
    raise _UnknownError


def _record(builder: Builder, lowering: Callable[..., Any], operands: Sequence[Any], attributes: Mapping[str, Any]) -> Recording | None:
    """Run a lowering on arrays that stand for its operands; None where what it makes depends on more than their class."""
    graph = Graph(builder.graph.device)
    own = Builder(graph, builder.target, builder.from_host, _refuse, _refuse, builder.slices_refusal, builder.draws, recording=True)
    own.present, own.constants = builder.present, builder.constants
    inputs: list[Node] = []
    values: list[Value] = []

    def stand_in(item: Value) -> Value:
        nodes = tuple([Node.of_buffer(_NONE, node.shape, node.dtype) for node in item.read()])
        inputs.extend(nodes)
        value = Value.of_nodes(nodes, item.dtype, graph, item.shape)
        value.detached, value.of_numbers = item.detached, item.of_numbers
        values.append(value)
        return value

    args = [replace(item, Value, stand_in) for item in operands]
    named = {key: replace(item, Value, stand_in) for key, item in attributes.items()}
    try:
        result = lowering(own, *args, **named)
    except _UnknownError:
        return None
    made: list[Node] = []

    def note(item: Value) -> _Made:
        nodes = item.read()
        made.extend(nodes)
        return _Made(slice(len(made) - len(nodes), len(made)), item.dtype, item.detached)

    structure = replace(result, Value, note)
    if [cell.node for value in values for cell in value.cells] != inputs or len({*made}) < len(made):
        return None
    return None if any(node.buffer is not None for node in made) else _recording(inputs, made, structure)


def _recording(inputs: Sequence[Node], made: Sequence[Node], structure: Any) -> Recording | None:
    """Write the graph of some nodes down; None where some of it may fail, or is not computed by one program."""
    found: dict[Node, None] = {}
    stack = [*made]
    while stack:
        node = stack.pop()
        if node not in found:
            found[node] = None
            stack += node.inputs
    if any(node.fallible or is_step(node.primitive) or type(node.primitive) is Looped for node in found):
        return None
    order = sorted((node for node in found if node.buffer is None), key=lambda node: node.serial)
    constants = tuple([node for node in found if node.buffer is not None and node not in inputs])
    if sum(node.size * node.dtype.itemsize for node in constants) > _CONSTANTS:
        return None
    numbers = {node: number for number, node in enumerate((*inputs, *constants, *order))}
    return Recording(
        tuple([Signature(node.shape, node.dtype) for node in inputs]),
        constants,
        tuple([(node.primitive, tuple([numbers[item] for item in node.inputs])) for node in order]),
        tuple([numbers[node] for node in made]),
        tuple([Signature(node.shape, node.dtype) for node in made]),
        structure,
    )


def _called(builder: Builder, recording: Recording, planes: Sequence[Node]) -> Any:
    """Append a call that the planner expands."""
    inputs = (*planes, *recording.constants)
    invocation = Invocation(_KERNEL, (recording,), recording.signatures)
    nodes = [Node(Result(invocation, number), inputs) for number in range(len(recording.results))]

    def value(made: _Made) -> Value:
        result = builder.make(tuple(nodes[made.planes]), made.dtype)
        result.detached = made.detached
        return result

    return replace(recording.structure, _Made, value)


def _rule(*operands: Signature, recording: Recording) -> Ruling:
    if operands[: len(recording.operands)] != recording.operands:
        raise InvalidCallError(f"a recording of {recording.operands} is replayed for these, not for {operands}")
    return recording.signatures, (recording,)


def _replayed(*operands: Any) -> Sequence[Node]:
    """Make the graph again, of other operands."""
    *nodes, recording = operands
    for primitive, inputs in recording.nodes:
        nodes.append(Node(primitive, tuple([nodes[number] for number in inputs])))
    return [nodes[number] for number in recording.results]


def _no_time(_costs: Costs, _results: tuple[Signature, ...], _recording: Recording) -> float:
    return 0.0


_KERNEL: Final = declare(Kernel("recording", _rule, None, "recording", "", variants=(Variant("replayed", _no_time, expand=_replayed),)))
