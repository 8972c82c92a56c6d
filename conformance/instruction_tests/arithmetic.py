"""Reference arithmetic: operators in float64, each rounded to float32 where a setting of the knobs rounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...backends.simulator import Knobs
from .experiment import Near
from .formats import UNIT, flush, single

__all__ = ["BINARY", "COMPARISONS", "LOGICAL", "REDUCING", "apply", "apply_two", "estimated", "flushed", "reduced", "summed"]

Array = NDArray[Any]


def _truth(compare: Callable[..., Any]) -> Callable[..., Any]:
    return lambda a, b: compare(a, b).astype(np.float64)


COMPARISONS: Final = {
    "equal": _truth(np.equal),
    "not_equal": _truth(np.not_equal),
    "greater": _truth(np.greater),
    "greater_equal": _truth(np.greater_equal),
    "less": _truth(np.less),
    "less_equal": _truth(np.less_equal),
}
LOGICAL: Final = {
    "logical_and": lambda a, b: ((a != 0) & (b != 0)).astype(np.float64),
    "logical_or": lambda a, b: ((a != 0) | (b != 0)).astype(np.float64),
    "logical_xor": lambda a, b: ((a != 0) ^ (b != 0)).astype(np.float64),
}
# A sum, difference or product of two float32, in float64, rounds to float32 as the exact one does.
REDUCING: Final = {
    "add": lambda a, b: a + b,
    "multiply": lambda a, b: a * b,
    "maximum": lambda a, b: np.where(a > b, a, b),
    "minimum": lambda a, b: np.where(a < b, a, b),
}
BINARY: Final[dict[str, Callable[..., Any]]] = {**REDUCING, "subtract": lambda a, b: a - b, **COMPARISONS, **LOGICAL}
_UNARY: Final[dict[str, Callable[..., Any]]] = {
    "abs": np.abs,
    "square": lambda a: a * a,
    "relu": lambda a: np.where(a > 0, a, 0.0),
    "reciprocal": lambda a: 1 / a,
    "rsqrt": lambda a: 1 / np.sqrt(a),
}


def flushed(values: Array, knobs: Knobs, engine: str) -> Array:
    """Round operands or results to float32, denormals as an engine has them."""
    rounded = single(values)
    return flush(rounded) if getattr(knobs, f"denormals_{engine}") == "flush" else rounded


def apply(op: str | Callable[..., Any], left: Any, right: Any, knobs: Knobs, engine: str = "dve") -> Array:
    """Apply an operator."""
    left = flushed(left, knobs, engine)
    if isinstance(op, str) and op in _UNARY:
        return flushed(_UNARY[op](left), knobs, engine)
    return flushed((BINARY[op] if isinstance(op, str) else op)(left, flushed(right, knobs, engine)), knobs, engine)


def apply_two(ops: tuple[str, str], values: tuple[Any, Any, Any], reverse: tuple[bool, bool], knobs: Knobs, engine: str = "dve") -> Array:
    """Apply two operators, the second to the result of the first."""

    def one(op: str, left: Any, right: Any, swap: bool) -> Any:
        if op in _UNARY:
            return _UNARY[op](left)
        return BINARY[op](right, left) if swap else BINARY[op](left, right)

    fused = knobs.two_op == "fused" and ops[0] in ("add", "subtract", "multiply")
    wide = [flushed(value, knobs, engine).astype(np.longdouble if fused else np.float64) for value in values]
    between = one(ops[0], wide[0], wide[1], reverse[0])
    if not fused:
        between = flushed(between, knobs, engine)
    if fused and ops[1] in ("add", "subtract"):
        left, right = (wide[2], between) if reverse[1] else (between, wide[2])
        return flushed(_rounded_sum(left, np.negative(right) if ops[1] == "subtract" else right), knobs, engine)
    return flushed(one(ops[1], between, wide[2], reverse[1]), knobs, engine)


def _rounded_sum(left: Any, right: Any) -> Array:
    """Round the exact sum of a product of two float32 and a float32, whose extended-precision sum may lie on a tie by a rounding."""
    total = np.asarray(left + right)
    part = total - left
    error = (left - (total - part)) + (right - part)
    near = total.astype(np.float32).astype(np.longdouble)
    other = total + (total - near)
    tie = (other != near) & (other.astype(np.float32) == other) & (error != 0) & np.isfinite(near)
    return np.where(tie, np.where(error > 0, np.maximum(near, other), np.minimum(near, other)), near).astype(np.float64)


def estimated(exact: Array, bound: Any, knobs: Knobs, engine: str) -> Near:
    """Say how near a function of limited accuracy is."""
    bound = np.broadcast_to(bound, exact.shape)
    if getattr(knobs, f"denormals_{engine}") != "flush":
        return Near(exact, bound)
    must, may = np.abs(exact) + bound < 2.0**-126, np.abs(exact) - bound < 2.0**-126
    return Near(np.where(must, 0.0, exact), np.where(must, 0.0, np.where(may, bound + 2.0**-126, bound)))


def summed(values: Array, axis: int = -1, extra: int = 0) -> Near:
    """Sum float32 numbers in any order."""
    terms = values.shape[axis] - 1 + extra
    return Near(values.sum(axis=axis), terms * (UNIT * (1 + 2.0**-10) * np.abs(values).sum(axis=axis) + 2.0**-126 * bool(terms)))


def reduced(op: str, values: Array, knobs: Knobs) -> Near:
    """Reduce the last axis."""
    if knobs.denormals_dve == "flush":
        values = flush(values)
    if op == "add":
        return summed(values)
    if op == "subtract":
        exact = values[..., 0] - values[..., 1:].sum(axis=-1)
        return Near(exact, summed(values).bound)
    if op == "multiply":
        exact = np.prod(values.astype(np.longdouble), axis=-1).astype(np.float64)
        return Near(exact, (values.shape[-1] - 1) * (UNIT * (1 + 2.0**-10) * np.abs(exact) + 2.0**-126))
    if op in ("maximum", "minimum"):
        return Near((np.max if op == "maximum" else np.min)(values, axis=-1))
    total = values[..., 0] != 0
    for column in range(1, values.shape[-1]):
        total = LOGICAL[op](total, values[..., column] != 0) != 0
    return Near(total.astype(np.float64))
