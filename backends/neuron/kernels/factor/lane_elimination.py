"""Gaussian elimination of small matrices, with partial pivoting: solutions of equations, and triangular factors."""

from __future__ import annotations

from typing import Any, Final

from ....dtypes import FLOAT32, INT32
from ....isa import nisa, nl
from ....rules import Signature
from ...costs import Costs
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..emission import Emission
from ..sbuf import PARTITIONS, scratch
from .lanes import (
    MOST_ELEMENTS,
    Planes,
    along_columns,
    along_rows,
    block,
    divisors,
    magnitudes,
    over_lanes,
    scaled,
    stored,
    subtract_product,
    taken,
    zeros,
)

__all__ = ["MOST_ROWS", "PivotRows", "eliminate", "exchange_rows", "square_stack", "substitute_backwards"]

MOST_ROWS: Final = 64
_VECTOR: Final = nisa.engine.vector


def exchange_rows(planes: Planes, k: int, here: Any) -> None:
    """Exchange row k with the one of those from k on that is marked, (P, rows, 1, m)."""
    for plane in planes:
        order, width = plane.shape[1:3]
        row, old = plane[:, k : k + 1], scratch((plane.shape[0], 1, *plane.shape[2:]), plane.dtype)
        nisa.tensor_copy(old, row, engine=_VECTOR)
        for other in range(k + 1, order):
            nisa.tensor_copy_predicated(row, plane[:, other : other + 1], here[:, other - k : other - k + 1].broadcast(2, width))
        nisa.tensor_copy_predicated(plane[:, k + 1 :], old.broadcast(1, order - k - 1), here[:, 1:].broadcast(2, width))


class PivotRows:
    """
    The rows that become pivots, one after the other.

    Parameters
    ----------
    order : int
        Rows of a matrix.
    shape : (int, int)
        Partitions, and matrices on each.
    """

    def __init__(self, order: int, shape: tuple[int, int]) -> None:
        self.order, (self.partitions, self.each) = order, shape
        self.weights = scratch((PARTITIONS, order, 1, 1), nl.float32)  # order, ..., 2, 1: the first of equal pivots is taken
        nisa.iota(self.weights, [[-1, order]], offset=order)
        self.rows = scratch((self.partitions, order, 1, self.each), nl.float32)
        nisa.memset(self.rows, float(order - 1))

    def record(self, k: int, weight: Any) -> None:
        """Note which row becomes the k-th by its weight; 0 says that none was found, as where all are NaN: the pivot is any."""
        order = float(self.order)
        nisa.tensor_scalar(
            self.rows[:, k : k + 1], weight, nl.maximum, 1.0, op1=nl.subtract, operand1=order, reverse1=True, engine=_VECTOR
        )


class _Pivots(PivotRows):
    """Finds pivots in columns and exchanges rows."""

    def exchange(self, planes: Planes, k: int, first: int) -> None:
        """Put the row with the largest element of column k, of those from k on, in the place of row k; columns before `first` stay."""
        order, shape = self.order, (self.partitions, self.order - k, 1, self.each)
        sizes = magnitudes(block(planes, slice(k, order), slice(k, k + 1)))
        largest, found = scratch((shape[0], 1, 1, shape[3]), nl.float32), scratch(shape, nl.float32)
        nisa.tensor_reduce(largest, nl.maximum, sizes.permute((0, 2, 3, 1)), axis=3)
        nisa.tensor_tensor(found, sizes, largest.broadcast(1, order - k), nl.equal, engine=_VECTOR)
        weights = self.weights[: shape[0], k:].broadcast(3, shape[3])
        nisa.tensor_tensor(found, found, weights, nl.multiply, engine=_VECTOR)
        nisa.tensor_reduce(largest, nl.maximum, found.permute((0, 2, 3, 1)), axis=3)
        here = scratch(shape, nl.uint8)
        nisa.tensor_tensor(here, found, largest.broadcast(1, order - k), nl.equal, engine=_VECTOR)
        self.record(k, largest)
        exchange_rows(block(planes, slice(0, order), slice(first, planes[0].shape[2])), k, here)


def eliminate(planes: Planes, order: int, *, keep: bool) -> tuple[Planes, Any, Any]:
    """
    Make the first columns of (P, n, w, m) upper triangular; with `keep`, factors take the place of what becomes zero.

    Gives four times the reciprocals of the pivots, (P, n, 1, m), the rows that were exchanged, and 1 for matrices without a pivot 0.
    """
    partitions, _, width, each = planes[0].shape
    pivots = _Pivots(order, (partitions, each))
    inverses = [scratch((partitions, order, 1, each), nl.float32) for _ in planes]
    regular = scratch((partitions, 1, 1, each), nl.float32)
    nisa.memset(regular, 1.0)
    for k in range(order):
        if k + 1 < order:
            pivots.exchange(planes, k, 0 if keep else k)
        here = block(planes, slice(k, k + 1), slice(k, k + 1))
        nonzero = magnitudes(here)
        nisa.tensor_scalar(nonzero, nonzero, nl.not_equal, 0.0, engine=_VECTOR)
        nisa.tensor_tensor(regular, regular, nonzero, nl.multiply, engine=_VECTOR)
        for inverse, made in zip(inverses, divisors(here, 1.0), strict=True):  # zeros stay zeros when they are divided
            nisa.tensor_copy(inverse[:, k : k + 1], made, engine=_VECTOR)
        if k + 1 < order:
            below, rows = slice(k + 1, order), order - k - 1
            column = block(planes, below, slice(k, k + 1))
            factors = [scratch((partitions, rows, 1, each), nl.float32) for _ in planes]
            scaled(factors, column, along_rows(block(inverses, slice(k, k + 1), slice(0, 1)), rows), 0.25)
            if width > k + 1:
                right = slice(k + 1, width)
                row = along_rows(block(planes, slice(k, k + 1), right), rows)
                subtract_product(block(planes, below, right), along_columns(factors, width - k - 1), row)
            if keep:
                for part, factor in zip(column, factors, strict=True):
                    nisa.tensor_copy(part, factor, engine=_VECTOR)
    return inverses, pivots.rows, regular


def substitute_backwards(triangle: Planes, sides: Planes, inverses: Planes) -> None:
    """Solve with an upper triangle (P, n, n, m), in place of the right-hand sides (P, n, k, m)."""
    partitions, order, width, each = sides[0].shape
    for k in reversed(range(order)):
        row = block(sides, slice(k, k + 1), slice(0, width))
        product = [scratch((partitions, 1, width, each), nl.float32) for _ in sides]
        scaled(product, row, along_columns(block(inverses, slice(k, k + 1), slice(0, 1)), width), 0.25)
        for part, found in zip(row, product, strict=True):
            nisa.tensor_copy(part, found, engine=_VECTOR)
        if k:
            column = along_columns(block(triangle, slice(0, k), slice(k, k + 1)), width)
            subtract_product(block(sides, slice(0, k), slice(0, width)), column, along_rows(product, k))


def _norms(planes: Planes) -> Any:
    """Compute 1-norms, the largest sums of magnitudes of columns; of complex matrices within a factor of the root of 2."""
    partitions, _, columns, each = planes[0].shape
    sums, largest = scratch((partitions, columns, each), nl.float32), scratch((partitions, 1, 1, each), nl.float32)
    nisa.tensor_reduce(sums, nl.add, magnitudes(planes).permute((0, 2, 3, 1)), axis=3)
    nisa.tensor_reduce(largest[:, 0, 0], nl.maximum, sums.permute((0, 2, 1)), axis=2)
    return largest


def _solve(emission: Emission, planes: int, count: int, order: int, sides: int, inverse: bool, condition: bool) -> None:
    """
    Solve equations: Gaussian elimination with partial pivoting on matrix and right-hand sides, and substitution.

    Notes
    -----
    Results: solutions, or inverses; 1 for matrices without a pivot 0; and, if they are wanted, condition numbers in the 1-norm.

    *Layout.* Matrices and right-hand sides beside each other, ``(P, n, n + k, m)``: see `lanes`.

    *Bound.* Vector Engine: about four cycles for an element of the columns that are left, and four more to exchange rows; of few
    matrices the latency of about n**2 / 2 + 12 n instructions.

    *Error.* Backward: ``3 n u`` times growth, as of LAPACK's gesv, plus ``n u`` since a reciprocal takes the place of a division.
    Pivots of less than 2**-124 give infinities.
    """
    shape = (count, order, order)
    matrices = [emission.source(place, shape) for place in range(planes)]
    given = [] if inverse else [emission.source(planes + place, (count, order, sides)) for place in range(planes)]
    results = [emission.result((count, order, sides), place) for place in range(planes)]
    numbers = [emission.result((count, 1, 1), planes + place) for place in range(1 + condition)]
    width = order + (0 if inverse else sides) + (order if inverse or condition else 0)

    def some(part: Any, partitions: int, each: int) -> None:
        whole = (partitions, order, width, each)
        both = zeros(whole, planes) if inverse or condition else [scratch(whole, nl.float32) for _ in range(planes)]
        rows = slice(0, order)
        left, unit = block(both, rows, rows), block(both, rows, slice(width - order, width))
        right = unit if inverse else block(both, rows, slice(order, order + sides))
        taken([part(view) for view in matrices], left)
        if inverse or condition:
            for row in range(order):
                nisa.memset(unit[0][:, row, row], 1.0)
        if not inverse:
            taken([part(view) for view in given], right)
        norms = _norms(left) if condition else None
        inverses, _, regular = eliminate(both, order, keep=False)
        substitute_backwards(left, block(both, rows, slice(order, width)), inverses)
        stored([part(view) for view in results], right)
        found = [regular]
        if condition:
            nisa.tensor_tensor(norms, norms, _norms(unit), nl.multiply, engine=_VECTOR)
            found.append(norms)
        stored([part(view) for view in numbers], found)

    over_lanes(count, order * width, order * (order // 2 + 20) * planes**2, some)


def _factor(emission: Emission, planes: int, count: int, order: int) -> None:
    """
    Factor matrices P A = L U, the factors in one, as LAPACK's getrf does.

    Notes
    -----
    As `_solve`, with whole rows exchanged. Results: the factors, the row that each row was exchanged with, from 0, the sign of the
    permutation, and 1 for matrices without a zero for a pivot.
    """
    shape = (count, order, order)
    matrices = [emission.source(place, shape) for place in range(planes)]
    results = [emission.result(shape, place) for place in range(planes)]
    exchanged = emission.result((count, order, 1), planes)
    signs, regular = (emission.result((count, 1, 1), planes + place) for place in (1, 2))

    def some(part: Any, _partitions: int, each: int) -> None:
        both = taken([part(view) for view in matrices])
        _, rows, fine = eliminate(both, order, keep=True)
        stored([part(view) for view in results], both)
        numbers, same, sign = scratch(rows.shape, nl.int32), scratch(rows.shape, nl.float32), scratch(fine.shape, nl.float32)
        nisa.tensor_copy(numbers, rows, engine=_VECTOR)
        nisa.iota(same, [[1, order], [0, each]])
        nisa.tensor_tensor(same, same, rows, nl.not_equal, engine=_VECTOR)
        nisa.tensor_scalar(same, same, nl.multiply, -2.0, op1=nl.add, operand1=1.0, engine=_VECTOR)
        nisa.tensor_reduce(sign, nl.multiply, same.permute((0, 2, 3, 1)), axis=3)
        stored([part(exchanged)], [numbers])
        for view, tile in ((signs, sign), (regular, fine)):
            stored([part(view)], [tile])

    over_lanes(count, order * order, order * (order // 2 + 20) * planes**2, some)


def square_stack(name: str, planes: tuple[Signature, ...]) -> tuple[int, int]:
    """Read a batch of square matrices in one or two planes: how many, and their order."""
    shape = planes[0].shape
    if len(shape) != 3 or shape[1] != shape[2] or not 0 < shape[1] <= MOST_ROWS or not shape[0] or len(planes) not in (1, 2):
        raise InvalidCallError(f"{name} takes a batch of matrices of order 1 to {MOST_ROWS}, in one or two planes, not {planes}")
    if any(plane != planes[0] for plane in planes) or planes[0].dtype != FLOAT32:
        raise InvalidCallError(f"{name} takes float32 planes of one shape, not {planes}")
    return shape[0], shape[1]


def _solve_rule(*planes: Signature, inverse: bool = False, condition: bool = False) -> Ruling:
    half = len(planes) if inverse else len(planes) // 2
    count, order = square_stack("solve in lanes", planes[:half])
    sides = planes[0] if inverse else planes[half]
    if sides.shape[:2] != (count, order) or len(sides.shape) != 3 or any(plane != sides for plane in planes[half:]):
        raise InvalidCallError(f"solve in lanes of {planes[0]} has no right-hand sides {sides}")
    beside = order * (inverse or condition) + (0 if inverse else sides.shape[2])
    if half * order * (order + beside) > MOST_ELEMENTS:
        raise InvalidCallError(f"solve in lanes has no room for {sides.shape[2]} right-hand sides of {order} equations")
    numbers = [Signature((count,), FLOAT32)] * (1 + condition)
    return (*[sides] * half, *numbers), (half, count, order, sides.shape[2], inverse, condition)


def _factor_rule(*planes: Signature) -> Ruling:
    count, order = square_stack("LU in lanes", planes)
    numbers = Signature((count,), FLOAT32)
    return (*planes, Signature((count, order), INT32), numbers, numbers), (len(planes), count, order)


def _estimate(costs: Costs, _results: tuple[Signature, ...], planes: int, count: int, order: int, sides: int = 0, *_: Any) -> float:
    """Estimate the steps, of instructions on all rows that are left and of those on rows."""
    each = max(1, count / PARTITIONS)
    total = 2 * costs.transfer_waits
    for k in range(order):
        width, rows = (order + sides - k) * each, order - k - 1
        total += (rows + 8) * costs.instruction("tensor_copy_predicated", width)
        total += 4 * costs.instruction("tensor_tensor", rows * width) * planes**2
    return total


declare(
    Kernel("solve in lanes", _solve_rule, _solve, "solve", "{1} systems of {2} equations, {3} right-hand sides", estimate=_estimate)
)
declare(Kernel("LU in lanes", _factor_rule, _factor, "LU factorization", "{1} matrices of order {2}", estimate=_estimate))
