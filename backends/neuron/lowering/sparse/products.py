"""Products of sparse matrices with dense vectors and matrices, in the format that is predicted to be the fastest."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from ....dtypes import COMPLEX64, FLOAT32, INT32, DType
from ....rules import Signature
from ....rules.sparse import is_packed
from ...graph.build import reshape
from ...graph.graph import Node
from ...kernel import estimate
from ...value import Value
from .. import Builder, Lowerings, NotNativeError
from ..concatenation import constant, join
from ..op_calls import call, converted
from .arithmetic import multiply_sparse
from .balanced import find_balanced, multiply_balanced
from .balanced import time as balanced_time
from .blocks import block_rows, block_time, multiply_in_blocks
from .diagonals import find_diagonals, multiply_diagonals
from .diagonals import time as diagonals_time
from .exchange import find_exchange, multiply_exchanged
from .exchange import time as exchange_time
from .padded_rows import multiply_padded, row_levels
from .rearrangement import as_matrix, move
from .stencils import find_stencil, multiply_stencil
from .stencils import time as stencil_time
from .structure import Structure, find_structure

__all__: list[str] = []

_MOST_COLUMNS: Final = 64  # of a dense operand, each of which is a vector for the exchange
_PADDED: Final = 2.5  # columns of an exchange for each stored element, from which on balanced ones are looked at


def _matmul(builder: Builder, left: Any, right: Any) -> Any:
    shapes = [one[1] if is_packed(one) else one.shape if isinstance(one, Value) else () for one in (left, right)]
    if len(shapes[1]) in (1, 2) and ((is_packed(left) and len(shapes[0]) != 2) or (is_packed(right) and len(shapes[1]) == 1)):
        left = as_matrix(builder, left) if is_packed(left) else left
        right = move(builder, "transpose", as_matrix(builder, right)) if is_packed(right) and len(shapes[1]) == 1 else right
        return _reshaped(builder, _matmul(builder, left, right), (*shapes[0][:-1], *shapes[1][1:]))
    if is_packed(left) and is_packed(right):
        return multiply_sparse(builder, left, right)
    if is_packed(left):
        return _product(builder, left, _dense(builder, right))
    dense = _dense(builder, left)
    if dense.ndim == 1:
        return _product(builder, right, dense, transposed=True)
    product = _product(builder, right, dense.view(dense.shadow.T), transposed=True)
    return builder.result(product.view(product.shadow.T).read(), product.dtype)


def _reshaped(builder: Builder, product: Any, shape: tuple[int, ...]) -> Any:
    """Give a product, dense or not, another shape."""
    if is_packed(product) and shape:
        return move(builder, "reshape", product, shape)
    dense: Value = call(builder, "sparse.toarray", product) if is_packed(product) else product
    return builder.result(dense.view(dense.shadow.reshape(shape)).read(), dense.dtype)


def _dense(builder: Builder, operand: Any) -> Value:
    if not isinstance(operand, Value) or operand.ndim not in (1, 2):
        raise NotNativeError("operands of other than one or two dimensions are multiplied on the host")
    return operand


def _product(builder: Builder, packed: Any, x: Value, *, transposed: bool = False) -> Value:
    if len(packed[1]) != 2:
        raise NotNativeError("arrays of more than two dimensions are multiplied by each other on the host")
    rows, columns = packed[1][::-1] if transposed else packed[1]
    if x.shape[0] != columns:
        _refuse(packed[1], x.shape[::-1] if transposed else x.shape, transposed)
    data = packed[2][0]
    dtype = builder.promotion.result_type(data.dtype, x.dtype)
    if dtype.kind == "b":
        counted = packed[0], packed[1], (converted(builder, data, INT32), *packed[2][1:])
        return call(builder, "not_equal", _product(builder, counted, converted(builder, x, INT32), transposed=transposed), 0)
    shape = (rows, *x.shape[1:])
    if 0 in shape or 0 in x.shape or not data.size:
        return builder.result(constant(0, shape, dtype), dtype)
    structure = find_structure(builder, packed)
    if transposed:
        structure = structure.transposed()
    if not len(structure.rows):
        return builder.result(constant(0, shape, dtype), dtype)
    x = converted(builder, x, dtype)
    if packed[0] == "bsr" and dtype == FLOAT32:
        blocks = block_rows(builder, packed, transposed)
        if block_time(builder, blocks, data, transposed, x) < fastest_time(builder, structure, data, x):
            return builder.result(multiply_in_blocks(builder, blocks, data, transposed, x).read(), dtype)
    return builder.result(multiply(builder, structure, data, x).read(), dtype)


def _refuse(shape: tuple[int, ...], other: tuple[int, ...], reflected: bool) -> None:
    """Raise SciPy's error for operands whose shapes do not fit."""
    import scipy.sparse

    sparse, dense = scipy.sparse.csr_array(shape), np.broadcast_to(0.0, other)
    _ = dense @ sparse if reflected else sparse @ dense
    raise ValueError(f"dimension mismatch: a sparse array of shape {shape} and an operand of shape {other}")


def _ways(builder: Builder, structure: Structure, data: Value, x: Value) -> dict[str, float]:
    """Estimate the formats that take a product, in ns."""
    rows, columns = structure.shape[0], x.shape[1] if x.ndim == 2 else 1
    times = {"padded rows": _padded_time(builder, structure, columns, x.dtype)}
    diagonals = find_diagonals(structure)
    if diagonals is not None:
        times["diagonals"] = diagonals_time(builder.costs, diagonals, rows, x)
        stencil = find_stencil(builder, structure, diagonals, data, x)
        if stencil is not None:
            times["stencil"] = stencil_time(builder.costs, stencil, rows, x)
    if x.dtype not in (FLOAT32, COMPLEX64) or columns > _MOST_COLUMNS:
        return times
    exchange, count = find_exchange(structure), columns * (2 if x.dtype == COMPLEX64 else 1) * (2 if data.dtype == COMPLEX64 else 1)
    if exchange is not None:
        times["exchange"] = count * exchange_time(builder.costs, structure, exchange)
    padding = math.inf if exchange is None else len(exchange.elements) / len(structure.rows)
    balanced = find_balanced(structure) if padding > _PADDED and diagonals is None else None
    if balanced is not None:
        times["balanced exchange"] = count * balanced_time(builder.costs, balanced)
    return times


def fastest_time(builder: Builder, structure: Structure, data: Value, x: Value) -> float:
    """Estimate the fastest format that takes any blocks, in ns."""
    return min(_ways(builder, structure, data, x).values())


def multiply(builder: Builder, structure: Structure, data: Value, x: Value) -> Value:
    """Multiply with a dense operand of the result's dtype, in the format that is predicted to be the fastest."""
    times = _ways(builder, structure, data, x)
    way = min(times, key=times.__getitem__)
    if way in ("diagonals", "stencil"):
        diagonals = find_diagonals(structure)
        assert diagonals is not None
        stencil = find_stencil(builder, structure, diagonals, data, x) if way == "stencil" else None
        if stencil is not None:
            return multiply_stencil(builder, stencil, structure.shape[0], x)
        return multiply_diagonals(builder, structure, diagonals, data, x)
    if way == "padded rows":
        return multiply_padded(builder, structure, data, x)
    rows = structure.shape[0]

    def product(vector: Value) -> tuple[Node, ...]:
        if way == "balanced exchange":
            balanced = find_balanced(structure)
            assert balanced is not None
            return multiply_balanced(builder, balanced, data, vector.read())
        exchange = find_exchange(structure)
        assert exchange is not None
        return multiply_exchanged(builder, structure, exchange, data, vector.read())

    if x.ndim == 1:
        return builder.make(product(x), x.dtype)
    vectors = builder.make(x.view(x.shadow.T).read(), x.dtype)  # each in one piece
    if way == "exchange":
        together = builder.make(product(vectors), x.dtype)
        return builder.make(together.view(together.shadow.T).read(), x.dtype)
    products = []
    for number in range(len(vectors)):
        planes = product(vectors.view(vectors.shadow[number]))
        products.append(((1, rows), tuple(reshape(plane, (1, rows)) for plane in planes)))
    joined = join(builder, products, 0, x.dtype)
    return builder.make(joined.view(joined.shadow.T).read(), x.dtype)


def _padded_time(builder: Builder, structure: Structure, columns: int, dtype: DType) -> float:
    costs, count = builder.costs, len(row_levels(structure)[0].sources)
    shape = (count, columns)
    planes = dtype.itemsize // 4 or 1
    gathers = estimate("gather", costs, (Signature(shape, FLOAT32),), 1, structure.shape[1] + 1, count, columns, shape)
    waits = 3 * len(row_levels(structure)) * costs.transfer_waits  # of what is put together, and of sums
    return waits + planes * gathers + 2 * costs.instruction("tensor_tensor", count * columns / costs.partitions)


LOWERINGS: Final[Lowerings] = {"sparse.matmul": _matmul, "sparse.dot": _matmul}
