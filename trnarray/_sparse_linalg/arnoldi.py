"""Arnoldi's process: an orthonormal basis of a Krylov subspace, and the matrix in it.

Vectors are Arrays and stay on their device; the coefficients are fetched, and their small problems solved on the host.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from scipy.linalg import get_lapack_funcs

from .._array import Array
from .._linalg.norms import vector_norm
from ..array_conversion import asarray
from ..backends.dtypes import COMPLEX64
from ..creation_functions import zeros
from ..data_type_functions import finfo, result_type
from ..elementwise_functions import conj
from ..joining_functions import concat, stack
from .device_iteration import safe_quotient
from .system import magnitude

__all__ = ["Arnoldi", "MinimalResidual", "Vectors"]


_NOISE: Final = 4.0  # units of rounding that a product of vectors before it leaves: of their combination, its rounding and the difference


class Vectors:
    """
    Vectors of one length, of which there are at most so many, as the rows of one Array: however many there are, programs are the same.

    Parameters
    ----------
    most : int
        How many.
    like : Array
        A vector of their length and dtype.
    """

    def __init__(self, most: int, like: Array) -> None:
        self.rows: Any = zeros((most, len(like)), dtype=like.dtype, device=like.device)
        self.count = 0

    def append(self, vector: Any) -> None:
        """Add one."""
        self.rows[self.count] = vector
        self.count += 1

    @property
    def last(self) -> Any:
        """The one that was added last."""
        return self.rows[self.count - 1]

    def combine(self, weights: Any, first: int = 0) -> Array:
        """Combine them linearly, from the one of a number on."""
        padded = np.zeros(len(self.rows), np.asarray(weights).dtype)
        padded[first : first + len(weights)] = weights
        dtype = result_type(self.rows.dtype, COMPLEX64) if padded.dtype.kind == "c" else self.rows.dtype
        combined: Array = asarray(padded.tolist(), dtype=dtype, device=self.rows.device) @ self.rows
        return combined


class Arnoldi:
    """
    An orthonormal basis, to which products with a matrix are added one by one.

    The method is W. E. Arnoldi's, "The principle of minimized iterations in the solution of the matrix eigenvalue problem", Quarterly
    of Applied Mathematics 9, 1951, with the classical process of Gram and Schmidt, twice: with the products W, ``W = C @ B + V @ H``.

    Parameters
    ----------
    start : Array
        The first vector of the basis V, of any length but 0.
    most : int
        How many products are added at most.
    outside : sequence of Array, optional
        Orthonormal vectors C to which the basis is to be orthogonal, too.

    Attributes
    ----------
    columns : int
        How many products there are; vectors V are one more.
    norm : float
        The length of `start`.
    broken : bool
        Whether the last product was a combination of vectors before it, or not finite.
    """

    def __init__(self, start: Array, most: int, outside: Sequence[Array] = ()) -> None:
        self.norm = magnitude(start)
        self.columns = 0
        self.broken = False
        self._outside: Final = len(outside)
        self._vectors: Final = Vectors(len(outside) + most + 1, start)
        for vector in (*outside, start / self.norm):
            self._vectors.append(vector)
        self._eps: Final = float(finfo(start.dtype).eps)
        self._dtype: Final = start.dtype
        self._coefficients: list[Any] = []
        self._projections: list[Any] = []

    @property
    def first(self) -> Any:
        """The first vector of the basis."""
        return self._vectors.rows[self._outside]

    @property
    def last(self) -> Any:
        """The last vector of the basis, whose product is to be added next."""
        return self._vectors.last

    def extend(self, w: Array) -> None:
        """Add a product, which makes the next vector of the basis; its coefficients are fetched all at once."""
        rows, before = self._vectors.rows, vector_norm(w)
        products: Any = 0
        for _ in range(2):
            parts = conj(rows) @ w
            w, products = w - parts @ rows, products + parts
        length = vector_norm(w)
        self._vectors.append(w * safe_quotient(length * 0 + 1, length)[0])
        fetched = np.asarray(concat([products, stack([before, length]).astype(products.dtype)]).tolist(), dtype=self._dtype)
        norm = float(fetched[-1].real)
        self.broken = not norm > _NOISE * self._eps * float(fetched[-2].real)
        self._projections.append(fetched[: self._outside])
        column = fetched[self._outside : self._outside + self.columns + 2]
        column[-1] = norm if not self.broken or math.isnan(norm) else 0
        self._coefficients.append(column)
        self.columns += 1

    def combine(self, weights: Any) -> Array:
        """Combine the vectors of the basis linearly, the first ones."""
        return self._vectors.combine(weights, self._outside)

    @property
    def hessenberg(self) -> Any:
        """The matrix H in the basis, an upper Hessenberg matrix of one row more than columns."""
        h = np.zeros((self.columns + 1, self.columns), dtype=self._dtype)
        for k, column in enumerate(self._coefficients):
            h[: len(column), k] = column
        return h

    @property
    def projections(self) -> Any:
        """The coefficients B of the vectors outside, a column for each product."""
        return np.stack(self._projections, axis=1)


class MinimalResidual(Arnoldi):
    """
    Arnoldi's process with the least-squares problem of `start` and the products, made triangular by Givens rotations as it grows.

    Parameters
    ----------
    start : Array
        The residual.
    most : int
        How many products are added at most.
    outside : sequence of Array, optional
        Orthonormal vectors to which the basis is to be orthogonal, too.

    Attributes
    ----------
    residual : float
        The norm of the residual that is left.
    """

    def __init__(self, start: Array, most: int, outside: Sequence[Array] = ()) -> None:
        super().__init__(start, most, outside)
        self.residual = self.norm
        self._rotation = get_lapack_funcs("lartg", dtype=self._dtype)
        self._rotations: list[tuple[Any, Any]] = []
        self._triangular: list[Any] = []
        self._right: list[Any] = [self._dtype.type(self.norm)]

    def extend(self, w: Array) -> None:
        """Add a product."""
        super().extend(w)
        h = self._coefficients[-1].copy()
        for k, (c, s) in enumerate(self._rotations):
            h[k], h[k + 1] = c * h[k] + s * h[k + 1], -np.conjugate(s) * h[k] + c * h[k + 1]
        c, s, h[-2] = self._rotation(h[-2], h[-1])
        self._rotations.append((c, s))
        self._triangular.append(h[:-1])
        last = self._right[-1]
        self._right[-1:] = [c * last, -np.conjugate(s) * last]
        self.residual = float(abs(self._right[-1]))

    @property
    def triangular(self) -> Any:
        """The triangular matrix of the least-squares problem."""
        r = np.zeros((self.columns, self.columns), dtype=self._dtype)
        for k, column in enumerate(self._triangular):
            r[: k + 1, k] = column
        return r

    @property
    def right(self) -> Any:
        """The right-hand side of the triangular system."""
        return np.asarray(self._right[:-1], dtype=self._dtype)

    def coefficients(self) -> Any:
        """Solve the least-squares problem, of full rank or not."""
        r, right = self.triangular, self.right
        if not (np.isfinite(r).all() and np.isfinite(right).all()):
            return None
        y = np.linalg.lstsq(r, right, rcond=None)[0]
        return y if np.isfinite(y).all() else None

