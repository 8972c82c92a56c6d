"""Rules of numpy.linalg, and of what the standard reads otherwise there: matrices are in the last two axes.

Where NumPy refuses a call for more than the shape of a matrix, its own words are the best: the host says them, at once.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from math import prod
from types import NoneType
from typing import Any, Final

import numpy as np
from numpy.linalg import LinAlgError

from ..dtypes import INT32, DType, complex_of, real_of
from ..promotion import PromotionTable
from ..shape import checked_axis
from .elementwise import is_true
from .reduction import sum_dtype
from .signature import NeedsValueError, Shape, Signature, broadcast_shapes, float_dtype, refused, signature_of

__all__ = [
    "cholesky",
    "cond",
    "cross",
    "det",
    "diagonal",
    "diagonal_length",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "lstsq",
    "matrix",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "multi_dot",
    "norm",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "square",
    "standard_eig",
    "standard_eigvals",
    "svd",
    "svdvals",
    "tensorinv",
    "tensorsolve",
    "trace",
    "vector_norm",
]

_COMPLEX_CONDITION: Final = np.lib.NumpyVersion(np.__version__) < "2.3.0"
_INFINITE: Final = (np.inf, -np.inf)


def matrix(promotion: PromotionTable, a: Any) -> tuple[Shape, int, int, DType]:
    """Read a stack of matrices: its shape, the rows and columns of one, and the dtype in which functions compute in floats."""
    shape, dtype = signature_of(promotion, a)
    if len(shape) < 2:
        raise LinAlgError(f"a matrix or a stack of matrices is wanted, but the array is {len(shape)}-dimensional, of shape {shape}")
    return shape[:-2], shape[-2], shape[-1], float_dtype(promotion, dtype)


def square(promotion: PromotionTable, a: Any) -> tuple[Shape, int, DType]:
    """Read a stack of square matrices: its shape, their order, and the dtype in which functions compute in floats."""
    stack, rows, columns, dtype = matrix(promotion, a)
    if rows != columns:
        raise LinAlgError(f"the last 2 dimensions of the array must be square, but its shape is {(*stack, rows, columns)}")
    return stack, rows, dtype


def diagonal_length(rows: int, columns: int, offset: Any) -> int:
    """Count the elements of a diagonal."""
    right = operator.index(offset)
    return max(0, min(rows, columns - right) if right >= 0 else min(rows + right, columns))


# Products


def multi_dot(promotion: PromotionTable, arrays: Sequence[Any], *, out: Any = None) -> Signature:
    """Infer the product of a chain."""
    factors = [signature_of(promotion, array) for array in arrays]
    shapes = [shape for shape, _ in factors]
    if len(shapes) < 2 or any(len(shape) != 2 for shape in shapes[1:-1]) or any(len(shape) not in (1, 2) for shape in shapes):
        raise refused()
    if any(left[-1] != right[0] for left, right in pairwise(shapes)) or out is not None:
        raise refused()
    return Signature(shapes[0][:-1] + shapes[-1][1:], promotion.result_type(*[dtype for _, dtype in factors]))


def matrix_power(promotion: PromotionTable, a: Any, n: Any) -> Signature:
    """Infer a power."""
    stack, order, dtype = square(promotion, a)
    try:
        n = operator.index(n)
    except TypeError:
        raise refused() from None
    return Signature((*stack, order, order), dtype if n < 0 else signature_of(promotion, a).dtype)


def outer(promotion: PromotionTable, x1: Any, x2: Any, /) -> Signature:
    """Infer the outer product of vectors."""
    first, second = signature_of(promotion, x1), signature_of(promotion, x2)
    if len(first.shape) != 1 or len(second.shape) != 1:
        raise refused()
    return Signature(first.shape + second.shape, promotion.result_type(first.dtype, second.dtype))


def cross(promotion: PromotionTable, x1: Any, x2: Any, /, *, axis: int = -1) -> Signature:
    """Infer the vector product."""
    operands = [signature_of(promotion, x1), signature_of(promotion, x2)]
    rest = []
    for shape, _ in operands:
        place = checked_axis(axis, len(shape))
        if shape[place] != 3:
            raise refused()
        rest.append(shape[:place] + shape[place + 1 :])
    shape = broadcast_shapes(*rest)
    dtype = promotion.result_type(*[dtype for _, dtype in operands])
    if dtype.kind == "b":
        raise refused()
    place = checked_axis(axis, len(shape) + 1)
    return Signature((*shape[:place], 3, *shape[place:]), dtype)


def diagonal(promotion: PromotionTable, x: Any, /, *, offset: int = 0) -> Signature:
    """Infer the diagonals."""
    stack, rows, columns, _ = matrix(promotion, x)
    return Signature((*stack, diagonal_length(rows, columns, offset)), signature_of(promotion, x).dtype)


def trace(promotion: PromotionTable, x: Any, /, *, offset: int = 0, dtype: Any = None) -> Signature:
    """Infer the sums of diagonals."""
    stack, rows, columns, _ = matrix(promotion, x)
    diagonal_length(rows, columns, offset)
    return Signature(stack, sum_dtype(promotion, signature_of(promotion, x).dtype) if dtype is None else dtype)


# Decompositions


def cholesky(promotion: PromotionTable, a: Any, /, *, upper: bool = False) -> Signature:
    """Infer the triangular factor."""
    stack, order, dtype = square(promotion, a)
    return Signature((*stack, order, order), dtype)


def qr(promotion: PromotionTable, a: Any, mode: str = "reduced") -> Any:
    """Infer the factors."""
    stack, rows, columns, dtype = matrix(promotion, a)
    least = min(rows, columns)
    if mode == "r":
        return Signature((*stack, least, columns), dtype)
    if mode == "raw":
        return Signature((*stack, columns, rows), dtype), Signature((*stack, least), dtype)
    if mode not in ("reduced", "complete"):
        raise refused()
    middle = rows if mode == "complete" else least
    return Signature((*stack, rows, middle), dtype), Signature((*stack, middle, columns), dtype)


def svd(promotion: PromotionTable, a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    """Infer the singular vectors and values."""
    stack, rows, columns, dtype = matrix(promotion, a)
    least = min(rows, columns)
    if is_true(hermitian) and rows != columns:
        raise refused()
    values = Signature((*stack, least), real_of(dtype))
    if not is_true(compute_uv):
        return values
    left, right = (rows, columns) if is_true(full_matrices) else (least, least)
    return Signature((*stack, rows, left), dtype), values, Signature((*stack, right, columns), dtype)


def svdvals(promotion: PromotionTable, x: Any, /) -> Signature:
    """Infer the singular values."""
    stack, rows, columns, dtype = matrix(promotion, x)
    return Signature((*stack, min(rows, columns)), real_of(dtype))


def standard_eig(promotion: PromotionTable, x: Any, /) -> tuple[Signature, Signature]:
    """Infer complex eigenvalues and eigenvectors."""
    stack, order, dtype = square(promotion, x)
    return Signature((*stack, order), complex_of(dtype)), Signature((*stack, order, order), complex_of(dtype))


def standard_eigvals(promotion: PromotionTable, x: Any, /) -> Signature:
    """Infer complex eigenvalues."""
    return standard_eig(promotion, x)[0]


def eig(promotion: PromotionTable, a: Any) -> tuple[Signature, Signature]:
    """Infer eigenvalues and eigenvectors, which of real matrices may be real."""
    if square(promotion, a)[-1].kind != "c":
        raise NeedsValueError("whether eigenvalues of a real matrix are complex depends on its elements")
    pair: tuple[Signature, Signature] = _named_pair()(*standard_eig(promotion, a))
    return pair


@cache
def _named_pair() -> Callable[..., Any]:
    """Find the class of NumPy's pairs of eigenvalues and eigenvectors."""
    return type(np.linalg.eig(np.ones((1, 1))))


def eigvals(promotion: PromotionTable, a: Any) -> Signature:
    """Infer eigenvalues, which of real matrices may be real."""
    return eig(promotion, a)[0]


def eigh(promotion: PromotionTable, a: Any, UPLO: Any = "L") -> tuple[Signature, Signature]:
    """Infer eigenvalues and eigenvectors of Hermitian matrices."""
    stack, order, dtype = square(promotion, a)
    if not isinstance(UPLO, str):
        raise refused()
    if UPLO.upper() not in ("L", "U"):
        raise ValueError(f"UPLO is {UPLO!r}; it is 'L' or 'U', the triangle that is read")
    return Signature((*stack, order), real_of(dtype)), Signature((*stack, order, order), dtype)


def eigvalsh(promotion: PromotionTable, a: Any, UPLO: str = "L") -> Signature:
    """Infer eigenvalues of Hermitian matrices."""
    return eigh(promotion, a, UPLO)[0]


# Norms and other numbers


def norm(promotion: PromotionTable, x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Signature:
    """Infer a norm of vectors or matrices."""
    shape, dtype = signature_of(promotion, x)
    ndim = len(shape)
    whole = axis is None and (ord is None or (ord in ("f", "fro") and ndim == 2) or (ord == 2 and ndim == 1))
    if not whole:
        axes = tuple(range(ndim)) if axis is None else axis if type(axis) is tuple else (axis,)
        if len(axes) not in (1, 2):
            raise refused()
        axes = tuple([checked_axis(one, ndim) for one in axes])
        if len({*axes}) < len(axes):
            raise refused()
        vectors = len(axes) == 1
        if isinstance(ord, str) if vectors else ord not in (None, "fro", "f", "nuc", 1, -1, 2, -2, *_INFINITE):
            raise refused()
        if not isinstance(ord, (str, int, float, np.generic, NoneType)):
            raise refused()
        if 0 in [shape[one] for one in axes] and ord in (1, -1, 2, -2, *_INFINITE):  # of which NumPy refuses some, differently by version
            raise refused()
    else:
        axes = tuple(range(ndim))
    kept = tuple([1 if place in axes else size for place, size in enumerate(shape) if is_true(keepdims) or place not in axes])
    return Signature(kept, real_of(float_dtype(promotion, dtype)))


def matrix_norm(promotion: PromotionTable, x: Any, /, *, keepdims: Any = False, ord: Any = "fro") -> Signature:
    """Infer a norm of matrices."""
    return norm(promotion, x, ord, (-2, -1), keepdims)


def vector_norm(promotion: PromotionTable, x: Any, /, *, axis: Any = None, keepdims: Any = False, ord: Any = 2) -> Signature:
    """Infer a norm of vectors, which may lie along several axes."""
    shape, dtype = signature_of(promotion, x)
    given = range(len(shape)) if axis is None else axis if type(axis) is tuple else (axis,)
    axes = [checked_axis(one, len(shape)) for one in given]
    if len({*axes}) < len(axes) or not isinstance(ord, (int, float, np.generic, NoneType)) or (0 in shape and ord in _INFINITE):
        raise refused()
    kept = tuple([1 if place in axes else size for place, size in enumerate(shape) if is_true(keepdims) or place not in axes])
    return Signature(kept, real_of(float_dtype(promotion, dtype)))


def cond(promotion: PromotionTable, x: Any, p: Any = None) -> Signature:
    """Infer condition numbers."""
    stack, rows, columns, dtype = matrix(promotion, x)
    plain = p is None or (not isinstance(p, str) and p in (2, -2))
    if 0 in (rows, columns) or (not plain and rows != columns):
        raise refused()
    if not plain and p not in ("fro", "f", "nuc", 1, -1, *_INFINITE):
        raise ValueError(f"p is {p!r}; the norm of a matrix has None, 'fro', 'nuc', 1, -1, 2, -2, inf or -inf")
    if dtype.kind == "c" and not plain and _COMPLEX_CONDITION:
        raise NeedsValueError("NumPy before 2.3 gives complex condition numbers of complex matrices")
    return Signature(stack, real_of(dtype))


def det(promotion: PromotionTable, a: Any) -> Signature:
    """Infer determinants."""
    stack, _, dtype = square(promotion, a)
    return Signature(stack, dtype)


def slogdet(promotion: PromotionTable, a: Any) -> tuple[Signature, Signature]:
    """Infer sign and logarithm of determinants."""
    stack, _, dtype = square(promotion, a)
    return Signature(stack, dtype), Signature(stack, real_of(dtype))


def matrix_rank(promotion: PromotionTable, A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Signature:
    """Infer ranks."""
    if len(signature_of(promotion, A).shape) < 2:
        raise NeedsValueError("the rank of a vector is a number of Python's")
    stack, rows, columns, _ = matrix(promotion, A)
    if (tol is not None and rtol is not None) or (is_true(hermitian) and rows != columns) or 0 in (rows, columns):
        raise refused()
    given = [signature_of(promotion, item).shape for item in (tol, rtol) if item is not None]
    return Signature(broadcast_shapes(stack, *given), promotion.default_index)


# Equations and inverses


def inv(promotion: PromotionTable, a: Any) -> Signature:
    """Infer inverses."""
    stack, order, dtype = square(promotion, a)
    return Signature((*stack, order, order), dtype)


def pinv(promotion: PromotionTable, a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = np._NoValue) -> Signature:
    """Infer pseudo-inverses."""
    stack, rows, columns, dtype = matrix(promotion, a)
    given = [signature_of(promotion, item).shape for item in (rcond, rtol) if item is not None and item is not np._NoValue]
    twice = rcond is not None and rtol is not np._NoValue
    if twice or 0 in (rows, columns) or (is_true(hermitian) and rows != columns) or broadcast_shapes(stack, *given) != stack:
        raise refused()
    return Signature((*stack, columns, rows), dtype)


def solve(promotion: PromotionTable, a: Any, b: Any) -> Signature:
    """Infer solutions: one where `b` has one axis, else matrices of them."""
    stack, order, _ = square(promotion, a)
    sides, other = signature_of(promotion, b)
    if not sides:
        raise ValueError("the right-hand side of solve is a vector or a matrix, but has no axes")
    if sides[-1 if len(sides) == 1 else -2] != order:
        raise ValueError(
            f"matrices of shape {(*stack, order, order)} and right-hand sides of shape {sides} do not fit: give as many rows as equations"
        )
    ahead = stack if len(sides) == 1 else broadcast_shapes(stack, sides[:-2])
    columns = sides[-1:] if len(sides) > 1 else ()
    return Signature((*ahead, order, *columns), float_dtype(promotion, signature_of(promotion, a).dtype, other))


def lstsq(promotion: PromotionTable, a: Any, b: Any, rcond: Any = None) -> tuple[Signature, ...]:
    """Infer solution, residuals, rank and singular values."""
    stack, rows, columns, _ = matrix(promotion, a)
    shape, dtype = signature_of(promotion, b)
    if stack or len(shape) not in (1, 2) or shape[0] != rows or 0 in (rows, columns):
        raise refused()
    if rows > columns:
        raise NeedsValueError("it gives residuals only where the matrix has full rank")
    common = float_dtype(promotion, signature_of(promotion, a).dtype, dtype)
    real = real_of(common)
    return Signature((columns, *shape[1:]), common), Signature((0,), real), Signature((), INT32), Signature((rows,), real)


def tensorinv(promotion: PromotionTable, a: Any, ind: int = 2) -> Signature:
    """Infer the inverse of a linear map of arrays."""
    shape, dtype = signature_of(promotion, a)
    if ind <= 0:
        raise ValueError(f"ind is {ind}; it is a number of axes, from 1 on")
    if prod(shape[ind:]) != prod(shape[:ind]):
        raise refused()
    return Signature(shape[ind:] + shape[:ind], float_dtype(promotion, dtype))


def tensorsolve(promotion: PromotionTable, a: Any, b: Any, axes: Any = None) -> Signature:
    """Infer the solution of an equation between arrays."""
    first, second = signature_of(promotion, a), signature_of(promotion, b)
    order = [*range(len(first.shape))]
    try:
        for axis in axes or ():
            order.remove(axis)
            order.insert(len(first.shape), axis)
    except (TypeError, ValueError):
        raise refused() from None
    shape = tuple([first.shape[axis] for axis in order])[-(len(first.shape) - len(second.shape)) :]
    if prod(shape) ** 2 != prod(first.shape) or prod(shape) != prod(second.shape):
        raise refused()
    return Signature(shape, float_dtype(promotion, first.dtype, second.dtype))
