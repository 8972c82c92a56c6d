"""Columns of a tile at run-time offsets: the same free element of every partition, wherever an index tensor says."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..engines import engine
from ..tensor.geometry import Geometry
from ..tensor.view import View
from .memory import Buffer, Mask

__all__ = ["GROUP", "Columns", "group_of", "is_columns", "needed"]

GROUP: Final = {engine.tensor: 32}
_GROUP: Final = 16


def group_of(on: engine) -> int:
    """Count the partitions over which an engine's offsets are laid out."""
    return GROUP.get(on, _GROUP)


def is_columns(view: View) -> bool:
    """Whether a view selects columns at run-time offsets."""
    return view._indirection is not None and view._indirection.kind == "element"


def needed(count: int, partitions: int, group: int, first_only: bool) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where the offsets are in an index tensor: offset i in row i % group and column i // group of each group of partitions."""
    offset = np.arange(count)
    base = np.arange(1 if first_only else -(-partitions // group))[:, None] * group
    rows = base + offset % group
    return rows, np.broadcast_to(offset // group, rows.shape)


class Columns(NamedTuple):
    """
    Where the elements of a view at run-time offsets are.

    Attributes
    ----------
    buffer : Buffer
        Their memory.
    table : Geometry
        Every column that an offset may select.
    place : tuple of np.ndarray
        Rows and columns in the table, which broadcast to the shape of the view.
    """

    buffer: Buffer
    table: Geometry
    place: tuple[NDArray[np.intp], NDArray[np.intp]]

    def values(self) -> NDArray[Any]:
        """Gather."""
        found: NDArray[Any] = self.buffer.array(self.table)[self.place]
        return found

    def members(self, mask: Mask) -> NDArray[np.bool_]:
        """Which elements are in a set."""
        found: NDArray[np.bool_] = mask.elements(self.table)[self.place]
        return found

    def put(self, mask: Mask, selected: NDArray[np.bool_] | bool, value: bool) -> None:
        """Put elements into a set, or take them out."""
        chosen = np.zeros(self.table.shape, np.bool_)
        rows, columns = np.broadcast_arrays(*self.place)
        keep = np.broadcast_to(selected, rows.shape)
        chosen[rows[keep], columns[keep]] = True
        mask.put(self.table, chosen, value)

    def repeats(self) -> bool:
        """Whether an element is selected twice."""
        columns = np.sort(self.place[1], axis=-1)
        return bool((columns[..., 1:] == columns[..., :-1]).any())

    def write(self, values: NDArray[Any], selected: NDArray[np.bool_] | None = None) -> None:
        """Scatter; of equal offsets the last stays."""
        array = self.buffer.array(self.table)
        rows, columns = np.broadcast_arrays(*self.place)
        if selected is None:
            array[rows, columns] = values
        else:
            array[rows[selected], columns[selected]] = np.broadcast_to(values, rows.shape)[selected]
        for mask, value in ((self.buffer.written, True), (self.buffer.multiplied, False)):
            if mask is not None:
                self.put(mask, True if selected is None else selected, value)
