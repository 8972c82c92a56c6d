"""Truncated factors of matrices: bases of columns whose error is bounded, by singular values or by sketches."""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np

from .. import linalg
from .._array import Array
from ..array_conversion import asarray
from ..data_type_functions import astype, finfo
from ..elementwise_functions import conj
from ..linear_algebra_functions import matrix_transpose
from ..random import Generator, default_rng

__all__ = ["Options", "adjoint", "allowed", "column_basis", "frobenius", "measured_basis", "rank_within", "share"]

_OVERSAMPLING: Final = 10
_POWERS: Final = 1


class Options(NamedTuple):
    """How ranks and bases are found: the error allowed in the Frobenius norm, a rank at most, and by sketches or not."""

    error: float
    max_rank: int | None
    randomized: bool
    rng: Generator | None


def adjoint(matrix: Array) -> Array:
    """Transpose a matrix and conjugate it."""
    turned = matrix_transpose(matrix)
    return conj(turned) if matrix.dtype.kind == "c" else turned


def frobenius(x: Array) -> float:
    """Compute the root of the sum of squares."""
    return float(linalg.vector_norm(x))


def allowed(tensor: Array, eps: float, truncations: int) -> float:
    """Share an error relative to a tensor's norm among truncations, and multiply it by that norm."""
    return share(tensor, eps, truncations) * frobenius(tensor)


def share(tensor: Array, eps: float, truncations: int) -> float:
    """Share an error among truncations, whose squares add up; it is no less than a unit of the last place."""
    if eps < 0:
        raise ValueError(f"eps is {eps}; give an error of 0 or more")
    return max(eps, float(finfo(tensor.dtype).eps)) / math.sqrt(max(truncations, 1))


def rank_within(values: list[float], error: float) -> int:
    """Count the singular values to keep so that the others, together, are within an error; at least one."""
    rest = 0.0
    for rank in range(len(values), 1, -1):
        rest = math.hypot(rest, values[rank - 1])
        if rest > error:
            return rank
    return min(len(values), 1)


def column_basis(matrix: Array, options: Options) -> Array:
    """
    Find orthonormal columns that span a matrix but for an error.

    Of a wide matrix the triangular factor of its transpose is enough, so that it is read once; the basis are the left singular vectors of
    that. Sketches are doubled until what they leave is within the error.
    """
    return measured_basis(matrix, options)[0]


def measured_basis(matrix: Array, options: Options, relative: float | None = None) -> tuple[Array, float]:
    """Find a basis as `column_basis` does, to an error relative to the matrix's norm if one is given, and the error in the norm's units."""
    rows, columns = matrix.shape
    if options.randomized and min(rows, columns) > 2 * _OVERSAMPLING:
        error = options.error if relative is None else relative * frobenius(matrix)
        return _by_sketch(matrix, options._replace(error=error)), error
    q = None
    if columns > rows:
        triangle: Any = linalg.qr(adjoint(matrix), mode="r")
        u, s, _ = linalg.svd(adjoint(triangle), full_matrices=False)
    elif rows > columns:
        q, r = linalg.qr(matrix)
        u, s, _ = linalg.svd(r, full_matrices=False)
    else:
        u, s, _ = linalg.svd(matrix, full_matrices=False)
    values: Any = s.tolist()
    error = options.error if relative is None else relative * math.hypot(*values)
    rank = rank_within(values, error)
    basis: Array = u[:, : rank if options.max_rank is None else min(rank, options.max_rank)]
    return basis if q is None else q @ basis, error


def _by_sketch(matrix: Array, options: Options) -> Array:
    """Find a basis of the products with random vectors, and truncate it by the singular values of what it spans."""
    rng = default_rng(0) if options.rng is None else options.rng
    least = min(matrix.shape)
    size = min(least, (options.max_rank or _OVERSAMPLING) + _OVERSAMPLING)
    while True:
        sample: Any = rng.standard_normal((matrix.shape[1], size))
        test: Array = asarray(np.asarray(sample.to_device("cpu") if isinstance(sample, Array) else sample), device=matrix.device)
        q, _ = linalg.qr(matrix @ astype(test, matrix.dtype))
        for _ in range(_POWERS):
            q, _ = linalg.qr(adjoint(matrix) @ q)
            q, _ = linalg.qr(matrix @ q)
        small = adjoint(q) @ matrix
        left = frobenius(matrix - q @ small)
        enough = left <= options.error / 2 or size >= least
        if enough or (options.max_rank is not None and size >= options.max_rank + _OVERSAMPLING):
            inner = math.sqrt(max(options.error**2 - left**2, 0.0))
            basis: Array = q @ column_basis(small, options._replace(error=inner, randomized=False))
            return basis
        size = min(least, 2 * size)
