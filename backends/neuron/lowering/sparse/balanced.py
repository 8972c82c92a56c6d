"""Products of matrices some of whose rows or columns are very long, such as those of power-law graphs, as three exchanges."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ...costs import Costs
from ...graph.graph import Node
from ...value import Value
from .. import Builder
from .exchange import find_exchange, multiply_exchanged
from .exchange import time as exchange_time
from .structure import Structure

__all__ = ["Balanced", "find_balanced", "multiply_balanced", "time"]

_PARTITIONS: Final = 128
_LEAST: Final = 1 << 14  # stored elements
_LONGEST: Final = 512  # elements of a piece of a row
_COPIED: Final = 1024  # of a column, for each copy of its element of the vector
_STRIDE: Final = (5**0.5 - 1) / 2  # by which long and short pieces are dealt evenly over a partition


class Balanced(NamedTuple):
    """
    A matrix as a product of three.

    Attributes
    ----------
    copies : Structure
        Takes the vector to one in which elements of long columns are there more than once.
    inner : Structure
        The stored elements, in rows that are pieces of the matrix's.
    sums : Structure
        Adds up the pieces, and brings rows in order.
    """

    copies: Structure
    inner: Structure
    sums: Structure


def find_balanced(structure: Structure) -> Balanced | None:
    """Cut long rows and columns, and deal them out; None where that is no use, or no exchange takes it."""
    return structure.kept("balanced", lambda: _balanced(structure))


def _balanced(structure: Structure) -> Balanced | None:
    count = len(structure.rows)
    if count < _LEAST:
        return None
    row, owners, height = _dealt(structure.rows, structure.counts(), _LONGEST, by_owner=False)
    order = np.argsort(structure.columns, kind="stable")
    lengths = np.bincount(structure.columns, minlength=structure.shape[1])
    column, sources, width = _dealt(structure.columns[order], lengths, _COPIED, by_owner=True)
    columns = np.empty(count, np.int64)
    columns[order] = column
    place = np.argsort(row, kind="stable")
    inner = _structure((_PARTITIONS * height, _PARTITIONS * width), row[place], _turned(columns, width)[place], structure.positions[place])
    sums = np.argsort(owners[0], kind="stable")
    gathered = _structure((structure.shape[0], _PARTITIONS * height), owners[0][sums], owners[1][sums], np.arange(len(sums)))
    copied, copies = _turned(sources[1], width), np.argsort(_turned(sources[1], width), kind="stable")
    spread = _structure((_PARTITIONS * width, structure.shape[1]), copied[copies], sources[0][copies], np.arange(len(copies)))
    found = Balanced(spread, inner, gathered)
    return found if all(find_exchange(one) is not None for one in found) else None


def _dealt(
    lines: npt.NDArray[np.int32], counts: npt.NDArray[np.int64], most: int, *, by_owner: bool
) -> tuple[npt.NDArray[np.int64], tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]], int]:
    """
    Cut lines into pieces of at most so many elements, and deal these to partitions, so that all have as many, about equally long ones.

    Those of about one length come in any order, since neighbours that are alike would all meet the same partitions.

    Gives the piece of each element, by partition and slot; of all pieces the lines that they are of, and the pieces; and the slots of
    a partition.
    """
    pieces = -(-counts // most)
    first = np.cumsum(pieces) - pieces
    within = np.arange(len(lines)) - (np.cumsum(counts) - counts)[lines]
    piece = first[lines] + within % np.maximum(pieces, 1)[lines]
    owner = np.repeat(np.arange(len(counts)), pieces)
    lengths = np.bincount(piece, minlength=len(owner))
    rank = np.empty(len(owner), np.int64)
    rank[np.lexsort((_shuffled(len(owner)), -np.floor(2 * np.log2(lengths))))] = np.arange(len(owner))
    slots = -(-len(owner) // _PARTITIONS)
    slot, place = np.divmod(rank, _PARTITIONS)
    partition = np.where(slot % 2, _PARTITIONS - 1 - place, place)
    even = np.empty(slots, np.int64)
    even[np.argsort((np.arange(slots) * _STRIDE) % 1, kind="stable")] = np.arange(slots)
    if by_owner:  # those of one source apart from each other
        order = np.lexsort((owner % _PARTITIONS, partition))
        held = np.bincount(partition, minlength=_PARTITIONS)
        slot[order] = (np.arange(len(owner)) - np.repeat(np.cumsum(held) - held, held) + np.repeat(np.arange(_PARTITIONS), held)) % slots
    at = partition * slots + even[slot]
    return at[piece], (owner, at), slots


def _shuffled(count: int) -> npt.NDArray[np.int64]:
    """Give numbers in an order that is always the same one."""
    return np.random.default_rng(count).permutation(count)


def _turned(at: npt.NDArray[np.int64], slots: int) -> npt.NDArray[np.int64]:
    """Give pieces numbers slot by slot, as an exchange has columns on partitions."""
    partition, slot = np.divmod(at, slots)
    return slot * _PARTITIONS + partition


def _structure(shape: tuple[int, int], rows: npt.NDArray[Any], columns: npt.NDArray[Any], positions: npt.NDArray[Any]) -> Structure:
    return Structure(shape, rows.astype(np.int32), columns.astype(np.int32), positions.astype(np.int32))


def time(costs: Costs, found: Balanced) -> float:
    """Estimate a product with a vector, in ns."""
    total = 0.0
    for one in found:
        exchange = find_exchange(one)
        assert exchange is not None
        total += exchange_time(costs, one, exchange)
    return total


def multiply_balanced(builder: Builder, found: Balanced, data: Value, x: tuple[Node, ...]) -> tuple[Node, ...]:
    """
    Multiply with a vector of float32, or of complex64 in two planes.

    Notes
    -----
    Rows are cut at 512 elements, and of an element of the vector there is a copy for each 1024 in its column. Pieces are dealt to
    partitions by length, so that each pair of partitions has about as much for each other. *Error.* ``(L + 2) u |A| |x|``.
    """
    for one, values in zip(found, (None, data, None), strict=True):
        exchange = find_exchange(one)
        assert exchange is not None
        if values is None:
            values = one.device_indices(builder, "ones", lambda one=one: np.ones(len(one.rows), np.float32))  # type: ignore[misc]
        x = multiply_exchanged(builder, one, exchange, values, x)
    return x
