"""Products with rows padded to equal lengths, by gathers from the dense operand: any structure, any dtype."""

from __future__ import annotations

from typing import Final

import numpy as np

from ....dtypes import INT32
from ...value import Value
from .. import Builder
from ..concatenation import join
from ..op_calls import call
from .segment_sums import Level, levels, total
from .structure import Structure, taken, with_zero

__all__ = ["multiply_padded", "row_levels", "row_sums"]

_MOST: Final = 1 << 26  # products of elements at once


def row_levels(structure: Structure) -> list[Level]:
    """Plan the sums of the stored elements of each row."""
    return structure.kept("levels", lambda: levels(structure.counts()))


def _indices(builder: Builder, structure: Structure, planned: list[Level]) -> list[Value]:
    """Bring the sources of the second and further levels."""
    return [
        structure.device_indices(builder, ("level", number), lambda level=level: level.sources)  # type: ignore[misc]
        for number, level in enumerate(planned[1:])
    ]


def multiply_padded(builder: Builder, structure: Structure, data: Value, x: Value) -> Value:
    """
    Multiply a sparse matrix, of which the stored values are given, with a vector or a matrix of the result's dtype.

    Notes
    -----
    For each stored element the Vector Engine multiplies its value with a row of the dense operand that DMA, or GpSimd, gathers; rows of
    products are added up (`segment_sums`). Padding takes a row of zeros: infinities and NaN reach the rows that they reach in SciPy.

    *Bound.* The gather. *Error.* A product rounds once; a row of L elements is a sum in any order: ``(L + 1) u |A| |x|``.
    """
    planned = row_levels(structure)
    weights = structure.values(builder, "padded", data, x.dtype, lambda: planned[0].sources)
    at = structure.device_indices(
        builder, "columns", lambda: np.append(structure.columns, np.int32(structure.shape[1]))[planned[0].sources].astype(np.int32)
    )
    each = max(1, _MOST // weights.size)
    if x.ndim == 2 and x.shape[1] > each:
        parts = [x.view(x.shadow[:, low : low + each]) for low in range(0, x.shape[1], each)]
        found = [_product(builder, structure, planned, weights, at, builder.make(part.read(), x.dtype)) for part in parts]
        return join(builder, [(part.shape, part.read()) for part in found], 1, x.dtype)
    return _product(builder, structure, planned, weights, at, x)


def _product(builder: Builder, structure: Structure, planned: list[Level], weights: Value, at: Value, x: Value) -> Value:
    elements = taken(builder, with_zero(builder, x), at)
    weights = weights.view(weights.shadow[(..., *(np.newaxis,) * (x.ndim - 1))])
    products = call(builder, "multiply", elements, weights)
    return total(builder, planned, _indices(builder, structure, planned), products)


def row_sums(builder: Builder, structure: Structure, data: Value) -> Value:
    """Add up the stored values of each row; of truth values tell whether one is true."""
    if not len(structure.rows):
        shape = (structure.shape[0],)
        return call(builder, "zeros", shape, data.dtype)
    planned, truth = row_levels(structure), data.dtype.kind == "b"
    weights = structure.values(builder, "padded", data, INT32 if truth else data.dtype, lambda: planned[0].sources)
    sums = total(builder, planned, _indices(builder, structure, planned), weights)
    return call(builder, "not_equal", sums, 0) if truth else sums


