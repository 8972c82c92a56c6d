"""Which bytes a view may touch over all values of its run-time index."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from ..program.instruction import ForLoop, Instruction, Node
from ..registers import NkiScalar, VirtualRegister
from ..tensor.geometry import Geometry
from ..tensor.view import Indirection, View

__all__ = ["Indices", "affine", "loop_indices", "reach"]

Indices = Mapping[int, range]
_Affine = tuple[int, dict[int, int]]


def loop_indices(nodes: tuple[Node, ...]) -> Iterator[tuple[int, range]]:
    """Find the indices of loops whose bounds are known."""
    for node in nodes:
        if isinstance(node, Instruction):
            continue
        if isinstance(node, ForLoop) and isinstance(node.lower, int) and isinstance(node.upper, int) and node.lower < node.upper:
            assert not isinstance(node.register.state, tuple)
            yield node.register.state, range(node.lower, node.upper, node.step)
        yield from loop_indices(node.body)


def affine(value: object, known: Container[int]) -> _Affine | None:
    """Write a scalar as a constant and multiples of known registers; None where something else is in it."""
    if isinstance(value, int):
        return value, {}
    if not isinstance(value, NkiScalar | VirtualRegister):
        return None
    if not isinstance(value.state, tuple):
        return (0, {value.state: 1}) if value.state in known else None
    operator, *sides = value.state
    left, right = (affine(side, known) for side in sides)
    if left is None or right is None:
        return None
    if operator == "multiply":
        if left[1] and right[1]:
            return None
        (factor, _), (constant, terms) = (right, left) if left[1] else (left, right)
        return factor * constant, {register: factor * by for register, by in terms.items()}
    sign = -1 if operator == "subtract" else 1
    terms = dict(left[1])
    for register, by in right[1].items():
        terms[register] = terms.get(register, 0) + sign * by
    return left[0] + sign * right[0], terms


def _indices(by: Indirection, known: Indices) -> tuple[int, list[tuple[int, int]]]:
    """Find the first value of an index, and (count, step) of what is added: precisely for loops' indices, else all below the extent."""
    found = affine(by.source, known) if by.kind == "scalar" else None
    if found is not None:
        terms = [(known[register], factor) for register, factor in found[1].items()]
        first = found[0] + sum(values.start * factor for values, factor in terms)
        axes = [(len(values), values.step * factor) for values, factor in terms]
        steps = [(count - 1) * step for count, step in axes]
        if first + sum(min(0, s) for s in steps) >= 0 and first + sum(max(0, s) for s in steps) < by.extent:
            return first, axes
    return 0, [(by.extent, 1)]


def reach(view: View, known: Indices) -> Geometry:
    """Find the bytes that a view may touch, whatever its run-time index."""
    by, at, storage = view._indirection, view._bytes, view._storage
    if by is None:
        return at
    shape, strides, size = list(at.shape), list(at.strides), at.dtype.itemsize
    if by.kind != "scalar":  # the axis of the view is the one that the indices select from
        shape[by.dim] = 1
    first, axes = _indices(by, known)
    step = by.stride * size
    if first == 0 and axes == [(by.extent, 1)] and step > 0:
        inner = 1 if storage.on_chip else 0
        column = at.offset % storage.pitch if storage.on_chip else at.offset
        last = column + sum((c - 1) * s for c, s in zip(shape[inner:], strides[inner:], strict=True)) + size
        axes = [(max(1, min(by.extent, (storage.nbytes - last) // step + 1)), 1)]
    return Geometry(
        (*shape, *(count for count, _ in axes)),
        at.dtype,
        at.offset + first * step,
        (*strides, *(by_step * step for _, by_step in axes)),
        False,
    )
