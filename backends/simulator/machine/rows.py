"""Gather and scatter: rows of an HBM tensor at run-time indices."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..engines import oob_mode
from ..errors import OutOfBoundsError
from ..tensor.geometry import Geometry
from ..tensor.nkitensor import NkiTensor
from .memory import Buffer
from .run import Run

__all__ = ["Rows", "is_rows", "locate_rows", "read_rows", "write_order", "write_rows"]


class Rows(NamedTuple):
    """
    Where the rows of a view are.

    Attributes
    ----------
    buffer : Buffer
        Their memory.
    table : Geometry
        Every row that an index may select.
    place : np.ndarray
        The row of the table for each row of the view that takes part.
    taken : np.ndarray
        Which rows of the view take part; the others were out of bounds and are skipped.
    """

    buffer: Buffer
    table: Geometry
    place: NDArray[np.int64]
    taken: NDArray[np.intp]


def is_rows(view: NkiTensor) -> bool:
    """Whether a view selects rows at run-time indices."""
    return view._indirection is not None and view._indirection.kind == "vector"


def locate_rows(run: Run, view: NkiTensor, mode: oob_mode) -> Rows:
    """Read the indices of a view and check them."""
    by = view._indirection
    assert by is not None
    assert isinstance(by.source, NkiTensor)
    index = run.read(by.source).reshape(by.source.shape[0], -1).T.reshape(-1)[: view.shape[0]].astype(np.int64)
    buffer, at = run.memories.buffer(view._storage), view._bytes
    step, inner = by.stride * at.dtype.itemsize, list(zip(at.shape[1:], at.strides[1:], strict=True))
    last = at.offset + sum((count - 1) * stride for count, stride in inner) + at.dtype.itemsize
    rows = min(by.extent, (view._storage.nbytes - last) // step + 1)
    good = (index >= 0) & (index < rows)
    if mode is oob_mode.error and not good.all():
        first = int(np.argmin(good))
        raise OutOfBoundsError(
            f"{run._what()}: index {index[first]} of row {first} leads out of {view._storage!r}, which has rows 0..{rows - 1}; "
            "oob_mode.skip leaves such rows out",
            run._where(),
        )
    table = Geometry((max(rows, 0), *at.shape[1:]), at.dtype, at.offset, (step, *at.strides[1:]), False)
    return Rows(buffer, buffer.at(table), index[good], np.flatnonzero(good))


def read_rows(run: Run, view: NkiTensor, rows: Rows) -> NDArray[Any]:
    """Gather."""
    written = rows.buffer.written
    if written is not None and not written.full:
        elements = written.elements(rows.table)[rows.place]
        if not elements.all():
            run.unwritten(view, elements)
    values: NDArray[Any] = rows.buffer.array(rows.table)[rows.place]
    return values


def write_order(run: Run, count: int) -> NDArray[np.intp]:
    """Order in which rows are written, which decides between equal indices."""
    order = run.knobs.dma_duplicates
    if order == "last":
        return np.arange(count)
    return np.random.default_rng([int(order.removeprefix("seeded:")), 0 if run.current is None else run.current.serial]).permutation(count)


def write_rows(run: Run, rows: Rows, values: NDArray[Any]) -> None:
    """Scatter."""
    target, written = rows.buffer.array(rows.table), rows.buffer.written
    values = values.reshape(len(rows.place), *target.shape[1:])
    for row in write_order(run, len(rows.place)):
        place = int(rows.place[row])
        target[place] = values[row]
        if written is not None:
            table = rows.table
            written.add(table._replace(shape=(1, *table.shape[1:]), offset=table.offset + place * table.strides[0]))
