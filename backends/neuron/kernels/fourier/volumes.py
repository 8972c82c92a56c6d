"""Fourier transforms of small volumes along their three axes, each volume in SBUF as a whole."""

from __future__ import annotations

from typing import Any, Final

from ....isa import nisa, nl
from ....rules import Signature
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..emission import Emission
from ..tile_ring import BANK_BYTES, Ring, psum_ring
from .pairs import tile_at

__all__: list[str] = []

_PARTITIONS: Final = 128
_HALF: Final = 64  # partitions from real parts to imaginary ones
_BANK: Final = BANK_BYTES // 4
_TOGETHER: Final = 4  # numbers of 16 bytes: transforms that are written with this distance take no longer
_LOADS: Final = 4  # parts of a load, so that the first step begins with it
_INSTRUCTIONS: Final = 1000  # of a volume, about


class _Volumes:
    """
    Complex transforms along three axes of up to 64 points.

    Parameters
    ----------
    sources, results : list of NkiTensor
        Planes of (volumes, x, y, z).
    constant : NkiTensor
        For each axis the matrix of both planes: (128, 3 · 128).
    budget : int
        Instructions that there may be.

    Notes
    -----
    *Layout.* Real parts are on the upper 64 partitions, imaginary ones on those below. Each step has the data as stationary operand and
    gives both planes at once, on two tiles of the Tensor Engine: x on partitions and all (y, z); z, and all (kx, y); y, and all (kz, kx);
    kx, and all (ky, kz). Products are written into PSUM a few numbers apart, so that stationary operands are neighbours.

    *Engines.* Tensor Engine; Scalar and Vector Engine empty PSUM.

    *Bound.* Tensor Engine: 4 × 64 cycles for 64 transforms of each step.

    *Source.* The row-column method; Van Loan, Computational Frameworks for the Fast Fourier Transform (1992), 3.5.
    """

    def __init__(self, sources: list[Any], results: list[Any], constant: Any, budget: int) -> None:
        self.sources, self.results, self.budget = sources, results, budget
        self.total, *self.lengths = sources[0].shape
        self.matrices = nl.ndarray((_PARTITIONS, constant.shape[1]), nl.float32, buffer=nl.sbuf)
        nisa.dma_copy(self.matrices, constant)
        x, y, z = self.lengths
        self.inputs, self.first, self.second, self.outputs = (
            Ring(count, (_PARTITIONS, width), nl.float32) for count, width in ((2, y * z), (1, x * y), (1, z * x), (2, y * z))
        )
        for ring, count, height in ((self.inputs, 2, x), (self.first, 1, z), (self.second, 1, y)):
            for _ in range(count if height < _HALF else 0):  # products read what lies between the planes
                nisa.memset(ring.take(), 0.0)
        self.banks = psum_ring(8)
        self.engines = [nisa.engine.vector, nisa.engine.scalar if nisa.get_nc_version() >= nisa.nc_version.gen3 else nisa.engine.vector]

    def run(self) -> None:
        """Transform all volumes; many of them in a loop."""
        turns = self.total // 2 if self.total > 2 and self.total * _INSTRUCTIONS > self.budget else 0
        if turns:
            nl.fori_loop(0, turns, lambda turn: self._some([2 * turn, 2 * turn + 1]))
        self._some(list(range(2 * turns, self.total)))

    def _some(self, numbers: list[Any]) -> None:
        """Transform volumes, each with the next one's load before."""
        x, y, z = self.lengths
        loaded = [self._loaded(number) for number in numbers[:1]]
        for place, number in enumerate(numbers):
            loaded += [self._loaded(one) for one in numbers[place + 1 : place + 2]]
            first, second, last = self.first.take(), self.second.take(), self.outputs.take()
            self._step(0, (x, z, y), loaded.pop(0), first)
            self._step(2, (z, y, x), first, second)
            self._step(1, (y, x, z), second, last)
            for plane, result in enumerate(self.results):
                into = result.reshape((self.total * x, y * z))[nl.ds(number * x, x)]
                nisa.dma_copy(into, last[plane * _HALF : plane * _HALF + x])

    def _loaded(self, number: Any) -> Any:
        x, y, z = self.lengths
        tile = self.inputs.take()
        each = -(-y // _LOADS)
        for begin in range(0, y, each):
            columns = slice(begin * z, min(begin + each, y) * z)
            for plane, source in enumerate(self.sources):
                rows = source.reshape((self.total * x, y * z))[nl.ds(number * x, x)]
                nisa.dma_copy(tile[plane * _HALF : plane * _HALF + x, columns], rows[:, columns])
        return tile

    def _step(self, axis: int, lengths: tuple[int, int, int], tile: Any, into: Any) -> None:
        """Contract what is on partitions: (contracted, length of what is on partitions next, others)."""
        length, height, others = lengths
        for begin in range(0, others, _TOGETHER):
            count, bank = min(_TOGETHER, others - begin), self.banks.take()
            for place in range(count):
                at = begin + place
                for plane in range(2):
                    column = (2 * axis + plane) * _HALF
                    nisa.nc_matmul(
                        bank.ap(pattern=[[_BANK, height], [count, length]], offset=plane * _HALF * _BANK + place),
                        tile[: _HALF + length, at * height : (at + 1) * height],
                        self.matrices[: _HALF + length, column : column + length],
                        accumulate=False,
                        **tile_at((0, plane * _HALF), (_PARTITIONS, _HALF)),
                    )
            self.engines.reverse()
            self._emptied(bank, into, (length, others, height), begin, count)

    def _emptied(self, bank: Any, into: Any, lengths: tuple[int, int, int], begin: int, count: int) -> None:
        """Copy sums out of PSUM: of both planes at once where they fill partitions."""
        length, others, height = lengths
        heights = [(0, _PARTITIONS)] if height == _HALF else [(0, height), (_HALF, height)]
        for first, high in heights:
            source = bank[first : first + high, : length * count].reshape_dim(1, (length, count))
            target = into.ap(pattern=[[into.shape[1], high], [others, length], [1, count]], offset=first * into.shape[1] + begin)
            nisa.tensor_copy(target, source, engine=self.engines[0])


def _rule(real: Signature, imaginary: Signature, constant: Signature) -> Ruling:
    """Transform complex volumes along all axes."""
    shape = real.shape if len(real.shape) == 4 else (0, 0, 0, 0)
    if not all(shape) or max(shape[1:]) > _HALF or real != imaginary or constant.shape != (_PARTITIONS, 3 * _PARTITIONS):
        raise InvalidCallError(f"volumes of {real} and {imaginary} are not transformed by {constant}")
    return (real, imaginary), shape


def _emit(emission: Emission, *shape: int) -> None:
    sources = [emission.source(number, shape) for number in range(2)]
    results = [emission.result(shape, number) for number in range(2)]
    _Volumes(sources, results, emission.source(2, (_PARTITIONS, 3 * _PARTITIONS)), emission.budget).run()


declare(Kernel("fourier volumes", _rule, _emit, "Fourier transform, complex volumes", "{0} of {1} × {2} × {3}"))
