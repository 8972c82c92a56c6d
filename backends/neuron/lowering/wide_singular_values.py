"""Singular values of float64 and what follows from them: pseudo-inverses, ranks, condition numbers, least squares."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from ...dtypes import COMPLEX128, FLOAT32, FLOAT64, DType
from ...limits import finfo
from ...rules import Signature
from ..graph.build import reshape
from ..graph.graph import Node
from ..value import Value
from . import Builder, Lowerings, NotNativeError
from .composition import Expression, Ops
from .eigenvalues import MOST_ROWS
from .linear_equations import adjoint
from .matrices import Achieved, all_of, checked, unstacked
from .op_calls import as_positions, converted
from .polar_factors import polar_factor
from .refinement import within
from .singular_values import DYNAMIC as NARROW
from .singular_values import FUNCTIONS as COMPOSED
from .singular_values import condition, scipy_svd, scipy_svdvals
from .wide_equations import any_solved
from .wide_orthogonal_factors import REASON, diagonalized, factored, largest, orthonormal

__all__ = ["DYNAMIC", "WIDE"]

_U: Final = 2.0**-53
_EPS: Final = float(finfo(FLOAT64).eps)
_TALL: Final = 2  # times as many rows as columns, above which a matrix is reduced by QR factors, which need full rank
_TURNS: Final = 3  # from columns that are orthogonal to one digit to those that are to all
_STEPS: Final = 6  # for what random directions leave, above 1e-6 of its largest singular value


class _Triplets(NamedTuple):
    """
    Singular values in descending order, and vectors as columns, of matrices; and whether they are accurate.

    Those of R, of A = Q R, or of A are halves of the eigenvectors of [[0, R], [R*, 0]] for positive eigenvalues.
    """

    left: Expression
    values: Expression
    right: Expression
    holds: Node

    @classmethod
    def of(cls, builder: Builder, a: Value, *, complete: bool = False) -> _Triplets:
        """Find those of matrices, with all left vectors or right ones, if they are wanted."""
        rows, columns = a.shape[-2:]
        if min(rows, columns) > MOST_ROWS // 2 or not min(a.shape):
            raise NotNativeError(f"singular vectors of float64 matrices of more than {MOST_ROWS // 2} rows and columns are the host's")
        if rows < columns:
            found = cls.of(builder, adjoint(builder, a), complete=complete)
            return cls(found.right, found.values, found.left, found.holds)
        ops, order = Ops(builder), columns
        basis, triangle, flags = None, Expression(ops, converted(builder, a, _wide(a))), list[Node]()
        if rows > _TALL * order or rows + order > MOST_ROWS:
            basis, triangle, tested = factored(builder, a, complete=complete)
            triangle = triangle[..., :order, :]
            flags.append(tested)
        height = triangle.shape[-2]
        values, vectors, tested = _padded(ops, triangle)
        values, limit = values[..., :order], 2 * (height + order + 8) * _U
        above = (values > values[..., :1] * limit).astype(FLOAT64)
        left, right = (
            _completed(ops, vectors[..., some, -order:].viewed(lambda shadow: shadow[..., ::-1]), above)
            for some in (slice(0, height), slice(height, None))
        )
        rest = largest(triangle - (left[..., :order] * values[..., None, :]) @ right.adjoint())
        apart = [within(largest(ops.unit(half.shape[-1], FLOAT64) - half.adjoint() @ half), 1.0, limit) for half in (left, right)]
        holds = all_of(*flags, tested, within(rest, values[..., 0], 2 * limit), *apart)
        values = ops("maximum", values, 0.0)
        if basis is None:
            return cls(left if complete else left[..., :order], values, right, holds)
        left = basis[..., :order] @ left
        left = ops.concatenate([left, basis[..., order:]], -1) if complete else left
        return cls(left, values, right, holds)

    @classmethod
    def above_a_cutoff(cls, builder: Builder, a: Value) -> _Triplets:
        """Find those of a matrix that may have lost its rank: vectors are right where singular values are above rounding."""
        if sum(a.shape[-2:]) > MOST_ROWS or not min(a.shape):
            return cls.of(builder, a)
        values, vectors, holds = _padded(Ops(builder), Expression(Ops(builder), converted(builder, a, _wide(a))))
        rows, least = a.shape[-2], min(a.shape[-2:])
        some = vectors[..., -least:].viewed(lambda shadow: shadow[..., ::-1]) * math.sqrt(2.0)
        return cls(some[..., :rows, :], values[..., :least], some[..., rows:, :], holds)

    def inverse(self, ops: Ops, cutoff: Expression) -> Expression:
        """Divide the right vectors by the singular values that are above a cutoff."""
        above = self.values > cutoff
        return self.right * ops("where", above, 1.0 / ops("where", above, self.values, 1.0), 0.0)[..., None, :]


def _svd(builder: Builder, results: Any, a: Value, full_matrices: Any = True, compute_uv: Any = True, hermitian: Any = False) -> Any:
    if isinstance(results, Signature):
        return _svdvals(builder, results, a)
    found = _Triplets.of(builder, a, complete=bool(full_matrices))
    parts = (found.left, found.values, found.right.adjoint())
    return Achieved(tuple([part.value.with_memory() for part in parts]), found.holds, REASON)


def _svdvals(builder: Builder, result: Signature, a: Value) -> Any:
    """Of matrices that have lost their rank, too, where [[0, A], [A*, 0]] is small enough for no QR factors to be needed."""
    if sum(a.shape[-2:]) > MOST_ROWS or not min(a.shape):
        found = _Triplets.of(builder, a)
        return Achieved(found.values.value.with_memory(), found.holds, REASON)
    values, _, holds = _padded(Ops(builder), Expression(Ops(builder), converted(builder, a, _wide(a))))
    return Achieved(Ops(builder)("maximum", values[..., : min(a.shape[-2:])], 0.0).value, holds, REASON)


def _completed(ops: Ops, half: Expression, above: Expression) -> Expression:
    """
    Make columns orthonormal where flags are 1, and all other ones, to a whole basis, orthogonal to these.

    Eigenvectors that rounding mixes, as those of a small singular value and its negative, have halves that are orthogonal to u over that
    value; to turn them leaves a residual of u. The others start from random directions, of which float32 makes what is beside the first
    ones orthonormal.
    """
    order, columns = half.shape[-2:]
    known = half * (above / ops("sqrt", (half.conj() * half).sum(-2).real + (1.0 - above)))[..., None, :]
    for _ in range(_TURNS):
        known = orthonormal(ops, known, above)
    missing = 1.0 - above
    if order > columns:
        pads = [(0, 0)] * (half.ndim - 1)
        more = (0, order - columns)
        known, missing = ops("pad", known, [*pads, more]), ops("pad", missing, [*pads[1:], more], constant_values=1.0)
    starts = ops.kept(("directions", order), lambda: np.linalg.qr(np.random.default_rng(order).standard_normal((order, order)))[0])
    narrow, some = known.astype(half.narrow_dtype), missing.astype(FLOAT32)[..., None, :]
    found = (starts - narrow @ (narrow.adjoint() @ starts)) * some
    found = polar_factor(ops, found, steps=_STEPS).astype(half.dtype)
    one = ops.unit(order, FLOAT64) * missing[..., None, :]
    for _ in range(2):
        found = found - known @ (known.adjoint() @ found)
        found = found + found @ ((one - found.adjoint() @ found) * 0.5)
    return known + found


def _padded(ops: Ops, a: Expression) -> tuple[Expression, Expression, Node]:
    """Diagonalize [[0, A], [A*, 0]]: its eigenvalues, the largest first, and its eigenvectors, the last of which has the largest."""
    rows, columns = a.shape[-2:]
    padded = ops("pad", a, [*[(0, 0)] * (a.ndim - 2), (0, columns), (rows, 0)])
    values, vectors, holds = diagonalized(ops, padded + padded.adjoint())
    return values.viewed(lambda shadow: shadow[..., ::-1]), vectors, holds


def _pinv(builder: Builder, result: Signature, a: Value, rcond: Any = None, hermitian: Any = False, *, rtol: Any = ...) -> Any:
    part = rcond
    if rcond is None:  # 1e-15 where neither is given
        part = max(a.shape[-2:]) * _EPS if rtol is None else rtol if isinstance(rtol, (int, float, Value)) else 1e-15
    if not isinstance(part, (int, float)):
        raise NotNativeError("a cutoff that is an array is read by the host")
    found, ops = _Triplets.above_a_cutoff(builder, a), Ops(builder)
    inverse = found.inverse(ops, found.values[..., :1] * float(part)) @ found.left.adjoint()
    return Achieved(inverse.value, found.holds, REASON)


def _standard_pinv(builder: Builder, result: Signature, a: Value, *, hermitian: Any = False, rtol: Any = None) -> Any:
    return _pinv(builder, result, a, rtol=rtol)


def _scipy_pinv(
    builder: Builder, results: Any, a: Value, *, atol: float | None = None, rtol: float | None = None, return_rank: Any = False
) -> Any:
    found, ops = _Triplets.above_a_cutoff(builder, a), Ops(builder)
    cutoff = found.values[..., :1] * (max(a.shape[-2:]) * _EPS if rtol is None else float(rtol)) + (atol or 0.0)
    inverse = (found.inverse(ops, cutoff) @ found.left.adjoint()).value
    if not return_rank:
        return Achieved(inverse, found.holds, REASON)
    return Achieved((inverse, as_positions(builder, ops("count_nonzero", found.values > cutoff, -1).value)), found.holds, REASON)


def _cond(builder: Builder, result: Signature, x: Value, p: Any = None) -> Any:
    if p in (None, 2, -2):
        return COMPOSED["linalg.cond"](builder, result, x, p)
    wide = Signature(x.shape, _wide(x))
    found, _ = any_solved(builder, x, None, wide)
    regular = None if found.regular is None else reshape(found.regular, result.shape)
    ratio = condition(builder, x, unstacked(builder, found.value.read(), wide), regular, p)
    return ratio if found.holds is None else Achieved(ratio, found.holds, REASON)


class _Solution(NamedTuple):
    """What least squares give."""

    value: Value
    squares: Value
    rank: Value
    values: Value
    full: bool


def _least_squares(builder: Builder, a: Value, b: Value, cutoff: float) -> _Solution:
    """Solve in the sense of least squares, with the least norm. The rank is fetched, and whether the result is accurate."""
    ops = Ops(builder)
    dtype = COMPLEX128 if "c" in (a.dtype.kind, b.dtype.kind) else FLOAT64
    sides = Expression(ops, converted(builder, b if b.ndim == 2 else b.view(b.shadow[:, np.newaxis]), dtype))
    found, matrix = _Triplets.above_a_cutoff(builder, a), Expression(ops, converted(builder, a, _wide(a)))
    solution = found.inverse(ops, found.values[:1] * cutoff) @ (found.left.adjoint() @ sides)
    rest = sides - matrix @ solution
    rank = ops("count_nonzero", found.values > found.values[:1] * cutoff)
    flag = Expression(ops, builder.make((found.holds,), np.dtype(bool))).astype(FLOAT32)
    known, accurate = builder.on_host(ops("stack", [rank.astype(FLOAT32), flag]).value)
    if not accurate:
        raise NotNativeError(REASON)
    full = a.shape[0] > a.shape[1] and int(known) == a.shape[1]
    squares = (rest.conj() * rest).sum(0).real if full else Expression(ops, builder.zeros((0,), FLOAT64))
    return _Solution((solution if b.ndim == 2 else solution[:, 0]).value.with_memory(), squares.value, rank.value, found.values.value, full)


def _is_wide(builder: Builder, *operands: Value) -> bool:
    dtypes = [builder.promotion.default_float if item.dtype.kind in "biu" else item.dtype for item in operands]
    return builder.promotion.result_type(*dtypes) in (FLOAT64, COMPLEX128)


def _wide(a: Value) -> DType:
    return COMPLEX128 if a.dtype.kind == "c" else FLOAT64


def _lstsq(builder: Builder, a: Any, b: Any, rcond: Any = None) -> Any:
    a, b = builder.array(a), builder.array(b)
    if not _is_wide(builder, a, b) or a.ndim != 2 or b.ndim not in (1, 2) or a.shape[0] != b.shape[0] or 0 in (*a.shape, *b.shape):
        return NARROW["linalg.lstsq"](builder, a, b, rcond)
    if rcond is not None and not isinstance(rcond, (int, float)):
        raise NotNativeError("a cutoff that is an array is read by the host")
    found = _least_squares(builder, a, b, _EPS * max(a.shape) if rcond is None else _EPS if rcond < 0 else float(rcond))
    return found.value, found.squares, found.rank, found.values


def _scipy_lstsq(builder: Builder, a: Any, b: Any, cond: Any = None, lapack_driver: str | None = None) -> Any:
    if lapack_driver == "gelsy":  # which gives neither residuals nor singular values
        solution, _, rank, _ = _scipy_lstsq(builder, a, b, cond)
        return solution, builder.zeros((0,), solution.dtype), rank, None
    a, b = builder.array(a), builder.array(b)
    wide = _is_wide(builder, a, b) and lapack_driver in (None, "gelsd", "gelss") and (cond is None or isinstance(cond, (int, float)))
    if not wide or a.ndim != 2 or b.ndim not in (1, 2) or a.shape[0] != b.shape[0] or 0 in (*a.shape, *b.shape):
        return NARROW["scipy.linalg.lstsq"](builder, a, b, cond, lapack_driver=lapack_driver)
    cutoff = _EPS if cond is None or cond < 0 else float(cond)
    found = _least_squares(builder, a, b, cutoff)
    squares = found.squares.view(found.squares.shadow[0, ...]).without_memory() if found.full and b.ndim == 1 else found.squares
    return found.value, squares, as_positions(builder, found.rank), found.values


WIDE: Final[Mapping[str, Callable[..., Any]]] = {
    "linalg.svd": _svd,
    "linalg.svdvals": _svdvals,
    "scipy.linalg.svd": scipy_svd(_svd),
    "scipy.linalg.svdvals": scipy_svdvals(_svdvals),
    "linalg.pinv": _pinv,
    "standard.linalg.pinv": _standard_pinv,
    "scipy.linalg.pinv": _scipy_pinv,
    "linalg.cond": _cond,
    "scipy.linalg.polar": COMPOSED["scipy.linalg.polar"],
}
DYNAMIC: Final[Lowerings] = {"linalg.lstsq": _lstsq, "scipy.linalg.lstsq": checked(_scipy_lstsq)}
"""Whether there are residuals depends on the rank, which is fetched."""
