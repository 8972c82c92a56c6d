"""Eigenvalues and singular values of small matrices by Jacobi rotations."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from ....dtypes import FLOAT32
from ....isa import nisa, nl
from ....rules import Signature
from ...costs import Costs
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..emission import Emission
from ..sbuf import PARTITIONS, scratch
from .lane_elimination import square_stack
from .lanes import magnitudes, over_lanes, scale, stored, taken

__all__ = ["moves", "sines", "sweeps"]

MOST_ROWS: Final = 32
_VECTOR: Final = nisa.engine.vector
_CONVERGED: Final = 2.0**-14
"""Of what is off the diagonal beside a largest element of 1, at most, after the last sweep; each sweep squares it."""
_TINY: Final = 2.0**-100  # beside 1; the Scalar Engine takes roots from 2**-116 on


def moves(half: int) -> Iterator[tuple[bool, int, int, bool, int]]:
    """
    List where a round-robin tournament sends its pairs (i, h + i): which side, from and to which pair, to which side, from which pair on.

    The first one stays; the others go round (R. P. Brent, F. T. Luk, "The solution of singular-value and symmetric eigenvalue problems on
    multiprocessor arrays", SIAM J. Sci. Stat. Comput. 6, 1985).
    """
    if half == 1:
        yield from ((False, 0, 1, False, 0), (True, 0, 1, True, 0))
        return
    yield False, 0, 1, False, 0
    if half > 2:
        yield False, 1, half - 1, False, 2
    yield False, half - 1, half, True, half - 1
    yield True, 0, 1, False, 1
    yield True, 1, half, True, 0


def sweeps(order: int) -> int:
    """Tell after how many sweeps what is off the diagonal is below rounding."""
    return (3 if order > 2 else 1) + (order - 1).bit_length()


def sines(made: Callable[[], Any], apart: Any, twice: Sequence[Any], tie: Any, factor: float) -> tuple[list[Any], Any]:
    """
    Compute rotations that make Hermitian matrices of two rows diagonal: sines, times a factor of 1 or -1, and cosines less 1.

    `apart` is how far their diagonal elements are apart, `twice` is two times the ones off the diagonal, in one plane or two; what is
    apart by `tie` or more counts as positive. `made` makes tiles of their shape. Of the tangent x of half the angle, sines are
    ``2 x / (1 + x**2)``, and cosines ``1 - 2 x**2 / (1 + x**2)``: rotations keep lengths, whatever x is, and small ones change no length.
    """
    square, other, root = (made() for _ in range(3))
    alone = math.prod(apart.shape[1:]) == 1

    def add_squares(first: float, planes: Sequence[Any]) -> None:
        for place, plane in enumerate(planes):
            if alone and not place:
                nisa.tensor_scalar(square, plane, nl.multiply, plane, op1=nl.add, operand1=first, engine=_VECTOR)
            elif alone:
                nisa.scalar_tensor_tensor(square, plane, nl.multiply, plane, nl.add, square)
            elif not place:
                nisa.tensor_tensor(square, plane, plane, nl.multiply, engine=_VECTOR)
                nisa.tensor_scalar(square, square, nl.add, first, engine=_VECTOR)
            else:
                nisa.tensor_tensor(other, plane, plane, nl.multiply, engine=_VECTOR)
                nisa.tensor_tensor(square, square, other, nl.add, engine=_VECTOR)

    add_squares(_TINY, [apart, *twice])
    nisa.activation(root, nl.sqrt, square)
    # The smaller root of t**2 + t (second - first) / across - 1: 2 across / (d + sign(d) root), with d = second - first.
    nisa.tensor_scalar(other, apart, nl.greater_equal, tie, op1=nl.multiply, operand1=2.0, engine=_VECTOR)
    nisa.scalar_tensor_tensor(other, other, nl.subtract, 1.0, nl.multiply, root)
    nisa.tensor_tensor(other, other, apart, nl.add, engine=_VECTOR)
    nisa.reciprocal(root, other)
    tangents = [made() for _ in twice]
    for tangent, plane in zip(tangents, twice, strict=True):
        nisa.tensor_tensor(tangent, plane, root, nl.multiply, engine=_VECTOR)
    # That of half the angle: t / (1 + sqrt(1 + t**2)).
    add_squares(1.0, tangents)
    nisa.activation(root, nl.sqrt, square)
    nisa.tensor_scalar(root, root, nl.add, 1.0, engine=_VECTOR)
    nisa.reciprocal(other, root)
    halves = [made() for _ in twice]
    for half, tangent in zip(halves, tangents, strict=True):
        nisa.tensor_tensor(half, tangent, other, nl.multiply, engine=_VECTOR)
    add_squares(1.0, halves)
    nisa.reciprocal(root, square)
    for place, (sine, half) in enumerate(zip(tangents, halves, strict=True)):
        nisa.scalar_tensor_tensor(sine, half, nl.multiply, 2.0 * factor, nl.multiply, root)
        nisa.scalar_tensor_tensor(other if place else square, sine, nl.multiply, -factor, nl.multiply, half)
    if len(twice) > 1:
        nisa.tensor_tensor(square, square, other, nl.add, engine=_VECTOR)
    return tangents, square


class _Rotations:
    """
    Rotations that make symmetric matrices of two rows diagonal: cosines and sines, (P, h, m).

    Parameters
    ----------
    first, second, across : NkiTensor
        Elements of the matrices, on the diagonal and off it.
    """

    def __init__(self, first: Any, second: Any, across: Any) -> None:
        shape = first.shape

        def made(dtype: Any = nl.float32) -> Any:
            return scratch(shape, dtype)

        apart, twice = made(), made()
        nisa.tensor_tensor(apart, second, first, nl.subtract, engine=_VECTOR)
        nisa.tensor_scalar(twice, across, nl.multiply, 2.0, engine=_VECTOR)
        (sine,), cosine = sines(made, apart, [twice], 0.0, 1.0)
        nisa.tensor_scalar(cosine, cosine, nl.add, 1.0, engine=_VECTOR)
        self.cosine, self.sine, self.half = cosine, sine, shape[1]

    def apply(self, dst: Any, src: Any, axis: int) -> None:
        """Rotate rows or columns, and move them to the places of the next round."""
        half, order = self.half, 2 * self.half
        others = src.shape[3 - axis]

        def side(tile: Any, low: int, high: int) -> Any:
            return tile[:, low:high] if axis == 1 else tile[:, :, low:high]

        first, second = side(src, 0, half), side(src, half, order)
        cosine, sine = (one.expand_dim(3 - axis).broadcast(3 - axis, others) for one in (self.cosine, self.sine))
        products = [scratch(first.shape, nl.float32) for _ in range(4)]
        for product, left, right in zip(products, (cosine, sine, sine, cosine), (first, second, first, second), strict=True):
            nisa.tensor_tensor(product, left, right, nl.multiply, engine=_VECTOR)
        for low_side, begin, end, to_low, at in moves(half):
            to = at + half * to_low
            pair, op = (products[2:], nl.add) if low_side else (products[:2], nl.subtract)
            nisa.tensor_tensor(
                side(dst, to, to + end - begin), side(pair[0], begin, end), side(pair[1], begin, end), op, engine=_VECTOR
            )


def _largest(tile: Any) -> Any:
    """Find the largest elements of matrices, (P, 1, 1, m)."""
    partitions, rows, _, each = tile.shape
    by_row, largest = scratch((partitions, rows, each), nl.float32), scratch((partitions, 1, 1, each), nl.float32)
    nisa.tensor_reduce(by_row, nl.maximum, tile.permute((0, 1, 3, 2)), axis=3)
    nisa.tensor_reduce(largest[:, 0, 0], nl.maximum, by_row.permute((0, 2, 1)), axis=2)
    return largest


def _eigh(emission: Emission, count: int, order: int, vectors: bool) -> None:
    """
    Diagonalize symmetric matrices by Jacobi's method: rounds of rotations that need nothing of each other.

    Notes
    -----
    The lower triangle is read; eigenvalues are not sorted. Results: eigenvalues; 1 for matrices that became diagonal; eigenvectors. Of
    odd orders a row of zeros is added, which no rotation touches.

    *Layout.* See `lanes`. Pairs are (i, n / 2 + i); results of a round go to the places of the next one.

    *Bound.* Vector Engine: 18 n**2 cycles for a round and a matrix of a lane, with vectors; of few matrices the latency of about 50
    instructions.

    *Error.* Eigenvalues: ``3 n u`` times the largest; orthogonality ``3 n u``.
    """
    half = (order + 1) // 2
    even = 2 * half
    matrix = emission.source(0, (count, order, order))
    values, converged = emission.result((count, order, 1)), emission.result((count, 1, 1), 1)
    found = emission.result((count, order, order), 2) if vectors else None

    def some(part: Any, partitions: int, each: int) -> None:
        pairs = [[scratch((partitions, even, even, each), nl.float32) for _ in range(2)] for _ in range(1 + vectors)]
        tile = pairs[0][0]
        if even > order:
            nisa.memset(tile, 0.0)
        taken([part(matrix)], [tile[:, :order, :order]])
        for row in range(1, order):
            nisa.tensor_copy(tile[:, :row, row], tile[:, row, :row], engine=_VECTOR)
        power = scale(tile)
        if vectors:
            nisa.memset(pairs[1][0], 0.0)
            for row in range(even):
                nisa.memset(pairs[1][0][:, row, row], 1.0)
        between = scratch((partitions, even, even, each), nl.float32)

        for _ in range(sweeps(order)):
            for _ in range(even - 1):
                flat = pairs[0][0].reshape((partitions, even * even, each))
                diagonals = flat[:, : (half - 1) * (even + 1) + 1 : even + 1], flat[:, half * (even + 1) :: even + 1]
                rotations = _Rotations(*diagonals, flat[:, half : half + (half - 1) * (even + 1) + 1 : even + 1])
                rotations.apply(between, pairs[0][0], 1)
                rotations.apply(pairs[0][1], between, 2)
                if vectors:
                    rotations.apply(pairs[1][1], pairs[1][0], 2)
                for pair in pairs:
                    pair.reverse()
        diagonal, flat = scratch((partitions, order, 1, each), nl.float32), pairs[0][0].reshape((partitions, even * even, each))
        on = flat[:, : (order - 1) * (even + 1) + 1 : even + 1]
        nisa.tensor_tensor(diagonal[:, :, 0], on, power[:, 0].broadcast(1, order), nl.multiply, engine=_VECTOR)
        nisa.memset(on, 0.0)
        small = _largest(magnitudes([pairs[0][0]]))
        nisa.tensor_scalar(small, small, nl.less, _CONVERGED, engine=_VECTOR)
        stored([part(values), part(converged)], [diagonal, small])
        if found is not None:
            stored([part(found)], [pairs[1][0][:, :order, :order]])

    over_lanes(count, even * even * 2, 50 * even * sweeps(order), some)


def _svd(emission: Emission, count: int, order: int) -> None:
    """
    Make the columns of matrices A orthogonal by rotations: A V = W (M. R. Hestenes, J. SIAM 6, 1958).

    Notes
    -----
    Results: W, whose columns are as long as the singular values, V, and 1 for matrices whose columns became orthogonal.

    *Layout.* See `lanes`; pairs and places as in `_eigh`.

    *Bound.* Vector Engine: 18 n**2 cycles for a round and a matrix of a lane; of few matrices the latency of about 45 instructions.

    *Error.* Singular values: ``3 n u`` times the largest; orthogonality of V ``3 n u``.
    """
    half = (order + 1) // 2
    even = 2 * half
    shape = (count, order, order)
    matrix, converged = emission.source(0, shape), emission.result((count, 1, 1), 2)
    results = [emission.result(shape, place) for place in range(2)]

    def some(part: Any, partitions: int, each: int) -> None:
        pairs = [[scratch((partitions, even, even, each), nl.float32) for _ in range(2)] for _ in range(2)]
        for (tile, _), value in zip(pairs, (0.0, 1.0), strict=True):
            nisa.memset(tile, 0.0)
            for row in range(even if value else 0):
                nisa.memset(tile[:, row, row], value)
        taken([part(matrix)], [pairs[0][0][:, :order, :order]])
        power = scale(pairs[0][0])
        worst = scratch((partitions, half, each), nl.float32)
        for turn in range((sweeps(order) + 1) * (even - 1)):
            if turn == sweeps(order) * (even - 1):  # the last sweep tells how far from orthogonal columns were
                nisa.memset(worst, 0.0)
            first, second = pairs[0][0][:, :, :half], pairs[0][0][:, :, half:]
            dots = _dots(first, first), _dots(second, second), _dots(first, second)
            if turn >= sweeps(order) * (even - 1):
                size = magnitudes([dots[2]])
                nisa.tensor_tensor(worst, worst, size, nl.maximum, engine=_VECTOR)
            rotations = _Rotations(*dots)
            for pair in pairs:
                rotations.apply(pair[1], pair[0], 2)
                pair.reverse()
        small = scratch((partitions, 1, 1, each), nl.float32)
        nisa.tensor_reduce(small[:, 0, 0], nl.maximum, worst.permute((0, 2, 1)), axis=2)
        nisa.tensor_scalar(small, small, nl.less, _CONVERGED, engine=_VECTOR)
        found = pairs[0][0][:, :order, :order]
        for row in range(order):
            nisa.tensor_tensor(found[:, row : row + 1], found[:, row : row + 1], power.broadcast(2, order), nl.multiply, engine=_VECTOR)
        stored([part(view) for view in (*results, converged)], [found, pairs[1][0][:, :order, :order], small])

    over_lanes(count, even * even * 2, 45 * even * (sweeps(order) + 1), some)


def _dots(left: Any, right: Any) -> Any:
    """Multiply columns, (P, n, h, m), and add up: (P, h, m)."""
    product, sums = scratch(left.shape, nl.float32), scratch((left.shape[0], *left.shape[2:]), nl.float32)
    nisa.tensor_tensor(product, left, right, nl.multiply, engine=_VECTOR)
    nisa.tensor_reduce(sums, nl.add, product.permute((0, 2, 3, 1)), axis=3)
    return sums


def _svd_rule(matrix: Signature) -> Ruling:
    count, order = square_stack("SVD in lanes", (matrix,))
    if order > MOST_ROWS:
        raise InvalidCallError(f"SVD in lanes takes matrices of up to {MOST_ROWS} rows, not {order}")
    return (matrix, matrix, Signature((count,), FLOAT32)), (count, order)


def _rule(matrix: Signature, *, vectors: bool = True) -> Ruling:
    count, order = square_stack("eigh in lanes", (matrix,))
    if order > MOST_ROWS:
        raise InvalidCallError(f"eigh in lanes takes matrices of up to {MOST_ROWS} rows, not {order}")
    results = Signature((count, order), FLOAT32), Signature((count,), FLOAT32)
    return (*results, matrix) if vectors else results, (count, order, vectors)


def _estimate(costs: Costs, _results: tuple[Signature, ...], count: int, order: int, vectors: bool = True) -> float:
    """Estimate the rounds."""
    each = max(1, count / PARTITIONS)
    one = costs.instruction("tensor_tensor", order * (order + 1) // 2 * each)
    small = costs.instruction("tensor_tensor", order * each)
    return 2 * costs.transfer_waits + sweeps(order) * order * (6 * (2 + vectors) * one + 20 * small)


declare(Kernel("eigh in lanes", _rule, _eigh, "eigenvalues by Jacobi rotations", "{0} matrices of order {1}", estimate=_estimate))
declare(Kernel("SVD in lanes", _svd_rule, _svd, "singular values by Jacobi rotations", "{0} matrices of order {1}", estimate=_estimate))
