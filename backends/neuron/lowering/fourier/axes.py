"""What is done along one axis of planes: products with a matrix, cuts, padding, and the other half of a Hermitian spectrum."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from ....dtypes import FLOAT32
from ....rules import Signature
from ...graph.build import call, elementwise, fill, reshape, transpose
from ...graph.graph import Node
from ...graph.primitives import Fill, Read, Write
from ...layout import Layout, contiguous_strides
from ..matrix_stacks import multiply_matrices

__all__ = ["NARROW", "cut", "extended", "negative", "put_together", "rows_times", "times_matrices", "times_matrix"]

NARROW: Final = 128
"""Columns of a product: fewer leave most of the Tensor Engine's time to loading the matrix."""


def cut(plane: Node, axis: int, n: int) -> Node:
    """Keep the first elements along an axis."""
    if plane.shape[axis] == n:
        return plane
    shape = (*plane.shape[:axis], n, *plane.shape[axis + 1 :])
    return Node(Read(Layout(0, shape, contiguous_strides(plane.shape))), (plane,))


def put_together(shape: tuple[int, ...], parts: Sequence[tuple[tuple[int, ...], Node]], *, zeros: bool = False) -> Node:
    """Write parts from their first elements on into an array, of zeros or of nothing."""
    strides = contiguous_strides(shape)
    result = fill(0, shape, FLOAT32) if zeros else Node(Fill(None, Signature(shape, FLOAT32)), ())
    for first, part in parts:
        offset = sum(place * stride for place, stride in zip(first, strides, strict=True))
        if part.size:
            result = Node(Write(Layout(offset, part.shape, strides)), (result, part))
    return result


def extended(plane: Node, axis: int, n: int) -> Node:
    """Cut along an axis, or append zeros."""
    have = plane.shape[axis]
    if have >= n:
        return cut(plane, axis, n)
    shape = (*plane.shape[:axis], n, *plane.shape[axis + 1 :])
    return put_together(shape, [((0,) * len(shape), plane)], zeros=True)


def times_matrices(planes: tuple[Node, ...], matrices: tuple[Node, ...], axis: int) -> list[Node]:
    """
    Multiply what lies along an axis by a matrix: from the left, with what lies beside each other in memory after the axis as columns.

    Where there is little after it, such products would be many and narrow; the axis is moved to the end and multiplied from the right.
    """
    rows, length = matrices[0].shape[-2:]
    planes = tuple([cut(plane, axis, rows) for plane in planes])
    before, after = planes[0].shape[:axis], planes[0].shape[axis + 1 :]
    outer, inner = math.prod(before), math.prod(after)
    shape = (*before, length, *after)
    if rows * outer * inner == 0:
        return [fill(0, shape, FLOAT32) for _ in range(max(len(planes), len(matrices)))]
    moved = outer > 1 and 1 < inner < NARROW
    if moved:
        planes = tuple([transpose(reshape(plane, (outer, rows, inner)), (0, 2, 1)) for plane in planes])
        shape = (outer, inner, length)
    if moved or inner == 1:
        rows_first = tuple([reshape(plane, (1, outer * inner, rows)) for plane in planes])
        results = [reshape(node, shape) for node in multiply_matrices(rows_first, matrices)]
    else:
        planes = tuple([reshape(plane, (outer, rows, inner)) for plane in planes])
        results = [reshape(node, shape) for node in multiply_matrices(matrices, planes, left_transposed=True)]
    if moved:
        results = [reshape(transpose(result, (0, 2, 1)), (*before, length, *after)) for result in results]
    return results


def times_matrix(planes: tuple[Node, ...], matrix: Node, axis: int) -> tuple[Node, ...]:
    """Multiply what lies along an axis by a real matrix of up to 1024 rows and columns; rows, by a kernel that transposes as it loads."""
    planes = tuple([cut(plane, axis, matrix.shape[0]) for plane in planes])
    if math.prod(planes[0].shape[axis + 1 :]) > 1 or not planes[0].size:
        return tuple(times_matrices(planes, (matrix,), axis))
    return rows_times(planes, matrix, axis, "plain", matrix.shape[1])


def rows_times(planes: tuple[Node, ...], matrix: Node, axis: int, kind: str, n: int) -> tuple[Node, ...]:
    """Transform rows, which lie along an axis that nothing follows in memory, by the products of a kind of transform."""
    before, after = planes[0].shape[:axis], planes[0].shape[axis + 1 :]
    rows = tuple([reshape(plane, (math.prod(before), planes[0].shape[axis])) for plane in planes])
    return tuple([reshape(plane, (*before, n, *after)) for plane in call("fourier rows", *rows, matrix, kind=kind, n=n)])


def negative(plane: Node) -> Node:
    """Change signs."""
    return elementwise("negative", plane, dtype=FLOAT32)
