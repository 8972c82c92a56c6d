"""The Laplace operator on a rectangular grid, whose eigenvalues and eigenvectors are known."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import scipy.sparse

from .._array import Array
from .._placement import promotion_table
from .._sparse.base import is_sparse, run_raw, wrap_result
from .._sparse.formats import csr_array, dia_array
from .._sparse.sparse_array import sparray
from .._typing import DTypeLike
from ..array_conversion import asarray
from ..backends.device import CPU
from ..backends.dtypes import INT8
from ..backends.ops.sparse_linalg import OPS
from ..backends.settings import get_default_device
from ..creation_functions import eye
from ..rearrangement_functions import pad
from .linear_operator import LinearOperator

__all__ = ["LaplacianNd"]

_CONDITIONS: Final = ("neumann", "dirichlet", "periodic")


class LaplacianNd(LinearOperator):
    """
    The negative definite Laplace operator on a grid of points at distances of 1, by second differences.

    Products are computed where the operand is, in operations of Arrays.

    Parameters
    ----------
    grid_shape : tuple of int
        The numbers of points along the axes; the matrix has a row for each point.
    boundary_conditions : {'neumann', 'dirichlet', 'periodic'}, optional
        What is beyond the first and the last point of an axis: the same value, zero, or the values from the other end.
    dtype : dtype, optional
        The dtype of the matrix, by default int8.

    Raises
    ------
    ValueError
        If the boundary conditions are none of these.

    Notes
    -----
    The eigenvectors are those of discrete sine, cosine and Fourier transforms; see G. Strang, "The discrete cosine transform", SIAM
    Review 41, 1999. An axis of one point is that of a grid as any other: SciPy's matrix has -1 there where its products have 0.

    Examples
    --------
    >>> import trnarray as xp
    >>> from trnarray.scipy.sparse.linalg import LaplacianNd
    >>> a = LaplacianNd((3,))
    >>> a.toarray().tolist()
    [[-1, 1, 0], [1, -2, 1], [0, 1, -1]]
    >>> (a @ xp.asarray([0.0, 1.0, 4.0])).tolist()
    [1.0, 2.0, -3.0]
    >>> xp.round(a.eigenvalues(), 6) + 0.0
    Array([-3., -1.,  0.], dtype=float64, device='cpu')
    """

    __module__ = "trnarray.scipy.sparse.linalg"

    def __init__(self, grid_shape: tuple[int, ...], *, boundary_conditions: str = "neumann", dtype: DTypeLike = INT8) -> None:
        """Check the boundary conditions."""
        if boundary_conditions not in _CONDITIONS:
            raise ValueError(f"boundary_conditions is one of {', '.join(map(repr, _CONDITIONS))}, but is {boundary_conditions!r}")
        self.grid_shape = tuple(grid_shape)
        self.boundary_conditions = boundary_conditions
        count = math.prod(self.grid_shape)
        super().__init__(dtype, (count, count))

    def _matmat(self, X: Any) -> Any:
        if is_sparse(X):
            return self.tosparse() @ X
        first = X.ndim - 2
        grid = X.reshape(*X.shape[:first], *self.grid_shape, X.shape[-1])
        axes = range(first, first + len(self.grid_shape))
        product = self._inner(X.reshape(-1)) if X.shape == (self.shape[0], 1) and X.device is not CPU else None
        if product is None:
            padded = pad(grid, [(int(axis in axes),) * 2 for axis in range(grid.ndim)])
            product = (-2 * len(self.grid_shape)) * grid
            for axis in axes:
                for begin in (0, 2):  # at the neighbours before, and after
                    moved = [slice(begin, begin + grid.shape[axis]) if other == axis else slice(1, -1) for other in axes]
                    product = product + padded[(*[slice(None)] * first, *moved)]
        product = product.reshape(grid.shape)
        if self.boundary_conditions != "dirichlet":
            for axis in axes:
                before, after = [(*[slice(None)] * axis, chosen) for chosen in (slice(None, 1), slice(-1, None))]
                near, far = (after, before) if self.boundary_conditions == "periodic" else (before, after)
                product[before] += grid[near]
                product[after] += grid[far]
        return product.reshape(X.shape)

    def _inner(self, x: Array) -> Array | None:
        """Multiply a vector with the constant diagonals of the matrix for zeros beyond the grid, if its device has a kernel for these."""
        diagonals: dict[int, tuple[int, int, int]] = {0: (0, 0, 0)}
        step = 1
        for points in reversed(self.grid_shape):
            period = points * step
            for sign in (-1, 1) if points > 1 else ():  # the vector ends where the first axis does
                diagonals[sign * step] = (period, step * (sign < 0), period - step) if period < len(x) else (0, 0, 0)
            step = period
        offsets = tuple(sorted(diagonals))
        coefficients = tuple([1.0 if offset else -2.0 * len(self.grid_shape) for offset in offsets])
        result, device = run_raw(OPS["stencil_product"], (x, offsets, tuple([diagonals[offset] for offset in offsets]), coefficients), {})
        return None if result is None else wrap_result(result, device)

    def _adjoint(self) -> LinearOperator:
        return self

    def _transpose(self) -> LinearOperator:
        return self

    def toarray(self) -> Array:
        """Give the matrix. See `scipy.sparse.linalg.LaplacianNd.toarray`."""
        return self._matmat(eye(self.shape[0], dtype=self.dtype))  # type: ignore[no-any-return]

    def tosparse(self) -> sparray:
        """Give the matrix as a sparse array. See `scipy.sparse.linalg.LaplacianNd.tosparse`."""
        total: Any = 0
        for axis, points in enumerate(self.grid_shape):
            matrix: Any = self._second_difference(points)
            before, after = (math.prod(shape) for shape in (self.grid_shape[:axis], self.grid_shape[axis + 1 :]))
            for place, count in ((0, before), (1, after)):
                if count != 1:
                    identity = scipy.sparse.eye_array(count, dtype=np.int8)
                    matrix = scipy.sparse.kron(*((matrix, identity) if place else (identity, matrix)), format="csr")
            total = matrix + total
        return (dia_array if len(self.grid_shape) == 1 else csr_array)(total, dtype=self.dtype)

    def _second_difference(self, points: int) -> Any:
        """Give SciPy's sparse array of second differences along an axis."""
        here = np.arange(points)
        rows, columns = np.tile(here, 2), np.concatenate([here - 1, here + 1])
        if self.boundary_conditions == "periodic":
            columns %= points
        elif self.boundary_conditions == "neumann":
            columns = columns.clip(0, points - 1)
        inside = (columns >= 0) & (columns < points)
        rows, columns = np.concatenate([here, rows[inside]]), np.concatenate([here, columns[inside]])
        data = np.ones(len(rows), dtype=np.int8)
        data[:points] = -2
        matrix = scipy.sparse.csr_array((data, (rows, columns)), shape=(points, points))
        matrix.eliminate_zeros()
        return matrix

    def eigenvalues(self, m: int | None = None) -> Array:
        """Give the eigenvalues. See `scipy.sparse.linalg.LaplacianNd.eigenvalues`."""
        return _on_device(self._modes(m)[0])

    def eigenvectors(self, m: int | None = None) -> Array:
        """Give orthonormal eigenvectors. See `scipy.sparse.linalg.LaplacianNd.eigenvectors`."""
        _, modes = self._modes(m)
        vectors = np.ones((1, modes.shape[1]))
        for points, numbers in zip(self.grid_shape, modes, strict=True):
            along = self._waves(numbers, points)
            vectors = (vectors[:, None] * along).reshape(-1, vectors.shape[1])
        return _on_device(vectors)

    def _modes(self, m: int | None) -> tuple[Any, Any]:
        """Give eigenvalues in ascending order, and for each the numbers of its waves along the axes."""
        waves = np.indices([points if m is None else min(points, m) for points in self.grid_shape])
        total: Any = sum(
            -4 * np.sin(np.pi * self._frequencies(numbers, points)) ** 2 for numbers, points in zip(waves, self.grid_shape, strict=True)
        )
        order = np.argsort(total, axis=None)[0 if m is None else -m :]
        return total.reshape(-1)[order], waves.reshape(len(waves), -1)[:, order]

    def _frequencies(self, numbers: Any, points: int) -> Any:
        """Give how many periods the waves of these numbers have from point to point."""
        if self.boundary_conditions == "periodic":
            return (numbers + 1) // 2 / points
        return (numbers + 1) / (2 * points + 2) if self.boundary_conditions == "dirichlet" else numbers / (2 * points)

    def _waves(self, numbers: Any, points: int) -> Any:
        """Give the waves of these numbers along an axis, in columns of length 1."""
        dirichlet = self.boundary_conditions == "dirichlet"
        angles = 2 * np.pi * self._frequencies(numbers, points) * (np.arange(points) + (1 if dirichlet else 0.5))[:, None]
        odd = dirichlet or (self.boundary_conditions == "periodic" and numbers % 2 == 1)
        waves = np.where(odd, np.sin(angles), np.cos(angles))
        waves[abs(waves) < np.finfo(np.float64).eps] = 0  # where they cross it
        return waves / np.linalg.norm(waves, axis=0)


def _on_device(x: Any) -> Array:
    """Bring what was computed on the host to the default device, in its default dtype."""
    return asarray(x.astype(promotion_table(get_default_device()).default_float))
