"""Sums of products of a window with a sequence, at each of its places."""

from __future__ import annotations

from typing import Any, Final

from ....dtypes import FLOAT32
from ....isa import nisa, nl
from ....rules import Signature
from ...costs import Costs
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..elementwise.registers import greatest, turns
from ..emission import Emission
from ..evacuation import Evacuation
from ..move.flip import flip_tile
from ..move.tile_transpose import TileTransposer
from ..sbuf import PARTITIONS, scratch
from ..tile_ring import Ring, psum_ring
from .blocking import equal_parts

__all__: list[str] = []

_STEP: Final = 128  # sums of a frame
_LONGEST: Final = 2048
_TOGETHER: Final = 32  # tiles of frames, in a turn of a loop


class _Sliding:
    """
    Frames of a sequence, of which each gives 128 sums.

    Parameters
    ----------
    sequence, window, result : tensor
        Vectors in HBM.
    """

    def __init__(self, sequence: Any, window: Any, result: Any) -> None:
        self.sequence, self.result = sequence, result
        self.length, self.sums = window.shape[0], result.shape[0]
        self.frame = _STEP - 1 + self.length
        self.parts = equal_parts(self.frame, PARTITIONS)
        self.raw, self.out = Ring(6, (PARTITIONS, self.frame), nl.float32), Ring(6, (PARTITIONS, _STEP), nl.float32)
        self.turned = Ring(4, (PARTITIONS, len(self.parts), PARTITIONS), nl.float32)
        self.evacuation, self.banks = Evacuation(), psum_ring(4)
        self.transposer = TileTransposer(4, self.evacuation)
        self.spoilt = scratch((PARTITIONS, 1), nl.float32)
        nisa.memset(self.spoilt, 0.0)
        self.taps = scratch((PARTITIONS, self.length), nl.float32)
        nisa.dma_copy(self.taps, window.ap(pattern=[[0, PARTITIONS], [1, self.length]], offset=0))
        self.matrix = self._toeplitz(window)

    def _toeplitz(self, window: Any) -> list[Any]:
        """Make the matrix of which column i has the window from row i on: its columns backwards are rows of one padded vector in HBM."""
        room = 2 * (_STEP - 1) + self.length
        row, padded = scratch((1, room), nl.float32), nl.ndarray((room,), nl.float32, buffer=nl.private_hbm)
        nisa.memset(row, 0.0)
        nisa.dma_copy(row[:, _STEP - 1 : _STEP - 1 + self.length], window.expand_dim(0))
        nisa.dma_copy(padded.expand_dim(0), row)
        made = []
        for first, count in self.parts:
            backwards, tile = (scratch((count, _STEP, 1), nl.float32) for _ in range(2))
            nisa.dma_copy(backwards[:, :, 0], padded.ap(pattern=[[1, count], [1, _STEP]], offset=first))
            flip_tile(tile, backwards)
            made.append(tile[:, :, 0])
        return made

    def run(self) -> None:
        """Compute all sums; those that a product with zero spoils anew."""
        self._all(self._some, _TOGETHER)
        worst = scratch((PARTITIONS, 1), nl.float32)
        nisa.tensor_scalar(worst, self.spoilt, nl.not_equal, 0.0, engine=nisa.engine.vector)
        nl.fori_loop(0, turns(greatest(worst)), lambda _: self._all(self._again, 1))

    def _all(self, some: Any, together: int) -> None:
        """Go over tiles of 128 frames; many are a loop of the device, so many in a turn."""
        tile = PARTITIONS * _STEP
        whole, rest = divmod(self.sums, tile)
        looped = whole // together if whole > 2 * together else 0

        def turn(number: Any) -> None:
            for place in range(together):
                some(place * tile, number * (together * tile), PARTITIONS, _STEP)

        if looped:
            nl.fori_loop(0, looped, turn)
        for place in range(looped * together, whole):
            some(place * tile, None, PARTITIONS, _STEP)
        frames, last = divmod(rest, _STEP)
        if frames:
            some(whole * tile, None, frames, _STEP)
        if last:
            some(self.sums - last, None, 1, last)

    def _load(self, first: int, more: Any, frames: int, sums: int) -> Any:
        raw, length = self.raw.take()[:frames], self.length - 1 + sums
        if sums < _STEP:
            nisa.memset(raw, 0.0)
        nisa.dma_copy(raw[:, :length], _at(self.sequence, [[_STEP, frames], [1, length]], first, more))
        return raw

    def _store(self, first: int, more: Any, out: Any) -> None:
        frames, sums = out.shape
        nisa.dma_copy(_at(self.result, [[_STEP, frames], [1, sums]], first, more), out)

    def _some(self, first: int, more: Any, frames: int, sums: int) -> None:
        """Multiply frames with the matrix, and note infinities and NaN."""
        turned = self.turned.take()[:, :, :frames]
        self.transposer.blocks(turned, self._load(first, more, frames, sums))
        bank, out = self.banks.take()[:frames, :_STEP], self.out.take()[:frames]
        for place, ((_, count), matrix) in enumerate(zip(self.parts, self.matrix, strict=True)):
            nisa.nc_matmul(bank, turned[:count, place], matrix, accumulate=place > 0)
        self.evacuation.copy(out, bank)
        nothing, sum_of = scratch((frames, sums), nl.bfloat16), scratch((frames, 1), nl.float32)
        nisa.activation(
            nothing, nl.copy, out[:, :sums], scale=0.0, reduce_op=nl.add, reduce_res=sum_of, reduce_cmd=nisa.reduce_cmd.reset_reduce
        )
        nisa.tensor_tensor(self.spoilt[:frames], self.spoilt[:frames], sum_of, nl.add, engine=nisa.engine.gpsimd)
        self._store(first, more, out[:, :sums])

    def _again(self, first: int, more: Any, frames: int, sums: int) -> None:
        """Add products with the taps, one after the other: infinities and NaN then show where they are, and nowhere else."""
        raw, out = self._load(first, more, frames, sums), self.out.take()[:frames, :sums]
        nisa.tensor_scalar(out, raw[:, :sums], nl.multiply, self.taps[:frames, 0:1], engine=nisa.engine.vector)
        for tap in range(1, self.length):
            moved = raw[:, tap : tap + sums]
            nisa.scalar_tensor_tensor(out, moved, nl.multiply, self.taps[:frames, tap : tap + 1], nl.add, out)
        self._store(first, more, out)


def _at(tensor: Any, pattern: list[list[int]], first: int, more: Any) -> Any:
    return tensor.ap(pattern=pattern, offset=first) if more is None else tensor.ap(pattern=pattern, offset=first, scalar_offset=more)


def _emit(emission: Emission, size: int, length: int) -> None:
    """
    Multiply a window with a sequence at each of its places.

    Notes
    -----
    *Layout.* Frames of 127 + length numbers, each 128 after the one before, are transposed and multiplied with the Toeplitz matrix of
    the window, (127 + length, 128). It has zeros: where a sum is infinite or NaN, a loop of the device adds all up anew on the Vector
    Engine, tap by tap.

    *Bound.* DMA, which loads a frame's rows twice for 129 taps, else the Tensor Engine.

    *Error.* ``(128 + ceil(length / 128) + 6) u (|x| * |w|)`` in any order of summation.
    """
    result = emission.result((size - length + 1,))
    _Sliding(emission.source(0, (size,)), emission.source(1, (length,)), result).run()


def _rule(sequence: Signature, window: Signature) -> Ruling:
    if len(sequence.shape) != 1 or len(window.shape) != 1 or {sequence.dtype, window.dtype} != {FLOAT32}:
        raise InvalidCallError(f"sliding product takes vectors of float32, not {sequence} and {window}")
    size, length = sequence.shape[0], window.shape[0]
    if not 1 <= length <= min(_LONGEST, size):
        raise InvalidCallError(f"sliding product takes windows of 1 to {_LONGEST} numbers in a sequence, not of {length} in {size}")
    return (Signature((size - length + 1,), FLOAT32),), (size, length)


def _estimate(costs: Costs, _results: tuple[Signature, ...], size: int, length: int) -> float:
    """Estimate loads of frames, and products."""
    tiles, parts = size / (PARTITIONS * _STEP), -(-(length + _STEP) // PARTITIONS)
    products = parts * costs.instruction("nc_matmul", _STEP, "tensor", "float32")
    row = 4 * (length + _STEP)
    return 5 * costs.transfer_waits + tiles * max(products, costs.moves(PARTITIONS, row, PARTITIONS * row))


declare(Kernel("sliding product", _rule, _emit, "sliding product", "{1} taps over {0} numbers", estimate=_estimate))
