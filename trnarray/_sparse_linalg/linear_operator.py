"""The linear operator: a matrix, or a stack of them, known by its products only."""

from __future__ import annotations

import reprlib
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any, Self

import numpy as np

from .._array import Array
from .._operand import as_operand
from .._sparse.base import common_device, is_scalar, is_sparse
from .._sparse.sparse_array import as_sparse
from .._typing import ArrayLike, DTypeLike
from ..backends.device import Device
from ..backends.dtypes import INT8, INT64, DType, canonical_dtype
from ..creation_functions import zeros
from ..data_type_functions import result_type
from ..joining_functions import stack
from .derived_operator import Adjoint, Derivation, Power, Product, Scaled, Sum, Transpose

__all__ = ["LinearOperator"]



class LinearOperator:
    """
    A matrix known by its products only, or a stack of matrices.

    Call it with functions, or make a subclass with the method ``_matvec`` or ``_matmat``, and ``_rmatvec`` or ``_adjoint`` if
    products with the adjoint are needed. What its methods take and give are Arrays. In a stack of operators, of shape ``(..., m, n)``,
    leading axes are broadcast against those of what is multiplied: vectors are in the last axis, matrices in the last two.

    Parameters
    ----------
    shape : tuple of int
        The numbers of rows and columns, after the lengths of a stack.
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
    xp : module, optional
        SciPy's parameter for a namespace of arrays. Whichever it is, functions are given Arrays, which work with NumPy's functions, too.

    Warns
    -----
    RuntimeWarning
        If a subclass has neither ``_matvec`` nor ``_matmat``.

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
    ndim = 2  # more of a stack

    shape: tuple[int, ...]
    dtype: DType | None
    args: tuple[Any, ...]  # what it is made of
    _derivation: Derivation | None = None

    def __new__(cls, *_args: Any, **_kwargs: Any) -> Self:
        """Make an operator of functions, or one of a subclass. See `scipy.sparse.linalg.LaplacianNd.__new__`."""
        if cls._matvec is LinearOperator._matvec and cls._matmat is LinearOperator._matmat and cls is not LinearOperator:
            message = f"{cls.__name__} has no products; it should implement at least one of _matvec and _matmat"
            warnings.warn(message, RuntimeWarning, stacklevel=2)
        return object.__new__(_Functions if cls is LinearOperator else cls)  # type: ignore[return-value]

    def __init__(self, dtype: DTypeLike, shape: tuple[int, ...], xp: ModuleType | None = None) -> None:  # noqa: ARG002
        """
        Check the dtype and the shape; subclasses call this. See `scipy.sparse.linalg.LaplacianNd.__init__`.

        Parameters
        ----------
        shape : tuple of int
            The numbers of rows and columns, after the lengths of a stack.
        xp : module, optional
            SciPy's parameter for a namespace of arrays; here these are Arrays, whichever it is.
        """
        sizes: tuple[Any, ...] = tuple(shape) if hasattr(shape, "__iter__") else (shape,)
        if len(sizes) < 2 or not all(hasattr(size, "__index__") and size >= 0 for size in sizes):
            raise ValueError(f"the shape of an operator ends in the numbers of rows and columns, but is {reprlib.repr(shape)}")
        self.shape = tuple(map(int, sizes))
        self.ndim = len(sizes)
        self.dtype = None if dtype is None else canonical_dtype(dtype)

    @property
    def _device(self) -> Device | None:
        """Where what it is made of is, if that says it."""
        return common_device(getattr(self, "args", ()))

    def _init_dtype(self) -> None:
        """Find the dtype by a product with zeros; one with numbers that int8 does not hold is of integers, as SciPy has it."""
        if self.dtype is None:
            try:
                self.dtype = self.matvec(zeros(self.shape[-1], dtype=INT8, device=self._device)).dtype
            except OverflowError:
                self.dtype = INT64

    def _matvec(self, x: Any) -> Any:
        """Multiply vectors as matrices of one column."""
        if type(self)._matmat is LinearOperator._matmat:
            raise NotImplementedError(f"{type(self).__name__} has no products; it should implement at least one of _matvec and _matmat")
        return self._matmat(x[..., None])[..., 0]

    def _rmatvec(self, x: Any) -> Any:
        """Multiply vectors by the adjoint."""
        if type(self)._adjoint is not LinearOperator._adjoint:
            return self.H._matvec(x)
        if type(self)._rmatmat is not LinearOperator._rmatmat:
            return self._rmatmat(x[..., None])[..., 0]
        raise NotImplementedError("the operator has no products with its adjoint; give it rmatvec")

    def _matmat(self, X: Any) -> Any:
        """Multiply matrices, column by column."""
        return self._by_columns(X, adjoint=False)

    def _rmatmat(self, X: Any) -> Any:
        """Multiply matrices by the adjoint."""
        if type(self)._adjoint is not LinearOperator._adjoint:
            return self.H._matmat(X)
        return self._by_columns(X, adjoint=True)

    def _by_columns(self, X: Any, adjoint: bool) -> Array:
        if is_sparse(X):
            raise TypeError("an operator of matvec takes no sparse array; wrap that with `aslinearoperator` first, or give matmat")
        columns = [self._apply(X[..., i], adjoint, False) for i in range(X.shape[-1])]
        if columns:
            return stack(columns, axis=-1)
        batch = np.broadcast_shapes(self.shape[:-2], X.shape[:-2])
        return zeros((*batch, self.shape[-1 if adjoint else -2], 0), device=X.device)

    def _apply(self, x: Any, adjoint: bool, matrix: bool) -> Any:
        """Multiply vectors, or matrices, which may be sparse, by the operator or its adjoint."""
        if matrix:
            y = self._rmatmat(x) if adjoint else self._matmat(x)
            return y if is_sparse(y) else as_operand(y, x)
        product = as_operand(self._rmatvec(x) if adjoint else self._matvec(x), x)
        return product.reshape(*np.broadcast_shapes(self.shape[:-2], x.shape[:-1]), self.shape[-1 if adjoint else -2])

    def _adjoint(self) -> LinearOperator:
        return _Derived(Adjoint(self))

    def _transpose(self) -> LinearOperator:
        return _Derived(Transpose(self))

    def matvec(self, x: ArrayLike) -> Array:
        """Multiply vectors. See `scipy.sparse.linalg.LaplacianNd.matvec`."""
        return self._times_vectors(x, "matvec", adjoint=False)

    def rmatvec(self, x: ArrayLike) -> Array:
        """Multiply vectors by the adjoint. See `scipy.sparse.linalg.LaplacianNd.rmatvec`."""
        return self._times_vectors(x, "rmatvec", adjoint=True)

    def matmat(self, X: Any) -> Any:
        """Multiply matrices. See `scipy.sparse.linalg.LaplacianNd.matmat`."""
        return self._times_matrices(X, adjoint=False)

    def rmatmat(self, X: Any) -> Any:
        """Multiply matrices by the adjoint. See `scipy.sparse.linalg.LaplacianNd.rmatmat`."""
        return self._times_matrices(X, adjoint=True)

    def _times_vectors(self, operand: ArrayLike, name: str, adjoint: bool) -> Array:
        """Check the shape of vectors, and multiply them."""
        x = as_operand(operand, self)
        length = self.shape[-2 if adjoint else -1]
        column = x.shape == (length, 1)
        if column:
            message = f"calling {name} on column vectors, here {x.shape}, will end with SciPy 1.20; call {name.replace('vec', 'mat')}"
            warnings.warn(message, FutureWarning, stacklevel=3)
            x = x.reshape(length)
        elif x.ndim == 0 or x.shape[-1] != length:
            raise ValueError(f"the operand has shape {x.shape}, but {name} of {self!r} takes vectors of {length} elements in the last axis")
        product: Array = self._apply(x, adjoint, False)
        return product[..., None] if column else product

    def _times_matrices(self, operand: Any, adjoint: bool) -> Any:
        """Check the shape of matrices, and multiply them."""
        x = as_sparse(operand, self) if is_sparse(operand) else as_operand(operand, self)
        length = self.shape[-2 if adjoint else -1]
        if x.ndim < 2 or x.shape[-2] != length:
            raise ValueError(f"the operand has shape {x.shape}, but an operator of shape {self.shape} multiplies matrices of {length} rows")
        return self._apply(x, adjoint, True)

    def dot(self, other: Any) -> Any:
        """Multiply a vector, matrices, a scalar or another operator. See `scipy.sparse.linalg.LaplacianNd.dot`."""
        if isinstance(other, LinearOperator):
            return _Derived(Product(self, other))
        if is_scalar(other):
            return _Derived(Scaled(self, other))
        x = other if is_sparse(other) else as_operand(other, self)
        return self._times_vectors(x, "matvec", adjoint=False) if x.ndim == 1 else self._times_matrices(x, adjoint=False)

    def rdot(self, other: Any) -> Any:
        """Multiply from the right: ``other @ self``. See `scipy.sparse.linalg.LaplacianNd.rdot`."""
        if isinstance(other, LinearOperator):
            return _Derived(Product(other, self))
        if is_scalar(other):
            return _Derived(Scaled(self, other))
        x = as_sparse(other, self) if is_sparse(other) else as_operand(other, self)
        return self.T.matvec(x) if x.ndim == 1 else self.T.matmat(x.mT).mT

    def __call__(self, x: Any, /) -> Any:
        return self @ x if not is_scalar(x) else self.dot(x)

    def __mul__(self, other: Any, /) -> Any:
        return self.dot(other)

    def __rmul__(self, other: Any, /) -> Any:
        return self.rdot(other)

    def __truediv__(self, other: Any, /) -> LinearOperator:
        if not is_scalar(other):
            raise ValueError(f"an operator is divided by scalars only, and not by {type(other).__name__}")
        return _Derived(Scaled(self, 1.0 / other))

    def __matmul__(self, other: Any, /) -> Any:
        if is_scalar(other):
            raise ValueError("@ does not take scalars; use *")
        return self.dot(other)

    def __rmatmul__(self, other: Any, /) -> Any:
        if is_scalar(other):
            raise ValueError("@ does not take scalars; use *")
        return self.rdot(other)

    def __pow__(self, p: Any, /) -> Any:
        return _Derived(Power(self, p)) if is_scalar(p) else NotImplemented

    def __add__(self, other: Any, /) -> Any:
        return _Derived(Sum(self, other)) if isinstance(other, LinearOperator) else NotImplemented

    def __neg__(self) -> LinearOperator:
        return _Derived(Scaled(self, -1))

    def __sub__(self, other: Any, /) -> Any:
        return self + -other if isinstance(other, LinearOperator) else NotImplemented

    def __repr__(self) -> str:
        kind = "unspecified dtype" if self.dtype is None else f"dtype={self.dtype}"
        return f"<{'x'.join(map(str, self.shape))} {type(self).__name__} with {kind}>"

    def adjoint(self) -> LinearOperator:
        """Give the adjoint: the conjugate transpose. See `scipy.sparse.linalg.LaplacianNd.adjoint`."""
        return self._adjoint()

    def transpose(self) -> LinearOperator:
        """Give the transpose. See `scipy.sparse.linalg.LaplacianNd.transpose`."""
        return self._transpose()

    H = property(adjoint)
    T = property(transpose)


class _Functions(LinearOperator):
    """An operator of the user's functions."""

    def __init__(
        self,
        shape: tuple[int, ...],
        matvec: Callable[[Any], Any],
        rmatvec: Callable[[Any], Any] | None = None,
        matmat: Callable[[Any], Any] | None = None,
        dtype: DTypeLike = None,
        rmatmat: Callable[[Any], Any] | None = None,
        xp: ModuleType | None = None,
    ) -> None:
        super().__init__(dtype, shape, xp)
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
        return self._by_columns(X, adjoint=False) if self._functions[2] is None else self._functions[2](X)

    def _rmatmat(self, X: Any) -> Any:
        return self._by_columns(X, adjoint=True) if self._functions[3] is None else self._functions[3](X)

    def _adjoint(self) -> LinearOperator:
        matvec, rmatvec, matmat, rmatmat = self._functions
        derivation = Adjoint(self)
        if rmatvec is None:
            return _Derived(derivation)
        return _Functions(derivation.shape, rmatvec, matvec, rmatmat, self.dtype, matmat)


class _Derived(LinearOperator):
    """An operator made of others."""

    def __init__(self, derivation: Derivation) -> None:
        self._derivation = derivation
        self.args = derivation.args
        dtypes = [x.dtype for x in self.args if isinstance(x, LinearOperator) and x.dtype is not None]
        super().__init__(result_type(*dtypes, *derivation.scalars) if dtypes else None, derivation.shape)

    def _matvec(self, x: Any) -> Any:
        return self._apply(x, False, False)

    def _rmatvec(self, x: Any) -> Any:
        return self._apply(x, True, False)

    def _matmat(self, X: Any) -> Any:
        return self._apply(X, False, True)

    def _rmatmat(self, X: Any) -> Any:
        return self._apply(X, True, True)

    def _apply(self, x: Any, adjoint: bool, matrix: bool) -> Any:
        assert self._derivation is not None
        return self._derivation.apply(x, adjoint, matrix)

    def _adjoint(self) -> LinearOperator:
        assert self._derivation is not None
        adjoint: LinearOperator = self._derivation.adjoint()
        return adjoint

    def _transpose(self) -> LinearOperator:
        if isinstance(self._derivation, Transpose):
            original: LinearOperator = self.args[0]
            return original
        return super()._transpose()
