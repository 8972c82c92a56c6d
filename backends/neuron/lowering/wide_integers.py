"""Elementwise functions of 64-bit integers, from those of their words of 32 bits, modulo 2**64."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from ...dtypes import INT32, INT64, UINT64, DType
from ..graph.build import cast, elementwise, fill
from ..graph.graph import Node
from .float_nodes import test

__all__ = [
    "ALL_BITS", "WIDE_INTEGERS", "Words", "add", "choose", "function_of_words", "is_negative", "narrow", "negative", "number", "word",
]  # fmt: skip

_WORD: Final = np.dtype(np.uint32)
_BYTE: Final = np.dtype(np.uint8)
ALL_BITS: Final = 0xFFFFFFFF
_HALF: Final = 0xFFFF

Words = tuple[Node, ...]
"""The high word and the low one, both uint32."""


def word(name: str, *nodes: Node) -> Node:
    """Apply a function of words."""
    return elementwise(name, *nodes, dtype=_WORD)


def number(value: int, dtype: DType = _WORD) -> Node:
    """Make a constant."""
    return fill(value, (), dtype)


def _sum(first: Node, *others: Node) -> Node:
    for other in others:
        first = word("add", first, other)
    return first


def _signed(high: Node) -> Node:
    """Look at the high word of an int64."""
    return cast(high, INT32)


def is_negative(a: Words) -> Node:
    """Find negative int64."""
    return test("less", _signed(a[0]), number(0, INT32))


def narrow(a: Words, dtype: DType) -> tuple[Node, Node]:
    """Give numbers 32 bits, and tell which ones these hold."""
    low = cast(a[1], dtype)
    if dtype != INT32:
        return low, test("equal", a[0], number(0))
    sign = elementwise("right_shift", low, number(31, INT32), dtype=INT32)
    return low, test("equal", _signed(a[0]), sign)


def choose(mask: Node, one: Words, other: Words) -> Words:
    """Take elements of one number where a mask is true, else of another."""
    return tuple(word("where", mask, *pair) for pair in zip(one, other, strict=True))


def add(a: Words, b: Words) -> Words:
    """Add."""
    low = word("add", a[1], b[1])
    return _sum(a[0], b[0], cast(test("less", low, a[1]), _WORD)), low


def _subtract(a: Words, b: Words) -> Words:
    borrow = cast(test("less", a[1], b[1]), _WORD)
    return word("subtract", word("subtract", a[0], b[0]), borrow), word("subtract", a[1], b[1])


def _multiply(a: Words, b: Words) -> Words:
    """Multiply the low words by their halves, of which no product exceeds 32 bits; of the high words the low words of products count."""
    (x, x_upper), (y, y_upper) = ((word("bitwise_and", item[1], number(_HALF)), _upper(item[1])) for item in (a, b))
    low, left, right, high = (word("multiply", *pair) for pair in ((x, y), (x, y_upper), (x_upper, y), (x_upper, y_upper)))
    middle = _sum(_upper(low), *(word("bitwise_and", item, number(_HALF)) for item in (left, right)))
    high = _sum(high, *map(_upper, (left, right, middle)), *(word("multiply", *pair) for pair in ((a[0], b[1]), (a[1], b[0]))))
    low = word("bitwise_and", low, number(_HALF))
    return high, word("bitwise_or", low, word("left_shift", middle, number(16)))


def _upper(a: Node) -> Node:
    return word("right_shift", a, number(16))


def negative(a: Words) -> Words:
    """Change the sign."""
    return _subtract((number(0), number(0)), a)


def _positive(a: Words) -> Words:
    return a


def _absolute(a: Words) -> Words:
    return choose(is_negative(a), negative(a), a)


def _sign(a: Words) -> Words:
    rest = word("where", is_negative(a), number(ALL_BITS), number(0))
    return rest, word("bitwise_or", rest, cast(_truth(a), _WORD))


def _sign_of_unsigned(a: Words) -> Words:
    low = cast(_truth(a), _WORD)
    return fill(0, low.shape, _WORD), low


def _bitwise(name: str) -> Callable[..., Words]:
    def run(*operands: Words) -> Words:
        return tuple(word(name, *words) for words in zip(*operands, strict=True))

    return run


def _invert(a: Words) -> Words:
    return tuple(word("invert", item) for item in a)


def _bit_count(a: Words) -> Words:
    return (elementwise("add", *(elementwise("bitwise_count", item, dtype=_BYTE) for item in a), dtype=_BYTE),)


def _count_of_signed(a: Words) -> Words:
    return _bit_count(_absolute(a))


def _counts(n: Words) -> tuple[Node, Node, Node]:
    """
    Give a count of places, what 32 places leave of it, and what it leaves of 32, as words.

    Shifts of a word by 32 places or more, and so by what is less than 0, leave nothing of it; all large counts are as good as each other.
    """
    count = word("where", test("not_equal", n[0], number(0)), number(ALL_BITS), n[1])
    return count, word("subtract", count, number(32)), word("subtract", number(32), count)


def _left_shift(a: Words, n: Words) -> Words:
    count, beyond, rest = _counts(n)
    crossing = word("bitwise_or", word("right_shift", a[1], rest), word("left_shift", a[1], beyond))
    return word("bitwise_or", word("left_shift", a[0], count), crossing), word("left_shift", a[1], count)


def _right_shift(a: Words, n: Words) -> Words:
    count, beyond, rest = _counts(n)
    crossing = word("bitwise_or", word("left_shift", a[0], rest), word("right_shift", a[0], beyond))
    return word("right_shift", a[0], count), word("bitwise_or", word("right_shift", a[1], count), crossing)


def _arithmetic_right_shift(a: Words, n: Words) -> Words:
    """Shift, and let copies of the sign follow."""
    count, beyond, rest = _counts(n)
    high, far = (
        cast(elementwise("right_shift", _signed(a[0]), cast(places, INT32), dtype=INT32), _WORD) for places in (count, beyond)
    )
    near = word("bitwise_or", word("right_shift", a[1], count), word("left_shift", a[0], rest))
    return high, word("where", test("less", count, number(32)), near, far)


def _equal(a: Words, b: Words) -> Words:
    return (test("logical_and", *(test("equal", *pair) for pair in zip(a, b, strict=True))),)


def _not_equal(a: Words, b: Words) -> Words:
    return (test("logical_or", *(test("not_equal", *pair) for pair in zip(a, b, strict=True))),)


def _reciprocal(signed: bool) -> Callable[[Words], Words]:
    """Divide 1: what is not 1, or -1, gives 0, but 0 itself, of int64, the least number, as in NumPy's loop."""

    def run(a: Words) -> Words:
        nothing = number(0)
        (unit,) = _equal(a, (nothing, number(1)))
        if not signed:
            return choose(unit, a, (nothing, nothing))
        unit = test("logical_or", unit, _equal(a, (number(ALL_BITS), number(ALL_BITS)))[0])
        of_none = choose(_truth(a), (nothing, nothing), (number(1 << 31), nothing))
        return choose(unit, a, of_none)

    return run


def _ordered(name: str, signed: bool) -> Callable[[Words, Words], Words]:
    """Compare high words, and low words where those are equal."""
    strict = name.removesuffix("_equal")

    def run(a: Words, b: Words) -> Words:
        high = [_signed(item[0]) if signed else item[0] for item in (a, b)]
        by_low = test("logical_and", test("equal", *high), test(name, a[1], b[1]))
        return (test("logical_or", test(strict, *high), by_low),)

    return run


def _ordered_by_sign(name: str, signed_first: bool) -> Callable[[Words, Words], Words]:
    """Compare a signed number with an unsigned one: a negative one is less, others compare as unsigned ones do."""
    both_unsigned = WIDE_INTEGERS[UINT64][name]
    below = name == "not_equal" or name.startswith("less" if signed_first else "greater")

    def run(a: Words, b: Words) -> Words:
        negative = is_negative(a if signed_first else b)
        (as_unsigned,) = both_unsigned(a, b)
        if below:
            return (test("logical_or", negative, as_unsigned),)
        return (test("logical_and", test("logical_not", negative), as_unsigned),)

    return run


def _extreme(comparison: str, signed: bool) -> Callable[[Words, Words], Words]:
    compare = _ordered(comparison, signed)

    def run(a: Words, b: Words) -> Words:
        return choose(compare(a, b)[0], a, b)

    return run


def _clip(signed: bool) -> Callable[[Words, Words, Words], Words]:
    largest, least = _extreme("greater", signed), _extreme("less", signed)
    return lambda a, low, high: least(largest(a, low), high)


def _always(value: bool) -> Callable[[Words], Words]:
    return lambda a: (fill(value, a[1].shape, _BYTE),)


def _truth(a: Words) -> Node:
    return test("not_equal", word("bitwise_or", *a), number(0))


def _logical(name: str) -> Callable[..., Words]:
    def run(*operands: Words) -> Words:
        return (test(name, *map(_truth, operands)),)

    return run


def _comparisons(signed: bool) -> dict[str, Callable[[Words, Words], Words]]:
    ordered = {name: _ordered(name, signed) for name in ("less", "less_equal", "greater", "greater_equal")}
    return {"equal": _equal, "not_equal": _not_equal, **ordered}


def _functions(signed: bool) -> dict[str, Callable[..., Words]]:
    return {
        "add": add,
        "subtract": _subtract,
        "multiply": _multiply,
        "square": lambda a: _multiply(a, a),
        "negative": negative,
        "reciprocal": _reciprocal(signed),
        "absolute": _absolute if signed else _positive,
        "sign": _sign if signed else _sign_of_unsigned,
        **dict.fromkeys(("positive", "conjugate", "floor", "ceil", "trunc"), _positive),
        **{name: _bitwise(name) for name in ("bitwise_and", "bitwise_or", "bitwise_xor")},
        "invert": _invert,
        "left_shift": _left_shift,
        "right_shift": _arithmetic_right_shift if signed else _right_shift,
        **_comparisons(signed),
        **dict.fromkeys(("maximum", "fmax"), _extreme("greater", signed)),
        **dict.fromkeys(("minimum", "fmin"), _extreme("less", signed)),
        "clip": _clip(signed),
        **dict.fromkeys(("isnan", "isinf"), _always(False)),
        "isfinite": _always(True),
        "signbit": (lambda a: (is_negative(a),)) if signed else _always(False),
        **{name: _logical(name) for name in ("logical_and", "logical_or", "logical_xor", "logical_not")},
        "bitwise_count": _count_of_signed if signed else _bit_count,
    }


WIDE_INTEGERS: Final[Mapping[DType, Mapping[str, Callable[..., Any]]]] = {INT64: _functions(True), UINT64: _functions(False)}
"""By dtype and Op: functions of (high word, low word)."""

_OF_BOTH: Final[Mapping[tuple[DType, ...], Mapping[str, Callable[..., Any]]]] = {
    (INT64, UINT64): {name: _ordered_by_sign(name, signed_first=True) for name in _comparisons(signed=False)},
    (UINT64, INT64): {name: _ordered_by_sign(name, signed_first=False) for name in _comparisons(signed=False)},
}


def function_of_words(name: str, dtypes: Sequence[DType]) -> Callable[..., Any] | None:
    """Find a function of 64-bit integers."""
    first = dtypes[0]
    table = WIDE_INTEGERS.get(first, {}) if all(dtype == first for dtype in dtypes) else _OF_BOTH.get(tuple(dtypes), {})
    return table.get(name)
