"""Rows of searching, sorting, sets, and indexing by arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from .. import template as t
from ..operand import Weak
from ..row import COMPLEX, PLAIN, REAL, Row, rows

__all__ = ["ROWS"]

_ANY = t.array(*t.ANY)
_SETS = t.array("small", "any", dims=(0, 2))
_OTHER_SET = t.computed(lambda s: s.operand((s.draw(st.integers(0, 5)),), ("small", "any")))
_SORT = "takes descending, stable by default, NaN last in both orders"
_WEAK = t.computed(lambda s: Weak(s.draw(st.integers(0, 6))))
_INT64 = (np.dtype(np.int64),)


def _order(x: Any, axis: int | None = -1, descending: bool = False, stable: bool = True) -> Any:
    """Sort stably by rank, NaN last in both directions: any order of equal elements will do, and this is what the default promises."""
    del stable
    x = np.atleast_1d(x)
    rank = np.unique(x, return_inverse=True)[1].reshape(x.shape)
    return np.argsort(np.where(np.isnan(x), x.size, -rank if descending else rank), axis=axis, stable=True)


def _sorted(x: Any, axis: int | None = -1, **kwargs: Any) -> Any:
    if np.ndim(x) == 0 and axis is not None:
        raise np.exceptions.AxisError(axis, 0)
    order = _order(x, axis, **kwargs)
    return np.ravel(x)[order] if axis is None else np.take_along_axis(x, order, axis)


def _topk(x: Any, k: int, axis: int = -1, mode: str = "largest") -> Any:
    order = _order(x, axis, descending=mode == "largest")
    if not 0 <= k <= order.shape[axis]:
        raise ValueError
    indices = np.take(order, range(k), axis)
    return np.take_along_axis(x, indices, axis), indices


def _unsigned(leaves: list[Any]) -> list[Any]:
    """Compare values alone: which of the two zeros stands for both is left open."""
    return [leaf + leaf.dtype.type(0) if leaf.dtype.kind in "fc" else leaf for leaf in leaves]


def _unique_inverse(x: Any) -> Any:
    """Give each NaN its own position, in the order of the elements: NumPy's sort, which is not stable, leaves their order to the CPU."""
    found = np.unique_inverse(x)
    nan = np.isnan(x) if x.dtype.kind in "fc" else np.zeros(x.shape, bool)
    inverse = found.inverse_indices.copy()
    parts = [part for item in (x[nan].imag, x[nan].real) for part in (np.nan_to_num(item), np.isnan(item))]
    inverse[np.flatnonzero(nan)[np.lexsort(parts)]] = np.sort(inverse[nan])
    return found._replace(inverse_indices=inverse)


def _with_weak(function: Any) -> Any:
    """Give a Python scalar the array's dtype first."""
    return lambda x, scalar, **kwargs: function(x, np.asarray(scalar).astype(x.dtype), **kwargs)


def _take_along_axis(x: Any, indices: Any, axis: int = -1) -> Any:
    return np.take_along_axis(x, indices, axis)


def _along(sketch: t.Sketch) -> Any:
    """Draw indices that fit an array along its last axis, or along all but one axis of length 1."""
    shape = list(sketch.shape or ())
    bound = shape[-1] if shape else 1
    if shape:
        shape[-1] = sketch.draw(st.integers(0, 3))
        if len(shape) > 1 and sketch.draw(st.booleans()):
            shape[0] = 1
    return sketch.operand(shape, ("index",), np.int64, (-bound, bound + (sketch.draw(st.integers(0, 9)) == 9)))


def _kth(sketch: t.Sketch) -> int:
    return int(sketch.draw(st.integers(-1, 3)))


def _masked(sketch: t.Sketch) -> Any:
    return sketch.operand(sketch.shape or (), ("small",), np.bool)


def _partitioned(leaves: list[Any]) -> list[Any]:
    """Compare what a partition leaves: the elements, in any order along the axis."""
    return [np.sort(leaves[0], axis=None)]


def _size(sketch: t.Sketch) -> int:
    return int(np.prod(sketch.shape or ()))


def _last(sketch: t.Sketch) -> int:
    return (sketch.shape or (1,))[-1]


def _needle(sketch: t.Sketch) -> Any:
    return sketch.operand(sketch.draw(st.sampled_from(((), (3,), (2, 2), (0,)))), ("ascending", "finite", "any"))


def _with_sorter(sketch: t.Sketch) -> list[Any]:
    table = sketch.operand((sketch.draw(st.integers(0, 4)),), ("shuffled",))
    sorter = table._replace(content="sorting", dtype=np.dtype(np.int64))
    return [table, _needle(sketch), sketch.draw(st.sampled_from(("left", "right"))), sorter]


_MASK = t.computed(_masked)

ROWS: tuple[Row, ...] = (
    *rows("nonzero", t.call(_ANY)),
    *rows("argwhere flatnonzero", t.call(_ANY)),
    *rows("where", t.call(t.array(dtype=np.bool), t.partner(*t.ANY), t.partner(*t.ANY, same=True))),
    *rows("where", t.call(_ANY)),
    *rows("searchsorted", t.call(t.array("ascending", dims=(1, 1)), t.computed(_needle), side=t.choice("left", "right"))),
    *rows(
        "searchsorted",
        t.call(t.spread(_with_sorter)),
        dtypes=REAL,
    ),
    *rows(
        "searchsorted",
        t.call(t.array("ascending", dims=(1, 1)), _WEAK),
        reference=_with_weak(np.searchsorted),
        difference="a Python scalar takes the array's dtype",
    ),
    *rows(
        "sort", t.call(_ANY, axis=t.axis(none=True), descending=t.flag(), stable=t.flag()), dtypes=REAL, reference=_sorted, difference=_SORT
    ),
    *rows("argsort", t.call(_ANY, axis=t.axis(none=True), descending=t.flag()), dtypes=REAL, reference=_order, difference=_SORT),
    *rows("sort", t.call(t.array("finite"), axis=t.axis(none=True), descending=t.flag()), dtypes=COMPLEX, reference=_sorted),
    *rows("argsort", t.call(t.array("finite"), axis=t.axis(none=True), descending=t.flag()), dtypes=COMPLEX, reference=_order),
    *rows("sort", t.call(_ANY, axis=t.axis(), stable=t.always(t.choice(True)))),
    *rows("partition", t.call(t.array(*t.ANY, dims=(0, 2), long=False), t.computed(_kth), axis=t.axis(none=True)), digest=_partitioned),
    *rows(
        "argpartition", t.call(t.array("shuffled", dims=(0, 2), long=False), t.computed(_kth), axis=t.axis(none=True)), digest=_partitioned
    ),
    *rows(
        "topk",
        t.call(t.array(*t.ANY), t.choice(1, 2, 0, 9), axis=t.axis(), mode=t.choice("largest", "smallest")),
        dtypes=REAL,
        reference=_topk,
        function=lambda xp, *args, **kwargs: tuple(xp.topk(*args, **kwargs)),
        difference="NumPy has no such function; equal elements keep their order",
    ),
    *rows("lexsort", t.call(t.arrays("small", dims=(1, 2)), axis=t.axis())),
    *rows("unique_all unique_counts", t.call(_ANY), digest=_unsigned),
    *rows("unique_inverse", t.call(_ANY), digest=_unsigned, alternative=_unique_inverse),
    *rows("unique_values", t.call(_ANY), digest=_unsigned, reference=lambda x: np.sort(np.unique_values(x))),  # NumPy's are in any order
    *rows(
        "unique", t.call(_ANY, return_index=t.flag(), return_inverse=t.flag(), return_counts=t.flag(), equal_nan=t.flag()), digest=_unsigned
    ),
    *rows("unique", t.call(t.array("small"), axis=t.always(t.axis())), dtypes=PLAIN),
    *rows("isin", t.call(t.array("small", "any"), _OTHER_SET, invert=t.flag(), assume_unique=t.choice(False))),
    *rows("isin", t.call(t.array("small"), _WEAK), reference=_with_weak(np.isin), difference="a Python scalar takes the array's dtype"),
    *rows("union1d setdiff1d setxor1d", t.call(_SETS, _OTHER_SET), digest=_unsigned),
    *rows("intersect1d", t.call(_SETS, _OTHER_SET, return_indices=t.flag()), digest=_unsigned),
    *rows("take", t.call(_ANY, t.indices(_last, dims=(0, 2)), axis=t.always(t.choice(-1)))),
    *rows("take", t.call(_ANY, t.indices(_size, dims=(0, 2)), mode=t.choice("raise", "wrap", "clip", "no"))),
    *rows("take", t.call(t.array(*t.ANY, dims=(1, 3)), t.choice(0, 1, -1, 5, 1.5), axis=t.axis())),
    *rows("take_along_axis", t.call(_ANY, t.computed(_along), axis=t.choice(-1)), reference=_take_along_axis, difference="axis=-1"),
    *rows(
        "choose",
        t.call(
            t.array("index", dims=(0, 2), long=False, dtype=np.int64, bounds=(-1, 3)),
            t.arrays(*t.ANY, dims=(0, 0)),
            mode=t.choice("raise", "wrap", "clip"),
        ),
    ),
    *rows(
        "compress",
        t.call(t.computed(lambda s: [s.draw(st.booleans()) for _ in range(s.draw(st.integers(0, 3)))]), _ANY, axis=t.axis(none=True)),
    ),
    *rows("extract", t.call(t.array(dtype=np.bool), t.other(*t.ANY))),
    *rows(
        "select",
        t.call(
            t.computed(lambda s: [t.array(dtype=np.bool, dims=(1, 2)).draw(s), _masked(s)]),
            t.computed(lambda s: [s.operand(s.shape or (), t.ANY), s.operand(s.shape or (), t.ANY)]),
            default=t.choice(0, 1),
        ),
    ),
    *rows("piecewise", t.call(t.array("small", dims=(1, 2)), t.computed(lambda s: [_masked(s)]), t.choice([1, 2], [1])), dtypes=PLAIN),
    *rows("put", t.call(_ANY, t.indices(_size), t.other(*t.ANY), mode=t.choice("raise", "wrap", "clip"))),
    *rows("put_along_axis", t.call(t.array(*t.ANY, dims=(1, 2)), t.computed(_along), t.choice(1), axis=t.always(t.choice(-1)))),
    *rows("place", t.call(_ANY, _MASK, t.computed(lambda s: s.operand((s.draw(st.integers(1, 3)),), t.ANY)))),
    *rows("putmask", t.call(_ANY, _MASK, t.other(*t.ANY))),
    *rows("copyto", t.call(_ANY, t.partner(*t.ANY, same=True), where=_MASK)),
    *rows("copyto", t.call(_ANY, t.partner("small"), casting=t.always(t.choice("same_kind", "safe", "no"))), dtypes=PLAIN),
    *rows("fill_diagonal", t.call(t.array(*t.ANY, dims=(1, 3), long=False), t.choice(1), wrap=t.flag())),
    *rows("ix_", t.call(t.indices(4, dims=(1, 1)), t.array(dtype=np.bool, dims=(1, 1), long=False)), dtypes=_INT64),
    *rows(
        "ravel_multi_index",
        t.call(
            t.computed(lambda s: tuple(s.operand((3,), ("index",), np.int64, (0, n)) for n in (3, 4))),
            t.choice((3, 4), (2, 4)),
            mode=t.choice("raise", "wrap", "clip"),
            order=t.choice("C", "F"),
        ),
        dtypes=_INT64,
    ),
    *rows(
        "unravel_index",
        t.call(t.indices(12, negative=False, dims=(0, 2)), t.choice((3, 4), (2, 6), (2, 2, 3)), order=t.choice("C", "F")),
        dtypes=_INT64,
    ),
)
