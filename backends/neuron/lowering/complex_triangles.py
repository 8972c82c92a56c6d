"""
Cholesky factors and triangular systems of complex matrices as those of real ones, with [[Re, -Im], [Im, Re]] in the place of each element.

The Cholesky factor of such a matrix is one, too, since the diagonal of a complex one is real.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...dtypes import FLOAT32
from ..graph.graph import Node
from ..value import Value
from .composition import Expression, Ops
from .matrices import all_of

__all__ = ["cholesky", "interleaved", "of_interleaved", "substituted"]


def interleaved(ops: Ops, a: Expression) -> Expression:
    """Make real matrices of complex ones."""
    rows, columns = a.shape[-2:]
    both = ops("stack", [ops("stack", [a.real, -a.imag], -1), ops("stack", [a.imag, a.real], -1)], -3)
    return both.reshape(*a.shape[:-2], 2 * rows, 2 * columns)


def of_interleaved(ops: Ops, a: Expression) -> Expression:
    """Make complex triangles with a real diagonal of such real ones."""
    real, imaginary = a.viewed(lambda shadow: shadow[..., ::2, ::2]), a.viewed(lambda shadow: shadow[..., 1::2, ::2])
    return ops.complex(real, ops("tril", imaginary, -1))


def cholesky(ops: Ops, a: Value, *, upper: bool) -> Value:
    """Factor complex matrices of which one triangle is given."""
    given = Expression(ops, a)
    lower = given.adjoint() if upper else given
    found = of_interleaved(ops, ops("linalg.cholesky", interleaved(ops, ops.complex(lower.real, ops("tril", lower.imag, -1)))))
    return (found.adjoint() if upper else found).value.with_memory()


def substituted(ops: Ops, a: Expression, b: Expression, how: int, *, lower: bool, unit: bool = False) -> tuple[Expression, Node]:
    """
    Solve with triangles of ones on the diagonal, whose rows are divided by the elements there; tell where none of these is zero.

    Matrices are taken as they are, transposed (1), or also conjugated (2).
    """
    diagonal = a.viewed(lambda shadow: np.diagonal(shadow, axis1=-2, axis2=-1))[..., None]
    regular = ops("full", (), 1.0, FLOAT32) if unit else ops("not_equal", diagonal, 0.0)
    diagonal = diagonal if unit else ops("where", regular, diagonal, 1.0).astype(a.dtype)
    rows = a if unit else a / diagonal
    triangle = ops("tril", rows, -1) if lower else ops("triu", rows, 1)
    real = interleaved(ops, triangle.conj() if how == 1 else triangle)
    sides = b if unit or how else b / diagonal
    parts = ops("stack", [sides.real, sides.imag], -2)
    parts = parts.reshape(*b.shape[:-2], 2 * b.shape[-2], b.shape[-1])
    found: Any = ops("scipy.linalg.solve_triangular", real, parts, min(how, 1), lower, True, False, False)
    solution = ops.complex(found.viewed(lambda shadow: shadow[..., ::2, :]), found.viewed(lambda shadow: shadow[..., 1::2, :]))
    if how and not unit:
        solution = solution / (diagonal.conj() if how == 2 else diagonal)
    return solution, all_of(regular)
