"""Floor division and remainders of int64 and uint64, from the quotient and the remainder of magnitudes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from ...dtypes import INT64, UINT64, DType
from ..graph.build import fill
from ..graph.graph import Node
from .float_nodes import test
from .wide_integers import WIDE_INTEGERS, Words, add, choose, is_negative, negative, number, word

__all__ = ["WIDE_DIVISION"]

_WORD: Final = np.dtype(np.uint32)


def _quotient(x: Words, y: Words) -> Words:
    return word("wide.quotient.high", *x, *y), word("wide.quotient.low", *x, *y)


def _rest(x: Words, y: Words) -> Words:
    return word("wide.rest.high", *x, *y), word("wide.rest.low", *x, *y)


def _size(x: Words) -> Words:
    found: Words = WIDE_INTEGERS[INT64]["absolute"](x)
    return found


def _nonzero(x: Words) -> Node:
    return test("not_equal", word("bitwise_or", *x), number(0))


def _parts(x: Words, y: Words) -> tuple[Words, Words, Node, Node]:
    """Give quotient and remainder of magnitudes, whether signs differ, and whether they do where something remains."""
    sizes = _size(x), _size(y)
    quotient, rest = _quotient(*sizes), _rest(*sizes)
    differ = test("logical_xor", is_negative(x), is_negative(y))
    return quotient, rest, differ, test("logical_and", differ, _nonzero(rest))


def _gcd(x: Words, y: Words) -> Words:
    return word("wide.gcd.high", *x, *y), word("wide.gcd.low", *x, *y)


def _lcm(x: Words, y: Words) -> Words:
    """Multiply a number without the divisors that the other one has, too, modulo 2**64; of 0 it is 0."""
    found: Words = WIDE_INTEGERS[UINT64]["multiply"](_quotient(x, _gcd(x, y)), y)
    return found


def _of_sizes(function: Callable[[Words, Words], Words]) -> Callable[[Words, Words], Words]:
    def run(x: Words, y: Words) -> Words:
        return function(_size(x), _size(y))

    return run


def _floor_divide(x: Words, y: Words) -> Words:
    """Round down; by 0 it is 0."""
    quotient, _, differ, apart = _parts(x, y)
    one = fill(0, (), _WORD), word("where", apart, number(1), number(0))
    return choose(differ, negative(add(quotient, one)), quotient)


def _remainder(x: Words, y: Words) -> Words:
    """Give what remains the divisor's sign; of 0 nothing remains."""
    _, rest, _, apart = _parts(x, y)
    rest = choose(is_negative(x), negative(rest), rest)
    return choose(apart, add(rest, y), rest)


def _fmod(x: Words, y: Words) -> Words:
    rest = _rest(_size(x), _size(y))
    return choose(is_negative(x), negative(rest), rest)


WIDE_DIVISION: Final[Mapping[DType, Mapping[str, Callable[[Words, Words], Words]]]] = {
    INT64: {"floor_divide": _floor_divide, "remainder": _remainder, "fmod": _fmod, "gcd": _of_sizes(_gcd), "lcm": _of_sizes(_lcm)},
    UINT64: {"floor_divide": _quotient, "remainder": _rest, "fmod": _rest, "gcd": _gcd, "lcm": _lcm},
}
"""By dtype and function: of the words of two integers."""
