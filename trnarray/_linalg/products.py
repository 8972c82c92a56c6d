"""Products of vectors and matrices, their parts and powers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, overload

from .._apply import apply
from .._array import Array
from .._operand import as_operands
from .._typing import ArrayLike, DTypeLike
from ..backends.device import CPU
from ..backends.dtypes import COMPLEX64, COMPLEX128, FLOAT32, FLOAT64, canonical_dtype, is_double
from ..backends.ops import elementwise
from ..backends.ops import linalg as ops
from ..backends.precision import Accuracy, Precision, choose_rung, product_bound
from ..backends.settings import config
from ..data_type_functions import result_type

__all__ = ["cross", "diagonal", "matmul", "matrix_power", "multi_dot", "outer", "tensordot", "trace", "vecdot"]


@overload
def matmul(
    x1: ArrayLike,
    x2: ArrayLike,
    /,
    *,
    precision: Precision | None = ...,
    target_forward_error: float | None = ...,
    return_info: Literal[False] = ...,
) -> Array: ...
@overload
def matmul(
    x1: ArrayLike,
    x2: ArrayLike,
    /,
    *,
    precision: Precision | None = ...,
    target_forward_error: float | None = ...,
    return_info: Literal[True],
) -> tuple[Array, Accuracy]: ...
def matmul(
    x1: ArrayLike,
    x2: ArrayLike,
    /,
    *,
    precision: Precision | None = None,
    target_forward_error: float | None = None,
    return_info: bool = False,
) -> Array | tuple[Array, Accuracy]:
    """
    Multiply matrices. See `numpy.linalg.matmul`.

    Parameters
    ----------
    x1, x2 : array_like
        Matrices, stacks of them, or vectors.
    precision : str, optional
        How float32 and complex64 are multiplied on Neuron devices, as `config(precision=)`; float64 operands mean float64. On the cpu
        ``"float32-exact"`` and ``"float64"`` are computed in float64, and all others as NumPy does.
    target_forward_error : float, optional
        The largest error relative to the sums of magnitudes, as `config(target_forward_error=)`.
    return_info : bool, optional
        Whether to tell how it was computed and what the error is at most.

    Returns
    -------
    Array, or Array and Accuracy
        The product.

    Raises
    ------
    PrecisionError
        If no way to compute meets the error.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.ones((2, 500), dtype=xp.float32, device="sim:trn2")
    >>> product, info = xp.linalg.matmul(x, x.T, target_forward_error=1e-6, return_info=True)
    >>> info.rung, info.bound < 1e-6
    ('float32-exact', True)
    """
    given = {"precision": precision, "target_forward_error": target_forward_error}
    changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if not changes and not return_info:
        return apply(elementwise.matmul, x1, x2)
    with config(**changes) as settings:
        a, b = as_operands(x1, x2)
        dtype, depth = result_type(a, b), (a.shape or (1,))[-1]
        if dtype not in (FLOAT32, COMPLEX64, FLOAT64, COMPLEX128):
            if changes:
                raise TypeError(f"precision is chosen for products of float32, complex64, float64 and complex128, not of {dtype}")
            dtype = FLOAT32
        rung = choose_rung(settings.precision, settings.target_forward_error, dtype, depth)
        if a.device != CPU:
            accuracy = Accuracy(rung, product_bound(rung, depth, dtype), 8 if rung in ("float32-exact", "float64") else None)
            product = apply(elementwise.matmul, a, b)
        else:
            wide = {FLOAT32: FLOAT64, COMPLEX64: COMPLEX128}.get(dtype) if rung in ("float32-exact", "float64") else None
            unit = 2.0**-53 if wide or is_double(dtype) else 2.0**-24
            accuracy = Accuracy(rung, (depth + 2) * unit + (2.0**-24 if wide else 0.0))
            product = apply(elementwise.matmul, *(x if wide is None else x.astype(wide) for x in (a, b)))
            product = product if wide is None else product.astype(dtype)
    return (product, accuracy) if return_info else product


def vecdot(x1: ArrayLike, x2: ArrayLike, /, *, axis: int = -1) -> Array:
    """Sum the products of the conjugated elements of `x1` with those of `x2`. See `numpy.linalg.vecdot`."""
    return apply(elementwise.vecdot, x1, x2, axis=axis)


def tensordot(x1: ArrayLike, x2: ArrayLike, /, *, axes: int | tuple[int | Sequence[int], int | Sequence[int]] = 2) -> Array:
    """Sum products over chosen axes of two arrays. See `numpy.linalg.tensordot`."""
    return apply(ops.tensordot, x1, x2, axes=axes)


def outer(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Multiply each element of one vector by each of another. See `numpy.linalg.outer`."""
    return apply(ops.outer_of_vectors, x1, x2)


def cross(x1: ArrayLike, x2: ArrayLike, /, *, axis: int = -1) -> Array:
    """Compute the vector product in three dimensions. See `numpy.linalg.cross`."""
    return apply(ops.cross_of_vectors, x1, x2, axis=axis)


def multi_dot(arrays: Sequence[ArrayLike], *, out: Array | None = None) -> Array:
    """Multiply a chain of matrices in the order that costs least. See `numpy.linalg.multi_dot`."""
    *factors, _ = as_operands(*arrays, out if type(out) is Array else None)
    return apply(ops.multi_dot, factors) if out is None else apply(ops.multi_dot, factors, out=out)


def matrix_power(a: ArrayLike, n: int) -> Array:
    """Raise square matrices to an integer power. See `numpy.linalg.matrix_power`."""
    return apply(ops.matrix_power, a, n)


def diagonal(x: ArrayLike, /, *, offset: int = 0) -> Array:
    """Give the diagonals of matrices. See `numpy.linalg.diagonal`."""
    return apply(ops.diagonal_of_matrices, x, offset=offset)


def trace(x: ArrayLike, /, *, offset: int = 0, dtype: DTypeLike = None) -> Array:
    """Sum along the diagonals of matrices. See `numpy.linalg.trace`."""
    if dtype is None:
        return apply(ops.trace_of_matrices, x, offset=offset)
    return apply(ops.trace_of_matrices, x, offset=offset, dtype=canonical_dtype(dtype))
