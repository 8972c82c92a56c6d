"""Norms and functions of sparse matrices."""

from __future__ import annotations

from typing import Any

from .._array import Array
from .._operand import as_operand
from .._sparse.base import is_sparse, run
from ..backends.ops.sparse_linalg import OPS
from .host_products import given, operand

__all__ = ["expm", "expm_multiply", "matrix_power", "norm", "onenormest"]



def norm(x: Any, ord: Any = None, axis: Any = None) -> Array:
    """Compute a norm of a sparse matrix, or of its rows or columns. See `scipy.sparse.linalg.norm`."""
    result: Array = run(OPS["norm"], x, ord, axis)
    return result


def expm(A: Any) -> Any:
    """Compute the exponential of a matrix. See `scipy.sparse.linalg.expm`."""
    return run(OPS["expm"], A)


def expm_multiply(
    A: Any, B: Any, start: Any = None, stop: Any = None, num: int | None = None, endpoint: bool | None = None, traceA: Any = None
) -> Array:
    """Multiply by the exponential of a matrix, without computing that. See `scipy.sparse.linalg.expm_multiply`."""
    times = given(start=start, stop=stop, num=num, endpoint=endpoint, traceA=traceA)
    result: Array = run(OPS["expm_multiply"], operand(A, B), B if is_sparse(B) else as_operand(B, A), **times)
    return result


def matrix_power(A: Any, power: int) -> Any:
    """Raise a sparse matrix to an integer power. See `scipy.sparse.linalg.matrix_power`."""
    return run(OPS["matrix_power"], A, power)


def onenormest(A: Any, t: int = 2, itmax: int = 5, compute_v: bool = False, compute_w: bool = False) -> Any:
    """Estimate the 1-norm of a matrix from below. See `scipy.sparse.linalg.onenormest`."""
    return run(OPS["onenormest"], operand(A), t, itmax, compute_v, compute_w)
