"""Order of binary64 numbers: comparisons, extremes, and keys of 64 bits that are ordered as the numbers are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from .....isa import nl
from .frame import MAGNITUDE, NAN, SIGN, classes
from .instruction_graph import Graph, Word
from .sums import by_magnitude

__all__ = ["COMPARISONS", "EXTREMES", "PREDICATES"]

Words = tuple[Word, Word]
_NAN32: Final = 0x7FC00000


def _difference(a: Words, b: Words) -> Word:
    """
    Give a float32 number with the sign of a - b, NaN where one of them is.

    Of numbers with one sign it is the difference of magnitudes; of numbers with different ones a sum of magnitudes, larger than that.
    """
    order = by_magnitude(a, b)
    apart = (a[0] ^ b[0]).part(1, nl.int16).sign(-2.0, -1.0, nl.float32).scaled(0.5, 0.5)
    total = ((a[0] & MAGNITUDE) + (b[0] & MAGNITUDE)).scaled(2.0**34) + (a[1] + b[1]).scaled(2.0)
    sign = a[0].part(1, nl.int16).sign(2.0, 1.0)
    found = (order + total * apart) * sign
    nan = classes(*a)[1].arithmetic("maximum", classes(*b)[1]).test("greater", 0.0)
    return found.view(nl.uint32).patched(nan, _NAN32).view(nl.float32)


def _comparison(name: str) -> Callable[..., tuple[Word]]:
    def build(graph: Graph, a_high: Word, a_low: Word, b_high: Word, b_low: Word) -> tuple[Word]:  # noqa: ARG001
        return (_difference((a_high, a_low), (b_high, b_low)).test(name, 0.0),)

    return build


def _extreme(name: str, number_first: bool) -> Callable[..., Words]:
    """Take the second but where the comparison favours the first, and where the first (or, for fmax, the second) is NaN."""

    def build(graph: Graph, a_high: Word, a_low: Word, b_high: Word, b_low: Word) -> Words:  # noqa: ARG001
        better = _difference((a_high, a_low), (b_high, b_low)).test(name, 0.0)
        nan = classes(*((b_high, b_low) if number_first else (a_high, a_low)))[1].test("greater", 0.0)
        first = better | nan
        return b_high.patched(first, a_high), b_low.patched(first, a_low)

    return build


def _isnan(graph: Graph, high: Word, low: Word) -> tuple[Word]:  # noqa: ARG001
    return (classes(high, low)[1].test("greater", 0.0),)


def _isinf(graph: Graph, high: Word, low: Word) -> tuple[Word]:  # noqa: ARG001
    return ((((high << 1) ^ 0xFFE00000) | low).test("equal", 0.0),)


def _isfinite(graph: Graph, high: Word, low: Word) -> tuple[Word]:  # noqa: ARG001
    return ((high & MAGNITUDE).high.test("less", float(0x7FF0)),)


def _signbit(graph: Graph, high: Word, low: Word) -> tuple[Word]:  # noqa: ARG001
    return (high.part(1, nl.int16).test("less", 0.0),)


def _nonzero(graph: Graph, high: Word, low: Word) -> tuple[Word]:  # noqa: ARG001
    return (((high << 1) | low).test("not_equal", 0.0),)


def _sign(graph: Graph, high: Word, low: Word) -> Words:
    """Give 1 with the sign, 0, or NaN."""
    one = graph.constant(0x3FF00000).patched(((high << 1) | low).test("equal", 0.0), 0)
    found = (one.patched(classes(high, low)[1].test("greater", 0.0), NAN)) | (high & SIGN)
    return found.patched(((high << 1) | low).test("equal", 0.0), 0), low.sub(low)


COMPARISONS: Final = {name: _comparison(name) for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")}
EXTREMES: Final = {
    "maximum": _extreme("greater", False),
    "minimum": _extreme("less", False),
    "fmax": _extreme("greater", True),
    "fmin": _extreme("less", True),
    "sign": _sign,
}
PREDICATES: Final = {"isnan": _isnan, "isinf": _isinf, "isfinite": _isfinite, "signbit": _signbit, "nonzero": _nonzero}
