"""Rules of products of NumPy's main namespace, and of sums along diagonals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ..dtypes import DType
from ..promotion import NUMPY, PromotionTable
from ..shape import checked_axis
from .linalg import diagonal_length
from .reduction import sum_dtype
from .signature import Shape, Signature, broadcast_shapes, refused, signature_of

__all__ = ["cross", "dot", "einsum", "inner", "kron", "outer", "tensordot", "trace", "vdot"]

_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


def _two(promotion: PromotionTable, a: Any, b: Any) -> tuple[Shape, Shape, DType]:
    """Read two operands: their shapes and the dtype in which they meet."""
    (left, dtype), (right, other) = signature_of(promotion, a), signature_of(promotion, b)
    return left, right, promotion.result_type(dtype, other)


def _given(result: Signature, out: Any) -> Signature:
    """Check where a product is written to."""
    if out is not None and (tuple(out.shape) != result.shape or out.dtype != result.dtype):
        raise refused()
    return result


def dot(promotion: PromotionTable, a: Any, b: Any, out: Any = None) -> Signature:
    """Infer the sum of products over the last axis of `a` and the last but one of `b`."""
    left, right, dtype = _two(promotion, a, b)
    if not left or not right:
        return _given(Signature(left or right, dtype), out)
    if left[-1] != right[-2:][0]:
        raise ValueError(f"shapes {left} and {right} do not fit: dot sums over the last axis of the one and the last but one of the other")
    return _given(Signature(left[:-1] + right[:-2] + right[len(right) - 1 :] * (len(right) > 1), dtype), out)


def inner(promotion: PromotionTable, a: Any, b: Any, /) -> Signature:
    """Infer the sum of products over the last axes."""
    left, right, dtype = _two(promotion, a, b)
    if not left or not right:
        return Signature(left or right, dtype)
    if left[-1] != right[-1]:
        raise ValueError(f"shapes {left} and {right} do not fit: inner sums over the last axes, which have different lengths")
    return Signature(left[:-1] + right[:-1], dtype)


def outer(promotion: PromotionTable, a: Any, b: Any, out: Any = None) -> Signature:
    """Infer products of each element with each."""
    left, right, dtype = _two(promotion, a, b)
    if out is not None:
        raise refused()
    return Signature((Signature(left, dtype).size, Signature(right, dtype).size), dtype)


def vdot(promotion: PromotionTable, a: Any, b: Any, /) -> Signature:
    """Infer the scalar product of all elements."""
    left, right, dtype = _two(promotion, a, b)
    if Signature(left, dtype).size != Signature(right, dtype).size:
        raise ValueError(f"shapes {left} and {right} do not fit: vdot takes arrays of as many elements")
    return Signature((), dtype)


def kron(promotion: PromotionTable, a: Any, b: Any) -> Signature:
    """Infer the Kronecker product."""
    left, right, dtype = _two(promotion, a, b)
    ndim = max(len(left), len(right))
    sides = [(1,) * (ndim - len(shape)) + shape for shape in (left, right)]
    return Signature(tuple([one * other for one, other in zip(*sides, strict=True)]), dtype)


def cross(
    promotion: PromotionTable, a: Any, b: Any, axisa: Any = -1, axisb: Any = -1, axisc: Any = -1, axis: Any = None
) -> Signature:
    """Infer the vector product of vectors of three components."""
    left, right, dtype = _two(promotion, a, b)
    if axis is not None:
        axisa = axisb = axisc = axis
    rest = []
    for shape, given in ((left, axisa), (right, axisb)):
        place = checked_axis(given, len(shape))
        if shape[place] != 3:
            raise refused()
        rest.append(shape[:place] + shape[place + 1 :])
    stack = broadcast_shapes(*rest)
    if dtype.kind == "b":
        raise refused()
    place = checked_axis(axisc, len(stack) + 1)
    return Signature((*stack[:place], 3, *stack[place:]), dtype)


def tensordot(promotion: PromotionTable, a: Any, b: Any, axes: Any = 2) -> Signature:
    """Infer the sum of products over chosen axes."""
    left, right, dtype = _two(promotion, a, b)
    if isinstance(axes, int):
        if not 0 <= axes <= min(len(left), len(right)):
            raise refused()
        pairs: list[Any] = [range(len(left) - axes, len(left)), range(axes)]
    elif isinstance(axes, (tuple, list)) and len(axes) == 2:
        pairs = [one if isinstance(one, (tuple, list)) else (one,) for one in axes]
    else:
        raise refused()
    places = []
    for shape, given in zip((left, right), pairs, strict=True):
        if any(type(one) is not int or not -len(shape) <= one < len(shape) for one in given):
            raise refused()
        places.append([one % len(shape) for one in given])
    if any(len({*one}) < len(one) for one in places) or [left[one] for one in places[0]] != [right[one] for one in places[1]]:
        raise refused()
    kept = [length for place, length in enumerate(left) if place not in places[0]]
    return Signature((*kept, *[length for place, length in enumerate(right) if place not in places[1]]), dtype)


def einsum(
    promotion: PromotionTable,
    *operands: Any,
    out: Any = None,
    optimize: Any = False,
    dtype: DType | None = None,
    order: Any = "K",
    casting: Any = "safe",
) -> Signature:
    """Infer an Einstein summation that is written as a string."""
    if not isinstance(operands[0], str) or out is not None or order not in ("K", "C", "F", "A"):
        raise refused()
    subscripts, arrow, output = operands[0].replace(" ", "").replace("...", "…").partition("->")
    known = [signature_of(promotion, item) for item in operands[1:]]
    terms = subscripts.split(",")
    if len(terms) != len(known) or not all(map(_is_term, (*terms, output))):
        raise refused()
    lengths: dict[str, int] = {}
    stacks = [_read(term, shape, lengths) for term, (shape, _) in zip(terms, known, strict=True)]
    stack = broadcast_shapes(*stacks)
    labels = "".join(terms).replace("…", "")
    if not arrow:
        output = "…" * ("…" in subscripts) + "".join(sorted(label for label in {*labels} if labels.count(label) == 1))
    if len({*output}) < len(output) or not {*output} <= {*labels, "…"} or (stack and "…" not in output):
        raise refused()
    meet = promotion.result_type(*[one for _, one in known])
    if dtype is not None and not NUMPY.can_cast(meet, dtype, casting):
        raise refused()
    shape: Shape = ()
    for label in output:
        shape += stack if label == "…" else (lengths[label],)
    return Signature(shape, meet if dtype is None else dtype)


def _is_term(term: str) -> bool:
    return term.count("…") <= 1 and _LETTERS.issuperset(term.replace("…", ""))


def _read(term: str, shape: Shape, lengths: dict[str, int]) -> Shape:
    """Note the lengths of a term's labels, and give the axes that have none."""
    before, dots, after = term.partition("…")
    free = len(shape) - len(before) - len(after)
    if free < 0 or (free and not dots):
        raise refused()
    named: Sequence[tuple[str, int]] = [
        *zip(before, shape, strict=False),
        *zip(after, shape[len(shape) - len(after) :], strict=True),
    ]
    for label, length in named:
        if lengths.setdefault(label, length) != length:
            if 1 not in (length, lengths[label]):
                raise refused()
            lengths[label] = max(length, lengths[label])
    return shape[len(before) : len(before) + free]


def trace(
    promotion: PromotionTable, a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, dtype: DType | None = None, out: Any = None
) -> Signature:
    """Infer sums along diagonals."""
    shape, own = signature_of(promotion, a)
    if len(shape) < 2:
        raise refused()
    rows, columns = checked_axis(axis1, len(shape)), checked_axis(axis2, len(shape))
    if rows == columns:
        raise refused()
    diagonal_length(shape[rows], shape[columns], offset)
    kept = tuple([length for place, length in enumerate(shape) if place not in (rows, columns)])
    result = Signature(kept, sum_dtype(promotion, own) if dtype is None else dtype)
    if out is not None:
        raise refused()
    return result
