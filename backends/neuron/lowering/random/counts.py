"""Draws of integers: counts by thresholds, and integers below others."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ....counter_based import compound
from ....counter_based.counts import thresholds
from ....counter_based.stream import Stream, check_parameters
from ....dtypes import FLOAT32, INT32, INT64, UINT32, DType
from ....op import get_op
from ....rules import Signature
from ...graph.build import bits, elementwise, fill, scalar
from ...graph.graph import Node
from ...value import Value
from .. import Builder, Lowerings, NotNativeError
from ..op_calls import call, converted
from .compound import DeviceDraws, counted, taken
from .draws import Shape, as_result, draw, shape_of, stream_of

__all__ = ["LOWERINGS", "below", "search"]


def _counts(name: str) -> Callable[..., Any]:
    def run(builder: Builder, generator: Any, *parameters: Any, size: Shape | None = None) -> Any:
        stream = stream_of(builder, generator)
        op = get_op(f"random.{name}")
        assert op.rule is not None
        given = [builder.operand(item) for item in parameters]
        results = op.rule(builder.promotion, generator, *given, size=size)
        assert isinstance(results, Signature)
        found, shape = None, results.shape
        if not any(isinstance(item, Value) for item in given):
            check_parameters(name, *given)
            found = thresholds(name, *[np.asarray(item).item() for item in given])
        if not prod(shape):
            taken(builder, name, given)
            return builder.zeros(shape, results.dtype)
        if found is None:
            drawn = compound.COUNTS[name](DeviceDraws(builder, stream, shape, wide=False), *taken(builder, name, given))
            return counted(builder, drawn.value, results.dtype)
        if not -(1 << 31) <= found.first < (1 << 31) - len(found.values):
            raise NotNativeError(f"{name} of these parameters has too large counts for a table of the device")
        (count,) = search(builder, stream, shape, found.values).read()
        return as_result(builder, elementwise("add", count, scalar(found.first, INT32), dtype=INT32), results.dtype)

    return run


def search(builder: Builder, stream: Stream, shape: Shape, thresholds: npt.NDArray[np.uint32]) -> Value:
    """Count the thresholds that words are not below."""
    if not len(thresholds) or not prod(shape):
        return builder.make((fill(0, shape, INT32),), INT32)
    words = builder.make((draw(builder, stream, shape, "words"),), UINT32)
    return converted(builder, call(builder, "searchsorted", builder.from_host(thresholds, copy=True), words, side="right"), INT32)


def _integers(
    builder: Builder, generator: Any, low: Any, high: Any = None, *, size: Shape | None = None, dtype: DType | None = None,
    endpoint: Any = False,
) -> Any:  # fmt: skip
    stream = stream_of(builder, generator)
    if any(isinstance(item, (Value, list, tuple)) for item in (low, high)):
        raise NotNativeError("bounds that are arrays are taken on the host")
    wanted = dtype or builder.promotion.default_index
    if dtype is None and wanted == INT32 and any(not -(1 << 31) <= int(item) < 1 << 31 for item in (low, high) if item is not None):
        raise NotNativeError("integers of 64 bits are drawn on the host unless the dtype is given")
    if wanted.kind not in "biu":
        raise NotNativeError(f"integers of {wanted} are drawn on the host")
    check_parameters("integers", low, high, dtype=wanted, endpoint=endpoint)
    begin, end = (0, int(low)) if high is None else (int(low), int(high))
    count = end - begin + bool(endpoint)
    if wanted.itemsize <= 4:
        return as_result(builder, below(builder, stream, shape_of((), size), begin, count), wanted)
    drawn = converted(builder, builder.make((bits(below(builder, stream, shape_of((), size), 0, count), UINT32),), UINT32), wanted)
    found = call(builder, "add", drawn, builder.from_host(np.asarray(begin, wanted), copy=True)) if begin else drawn
    return builder.result(found.read(), wanted)


def below(builder: Builder, stream: Stream, shape: Shape, begin: int, count: int) -> Node:
    """Draw integers from one on, so many, as int32 or the bits of uint32."""
    if count == 1 << 32:
        words = draw(builder, stream, shape, "words")
        return bits(elementwise("add", words, fill(begin % (1 << 32), (), UINT32), dtype=UINT32), INT32)
    if count > 1 << 32 or stream.function.name != "Philox4x32":
        raise NotNativeError("integers of so many, or of another function than Philox4x32, are drawn on the host")
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
