"""Eigenvalues and eigenvectors of Hermitian matrices from those of tridiagonal ones."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from ...dtypes import FLOAT32
from ..graph.build import call as call_kernel
from ..graph.build import reshape
from ..graph.graph import Node
from . import NotNativeError
from .composition import Expression, Ops
from .matrices import all_of, matrices
from .orthogonal_factors import reflected
from .polar_factors import orthonormal, polar_factor

__all__ = ["MOST_ROWS", "Diagonalized", "diagonalized"]

_U: Final = 2.0**-24
MOST_ROWS: Final = 1024
_STEPS: Final = 6  # for singular values of vectors of clusters, above 1e-6


class Diagonalized(NamedTuple):
    """
    Eigenvalues of matrices in ascending order, and eigenvectors as columns, unless they are not asked for.

    Attributes
    ----------
    values, vectors : Expression
        The values; the vectors, of which there are none if only values are asked for.
    holds : Node
        Of one element: 0 where they are not accurate, or there are infinities or NaN.
    """

    values: Expression
    vectors: Expression | None
    holds: Node


def diagonalized(ops: Ops, a: Expression, *, vectors: bool = True) -> Diagonalized:
    """
    Diagonalize matrices of float32 or complex64, both of whose triangles are given.

    Complex ones are [[Re, -Im], [Im, Re]], whose eigenvalues are each there twice: of two vectors one is taken. Vectors of clusters span
    what eigenvectors do; the polar factor of all of them is orthogonal, and mixes those of different eigenvalues no more than they were.
    """
    order, stack = a.shape[-1], a.shape[:-2]
    norm = abs(a).sum(-1).max(-1)
    power = ops.exponents(norm)
    scaled = ops.ldexp(a, -power[..., None, None])
    whole = scaled
    if a.is_complex:
        whole = ops.concatenate([ops.concatenate([scaled.real, -scaled.imag]), ops.concatenate([scaled.imag, scaled.real])], -2)
    rows = whole.shape[-1]
    if rows > MOST_ROWS:
        raise NotNativeError(f"eigenvalues of more than {MOST_ROWS} rows, or {MOST_ROWS // 2} of complex ones, are computed on the host")
    packed, taus, diagonal, beside = call_kernel("tridiagonal", *matrices(whole.value, FLOAT32, stack))
    (found,) = call_kernel("tridiagonal values", diagonal, beside)
    values = _expression(ops, found, (*stack, rows))
    if a.is_complex:
        values = (values[..., ::2] + values[..., 1::2]) * 0.5
    values = ops("where", norm[..., None] > 0.0, values, 0.0).astype(FLOAT32)
    finite = norm < np.inf
    unscaled = ops("ldexp", values, power[..., None])
    if not vectors:
        return Diagonalized(unscaled, None, all_of(finite))
    starts = ops.kept(("starts", rows), lambda: np.random.default_rng(rows).standard_normal((rows, rows)))
    (lines,) = call_kernel("tridiagonal vectors", diagonal, beside, found, *starts.value.read())
    columns = _expression(ops, lines, (*stack, rows, rows)).viewed(lambda shadow: np.swapaxes(shadow, -1, -2))
    kept = columns[..., ::2] if a.is_complex else columns
    reflections = _expression(ops, packed, packed.shape)[..., 1:, : rows - 2], _expression(ops, taus, taus.shape)[..., : rows - 2]
    kept = ops.concatenate([kept[..., :1, :], reflected(ops, *reflections, kept[..., 1:, :])], -2)
    if a.is_complex:
        kept = ops.complex(kept[..., :order, :] + 0.0, kept[..., order:, :] + 0.0)
    unit = kept / ops("linalg.vector_norm", kept, axis=-2, keepdims=True)
    basis = orthonormal(ops, polar_factor(ops, unit, steps=_STEPS))
    limit, one = 8 * (rows + 8) * _U, ops.unit(order)
    apart = abs(one - basis.adjoint() @ basis).max((-2, -1)) <= limit
    rest = abs(scaled @ basis - basis * values[..., None, :]).max((-2, -1)) <= abs(values).max(-1) * limit
    return Diagonalized(unscaled, basis, all_of(finite, apart, rest))


def _expression(ops: Ops, node: Node, shape: tuple[int, ...]) -> Expression:
    return Expression(ops, ops.builder.make((reshape(node, shape),), FLOAT32))
