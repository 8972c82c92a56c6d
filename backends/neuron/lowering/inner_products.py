"""Products of matrices with one row and one column: sums of products of elements, which need no Tensor Engine."""

from __future__ import annotations

from ...dtypes import FLOAT32, DType
from ..graph.build import broadcast, cast, elementwise, reshape
from ..graph.graph import Node
from .plane_reductions import reduced

__all__ = ["inner_products"]


def inner_products(left: tuple[Node, ...], right: tuple[Node, ...], batch: tuple[int, ...], dtype: DType) -> tuple[Node, ...]:
    """
    Multiply rows (batch..., 1, k), in one or two planes, with columns (batch..., k, 1).

    Notes
    -----
    As a product of matrices that is one column of 128 elements for each instruction of the Tensor Engine; the Vector Engine multiplies and
    adds 128 at once. Products are in float32, which holds those of narrower floats exactly, and sums begin with 0 and are made in pairs.
    """
    depth = max(left[0].shape[-2:])

    def rows(plane: Node) -> Node:
        return broadcast(cast(reshape(plane, (*plane.shape[:-2], depth)), FLOAT32), (*batch, depth))

    def summed(one: Node, other: Node) -> Node:
        return reduced("sum", elementwise("multiply", one, other, dtype=FLOAT32), (len(batch),), FLOAT32)

    sums = [[summed(rows(one), rows(other)) for other in right] for one in left]
    if len(left) == len(right) == 2:
        real = elementwise("subtract", sums[0][0], sums[1][1], dtype=FLOAT32)
        found = [real, elementwise("add", sums[0][1], sums[1][0], dtype=FLOAT32)]
    else:
        found = [one for row in sums for one in row]
    return tuple([cast(one, dtype) for one in found])
