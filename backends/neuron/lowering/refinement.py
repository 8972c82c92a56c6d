"""
float64 answers from float32 factorizations: solutions, inverses, triangular factors and determinants of matrices of any condition number.

The inverse of a matrix rounded to float32 leaves a product with the matrix whose condition number is smaller by about 2**24, and whose
inverse, again of float32, makes up for it (S. M. Rump, "Inversion of extremely ill-conditioned matrices in floating-point", Japan Journal
of Industrial and Applied Mathematics 26, 2009). Products and residuals are those of float64. Every result has a test, on the device, of
what was reached.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from ...dtypes import FLOAT32, FLOAT64
from ...rules import Signature
from ..graph.build import call as call_kernel
from ..graph.build import cast, elementwise, fill, iota, reshape
from ..graph.graph import Node
from . import NotNativeError
from .complex_triangles import interleaved, of_interleaved
from .composition import Expression, Ops
from .factor_loops import eliminations
from .linear_equations import (
    MOST_ROWS_IN_LANES,
    MOST_ROWS_OF_BLOCKS,
    Blocks,
    Panels,
    cholesky_of_blocks,
    is_large,
    one_by_one,
    permutation_signs,
    solved,
)
from .matrices import all_of, matrices
from .op_calls import call_several

__all__ = [
    "Refined", "cholesky", "determinant", "equations", "exchanged", "inf_norm", "inverse", "inverted", "transposed", "triangle_inverted",
    "triangular", "within",
]  # fmt: skip

_MOST_MATRICES: Final = 64
"""Of a stack, each of which is several products of its own."""
MOST_ROWS: Final = 1024
"""Of matrices that the float32 kernels factor."""
_MOST_FACTORED: Final = 16  # of them with exchanges of rows, one by one
_U: Final = 2.0**-53
_BLOCK: Final = 16  # rows of diagonal blocks
_SMALL: Final = 2e-3  # whose fifth power is below rounding
_LARGEST: Final = 1e15
"""Condition numbers, of matrices with scaled rows, up to which results are the device's."""
_SINGULAR: Final = 1e30  # beyond all that is told
_STAGES: Final = 3  # of the approximate inverse: each takes 2**24 from the condition number, at most
_STEPS: Final = 3  # of refinement
_STEPS_OF_BLOCKS: Final = 8
_NEWTON_STEPS: Final = (2, 3)  # of inverses, and of those by blocks
_CONVERGED: Final = 1e-3  # of a solution, that the last step may change


class Refined(NamedTuple):
    """
    What was computed, and whether it is as accurate as LAPACK's.

    Attributes
    ----------
    result : Expression
        In float64.
    holds : Node
        Of one element: 0 where it is not.
    condition : Node or None
        Condition numbers in the 1-norm, in float32.
    """

    result: Expression
    holds: Node
    condition: Node | None = None


def transposed(x: Expression) -> Expression:
    """View matrices with rows and columns exchanged."""
    return x.viewed(lambda shadow: np.swapaxes(shadow, -1, -2))


def within(rest: Expression, scale: Expression | float, factor: float) -> Expression:
    """Tell where what is left is at most a factor of a scale; not where it is NaN."""
    return rest <= scale * factor


def _largest(x: Expression, axis: int | tuple[int, ...], *, keepdims: bool = False) -> Expression:
    return abs(x).max(axis, keepdims=keepdims)


def inf_norm(x: Expression) -> Expression:
    """Compute the largest sum of magnitudes of a row."""
    return abs(x).sum(-1).max(-1)


class _Preconditioner:
    """
    An approximate inverse of a matrix whose rows and columns are scaled by powers of two: the product of three, of float32.

    Each is the inverse of the matrix times those before, which leaves less and less of its condition number. They stand on the right, so
    that ``I - A M``, by which a step multiplies residuals, is small: on the left it would be ``I - M A``. From 1025 rows on one float32
    elimination by blocks is in their place.

    Attributes
    ----------
    a : Expression
        The scaled matrix.
    factors : list of Expression
        Of the inverse, from the left.
    rows, columns : Expression
        Exponents of the scales of rows, a column, and of columns, a row.
    """

    def __init__(self, ops: Ops, a: Expression) -> None:
        order = a.shape[-1]
        if order > MOST_ROWS_OF_BLOCKS or math.prod(a.shape[:-2]) > _MOST_MATRICES:
            raise NotNativeError(f"float64 matrices of over {MOST_ROWS_OF_BLOCKS} rows, or many of over 32, are factored on the host")
        self.ops = ops
        self.rows = -self._exponents(a, -1)
        scaled = self.scaled(a)
        self.columns = -self._exponents(scaled, -2)
        self.a = product = ops("ldexp", scaled, self.columns)
        self.factors, flags = list[Expression](), list[Node]()
        self.blocks = Blocks(ops, product.astype(FLOAT32)) if order > MOST_ROWS else None
        if self.blocks is not None:
            self.holds = all_of(*self.blocks.flags)
            return
        for stage in range(_STAGES):
            if stage:
                product = product @ self.factors[-1].astype(FLOAT64)
            found, regular = inverted(ops, product)
            self.factors.append(found)
            flags.append(regular)
        self.narrow = self.factors[0] @ (self.factors[1] @ self.factors[2])
        self.holds = all_of(*flags, inf_norm(self.a.astype(FLOAT32)) * inf_norm(self.narrow) <= _LARGEST)

    def _exponents(self, a: Expression, axis: int) -> Expression:
        return Expression(self.ops, call_several(self.ops.builder, "frexp", _largest(a, axis, keepdims=True).value)[1])

    def scaled(self, b: Expression) -> Expression:
        """Scale rows."""
        return self.ops("ldexp", b, self.rows)

    def unscaled(self, x: Expression) -> Expression:
        """Make solutions of those for the scaled columns."""
        return self.ops("ldexp", x, transposed(self.columns))

    def condition(self, a: Expression) -> Node:
        """Estimate the condition numbers in the 1-norm of the matrix as it was, where results are the device's; 0 elsewhere."""
        narrow = self.narrow if self.blocks is None else self.blocks.corrected(self.ops.unit(a.shape[-1]))
        inverse = self.unscaled(self.ops("ldexp", narrow.astype(FLOAT64), transposed(self.rows)))
        product = abs(a).sum(-2).max(-1) * abs(inverse).sum(-2).max(-1)
        (flag,) = self.ops("where", product <= _SINGULAR, product, _SINGULAR).astype(FLOAT32).value.read()
        return elementwise("where", self.holds, flag, fill(0.0, (), FLOAT32), dtype=FLOAT32)

    def solve(self, rest: Expression) -> Expression:
        """Solve approximately."""
        if self.blocks is not None:
            power = self.ops.exponents(_largest(rest, -2, keepdims=True))
            found = self.blocks.corrected(self.ops.ldexp(rest, -power).astype(FLOAT32))
            return self.ops.ldexp(found.astype(FLOAT64), power)
        for factor in reversed(self.factors):
            rest = factor.astype(FLOAT64) @ rest
        return rest


def equations(ops: Ops, a: Expression, b: Expression, *, condition: bool = False) -> Refined:
    """Solve equations: backward errors of ``n u`` where the condition number is below about 1e12."""
    inverse = _Preconditioner(ops, a)
    sides = rest = inverse.scaled(b)
    solution = step = inverse.solve(rest)
    for _ in range(_STEPS if inverse.blocks is None else _STEPS_OF_BLOCKS):
        rest = sides - inverse.a @ solution
        step = inverse.solve(rest)
        solution = solution + step
    rest = sides - inverse.a @ solution
    sizes = _largest(solution, -2)
    scale = inf_norm(inverse.a)[..., None] * sizes + _largest(sides, -2)
    small = within(_largest(rest, -2), scale, (a.shape[-1] + 8) * _U)
    fine = all_of(inverse.holds, small, within(_largest(step, -2), sizes, _CONVERGED))
    return Refined(inverse.unscaled(solution), fine, inverse.condition(a) if condition else None)


def inverse(ops: Ops, a: Expression, *, condition: bool = False) -> Refined:
    """Invert: right residuals of ``n u`` times norms of matrix and inverse."""
    near = _Preconditioner(ops, a)
    one = ops.unit(a.shape[-1], FLOAT64)
    found = near.solve(one)
    for _ in range(_NEWTON_STEPS[near.blocks is not None]):
        found = found + found @ (one - near.a @ found)
    rest = inf_norm(one - near.a @ found)
    small = within(rest, inf_norm(near.a) * inf_norm(found), (a.shape[-1] + 8) * _U)
    fine = all_of(near.holds, small, rest <= 0.5)
    return Refined(near.unscaled(ops("ldexp", found, transposed(near.rows))), fine, near.condition(a) if condition else None)


def _definite(ops: Ops, a: Expression) -> tuple[Expression, Node]:
    """Factor by Cholesky in float32, of the lower triangle; flags are 0 for what is not definite."""
    stack, dtype = a.shape[:-2], a.narrow_dtype
    if a.is_complex and a.shape[-1] > MOST_ROWS_IN_LANES:
        factor, definite = _definite(ops, interleaved(ops, a.astype(dtype)))
        return of_interleaved(ops, factor), definite
    if is_large(a.value, dtype):
        flags = list[Node]()

        def factored(part: Expression) -> Expression:
            factor, definite = _definite(ops, part)
            flags.append(definite)
            return factor

        factor = cholesky_of_blocks(ops, a.astype(dtype), factored, lambda part: triangle_inverted(ops, part, lower=True)[0])
        return factor, all_of(*flags)
    planes = matrices(a.astype(dtype).value, dtype, stack)
    one = one_by_one(planes)  # those are of the upper triangle, which is made, too
    *found, definite = call_kernel("Cholesky" if one else "Cholesky in lanes", *planes)
    factor = Expression(ops, ops.builder.make(tuple([reshape(plane, a.shape) for plane in found]), dtype))
    return transposed(factor) if one else factor, definite


def inverted(ops: Ops, a: Expression) -> tuple[Expression, Node]:
    """Invert in float32."""
    found = solved(ops.builder, a.astype(a.narrow_dtype).value, None, Signature(a.shape, a.narrow_dtype))
    return Expression(ops, ops.builder.make(tuple([reshape(plane, a.shape) for plane in found.planes]), a.narrow_dtype)), found.regular


def triangle_inverted(ops: Ops, a: Expression, *, lower: bool) -> tuple[Expression, Node]:
    """Invert triangular matrices in float32; large real ones by the inverses of diagonal blocks."""
    order = a.shape[-1]
    if a.is_complex or a.ndim > 2 or order <= MOST_ROWS_IN_LANES:
        return inverted(ops, a)
    planes = [*matrices(a.astype(FLOAT32).value, FLOAT32, ()), *matrices(ops.unit(order).value, FLOAT32, ())]
    found, regular, _ = call_kernel("triangular solve", *planes, lower=lower, transposed=False, unit=False)
    return Expression(ops, ops.builder.make((reshape(found, a.shape),), FLOAT32)), regular


def cholesky(ops: Ops, a: Expression) -> Refined:
    """
    Factor Hermitian matrices, both of whose triangles are given: ``L (I + tril(inv(L) (A - L L*) inv(L)*))``, four times.

    Of the residual alone is float64 asked; where the diagonal is halved.
    """
    order, most = a.shape[-1], MOST_ROWS // 2 if a.is_complex else MOST_ROWS_OF_BLOCKS
    if order > most or math.prod(a.shape[:-2]) > _MOST_MATRICES:
        raise NotNativeError(f"{a.dtype} matrices of more than {most} rows, or many of more than 32, are factored on the host")
    # Rows and columns by powers of two, so that the diagonal is from 1 / 4 to 1.
    diagonal = a.viewed(lambda shadow: np.diagonal(shadow, axis1=-2, axis2=-1)).real
    _, exponents = call_several(ops.builder, "frexp", diagonal.value)
    half = ops("floor_divide", Expression(ops, exponents) + 1, 2)
    rows, columns = (-half)[..., :, None], (-half)[..., None, :]
    a = ops.ldexp(ops.ldexp(a, rows), columns)
    near, definite = _definite(ops, a)
    inverse, regular = triangle_inverted(ops, near, lower=True)
    inverse, factor = ops("tril", inverse), ops("tril", near.astype(a.dtype))
    mask = ops.kept(("halved triangle", order), lambda: np.tril(np.ones((order, order)), -1) + np.eye(order) / 2)
    for _ in range(4):
        rest = (a - factor @ factor.adjoint()).astype(near.dtype)
        turned = (inverse @ rest @ inverse.adjoint()) * mask
        factor = factor + ops("tril", factor.astype(near.dtype) @ turned).astype(a.dtype)
        if a.is_complex:  # rounding leaves imaginary parts on the diagonal, which residuals do not show but where they are left out
            factor = ops.complex(factor.real, ops("tril", factor.imag, -1))
    rest = _largest(a - factor @ factor.adjoint(), (-2, -1))
    small = within(rest, 1.0, (order + 8) * _U)
    return Refined(ops.ldexp(factor, -rows), all_of(definite, regular, small))


def exchanged(ops: Ops, a: Expression) -> tuple[Expression, Expression, Expression, Node, list[Node]]:
    """
    Factor in float32, P A = L U: give both factors in one, the rows of P A in A, P's sign, and whether no pivot is 0.

    Perhaps there are flags, 0 for inaccurate factors.
    """
    order, dtype = a.shape[-1], a.narrow_dtype
    if is_large(a.value, dtype):
        panels = Panels.of(ops, a.astype(dtype))
        (regular,) = panels.regular.value.read()
        return panels.both, panels.rows, permutation_signs(ops, panels.rows), regular, panels.flags
    if a.is_complex and order > MOST_ROWS_IN_LANES:
        both, rows, fine = eliminations(ops, a.astype(dtype))
        (regular,) = fine.value.read()
        return both, rows.astype(np.dtype(np.int32)), permutation_signs(ops, rows), regular, []
    planes = matrices(a.astype(dtype).value, dtype, ())
    if one_by_one(planes):
        *packed, places, regular = call_kernel("LU", *planes)
        rows = Expression(ops, ops.builder.make((reshape(places, (order,)),), FLOAT32))
        sign = permutation_signs(ops, rows)
    else:
        *packed, numbers, signs, regular = call_kernel("LU in lanes", *planes)
        (moved,) = call_kernel("exchange rows in lanes", numbers, reshape(cast(iota(order), FLOAT32), (1, order, 1)), back=False)
        rows = Expression(ops, ops.builder.make((reshape(moved, (order,)),), FLOAT32))
        sign = Expression(ops, ops.builder.make((reshape(signs, ()),), FLOAT32))
    both = Expression(ops, ops.builder.make(tuple([reshape(plane, a.shape) for plane in packed]), dtype))
    return both, rows.astype(np.dtype(np.int32)), sign, regular, []


def _factored(ops: Ops, a: Expression) -> tuple[Expression, Expression, Expression, Node]:
    """Factor in float32, P A = L U: give the diagonal of U, the sign of P, ``inv(L) P A inv(U)``, and whether no pivot is 0."""
    order = a.shape[-1]
    both, rows, sign, regular, flags = exchanged(ops, a)
    one = ops.kept(("narrow unit", order), lambda: np.eye(order))
    product = ops("take", a, rows, axis=0)
    flags = [regular, *flags]
    for cut, triangle in (("tril", ops("tril", both, -1) + one), ("triu", ops("triu", both))):
        found, fine = triangle_inverted(ops, triangle, lower=cut == "tril")
        flags.append(fine)
        near = ops(cut, found).astype(a.dtype)
        wide = triangle.astype(a.dtype)
        for _ in range(2):
            near = near + near @ (ops.unit(order, FLOAT64) - wide @ near)
        product = near @ product if cut == "tril" else product @ near
    diagonal = ops("triu", both).viewed(np.diagonal).astype(a.dtype)
    return diagonal, sign.astype(FLOAT64), product, all_of(*flags)


def determinant(ops: Ops, a: Expression) -> tuple[Expression, Expression, Refined]:
    """
    Factor in float32, and again what that leaves: give the diagonals, the signs, and the logarithm of the determinant of what is left then.

    That of I + F is the trace of ``F - F F / 2 + ...``, where F is small.
    """
    order = a.shape[-1]
    most = MOST_ROWS // 2 if a.is_complex else MOST_ROWS_OF_BLOCKS
    count = math.prod(a.shape[:-2])
    if order > most or count > _MOST_FACTORED:
        raise NotNativeError(f"determinants of many {a.dtype} matrices that lanes do not take, or of more than {most} rows, are the host's")
    if a.ndim > 2:
        whole = a.reshape(count, order, order)
        parts = [determinant(ops, whole[place]) for place in range(count)]
        diagonals, signs = (ops("stack", [part[place] for part in parts]) for place in range(2))
        logarithms = ops("stack", [part[2].result for part in parts]).reshape(*a.shape[:-2])
        holds = all_of(*[part[2].holds for part in parts])
        return diagonals.reshape(*a.shape[:-1]), signs.reshape(*a.shape[:-2]), Refined(logarithms, holds)
    diagonal, sign, left, regular = _factored(ops, a)
    more, also, left, again = _factored(ops, left)
    rest = left - ops.unit(order, FLOAT64)
    square = rest @ rest

    def trace(x: Expression, y: Expression) -> Expression:
        return (x * transposed(y)).sum((-2, -1))

    logarithm = rest.viewed(np.diagonal).sum(-1) - trace(rest, rest) * 0.5 + trace(square, rest) * (1 / 3) - trace(square, square) * 0.25
    return diagonal * more, sign * also, Refined(logarithm, all_of(regular, again, inf_norm(rest) <= _SMALL))


def triangular(ops: Ops, a: Expression, b: Expression, *, lower: bool) -> Refined:
    """
    Solve with a triangular matrix, block by block of rows, by the inverses of diagonal blocks, which lanes compute in float64.

    The residual of each block is rounded as a sum of all its terms.
    """
    order, block = a.shape[-1], _BLOCK
    if a.is_complex:
        return _of_complex(ops, a, b)
    if a.ndim > 2 or order > MOST_ROWS_OF_BLOCKS:
        raise NotNativeError(f"float64 triangles of more than {MOST_ROWS_OF_BLOCKS} rows, or stacks of more than 32, are the host's")
    if order > MOST_ROWS:
        return _in_halves(ops, a, b, lower=lower)
    count = -(-order // block)
    whole, more = count * block, count * block - order
    if more:
        rest = np.arange(whole) >= order
        padding = ops.kept(("padding", order, whole), lambda: np.diag(rest.astype(float)), FLOAT64)
        a = ops("pad", a, [(0, more), (0, more)]) + padding
        b = ops("pad", b, [(0, more), (0, 0)])
    blocks = a.viewed(
        lambda shadow: np.lib.stride_tricks.as_strided(
            shadow, (count, block, block), (block * sum(shadow.strides), *shadow.strides)
        )
    )  # fmt: skip
    planes = matrices(blocks.value, FLOAT64, (count,))
    units = matrices(ops.unit(block, FLOAT64).value, FLOAT64, (count,))
    *found, regular = call_kernel("triangular solve of float64 in lanes", *planes, *units, lower=lower)
    inverses = Expression(ops, ops.builder.make(tuple(found), FLOAT64))
    parts: dict[int, Expression] = {}
    for place in range(count) if lower else reversed(range(count)):
        rows = slice(place * block, (place + 1) * block)
        rest_of = b[rows]
        if parts:
            known = ops.concatenate([parts[key] for key in sorted(parts)], 0)
            columns = slice(0, place * block) if lower else slice((place + 1) * block, whole)
            rest_of = rest_of - a[rows, columns] @ known
        parts[place] = inverses[place] @ rest_of
    solution = ops.concatenate([parts[key] for key in sorted(parts)], 0)
    left = _largest(b - a @ solution, 0)
    scale = inf_norm(a) * _largest(solution, 0) + _largest(b, 0)
    return Refined(solution[:order], all_of(regular, within(left, scale, (order + 8) * _U)))


def _in_halves(ops: Ops, a: Expression, b: Expression, *, lower: bool) -> Refined:
    """Solve with a large triangular matrix: with one of its diagonal blocks, and with the other one for what that leaves."""
    half = -(-a.shape[-1] // 2 // _BLOCK) * _BLOCK
    upper, below = slice(half), slice(half, None)
    first, other = (upper, below) if lower else (below, upper)
    known = triangular(ops, a[first, first], b[first], lower=lower)
    rest = triangular(ops, a[other, other], b[other] - a[other, first] @ known.result, lower=lower)
    parts = [known.result, rest.result] if lower else [rest.result, known.result]
    return Refined(ops.concatenate(parts, 0), all_of(known.holds, rest.holds))


def _of_complex(ops: Ops, a: Expression, b: Expression) -> Refined:
    """Solve with a triangular matrix of complex numbers by its inverse of complex64, and correct that four times."""
    near, regular = inverted(ops, a)
    inverse = near.astype(a.dtype)
    solution = inverse @ b
    for _ in range(_STEPS + 1):
        solution = solution + inverse @ (b - a @ solution)
    left, scale = _largest(b - a @ solution, -2), inf_norm(a)[..., None] * _largest(solution, -2) + _largest(b, -2)
    return Refined(solution, all_of(regular, within(left, scale, (a.shape[-1] + 8) * _U)))
