"""The kernels that are stages of their own, by name."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from .flip import flip
from .matmul import MatmulOperand, matmul
from .reduce_tensor import reduce_columns, reduce_rows
from .scan import scan_rows
from .transpose import permute

__all__ = ["LIBRARY"]

Tensors = Sequence[Any]


def _reduce_rows(result: Any, sources: Tensors, name: str, outer: int, length: int) -> None:
    reduce_rows(name, result, sources[0].reshape((outer, length)))


def _reduce_columns(result: Any, sources: Tensors, name: str, outer: int, length: int, inner: int) -> None:
    reduce_columns(name, result.reshape((outer, inner)), sources[0].reshape((outer, length, inner)))


def _scan(result: Any, sources: Tensors, name: str, rows: int, length: int) -> None:
    scan_rows(name, result.reshape((rows, length)), sources[0].reshape((rows, length)))


def _permute(result: Any, sources: Tensors, shape: tuple[int, ...], axes: tuple[int, ...]) -> None:
    permute(result, sources[0].reshape(shape), axes)


def _flip(result: Any, sources: Tensors, *shape: int) -> None:
    flip(result.reshape(shape), sources[0].reshape(shape))


def _matmul(
    result: Any, sources: Tensors, batch: int, rows: int, depth: int, columns: int, left_transposed: bool, right_transposed: bool
) -> None:
    left = (batch, depth, rows) if left_transposed else (batch, rows, depth)
    right = (batch, columns, depth) if right_transposed else (batch, depth, columns)
    operands = [
        MatmulOperand(_matrices(source, shape), transposed)
        for source, shape, transposed in zip(sources, (left, right), (left_transposed, right_transposed), strict=True)
    ]
    matmul(_matrices(result, (batch, rows, columns)), *operands)


def _matrices(tensor: Any, shape: tuple[int, ...]) -> Any:
    """Shape a flat tensor; it may hold one batch for all."""
    if shape[0] == 1 or math.prod(shape) != tensor.size:
        shape = shape[1:]
    return tensor.reshape(shape)


LIBRARY: Final[Mapping[str, Callable[..., None]]] = {
    "reduce rows": _reduce_rows,
    "reduce columns": _reduce_columns,
    "scan": _scan,
    "permute": _permute,
    "flip": _flip,
    "matmul": _matmul,
}
"""Functions of (result, sources, *parameters): flat tensors in HBM, and what `plan.assemble` gives the stage."""
