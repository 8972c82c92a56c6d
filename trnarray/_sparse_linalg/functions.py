"""Norms and functions of sparse matrices."""

from __future__ import annotations

from typing import Any, Final

from .._array import Array
from .._array.parameters import document
from .._operand import as_operand
from .._sparse.base import is_sparse, run
from .._sparse.short_ways import direct_function, operand_values
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


@direct_function(OPS, unwrap=operand_values, wrap=Array._wrap_results)
@_documented
def norm(x: Any, ord: Any = None, axis: Any = None) -> Array:
    """
    Compute a norm of a sparse matrix, or of its rows or columns.

    Returns
    -------
    Array
        The norm.

    Examples
    --------
    >>> import trnarray as xp
    >>> from trnarray.scipy.sparse import csr_array
    >>> from trnarray.scipy.sparse.linalg import norm
    >>> norm(csr_array(xp.asarray([[3.0, 0.0], [0.0, 4.0]])))
    Array(5., dtype=float64, device='cpu')
    """
    result: Array = run(OPS["norm"], x, ord, axis)
    return result


@direct_function(OPS, unwrap=operand_values)
@_documented
def expm(A: Any) -> Any:
    """
    Compute the exponential of a matrix.

    Returns
    -------
    sparse array or Array
        As the operand is.

    Examples
    --------
    >>> import trnarray as xp
    >>> from trnarray.scipy.sparse import csc_array
    >>> from trnarray.scipy.sparse.linalg import expm
    >>> xp.round(expm(csc_array(xp.asarray([[0.0, 1.0], [0.0, 0.0]]))).toarray(), 6)
    Array([[1., 1.],
           [0., 1.]], dtype=float64, device='cpu')
    """
    return run(OPS["expm"], A)


@direct_function(OPS, unwrap=operand_values, wrap=Array._wrap_results)
@_documented
def expm_multiply(
    A: Any, B: Any, start: Any = None, stop: Any = None, num: int | None = None, endpoint: bool | None = None, traceA: Any = None
) -> Array:
    """
    Multiply by the exponential of a matrix, without computing that.

    Returns
    -------
    Array
        The product; with times a stack of those for each time.

    Examples
    --------
    >>> import trnarray as xp
    >>> from trnarray.scipy.sparse import csc_array
    >>> from trnarray.scipy.sparse.linalg import expm_multiply
    >>> xp.round(expm_multiply(csc_array(xp.asarray([[0.0, 1.0], [0.0, 0.0]])), xp.asarray([1.0, 2.0])), 6)
    Array([3., 2.], dtype=float64, device='cpu')
    """
    times = given(start=start, stop=stop, num=num, endpoint=endpoint, traceA=traceA)
    result: Array = run(OPS["expm_multiply"], operand(A, B), B if is_sparse(B) else as_operand(B, A), **times)
    return result


@direct_function(OPS, unwrap=operand_values)
@_documented
def matrix_power(A: Any, power: int) -> Any:
    """
    Raise a sparse matrix to an integer power.

    Returns
    -------
    sparse array
        The power.

    Examples
    --------
    >>> import trnarray as xp
    >>> from trnarray.scipy.sparse import csc_array
    >>> from trnarray.scipy.sparse.linalg import matrix_power
    >>> matrix_power(csc_array(xp.asarray([[0, 2], [1, 0]])), 2).toarray()
    Array([[2, 0],
           [0, 2]], dtype=int64, device='cpu')
    """
    return run(OPS["matrix_power"], A, power)


@direct_function(OPS, unwrap=operand_values, wrap=Array._wrap_results)
@_documented
def onenormest(A: Any, t: int = 2, itmax: int = 5, compute_v: bool = False, compute_w: bool = False) -> Any:
    """
    Estimate the 1-norm of a matrix from below.

    Returns
    -------
    Array, or tuple of Array
        The estimate, and the vectors that are asked for.

    Examples
    --------
    >>> import trnarray as xp
    >>> from trnarray.scipy.sparse import csc_array
    >>> from trnarray.scipy.sparse.linalg import onenormest
    >>> float(onenormest(csc_array(xp.asarray([[3.0, 0.0], [1.0, 2.0]]))))
    4.0
    """
    return run(OPS["onenormest"], operand(A), t, itmax, compute_v, compute_w)
