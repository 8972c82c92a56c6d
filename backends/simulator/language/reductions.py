"""Reductions over the last axes of a tile, and normalisations made of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod as product
from typing import Any

from ..isa.reduction import tensor_reduce
from ..operators import OPERATORS
from ..tensor.nkitensor import NkiTensor
from .creation import ndarray
from .movement import broadcast_to
from .new_tiles import F32, applied, with_number, with_tile

__all__ = ["all", "max", "mean", "min", "prod", "rms_norm", "softmax", "sum", "var"]

Axis = int | Sequence[int]


def _kept(x: NkiTensor, axis: Axis) -> int:
    """Count the axes that stay."""
    return x.ndim - (1 if isinstance(axis, int) else len(axis))


def _count(x: NkiTensor, axis: Axis) -> int:
    return product(x.shape[_kept(x, axis) :])


def _reduce(x: NkiTensor, op: str, axis: Axis, dtype: Any, keepdims: bool) -> NkiTensor:
    kept = x.shape[: _kept(x, axis)]
    shape = (*kept, *[1] * (x.ndim - len(kept))) if keepdims else kept if len(kept) > 1 else (*kept, 1)
    result = ndarray(shape, dtype)
    tensor_reduce(result, OPERATORS[op], x, axis, keepdims=keepdims)
    return result


def _over(x: NkiTensor, y: NkiTensor) -> NkiTensor:
    """View a reduced tile in the shape of another."""
    for axis, size in enumerate(x.shape):
        y = y if y.shape[axis] == size else y.broadcast(axis, size)
    return y


def _with(x: NkiTensor, op: str, y: NkiTensor, dtype: Any = F32) -> NkiTensor:
    return with_tile(x, op, _over(x, y), dtype)


def sum(x: NkiTensor, axis: Axis, dtype: Any = None, keepdims: bool = False) -> NkiTensor:
    """Add elements, one after the other, in float32. See `nki.language.sum`."""
    return _reduce(x, "add", axis, dtype or x.dtype, keepdims)


def max(x: NkiTensor, axis: Axis, dtype: Any = None, keepdims: bool = False) -> NkiTensor:
    """Find the greatest elements. See `nki.language.max`."""
    return _reduce(x, "maximum", axis, dtype or x.dtype, keepdims)


def min(x: NkiTensor, axis: Axis, dtype: Any = None, keepdims: bool = False) -> NkiTensor:
    """Find the least elements. See `nki.language.min`."""
    return _reduce(x, "minimum", axis, dtype or x.dtype, keepdims)


def prod(x: NkiTensor, axis: Axis, dtype: Any = None, keepdims: bool = False) -> NkiTensor:
    """Multiply elements. See `nki.language.prod`."""
    return _reduce(x, "multiply", axis, dtype or x.dtype, keepdims)


def mean(x: NkiTensor, axis: Axis, dtype: Any = None, keepdims: bool = False) -> NkiTensor:
    """Average elements: a float32 sum times the reciprocal of their number. See `nki.language.mean`."""
    return with_number(_reduce(x, "add", axis, F32, keepdims), "multiply", 1 / _count(x, axis), dtype=dtype or x.dtype)


def var(x: NkiTensor, axis: Axis, dtype: Any = None, keepdims: bool = False) -> NkiTensor:
    """Average the squares of the deviations from the mean. See `nki.language.var`."""
    del keepdims
    deviation = _with(x, "subtract", mean(x, axis, F32, keepdims=True))
    return mean(_with(deviation, "multiply", deviation), axis, dtype or x.dtype, keepdims=True)


def all(x: NkiTensor, axis: Axis, dtype: Any = None) -> NkiTensor:
    """Tell whether no element is zero. See `nki.language.all`."""
    return _reduce(with_number(x, "not_equal", 0.0), "minimum", axis, dtype or x.dtype, keepdims=False)


def softmax(x: NkiTensor, axis: Axis = -1, dtype: Any = None) -> NkiTensor:
    """Take exponentials of the distances from the maximum, divided by their sum. See `nki.language.softmax`."""
    powers = applied("exp", _with(x, "subtract", max(x, axis, F32, keepdims=True)))
    total = with_number(sum(powers, axis, keepdims=True), "reciprocal", 0.0)
    return _with(powers, "multiply", total, dtype or x.dtype)


def rms_norm(
    x: NkiTensor, w: NkiTensor, axis: Axis, n: int, epsilon: float = 1e-06, dtype: Any = None, compute_dtype: Any = None
) -> NkiTensor:
    """Divide by the root of the mean square, and weigh. See `nki.language.rms_norm`."""
    between = compute_dtype or F32
    squares = sum(_with(x, "multiply", x, between), axis, F32, keepdims=True)
    factor = applied("rsqrt", with_number(squares, "multiply", 1 / n, "add", epsilon))
    weights = w if w.shape[0] == x.shape[0] else broadcast_to(w, (x.shape[0], *w.shape[1:]))
    return _with(_with(x, "multiply", factor, between), "multiply", weights, dtype or x.dtype)
