"""scipy.linalg's equations in float64 and complex128, and the factors with which they are solved."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from ...dtypes import COMPLEX128, FLOAT64, INT32, UINT32
from ...rules import Signature, broadcast_shapes, is_true
from ..graph.build import broadcast, cast, iota, reshape
from ..graph.graph import Node
from ..value import Value
from . import Builder, NotNativeError, permuted_factors
from .composition import Expression, Ops
from .factored_equations import FUNCTIONS as NARROW
from .factored_equations import POSITIVE, TRANSPOSED, exchange, structured, warned
from .matrices import Achieved, Nodes, all_of, demand, matrices, unstacked
from .op_calls import call, converted
from .refinement import transposed, triangular
from .wide_equations import REASON, any_solved, in_lanes

__all__ = ["WIDE"]

_MOST_ROWS_IN_LANES: Final = 32


def _delivered(builder: Builder, a: Value, b: Value | None, result: Signature) -> Any:
    found, stack = any_solved(builder, a, b, result, condition=True)
    condition, planes = found.condition, found.value.read()
    assert condition is not None
    if found.holds is not None:
        value = unstacked(builder, planes, result)
        return Achieved(value, found.holds, REASON, lambda tested: warned(builder, tested.read(), None, condition, stack, result))
    return warned(builder, planes, found.regular, condition, stack, result)


def _solve(
    builder: Builder, result: Signature, a: Value, b: Value, lower: Any = False, assume_a: Any = None, transposed: Any = False
) -> Any:
    if assume_a in POSITIVE or a.shape[-1] == 0 or not math.prod(result.shape):
        return NARROW["scipy.linalg.solve"](builder, result, a, b, lower, assume_a, transposed)
    a = structured(builder, a, assume_a, lower)
    if transposed:
        a = a.view(np.swapaxes(a.shadow, -1, -2))
    return _delivered(builder, a, b, result)


def _inv(builder: Builder, result: Signature, a: Value, *, assume_a: Any = None, lower: Any = False) -> Any:
    return _delivered(builder, structured(builder, a, assume_a, lower), None, result)


def _substituted(
    builder: Builder, triangle: Value, sides: Value, stack: tuple[int, ...], *, lower: bool, flipped: bool = False, unit: bool = False,
    demanded: bool = False,
) -> tuple[Value, Node | None]:  # fmt: skip
    """Solve with triangles, or their transposes; and tell whether that is accurate, where it is a question. Factors may be singular."""
    dtype = COMPLEX128 if "c" in (triangle.dtype.kind, sides.dtype.kind) else FLOAT64
    planes, given = matrices(triangle, dtype, stack), matrices(sides, dtype, stack)
    ways = {"lower": lower, "transposed": flipped, "unit": unit}
    found = None if dtype == COMPLEX128 else in_lanes(builder, "triangular solve of float64", *planes, *given, **ways)
    shape = (*stack, *given[0].shape[1:])
    if found is not None:
        if demanded:
            demand(found[:2], found[2], stack, "Singular matrix: a diagonal element is zero")
        return builder.make(tuple([reshape(node, shape) for node in found[:2]]), FLOAT64), None
    ops, order = Ops(builder), triangle.shape[-1]
    a = Expression(ops, builder.make(tuple([reshape(node, (*stack, order, order)) for node in planes]), dtype))
    b = Expression(ops, builder.make(tuple([reshape(node, shape) for node in given]), dtype))
    cut = "tril" if lower else "triu"
    a = ops(cut, a, -1 if lower else 1) + ops("eye", order, None, 0, FLOAT64) if unit else ops(cut, a)
    refined = triangular(ops, transposed(a) if flipped else a, b, lower=lower != flipped)
    return refined.result.value, refined.holds


def _matrix_of(b: Value) -> Value:
    return b.view(b.shadow[:, np.newaxis]) if b.ndim == 1 else b


def _conjugate(builder: Builder, a: Value) -> Value:
    return call(builder, "conjugate", a) if a.dtype.kind == "c" else a


def _tested(builder: Builder, found: Value, flags: list[Node | None], result: Signature) -> Any:
    value = unstacked(builder, found.read(), result)
    known = [flag for flag in flags if flag is not None]
    return Achieved(value, all_of(*known), REASON) if known else value


def _solve_triangular(
    builder: Builder, result: Signature, a: Value, b: Value, trans: Any = 0, lower: Any = False, unit_diagonal: Any = False
) -> Any:
    sides = _matrix_of(b)
    stack = broadcast_shapes(a.shape[:-2], sides.shape[:-2])
    if TRANSPOSED[trans] == 2:
        a = _conjugate(builder, a)
    found, holds = _substituted(
        builder, a, sides, stack, lower=lower, flipped=TRANSPOSED[trans] > 0, unit=unit_diagonal, demanded=True
    )
    return _tested(builder, found, [holds], result)


def _cho_solve(builder: Builder, result: Signature, c_and_lower: Any, b: Value) -> Any:
    factor, lower = c_and_lower
    lower, sides = is_true(lower), _matrix_of(b)
    stack = broadcast_shapes(factor.shape[:-2], sides.shape[:-2])
    other = _conjugate(builder, factor)
    between, holds = _substituted(builder, factor if lower else other, sides, stack, lower=lower, flipped=not lower)
    found, also = _substituted(builder, other if lower else factor, between, stack, lower=lower, flipped=lower)
    return _tested(builder, found, [holds, also], result)


def _factors(builder: Builder, a: Value, last: Signature, stack: tuple[int, ...]) -> Nodes | None:
    if last.dtype != FLOAT64:
        return None
    return in_lanes(builder, "LU of float64", *matrices(a, FLOAT64, stack))


def _lu_factor(builder: Builder, results: tuple[Signature, ...], a: Value, pivots: int | None = None) -> Any:
    from scipy.linalg import LinAlgWarning

    if a.shape[-1] != a.shape[-2]:
        return permuted_factors.cut(_lu_factor, builder, results, a)
    stack = a.shape[:-2]
    of_lanes = _factors(builder, a, results[0], stack)
    if of_lanes is None and stack:
        return permuted_factors.each(_lu_factor, builder, results, a, pivots)
    if of_lanes is None:
        (both, rows), _, holds = permuted_factors.lu_factor(builder, results, a, pivots)
        assert holds is not None
        return Achieved((both.value, rows.value), holds, permuted_factors.REASON)
    *planes, exchanged, _, regular = of_lanes
    if pivots is not None:
        ops = Ops(builder)
        regular = permuted_factors.regular_of(ops, Expression(ops, unstacked(builder, tuple(planes), results[0])), pivots)
    demand((*planes, exchanged), regular, stack, "Singular matrix: a pivot is exactly zero", LinAlgWarning)
    return unstacked(builder, tuple(planes), results[0]), unstacked(builder, (exchanged,), results[1])


def _lu_solve(builder: Builder, result: Signature, lu_and_piv: Any, b: Value, trans: Any = 0) -> Any:
    both, rows = lu_and_piv
    if not isinstance(rows, Value) or rows.dtype != INT32:
        raise NotNativeError("the rows that a factorization exchanged are known to the device as int32 alone")
    sides, how = _matrix_of(b), TRANSPOSED[trans]
    if result.dtype == COMPLEX128 or both.shape[-1] > _MOST_ROWS_IN_LANES:
        return permuted_factors.lu_solve(builder, result, both, rows.read()[0], b, how)
    stack = broadcast_shapes(both.shape[:-2], sides.shape[:-2])
    (numbers,) = rows.read()
    numbers = reshape(broadcast(numbers, (*stack, both.shape[-1])), (math.prod(stack), both.shape[-1]))

    def moved(value: Value, *, back: bool) -> Value:
        planes = exchange(numbers, matrices(value, FLOAT64, stack), back=back)
        return builder.make(tuple([reshape(plane, (*stack, *plane.shape[1:])) for plane in planes]), FLOAT64)

    if how == 0:
        between, holds = _substituted(builder, both, moved(sides, back=False), stack, lower=True, unit=True)
        found, also = _substituted(builder, both, between, stack, lower=False)
    else:
        between, holds = _substituted(builder, both, sides, stack, lower=False, flipped=True)
        found, also = _substituted(builder, both, between, stack, lower=True, flipped=True, unit=True)
        found = moved(found, back=True)
    return _tested(builder, found, [holds, also], result)


def _lu(
    builder: Builder, results: tuple[Signature, ...], a: Value, permute_l: Any = False, p_indices: Any = False, pivots: int | None = None
) -> Any:
    if a.shape[-1] != a.shape[-2]:
        return permuted_factors.cut(_lu, builder, results, a, permute_l, p_indices)
    last, order, stack = results[-1], a.shape[-1], a.shape[:-2]
    of_lanes = _factors(builder, a, last, stack)
    if of_lanes is None and stack:
        return permuted_factors.each(_lu, builder, results, a, permute_l, p_indices, pivots)
    if of_lanes is None:
        return permuted_factors.lu(builder, results, a, permuted=permute_l, indices=p_indices, pivots=pivots)
    high, low, numbers, _, _ = of_lanes
    both = unstacked(builder, (high, low), last)
    eye = call(builder, "eye", order, None, 0, FLOAT64)
    lower, upper = call(builder, "add", call(builder, "tril", both, -1), eye), call(builder, "triu", both)
    if permute_l:
        return unstacked(builder, exchange(numbers, matrices(lower, FLOAT64, stack), back=True), results[0]), upper
    if p_indices:
        count = math.prod(stack)
        places = broadcast(reshape(cast(iota(order), UINT32), (1, order, 1)), (count, order, 1))
        (moved,) = exchange(numbers, (places,), back=True)
        rows = unstacked(builder, (cast(moved, INT32),), results[0]._replace(dtype=INT32))
        return converted(builder, rows, results[0].dtype), lower, upper
    return unstacked(builder, exchange(numbers, matrices(eye, FLOAT64, stack), back=True), results[0]), lower, upper


WIDE: Final[Mapping[str, Callable[..., Any]]] = {
    **{f"scipy.linalg.{name}": NARROW[f"scipy.linalg.{name}"] for name in ("det", "cholesky", "cho_factor", "norm")},
    "scipy.linalg.solve": _solve,
    "scipy.linalg.inv": _inv,
    "scipy.linalg.solve_triangular": _solve_triangular,
    "scipy.linalg.cho_solve": _cho_solve,
    "scipy.linalg.lu_factor": _lu_factor,
    "scipy.linalg.lu_solve": _lu_solve,
    "scipy.linalg.lu": _lu,
}
