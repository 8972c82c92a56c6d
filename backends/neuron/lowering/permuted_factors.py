"""LU factors of matrices that lanes do not take: over partitions in float32, corrected in float64, and the exchanges of rows."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...dtypes import COMPLEX128, FLOAT32, FLOAT64, INT32, DType
from ...rules import Signature
from ..graph.build import cast, iota, reshape
from ..graph.graph import Node
from ..value import Value
from . import Builder, NotNativeError
from .composition import Expression, Ops
from .matrices import Achieved, all_of
from .op_calls import call, converted
from .refinement import exchanged, triangle_inverted, within

__all__ = ["REASON", "cut", "each", "given", "lu", "lu_factor", "lu_solve", "regular_of"]

_U: Final = 2.0**-53
_STEPS: Final = 4
_MOST_MATRICES: Final = 16
"""Of a stack, each of which is many products of its own."""
REASON: Final = "its condition number is too large for factors of float32 to be corrected"


def padded(builder: Builder, a: Value) -> Value:
    """Make square matrices of others by zeros, which no pivot is looked for among as long as there are rows and columns."""
    order = max(a.shape[-2:])
    more: Value = call(builder, "pad", a, [*[(0, 0)] * (a.ndim - 2), *[(0, order - length) for length in a.shape[-2:]]])
    return more


def regular_of(ops: Ops, both: Expression, pivots: int) -> Node:
    """Tell of each matrix whether none of the first pivots is zero."""
    diagonal = both.viewed(lambda shadow: np.diagonal(shadow, axis1=-2, axis2=-1))[..., :pivots]
    (flags,) = (-((-abs(diagonal)).max(-1))).astype(FLOAT32).value.read()
    return reshape(flags, (flags.size,))


def cut(
    function: Callable[..., Any], builder: Builder, results: tuple[Signature, ...], a: Value, *rest: Any, **options: Any
) -> Any:
    """Factor rectangular matrices by a function of square ones, of which it is told how many pivots there are."""
    order = max(a.shape[-2:])
    squares = tuple(one._replace(shape=(*one.shape[: len(a.shape) - 2], *[order] * (len(one.shape) - a.ndim + 2))) for one in results)
    found = function(builder, squares, padded(builder, a), *rest, pivots=min(a.shape[-2:]), **options)

    def some(value: Value, result: Signature) -> Value:
        parts = tuple(slice(length) for length in result.shape)
        return value.view(value.shadow[parts]).with_memory()

    if isinstance(found, Achieved):
        return found._replace(found=tuple(map(some, found.found, results)))
    return tuple(map(some, found, results))


def each(function: Callable[..., Any], builder: Builder, results: tuple[Signature, ...], a: Value, *rest: Any, **options: Any) -> Any:
    """Factor the matrices of a stack by a function of single ones."""
    ops, stack = Ops(builder), a.shape[:-2]
    count = math.prod(stack)
    if count > _MOST_MATRICES:
        raise NotNativeError(f"LU factors of more than {_MOST_MATRICES} matrices that lanes do not take are computed on the host")
    matrices = Expression(ops, a).reshape(count, *a.shape[-2:])
    singles = tuple([one._replace(shape=one.shape[len(stack) :]) for one in results])
    parts = [function(builder, singles, matrices[place].value, *rest, **options) for place in range(count)]
    flags = [part.holds for part in parts if isinstance(part, Achieved)]
    founds = zip(*[part.found if isinstance(part, Achieved) else part for part in parts], strict=True)
    stacked = [ops("stack", [Expression(ops, one) for one in found]) for found in founds]
    found = tuple([one.reshape(*result.shape).value for one, result in zip(stacked, results, strict=True)])
    return given(found, all_of(*flags) if flags else None)


def factor(ops: Ops, a: Expression, pivots: int | None = None) -> tuple[Expression, Expression, Node, Node | None]:
    """
    Factor a matrix, P A = L U: both factors in one, the rows of P A in A, 0 for singular ones, and whether float64 is accurate.

    Beyond the pivots, if there are fewer than rows, U has ones on the diagonal.
    """
    order = a.shape[-1]
    power = ops.exponents(abs(a).max((-2, -1)))
    scaled = ops.ldexp(a, -power)
    both, rows, _, regular, flags = exchanged(ops, scaled)
    moved, holds = ops("take", scaled, rows, axis=0), all_of(*flags) if flags else None
    if pivots is not None:
        regular = regular_of(ops, both, pivots)
        ones = ops.kept(("no pivots", pivots, order), lambda: np.diag((np.arange(order) >= pivots).astype(float)))
        both, moved = both + ones, moved + ones
    if a.dtype in (FLOAT64, COMPLEX128):
        both, holds = _corrected(ops, moved, both)
    lower, upper = ops("tril", both, -1), ops("triu", both)
    return lower + ops.ldexp(upper, power), rows, regular, holds


def _corrected(ops: Ops, a: Expression, both: Expression) -> tuple[Expression, Node]:
    """Correct factors: ``L (I + tril(E))`` and ``(I + triu(E)) U``, ``E = inv(L) (P A - L U) inv(U)``, with residuals of float64."""
    order = a.shape[-1]
    one = ops.kept(("narrow unit", order), lambda: np.eye(order))
    lower, upper = ops("tril", both, -1) + one, ops("triu", both)
    left, regular = triangle_inverted(ops, lower, lower=True)
    right, also = triangle_inverted(ops, upper, lower=False)
    lower, upper = lower.astype(a.dtype), upper.astype(a.dtype)
    for _ in range(_STEPS):
        error = left @ (a - lower @ upper).astype(left.dtype) @ right
        lower, upper = (
            lower + (lower.astype(left.dtype) @ ops("tril", error, -1)).astype(a.dtype),
            upper + (ops("triu", error) @ upper.astype(left.dtype)).astype(a.dtype),
        )
        lower, upper = ops("tril", lower), ops("triu", upper)
    rest = abs(a - lower @ upper).max((-2, -1))
    small = within(rest, abs(upper).max((-2, -1)), (order + 8) * _U)
    return ops("tril", lower, -1) + upper, all_of(regular, also, small)


def exchanges(ops: Ops, rows: Expression) -> Expression:
    """
    Find the exchanges, one row after the other, that put rows in an order: with row i goes the first of p[i], p[p[i]], ... from i on.

    That is looked for by steps of 2**k, of which each knows the largest row on its way.
    """
    order = rows.shape[0]
    jumps, tops = [rows], [rows]
    while 2 ** len(jumps) < order:
        last, top = jumps[-1], tops[-1]
        jumps.append(ops("take", last, last))
        tops.append(ops("maximum", top, ops("take", top, last)))
    numbers = Expression(ops, ops.builder.make((iota(order),), INT32))
    # Before the place that is looked for, all are below i.
    place = numbers
    for jump, top in zip(reversed(jumps), reversed(tops), strict=True):
        place = ops("where", ops("take", top, place) < numbers, ops("take", jump, place), place)
    return ops("take", rows, place)


def _positions(ops: Ops, numbers: Node, order: int) -> Expression:
    """
    Find the rows of a matrix whose rows were exchanged.

    What is at i before step i was at k before step k, for the last k < i whose exchange went to i; else it is row i itself.
    """
    nodes = iota(order), reshape(numbers, (order,))
    index, given = (Expression(ops, ops.builder.make((cast(node, FLOAT32),), FLOAT32)) for node in nodes)
    earlier = index[None, :] < index[:, None]

    def last(targets: Expression) -> Expression:
        same = ops("logical_and", given[None, :] == targets[:, None], earlier)
        return ops("where", same, index[None, :], -1.0).max(-1)

    begun, before = last(index), last(given)
    origin = ops("where", begun < 0.0, index, begun).astype(INT32)
    for _ in range((order - 1).bit_length()):
        origin = ops("take", origin, origin)
    moved = ops("take", origin, ops("maximum", before, 0.0).astype(INT32))
    return ops("where", before < 0.0, given.astype(INT32), moved)


def given(found: Any, holds: Node | None) -> Any:
    """Give factors, and tell that the host has to compute them where they are not accurate."""
    return found if holds is None else Achieved(found, holds, REASON)


def lu_factor(
    builder: Builder, results: tuple[Signature, ...], a: Value, pivots: int | None
) -> tuple[tuple[Expression, Expression], Node, Node | None]:
    """Give both factors in one, the exchanges, and flags."""
    ops = Ops(builder)
    both, rows, regular, holds = factor(ops, Expression(ops, converted(builder, a, results[0].dtype)), pivots)
    return (both, exchanges(ops, rows)), regular, holds


def lu(builder: Builder, results: tuple[Signature, ...], a: Value, *, permuted: bool, indices: bool, pivots: int | None) -> Any:
    """Give the permutation and both factors in the form that is asked for."""
    ops, dtype = Ops(builder), results[-1].dtype
    both, rows, _, holds = factor(ops, Expression(ops, converted(builder, a, dtype)), pivots)
    order = a.shape[-1]
    lower, upper = ops("tril", both, -1) + ops("eye", order, None, 0, _real_of(dtype)), ops("triu", both)
    inverse = ops("argsort", rows)
    if permuted:
        return given((ops("take", lower, inverse, axis=0).value, upper.value), holds)
    if indices:
        return given((inverse.astype(results[0].dtype).value, lower.value, upper.value), holds)
    numbers = Expression(ops, builder.make((iota(order),), INT32))
    permutation = (numbers[:, None] == rows[None, :]).astype(results[0].dtype)
    return given((permutation.value, lower.value, upper.value), holds)


def _real_of(dtype: DType) -> DType:
    return FLOAT64 if dtype in (FLOAT64, COMPLEX128) else FLOAT32


def lu_solve(builder: Builder, result: Signature, both: Value, numbers: Node, b: Value, how: int) -> Value:
    """Solve with factors of a matrix, or of its transpose (1), or of its adjoint (2)."""
    ops, order = Ops(builder), both.shape[-1]
    if both.ndim != 2 or b.ndim > 2:
        raise NotNativeError("stacks of equations with LU factors of more rows than lanes take are solved on the host")
    rows = _positions(ops, numbers, order)
    factors, sides = Expression(ops, converted(builder, both, result.dtype)), Expression(ops, converted(builder, b, result.dtype))

    def solved(given: Expression, *, lower: bool) -> Expression:
        return ops("scipy.linalg.solve_triangular", factors, given, how, lower, lower, False, False)

    if how == 0:
        return solved(solved(ops("take", sides, rows, axis=0), lower=True), lower=False).value
    found = solved(solved(sides, lower=False), lower=True)
    return ops("take", found, ops("argsort", rows), axis=0).value
