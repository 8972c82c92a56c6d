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
_AHEAD: Final = 3  # loads
_STEPS: Final = 8  # of a turn of a loop
_INSTRUCTIONS: Final = 10  # of a step


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
    are narrow. All four products of planes are added up in PSUM: 4 x 4 x 512 cycles for 512 transforms, which is the bound, or DMA.

    *Engines.* Tensor Engine; Scalar and Vector Engine empty PSUM.
    """

    def __init__(self, sources: list[Any], results: list[Any], matrix: list[Any], budget: int) -> None:
        self.sources, self.results, self.budget = sources, results, budget
        self.outer, self.rows, self.inner = sources[0].shape
        self.length = results[0].shape[1]
        self.matrices = []
        for part in matrix:
            tile = nl.ndarray((self.rows, self.length), nl.float32, buffer=nl.sbuf)
            nisa.dma_copy(tile, part)
            self.matrices.append(tile)
        negated = nl.ndarray((self.rows, self.length), nl.float32, buffer=nl.sbuf)
        nisa.tensor_scalar(negated, self.matrices[1], nl.multiply, -1.0, engine=nisa.engine.vector)
        self.matrices.append(negated)
        self.inputs = [Ring(_AHEAD + 1, (self.rows, _BANK), nl.float32) for _ in sources]
        self.outputs = [Ring(3, (self.length, _BANK), nl.float32) for _ in results]
        self.banks = psum_ring(8)
        scalar = nisa.get_nc_version() >= nisa.nc_version.gen3
        self.engines = (nisa.engine.scalar if scalar else nisa.engine.vector, nisa.engine.vector)

    def run(self) -> None:
        """Transform all columns; many of them in a loop."""
        each = max(1, min(self.outer, _BANK // self.inner))
        whole = self.outer // each
        wide = [(first, min(_BANK, self.inner - first)) for first in range(0, self.inner, _BANK)]
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
                loaded.append([self._loaded(ring, source, parts[number]) for ring, source in zip(self.inputs, self.sources, strict=True)])
            if number >= _AHEAD - 1:
                self._transform(loaded.pop(0), parts[number - _AHEAD + 1])

    @staticmethod
    def _in_hbm(tensor: Any, part: tuple[Any, ...]) -> Any:
        first, count, begin, width = part
        return tensor[nl.ds(first, count)][:, :, begin : begin + width].permute((1, 0, 2))

    def _loaded(self, ring: Ring, source: Any, part: tuple[Any, ...]) -> Any:
        tile = ring.take()[:, : part[1] * part[3]]
        nisa.dma_copy(tile.reshape_dim(1, (part[1], part[3])), self._in_hbm(source, part))
        return tile

    def _transform(self, planes: list[Any], part: tuple[Any, ...]) -> None:
        width = part[1] * part[3]
        terms = (((0, 0), (2, 1)), ((0, 1), (1, 0)))  # matrix and plane
        for ring, result, products, engine in zip(self.outputs, self.results, terms, self.engines, strict=True):
            bank = self.banks.take()[: self.length, :width]
            for number, (matrix, plane) in enumerate(products):
                nisa.nc_matmul(bank, self.matrices[matrix], planes[plane], accumulate=number > 0)
            tile = ring.take()[:, :width]
            nisa.tensor_copy(tile, bank, engine=engine)
            nisa.dma_copy(self._in_hbm(result, part), tile.reshape_dim(1, (part[1], part[3])))


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
