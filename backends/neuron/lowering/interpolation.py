"""Linear interpolation: a search for the neighbouring points, and a gather of them."""

from __future__ import annotations

from typing import Any, Final

from ...dtypes import COMPLEX64, COMPLEX128, FLOAT32, FLOAT64, INT32, real_of
from ..graph.build import elementwise, fill, reshape
from ..graph.graph import Node
from ..planes import plane_dtypes
from ..value import Value
from . import Builder, Lowerings, NotNativeError
from .concatenation import join
from .float_nodes import choose, real, test
from .indexing.gather import gather
from .op_calls import call, converted, in_float32
from .operands import operand
from .sorted_search import positions

__all__: list[str] = []


@in_float32
def _interp(builder: Builder, value: Value, points: Value, heights: Value, *, left: Any, right: Any, period: Any) -> Value:
    dtype = builder.promotion.result_type(value.dtype, points.dtype, heights.dtype, builder.promotion.default_float)
    if dtype not in (FLOAT32, COMPLEX64, FLOAT64, COMPLEX128):
        raise NotNativeError(f"{dtype} is interpolated on the host")
    inner = real_of(dtype)
    value, points, heights = converted(builder, value, inner), converted(builder, points, inner), converted(builder, heights, dtype)
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
    count = len(plane_dtypes(inner))
    at, table = _number(value.read()), _number(points.read())
    nearby = (_at(table, here), _at(table, after))
    edges = [None if edge is None else operand(builder, edge, dtype, ()) for edge in (left, right)]
    planes, found = heights.read(), list[Node]()
    for first in range(0, len(planes), count):
        height = _number(planes[first : first + count])
        before, beyond = (None if edge is None else _number(edge[first : first + count]) for edge in edges)
        line = _line(at, nearby, (_at(height, here), _at(height, after)), (table, height), (before, beyond))
        found += line if isinstance(line, tuple) else [line]
    return builder.result(tuple(found), dtype)


def _number(planes: tuple[Node, ...]) -> Any:
    """Take a plane of float32, or the words of float64."""
    return planes[0] if len(planes) == 1 else planes


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


def _at(table: Any, places: Node) -> Any:
    if isinstance(table, tuple):
        return tuple([_at(plane, places) for plane in table])
    found = gather(table, reshape(places, (places.size,)), 1, table.size, (1, places.size, 1))
    return reshape(found, places.shape)


def _line(x: Any, points: tuple[Any, Any], heights: tuple[Any, Any], table: tuple[Any, Any], edges: tuple[Any, Any]) -> Any:
    """Follow the line between two points: from the first one, or from the second where that is NaN; and none where both are as high."""
    slope = real("divide", real("subtract", heights[1], heights[0]), real("subtract", points[1], points[0]))
    ends = zip(points, heights, strict=True)
    first, second = (real("add", real("multiply", slope, real("subtract", x, point)), height) for point, height in ends)
    result = choose(test("isnan", first), second, first)
    result = choose(test("logical_and", test("isnan", result), test("equal", *heights)), heights[0], result)
    result = choose(test("equal", x, points[0]), heights[0], result)
    size = (table[0][0] if isinstance(table[0], tuple) else table[0]).size
    for comparison, place, edge in (("less", 0, edges[0]), ("greater", size - 1, edges[1])):
        end, height = (_single(_at(plane, fill(place, (1,), INT32))) for plane in table)
        result = choose(test(comparison, x, end), height if edge is None else edge, result)
    if size == 1:  # for NumPy all that is not beyond the point is at the point
        return result
    return choose(test("isnan", x), x, result)


def _single(number: Any) -> Any:
    """Make one element a number."""
    return tuple([reshape(plane, ()) for plane in number]) if isinstance(number, tuple) else reshape(number, ())


LOWERINGS: Final[Lowerings] = {"interp": _interp}
