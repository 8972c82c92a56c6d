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

__all__ = ["Options", "adjoint", "allowed", "column_basis", "frobenius", "rank_within"]

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
    """Share an error relative to a tensor's norm among truncations, whose squares add up; it is no less than a unit of the last place."""
    if eps < 0:
        raise ValueError(f"eps is {eps}; give an error of 0 or more")
    return max(eps, float(finfo(tensor.dtype).eps)) * frobenius(tensor) / math.sqrt(max(truncations, 1))


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
    rows, columns = matrix.shape
    if options.randomized and min(rows, columns) > 2 * _OVERSAMPLING:
        return _by_sketch(matrix, options)
    if columns > rows:
        triangle: Any = linalg.qr(adjoint(matrix), mode="r")
        u, s, _ = linalg.svd(adjoint(triangle), full_matrices=False)
    elif rows > columns:
        q, r = linalg.qr(matrix)
        u, s, _ = linalg.svd(r, full_matrices=False)
        basis: Array = q @ _kept(u, s, options)
        return basis
    else:
        u, s, _ = linalg.svd(matrix, full_matrices=False)
    return _kept(u, s, options)


def _kept(u: Array, s: Array, options: Options) -> Array:
    values: Any = s.tolist()
    rank = rank_within(values, options.error)
    return u[:, : rank if options.max_rank is None else min(rank, options.max_rank)]


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
