"""Products of blocks of signals with the matrix of a filter with feedback, in which what is not finite spoils what comes after it."""

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
from ..move.tile_transpose import TileTransposer
from ..sbuf import PARTITIONS, scratch
from ..tile_ring import Ring, psum_ring

__all__: list[str] = []

_BLOCK: Final = 128  # samples
_TOGETHER: Final = 8  # blocks of a partition, which one DMA moves
_TILES: Final = 16  # in a turn of a loop
_BANK: Final = 512  # numbers of a PSUM bank
_MOST: Final = 128  # states


class _Blocks:
    """
    Tiles of blocks, several of each partition.

    Parameters
    ----------
    blocks, matrix, samples, forces : tensor
        (blocks, 128), (128, 128 + states), (blocks, 128) and (blocks, states) in HBM.
    """

    def __init__(self, blocks: Any, matrix: Any, samples: Any, forces: Any) -> None:
        self.blocks, self.samples, self.forces = blocks, samples, forces
        self.count, self.states = blocks.shape[0], matrix.shape[1] - _BLOCK
        self.width = _BLOCK + self.states
        size = (PARTITIONS, _TOGETHER, _BLOCK)
        self.raw, self.out = Ring(3, size, nl.float32), Ring(3, size, nl.float32)
        self.turned = Ring(3, (PARTITIONS, _TOGETHER, PARTITIONS), nl.float32)
        self.after = Ring(3, (PARTITIONS, _TOGETHER, self.states), nl.float32)
        self.evacuation, self.banks = Evacuation(), psum_ring(4)
        self.transposer = TileTransposer(4, self.evacuation)
        self.matrix, self.spoilt = scratch((_BLOCK, self.width), nl.float32), scratch((PARTITIONS, 1), nl.float32)
        nisa.dma_copy(self.matrix, matrix)
        nisa.memset(self.spoilt, 0.0)

    def run(self) -> None:
        """Multiply all blocks; where a product is not finite, do so again, and add what spoils it from where it is on."""
        self._all(self._some, _TILES)
        worst = scratch((PARTITIONS, 1), nl.float32)
        nisa.tensor_scalar(worst, self.spoilt, nl.not_equal, 0.0, engine=nisa.engine.vector)
        nl.fori_loop(0, turns(greatest(worst)), lambda _: self._all(self._again, 1))

    def _all(self, some: Any, together: int) -> None:
        """Go over tiles; many are a loop of the device, so many in a turn."""
        tile = PARTITIONS * _TOGETHER
        whole, rest = divmod(self.count, tile)
        looped = whole // together if whole > 2 * together else 0

        def turn(number: Any) -> None:
            for place in range(together):
                some(place * tile, number, together * tile, PARTITIONS, _TOGETHER)

        if looped:
            nl.fori_loop(0, looped, turn)
        for place in range(looped * together, whole):
            some(place * tile, None, 0, PARTITIONS, _TOGETHER)
        for first in range(0, rest, PARTITIONS):
            some(whole * tile + first, None, 0, min(PARTITIONS, rest - first), 1)

    def _load(self, where: tuple[int, Any, int], rows: int, each: int) -> Any:
        raw = self.raw.take()[:rows, :each]
        nisa.dma_copy(raw, _at(self.blocks, *where, rows, each))
        return raw

    def _multiply(self, taken: Any, out: Any, after: Any) -> None:
        """Multiply blocks, some of which share a bank."""
        rows, each, _ = taken.shape
        turned = self.turned.take()[:, :each, :rows]
        self.transposer.planes(turned, taken)
        shared = _BANK // self.width
        for first in range(0, each, shared):
            some = min(shared, each - first)
            bank = self.banks.take()[:rows, : some * self.width].reshape_dim(1, (some, self.width))
            for place in range(some):
                nisa.nc_matmul(bank[:, place], turned[:, first + place], self.matrix, accumulate=False)
            self.evacuation.copy(out[:, first : first + some], bank[:, :, :_BLOCK])
            self.evacuation.copy(after[:, first : first + some], bank[:, :, _BLOCK:])

    def _some(self, first: int, number: Any, step: int, rows: int, each: int) -> None:
        """Multiply a tile, and note infinities and NaN."""
        where = first, number, step
        out, after = self.out.take()[:rows, :each], self.after.take()[:rows, :each]
        self._multiply(self._load(where, rows, each), out, after)
        nothing, sum_of = scratch((rows, each * _BLOCK), nl.bfloat16), scratch((rows, 1), nl.float32)
        flat = out.reshape((rows, each * _BLOCK))
        nisa.activation(
            nothing, nl.copy, flat, scale=0.0, reduce_op=nl.add, reduce_res=sum_of, reduce_cmd=nisa.reduce_cmd.reset_reduce
        )  # fmt: skip
        nisa.tensor_tensor(self.spoilt[:rows], self.spoilt[:rows], sum_of, nl.add, engine=nisa.engine.gpsimd)
        self._store(where, out, after)

    def _again(self, first: int, number: Any, step: int, rows: int, each: int) -> None:
        """Multiply what is finite, and add NaN to the samples from the first one on that is not, and to the forces."""
        where = first, number, step
        raw = self._load(where, rows, each)
        nothing, known, clean = (scratch((rows, each, _BLOCK), nl.float32) for _ in range(3))
        nisa.tensor_scalar(nothing, raw, nl.multiply, 0.0, engine=nisa.engine.vector)
        nisa.tensor_scalar(known, nothing, nl.equal, 0.0, engine=nisa.engine.vector)
        nisa.memset(clean, 0.0)
        nisa.tensor_copy_predicated(clean, raw, known.view(nl.uint32))
        out, after = self.out.take()[:rows, :each], self.after.take()[:rows, :each]
        self._multiply(clean, out, after)
        ones, lasts = scratch((rows, _BLOCK), nl.float32), scratch((rows, _BLOCK), nl.float32)
        nisa.memset(ones, 1.0)
        for place in range(each):
            nisa.tensor_tensor_scan(lasts, ones, nothing[:, place], 0.0, nl.multiply, nl.add)
            nisa.tensor_tensor(out[:, place], out[:, place], lasts, nl.add, engine=nisa.engine.vector)
            nisa.tensor_scalar(after[:, place], after[:, place], nl.add, lasts[:, _BLOCK - 1 : _BLOCK], engine=nisa.engine.vector)
        self._store(where, out, after)

    def _store(self, where: tuple[int, Any, int], out: Any, after: Any) -> None:
        rows, each, _ = out.shape
        nisa.dma_copy(_at(self.samples, *where, rows, each), out)
        nisa.dma_copy(_at(self.forces, *where, rows, each), after)


def _at(tensor: Any, first: int, number: Any, step: int, rows: int, each: int) -> Any:
    """Find so many rows of a tensor for each partition; `number` counts turns of a loop, each `step` rows further."""
    width = tensor.shape[1]
    pattern = [[each * width, rows], [width, each], [1, width]]
    if number is None:
        return tensor.ap(pattern=pattern, offset=first * width)
    return tensor.ap(pattern=pattern, offset=first * width, scalar_offset=number * step)  # in rows


def _emit(emission: Emission, count: int, states: int) -> None:
    """
    Multiply blocks of 128 samples with the matrix of a filter.

    Notes
    -----
    *Layout.* Eight blocks lie one after the other on each partition; each 128 of them, one of each partition, are transposed and multiplied
    with the matrix, (128, 128 + states): columns of outputs, in which a sample has no part in those before it, and of the forces on states.

    *Infinities and NaN.* The matrix has zeros, whose products with them would spoil outputs before them. Where a product is not finite, a
    loop of the device computes all anew: samples that are finite, and a running sum of the others' products with 0.

    *Bound.* DMA, else the Tensor Engine: a transpose and a product of a block for each 128 blocks.

    *Error.* ``(128 + 6) u (|x| |A|)`` in any order of summation.
    """
    samples, forces = emission.result((count, _BLOCK)), emission.result((count, states), 1)
    blocks, matrix = emission.source(0, (count, _BLOCK)), emission.source(1, (_BLOCK, _BLOCK + states))
    _Blocks(blocks, matrix, samples, forces).run()


def _rule(blocks: Signature, matrix: Signature) -> Ruling:
    known = len(blocks.shape) == len(matrix.shape) == 2 and {blocks.dtype, matrix.dtype} == {FLOAT32}
    if not known or blocks.shape[1] != _BLOCK or matrix.shape[0] != _BLOCK or not 1 <= matrix.shape[1] - _BLOCK <= _MOST:
        raise InvalidCallError(f"filter blocks takes blocks of 128 samples and a matrix of 129 to 256 columns, not {blocks} and {matrix}")
    count, states = blocks.shape[0], matrix.shape[1] - _BLOCK
    return (blocks, Signature((count, states), FLOAT32)), (count, states)


def _estimate(costs: Costs, _results: tuple[Signature, ...], count: int, states: int) -> float:
    """Estimate loads and stores, and products."""
    products = sum(costs.instruction("nc_matmul", width, "tensor", "float32") for width in (_BLOCK + states, _BLOCK))
    row = 4 * _BLOCK * _TOGETHER
    moves = costs.moves(PARTITIONS, row, 2 * PARTITIONS * row) / _TOGETHER
    return 5 * costs.transfer_waits + count / PARTITIONS * max(products, moves)


declare(Kernel("filter blocks", _rule, _emit, "products with a filter", "{0} blocks of 128 samples", estimate=_estimate))
