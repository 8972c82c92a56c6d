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
from ..array_conversion import asarray
from ..backends.dtypes import COMPLEX64
from ..data_type_functions import finfo, result_type
from ..joining_functions import stack
from ..linear_algebra_functions import vdot
from .system import magnitude

__all__ = ["Arnoldi", "MinimalResidual", "combine"]


class Arnoldi:
    """
    An orthonormal basis, to which products with a matrix are added one by one.

    The method is W. E. Arnoldi's, "The principle of minimized iterations in the solution of the matrix eigenvalue problem", Quarterly
    of Applied Mathematics 9, 1951, with the modified process of Gram and Schmidt: with the products W, ``W = C @ B + V @ H``.

    Parameters
    ----------
    start : Array
        The first vector of the basis V, of any length but 0.
    outside : sequence of Array, optional
        Orthonormal vectors C to which the basis is to be orthogonal, too.
    depth : int, optional
        To how many of the last vectors to make a new one orthogonal, by default to all; two are enough where the matrix is Hermitian.

    Attributes
    ----------
    basis : list of Array
        The vectors V, one more than there are products.
    columns : int
        How many products there are.
    norm : float
        The length of `start`.
    broken : bool
        Whether the last product was a combination of vectors before it, or not finite.
    """

    def __init__(self, start: Array, outside: Sequence[Array] = (), depth: int | None = None) -> None:
        self.norm = magnitude(start)
        self.basis = [start / self.norm]
        self.columns = 0
        self.broken = False
        self._outside, self._depth = outside, depth
        self._eps: Final = float(finfo(start.dtype).eps)
        self._dtype: Final = start.dtype
        self._coefficients: list[Any] = []
        self._projections: list[Any] = []

    def extend(self, w: Array) -> None:
        """Add a product, which makes the next vector of the basis."""
        before = magnitude(w)
        first = 0 if self._depth is None else max(len(self.basis) - self._depth, 0)
        products = []
        for v in (*self._outside, *self.basis[first:]):
            products.append(vdot(v, w))
            w = w - products[-1] * v
        norm = magnitude(w)
        self.broken = not norm > self._eps * before
        self.basis.append(w if self.broken else w / norm)
        fetched = np.asarray(stack(products).tolist(), dtype=self._dtype)
        self._projections.append(fetched[: len(self._outside)])
        column = np.zeros(self.columns + 2, dtype=self._dtype)
        column[first:-1] = fetched[len(self._outside) :]
        column[-1] = norm if not self.broken or math.isnan(norm) else 0
        self._coefficients.append(column)
        self.columns += 1

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
    outside : sequence of Array, optional
        Orthonormal vectors to which the basis is to be orthogonal, too.

    Attributes
    ----------
    residual : float
        The norm of the residual that is left.
    """

    def __init__(self, start: Array, outside: Sequence[Array] = ()) -> None:
        super().__init__(start, outside)
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


def combine(vectors: Sequence[Array], weights: Any) -> Array:
    """Combine vectors linearly."""
    first = vectors[0]
    dtype = result_type(first.dtype, COMPLEX64) if weights.dtype.kind == "c" else first.dtype
    combined: Array = asarray(weights.tolist(), dtype=dtype, device=first.device) @ stack(vectors)
    return combined
