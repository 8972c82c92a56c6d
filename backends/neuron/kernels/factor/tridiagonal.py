"""Symmetric matrices made tridiagonal by Householder reflections over partitions."""

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
from .cholesky import Blocks
from .reflections import Reflections, factors

__all__ = ["MOST_ROWS", "unit_matrix"]

MOST_ROWS: Final = 1024  # of two PSUM banks
_VECTOR: Final = nisa.engine.vector


def unit_matrix() -> Any:
    """Make a unit matrix of as many rows as there are partitions."""
    unit = scratch((PARTITIONS, PARTITIONS), nl.float32)
    nisa.iota(unit, [[1, PARTITIONS]], channel_multiplier=-1)
    nisa.tensor_scalar(unit, unit, nl.equal, 0.0, engine=_VECTOR)
    return unit


class _Tridiagonal:
    """A symmetric matrix, the vectors that reflect it, and what becomes of it; numbers of columns are the same on all partitions."""

    def __init__(self, order: int) -> None:
        self.order, self.work, self.unit = order, Reflections(order, order), unit_matrix()
        self.matrix, self.vectors = Blocks(order, order), Blocks(order, order)
        self.taus, self.diagonal, self.beside = (scratch((PARTITIONS, order), nl.float32) for _ in range(3))
        self.line = scratch((PARTITIONS, self.work.blocks * PARTITIONS), nl.float32)
        for tile in (self.vectors.tile, self.taus, self.beside, self.line):
            nisa.memset(tile, 0.0)

    def _column(self, row: Any, at: int, first: int) -> Any:
        """Put a row, of elements from `at` on, on partitions, in blocks from a first one on; what is before `at` is undefined."""
        count = self.work.blocks - first
        Blocks.idle(self.line[:, at : self.order], row)
        products, column = scratch((PARTITIONS, count, PARTITIONS), nl.float32), scratch((PARTITIONS, count), nl.float32)
        blocks = self.line.reshape((PARTITIONS, self.work.blocks, PARTITIONS))[:, first:]
        nisa.tensor_tensor(products, blocks, self.unit.expand_dim(1).broadcast(1, count), nl.multiply, engine=_VECTOR)
        nisa.tensor_reduce(column, nl.add, products, axis=2)
        return column

    def _across(self, j: int) -> Any:
        """Copy a column, from its diagonal on, to all partitions, as a row: the row of the same number is rounded otherwise."""
        first = j // PARTITIONS * PARTITIONS
        bank, row = self.work.banks.take()[:, : self.order - first], scratch((PARTITIONS, self.order - j), nl.float32)
        for begin in range(first, self.order, PARTITIONS):
            width, column = min(PARTITIONS, self.order - begin), self.matrix.tile[:, begin // PARTITIONS, j : j + 1]
            part = bank[:, begin - first : begin - first + width]
            nisa.nc_matmul(part, column.broadcast(1, PARTITIONS), self.unit[:, :width], is_moving_onezero=True, accumulate=False)
        nisa.tensor_copy(row, bank[:, j - first :], engine=_VECTOR)
        return row

    def reflect(self, j: int) -> None:
        """
        Make all but the two first elements of column j, from its diagonal on, zero: A - v w* - w v*, where w = tau A v + k v.

        Of v = (x - beta e) scale, products with A are those of the column x and the row of e.
        """
        work, a, at = self.work, self.matrix.tile, j + 1
        first, width = at // PARTITIONS, self.order - at
        rest, index = a[:, first:, at:], work.index[:, first:]
        below, x = (scratch(index.shape, nl.float32) for _ in range(2))
        nisa.tensor_scalar(below, index, nl.greater_equal, float(at), engine=_VECTOR)
        nisa.tensor_tensor(x, a[:, first:, j], below, nl.multiply, engine=_VECTOR)
        dots = work.dots(x, a[:, first:, j:])
        across, after = self._across(j), work.row(at, a[:, :, at:])
        found = factors(dots[:, :1], across[:, 1:2])
        nisa.tensor_copy(self.diagonal[:, j:at], across[:, :1], engine=_VECTOR)
        nisa.tensor_scalar(self.beside[:, j:at], found.tau, nl.greater, 0.0, op1=nl.multiply, operand1=found.minus_beta, engine=_VECTOR)
        nisa.tensor_copy(self.taus[:, j:at], found.tau, engine=_VECTOR)
        vector = across[:, 1:]
        nisa.tensor_tensor(vector[:, :1], vector[:, :1], found.minus_beta, nl.add, engine=_VECTOR)
        nisa.tensor_scalar(vector, vector, nl.multiply, found.scale, engine=_VECTOR)
        product, terms = (scratch((PARTITIONS, width), nl.float32) for _ in range(2))
        nisa.scalar_tensor_tensor(product, after, nl.multiply, found.minus_beta, nl.add, dots[:, 1:])
        nisa.tensor_scalar(product, product, nl.multiply, found.scale, op1=nl.multiply, operand1=found.tau, engine=_VECTOR)
        nisa.tensor_tensor(terms, vector, product, nl.multiply, engine=_VECTOR)
        k = scratch((PARTITIONS, 1), nl.float32)
        nisa.tensor_reduce(k, nl.add, terms, axis=1)
        nisa.tensor_scalar(k, k, nl.multiply, found.tau, op1=nl.multiply, operand1=-0.5, engine=_VECTOR)
        nisa.scalar_tensor_tensor(product, vector, nl.multiply, k, nl.add, product)
        columns = []
        for row in (vector, product):
            column = self._column(row, at, first)
            nisa.scalar_tensor_tensor(column, column, nl.multiply, -1.0, nl.multiply, below)
            columns.append(column)
        for place in range(index.shape[1]):
            for row, column in ((vector, columns[1]), (product, columns[0])):
                nisa.scalar_tensor_tensor(rest[:, place], row, nl.multiply, column[:, place : place + 1], nl.add, rest[:, place])
        nisa.tensor_scalar(self.vectors.tile[:, first:, j], columns[0], nl.multiply, -1.0, engine=_VECTOR)

    def run(self) -> None:
        """Reflect column after column; the last three elements are there then."""
        for j in range(self.order - 2):
            self.reflect(j)
        nisa.tensor_scalar(self.beside, self.beside, nl.multiply, -1.0, engine=_VECTOR)
        a, last = self.matrix.tile, self.order - 1
        for j in (last - 1, last):
            row = self.work.row(j, a[:, :, last - 1 :])
            place = j - last + 1
            nisa.tensor_copy(self.diagonal[:, j : j + 1], row[:, place : place + 1], engine=_VECTOR)
            if not place:
                nisa.tensor_copy(self.beside[:, j : j + 1], row[:, 1:], engine=_VECTOR)


def _reduce(emission: Emission, count: int, order: int) -> None:
    """
    Make symmetric matrices A tridiagonal, T = Q* A Q: vectors of the reflections below the diagonal, their factors, and T.

    Notes
    -----
    As LAPACK's sytrd of a lower triangle; both triangles of A, of a largest element of about 1, are given. Results: (n, n) vectors, of
    which column j is from row j + 1 on, and is 1 there; n factors, of which the last two are 0; the diagonal; and the elements beside it,
    after which is a zero.

    *Layout.* Row ``128 r + p`` on partition p. Products of a column, repeated, with all columns give its length and A's product with it
    on all partitions; one-hot columns give rows. Rows become columns by the diagonal of their products with ones.

    *Bound.* The latency of about 30 dependent instructions and a crossing to the Tensor Engine for a column, about 4 us; of many rows the
    Vector Engine, two cycles for an element of the rest.

    *Error.* Backward, and orthogonality of Q: ``n u``.
    """
    matrices, vectors = emission.source(0, (count, order, order)), emission.result((count, order, order))
    lines = [emission.result((count, 1, order), place) for place in (1, 2, 3)]

    def one(part: Any, _count: int) -> None:
        work = _Tridiagonal(order)
        work.matrix.load(part(matrices)[0])
        work.run()
        work.vectors.store(part(vectors)[0])
        for line, tile in zip(lines, (work.taus, work.diagonal, work.beside), strict=True):
            nisa.dma_copy(part(line)[0], tile[:1])

    in_loops(count, 1, 48 * order, one)


def _rule(matrix: Signature) -> Ruling:
    shape = matrix.shape
    if len(shape) != 3 or shape[1] != shape[2] or not 2 < shape[1] <= MOST_ROWS or matrix.dtype != FLOAT32:
        raise InvalidCallError(f"tridiagonal takes float32 matrices of 3 to {MOST_ROWS} rows, not {matrix}")
    return (matrix, *[Signature(shape[:2], FLOAT32)] * 3), shape[:2]


def _estimate(costs: Costs, _results: tuple[Signature, ...], count: int, order: int) -> float:
    """Estimate the steps."""
    step = 30 * costs.instruction("tensor_tensor", 1) + 2 * order / PARTITIONS * costs.instruction("tensor_tensor", order / 3)
    return 2 * costs.transfer_waits + count * order * (step + 2 * costs.waits("tensor"))


declare(Kernel("tridiagonal", _rule, _reduce, "reduction to tridiagonal matrices", "{0} matrices of order {1}", estimate=_estimate))
