"""float64 on the device: functions of its words of 32 bits, the high one first, with NumPy's bits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from ...dtypes import BOOL, FLOAT32, UINT32
from ...settings import get_config
from ..function import FUNCTIONS
from ..graph.build import elementwise, fill
from ..graph.graph import Node
from ..graph.primitives import Fill
from ..planes import split
from . import NotNativeError

__all__ = ["BINARY64", "Words", "binary64", "check_setting", "constant_words"]

Words = tuple[Node, ...]
_SIGN: Final = 0x80000000
_MAGNITUDE: Final = 0x7FFFFFFF


def check_setting() -> None:
    """Refuse to compute with float64 where the setting `float64` leaves that to the host."""
    if get_config().float64 == "host":
        raise NotNativeError('the setting float64="host" asks for that')


def binary64(name: str, *words: Node) -> Any:
    """Apply a function of words: a node, or the words of a result."""
    single = f"float64.{name}"
    if single in FUNCTIONS:
        dtype = FUNCTIONS[single].loops[words[0].dtype.name].result
        return elementwise(single, *words, dtype=BOOL if dtype == "uint8" else np.dtype(dtype))
    parts = ("high", "low", "exponent") if f"{single}.exponent" in FUNCTIONS else ("high", "low")
    return tuple([elementwise(f"{single}.{part}", *words, dtype=UINT32) for part in parts])


def constant_words(value: float, shape: tuple[int, ...] = ()) -> Words:
    """Make a constant."""
    return tuple(fill(int(plane.item()), shape, UINT32) for plane in split(np.asarray(value, np.float64)))


def _words(item: Node | Words) -> Words:
    """Take an operand: words, or a constant of floats."""
    if isinstance(item, tuple):
        return item
    if isinstance(item.primitive, Fill) and item.dtype == FLOAT32:
        assert item.primitive.value is not None
        return constant_words(item.primitive.value, item.shape)
    raise AssertionError(f"{item} is no float64")  # an operand of a lowering, which makes all of them


def _plain(name: str) -> Callable[..., Any]:
    def run(*operands: Node | Words) -> Any:
        check_setting()
        return binary64(name, *[node for item in operands for node in _words(item)])

    return run


def _test(name: str) -> Callable[..., Words]:
    def run(*operands: Node | Words) -> Words:
        return (_plain(name)(*operands),)

    return run


def _bits(name: str, one: Node, other: Node | int) -> Node:
    return elementwise(name, one, fill(other, (), UINT32) if isinstance(other, int) else other, dtype=UINT32)


def _negative(a: Words) -> Words:
    return _bits("bitwise_xor", a[0], _SIGN), a[1]


def _absolute(a: Words) -> Words:
    return _bits("bitwise_and", a[0], _MAGNITUDE), a[1]


def _positive(a: Words) -> Words:
    return a


def _copysign(a: Words, b: Words) -> Words:
    a, b = _words(a), _words(b)
    return _bits("bitwise_or", _bits("bitwise_and", a[0], _MAGNITUDE), _bits("bitwise_and", b[0], _SIGN)), a[1]


def _clip(a: Words, low: Words, high: Words) -> Words:
    found: Words = _plain("minimum")(_plain("maximum")(a, low), high)
    return found


def _where(mask: Node, one: Node | Words, other: Node | Words) -> Words:
    return tuple(elementwise("where", mask, *pair, dtype=UINT32) for pair in zip(_words(one), _words(other), strict=True))


def _logical(name: str) -> Callable[..., Words]:
    def run(*operands: Words) -> Words:
        return (elementwise(name, *[binary64("nonzero", *_words(item)) for item in operands], dtype=BOOL),)

    return run


def _step(a: Words, up: Node) -> Words:
    """Go to the next number of larger magnitude, or of smaller one; carries go from word to word."""
    low = elementwise("add", a[1], elementwise("where", up, fill(1, (), UINT32), fill(0xFFFFFFFF, (), UINT32), dtype=UINT32), dtype=UINT32)
    edge = elementwise("where", up, low, a[1], dtype=UINT32)  # 0 where the high word changes
    carry = elementwise("where", up, fill(1, (), UINT32), fill(0xFFFFFFFF, (), UINT32), dtype=UINT32)
    crossed = elementwise("equal", edge, fill(0, (), UINT32), dtype=BOOL)
    high = elementwise("add", a[0], elementwise("where", crossed, carry, fill(0, (), UINT32), dtype=UINT32), dtype=UINT32)
    return high, low


def _nextafter(a: Words, b: Words) -> Words:
    a, b = _words(a), _words(b)
    zero = elementwise("logical_not", binary64("nonzero", *a), dtype=BOOL)
    less = binary64("less", *a, *b)
    below = elementwise("logical_xor", less, binary64("signbit", *a), dtype=BOOL)
    moved = _step(a, below)
    least = _bits("bitwise_and", b[0], _SIGN), fill(1, (), UINT32)
    found = _where(zero, least, moved)
    found = _where(binary64("equal", *a, *b), b, found)
    nan = elementwise("logical_or", *[binary64("isnan", *item) for item in (a, b)], dtype=BOOL)
    quiet = _bits("bitwise_or", _bits("bitwise_or", a[0], b[0]), 0x7FF80000), a[1]
    return _where(nan, quiet, found)


def _spacing(a: Words) -> Words:
    """Subtract from the next number of larger magnitude, of the same sign but for 0; of what is not finite that is NaN."""
    zero = elementwise("logical_not", binary64("nonzero", *a), dtype=BOOL)
    a = _where(zero, constant_words(0.0), a)
    found = _plain("subtract")(_step(a, elementwise("equal", a[1], a[1], dtype=BOOL)), a)
    return _where(binary64("isfinite", *a), found, constant_words(float("nan")))


BINARY64: Final[Mapping[str, Callable[..., Any]]] = {
    **{
        name: _plain(name)
        for name in (
            "add", "subtract", "multiply", "divide", "square", "reciprocal", "sqrt", "maximum", "minimum", "fmax", "fmin", "floor", "ceil",
            "trunc", "rint", "sign", "fmod", "hypot", "power", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin",
            "cos", "tan", "arcsin", "arccos", "arctan", "arctan2", "sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh",
        )
    },
    **{name: _plain(name) for name in ("log_gamma_slope", "scaled_erfc", "scaled_gamma")},
    **{f"special.{name}": _plain(name) for name in ("expit", "erf", "erfc", "ndtr", "gamma")},
    **{name: _test(name) for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")},
    **{name: _test(name) for name in ("isnan", "isinf", "isfinite", "signbit")},
    **{name: _logical(name) for name in ("logical_and", "logical_or", "logical_xor", "logical_not")},
    "negative": _negative,
    "absolute": _absolute,
    **dict.fromkeys(("positive", "conjugate"), _positive),
    "copysign": _copysign,
    "clip": _clip,
    "where": _where,
    "nextafter": _nextafter,
    "spacing": _spacing,
}  # fmt: skip
"""By Op: functions of (high word, low word); three of which others are made, by their own names."""
