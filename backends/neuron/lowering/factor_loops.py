"""Factors by loops of one column a turn: QR with pivoting and of floats of 64 bits, and LU of complex matrices that lanes do not take."""

from __future__ import annotations

import math
from typing import NamedTuple

from ...dtypes import FLOAT32, INT32
from ..graph.build import iota
from .composition import Expression, Ops

__all__ = ["Reflections", "eliminations", "numbers", "reflection", "reflections"]


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
        row, turned = numbers(ops, rows), _transposed(self.packed) + 0.0
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


def numbers(ops: Ops, count: int) -> Expression:
    """Count from 0, in float32."""
    return Expression(ops, ops.builder.make((iota(count),), INT32)).astype(FLOAT32)


def _first_of_largest(ops: Ops, sizes: Expression, places: Expression, k: Expression) -> Expression:
    """Find the place of the largest size, of equal ones the first place, from a place on."""
    later = places >= k
    largest = ops("where", later, sizes, -1.0).max(0)
    return -(ops("where", ops("logical_and", later, sizes >= largest), -places, -1.0 * places.shape[0]).max(0))


def eliminations(ops: Ops, a: Expression) -> tuple[Expression, Expression, Expression]:
    """
    Factor a square matrix, P A = L U: both factors in one, the rows of P A in A, and 0 if a pivot is zero, in float32.

    Pivots are LAPACK's, by sums of the magnitudes of both parts. Rows stay where they are until the end.
    """
    order = a.shape[0]
    index = numbers(ops, order)

    def turn(number: Expression, matrix: Expression, places: Expression, least: Expression) -> list[Expression]:
        k, column = number.astype(FLOAT32), ops("take", matrix, number, axis=1)
        sizes = abs(column.real) + abs(column.imag) if a.is_complex else abs(column)
        first = _first_of_largest(ops, sizes, places, k)
        chosen = places == first
        later = ops("greater", places >= k, chosen)
        which = ops("argmax", chosen)
        pivot, size = ops("take", column, which), ops("take", sizes, which)
        inverse = 1.0 / ops("where", size > 0.0, pivot, 1.0)
        factors = ops("where", later, column * inverse, 0.0)
        across = ops("where", index > k, ops("take", matrix, which, axis=0), 0.0)
        here = ops("logical_and", later[:, None], (index == k)[None, :])
        changed = ops("where", here, factors[:, None], matrix - factors[:, None] * across)
        return [changed.astype(a.dtype), ops("where", chosen, k, ops("where", places == k, first, places)), ops("minimum", least, size)]

    both, places, least = ops.loop(turn, [a, index, ops("full", (), math.inf, a.real.dtype)], order)
    rows = ops("argsort", places)
    return ops("take", both, rows, axis=0), rows.astype(FLOAT32), ops("not_equal", least, 0.0).astype(FLOAT32)


def _squares(x: Expression) -> Expression:
    return x.real * x.real + x.imag * x.imag if x.is_complex else x * x


def reflection(
    ops: Ops, x: Expression, row: Expression, place: Expression, total: Expression | None = None
) -> tuple[Expression, Expression, Expression]:
    """
    Make the reflection that leaves of a vector, which is zero before a place, one element there: LAPACK's larfg.

    Gives its vector v, with 1 at the place, and factor f, which is 0 where nothing is to be done, of I - f v v*, and the element that its
    adjoint leaves. `total` is the sum of squares, if it is known.
    """
    total = _squares(x).sum(0) if total is None else total
    alpha, others = ops("take", x, place), ops("where", row > place, x, 0.0)
    beside = ops("any", ops("not_equal", others, 0.0))
    if x.is_complex:
        beside = ops("logical_or", beside, ops("not_equal", alpha.imag, 0.0))
    some, size = ops("logical_and", total > 0.0, beside), ops("sqrt", total)
    beta = ops("where", alpha.real < 0.0, size, -size)
    apart = alpha - beta
    inverses = ops("where", some, 1.0 / ops("where", some, ops("stack", [beta, _squares(apart)]), 1.0), 0.0)
    vector = ops("where", row == place, 1.0, others * (apart.conj() * inverses[1]))
    return vector, -(apart * inverses[0]), ops("where", some, beta, alpha)


def reflections(ops: Ops, a: Expression, *, pivoting: bool) -> Reflections:
    """
    Factor a matrix, A = Q R, with the columns in an order in which R's diagonal descends, if it is asked for.

    That chooses the longest column of what is left, of equal ones that which stands first, and changes its number with the one in its
    way: columns stay where they are until the end. Lengths are computed anew in each turn, so that they need no safeguard. Of the matrix a
    turn has the transpose, of which it reads a row.
    """
    rows, columns = a.shape
    power = ops.exponents(abs(a).max((-2, -1)))
    row, column, least = numbers(ops, rows), numbers(ops, columns), min(rows, columns)

    def turn(number: Expression, matrix: Expression, places: Expression, factors: Expression) -> list[Expression]:
        k = number.astype(FLOAT32)
        later, first, chosen = places >= k, k, places == k
        rest = ops("where", row >= k, matrix, 0.0)
        if pivoting:
            squares = _squares(rest).sum(1)
            first = _first_of_largest(ops, squares, places, k)
            chosen = places == first
        which = ops("argmax", chosen) if pivoting else number
        x = ops("take", rest, which, axis=0)
        vector, factor, image = reflection(ops, x, row, number, ops("take", squares, which) if pivoting else None)
        dots = (rest @ vector.conj()) * factor.conj()
        changed = matrix - ops("where", ops("greater", later, chosen), dots, 0.0)[:, None] * vector
        made = ops("where", row == number, image, ops("where", row > number, vector, matrix))
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
