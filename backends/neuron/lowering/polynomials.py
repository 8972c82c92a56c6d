"""Polynomials by their coefficients, the highest power first, and matrices of powers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ...dtypes import COMPLEX64, FLOAT32, INT32, DType
from ..value import Value
from . import Builder, Lowerings
from .concatenation import assemble
from .indexing.take import mask_on_host
from .joining import flat
from .op_calls import call, converted, in_float32

__all__: list[str] = []


def _from_first(builder: Builder, p: Value) -> Value:
    """Drop leading zeros; at least one coefficient is left. Where the first other one is, is found on the host."""
    return _from_first_where(p, mask_on_host(builder, p)) if p.size else call(builder, "zeros", (1,), p.dtype)


def _from_first_where(p: Value, mask: npt.NDArray[np.bool]) -> Value:
    found = np.flatnonzero(mask)
    return p.view(p.shadow[int(found[0]) if found.size else p.size - 1 :])


def _sum(name: str) -> Callable[..., Any]:
    @in_float32
    def run(builder: Builder, one: Value, other: Value) -> Any:
        one, other = flat(one), flat(other)
        length = max(one.size, other.size)
        padded = [
            assemble(builder, (length,), p.dtype, [((slice(length - p.size, length),), p.read())], 0) if p.size < length else p
            for p in (one, other)
        ]
        return call(builder, name, *padded)

    return run


@in_float32
def _product(builder: Builder, one: Value, other: Value) -> Any:
    return call(builder, "convolve", *(_from_first(builder, flat(p)) for p in (one, other)))


def _whole(builder: Builder, dtype: DType) -> DType:
    """Choose the dtype of products with Python's integers, which are no wider than the device's default ones."""
    default = builder.promotion.default_int
    return default if dtype.kind in "biu" and dtype.itemsize <= INT32.itemsize else builder.promotion.result_type(dtype, default)


@in_float32
def _derivative(builder: Builder, value: Value, order: int) -> Value:
    if order == 0:
        return value
    value = converted(builder, value, _whole(builder, value.dtype))
    for _ in range(order):
        powers = np.arange(value.size - 1, 0, -1)
        count = converted(builder, builder.from_host(powers.astype(np.int32), copy=True), builder.promotion.default_int)
        value = call(builder, "multiply", value.view(value.shadow[:-1]), count)
    return builder.make(value.read(), value.dtype)


@in_float32
def _integral(builder: Builder, value: Value, order: int, constants: npt.NDArray[Any]) -> Value:
    if order == 0:
        return value
    value = converted(builder, value, builder.promotion.result_type(value.dtype, builder.promotion.default_float))
    for number in constants:
        powers = builder.from_host(np.arange(value.size, 0, -1).astype(np.float32), copy=True)
        last = call(builder, "full", (1,), number.item(), value.dtype)
        value = call(builder, "concatenate", [call(builder, "divide", value, powers), last], 0)
    return value


@in_float32
def _value(builder: Builder, coefficients: Value, at: Value) -> Value:
    dtype = builder.promotion.result_type(coefficients.dtype, at.dtype)
    total = call(builder, "zeros", at.shape, dtype)
    for place in range(coefficients.size):
        one = coefficients.view(coefficients.shadow[place : place + 1].reshape(()))
        total = call(builder, "add", call(builder, "multiply", total, at), one)
    return builder.like(at, total.read(), total.dtype)


@in_float32
def _of_roots(builder: Builder, value: Value) -> Any:
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
    return bool(builder.on_host(call(builder, "all", call(builder, "equal", *both), axis=None)))


@in_float32
def _quotient(builder: Builder, numerator: Value, denominator: Value) -> Any:
    """Divide as on paper, one coefficient of the quotient after the other."""
    numerator, denominator = flat(numerator), flat(denominator)
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
def _vander(builder: Builder, value: Value, count: int, *, increasing: bool) -> Any:
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
