"""Tensors seen as grids of tiles, and of blocks of tiles: views that are indexed by tile or block."""

from __future__ import annotations

from ..tensor.nkitensor import NkiTensor
from ..tensor.objects import NKIObject
from ..tensor.storage import MemoryRegion

__all__ = ["NkiBlockGrid", "NkiGrid", "NkiTileGrid", "blocks", "tiles"]

Shape = tuple[int, ...]


class NkiGrid(NKIObject):
    """
    Part of a tensor in units of tiles or blocks; made by `tiles` and `blocks`.

    Parameters
    ----------
    source : NkiTensor
        The tensor.
    tile_shape : tuple of int
        Elements of a tile along the last axes; the axes before them are not tiled.
    block_shape : tuple of int
        Tiles of a unit along those axes; ones where the units are tiles.
    ranges : tuple of (int, int)
        First and last + 1 element along each axis of the tensor.
    free : tuple of int
        Axes that are not indexed yet.
    """

    def __init__(self, source: NkiTensor, tile_shape: Shape, block_shape: Shape, ranges: tuple[tuple[int, int], ...], free: Shape) -> None:
        self._source, self.tile_shape, self._block, self._ranges, self._free = source, tile_shape, block_shape, ranges, free
        self._first = len(ranges) - len(tile_shape)
        self._units = (*[1] * self._first, *(t * b for t, b in zip(tile_shape, block_shape, strict=True)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}(shape={self.shape}, tile_shape={self.tile_shape}, element_shape={self.element_shape})"

    @property
    def shape(self) -> Shape:
        """Units along the axes that are not indexed yet; the last may be partial."""
        return tuple(-(-(self._ranges[axis][1] - self._ranges[axis][0]) // self._units[axis]) for axis in self._free)

    @property
    def element_shape(self) -> Shape:
        """Elements that `data` has along each axis."""
        return tuple(
            stop - start for axis, (start, stop) in enumerate(self._ranges) if axis >= self._first or axis in self._free
        )

    @property
    def index_step_elements(self) -> Shape:
        """Elements from one unit to the next along the axes that are not indexed yet."""
        return tuple(self._units[axis] for axis in self._free)

    @property
    def dtype(self) -> str:
        """That of the tensor."""
        return self._source.dtype

    @property
    def buffer(self) -> MemoryRegion:
        """Where the tensor is."""
        return self._source.buffer

    @property
    def is_remainder(self) -> bool:
        """Whether a unit is partial."""
        return any((stop - start) % unit for (start, stop), unit in zip(self._ranges, self._units, strict=True))

    @property
    def is_data_representable(self) -> bool:
        """Whether `data` is one view; here every selection is."""
        return True

    @property
    def data(self) -> NkiTensor:
        """View of the selected elements."""
        key = tuple(
            slice(*bounds) if axis >= self._first or axis in self._free else bounds[0] for axis, bounds in enumerate(self._ranges)
        )
        return self._source[key]

    def __getitem__(self, key: object) -> NkiGrid:
        keys = key if isinstance(key, tuple) else (key,)
        if len(keys) > len(self._free):
            raise IndexError(f"{self!r}: {len(keys)} indices for {len(self._free)} axes")
        ranges, free, counts = list(self._ranges), list(self._free), self.shape
        for axis, count, index in zip(self._free, counts, keys, strict=False):
            start, stop = self._ranges[axis]
            if isinstance(index, slice):
                low, high, step = index.indices(count)
                if step != 1 or high <= low:
                    raise IndexError(f"{self!r}: a slice selects at least one unit, in steps of 1; {index} of {count} given")
            elif isinstance(index, int) and -count <= index < count:
                low = index % count
                high = low + 1
                free.remove(axis)
            else:
                raise IndexError(f"{self!r}: an index is a compile-time int below {count} or a slice, not {index!r}")
            unit = self._units[axis]
            ranges[axis] = (start + low * unit, min(stop, start + high * unit))
        return type(self)(self._source, self.tile_shape, self._block, tuple(ranges), tuple(free))


class NkiTileGrid(NkiGrid):
    """Grid whose units are tiles."""


class NkiBlockGrid(NkiGrid):
    """Grid whose units are blocks of tiles."""

    @property
    def block_shape(self) -> Shape:
        """Tiles of a block along each tiled axis."""
        return self._block


def _positive(name: str, shape: object) -> Shape:
    if not isinstance(shape, tuple) or not all(type(n) is int for n in shape):
        raise TypeError(f"{name} is a tuple of ints, not {shape!r}")
    if not shape or min(shape) < 1:
        raise ValueError(f"{name} has positive entries, not {shape}")
    return shape


def _geometry(source: NkiTensor | NkiGrid, tile_shape: Shape | None) -> tuple[NkiTensor, Shape, tuple[tuple[int, int], ...], Shape]:
    """Find the tensor, the shape of a tile, what is selected, and the axes that are to be indexed."""
    if isinstance(source, NkiGrid):
        if tile_shape is not None and tile_shape != source.tile_shape:
            raise ValueError(f"the grid has tiles of {source.tile_shape}, not {tile_shape}; leave tile_shape out")
        tiled = range(source._first, len(source._ranges))
        return source._source, source.tile_shape, source._ranges, (*(a for a in source._free if a < source._first), *tiled)
    if tile_shape is None:
        raise ValueError("tile_shape is needed for a tensor")
    tile = _positive("tile_shape", tile_shape)
    if not 2 <= len(tile) <= source.ndim:
        raise ValueError(f"tile_shape has 2 to {source.ndim} entries for a tensor of shape {source.shape}, not {tile}")
    return source, tile, tuple((0, n) for n in source.shape), tuple(range(source.ndim))


def tiles(source: NkiTensor | NkiGrid, *, tile_shape: Shape | None = None) -> NkiTileGrid:
    """
    See a tensor, or what a grid selects of one, as a grid of tiles.

    Parameters
    ----------
    source : NkiTensor or NkiGrid
        What to divide.
    tile_shape : tuple of int, optional
        Elements of a tile along the last axes; that of a grid is known.

    Returns
    -------
    NkiTileGrid
        A view.
    """
    tensor, tile, ranges, free = _geometry(source, tile_shape)
    return NkiTileGrid(tensor, tile, (1,) * len(tile), ranges, free)


def blocks(source: NkiTensor | NkiGrid, *, tile_shape: Shape | None = None, block_shape: Shape) -> NkiBlockGrid:
    """
    See a tensor, or what a grid selects of one, as a grid of blocks of tiles.

    Parameters
    ----------
    source : NkiTensor or NkiGrid
        What to divide.
    tile_shape : tuple of int, optional
        Elements of a tile along the last axes; that of a grid is known.
    block_shape : tuple of int
        Tiles of a block along those axes.

    Returns
    -------
    NkiBlockGrid
        A view.
    """
    tensor, tile, ranges, free = _geometry(source, tile_shape)
    block = _positive("block_shape", block_shape)
    if len(block) != len(tile):
        raise ValueError(f"block_shape has an entry for each of tile_shape {tile}, not {block}")
    return NkiBlockGrid(tensor, tile, block, ranges, free)
