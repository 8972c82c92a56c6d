"""
Tensors beyond what HBM holds in one piece: each lies in several, and stages are cut so that an access is to one of them.

A plan is first made as if a tensor could have any size. Here a stage over rows becomes several over parts of its dims; a row of a reduction
that lies in two pieces is brought into a tensor of its own. Kernels, which want contiguous operands, take none in pieces.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from ..dtypes import DTYPES_BY_NAME
from ..launch.capacity import check_tensor, is_large, piece_length
from ..layout import contiguous_strides
from .plan import Access, LoopStage, RowStage, Stage, Tensor

__all__ = ["InPieces", "in_pieces"]


class InPieces(NamedTuple):
    """
    What a plan has of tensors that HBM can hold.

    Attributes
    ----------
    tensors : tuple of Tensor
        Pieces stand one after the other, in the place of their tensor.
    stages : tuple of Stage
        Which access these.
    counts : tuple of int
        Of each tensor before, in how many it lies.
    """

    tensors: tuple[Tensor, ...]
    stages: tuple[Stage, ...]
    counts: tuple[int, ...]


def in_pieces(tensors: Sequence[Tensor], stages: Sequence[Stage]) -> InPieces:
    """Divide tensors that are too large, and the stages that access them."""
    if not any(is_large(tensor.size, _itemsize(tensor)) for tensor in tensors):
        return InPieces(tuple(tensors), tuple(stages), (1,) * len(tensors))
    division = _Division(tensors)
    counts = tuple(len(numbers) for numbers in division.numbers)
    cut = [part for stage in stages for part in division.parts(stage)]
    return InPieces(tuple(division.pieces), tuple(cut), counts)


def _itemsize(tensor: Tensor) -> int:
    return DTYPES_BY_NAME[tensor.dtype].itemsize


class _Division:
    """Tensors of any size, and those that hold them: stages have the numbers of the former until they are placed."""

    def __init__(self, tensors: Sequence[Tensor]) -> None:
        self.tensors: list[Tensor] = []
        self.numbers: list[range] = []  # of the pieces of each
        self.pieces: list[Tensor] = []
        for tensor in tensors:
            self.add(tensor)

    def add(self, tensor: Tensor) -> int:
        """Divide a tensor, and give its number."""
        length, first = piece_length(_itemsize(tensor)), len(self.pieces)
        self.pieces += [replace(tensor, size=min(length, tensor.size - start)) for start in range(0, tensor.size, length)]
        self.tensors.append(tensor)
        self.numbers.append(range(first, len(self.pieces)))
        return len(self.tensors) - 1

    def parts(self, stage: Stage) -> Iterator[Stage]:
        """Cut a stage."""
        if isinstance(stage, RowStage):
            yield from self.rows(stage)
            return
        if isinstance(stage, LoopStage):
            condition = None if stage.condition is None else self.first(stage.condition)
            yield replace(stage, stages=tuple(part for one in stage.stages for part in self.parts(one)), condition=condition)
            return
        for number in (*stage.read, *stage.written):
            size, dtype = self.tensors[number].size, self.tensors[number].dtype
            nbytes = size * _itemsize(self.tensors[number])
            check_tensor((size,), dtype, nbytes, f"the kernel {stage.kernel!r} takes and gives tensors of")
        moved = replace(stage, sources=tuple(map(self.first, stage.sources)), results=tuple(map(self.first, stage.results)))
        yield moved.mapped(self.placed)

    def first(self, number: int) -> int:
        """Give the number of a tensor's first piece."""
        return self.numbers[number][0]

    def placed(self, access: Access) -> Access:
        """Access the piece in which an access lies."""
        if access.tensor is None:
            return access
        numbers = self.numbers[access.tensor]
        if len(numbers) == 1:
            return replace(access, tensor=numbers[0])
        piece, offset = divmod(access.offset, piece_length(_itemsize(self.tensors[access.tensor])))
        return replace(access, tensor=numbers[piece], offset=offset)

    def end(self, access: Access, dims: tuple[int, ...]) -> int | None:
        """Find where the piece ends in which an access begins, if the access goes beyond."""
        if access.tensor is None or len(self.numbers[access.tensor]) == 1:
            return None
        length = piece_length(_itemsize(self.tensors[access.tensor]))
        end = (access.offset // length + 1) * length
        return end if access.offset + _span(access.strides, dims) >= end else None

    def rows(self, stage: RowStage) -> Iterator[RowStage]:
        """Cut a stage between rows, where an access goes on in another piece."""
        outer = len(stage.dims) - stage.columns
        for place, access in enumerate(stage.accesses):
            end = self.end(access, stage.dims)
            if end is None:
                continue
            axes = [axis for axis in range(outer) if stage.dims[axis] > 1 and access.strides[axis]]
            if not axes:
                yield from self.bridged(stage, place)
                return
            axis = max(axes, key=lambda axis: access.strides[axis])
            stride, extent = access.strides[axis], stage.dims[axis]
            within = end - 1 - access.offset - (_span(access.strides, stage.dims) - stride * (extent - 1))
            first = min(max(within // stride + 1, 1), extent - 1)  # one that lies in both is cut further, by itself
            yield from self.rows(_part(stage, axis, 0, first))
            yield from self.rows(_part(stage, axis, first, extent - first))
            return
        yield stage.mapped(self.placed)

    def bridged(self, stage: RowStage, place: int) -> Iterator[RowStage]:
        """Let a stage read or write a row, which lies in two pieces, in a tensor of its own."""
        access = stage.accesses[place]
        axes = [axis for axis, stride in enumerate(access.strides) if stride and stage.dims[axis] > 1]
        dims = tuple(stage.dims[axis] for axis in axes)
        own = contiguous_strides(dims)
        assert access.tensor is not None
        number = self.add(Tensor(math.prod(dims), self.tensors[access.tensor].dtype, "temporary"))
        far, near = replace(access, strides=tuple(access.strides[axis] for axis in axes)), Access(number, 0, own, "full")
        strides = [0] * len(stage.dims)
        for axis, stride in zip(axes, own, strict=True):
            strides[axis] = stride
        instead = Access(number, 0, tuple(strides), access.extent)
        loads, stores = list(stage.loads), list(stage.stores)
        if place < len(loads):
            yield from self.rows(RowStage(dims, 0, (far,), (), ((0, near),)))
            loads[place] = instead
        else:
            stores[place - len(loads)] = (stores[place - len(loads)][0], instead)
        yield from self.rows(replace(stage, loads=tuple(loads), stores=tuple(stores)))
        if place >= len(loads):
            yield from self.rows(RowStage(dims, 0, (near,), (), ((0, far),)))


def _span(strides: tuple[int, ...], dims: tuple[int, ...]) -> int:
    """Count the elements from the first one of an access to the last. No access to a tensor goes backwards."""
    return sum(stride * (extent - 1) for stride, extent in zip(strides, dims, strict=True))


def _part(stage: RowStage, axis: int, first: int, extent: int) -> RowStage:
    """Take indices of an axis; if it is one, the stage has that axis no longer."""
    kept = [number for number in range(len(stage.dims)) if number != axis or extent > 1] or [axis]
    dims = [extent if number == axis else length for number, length in enumerate(stage.dims)]

    def moved(access: Access) -> Access:
        strides = tuple(access.strides[number] for number in kept)
        return replace(access, offset=access.offset + first * access.strides[axis], strides=strides)

    return replace(stage.mapped(moved), dims=tuple(dims[number] for number in kept))
