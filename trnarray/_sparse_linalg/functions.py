"""Norms and functions of sparse matrices."""

from __future__ import annotations

from typing import Any

from .._array import Array
from .._operand import as_operand
from .._scipy_linalg.matrix_functions import expm as dense_expm
from .._sparse.base import common_device, is_sparse, run
from .._sparse.sparse_array import as_sparse
from ..backends.device import CPU
from ..backends.ops.sparse_linalg import OPS
from .direct import few_rows
from .exponential_action import multiply_by_exponential
from .host_products import given, operand
from .spectrum import svds

__all__ = ["expm", "expm_multiply", "matrix_power", "norm", "onenormest"]


def _on_device(A: Any) -> bool:
    device = common_device((A,))
    return is_sparse(A) and device is not None and device is not CPU and len(A.shape) == 2


def norm(x: Any, ord: Any = None, axis: Any = None) -> Array:
    """Compute a norm of a sparse matrix, or of its rows or columns. See `scipy.sparse.linalg.norm`."""
    if ord == 2 and axis is None and _on_device(x) and min(x.shape) > 1:
        largest: Array = svds(x, k=1, return_singular_vectors=False)[0]
        return largest
    result: Array = run(OPS["norm"], x, ord, axis)
    return result


def expm(A: Any) -> Any:
    """
    Compute the exponential of a matrix.

    On devices that of up to 1,024 rows is computed there, as that of a dense one.

    See `scipy.sparse.linalg.expm`.
    """
    dense = few_rows(A)
    if dense is not None:
        return type(as_sparse(A))(dense_expm(dense))
    return run(OPS["expm"], A)


def expm_multiply(
    A: Any, B: Any, start: Any = None, stop: Any = None, num: int | None = None, endpoint: bool | None = None, traceA: Any = None
) -> Array:
    """
    Multiply by the exponential of a matrix, without computing that.

    On devices all products are turns of one loop, see `exponential_action`.

    See `scipy.sparse.linalg.expm_multiply`.
    """
    if not is_sparse(B):
        found = multiply_by_exponential(A, B, start, stop, num, endpoint, traceA)
        if found is not None:
            return found
    times = given(start=start, stop=stop, num=num, endpoint=endpoint, traceA=traceA)
    result: Array = run(OPS["expm_multiply"], operand(A, B), B if is_sparse(B) else as_operand(B, A), **times)
    return result


def matrix_power(A: Any, power: int) -> Any:
    """Raise a sparse matrix to an integer power. See `scipy.sparse.linalg.matrix_power`."""
    if not _on_device(A) or type(power) is not int or power < 1 or A.shape[0] != A.shape[1]:
        return run(OPS["matrix_power"], A, power)
    result, square = None, as_sparse(A)
    while True:
        if power & 1:
            result = square if result is None else result @ square
        power >>= 1
        if not power:
            return result.copy() if result is square else result
        square = square @ square


def onenormest(A: Any, t: int = 2, itmax: int = 5, compute_v: bool = False, compute_w: bool = False) -> Any:
    """
    Estimate the 1-norm of a matrix from below.

    Of a sparse array on a device it is computed, unless vectors are asked for.

    See `scipy.sparse.linalg.onenormest`.
    """
    if _on_device(A) and not compute_v and not compute_w and A.shape[0] == A.shape[1]:
        return norm(A, 1)
    return run(OPS["onenormest"], operand(A), t, itmax, compute_v, compute_w)
