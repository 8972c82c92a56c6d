"""Equations with small triangular matrices."""

from __future__ import annotations

from typing import Any, Final

from ....dtypes import FLOAT32, INT32
from ....isa import nisa, nl
from ....rules import Signature
from ...costs import Costs
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..emission import Emission
from ..sbuf import PARTITIONS, scratch
from .lane_elimination import MOST_ROWS, exchange_rows, square_stack
from .lanes import (
    MOST_ELEMENTS,
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
)

__all__: list[str] = []

_VECTOR: Final = nisa.engine.vector


def _solve(emission: Emission, planes: int, count: int, order: int, sides: int, lower: bool, transposed: bool, unit: bool) -> None:
    """
    Solve with triangular matrices, or their transposes, by substitution, column by column.

    Notes
    -----
    *Layout.* See `lanes`.

    *Bound.* Vector Engine: four cycles for an element of the right-hand sides and a row of the triangle; of few matrices the latency of
    four instructions for each row.

    *Error.* Backward: ``(n + 2) u``, row by row.
    """
    matrices = [emission.source(place, (count, order, order)) for place in range(planes)]
    given = [emission.source(planes + place, (count, order, sides)) for place in range(planes)]
    results = [emission.result((count, order, sides), place) for place in range(planes)]
    regular = emission.result((count, 1, 1), planes)

    def some(part: Any, partitions: int, each: int) -> None:
        triangle, right = taken([part(view) for view in matrices]), taken([part(view) for view in given])
        if transposed:
            triangle = [plane.permute((0, 2, 1, 3)) for plane in triangle]
        fine = scratch((partitions, 1, 1, each), nl.float32)
        nisa.memset(fine, 1.0)
        inverses = []
        if not unit:
            diagonal = [scratch((partitions, order, 1, each), nl.float32) for _ in triangle]
            for made, plane in zip(diagonal, triangle, strict=True):
                for k in range(order):
                    nisa.tensor_copy(made[:, k : k + 1], plane[:, k : k + 1, k : k + 1], engine=_VECTOR)
            sizes = magnitudes(diagonal)
            nisa.tensor_reduce(fine, nl.minimum, sizes.permute((0, 2, 3, 1)), axis=3)
            nisa.tensor_scalar(fine, fine, nl.not_equal, 0.0, engine=_VECTOR)
            inverses = divisors(diagonal)
        forwards = lower != transposed
        for k in range(order) if forwards else reversed(range(order)):
            row = block(right, slice(k, k + 1), slice(0, sides))
            if not unit:
                product = [scratch((partitions, 1, sides, each), nl.float32) for _ in right]
                scaled(product, row, along_columns(block(inverses, slice(k, k + 1), slice(0, 1)), sides), 0.25)
                for one, found in zip(row, product, strict=True):
                    nisa.tensor_copy(one, found, engine=_VECTOR)
            rest = slice(k + 1, order) if forwards else slice(0, k)
            if count_of := rest.stop - rest.start:
                column = along_columns(block(triangle, rest, slice(k, k + 1)), sides)
                subtract_product(block(right, rest, slice(0, sides)), column, along_rows(row, count_of))
        stored([part(view) for view in results], right)
        stored([part(regular)], [fine])

    over_lanes(count, order * max(order, sides), 6 * order * planes**2, some)


def _exchange(emission: Emission, planes: int, count: int, order: int, sides: int, back: bool) -> None:
    """
    Exchange rows as a factorization did, or back.

    Notes
    -----
    *Layout.* See `lanes`; operands are the row that each row was exchanged with, and the planes.

    *Bound.* Vector Engine: four cycles for an element and a row above it; of few matrices the latency of n**2 / 2 instructions.
    """
    numbers = emission.source(0, (count, order, 1))
    given = [emission.source(1 + place, (count, order, sides)) for place in range(planes)]
    results = [emission.result((count, order, sides), place) for place in range(planes)]

    def some(part: Any, partitions: int, each: int) -> None:
        wanted = scratch((partitions, order, 1, each), nl.float32)
        loaded = scratch((partitions, each, order, 1), nl.int32)
        nisa.dma_copy(loaded, part(numbers))
        nisa.tensor_copy(wanted, loaded.permute((0, 2, 3, 1)), engine=_VECTOR)
        places = scratch((partitions, order, 1, each), nl.float32)
        nisa.iota(places, [[1, order], [0, each]])
        tiles = taken([part(view) for view in given])
        for k in reversed(range(order - 1)) if back else range(order - 1):
            here = scratch((partitions, order - k, 1, each), nl.uint8)
            nisa.tensor_tensor(here, places[:, k:], wanted[:, k : k + 1].broadcast(1, order - k), nl.equal, engine=_VECTOR)
            exchange_rows(tiles, k, here)
        stored([part(view) for view in results], tiles)

    over_lanes(count, order * max(order, sides), order * (order // 2 + 4) * planes, some)


def _exchange_rule(numbers: Signature, *planes: Signature, back: bool = False) -> Ruling:
    count, order, sides = planes[0].shape
    fits = order <= MOST_ROWS and order * sides <= MOST_ELEMENTS
    if numbers != Signature((count, order), INT32) or any(plane != planes[0] for plane in planes) or not fits:
        raise InvalidCallError(f"rows of {planes} are not exchanged by {numbers} in lanes, which take {MOST_ROWS} rows")
    return planes, (len(planes), count, order, sides, back)


def _rule(*planes: Signature, lower: bool, transposed: bool = False, unit: bool = False) -> Ruling:
    half = len(planes) // 2
    count, order = square_stack("triangular solve in lanes", planes[:half])
    sides = planes[half]
    if sides.shape[:2] != (count, order) or len(sides.shape) != 3 or any(plane != sides for plane in planes[half:]):
        raise InvalidCallError(f"triangular solve in lanes of {planes[0]} has no right-hand sides {sides}")
    if half * order * (order + sides.shape[2]) > MOST_ELEMENTS:
        raise InvalidCallError(f"triangular solve in lanes has no room for {sides.shape[2]} right-hand sides of {order} equations")
    return (*planes[half:], Signature((count,), FLOAT32)), (half, count, order, sides.shape[2], lower, transposed, unit)


def _estimate(costs: Costs, _results: tuple[Signature, ...], planes: int, count: int, order: int, sides: int, *_: bool) -> float:
    """Estimate the steps."""
    each = max(1, count / PARTITIONS) * sides
    steps = sum(costs.instruction("tensor_tensor", k * each) for k in range(order))
    return 2 * costs.transfer_waits + 2 * (steps + order * costs.instruction("tensor_tensor", each)) * planes**2


_OVER: Final = "{1} systems of {2} equations, {3} right-hand sides"
declare(Kernel("triangular solve in lanes", _rule, _solve, "triangular solve", _OVER, estimate=_estimate))
declare(Kernel("exchange rows in lanes", _exchange_rule, _exchange, "exchange rows", "{1} matrices of {2} × {3}", estimate=_estimate))
