"""The plan of an exchange: which partition gathers what, in which order products come, and in which order they are added up."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ....dtypes import FLOAT32
from ....rules import Signature
from ...costs import Costs
from ...graph.build import call, elementwise
from ...graph.graph import Node
from ...kernel import estimate
from ...value import Value
from .. import Builder
from .structure import Structure

__all__ = ["Exchange", "find_exchange", "multiply_exchanged", "time"]

_PARTITIONS: Final = 128
_MOST_ROWS: Final = 1 << 15  # of the vector and of the result on a partition
_WIDEST: Final = 1024  # elements of a row
_ROOM: Final = 8192  # products of a partition at once
_PADDED: Final = 6.0  # columns, for each element that is there, above which other formats are faster
_WIDTHS: Final = np.array([*range(9), 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 112, 128, 192, 256, 384, 512, 768, 1024])

Geometry = tuple[tuple[int, int, tuple[tuple[int, int], ...], bool], ...]


class Exchange(NamedTuple):
    """
    A plan.

    Attributes
    ----------
    geometry : tuple
        Of each part rows, columns, blocks and whether they are sorted, as the kernel has them.
    sources, targets, order : ndarray
        Indices of the three gathers, part by part, (128, columns) each.
    elements : ndarray
        The number of the stored element whose value stands in a column; that after the last one where none does.
    """

    geometry: Geometry
    sources: npt.NDArray[np.uint16]
    targets: npt.NDArray[np.uint16]
    order: npt.NDArray[np.uint16]
    elements: npt.NDArray[np.int32]


def find_exchange(structure: Structure) -> Exchange | None:
    """Plan an exchange; None where a row, or what two partitions have for each other, is too long."""
    return structure.kept("exchange", lambda: _plan(structure))


def _plan(structure: Structure) -> Exchange | None:
    rows, columns = structure.shape
    count, each = len(structure.rows), -(-rows // _PARTITIONS)
    lengths = structure.counts()
    if max(each, -(-columns // _PARTITIONS)) > _MOST_ROWS or lengths.max() > _WIDEST:
        return None
    target, slot = np.divmod(structure.rows, np.int32(each))
    pair = (target * np.int32(_PARTITIONS) + structure.columns % _PARTITIONS).astype(np.uint16)
    height = max(1, each * _PARTITIONS * _ROOM // max(count, _PARTITIONS * _ROOM))  # rows of a part
    while True:
        parts = -(-each // height)
        part = (slot // height).astype(np.uint16)
        held = np.bincount(part.astype(np.int32) * _PARTITIONS**2 + pair, minlength=parts * _PARTITIONS**2)
        blocks = np.maximum(1, held.reshape(parts, -1).max(axis=1))
        if _PARTITIONS**2 * blocks.sum() > max(_PADDED * count, _PARTITIONS**2 * 16 * parts):
            return None
        if blocks.max() * _PARTITIONS <= _ROOM:
            break
        if height == 1:
            return None
        height = max(1, min(height - 1, int(height * _ROOM / (blocks.max() * _PARTITIONS))))
    order = np.argsort(pair, kind="stable")  # of 16 bits, which NumPy sorts by digits
    order = order[np.argsort(part[order], kind="stable")]
    rank = np.empty(count, np.int32)
    rank[order] = np.arange(count, dtype=np.int32) - np.repeat((np.cumsum(held) - held).astype(np.int32), held)
    return _arranged(structure, each, height, blocks, target, slot, part, rank)


def _arranged(
    structure: Structure,
    each: int,
    height: int,
    blocks: npt.NDArray[np.int64],
    target: npt.NDArray[np.int32],
    slot: npt.NDArray[np.int32],
    part: npt.NDArray[np.uint16],
    rank: npt.NDArray[np.int32],
) -> Exchange:
    """Give each element its columns, of its source and of its product, and its place in its row."""
    count, zero = len(structure.rows), int(blocks.max()) * _PARTITIONS
    source = structure.columns % _PARTITIONS
    begins = np.cumsum(blocks) - blocks  # in blocks of 128 × 128
    base, width = begins[part] * _PARTITIONS**2, blocks[part] * _PARTITIONS
    sources = np.zeros(int(blocks.sum()) * _PARTITIONS**2, np.uint16)
    sources[base + source * width + rank * _PARTITIONS + target] = structure.columns // _PARTITIONS
    elements = np.full(len(sources), count, np.int32)
    product = rank * _PARTITIONS + source
    elements[base + target * width + product] = np.arange(count)
    lengths = np.zeros(_PARTITIONS * each, np.int64)
    lengths[: structure.shape[0]] = structure.counts()
    per_slot = lengths.reshape(_PARTITIONS, each)
    starts = np.cumsum(lengths) - lengths
    within = np.arange(count) - starts[structure.rows]
    geometry, targets, orders = [], [], []
    by_part, bounds = np.argsort(part, kind="stable"), np.cumsum([0, *np.bincount(part, minlength=len(blocks))])
    for number, first in enumerate(range(0, each, height)):
        some = per_slot[:, first : first + height]
        chosen = by_part[bounds[number] : bounds[number + 1]]
        blocked, place, is_sorted = _blocks(some)
        begin = np.zeros(some.shape[1] + 1, np.int64)  # of the row that is the n-th to be added up
        at = offset = 0
        for rows, wide in blocked:
            begin[at : at + rows] = offset + wide * np.arange(rows)
            at, offset = at + rows, offset + rows * wide
        found = np.full((_PARTITIONS, offset), zero, np.uint16)
        q, j = target[chosen], slot[chosen] - first
        found[q, begin[place[q, j]] + within[chosen]] = product[chosen]
        targets.append(found.reshape(-1))
        if is_sorted:
            orders.append(np.where(some > 0, place, at).astype(np.uint16).reshape(-1))
        geometry.append((some.shape[1], int(blocks[number]) * _PARTITIONS, blocked, is_sorted))
    order = np.concatenate(orders) if orders else np.zeros(1, np.uint16)
    return Exchange(tuple(geometry), sources, np.concatenate(targets), order, elements)


def _blocks(lengths: npt.NDArray[np.int64]) -> tuple[tuple[tuple[int, int], ...], npt.NDArray[np.int64], bool]:
    """
    Choose how the rows of all partitions, (128, rows), are added up.

    Gives blocks of (rows, width), the place of each row among them, and whether that is another order than that of the rows.
    """
    rows = lengths.shape[1]
    longest = int(lengths.max())
    place = np.broadcast_to(np.arange(rows), lengths.shape)
    descending = -np.sort(-lengths, axis=1)
    widths = _WIDTHS[np.searchsorted(_WIDTHS, descending.max(axis=0))]
    if longest and rows * longest <= 1.1 * (widths.sum() + rows):
        return ((rows, longest),), place, False
    order = np.argsort(-lengths, axis=1, kind="stable")
    place = np.empty_like(order)
    np.put_along_axis(place, order, np.broadcast_to(np.arange(rows), lengths.shape), axis=1)
    found, counts = np.unique(-widths, return_counts=True)
    blocks = tuple((int(count), int(-width)) for width, count in zip(found, counts, strict=True) if width)
    return blocks or ((1, 1),), place, True


def time(costs: Costs, structure: Structure, found: Exchange) -> float:
    """Estimate a product with a vector, in ns."""
    rows, _ = structure.shape
    return estimate("exchange product", costs, (Signature((rows,), FLOAT32),), structure.shape, 1, "", "", found.geometry, 1, 1)


def multiply_exchanged(builder: Builder, structure: Structure, found: Exchange, data: Value, x: tuple[Node, ...]) -> tuple[Node, ...]:
    """Multiply with a vector, or with rows of vectors, of float32, or of complex64 in two planes, which the values may be, too."""
    indices = [
        node
        for name in ("sources", "targets", "order")
        for node in structure.device_indices(builder, ("exchange", name), lambda name=name: getattr(found, name)).read()  # type: ignore[misc]
    ]
    parts = [data.part(place) for place in range(2)] if data.dtype.kind == "c" else [data]
    values = [structure.values(builder, "exchange", part, FLOAT32, lambda: found.elements).read()[0] for part in parts]
    shape = {"rows": structure.shape[0], "nonzeros": len(structure.rows), "geometry": found.geometry}
    products = [[call("exchange product", plane, value, *indices, **shape)[0] for plane in x] for value in values]
    if len(values) == 1:
        return tuple(products[0])
    if len(x) == 1:
        return products[0][0], products[1][0]
    (first, third), (fourth, second) = products
    return elementwise("subtract", first, second, dtype=FLOAT32), elementwise("add", third, fourth, dtype=FLOAT32)
