"""Draws of integers: counts by thresholds, and integers below others."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ....counter_based import compound, products128
from ....counter_based.counts import thresholds
from ....counter_based.stream import Stream, check_parameters, takes_words
from ....dtypes import BOOL, FLOAT32, INT32, INT64, UINT32, UINT64, DType
from ....op import get_op
from ....rules import Signature
from ...graph.build import bits, elementwise, fill, scalar
from ...graph.graph import Node
from ...value import Value
from .. import Builder, Lowerings, NotNativeError
from ..op_calls import call, converted
from .compound import DeviceDraws, counted, demand, taken
from .draws import Shape, as_result, draw, stream_of

__all__ = ["LOWERINGS", "below", "search"]


def _counts(name: str) -> Callable[..., Any]:
    def run(builder: Builder, generator: Any, *parameters: Any, size: Shape) -> Any:
        stream = stream_of(builder, generator)
        op = get_op(f"random.{name}")
        assert op.rule is not None
        results = op.rule(builder.promotion, generator, *parameters, size=size)
        assert isinstance(results, Signature)
        found = None
        if not any(isinstance(item, Value) for item in parameters):
            check_parameters(name, *parameters)
            found = thresholds(name, *[np.asarray(item).item() for item in parameters])
        if not prod(size):
            taken(builder, name, parameters)
            return builder.zeros(size, results.dtype)
        if found is None:
            drawn = compound.COUNTS[name](DeviceDraws(builder, stream, size, wide=False), *taken(builder, name, parameters))
            return counted(builder, drawn.value, results.dtype)
        if not -(1 << 31) <= found.first < (1 << 31) - len(found.values):
            raise NotNativeError(f"{name} of these parameters has too large counts for a table of the device")
        (count,) = search(builder, stream, size, found.values).read()
        return as_result(builder, elementwise("add", count, scalar(found.first, INT32), dtype=INT32), results.dtype)

    return run


def search(builder: Builder, stream: Stream, shape: Shape, thresholds: npt.NDArray[np.uint32]) -> Value:
    """Count the thresholds that words are not below."""
    if not len(thresholds) or not prod(shape):
        return builder.make((fill(0, shape, INT32),), INT32)
    words = builder.make((draw(builder, stream, shape, "words"),), UINT32)
    return converted(builder, call(builder, "searchsorted", builder.from_host(thresholds, copy=True), words, side="right"), INT32)


def _integers(
    builder: Builder, generator: Any, begin: Any, end: Any, *, size: Shape, dtype: DType | None, endpoint: bool
) -> Any:
    stream = stream_of(builder, generator)
    op = get_op("random.integers")
    assert op.rule is not None
    results = op.rule(builder.promotion, generator, begin, end, size=size, dtype=dtype, endpoint=endpoint)
    assert isinstance(results, Signature)
    shape, wanted = results.shape, results.dtype
    if isinstance(begin, Value) or isinstance(end, Value):
        found = _between(builder, stream, shape, begin, end, wanted, endpoint)
        return builder.result(found.read(), wanted)
    check_parameters("integers", begin, end, dtype=wanted, endpoint=endpoint)
    begin = int(begin)
    count = int(end) - begin + endpoint
    if wanted.itemsize <= 4 and takes_words(stream.function, count):
        return as_result(builder, below(builder, stream, shape, begin, count), wanted)
    if takes_words(stream.function, count):
        drawn = converted(builder, builder.make((bits(below(builder, stream, shape, 0, count), UINT32),), UINT32), wanted)
    else:
        number = builder.from_host(np.asarray(count % (1 << 64), np.uint64), copy=True)
        drawn = converted(builder, _of_four_words(builder, stream, shape, number), INT64 if wanted.itemsize < 8 else wanted)
        wide = builder.from_host(np.asarray(begin, drawn.dtype), copy=True)
        return builder.result(converted(builder, call(builder, "add", drawn, wide), wanted).read(), wanted)
    found = call(builder, "add", drawn, builder.from_host(np.asarray(begin, wanted), copy=True)) if begin else drawn
    return builder.result(found.read(), wanted)


def _of_four_words(builder: Builder, stream: Stream, shape: Shape, count: Value) -> Value:
    """Draw integers below others by products with 128 bits."""
    draws = DeviceDraws(builder, stream, shape, wide=False)
    found: Value = products128.below(draws, [draws.words(number) for number in range(4)], draws.expression(count)).value
    return found


def _between(builder: Builder, stream: Stream, shape: Shape, begin: Any, end: Any, wanted: DType, endpoint: bool) -> Value:
    """Draw integers between bounds that are arrays."""
    info = np.iinfo(np.uint8 if wanted == BOOL else wanted)
    least, most = (0, 1) if wanted == BOOL else (int(info.min), int(info.max))
    if any(isinstance(item, Value) and item.dtype.kind not in "biu" for item in (begin, end)):
        raise NotNativeError("bounds that are no integers are taken on the host")
    dtype = UINT64 if wanted == UINT64 else INT64
    first, last = (
        converted(builder, item, dtype) if isinstance(item, Value) else builder.from_host(np.asarray(item, dtype), copy=True)
        for item in (begin, end)
    )
    demands = (
        (call(builder, "less_equal" if endpoint else "less", first, last), "low > high" if endpoint else "low >= high"),
        (call(builder, "greater_equal", first, least), f"low is out of bounds for {wanted}"),
        (call(builder, "less_equal", call(builder, "subtract", last, 0 if endpoint else 1), most), f"high is out of bounds for {wanted}"),
    )
    for good, message in demands:
        first = demand(builder, first, good, message)
    if not prod(shape):
        return builder.zeros(shape, wanted)
    count = call(builder, "add", call(builder, "subtract", last, first), int(endpoint))
    found = converted(builder, _of_four_words(builder, stream, shape, converted(builder, count, UINT64)), dtype)
    return converted(builder, call(builder, "add", found, first), wanted)


def below(builder: Builder, stream: Stream, shape: Shape, begin: int, count: int) -> Node:
    """Draw integers from one on, so many, as int32 or the bits of uint32."""
    if count == 1 << 32:
        words = draw(builder, stream, shape, "words")
        return bits(elementwise("add", words, fill(begin % (1 << 32), (), UINT32), dtype=UINT32), INT32)
    least = (1 << 32) % count
    floats = (count * 2.0**-32, (count & 0xFFFF) * 2.0**-16, least & 0xFFFF, least >> 16 << 16)
    others = [scalar(count, UINT32), scalar(count >> 16, UINT32), *(scalar(float(np.float32(number)), FLOAT32) for number in floats)]
    signed = (begin + (1 << 31)) % (1 << 32) - (1 << 31)
    return draw(builder, stream, shape, "below", *others, scalar(signed, INT32))


LOWERINGS: Final[Lowerings] = {
    "random.integers": _integers,
    **{
        f"random.{name}": _counts(name)
        for name in ("poisson", "binomial", "negative_binomial", "geometric", "hypergeometric", "logseries", "zipf")
    },
}
