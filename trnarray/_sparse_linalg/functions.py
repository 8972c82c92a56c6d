"""Norms and functions of sparse matrices."""

from __future__ import annotations

from typing import Any, Final

from .._array import Array
from .._array.parameters import document
from .._operand import as_operand
from .._sparse.base import is_sparse, run
from ..backends.ops.sparse_linalg import OPS
from .host_products import given, operand
from .parameters import PARAMETERS

__all__ = ["expm", "expm_multiply", "matrix_power", "norm", "onenormest"]

_documented: Final = document(
    {
        **PARAMETERS,
        "B": "array_like: The vector, or a matrix of vectors in columns.",
        "axis": "int or pair of int, optional: The axis of vectors, or those of the matrix.",
        "compute_v": "bool, optional: Whether to give the vector with which the norm is reached.",
        "compute_w": "bool, optional: Whether to give the product with that vector.",
        "endpoint": "bool, optional: Whether `stop` is the last of the times.",
        "itmax": "int, optional: The largest number of steps.",
        "num": "int, optional: How many times.",
        "ord": "{int, inf, -inf, 'fro'}, optional: Which norm; that of Frobenius by default.",
        "power": "int: The exponent.",
        "start": "scalar, optional: The first time.",
        "stop": "scalar, optional: The last time.",
        "t": "int, optional: How many vectors to try at once.",
        "traceA": "scalar, optional: The trace of the matrix, for operators.",
        "x": "sparse array: The matrix.",
    }
)


@_documented
def norm(x: Any, ord: Any = None, axis: Any = None) -> Array:
    """Compute a norm of a sparse matrix, or of its rows or columns. See `scipy.sparse.linalg.norm`."""
    result: Array = run(OPS["norm"], x, ord, axis)
    return result


@_documented
def expm(A: Any) -> Any:
    """Compute the exponential of a matrix. See `scipy.sparse.linalg.expm`."""
    return run(OPS["expm"], A)


@_documented
def expm_multiply(
    A: Any, B: Any, start: Any = None, stop: Any = None, num: int | None = None, endpoint: bool | None = None, traceA: Any = None
) -> Array:
    """Multiply by the exponential of a matrix, without computing that. See `scipy.sparse.linalg.expm_multiply`."""
    times = given(start=start, stop=stop, num=num, endpoint=endpoint, traceA=traceA)
    result: Array = run(OPS["expm_multiply"], operand(A, B), B if is_sparse(B) else as_operand(B, A), **times)
    return result


@_documented
def matrix_power(A: Any, power: int) -> Any:
    """Raise a sparse matrix to an integer power. See `scipy.sparse.linalg.matrix_power`."""
    return run(OPS["matrix_power"], A, power)


@_documented
def onenormest(A: Any, t: int = 2, itmax: int = 5, compute_v: bool = False, compute_w: bool = False) -> Any:
    """Estimate the 1-norm of a matrix from below. See `scipy.sparse.linalg.onenormest`."""
    return run(OPS["onenormest"], operand(A), t, itmax, compute_v, compute_w)
