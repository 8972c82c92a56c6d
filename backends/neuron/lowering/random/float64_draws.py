"""Numbers of float64, each of two words: multiples of 2**-53, and quantiles by tables of float64."""

from __future__ import annotations

from ....counter_based.float64_quantiles import DEGREE, FIRST_ROW, PIECE_BITS, wide_table
from ....counter_based.stream import Stream
from ....dtypes import BOOL, FLOAT32, FLOAT64, INT32, UINT32
from ...graph.build import bits, cast, elementwise, fill
from ...graph.graph import Node
from ...value import Value
from .. import Builder
from ..op_calls import call, converted
from .draws import Shape, kept_table, two_words, word_op

__all__ = ["wide_quantiles", "wide_uniform"]


def wide_uniform(builder: Builder, stream: Stream, shape: Shape) -> Value:
    """
    Draw multiples of 2**-53, each of two words.

    The 53 bits are 21 and 32. They are moved up until the first one is the 21st of the high ones: by 21 places where these are zero, at
    most twice, and then by as many as float32 has as the exponent of the high ones.
    """
    first, second = two_words(builder, stream, shape)
    op = word_op

    def choose(mask: Node, left: Node, right: Node) -> Node:
        return elementwise("where", mask, left, right, dtype=UINT32)

    zero = fill(0, (), UINT32)
    high = op("right_shift", first, 11)
    low = op("bitwise_or", op("left_shift", op("right_shift", first, 5), 26), op("right_shift", second, 6))
    exponent = fill(875, (), UINT32)  # of a first bit of the high ones, less that of float32
    for _ in range(2):
        none = elementwise("equal", high, zero, dtype=BOOL)
        high, low = choose(none, op("right_shift", low, 11), high), choose(none, op("left_shift", low, 21), low)
        exponent = choose(none, op("subtract", exponent, 21), exponent)
    none = elementwise("equal", high, zero, dtype=BOOL)
    biased = op("right_shift", bits(cast(high, FLOAT32), UINT32), 23)
    places = choose(none, zero, elementwise("subtract", fill(147, (), UINT32), biased, dtype=UINT32))
    carried = op("right_shift", op("right_shift", low, 1), elementwise("subtract", fill(31, (), UINT32), places, dtype=UINT32))
    mantissa = op("bitwise_and", op("bitwise_or", op("left_shift", high, places), carried), 0xFFFFF)
    word = op("bitwise_or", op("left_shift", op("add", biased, exponent), 20), mantissa)
    return builder.make((choose(none, zero, word), choose(none, zero, op("left_shift", low, places))), FLOAT64)


def wide_quantiles(builder: Builder, first: Node, second: Node, name: str, *parameters: float) -> Value:
    """Take quantiles of float64 of two words by the table of a distribution; see `float64_quantiles.WideTable.evaluate`."""
    wide = wide_table(name, *parameters)
    kept = [kept_table(builder, ("float64 quantiles", name, *parameters, degree), row) for degree, row in enumerate(wide.rows)]
    op = word_op
    tail = first if wide.sides == "one" else op("bitwise_and", first, 0x7FFFFFFF)
    wholes = [converted(builder, builder.make((word,), UINT32), FLOAT64) for word in (tail, second)]
    p = call(builder, "add", call(builder, "multiply", wholes[1], 2.0**-64), 2.0**-65)
    p = call(builder, "add", p, call(builder, "multiply", wholes[0], 2.0**-32))
    high, low = p.read()
    row = bits(op("subtract", op("right_shift", high, 20 - PIECE_BITS), FIRST_ROW), INT32)
    if wide.sides == "two":
        side = bits(op("right_shift", first, 31), INT32)
        other = elementwise("multiply", side, fill(wide.rows.shape[1] // 2, (), INT32), dtype=INT32)
        row = elementwise("add", row, other, dtype=INT32)
    place = builder.make((row,), INT32)
    rest = op("bitwise_and", op("left_shift", high, PIECE_BITS), 0xFFFFF)
    rest = op("bitwise_or", op("bitwise_or", rest, op("right_shift", low, 32 - PIECE_BITS)), 1023 << 20)
    v = call(builder, "subtract", builder.make((rest, op("left_shift", low, PIECE_BITS)), FLOAT64), 1.5)
    found = call(builder, "take", kept[DEGREE], place)
    for row_of_table in kept[DEGREE - 1 :: -1]:
        found = call(builder, "add", call(builder, "multiply", found, v), call(builder, "take", row_of_table, place))
    if wide.sides == "one":
        found = call(builder, "maximum", found, 0.0)
    elif wide.sides == "symmetric":
        high, low = found.read()
        found = builder.make((op("bitwise_xor", high, op("bitwise_and", first, 1 << 31)), low), FLOAT64)
    drawn: Value = found
    return drawn
