"""QR factors by a loop of Householder reflections, one column a turn: with pivoting, and of floats of 64 bits."""

from __future__ import annotations

from typing import NamedTuple

from ...dtypes import FLOAT32, INT32
from ..graph.build import iota
from .composition import Expression, Ops

__all__ = ["Reflections", "reflections"]


class Reflections(NamedTuple):
    """
    Factors as LAPACK's geqp3 gives them.

    Attributes
    ----------
    packed : Expression
        R, and below its diagonal the vectors of the reflections.
    factors : Expression
        Of the reflections.
    order : Expression
        The columns of the matrix, of int32.
    """

    packed: Expression
    factors: Expression
    order: Expression

    def times(self, ops: Ops, c: Expression, *, adjoint: bool = False) -> Expression:
        """Multiply Q, or its adjoint, by a matrix of as many rows."""
        (rows, _), (least,) = self.packed.shape, self.factors.shape
        row, turned = _numbers(ops, rows), _transposed(self.packed) + 0.0
        # A turn reads a row of each, and so they are in the order of turns.
        vectors = ops("where", row[None, :] == row[:least, None], 1.0, ops("triu", turned[:least], 1)).astype(c.dtype)
        factors = self.factors.conj() if adjoint else self.factors

        def turn(number: Expression, product: Expression) -> list[Expression]:
            k = number if adjoint else (least - 1) - number
            vector, factor = ops("take", vectors, k, axis=0), ops("take", factors, k)
            return [product - vector[:, None] * ((vector.conj()[None, :] @ product) * factor)]

        return ops.loop(turn, [c], least)[0]


def _transposed(x: Expression) -> Expression:
    return x.moveaxis(0, 1)


def _numbers(ops: Ops, count: int) -> Expression:
    return Expression(ops, ops.builder.make((iota(count),), INT32)).astype(FLOAT32)


def _squares(x: Expression) -> Expression:
    return x.real * x.real + x.imag * x.imag if x.is_complex else x * x


def reflections(ops: Ops, a: Expression, *, pivoting: bool) -> Reflections:
    """
    Factor a matrix, A = Q R, with the columns in an order in which R's diagonal descends, if it is asked for.

    That chooses the longest column of what is left, of equal ones that which stands first, and changes its number with the one in its
    way: columns stay where they are until the end. Lengths are computed anew in each turn, so that they need no safeguard. Of the matrix a
    turn has the transpose, of which it reads a row.
    """
    rows, columns = a.shape
    power = ops.exponents(abs(a).max((-2, -1)))
    row, column, least = _numbers(ops, rows), _numbers(ops, columns), min(rows, columns)

    def turn(number: Expression, matrix: Expression, places: Expression, factors: Expression) -> list[Expression]:
        k, at, below = number.astype(FLOAT32), row == number, row > number
        later, first, chosen = places >= k, k, places == k
        rest = ops("where", row >= k, matrix, 0.0)
        if pivoting:
            squares = _squares(rest).sum(1)
            longest = ops("where", later, squares, -1.0).max(0)
            first = -(ops("where", ops("logical_and", later, squares >= longest), -places, -1.0 * columns).max(0))
            chosen = places == first
        which = ops("argmax", chosen) if pivoting else number
        x = ops("take", rest, which, axis=0)
        total = ops("take", squares, which) if pivoting else _squares(x).sum(0)
        alpha, others = ops("take", x, number), ops("where", below, x, 0.0)
        beside = ops("not_equal", others, 0.0)
        some = ops("logical_and", total > 0.0, ops("any", beside))
        if a.is_complex:
            some = ops("logical_and", total > 0.0, ops("logical_or", ops("any", beside), ops("not_equal", alpha.imag, 0.0)))
        size = ops("sqrt", total)
        beta = ops("where", alpha.real < 0.0, size, -size)
        apart = alpha - beta
        both = ops("where", some, ops("stack", [beta, _squares(apart)]), 1.0)
        inverses = ops("where", some, 1.0 / both, 0.0)
        factor = -(apart * inverses[0])
        vector = ops("where", at, 1.0, others * (apart.conj() * inverses[1]))
        dots = (rest @ vector.conj()) * factor.conj()
        changed = matrix - ops("where", ops("greater", later, chosen), dots, 0.0)[:, None] * vector
        made = ops("where", at, ops("where", some, beta, alpha), ops("where", below, vector, matrix))
        return [
            ops("where", chosen[:, None], made, changed).astype(a.dtype),
            ops("where", chosen, k, ops("where", places == k, first, places)) if pivoting else places,
            ops("where", column[:least] == k, factor, factors).astype(a.dtype),
        ]

    start = [_transposed(ops.ldexp(a, -power)) + 0.0, column, ops.zeros((least,), a.dtype)]
    turned, places, factors = ops.loop(turn, start, least)
    order = ops("argsort", places).astype(INT32)
    packed = _transposed(ops("take", turned, order, axis=0) if pivoting else turned)
    return Reflections(ops("tril", packed, -1) + ops.ldexp(ops("triu", packed), power), factors, order)
