"""Singular values, and what follows from them: pseudo-inverses, ranks, condition numbers, least squares."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from ...dtypes import COMPLEX64, COMPLEX128, FLOAT32, FLOAT64, DType
from ...limits import finfo
from ...op import get_op
from ...rules import NeedsValueError, Signature
from ..graph.build import call as call_kernel
from ..graph.build import reshape
from ..graph.graph import Node
from ..value import Value
from . import Builder, Lowerings, NotNativeError
from .composition import Expression, Ops
from .eigenvalues import MOST_ROTATED, reordered, rotated
from .linear_equations import adjoint, solved
from .matrices import all_of, call_of_units, checked, demand, matrices, unstacked
from .op_calls import as_positions, call, call_several, converted
from .orthogonal_factors import QR
from .polar_factors import polar_factor
from .tridiagonal_eigenproblems import diagonalized

__all__ = ["DYNAMIC", "FUNCTIONS", "condition", "scipy_svd", "scipy_svdvals"]


class _Triplets:
    """
    Singular values in descending order, and vectors, of matrices that have no more columns than rows.

    Rows are reduced by a QR factorization, A = Q R. Rotations make the columns of R V orthogonal, as long as the singular values.

    Attributes
    ----------
    values, columns, right : Value
        Singular values; R V; and V.
    """

    def __init__(self, builder: Builder, a: Value, dtype: DType, *, vectors: bool = True) -> None:
        self.builder, self.dtype, self.stack, (self.rows, order) = builder, dtype, a.shape[:-2], a.shape[-2:]
        self.qr = QR(builder, a, dtype) if self.rows > order else None
        square = a if self.qr is None else self.qr.triangle
        if order > MOST_ROTATED and not vectors:
            self.values = self._separated(square, vectors=False)[0]
            return
        columns, self.right = (self._separated if order > MOST_ROTATED else self._rotated)(square)
        ops, wide = Ops(builder), Expression(Ops(builder), columns)
        power = ops.exponents(abs(wide).max((-2, -1)))  # squares are within the range then
        norms = ops("ldexp", ops("linalg.vector_norm", ops.ldexp(wide, -power[..., None, None]), axis=-2), power[..., None]).value
        if not vectors:
            ascending = call(builder, "sort", norms, axis=-1)
            self.values = ascending.view(ascending.shadow[..., ::-1])
            return
        places = call(builder, "argsort", call(builder, "negative", norms), axis=-1, stable=True)
        self.values = call(builder, "take_along_axis", norms, places, -1)
        self.columns, self.right = reordered(builder, columns, places), reordered(builder, self.right, places)

    def _rotated(self, square: Value) -> tuple[Value, Value]:
        """Make columns orthogonal, on lanes or, of complex matrices, over partitions: R V, and V."""
        builder, order = self.builder, square.shape[-1]
        if self.dtype == COMPLEX64:
            ops, matrix = Ops(builder), Expression(Ops(builder), converted(builder, square, self.dtype))
            power = ops.exponents(abs(matrix).max((-2, -1)))[..., None, None]
            found, right, converged = rotated(ops, ops.ldexp(matrix, -power))
            demand((*found.value.read(), *right.value.read()), converged, self.stack, "SVD did not converge")
            return ops.ldexp(found, power).value, right.value
        *found_planes, converged = call_kernel("SVD in lanes", *matrices(square, FLOAT32, self.stack))
        planes = tuple(found_planes)
        demand(planes, converged, self.stack, "SVD did not converge")
        whole = Signature((*self.stack, order, order), FLOAT32)
        return unstacked(builder, planes[:1], whole), unstacked(builder, planes[1:], whole)

    def _separated(self, square: Value, *, vectors: bool = True) -> tuple[Value, Value]:
        """
        Make columns orthogonal by eigenvectors of the positive factor H of a polar decomposition, A = U H, or give the singular values.

        Those that U does not make 1 are of the size of rounding, in H, too.
        """
        ops, matrix = Ops(self.builder), Expression(Ops(self.builder), converted(self.builder, square, self.dtype))
        power = ops.exponents(abs(matrix).max((-2, -1)))[..., None, None]
        scaled = ops.ldexp(matrix, -power)
        unitary = polar_factor(ops, scaled, steps=8)
        form = unitary.adjoint() @ scaled
        form = (form + form.adjoint()) * 0.5
        found = diagonalized(ops, form, vectors=vectors)
        limit = abs(found.values).max(-1) * (8 * (matrix.shape[-1] + 8) * float(finfo(FLOAT32).eps))
        holds = all_of(found.holds, abs(scaled - unitary @ form).max((-2, -1)) <= limit)
        if found.vectors is None:
            values = ops("ldexp", ops("maximum", found.values, 0.0), power[..., 0])
            demand(values.value.read(), holds, (), "SVD did not converge")
            return values.value.view(values.value.shadow[..., ::-1]), values.value
        columns, right = ops.ldexp(scaled @ found.vectors, power), found.vectors
        demand((*columns.value.read(), *right.value.read()), holds, (), "SVD did not converge")
        return columns.value, right.value

    def left(self, count: int) -> Value:
        """
        Make the left singular vectors, and more to as many columns.

        The orthogonal factor of R V has them up to their signs, and is orthogonal where singular values are zero, too.
        """
        ops, order = Ops(self.builder), self.right.shape[-1]
        again = QR(self.builder, self.columns, self.dtype)
        triangle, vectors = again.triangle, Expression(ops, again.orthogonal(order))
        diagonal = Expression(ops, triangle.view(np.diagonal(triangle.shadow, axis1=-2, axis2=-1))).real
        signed = vectors * ops("where", diagonal < 0.0, -1.0, 1.0).astype(FLOAT32)[..., None, :]
        if self.qr is None:
            return signed.value
        more = count - order
        if not more:
            return self.qr.times(signed.value)
        pads = [(0, 0)] * len(self.stack)
        wide = ops("pad", signed, [*pads, (0, self.rows - order), (0, more)])
        rows = self.rows
        rest = ops.kept(("unit columns", rows, count, order), lambda: np.eye(rows, count) * (np.arange(count) >= order))
        return self.qr.times((wide + rest).value)

    def scaled(self, cutoff: Expression) -> tuple[Expression, Expression]:
        """Make V divided by the singular values, and the unit columns of R V; zero where values are not above a cutoff."""
        ops = Ops(self.builder)
        values = Expression(ops, self.values)
        above = values > cutoff
        inverse = ops("where", above, 1.0 / ops("where", above, values, 1.0).astype(FLOAT32), 0.0).astype(FLOAT32)[..., None, :]
        return Expression(ops, self.right) * inverse, Expression(ops, self.columns) * inverse


def _svd(builder: Builder, results: Any, a: Value, full_matrices: Any = True, compute_uv: Any = True, hermitian: Any = False) -> Any:
    if isinstance(results, Signature):
        return _svdvals(builder, results, a)
    if any(not math.prod(one.shape) for one in results):
        raise NotNativeError("matrices without elements are factored on the host")
    left, _, right = results
    tall = a.shape[-2] >= a.shape[-1]
    found = _Triplets(builder, a if tall else adjoint(builder, a), left.dtype)
    vectors = found.left(left.shape[-1] if tall else right.shape[-2])
    if tall:
        return vectors, found.values, adjoint(builder, found.right).with_memory()
    return found.right, found.values, adjoint(builder, vectors).with_memory()


def _svdvals(builder: Builder, result: Signature, a: Value) -> Any:
    if not math.prod(result.shape):
        return builder.zeros(result.shape, result.dtype)
    turned = a if a.shape[-2] >= a.shape[-1] else a.view(np.swapaxes(a.shadow, -1, -2))
    found = _Triplets(builder, turned, _narrow(a), vectors=False)
    return found.values.with_memory()


def _pseudo_inverse(builder: Builder, a: Value, rtol: Any, atol: float = 0.0) -> tuple[Value, Expression]:
    """Invert what is above a part of the largest singular value and a number; give what is, too."""
    tall = a.shape[-2] >= a.shape[-1]
    found, ops = _Triplets(builder, a if tall else adjoint(builder, a), _narrow(a)), Ops(builder)
    values = Expression(ops, found.values)
    part = Expression(ops, rtol)[..., None] if isinstance(rtol, Value) else rtol
    cutoff = (values[..., :1] * part).astype(FLOAT32) + atol
    right, left = found.scaled(cutoff)
    units = left.value if found.qr is None else found.qr.times(left.value)
    inverse = call(builder, "matmul", right.value, adjoint(builder, units))
    return inverse if tall else adjoint(builder, inverse).with_memory(), values > cutoff


def _standard_pinv(builder: Builder, result: Signature, a: Value, *, hermitian: Any = False, rtol: Any = None) -> Value:
    if not result.size:
        return builder.zeros(result.shape, result.dtype)
    if a.dtype.kind in "biu":
        return _of_integers(builder, result, "standard.linalg.pinv", a, rtol=rtol)
    return _pseudo_inverse(builder, a, max(a.shape[-2:]) * float(finfo(FLOAT32).eps) if rtol is None else rtol)[0]


def _pinv(builder: Builder, result: Signature, a: Value, rcond: Any = None, hermitian: Any = False, *, rtol: Any = ...) -> Value:
    if not result.size:
        return builder.zeros(result.shape, result.dtype)
    if a.dtype.kind in "biu":
        given = {"rtol": rtol} if rtol is None or isinstance(rtol, (int, float, Value)) else {}
        return _of_integers(builder, result, "linalg.pinv", a, rcond, **given)
    if rcond is None:
        rcond = rtol if rtol is None or isinstance(rtol, (int, float, Value)) else 1e-15
    if rcond is None:
        rcond = max(a.shape[-2:]) * float(finfo(FLOAT32).eps)
    return _pseudo_inverse(builder, a, rcond)[0]


def _rank(builder: Builder, result: Signature, A: Value, tol: Any = None, hermitian: Any = False, *, rtol: Any = None) -> Any:
    ops = Ops(builder)
    if A.dtype.kind in "biu":
        A = converted(builder, A, FLOAT64)
    values = Expression(ops, call(builder, "linalg.svdvals", A))
    if tol is None:
        part = max(A.shape[-2:]) * float(finfo(values.dtype).eps) if rtol is None else rtol
        limit = values[..., :1] * (Expression(ops, part)[..., None] if isinstance(part, Value) else part)
    else:
        limit = Expression(ops, tol)[..., None] if isinstance(tol, Value) else tol
    return as_positions(builder, call(builder, "count_nonzero", (values > limit).value, -1))


def _cond(builder: Builder, result: Signature, x: Value, p: Any = None) -> Any:
    """As in NumPy, matrices without NaN have no condition number that is one: those are infinite."""
    if p is None or p in (2, -2):
        nan = call(builder, "any", call(builder, "isnan", x), (-2, -1))
        ops, matrix = Ops(builder), Expression(Ops(builder), x)
        finite = ops("all", ops("isfinite", matrix), (-2, -1))
        matrix = ops("where", finite[..., None, None], matrix, 1.0).astype(x.dtype)  # others have no singular values
        values = Expression(ops, call(builder, "linalg.svdvals", matrix.value))
        first, last = values[..., 0], values[..., -1]
        ratio = (first / last if p != -2 else last / first).value
        unknown = ops("logical_or", ops("isnan", Expression(ops, ratio)), ops("logical_not", finite))
        return call(builder, "where", nan, math.nan, ops("where", unknown, math.inf, Expression(ops, ratio)).value)
    wanted = Signature(x.shape, COMPLEX64 if x.dtype.kind == "c" else FLOAT32)
    found = solved(builder, x, None, wanted)
    return condition(builder, x, unstacked(builder, found.planes, wanted), reshape(found.regular, result.shape), p)


def condition(builder: Builder, x: Value, inverse: Value, regular: Node | None, p: Any) -> Value:
    """Multiply norms of matrices and of their inverses; those that are singular by flags, or have none, are infinite without NaN."""
    ops, parts, norms = Ops(builder), [Expression(Ops(builder), item) for item in (x, inverse)], list[Expression]()
    for part in parts:
        finite = ops("all", ops("isfinite", part), (-2, -1))
        given = ops("where", finite[..., None, None], part, 1.0).astype(part.dtype) if p == "nuc" else part
        norm = ops("linalg.norm", given, p, (-2, -1))  # singular values are none of what is not finite
        norms.append(ops("where", finite, norm, math.nan) if p == "nuc" else norm)
    ratio = norms[0] * norms[1]
    undefined = ops("isnan", ratio)
    if regular is not None:
        undefined = ops("logical_or", Expression(ops, builder.make((regular,), regular.dtype)) == 0.0, undefined)
    nan = ops("any", ops("isnan", parts[0]), (-2, -1))
    return ops("where", ops("greater", undefined, nan), math.inf, ratio).value


def _least_squares(builder: Builder, a: Value, b: Value, cutoff: float) -> tuple[Value, Value, Value, Value]:
    """Solve in the sense of least squares, with the least norm: solutions, sums of squares of residuals, ranks and singular values."""
    ops = Ops(builder)
    sides = b if b.ndim == 2 else b.view(b.shadow[:, np.newaxis])
    rows, columns = a.shape
    tall = rows >= columns
    dtype = builder.promotion.result_type(a.dtype, sides.dtype, FLOAT32)
    found = _Triplets(builder, a if tall else adjoint(builder, a), dtype)
    values = Expression(ops, found.values)
    right, left = found.scaled(values[:1] * cutoff)
    given = Expression(ops, sides).astype(dtype)
    squares = ops.zeros((sides.shape[1],), FLOAT32)
    if tall:
        if found.qr is not None:
            turned = Expression(ops, found.qr.times(given.value, transposed=True))
            given, rest = turned[:columns], turned[columns:]
            squares = (rest.conj() * rest).sum(0).real
        solution = right @ (left.adjoint() @ given)
    else:  # A is V (R V)* Q*
        solution = left @ (right.adjoint() @ given)
        if found.qr is not None:
            solution = Expression(ops, found.qr.times(solution.value))
    rank = ops("count_nonzero", values > values[:1] * cutoff)
    return (solution if b.ndim == 2 else solution[:, 0]).value.with_memory(), squares.value, rank.value, found.values


def _lstsq(builder: Builder, a: Any, b: Any, rcond: Any = None) -> Any:
    a, b = builder.array(a), builder.array(b)
    try:
        get_op("linalg.lstsq").rule(builder.promotion, a, b, rcond)  # type: ignore[misc]
    except NeedsValueError as missing:
        if a.ndim != 2 or b.ndim not in (1, 2) or a.shape[0] != b.shape[0] or 0 in a.shape:
            call_of_units(get_op("linalg.lstsq"), (a, b), {})
            raise NotNativeError(missing.reason) from None
    if rcond is not None and not isinstance(rcond, (int, float)):
        raise NotNativeError("a cutoff that is an array is read by the host")
    if not b.size:  # the rank and the singular values are of the matrix
        solution, squares, *others = _lstsq(builder, a, builder.zeros((b.shape[0], 1), b.dtype), rcond)
        return solution.view(solution.shadow[:, :0]), squares.view(squares.shadow[:0]), *others
    if any(item.dtype.kind in "biu" for item in (a, b)):
        return _least_squares_of_integers(builder, "linalg.lstsq", a, b, rcond)
    eps = float(finfo(FLOAT32).eps)
    cutoff = eps * max(a.shape) if rcond is None else eps if rcond < 0 else float(rcond)
    solution, squares, rank, values = _least_squares(builder, a, b, cutoff)
    full = a.shape[0] > a.shape[1] and int(builder.on_host(rank)) == a.shape[1]
    return solution, squares if full else builder.zeros((0,), FLOAT32), rank, values


def _of_integers(builder: Builder, result: Signature, name: str, a: Value, *rest: Any, **options: Any) -> Value:
    """Compute in float64, in which NumPy finds the ranks of integers, and round."""
    return converted(builder, call(builder, name, converted(builder, a, FLOAT64), *rest, **options), result.dtype)


def _least_squares_of_integers(builder: Builder, name: str, a: Value, b: Value, *rest: Any) -> Any:
    dtype = builder.promotion.result_type(*[FLOAT32 if item.dtype.kind in "biu" else item.dtype for item in (a, b)])
    wide = [converted(builder, item, COMPLEX128 if item.dtype.kind == "c" else FLOAT64) for item in (a, b)]
    solution, squares, rank, values = call_several(builder, name, *wide, *rest)
    return converted(builder, solution, dtype), converted(builder, squares, FLOAT32), rank, converted(builder, values, FLOAT32)


def _narrow(a: Value) -> DType:
    return COMPLEX64 if a.dtype.kind == "c" else FLOAT32


def scipy_svd(svd: Callable[..., Any]) -> Callable[..., Any]:
    """Give `scipy.linalg.svd` by what computes NumPy's."""

    def run(
        builder: Builder, results: Any, a: Value, full_matrices: Any = True, compute_uv: Any = True, lapack_driver: str = "gesdd"
    ) -> Any:
        return svd(builder, results, a, full_matrices, compute_uv)

    return run


def scipy_svdvals(svdvals: Callable[..., Any]) -> Callable[..., Any]:
    """Give `scipy.linalg.svdvals` by what computes NumPy's."""

    def run(builder: Builder, result: Signature, a: Value) -> Any:
        return svdvals(builder, result, a)

    return run


def _scipy_pinv(
    builder: Builder, results: Any, a: Value, *, atol: float | None = None, rtol: float | None = None, return_rank: Any = False
) -> Any:
    part = max(a.shape[-2:]) * float(finfo(FLOAT32).eps) if rtol is None else rtol
    inverse, above = _pseudo_inverse(builder, a, part, atol or 0.0)
    return (inverse, as_positions(builder, call(builder, "count_nonzero", above.value, -1))) if return_rank else inverse


def _scipy_lstsq(builder: Builder, a: Any, b: Any, cond: Any = None, lapack_driver: str | None = None) -> Any:
    a, b = builder.array(a), builder.array(b)
    if a.ndim != 2 or b.ndim not in (1, 2) or a.shape[0] != b.shape[0] or 0 in (*a.shape, *b.shape):
        raise NotNativeError("stacks of least-squares problems, and empty ones, are solved on the host")
    if lapack_driver not in (None, "gelsd", "gelss") or not (cond is None or isinstance(cond, (int, float))):
        raise NotNativeError("least squares with a cutoff that is an array are solved on the host")
    if any(item.dtype.kind in "biu" for item in (a, b)):
        return _least_squares_of_integers(builder, "scipy.linalg.lstsq", a, b, cond, False, False, False)
    cutoff = float(finfo(FLOAT32).eps) if cond is None or cond < 0 else float(cond)
    solution, squares, rank, values = _least_squares(builder, a, b, cutoff)
    if a.shape[0] > a.shape[1] and int(builder.on_host(rank)) == a.shape[1]:
        residuals = squares if b.ndim == 2 else squares.view(squares.shadow[0, ...]).without_memory()
    else:
        residuals = builder.zeros((0,), FLOAT32)
    return solution, residuals, as_positions(builder, rank), values


def _bases(builder: Builder, a: Any, rcond: Any, *, full: bool) -> tuple[Expression, Expression, int]:
    """Find singular vectors of a matrix, and its rank, which is fetched."""
    value, ops = builder.array(a), Ops(builder)
    if value.ndim != 2 or not value.size or not (rcond is None or isinstance(rcond, (int, float))):
        raise NotNativeError("bases of stacks and of matrices without elements, and cutoffs that are arrays, are left to the host")
    if value.dtype.kind in "biu":
        raise NotNativeError("bases of integers are found in float64, on the host")
    x = ops.floats(Expression(ops, value), wide=True)
    left, values, right = (Expression(ops, part) for part in call_several(builder, "linalg.svd", x.value, full))
    part = max(x.shape) * float(finfo(x.dtype).eps) if rcond is None else float(rcond)
    return left, right, int(builder.on_host(ops("count_nonzero", values > values[:1] * part).value))


def _orth(builder: Builder, A: Any, rcond: Any = None) -> Value:
    left, _, rank = _bases(builder, A, rcond, full=False)
    return left[:, :rank].value.with_memory()


def _null_space(builder: Builder, A: Any, rcond: Any = None, *, lapack_driver: str = "gesdd") -> Value:
    _, right, rank = _bases(builder, builder.array(A), rcond, full=True)
    return right[rank:].adjoint().value.with_memory()


def _subspace_angles(builder: Builder, A: Any, B: Any) -> Value:
    """As A. V. Knyazev and M. E. Argentati do (SIAM J. Sci. Comput. 23, 2002): small angles by their sines."""
    ops = Ops(builder)
    first, second = (Expression(ops, call(builder, "scipy.linalg.orth", builder.array(one))) for one in (A, B))
    product = first.adjoint() @ second
    cosines = Expression(ops, call(builder, "linalg.svdvals", product.value))
    if first.shape[1] >= second.shape[1]:
        rest = second - first @ product
    else:
        rest = first - second @ product.adjoint()
    sines = Expression(ops, call(builder, "linalg.svdvals", rest.value))[::-1]
    cosines, sines = (ops("clip", one[: min(first.shape[1], second.shape[1])], -1.0, 1.0) for one in (cosines, sines))
    angles = ops("where", cosines * cosines >= 0.5, ops("arcsin", sines), ops("arccos", cosines))
    return angles[::-1].value.with_memory()


def _polar(builder: Builder, results: Any, a: Value, side: str = "right") -> tuple[Value, Value]:
    ops = Ops(builder)
    u, s, vh = (Expression(ops, part) for part in call_several(builder, "linalg.svd", a, False))
    one = vh if side == "right" else u
    turned = one.adjoint()
    form = (turned * s[..., None, :]) @ one if side == "right" else (one * s[..., None, :]) @ turned
    return (u @ vh).value, form.value


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "linalg.svd": _svd,
    "linalg.svdvals": _svdvals,
    "linalg.pinv": _pinv,
    "standard.linalg.pinv": _standard_pinv,
    "linalg.matrix_rank": _rank,
    "standard.linalg.matrix_rank": _rank,
    "linalg.cond": _cond,
    "scipy.linalg.svd": scipy_svd(_svd),
    "scipy.linalg.svdvals": scipy_svdvals(_svdvals),
    "scipy.linalg.pinv": _scipy_pinv,
    "scipy.linalg.polar": _polar,
}
DYNAMIC: Final[Lowerings] = {
    "linalg.lstsq": _lstsq, "scipy.linalg.lstsq": checked(_scipy_lstsq), "scipy.linalg.null_space": checked(_null_space),
    "scipy.linalg.orth": _orth, "scipy.linalg.subspace_angles": _subspace_angles,
}  # fmt: skip
"""Whether there are residuals, and how many columns, depends on the rank, which is fetched."""
