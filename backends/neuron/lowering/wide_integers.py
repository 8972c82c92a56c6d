"""Elementwise functions of 64-bit integers, from those of their words of 32 bits, modulo 2**64."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from ...dtypes import BOOL, INT32, INT64, UINT64, DType
from ..build import cast, elementwise, fill
from ..graph import Node

__all__ = ["WIDE_INTEGERS"]

_WORD: Final = np.dtype(np.uint32)
_BYTE: Final = np.dtype(np.uint8)
_ALL: Final = 0xFFFFFFFF
_HALF: Final = 0xFFFF

Words = tuple[Node, ...]
"""The high word and the low one, both uint32."""


def _word(name: str, *nodes: Node) -> Node:
    return elementwise(name, *nodes, dtype=_WORD)


def _test(name: str, *nodes: Node) -> Node:
    return elementwise(name, *nodes, dtype=BOOL)


def _number(value: int, dtype: DType = _WORD) -> Node:
    return fill(value, (), dtype)


def _sum(first: Node, *others: Node) -> Node:
    for other in others:
        first = _word("add", first, other)
    return first


def _signed(word: Node) -> Node:
    """Look at the high word of an int64."""
    return cast(word, INT32)


def _is_negative(a: Words) -> Node:
    return _test("less", _signed(a[0]), _number(0, INT32))


def _choose(mask: Node, one: Words, other: Words) -> Words:
    return tuple(_word("where", mask, *pair) for pair in zip(one, other, strict=True))


def _add(a: Words, b: Words) -> Words:
    low = _word("add", a[1], b[1])
    return _sum(a[0], b[0], cast(_test("less", low, a[1]), _WORD)), low


def _subtract(a: Words, b: Words) -> Words:
    borrow = cast(_test("less", a[1], b[1]), _WORD)
    return _word("subtract", _word("subtract", a[0], b[0]), borrow), _word("subtract", a[1], b[1])


def _multiply(a: Words, b: Words) -> Words:
    """Multiply the low words by their halves, of which no product exceeds 32 bits; of the high words the low words of products count."""
    (x, x_upper), (y, y_upper) = ((_word("bitwise_and", item[1], _number(_HALF)), _upper(item[1])) for item in (a, b))
    low, left, right, high = (_word("multiply", *pair) for pair in ((x, y), (x, y_upper), (x_upper, y), (x_upper, y_upper)))
    middle = _sum(_upper(low), *(_word("bitwise_and", item, _number(_HALF)) for item in (left, right)))
    high = _sum(high, *map(_upper, (left, right, middle)), *(_word("multiply", *pair) for pair in ((a[0], b[1]), (a[1], b[0]))))
    low = _word("bitwise_and", low, _number(_HALF))
    return high, _word("bitwise_or", low, _word("left_shift", middle, _number(16)))


def _upper(word: Node) -> Node:
    return _word("right_shift", word, _number(16))


def _square(a: Words) -> Words:
    return _multiply(a, a)


def _negative(a: Words) -> Words:
    return _subtract((_number(0), _number(0)), a)


def _positive(a: Words) -> Words:
    return a


def _absolute(a: Words) -> Words:
    return _choose(_is_negative(a), _negative(a), a)


def _sign(a: Words) -> Words:
    rest = _word("where", _is_negative(a), _number(_ALL), _number(0))
    return rest, _word("bitwise_or", rest, cast(_truth(a), _WORD))


def _sign_of_unsigned(a: Words) -> Words:
    low = cast(_truth(a), _WORD)
    return fill(0, low.shape, _WORD), low


def _bitwise(name: str) -> Callable[..., Words]:
    def run(*operands: Words) -> Words:
        return tuple(_word(name, *words) for words in zip(*operands, strict=True))

    return run


def _invert(a: Words) -> Words:
    return tuple(_word("invert", word) for word in a)


def _bit_count(a: Words) -> Words:
    return (elementwise("add", *(elementwise("bitwise_count", word, dtype=_BYTE) for word in a), dtype=_BYTE),)


def _count_of_signed(a: Words) -> Words:
    return _bit_count(_absolute(a))


def _counts(n: Words) -> tuple[Node, Node, Node]:
    """
    Give a count of places, what 32 places leave of it, and what it leaves of 32, as words.

    Shifts of a word by 32 places or more, and so by what is less than 0, leave nothing of it; all large counts are as good as each other.
    """
    count = _word("where", _test("not_equal", n[0], _number(0)), _number(_ALL), n[1])
    return count, _word("subtract", count, _number(32)), _word("subtract", _number(32), count)


def _left_shift(a: Words, n: Words) -> Words:
    count, beyond, rest = _counts(n)
    crossing = _word("bitwise_or", _word("right_shift", a[1], rest), _word("left_shift", a[1], beyond))
    return _word("bitwise_or", _word("left_shift", a[0], count), crossing), _word("left_shift", a[1], count)


def _right_shift(a: Words, n: Words) -> Words:
    count, beyond, rest = _counts(n)
    crossing = _word("bitwise_or", _word("left_shift", a[0], rest), _word("right_shift", a[0], beyond))
    return _word("right_shift", a[0], count), _word("bitwise_or", _word("right_shift", a[1], count), crossing)


def _arithmetic_right_shift(a: Words, n: Words) -> Words:
    """Shift, and let copies of the sign follow."""
    count, beyond, rest = _counts(n)
    high, far = (
        cast(elementwise("right_shift", _signed(a[0]), cast(places, INT32), dtype=INT32), _WORD) for places in (count, beyond)
    )
    near = _word("bitwise_or", _word("right_shift", a[1], count), _word("left_shift", a[0], rest))
    return high, _word("where", _test("less", count, _number(32)), near, far)


def _equal(a: Words, b: Words) -> Words:
    return (_test("logical_and", *(_test("equal", *pair) for pair in zip(a, b, strict=True))),)


def _not_equal(a: Words, b: Words) -> Words:
    return (_test("logical_or", *(_test("not_equal", *pair) for pair in zip(a, b, strict=True))),)


def _ordered(name: str, signed: bool) -> Callable[[Words, Words], Words]:
    """Compare high words, and low words where those are equal."""
    strict = name.removesuffix("_equal")

    def run(a: Words, b: Words) -> Words:
        high = [_signed(item[0]) if signed else item[0] for item in (a, b)]
        by_low = _test("logical_and", _test("equal", *high), _test(name, a[1], b[1]))
        return (_test("logical_or", _test(strict, *high), by_low),)

    return run


def _extreme(comparison: str, signed: bool) -> Callable[[Words, Words], Words]:
    compare = _ordered(comparison, signed)

    def run(a: Words, b: Words) -> Words:
        return _choose(compare(a, b)[0], a, b)

    return run


def _truth(a: Words) -> Node:
    return _test("not_equal", _word("bitwise_or", *a), _number(0))


def _logical(name: str) -> Callable[..., Words]:
    def run(*operands: Words) -> Words:
        return (_test(name, *map(_truth, operands)),)

    return run


def _functions(signed: bool) -> dict[str, Callable[..., Words]]:
    return {
        "add": _add,
        "subtract": _subtract,
        "multiply": _multiply,
        "square": _square,
        "negative": _negative,
        "absolute": _absolute if signed else _positive,
        "sign": _sign if signed else _sign_of_unsigned,
        **dict.fromkeys(("positive", "conjugate", "floor", "ceil", "trunc"), _positive),
        **{name: _bitwise(name) for name in ("bitwise_and", "bitwise_or", "bitwise_xor")},
        "invert": _invert,
        "left_shift": _left_shift,
        "right_shift": _arithmetic_right_shift if signed else _right_shift,
        "equal": _equal,
        "not_equal": _not_equal,
        **{name: _ordered(name, signed) for name in ("less", "less_equal", "greater", "greater_equal")},
        **dict.fromkeys(("maximum", "fmax"), _extreme("greater", signed)),
        **dict.fromkeys(("minimum", "fmin"), _extreme("less", signed)),
        **{name: _logical(name) for name in ("logical_and", "logical_or", "logical_xor", "logical_not")},
        "bitwise_count": _count_of_signed if signed else _bit_count,
    }


WIDE_INTEGERS: Final[Mapping[DType, Mapping[str, Callable[..., Any]]]] = {INT64: _functions(True), UINT64: _functions(False)}
"""By dtype and Op: functions of (high word, low word)."""
