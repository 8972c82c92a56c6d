"""Rows of the functions that rearrange, join and split arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from .. import template as t
from ..row import EXACT, PLAIN, WITH_ZERO, Row, rows

__all__ = ["ROWS"]

_ANY = t.array(*t.ANY)
_INT64 = (np.dtype(np.int64),)


def _reshaped(sketch: t.Sketch) -> Any:
    """Draw a shape that holds as many elements, mostly."""
    size = int(np.prod(sketch.shape or ()))
    kind = sketch.draw(st.integers(0, 5))
    if kind == 0:
        return (size + 1,)
    if kind == 1:
        return -1
    if kind == 2:
        return (-1, *reversed(sketch.shape or ()))
    return tuple(sketch.draw(st.permutations((*(sketch.shape or ()), 1))))


def _permutation(sketch: t.Sketch) -> tuple[int, ...]:
    drawn = sketch.draw(st.permutations(range(sketch.ndim)))
    if drawn and sketch.draw(st.integers(0, 5)) == 5:
        drawn = [drawn[0], *drawn[:-1]] if sketch.draw(st.booleans()) else [a - sketch.ndim for a in drawn]
    return tuple(drawn)


def _wider(sketch: t.Sketch) -> tuple[int, ...]:
    shape = [sketch.draw(st.sampled_from((n, n, 2))) if n == 1 else n for n in sketch.shape or ()]
    above = sketch.draw(st.lists(st.sampled_from((2, 1, 0)), max_size=2))
    return (*above, *shape) if sketch.draw(st.integers(0, 7)) < 7 else tuple(shape[1:])


def _per_axis(sketch: t.Sketch) -> Any:
    return tuple(sketch.draw(st.sampled_from((0, 1, -1, 3, -5))) for _ in range(sketch.ndim))


def _shapes(sketch: t.Sketch) -> list[tuple[int, ...]]:
    return [tuple(shape) for shape in sketch.draw(st.lists(st.lists(st.sampled_from((1, 2, 3, 0)), max_size=3), max_size=3))]


def _spread_arrays(sketch: t.Sketch) -> Any:
    first = t.array(*t.ANY).draw(sketch)
    return [first, *(t.partner(*t.ANY, scalars=False).draw(sketch) for _ in range(sketch.draw(st.integers(0, 2))))]


def _end(sketch: t.Sketch) -> int:
    return int(sketch.draw(st.sampled_from((-1, 0, sketch.ndim, sketch.ndim + 1))))


def _astype(x: Any, dtype: Any, copy: bool = True) -> Any:
    if x.dtype.kind == "c" and np.dtype(dtype).kind not in "cb":
        raise TypeError("an imaginary part would be lost")
    return x.astype(dtype, copy=copy)


_PARTS = t.choice(1, 2, 3, [1], [1, 2], [0, 3, 9], 0)
_JOINED = t.arrays(*t.ANY, alike=False)

ROWS: tuple[Row, ...] = (
    *rows("broadcast_to", t.call(_ANY, t.computed(_wider))),
    *rows("broadcast_arrays", t.call(t.spread(_spread_arrays))),
    *rows("broadcast_shapes", t.call(t.spread(_shapes)), dtypes=_INT64),
    *rows("concat concatenate", t.call(_JOINED, axis=t.axis(none=True))),
    *rows("stack", t.call(t.arrays(*t.ANY), axis=t.computed(_end))),
    *rows("hstack vstack dstack column_stack", t.call(_JOINED)),
    *rows("unstack", t.call(_ANY, axis=t.axis())),
    *rows("expand_dims", t.call(_ANY, t.computed(lambda s: s.draw(st.sampled_from((0, -1, s.ndim, s.ndim + 1, (0, 1), (0, 0), (0, -1))))))),
    *rows("flip", t.call(_ANY, axis=t.axes())),
    *rows("fliplr flipud", t.call(_ANY)),
    *rows("rot90", t.call(_ANY, k=t.integers(-2, 5), axes=t.choice((0, 1), (1, 0), (0, 0), (-1, 0)))),
    *rows("moveaxis", t.call(_ANY, t.axis(), t.axis())),
    *rows("moveaxis", t.call(t.array(*t.ANY, dims=(2, 3)), t.choice((0, 1), [1, 0], (0, 0)), t.choice((1, 0), [0, -1], 0))),
    *rows("rollaxis", t.call(_ANY, t.axis(), t.computed(_end))),
    *rows("swapaxes", t.call(_ANY, t.axis(), t.axis())),
    *rows("permute_dims transpose", t.call(_ANY, t.computed(_permutation))),
    *rows("transpose matrix_transpose", t.call(_ANY)),
    *rows("repeat", t.call(_ANY, t.choice(0, 1, 3, -1), axis=t.axis(none=True))),
    *rows("repeat", t.call(t.array(*t.ANY, dims=(1, 2)), t.indices(4, negative=False, dims=(1, 1)), axis=t.axis(none=True))),
    *rows(
        "repeat",
        t.call(t.array(*t.ANY, dims=(1, 2)), t.indices(4, negative=False, dims=(1, 1), dtype=np.uint64)),
        reference=lambda x, repeats: np.repeat(x, repeats.astype(np.int64)),
        difference="repeats may be uint64",
    ),
    *rows("tile", t.call(_ANY, t.choice(0, 1, 2, (2,), (1, 2), (2, 1, 2), ()))),
    *rows("reshape", t.call(_ANY, t.computed(_reshaped), copy=t.choice(True, None))),
    *rows("reshape", t.call(_ANY, t.computed(_reshaped), order=t.always(t.choice("C", "F", "A", "K")))),
    *rows("resize", t.call(_ANY, t.choice((3,), (2, 4), 5, (0,), (-1,))), dtypes=WITH_ZERO),
    *rows("ravel", t.call(_ANY, order=t.choice("C", "F", "A", "K"))),
    *rows("roll", t.call(_ANY, t.integers(-5, 5), axis=t.axis(none=True))),
    *rows("roll", t.call(_ANY, t.computed(_per_axis), axis=t.computed(lambda s: tuple(range(s.ndim))))),
    *rows("squeeze", t.call(_ANY, axis=t.always(t.axes(none=False)))),
    *rows("squeeze", t.call(_ANY)),
    *rows("atleast_1d atleast_2d atleast_3d", t.call(_ANY)),
    *rows("atleast_1d atleast_2d", t.call(_ANY, t.partner(*t.ANY, scalars=False))),
    *rows("split array_split", t.call(_ANY, _PARTS, axis=t.axis())),
    *rows("hsplit vsplit dsplit", t.call(_ANY, _PARTS)),
    *rows("append", t.call(_ANY, t.partner(*t.ANY, same=True, scalars=False), axis=t.axis(none=True))),
    *rows("delete", t.call(_ANY, t.choice(0, 1, -1, 9, [0, 1], slice(None, None, 2)), axis=t.axis(none=True))),
    *rows("insert", t.call(_ANY, t.choice(0, 1, -1, 9), t.choice(1), axis=t.axis(none=True))),
    *rows(
        "pad",
        t.call(
            t.array(*t.ANY, dims=(1, 2), long=False),
            t.choice(1, 0, (1, 2), ((0, 1),), -1),
            mode=t.choice("constant", "edge", "reflect", "symmetric", "wrap", "no such mode"),
        ),
    ),
    *rows("trim_zeros", t.call(t.array("small", dims=(1, 1)), trim=t.choice("fb", "f", "b"))),
    *rows("diagonal", t.call(_ANY, offset=t.integers(-2, 2))),
    *rows("diagonal", t.call(t.array(*t.ANY, dims=(2, 3)), axis1=t.axis(), axis2=t.axis())),
    *rows(
        "astype",
        t.call(_ANY, t.choice(*(d.type for d in PLAIN)), copy=t.flag()),
        EXACT,
        dtypes=PLAIN,
        reference=_astype,
        difference="complex to real raises, where NumPy warns",
    ),
    *rows("sort_complex", t.call(t.array("finite"))),
    *rows("packbits", t.call(t.array("unit", "small"), axis=t.axis(none=True), bitorder=t.choice("big", "little"))),
    *rows(
        "unpackbits",
        t.call(t.array(*t.ANY, least=1), axis=t.axis(none=True), count=t.choice(None, 3, -2), bitorder=t.choice("big", "little")),
    ),
    *rows(
        "apply_over_axes",
        t.call(lambda x, axis: x.max(axis), t.array("finite", dims=(1, 3), least=1), t.choice(0, -1, [0], (0, -1), 5)),
        dtypes=PLAIN,
    ),
    *rows("apply_along_axis", t.call(lambda v: v[::-1] * 2, t.axis(), t.array("small", dims=(1, 3))), dtypes=PLAIN),
)
