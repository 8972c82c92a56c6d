"""Linear interpolation: a search for the neighbouring points, and a gather of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...dtypes import BOOL, COMPLEX64, FLOAT32, INT32
from ..graph.build import elementwise, fill, reshape
from ..graph.graph import Node
from ..planes import plane_dtypes
from ..value import Value
from . import Lowerings, NotNativeError
from .concatenation import join
from .indexing.gather import gather
from .op_calls import call, converted, in_float32
from .operands import operand
from .sorted_search import positions

if TYPE_CHECKING:
    from ..graph.builder import Builder

__all__: list[str] = []


@in_float32
def _interp(builder: Builder, value: Value, points: Value, heights: Value, *, left: Any, right: Any, period: Any) -> Value:
    dtype = builder.promotion.result_type(value.dtype, points.dtype, heights.dtype, 1.0)
    if dtype not in (FLOAT32, COMPLEX64) or builder.promotion.default_float != FLOAT32:
        raise NotNativeError(f"{builder.promotion.result_type(dtype, builder.promotion.default_float)} is interpolated on the host")
    value, points, heights = converted(builder, value, FLOAT32), converted(builder, points, FLOAT32), converted(builder, heights, dtype)
    if period is not None:
        value, points, heights = _unrolled(builder, value, points, heights, period)
        left = right = None
    if value.size == 0:
        return builder.result(tuple(fill(0, value.shape, plane) for plane in plane_dtypes(dtype)), dtype)
    one = fill(1, (), INT32)
    last = fill(points.size - 1, (), INT32)
    here = elementwise("subtract", positions(builder, points, value, "right"), one, dtype=INT32)
    here = elementwise("maximum", here, fill(0, (), INT32), dtype=INT32)
    after = elementwise("minimum", elementwise("add", here, one, dtype=INT32), last, dtype=INT32)
    (at,), (plane,) = value.read(), points.read()
    nearby = (_at(plane, here), _at(plane, after))
    edges = [None if edge is None else operand(builder, edge, dtype, ()) for edge in (left, right)]
    found = []
    for number, height in enumerate(heights.read()):
        before, beyond = (None if edge is None else edge[number] for edge in edges)
        found.append(_line(at, nearby, (_at(height, here), _at(height, after)), (plane, height), (before, beyond)))
    return builder.result(tuple(found), dtype)


def _unrolled(builder: Builder, value: Value, points: Value, heights: Value, period: Any) -> tuple[Value, Value, Value]:
    """Bring all into one period, in order, with a point of the next one on both sides."""
    value, points = (call(builder, "remainder", item, period) for item in (value, points))
    order = call(builder, "argsort", points)
    points, heights = (call(builder, "take", item, order) for item in (points, heights))
    ends = [item.view(item.shadow[part]) for item in (points, heights) for part in (slice(-1, None), slice(1))]
    before, after = call(builder, "subtract", ends[0], period), call(builder, "add", ends[1], period)
    points, heights = (
        join(builder, [(part.shape, part.read()) for part in parts], 0, parts[0].dtype)
        for parts in ((before, points, after), (ends[2], heights, ends[3]))
    )
    return value, points, heights


def _at(table: Node, places: Node) -> Node:
    found = gather(table, reshape(places, (places.size,)), 1, table.size, (1, places.size, 1))
    return reshape(found, places.shape)


def _line(
    x: Node, points: tuple[Node, Node], heights: tuple[Node, Node], table: tuple[Node, Node], edges: tuple[Node | None, Node | None]
) -> Node:  # fmt: skip
    """Follow the line between two points: from the first one, or from the second where that is NaN; and none where both are as high."""

    def of(name: str, one: Node, other: Node) -> Node:
        return elementwise(name, one, other, dtype=FLOAT32)

    def where(condition: Node, one: Node, other: Node) -> Node:
        return elementwise("where", condition, one, other, dtype=FLOAT32)

    def both(*conditions: Node) -> Node:
        return elementwise("logical_and", *conditions, dtype=BOOL)

    slope = of("divide", of("subtract", heights[1], heights[0]), of("subtract", points[1], points[0]))
    ends = zip(points, heights, strict=True)
    first, second = (of("add", of("multiply", slope, of("subtract", x, point)), height) for point, height in ends)
    result = where(elementwise("isnan", first, dtype=BOOL), second, first)
    level = elementwise("equal", *heights, dtype=BOOL)
    result = where(both(elementwise("isnan", result, dtype=BOOL), level), heights[0], result)
    result = where(elementwise("equal", x, points[0], dtype=BOOL), heights[0], result)
    for comparison, place, edge in (("less", 0, edges[0]), ("greater", table[0].size - 1, edges[1])):
        end, height = (_at(plane, fill(place, (1,), INT32)) for plane in table)
        outside = elementwise(comparison, x, reshape(end, ()), dtype=BOOL)
        result = where(outside, reshape(height, ()) if edge is None else edge, result)
    if table[0].size == 1:  # for NumPy all that is not beyond the point is at the point
        return result
    return where(elementwise("isnan", x, dtype=BOOL), x, result)


LOWERINGS: Final[Lowerings] = {"interp": _interp}
