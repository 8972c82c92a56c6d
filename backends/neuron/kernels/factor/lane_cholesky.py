"""Cholesky factors of small matrices."""

from __future__ import annotations

from typing import Any, Final

from ....dtypes import FLOAT32
from ....isa import nisa, nl
from ....rules import Signature
from ...costs import Costs
from ...kernel import Kernel, Ruling, declare
from ..elementwise import EMITTERS
from ..emission import Emission
from ..sbuf import PARTITIONS, scratch
from .lane_elimination import square_stack
from .lanes import Planes, along_columns, along_rows, block, divisors, over_lanes, scaled, stored, subtract_product, taken

__all__: list[str] = []

_VECTOR: Final = nisa.engine.vector


def _columns(planes: Planes) -> tuple[Any, Any]:
    """Make the columns of L times their pivots' roots, in place; give the pivots, (P, n, 1, m), and 1 where all are positive, or NaN."""
    partitions, order, _, each = planes[0].shape
    pivots, positive = scratch((partitions, order, 1, each), nl.float32), scratch((partitions, 1, 1, each), nl.float32)
    nisa.memset(positive, 1.0)
    for k in range(order):
        pivot, more = planes[0][:, k : k + 1, k : k + 1], scratch((partitions, 1, 1, each), nl.float32)
        nisa.tensor_copy(pivots[:, k : k + 1], pivot, engine=_VECTOR)
        nisa.tensor_scalar(more, pivot, nl.less_equal, 0.0, op1=nl.equal, operand1=0.0, engine=_VECTOR)  # NaN is none of these
        nisa.tensor_tensor(positive, positive, more, nl.multiply, engine=_VECTOR)
        rows = order - k - 1
        if not rows:
            continue
        below = slice(k + 1, order)
        column = block(planes, below, slice(k, k + 1))
        factors = [scratch((partitions, rows, 1, each), nl.float32) for _ in planes]
        scaled(factors, column, along_rows(divisors([pivot]), rows), 0.25)
        adjoint = [plane.permute((0, 2, 1, 3)) for plane in column]
        if len(planes) > 1:
            imaginary = scratch(adjoint[1].shape, nl.float32)
            nisa.tensor_scalar(imaginary, adjoint[1], nl.multiply, -1.0, engine=_VECTOR)
            adjoint[1] = imaginary
        subtract_product(block(planes, below, below), along_columns(factors, rows), along_rows(adjoint, rows))
    return pivots, positive


def _factor(emission: Emission, planes: int, count: int, order: int) -> None:
    """
    Factor positive-definite matrices A = L L*, of which the lower triangle is read.

    Notes
    -----
    Roots are taken of all pivots together, at the end, so that no column waits for one.

    *Layout.* See `lanes`.

    *Bound.* Vector Engine: four cycles for an element of the columns that are left; of few matrices the latency of 8 n instructions.

    *Error.* Backward: ``(n + 4) u``.
    """
    shape = (count, order, order)
    matrices = [emission.source(place, shape) for place in range(planes)]
    results = [emission.result(shape, place) for place in range(planes)]
    definite = emission.result((count, 1, 1), planes)

    def some(part: Any, partitions: int, each: int) -> None:
        tiles = taken([part(view) for view in matrices])
        pivots, positive = _columns(tiles)
        roots = scratch((partitions, order, 1, each), nl.float32)
        flat = (partitions, order * each)
        EMITTERS["sqrt"].loops["float32"].emit(roots.reshape(flat), pivots.reshape(flat))
        inverses = divisors([roots])
        for k in range(order):
            for place, plane in enumerate(tiles):
                if k + 1 < order:
                    column = plane[:, k + 1 :, k : k + 1]
                    nisa.scalar_tensor_tensor(
                        column, column, nl.multiply, 0.25, nl.multiply, inverses[0][:, k : k + 1].broadcast(1, order - k - 1)
                    )
                    nisa.memset(plane[:, k : k + 1, k + 1 :], 0.0)
                if place:
                    nisa.memset(plane[:, k : k + 1, k : k + 1], 0.0)
                else:
                    nisa.tensor_copy(plane[:, k : k + 1, k : k + 1], roots[:, k : k + 1], engine=_VECTOR)
        stored([part(view) for view in results], tiles)
        stored([part(definite)], [positive])

    over_lanes(count, order * order, 14 * order * planes**2, some)


def _rule(*planes: Signature) -> Ruling:
    count, order = square_stack("Cholesky in lanes", planes)
    return (*planes, Signature((count,), FLOAT32)), (len(planes), count, order)


def _estimate(costs: Costs, _results: tuple[Signature, ...], planes: int, count: int, order: int) -> float:
    """Estimate the steps."""
    each = max(1, count / PARTITIONS)
    total = 2 * costs.transfer_waits
    for k in range(order):
        rows = order - k - 1
        total += 6 * costs.instruction("tensor_scalar", rows * each) + 2 * costs.instruction("tensor_tensor", rows**2 * each) * planes**2
    return total


declare(Kernel("Cholesky in lanes", _rule, _factor, "Cholesky factorization", "{1} matrices of order {2}", estimate=_estimate))
