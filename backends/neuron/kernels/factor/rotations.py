"""Singular values of matrices of up to 128 columns by Jacobi rotations over partitions."""

from __future__ import annotations

from typing import Any, Final

from ....dtypes import FLOAT32
from ....isa import nisa, nl
from ....rules import Signature
from ...costs import Costs
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..emission import Emission
from ..move.gather import in_loops
from ..sbuf import PARTITIONS, scratch
from ..tile_ring import psum_ring
from .lane_jacobi import cosine_and_tangent, moves, sweeps

__all__: list[str] = []

_VECTOR: Final = nisa.engine.vector
_CONVERGED: Final = 2.0**-14
"""Of products of columns beside a largest element of 1, at most, before the last sweep; each sweep squares it."""
_TINY: Final = 2.0**-100
_NOTHING: Final = 2.0**-120


class _Rotations:
    """
    Rows of a matrix, a row on each partition, of which rotations make the first columns orthogonal, pair by pair of rows (i, i + h).

    Parameters
    ----------
    order : int
        Rows, of which one more is zero if they are odd, and columns that count.
    """

    def __init__(self, order: int) -> None:
        self.order, self.half = order, (order + 1) // 2
        self.rows, self.width = 2 * self.half, 2 * order
        self.banks = psum_ring(2)
        self.tile = scratch((self.rows, self.width), nl.float32)
        apart = scratch((self.rows, self.rows), nl.float32)
        self.moved, self.partner = (scratch((self.rows, self.rows), nl.float32) for _ in range(2))
        nisa.iota(apart, [[1, self.rows]], channel_multiplier=-1)
        for low_side, begin, end, to_low, at in moves(self.half):
            source, target, count = begin + self.half * low_side, at + self.half * to_low, end - begin
            for tile, first in ((self.moved, target), (self.partner, (target + self.half) % self.rows)):
                part = slice(target, target + count)
                nisa.tensor_scalar(
                    tile[:, first : first + count], apart[:, part], nl.equal, float(target - source), engine=_VECTOR
                )  # fmt: skip
        # Above 0 for the second rows, which see a difference of 0 as a negative one.
        self.tie = scratch((self.rows, 1), nl.float32)
        nisa.iota(self.tie, [[0, 1]], channel_multiplier=1)
        nisa.tensor_scalar(self.tie, self.tie, nl.greater_equal, float(self.half), op1=nl.multiply, operand1=2.0**-120, engine=_VECTOR)
        self.worst = scratch((self.rows, 1), nl.float32)

    def turn(self, *, watched: bool) -> None:
        """Move rows to their places in the next round, and rotate pairs of them."""
        own, shape = scratch((self.rows, self.width), nl.float32), (self.rows, 1)
        bank = self.banks.take()[: self.rows, : self.width]
        nisa.nc_matmul(bank, self.moved, self.tile, is_stationary_onezero=True, accumulate=False)
        nisa.tensor_copy(own, bank, engine=_VECTOR)
        other = self.banks.take()[: self.rows, : self.width]
        nisa.nc_matmul(other, self.partner, self.tile, is_stationary_onezero=True, accumulate=False)
        columns = slice(0, self.order)
        products, sums = scratch((self.rows, 3, self.order), nl.float32), scratch((self.rows, 3), nl.float32)
        for place, (a, b) in enumerate(((own, own), (other, other), (own, other))):
            if a is b and a is other:
                copy = scratch((self.rows, self.order), nl.float32)
                nisa.tensor_copy(copy, other[:, columns], engine=_VECTOR)
                nisa.tensor_tensor(products[:, place], copy, copy, nl.multiply, engine=_VECTOR)
            else:
                nisa.tensor_tensor(products[:, place], a[:, columns], b[:, columns], nl.multiply, engine=_VECTOR)
        nisa.tensor_reduce(sums, nl.add, products, axis=2)
        first, second, across = (sums[:, place : place + 1] for place in range(3))
        if watched:
            size = scratch(shape, nl.float32)
            nisa.tensor_scalar(size.view(nl.uint32), across.view(nl.uint32), nl.bitwise_and, 0x7FFFFFFF, engine=_VECTOR)
            nisa.tensor_tensor(self.worst, self.worst, size, nl.maximum, engine=_VECTOR)
        cosine, sine = self._angle(first, second, across)
        scaled = scratch((self.rows, self.width), nl.float32)
        nisa.tensor_scalar(scaled, own, nl.multiply, cosine, engine=_VECTOR)
        nisa.scalar_tensor_tensor(self.tile, other, nl.multiply, sine, nl.add, scaled)

    def _angle(self, first: Any, second: Any, across: Any) -> tuple[Any, Any]:
        """Compute cosines, and sines with their signs changed, of rotations of rows whose squares and products these are."""

        def made() -> Any:
            return scratch((self.rows, 1), nl.float32)

        total, inverse, apart, twice = (made() for _ in range(4))
        nisa.tensor_tensor(total, first, second, nl.add, engine=_VECTOR)
        nisa.tensor_scalar(total, total, nl.add, _NOTHING, engine=_VECTOR)
        nisa.reciprocal(inverse, total)
        nisa.tensor_tensor(apart, second, first, nl.subtract, engine=_VECTOR)
        nisa.tensor_scalar(apart, apart, nl.multiply, inverse, engine=_VECTOR)
        nisa.tensor_scalar(twice, across, nl.multiply, inverse, op1=nl.multiply, operand1=2.0, engine=_VECTOR)
        cosine, tangent = cosine_and_tangent(made, apart, twice, self.tie)
        sine = made()
        nisa.scalar_tensor_tensor(sine, tangent, nl.multiply, -1.0, nl.multiply, cosine)
        return cosine, sine

    def run(self, turns: int, *, watched: bool) -> None:
        """Rotate, round after round, in a loop of the device."""
        nl.fori_loop(0, turns, lambda _: self.turn(watched=watched))


def _svd(emission: Emission, count: int, order: int) -> None:
    """
    Make the columns of matrices A orthogonal by rotations: A V = W (M. R. Hestenes, J. SIAM 6, 1958).

    Notes
    -----
    Operands are transposed, of a largest element of about 1; results are the transposed W, whose rows are as long as the singular values,
    the transposed V, and 1 for matrices whose columns became orthogonal.

    *Layout.* Columns of A and of V beside each other, a column on each partition; those of a pair are h partitions apart. Products with
    permutations bring the partner, and move columns to the places of the next round. *Bound.* The latency of a round, 30 instructions.

    *Error.* Singular values: ``5 n u`` times the largest; orthogonality of V ``5 n u``.
    """
    shape = (count, order, order)
    matrix, converged = emission.source(0, shape), emission.result((count, 1, 1), 2)
    results = [emission.result(shape, place) for place in range(2)]

    def one(part: Any, _count: int) -> None:
        work = _Rotations(order)
        nisa.memset(work.tile, 0.0)
        nisa.dma_copy(work.tile[:order, :order], part(matrix)[0])
        right = work.tile[:, order:]
        nisa.iota(right, [[1, order]], channel_multiplier=-1)
        nisa.tensor_scalar(right, right, nl.equal, 0.0, engine=_VECTOR)
        work.run((sweeps(order) + 1) * (work.rows - 1), watched=False)
        nisa.memset(work.worst, 0.0)
        work.run(work.rows - 1, watched=True)
        for place, result in enumerate(results):
            nisa.dma_copy(part(result)[0], work.tile[:order, place * order : (place + 1) * order])
        ones, spread = scratch((work.rows, work.rows), nl.float32), scratch((work.rows, work.rows), nl.float32)
        nisa.iota(spread, [[1, work.rows]], channel_multiplier=-1)
        nisa.tensor_scalar(spread, spread, nl.equal, 0.0, op1=nl.multiply, operand1=work.worst, engine=_VECTOR)
        nisa.memset(ones, 1.0)
        bank, small = work.banks.take()[: work.rows, : work.rows], scratch((work.rows, 1), nl.float32)
        nisa.nc_matmul(bank, ones, spread, is_stationary_onezero=True, accumulate=False)
        nisa.tensor_reduce(small, nl.maximum, bank, axis=1)
        nisa.tensor_scalar(small, small, nl.less, _CONVERGED, engine=_VECTOR)
        nisa.dma_copy(part(converged)[0], small[:1])

    in_loops(count, 1, 2000, one)


def _rule(matrix: Signature) -> Ruling:
    shape = matrix.shape
    if len(shape) != 3 or shape[1] != shape[2] or not 1 < shape[1] <= PARTITIONS or matrix.dtype != FLOAT32:
        raise InvalidCallError(f"SVD takes float32 matrices of 2 to {PARTITIONS} rows, not {matrix}")
    return (matrix, matrix, Signature((shape[0],), FLOAT32)), (shape[0], shape[1])


def _estimate(costs: Costs, _results: tuple[Signature, ...], count: int, order: int) -> float:
    """Estimate the rounds."""
    wide = 3 * costs.instruction("tensor_tensor", 2 * order) + costs.instruction("tensor_tensor", 6 * order)
    turn = wide + 22 * costs.instruction("tensor_tensor", 1) + 2 * costs.waits("tensor")
    return 2 * costs.transfer_waits + count * (sweeps(order) + 2) * order * turn


declare(Kernel("SVD", _rule, _svd, "singular values by Jacobi rotations", "{0} matrices of order {1}", estimate=_estimate))
