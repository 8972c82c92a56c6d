"""Hessenberg forms, by a loop of reflections, of one column a turn."""

from __future__ import annotations

from typing import Any, Final

from ...rules import Signature
from .composition import Expression, Ops, expressed
from .factor_loops import numbers, reflection

__all__ = ["FUNCTIONS"]


def _hessenberg(ops: Ops, results: Any, a: Expression, calc_q: bool = False) -> Any:
    """Reflect what is below the diagonal's neighbours to zero, as LAPACK's gehrd does."""
    dtype = (results if isinstance(results, Signature) else results[0]).dtype
    matrix, order = a.astype(dtype), a.shape[0]
    power = ops.exponents(abs(matrix).max((-2, -1)))
    row = numbers(ops, order)

    def turn(number: Expression, *both: Expression) -> list[Expression]:
        x = ops("where", row > number, ops("take", both[0], number, axis=1), 0.0)
        vector, factor, _ = reflection(ops, x, row, number + 1)
        across = vector.conj() * factor
        form, *basis = (one - (one @ vector)[:, None] * across for one in both)
        return [form - vector[:, None] * ((vector.conj() @ form) * factor.conj()), *basis]

    start = [ops.ldexp(matrix, -power), *[ops.unit(order, dtype)] * calc_q]
    form, *basis = ops.loop(turn, start, order - 2 + matrix.is_complex)  # the last element beside the diagonal becomes real, too
    found = ops.ldexp(ops("triu", form, -1), power)
    return (found, *basis) if basis else found


FUNCTIONS: Final = {"scipy.linalg.hessenberg": expressed(_hessenberg)}
"""Of all dtypes."""
