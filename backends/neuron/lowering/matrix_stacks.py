"""Operands of products of matrices: stacks with one axis of batches, which lie as they are or transposed."""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np

from ...dtypes import DType
from ...rules import Signature, broadcast_shapes
from ..graph.build import broadcast, fill, reshape
from ..graph.build import call as call_kernel
from ..graph.graph import Node
from ..kernel import kernel
from ..value import Value
from .inner_products import inner_products, prefers_elements
from .operands import convert
from .tall_products import multiply_tall, packed_rows

__all__ = ["Operand", "as_it_lies", "multiply_matrices", "stacks"]


_SIDE: Final = 64  # up to which several matrices are multiplied at once
_FOUR: Final = 4
_PACKED: Final = 12_000  # products of elements of each from which on that is faster than these one by one: sums round by it


class Operand(NamedTuple):
    """Matrices of an operand, as they lie: (batch..., rows, columns), and whether that is the transpose."""

    planes: tuple[Node, ...]
    transposed: bool


def as_it_lies(value: Value, dtype: DType) -> Operand:
    """Read an operand without a transpose where it, or the larger matrix that it is a part of, lies transposed."""
    shadow = value.shadow
    if value.ndim >= 2 and not shadow.flags.c_contiguous and abs(shadow.strides[-2]) == shadow.itemsize < abs(shadow.strides[-1]):
        swapped = value.view(np.swapaxes(shadow, -1, -2))
        return Operand(convert(swapped.read(), value.dtype, dtype), True)
    return Operand(convert(value.read(), value.dtype, dtype), False)


def stacks(left: tuple[Node, ...], right: tuple[Node, ...], left_transposed: bool, right_transposed: bool) -> list[Node]:
    """Give planes one axis of batches, of one batch where that serves all."""
    one, other = left[0], right[0]
    m, k = one.shape[-2:] if not left_transposed else one.shape[:-3:-1]
    batch = broadcast_shapes(one.shape[:-2], other.shape[:-2])
    count = math.prod(batch)
    flat = math.prod(other.shape[:-2]) == 1 and count > 1 and not left_transposed  # one long matrix
    operands: list[Node] = []
    for item in (*left, *right):
        matrix = item.shape[-2:]
        if flat and len(operands) < len(left):
            operands.append(reshape(broadcast(item, (*batch, m, k)), (1, count * m, k)))
        elif math.prod(item.shape[:-2]) == 1:
            operands.append(reshape(item, (1, *matrix)))
        else:
            operands.append(reshape(broadcast(item, (*batch, *matrix)), (count, *matrix)))
    return operands


def multiply_matrices(
    left: tuple[Node, ...],
    right: tuple[Node, ...],
    left_transposed: bool = False,
    right_transposed: bool = False,
    dtype: DType | None = None,
) -> tuple[Node, ...]:
    """Multiply (batches of) matrices; the results have a dtype, that of the operands where it is not given."""
    one, other = left[0], right[0]
    m, k = one.shape[-2:] if not left_transposed else one.shape[:-3:-1]
    n = other.shape[-1 if not right_transposed else -2]
    batch = broadcast_shapes(one.shape[:-2], other.shape[:-2])
    count = math.prod(batch)
    shape = (*batch, m, n)
    if k == 0 or count * m * n == 0:
        return (fill(0, shape, dtype or one.dtype),) * max(len(left), len(right))
    if len(left) == len(right) == count == 1 and left_transposed and not right_transposed and packed_rows(m, k, n):
        return (reshape(multiply_tall(reshape(one, (k, m)), reshape(other, (k, n)), dtype or one.dtype), shape),)
    plain = len(left) == len(right) == 1 and not left_transposed and not right_transposed and dtype in (None, one.dtype)
    alike = math.prod(one.shape[:-2]) == math.prod(other.shape[:-2]) == count >= _FOUR
    packs = plain and alike and max(m, k, n) <= _SIDE
    by_elements = not (packs and m * k * n >= _PACKED) and prefers_elements(count, m, k, n, math.prod(other.shape[:-2]) == 1)
    if len(left) == len(right) == 1 and 1 in (m, n) and dtype in (None, one.dtype):
        vector, matrix, transposed = (one, other, right_transposed) if m == 1 else (other, one, not left_transposed)
        node = None if by_elements and transposed else _of_vector(vector, matrix, transposed)
        if node is not None:
            return (reshape(node, shape),)
    if by_elements:
        return inner_products(left, right, batch, (m, k, n), (left_transposed, right_transposed), dtype or one.dtype)
    if packs:
        (node,) = call_kernel("packed matmul", *stacks(left, right, left_transposed, right_transposed))
        return (reshape(node, shape),)
    ways: dict[str, Any] = {"left_transposed": left_transposed, "right_transposed": right_transposed, "result": dtype}
    results = call_kernel("matmul", *stacks(left, right, left_transposed, right_transposed), left=len(left), **ways)
    return tuple(reshape(node, shape) for node in results)


def _of_vector(vector: Node, matrix: Node, transposed: bool) -> Node | None:
    """Multiply vectors from the left with matrices that the kernel for these takes."""
    count, many, stored = math.prod(vector.shape[:-2]), math.prod(matrix.shape[:-2]), matrix.shape[-2:]
    if count == 1 and transposed:
        many, stored = 1, (many * stored[0], stored[1])
    operands = reshape(vector, (count, 1, max(vector.shape[-2:]))), reshape(matrix, (many, *stored))
    if not kernel("vecmat").takes(*(Signature(node.shape, node.dtype) for node in operands), transposed=transposed):
        return None
    (node,) = call_kernel("vecmat", *operands, transposed=transposed)
    return node
