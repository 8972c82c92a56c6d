"""Reductions by segments: what goes to one position is sorted next to each other and combined by a scan in log2(n) steps.

For functions and dtypes that the kernel which scatters does not combine. Sums round in another order than NumPy's: each is a tree.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ....dtypes import INT32
from ....ops.ufuncs import ufunc_op
from ...graph.build import reshape
from ...graph.graph import Node
from ...value import Value
from .. import Builder
from ..op_calls import call
from .gather import gather, scatter

__all__ = ["combine_rows"]

_LEAST_SO_FAR: Final = ufunc_op(np.minimum, "accumulate").name


def combine_rows(builder: Builder, view: Value, at: Node, given: Value, shape: tuple[int, int, int], name: str) -> None:
    """
    Combine rows with those of tables at some positions, by an associative function.

    `view` holds `outer` tables of `rows` rows, and `given` has the shape (outer, positions, width): `shape` is (outer, rows, width).
    """
    outer, rows, width = shape
    (count,) = at.shape
    order = call(builder, "argsort", builder.make((at,), INT32))
    keys = call(builder, "getitem", builder.make((at,), INT32), (order,))
    found = _rows(builder, given, order, (outer, count, width))
    step = 1
    while step < count:
        same = call(builder, "equal", keys.view(keys.shadow[step:]), keys.view(keys.shadow[:-step]))
        after, before = found.view(found.shadow[:, step:]), found.view(found.shadow[:, :-step])
        both = call(builder, name, before, after)
        found = call(
            builder,
            "concatenate",
            [found.view(found.shadow[:, :step]), call(builder, "where", same.view(same.shadow[:, None]), both, after)],
            1,
        )
        step *= 2
    totals = _rows(builder, found, _ends(builder, keys), (outer, count, width))
    where = keys.read()[0]
    old = builder.make(tuple(gather(plane, where, outer, rows, (outer, count, width)) for plane in view.read()), view.dtype)
    new = call(builder, name, old, totals)
    planes = (scatter(table, where, plane, outer, rows) for table, plane in zip(view.held(), new.read(), strict=True))
    view.write(tuple(reshape(plane, view.shape) for plane in planes))


def _ends(builder: Builder, keys: Value) -> Value:
    """Find the last place of the run of equal keys that each one is in."""
    (count,) = keys.shape
    place = call(builder, "arange", 0, count, 1, dtype=INT32)
    runs_on = call(builder, "equal", keys.view(keys.shadow[1:]), keys.view(keys.shadow[:-1]))
    ends = call(builder, "where", runs_on, count, place.view(place.shadow[:-1]))
    backwards = call(builder, "concatenate", [place.view(place.shadow[-1:]), ends.view(ends.shadow[::-1])], 0)
    found = call(builder, _LEAST_SO_FAR, backwards, 0)
    return found.view(found.shadow[::-1])


def _rows(builder: Builder, value: Value, at: Value, shape: tuple[int, int, int]) -> Value:
    """Take rows of each table, as many as it has."""
    outer, count, _ = shape
    return builder.make(tuple(gather(plane, at.read()[0], outer, count, shape) for plane in value.read()), value.dtype)
