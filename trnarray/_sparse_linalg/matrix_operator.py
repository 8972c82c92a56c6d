"""Linear operators of matrices, and of other objects that have products."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import scipy.sparse.linalg

from .._array import Array
from .._operand import as_operand
from .._sparse.base import is_sparse
from .._sparse.sparse_array import as_sparse
from ..array_conversion import asarray
from ..backends.device import CPU
from ..backends.dtypes import COMPLEX64, COMPLEX128, FLOAT32, FLOAT64, DType
from .linear_operator import LinearOperator

__all__ = ["DEVICE_DTYPES", "aslinearoperator", "is_matrix", "narrowed", "operator_of", "single_operator"]


DEVICE_DTYPES: Final = (FLOAT32, COMPLEX64, FLOAT64, COMPLEX128)
"""Of operators whose equations and eigenvalues devices compute."""


class _Matrix(LinearOperator):
    """An operator of a matrix that is there, or of a stack of them."""

    def __init__(self, A: Any) -> None:
        super().__init__(A.dtype, A.shape)
        self.A = A
        self.args = (A,)
        self._of_adjoint: LinearOperator | None = None
        self._narrow: LinearOperator | None = None

    def _matvec(self, x: Any) -> Any:
        return self.A @ x if x.ndim == 1 else super()._matvec(x)

    def _matmat(self, X: Any) -> Any:
        return self.A @ X

    def _adjoint(self) -> LinearOperator:
        if self._of_adjoint is None:
            self._of_adjoint = _Matrix(self.A.mT.conj())
        return self._of_adjoint


class _Object(LinearOperator):
    """An operator of an object that has products."""

    def __init__(self, A: Any) -> None:
        super().__init__(getattr(A, "dtype", None), A.shape)
        self.args = (A,)
        self._init_dtype()

    def _product(self, name: str, x: Any) -> Any:
        return getattr(self.args[0], name)(x)

    def _matvec(self, x: Any) -> Any:
        return self._product("matvec", x)

    def _rmatvec(self, x: Any) -> Any:
        return self._product("rmatvec", x)

    def _matmat(self, X: Any) -> Any:
        return self._product("matmat", X) if hasattr(self.args[0], "matmat") else super()._matmat(X)

    def _rmatmat(self, X: Any) -> Any:
        return self._product("rmatmat", X) if hasattr(self.args[0], "rmatmat") else super()._rmatmat(X)


class _Theirs(_Object):
    """One of SciPy's operators, which computes on the host."""

    def _product(self, name: str, x: Any) -> Any:
        host = x._host() if x.device is CPU else np.asarray(x)  # the latter is an implicit transfer
        return asarray(super()._product(name, host), device=x.device)


def aslinearoperator(A: Any) -> LinearOperator:
    """Make a linear operator of anything that has products. See `scipy.sparse.linalg.aslinearoperator`."""
    return operator_of(A)


def operator_of(A: Any, *beside: Any) -> LinearOperator:
    """Make a linear operator as `aslinearoperator` does."""
    if isinstance(A, LinearOperator):
        return A
    if is_sparse(A):
        return _Matrix(as_sparse(A, *beside))
    if isinstance(A, scipy.sparse.linalg.LinearOperator):
        return _Theirs(A)
    if type(A) is not Array and hasattr(A, "shape") and hasattr(A, "matvec"):
        return _Object(A)
    matrix = as_operand(A, *beside)
    if not matrix.ndim:
        raise TypeError(f"a linear operator is made of a matrix, but got {type(A).__name__}, which is a number")
    return _Matrix(matrix if matrix.ndim >= 2 else matrix.reshape(1, -1))


def single_operator(A: Any, name: str, *beside: Any) -> LinearOperator:
    """Make a linear operator of a matrix for a method that does not take stacks of them."""
    operator = operator_of(A, *beside)
    if operator.ndim > 2:
        raise ValueError(f"{name} takes one matrix at a time, and not a stack of shape {operator.shape}; call it for each matrix")
    return operator


def is_matrix(operator: LinearOperator) -> bool:
    """Tell whether an operator is of a matrix, which computes in double precision what is given it so."""
    return isinstance(operator, _Matrix)


def narrowed(operator: LinearOperator, dtype: DType) -> tuple[LinearOperator | None, bool]:
    """
    Give an operator in single precision, and tell whether the original one computes in double precision what is given it so.

    Nothing where it is not known how to make it.
    """
    if not isinstance(operator, _Matrix):
        return (operator if operator.dtype == dtype else None), False
    if operator.dtype == dtype:
        return operator, True
    if operator._narrow is None or operator._narrow.dtype != dtype:
        operator._narrow = _Matrix(operator.A.astype(dtype))
    return operator._narrow, True
