"""Equations with triangular matrices that fit in SBUF."""

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
from .cholesky import Blocks, chunks, least_of, masks

__all__: list[str] = []

_MOST_ROWS: Final = 1024
_BLOCK: Final = 32
_VECTOR: Final = nisa.engine.vector


class _Substitution:
    """
    Solves T x = b, given the transpose of T, whose rows are what the Tensor Engine takes.

    Parameters
    ----------
    order, sides : int
        Of the triangle, and of right-hand sides.
    lower, unit : bool
        Whether T is a lower triangle, and has ones on its diagonal.
    """

    def __init__(self, order: int, sides: int, *, lower: bool, unit: bool) -> None:
        self.order, self.sides, self.lower, self.unit = order, sides, lower, unit
        self.matrix, self.right, self.banks = Blocks(order, order), Blocks(order, sides), psum_ring(8)
        self.identity, self.below = masks()
        self.least = scratch((_BLOCK, 1), nl.float32)
        nisa.memset(self.least, 1.0)

    def solve(self) -> None:
        """Solve, block by block."""
        firsts = range(0, self.order, _BLOCK)
        for first in firsts if self.lower else reversed(firsts):
            count = min(_BLOCK, self.order - first)
            inverse, scale = self._inverse(first, count)
            given = self.right.at_quadrant(first, slice(0, self.sides))
            solution = scratch((_BLOCK, self.sides), nl.float32)
            for some in chunks(0, self.sides):
                nisa.tensor_scalar(given[:, some], given[:, some], nl.multiply, scale, op1=nl.multiply, operand1=0.25, engine=_VECTOR)
                bank = self.banks.take()[:_BLOCK, : some.stop - some.start]
                nisa.nc_matmul(bank, inverse, given[:, some], accumulate=False)
                nisa.tensor_copy(solution[:, some], bank, engine=_VECTOR)
            nisa.tensor_copy(self.right.block(first, slice(0, self.sides)), solution, engine=_VECTOR)
            begin, end = (first + count, self.order) if self.lower else (0, first)
            if begin < end:
                self._eliminate(first, begin, end, solution)

    def _inverse(self, first: int, count: int) -> tuple[Any, Any]:
        """Invert a diagonal block D (I + N): the transpose of the inverse of I + N, and four times the reciprocals of D."""
        block, turned, inverse = (scratch((_BLOCK, _BLOCK), nl.float32) for _ in range(3))
        diagonal, four, row = (scratch((_BLOCK, width), nl.float32) for width in (1, 1, _BLOCK))
        nisa.tensor_copy(turned, self.identity, engine=_VECTOR)
        nisa.tensor_copy(turned[:count, :count], self.matrix.block(first, slice(first, first + count))[:count], engine=_VECTOR)
        nisa.nc_transpose(block, turned, engine=_VECTOR)
        if self.unit:
            nisa.memset(four, 4.0)
        else:
            kept, size = scratch((_BLOCK, _BLOCK), nl.float32), scratch((_BLOCK, 1), nl.float32)
            nisa.memset(kept, 0.0)
            nisa.tensor_copy_predicated(kept, block, self.identity.view(nl.uint32))
            nisa.tensor_reduce(diagonal, nl.add, kept, axis=1)
            nisa.tensor_scalar(size, diagonal, nl.not_equal, 0.0, engine=_VECTOR)
            nisa.tensor_tensor(self.least, self.least, size, nl.multiply, engine=_VECTOR)
            nisa.tensor_scalar(diagonal, diagonal, nl.multiply, 0.25, engine=_VECTOR)
            nisa.reciprocal(four, diagonal)
        # -N, of which the other triangle is not read.
        minus, mask = scratch((_BLOCK, _BLOCK), nl.float32), scratch((_BLOCK, _BLOCK), nl.uint8)
        if self.lower:
            nisa.tensor_scalar(mask, self.below, nl.less, 0.0, engine=_VECTOR)
        else:
            nisa.tensor_tensor(mask, self.below, self.identity, nl.equal, engine=_VECTOR)  # both are 0
        nisa.tensor_scalar(block, block, nl.multiply, four, op1=nl.multiply, operand1=-0.25, engine=_VECTOR)
        nisa.memset(minus, 0.0)
        nisa.tensor_copy_predicated(minus, block, mask)
        nisa.tensor_copy(inverse, self.identity, engine=_VECTOR)
        for i in range(count - 1) if self.lower else range(count - 1, 0, -1):
            nisa.nc_stream_shuffle(row, inverse, [i] * _BLOCK)
            nisa.scalar_tensor_tensor(inverse, row, nl.multiply, minus[:, i : i + 1], nl.add, inverse)
        nisa.nc_transpose(turned, inverse, engine=_VECTOR)
        return turned, four

    def _eliminate(self, first: int, begin: int, end: int, solution: Any) -> None:
        """Subtract products of columns of T and of rows of the solution."""
        rows = self.matrix.at_quadrant(first, slice(begin, end))
        for row in range(begin // PARTITIONS, (end - 1) // PARTITIONS + 1):
            low, high = max(begin, row * PARTITIONS), min((row + 1) * PARTITIONS, end)
            part = rows[:, low - begin : high - begin]
            if high - low < PARTITIONS:
                whole = scratch((_BLOCK, PARTITIONS), nl.float32)
                nisa.memset(whole, 0.0)
                nisa.tensor_copy(whole[:, low % PARTITIONS : low % PARTITIONS + high - low], part, engine=_VECTOR)
                part = whole
            for some in chunks(0, self.sides):
                bank = self.banks.take()[:, : some.stop - some.start]
                nisa.nc_matmul(bank, part, solution[:, some], accumulate=False)
                right = self.right.tile[:, row, some]
                nisa.tensor_tensor(right, right, bank, nl.subtract, engine=_VECTOR)

    def store(self, result: Any, regular: Any) -> None:
        """Store the solution, and 1 unless an element of the diagonal was zero."""
        self.right.store(result)
        nisa.dma_copy(regular, least_of(self.least))


def _solve(emission: Emission, count: int, order: int, sides: int, lower: bool, unit: bool) -> None:
    """
    Solve with triangular matrices, whose transposes are given, by products with inverted diagonal blocks.

    Notes
    -----
    *Layout.* Row ``128 r + p`` on partition p; diagonal blocks of 32 rows, inverted by substitution in a quadrant.

    *Bound.* The latency of two instructions of the Vector Engine for a row; of many right-hand sides the Vector Engine, which subtracts.

    *Error.* Backward: ``n u``.
    """
    matrices, given = emission.source(0, (count, order, order)), emission.source(1, (count, order, sides))
    result, regular = emission.result((count, order, sides)), emission.result((count, 1, 1), 1)

    def one(part: Any, _count: int) -> None:
        work = _Substitution(order, sides, lower=lower, unit=unit)
        work.matrix.load(part(matrices)[0])
        work.right.load(part(given)[0])
        work.solve()
        work.store(part(result)[0], part(regular)[0])

    in_loops(count, 1, 4 * order, one)


def _rule(matrix: Signature, given: Signature, *, lower: bool, unit: bool = False) -> Ruling:
    shape = matrix.shape
    if len(shape) != 3 or shape[1] != shape[2] or not 1 < shape[1] <= _MOST_ROWS or {matrix.dtype, given.dtype} != {FLOAT32}:
        raise InvalidCallError(f"triangular solve takes float32 matrices of 2 to {_MOST_ROWS} rows, not {matrix}")
    if given.shape[:2] != shape[:2] or len(given.shape) != 3 or given.shape[2] > _MOST_ROWS:
        raise InvalidCallError(f"triangular solve of {matrix} takes right-hand sides of up to {_MOST_ROWS} columns, not {given}")
    return (given, Signature((shape[0],), FLOAT32)), (*shape[:2], given.shape[2], lower, unit)


def _estimate(costs: Costs, _results: tuple[Signature, ...], count: int, order: int, sides: int, *_: bool) -> float:
    """Estimate the steps, and what is subtracted."""
    update = order / PARTITIONS / 2 * costs.instruction("tensor_tensor", sides)
    return 2 * costs.transfer_waits + count * order * (2 * costs.instruction("scalar_tensor_tensor", _BLOCK) + update / _BLOCK)


declare(
    Kernel("triangular solve", _rule, _solve, "triangular solve", "{0} systems of {1} equations, {2} right-hand sides", estimate=_estimate)
)
