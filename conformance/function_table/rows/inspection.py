"""Rows of the functions that answer questions, about dtypes and about arrays, and of those on polynomials."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from .. import template as t
from ..row import EXACT, PLAIN, Row, Tolerance, rows

__all__ = ["ROWS"]

_ANY = t.array(*t.ANY)
_LEAD = t.lead()
_DTYPES = t.choice(*(dtype.type for dtype in PLAIN))
_POLYNOMIAL = t.array("small", dims=(1, 1), long=False)
_OTHER_POLYNOMIAL = t.computed(lambda s: s.operand((s.draw(st.integers(1, 4)),), ("small",)))
_SUMS = Tolerance(64, "sums of products", "norm")
_CLOSE = {"rtol": t.choice(1e-2, 0.0), "atol": t.choice(0.5, 0.0), "equal_nan": t.flag()}
_WORDS = (
    "bool",
    "signed integer",
    "unsigned integer",
    "integral",
    "real floating",
    "complex floating",
    "numeric",
    ("bool", "numeric"),
    "no kind",
)


def _about(namespace: Any, name: str, dtype: Any) -> list[Any]:
    """Give the numbers of a finfo or an iinfo."""
    about = getattr(namespace, name)(dtype)
    numbers = ("bits", "min", "max") if name == "iinfo" else ("bits", "eps", "max", "min", "smallest_normal")
    return [float(getattr(about, number)) for number in numbers]


ROWS: tuple[Row, ...] = (
    *rows("can_cast", t.call(_LEAD, _DTYPES, casting=t.choice("safe", "same_kind", "unsafe", "no")), dtypes=PLAIN),
    *rows("result_type promote_types", t.call(_LEAD, _DTYPES), dtypes=PLAIN),
    *rows("result_type", t.call(_ANY, _DTYPES, t.choice(1, 2.0, 1j, True)), dtypes=PLAIN),
    *rows("isdtype", t.call(_LEAD, t.choice(*_WORDS)), dtypes=PLAIN),
    *rows("issubdtype", t.call(_LEAD, t.choice(np.integer, np.floating, np.inexact, np.number, np.float32, np.generic)), dtypes=PLAIN),
    *rows("finfo", t.call(_LEAD), dtypes=PLAIN, reference=lambda d: _about(np, "finfo", d), function=lambda xp, d: _about(xp, "finfo", d)),
    *rows("iinfo", t.call(_LEAD), dtypes=PLAIN, reference=lambda d: _about(np, "iinfo", d), function=lambda xp, d: _about(xp, "iinfo", d)),
    *rows("min_scalar_type", t.call(t.choice(1, -1, 300, 2.5, 1e300, 1j, True)), dtypes=(np.dtype(np.float64),)),
    *rows("common_type", t.call(_ANY, t.partner(*t.ANY, scalars=False)), dtypes=PLAIN),
    *rows("mintypecode", t.call(t.choice("f", "d", "fD", "i"), typeset=t.choice("GDFgdf", "FD")), dtypes=(np.dtype(np.float64),)),
    *rows("typename", t.call(t.choice("f", "d", "?", "l", "no")), dtypes=(np.dtype(np.float64),)),
    *rows("iscomplexobj isrealobj isscalar iterable isfortran", t.call(_ANY), dtypes=PLAIN),
    *rows("isscalar iterable", t.call(t.choice(1, 2.5, "text", [1], None)), dtypes=(np.dtype(np.float64),)),
    *rows("ndim shape", t.call(_ANY)),
    *rows("size", t.call(_ANY, axis=t.axis(none=True))),
    *rows("array_equal", t.call(_ANY, t.partner(*t.ANY, same=True), equal_nan=t.flag())),
    *rows("array_equiv", t.call(_ANY, t.partner(*t.ANY))),
    *rows("isclose allclose", t.call(t.array("small", "any"), t.partner("small", "any"), **_CLOSE), EXACT, dtypes=PLAIN),
    *rows("shares_memory may_share_memory", t.call(_ANY, t.other(*t.ANY))),
    *rows("binary_repr", t.call(t.choice(0, 5, -3, 255), width=t.choice(None, 8, 12)), dtypes=(np.dtype(np.int64),)),
    *rows("base_repr", t.call(t.choice(0, 5, -3, 255), base=t.choice(2, 16, 36, 37), padding=t.choice(0, 3)), dtypes=(np.dtype(np.int64),)),
    *rows(
        "format_float_positional format_float_scientific",
        t.call(t.choice(1.5, 1e-20, 123456.0, -0.0), precision=t.choice(None, 3), trim=t.choice("k", "-")),
        dtypes=(np.dtype(np.float64),),
    ),
    *rows("poly", t.call(_POLYNOMIAL), _SUMS, dtypes=PLAIN),
    *rows("polyadd polysub polymul", t.call(_POLYNOMIAL, _OTHER_POLYNOMIAL), _SUMS),
    *rows(
        "polydiv",
        t.call(t.array("well-conditioned", "positive", dims=(1, 1), long=False), t.choice([2.0, 1], [1.0], [4.0, -2, 1])),
        _SUMS,
        dtypes=PLAIN,
    ),
    *rows("polyval", t.call(_POLYNOMIAL, t.array("small")), _SUMS),
    *rows("polyder", t.call(_POLYNOMIAL, m=t.choice(0, 1, 2, -1)), _SUMS),
    *rows("polyint", t.call(_POLYNOMIAL, m=t.choice(0, 1, 2, -1)), _SUMS, dtypes=PLAIN),
    *rows(
        "polyfit",
        t.call(t.computed(lambda s: s.operand((5,), ("ascending",))), t.computed(lambda s: s.operand((5,), ("small",))), t.choice(0, 1, 2)),
        Tolerance(4096, "least squares with powers up to the second, condition number below 100", "norm"),
        dtypes=PLAIN,
    ),
    *rows("roots", t.call(t.choice([1.0, -3, 2], [1, 0, 1], [2.0], [])), _SUMS, dtypes=(np.dtype(np.float64),)),
)
