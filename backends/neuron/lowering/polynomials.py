"""Polynomials by their coefficients, the highest power first, and matrices of powers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from ...dtypes import COMPLEX64, FLOAT32, INT32, DType
from ..value import Value
from . import Lowerings, NotNativeError
from .concatenation import assemble
from .indexing.operands import on_host
from .indexing.take import mask_on_host
from .joining import flat
from .op_calls import call, converted, in_float32

if TYPE_CHECKING:
    from ..graph.builder import Builder

__all__: list[str] = []


def _coefficients(builder: Builder, p: Any, fewest: int = 0) -> Value:
    """Take a sequence of coefficients, or one where that is no sequence; what else NumPy makes of is left to it."""
    value = builder.array(p)
    if not fewest <= value.ndim <= 1:
        raise NotNativeError("coefficients are a sequence of numbers; what has other axes is looked at on the host")
    return flat(value)


def _from_first(builder: Builder, p: Value) -> Value:
    """Drop leading zeros; at least one coefficient is left. Where the first other one is, is found on the host."""
    return _from_first_where(p, mask_on_host(builder, p)) if p.size else call(builder, "zeros", (1,), p.dtype)


def _from_first_where(p: Value, mask: npt.NDArray[np.bool]) -> Value:
    found = np.flatnonzero(mask)
    return p.view(p.shadow[int(found[0]) if found.size else p.size - 1 :])


def _sum(name: str) -> Callable[..., Any]:
    @in_float32
    def run(builder: Builder, a1: Any, a2: Any) -> Any:
        one, other = _coefficients(builder, a1), _coefficients(builder, a2)
        length = max(one.size, other.size)
        padded = [
            assemble(builder, (length,), p.dtype, [((slice(length - p.size, length),), p.read())], 0) if p.size < length else p
            for p in (one, other)
        ]
        return call(builder, name, *padded)

    return run


@in_float32
def _product(builder: Builder, a1: Any, a2: Any) -> Any:
    factors = [_from_first(builder, _coefficients(builder, p)) for p in (a1, a2)]
    return call(builder, "convolve", *factors)


def _whole(builder: Builder, dtype: DType) -> DType:
    """Choose the dtype of products with Python's integers, which are no wider than the device's default ones."""
    default = builder.promotion.default_int
    return default if dtype.kind in "biu" and dtype.itemsize <= INT32.itemsize else builder.promotion.result_type(dtype, default)


@in_float32
def _derivative(builder: Builder, p: Any, m: int = 1) -> Any:
    value = _coefficients(builder, p, 1)
    if int(m) < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    if int(m) == 0:
        return value
    value = converted(builder, value, _whole(builder, value.dtype))
    for _ in range(int(m)):
        powers = np.arange(value.size - 1, 0, -1)
        count = converted(builder, builder.from_host(powers.astype(np.int32), copy=True), builder.promotion.default_int)
        value = call(builder, "multiply", value.view(value.shadow[:-1]), count)
    return builder.make(value.read(), value.dtype)


@in_float32
def _integral(builder: Builder, p: Any, m: int = 1, k: Any = None) -> Any:
    order = int(m)
    if order < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    if isinstance(k, Value):
        raise NotNativeError("constants of integration that are arrays are looked at on the host")
    constants = np.zeros(order) if k is None else np.atleast_1d(k)
    if constants.dtype.kind not in "biufc":
        raise NotNativeError("constants of integration that are no numbers are looked at on the host")
    if len(constants) == 1 and order > 1:
        constants = np.repeat(constants, order)
    if len(constants) < order:
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    value = _coefficients(builder, p, 1)
    if order == 0:
        return value
    value = converted(builder, value, builder.promotion.result_type(value.dtype, builder.promotion.default_float))
    for number in constants[:order]:
        powers = builder.from_host(np.arange(value.size, 0, -1).astype(np.float32), copy=True)
        last = call(builder, "full", (1,), number.item(), value.dtype)
        value = call(builder, "concatenate", [call(builder, "divide", value, powers), last], 0)
    return value


@in_float32
def _value(builder: Builder, p: Any, x: Any) -> Any:
    coefficients, at = _coefficients(builder, p, 1), builder.array(x)
    dtype = builder.promotion.result_type(coefficients.dtype, at.dtype)
    total = call(builder, "zeros", at.shape, dtype)
    for place in range(coefficients.size):
        one = coefficients.view(coefficients.shadow[place : place + 1].reshape(()))
        total = call(builder, "add", call(builder, "multiply", total, at), one)
    total = builder.make(total.read(), total.dtype)
    total.detached = at.detached
    return total


@in_float32
def _of_roots(builder: Builder, roots: Any) -> Any:
    value = builder.array(roots)
    if value.ndim == 0 or (value.ndim == 2 and value.shape[0] == value.shape[1] and value.size):
        raise NotNativeError("eigenvalues are computed on the host")
    if value.ndim > 1:
        raise ValueError("input must be 1d or non-empty square 2d array.")
    value = flat(value)
    dtype = builder.promotion.result_type(value.dtype, builder.promotion.default_float) if value.dtype.kind in "biu" else value.dtype
    value, result = converted(builder, value, dtype), call(builder, "ones", (1,), dtype)
    for place in range(value.size):
        root = value.view(value.shadow[place : place + 1])
        factor = call(builder, "concatenate", [call(builder, "ones", (1,), dtype), call(builder, "negative", root)], 0)
        result = call(builder, "convolve", result, factor)
    if not value.size:
        return 1.0  # as NumPy's
    return builder.make((result.read()[0],), FLOAT32) if value.dtype == COMPLEX64 and _in_pairs(builder, value) else result


def _in_pairs(builder: Builder, roots: Value) -> bool:
    """Find out whether roots are those of a real polynomial, on which the dtype of its coefficients depends."""
    both = (call(builder, "sort", item) for item in (roots, call(builder, "conjugate", roots)))
    return bool(on_host(builder, call(builder, "all", call(builder, "equal", *both), axis=None)))


@in_float32
def _quotient(builder: Builder, u: Any, v: Any) -> Any:
    """Divide as on paper, one coefficient of the quotient after the other."""
    numerator, denominator = _coefficients(builder, u), _coefficients(builder, v)
    dtype = builder.promotion.result_type(numerator.dtype, denominator.dtype, 0.0)
    rest = builder.make(converted(builder, numerator, dtype).read(), dtype).with_memory()
    denominator = converted(builder, denominator, dtype)
    steps = rest.size - denominator.size + 1
    scale = call(builder, "divide", 1.0, denominator.view(denominator.shadow[:1]))
    quotient = call(builder, "zeros", (max(steps, 1),), dtype)
    for place in range(max(steps, 0)):
        factor = call(builder, "multiply", scale, rest.view(rest.shadow[place : place + 1]))
        call(builder, "setitem", quotient, slice(place, place + 1), factor)
        under = rest.view(rest.shadow[place : place + denominator.size])
        call(builder, "setitem", under, Ellipsis, call(builder, "subtract", under, call(builder, "multiply", factor, denominator)))
    near = call(builder, "isclose", rest, 0, 1e-14)
    return quotient, _from_first_where(rest, ~mask_on_host(builder, near))


@in_float32
def _vander(builder: Builder, x: Any, N: int | None = None, increasing: bool = False) -> Any:
    value = builder.array(x)
    if value.ndim != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    count = value.size if N is None else N
    if count < 0:
        raise ValueError(f"a matrix has no {count} columns; negative dimensions are not allowed")
    dtype = _whole(builder, value.dtype)
    ones = call(builder, "ones", (value.size, 1), dtype)
    if count <= 1 or not value.size:
        return call(builder, "ones", (value.size, count), dtype)
    column = converted(builder, value, dtype)
    column = column.view(column.shadow.reshape(-1, 1))
    spread = column.view(np.broadcast_to(column.shadow, (value.size, count - 1)))
    result = call(builder, "concatenate", [ones, call(builder, "cumprod", spread, 1, dtype)], 1)
    return result if increasing else builder.make(result.view(result.shadow[:, ::-1]).read(), dtype)


LOWERINGS: Final[Lowerings] = {
    "polyadd": _sum("add"),
    "polysub": _sum("subtract"),
    "polymul": _product,
    "polyder": _derivative,
    "polyint": _integral,
    "polyval": _value,
    "polydiv": _quotient,
    "poly": _of_roots,
    "vander": _vander,
}
