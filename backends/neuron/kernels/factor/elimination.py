"""Gaussian elimination of matrices that fit in SBUF, with partial pivoting: solutions of equations, and triangular factors."""

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

__all__: list[str] = []

_MOST_ROWS: Final = 1024
_TALLEST: Final = 4096  # rows, of as many elements
_PANEL: Final = 32  # columns; rows of a diagonal block are in one quadrant of partitions
_BANK: Final = 512
_VECTOR: Final = nisa.engine.vector


def _chunks(begin: int, end: int) -> Iterator[slice]:
    return (slice(at, min(at + _BANK, end)) for at in range(begin, end, _BANK))


class _Elimination:
    """
    A matrix and what stands beside it, (P, R, columns): row ``128 r + p`` is on partition p. Rows never move.

    Parameters
    ----------
    order : int
        Columns that are eliminated.
    sides : int
        Columns beside them.
    height : int, optional
        Rows, if there are more than these.
    """

    def __init__(self, order: int, sides: int, height: int | None = None) -> None:
        self.order, self.width, self.height = order, order + sides, height or order
        self.rows = -(-self.height // PARTITIONS)
        blocks = self.rows
        self.banks = psum_ring(8)
        self.a = scratch((PARTITIONS, blocks, self.width), nl.float32)
        self.chosen = scratch((PARTITIONS, blocks, order), nl.float32)  # in column j 1 for the pivot row of step j
        self.factors = scratch((PARTITIONS, blocks, _PANEL), nl.float32)
        self.index, self.alive = scratch((PARTITIONS, blocks), nl.float32), scratch((PARTITIONS, blocks), nl.float32)
        nisa.iota(self.index, [[PARTITIONS, blocks]], channel_multiplier=1)
        # 1 / 4 for rows that have not been pivots.
        nisa.tensor_scalar(self.alive, self.index, nl.less, float(self.height), op1=nl.multiply, operand1=0.25, engine=_VECTOR)
        # Keys: leading bits of magnitudes, then of which row it is, the first one being the largest; 0 for rows that were pivots.
        low = (PARTITIONS * blocks - 1).bit_length()
        self.masks, self.places = (scratch((PARTITIONS, blocks), nl.int32) for _ in range(2))
        nisa.memset(self.masks, 0x7FFFFFFF >> low << low)
        nisa.iota(self.places, [[-PARTITIONS, blocks]], offset=(1 << low) - 1, channel_multiplier=-1)
        self.zero, gone = scratch((PARTITIONS, blocks), nl.int32), scratch((PARTITIONS, blocks), nl.uint8)
        nisa.memset(self.zero, 0)
        nisa.tensor_scalar(gone, self.index, nl.greater_equal, float(self.height), engine=_VECTOR)
        for tile in (self.masks, self.places):
            nisa.tensor_copy_predicated(tile, self.zero, gone)
        self.ones, self.unit, self.upper = (scratch((PARTITIONS, PARTITIONS), nl.float32) for _ in range(3))
        nisa.memset(self.ones, 1.0)
        nisa.iota(self.upper, [[1, PARTITIONS]], channel_multiplier=-1)
        nisa.tensor_scalar(self.unit, self.upper, nl.equal, 0.0, engine=_VECTOR)
        nisa.tensor_scalar(self.upper, self.upper, nl.greater, 0.0, engine=_VECTOR)
        self.least = scratch((PARTITIONS, 1), nl.float32)
        nisa.memset(self.least, 3.0e38)

    def load(self, view: Any, first: int) -> None:
        """Bring a matrix of as many rows to the columns from a first one on."""
        if self.height % PARTITIONS:
            nisa.memset(self.a[:, self.rows - 1, first : first + view.shape[1]], 0.0)
        for row, some in self.blocks():
            nisa.dma_copy(self.a[: some.stop - some.start, row, first : first + view.shape[1]], view[some])

    def blocks(self) -> Iterator[tuple[int, slice]]:
        """Tell of each block of 128 rows its number and its rows."""
        return enumerate(slice(first, min(first + PARTITIONS, self.height)) for first in range(0, self.height, PARTITIONS))

    def panels(self) -> list[tuple[int, int]]:
        """List first columns and ends of panels."""
        return [(first, min(first + _PANEL, self.order)) for first in range(0, self.order, _PANEL)]

    def pick(self, panel: tuple[int, int], columns: slice, tile: Any = None) -> Any:
        """Gather the rows that are pivots of a panel, in their order: products with 0 and 1, which are exact."""
        tile, first, end = self.a if tile is None else tile, *panel
        bank = self.banks.take()[: end - first, : columns.stop - columns.start]
        for row in range(self.rows):
            nisa.nc_matmul(bank, self.chosen[:, row, first:end], tile[:, row, columns], is_stationary_onezero=True, accumulate=row > 0)
        return bank

    def step(self, j: int, first: int, end: int) -> None:
        """Choose the pivot of column j and eliminate the columns of its panel."""
        column, shape, blocks = self.a[:, :, j], (PARTITIONS, self.rows), self.rows
        keys, top, spread, most = scratch(shape, nl.int32), scratch((PARTITIONS, 1), nl.float32), *(
            scratch((PARTITIONS, width), nl.float32) for width in (PARTITIONS, 1)
        )
        nisa.tensor_tensor(keys, column.view(nl.int32), self.masks, nl.bitwise_and, engine=_VECTOR)
        nisa.tensor_tensor(keys, keys, self.places, nl.bitwise_or, engine=_VECTOR)
        nisa.tensor_reduce(top, nl.maximum, keys.view(nl.float32), axis=1)
        nisa.tensor_scalar(spread, self.unit, nl.multiply, top, engine=_VECTOR)
        bank = self.banks.take()[:, :PARTITIONS]
        nisa.nc_matmul(bank, self.ones, spread, is_stationary_onezero=True, accumulate=False)
        nisa.tensor_reduce(most, nl.maximum, bank, axis=1)
        chosen = self.chosen[:, :, j]
        nisa.tensor_scalar(chosen, keys.view(nl.float32), nl.equal, most, engine=_VECTOR)
        row = self.banks.take()[:, : end - j]
        for block in range(blocks):
            hot = chosen[:, block : block + 1].broadcast(1, PARTITIONS)
            nisa.nc_matmul(row, hot, self.a[:, block, j:end], is_stationary_onezero=True, accumulate=block > 0)
        safe, inverse = scratch((PARTITIONS, 1), nl.float32), scratch((PARTITIONS, 1), nl.float32)
        marked = scratch(shape, nl.uint8)
        nisa.tensor_copy(marked, chosen, engine=_VECTOR)
        for tile in (self.masks, self.places, self.alive.view(nl.int32)):
            nisa.tensor_copy_predicated(tile, self.zero, marked)
        nisa.tensor_tensor(self.least, self.least, most, nl.minimum, engine=_VECTOR)
        nisa.tensor_scalar(safe, row[:, :1], nl.multiply, 0.25, engine=_VECTOR)
        nisa.scalar_tensor_tensor(safe, safe, nl.equal, 0.0, nl.add, safe)
        nisa.reciprocal(inverse, safe)
        factor = self.factors[:, :, j - first]
        nisa.scalar_tensor_tensor(factor, column, nl.multiply, inverse, nl.multiply, self.alive)
        nisa.tensor_copy_predicated(column, factor, self.alive.view(nl.uint32))
        if j + 1 < end:
            rest = self.a[:, :, j + 1 : end]
            products = scratch(rest.shape, nl.float32)
            across = row[:, 1:].expand_dim(1).broadcast(1, blocks)
            nisa.tensor_tensor(products, factor.expand_dim(2).broadcast(2, end - j - 1), across, nl.multiply, engine=_VECTOR)
            nisa.tensor_tensor(rest, rest, products, nl.subtract, engine=_VECTOR)

    def factor(self) -> None:
        """Eliminate, panel by panel."""
        for first, end in self.panels():
            if first + _PANEL > end:
                nisa.memset(self.factors, 0.0)
            for j in range(first, end):
                self.step(j, first, end)
            if end < self.width:
                self._update(first, end)

    def _update(self, first: int, end: int) -> None:
        """Eliminate the columns right of a panel; its own pivot rows become rows of U by that."""
        count = end - first
        lower = scratch((_PANEL, _PANEL), nl.float32)
        nisa.memset(lower, 0.0)
        nisa.tensor_scalar(lower[:count, :count], self.pick((first, end), slice(0, count), self.factors), nl.multiply, -1.0, engine=_VECTOR)
        inverse = self._unit_inverse(lower, range(count - 1))
        turned = self._transposed_factors(self.factors, slice(0, count))
        for some in _chunks(end, self.width):
            rows, upper = (scratch((count, some.stop - some.start), nl.float32) for _ in range(2))
            nisa.tensor_copy(rows, self.pick((first, end), some), engine=_VECTOR)
            bank = self.banks.take()[:count, : some.stop - some.start]
            nisa.nc_matmul(bank, inverse[:count, :count], rows, accumulate=False)
            nisa.tensor_copy(upper, bank, engine=_VECTOR)
            self._subtract(turned, upper, some)

    def _transposed_factors(self, tile: Any, columns: slice) -> list[Any]:
        """Transpose some columns of the rows of each block."""
        turned = []
        for row in range(self.rows):
            count = columns.stop - columns.start
            bank = self.banks.take()[:count, :PARTITIONS]
            nisa.nc_matmul(bank, tile[:, row, columns], self.unit, is_moving_onezero=True, accumulate=False)
            turned.append(scratch((count, PARTITIONS), nl.float32))
            nisa.tensor_copy(turned[-1], bank, engine=_VECTOR)
        return turned

    def _subtract(self, turned: list[Any], rows: Any, columns: slice) -> None:
        """Subtract products of factors and rows from all rows."""
        for row, factors in enumerate(turned):
            bank = self.banks.take()[:, : columns.stop - columns.start]
            nisa.nc_matmul(bank, factors, rows, accumulate=False)
            part = self.a[:, row, columns]
            nisa.tensor_tensor(part, part, bank, nl.subtract, engine=_VECTOR)

    def _unit_inverse(self, minus: Any, order: Any) -> Any:
        """Invert I - N, of a triangle N in a quadrant, by substitution, and transpose it: a row is broadcast by a shuffle."""
        inverse, row, turned = (scratch((_PANEL, _PANEL), nl.float32) for _ in range(3))
        nisa.tensor_copy(inverse, self.unit[:_PANEL, :_PANEL], engine=_VECTOR)
        for i in order:
            nisa.nc_stream_shuffle(row, inverse, [i] * _PANEL)
            nisa.scalar_tensor_tensor(inverse, row, nl.multiply, minus[:, i : i + 1], nl.add, inverse)
        nisa.nc_transpose(turned, inverse, engine=_VECTOR)
        return turned

    def substitute(self, result: Any) -> None:
        """Solve with U, from the last panel on, and store the rows of the solution."""
        for first, end in reversed(self.panels()):
            count = end - first
            block, minus, diagonal, inverse = scratch((_PANEL, _PANEL), nl.float32), scratch((_PANEL, _PANEL), nl.float32), *(
                scratch((_PANEL, 1), nl.float32) for _ in range(2)
            )
            nisa.tensor_copy(block, self.unit[:_PANEL, :_PANEL], engine=_VECTOR)
            nisa.tensor_copy(block[:count, :count], self.pick((first, end), slice(first, end)), engine=_VECTOR)
            nisa.tensor_tensor(minus, block, self.unit[:_PANEL, :_PANEL], nl.multiply, engine=_VECTOR)
            nisa.tensor_reduce(diagonal, nl.add, minus, axis=1)
            nisa.tensor_scalar(diagonal, diagonal, nl.multiply, 0.25, engine=_VECTOR)
            nisa.reciprocal(inverse, diagonal)
            nisa.tensor_scalar(inverse, inverse, nl.multiply, 0.25, engine=_VECTOR)
            nisa.scalar_tensor_tensor(minus, block, nl.multiply, inverse, nl.multiply, self.upper[:_PANEL, :_PANEL])
            nisa.tensor_scalar(minus, minus, nl.multiply, -1.0, engine=_VECTOR)
            turned = self._unit_inverse(minus, range(count - 1, 0, -1))
            columns = self._transposed_factors(self.a, slice(first, end)) if first else []
            for some in _chunks(self.order, self.width):
                rows, solution = (scratch((count, some.stop - some.start), nl.float32) for _ in range(2))
                nisa.tensor_scalar(rows, self.pick((first, end), some), nl.multiply, inverse[:count], engine=_VECTOR)
                bank = self.banks.take()[:count, : some.stop - some.start]
                nisa.nc_matmul(bank, turned[:count, :count], rows, accumulate=False)
                nisa.tensor_copy(solution, bank, engine=_VECTOR)
                nisa.dma_copy(result[first:end, some.start - self.order : some.stop - self.order], solution)
                if first:
                    self._subtract(columns, solution, some)

    def store(self, factors: Any, order: Any) -> None:
        """Store the factors, and the numbers of the rows, in the order of the pivots."""
        for panel in self.panels():
            first, end = panel
            for some in _chunks(0, self.order):
                rows = scratch((end - first, some.stop - some.start), nl.float32)
                nisa.tensor_copy(rows, self.pick(panel, some), engine=_VECTOR)
                nisa.dma_copy(factors[first:end, some], rows)
            numbers = scratch((end - first, 1), nl.float32)
            nisa.tensor_copy(numbers, self.pick(panel, slice(0, 1), self.index.expand_dim(2)), engine=_VECTOR)
            nisa.dma_copy(order[first:end], numbers)

    def store_rest(self, rows: Any, alive: Any) -> None:
        """Store all rows where they are, with the factors of those that are no pivots, for which other numbers are not 0."""
        for row, some in self.blocks():
            nisa.dma_copy(rows[some], self.a[: some.stop - some.start, row, : self.order])
            nisa.dma_copy(alive[some], self.alive[: some.stop - some.start, row : row + 1])

    def flag(self, regular: Any) -> None:
        """Store 1, or 0 if a pivot was zero or subnormal."""
        nisa.tensor_scalar(self.least, self.least, nl.greater_equal, 2.0**-126, engine=_VECTOR)
        nisa.dma_copy(regular, self.least[:1])


def _solve(emission: Emission, count: int, order: int, sides: int, inverse: bool) -> None:
    """
    Solve equations, or invert, by Gaussian elimination with partial pivoting and substitution.

    Notes
    -----
    *Layout.* Matrix and right-hand sides beside each other, row ``128 r + p`` on partition p. Pivots are found by a maximum on the Vector
    Engine and one across partitions by a product with ones; of numbers that differ by less than 2**-13 the first one counts as the larger.
    Products with one-hot columns gather pivot rows and broadcast them. Panels are of 32 columns; the rest is eliminated by products.

    *Bound.* The latency of a step: 15 dependent instructions on the Vector Engine and two crossings to the Tensor Engine, about 3 us for
    128 rows and 4 us for 1024.

    *Error.* Backward: ``n u`` times growth.
    """
    matrices = emission.source(0, (count, order, order))
    given = None if inverse else emission.source(1, (count, order, sides))
    result, regular = emission.result((count, order, sides)), emission.result((count, 1, 1), 1)

    def one(part: Any, _count: int) -> None:
        work = _Elimination(order, sides)
        work.load(part(matrices)[0], 0)
        if given is not None:
            work.load(part(given)[0], order)
        else:
            nisa.memset(work.a[:, :, order:], 0.0)
            for row in range(work.rows):
                first = row * PARTITIONS
                width = min(PARTITIONS, order - first)
                nisa.tensor_copy(work.a[:, row, order + first : order + first + width], work.unit[:, :width], engine=_VECTOR)
        work.factor()
        work.substitute(part(result)[0])
        work.flag(part(regular)[0])

    in_loops(count, 1, 32 * order, one)


def _factor(emission: Emission, count: int, height: int, order: int) -> None:
    """
    Factor matrices P A = L U.

    Notes
    -----
    Results: the factors in one, the rows of A in the order of the pivots, as floats, and 1 for matrices without a pivot 0; of what has
    more rows than columns those that are pivots, all rows where they were, and which of these are none. As `_solve`.
    """
    matrices, packed = emission.source(0, (count, height, order)), emission.result((count, order, order))
    places, regular = emission.result((count, order, 1), 1), emission.result((count, 1, 1), 2)
    others = [] if height == order else [emission.result((count, height, order), 3), emission.result((count, height, 1), 4)]

    def one(part: Any, _count: int) -> None:
        work = _Elimination(order, 0, height)
        work.load(part(matrices)[0], 0)
        work.factor()
        work.store(part(packed)[0], part(places)[0])
        work.flag(part(regular)[0])
        if others:
            work.store_rest(*[part(item)[0] for item in others])

    in_loops(count, 1, 32 * order, one)


def _check(name: str, matrix: Signature, *, tall: bool = False) -> tuple[int, int, int]:
    shape = matrix.shape
    height, order = shape[-2:] if len(shape) == 3 else (0, 0)
    fits = 1 < order <= height <= _TALLEST and max(height, _MOST_ROWS) * order <= _MOST_ROWS**2
    if not fits or (height != order and not tall) or matrix.dtype != FLOAT32:
        more = f", or to {_TALLEST} of as many elements" if tall else ""
        raise InvalidCallError(f"{name} takes float32 matrices of 2 to {_MOST_ROWS} rows{more}, not {matrix}")
    return shape[0], height, order


def _solve_rule(matrix: Signature, sides: Signature | None = None) -> Ruling:
    count, _, order = _check("solve", matrix)
    given = sides or matrix
    if given.shape[:2] != (count, order) or len(given.shape) != 3 or given.shape[2] > _MOST_ROWS or given.dtype != FLOAT32:
        raise InvalidCallError(f"solve of {matrix} takes float32 right-hand sides of up to {_MOST_ROWS} columns, not {given}")
    return (given, Signature((count,), FLOAT32)), (count, order, given.shape[2], sides is None)


def _factor_rule(matrix: Signature) -> Ruling:
    count, height, order = _check("LU", matrix, tall=True)
    results = (Signature((count, order, order), FLOAT32), Signature((count, order), FLOAT32), Signature((count,), FLOAT32))
    return results if height == order else (*results, matrix, Signature((count, height), FLOAT32)), (count, height, order)


def _estimate(costs: Costs, _results: tuple[Signature, ...], count: int, order: int, *_: Any, height: int = 0) -> float:
    """Estimate the steps."""
    blocks = -(-(height or order) // PARTITIONS)
    step = 14 * costs.instruction("tensor_tensor", blocks) + 2 * costs.instruction("tensor_tensor", blocks * _PANEL / 2)
    return 2 * costs.transfer_waits + count * order * (step + 2 * costs.waits("tensor"))


def _estimate_factors(costs: Costs, results: tuple[Signature, ...], count: int, height: int, order: int) -> float:
    return _estimate(costs, results, count, order, height=height)


declare(Kernel("solve", _solve_rule, _solve, "solve", "{0} systems of {1} equations, {2} right-hand sides", estimate=_estimate))
declare(Kernel("LU", _factor_rule, _factor, "LU factorization", "{0} matrices of {1} rows and {2} columns", estimate=_estimate_factors))
