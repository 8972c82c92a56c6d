"""Slopes of sampled functions, and phases without jumps."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..value import Value
from . import Builder, Lowerings, NotNativeError
from .concatenation import assemble, position
from .op_calls import as_floats, call, converted, in_float32

__all__: list[str] = []


@in_float32
def _gradient(builder: Builder, value: Value, *steps: Any, axis: int | tuple[int, ...], edge_order: int) -> Any:
    value = as_floats(builder, value)
    if isinstance(axis, int):
        return _along(builder, value, axis, steps[0], edge_order)
    return tuple([_along(builder, value, one, step, edge_order) for one, step in zip(axis, steps, strict=True)])


def _along(builder: Builder, value: Value, axis: int, step: Any, order: int) -> Value:
    length = value.shape[axis]
    if isinstance(step, Value) and step.ndim:
        return _uneven(builder, value, axis, call(builder, "diff", step), order)

    def at(low: int, high: int | None) -> Value:
        return value.view(value.shadow[position(axis, slice(low, high))])

    def over(numerator: Value, denominator: Any) -> Value:
        return call(builder, "divide", numerator, denominator)

    def combined(*terms: tuple[float, Value]) -> Value:
        total = None
        for factor, term in terms:
            part = call(builder, "multiply", term, factor) if factor != 1 else term
            total = part if total is None else call(builder, "add", total, part)
        assert total is not None
        return total

    double = call(builder, "multiply", step, 2.0) if isinstance(step, Value) else 2.0 * step
    inner = over(call(builder, "subtract", at(2, None), at(0, length - 2)), double)
    if order == 1:
        first = over(call(builder, "subtract", at(1, 2), at(0, 1)), step)
        last = over(call(builder, "subtract", at(length - 1, None), at(length - 2, length - 1)), step)
    else:
        first = over(combined((-1.5, at(0, 1)), (2.0, at(1, 2)), (-0.5, at(2, 3))), step)
        last = over(
            combined((0.5, at(length - 3, length - 2)), (-2.0, at(length - 2, length - 1)), (1.5, at(length - 1, None))),
            step,
        )
    return _put_together(builder, value, axis, first, inner, last)


def _put_together(builder: Builder, value: Value, axis: int, first: Value, inner: Value, last: Value) -> Value:
    length = value.shape[axis]
    pieces = [
        (position(axis, slice(0, 1)), first.read()),
        (position(axis, slice(1, length - 1)), inner.read()),
        (position(axis, slice(length - 1, length)), last.read()),
    ]
    return assemble(builder, value.shape, value.dtype, pieces)


def _uneven(builder: Builder, value: Value, axis: int, distances: Value, order: int) -> Value:
    """Second-order differences between samples at uneven distances, as NumPy weighs them."""
    length = value.shape[axis]
    name = builder.promotion.result_type(value.dtype, distances.dtype)
    if name != value.dtype:
        raise NotNativeError("distances of wider dtypes are looked at on the host")

    def at(low: int, high: int | None) -> Value:
        return value.view(value.shadow[position(axis, slice(low, high))])

    def between(low: int, high: int | None) -> Value:
        shape = [1] * value.ndim
        some = distances.view(distances.shadow[low:high])
        shape[axis] = some.size
        return some.view(some.shadow.reshape(shape))

    def do(op: str, *operands: Any) -> Value:
        return call(builder, op, *operands)

    one, two = between(0, length - 2), between(1, None)
    both = do("add", one, two)
    weights = (
        do("divide", do("negative", two), do("multiply", one, both)),
        do("divide", do("subtract", two, one), do("multiply", one, two)),
        do("divide", one, do("multiply", two, both)),
    )
    terms = [do("multiply", weight, at(place, length - 2 + place)) for place, weight in enumerate(weights)]
    inner = do("add", do("add", terms[0], terms[1]), terms[2])
    if order == 1:
        first = do("divide", do("subtract", at(1, 2), at(0, 1)), between(0, 1))
        last = do("divide", do("subtract", at(length - 1, None), at(length - 2, length - 1)), between(length - 2, None))
        return _put_together(builder, value, axis, first, inner, last)
    ends = []
    for near, far, places in ((0, 1, (0, 1, 2)), (length - 2, length - 3, (length - 1, length - 2, length - 3))):
        one, two = between(near, near + 1), between(far, far + 1)
        both = do("add", one, two)
        weights = (
            do("negative", do("divide", do("add", do("multiply", one, 2.0), two), do("multiply", one, both))),
            do("divide", both, do("multiply", one, two)),
            do("negative", do("divide", one, do("multiply", two, both))),
        )
        terms = [do("multiply", weight, at(place, place + 1)) for weight, place in zip(weights, places, strict=True)]
        total = do("add", do("add", terms[0], terms[1]), terms[2])
        ends.append(total if near == 0 else do("negative", total))
    return _put_together(builder, value, axis, ends[0], inner, ends[1])


@in_float32
def _unwrap(builder: Builder, value: Value, *, discont: Any, axis: int, period: Any) -> Any:
    whole = value.dtype.kind in "biu" and isinstance(period, (int, np.integer))
    if whole and value.dtype.kind != "i":
        raise NotNativeError("whole periods of phases that have no sign are looked at on the host")
    steps = call(builder, "diff", value, 1, axis)  # which wrap where phases are integers, as do their magnitudes: NumPy's do
    sizes = call(builder, "absolute", steps)
    if not whole:
        value = as_floats(builder, value)
    if value.shape[axis] < 2:  # there are no differences
        return builder.make(value.read(), value.dtype)
    discont = period / 2 if discont is None else discont
    high, ambiguous = (period // 2, period % 2 == 0) if whole else (period / 2, True)
    low = -high
    steps = converted(builder, steps, value.dtype)
    wrapped = call(builder, "add", call(builder, "remainder", call(builder, "subtract", steps, low), period), low)
    if ambiguous:
        at_end = call(builder, "logical_and", call(builder, "equal", wrapped, low), call(builder, "greater", steps, 0))
        wrapped = call(builder, "where", at_end, high, wrapped)
    correction = call(builder, "subtract", wrapped, steps)
    correction = call(builder, "where", call(builder, "less", sizes, discont), 0, correction)
    rest = value.view(value.shadow[position(axis, slice(1, None))])
    moved = call(builder, "add", rest, call(builder, "cumsum", correction, axis, value.dtype))
    first = value.view(value.shadow[position(axis, slice(0, 1))])
    pieces = [(position(axis, slice(0, 1)), first.read()), (position(axis, slice(1, None)), moved.read())]
    return assemble(builder, value.shape, value.dtype, pieces)


LOWERINGS: Final[Lowerings] = {"gradient": _gradient, "unwrap": _unwrap}
