"""Fourier transforms along an axis that others follow in memory: the matrix is the stationary operand, and the data move as they lie."""

from __future__ import annotations

from typing import Any, Final

from ....isa import nisa, nl
from ....rules import Signature
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..emission import Emission
from ..tile_ring import BANK_BYTES, Ring, psum_ring

__all__: list[str] = []

_PARTITIONS: Final = 128
_BANK: Final = BANK_BYTES // 4
_WIDTH: Final = 2 * _BANK  # of what is loaded
_AHEAD: Final = 3  # loads
_STEPS: Final = 8  # of a turn of a loop
_INSTRUCTIONS: Final = 16  # of a step


class _Columns:
    """
    Complex transforms of columns.

    Parameters
    ----------
    sources, results : list of NkiTensor
        Planes of (outer, rows, inner), and of (outer, n, inner).
    matrix : list of NkiTensor
        Its real and its imaginary parts: (rows, n).
    budget : int
        Instructions that there may be.

    Notes
    -----
    *Layout.* Numbers of a transform lie on partitions, up to 512 transforms beside each other, of several outer matrices where inner ones
    are narrow. Up to 64 numbers have their imaginary parts below the real ones, and one product gives both planes; of more, four products
    are added up in PSUM.

    *Engines.* Tensor Engine; Scalar and Vector Engine empty PSUM.

    *Bound.* Tensor Engine: 4 × 512 cycles of a product of 512 transforms, or DMA.
    """

    def __init__(self, sources: list[Any], results: list[Any], matrix: list[Any], budget: int) -> None:
        self.sources, self.results, self.budget = sources, results, budget
        self.outer, self.rows, self.inner = sources[0].shape
        self.length = results[0].shape[1]
        tall = max(self.rows, self.length)
        self.below = 0 if tall > _PARTITIONS // 2 else 32 if tall <= 32 else 64  # partitions from a real part to the imaginary one
        make = self._stacked if self.below else self._apart
        self.matrices = make(matrix)
        count, height, made = (1, self.below + self.rows, self.below + self.length) if self.below else (2, self.rows, self.length)
        self.inputs = [Ring(_AHEAD + 1, (height, _WIDTH), nl.float32) for _ in range(count)]
        if self.rows < self.below:  # products read what lies between the planes
            for _ in range(_AHEAD + 1):
                nisa.memset(self.inputs[0].take(), 0.0)
        self.outputs = [Ring(3, (made, _WIDTH), nl.float32) for _ in range(count)]
        self.banks = psum_ring(8)
        scalar = nisa.get_nc_version() >= nisa.nc_version.gen3
        self.engines = [nisa.engine.vector, nisa.engine.scalar if scalar else nisa.engine.vector]

    def _apart(self, matrix: list[Any]) -> list[Any]:
        """Load cosines, sines, and sines with other signs."""
        tiles = [nl.ndarray((self.rows, self.length), nl.float32, buffer=nl.sbuf) for _ in range(3)]
        for tile, part in zip(tiles, matrix, strict=False):
            nisa.dma_copy(tile, part)
        nisa.tensor_scalar(tiles[2], tiles[1], nl.multiply, -1.0, engine=nisa.engine.vector)
        return tiles

    def _stacked(self, matrix: list[Any]) -> list[Any]:
        """Load the matrix of real parts and imaginary ones below them."""
        tile = nl.ndarray((self.below + self.rows, self.below + self.length), nl.float32, buffer=nl.sbuf)
        nisa.memset(tile, 0.0)
        for row, column, part in ((0, 0, 0), (0, self.below, 1), (self.below, 0, 1), (self.below, self.below, 0)):
            nisa.dma_copy(tile[row : row + self.rows, column : column + self.length], matrix[part])
        sines = tile[self.below :, : self.length]
        nisa.tensor_scalar(sines, sines, nl.multiply, -1.0, engine=nisa.engine.vector)
        return [tile]

    def run(self) -> None:
        """Transform all columns; many of them in a loop."""
        each = max(1, min(self.outer, _WIDTH // self.inner))
        whole = self.outer // each
        wide = [(first, min(_WIDTH, self.inner - first)) for first in range(0, self.inner, _WIDTH)]
        turns = whole // _STEPS if _INSTRUCTIONS * whole * len(wide) > self.budget and whole > _STEPS else 0
        if turns:
            body = [(number * each, each, *columns) for number in range(_STEPS) for columns in wide]
            nl.fori_loop(0, turns, lambda i: self.some([(i * (_STEPS * each) + first, *others) for first, *others in body]))
        done = turns * _STEPS * each
        groups = [(first, min(each, self.outer - first)) for first in range(done, self.outer, each)]
        self.some([(*group, *columns) for group in groups for columns in wide])

    def some(self, parts: list[tuple[Any, ...]]) -> None:
        """Transform columns, with loads ahead."""
        loaded: list[list[Any]] = []
        for number in range(len(parts) + _AHEAD - 1):
            if number < len(parts):
                loaded.append(self._loaded(parts[number]))
            if number >= _AHEAD - 1:
                self._transform(loaded.pop(0), parts[number - _AHEAD + 1])

    @staticmethod
    def _in_hbm(tensor: Any, part: tuple[Any, ...]) -> Any:
        first, count, begin, width = part
        return tensor[nl.ds(first, count)][:, :, begin : begin + width].permute((1, 0, 2))

    def _planes(self, tiles: list[Any], width: int, height: int) -> list[Any]:
        """View both planes of tiles."""
        if not self.below:
            return [tile[:, :width] for tile in tiles]
        return [tiles[0][plane * self.below : plane * self.below + height, :width] for plane in range(2)]

    def _loaded(self, part: tuple[Any, ...]) -> list[Any]:
        width, tiles = part[1] * part[3], [ring.take() for ring in self.inputs]
        for plane, source in zip(self._planes(tiles, width, self.rows), self.sources, strict=True):
            nisa.dma_copy(plane.reshape_dim(1, (part[1], part[3])), self._in_hbm(source, part))
        return [tile[:, :width] for tile in tiles]

    def _transform(self, tiles: list[Any], part: tuple[Any, ...]) -> None:
        width, made = part[1] * part[3], list[Any]()
        for ring, products in zip(self.outputs, _STACKED if self.below else _APART, strict=True):
            tile = ring.take()[:, :width]
            for columns in (slice(first, min(first + _BANK, width)) for first in range(0, width, _BANK)):
                bank = self.banks.take()[: tile.shape[0], : columns.stop - columns.start]
                for number, (matrix, plane) in enumerate(products):
                    nisa.nc_matmul(bank, self.matrices[matrix], tiles[plane][:, columns], accumulate=number > 0)
                self.engines.reverse()
                nisa.tensor_copy(tile[:, columns], bank, engine=self.engines[0])
            made.append(tile)
        for plane, result in zip(self._planes(made, width, self.length), self.results, strict=True):
            nisa.dma_copy(self._in_hbm(result, part), plane.reshape_dim(1, (part[1], part[3])))


_APART: Final = (((0, 0), (2, 1)), ((0, 1), (1, 0)))
_STACKED: Final = (((0, 0),),)
"""Matrices and planes whose products a result is."""


def _rule(real: Signature, imaginary: Signature, *matrix: Signature) -> Ruling:
    """Transform columns."""
    outer, rows, inner = real.shape if len(real.shape) == 3 else (0, 0, 0)
    length = matrix[0].shape[1]
    wanted = [(rows, length)] * 2
    if not outer * rows * inner or max(rows, length) > _PARTITIONS or real != imaginary or [one.shape for one in matrix] != wanted:
        raise InvalidCallError(f"columns of {real} and {imaginary} are not multiplied by {matrix}")
    return (Signature((outer, length, inner), real.dtype),) * 2, (outer, rows, inner, length)


def _emit(emission: Emission, outer: int, rows: int, inner: int, length: int) -> None:
    sources = [emission.source(number, (outer, rows, inner)) for number in range(2)]
    results = [emission.result((outer, length, inner), number) for number in range(2)]
    _Columns(sources, results, [emission.source(number, (rows, length)) for number in (2, 3)], emission.budget).run()


declare(Kernel("fourier columns", _rule, _emit, "Fourier transform, complex columns", "{0} of {3} × {2}"))
