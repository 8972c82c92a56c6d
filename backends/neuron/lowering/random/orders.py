"""Random orders: permutations, shuffles and choices."""

from __future__ import annotations

from math import prod
from typing import Any, Final

import numpy as np

from ....counter_based.counts import thresholds_of
from ....counter_based.orders import LEAST, bits_of
from ....counter_based.stream import Stream, check_parameters
from ....dtypes import BOOL, INT32, UINT8, UINT32
from ....rules import Signature
from ...graph.build import call as kernel
from ...graph.build import elementwise, fill, reshape, scalar
from ...graph.graph import Node
from ...graph.primitives import Read
from ...kernel import kernel as kernel_named
from ...layout import Layout, contiguous_strides
from ...value import Value
from .. import Builder, Lowerings, NotNativeError
from ..op_calls import call, converted
from ..operands import convert
from .counts import search
from .draws import Shape, draw, stream_of, two_words
from .float64_draws import wide_quantiles

__all__ = ["LOWERINGS"]


def order_of(builder: Builder, stream: Stream, count: int) -> Value:
    """Give a random order, as int32: that of words, or of a bijection of many elements."""
    if count < LEAST:
        words = builder.make((draw(builder, stream, (count,), "words"),), UINT32)
        order = call(builder, "argsort", words)
        return converted(builder, order, INT32)
    size = bits_of(count)
    if count > 1 << 30:
        raise NotNativeError("orders of more than 2**30 elements are made on the host")
    (all_of_them,) = kernel("random order", *[scalar(number, UINT32) for number in stream.order_keys()], count=1 << size)
    if count == 1 << size:
        return builder.make((all_of_them,), INT32)
    mask = elementwise("less", all_of_them, fill(count, (), INT32), dtype=BOOL)
    if not _takes(1 << size):
        raise NotNativeError("orders of so many elements, no power of two, are made on the host")
    (kept,) = kernel("compress", mask, all_of_them)
    return builder.make((Node(Read(Layout(0, (count,), (1,))), (kept,)),), INT32)


def _takes(count: int) -> bool:
    """Tell whether the device moves so many elements together."""
    return kernel_named("compress").takes(*[Signature((count,), dtype) for dtype in (UINT8, INT32)])


def _slices(builder: Builder, item: Any, order: Value, axis: int) -> Value:
    return call(builder, "take", item, order, axis=axis)


def _permutation(builder: Builder, generator: Any, x: Any, *, axis: int) -> Any:
    stream = stream_of(builder, generator)
    if isinstance(x, int):
        if x < 0:
            raise NotNativeError("NumPy says what is wrong")
        dtype = builder.promotion.default_index
        return builder.make(convert(order_of(builder, stream, x).read(), INT32, dtype), dtype) if x else builder.operand([])
    if not x.size:
        return x.with_memory()
    return _slices(builder, x, order_of(builder, stream, x.shape[axis]), axis)


def _shuffle(builder: Builder, generator: Any, x: Value, *, axis: int) -> None:
    x.check_writable()
    x.write(_permutation(builder, generator, x, axis=axis).read())


def _permuted(builder: Builder, generator: Any, value: Value, *, axis: int | None) -> Any:
    stream = stream_of(builder, generator)
    if not value.size:
        raise NotNativeError("what becomes of no elements is found out on the host")
    if axis is None:
        flat = builder.make(tuple(reshape(plane, (value.size,)) for plane in value.read()), value.dtype)
        taken = _slices(builder, flat, order_of(builder, stream, value.size), 0)
        return builder.make(tuple(reshape(plane, value.shape) for plane in taken.read()), value.dtype)
    keys = builder.make((draw(builder, stream, value.shape, "words"),), UINT32)
    return call(builder, "take_along_axis", value, call(builder, "argsort", keys, axis=axis), axis=axis)


def _choice(
    builder: Builder, generator: Any, a: Any, p: Any, *, size: Shape, replace: bool, axis: int, shuffle: bool
) -> Any:
    stream = stream_of(builder, generator)
    value, shape = None if isinstance(a, int) else a, size
    count = a if value is None else value.shape[axis]
    if value is None:
        check_parameters("choice", count, min(prod(shape), 1))
    if not replace and prod(shape) > count:
        raise ValueError("Cannot take a larger sample than population when replace is False")
    if count < 1:
        raise NotNativeError("NumPy says what is wrong")
    if p is not None and not replace:
        weights = np.asarray(builder.known(p), np.float64)
        check_parameters("choice", count, prod(shape), False, weights)
        times = wide_quantiles(builder, *two_words(builder, stream, (count,)), "exponential")
        keys = call(builder, "divide", times, builder.from_host(weights, copy=True))
        order = converted(builder, call(builder, "argsort", keys), INT32)
        index = builder.make((Node(Read(Layout(0, shape, contiguous_strides(shape))), order.read()),), INT32)
    elif p is not None:
        weights = np.asarray(builder.known(p), np.float64)
        check_parameters("choice", count, 0, True, weights)
        cumulative = np.cumsum(weights)
        index = search(builder, stream, shape, thresholds_of(cumulative[:-1] / cumulative[-1]).values)
    elif replace:
        index = converted(builder, call(builder, "random.integers", stream, count, size=shape), INT32)
    else:
        some = Node(Read(Layout(0, shape, contiguous_strides(shape))), order_of(builder, stream, count).read())
        index = builder.make((some,), INT32)
    if value is None:
        dtype = builder.promotion.default_index
        return builder.result(convert(index.read(), INT32, dtype), dtype)
    return _slices(builder, value, index, axis)


LOWERINGS: Final[Lowerings] = {
    "random.permutation": _permutation,
    "random.permuted": _permuted,
    "random.shuffle": _shuffle,
    "random.choice": _choice,
}
