"""Linear equations, inverses and determinants."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...dtypes import FLOAT32
from ...rules import Signature, broadcast_shapes
from ..graph.build import call as call_kernel
from ..graph.build import fill, reshape
from ..value import Value
from . import Lowerings, NotNativeError
from .matrices import Nodes, demand, empty, matrices, ruled, unstacked
from .op_calls import call

if TYPE_CHECKING:
    from ..graph.builder import Builder
    from ..graph.graph import Node

__all__ = ["adjoint", "factors", "fits", "inverted", "solved"]

_MOST_ROWS: Final = 64
"""Of matrices in lanes."""


def fits(order: int) -> None:
    """Refuse matrices that do not fit in lanes."""
    if order > _MOST_ROWS:
        raise NotNativeError(f"matrices of more than {_MOST_ROWS} rows are factored on the host")


def solved(a: Value, b: Value, result: Signature, **attributes: bool) -> tuple[Nodes, tuple[Node, ...], tuple[int, ...]]:
    """Solve equations: planes of the solutions, numbers of the matrices, 0 for singular ones, and the stack."""
    fits(a.shape[-1])
    sides = b.view(b.shadow[:, np.newaxis]) if b.ndim == 1 else b
    stack = broadcast_shapes(a.shape[:-2], sides.shape[:-2])
    planes = matrices(a, result.dtype, stack)
    found = call_kernel("solve in lanes", *planes, *matrices(sides, result.dtype, stack), **attributes)
    return found[: len(planes)], found[len(planes) :], stack


def inverted(a: Value, result: Signature, **attributes: bool) -> tuple[Nodes, tuple[Node, ...], tuple[int, ...]]:
    """Invert matrices; as `solved`."""
    fits(a.shape[-1])
    planes = matrices(a, result.dtype, a.shape[:-2])
    found = call_kernel("solve in lanes", *planes, inverse=True, **attributes)
    return found[: len(planes)], found[len(planes) :], a.shape[:-2]


def _solve(builder: Builder, result: Signature, a: Value, b: Value) -> Value:
    if math.prod(result.shape) == 0 or a.shape[-1] == 0:
        return empty(builder, result)
    found, (regular,), stack = solved(a, b, result)
    demand(found, regular, stack, "Singular matrix")
    return unstacked(builder, found, result)


def _inv(builder: Builder, result: Signature, a: Value) -> Value:
    if math.prod(result.shape) == 0:
        return empty(builder, result)
    found, (regular,), stack = inverted(a, result)
    demand(found, regular, stack, "Singular matrix")
    return unstacked(builder, found, result)


def factors(a: Value, result: Signature, stack: tuple[int, ...]) -> tuple[Nodes, Node, Node, Node]:
    """Factor matrices: L and U in one, the rows that were exchanged, the signs of the permutations, and flags, 0 for singular ones."""
    fits(a.shape[-1])
    *planes, exchanged, signs, regular = call_kernel("LU in lanes", *matrices(a, result.dtype, stack))
    return tuple(planes), exchanged, signs, regular


def _diagonal(builder: Builder, a: Value, result: Signature, stack: tuple[int, ...]) -> tuple[Value, Value]:
    """Make the diagonal of U, and the signs of the permutations."""
    order = a.shape[-1]
    planes, _, signs, _ = factors(a, result, stack)
    both = builder.make(tuple([reshape(plane, (*stack, order, order)) for plane in planes]), result.dtype)
    return both.view(np.diagonal(both.shadow, axis1=-2, axis2=-1)), builder.make((reshape(signs, stack),), FLOAT32)


def _ones(builder: Builder, result: Signature) -> Value:
    planes = [fill(1 - place, result.shape, FLOAT32) for place in range(2 if result.dtype.kind == "c" else 1)]
    return builder.result(tuple(planes), result.dtype)


def _det(builder: Builder, result: Signature, a: Value) -> Any:
    if a.shape[-1] == 0 or math.prod(result.shape) == 0:
        return _ones(builder, result)
    diagonal, signs = _diagonal(builder, a, result, result.shape)
    return call(builder, "multiply", call(builder, "prod", diagonal, -1), signs)


def _slogdet(builder: Builder, results: tuple[Signature, Signature], a: Value) -> Any:
    sign, logarithm = results
    if a.shape[-1] == 0 or math.prod(sign.shape) == 0:
        return _ones(builder, sign), empty(builder, logarithm)
    diagonal, signs = _diagonal(builder, a, sign, sign.shape)
    units = call(builder, "prod", call(builder, "sign", diagonal), -1)
    logarithms = call(builder, "log", call(builder, "absolute", diagonal))
    return call(builder, "multiply", units, signs), call(builder, "sum", logarithms, -1)


def _cholesky(builder: Builder, result: Signature, a: Value, /, *, upper: bool = False) -> Value:
    if math.prod(result.shape) == 0:
        return empty(builder, result)
    fits(a.shape[-1])
    stack = a.shape[:-2]
    *found, definite = call_kernel("Cholesky in lanes", *matrices(adjoint(builder, a) if upper else a, result.dtype, stack))
    demand(tuple(found), definite, stack, "Matrix is not positive definite")
    factor = unstacked(builder, tuple(found), result)
    return adjoint(builder, factor).with_memory() if upper else factor


def _tensorsolve(builder: Builder, result: Signature, a: Value, b: Value, axes: Any = None) -> Value:
    order = [*range(a.ndim)]
    for axis in axes or ():
        order.remove(axis)
        order.insert(a.ndim, axis)
    moved = call(builder, "reshape", a.view(np.transpose(a.shadow, order)), (b.size, b.size))
    found = call(builder, "linalg.solve", moved, call(builder, "reshape", b, (b.size,)))
    solution: Value = call(builder, "reshape", found, result.shape)
    return solution


def _tensorinv(builder: Builder, result: Signature, a: Value, ind: int = 2) -> Value:
    order = math.prod(a.shape[ind:])
    inverse: Value = call(builder, "reshape", call(builder, "linalg.inv", call(builder, "reshape", a, (order, order))), result.shape)
    return inverse


def adjoint(builder: Builder, value: Value) -> Value:
    """Transpose matrices, and conjugate them."""
    conjugate: Value = call(builder, "conjugate", value) if value.dtype.kind == "c" else value
    return conjugate.view(np.swapaxes(conjugate.shadow, -1, -2))


_FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "linalg.solve": _solve,
    "linalg.inv": _inv,
    "linalg.det": _det,
    "linalg.slogdet": _slogdet,
    "linalg.cholesky": _cholesky,
    "linalg.tensorsolve": _tensorsolve,
    "linalg.tensorinv": _tensorinv,
}
LOWERINGS: Final[Lowerings] = {name: ruled(name, function) for name, function in _FUNCTIONS.items()}
