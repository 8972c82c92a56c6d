"""Linear equations, inverses, determinants and Cholesky factors of float64 and complex128."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from ...dtypes import COMPLEX128, FLOAT32, FLOAT64
from ...rules import Signature, broadcast_shapes
from ..graph.build import call as call_kernel
from ..graph.build import reshape
from ..graph.graph import Node
from ..kernel import kernel
from ..value import Value
from . import Builder, NotNativeError
from .composition import Expression, Ops
from .eigenvalues import mirrored
from .linear_equations import FUNCTIONS as NARROW
from .linear_equations import adjoint
from .matrices import Achieved, Nodes, demand, matrices, unstacked
from .op_calls import call, converted
from .refinement import Refined, cholesky, determinant, equations, inverse

__all__ = ["REASON", "WIDE", "any_solved", "in_lanes"]

REASON: Final = "its condition number is too large for the device, whose result is not as accurate as LAPACK's"
_SINGULAR: Final = "Singular matrix"


def in_lanes(builder: Builder, name: str, *planes: Node, **attributes: Any) -> Nodes | None:
    """Call a kernel that computes matrices on lanes in float64; nothing where it does not take them."""
    if not builder.draws():
        raise NotNativeError("the self-test did not find that 32-bit integers of GpSimd wrap")
    name = f"{name} in lanes"
    if not kernel(name).takes(*[Signature(one.shape, one.dtype) for one in planes], **attributes):
        return None
    return call_kernel(name, *planes, **attributes)


class Found(NamedTuple):
    """
    Solutions of equations, or inverses, in float64.

    Attributes
    ----------
    value : Value
        With the shape of the stack.
    regular : Node or None
        Of each matrix, 0 if it is singular, where that is known to the last bit.
    condition : Node or None
        Condition numbers in the 1-norm, if they are wanted and known.
    holds : Node or None
        Whether the value is accurate, where that is a question.
    """

    value: Value
    regular: Node | None
    condition: Node | None
    holds: Node | None


def _parts(builder: Builder, value: Value) -> tuple[Value, Value]:
    """Give real and imaginary parts."""
    if value.dtype.kind != "c":
        real = converted(builder, value, FLOAT64)
        return real, call(builder, "zeros", value.shape, FLOAT64)
    wide = converted(builder, value, COMPLEX128)
    return wide.part(0), wide.part(1)


def _of_parts(builder: Builder, real: Value, imaginary: Value) -> Value:
    return builder.make((*real.read(), *imaginary.read()), COMPLEX128)


def _solved(builder: Builder, a: Value, b: Value | None, stack: tuple[int, ...], *, condition: bool = False) -> Found:
    """Solve equations, or, without right-hand sides, invert."""
    order = a.shape[-1]
    planes = matrices(a, FLOAT64, stack)
    given = () if b is None else matrices(b, FLOAT64, stack)
    found = in_lanes(builder, "solve float64", *planes, *given, inverse=b is None, condition=condition)
    if found is not None:
        shape = (*stack, *(planes if b is None else given)[0].shape[1:])
        value = builder.make(tuple([reshape(node, shape) for node in found[:2]]), FLOAT64)
        return Found(value, found[2], found[3] if condition else None, None)
    ops = Ops(builder)
    matrix = Expression(ops, builder.make(tuple([reshape(node, (*stack, order, order)) for node in planes]), FLOAT64))
    if b is None:
        refined = inverse(ops, matrix, condition=condition)
    else:
        sides = builder.make(tuple([reshape(node, (*stack, *node.shape[1:])) for node in given]), FLOAT64)
        refined = equations(ops, matrix, Expression(ops, sides), condition=condition)
    return Found(refined.result.value, None, refined.condition, refined.holds)


def any_solved(
    builder: Builder, a: Value, b: Value | None, result: Signature, *, condition: bool = False
) -> tuple[Found, tuple[int, ...]]:
    """Solve equations of any dtype: complex ones are real ones of real and imaginary parts, [[Re, -Im], [Im, Re]]."""
    sides = b if b is None or b.ndim > 1 else b.view(b.shadow[:, np.newaxis])
    stack = a.shape[:-2] if sides is None else broadcast_shapes(a.shape[:-2], sides.shape[:-2])
    if result.dtype != COMPLEX128:
        return _solved(builder, a, sides, stack, condition=condition), stack
    real, imaginary = _parts(builder, a)
    upper = call(builder, "concatenate", [real, call(builder, "negative", imaginary)], -1)
    whole = call(builder, "concatenate", [upper, call(builder, "concatenate", [imaginary, real], -1)], -2)
    order, width = a.shape[-1], result.shape[-1] if sides is None else sides.shape[-1]
    if sides is not None:
        sides = call(builder, "concatenate", [*_parts(builder, sides)], -2)
    found = _solved(builder, whole, sides, stack, condition=condition)
    both = found.value
    value = _of_parts(builder, both.view(both.shadow[..., :order, :width]), both.view(both.shadow[..., order:, :width]))
    return found._replace(value=value), stack


def _delivered(builder: Builder, found: Found, stack: tuple[int, ...], result: Signature) -> Any:
    planes = found.value.read()
    if found.regular is not None:
        demand(planes, found.regular, stack, _SINGULAR)
    value = unstacked(builder, planes, result)
    return value if found.holds is None else Achieved(value, found.holds, REASON)


def _solve(builder: Builder, result: Signature, a: Value, b: Value) -> Any:
    if math.prod(result.shape) == 0 or a.shape[-1] == 0:
        return NARROW["linalg.solve"](builder, result, a, b)
    found, stack = any_solved(builder, a, b, result)
    return _delivered(builder, found, stack, result)


def _inv(builder: Builder, result: Signature, a: Value) -> Any:
    if math.prod(result.shape) == 0:
        return NARROW["linalg.inv"](builder, result, a)
    found, stack = any_solved(builder, a, None, result)
    return _delivered(builder, found, stack, result)


def _diagonal(builder: Builder, a: Value, stack: tuple[int, ...]) -> tuple[Expression, Expression, Refined | None]:
    """Make the diagonal of U, the signs of permutations, and what the factors lack."""
    order, ops = a.shape[-1], Ops(builder)
    found = None if a.dtype.kind == "c" else in_lanes(builder, "LU of float64", *matrices(a, FLOAT64, stack))
    if found is None:
        return determinant(ops, Expression(ops, converted(builder, a, COMPLEX128 if a.dtype.kind == "c" else FLOAT64)))
    both = Expression(ops, builder.make(tuple([reshape(node, (*stack, order, order)) for node in found[:2]]), FLOAT64))
    signs = Expression(ops, builder.make((reshape(found[3], stack),), FLOAT32))
    regular = Expression(ops, builder.make((reshape(found[4], stack),), FLOAT32))
    diagonal = both.viewed(lambda shadow: np.diagonal(shadow, axis1=-2, axis2=-1))
    return diagonal, (signs * regular).astype(FLOAT64), None


def _det(builder: Builder, result: Signature, a: Value) -> Any:
    if a.shape[-1] == 0 or math.prod(result.shape) == 0:
        return NARROW["linalg.det"](builder, result, a)
    ops = Ops(builder)
    diagonal, signs, more = _diagonal(builder, a, result.shape)
    product = ops("prod", diagonal, -1) * signs + 0.0  # of a zero pivot and a negative one, too, NumPy's is +0.0
    product = ops("where", signs == 0.0, 0.0, product)  # products of others may be infinite
    value = product if more is None else product * ops("exp", more.result)
    value.value.detached = not result.shape
    return value.value if more is None else Achieved(value.value, more.holds, REASON)


def _slogdet(builder: Builder, results: tuple[Signature, Signature], a: Value) -> Any:
    sign, _ = results
    if a.shape[-1] == 0 or math.prod(sign.shape) == 0:
        return NARROW["linalg.slogdet"](builder, results, a)
    ops = Ops(builder)
    diagonal, signs, more = _diagonal(builder, a, sign.shape)
    units = ops("prod", ops("sign", diagonal), -1) * signs
    total = ops("log", abs(diagonal)).sum(-1)
    total = ops("where", signs == 0.0, -math.inf, total)
    if more is not None:
        total = total + more.result.real
        if more.result.is_complex:
            units = units * ops("exp", (more.result - more.result.real))
    units.value.detached = total.value.detached = not sign.shape
    return (units.value, total.value) if more is None else Achieved((units.value, total.value), more.holds, REASON)


def _cholesky(builder: Builder, result: Signature, a: Value, /, *, upper: bool = False) -> Any:
    if math.prod(result.shape) == 0:
        return NARROW["linalg.cholesky"](builder, result, a, upper=upper)
    stack, ops = a.shape[:-2], Ops(builder)
    given = adjoint(builder, a) if upper else a
    found = None if result.dtype == COMPLEX128 else in_lanes(builder, "Cholesky of float64", *matrices(given, FLOAT64, stack))
    if found is not None:
        *planes, definite = found
        demand(tuple(planes), definite, stack, "Matrix is not positive definite")
        factor = unstacked(builder, tuple(planes), result)
        return factor.view(np.swapaxes(factor.shadow, -1, -2)).with_memory() if upper else factor
    refined = cholesky(ops, Expression(ops, mirrored(builder, converted(builder, given, result.dtype), "L")))
    factor = (refined.result.adjoint() if upper else refined.result).value
    return Achieved(factor.with_memory() if upper else factor, refined.holds, REASON)


WIDE: Final[Mapping[str, Callable[..., Any]]] = {
    "linalg.solve": _solve,
    "linalg.inv": _inv,
    "linalg.det": _det,
    "linalg.slogdet": _slogdet,
    "linalg.cholesky": _cholesky,
    "linalg.tensorsolve": NARROW["linalg.tensorsolve"],
    "linalg.tensorinv": NARROW["linalg.tensorinv"],
}
