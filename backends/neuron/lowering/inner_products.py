"""Products of small matrices as sums of products of elements, which need no Tensor Engine."""

from __future__ import annotations

from typing import Final

from ...dtypes import FLOAT32, DType
from ..graph.build import cast, elementwise, reshape
from ..graph.graph import Node
from ..graph.primitives import Read
from ..layout import Layout, contiguous_strides
from .plane_reductions import reduced

__all__ = ["inner_products", "prefers_elements"]

_SMALL: Final = 1 << 15
_EACH: Final = 512
"""Products of elements for each matrix, of up to 128 at once, that take as long as the Tensor Engine takes to begin: sums round by it."""
_TALL: Final = 1024  # rows
_NARROW: Final = 256  # products of elements of each, in which the Vector Engine is faster
_FEW: Final = 32  # rows, and elements
_LONG: Final = 1 << 17  # elements of rows, of which there may be more
_PARTITIONS: Final = 128
_ROW: Final = 4096  # elements that are added up on a partition as they are multiplied
_PART: Final = 2048  # of one long row, so that SBUF holds what is computed before in the same stage
_LEAST: Final = 1024


def prefers_elements(count: int, m: int, k: int, n: int, one_right: bool) -> bool:
    """Tell whether products of elements are faster: of rows and columns, of many small matrices, and of few long rows with a vector."""
    if m == n == 1:
        return count > 1 or k > _ROW  # a shorter row lies on one partition
    if count == 1 and m >= _TALL and k * n <= _NARROW:
        return True
    if count == 1:
        return n == 1 and m <= (2 * _FEW if k >= _LONG else _FEW) and k >= _ROW and _width(k, True) > _FEW
    return m * n * k <= min(_SMALL, _EACH * count, _EACH * _PARTITIONS) and not one_right


def _width(k: int, over_partitions: bool = False, row: int = _ROW) -> int:
    """Find the longest part of a row, of which it has a whole number, that is added up at once, of some or of all 128 partitions."""
    most = min(row, k // _PARTITIONS if over_partitions else k)
    return k if k <= most else next((width for width in range(most, 0, -1) if k % width == 0), 1)


def inner_products(
    left: tuple[Node, ...],
    right: tuple[Node, ...],
    batch: tuple[int, ...],
    extents: tuple[int, int, int],
    transposed: tuple[bool, bool],
    dtype: DType,
) -> tuple[Node, ...]:
    """
    Multiply (batch..., m, k) and (batch..., k, n), in one or two planes each, which may lie transposed.

    Notes
    -----
    As a product of matrices with m = n = 1 that is one column of 128 elements for each instruction of the Tensor Engine; the Vector Engine
    multiplies and adds 128 at once. Products are in float32, which holds those of narrower floats exactly, and sums begin with 0 and are
    made in pairs; those of parts of one long row belong to the stage that makes its elements. An infinity or NaN shows in its own row and
    column only.
    """
    m, k, n = extents
    alone = m == n == 1
    shape = (*batch, k) if alone else (*batch, m, n, k)

    def of(plane: Node, turned: bool, first: bool) -> Node:
        plane = cast(plane, FLOAT32)
        own = contiguous_strides(plane.shape)
        lead = len(batch) - (len(plane.shape) - 2)
        steps = (0,) * lead + tuple(0 if have == 1 else step for have, step in zip(plane.shape[:-2], own, strict=False))
        row, column = own[:-3:-1] if turned else own[-2:]
        along = (row, 0, column) if first else (0, column, row)
        return Node(Read(Layout(0, shape, (*steps, *(along[2:] if alone else along)))), (plane,))

    def summed(one: Node, other: Node) -> Node:
        product = elementwise("multiply", of(one, transposed[0], True), of(other, transposed[1], False), dtype=FLOAT32)
        width = _width(k, over_partitions=not batch, row=_PART if alone else _ROW)
        if width < k and (width >= _LEAST or batch or not alone):
            parts = reduced("sum", reshape(product, (*shape[:-1], k // width, width)), (len(shape),), FLOAT32)
            return reduced("add", parts, (len(shape) - 1,), FLOAT32)
        return reduced("sum", product, (len(shape) - 1,), FLOAT32)

    sums = [[summed(one, other) for other in right] for one in left]
    if len(left) == len(right) == 2:
        real = elementwise("subtract", sums[0][0], sums[1][1], dtype=FLOAT32)
        found = [real, elementwise("add", sums[0][1], sums[1][0], dtype=FLOAT32)]
    else:
        found = [one for row in sums for one in row]
    return tuple([reshape(cast(one, dtype), (*batch, m, n)) for one in found])
