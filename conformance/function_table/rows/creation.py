"""Rows of the functions that make arrays: from nothing, from data, and from other arrays' shapes."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from .. import template as t
from ..operand import Weak
from ..row import EXACT, FLOATING, PLAIN, WITH_ZERO, Row, Tolerance, rows

__all__ = ["ROWS"]

_GRID = Tolerance(4, "start + i * step is rounded twice", "norm")
_WEAK = t.computed(lambda sketch: Weak(sketch.draw(st.integers(0, 6))))
_DTYPE = t.always(t.lead())


def _none(leaves: list[Any]) -> list[Any]:
    """Compare no values: they are whatever the memory holds."""
    del leaves
    return []


def _vectors(sketch: t.Sketch) -> list[Any]:
    lengths = sketch.draw(st.lists(st.sampled_from(((2,), (3,), (0,), ())), max_size=3))
    return [sketch.operand(length, t.ANY) for length in lengths]


def _of_float64(namespace: Any, buffer: Any, dtype: Any, **kwargs: Any) -> Any:
    """Leave the dtype out: bytes are float64 by default on every device."""
    del dtype
    return namespace.frombuffer(buffer, **kwargs)


def _like(**kwargs: Any) -> Any:
    return t.call(t.array(*t.ANY), dtype=t.lead(), **kwargs)


ROWS: tuple[Row, ...] = (
    *rows("ones", t.call(t.shape(), dtype=_DTYPE)),
    *rows("zeros", t.call(t.shape(), dtype=_DTYPE), dtypes=WITH_ZERO),
    *rows("zeros ones empty", t.call(t.choice(-1, (2, -3), 2.5, (2, 1.5))), dtypes=(np.dtype(np.float64),)),
    *rows("empty", t.call(t.shape(), dtype=_DTYPE), digest=_none),
    *rows("full", t.call(t.shape(), _WEAK, dtype=t.lead())),
    *rows("ones_like", _like(shape=t.shape())),
    *rows("zeros_like", _like(shape=t.shape()), dtypes=WITH_ZERO),
    *rows("empty_like", _like(shape=t.shape()), digest=_none),
    *rows("full_like", t.call(t.array(*t.ANY), _WEAK)),
    *rows("eye", t.call(t.integers(0, 4), t.choice(None, 0, 3, 5), k=t.integers(-3, 3), dtype=_DTYPE), dtypes=WITH_ZERO),
    *rows("identity", t.call(t.integers(0, 4), dtype=t.lead()), dtypes=WITH_ZERO),
    *rows("tri", t.call(t.integers(0, 4), t.choice(None, 0, 3), k=t.integers(-3, 3), dtype=_DTYPE), dtypes=WITH_ZERO),
    *rows("arange", t.call(t.integers(-3, 9), dtype=t.lead()), _GRID),
    *rows("arange", t.call(t.integers(0, 5), t.integers(0, 20), t.choice(1, 2, 3, -1), dtype=t.lead()), _GRID),
    *rows("arange", t.call(t.choice(0.0, -1.5, 1), t.choice(3.5, 4), t.choice(0.5, 0.1, 1, -1.0)), _GRID, dtypes=(np.dtype(np.float64),)),
    *rows(
        "linspace",
        t.call(t.choice(0, -1.5, 2), t.choice(1.0, 4, 2), t.choice(0, 1, 2, 5, 11), endpoint=t.flag(), dtype=_DTYPE),
        _GRID,
        dtypes=FLOATING,
    ),
    *rows(
        "linspace", t.call(t.array("finite", dims=(1, 2)), t.other("finite"), t.choice(0, 1, 5), axis=t.choice(0, -1)), _GRID, dtypes=PLAIN
    ),
    *rows(
        "logspace geomspace",
        t.call(t.choice(1.0, 2), t.choice(1.5, 3), t.choice(0, 1, 4), endpoint=t.flag()),
        Tolerance(16, "a power of a rounded exponent"),
        dtypes=PLAIN,
    ),
    *rows("asarray", t.call(t.array(*t.ANY), dtype=t.lead(), copy=t.choice(True, None))),
    *rows("asarray", t.call([1, 2, 3], dtype=t.lead())),
    *rows(
        "asarray",
        t.call(t.choice([[1.5, 2], [3, 4]], (), 3, 2.5, True, [True, False], [1, 2.5], 2j, [[1], [2, 3]])),
        dtypes=(np.dtype(np.float64),),
    ),
    *rows("array", t.call(t.array(*t.ANY), dtype=t.lead(), copy=t.choice(True, None), ndmin=t.integers(0, 3))),
    *rows("asanyarray asarray_chkfinite", t.call(t.array("finite"), dtype=t.lead())),
    *rows("asarray_chkfinite", t.call(t.array("any"))),
    *rows("ascontiguousarray asfortranarray", t.call(t.array(*t.ANY), dtype=t.lead())),
    *rows("copy", t.call(t.array(*t.ANY))),
    *rows("require", t.call(t.array(*t.ANY), t.lead())),
    *rows("from_dlpack", t.call(t.array(*t.ANY)), dtypes=PLAIN),
    *rows(
        "frombuffer",
        t.call(b"\x01\x00\x02\x00\x03\x00\x04\x00", dtype=t.always(t.lead()), count=t.choice(-1, 1, 2, 9), offset=t.choice(0, 2, 4)),
        dtypes=(np.dtype(np.float64),),
        function=_of_float64,
    ),
    *rows("frombuffer", t.call(bytes(range(32)), dtype=t.always(t.lead()), count=t.choice(-1, 1)), dtypes=PLAIN[1:]),
    *rows("fromiter", t.call([1, 2, 3], t.lead(), count=t.choice(-1, 2, 4))),
    *rows("fromstring", t.call("1 2 3.5", sep=t.always(t.choice(" "))), dtypes=(np.dtype(np.float64),)),
    *rows("fromfunction", t.call(lambda i, j: i + 2 * j, (2, 3), dtype=_DTYPE), dtypes=PLAIN),
    *rows("meshgrid", t.call(t.spread(_vectors), indexing=t.choice("xy", "ij", "no"), sparse=t.flag())),
    *rows("diag", t.call(t.array(*t.ANY, dims=(0, 3)), k=t.integers(-3, 3)), dtypes=WITH_ZERO),
    *rows("diagflat", t.call(t.array(*t.ANY, dims=(0, 2), long=False), k=t.integers(-2, 2)), dtypes=WITH_ZERO),
    *rows("tril triu", t.call(t.array(*t.ANY, dims=(0, 3)), k=t.integers(-3, 3)), dtypes=WITH_ZERO),
    *rows(
        "vander",
        t.call(t.array("small", dims=(0, 2), long=False), N=t.integers(0, 4), increasing=t.flag()),
        Tolerance(8, "powers by repeated products"),
        dtypes=PLAIN,
    ),
    *rows("indices", t.call(t.shape(), dtype=t.lead(), sparse=t.flag()), dtypes=PLAIN),
    *rows("tril_indices triu_indices", t.call(t.integers(0, 4), k=t.integers(-2, 2), m=t.choice(None, 2, 5)), dtypes=(np.dtype(np.int64),)),
    *rows("tril_indices_from triu_indices_from", t.call(t.array(*t.ANY, dims=(1, 3)), k=t.integers(-2, 2))),
    *rows("diag_indices", t.call(t.integers(0, 4), t.integers(1, 3)), dtypes=(np.dtype(np.int64),)),
    *rows("diag_indices_from", t.call(t.matrix(*t.ANY, square=True, stack=0))),
    *rows("mask_indices", t.call(t.integers(0, 4), np.triu, t.integers(-1, 1)), dtypes=(np.dtype(np.int64),)),
    *rows("hanning hamming bartlett blackman", t.call(t.integers(-1, 9)), Tolerance(4, "cosines", "norm"), dtypes=(np.dtype(np.float64),)),
    *rows(
        "kaiser", t.call(t.integers(-1, 9), t.choice(0.0, 3.5, 8)), Tolerance(8, "Bessel functions", "norm"), dtypes=(np.dtype(np.float64),)
    ),
    *rows("block", t.call(t.computed(lambda s: [[s.operand((2, 2), t.ANY), s.operand((2, 1), t.ANY)], [s.operand((1, 3), t.ANY)]])), EXACT),
)
