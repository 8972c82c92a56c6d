"""Functions of elements that a kernel applies to its own tiles: to what it loads, or to what it stores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

from ...isa import nisa, nl
from ..plan.plan import Access, Attached
from .rows import Rows
from .sbuf import PARTITIONS
from .scalars import Scalars

__all__ = ["Functions", "Fused", "Span", "fetch"]

Span: TypeAlias = tuple[Any, int]
"""Where rows or columns of a matrix begin, which may be known at run time only, and how many they are."""

_KEPT_BYTES: Final = 16 * 1024  # of a partition, for what all rows have in common


class Functions:
    """
    Functions on tiles of a matrix.

    Parameters
    ----------
    attached : Attached
        Which; their dims are those of the matrix.
    tensors : list of NkiTensor
        Flat tensors in HBM, by their numbers in the plan.
    scalars : Scalars
        Numbers.
    spread : (int, int), optional
        How many rows tiles have at most, and on how many partitions each row lies, in parts of one length, whose
        columns are counted from their beginnings.
    """

    def __init__(self, attached: Attached, tensors: list[Any], scalars: Scalars, spread: tuple[int, int] = (PARTITIONS, 1)) -> None:
        self._rows = Rows(attached.rows, tensors, scalars, {}, attached.results)
        self._results = attached.results
        self._tensors, self._shape = tensors, attached.rows.dims
        self._offsets = {access.slot: scalars.offset(access.slot) for access in attached.rows.accesses if access.slot is not None}
        self._kept: dict[Access, Any] = {}
        self._parts = spread[1]
        for access in attached.rows.loads:
            if self.is_common(access):
                self._kept[access] = self._fetched(access, (0, spread[0]), (0, self._shape[1] // self._parts))

    def is_common(self, access: Access) -> bool:
        """Tell whether all of several rows have the same numbers, few enough to keep."""
        few = self._shape[0] > 1 and 4 * self._shape[1] <= _KEPT_BYTES * self._parts
        return access.extent != "full" or (access.strides[0] == 0 and few)

    def _view(self, access: Access, rows: Span, columns: Span) -> Any:
        """See a part of the matrix in a tensor, or a column where a row is one number."""
        down, along = access.strides if access.extent == "full" else (0, 0)
        return self._in_hbm(access, ((rows[0], down), (columns[0], along)), [[down, rows[1]], [along or 1, columns[1] if along else 1]])

    def _in_hbm(self, access: Access, begin: tuple[tuple[Any, int], ...], pattern: list[list[int]]) -> Any:
        """See numbers in a tensor, from a row and a column on."""
        offset, more = access.offset, None if access.slot is None else self._offsets[access.slot]
        for first, step in begin:
            if isinstance(first, int):
                offset += first * step
            elif step:
                more = first * step if more is None else more + first * step
        assert access.tensor is not None
        tensor = self._tensors[access.tensor]
        return tensor.ap(pattern=pattern, offset=offset) if more is None else tensor.ap(pattern=pattern, offset=offset, scalar_offset=more)

    def _moves(self, access: Access, rows: Span, columns: Span) -> Iterator[tuple[slice, Any]]:
        """List partitions of a tile, and what they have in a tensor: all of them at once where that is one pattern."""
        (first, count), parts = rows, self._parts
        if parts == 1 or access.extent != "full":
            yield slice(0, count * parts), self._view(access, (first, count * parts), columns)
            return
        (down, along), apart = access.strides, self._shape[1] // parts
        each = count if down == along * self._shape[1] else 1
        pattern = [[along * apart, each * parts], [along or 1, columns[1] if along else 1]]
        for row in range(0, count, each):
            begin = ((first, down), (row, down), (columns[0], along))
            yield slice(row * parts, (row + each) * parts), self._in_hbm(access, begin, pattern)

    def _fetched(self, access: Access, rows: Span, columns: Span) -> Any:
        """Load a part of the matrix."""
        moves = list(self._moves(access, rows, columns))
        register = nl.ndarray((moves[-1][0].stop, moves[0][1].shape[1]), moves[0][1].dtype, buffer=nl.sbuf)
        for some, view in moves:
            nisa.dma_copy(register[some], view)
        return register

    def on_tile(self, tile: Any, rows: Span, columns: Span) -> Any:
        """Apply functions of one register to a part of the matrix; see `on_tiles`."""
        return self.on_tiles(rows, columns)([tile])[0]

    def on_tiles(self, rows: Span, columns: Span) -> Callable[[list[Any]], list[Any]]:
        """Load what functions of a part of the matrix read."""
        loaded = [self._part(access, rows, columns) for access in self._rows.stage.loads]

        def apply(tiles: list[Any]) -> list[Any]:
            block = self._rows.block([*tiles, *loaded])
            for register, access in self._rows.stage.stores:
                found = block.spread(block.registers[register])
                for some, view in self._moves(access, rows, columns):
                    nisa.dma_copy(view, found[some])
            return [block.spread(block.registers[result]) for result in self._results]

        return apply

    def _part(self, access: Access, rows: Span, columns: Span) -> Any:
        kept, height = self._kept.get(access), rows[1] * self._parts
        if kept is None:
            return self._fetched(access, rows, columns)
        return kept[:height] if kept.shape[1] == 1 else kept[:height, columns[0] : columns[0] + columns[1]]

    def on_operands(self, *tiles: Any) -> Any:
        """Apply them to tiles of all that they read."""
        given = iter(tiles)
        registers = [next(given)]
        for access in self._rows.stage.loads:
            kept = self._kept.get(access)
            registers.append(next(given) if kept is None else kept[: registers[0].shape[0]])
        block = self._rows.block(registers)
        return block.spread(block.registers[self._results[0]])


class Fused:
    """
    Functions of tensors in HBM, looked at like a tensor.

    Parameters
    ----------
    functions : Functions
        Which.
    dtype : str
        Of their results.
    *views : NkiTensor
        What they read, each of the same shape.
    """

    def __init__(self, functions: Functions, dtype: str, *views: Any) -> None:
        self.functions, self.dtype, self.views = functions, dtype, views
        self.shape = tuple(views[0].shape)

    def _each(self, views: list[Any]) -> Fused:
        return Fused(self.functions, self.dtype, *views)

    def __getitem__(self, key: Any) -> Fused:
        return self._each([view[key] for view in self.views])

    def reshape(self, shape: tuple[int, ...]) -> Fused:
        """Give another shape."""
        return self._each([view.reshape(shape) for view in self.views])

    def reshape_dim(self, dim: int, shape: tuple[int, ...]) -> Fused:
        """Divide an axis."""
        return self._each([view.reshape_dim(dim, shape) for view in self.views])

    def permute(self, axes: tuple[int, ...]) -> Fused:
        """Give axes another order."""
        return self._each([view.permute(axes) for view in self.views])


def fetch(view: Any) -> Any:
    """Load what a kernel works on."""
    shape = tuple(view.shape)
    if not isinstance(view, Fused):
        tile = nl.ndarray(shape, view.dtype, buffer=nl.sbuf)
        nisa.dma_copy(tile, view)
        return tile
    tiles = []
    for part in view.views:
        tile = nl.ndarray(shape, part.dtype, buffer=nl.sbuf)
        nisa.dma_copy(tile, part)
        tiles.append(_flat(tile))
    result = view.functions.on_operands(*tiles)
    return result if len(shape) == 2 else result.reshape_dim(1, shape[1:])


def _flat(tile: Any) -> Any:
    if tile.ndim == 2:
        return tile
    width = 1
    for extent in tile.shape[1:]:
        width *= extent
    return tile.reshape((tile.shape[0], width))
