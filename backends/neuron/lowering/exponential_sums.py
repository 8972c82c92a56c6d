"""Sums of exponentials and their logarithms, by which probabilities are normalised: shifted by the largest exponent, as SciPy's."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from . import Lowerings, NotNativeError
from .composition import Expression, Ops, compositions

__all__: list[str] = []

_INFINITE: Final = float("inf")


def _real(ops: Ops, item: Any) -> Expression:
    taken = ops.floats(item, wide=True)
    if taken.is_complex:
        raise NotNativeError("it has no kernel for complex numbers yet")
    return taken


def _softmax(ops: Ops, x: Any, *, axis: tuple[int, ...]) -> Expression:
    """Multiply by the reciprocal of the sum, one for each: a rounding more than quotients, for half of the time."""
    exponents, axes = _real(ops, x), axis
    powers = ops("exp", exponents - exponents.max(axes, keepdims=True))
    return powers * (1.0 / powers.sum(axes, keepdims=True))


def _log_softmax(ops: Ops, x: Any, *, axis: tuple[int, ...]) -> Expression:
    exponents, axes = _real(ops, x), axis
    largest = exponents.max(axes, keepdims=True)
    shifted = exponents - ops("where", ops("isfinite", largest), largest, 0.0)
    return shifted - ops("log", ops("exp", shifted).sum(axes, keepdims=True))


def _logsumexp(ops: Ops, a: Any, *, b: Any, axis: tuple[int, ...], keepdims: bool, return_sign: bool) -> Any:
    exponents, axes = _real(ops, a), axis
    weights = None if b is None else _real(ops, b)
    shape = (exponents.shape if weights is None else np.broadcast_shapes(exponents.shape, weights.shape)) or (1,)
    exponents = exponents.broadcast_to(shape)
    if weights is None:
        result, sign = _log_of_sum(ops, exponents, axes)
    else:
        result, sign = _log_of_weighted_sum(ops, exponents, weights.broadcast_to(shape), axes)
        if not return_sign:
            result = ops("where", sign < 0.0, np.nan, result)
    if not keepdims:
        kept = [length for place, length in enumerate(shape) if place not in axes]
        result, sign = result.reshape(*kept), sign.reshape(*kept)
    return (result, sign) if return_sign else result


def _log_of_sum(ops: Ops, a: Expression, axes: tuple[int, ...]) -> tuple[Expression, Expression]:
    """Take the terms of the largest exponent, m of them, out of the sum, so that what the others add is not rounded away."""
    largest = a.max(axes, keepdims=True)
    nothing = largest == -_INFINITE
    at_largest = a == largest
    m = at_largest.astype(a.dtype).sum(axes, keepdims=True)
    others = ops("where", at_largest, -_INFINITE, a) - ops("where", nothing, 0.0, largest)
    s = ops("exp", others).sum(axes, keepdims=True)
    result = ops("log1p", s / m) + ops("log", m) + largest
    return result, ops("where", nothing, 0.0, ops("sign", m + s))


def _log_of_weighted_sum(ops: Ops, a: Expression, weights: Expression, axes: tuple[int, ...]) -> tuple[Expression, Expression]:
    """Do so with weights, whose signs may cancel; where the result is not finite, the sum itself decides what it is."""
    direct = (weights * ops("exp", a)).sum(axes, keepdims=True)
    a = ops("where", weights == 0.0, -_INFINITE, a)  # which adds nothing, whatever the exponent
    largest = a.max(axes, keepdims=True)
    at_largest = a == largest
    m = (weights * at_largest.astype(a.dtype)).sum(axes, keepdims=True)
    s = (weights * ops("exp", ops("where", at_largest, -_INFINITE, a) - largest)).sum(axes, keepdims=True)
    ratio = ops("where", s == 0.0, s, s / m)
    sign = ops("sign", ratio + 1.0) * ops("sign", m)
    ratio = ops("where", ratio < -1.0, -2.0 - ratio, ratio)
    result = ops("log1p", ratio) + ops("log", abs(m)) + largest
    finite = ops("isfinite", result)
    return ops("where", finite, result, ops("log", abs(direct))), ops("where", finite, sign, ops("sign", direct))


LOWERINGS: Final[Lowerings] = compositions(
    {
        "special.softmax": _softmax,
        "special.log_softmax": _log_softmax,
        "special.logsumexp": _logsumexp,
    }
)
