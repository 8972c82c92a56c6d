"""Products of matrices in block rows, whose blocks are dense, with a dense matrix."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ....dtypes import FLOAT32
from ....rules import Signature
from ...graph.build import call, reshape, transpose
from ...kernel import estimate, kernel
from ...value import Value
from .. import Builder
from .structure import Structure, find_structure, taken

__all__ = ["block_rows", "block_time", "multiply_in_blocks"]

_MOST: Final = 8192  # blocks of a program

Rows = tuple[tuple[int, ...], ...]


def block_rows(builder: Builder, packed: Any, transposed: bool) -> Structure:
    """Find the structure of the blocks, each of which counts as an element."""
    _, shape, (data, indices, indptr) = packed
    height, width = data.shape[1:]
    each = data.view(data.shadow[:, 0, 0])
    found = find_structure(builder, ("csr", (shape[0] // height, shape[1] // width), (each, indices, indptr)))
    return found.transposed() if transposed else found


def _rows(structure: Structure) -> Rows:
    def make() -> Rows:
        ends = np.cumsum(structure.counts()).tolist()
        columns = structure.columns.tolist()
        return tuple(tuple(columns[first:last]) for first, last in zip([0, *ends], ends, strict=False))

    return structure.kept("block rows", make)


def block_time(builder: Builder, structure: Structure, data: Value, transposed: bool, x: Value) -> float:
    """Estimate the product with a matrix of float32, in ns; infinite where there is no such kernel."""
    (count, height, depth), stored = data.shape, len(structure.rows)
    height, depth = (depth, height) if transposed else (height, depth)
    blocks = Signature((depth, stored, height), FLOAT32)
    operand = Signature(x.shape, x.dtype)
    if x.ndim != 2 or stored > _MOST or data.dtype != FLOAT32 or not count:
        return float("inf")
    if not kernel("block product").takes(blocks, operand, rows=_rows(structure)):
        return float("inf")
    result = (Signature((len(_rows(structure)) * height, x.shape[1]), FLOAT32),)
    return estimate("block product", builder.costs, result, (stored, height, depth), x.shape, _rows(structure))


def multiply_in_blocks(builder: Builder, structure: Structure, data: Value, transposed: bool, x: Value) -> Value:
    """Multiply blocks, which are arranged once, with their columns first, as long as they are there."""

    def arrange() -> Value:
        stored = data
        if len(structure.positions) != len(data) or np.any(structure.positions != np.arange(len(data))):
            stored = taken(builder, data, structure.device_indices(builder, "blocks", lambda: structure.positions))
        (node,) = stored.read()
        return builder.make((transpose(node, (1, 0, 2) if transposed else (2, 0, 1)),), FLOAT32)

    blocks = structure.arranged("blocks", data, arrange)
    (product,) = call("block product", *blocks.read(), *x.read(), rows=_rows(structure))
    return builder.make((reshape(product, product.shape),), FLOAT32)
