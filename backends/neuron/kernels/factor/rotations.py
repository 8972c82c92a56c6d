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
from .lane_jacobi import moves, sines, sweeps

__all__: list[str] = []

_VECTOR: Final = nisa.engine.vector
_CONVERGED: Final = 2.0**-14
"""Of products of columns beside a largest element of 1, at most, before the last sweep; each sweep squares it."""
_NOTHING: Final = 2.0**-120


class _Rotations:
    """
    Columns of a matrix, one on each partition, of which rotations make the first elements orthogonal, pair by pair (i, i + h).

    Parameters
    ----------
    order : int
        Columns, of which one more is zero if they are odd, and elements that count.
    count : int
        Planes: 2 of complex elements.
    """

    def __init__(self, order: int, count: int) -> None:
        self.order, self.count, self.half = order, count, (order + 1) // 2
        self.rows, self.width = 2 * self.half, 2 * count * order
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

    def _parts(self, tile: Any) -> list[Any]:
        """View the planes of both matrices that lie beside each other."""
        split = tile.reshape((self.rows, 2, self.count, self.order))
        return [split[:, :, place] for place in range(self.count)]

    def _sums(self, own: Any, other: Any) -> list[Any]:
        """Add up squares of both columns, and their product, ``own* other``: the same numbers, but for signs, on both partitions."""
        width = self.count * self.order
        products, sums = scratch((self.rows, 3, width), nl.float32), scratch((self.rows, 3), nl.float32)
        copy = scratch((self.rows, width), nl.float32)
        nisa.tensor_copy(copy, other[:, :width], engine=_VECTOR)
        for place, (a, b) in enumerate(((own[:, :width], own[:, :width]), (copy, copy), (own[:, :width], copy))):
            nisa.tensor_tensor(products[:, place], a, b, nl.multiply, engine=_VECTOR)
        nisa.tensor_reduce(sums, nl.add, products, axis=2)
        found = [sums[:, place : place + 1] for place in range(3)]
        if self.count > 1:
            crossed, terms = scratch((self.rows, 2, self.order), nl.float32), scratch((self.rows, 3), nl.float32)
            halves = slice(0, self.order), slice(self.order, width)
            for place in range(2):
                nisa.tensor_tensor(crossed[:, place], own[:, halves[place]], copy[:, halves[1 - place]], nl.multiply, engine=_VECTOR)
            nisa.tensor_reduce(terms[:, :2], nl.add, crossed, axis=2)
            nisa.tensor_tensor(terms[:, 2:], terms[:, :1], terms[:, 1:2], nl.subtract, engine=_VECTOR)
            found.append(terms[:, 2:])
        return found

    def turn(self, *, watched: bool) -> None:
        """Move rows to their places in the next round, and rotate pairs of them."""
        own = scratch((self.rows, self.width), nl.float32)
        bank = self.banks.take()[: self.rows, : self.width]
        nisa.nc_matmul(bank, self.moved, self.tile, is_stationary_onezero=True, accumulate=False)
        nisa.tensor_copy(own, bank, engine=_VECTOR)
        other = self.banks.take()[: self.rows, : self.width]
        nisa.nc_matmul(other, self.partner, self.tile, is_stationary_onezero=True, accumulate=False)
        first, second, *across = self._sums(own, other)
        for plane in across if watched else ():
            size = scratch((self.rows, 1), nl.float32)
            nisa.tensor_scalar(size.view(nl.uint32), plane.view(nl.uint32), nl.bitwise_and, 0x7FFFFFFF, engine=_VECTOR)
            nisa.tensor_tensor(self.worst, self.worst, size, nl.maximum, engine=_VECTOR)
        turns, lacking = self._angle(first, second, across)
        # own + sine other - (1 - cosine) own, and sines of complex pairs turn the other one to the phase of the first.
        turned = scratch((self.rows, self.width), nl.float32)
        nisa.scalar_tensor_tensor(turned, other, nl.multiply, turns[0], nl.add, own)
        if self.count == 1:
            nisa.scalar_tensor_tensor(self.tile, own, nl.multiply, lacking, nl.add, turned)
            return
        nisa.scalar_tensor_tensor(turned, own, nl.multiply, lacking, nl.add, turned)
        minus = scratch((self.rows, 1), nl.float32)
        nisa.tensor_scalar(minus, turns[1], nl.multiply, -1.0, engine=_VECTOR)
        targets, sources, begun = (self._parts(tile) for tile in (self.tile, other, turned))
        # The sine's imaginary part has the other sign than that of the product of the columns.
        nisa.scalar_tensor_tensor(targets[0], sources[1], nl.multiply, turns[1], nl.add, begun[0])
        nisa.scalar_tensor_tensor(targets[1], sources[0], nl.multiply, minus, nl.add, begun[1])

    def _angle(self, first: Any, second: Any, across: list[Any]) -> tuple[list[Any], Any]:
        """Compute sines with their signs changed, and cosines less 1, of rotations of columns whose squares and products these are."""

        def made() -> Any:
            return scratch((self.rows, 1), nl.float32)

        total, inverse, apart = (made() for _ in range(3))
        nisa.tensor_tensor(total, first, second, nl.add, engine=_VECTOR)
        nisa.tensor_scalar(total, total, nl.add, _NOTHING, engine=_VECTOR)
        nisa.reciprocal(inverse, total)
        nisa.scalar_tensor_tensor(apart, second, nl.subtract, first, nl.multiply, inverse)
        twice = [made() for _ in across]
        for tile, plane in zip(twice, across, strict=True):
            nisa.tensor_scalar(tile, inverse, nl.multiply, plane, op1=nl.multiply, operand1=2.0, engine=_VECTOR)
        return sines(made, apart, twice, self.tie, -1.0)

    def run(self, turns: int, *, watched: bool) -> None:
        """Rotate, round after round, in a loop of the device."""
        nl.fori_loop(0, turns, lambda _: self.turn(watched=watched))


def _svd(emission: Emission, count: int, order: int, planes: int) -> None:
    """
    Make the columns of matrices A orthogonal by rotations: A V = W (M. R. Hestenes, J. SIAM 6, 1958).

    Notes
    -----
    Operands are transposed, of a largest element of about 1; results are the transposed W, whose rows are as long as the singular values,
    the transposed V, and 1 for matrices whose columns became orthogonal. Complex operands and results are in two planes.

    *Layout.* Columns of A and of V beside each other, a column on each partition; those of a pair are h partitions apart. Products with
    permutations bring the partner, and move columns to the places of the next round. *Bound.* The latency of a round, 31 instructions.

    *Error.* Singular values: ``5 n u`` times the largest; orthogonality of V ``5 n u``.
    """
    shape = (count, order, order)
    matrices = [emission.source(place, shape) for place in range(planes)]
    converged = emission.result((count, 1, 1), 2 * planes)
    results = [emission.result(shape, place) for place in range(2 * planes)]

    def one(part: Any, _count: int) -> None:
        work = _Rotations(order, planes)
        nisa.memset(work.tile, 0.0)
        for place, matrix in enumerate(matrices):
            nisa.dma_copy(work.tile[:order, place * order : (place + 1) * order], part(matrix)[0])
        right = work.tile[:, planes * order : (planes + 1) * order]
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


def _rule(matrix: Signature, *others: Signature) -> Ruling:
    shape, planes = matrix.shape, 1 + len(others)
    fits = len(shape) == 3 and shape[1] == shape[2] and 1 < shape[1] <= PARTITIONS and matrix.dtype == FLOAT32
    if not fits or planes > 2 or any(other != matrix for other in others):
        raise InvalidCallError(f"SVD takes float32 matrices of 2 to {PARTITIONS} rows in one plane or two, not {[matrix, *others]}")
    return (*[matrix] * (2 * planes), Signature((shape[0],), FLOAT32)), (shape[0], shape[1], planes)


def _estimate(costs: Costs, _results: tuple[Signature, ...], count: int, order: int, planes: int) -> float:
    """Estimate the rounds."""
    wide = 3 * costs.instruction("tensor_tensor", 2 * planes * order) + costs.instruction("tensor_tensor", 6 * planes * order)
    turn = wide + (16 + 10 * planes) * costs.instruction("tensor_tensor", 1) + 2 * costs.waits("tensor")
    return 2 * costs.transfer_waits + count * (sweeps(order) + 2) * order * turn


declare(Kernel("SVD", _rule, _svd, "singular values by Jacobi rotations", "{0} matrices of order {1}", estimate=_estimate))
