"""Slopes of sampled functions, and phases without jumps."""

from __future__ import annotations

import functools
from typing import Any, Final

import numpy as np

from . import Lowerings, NotNativeError
from .composition import Expression, Ops, compositions
from .concatenation import position

__all__: list[str] = []


def _gradient(ops: Ops, x: Expression, *steps: Any, axis: int | tuple[int, ...], edge_order: int) -> Any:
    x = ops.floats(x, wide=True)
    if isinstance(axis, int):
        return _along(ops, x, axis, steps[0], edge_order)
    return tuple([_along(ops, x, one, step, edge_order) for one, step in zip(axis, steps, strict=True)])


def _part(x: Expression, axis: int, low: int, high: int | None) -> Expression:
    """View some elements along an axis."""
    return x[position(axis, slice(low, high))]


def _along(ops: Ops, x: Expression, axis: int, step: Any, order: int) -> Expression:
    if isinstance(step, Expression) and step.ndim:
        return _uneven(ops, x, axis, ops("diff", ops.floats(step, wide=True)), order)  # differences of integers could wrap
    length, at = x.shape[axis], functools.partial(_part, x, axis)
    inner = (at(2, None) - at(0, length - 2)) / (step * 2.0)
    if order == 1:
        ends = at(1, 2) - at(0, 1), at(length - 1, None) - at(length - 2, length - 1)
    else:
        first, second, third = (at(place, place + 1) for place in range(3))
        last, before, earlier = (at(length - back, length - back + 1) for back in (1, 2, 3))
        ends = first * -1.5 + second * 2.0 + third * -0.5, earlier * 0.5 + before * -2.0 + last * 1.5
    return ops.concatenate([ends[0] / step, inner, ends[1] / step], axis)


def _uneven(ops: Ops, x: Expression, axis: int, distances: Expression, order: int) -> Expression:
    """Second-order differences between samples at uneven distances, as NumPy weighs them."""
    if ops.builder.promotion.result_type(x.dtype, distances.dtype) != x.dtype:
        raise NotNativeError("distances of wider dtypes are looked at on the host")
    length, at = x.shape[axis], functools.partial(_part, x, axis)
    between = functools.partial(_part, distances[(slice(None), *(None,) * (x.ndim - 1 - axis))], 0)
    one, two = between(0, length - 2), between(1, None)
    both = one + two
    weights = -two / (one * both), (two - one) / (one * two), one / (two * both)
    inner = weights[0] * at(0, length - 2) + weights[1] * at(1, length - 1) + weights[2] * at(2, length)
    if order == 1:
        first = (at(1, 2) - at(0, 1)) / between(0, 1)
        last = (at(length - 1, None) - at(length - 2, length - 1)) / between(length - 2, None)
        return ops.concatenate([first, inner, last], axis)
    ends = []
    for near, far, places in ((0, 1, (0, 1, 2)), (length - 2, length - 3, (length - 1, length - 2, length - 3))):
        one, two = between(near, near + 1), between(far, far + 1)
        both = one + two
        weights = -((one * 2.0 + two) / (one * both)), both / (one * two), -(one / (two * both))
        terms = [weight * at(place, place + 1) for weight, place in zip(weights, places, strict=True)]
        ends.append(terms[0] + terms[1] + terms[2])
    return ops.concatenate([ends[0], inner, -ends[1]], axis)


def _unwrap(ops: Ops, x: Expression, *, discont: Any, axis: int, period: Any) -> Expression:
    whole = x.dtype.kind in "biu" and isinstance(period, (int, np.integer))
    if whole and x.dtype.kind != "i":
        raise NotNativeError("whole periods of phases that have no sign are looked at on the host")
    steps = ops("diff", x, 1, axis)  # which wrap where phases are integers, as do their magnitudes: NumPy's do
    sizes = abs(steps)
    if not whole:
        x = ops.floats(x, wide=True)
    if x.shape[axis] < 2:  # there are no differences
        return x
    discont = period / 2 if discont is None else discont
    high, ambiguous = (period // 2, period % 2 == 0) if whole else (period / 2, True)
    low = -high
    steps = steps.astype(x.dtype)
    wrapped = ops("remainder", steps - low, period) + low
    if ambiguous:
        wrapped = ops("where", ops("logical_and", wrapped == low, steps > 0), high, wrapped)
    correction = ops("where", sizes < discont, 0, wrapped - steps)
    moved = _part(x, axis, 1, None) + ops("cumsum", correction, axis, x.dtype)
    return ops.concatenate([_part(x, axis, 0, 1), moved], axis)


LOWERINGS: Final[Lowerings] = compositions({"gradient": _gradient, "unwrap": _unwrap})
