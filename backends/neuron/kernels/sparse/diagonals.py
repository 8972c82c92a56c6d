"""Products of matrices whose stored elements lie on few diagonals with a vector, which is loaded once for diagonals near each other."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

from ....dtypes import FLOAT32, UINT8
from ....isa import nisa, nl
from ....rules import Signature
from ...costs import Costs
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..balance import target_costs
from ..emission import Emission
from ..sbuf import PARTITIONS
from ..tile_ring import Ring
from .exchange import copy_columns

__all__ = ["clipped_partitions", "load_window", "multiply_diagonals", "windows"]

_PIECE: Final = 1024  # rows of a partition that are computed at once
_PRODUCTS: Final = 4  # of diagonals, that wait to be added
_FACTORS: Final = 5
_ROOM: Final = 12288  # elements of the vector that a partition has at once


def multiply_diagonals(
    y: Any, x: Any, weights: Any, absent: Any, offsets: tuple[int, ...], partial: tuple[bool, ...]
) -> None:
    """
    Multiply: ``y[i] = sum(weights[d, i] * x[i + offsets[d]])`` over the diagonals d.

    Notes
    -----
    *Layout.* Rows are on partitions in blocks of equal length, of which some columns are computed at once. A window of the vector, that is
    theirs and what diagonals of near offsets reach beyond, is loaded once, as far as there is room; each diagonal multiplies a shifted part
    of it. Where an element
    is not stored a mask makes its product zero, so that infinities and NaN reach the rows that they reach in SciPy; beyond the matrix the
    window is zero.

    *Bound.* HBM: each diagonal once, masks of those that are partly stored, the vector once or little more. Vector Engine and GpSimd, for
    two instructions a diagonal.

    *Error.* ``(D + 1) u |A| |x|`` for D diagonals, which are added up in ascending order.
    """
    rows = y.shape[0]
    each = -(-rows // PARTITIONS)
    used = -(-rows // each)
    width = min(each, _PIECE)
    height, groups = windows(offsets, each, width)
    spans = [offsets[last] - offsets[first] for first, last in groups]
    sums, products, factors = (Ring(count, (used, width), nl.float32) for count in (2, _PRODUCTS, _FACTORS))
    pieces = [Ring(1 if height == each else 2, (used, height + span), nl.float32) for span in spans]
    masks = Ring(2, (used, width), nl.uint8) if any(partial) else None
    if rows % each:  # the last partition has fewer rows, and computes with what is there
        for ring, count in ((factors, _FACTORS), (masks, 2)):
            for _ in range(count):
                if ring is not None:
                    nisa.memset(ring.take(), 0)
    engines = _Engines()
    masked = [sum(partial[:number]) for number in range(len(offsets))]
    for begin in range(0, each, width):
        count = min(width, each - begin)
        total = sums.take()[:, :count]
        if begin % height == 0:
            held = [_Window(ring.take(), x, each, begin + offsets[first]) for ring, (first, _) in zip(pieces, groups, strict=True)]
        for window, (first, last), span in zip(held, groups, spans, strict=True):
            piece = window.columns(begin % height, count + span)
            for number in range(first, last + 1):
                factor, start = factors.take()[:, :count], offsets[number] - offsets[first]
                copy_columns(weights[number * rows : (number + 1) * rows], each, begin, count, factor, store=False)
                product = products.take()[:, :count] if number else total
                engines.multiply(product, factor, piece[:, start : start + count])
                if masks is not None and partial[number]:
                    mask, place = masks.take()[:, :count], masked[number] * rows
                    copy_columns(absent[place : place + rows], each, begin, count, mask, store=False)
                    nisa.tensor_copy_predicated(product, 0.0, mask)
                    engines.masked(count)
                if number:
                    engines.add(total, product)
        copy_columns(y, each, begin, count, total, store=True)


def windows(offsets: tuple[int, ...], each: int, width: int) -> tuple[int, list[tuple[int, int]]]:
    """
    Choose for how many rows of a partition, of which some are computed at once, the vector is loaded, and for which offsets.

    Offsets, ascending, are grouped where that is less than to load twice; the first and last of each group are given.
    """
    groups = [[0, 0]]
    for number in range(1, len(offsets)):
        near = offsets[number] - offsets[number - 1] <= width
        if near and offsets[number] - offsets[groups[-1][0]] + width <= _ROOM:
            groups[-1][1] = number
        else:
            groups.append([number, number])
    spans = sum(offsets[last] - offsets[first] for first, last in groups)
    height = each if len(groups) * each + spans <= _ROOM else width
    return height, [(first, last) for first, last in groups]


class _Window:
    """Elements of the vector from `start` on for the first partition, from `each` later on for the next one; zeros beyond the vector."""

    def __init__(self, tile: Any, x: Any, each: int, start: int) -> None:
        self._tile, self._x, self._each, self._start, self._loaded = tile, x, each, start, 0

    def columns(self, first: int, count: int) -> Any:
        """Load what of some columns was not yet."""
        if first + count > self._loaded:
            load_window(self._tile[:, self._loaded : first + count], self._x, self._each, self._start + self._loaded)
            self._loaded = first + count
        return self._tile[:, first : first + count]


def load_window(piece: Any, x: Any, each: int, start: int) -> None:
    """Load elements of the vector from `start` on to the first partition, from `each` later on to the next one; zeros beyond the vector."""
    (used, width), size = piece.shape, x.shape[0]
    whole = range(max(0, -(start // each)), max(0, min(used, (size - width - start) // each + 1)))  # partitions that are within
    others = [number for number in range(used) if number not in whole]
    begins = [min(width, max(0, -start - number * each)) for number in others]  # of what is within, and where it ends
    ends = [max(0, min(width, size - start - number * each)) for number in others]
    if any(begins):  # which first partitions have
        nisa.memset(piece[: min(used, whole.start), : max(begins)], 0.0)
    if any(end < width for end in ends):
        nisa.memset(piece[:, min(ends) :], 0.0)
    if whole:
        view = x.ap(pattern=[[each, len(whole)], [1, width]], offset=start + whole.start * each)
        nisa.dma_copy(piece[whole.start : whole.stop], view)
    for number, first, last in zip(others, begins, ends, strict=True):
        if first < last:
            at = start + number * each
            nisa.dma_copy(piece[number : number + 1, first:last], x[at + first : at + last].expand_dim(0))


def clipped_partitions(rows: int, columns: int, offsets: tuple[int, ...], each: int) -> int:
    """Count the partitions of some rows each whose window is beyond the vector, at most."""
    reach = max(0, -offsets[0]) + max(0, offsets[-1] + rows - columns)
    return reach // each + 2


class _Engines:
    """The Vector Engine and GpSimd, such that both are done at about the same time; not on NeuronCore-v2, where they share SBUF's port."""

    def __init__(self) -> None:
        self._costs = target_costs()
        both = nisa.get_nc_version() >= nisa.nc_version.gen3
        self._busy = dict.fromkeys((nisa.engine.vector, nisa.engine.gpsimd)[: 1 + both], 0.0)

    def masked(self, count: int) -> None:
        """Account for a mask, which is the Vector Engine's."""
        self._busy[nisa.engine.vector] += self._costs.instruction("tensor_copy_predicated", count)

    def add(self, total: Any, product: Any) -> None:
        """Add on the Vector Engine, so that sums of GpSimd's and its own products do not wait for each other."""
        self._busy[nisa.engine.vector] += self._costs.instruction("tensor_tensor", total.shape[1])
        nisa.tensor_tensor(total, total, product, nl.add, engine=nisa.engine.vector)

    def multiply(self, dst: Any, left: Any, right: Any) -> None:
        """Multiply on the engine that is done with it first."""
        done = {engine: busy + self._costs.instruction("tensor_tensor", dst.shape[1], engine.name) for engine, busy in self._busy.items()}
        engine = min(done, key=done.__getitem__)
        self._busy[engine] = done[engine]
        nisa.tensor_tensor(dst, left, right, nl.multiply, engine=engine)


def _rule(
    x: Signature, weights: Signature, absent: Signature, *, rows: int, offsets: tuple[int, ...], partial: tuple[bool, ...]
) -> Ruling:
    sizes = math.prod(weights.shape), math.prod(absent.shape)
    if {x.dtype, weights.dtype} != {FLOAT32} or absent.dtype != UINT8 or sizes != (len(offsets) * rows, max(1, sum(partial) * rows)):
        raise InvalidCallError(f"{len(offsets)} diagonals of {rows} rows do not take {x}, {weights} and {absent}")
    if clipped_partitions(rows, math.prod(x.shape), offsets, -(-rows // PARTITIONS)) > PARTITIONS // 4:
        raise InvalidCallError(f"diagonals from {offsets[0]} to {offsets[-1]} of {rows} rows reach beyond the vector on most partitions")
    return (Signature((rows,), FLOAT32),), ((rows, math.prod(x.shape)), len(offsets), offsets, partial)


def _emit(
    emission: Emission, shape: tuple[int, int], count: int, offsets: tuple[int, ...], partial: tuple[bool, ...]
) -> None:
    rows, columns = shape
    sizes = (columns,), (count * rows,), (max(1, sum(partial) * rows),)
    x, weights, absent = (emission.source(number, size) for number, size in enumerate(sizes))
    multiply_diagonals(emission.result((rows,)), x, weights, absent, offsets, partial)


def _time(
    costs: Costs, _results: tuple[Signature, ...], shape: tuple[int, int], count: int, offsets: tuple[int, ...], partial: tuple[bool, ...]
) -> float:
    rows, columns = shape
    each = -(-rows // PARTITIONS)
    width, masks = min(each, _PIECE), sum(partial)
    height, groups = windows(offsets, each, width)
    loaded = sum(each + -(-each // height) * (offsets[last] - offsets[first]) for first, last in groups)
    parts = list(_parts(each, width))
    vector = sum(costs.instruction("tensor_tensor", part) for part in parts)
    both = sum(costs.instruction("tensor_tensor", part, "gpsimd") for part in parts) if costs.target.generation >= 3 else math.inf
    copies = masks * sum(costs.instruction("tensor_copy_predicated", part) for part in parts)
    work = (2 * count - 1) * vector
    engines = max(copies, (copies + work) / (1 + vector / both))
    nbytes = 4 * rows * (count + 1) + 4 * PARTITIONS * loaded + masks * rows
    clipped = clipped_partitions(rows, columns, offsets, each) * len(groups) * len(parts)
    return 3 * costs.transfer_waits + max(engines, costs.moves(clipped, 4 * width, nbytes))


def _parts(count: int, most: int) -> Iterator[int]:
    for first in range(0, count, most):
        yield min(most, count - first)


declare(
    Kernel(
        "diagonal product",
        _rule,
        _emit,
        "sparse product by {1} diagonals",
        "{0[0]} rows of {0[1]}",
        estimate=_time,
    )
)
