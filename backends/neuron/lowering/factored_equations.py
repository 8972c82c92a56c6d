"""scipy.linalg's equations, and the factors with which they are solved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from ...dtypes import BOOL, FLOAT32, FLOAT64, INT32, is_double
from ...limits import finfo
from ...rules import Signature, broadcast_shapes, is_true
from ..graph.build import broadcast, cast, check, elementwise, fill, iota, reduce, reshape
from ..graph.build import call as call_kernel
from ..graph.graph import Node
from ..graph.primitives import Read
from ..kernel import kernel
from ..layout import Layout, contiguous_strides
from ..value import Value
from . import Builder, NotNativeError, complex_triangles, permuted_factors
from .composition import Expression, Ops
from .linear_equations import MOST_ROWS_IN_LANES, MOST_ROWS_OF_BLOCKS, Solved, adjoint, factors, one_by_one, solved
from .matrices import Achieved, Nodes, all_of, call_if_fits, demand, matrices, unstacked
from .op_calls import call, converted

__all__ = ["FUNCTIONS", "POSITIVE", "TRANSPOSED", "exchange", "structured", "warned"]

_SINGULAR: Final = "A singular matrix detected"
_NO_PIVOT: Final = "Singular matrix: a pivot is exactly zero"
_ILL: Final = "blocks on the diagonal of the triangle are too ill-conditioned to be inverted"
_TRIANGLES: Final = {"upper triangular": "triu", "lower triangular": "tril"}
_BANDS: Final = {"diagonal": 0, "tridiagonal": 1}
POSITIVE: Final = ("pos", "positive definite")
_SYMMETRIC: Final = {"sym": False, "symmetric": False, "her": True, "hermitian": True}
TRANSPOSED: Final[Mapping[Any, int]] = {0: 0, 1: 1, 2: 2, "N": 0, "T": 1, "C": 2}


class _Sides:
    """Right-hand sides: vectors are matrices of one column."""

    def __init__(self, b: Value, a: Value, result: Signature) -> None:
        b = b.view(b.shadow[:, np.newaxis]) if b.ndim == 1 else b
        self.result, self.order = result, a.shape[-1]
        self.stack = broadcast_shapes(a.shape[:-2], b.shape[:-2])
        self.planes = matrices(b, result.dtype, self.stack)
        self.matrix = a

    def of(self, a: Value) -> Nodes:
        """Make the matrices, one for each right-hand side."""
        return matrices(a, self.result.dtype, self.stack)

    @property
    def is_large(self) -> bool:
        """Whether a matrix is complex, and does not fit in lanes."""
        return self.result.dtype.kind == "c" and self.order > MOST_ROWS_IN_LANES

    def substituted(self, builder: Builder, ways: list[tuple[int, bool]], *, unit: bool = False, demanded: bool = False) -> Value:
        """Solve with a large complex triangle, in ways one after the other, each transposed or not, and lower or not."""
        ops, flags = Ops(builder), list[Node]()
        triangle = Expression(ops, converted(builder, self.matrix, self.result.dtype))
        found = Expression(ops, unstacked(builder, self.planes, self.result._replace(shape=(*self.stack, *self.planes[0].shape[1:]))))
        for how, lower in ways:
            found, regular = complex_triangles.substituted(ops, triangle, found, how, lower=lower, unit=unit)
            flags.append(regular)
        planes = found.value.read()
        if demanded:
            demand(planes, cast(all_of(*flags), FLOAT32), (), "Singular matrix: a diagonal element is zero")
        return unstacked(builder, planes, self.result)


def _substituted(
    triangle: Nodes, sides: Nodes, *, lower: bool, transposed: bool = False, unit: bool = False
) -> tuple[Nodes, Node, list[Node]]:
    """Solve with triangles, or their transposes: solutions, flags, 0 for singular ones, and perhaps flags, 0 for inaccurate ones."""
    ways = {"transposed": transposed, "unit": unit}
    signatures = [Signature(item.shape, item.dtype) for item in (*triangle, *sides)]
    fits = kernel("triangular solve in lanes").takes(*signatures, lower=lower, **ways)
    if len(triangle) == 1 and (not fits or one_by_one(triangle, MOST_ROWS_OF_BLOCKS)):
        solution, regular, holds = call_kernel("triangular solve", *triangle, *sides, lower=lower != transposed, **ways)
        return (solution,), regular, [holds]
    *found, regular = call_if_fits("triangular solve in lanes", *triangle, *sides, lower=lower, **ways)
    return tuple(found), regular, []


def _conjugated(planes: Nodes) -> Nodes:
    return (planes[0], elementwise("negative", planes[1], dtype=FLOAT32)) if len(planes) > 1 else planes


def _solve_triangular(
    builder: Builder, result: Signature, a: Value, b: Value, trans: Any = 0, lower: Any = False, unit_diagonal: Any = False
) -> Any:
    sides, how = _Sides(b, a, result), TRANSPOSED[trans]
    if sides.is_large:
        return sides.substituted(builder, [(how, lower)], unit=unit_diagonal, demanded=True)
    triangle = sides.of(a)
    if how == 2:
        triangle = _conjugated(triangle)
    found, regular, holds = _substituted(triangle, sides.planes, lower=lower, transposed=how > 0, unit=unit_diagonal)
    demand(found, regular, sides.stack, "Singular matrix: a diagonal element is zero")
    return _accurate(unstacked(builder, found, result), holds)


def _accurate(found: Value, flags: list[Node]) -> Any:
    return Achieved(found, all_of(*flags), _ILL) if flags else found


def warned(builder: Builder, found: Nodes, regular: Node | None, condition: Node, stack: tuple[int, ...], result: Signature) -> Value:
    """Raise for those who need a result of a singular matrix; warn them where it is so ill-conditioned that SciPy does."""
    from scipy.linalg import LinAlgWarning

    if regular is not None:
        demand(found, regular, stack, _SINGULAR)
    most = 1 / float(finfo(result.dtype).eps)
    largest = reshape(condition, ()) if condition.size == 1 else reduce("maximum", reshape(condition, (condition.size,)), (0,), FLOAT32)
    holds = elementwise("greater", largest, fill(most, (), FLOAT32), dtype=BOOL)
    fine = elementwise("logical_not", holds, dtype=BOOL)  # NaN is
    message = f"An ill-conditioned matrix detected: results may be inaccurate, since its condition number is above {most:.3g}"
    warning = check(fine, LinAlgWarning, message)
    planes = [Node(Read(Layout(0, plane.shape, contiguous_strides(plane.shape))), (plane,), warning) for plane in found]
    return unstacked(builder, tuple(planes), result)


def _delivered(builder: Builder, found: Solved, result: Signature) -> Value:
    assert found.condition is not None
    return warned(builder, found.planes, found.regular, found.condition, found.stack, result)


def structured(builder: Builder, a: Value, assume_a: Any, lower: bool) -> Value:
    """Complete a matrix of which a triangle is to be read."""
    if assume_a in (None, "general", "gen", "banded"):  # which is found, where it is so
        return a
    if assume_a in _BANDS:
        return call(builder, "tril", call(builder, "triu", a, -_BANDS[assume_a]), _BANDS[assume_a])
    if assume_a in _TRIANGLES:
        return call(builder, _TRIANGLES[assume_a], a)
    if assume_a in _SYMMETRIC or assume_a in POSITIVE:
        hermitian = _SYMMETRIC.get(assume_a, True)
        part = call(builder, "tril" if lower else "triu", a, -1 if lower else 1)
        other = adjoint(builder, part) if hermitian else part.view(np.swapaxes(part.shadow, -1, -2))
        one = call(builder, "eye", a.shape[-1], None, 0, FLOAT64 if is_double(a.dtype) else FLOAT32)
        diagonal = call(builder, "multiply", a if not hermitian else _real(builder, a), one)
        return call(builder, "add", call(builder, "add", part, other), diagonal)
    raise NotNativeError(f"matrices that are assumed to be {assume_a} are solved on the host")


def _real(builder: Builder, a: Value) -> Value:
    return converted(builder, a.part(0), a.dtype) if a.dtype.kind == "c" else a


def _solve(
    builder: Builder, result: Signature, a: Value, b: Value, lower: Any = False, assume_a: Any = None, transposed: Any = False
) -> Value:
    a = structured(builder, a, assume_a, lower)
    if transposed:
        a = a.view(np.swapaxes(a.shadow, -1, -2))
    if assume_a in POSITIVE:
        factor = call(builder, "linalg.cholesky", a)
        return call(builder, "scipy.linalg.cho_solve", (factor, True), b, False, False)
    return _delivered(builder, solved(builder, a, b, result, condition=True), result)


def _inv(builder: Builder, result: Signature, a: Value, *, assume_a: Any = None, lower: Any = False) -> Value:
    a = structured(builder, a, assume_a, lower)
    return _delivered(builder, solved(builder, a, None, result, condition=True), result)


def _det(builder: Builder, _result: Signature, a: Value) -> Any:
    return call(builder, "linalg.det", a)


def _cholesky(builder: Builder, _result: Signature, a: Value, lower: Any = False) -> Value:
    return call(builder, "linalg.cholesky", a, upper=not lower)


def _cho_factor(builder: Builder, result: Any, a: Value, lower: Any = False) -> tuple[Value, Any]:
    return _cholesky(builder, result, a, lower), lower


def _cho_solve(builder: Builder, result: Signature, c_and_lower: Any, b: Value) -> Any:
    factor, lower = c_and_lower
    sides = _Sides(b, factor, result)
    lower = is_true(lower)
    if sides.is_large:
        return sides.substituted(builder, [(0, True), (2, True)] if lower else [(2, False), (0, False)])
    triangle = sides.of(factor)
    adjoint_of = _conjugated(triangle)
    between, _, holds = _substituted(triangle if lower else adjoint_of, sides.planes, lower=lower, transposed=not lower)
    solution, _, also = _substituted(adjoint_of if lower else triangle, between, lower=lower, transposed=lower)
    return _accurate(unstacked(builder, solution, result), holds + also)


def _lu_factor(builder: Builder, results: tuple[Signature, ...], a: Value, pivots: int | None = None) -> Any:
    from scipy.linalg import LinAlgWarning

    if a.shape[-1] != a.shape[-2]:
        return permuted_factors.cut(_lu_factor, builder, results, a)
    stack = a.shape[:-2]
    if a.shape[-1] > MOST_ROWS_IN_LANES and stack:
        return permuted_factors.each(_lu_factor, builder, results, a, pivots)
    if a.shape[-1] > MOST_ROWS_IN_LANES:
        (both, rows), fine, holds = permuted_factors.lu_factor(builder, results, a, pivots)
        demand((*both.value.read(), *rows.value.read()), fine, (), _NO_PIVOT, LinAlgWarning)
        return permuted_factors.given((both.value, rows.value), holds)
    planes, exchanged, _, regular = factors(a, results[0], stack)
    if pivots is not None:
        regular = permuted_factors.regular_of(Ops(builder), Expression(Ops(builder), unstacked(builder, planes, results[0])), pivots)
    demand((*planes, exchanged), regular, stack, _NO_PIVOT, LinAlgWarning)
    return unstacked(builder, planes, results[0]), unstacked(builder, (exchanged,), results[1])


def exchange(numbers: Node, planes: Nodes, *, back: bool = False) -> Nodes:
    """Exchange rows as a factorization did, or back."""
    return call_if_fits("exchange rows in lanes", numbers, *planes, back=back)


def _lu_solve(builder: Builder, result: Signature, lu_and_piv: Any, b: Value, trans: Any = 0) -> Any:
    both, rows = lu_and_piv
    if not isinstance(rows, Value) or rows.dtype != INT32:
        raise NotNativeError("the rows that a factorization exchanged are known to the device as int32 alone")
    if both.shape[-1] > MOST_ROWS_IN_LANES:
        (numbers,) = rows.read()
        return permuted_factors.lu_solve(builder, result, both, numbers, b, TRANSPOSED[trans])
    sides = _Sides(b, both, result)
    triangles = sides.of(both)
    (numbers,) = rows.read()
    numbers = reshape(broadcast(numbers, (*sides.stack, both.shape[-1])), (triangles[0].shape[0], both.shape[-1]))
    how = TRANSPOSED[trans]
    if how == 0:
        between, _, holds = _substituted(triangles, exchange(numbers, sides.planes), lower=True, unit=True)
        found, _, also = _substituted(triangles, between, lower=False)
    else:
        if how == 2:
            triangles = _conjugated(triangles)
        between, _, holds = _substituted(triangles, sides.planes, lower=False, transposed=True)
        found, _, also = _substituted(triangles, between, lower=True, transposed=True, unit=True)
        found = exchange(numbers, found, back=True)
    return _accurate(unstacked(builder, found, result), holds + also)


def _lu(
    builder: Builder, results: tuple[Signature, ...], a: Value, permute_l: Any = False, p_indices: Any = False, pivots: int | None = None
) -> Any:
    if a.shape[-1] != a.shape[-2]:
        return permuted_factors.cut(_lu, builder, results, a, permute_l, p_indices)
    order, last = a.shape[-1], results[-1]
    if order > MOST_ROWS_IN_LANES and a.ndim > 2:
        return permuted_factors.each(_lu, builder, results, a, permute_l, p_indices, pivots)
    if order > MOST_ROWS_IN_LANES:
        return permuted_factors.lu(builder, results, a, permuted=permute_l, indices=p_indices, pivots=pivots)
    planes, exchanged, _, _ = factors(a, last, a.shape[:-2])
    both = unstacked(builder, planes, last)
    eye = call(builder, "eye", order, None, 0, FLOAT32)
    lower, upper = call(builder, "add", call(builder, "tril", both, -1), eye), call(builder, "triu", both)
    count = planes[0].shape[0]
    if permute_l:
        moved = exchange(exchanged, tuple([reshape(plane, planes[0].shape) for plane in lower.read()]), back=True)
        return unstacked(builder, moved, results[0]), upper
    if p_indices:
        places = broadcast(reshape(cast(iota(order), FLOAT32), (1, order, 1)), (count, order, 1))
        (moved_places,) = exchange(exchanged, (places,), back=True)
        return unstacked(builder, (cast(moved_places, INT32),), results[0]), lower, upper
    (one,) = eye.read()
    permutation = exchange(exchanged, (broadcast(reshape(one, (1, order, order)), (count, order, order)),), back=True)
    return unstacked(builder, permutation, results[0]), lower, upper


def _norm(builder: Builder, _result: Signature, a: Value, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Any:
    return call(builder, "linalg.norm", a, ord, axis, keepdims)


_FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "solve": _solve,
    "solve_triangular": _solve_triangular,
    "inv": _inv,
    "det": _det,
    "cholesky": _cholesky,
    "cho_factor": _cho_factor,
    "cho_solve": _cho_solve,
    "lu": _lu,
    "norm": _norm,
    "lu_factor": _lu_factor,
    "lu_solve": _lu_solve,
}
FUNCTIONS: Final = {f"scipy.linalg.{name}": function for name, function in _FUNCTIONS.items()}
