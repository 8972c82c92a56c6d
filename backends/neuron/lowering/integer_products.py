"""Products of matrices of integers, exact modulo the range of their dtype."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from ...dtypes import BFLOAT16, BOOL, FLOAT32, INT32, DType
from ...rules import Signature
from ..costs import Costs
from ..dtypes import DTYPES_BY_NAME, NKI_NAMES
from ..function import work_table
from ..graph.build import bits, cast, elementwise, fill, reduce, reshape
from ..graph.build import call as call_kernel
from ..graph.graph import Node
from ..graph.primitives import Read
from ..kernel import InvalidCallError, Kernel, Ruling, Variant, declare
from ..layout import Layout

__all__ = ["multiply_integers", "takes"]

_DEPTH: Final = 512
"""Products of signed bytes that a sum of float32 holds exactly: the self-test asks for 23 bits."""
_MOST_PRODUCTS: Final = 1 << 24  # of two elements, which lie in HBM
_MOST_STAGES: Final = 1024


def multiply_integers(left: Node, right: Node, dtype: DType) -> Node:
    """Multiply stacks of matrices of a dtype, (batch or 1, m, k) and (batch or 1, k, n)."""
    (node,) = call_kernel("integer matmul", left, right, truth=dtype == BOOL)
    return node


def takes(batch: int, m: int, k: int, n: int, dtype: DType) -> bool:
    """Tell whether there is a way to multiply stacks of matrices."""
    return m * n == 1 or batch * m * n * k <= _MOST_PRODUCTS or _stages(k, _name(dtype, dtype == BOOL)) <= _MOST_STAGES


def _name(dtype: DType, truth: bool) -> str:
    return "bool" if truth else NKI_NAMES[dtype]


def _rule(left: Signature, right: Signature, *, truth: bool) -> Ruling:
    (many, m, k), (others, depth, n) = left.shape, right.shape
    batch = max(many, others)
    if left.dtype != right.dtype or left.dtype.kind not in "biu" or depth != k or not {many, others} <= {1, batch}:
        raise InvalidCallError(f"integer matmul takes stacks of matrices of integers, not {left} and {right}")
    return (Signature((batch, m, n), left.dtype),), (batch, many, others, m, k, n, _name(left.dtype, truth))


def _digits(dtype: str) -> int:
    return 1 if dtype == "bool" else DTYPES_BY_NAME[dtype].itemsize


def _pairs(digits: int) -> list[tuple[int, int]]:
    """Order products of digits such that those of the highest power of 256 come first."""
    return sorted(((i, j) for i in range(digits) for j in range(digits - i)), key=lambda pair: -sum(pair))


def _stages(k: int, dtype: str) -> int:
    return len(_pairs(_digits(dtype))) * (1 if dtype == "bool" else math.ceil(k / _DEPTH))


def _all_products(left: Node, right: Node, batch: int, many: int, others: int, m: int, k: int, n: int, name: str) -> Sequence[Node]:
    """Multiply all elements that meet, and add the products up."""
    dtype, shape = left.dtype, (batch, m, n, k)
    x = Node(Read(Layout(0, shape, (m * k * (many > 1), k, 0, 1))), (left,))
    y = Node(Read(Layout(0, shape, (k * n * (others > 1), 0, 1, n))), (right,))
    if name == "bool":
        both = elementwise("logical_and", x, y, dtype=BOOL)
        return (reduce("logical_or", both, (3,), both.dtype) if k > 1 else reshape(both, shape[:-1]),)
    products = elementwise("multiply", x, y, dtype=dtype)
    wide = dtype if dtype.itemsize == INT32.itemsize else INT32
    return (cast(reduce("add", products, (3,), wide), dtype) if k > 1 else reshape(products, shape[:-1]),)


def _all_time(
    costs: Costs, _results: tuple[Signature, ...], batch: int, _many: int, _others: int, m: int, k: int, n: int, name: str
) -> float:
    count = batch * m * n * k
    if count > _MOST_PRODUCTS and m * n > 1:
        return math.inf
    function, reduction, summed = ("logical_and", "logical_or", "uint8") if name == "bool" else ("multiply", "add", name)
    loop = name if (function, name) in work_table() else "bool"
    work = (work_table()[function, loop], work_table()[f"reduce by {reduction}", summed])
    busy = sum(sum(one.times(costs, count / costs.partitions).values()) for one in work)
    return 2 * costs.transfer_waits + max(busy, costs.moves(0, 0, 2 * count * 4) * (k > 4096))


def _by_digits(left: Node, right: Node, batch: int, many: int, others: int, m: int, k: int, n: int, name: str) -> Sequence[Node]:
    """
    Multiply signed digits of base 256 on the Tensor Engine, and add their products up modulo 2**32.

    Notes
    -----
    With u the number plus 0x80808080, its digits are the bytes of u, less 128: bfloat16 holds them. 512 products have a sum below 2**23,
    which is exact in float32 in any order. Only products of digits count whose power of 256 the dtype has: 10 of 16 for 32 bits. Powers
    come from the highest to the lowest, so that what is there is shifted by a byte between them (Horner's rule).
    """
    dtype = left.dtype
    if name == "bool":
        (product,) = _products(*(cast(plane, BFLOAT16) for plane in (left, right)))
        return (elementwise("not_equal", product, fill(0.0, (), FLOAT32), dtype=BOOL),)
    count = _digits(name)
    total: Node | None = None
    power = count - 1
    rows = [_taken_apart(left, many, (m, k), 1, low, count) for low in range(0, k, _DEPTH)]
    columns = [_taken_apart(right, others, (k, n), 0, low, count) for low in range(0, k, _DEPTH)]
    for i, j in _pairs(count):
        if i + j < power:
            assert total is not None
            total, power = elementwise("multiply", total, fill(256, (), INT32), dtype=INT32), i + j
        for x, y in zip(rows, columns, strict=True):
            (found,) = _products(x[i], y[j])
            product = elementwise("digit.sum", found, dtype=INT32)
            total = product if total is None else elementwise("add", total, product, dtype=INT32)
    assert total is not None
    return (bits(total, dtype) if dtype.itemsize == INT32.itemsize else cast(total, dtype),)


def _products(left: Node, right: Node) -> tuple[Node, ...]:
    return call_kernel("matmul", left, right, result=FLOAT32)


def _taken_apart(node: Node, many: int, shape: tuple[int, int], axis: int, low: int, count: int) -> list[Node]:
    """Make the signed digits of a part along the contraction, the lowest first."""
    extents = [*shape]
    extents[axis] = min(_DEPTH, shape[axis] - low)
    first = low * (1 if axis else shape[1])
    part = Node(Read(Layout(first, (many, *extents), (math.prod(shape), shape[1], 1))), (node,))
    if count == 1:  # an unsigned one is the signed one of the same bits, but for a multiple of 256
        return [cast(bits(part, np.dtype(np.int8)), BFLOAT16)]
    signed = np.dtype(f"i{count}")
    middle = int.from_bytes(bytes([128] * count), "little", signed=True)
    shifted = elementwise("add", bits(part, signed), fill(middle, (), signed), dtype=signed)
    return [elementwise(f"digit.{place}", shifted, dtype=BFLOAT16) for place in range(count)]


def _digits_time(
    costs: Costs, _results: tuple[Signature, ...], batch: int, many: int, others: int, m: int, k: int, n: int, name: str
) -> float:
    stages = _stages(k, name)
    if stages > _MOST_STAGES:
        return math.inf
    depth = k if name == "bool" else min(k, _DEPTH)
    tiles = batch * math.ceil(m / costs.partitions) * math.ceil(depth / costs.partitions)
    multiplied = tiles * (costs.instruction("nc_matmul", n, "tensor") + costs.instruction("nc_transpose", costs.partitions, "tensor"))
    moved = costs.moves(batch * m, 4 * n, 4 * (3 * batch * m * n + many * m * depth + others * depth * n))
    return stages * (2 * costs.transfer_waits + max(multiplied, moved) + costs.waits("tensor") + costs.waits("vector"))


declare(
    Kernel(
        "integer matmul",
        _rule,
        None,
        "matmul of {6}",
        "{0} of {3} × {4} by {4} × {5}",
        variants=(
            Variant("by all products", _all_time, expand=_all_products),
            Variant("by digits on the Tensor Engine", _digits_time, expand=_by_digits),
        ),
    )
)
