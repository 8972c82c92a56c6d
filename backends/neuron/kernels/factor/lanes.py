"""
Small matrices, one or more of them on each partition: (P, rows, columns, m), in one plane or, if they are complex, in two.

The index in the batch is the fastest: one instruction works on an element of m matrices, or on a row or a block of all of them. Matrices
need nothing of each other, so that a singular one spoils no other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from ....isa import nisa, nl
from ..move.gather import in_loops
from ..row_distribution import spread_rows
from ..sbuf import PARTITIONS, scratch

__all__ = [
    "MOST_ELEMENTS", "Planes", "along_columns", "along_rows", "block", "divisors", "magnitudes", "over_lanes", "scale", "scaled", "stored",
    "subtract_product", "taken", "zeros",
]  # fmt: skip

Planes = list[Any]

MOST_ELEMENTS: Final = 12288
"""Of a partition, in the planes of a matrix and what stands beside it: three times as many have room."""
_ELEMENTS: Final = 4096  # of a partition, in one plane, where several matrices share it
_VECTOR: Final = nisa.engine.vector


def over_lanes(count: int, elements: int, instructions: int, body: Callable[[Callable[[Any], Any], int, int], None]) -> None:
    """Go over a batch of matrices of so many elements; the body gets a function that takes its part of tensors, and the extents P and m."""
    each = max(1, min(_ELEMENTS // elements, count // PARTITIONS))

    def some(part: Callable[[Any], Any], rows: int) -> None:
        for first, partitions, on_each in spread_rows(rows, each):

            def of(tensor: Any, first: int = first, partitions: int = partitions, on_each: int = on_each) -> Any:
                return part(tensor)[first : first + partitions * on_each].reshape_dim(0, (partitions, on_each))

            body(of, partitions, on_each)

    in_loops(count, PARTITIONS * each, instructions, some)


def taken(views: Sequence[Any], into: Sequence[Any] | None = None) -> Planes:
    """Load matrices, (P, m, rows, columns) in HBM."""
    planes = []
    for place, view in enumerate(views):
        partitions, each, rows, columns = view.shape
        tile = scratch((partitions, rows, columns, each), view.dtype) if into is None else into[place]
        if each == 1:
            nisa.dma_copy(tile[:, :, :, 0], view[:, 0])
        else:
            raw = scratch((partitions, each, rows, columns), view.dtype)
            nisa.dma_copy(raw, view)
            _copy(tile, raw.permute((0, 2, 3, 1)))
        planes.append(tile)
    return planes


def stored(views: Sequence[Any], planes: Sequence[Any]) -> None:
    """Store matrices to (P, m, rows, columns) in HBM."""
    for view, tile in zip(views, planes, strict=True):
        partitions, each, rows, columns = view.shape
        if each == 1 and tile.dtype == view.dtype:
            nisa.dma_copy(view[:, 0], tile[:, :, :, 0])
            continue
        raw = scratch((partitions, each, rows, columns), view.dtype)
        _copy(raw.permute((0, 2, 3, 1)), tile)
        nisa.dma_copy(view, raw)


def _copy(dst: Any, src: Any) -> None:
    """Copy by an engine that has nothing else to do."""
    on_scalar = nisa.get_nc_version() >= nisa.nc_version.gen3
    nisa.tensor_copy(dst, src, engine=nisa.engine.scalar if on_scalar else nisa.engine.gpsimd)


def zeros(shape: tuple[int, int, int, int], count: int) -> Planes:
    """Make planes of zeros."""
    planes = [scratch(shape, nl.float32) for _ in range(count)]
    for plane in planes:
        nisa.memset(plane, 0.0)
    return planes


def block(planes: Planes, rows: slice, columns: slice) -> Planes:
    """Look at some rows and columns."""
    return [plane[:, rows, columns] for plane in planes]


def along_columns(planes: Planes, count: int) -> Planes:
    """Repeat a column."""
    return [plane.broadcast(2, count) for plane in planes]


def along_rows(planes: Planes, count: int) -> Planes:
    """Repeat a row."""
    return [plane.broadcast(1, count) for plane in planes]


def _terms(a: Planes, b: Planes) -> Iterator[tuple[int, Any, Any, bool]]:
    """List the products that the planes of a product are made of: which plane, of what, and whether it is subtracted."""
    for i, left in enumerate(a):
        for j, right in enumerate(b):
            yield (i + j) % 2, left, right, i + j == 2


def subtract_product(dst: Planes, a: Planes, b: Planes) -> None:
    """Subtract the product of elements."""
    for place, left, right, negative in _terms(a, b):
        product = scratch(dst[place].shape, nl.float32)
        nisa.tensor_tensor(product, left, right, nl.multiply, engine=_VECTOR)
        nisa.tensor_tensor(dst[place], dst[place], product, nl.add if negative else nl.subtract, engine=_VECTOR)


def scaled(dst: Planes, a: Planes, factor: Planes, before: float = 1.0) -> None:
    """Multiply elements by others, and by a power of two before that; not in place where both are complex."""
    made = set[int]()
    for place, left, right, negative in _terms(a, factor):
        target = dst[place] if place not in made else scratch(dst[place].shape, nl.float32)
        nisa.scalar_tensor_tensor(target, left, nl.multiply, before, nl.multiply, right)
        if place in made:
            nisa.tensor_tensor(dst[place], dst[place], target, nl.subtract if negative else nl.add, engine=_VECTOR)
        made.add(place)


_QUARTER: Final = 0.25


def divisors(pivots: Planes, of_zero: float = math.inf) -> Planes:
    """
    Make what is multiplied by instead of a division by numbers, after a multiplication by 1 / 4, which `scaled` does.

    The reciprocals of a quarter of all numbers from 2**-124 on are normal ones.
    """
    shape = pivots[0].shape
    if len(pivots) == 1:
        quarter, result = scratch(shape, nl.float32), scratch(shape, nl.float32)
        nisa.tensor_scalar(quarter, pivots[0], nl.multiply, _QUARTER, engine=_VECTOR)
        if of_zero != math.inf:
            nisa.scalar_tensor_tensor(quarter, pivots[0], nl.equal, 0.0, nl.add, quarter)
        nisa.reciprocal(result, quarter)
        return [result]
    return _complex_divisors(pivots, of_zero)


def _complex_divisors(pivots: Planes, of_zero: float) -> Planes:
    """Make four times the reciprocals, by way of numbers whose larger part is 1."""
    shape = pivots[0].shape
    largest = magnitudes(pivots, nl.maximum)
    (inverse,) = divisors([largest], of_zero)
    unit = [scratch(shape, nl.float32) for _ in pivots]
    for part, pivot in zip(unit, pivots, strict=True):
        nisa.scalar_tensor_tensor(part, pivot, nl.multiply, _QUARTER, nl.multiply, inverse)
    square = scratch(shape, nl.float32)
    other = scratch(shape, nl.float32)
    nisa.tensor_tensor(square, unit[0], unit[0], nl.multiply, engine=_VECTOR)
    nisa.tensor_tensor(other, unit[1], unit[1], nl.multiply, engine=_VECTOR)
    nisa.tensor_tensor(square, square, other, nl.add, engine=_VECTOR)
    nisa.scalar_tensor_tensor(other, square, nl.equal, 0.0, nl.add, square)
    nisa.reciprocal(square, other)
    for part, sign in zip(unit, (1.0, -1.0), strict=True):
        nisa.tensor_tensor(part, part, square, nl.multiply, engine=_VECTOR)
        nisa.scalar_tensor_tensor(part, part, nl.multiply, sign, nl.multiply, inverse)
    return unit


def magnitudes(planes: Planes, op: Any = nl.add) -> Any:
    """Make absolute values; of complex numbers the sum of those of both parts, by which LAPACK chooses pivots, or the larger."""
    sizes = []
    for plane in planes:
        size = scratch(plane.shape, nl.float32)
        nisa.tensor_scalar(size.view(nl.uint32), plane.view(nl.uint32), nl.bitwise_and, 0x7FFFFFFF, engine=_VECTOR)
        sizes.append(size)
    if len(sizes) > 1:
        nisa.tensor_tensor(sizes[0], *sizes, op, engine=_VECTOR)
    return sizes[0]


def scale(*planes: Any) -> Any:
    """Divide matrices by powers of two, so that the largest part of an element is from 1 to 2; give these powers, (P, 1, 1, m)."""
    partitions, rows, columns, each = planes[0].shape
    largest = scratch((partitions, len(planes), rows, each), nl.float32)
    for place, tile in enumerate(planes):
        sizes = scratch(tile.shape, nl.float32)
        nisa.tensor_scalar(sizes.view(nl.uint32), tile.view(nl.uint32), nl.bitwise_and, 0x7F800000, engine=_VECTOR)
        nisa.tensor_reduce(largest[:, place], nl.maximum, sizes.permute((0, 1, 3, 2)), axis=3)
    power, inverse = (scratch((partitions, 1, 1, each), nl.float32) for _ in range(2))
    of_all = largest.reshape((partitions, len(planes) * rows, each))
    nisa.tensor_reduce(power[:, 0, 0], nl.maximum, of_all.permute((0, 2, 1)), axis=2)
    # Exponents from 1 to 253, of which the reciprocal is a normal number.
    nisa.tensor_scalar(power, power, nl.maximum, 2.0**-126, op1=nl.minimum, operand1=2.0**126, engine=_VECTOR)
    nisa.reciprocal(inverse, power)
    for tile in planes:
        for row in range(rows):
            part = tile[:, row : row + 1]
            nisa.tensor_tensor(part, part, inverse.broadcast(2, columns), nl.multiply, engine=_VECTOR)
    return power
