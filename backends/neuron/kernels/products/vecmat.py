"""Products of vectors and matrices, in which the Vector Engine multiplies what would keep the Tensor Engine longer than HBM."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from ....dtypes import FLOAT32
from ....isa import nisa, nl
from ....rules import Signature
from ...kernel import InvalidCallError, Kernel, Prologue, Ruling, declare
from ..emission import Emission, result_dtype
from ..move.tile_transpose import TileTransposer, itemsize
from ..tile_ring import BANK_BYTES, Ring, psum_ring
from .blocking import equal_parts
from .operands import MatmulOperand, flat
from .stacks import product_extents

__all__ = ["multiply_vectors"]

_TILE: Final = 128
_BANK: Final = BANK_BYTES // 4  # columns whose sums a bank holds
_PANEL: Final = 4 * _BANK
_PIECE: Final = 4096  # bytes of a partition that are loaded at once
_HELD: Final = 12  # loads
_LEAST: Final = 1 << 20  # elements, from which on it is faster than `matmul`
_FOLDED: Final = 192  # K of float32 from which on adding over partitions at the end is little
_MOST: Final = 1 << 15  # instructions of a program, which repeats none
_DTYPES: Final = ("float32", "bfloat16", "float16")

Part = tuple[int, int]
Sums = list[tuple[Any, Any]]


def multiply_vectors(result: Any, x: Any, a: MatmulOperand) -> None:
    """
    Multiply a vector, of (count or 1, k), with each matrix of a stack of (count, k, columns).

    Notes
    -----
    *Layout.* K lies on partitions, in tiles of 128 rows of the matrix. The Vector Engine multiplies tiles of float32 with their elements of
    the vector, which are one on each partition, and adds them up in SBUF; at the end the Tensor Engine adds over partitions. It multiplies
    tiles of two bytes itself. What is stored transposed, DMA turns as it loads whole tiles of two bytes; all else the Tensor Engine turns,
    512 rows at a time, in banks of PSUM, where the Vector Engine multiplies it. NeuronCore-v2 turns on the Vector Engine and multiplies
    on the Tensor Engine then.

    *Bound.* HBM; DMA, at 90 % of its rate, where it turns; the Vector Engine, at half of it, for two bytes that DMA does not turn.

    *Error.* With u = 2**-24, ``(min(k, 128) + ceil(k / 128) + 2) u (|x| @ |a|)`` in any order of summation, plus one rounding to the dtype.
    """
    product = _Product(result, x, a)
    for number in range(product.batch):
        product.run(number)


class _Product:
    """The products of a stack, one after the other."""

    def __init__(self, result: Any, x: Any, a: MatmulOperand) -> None:
        self.result, self.x, self.a = result.reshape((1, result.size)), x, a
        self.batch, *stored = a.tensor.shape
        self.depth, self.columns = reversed(stored) if a.transposed else stored
        self.source, self.deep = flat(a.tensor), -(-self.depth // _TILE)
        self.new = nisa.get_nc_version() >= nisa.nc_version.gen3
        self.short = itemsize(a.multiplied) == 2
        self.transposer = TileTransposer()
        piece = _PIECE // itemsize(a.loaded)
        rows = _BANK // 2 if self.short and self.depth >= piece else _BANK  # at most 1 MiB that DMA turns
        self.width = min(self.columns, rows if a.transposed else _PANEL // 2 if a.by_tile else _PANEL)
        self.along = min(piece, self.depth) if a.transposed else self.width
        self.together = 1 if a.by_tile else max(1, piece // self.along)
        self.raw = Ring(_HELD, (_TILE, self.together, self.along), str(a.tensor.dtype))
        self.by_dma = Ring(4, (_TILE, max(1, self.along // _TILE), self.width), a.multiplied)
        self.turned = psum_ring(4) if self.new else Ring(2, (_TILE, _BANK), a.multiplied)
        self.banks = psum_ring(2 if a.transposed else 4)
        self.vectors = 1 if self.depth % _TILE else min(x.shape[0], max(1, _TILE // self.deep))  # that are loaded at once
        self.many = 1 if self.width < self.columns else _PANEL // self.columns  # results that are stored at once
        self.totals, self.out = Ring(3, (_TILE, self.width), nl.float32), Ring(2, (1, self.many * self.width), result.dtype)
        self.ones = nl.ndarray((_TILE, 1), nl.float32)
        nisa.memset(self.ones, 1.0)

    def run(self, number: int) -> None:
        """Multiply with a matrix."""
        if number % self.vectors == 0 and number < self.x.shape[0]:
            self._load_vectors(number)
        for panel in equal_parts(self.columns, self.width):
            self._multiply(number, panel, self._turned(number, panel) if self.a.transposed else self._tiles(number, panel))

    def _load_vectors(self, number: int) -> None:
        """Load vectors, and turn 128 elements at a time: those that meet a tile are a column."""
        row, begin = self.x.reshape((1, self.x.size)), number * self.depth
        whole, rest = divmod(min(self.vectors * self.depth, self.x.size - begin), _TILE)
        self.elements = nl.ndarray((_TILE, whole + (rest > 0)), self.x.dtype)
        self.scalars = nl.ndarray(self.elements.shape, nl.float32) if self.short else self.elements
        for first, count, length in [(at, count, _TILE) for at, count in equal_parts(whole, _TILE)] + [(whole, 1, rest)] * (rest > 0):
            tile, turned = nl.ndarray((count, length), self.x.dtype), self.elements[:length, first : first + count]
            nisa.dma_copy(tile, row[:, nl.ds(begin + first * _TILE, count * length)].reshape_dim(1, (count, length)).select(0, 0))
            self.transposer.tile(turned, tile)
            if self.short:
                nisa.tensor_copy(self.scalars[:length, first : first + count], turned)

    def _load(self, rows: tuple[int, int], columns: Part) -> Iterator[Any]:
        """Load tiles of 128 rows, several at once where they are short, and the last rows."""
        whole = 0 if self.a.by_tile else rows[1] // _TILE
        for first, count in equal_parts(whole, self.together):
            tile = self.raw.take()[:, :count, : columns[1]]
            source = self.source[nl.ds(rows[0] + first * _TILE, count * _TILE), nl.ds(*columns)]
            nisa.dma_copy(tile, source.reshape_dim(0, (count, _TILE)).permute((1, 0, 2)))
            yield from (tile[:, j] for j in range(count))
        for low, height in equal_parts(rows[1], _TILE)[whole:]:
            yield self.a.tile(self.source, (rows[0] + low, height), columns, self.raw.take()[:height, 0, : columns[1]])

    def _tiles(self, number: int, panel: Part) -> Iterator[Any]:
        """Load tiles of 128 rows of K."""
        return self._load((number * self.depth, self.depth), panel)

    def _turned(self, number: int, panel: Part) -> Iterator[Any]:
        """Load tiles of 128 rows of K of a matrix that is stored transposed: by DMA, which turns them, or in PSUM."""
        rows = number * self.columns + panel[0], panel[1]
        by_dma = self.new and self.short and not self.a.by_tile and panel[1] % _TILE == 0
        for low, length in equal_parts(self.depth, self.along):
            whole = length // _TILE if by_dma else 0
            if whole:
                tile = self.by_dma.take()[:, :whole, : panel[1]]
                source = self.source[nl.ds(*rows), nl.ds(low, whole * _TILE)].reshape_dim(1, (whole, _TILE))
                nisa.dma_transpose(tile, source, axes=(2, 1, 0))
                yield from (tile[:, j] for j in range(whole))
            if whole * _TILE < length:
                yield from self._turned_on_chip(rows, (low + whole * _TILE, length - whole * _TILE))

    def _turned_on_chip(self, rows: Part, columns: Part) -> Iterator[Any]:
        turn = partial(nisa.nc_transpose, engine=nisa.engine.tensor) if self.new else self.transposer.tile
        tiles = list(self._load(rows, columns))
        for first, count in equal_parts(columns[1], _TILE):
            bank = self.turned.take().view(self.a.multiplied)[:count, : rows[1]]
            for tile, (at, height) in zip(tiles, equal_parts(rows[1], _TILE), strict=True):
                turn(bank[:, at : at + height], tile[:, first : first + count])
            yield bank

    def _multiply(self, number: int, panel: Part, tiles: Iterator[Any]) -> None:
        """Multiply a vector with columns, whose tiles come in order."""
        width, place = panel[1], number % self.vectors * self.deep
        sums = [(self.banks.take()[:1, :count], nl.ds(at, count)) for at, count in equal_parts(width, _BANK)]
        total, begun = None, False
        for j, tile in enumerate(tiles):
            rows, column = tile.shape[0], nl.ds(place + j, 1)
            if self._on_pe(tile):
                _add(sums, self.elements[:rows, column], tile, begun)
                begun = True
            elif total is None:
                total = self.totals.take()[:rows, :width]
                nisa.tensor_scalar(total, tile, nl.multiply, self.scalars[:rows, column], engine=nisa.engine.vector)
            else:
                nisa.scalar_tensor_tensor(total[:rows], tile, nl.multiply, self.scalars[:rows, column], nl.add, total[:rows])
        if total is not None:
            _add(sums, self.ones[: total.shape[0]], total, begun, ones=True)
        self._finish(number, panel, sums)

    def _on_pe(self, tile: Any) -> bool:
        """Tell whether the Tensor Engine multiplies a tile."""
        return tile.buffer == nl.sbuf and (self.short or (self.a.transposed and not self.new))

    def _finish(self, number: int, panel: Part, sums: Sums) -> None:
        """Store sums, those of narrow matrices for several at once."""
        first, width = panel
        part = number % self.many
        if part == 0:
            self.held = self.out.take()
        out = self.held[:, nl.ds(part * width, width)]
        for bank, columns in sums:
            nisa.tensor_copy(out[:, columns], bank, engine=nisa.engine.scalar if self.new else nisa.engine.vector)
        if part == self.many - 1 or number == self.batch - 1:
            begin, length = (number - part) * self.columns + first, (part + 1) * width
            nisa.dma_copy(self.result[:, nl.ds(begin, length)], self.held[:, :length])


def _add(sums: Sums, stationary: Any, moving: Any, begun: bool, ones: bool = False) -> None:
    for bank, columns in sums:
        nisa.nc_matmul(bank, stationary, moving[:, columns], is_stationary_onezero=ones, accumulate=begun)


def _rule(x: Signature, a: Signature, *, transposed: bool = False) -> Ruling:
    """Take a stack of one or more vectors, as matrices of one row, and as many matrices, each with its own or all with one."""
    if len(x.shape) != 3 or len(a.shape) != 3 or x.dtype != a.dtype or str(x.dtype) not in _DTYPES:
        raise InvalidCallError(f"vecmat takes vectors and a stack of matrices of float32, bfloat16 or float16, not {x} and {a}")
    batch, rows, depth, columns, many, others = product_extents("vecmat", x, a, False, transposed)
    narrow = min(depth, columns) < _TILE or (transposed and x.dtype == FLOAT32 and depth < _FOLDED)
    many_instructions = batch * -(-columns // _BANK) * (5 * -(-depth // _TILE) + 4) > _MOST
    if rows > 1 or others < batch or narrow or batch * depth * columns < _LEAST or many_instructions:
        raise InvalidCallError(f"vecmat takes vectors, and for each a matrix that is neither narrow, small nor huge, not {x} and {a}")
    return (Signature((batch, 1, columns), x.dtype),), (batch, depth, columns, transposed, many)


def _prologue(operand: int, _batch: int, depth: int, columns: int, transposed: bool, _vectors: int) -> Prologue | None:
    return Prologue(depth if transposed else columns) if operand else None


def _emit(emission: Emission, batch: int, depth: int, columns: int, transposed: bool, vectors: int) -> None:
    x, a = (emission.tensors[source] for source in emission.stage.sources)
    matrix, attached = a.reshape((batch, columns, depth) if transposed else (batch, depth, columns)), emission.prologue(1)
    operand = MatmulOperand(matrix, transposed)
    if attached is not None:
        operand = MatmulOperand(matrix, transposed, emission.functions(attached).on_tile, result_dtype(attached))
    multiply_vectors(emission.result((batch, columns)), x.reshape((vectors, depth)), operand)


declare(Kernel("vecmat", _rule, _emit, "vecmat", "{0} of {1} by {1} × {2}", prologue=_prologue))
