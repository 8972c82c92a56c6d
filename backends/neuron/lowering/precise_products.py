"""Products of float32 matrices at the rungs of the ladder of precision."""

from __future__ import annotations

import numpy as np

from ...dtypes import BFLOAT16, BOOL, COMPLEX64, FLOAT32, DType
from ...precision import Precision
from ..graph.build import bits, cast, elementwise, fill
from ..graph.graph import Node
from ..value import Value
from . import Builder
from .concatenation import join
from .matrix_stacks import as_it_lies, multiply_matrices
from .operands import convert
from .wide_products import multiply_exactly

__all__ = ["multiply_by_rung"]

_WORD = np.dtype(np.uint32)


def multiply_by_rung(builder: Builder, left: Value, right: Value, dtype: DType, rung: Precision) -> tuple[Node, ...]:
    """Multiply (batches of) matrices with a result of float32 or complex64 at a rung that is not "float32"."""
    if rung in ("float32-exact", "float64"):
        return multiply_exactly(builder, left, right, dtype)
    if rung == "bfloat16":
        a, b = as_it_lies(left, dtype), as_it_lies(right, dtype)
        ours, theirs = ([cast(plane, BFLOAT16) for plane in item.planes] for item in (a, b))
        return multiply_matrices(tuple(ours), tuple(theirs), a.transposed, b.transposed, FLOAT32)
    if dtype == COMPLEX64:  # four products of three each cost more than float32
        a, b = as_it_lies(left, dtype), as_it_lies(right, dtype)
        return multiply_matrices(a.planes, b.planes, a.transposed, b.transposed)
    (high, finite, low), (other_high, other_finite, other_low) = _halves(left), _halves(right)
    row = join(builder, [(left.shape, (part,)) for part in (high, low, finite)], left.ndim - 1, BFLOAT16)
    column = join(builder, [(right.shape, (part,)) for part in (other_high, other_finite, other_low)], right.ndim - 2, BFLOAT16)
    return multiply_matrices(row.read(), column.read(), dtype=FLOAT32)


def _halves(value: Value) -> tuple[Node, Node, Node]:
    """
    Split float32 in bfloat16: the first eight bits by a mask, and what is left, rounded to eight.

    Between these, the first bits of finite numbers: infinities, of which nothing is left, meet none of the other operand's rests, which may
    be 0.
    """
    (plane,) = convert(value.read(), value.dtype, FLOAT32)
    first = bits(elementwise("bitwise_and", bits(plane, _WORD), fill(0xFFFF0000, (), _WORD), dtype=_WORD), FLOAT32)
    is_finite, zero = elementwise("isfinite", plane, dtype=BOOL), fill(0, (), FLOAT32)
    rest = elementwise("subtract", plane, first, dtype=FLOAT32)
    finite, rest = (elementwise("where", is_finite, part, zero, dtype=FLOAT32) for part in (first, rest))
    return cast(first, BFLOAT16), cast(finite, BFLOAT16), cast(rest, BFLOAT16)
