"""Matrix products on the Tensor Engine."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from ...isa import nisa, nl
from ...rules import Signature
from ..kernel import InvalidCallError, Kernel, Prologue, Ruling, declare
from ..plan.plan import RowStage
from .emission import Emission, result_dtype
from .evacuation import Evacuation
from .matmul_blocking import Blocking, choose_blocking, even_parts
from .ring import BANK_BYTES, Ring, psum_ring
from .transpose_tile import TileTransposer, itemsize

__all__ = ["MatmulOperand", "matmul", "zero_product"]

_FEW: Final = 2  # functions of an operand that is loaded again and again
_FUSED_ELEMENTS: Final = 1024  # of a partition that fused functions work on, at most
_FUSED_SCRATCH: Final = 24 * 1024

_TILE = 128
_GROUP = 1024  # columns of a result tile: two PSUM banks, and rows of at least 2 KiB to store
_LOAD_BYTES = 1 << 18  # of B with one DMA

Hook = Callable[[Any, Any, Any], Any]
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
        seen as two, and the indices that it has there; it returns a tile of the same shape (the same one, or another) that is multiplied
        instead.
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
        """
        Dtype of a tile after the prologue.

        Returns
        -------
        str
            NKI dtype.
        """
        return self.dtype or str(self.tensor.dtype)

    @property
    def multiplied(self) -> str:
        """
        Dtype that enters the Tensor Engine.

        Returns
        -------
        str
            NKI dtype.
        """
        return "bfloat16" if self.loaded.startswith("float8") else self.loaded

    def tile(self, source: Any, rows: Any, columns: Any, into: Any) -> Any:
        """
        Load a part.

        Parameters
        ----------
        source : tensor
            The tensor with two axes.
        rows, columns : slice
            Where.
        into : tensor
            SBUF tile of that shape, of the tensor's dtype.

        Returns
        -------
        tensor
            What the prologue made of it, in the dtype that is multiplied.
        """
        nisa.dma_copy(into, source[rows, columns])
        tile = into if self.prologue is None else self.prologue(into, rows, columns)
        if self.multiplied == self.loaded:
            return tile
        wide = nl.ndarray(tile.shape, self.multiplied)
        nisa.tensor_copy(wide, tile)
        return wide


def _flat(tensor: Any) -> Any:
    """See the batch as more rows."""
    return tensor if tensor.ndim == 2 else tensor.reshape((tensor.shape[0] * tensor.shape[1], tensor.shape[2]))


def matmul(
    dst: Any,
    a: MatmulOperand,
    b: MatmulOperand,
    *,
    epilogue: Hook | None = None,
    dtype: str | None = None,
    sbuf_bytes: int | None = None,
    budget: int = 100_000,
) -> None:
    """
    Multiply matrices: ``dst = a @ b``.

    Parameters
    ----------
    dst : tensor
        (M, N) or (batch, M, N) in HBM, of float32, bfloat16 or float16.
    a, b : MatmulOperand
        (M, K) and (K, N), or batches of these; float32, bfloat16, float16 or float8 kinds, float32 only with float32.
    epilogue : callable, optional
        ``epilogue(tile, rows, columns)`` gets an SBUF tile of results (up to 128 partitions, columns), rounded to `dtype`, and its indices
        in `dst` seen as (batch x M, N); it returns a tile of the same shape in the dtype of `dst`, which is stored.
    dtype : str, optional
        To which the float32 sums are rounded, once; by default that of `dst`.
    sbuf_bytes : int, optional
        What the kernel may use of a partition; by default almost all.
    budget : int, optional
        Instructions that the program may spend on it; above, the device counts the batches or the groups of row tiles.

    Notes
    -----
    *Layout.* K lies on partitions. Rows of A are transposed on chip into stationary tiles of (K, 128), unless A is stored transposed; B
    moves in tiles of (K, 512), after transposes if it is stored transposed. Panels of B stay in SBUF while A streams past.

    *Bound.* Tensor Engine: max(64, N) cycles for each tile, four times that for float32, and transposes of A (a sixteenth of it for N =
    2048).

    *Error.* With u = 2**-24 for the float32 sums, ``|dst - a @ b| <= (min(K, 128) + ceil(K / 128) + 2) u (|a| @ |b|)`` element by element,
    in any order of summation, plus one rounding to `dtype`; where the engine keeps only 21 bits of products of float32 three u more.

    *Source.* Blocking with the accumulators in registers (here PSUM) and a panel in the nearest memory: Goto and van de Geijn, ACM TOMS 34
    (2008).
    """
    rows, columns = dst.shape[-2:]
    batch = 1 if dst.ndim == 2 else dst.shape[0]
    depth = a.tensor.shape[-2 if a.transposed else -1]
    if batch > 1 and a.tensor.ndim == 3 and not a.transposed and b.tensor.ndim == 2:
        rows, batch = batch * rows, 1
    usable = nl.tile_size.sbuf_fmax_bytes - 12288 if sbuf_bytes is None else sbuf_bytes
    sizes = itemsize(a.multiplied), itemsize(b.multiplied)
    blocking = choose_blocking((rows, depth, columns), sizes, (a.transposed, b.transposed), usable, budget, not _Product.by_tile(a))
    product = _Product(dst, a, b, (rows, depth, columns), blocking, epilogue, dtype)
    if batch * blocking.instructions <= budget or blocking.looped:
        for number in range(batch):
            product.run(number)
    else:
        nl.fori_loop(0, batch, product.run)


class _Product:
    """The products of a batch, one after the other."""

    def __init__(
        self,
        dst: Any,
        a: MatmulOperand,
        b: MatmulOperand,
        extents: tuple[int, int, int],
        blocking: Blocking,
        epilogue: Hook | None,
        dtype: str | None,
    ) -> None:
        self.a, self.b, self.blocking, self.epilogue = a, b, blocking, epilogue
        self.rows, self.depth, self.columns = extents
        self.dst, self.source_a, self.source_b = _flat(dst), _flat(a.tensor), _flat(b.tensor)
        self.evacuation = Evacuation()
        self.transposer = TileTransposer(2, self.evacuation)
        self.banks = psum_ring(4)
        deepest, tallest = blocking.depths[0][1], max(length for _, length in blocking.tiles)
        deep = -(-deepest // _TILE)
        if a.transposed:
            self.raw = Ring(blocking.loads, (_TILE, deep, tallest * blocking.together), a.multiplied)
            self.narrow = Ring(2, (_TILE, tallest * blocking.together), a.tensor.dtype) if self.by_tile(a) else None
        else:
            self.raw = Ring(blocking.loads, (tallest, deepest), a.tensor.dtype)
            self.stationary = Ring(2, (_TILE, deep, tallest), a.multiplied)
        self.packed = None
        if blocking.packed:
            count = len(blocking.tiles) * len(blocking.depths)
            self.packed = nl.ndarray((count, _TILE, deep, tallest), a.multiplied, buffer=nl.private_hbm)
            self.raw = Ring(blocking.loads, (_TILE, deep * _TILE), a.multiplied)  # rows of A at first, then stationary tiles
        self.out = Ring(2, (tallest, min(_GROUP, self.columns)), dtype or dst.dtype)
        self.raw_b = Ring(2, (_TILE, deepest), b.tensor.dtype) if b.transposed else None

    @staticmethod
    def by_tile(operand: MatmulOperand) -> bool:
        """Whether tiles of the operand are not multiplied as they are loaded."""
        return operand.prologue is not None or operand.multiplied != operand.tensor.dtype

    def run(self, number: Any) -> None:
        """Multiply the matrices of one batch; its number may be known at run time only."""
        blocking, tiles = self.blocking, self.blocking.tiles
        if not blocking.looped:
            for first in range(0, len(tiles), blocking.group):
                self._block(number, (0, first), tiles[first : first + blocking.group], blocking.panels, None)
            return
        height = _TILE * blocking.group
        whole = self.rows // height
        group, rest = tiles[: blocking.group], tiles[whole * blocking.group :]
        split = len(blocking.depths) > 1
        for panels in [blocking.panels] if split else [(panel,) for panel in blocking.panels]:
            held = None if split else self._panel(number, panels[0], blocking.depths[0])
            nl.fori_loop(0, whole, partial(self._counted, number, group, panels, held))
            if rest:
                self._block(number, (0, whole * blocking.group), rest, panels, held)

    def _counted(self, number: Any, group: Tiles, panels: Tiles, held: list[Any] | None, i: Any) -> None:
        self._block(number, (i * (_TILE * len(group)), i * len(group)), group, panels, held)

    def _panel(self, number: Any, panel: Part, depth: Part) -> list[Any]:
        """Load a block of B."""
        contents: list[Any] = []
        for load in self._panel_loads(number, panel, depth, contents):
            load()
        return contents

    def _block(self, number: Any, base: tuple[Any, Any], tiles: Tiles, panels: Tiles, held: list[Any] | None) -> None:
        """Multiply row tiles, from a row and a tile on, with panels; each step overlaps with loads and transposes for those after it."""
        keys = [(panel, depth) for panel in panels for depth in self.blocking.depths]
        steps = [(key, tile) for key in range(len(keys)) for tile in range(len(tiles))]
        contents: list[list[Any]] = [[] for _ in keys] if held is None else [held]
        loads = [list(self._panel_loads(number, *key, contents[at])) if held is None else [] for at, key in enumerate(keys)]
        raw: list[Any] = []
        turned: list[Any] = []
        sums: dict[int, Any] = {}

        def fetch(step: int) -> None:
            if step < len(steps):
                key, tile = steps[step]
                panel, depth = keys[key]
                if self.packed is not None and panel[0]:
                    raw.append(self._unpack(base[1] + tile, tiles[tile][1], depth))
                else:
                    raw.append(self._load_rows(number, base[0], tiles, tile, depth, raw))

        def turn(step: int) -> None:
            if step < len(steps):
                key, tile = steps[step]
                panel, depth = keys[key]
                if self.packed is not None and panel[0]:
                    turned.append(raw[step])
                    return
                turned.append(self._turned(raw[step], tiles[tile][1], depth[1]))
                if self.packed is not None:
                    self._pack(base[1] + tile, turned[step], depth)

        fetch(0)
        for load in loads[0]:
            load()
        fetch(1)
        turn(0)
        for step, (key, tile) in enumerate(steps):
            fetch(step + 2)
            if key + 1 < len(keys):
                coming = loads[key + 1]
                share = -(-len(coming) // (len(tiles) - tile))
                for load in coming[:share]:
                    load()
                del coming[:share]
            turn(step + 1)
            first, height = tiles[tile]
            rows = nl.ds(_at(number, self.rows, base[0] + first), height)
            self._multiply(rows, keys[key], turned[step], contents[key], sums, tile)

    def _load_rows(self, number: Any, base: Any, tiles: Tiles, tile: int, depth: Part, raw: list[Any]) -> Any:
        """Load a row tile of A; of stored A^T several at once, of which this is a part."""
        first, height = tiles[tile]
        number = number if self.a.tensor.ndim == 3 else 0
        if not self.a.transposed:
            rows, columns = nl.ds(_at(number, self.rows, base + first), height), slice(depth[0], depth[0] + depth[1])
            return self.a.tile(self.source_a, rows, columns, self.raw.take()[:height, : depth[1]])
        # Loads of nearly equal numbers of tiles: three steps touch no more loads than are held.
        count = -(-len(tiles) // self.blocking.together)
        bounds = [part * len(tiles) // count for part in range(count + 1)]
        if tile not in bounds:
            return raw[-1][0], first - tiles[max(bound for bound in bounds if bound < tile)][0]
        width = sum(length for _, length in tiles[tile : bounds[bounds.index(tile) + 1]])
        into, columns = self.raw.take()[:, :, :width], nl.ds(base + first, width)
        for j, (low, length) in enumerate(_cut(depth[1])):
            rows = nl.ds(_at(number, self.depth, depth[0] + low), length)
            if self.narrow is None:
                nisa.dma_copy(into[:length, j], self.source_a[rows, columns])
            else:
                nisa.tensor_copy(into[:length, j], self.a.tile(self.source_a, rows, columns, self.narrow.take()[:length, :width]))
        return into, 0

    def _turned(self, raw: Any, height: int, depth: int) -> Any:
        """Make a row tile stationary: (128, k tiles, height)."""
        if self.a.transposed:
            return raw[0][:, :, raw[1] : raw[1] + height]
        tile = self.stationary.take()[:, : -(-depth // _TILE), :height]
        self.transposer.blocks(tile, raw)
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
        tile = self.raw.take()[:, : deep * height].reshape_dim(1, (deep, height))
        for part, place in self._packed_parts(height, depth):
            nisa.dma_copy(tile[part], self._kept(index + place)[part])
        return tile

    def _panel_loads(self, number: Any, panel: Part, depth: Part, contents: list[Any]) -> Iterator[Callable[[], None]]:
        """Load a block of B, call by call; each appends tiles (k, columns) to `contents`."""
        number = number if self.b.tensor.ndim == 3 else 0
        if self.b.transposed:
            held: list[Any] = []
            for part in even_parts(panel[1], _TILE):
                yield partial(self._load_transposed, number, panel, depth, part, contents, held)
            return
        each = max(1, _LOAD_BYTES // (_TILE * panel[1] * itemsize(self.b.loaded)))
        if self.by_tile(self.b) or not isinstance(number, int):
            each = 1
        whole, rest = divmod(depth[1], _TILE)
        lengths = [[_TILE] * count for _, count in (even_parts(whole, each) if whole else [])] + ([[rest]] if rest else [])
        first = depth[0]
        for group in lengths:
            yield partial(self._load_panel, number, panel, first, group, contents)
            first += sum(group)

    def _load_panel(self, number: Any, panel: Part, first: int, lengths: list[int], contents: list[Any]) -> None:
        columns, count = slice(panel[0], panel[0] + panel[1]), len(lengths)
        if count == 1:
            rows = nl.ds(_at(number, self.depth, first), lengths[0])
            contents.append(self.b.tile(self.source_b, rows, columns, nl.ndarray((lengths[0], panel[1]), self.b.tensor.dtype)))
            return
        tile, begin = nl.ndarray((_TILE, count, panel[1]), self.b.tensor.dtype), number * self.depth + first
        source = self.source_b[begin : begin + _TILE * count, columns]
        nisa.dma_copy(tile, source.reshape_dim(0, (count, _TILE)).permute((1, 0, 2)))
        contents.extend(tile[:, j] for j in range(count))

    def _load_transposed(self, number: Any, panel: Part, depth: Part, part: Part, contents: list[Any], held: list[Any]) -> None:
        """Load and transpose up to 128 columns of B."""
        assert self.raw_b is not None
        parts = _cut(depth[1])
        if not held:
            held.append(nl.ndarray((_TILE, len(parts), panel[1]), self.b.multiplied))
            contents.extend(held[0][:length, j] for j, (_, length) in enumerate(parts))
        rows = nl.ds(_at(number, self.columns, panel[0] + part[0]), part[1])
        raw = self.b.tile(self.source_b, rows, slice(depth[0], depth[0] + depth[1]), self.raw_b.take()[: part[1], : depth[1]])
        self.transposer.blocks(held[0][:, :, part[0] : part[0] + part[1]], raw)

    def _multiply(self, rows: Any, key: tuple[Part, Part], stationary: Any, contents: list[Any], sums: dict[int, Any], tile: int) -> None:
        """Multiply a row tile with a block of B, and store the results of the last block of the contraction."""
        (first, width), depth = key
        height, depths = stationary.shape[2], self.blocking.depths
        if len(depths) > 1 and depth == depths[0]:
            sums[tile] = nl.ndarray((height, width), nl.float32)
        for begin, length in even_parts(width, _GROUP):
            parts = [(begin + at, count) for at, count in even_parts(length, BANK_BYTES // 4)]
            banks = [self.banks.take()[:height, :count] for _, count in parts]
            for j, moving in enumerate(contents):
                for bank, (at, count) in zip(banks, parts, strict=True):
                    nisa.nc_matmul(bank, stationary[: moving.shape[0], j], moving[:, at : at + count], accumulate=j > 0)
            out = self.out.take()[:height, :length] if depth == depths[-1] else None
            for bank, (at, count) in zip(banks, parts, strict=True):
                into = sums[tile][:, at : at + count] if out is None else out[:, at - begin : at - begin + count]
                if depth == depths[0]:
                    self.evacuation.copy(into, bank)
                else:
                    nisa.tensor_tensor(into, sums[tile][:, at : at + count], bank, nl.add, engine=nisa.engine.vector)
            if out is not None:
                columns = slice(first + begin, first + begin + length)
                result = out if self.epilogue is None else self.epilogue(out, rows, columns)
                nisa.dma_copy(self.dst[rows, columns], result)


def zero_product(dst: Any, *, epilogue: Hook | None = None, dtype: str | None = None) -> None:
    """
    Write the product of matrices whose contraction has no elements: zeros.

    Parameters
    ----------
    dst : tensor
        (M, N) or (batch, M, N) in HBM.
    epilogue : callable, optional
        As of `matmul`.
    dtype : str, optional
        As of `matmul`.
    """
    flat = _flat(dst)
    for first, height in _cut(flat.shape[0]):
        for column, width in even_parts(flat.shape[1], 4 * _GROUP):
            tile, rows, columns = nl.ndarray((height, width), dtype or dst.dtype), nl.ds(first, height), slice(column, column + width)
            nisa.memset(tile, 0.0)
            nisa.dma_copy(flat[rows, columns], tile if epilogue is None else epilogue(tile, rows, columns))


def _cut(extent: int) -> list[Part]:
    """Cut into tiles of 128."""
    return [(first, min(_TILE, extent - first)) for first in range(0, extent, _TILE)]


def _at(number: Any, extent: int, first: Any) -> Any:
    """Find the row of a matrix of a batch."""
    return first if isinstance(number, int) and number == 0 else number * extent + first


def _rule(
    left: Signature, right: Signature, *, left_transposed: bool = False, right_transposed: bool = False
) -> Ruling:
    if len(left.shape) != 3 or len(right.shape) != 3:
        raise InvalidCallError(f"matmul takes stacks of matrices, not {left} and {right}")
    (many, *first), (others, *second) = left.shape, right.shape
    rows, depth = reversed(first) if left_transposed else first
    inner, columns = reversed(second) if right_transposed else second
    batch = max(many, others)
    if depth != inner or not {many, others} <= {1, batch} or not depth:
        raise InvalidCallError(f"matmul of {left} and {right} has no rows and columns of one length")
    parameters = (batch, rows, depth, columns, left_transposed, right_transposed)
    return (Signature((batch, rows, columns), left.dtype),), parameters


def _prologue(
    operand: int, _batch: int, rows: int, depth: int, columns: int, left_transposed: bool, right_transposed: bool
) -> Prologue:
    """Functions of an operand that is loaded again and again are few."""
    if operand == 0:
        return Prologue(rows if left_transposed else depth, _FEW)
    return Prologue(depth if right_transposed else columns, _FEW)


def _epilogue(_batch: int, _rows: int, _depth: int, columns: int, *_transposed: bool) -> int:
    return columns


def _emit(
    emission: Emission, batch: int, rows: int, depth: int, columns: int, left_transposed: bool, right_transposed: bool
) -> None:
    stage = emission.stage
    left = (batch, depth, rows) if left_transposed else (batch, rows, depth)
    right = (batch, columns, depth) if right_transposed else (batch, depth, columns)
    operands = []
    for number, (shape, turned) in enumerate(((left, left_transposed), (right, right_transposed))):
        tensor = _matrices(emission.tensors[stage.sources[number]], shape)
        attached = emission.prologue(number)
        if attached is None:
            operands.append(MatmulOperand(tensor, turned))
        else:
            operands.append(MatmulOperand(tensor, turned, emission.functions(attached).on_tile, result_dtype(attached)))
    after = stage.epilogue
    matmul(
        _matrices(emission.result((batch * rows * columns,)), (batch, rows, columns)),
        *operands,
        epilogue=None if after is None else emission.functions(after).on_tile,
        dtype=None if after is None else after.rows.given[0],
        sbuf_bytes=nl.tile_size.sbuf_fmax_bytes - 12288 - sum(map(_fused_bytes, stage.attached)),
        budget=emission.budget,
    )


def _fused_bytes(rows: RowStage) -> int:
    """Estimate what fused functions take of a partition: tiles that are loaded, twice, and computed, and scratch."""
    common = sum(16 * 1024 for access in rows.loads if access.strides[0] == 0)
    full = sum(8 for access in rows.loads if access.extent == "full") + sum(
        itemsize(compute.dtype) for compute in rows.computes if compute.extent == "full"
    )
    return min(96 * 1024, common + _FUSED_SCRATCH + _FUSED_ELEMENTS * full)


def _matrices(tensor: Any, shape: tuple[int, ...]) -> Any:
    """Shape a flat tensor; it may hold one batch for all."""
    if shape[0] == 1 or math.prod(shape) != tensor.size:
        shape = shape[1:]
    return tensor.reshape(shape)


declare(Kernel("matmul", _rule, _emit, "matmul", "{0} of {1} × {2} by {2} × {3}", prologue=_prologue, epilogue=_epilogue))
