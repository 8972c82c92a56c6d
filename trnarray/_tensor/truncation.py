"""Truncated factors of matrices: bases of columns whose error is bounded, by singular values or by sketches."""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple, cast

import numpy as np

from .. import linalg
from .._array import Array
from ..array_conversion import asarray
from ..backends.device import CPU
from ..backends.dtypes import COMPLEX64, FLOAT32
from ..data_type_functions import astype, finfo
from ..elementwise_functions import abs as magnitude
from ..elementwise_functions import conj
from ..linear_algebra_functions import matrix_transpose
from ..random import Generator, default_rng

__all__ = [
    "Options", "adjoint", "allowed", "by_products", "column_basis", "frobenius", "measured_basis", "moved", "rank_within", "share",
    "triangle",
]  # fmt: skip

_OVERSAMPLING: Final = 10
_POWERS: Final = 1
_FEW: Final = 4096  # elements for which LAPACK takes no triangular factor first, as that costs more than it spares
_ROUNDING: Final = 4  # units of the last place of the largest singular value
_SUMMED: Final = 128  # rows whose products the Tensor Engine adds at once
_LEAST: Final = 2.0**-80  # of sums of squares of float32, so that smaller ones do not vanish


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
    """Share an error among truncations, whose squares add up; each is no less than what LAPACK's singular values of zero have."""
    if eps < 0:
        raise ValueError(f"eps is {eps}; give an error of 0 or more")
    return max(eps / math.sqrt(max(truncations, 1)), _ROUNDING * float(finfo(tensor.dtype).eps))


def rank_within(values: list[float], error: float) -> int:
    """Count the singular values to keep so that the others, together, are within an error; at least one."""
    rest = 0.0
    for rank in range(len(values), 1, -1):
        rest = math.hypot(rest, values[rank - 1])
        if rest > error:
            return rank
    return min(len(values), 1)


def moved(matrix: Array, like: Array) -> Array:
    """Give an Array another one's dtype, and move it where that is."""
    if matrix.device == like.device and matrix.dtype == like.dtype:
        return matrix
    return astype(matrix, like.dtype).to_device(like.device)


def by_products(tensor: Array) -> bool:
    """Tell whether unfoldings are factored by products of their columns: of single precision, on devices."""
    return tensor.device != CPU and tensor.dtype in (FLOAT32, COMPLEX64)


def triangle(matrix: Array, error: float, relative: float | None = None) -> Array:
    """
    Find R with ``R^H R = A^H A`` of a tall matrix A that will be truncated with an error, or one relative to its norm.

    Of single precision on devices it is no triangle but singular values times right singular vectors, in double precision on the host. They
    are those of a Gram matrix where what its rounding may hide is far below the error: that counts as a part of the smallest one. Else they
    are those of the Gram matrix of A V, V the eigenvectors of the first one: it errs relative to each column, so that small singular values
    are not lost among the squares of large ones.
    """
    if not by_products(matrix):
        return cast(Array, linalg.qr(matrix, mode="r"))
    gram, scale = _gram(matrix), 1.0
    if not _LEAST <= np.trace(gram).real < math.inf and (largest := float(magnitude(matrix).max())):
        scale = 2.0 ** -math.frexp(largest)[1]
        gram = _gram(matrix := matrix * scale)
    total = float(np.trace(gram).real)
    hidden = (_SUMMED + matrix.shape[0] / _SUMMED) * 2.0**-24 * total * (4 if matrix.dtype.kind == "c" else 1)
    values, vectors = np.linalg.eigh(gram)
    if 4 * hidden < (error**2 * scale**2 if relative is None else relative**2 * total):
        values[0] += hidden
    else:
        first = vectors.astype(matrix.dtype)
        values, vectors = np.linalg.eigh(_gram(matrix, first))
        vectors = np.linalg.qr(first.astype(vectors.dtype) @ vectors)[0]
    return asarray(np.sqrt(np.maximum(values, 0.0))[:, None] / scale * vectors.conj().T, device=CPU)


def _gram(matrix: Array, basis: Any = None) -> Any:
    """Fetch the products of columns, in another basis if one is given, in double precision."""
    taken = matrix if basis is None else matrix @ asarray(basis, device=matrix.device)
    return np.asarray((adjoint(taken) @ taken).to_device(CPU)).astype(np.result_type(matrix.dtype, np.float64))


def column_basis(matrix: Array, options: Options) -> Array:
    """
    Find orthonormal columns that span a matrix but for an error.

    Of a wide matrix the triangular factor of its transpose is enough, so that it is read once; the basis are the left singular vectors of
    that. Few elements on the host have none. Sketches are doubled until what they leave is within the error.
    """
    return measured_basis(matrix, options)[0]


def measured_basis(matrix: Array, options: Options, relative: float | None = None) -> tuple[Array, float]:
    """Find a basis as `column_basis` does, to an error relative to the matrix's norm if one is given, and the error in the norm's units."""
    rows, columns = matrix.shape
    if options.randomized and min(rows, columns) > 2 * _OVERSAMPLING:
        error = options.error if relative is None else relative * frobenius(matrix)
        return _by_sketch(matrix, options._replace(error=error)), error
    q, few = None, matrix.device == CPU and matrix.size <= _FEW
    if columns > rows and not few:
        u, s, _ = linalg.svd(adjoint(triangle(adjoint(matrix), options.error, relative)), full_matrices=False)
    elif rows > columns and not few:
        q, r = linalg.qr(matrix)
        u, s, _ = linalg.svd(r, full_matrices=False)
    else:
        u, s, _ = linalg.svd(matrix, full_matrices=False)
    values: Any = s.tolist()
    error = options.error if relative is None else relative * math.hypot(*values)
    rank = rank_within(values, error)
    basis = moved(u[:, : rank if options.max_rank is None else min(rank, options.max_rank)], matrix)
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
