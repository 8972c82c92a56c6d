"""Tensors seen as grids of tiles, and of blocks of tiles: views that are indexed by tile or block."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from ..registers import NkiScalar, RuntimeValue, VirtualRegister
from ..tensor.nkitensor import NkiTensor
from ..tensor.objects import NKIObject
from ..tensor.storage import MemoryRegion, is_on_chip
from .creation import ndarray

__all__ = ["NkiBlockGrid", "NkiGrid", "NkiTileGrid", "alloc_blocks", "alloc_tiles", "blocks", "empty_like", "tiles"]

Shape = tuple[int, ...]


class _Chosen(NamedTuple):
    """A unit that a run-time index selects; ranges along its axis count from where it begins."""

    by: RuntimeValue
    start: int
    units: int
    unit: int


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
    chosen : dict, optional
        Run-time indices by axis.
    steps : dict, optional
        Of axes of which slices left units out: units from the beginning of one to that of the next, more than 1.
    """

    def __init__(
        self,
        source: NkiTensor,
        tile_shape: Shape,
        block_shape: Shape,
        ranges: tuple[tuple[int, int], ...],
        free: Shape,
        chosen: dict[int, _Chosen] | None = None,
        steps: dict[int, int] | None = None,
    ) -> None:
        self._source, self.tile_shape, self._block, self._ranges, self._free = source, tile_shape, block_shape, ranges, free
        self._chosen, self._steps = chosen or {}, steps or {}
        self._first = len(ranges) - len(tile_shape)
        self._units = (*[1] * self._first, *(t * b for t, b in zip(tile_shape, block_shape, strict=True)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}(shape={self.shape}, tile_shape={self.tile_shape}, element_shape={self.element_shape})"

    def _stride(self, axis: int) -> int:
        """Elements from the beginning of one unit to that of the next."""
        return self._units[axis] * self._steps.get(axis, 1)

    def _count(self, axis: int) -> int:
        start, stop = self._ranges[axis]
        return -(-(stop - start) // self._stride(axis))

    def _last(self, axis: int) -> int:
        """Elements of the last unit."""
        start, stop = self._ranges[axis]
        return stop - start - (self._count(axis) - 1) * self._stride(axis)

    @property
    def shape(self) -> Shape:
        """Units along the axes that are not indexed yet; the last may be partial."""
        return tuple(self._count(axis) for axis in self._free)

    @property
    def element_shape(self) -> Shape:
        """Selected elements along each axis."""
        return tuple(
            (self._count(axis) - 1) * unit + self._last(axis)
            for axis, unit in enumerate(self._units)
            if axis >= self._first or axis in self._free
        )

    @property
    def index_step_elements(self) -> Shape:
        """Elements from one unit to the next along the axes that are not indexed yet."""
        return tuple(self._stride(axis) for axis in self._free)

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
        return any(self._last(axis) != unit for axis, unit in enumerate(self._units))

    @property
    def is_data_representable(self) -> bool:
        """Whether `data` is one view: not if units of several elements are apart."""
        return all(self._units[axis] == 1 for axis in self._steps)

    @property
    def data(self) -> NkiTensor:
        """View of the selected elements; at most one axis has a run-time index."""
        if not self.is_data_representable:
            raise ValueError(f"{self!r}: units that are apart are no single view; index them one by one")
        view = self._source
        for axis in reversed(range(len(self._ranges))):  # so that axes that are dropped do not renumber those to come
            before = (slice(None),) * axis
            start, stop = self._ranges[axis]
            tiled, chosen = axis >= self._first, self._chosen.get(axis)
            if chosen is not None:
                view = view[*before, slice(chosen.start, chosen.start + chosen.units * chosen.unit)]
                view = view.reshape_dim(axis, (chosen.units, chosen.unit)).select(axis, chosen.by)
                view = view[*before, slice(start, stop)] if tiled else view.select(axis, 0)
            else:
                view = view[*before, slice(start, stop, self._steps.get(axis)) if tiled or axis in self._free else start]
        return view

    def __getitem__(self, key: object) -> NkiGrid:
        keys = key if isinstance(key, tuple) else (key,)
        if len(keys) > len(self._free):
            raise IndexError(f"{self!r}: {len(keys)} indices for {len(self._free)} axes")
        ranges, free, chosen, steps = list(self._ranges), list(self._free), dict(self._chosen), dict(self._steps)
        for axis, index in zip(self._free, keys, strict=False):
            (start, stop), unit, stride, count = self._ranges[axis], self._units[axis], self._stride(axis), self._count(axis)
            if isinstance(index, VirtualRegister | NkiScalar):
                if (stop - start) % unit or axis in chosen or axis in steps:
                    raise IndexError(
                        f"{self!r}: a run-time index selects among whole units that follow each other, once per axis; "
                        f"{stop - start} elements in units of {unit}, {stride} apart"
                    )
                chosen[axis], ranges[axis] = _Chosen(index, start, count, unit), (0, unit)
                free.remove(axis)
                continue
            if isinstance(index, slice):
                selected = range(count)[index]
                if not selected or selected.step < 1:
                    raise IndexError(f"{self!r}: a slice selects at least one unit, in positive steps; {index} of {count} given")
            elif isinstance(index, int) and -count <= index < count:
                selected = range(count)[index : index + 1 or None]
                free.remove(axis)
            else:
                raise IndexError(f"{self!r}: an index is an int below {count}, a slice, a register or a scalar, not {index!r}")
            ranges[axis] = (start + selected[0] * stride, min(stop, start + selected[-1] * stride + unit))
            steps[axis] = selected.step * stride // unit
            if len(selected) == 1 or steps[axis] == 1:
                del steps[axis]
        return type(self)(self._source, self.tile_shape, self._block, tuple(ranges), tuple(free), chosen, steps)


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


_Geometry = tuple[NkiTensor, Shape, tuple[tuple[int, int], ...], Shape, dict[int, _Chosen]]


def _geometry(source: NkiTensor | NkiGrid, tile_shape: Shape | None) -> _Geometry:
    """Find the tensor, the shape of a tile, what is selected, the axes that are to be indexed, and those that are at run time."""
    if isinstance(source, NkiGrid):
        if tile_shape is not None and tile_shape != source.tile_shape:
            raise ValueError(f"the grid has tiles of {source.tile_shape}, not {tile_shape}; leave tile_shape out")
        if source._steps:
            raise ValueError(f"{source!r}: units that are apart are not grouped anew; index them one by one")
        tiled = range(source._first, len(source._ranges))
        return source._source, source.tile_shape, source._ranges, (*(a for a in source._free if a < source._first), *tiled), source._chosen
    if tile_shape is None:
        raise ValueError("tile_shape is needed for a tensor")
    tile = _positive("tile_shape", tile_shape)
    if not 2 <= len(tile) <= source.ndim:
        raise ValueError(f"tile_shape has 2 to {source.ndim} entries for a tensor of shape {source.shape}, not {tile}")
    return source, tile, tuple((0, n) for n in source.shape), tuple(range(source.ndim)), {}


def tiles(source: NkiTensor | NkiGrid, *, tile_shape: Shape | None = None) -> NkiTileGrid:
    """See a tensor, or what a grid selects of one, as a grid of tiles. See `nki.language.tiles`."""
    tensor, tile, ranges, free, chosen = _geometry(source, tile_shape)
    return NkiTileGrid(tensor, tile, (1,) * len(tile), ranges, free, chosen)


def blocks(source: NkiTensor | NkiGrid, *, tile_shape: Shape | None = None, block_shape: Shape) -> NkiBlockGrid:
    """See a tensor, or what a grid selects of one, as a grid of blocks of tiles. See `nki.language.blocks`."""
    tensor, tile, ranges, free, chosen = _geometry(source, tile_shape)
    block = _positive("block_shape", block_shape)
    if len(block) != len(tile):
        raise ValueError(f"block_shape has an entry for each of tile_shape {tile}, not {block}")
    return NkiBlockGrid(tensor, tile, block, ranges, free, chosen)


def alloc_tiles(
    *,
    tile_shape: Shape,
    element_shape: Shape,
    buffer: MemoryRegion,
    dtype: str,
    address: tuple[int, int] | None = None,
    name: str = "",
) -> NkiTileGrid:
    """Make a tensor that is seen as a grid of tiles; it is not initialised. See `nki.language.alloc_tiles`."""
    extents, tile = _positive("element_shape", element_shape), _positive("tile_shape", tile_shape)
    if not isinstance(buffer, MemoryRegion):
        raise TypeError(f"buffer is a MemoryRegion, not {buffer!r}")
    if is_on_chip(buffer) and (len(tile) != len(extents) or extents[0] > tile[0]):
        raise NotImplementedError(
            f"on chip, tiles of {tile} do not cover the partitions of {extents}; NKI packs them in an order that is not documented: "
            "make one tensor per row of tiles"
        )
    return tiles(ndarray(extents, dtype, buffer, name, address), tile_shape=tile)


def alloc_blocks(
    *,
    tile_shape: Shape,
    block_shape: Shape,
    element_shape: Shape,
    buffer: MemoryRegion,
    dtype: str,
    address: tuple[int, int] | None = None,
    name: str = "",
) -> NkiBlockGrid:
    """
    Make a tensor that is seen as a grid of blocks of tiles; it is not initialised.

    See `nki.language.alloc_blocks`.
    """
    grid = alloc_tiles(tile_shape=tile_shape, element_shape=element_shape, buffer=buffer, dtype=dtype, address=address, name=name)
    return blocks(grid, block_shape=block_shape)


_TRANSPOSES: Final = {2: (1, 0), 3: (2, 1, 0), 4: (3, 1, 2, 0)}


def empty_like(
    x: NkiTensor | NkiGrid,
    dtype: Any = None,
    buffer: MemoryRegion | None = None,
    name: str = "",
    *,
    transpose_axes: Shape | None = None,
    address: tuple[int, int] | None = None,
) -> NkiTensor | NkiGrid:
    """Make a tensor, or a grid, of another's geometry; it is not initialised. See `nki.language.empty_like`."""
    element, region = x.dtype if dtype is None else dtype, x.buffer if buffer is None else buffer
    shape, tile, block = (x.shape, x.shape, x.shape) if isinstance(x, NkiTensor) else (x.element_shape, x.tile_shape, x._block)
    untiled = len(shape) - len(tile)
    if transpose_axes is None:
        axes = tuple(range(len(tile)))
    else:
        axes = transpose_axes
        if axes != _TRANSPOSES.get(len(tile)):
            raise ValueError(f"transpose_axes is {_TRANSPOSES.get(len(tile))} for {len(tile)} axes, not {axes}")
        if region is not MemoryRegion.sbuf or shape[untiled + axes[0]] > 128:
            raise ValueError(
                f"a transposed destination has up to 128 partitions in sbuf, not {shape[untiled + axes[0]]} in {region.value}; "
                "give buffer=nl.sbuf, and select less"
            )
    shape = (*shape[:untiled], *(shape[untiled + axis] for axis in axes))
    if isinstance(x, NkiTensor):
        return ndarray(shape, element, region, name, address)
    tile, block = (tuple(extents[axis] for axis in axes) for extents in (tile, block))
    made = alloc_tiles(tile_shape=tile, element_shape=shape, buffer=region, dtype=element, address=address, name=name)
    grid = blocks(made, block_shape=block) if isinstance(x, NkiBlockGrid) else made
    indexed = [x._first + axis not in x._free for axis in axes]
    return grid[(*(slice(None),) * untiled, *(0 if gone else slice(None) for gone in indexed))]
