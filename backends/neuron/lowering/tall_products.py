"""Products of the transpose of a tall, narrow matrix with another one: of the narrowest ones several rows at once."""

from __future__ import annotations

from typing import Final

from ...dtypes import FLOAT32, DType
from ..graph.build import call, cast, elementwise
from ..graph.graph import Node
from ..graph.primitives import Read
from ..layout import Layout
from .plane_reductions import reduced

__all__ = ["multiply_tall", "packed_rows"]

_PARTITIONS: Final = 128
_DEEP: Final = 1024  # rows of what is multiplied at once
_WIDEST: Final = 256  # columns from which on nothing is won
_MOST: Final = 1 << 19


def packed_rows(m: int, k: int, n: int) -> int:
    """Count the rows of both matrices, (k, m) and (k, n), that are taken for one: 0 where the product is rather one as any."""
    count = max(_PARTITIONS // max(m, n, 1), 1)
    least = _DEEP * (count if count > 1 else 4)
    return count if max(m, n) <= _WIDEST and least <= k <= _MOST * count // -(-m // _PARTITIONS) else 0


def multiply_tall(left: Node, right: Node, dtype: DType) -> Node:
    """
    Multiply the transpose of (k, m) with (k, n).

    Notes
    -----
    With r rows as one, (k / r, r m) and (k / r, r n), the product has the wanted ones of every r-th row as its r blocks on the diagonal,
    which are added up; the others are not looked at, so that an infinity or NaN shows in its own row and column only. The Tensor Engine
    needs r times fewer products, and DMA moves long rows.
    """
    (k, m), n = left.shape, right.shape[1]
    count = packed_rows(m, k, n)
    if count == 1:
        return cast(_product(left, right), dtype)
    whole = k // count
    packed = [_part(node, 0, (whole, count * node.shape[1])) for node in (left, right)]
    blocks = _product(*packed)
    diagonal = Layout(0, (m, n, count), (count * n, 1, m * count * n + n))
    total = reduced("sum", Node(Read(diagonal), (blocks,)), (2,), FLOAT32)
    rest = k - whole * count
    if rest:
        last = _product(*(_part(node, whole * count, (rest, node.shape[1])) for node in (left, right)))
        total = elementwise("add", total, last, dtype=FLOAT32)
    return cast(total, dtype)


def _part(node: Node, row: int, shape: tuple[int, int]) -> Node:
    return Node(Read(Layout(row * node.shape[1], shape, (shape[1], 1))), (node,))


def _product(left: Node, right: Node) -> Node:
    (found,) = call("tall matmul", left, right)
    return found
