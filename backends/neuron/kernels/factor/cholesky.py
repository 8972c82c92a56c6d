"""Cholesky factors, and equations with triangles, of matrices that fit in SBUF."""

from __future__ import annotations

from collections.abc import Iterator
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

__all__ = ["Blocks", "chunks", "least_of", "masks"]

_MOST_ROWS: Final = 1024
_BLOCK: Final = 32  # rows of a diagonal block, in one quadrant of partitions
_BANK: Final = 512
_LARGEST: Final = 2.0**126
"""Of pivots, whose reciprocals are normal numbers."""
_VECTOR: Final = nisa.engine.vector


class Blocks:
    """
    Rows of a matrix, ``128 r + p`` on partition p, in blocks of 32, and what diagonal blocks need.

    Parameters
    ----------
    order, columns : int
        Rows and columns.
    """

    def __init__(self, order: int, columns: int) -> None:
        self.order, self.columns, self.rows = order, columns, -(-order // PARTITIONS)
        self.tile = scratch((PARTITIONS, self.rows, columns), nl.float32)
        if order % PARTITIONS:
            nisa.memset(self.tile[:, self.rows - 1], 0.0)

    def load(self, view: Any) -> None:
        """Bring all rows."""
        for row, some in self._parts():
            nisa.dma_copy(self.tile[: some.stop - some.start, row], view[some])

    def store(self, view: Any) -> None:
        """Store all rows."""
        for row, some in self._parts():
            nisa.dma_copy(view[some], self.tile[: some.stop - some.start, row])

    def _parts(self) -> Iterator[tuple[int, slice]]:
        return (
            (row, slice(row * PARTITIONS, min((row + 1) * PARTITIONS, self.order))) for row in range(self.rows)
        )

    def block(self, first: int, columns: slice) -> Any:
        """See some columns of the 32 rows from a first one on."""
        begin = first % PARTITIONS
        return self.tile[begin : begin + _BLOCK, first // PARTITIONS, columns]

    def at_quadrant(self, first: int, columns: slice) -> Any:
        """Copy them to the first partitions."""
        rows = scratch((_BLOCK, columns.stop - columns.start), nl.float32)
        self.idle(rows, self.block(first, columns))
        return rows

    @staticmethod
    def idle(dst: Any, src: Any) -> None:
        """Copy by the Scalar Engine, which has nothing else to do; it copies bits from NeuronCore-v3 on."""
        exact = nisa.get_nc_version() >= nisa.nc_version.gen3
        nisa.tensor_copy(dst, src, engine=nisa.engine.scalar if exact else _VECTOR)


def chunks(begin: int, end: int) -> Iterator[slice]:
    """Cut columns into those of PSUM banks."""
    return (slice(at, min(at + _BANK, end)) for at in range(begin, end, _BANK))


def masks() -> tuple[Any, Any]:
    """Make a unit matrix of 32 rows, and -1 below its diagonal."""
    unit, below = scratch((_BLOCK, _BLOCK), nl.float32), scratch((_BLOCK, _BLOCK), nl.float32)
    nisa.iota(below, [[1, _BLOCK]], channel_multiplier=-1)
    nisa.tensor_scalar(unit, below, nl.equal, 0.0, engine=_VECTOR)
    nisa.tensor_scalar(below, below, nl.less, 0.0, op1=nl.multiply, operand1=-1.0, engine=_VECTOR)
    return unit, below


class _Cholesky(Blocks):
    """A symmetric matrix, of which the upper triangle becomes the adjoint of the factor."""

    def __init__(self, order: int) -> None:
        super().__init__(order, order)
        self.banks, (self.unit, self.below) = psum_ring(8), masks()
        self.definite, self.mirror = scratch((_BLOCK, 1), nl.float32), scratch((_BLOCK, _BLOCK), nl.uint8)
        nisa.tensor_scalar(self.mirror, self.below, nl.less, 0.0, engine=_VECTOR)
        nisa.memset(self.definite, 1.0)

    def factor(self) -> None:
        """Factor, from the first block on; the rest is updated by products."""
        for first in range(0, self.order, _BLOCK):
            count = min(_BLOCK, self.order - first)
            scaled, inverse = self._diagonal(first, count)
            nisa.tensor_copy(self.block(first, slice(first, first + count)), scaled[:, :count], engine=_VECTOR)
            end = first + count
            if end == self.order:
                return
            right = scratch((_BLOCK, self.order - end), nl.float32)
            rows = self.at_quadrant(first, slice(end, self.order))
            for some in chunks(0, self.order - end):
                bank = self.banks.take()[:_BLOCK, : some.stop - some.start]
                nisa.nc_matmul(bank, inverse, rows[:, some], accumulate=False)
                self.idle(right[:, some], bank)
            self.idle(self.block(first, slice(end, self.order)), right)
            self._update(end, right)

    def _diagonal(self, first: int, count: int) -> tuple[Any, Any]:
        """
        Factor a diagonal block D without roots, beside a unit matrix, and take the roots at the end.

        Gives the adjoint of its factor, and the adjoint of the factor's inverse.
        """
        work = scratch((_BLOCK, 2 * _BLOCK), nl.float32)
        nisa.tensor_copy(work[:, :_BLOCK], self.unit, engine=_VECTOR)
        nisa.tensor_copy(work[:, _BLOCK:], self.unit, engine=_VECTOR)
        given = self.block(first, slice(first, first + count))[:count]
        nisa.tensor_copy(work[:count, :count], given, engine=_VECTOR)
        mirrored = scratch((_BLOCK, _BLOCK), nl.float32)
        nisa.nc_transpose(mirrored, work[:, :_BLOCK], engine=_VECTOR)
        nisa.tensor_copy_predicated(work[:, :_BLOCK], mirrored, self.mirror)
        row, inverse, factor = (scratch((_BLOCK, width), nl.float32) for width in (_BLOCK + 1, 1, 1))
        for i in range(count - 1):
            active = work[:, i : i + _BLOCK + 1]  # what is left, and the columns of the inverse that are not zero
            nisa.nc_stream_shuffle(row, active, [i] * _BLOCK)
            nisa.reciprocal(inverse, row[:, :1])
            # The column is the row's adjoint: its elements below the diagonal are the row's.
            nisa.scalar_tensor_tensor(factor, active[:, :1], nl.multiply, inverse, nl.multiply, self.below[:, i : i + 1])
            nisa.scalar_tensor_tensor(active, row, nl.multiply, factor, nl.add, active)
        pivots, kept, root = (scratch((_BLOCK, width), nl.float32) for width in (1, _BLOCK, 1))
        nisa.tensor_tensor(kept, work[:, :_BLOCK], self.unit, nl.multiply, engine=_VECTOR)
        nisa.tensor_reduce(pivots, nl.add, kept, axis=1)
        positive, power = (scratch((_BLOCK, 1), nl.float32) for _ in range(2))
        for op, bound in ((nl.less_equal, 0.0), (nl.greater_equal, _LARGEST)):  # NaN is neither, and no error of NumPy's
            nisa.tensor_scalar(positive, pivots, op, bound, op1=nl.equal, operand1=0.0, engine=_VECTOR)
            nisa.tensor_tensor(self.definite, self.definite, positive, nl.multiply, engine=_VECTOR)
        # Of a pivot p from 2**2k to 2**(2k + 2), power is 2**(-k - 1/2) or so, and what a root is taken of is from 1 / 2 to 2.
        nisa.tensor_scalar(power.view(nl.uint32), pivots.view(nl.uint32), nl.bitwise_and, 0x7F000000, op1=nl.right_shift, operand1=1)
        nisa.reciprocal(inverse, power)
        nisa.tensor_scalar(power, inverse, nl.multiply, 2.0**-63.5, engine=_VECTOR)
        for _ in range(2):
            nisa.tensor_tensor(pivots, pivots, power, nl.multiply, engine=_VECTOR)
        nisa.activation(root, nl.rsqrt, pivots)
        # A step of Newton's method: r (3 - p r**2) / 2.
        nisa.tensor_tensor(factor, root, root, nl.multiply, engine=_VECTOR)
        nisa.tensor_tensor(factor, factor, pivots, nl.multiply, engine=_VECTOR)
        nisa.tensor_scalar(factor, factor, nl.multiply, -0.5, op1=nl.add, operand1=1.5, engine=_VECTOR)
        nisa.scalar_tensor_tensor(root, root, nl.multiply, factor, nl.multiply, power)
        nisa.tensor_scalar(work, work, nl.multiply, root, engine=_VECTOR)
        adjoint = scratch((_BLOCK, _BLOCK), nl.float32)
        nisa.nc_transpose(adjoint, work[:, _BLOCK:], engine=_VECTOR)
        return work, adjoint

    def _update(self, begin: int, right: Any) -> None:
        """Subtract products of the rows of the factor from the rows below them, right of the diagonal."""
        for row in range(begin // PARTITIONS, self.rows):
            some = slice(max(begin, row * PARTITIONS), min((row + 1) * PARTITIONS, self.order))
            low = some.start % PARTITIONS
            rows = self.tile[:, row]
            turned = scratch((_BLOCK, PARTITIONS), nl.float32)
            if low or some.stop - some.start < PARTITIONS:
                nisa.memset(turned, 0.0)
            columns = right[:, some.start - begin : some.stop - begin]
            self.idle(turned[:, low : low + some.stop - some.start], columns)
            for part in chunks(some.start, self.order):
                bank = self.banks.take()[:, : part.stop - part.start]
                nisa.nc_matmul(bank, turned, right[:, part.start - begin : part.stop - begin], accumulate=False)
                nisa.tensor_tensor(rows[:, part], rows[:, part], bank, nl.subtract, engine=_VECTOR)

    def finish(self, result: Any, definite: Any) -> None:
        """Store the upper triangle, zeros below it, and 1 if all pivots were positive, or NaN."""
        after, zero = scratch((PARTITIONS, self.order), nl.float32), scratch((PARTITIONS, self.order), nl.float32)
        nisa.memset(zero, 0.0)
        for row in range(self.rows):
            mask = scratch((PARTITIONS, self.order), nl.uint8)
            nisa.iota(after, [[1, self.order]], offset=-row * PARTITIONS, channel_multiplier=-1)
            nisa.tensor_scalar(mask, after, nl.less, 0.0, engine=_VECTOR)
            nisa.tensor_copy_predicated(self.tile[:, row], zero, mask)
        self.store(result)
        nisa.dma_copy(definite, least_of(self.definite))


def least_of(flags: Any) -> Any:
    """Find the smallest of numbers of 32 partitions, (1, 1)."""
    spread, turned, least = scratch((_BLOCK, _BLOCK), nl.float32), scratch((_BLOCK, _BLOCK), nl.float32), scratch((1, 1), nl.float32)
    nisa.tensor_copy(spread, flags.broadcast(1, _BLOCK), engine=_VECTOR)
    nisa.nc_transpose(turned, spread, engine=_VECTOR)
    nisa.tensor_reduce(least, nl.minimum, turned[:1], axis=1)
    return least


def _factor(emission: Emission, count: int, order: int) -> None:
    """
    Factor positive-definite matrices A = R* R, of which the upper triangle is read.

    Notes
    -----
    *Layout.* Row ``128 r + p`` on partition p. A block of 32 rows is factored in one quadrant, where a shuffle of the Vector Engine gives a
    row to all partitions, beside a unit matrix that becomes the inverse of its factor. The rows right of it are products with that;
    products of these are subtracted from the rest. Without roots until the block is done.

    *Bound.* The latency of four instructions of the Vector Engine for a row, about 0.5 us.

    *Error.* Backward: ``n u``.
    """
    matrices, result = emission.source(0, (count, order, order)), emission.result((count, order, order))
    definite = emission.result((count, 1, 1), 1)

    def one(part: Any, _count: int) -> None:
        work = _Cholesky(order)
        work.load(part(matrices)[0])
        work.factor()
        work.finish(part(result)[0], part(definite)[0])

    in_loops(count, 1, 6 * order, one)


def _rule(matrix: Signature) -> Ruling:
    shape = matrix.shape
    if len(shape) != 3 or shape[1] != shape[2] or not 1 < shape[1] <= _MOST_ROWS or matrix.dtype != FLOAT32:
        raise InvalidCallError(f"Cholesky takes float32 matrices of 2 to {_MOST_ROWS} rows, not {matrix}")
    return (matrix, Signature((shape[0],), FLOAT32)), shape[:2]


def _estimate(costs: Costs, _results: tuple[Signature, ...], count: int, order: int) -> float:
    """Estimate the steps, and the updates."""
    update = order / PARTITIONS / 2 * costs.instruction("tensor_tensor", order / 2)
    return 2 * costs.transfer_waits + count * order * (4 * costs.instruction("scalar_tensor_tensor", _BLOCK) + update / _BLOCK)


declare(Kernel("Cholesky", _rule, _factor, "Cholesky factorization", "{0} matrices of order {1}", estimate=_estimate))
