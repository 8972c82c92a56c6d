"""Operands of matrix products: row tiles made stationary, and panels of columns that move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from ....isa import nisa, nl
from ..epilogue import Span
from ..move.tile_transpose import TileTransposer, itemsize
from ..tile_ring import Ring
from .blocking import Blocking, equal_parts, even_parts, transposed_loads

__all__ = ["MatmulOperand", "MovingPanels", "StationaryTiles", "flat", "row_of", "together"]

_TILE = 128
_BUSY = 512  # columns of a moving tile
_LOAD_BYTES = 1 << 18  # of B with one DMA
_STEP = 8192  # tiles of a float32 product, times columns, that take as long as the transposes of a row tile by halves
_AHEAD = 3  # small panels of B that are held: more would be loaded at once, and stores wait for loads

Hook = Callable[[Any, Span, Span], Any]
Part = tuple[int, int]
Tiles = tuple[Part, ...]


@dataclass(frozen=True)
class MatmulOperand:
    """
    An operand of a product, as it lies in HBM.

    Parameters
    ----------
    tensor : tensor
        (rows, columns) or (batch, rows, columns), contiguous; two axes serve every batch.
    transposed : bool, optional
        Whether the operand is the transpose of that matrix.
    prologue : callable, optional
        ``prologue(tile, rows, columns)`` gets an SBUF tile of (up to 128 partitions, elements) as it lies in the tensor, whose axes are
        seen as two, and where its rows and columns begin there, and how many they are; it returns a tile of the same shape (the same one,
        or another) that is multiplied instead.
    dtype : str, optional
        Of the tiles that the prologue returns; by default that of the tensor.

    Notes
    -----
    float8 kinds are widened to bfloat16, which holds them exactly.
    """

    tensor: Any
    transposed: bool = False
    prologue: Hook | None = None
    dtype: str | None = None

    @property
    def loaded(self) -> str:
        """Dtype of a tile after the prologue."""
        return self.dtype or str(self.tensor.dtype)

    @property
    def multiplied(self) -> str:
        """Dtype that enters the Tensor Engine."""
        return "bfloat16" if self.loaded.startswith("float8") else self.loaded

    @property
    def by_tile(self) -> bool:
        """Whether tiles are not multiplied as they are loaded."""
        return self.prologue is not None or self.multiplied != self.tensor.dtype

    def tile(self, source: Any, rows: Span, columns: Span, into: Any) -> Any:
        """Load a part."""
        nisa.dma_copy(into, source[nl.ds(*rows), nl.ds(*columns)])
        tile = into if self.prologue is None else self.prologue(into, rows, columns)
        if self.multiplied == self.loaded:
            return tile
        wide = nl.ndarray(tile.shape, self.multiplied)
        nisa.tensor_copy(wide, tile)
        return wide


class StationaryTiles:
    """
    Row tiles of the first operand: loaded, transposed unless they lie so, and kept in HBM for later panels where the blocking says so.

    Tiles are (128 of the contraction, its tiles, rows) in SBUF. While one is multiplied, there are `products` of planes in all.
    """

    def __init__(
        self, operand: MatmulOperand, extents: tuple[int, int, int], blocking: Blocking, transposer: TileTransposer, products: int
    ) -> None:
        self.operand, self.blocking, self.transposer = operand, blocking, transposer
        self.rows, self.depth, _ = extents
        self.source = flat(operand.tensor)
        self.turns = _turns(operand, blocking, self.rows, self.depth)
        deepest, tallest = blocking.depths[0][1], max(length for _, length in blocking.tiles)
        deep, busy = -(-deepest // _TILE), products * blocking.panels[0][1]
        self.halved = busy >= 2 * _BUSY and busy * deep >= _STEP and not blocking.woven and _by_dma(operand, 4)
        self.soon = -(-2 * _STEP // busy) * _TILE  # of the contraction: until DMA has loaded and transposed the rest
        self.rest: list[Callable[[], None]] = []  # loads of it
        if operand.transposed:
            self.raw = Ring(blocking.loads, (_TILE, deep, tallest * blocking.together), operand.multiplied)
            self.narrow = Ring(2, (_TILE, tallest * blocking.together), operand.tensor.dtype) if operand.by_tile else None
        else:
            if not self.turns:
                self.raw = Ring(blocking.loads, (tallest, blocking.together, deepest), operand.tensor.dtype)
            self.stationary = Ring(4 if self.turns else 3, (_TILE, deep, tallest), operand.multiplied)
        self.packed = None
        if blocking.packed:
            count = len(blocking.tiles) * len(blocking.depths)
            self.packed = nl.ndarray((count, _TILE, deep, tallest), operand.multiplied, buffer=nl.private_hbm)
            self.raw = Ring(blocking.loads, (_TILE, 1, deep * _TILE), operand.multiplied)  # rows at first, then stationary tiles

    def fetch(
        self, number: Any, base: tuple[Any, Any], tiles: Tiles, tile: int, key: tuple[Part, Part], raw: list[Any], early: bool
    ) -> None:
        """Load a row tile, a step early or of what is waited for, and append it to `raw`."""
        panel, depth = key
        if self.packed is not None and not _is_first(panel):
            raw.append(self._unpack(base[1] + tile, tiles[tile][1], depth))
        else:
            raw.append(self._load(number, base[0], tiles, tile, depth, raw, early))

    def turn(self, index: Any, height: int, key: tuple[Part, Part], raw: Any, early: bool) -> list[Any]:
        """Make a loaded tile stationary: (up to 128 of the contraction, height) in order."""
        panel, depth = key
        if self.packed is not None and not _is_first(panel):
            tile = raw
        else:
            tile = self._turned(raw, height, depth[1], early)
            if self.packed is not None:
                self._pack(index, tile, depth)
        return [tile[:length, j] for j, (_, length) in enumerate(equal_parts(depth[1], _TILE))]

    def load_rest(self) -> None:
        """Load what is left of tiles that are waited for."""
        for load in self.rest:
            load()
        self.rest.clear()

    def _load(self, number: Any, base: Any, tiles: Tiles, tile: int, depth: Part, raw: list[Any], early: bool) -> Any:
        """Load a row tile; where the operand lies transposed several at once, of which this is a part."""
        first, height = tiles[tile]
        number = number if self.operand.tensor.ndim == 3 else 0
        if self.blocking.woven:
            part = tile % self.blocking.together
            if part:
                return raw[-1][0], part
            into = self.raw.take()[:, :, : depth[1]]
            nisa.dma_copy(into, together(self.source, number, self.rows, base + first, self.blocking.together)[:, :, nl.ds(*depth)])
            return into, 0
        if not self.operand.transposed:
            rows = row_of(number, self.rows, base + first), height
            if self.turns:
                tile = self.stationary.take()[:, : depth[1] // _TILE]
                source = self.source[nl.ds(*rows), nl.ds(*depth)].reshape_dim(1, (depth[1] // _TILE, _TILE))
                nisa.dma_transpose(tile, source, axes=(2, 1, 0))
                return tile
            into, soon = self.raw.take()[:height, 0, : depth[1]], self._on_pe(height, depth[1], early)
            if early or soon == depth[1]:
                return self.operand.tile(self.source, rows, depth, into)
            first, rest = (self.source[nl.ds(*rows), nl.ds(depth[0] + at, count)] for at, count in ((0, soon), (soon, depth[1] - soon)))
            nisa.dma_copy(into[:, :soon], first)
            self.rest.append(partial(nisa.dma_copy, into[:, soon:], rest))
            return into
        # Loads of nearly equal numbers of tiles: three steps touch no more loads than are held.
        count = -(-len(tiles) // self.blocking.together)
        bounds = [part * len(tiles) // count for part in range(count + 1)]
        if tile not in bounds:
            return raw[-1][0], first - tiles[max(bound for bound in bounds if bound < tile)][0]
        width = sum(length for _, length in tiles[tile : bounds[bounds.index(tile) + 1]])
        into, columns = self.raw.take()[:, :, :width], (base + first, width)
        whole = depth[1] // _TILE if self.narrow is None and isinstance(number, int) else 0
        for j, count in even_parts(whole, max(1, _LOAD_BYTES // (_TILE * width * itemsize(self.operand.multiplied)))) if whole else []:
            begin = number * self.depth + depth[0] + _TILE * j
            source = self.source[begin : begin + _TILE * count, nl.ds(*columns)].reshape_dim(0, (count, _TILE))
            nisa.dma_copy(into[:, j : j + count], source.permute((1, 0, 2)))
        for j, (low, length) in list(enumerate(equal_parts(depth[1], _TILE)))[whole:]:
            rows = row_of(number, self.depth, depth[0] + low), length
            if self.narrow is None:
                nisa.dma_copy(into[:length, j], self.source[nl.ds(*rows), nl.ds(*columns)])
            else:
                nisa.tensor_copy(into[:length, j], self.operand.tile(self.source, rows, columns, self.narrow.take()[:length, :width]))
        return into, 0

    def _on_pe(self, height: int, depth: int, early: bool) -> int:
        """Tell how much of the contraction of a tile the Tensor Engine transposes; of the rest DMA does, at no cost but its latency."""
        if not self.halved or height < _TILE or depth % _TILE:
            return depth
        return 0 if early else min(self.soon, depth)

    def _turned(self, raw: Any, height: int, depth: int, early: bool) -> Any:
        """Make a row tile stationary: (128, k tiles, height)."""
        if self.operand.transposed:
            return raw[0][:, :, raw[1] : raw[1] + height]
        if self.turns:
            return raw
        tile = self.stationary.take()[:, : -(-depth // _TILE), :height]
        source, soon = raw[0][:, raw[1]] if self.blocking.woven else raw, self._on_pe(height, depth, early)
        if soon:
            self.transposer.blocks(tile[:, : -(-soon // _TILE)], source[:, :soon])
        if soon < depth:
            _transpose_halves(tile[:, soon // _TILE :], source[:, soon:])
        return tile

    def _packed_parts(self, height: int, depth: Part) -> Iterator[tuple[tuple[slice, ...], int]]:
        """Find the written parts of a stationary tile, and how many tiles of earlier depths come before in HBM."""
        place = self.blocking.depths.index(depth) * len(self.blocking.tiles)
        whole, rest = divmod(depth[1], _TILE)
        if whole:
            yield (slice(None), slice(0, whole), slice(0, height)), place
        if rest:
            yield (slice(0, rest), slice(whole, whole + 1), slice(0, height)), place

    def _kept(self, index: Any) -> Any:
        assert self.packed is not None
        return self.packed.select(0, index)

    def _pack(self, index: Any, tile: Any, depth: Part) -> None:
        """Keep a stationary tile in HBM for the panels to come, which then need no transposes."""
        for part, place in self._packed_parts(tile.shape[2], depth):
            nisa.dma_copy(self._kept(index + place)[part], tile[part])

    def _unpack(self, index: Any, height: int, depth: Part) -> Any:
        """Load a stationary tile that an earlier panel kept."""
        deep = -(-depth[1] // _TILE)
        tile = self.raw.take()[:, 0, : deep * height].reshape_dim(1, (deep, height))
        for part, place in self._packed_parts(height, depth):
            nisa.dma_copy(tile[part], self._kept(index + place)[part])
        return tile


class MovingPanels:
    """Panels of columns of the second operand, loaded in pieces, transposed if they lie so: tiles are (k, columns) in SBUF."""

    def __init__(self, operand: MatmulOperand, extents: tuple[int, int, int], blocking: Blocking, transposer: TileTransposer) -> None:
        self.operand, self.transposer = operand, transposer
        _, self.depth, self.columns = extents
        self.source = flat(operand.tensor)
        self.raw, deepest = None, blocking.depths[0][1]
        self.together = 1 if operand.by_tile or deepest > _TILE else _BUSY // _TILE
        if operand.transposed:
            held = transposed_loads(-(-deepest // _TILE) * _TILE * itemsize(operand.multiplied)) // self.together
            self.raw = Ring(held, (_TILE, self.together, deepest), operand.tensor.dtype)
        self.turned = None
        slow = nisa.get_nc_version() < nisa.nc_version.gen3  # the Vector Engine turns them: of several depths, too, two are there at once
        if operand.transposed and len(blocking.panels) * len(blocking.depths) > 1 and (slow or len(blocking.depths) == 1):
            # One after the other, panels would leave gaps.
            self.turned = Ring(2, (_TILE, -(-deepest // _TILE), blocking.panels[0][1]), operand.multiplied)
        shape = (_TILE, -(-self.depth // _TILE), blocking.panels[0][1])
        self.panels = Ring(_AHEAD, shape, operand.tensor.dtype) if blocking.streamed else None
        deep, rest = divmod(self.depth, _TILE)
        self.whole = None
        if blocking.woven and not (rest or operand.transposed or operand.by_tile):  # as few loads ahead as there are of the other operand
            self.whole = Ring(blocking.loads, (_TILE, deep, self.columns), operand.tensor.dtype)

    def loads(self, number: Any, panel: Part, depth: Part, contents: list[Any]) -> Iterator[Callable[[], None]]:
        """Load a block, call by call; each appends tiles (k, columns) to `contents`."""
        number = number if self.operand.tensor.ndim == 3 else 0
        if self.operand.transposed:
            held: list[Any] = []
            for part in even_parts(panel[1], _TILE if panel[1] % (_TILE * self.together) else _TILE * self.together):
                yield partial(self._load_transposed, number, panel, depth, part, contents, held)
            return
        if self.whole is not None:
            yield partial(self._load_whole, number, contents)
            return
        each = max(1, _LOAD_BYTES // (_TILE * panel[1] * itemsize(self.operand.loaded)))
        if self.operand.by_tile or not isinstance(number, int):
            each = 1
        whole, rest = divmod(depth[1], _TILE)
        lengths = [[_TILE] * count for _, count in (even_parts(whole, each) if whole else [])] + ([[rest]] if rest else [])
        first, done, room = depth[0], 0, None if self.panels is None else self.panels.take()
        for group in lengths:
            into = None if room is None else room[:, done : done + len(group), : panel[1]]
            if done == 0 and len(group) == 1 and _by_dma(self.operand, 4):  # products begin with the first columns
                tile = nl.ndarray((group[0], panel[1]), self.operand.tensor.dtype) if into is None else into[: group[0], 0]
                for part in even_parts(panel[1], _BUSY):
                    yield partial(self._load_columns, (row_of(number, self.depth, first), group[0]), panel[0], part, contents, tile)
            else:
                yield partial(self._load_panel, number, panel, first, group, contents, into)
            first, done = first + sum(group), done + len(group)

    def _load_columns(self, rows: Span, first: Any, part: Part, contents: list[Any], tile: Any) -> None:
        nisa.dma_copy(tile[:, part[0] : sum(part)], self.source[nl.ds(*rows), nl.ds(first + part[0], part[1])])
        if part[0] == 0:
            contents.append(tile)

    def _load_panel(self, number: Any, panel: Part, first: int, lengths: list[int], contents: list[Any], into: Any) -> None:
        count = len(lengths)
        if count == 1:
            rows = row_of(number, self.depth, first), lengths[0]
            tile = nl.ndarray((lengths[0], panel[1]), self.operand.tensor.dtype) if into is None else into[: lengths[0], 0]
            contents.append(self.operand.tile(self.source, rows, panel, tile))
            return
        tile, begin = nl.ndarray((_TILE, count, panel[1]), self.operand.tensor.dtype) if into is None else into, number * self.depth + first
        source = self.source[begin : begin + _TILE * count, nl.ds(*panel)]
        nisa.dma_copy(tile, source.reshape_dim(0, (count, _TILE)).permute((1, 0, 2)))
        contents.extend(tile[:, j] for j in range(count))

    def _load_whole(self, number: Any, contents: list[Any]) -> None:
        """Load a whole matrix."""
        assert self.whole is not None
        tile, deep = self.whole.take(), self.depth // _TILE
        batches = self.source.reshape_dim(0, (self.source.shape[0] // self.depth, deep, _TILE))
        nisa.dma_copy(tile, batches.select(0, number).permute((1, 0, 2)))
        contents.extend(tile[:, j] for j in range(deep))

    def _load_transposed(self, number: Any, panel: Part, depth: Part, part: Part, contents: list[Any], held: list[Any]) -> None:
        """Load and transpose up to 128 columns of B, or several times as many."""
        assert self.raw is not None
        tiles = equal_parts(depth[1], _TILE)
        if not held:
            shape = _TILE, len(tiles), panel[1]
            held.append(nl.ndarray(shape, self.operand.multiplied) if self.turned is None else self.turned.take()[:, :, : panel[1]])
            contents.extend(held[0][:length, j] for j, (_, length) in enumerate(tiles))
        rows = row_of(number, self.columns, panel[0] + part[0]), part[1]
        raw, into = self.raw.take()[: min(part[1], _TILE), :, : depth[1]], held[0][:, :, part[0] : part[0] + part[1]]
        if part[1] <= _TILE:
            self.transposer.blocks(into, self.operand.tile(self.source, rows, depth, raw[:, 0]))
            return
        nisa.dma_copy(raw, self.source[nl.ds(*rows), nl.ds(*depth)].reshape_dim(0, (self.together, _TILE)).permute((1, 0, 2)))
        self.transposer.planes(into[: depth[1], 0].reshape_dim(1, (self.together, _TILE)), raw)


def _turns(operand: MatmulOperand, blocking: Blocking, rows: int, depth: int) -> bool:
    """Tell whether DMA transposes row tiles of two bytes as it loads them: whole ones, at up to 90 % of the rate of a copy."""
    return not (rows % _TILE or depth % _TILE or blocking.packed or blocking.woven) and _by_dma(operand, 2)


def _by_dma(operand: MatmulOperand, nbytes: int) -> bool:
    """Tell whether the operand has elements of that size that DMA may transpose as they are loaded: from NeuronCore-v3 on."""
    plain = not (operand.transposed or operand.by_tile)
    return plain and itemsize(operand.multiplied) == nbytes and nisa.get_nc_version() >= nisa.nc_version.gen3


def _transpose_halves(dst: Any, src: Any) -> None:
    """
    Transpose blocks of four bytes by DMA, which is documented for two: ``dst[c, j, p] = src[p, 128 j + c]``.

    The Scalar Engine puts the halves of all elements apart, and together again. Loses what is in `src`.
    """
    deep = dst.shape[1]
    source, target = src.view("uint16"), dst.view("uint16").flatten_dims(1, 2)
    apart = source.reshape_dim(1, (deep * _TILE, 2)).permute((0, 2, 1))
    nisa.tensor_copy(target.reshape_dim(1, (2, deep * _TILE)), apart, engine=nisa.engine.scalar)
    nisa.dma_transpose(source.reshape_dim(1, (2 * deep, _TILE)), target.reshape_dim(1, (2 * deep, _TILE)), axes=(2, 1, 0))
    together = source.reshape_dim(1, (2, deep, _TILE)).permute((0, 2, 3, 1))
    nisa.tensor_copy(target.reshape_dim(1, (deep, _TILE, 2)), together, engine=nisa.engine.scalar)


def _is_first(panel: Span) -> bool:
    """Tell whether no panel came before; those whose place only the device knows have one before them."""
    return isinstance(panel[0], int) and panel[0] == 0


def flat(tensor: Any) -> Any:
    """See the batch as more rows."""
    return tensor if tensor.ndim == 2 else tensor.reshape((tensor.shape[0] * tensor.shape[1], tensor.shape[2]))


def together(matrices: Any, number: Any, extent: int, first: int, tiles: int) -> Any:
    """See tiles of 128 rows of a matrix of a batch, of which each partition has neighbours: (128, tiles, columns)."""
    groups = matrices.reshape_dim(0, (matrices.shape[0] // tiles, tiles))
    return groups[nl.ds(row_of(number, extent // tiles, first // tiles), _TILE)]


def row_of(number: Any, extent: int, first: Any) -> Any:
    """Find the row of a matrix of a batch."""
    return first if isinstance(number, int) and number == 0 else number * extent + first
