"""Linear equations, inverses and determinants."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from ...dtypes import FLOAT32, INT32, DType
from ...limits import finfo
from ...rules import Signature, broadcast_shapes
from ..graph.build import broadcast, reshape, transpose
from ..graph.build import call as call_kernel
from ..graph.graph import Node
from ..graph.primitives import Read
from ..kernel import kernel
from ..layout import Layout
from ..value import Value
from . import Builder, NotNativeError, complex_triangles
from .composition import Expression, Ops
from .factor_loops import eliminations
from .matrices import Achieved, Nodes, all_of, call_if_fits, demand, matrices, unstacked
from .op_calls import call, converted

__all__ = [
    "FUNCTIONS", "MOST_ROWS_IN_LANES", "MOST_ROWS_OF_BLOCKS", "Blocks", "Panels", "Solved", "adjoint", "cholesky_of_blocks", "factors",
    "one_by_one", "solved",
]  # fmt: skip

MOST_ROWS_IN_LANES: Final = 64
"""Of matrices in lanes."""
MOST_ROWS_IN_SBUF: Final = 1024
MOST_ROWS_OF_BLOCKS: Final = 4096
"""Of matrices that do not lie in SBUF whole."""
_FEW: Final = 8
_LANES: Final = 128
_PANEL: Final = 32  # columns that are eliminated one after the other
_GROWN: Final = "blocks of it are too ill-conditioned to be eliminated without exchanges of rows between them"
_MANY_SIDES: Final = 128
_SIDES_OF_A_LANE: Final = 2048
"""Elements of right-hand sides that a lane takes."""
_FEW_ROWS: Final = 32


def fits(order: int) -> None:
    """Refuse matrices that do not fit in lanes."""
    if order > MOST_ROWS_IN_LANES:
        raise NotNativeError(f"matrices of more than {MOST_ROWS_IN_LANES} rows are factored on the host")


def one_by_one(planes: Nodes, most: int = MOST_ROWS_IN_SBUF) -> bool:
    """Tell whether matrices are spread over partitions, one by one, and not dealt out to lanes; refuse those that fit nowhere."""
    count, order = planes[0].shape[:2]
    if len(planes) > 1:
        fits(order)
        return False
    if order > most:
        raise NotNativeError(f"matrices of more than {most} rows are factored on the host")
    return order > MOST_ROWS_IN_LANES or (order > _FEW_ROWS and count <= _FEW)


def _spread(builder: Builder, sides: Nodes) -> tuple[Nodes, int]:
    """Deal many right-hand sides of one matrix out to lanes, each of which then factors it; give how many there are, or 0 for few."""
    if not sides or sides[0].shape[2] <= _MANY_SIDES:
        return sides, 0
    _, order, width = sides[0].shape
    each = max(4, min(-(-width // _LANES), _SIDES_OF_A_LANE // order))
    count, spread = -(-width // each), []
    for plane in sides:
        wide = call(builder, "pad", builder.make((plane,), FLOAT32), [(0, 0), (0, 0), (0, count * each - width)])
        (node,) = wide.read()
        spread.append(transpose(reshape(node, (order, count, each)), (1, 0, 2)))
    return tuple(spread), width


def _gathered(node: Node, width: int) -> Node:
    """Put solutions of all lanes beside each other."""
    count, order, each = node.shape
    return Node(Read(Layout(0, (1, order, width), (0, count * each, 1))), (reshape(transpose(node, (1, 0, 2)), (order, count * each)),))


class Solved(NamedTuple):
    """
    Solutions of equations, or inverses.

    Attributes
    ----------
    planes : tuple of Node
        (count, rows, columns) each.
    regular : Node
        Of each matrix, 0 if it is singular.
    condition : Node or None
        The condition numbers in the 1-norm, if they are wanted.
    stack : tuple of int
        Of the matrices.
    """

    planes: Nodes
    regular: Node
    condition: Node | None
    stack: tuple[int, ...]


def solved(builder: Builder, a: Value, b: Value | None, result: Signature, *, condition: bool = False) -> Solved:
    """Solve equations, or, without right-hand sides, invert."""
    sides = b if b is None or b.ndim > 1 else b.view(b.shadow[:, np.newaxis])
    stack = a.shape[:-2] if sides is None else broadcast_shapes(a.shape[:-2], sides.shape[:-2])
    planes = matrices(a, result.dtype, stack)
    given = () if sides is None else matrices(sides, result.dtype, stack)
    if len(planes) > 1 and a.shape[-1] > MOST_ROWS_IN_LANES:
        return _in_parts(builder, planes, given, stack, condition)
    if not one_by_one(planes):
        spread, width = _spread(builder, given) if math.prod(stack) == 1 else (given, 0)
        matrix = tuple([broadcast(plane, (spread[0].shape[0], *plane.shape[1:])) for plane in planes]) if width else planes
        found = call_if_fits("solve in lanes", *matrix, *spread, inverse=sides is None, condition=condition)
        numbers = found[len(planes) :]
        if width:
            numbers = tuple([Node(Read(Layout(0, (1,), (1,))), (node,)) for node in numbers])
            found = tuple([_gathered(node, width) for node in found[: len(planes)]])
        return Solved(found[: len(planes)], numbers[0], numbers[1] if condition else None, stack)
    if given and given[0].shape[2] > MOST_ROWS_IN_SBUF:
        raise NotNativeError(f"more than {MOST_ROWS_IN_SBUF} right-hand sides of one matrix are solved for on the host")
    solution, regular = call_kernel("solve", *planes, *given)
    product = None
    if condition:
        inverse = solution if sides is None else call_kernel("solve", *planes)[0]
        norms = [call(builder, "linalg.norm", builder.make((node,), FLOAT32), 1, (-2, -1)) for node in (planes[0], inverse)]
        (product,) = call(builder, "multiply", *norms).read()
    return Solved((solution,), regular, product, stack)


def _in_parts(builder: Builder, planes: Nodes, given: Nodes, stack: tuple[int, ...], condition: bool) -> Solved:
    """Solve complex equations as real ones for real and imaginary parts, [[Re, -Im], [Im, Re]]."""
    order = planes[0].shape[-1]
    real, imaginary = (builder.make((plane,), FLOAT32) for plane in planes)
    upper = call(builder, "concatenate", [real, call(builder, "negative", imaginary)], -1)
    whole = call(builder, "concatenate", [upper, call(builder, "concatenate", [imaginary, real], -1)], -2)
    sides = call(builder, "concatenate", [builder.make((plane,), FLOAT32) for plane in given], -2) if given else None
    shape = (sides or whole).shape
    found = solved(builder, whole, sides, Signature(shape, FLOAT32), condition=condition)
    both, width = builder.make(found.planes, FLOAT32), shape[-1] if given else order
    parts = (both.view(both.shadow[:, :order, :width]), both.view(both.shadow[:, order:, :width]))
    return Solved(tuple([part.read()[0] for part in parts]), found.regular, found.condition, stack)


def _solve(builder: Builder, result: Signature, a: Value, b: Value) -> Any:
    if math.prod(result.shape) == 0 or a.shape[-1] == 0:
        if a.size and b.shape[-1] == 0:
            builder.on_host(call(builder, "linalg.inv", a))  # which raises of what is singular
        return builder.zeros(result.shape, result.dtype)
    if is_large(a, result.dtype):
        sides = Expression(Ops(builder), b if b.ndim > 1 else b.view(b.shadow[:, np.newaxis]))
        solution, holds = solved_in_blocks(Ops(builder), Expression(Ops(builder), a), sides)
        return Achieved((solution if b.ndim > 1 else solution[:, 0]).value.with_memory(), holds, _GROWN)
    found = solved(builder, a, b, result)
    demand(found.planes, found.regular, found.stack, "Singular matrix")
    return unstacked(builder, found.planes, result)


def _inv(builder: Builder, result: Signature, a: Value) -> Any:
    if math.prod(result.shape) == 0:
        return builder.zeros(result.shape, result.dtype)
    if is_large(a, result.dtype):
        ops = Ops(builder)
        solution, holds = solved_in_blocks(ops, Expression(ops, a), ops("eye", a.shape[-1], None, 0, FLOAT32))
        return Achieved(solution.value.with_memory(), holds, _GROWN)
    found = solved(builder, a, None, result)
    demand(found.planes, found.regular, found.stack, "Singular matrix")
    return unstacked(builder, found.planes, result)


def factors(a: Value, result: Signature, stack: tuple[int, ...]) -> tuple[Nodes, Node, Node, Node]:
    """Factor matrices: L and U in one, the rows that were exchanged, the signs of the permutations, and flags, 0 for singular ones."""
    fits(a.shape[-1])
    *planes, exchanged, signs, regular = call_kernel("LU in lanes", *matrices(a, result.dtype, stack))
    return tuple(planes), exchanged, signs, regular


class Panels(NamedTuple):
    """
    P A = L U of a float32 matrix, of panels of columns that lie in SBUF: their rows are exchanged, and the others eliminated by products.

    Attributes
    ----------
    both : Expression
        L and U in one.
    rows : Expression
        Of A, in the order of those of P A, in int32.
    regular : Expression
        0 if a pivot is zero.
    flags : list of Node
        Zero where rows of U are not accurate.
    """

    both: Expression
    rows: Expression
    regular: Expression
    flags: list[Node]

    @classmethod
    def of(cls, ops: Ops, a: Expression) -> Panels:
        """Factor a matrix that has at least as many rows as columns."""
        order = a.shape[1]
        (plane,) = matrices(a.value, FLOAT32, ())
        if kernel("LU").takes(Signature(plane.shape, FLOAT32)):
            return cls._in_sbuf(ops, plane)
        half = -(-order // 2 // _PANEL) * _PANEL
        left = cls.of(ops, a[:, :half])
        right = ops("take", a[:, half:], left.rows, axis=0)
        sides = [one for part in (left.both[:half], right[:half]) for one in matrices(part.value, FLOAT32, ())]
        found, _, holds = call_kernel("triangular solve", *sides, lower=True, transposed=False, unit=True)
        upper = Expression(ops, ops.builder.make((reshape(found, (half, order - half)),), FLOAT32))
        rest = cls.of(ops, right[half:] - left.both[half:] @ upper)
        below = ops("take", left.both[half:], rest.rows, axis=0)
        both = ops.concatenate([ops.concatenate([left.both[:half], upper]), ops.concatenate([below, rest.both])], 0)
        rows = ops.concatenate([left.rows[:half], ops("take", left.rows[half:], rest.rows)])
        return cls(both, rows, ops("minimum", left.regular, rest.regular), [*left.flags, holds, *rest.flags])

    @classmethod
    def _in_sbuf(cls, ops: Ops, plane: Node) -> Panels:
        _, height, order = plane.shape
        found = [Expression(ops, ops.builder.make((reshape(node, node.shape[1:]),), FLOAT32)) for node in call_kernel("LU", plane)]
        both, places, regular, *others = found
        rows = places.astype(INT32)
        if others:
            whole, alive = others
            rest = ops("argsort", alive == 0.0, stable=True)[: height - order].astype(INT32)
            both = ops.concatenate([both, ops("take", whole, rest, axis=0)], 0)
            rows = ops.concatenate([rows, rest])
        return cls(both, rows, regular, [])


def _diagonal(builder: Builder, a: Value, result: Signature, stack: tuple[int, ...]) -> tuple[Value, Value, list[Node]]:
    """Make the diagonal of U, and the signs of the permutations; flags are zero where they are not accurate."""
    ops, order = Ops(builder), a.shape[-1]
    given = matrices(a, result.dtype, stack)
    if is_large(a, result.dtype) and not stack:
        panels = Panels.of(ops, Expression(ops, converted(builder, a, FLOAT32)))
        signs_of = permutation_signs(ops, panels.rows) * panels.regular
        return panels.both.viewed(np.diagonal).value, signs_of.value, panels.flags
    if len(given) > 1 and order > MOST_ROWS_IN_LANES and not stack:
        whole, rows, regular = eliminations(ops, Expression(ops, converted(builder, a, result.dtype)))
        return whole.viewed(np.diagonal).value, (permutation_signs(ops, rows) * regular).value, []
    if one_by_one(given):
        packed, places, flags = call_kernel("LU", *given)
        planes: Nodes = (packed,)
        found = permutation_signs(ops, Expression(ops, builder.make((places,), FLOAT32)))
        (signs,) = (found * Expression(ops, builder.make((flags,), FLOAT32))).value.read()
    else:
        planes, _, signs, _ = factors(a, result, stack)
    both = builder.make(tuple([reshape(plane, (*stack, order, order)) for plane in planes]), result.dtype)
    return both.view(np.diagonal(both.shadow, axis1=-2, axis2=-1)), builder.make((reshape(signs, stack),), FLOAT32), []


def permutation_signs(ops: Ops, rows: Expression) -> Expression:
    """Find the signs of permutations by counting inversions."""
    order = rows.shape[-1]
    later = ops.kept(("later", order), lambda: np.triu(np.ones((order, order)), 1))
    inversions = ((rows[..., :, None] > rows[..., None, :]).astype(FLOAT32) * later).sum((-2, -1))
    return 1.0 - 2.0 * ops("remainder", inversions, 2.0)


def _ones(builder: Builder, result: Signature) -> Value:
    return call(builder, "ones", result.shape, result.dtype)


def _det(builder: Builder, result: Signature, a: Value) -> Any:
    if a.shape[-1] == 0 or math.prod(result.shape) == 0:
        return _ones(builder, result)
    diagonal, signs, flags = _diagonal(builder, a, result, result.shape)
    product = call(builder, "multiply", call(builder, "prod", diagonal, -1), signs)
    product = call(builder, "add", product, 0.0)  # of a zero pivot and a negative one, too, NumPy's is +0.0
    found = call(builder, "where", call(builder, "equal", signs, 0), 0.0, product)  # products of others may be infinite
    return Achieved(found, all_of(*flags), _GROWN) if flags else found


def _slogdet(builder: Builder, results: tuple[Signature, Signature], a: Value) -> Any:
    sign, logarithm = results
    if a.shape[-1] == 0 or math.prod(sign.shape) == 0:
        return _ones(builder, sign), builder.zeros(logarithm.shape, logarithm.dtype)
    diagonal, signs, flags = _diagonal(builder, a, sign, sign.shape)
    units = call(builder, "prod", call(builder, "sign", diagonal), -1)
    logarithms = call(builder, "log", call(builder, "absolute", diagonal))
    total = call(builder, "sum", logarithms, -1)
    nothing = call(builder, "equal", signs, 0)
    found = call(builder, "multiply", units, signs), call(builder, "where", nothing, -math.inf, total)
    return Achieved(found, all_of(*flags), _GROWN) if flags else found


def _cholesky(builder: Builder, result: Signature, a: Value, /, *, upper: bool = False) -> Value:
    if math.prod(result.shape) == 0:
        return builder.zeros(result.shape, result.dtype)
    stack = a.shape[:-2]
    if a.dtype.kind == "c" and a.shape[-1] > MOST_ROWS_IN_LANES:
        return complex_triangles.cholesky(Ops(builder), a, upper=upper)
    triangle = matrices(a, result.dtype, stack)
    if is_large(a, result.dtype):
        ops = Ops(builder)
        matrix = Expression(ops, converted(builder, adjoint(builder, a) if upper else a, FLOAT32))
        factor = cholesky_of_blocks(ops, matrix, lambda part: ops("linalg.cholesky", part), lambda part: _inverted(ops, part)).value
        return adjoint(builder, factor).with_memory() if upper else factor
    if one_by_one(triangle):  # the kernel reads and makes upper triangles
        (node,) = triangle if upper else (transpose(triangle[0], (0, 2, 1)),)
        found, definite = call_kernel("Cholesky", node)
        demand((found,), definite, stack, "Matrix is not positive definite, or has elements above 2**125")
        factor = unstacked(builder, (found,), result)
        return factor if upper else adjoint(builder, factor).with_memory()
    *planes, definite = call_kernel("Cholesky in lanes", *matrices(adjoint(builder, a) if upper else a, result.dtype, stack))
    demand(tuple(planes), definite, stack, "Matrix is not positive definite")
    factor = unstacked(builder, tuple(planes), result)
    return adjoint(builder, factor).with_memory() if upper else factor


def _inverted(ops: Ops, triangle: Expression) -> Expression:
    """Invert lower triangles, or leave that to the host where it is not accurate."""
    from ...ops import scipy_linalg as _  # noqa: F401  # which makes triangular systems known

    one = ops("eye", triangle.shape[-1], None, 0, FLOAT32)
    return ops("scipy.linalg.solve_triangular", triangle, one, 0, True, False, False, False)


def is_large(a: Value, dtype: DType) -> bool:
    """Tell whether matrices are factored block by block, since they do not lie in SBUF whole."""
    return dtype == FLOAT32 and MOST_ROWS_IN_SBUF < a.shape[-1] <= MOST_ROWS_OF_BLOCKS


class Blocks:
    """
    A large matrix eliminated by blocks, with pivots within blocks: ``x2 = inv(S) (b2 - A21 inv(A11) b1)``, ``S = A22 - A21 inv(A11) A12``.

    Attributes
    ----------
    flags : list of Node
        Of each block, 0 if it is singular.
    """

    def __init__(self, ops: Ops, a: Expression) -> None:
        self.ops, self.matrix, self.cut = ops, a, min(MOST_ROWS_IN_SBUF, a.shape[-1])
        here, there = slice(0, self.cut), slice(self.cut, None)
        whole = Signature((*a.shape[:-2], self.cut, self.cut), FLOAT32)
        found = solved(ops.builder, a[..., here, here].value, None, whole)
        self.inverse = Expression(ops, unstacked(ops.builder, found.planes, whole))
        self.flags, self.rest = [found.regular], None
        if self.cut < a.shape[-1]:
            self.left, self.right = a[..., there, here], self.inverse @ a[..., here, there]
            self.rest = Blocks(ops, a[..., there, there] - self.left @ self.right)
            self.flags += self.rest.flags

    def solve(self, b: Expression) -> Expression:
        """Solve approximately."""
        first = self.inverse @ b[..., : self.cut, :]
        if self.rest is None:
            return first
        other = self.rest.solve(b[..., self.cut :, :] - self.left @ first)
        return self.ops("concatenate", [first - self.right @ other, other], -2)

    def corrected(self, b: Expression) -> Expression:
        """Solve as accurately as with pivoting, where no blocks are too ill-conditioned: correct a solution twice."""
        solution = self.solve(b)
        for _ in range(2):
            solution = solution + self.solve(b - self.matrix @ solution)
        return solution


def solved_in_blocks(ops: Ops, a: Expression, b: Expression) -> tuple[Expression, Node]:
    """Solve with a large matrix, correct the solution twice, and tell whether its backward error is that of pivoting."""
    matrix, sides = a.astype(FLOAT32), b.astype(FLOAT32)
    blocks = Blocks(ops, matrix)
    solution = blocks.corrected(sides)
    rest = abs(sides - matrix @ solution).max(-2)
    scale = abs(matrix).sum(-1).max(-1)[..., None] * abs(solution).max(-2) + abs(sides).max(-2)
    small = rest <= scale * (4 * a.shape[-1] * float(finfo(FLOAT32).eps))
    return solution, all_of(*blocks.flags, small)


def cholesky_of_blocks(
    ops: Ops, matrix: Expression, factored: Callable[[Expression], Expression], inverted: Callable[[Expression], Expression]
) -> Expression:
    """Factor the first rows and columns, then what they leave of the others: L21 = A21 inv(L11)*, L22 L22* = A22 - L21 L21*."""
    first = MOST_ROWS_IN_SBUF
    head, rest = matrix[..., :first, :first], matrix[..., first:, :first]
    factor = factored(head)
    below = rest @ inverted(factor).viewed(lambda shadow: np.swapaxes(shadow, -1, -2))
    left = matrix[..., first:, first:] - below @ below.viewed(lambda shadow: np.swapaxes(shadow, -1, -2))
    other = factored(left)
    upper = ops("concatenate", [factor, ops.zeros((*matrix.shape[:-2], first, matrix.shape[-1] - first), FLOAT32)], -1)
    return ops("concatenate", [upper, ops("concatenate", [below, other], -1)], -2)


def _tensorsolve(builder: Builder, result: Signature, a: Value, b: Value, axes: Any = None) -> Value:
    order = [*range(a.ndim)]
    for axis in axes or ():
        order.remove(axis)
        order.insert(a.ndim, axis)
    moved = call(builder, "reshape", a.view(np.transpose(a.shadow, order)), (b.size, b.size))
    found = call(builder, "linalg.solve", moved, call(builder, "reshape", b, (b.size,)))
    return call(builder, "reshape", found, result.shape)


def _tensorinv(builder: Builder, result: Signature, a: Value, ind: int = 2) -> Value:
    order = math.prod(a.shape[ind:])
    return call(builder, "reshape", call(builder, "linalg.inv", call(builder, "reshape", a, (order, order))), result.shape)


def adjoint(builder: Builder, value: Value) -> Value:
    """Transpose matrices, and conjugate them."""
    conjugate = call(builder, "conjugate", value) if value.dtype.kind == "c" else value
    return conjugate.view(np.swapaxes(conjugate.shadow, -1, -2))


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "linalg.solve": _solve,
    "linalg.inv": _inv,
    "linalg.det": _det,
    "linalg.slogdet": _slogdet,
    "linalg.cholesky": _cholesky,
    "linalg.tensorsolve": _tensorsolve,
    "linalg.tensorinv": _tensorinv,
}
