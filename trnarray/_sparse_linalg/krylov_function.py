"""Functions of a matrix times a vector, by restarted Krylov subspaces."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from .._array import Array
from .._operand import as_operand
from ..array_conversion import asarray
from ..creation_functions import zeros
from ..data_type_functions import result_type
from .arnoldi import Arnoldi
from .matrix_operator import single_operator
from .system import inexact, magnitude, tolerance

__all__ = ["funm_multiply_krylov"]

_STRUCTURES: Final = ("general", "gen", "hermitian", "her")


def funm_multiply_krylov(
    f: Callable[[Array], Any],
    A: Any,
    b: Any,
    *,
    assume_a: str = "general",
    t: Any = 1.0,
    atol: float = 0.0,
    rtol: float = 1e-6,
    restart_every_m: int | None = None,
    max_restarts: int = 20,
) -> Array:
    """
    Multiply a vector by a function of a matrix, ``f(t * A) @ b``, without computing that of the whole matrix.

    The method is that of M. Afanasjew, M. Eiermann, O. G. Ernst and S. Güttel, "Implementation of a restarted Krylov subspace method for
    the evaluation of matrix functions", Linear Algebra and its Applications 429, 2008.

    See `scipy.sparse.linalg.funm_multiply_krylov`.
    """
    name = "funm_multiply_krylov"
    if assume_a not in _STRUCTURES:
        raise ValueError(f"assume_a is one of {', '.join(map(repr, _STRUCTURES))}, but is {assume_a!r}")
    operator, right = single_operator(A, name, b), as_operand(b, A)
    if right.ndim != 1:
        raise ValueError(f"{name} multiplies one vector, and not an operand of shape {right.shape}; call it for each column")
    count = len(right)
    if operator.shape != (count, count):
        raise ValueError(f"{name} takes a square matrix and a vector of its size, but they have shapes {operator.shape} and {right.shape}")
    width = min(20, count) if restart_every_m is None else int(restart_every_m)
    if width <= 0 or int(max_restarts) <= 0:
        raise ValueError(f"restart_every_m and max_restarts are positive, but are {restart_every_m} and {max_restarts}")
    dtype = result_type(inexact(right, operator.dtype), inexact(right, right.dtype))
    right = right.astype(dtype, copy=False)
    norm = magnitude(right)
    target = tolerance(atol, rtol, norm, name)
    y = zeros(count, dtype=dtype, device=right.device)
    if norm == 0:
        return y
    start = right
    blocks: list[Any] = []
    for _ in range(min(int(max_restarts), count // width + 1)):
        process = Arnoldi(start, width)
        while process.columns < width and not process.broken:
            process.extend(operator.matvec(process.last))
        blocks.append(process.hessenberg)
        column = as_operand(f(asarray(t * _joined(blocks), device=right.device)), right)[:, 0]
        weights = norm * np.asarray(column[-process.columns :].tolist())
        y = y + process.combine(weights)
        if process.broken or np.linalg.norm(weights) <= target:
            break
        start = process.last
    return y


def _joined(blocks: list[Any]) -> Any:
    """Put the square parts of the cycles' matrices on the diagonal, and below each what leads to the next."""
    count = sum(block.shape[1] for block in blocks)
    h = np.zeros((count + 1, count), dtype=blocks[0].dtype)
    place = 0
    for block in blocks:
        rows, columns = block.shape
        h[place : place + rows, place : place + columns] = block
        place += columns
    return h[:-1]
