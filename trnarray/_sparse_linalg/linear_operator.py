"""The linear operator: a matrix known by its products only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from .._array import Array
from .._array.parameters import document
from .._operand import as_operand
from .._sparse.base import is_scalar, is_sparse
from .._sparse.sparse_array import as_sparse
from .._typing import ArrayLike, DTypeLike
from ..backends.dtypes import INT8, DType, canonical_dtype
from ..creation_functions import zeros
from ..data_type_functions import result_type
from ..joining_functions import stack

__all__ = ["LinearOperator"]

_documented = document(
    {
        "X": "array_like: A matrix.",
        "other": "LinearOperator, array_like or scalar: The other operand.",
        "x": "array_like: A vector, or a matrix of one column.",
    }
)


class LinearOperator:
    """
    A matrix known by its products only.

    Call it with functions, or make a subclass with the method ``_matvec`` or ``_matmat``, and ``_rmatvec`` or ``_adjoint`` if
    products with the adjoint are needed. What its methods take and give are Arrays.

    Parameters
    ----------
    shape : tuple of int
        The numbers of rows and columns.
    matvec : callable
        Gives the product with a vector.
    rmatvec : callable, optional
        Gives the product of the adjoint with a vector.
    matmat : callable, optional
        Gives the product with a matrix; by default `matvec` is called for each column.
    dtype : dtype, optional
        The dtype, by default that of the product with zeros of int8.
    rmatmat : callable, optional
        Gives the product of the adjoint with a matrix.

    Examples
    --------
    >>> import trnarray as xp
    >>> from trnarray.scipy.sparse.linalg import LinearOperator
    >>> a = LinearOperator((2, 2), matvec=lambda v: 2 * v)
    >>> (a @ a)(xp.asarray([1.0, 3.0]))
    Array([ 4., 12.], dtype=float64, device='cpu')
    """

    __module__ = "trnarray.scipy.sparse.linalg"
    __array_ufunc__ = None
    ndim = 2

    shape: tuple[int, int]
    dtype: DType | None
    args: tuple[Any, ...]  # what it is made of

    def __new__(cls, *_args: Any, **_kwargs: Any) -> Self:
        """
        Make an operator of functions, or one of a subclass.

        Returns
        -------
        LinearOperator
            The operator.
        """
        return object.__new__(_Functions if cls is LinearOperator else cls)  # type: ignore[return-value]

    def __init__(self, dtype: DTypeLike, shape: tuple[int, int]) -> None:
        """
        Check the dtype and the shape; subclasses call this.

        Parameters
        ----------
        dtype : dtype or None
            The dtype.
        shape : tuple of int
            The numbers of rows and columns.
        """
        sizes: tuple[Any, ...] = tuple(shape) if hasattr(shape, "__iter__") else (shape,)
        if len(sizes) != 2 or not all(hasattr(size, "__index__") and size >= 0 for size in sizes):
            raise ValueError(f"the shape of an operator is a pair of numbers of rows and columns, but is {shape!r}")
        self.shape = int(sizes[0]), int(sizes[1])
        self.dtype = None if dtype is None else canonical_dtype(dtype)

    def _init_dtype(self) -> None:
        """Find the dtype by a product with zeros."""
        if self.dtype is None:
            self.dtype = self.matvec(zeros(self.shape[1], dtype=INT8)).dtype

    def _matvec(self, x: Any) -> Any:
        """Multiply a column, given as a vector or as a matrix."""
        return self.matmat(x.reshape(-1, 1))

    def _rmatvec(self, x: Any) -> Any:
        """Multiply a column by the adjoint."""
        if type(self)._adjoint is LinearOperator._adjoint:
            if type(self)._rmatmat is not LinearOperator._rmatmat:
                return self.rmatmat(x.reshape(-1, 1)).reshape(-1)
            raise NotImplementedError("the operator has no products with its adjoint; give it rmatvec")
        return self.H.matvec(x)

    def _matmat(self, X: Any) -> Any:
        """Multiply a matrix, column by column."""
        return _by_columns(self.matvec, X, self.shape[0])

    def _rmatmat(self, X: Any) -> Any:
        """Multiply a matrix by the adjoint."""
        if type(self)._adjoint is LinearOperator._adjoint:
            return _by_columns(self.rmatvec, X, self.shape[1])
        return self.H.matmat(X)

    def _adjoint(self) -> LinearOperator:
        return _Adjoint(self)

    def _transpose(self) -> LinearOperator:
        return _Transpose(self)

    @_documented
    def matvec(self, x: ArrayLike) -> Array:
        """
        Multiply a vector.

        Returns
        -------
        Array
            The product, of as many dimensions.
        """
        return _vector_product(self._matvec, as_operand(x), self.shape)

    @_documented
    def rmatvec(self, x: ArrayLike) -> Array:
        """
        Multiply a vector by the adjoint.

        Returns
        -------
        Array
            The product, of as many dimensions.
        """
        return _vector_product(self._rmatvec, as_operand(x), self.shape[::-1])

    @_documented
    def matmat(self, X: ArrayLike) -> Array:
        """
        Multiply a matrix.

        Returns
        -------
        Array
            The product.
        """
        product: Array = _matrix_product(self._matmat, X, self.shape)
        return product

    @_documented
    def rmatmat(self, X: ArrayLike) -> Array:
        """
        Multiply a matrix by the adjoint.

        Returns
        -------
        Array
            The product.
        """
        product: Array = _matrix_product(self._rmatmat, X, self.shape[::-1])
        return product

    @_documented
    def dot(self, other: Any) -> Any:
        """
        Multiply a vector, a matrix, a scalar or another operator.

        Returns
        -------
        Array or LinearOperator
            An operator for scalars and operators.
        """
        if isinstance(other, LinearOperator):
            return _Product(self, other)
        if is_scalar(other):
            return _Scaled(self, other)
        x = other if is_sparse(other) else as_operand(other)
        if x.ndim == 1 or (x.ndim == 2 and x.shape[1] == 1 and not is_sparse(x)):
            return self.matvec(x)
        if x.ndim == 2:
            return self.matmat(x)
        raise ValueError(f"an operator multiplies vectors and matrices, but the operand has shape {x.shape}; use x.reshape")

    @_documented
    def rdot(self, other: Any) -> Any:
        """
        Multiply from the right: ``other @ self``.

        Returns
        -------
        Array or LinearOperator
            An operator for scalars and operators.
        """
        if isinstance(other, LinearOperator):
            return _Product(other, self)
        if is_scalar(other):
            return _Scaled(self, other)
        x = as_operand(other)
        if x.ndim == 1:
            return self.T.matvec(x)
        if x.ndim == 2:
            return self.T.matmat(x.T).T
        raise ValueError(f"an operator multiplies vectors and matrices, but the operand has shape {x.shape}; use x.reshape")

    def __call__(self, x: Any, /) -> Any:
        return self @ x if not is_scalar(x) else self.dot(x)

    def __mul__(self, other: Any, /) -> Any:
        return self.dot(other)

    def __rmul__(self, other: Any, /) -> Any:
        return _Scaled(self, other) if is_scalar(other) else self.rdot(other)

    def __truediv__(self, other: Any, /) -> LinearOperator:
        if not is_scalar(other):
            raise ValueError(f"an operator is divided by scalars only, and not by {type(other).__name__}")
        return _Scaled(self, 1.0 / other)

    def __matmul__(self, other: Any, /) -> Any:
        if is_scalar(other):
            raise ValueError("@ does not take scalars; use *")
        return self.dot(other)

    def __rmatmul__(self, other: Any, /) -> Any:
        if is_scalar(other):
            raise ValueError("@ does not take scalars; use *")
        return self.rdot(other)

    def __pow__(self, p: Any, /) -> Any:
        return _Power(self, p) if is_scalar(p) else NotImplemented

    def __add__(self, other: Any, /) -> Any:
        return _Sum(self, other) if isinstance(other, LinearOperator) else NotImplemented

    def __neg__(self) -> LinearOperator:
        return _Scaled(self, -1)

    def __sub__(self, other: Any, /) -> Any:
        return self + -other if isinstance(other, LinearOperator) else NotImplemented

    def __repr__(self) -> str:
        rows, columns = self.shape
        kind = "unspecified dtype" if self.dtype is None else f"dtype={self.dtype}"
        return f"<{rows}x{columns} {type(self).__name__} with {kind}>"

    def adjoint(self) -> LinearOperator:
        """
        Give the adjoint: the conjugate transpose.

        Returns
        -------
        LinearOperator
            The operator.
        """
        return self._adjoint()

    def transpose(self) -> LinearOperator:
        """
        Give the transpose.

        Returns
        -------
        LinearOperator
            The operator.
        """
        return self._transpose()

    H = property(adjoint)
    T = property(transpose)


def _by_columns(function: Callable[[Any], Any], X: Any, rows: int) -> Array:
    """Multiply a matrix column by column."""
    columns = [as_operand(function(X[:, i].reshape(-1, 1))).reshape(-1) for i in range(X.shape[1])]
    return stack(columns, axis=1) if columns else zeros((rows, 0), device=X.device)


def _vector_product(function: Callable[[Any], Any], x: Array, shape: tuple[int, int]) -> Array:
    """Multiply a vector or column, and give the product its dimensions."""
    rows, columns = shape
    if x.shape not in ((columns,), (columns, 1)):
        raise ValueError(f"the operand has shape {x.shape}, but an operator of shape {shape} multiplies {(columns,)} and {(columns, 1)}")
    y = as_operand(function(x))
    return y.reshape(rows) if x.ndim == 1 else y.reshape(rows, 1)


def _matrix_product(function: Callable[[Any], Any], X: Any, shape: tuple[int, int]) -> Any:
    """Multiply a matrix, which may be sparse."""
    x = as_sparse(X) if is_sparse(X) else as_operand(X)
    if x.ndim != 2 or x.shape[0] != shape[1]:
        raise ValueError(f"the operand has shape {x.shape}, but an operator of shape {shape} multiplies matrices of {shape[1]} rows")
    y = function(x)
    return y if is_sparse(y) else as_operand(y)


class _Functions(LinearOperator):
    """An operator of the user's functions."""

    def __init__(
        self,
        shape: tuple[int, int],
        matvec: Callable[[Any], Any],
        rmatvec: Callable[[Any], Any] | None = None,
        matmat: Callable[[Any], Any] | None = None,
        dtype: DTypeLike = None,
        rmatmat: Callable[[Any], Any] | None = None,
    ) -> None:
        super().__init__(dtype, shape)
        self.args = ()
        self._functions = matvec, rmatvec, matmat, rmatmat
        self._init_dtype()

    def _matvec(self, x: Any) -> Any:
        return self._functions[0](x)

    def _rmatvec(self, x: Any) -> Any:
        if self._functions[1] is None:
            raise NotImplementedError("the operator has no products with its adjoint, as rmatvec is not defined; give it rmatvec")
        return self._functions[1](x)

    def _matmat(self, X: Any) -> Any:
        return super()._matmat(X) if self._functions[2] is None else self._functions[2](X)

    def _rmatmat(self, X: Any) -> Any:
        return super()._rmatmat(X) if self._functions[3] is None else self._functions[3](X)

    def _adjoint(self) -> LinearOperator:
        matvec, rmatvec, matmat, rmatmat = self._functions
        if rmatvec is None:
            return _Adjoint(self)
        return _Functions(self.shape[::-1], rmatvec, matvec, rmatmat, self.dtype, matmat)


class _Derived(LinearOperator):
    """An operator made of others, which it keeps as `args`."""

    def __init__(self, args: tuple[Any, ...], shape: tuple[int, int], *more: Any) -> None:
        self.args = args
        dtypes = [x.dtype for x in args if isinstance(x, LinearOperator) and x.dtype is not None]
        super().__init__(result_type(*dtypes, *more) if dtypes else None, shape)


class _Adjoint(_Derived):
    def __init__(self, A: LinearOperator) -> None:
        super().__init__((A,), A.shape[::-1])

    def _matvec(self, x: Any) -> Any:
        return self.args[0]._rmatvec(x)

    def _rmatvec(self, x: Any) -> Any:
        return self.args[0]._matvec(x)

    def _matmat(self, X: Any) -> Any:
        return self.args[0]._rmatmat(X)

    def _rmatmat(self, X: Any) -> Any:
        return self.args[0]._matmat(X)

    def _adjoint(self) -> LinearOperator:
        original: LinearOperator = self.args[0]
        return original


class _Transpose(_Derived):
    def __init__(self, A: LinearOperator) -> None:
        super().__init__((A,), A.shape[::-1])

    def _matvec(self, x: Any) -> Any:
        return as_operand(self.args[0]._rmatvec(x.conj())).conj()

    def _rmatvec(self, x: Any) -> Any:
        return as_operand(self.args[0]._matvec(x.conj())).conj()

    def _matmat(self, X: Any) -> Any:
        return as_operand(self.args[0]._rmatmat(X.conj())).conj()

    def _rmatmat(self, X: Any) -> Any:
        return as_operand(self.args[0]._matmat(X.conj())).conj()

    def _transpose(self) -> LinearOperator:
        original: LinearOperator = self.args[0]
        return original


class _Sum(_Derived):
    def __init__(self, A: LinearOperator, B: LinearOperator) -> None:
        if A.shape != B.shape:
            raise ValueError(f"operators of shapes {A.shape} and {B.shape} cannot be added; their shapes must be the same")
        super().__init__((A, B), A.shape)

    def _matvec(self, x: Any) -> Any:
        return self.args[0].matvec(x) + self.args[1].matvec(x)

    def _rmatvec(self, x: Any) -> Any:
        return self.args[0].rmatvec(x) + self.args[1].rmatvec(x)

    def _matmat(self, X: Any) -> Any:
        return self.args[0].matmat(X) + self.args[1].matmat(X)

    def _rmatmat(self, X: Any) -> Any:
        return self.args[0].rmatmat(X) + self.args[1].rmatmat(X)

    def _adjoint(self) -> LinearOperator:
        return _Sum(self.args[0].H, self.args[1].H)


class _Product(_Derived):
    def __init__(self, A: LinearOperator, B: LinearOperator) -> None:
        if A.shape[1] != B.shape[0]:
            raise ValueError(f"operators of shapes {A.shape} and {B.shape} cannot be multiplied; the inner lengths must be the same")
        super().__init__((A, B), (A.shape[0], B.shape[1]))

    def _matvec(self, x: Any) -> Any:
        return self.args[0].matvec(self.args[1].matvec(x))

    def _rmatvec(self, x: Any) -> Any:
        return self.args[1].rmatvec(self.args[0].rmatvec(x))

    def _matmat(self, X: Any) -> Any:
        return self.args[0].matmat(self.args[1].matmat(X))

    def _rmatmat(self, X: Any) -> Any:
        return self.args[1].rmatmat(self.args[0].rmatmat(X))

    def _adjoint(self) -> LinearOperator:
        return _Product(self.args[1].H, self.args[0].H)


class _Scaled(_Derived):
    def __init__(self, A: LinearOperator, alpha: Any) -> None:
        if not is_scalar(alpha):
            raise ValueError(f"an operator is scaled by a scalar, and not by {type(alpha).__name__}")
        if isinstance(A, _Scaled):
            A, alpha = A.args[0], A.args[1] * alpha
        super().__init__((A, alpha), A.shape, *((alpha,) if A.dtype is not None else ()))

    def _matvec(self, x: Any) -> Any:
        return self.args[1] * self.args[0].matvec(x)

    def _rmatvec(self, x: Any) -> Any:
        return self._conjugate() * self.args[0].rmatvec(x)

    def _matmat(self, X: Any) -> Any:
        return self.args[1] * self.args[0].matmat(X)

    def _rmatmat(self, X: Any) -> Any:
        return self._conjugate() * self.args[0].rmatmat(X)

    def _adjoint(self) -> LinearOperator:
        return _Scaled(self.args[0].H, self._conjugate())

    def _conjugate(self) -> Any:
        alpha = self.args[1]
        return alpha.conjugate() if hasattr(alpha, "conjugate") else alpha


class _Power(_Derived):
    def __init__(self, A: LinearOperator, p: Any) -> None:
        if A.shape[0] != A.shape[1]:
            raise ValueError(f"powers are those of square operators, and this one has shape {A.shape}")
        if not hasattr(p, "__index__") or p < 0:
            raise ValueError(f"the exponent of an operator is an integer of 0 or more, but is {p!r}")
        super().__init__((A, int(p)), A.shape)

    def _power(self, function: Callable[[Any], Any], x: Any) -> Any:
        y = x.copy()
        for _ in range(self.args[1]):
            y = function(y)
        return y

    def _matvec(self, x: Any) -> Any:
        return self._power(self.args[0].matvec, x)

    def _rmatvec(self, x: Any) -> Any:
        return self._power(self.args[0].rmatvec, x)

    def _matmat(self, X: Any) -> Any:
        return self._power(self.args[0].matmat, X)

    def _rmatmat(self, X: Any) -> Any:
        return self._power(self.args[0].rmatmat, X)

    def _adjoint(self) -> LinearOperator:
        return _Power(self.args[0].H, self.args[1])
