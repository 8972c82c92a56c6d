"""Structures of sparse matrices: where their stored elements are, on the host, and what the device keeps for them."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from ....dtypes import DType
from ...graph.graph import Node
from ...value import Value
from .. import Builder, NotNativeError
from ..concatenation import constant, join
from ..indexing.gather import gather
from ..joining import flat
from ..operands import convert

__all__ = ["Structure", "find_structure", "positions_on_device", "positions_on_host", "taken", "with_zero"]

_T = TypeVar("_T")

_Indices = npt.NDArray[np.int32]
_MOST = 2**31 - 2


@dataclass(slots=True, eq=False, weakref_slot=True)
class Structure:
    """
    The stored elements of a sparse matrix, row by row.

    Parameters
    ----------
    shape : tuple of int
        Rows and columns.
    rows, columns : ndarray
        Of each stored element; rows in ascending order.
    positions : ndarray
        Where its value is among the stored values.
    """

    shape: tuple[int, int]
    rows: _Indices
    columns: _Indices
    positions: _Indices
    _kept: dict[Hashable, Any] = field(default_factory=dict)
    _values: WeakKeyDictionary[Node, dict[Hashable, Any]] = field(default_factory=WeakKeyDictionary)

    def kept(self, key: Hashable, make: Callable[[], _T]) -> _T:
        """Give what was made once for the structure."""
        if key not in self._kept:
            self._kept[key] = make()
        found: _T = self._kept[key]
        return found

    def device_indices(self, builder: Builder, key: Hashable, make: Callable[[], npt.NDArray[Any]]) -> Value:
        """Give indices, or other constants, that the device keeps with the structure."""
        return self.kept(key, lambda: builder.from_host(np.ascontiguousarray(make()), copy=True))

    def counts(self) -> npt.NDArray[np.int64]:
        """Count the stored elements of each row."""
        return self.kept("counts", lambda: np.bincount(self.rows, minlength=self.shape[0]))

    def transposed(self) -> Structure:
        """Give that of the transpose."""

        def make() -> Structure:
            order = np.argsort(self.columns, kind="stable")
            return Structure((self.shape[1], self.shape[0]), self.columns[order], self.rows[order], self.positions[order])

        return self.kept("transposed", make)

    def distinct(self) -> tuple[Structure, npt.NDArray[np.int64]]:
        """Give one of a row for each element of the matrix that is stored, once or more often, and tell where in C order these are."""

        def make() -> tuple[Structure, npt.NDArray[np.int64]]:
            index = self.rows.astype(np.int64) * self.shape[1] + self.columns
            order = np.argsort(index, kind="stable")
            elements, number = np.unique(index[order], return_inverse=True)
            rows = Structure((len(elements), 1), number.astype(np.int32), np.zeros(len(order), np.int32), self.positions[order])
            return rows, elements

        return self.kept("distinct", make)

    def part(self, key: Hashable, chosen: Callable[[], npt.NDArray[np.bool]]) -> Structure:
        """Give that of some of the stored elements."""

        def make() -> Structure:
            mask = chosen()
            return Structure(self.shape, self.rows[mask], self.columns[mask], self.positions[mask])

        return self.kept(("part", key), make)

    def arranged(self, key: Hashable, data: Value, make: Callable[[], _T]) -> _T:
        """Give stored values as they are arranged for a layout, which is kept as long as they are there."""
        known = self._values.setdefault(data.cells[0].node, {}) if data.covers(data.cells[0]) else {}
        if key not in known:
            known[key] = make()
        found: _T = known[key]
        return found

    def values(self, builder: Builder, key: str, data: Value, dtype: DType, sources: Callable[[], npt.NDArray[Any]]) -> Value:
        """Arrange stored values for a layout: those of elements by number, and zero for the number after the last one."""

        def make() -> Value:
            at = self.device_indices(
                builder, ("positions", key), lambda: np.append(self.positions, np.int32(data.size))[sources()].astype(np.int32)
            )
            stored = builder.make(convert(flat(data).read(), data.dtype, dtype), dtype)
            return taken(builder, with_zero(builder, stored), at)

        return self.arranged((key, dtype), data, make)


def with_zero(builder: Builder, value: Value) -> Value:
    """Append a zero, or a row of zeros."""
    shape = (1, *value.shape[1:])
    return join(builder, [(value.shape, value.read()), (shape, constant(0, shape, value.dtype))], 0, value.dtype)


def taken(builder: Builder, table: Value, at: Value) -> Value:
    """Take elements, or rows, by indices that lie within."""
    (index,) = at.read()
    shape = (at.size, *table.shape[1:])
    return builder.make(tuple(gather(plane, index, 1, table.shape[0], shape) for plane in table.read()), table.dtype)


def find_structure(builder: Builder, packed: tuple[str, tuple[int, ...], tuple[Value, ...]]) -> Structure:
    """Look up the structure of a packed sparse matrix, or make it, for which positions are brought to the host."""
    name, shape, (data, *where) = packed
    if len(shape) != 2:
        raise NotNativeError("sparse arrays of other than two dimensions are multiplied on the host")
    if max(*shape, data.size) > _MOST or 0 in data.shape:
        raise NotNativeError("it stores nothing, or more than indices of 32 bits count")

    def make() -> Structure:
        return _structure(name, (shape[0], shape[1]), data.shape, [positions_on_host(builder, value) for value in where])

    return _kept_with(builder, where, (name, shape, data.shape), make)


def positions_on_host(builder: Builder, value: Value) -> npt.NDArray[Any]:
    """Bring positions to the host, where they are kept as long as the device has them."""
    return _kept_with(builder, [value], ("on host",), lambda: builder.on_host(value))


def positions_on_device(builder: Builder, positions: npt.NDArray[Any]) -> Value:
    """Bring positions to the device, which the host keeps, too."""
    value = builder.from_host(positions, copy=True)
    _kept_with(builder, [value], ("on host",), lambda: np.array(positions))
    return value


def _kept_with(builder: Builder, values: Sequence[Value], key: Hashable, make: Callable[[], _T]) -> _T:
    """Give what was made once for components, as long as they are there and the same."""
    nodes = tuple(cell.node for value in values for cell in value.cells)
    whole = key, tuple(value.layout for value in values)
    entries = builder.structures.setdefault(nodes[0], [])
    for others, same, kept in entries:
        if same == whole and len(others) == len(nodes) - 1 and all(map(operator.is_, others, nodes[1:])):
            found: _T = kept
            return found
    made = make()
    entries.append((nodes[1:], whole, made))
    return made


def _structure(name: str, shape: tuple[int, int], stored: tuple[int, ...], where: list[npt.NDArray[Any]]) -> Structure:
    """Let SciPy, which checks the components, convert an array of the numbers of the stored values, from 1 on."""
    from ....ops.sparse import unpack

    numbers = np.arange(1, math.prod(stored) + 1, dtype=np.int32).reshape(stored)
    coo = unpack((name, shape, (numbers, *where))).tocoo(copy=False)
    rows, columns, positions = coo.row.astype(np.int32), coo.col.astype(np.int32), coo.data - np.int32(1)
    if np.any(rows[1:] < rows[:-1]):
        order = np.argsort(rows, kind="stable")
        rows, columns, positions = rows[order], columns[order], positions[order]
    return Structure(shape, rows, columns, positions)
