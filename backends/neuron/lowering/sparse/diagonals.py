"""Products of matrices whose stored elements lie on few diagonals, as sums of products of shifted rows."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ....dtypes import FLOAT32, UINT8
from ....rules import Signature
from ...costs import Costs
from ...graph.build import call as call_kernel
from ...kernel import estimate, kernel
from ...value import Value
from .. import Builder
from ..concatenation import constant, join
from ..op_calls import call
from .structure import Structure

__all__ = ["Diagonals", "find_diagonals", "kernel_takes", "multiply_diagonals", "time"]

_MOST: Final = 64
_FILLED: Final = 0.25  # of the elements of diagonals, that are stored


class Diagonals(NamedTuple):
    """
    Diagonals with stored elements.

    Attributes
    ----------
    offsets : tuple of int
        Columns from the main one, ascending.
    sources : ndarray
        (diagonals, rows): the numbers of the stored elements; that after the last one where none is stored.
    partial : tuple of bool
        Of each diagonal, whether an element within the matrix is not stored.
    """

    offsets: tuple[int, ...]
    sources: npt.NDArray[np.int32]
    partial: tuple[bool, ...]


def find_diagonals(structure: Structure) -> Diagonals | None:
    """Find the diagonals of a structure; None where they are many, few of their elements are stored, or one is stored twice."""
    return structure.kept("diagonals", lambda: _diagonals(structure))


def _diagonals(structure: Structure) -> Diagonals | None:
    count, (rows, columns) = len(structure.rows), structure.shape
    offset = structure.columns.astype(np.int64) - structure.rows
    if len(np.unique(offset[:: max(1, count // 1024)])) > _MOST:
        return None
    offsets, number = np.unique(offset, return_inverse=True)
    if len(offsets) > _MOST or count < _FILLED * len(offsets) * rows:
        return None
    sources = np.full((len(offsets), rows), count, np.int32)
    sources[number, structure.rows] = np.arange(count)
    stored = (sources < count).sum(axis=1)
    if stored.sum() < count:
        return None
    within = [min(rows, columns - k) - max(0, -k) for k in offsets.tolist()]
    return Diagonals(tuple(offsets.tolist()), sources, tuple((stored < within).tolist()))


def multiply_diagonals(builder: Builder, structure: Structure, found: Diagonals, data: Value, x: Value) -> Value:
    """
    Multiply diagonals with a vector or a matrix of the result's dtype.

    Notes
    -----
    A vector of float32 has a kernel. Of others a stage of the Vector Engine loads each diagonal once, and the operand, with zeros before
    and after it, once for each. Where an element is not stored its product is left out, so that infinities and NaN reach the rows that they
    reach in SciPy.

    *Bound.* Vector Engine: two instructions of two operands for each diagonal; HBM beyond. *Error.* ``(D + 1) u |A| |x|`` for D diagonals.
    """
    (rows, columns), rest = structure.shape, x.shape[1:]
    weights = structure.values(builder, "diagonals", data, x.dtype, lambda: found.sources.reshape(-1))
    if kernel_takes(found, rows, x):
        absent = structure.device_indices(builder, "absent", lambda: _absent(found, len(structure.rows)))
        nodes = (*x.read(), *weights.read(), *absent.read())
        return builder.make(call_kernel("diagonal product", *nodes, rows=rows, offsets=found.offsets, partial=found.partial), x.dtype)
    weights = weights.view(weights.shadow.reshape(len(found.offsets), rows, *(1,) * len(rest)))
    before, after = max(0, -found.offsets[0]), max(0, found.offsets[-1] + rows - columns)
    parts = [(n, *rest) for n in (before, after)]
    planes = [constant(0, shape, x.dtype) for shape in parts]
    padded = join(builder, [(parts[0], planes[0]), (x.shape, x.read()), (parts[1], planes[1])], 0, x.dtype)
    total: Any = None
    for number, offset in enumerate(found.offsets):
        shifted = padded.view(padded.shadow[before + offset : before + offset + rows])
        product = call(builder, "multiply", weights.view(weights.shadow[number]), shifted)
        if found.partial[number]:
            mask = structure.device_indices(
                builder, ("stored", number), lambda number=number: found.sources[number] < len(structure.rows)  # type: ignore[misc]
            )
            zero = builder.make(constant(0, (), x.dtype), x.dtype)
            product = call(builder, "where", mask.view(mask.shadow.reshape(rows, *(1,) * len(rest))), product, zero)
        total = product if total is None else call(builder, "add", total, product)
    return total  # type: ignore[no-any-return]


def kernel_takes(found: Diagonals, rows: int, x: Value) -> bool:
    """Tell whether the kernel takes a product."""
    sizes = len(found.offsets) * rows, max(1, sum(found.partial) * rows)
    operands = Signature(x.shape, x.dtype), Signature(sizes[:1], FLOAT32), Signature(sizes[1:], UINT8)
    return x.ndim == 1 and kernel("diagonal product").takes(*operands, rows=rows, offsets=found.offsets, partial=found.partial)


def _absent(found: Diagonals, count: int) -> npt.NDArray[np.uint8]:
    """Mark the elements that are not stored of those diagonals that are partly."""
    marks = [(sources == count) for sources, partial in zip(found.sources, found.partial, strict=True) if partial]
    return np.concatenate(marks).astype(np.uint8) if marks else np.zeros(1, np.uint8)


def time(costs: Costs, found: Diagonals, rows: int, x: Value) -> float:
    """Estimate a product, in ns."""
    k, itemsize = x.shape[1] if x.ndim == 2 else 1, x.dtype.itemsize
    if kernel_takes(found, rows, x):
        parameters = (rows, x.shape[0]), len(found.offsets), found.offsets, found.partial
        return estimate("diagonal product", costs, (Signature((rows,), FLOAT32),), *parameters)
    count, elements = len(found.offsets), rows * k
    work = (2 * count + sum(found.partial)) * costs.instruction("tensor_tensor", elements / costs.partitions)
    nbytes = itemsize * (count * rows + 4 * elements) + rows * sum(found.partial)
    return 3 * costs.transfer_waits + max(work, costs.moves(0, 0, nbytes))
