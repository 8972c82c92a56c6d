"""Eigenvalues and eigenvectors of symmetric tridiagonal matrices: counts of signs, and inverse iteration, in lanes."""

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
from .tridiagonal import MOST_ROWS, unit_matrix

__all__: list[str] = []

_POINTS: Final = ((256, 4), (512, 3), (1024, 2))
"""Rows, and bits of the 2**bits - 1 points of each interval that a lane has room to look at at once."""
_BITS: Final = 28  # of the first interval, which is at most six times the largest eigenvalue wide
_LEAST: Final = 2.0**-40
"""Of pivots; the largest eigenvalue is about 1."""
_NEAR: Final = 32 * 2.0**-24
"""How close eigenvalues share a shift, beside the largest one; it lies half as far below the first of them."""
_VECTOR: Final = nisa.engine.vector


def _line(view: Any, order: int) -> Any:
    """Bring numbers of a row to all partitions."""
    tile = scratch((PARTITIONS, order), nl.float32)
    nisa.dma_copy(tile, view.broadcast(0, PARTITIONS))
    return tile


def _points(order: int) -> tuple[int, int]:
    """Tell how many points of each interval are looked at, and how often."""
    bits = next(bits for rows, bits in _POINTS if order <= rows)
    return 2**bits - 1, -(-_BITS // bits)


def _pivots(tile: Any, square: Any, *, inverse: Any = None) -> None:
    """
    Make ``q[i] = (d[i] - x) - e[i - 1]**2 / q[i - 1]`` of ``d[i] - x``, (P, n, w), in place; `square` has ``-e**2``.

    With room for the inverses of pivots, these are at most 2**40.
    """
    order, room = tile.shape[1], None if inverse is not None else scratch((tile.shape[0], tile.shape[2]), nl.float32)
    for i in range(order):
        known = room if inverse is None else inverse[:, i]
        if i < order - 1 or inverse is not None:
            nisa.reciprocal(known, tile[:, i])
        if inverse is not None:
            nisa.tensor_scalar(known, known, nl.minimum, 1 / _LEAST, op1=nl.maximum, operand1=-1 / _LEAST, engine=_VECTOR)
        if i < order - 1:
            following = tile[:, i + 1]
            nisa.scalar_tensor_tensor(following, known, nl.multiply, square[:, i : i + 1], nl.add, following)


def _squares(beside: Any) -> Any:
    """Make ``-e**2``, no zero: a pivot of zero has an infinite inverse."""
    squares = scratch(beside.shape, nl.float32)
    nisa.tensor_tensor(squares, beside, beside, nl.multiply, engine=_VECTOR)
    nisa.tensor_scalar(squares, squares, nl.maximum, 2.0**-100, op1=nl.multiply, operand1=-1.0, engine=_VECTOR)
    return squares


def _largest(dst: Any, tile: Any) -> None:
    """Find the largest magnitudes along the last axis."""
    sizes = scratch(tile.shape, nl.float32)
    nisa.tensor_scalar(sizes.view(nl.uint32), tile.view(nl.uint32), nl.bitwise_and, 0x7FFFFFFF, engine=_VECTOR)
    nisa.tensor_reduce(dst, nl.maximum, sizes, axis=len(tile.shape) - 1)


def _values(emission: Emission, count: int, order: int) -> None:
    """
    Find the eigenvalues of symmetric tridiagonal matrices, in ascending order.

    Notes
    -----
    The number of negative pivots of T - x is that of eigenvalues below x (J. W. Givens, 1954). Operands are the diagonal and the n - 1
    elements beside it, after which is a zero.

    *Layout.* Eigenvalue ``128 f + p`` on partition p; 15 points of its interval at once, 7 from 257 rows on, and 3 from 513 on, so that an
    interval becomes as many times smaller. *Bound.* The latency of two instructions of the Vector Engine for a row of T, seven, ten or
    fourteen times.

    *Error.* ``4 u`` times the largest one.
    """
    diagonals, besides = (emission.source(place, (count, 1, order)) for place in range(2))
    result = emission.result((count, order, 1))
    groups, (points, turns) = -(-order // PARTITIONS), _points(order)

    def one(part: Any, _count: int) -> None:
        diagonal, beside = _line(part(diagonals)[0], order), _line(part(besides)[0], order)
        squares = _squares(beside)
        width, low, sizes = (scratch((PARTITIONS, one), nl.float32) for one in (1, groups, 2))
        _largest(sizes[:, :1], diagonal)
        _largest(sizes[:, 1:], beside)
        nisa.tensor_scalar(width, sizes[:, 1:], nl.multiply, 2.0, op1=nl.add, operand1=sizes[:, :1], engine=_VECTOR)
        nisa.tensor_scalar(width, width, nl.multiply, 1.0 + 2.0**-10, op1=nl.add, operand1=2.0**-60, engine=_VECTOR)
        nisa.memset(low, 1.0)
        nisa.tensor_scalar(low, low, nl.multiply, width, op1=nl.multiply, operand1=-1.0, engine=_VECTOR)
        nisa.tensor_scalar(width, width, nl.multiply, 2.0 / (points + 1), engine=_VECTOR)
        shape = (PARTITIONS, groups, points)
        number, wanted = scratch(shape, nl.float32), scratch(shape, nl.float32)
        nisa.iota(number, [[0, groups], [1, points]], offset=1)
        nisa.iota(wanted, [[PARTITIONS, groups], [0, points]], channel_multiplier=1)
        tile = scratch((PARTITIONS, order, groups * points), nl.float32)

        def turn(_: Any) -> None:
            at, counts, inside = (scratch(shape, nl.float32) for _ in range(3))
            nisa.scalar_tensor_tensor(at, number, nl.multiply, width, nl.add, low.expand_dim(2).broadcast(2, points))
            spread = diagonal.expand_dim(2).broadcast(2, groups * points)
            lines = at.reshape((PARTITIONS, groups * points))
            nisa.tensor_tensor(tile, spread, lines.expand_dim(1).broadcast(1, order), nl.subtract, engine=_VECTOR)
            _pivots(tile, squares)
            nisa.tensor_scalar(tile, tile, nl.less, 0.0, engine=_VECTOR)
            nisa.tensor_reduce(counts.reshape((PARTITIONS, groups * points)), nl.add, tile.permute((0, 2, 1)), axis=2)
            # The interval is the one after all points below which there are no more eigenvalues than before the wanted one.
            nisa.tensor_tensor(inside, counts, wanted, nl.less_equal, engine=_VECTOR)
            steps = scratch((PARTITIONS, groups), nl.float32)
            nisa.tensor_reduce(steps, nl.add, inside, axis=2)
            nisa.scalar_tensor_tensor(low, steps, nl.multiply, width, nl.add, low)
            nisa.tensor_scalar(width, width, nl.multiply, 1.0 / (points + 1), engine=_VECTOR)

        nl.fori_loop(0, turns, turn)
        nisa.tensor_scalar(width, width, nl.multiply, (points + 1) / 2, engine=_VECTOR)
        nisa.tensor_scalar(low, low, nl.add, width, engine=_VECTOR)
        for group in range(groups):
            rows = slice(group * PARTITIONS, min((group + 1) * PARTITIONS, order))
            nisa.dma_copy(part(result)[0][rows], low[: rows.stop - rows.start, group : group + 1])

    in_loops(count, 1, 2 * order + 24, one)


def _vectors(emission: Emission, count: int, order: int) -> None:
    """
    Approximate eigenvectors of symmetric tridiagonal matrices by two steps of inverse iteration.

    Notes
    -----
    Operands: the diagonal, the elements beside it, the eigenvalues in ascending order, and rows of random numbers, from which vectors
    start; the largest eigenvalue is about 1. Results are rows, of a largest element of 1. Eigenvalues that are closer than 32 u share the
    shift of the first of them, and their vectors span what theirs do, without being orthogonal (G. W. Stewart, "Matrix Algorithms II",
    2001, on inverse iteration of subspaces).

    *Layout.* Vector ``128 f + p`` on partition p, its elements in order. Pivots of all matrices T - x, L D L*, row after row.

    *Bound.* The latency of seven instructions of the Vector Engine for a row.
    """
    diagonals, besides, values = (emission.source(place, (count, 1, order)) for place in range(3))
    starts, result = emission.source(3, (order, order)), emission.result((count, order, order))
    groups = -(-order // PARTITIONS)
    parts = [slice(first, min(first + PARTITIONS, order)) for first in range(0, order, PARTITIONS)]

    def one(part: Any, _count: int) -> None:
        diagonal, beside, line = (_line(part(one)[0], order) for one in (diagonals, besides, values))
        shifts = _shifts(line, groups)
        tile, inverse = (scratch((PARTITIONS, order, groups), nl.float32) for _ in range(2))
        spread = diagonal.expand_dim(2).broadcast(2, groups)
        nisa.tensor_tensor(tile, spread, shifts.expand_dim(1).broadcast(1, order), nl.subtract, engine=_VECTOR)
        _pivots(tile, _squares(beside), inverse=inverse)
        nisa.tensor_tensor(tile, inverse, beside.expand_dim(2).broadcast(2, groups), nl.multiply, engine=_VECTOR)
        nisa.tensor_scalar(tile, tile, nl.multiply, -1.0, engine=_VECTOR)
        rows, x = scratch((PARTITIONS, groups, order), nl.float32), scratch((PARTITIONS, order, groups), nl.float32)
        nisa.memset(rows, 1.0)
        for group, some in enumerate(parts):
            nisa.dma_copy(rows[: some.stop - some.start, group], starts[some])
        size = scratch((PARTITIONS, groups), nl.float32)
        nisa.tensor_copy(x, rows.permute((0, 2, 1)), engine=_VECTOR)
        for turn in range(2):
            for i in range(1, order) if turn else ():  # the first starts behind L
                _add_product(x[:, i], x[:, i - 1], tile[:, i - 1])
            nisa.tensor_tensor(x, x, inverse, nl.multiply, engine=_VECTOR)
            for i in reversed(range(order - 1)):
                _add_product(x[:, i], x[:, i + 1], tile[:, i])
            nisa.tensor_copy(rows, x.permute((0, 2, 1)), engine=_VECTOR)
            _largest(size, rows)
            nisa.tensor_scalar(size, size, nl.maximum, 2.0**-100, engine=_VECTOR)
            nisa.reciprocal(size, size)
            if not turn:
                nisa.tensor_tensor(x, x, size.expand_dim(1).broadcast(1, order), nl.multiply, engine=_VECTOR)
        nisa.tensor_tensor(rows, rows, size.expand_dim(2).broadcast(2, order), nl.multiply, engine=_VECTOR)
        for group, some in enumerate(parts):
            nisa.dma_copy(part(result)[0][some], rows[: some.stop - some.start, group])

    in_loops(count, 1, 7 * order, one)


def _add_product(dst: Any, a: Any, b: Any) -> None:
    """Add products of (P, w)."""
    if dst.shape[1] == 1:
        nisa.scalar_tensor_tensor(dst, a, nl.multiply, b, nl.add, dst)
        return
    product = scratch(dst.shape, nl.float32)
    nisa.tensor_tensor(product, a, b, nl.multiply, engine=_VECTOR)
    nisa.tensor_tensor(dst, dst, product, nl.add, engine=_VECTOR)


def _shifts(line: Any, groups: int) -> Any:
    """Give eigenvalues to their lanes: those that are close to the one before take its shift."""
    order = line.shape[1]
    apart, goes_on, size = (scratch((PARTITIONS, one), nl.float32) for one in (order, order, 1))
    _largest(size, line)
    nisa.tensor_scalar(size, size, nl.multiply, _NEAR, engine=_VECTOR)
    nisa.memset(goes_on, 0.0)
    if order > 1:
        nisa.tensor_tensor(apart[:, 1:], line[:, 1:], line[:, :-1], nl.subtract, engine=_VECTOR)
        nisa.tensor_scalar(goes_on[:, 1:], apart[:, 1:], nl.less_equal, size, engine=_VECTOR)
    first = scratch((PARTITIONS, groups * PARTITIONS), nl.float32)
    nisa.memset(first, 0.0)
    nisa.tensor_scalar(apart, goes_on, nl.multiply, -1.0, op1=nl.add, operand1=1.0, engine=_VECTOR)
    if order > 1:
        shared, below = scratch((PARTITIONS, order), nl.float32), scratch((PARTITIONS, order), nl.float32)
        nisa.tensor_scalar(shared, goes_on, nl.multiply, size, op1=nl.multiply, operand1=0.5, engine=_VECTOR)
        nisa.memset(below, 0.0)
        nisa.tensor_copy(below[:, :-1], shared[:, 1:], engine=_VECTOR)
        nisa.tensor_tensor(line, line, below, nl.subtract, engine=_VECTOR)
    nisa.tensor_tensor(apart, apart, line, nl.multiply, engine=_VECTOR)
    nisa.tensor_tensor_scan(first[:, :order], goes_on, apart, 0.0, nl.multiply, nl.add)
    products, shifts = scratch((PARTITIONS, groups, PARTITIONS), nl.float32), scratch((PARTITIONS, groups), nl.float32)
    blocks = first.reshape((PARTITIONS, groups, PARTITIONS))
    nisa.tensor_tensor(products, blocks, unit_matrix().expand_dim(1).broadcast(1, groups), nl.multiply, engine=_VECTOR)
    nisa.tensor_reduce(shifts, nl.add, products, axis=2)
    return shifts


def _checked(first: Signature, *others: Signature) -> tuple[int, int]:
    fits = len(first.shape) == 2 and 1 < first.shape[1] <= MOST_ROWS and first.dtype == FLOAT32
    if not fits or any(other != first for other in others):
        raise InvalidCallError(f"tridiagonal matrices are float32, of 2 to {MOST_ROWS} rows, not {[first, *others]}")
    count, order = first.shape
    return count, order


def _values_rule(diagonal: Signature, beside: Signature) -> Ruling:
    return (diagonal,), _checked(diagonal, beside)


def _vectors_rule(diagonal: Signature, beside: Signature, values: Signature, starts: Signature) -> Ruling:
    count, order = _checked(diagonal, beside, values)
    if starts != Signature((order, order), FLOAT32):
        raise InvalidCallError(f"vectors of {order} elements do not start from {starts}")
    return (Signature((count, order, order), FLOAT32),), (count, order)


def _values_estimate(costs: Costs, _results: tuple[Signature, ...], count: int, order: int) -> float:
    """Estimate the chain, and the counts."""
    points, turns = _points(order)
    width = points * -(-order // PARTITIONS)
    turn = 2 * order * costs.instruction("scalar_tensor_tensor", width) + 3 * costs.instruction("tensor_tensor", order * width)
    return 2 * costs.transfer_waits + count * turns * turn


def _vectors_estimate(costs: Costs, _results: tuple[Signature, ...], count: int, order: int) -> float:
    """Estimate the chain."""
    return 2 * costs.transfer_waits + count * 7 * order * costs.instruction("scalar_tensor_tensor", -(-order // PARTITIONS))


_OF_TRIDIAGONAL: Final = "{0} tridiagonal matrices of order {1}"
declare(Kernel("tridiagonal values", _values_rule, _values, "eigenvalues by counts of signs", _OF_TRIDIAGONAL, estimate=_values_estimate))
declare(Kernel("tridiagonal vectors", _vectors_rule, _vectors, "inverse iteration", _OF_TRIDIAGONAL, estimate=_vectors_estimate))
