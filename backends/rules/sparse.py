"""
Rules of Ops on sparse arrays that give dense ones; their operands are SciPy's sparse arrays or packed ones of a device.

What gives sparse arrays runs at once: how many elements they store depends on values.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from ..dtypes import COMPLEX64, FLOAT32, FLOAT64, DType, real_of
from ..promotion import PromotionTable
from ..shape import checked_axis
from .linalg import diagonal_length
from .reduction import sum_dtype
from .signature import Dynamic, NeedsValueError, Rule, Shape, Signature, float_dtype, refused, scipy_dtype, signature_of

__all__ = ["ELEMENTWISE", "LINEAR_ALGEBRA_RULES", "PYTHON", "RULES", "SPARSE", "is_packed"]

ELEMENTWISE: Final = (
    *("arcsin", "arcsinh", "arctan", "arctanh", "ceil", "deg2rad", "expm1", "floor", "log1p", "rad2deg", "rint", "sign", "sin", "sinh"),
    *("sqrt", "tan", "tanh", "trunc"),
)
"""NumPy's functions of one element that are methods, too: those that leave zeros zero."""


SPARSE: Final = Dynamic("how many elements a sparse array stores depends on values")
PYTHON: Final = Dynamic("it gives numbers of Python's, or objects")


def is_packed(operand: Any) -> bool:
    """Tell whether an operand is a packed sparse array."""
    return type(operand) is tuple and len(operand) == 3 and type(operand[0]) is str


def _is_sparse(operand: Any) -> bool:
    return is_packed(operand) or hasattr(operand, "nnz")


def _signature(promotion: PromotionTable, operand: Any) -> Signature:
    """Tell shape and dtype of an operand, dense or sparse."""
    return Signature(operand[1], operand[2][0].dtype) if is_packed(operand) else signature_of(promotion, operand)


def _matrix(promotion: PromotionTable, a: Any) -> tuple[int, int, DType]:
    """Read a sparse matrix: its rows, columns and dtype."""
    shape, dtype = _signature(promotion, a)
    if not _is_sparse(a) or len(shape) != 2 or 0 in shape:
        raise refused()
    return shape[0], shape[1], dtype


def _dense(promotion: PromotionTable, x: Any) -> tuple[Shape, DType]:
    """Read a dense vector or matrix."""
    if _is_sparse(x):
        SPARSE(promotion)
    shape, dtype = signature_of(promotion, x)
    if len(shape) not in (1, 2) or 0 in shape:
        raise refused()
    return shape, dtype


def _product(promotion: PromotionTable, a: Any, b: Any) -> Signature:
    """Infer the product of a sparse matrix with a dense one, from either side."""
    if _is_sparse(a):
        rows, inner, dtype = _matrix(promotion, a)
        shape, other = _dense(promotion, b)
        length, result = shape[0], (rows, *shape[1:])
    else:
        shape, other = _dense(promotion, a)
        inner, columns, dtype = _matrix(promotion, b)
        length, result = shape[-1], (*shape[:-1], columns)
    if length != inner:
        raise refused()
    return Signature(result, promotion.result_type(dtype, other))


def _sum(promotion: PromotionTable, a: Any, b: Any) -> Signature:
    """Infer the sum or difference of a sparse matrix and a dense one of its shape."""
    sparse, dense = (a, b) if _is_sparse(a) else (b, a)
    rows, columns, dtype = _matrix(promotion, sparse)
    shape, other = _dense(promotion, dense)
    common = promotion.result_type(dtype, other)
    if shape != (rows, columns) or common.kind == "b":
        raise refused()
    return Signature(shape, common)


# Reductions and parts


def _left(shape: Shape, axis: Any) -> Shape:
    """Give what a reduction leaves of a shape."""
    if axis is None:
        return ()
    if not isinstance(axis, int):
        raise refused()
    place = checked_axis(axis, len(shape))
    return (*shape[:place], *shape[place + 1 :])


def _total(promotion: PromotionTable, a: Any, axis: Any = None, dtype: DType | None = None, out: Any = None) -> Signature:
    rows, columns, own = _matrix(promotion, a)
    if out is not None:
        raise refused()
    return Signature(_left((rows, columns), axis), dtype or sum_dtype(promotion, own))


def _mean(promotion: PromotionTable, a: Any, axis: Any = None, dtype: DType | None = None, out: Any = None) -> Signature:
    found = _total(promotion, a, axis, dtype, out)
    return Signature(found.shape, dtype or float_dtype(promotion, _signature(promotion, a).dtype))


def _extremum(promotion: PromotionTable, a: Any, axis: Any = None, out: Any = None, *, explicit: Any = False) -> Signature:
    if axis is not None:
        SPARSE(promotion)
    if out is not None:
        raise refused()
    return Signature((), _matrix(promotion, a)[2])


def _trace(promotion: PromotionTable, a: Any, offset: Any = 0) -> Signature:
    _, _, dtype = _matrix(promotion, a)
    if not isinstance(offset, int):
        raise refused()
    return Signature((), sum_dtype(promotion, dtype))


def _diagonal(promotion: PromotionTable, a: Any, k: Any = 0) -> Signature:
    rows, columns, dtype = _matrix(promotion, a)
    return Signature((diagonal_length(rows, columns, k),), dtype)


def _toarray(promotion: PromotionTable, a: Any, order: Any = None, out: Any = None) -> Signature:
    rows, columns, dtype = _matrix(promotion, a)
    if out is not None or order not in (None, "C", "F"):
        raise refused()
    return Signature((rows, columns), dtype)


# Linear algebra


def _check_precision(promotion: PromotionTable, dtype: DType) -> None:
    """Leave single precision to the host where results have the dtype that it computes in, which depends on the version of SciPy."""
    if dtype in (FLOAT32, COMPLEX64) and promotion.default_float == FLOAT64:
        raise refused()


def _norm(promotion: PromotionTable, x: Any, ord: Any = None, axis: Any = None) -> Signature:
    rows, columns, dtype = _matrix(promotion, x)
    shape = _left((rows, columns), axis)
    whole = (None, "fro", "f")
    if ord not in (whole if axis is None else (None, 2)) and not (dtype.kind in "fc" and ord in (1, np.inf)):
        raise refused()
    if axis is not None or ord not in whole:
        _check_precision(promotion, dtype)
    return Signature(shape, real_of(float_dtype(promotion, dtype)))


def _square(promotion: PromotionTable, a: Any, b: Any) -> tuple[Shape, DType]:
    """Read a sparse square matrix and right-hand sides: their shape and the common dtype of floats."""
    rows, columns, dtype = _matrix(promotion, a)
    shape, _ = _dense(promotion, b)
    if rows != columns or shape[0] != rows:
        raise refused()
    return shape, scipy_dtype(promotion, Signature((), dtype), b)


def _spsolve(promotion: PromotionTable, A: Any, b: Any, permc_spec: Any = None, use_umfpack: Any = True) -> Signature:
    shape, dtype = _square(promotion, A, b)
    if permc_spec not in (None, "NATURAL", "MMD_ATA", "MMD_AT_PLUS_A", "COLAMD"):
        raise refused()
    return Signature(shape[:1] if shape[1:] == (1,) else shape, dtype)


def _spsolve_triangular(
    promotion: PromotionTable,
    A: Any,
    b: Any,
    lower: Any = True,
    overwrite_A: bool = False,
    overwrite_b: bool = False,
    unit_diagonal: Any = False,
) -> Signature:
    shape, dtype = _square(promotion, A, b)
    _check_precision(promotion, dtype)
    return Signature(shape, dtype)


def _expm_multiply(promotion: PromotionTable, A: Any, B: Any, **times: Any) -> Signature:
    if not _is_sparse(A):
        raise NeedsValueError("it calls a function of the caller's")
    if times:
        raise refused()
    return Signature(*_square(promotion, A, B))


RULES: Final[Mapping[str, Rule]] = {
    **dict.fromkeys(("matmul", "dot"), _product),
    **dict.fromkeys(("add", "sub"), _sum),
    **dict.fromkeys(("max", "min", "nanmax", "nanmin"), _extremum),
    **dict.fromkeys(("argmax", "argmin"), Dynamic("whether it keeps the axis depends on the version of SciPy")),
    **dict.fromkeys(("check_format", "has_canonical_format", "has_sorted_indices", "count_nonzero"), PYTHON),
    "diagonal": _diagonal,
    "mean": _mean,
    "sum": _total,
    "toarray": _toarray,
    "trace": _trace,
}
"""By the name of the method, operator or function; others give sparse arrays."""

LINEAR_ALGEBRA_RULES: Final[Mapping[str, Rule]] = {
    **dict.fromkeys(("eigs", "eigsh", "lobpcg", "svds"), Dynamic("it calls products that may be functions of the caller's")),
    **dict.fromkeys(("cg_turns", "stencil_product"), Dynamic("whether a device has it as one kernel depends on values")),
    **dict.fromkeys(("onenormest", "spilu", "splu", "superlu_part"), PYTHON),
    "expm_multiply": _expm_multiply,
    "norm": _norm,
    "spsolve": _spsolve,
    "spsolve_triangular": _spsolve_triangular,
    "superlu_solve": Dynamic("SciPy's object of the factors does not tell their dtype"),
}
"""Likewise, of scipy.sparse.linalg; iterative methods run where all is on the host."""
