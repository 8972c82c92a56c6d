"""Equations and triangular factors of small matrices of float64, on lanes: the operations of LAPACK, each with one rounding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ....dtypes import FLOAT32, INT32, UINT32
from ....isa import nisa, nl
from ....rules import Signature
from ...costs import Costs
from ...function import FUNCTIONS, work_table
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..emission import Emission
from ..sbuf import PARTITIONS, scratch
from .binary64_lanes import ONE, Words, below, compute, copied, nonzero, subtract_product, tested, view
from .lane_elimination import PivotRows, exchange_rows
from .lanes import over_lanes, stored, taken

__all__: list[str] = []

MOST_ROWS: Final = 32
_MOST_ELEMENTS: Final = 2048
"""Of a matrix and what stands beside it."""
_ROOM: Final = 8
"""How many times the room of a float32 element one of these takes, with what it is computed by."""
_VECTOR: Final = nisa.engine.vector


class _Pivots(PivotRows):
    """Finds the rows of the largest elements of columns, to the last bit, and exchanges rows."""

    def exchange(self, words: Words, k: int, first: int) -> None:
        """Put the row with the largest element of column k, of those from k on, in the place of row k; columns before `first` stay."""
        shape = (self.partitions, self.order - k, 1, self.each)
        high, low = view(words, slice(k, self.order), slice(k, k + 1))
        keys = [scratch(shape, nl.float32) for _ in range(3)]
        # The upper words of magnitudes are ordered as float32 numbers of the same bits are; the lower ones in two parts.
        nisa.tensor_scalar(keys[0].view(nl.uint32), high, nl.bitwise_and, 0x7FFFFFFF, engine=_VECTOR)
        parts = [scratch(shape, nl.uint32) for _ in range(2)]
        nisa.tensor_scalar(parts[0], low, nl.right_shift, 16, engine=_VECTOR)
        nisa.tensor_scalar(parts[1], low, nl.bitwise_and, 0xFFFF, engine=_VECTOR)
        for key, part in zip(keys[1:], parts, strict=True):
            nisa.tensor_scalar(key, part, nl.add, 1.0, engine=_VECTOR)
        weights = self.weights[: shape[0], k:].broadcast(3, shape[3])
        found = scratch(shape, nl.float32)
        nisa.memset(found, 1.0)
        largest = scratch((shape[0], 1, 1, shape[3]), nl.float32)
        for key in (*keys, weights):
            candidates, equal = scratch(shape, nl.float32), scratch(shape, nl.float32)
            nisa.tensor_tensor(candidates, found, key, nl.multiply, engine=_VECTOR)
            nisa.tensor_reduce(largest, nl.maximum, candidates.permute((0, 2, 3, 1)), axis=3)
            nisa.tensor_tensor(equal, candidates, largest.broadcast(1, shape[1]), nl.equal, engine=_VECTOR)
            nisa.tensor_tensor(found, found, equal, nl.multiply, engine=_VECTOR)
        here = scratch(shape, nl.uint8)
        nisa.tensor_copy(here, found, engine=_VECTOR)
        self.record(k, largest)
        exchange_rows(view(words, slice(0, self.order), slice(first, words[0].shape[2])), k, here)


def _eliminate(words: Words, order: int, *, keep: bool) -> tuple[Any, Any]:
    """Make the first columns upper triangular, as `lane_elimination.eliminate`; give the rows exchanged, and 1 where no pivot is 0."""
    partitions, _, width, each = words[0].shape
    pivots = _Pivots(order, (partitions, each))
    regular = scratch((partitions, 1, 1, each), nl.float32)
    nisa.memset(regular, 1.0)
    for k in range(order):
        if k + 1 < order:
            pivots.exchange(words, k, 0 if keep else k)
        here = nonzero(view(words, slice(k, k + 1), slice(k, k + 1)))
        nisa.tensor_tensor(regular, regular, here, nl.multiply, engine=_VECTOR)
        rows = order - k - 1
        if not rows:
            continue
        under = slice(k + 1, order)
        pivot = [scratch((partitions, 1, 1, each), nl.uint32) for _ in range(2)]
        nisa.memset(pivot[0], ONE)  # zeros stay zeros when they are divided
        nisa.tensor_copy(pivot[1], words[1][:, k : k + 1, k : k + 1], engine=_VECTOR)
        nisa.tensor_copy_predicated(pivot[0], words[0][:, k : k + 1, k : k + 1], here)
        column = view(words, under, slice(k, k + 1))
        factors = compute("divide", column, below(pivot, rows, 1))
        if width > k + 1:
            right = slice(k + 1, width)
            row = view(words, slice(k, k + 1), right)
            subtract_product(view(words, under, right), below(factors, rows, width - k - 1), below(row, rows, width - k - 1))
        if keep:
            for part, factor in zip(column, factors, strict=True):
                copied(part, factor)
    return pivots.rows, regular


def _substitute(triangle: Words, sides: Words, *, forwards: bool, unit: bool) -> None:
    """Solve with a triangle (P, n, n, m), in place of the right-hand sides (P, n, k, m)."""
    _, order, width, _ = sides[0].shape
    for k in range(order) if forwards else reversed(range(order)):
        row = view(sides, slice(k, k + 1), slice(0, width))
        if not unit:
            compute("divide", row, below(view(triangle, slice(k, k + 1), slice(k, k + 1)), 1, width), into=row)
        rest = slice(k + 1, order) if forwards else slice(0, k)
        if rows := rest.stop - rest.start:
            column = view(triangle, rest, slice(k, k + 1))
            subtract_product(view(sides, rest, slice(0, width)), below(column, rows, width), below(row, rows, width))


def _norms(words: Words) -> Any:
    """Compute 1-norms in float32."""
    partitions, rows, columns, each = words[0].shape
    narrow, sums = scratch(words[0].shape, nl.float32), scratch((partitions, columns, each), nl.float32)
    largest = scratch((partitions, 1, 1, each), nl.float32)
    flat = (partitions, rows * columns * each)
    tiles = [scratch(words[0].shape, nl.uint32) for _ in words]
    for tile, word in zip(tiles, words, strict=True):
        copied(tile, word)
    FUNCTIONS["float64.to_float32"].loops["uint32"].emit(narrow.reshape(flat), *(tile.reshape(flat) for tile in tiles))
    nisa.tensor_scalar(narrow.view(nl.uint32), narrow.view(nl.uint32), nl.bitwise_and, 0x7FFFFFFF, engine=_VECTOR)
    nisa.tensor_reduce(sums, nl.add, narrow.permute((0, 2, 3, 1)), axis=3)
    nisa.tensor_reduce(largest[:, 0, 0], nl.maximum, sums.permute((0, 2, 1)), axis=2)
    return largest


def _unit(words: Words) -> None:
    """Make unit matrices."""
    for word in words:
        nisa.memset(word, 0)
    for row in range(words[0].shape[1]):
        nisa.memset(words[0][:, row, row], ONE)


def _solve(emission: Emission, count: int, order: int, sides: int, inverse: bool, condition: bool) -> None:
    """
    Solve equations: Gaussian elimination with partial pivoting on matrix and right-hand sides, and substitution.

    Notes
    -----
    Results: high and low words of solutions, or inverses; 1 for matrices without a pivot 0; and, if they are wanted, condition numbers in
    the 1-norm, in float32.

    *Layout.* Matrices and right-hand sides beside each other, ``(P, n, n + k, m)`` in each word: see `lanes`.

    *Bound.* Vector Engine: 190 cycles for an element of the columns that are left and a step; of few matrices the latency of 700
    instructions for each step.

    *Error.* LAPACK's gesv, whose operations these are: backward ``n u`` times growth, u = 2**-53.
    """
    shape = (count, order, order)
    matrices = [emission.source(place, shape) for place in range(2)]
    given = [] if inverse else [emission.source(2 + place, (count, order, sides)) for place in range(2)]
    results = [emission.result((count, order, sides), place) for place in range(2)]
    numbers = [emission.result((count, 1, 1), 2 + place) for place in range(1 + condition)]
    width = order + (0 if inverse else sides) + (order if inverse or condition else 0)

    def some(part: Any, partitions: int, each: int) -> None:
        both = [scratch((partitions, order, width, each), nl.uint32) for _ in range(2)]
        rows = slice(0, order)
        left, unit = view(both, rows, rows), view(both, rows, slice(width - order, width))
        right = unit if inverse else view(both, rows, slice(order, order + sides))
        taken([part(item) for item in matrices], left)
        if inverse or condition:
            _unit(unit)
        if not inverse:
            taken([part(item) for item in given], right)
        norms = _norms(left) if condition else None
        _, regular = _eliminate(both, order, keep=False)
        _substitute(left, view(both, rows, slice(order, width)), forwards=False, unit=False)
        stored([part(item) for item in results], right)
        found = [regular]
        if condition:
            nisa.tensor_tensor(norms, norms, _norms(unit), nl.multiply, engine=_VECTOR)
            found.append(norms)
        stored([part(item) for item in numbers], found)

    over_lanes(count, _ROOM * order * width, 1000 * order, some)


def _factor(emission: Emission, count: int, order: int) -> None:
    """
    Factor matrices P A = L U, the factors in one, as LAPACK's getrf does.

    Notes
    -----
    As `_solve`, with whole rows exchanged. Results: the words of the factors, the row that each row was exchanged with, from 0, the sign of
    the permutation, and 1 for matrices without a zero for a pivot.
    """
    shape = (count, order, order)
    matrices, results = ([make(place, shape) for place in range(2)] for make in (emission.source, lambda n, s: emission.result(s, n)))
    exchanged = emission.result((count, order, 1), 2)
    signs, regular = (emission.result((count, 1, 1), place) for place in (3, 4))

    def some(part: Any, _partitions: int, each: int) -> None:
        both = taken([part(item) for item in matrices])
        rows, fine = _eliminate(both, order, keep=True)
        stored([part(item) for item in results], both)
        numbers, same, sign = scratch(rows.shape, nl.int32), scratch(rows.shape, nl.float32), scratch(fine.shape, nl.float32)
        nisa.tensor_copy(numbers, rows, engine=_VECTOR)
        nisa.iota(same, [[1, order], [0, each]])
        nisa.tensor_tensor(same, same, rows, nl.not_equal, engine=_VECTOR)
        nisa.tensor_scalar(same, same, nl.multiply, -2.0, op1=nl.add, operand1=1.0, engine=_VECTOR)
        nisa.tensor_reduce(sign, nl.multiply, same.permute((0, 2, 3, 1)), axis=3)
        stored([part(exchanged)], [numbers])
        for item, tile in ((signs, sign), (regular, fine)):
            stored([part(item)], [tile])

    over_lanes(count, _ROOM * order * order, 1000 * order, some)


def _cholesky(emission: Emission, count: int, order: int) -> None:
    """
    Factor positive-definite matrices A = L L*, of which the lower triangle is read.

    Notes
    -----
    Results: the words of the factors, and 1 for matrices whose pivots are positive, or NaN. *Layout*, *bound*: as `_solve`, with half the
    elements. *Error.* Backward ``(n + 1) u``.
    """
    shape = (count, order, order)
    matrices, results = ([make(place, shape) for place in range(2)] for make in (emission.source, lambda n, s: emission.result(s, n)))
    definite = emission.result((count, 1, 1), 2)

    def some(part: Any, partitions: int, each: int) -> None:
        words = taken([part(item) for item in matrices])
        positive, zero = scratch((partitions, 1, 1, each), nl.float32), [scratch((partitions, 1, 1, each), nl.uint32) for _ in range(2)]
        nisa.memset(positive, 1.0)
        for word in zero:
            nisa.memset(word, 0)
        for k in range(order):
            pivot = view(words, slice(k, k + 1), slice(k, k + 1))
            nisa.scalar_tensor_tensor(positive, tested("less_equal", pivot, zero), nl.equal, 0.0, nl.multiply, positive)
            compute("sqrt", pivot, into=pivot)
            rows = order - k - 1
            if not rows:
                continue
            under = slice(k + 1, order)
            column = compute("divide", view(words, under, slice(k, k + 1)), below(pivot, rows, 1))
            across = [word.permute((0, 2, 1, 3)) for word in column]
            subtract_product(view(words, under, under), below(column, rows, rows), below(across, rows, rows))
            for whole, found in zip(words, column, strict=True):
                copied(whole[:, under, k : k + 1], found)
                nisa.memset(whole[:, k : k + 1, under], 0)
        stored([part(item) for item in results], words)
        stored([part(definite)], [positive])

    over_lanes(count, _ROOM * order * order, 1000 * order, some)


def _triangular(emission: Emission, count: int, order: int, sides: int, lower: bool, transposed: bool, unit: bool) -> None:
    """
    Solve with triangular matrices, or their transposes, by substitution, column by column.

    Notes
    -----
    Results: the words of solutions, and 1 for matrices without a zero on the diagonal. *Layout*, *bound*: as `_solve`.

    *Error.* Backward ``n u``, row by row.
    """
    matrices = [emission.source(place, (count, order, order)) for place in range(2)]
    given = [emission.source(2 + place, (count, order, sides)) for place in range(2)]
    results = [emission.result((count, order, sides), place) for place in range(2)]
    regular = emission.result((count, 1, 1), 2)

    def some(part: Any, partitions: int, each: int) -> None:
        triangle, right = taken([part(item) for item in matrices]), taken([part(item) for item in given])
        if transposed:
            triangle = [word.permute((0, 2, 1, 3)) for word in triangle]
        fine = scratch((partitions, 1, 1, each), nl.float32)
        nisa.memset(fine, 1.0)
        if not unit:
            diagonal = [scratch((partitions, order, 1, each), nl.uint32) for _ in triangle]
            for made, word in zip(diagonal, triangle, strict=True):
                for k in range(order):
                    copied(made[:, k : k + 1], word[:, k : k + 1, k : k + 1])
            flags = scratch((partitions, order, 1, each), nl.float32)
            nisa.tensor_copy(flags, nonzero(diagonal), engine=_VECTOR)
            nisa.tensor_reduce(fine, nl.minimum, flags.permute((0, 2, 3, 1)), axis=3)
        _substitute(triangle, right, forwards=lower != transposed, unit=unit)
        stored([part(item) for item in results], right)
        stored([part(regular)], [fine])

    over_lanes(count, _ROOM * order * max(order, sides), 600 * order, some)


def _square(name: str, words: tuple[Signature, ...]) -> tuple[int, int]:
    shape = words[0].shape
    if len(shape) != 3 or shape[1] != shape[2] or not 0 < shape[1] <= MOST_ROWS or not shape[0] or len(words) != 2:
        raise InvalidCallError(f"{name} takes two words of a batch of matrices of order 1 to {MOST_ROWS}, not {words}")
    if words[0] != words[1] or words[0].dtype != UINT32:
        raise InvalidCallError(f"{name} takes words of one shape, not {words}")
    return shape[0], shape[1]


def _sides(name: str, matrix: tuple[int, int], words: tuple[Signature, ...], beside: int = 0) -> int:
    shape = words[0].shape if words else ()
    if len(words) != 2 or words[0] != words[1] or len(shape) != 3 or shape[:2] != matrix or words[0].dtype != UINT32:
        raise InvalidCallError(f"{name} of {matrix[0]} matrices of order {matrix[1]} has no right-hand sides {words}")
    if matrix[1] * (matrix[1] + shape[2] + beside) > _MOST_ELEMENTS:
        raise InvalidCallError(f"{name} has no room for {shape[2]} right-hand sides of {matrix[1]} equations")
    return shape[2]


def _solve_rule(*words: Signature, inverse: bool = False, condition: bool = False) -> Ruling:
    name = "solve float64 in lanes"
    count, order = _square(name, words[:2])
    sides = order if inverse else _sides(name, (count, order), words[2:], order * condition)
    result = Signature((count, order, sides), UINT32)
    return (result, result, *[Signature((count,), FLOAT32)] * (1 + condition)), (count, order, sides, inverse, condition)


def _factor_rule(*words: Signature) -> Ruling:
    count, order = _square("LU of float64 in lanes", words)
    number = Signature((count,), FLOAT32)
    return (*words, Signature((count, order), INT32), number, number), (count, order)


def _cholesky_rule(*words: Signature) -> Ruling:
    count, order = _square("Cholesky of float64 in lanes", words)
    return (*words, Signature((count,), FLOAT32)), (count, order)


def _triangular_rule(*words: Signature, lower: bool, transposed: bool = False, unit: bool = False) -> Ruling:
    name = "triangular solve of float64 in lanes"
    count, order = _square(name, words[:2])
    sides = _sides(name, (count, order), words[2:])
    return (*words[2:], Signature((count,), FLOAT32)), (count, order, sides, lower, transposed, unit)


def _estimate(width: Callable[..., Callable[[int], int]]) -> Callable[..., float]:
    """Estimate the steps, each of which divides a column and subtracts a product, of so many elements."""

    def run(costs: Costs, _results: tuple[Signature, ...], count: int, order: int, *more: Any) -> float:
        table = work_table()
        divide, multiply, subtract = (table[f"pair of float64.{name}.high", "uint32"] for name in ("divide", "multiply", "subtract"))
        each, of_step = max(1, count / PARTITIONS), width(order, *more)
        total = 2 * costs.transfer_waits
        for k in range(order):
            rows = order - k - 1
            total += divide.times(costs, (rows + 1) * each)["vector"]
            total += sum(one.times(costs, rows * of_step(k) * each)["vector"] for one in (multiply, subtract))
        return total

    return run


_OVER: Final = "{0} systems of {1} equations, {2} right-hand sides"
_OF: Final = "{0} matrices of order {1}"
declare(
    Kernel(
        "solve float64 in lanes", _solve_rule, _solve, "solve, in float64", _OVER,
        estimate=_estimate(lambda order, sides, *_: lambda k: order - k + sides),
    )
)  # fmt: skip
declare(
    Kernel(
        "LU of float64 in lanes", _factor_rule, _factor, "LU factorization, in float64", _OF,
        estimate=_estimate(lambda order: lambda k: order - k),
    )
)  # fmt: skip
declare(
    Kernel(
        "Cholesky of float64 in lanes", _cholesky_rule, _cholesky, "Cholesky factorization, in float64", _OF,
        estimate=_estimate(lambda order: lambda k: order - k),
    )
)  # fmt: skip
declare(
    Kernel(
        "triangular solve of float64 in lanes", _triangular_rule, _triangular, "triangular solve, in float64", _OVER,
        estimate=_estimate(lambda _order, sides, *_: lambda _k: sides),
    )
)  # fmt: skip
