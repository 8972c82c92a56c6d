"""What draws are made of: the words of a stream, numbers that a kernel makes of them, and the parameters of a call."""

from __future__ import annotations

from math import prod
from typing import Any, TypeAlias

import numpy.typing as npt

from ....counter_based.functions import constants
from ....counter_based.quantiles import table
from ....counter_based.stream import Stream, lane
from ....dtypes import FLOAT32, INT32, UINT32, DType
from ...graph.build import call as kernel
from ...graph.build import elementwise, fill, scalar
from ...graph.graph import Node
from ...value import Value
from .. import Builder, NotNativeError
from ..op_calls import converted
from ..operands import convert

__all__ = [
    "Shape", "as_result", "draw", "kept_table", "parameter",
    "quantiles", "stream_of", "two_words", "word_op",
]

Shape: TypeAlias = tuple[int, ...]


def stream_of(builder: Builder, generator: Any) -> Stream:
    """Take what a kernel draws from."""
    if not isinstance(generator, Stream):
        raise NotNativeError("bit generators of NumPy draw on the host; Philox4x32 draws there and on devices")
    if not builder.draws():
        raise NotNativeError("the self-test of the device did not find the published words of random functions")
    if builder.graph.trace is not None:
        raise NotNativeError("a turn of a loop would draw the same as others")
    return generator


def _numbers(stream: Stream) -> list[Node]:
    return [scalar(word, UINT32) for word in constants(stream.function, stream.key, stream.counter)]


def draw(builder: Builder, stream: Stream, shape: Shape, distribution: str, *others: Node, table: tuple[Node, ...] = ()) -> Node:
    """Draw words, or numbers of a distribution that the kernel knows."""
    if not prod(shape):
        return fill(0, shape, {"below": INT32, "words": UINT32}.get(distribution, FLOAT32))
    (drawn,) = kernel("random", *table, *_numbers(stream), *others, function=stream.function.name, shape=shape, distribution=distribution)
    return drawn


def two_words(builder: Builder, stream: Stream, shape: Shape) -> tuple[Node, Node]:
    """Draw the first and the second words of elements."""
    return draw(builder, stream, shape, "words"), draw(builder, stream.of_lane(1), shape, "words")


def word_op(name: str, left: Node, right: Node | int) -> Node:
    """Compute with words."""
    return elementwise(name, left, fill(right, (), UINT32) if isinstance(right, int) else right, dtype=UINT32)


def quantiles(builder: Builder, stream: Stream, shape: Shape, name: str, *parameters: float) -> Node:
    """Draw by the table of a distribution, which the device keeps."""
    found = table(name, *parameters)
    if found is None:
        raise NotNativeError(f"no table is accurate for {name} of {', '.join(map(str, parameters))}")
    kept = kept_table(builder, ("quantiles", name, *parameters), found.rows)
    if not found.deep:
        return draw(builder, stream, shape, f"quantiles {found.sides}", table=kept.read())
    second = [scalar(word, UINT32) for word in constants(stream.function, stream.key, lane(stream.function, stream.counter, 1))]
    return draw(builder, stream, shape, f"quantiles {found.sides} deep", *second, table=kept.read())


def kept_table(builder: Builder, key: tuple[Any, ...], rows: npt.NDArray[Any]) -> Value:
    """Bring a table to the device, once."""
    kept = builder.constants.get(key)
    if kept is None:
        kept = builder.constants[key] = builder.from_host(rows.reshape(-1), copy=True)
    return kept


def as_result(builder: Builder, node: Node, dtype: DType) -> Value:
    """Give what was drawn in another dtype."""
    value: Value = builder.result(convert((node,), node.dtype, dtype), dtype)
    return value


def parameter(builder: Builder, item: Any, dtype: DType) -> Value | float:
    """Take a parameter: a number, or an array, rounded to the dtype of the draws."""
    if not isinstance(item, Value):
        return float(item)
    if item.dtype.kind == "c":
        raise NotNativeError("NumPy says what is wrong")
    return converted(builder, item, dtype)
