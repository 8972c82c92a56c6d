"""One of several values: where, maximum, minimum, fmax, fmin, clip. The bits of the chosen one are copied.

What the hardware's `max` and `min` make of NaN and of zeros of different signs is not documented; comparisons and predicated copies
follow NumPy: of equal values the second (the bound of clip) is taken, which decides between zeros; maximum and minimum give
NaN where an operand is NaN, fmax and fmin only where both are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ....isa import nl
from ...function import FLOATS, INTEGERS, NARROW_INTEGERS, WIDE_INTEGERS, DtypeLoop, Emitter, Tile, loops
from .alu import arithmetic, copy, in_dtype, is_nan, patch
from .comparison import compare_words

__all__ = ["SELECTION"]


def _where(dst: Tile, condition: Tile, x: Tile, y: Tile) -> None:
    x, y = in_dtype(x, dst.dtype), in_dtype(y, dst.dtype)
    if dst is x:
        patch(dst, y, condition, reverse=True)
    else:
        copy(dst, y)
        patch(dst, x, condition)


def _of_floats(op: Any, number_first: bool) -> Callable[[Tile, Tile, Tile], None]:
    """Take the second but where the comparison favours the first, and where the first (or, for fmax, the second) is NaN."""

    def emit(dst: Tile, x: Tile, y: Tile) -> None:
        x, y = in_dtype(x, dst.dtype), in_dtype(y, dst.dtype)
        better = arithmetic(op, x, y, dtype=nl.uint8)
        nan = is_nan(y if number_first else x)
        copy(dst, y)
        patch(dst, x, better)
        patch(dst, x, nan)

    return emit


def _of_words(op: Any) -> Callable[[Tile, Tile, Tile], None]:
    def emit(dst: Tile, x: Tile, y: Tile) -> None:
        x, y = in_dtype(x, dst.dtype), in_dtype(y, dst.dtype)
        better = compare_words(op, x, y)
        copy(dst, y)
        patch(dst, x, better)

    return emit


def _of_narrow(op: Any) -> Callable[[Tile, Tile, Tile], None]:
    def emit(dst: Tile, x: Tile, y: Tile) -> None:
        arithmetic(op, x, y, dst)

    return emit


def _extremum(op: Any, narrow: Any, number_first: bool) -> dict[str, DtypeLoop]:
    return {
        **loops(FLOATS, _of_floats(op, number_first), may_alias=(1,)),
        **loops(NARROW_INTEGERS, _of_narrow(narrow), may_alias=(0, 1)),
        **loops(WIDE_INTEGERS, _of_words(op), may_alias=(1,)),
        **loops(("bool",), _of_narrow(narrow), "uint8", (0, 1)),
    }


def _clip_floats(dst: Tile, x: Tile, low: Tile, high: Tile) -> None:
    copy(dst, x)
    for bound, op in ((low, nl.less_equal), (high, nl.greater_equal)):
        bound = in_dtype(bound, dst.dtype)
        beyond, nan = arithmetic(op, dst, bound, dtype=nl.uint8), is_nan(bound)
        patch(dst, bound, beyond)
        patch(dst, bound, nan)


def _clip_words(dst: Tile, x: Tile, low: Tile, high: Tile) -> None:
    copy(dst, x)
    for bound, op in ((low, nl.less), (high, nl.greater)):
        bound = in_dtype(bound, dst.dtype)
        patch(dst, bound, compare_words(op, dst, bound))


def _clip_narrow(dst: Tile, x: Tile, low: Tile, high: Tile) -> None:
    arithmetic(nl.minimum, arithmetic(nl.maximum, x, low, dtype=dst.dtype), high, dst)


SELECTION: Final = (
    Emitter(
        "where",
        3,
        {
            **loops((*FLOATS, *INTEGERS), _where, may_alias=(1, 2)),
            **loops(("bool",), _where, "uint8", (1, 2)),
        },
    ),
    Emitter("maximum", 2, _extremum(nl.greater, nl.maximum, False)),
    Emitter("minimum", 2, _extremum(nl.less, nl.minimum, False)),
    Emitter("fmax", 2, _extremum(nl.greater, nl.maximum, True)),
    Emitter("fmin", 2, _extremum(nl.less, nl.minimum, True)),
    Emitter(
        "clip",
        3,
        {
            **loops(FLOATS, _clip_floats, may_alias=(0,)),
            **loops(NARROW_INTEGERS, _clip_narrow, may_alias=(0, 1, 2)),
            **loops(WIDE_INTEGERS, _clip_words, may_alias=(0,)),
        },
    ),
)
