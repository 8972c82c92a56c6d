"""Numbers of float64 with the operators of numbers, of which formulas are written: each operation is one of words, and rounds."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...dtypes import FLOAT32
from ...rules import Signature
from ..graph.build import broadcast, broadcast_scalar, cast, elementwise, iota, reshape, spread
from ..graph.graph import Node
from ..graph.primitives import Fill, Read, Write
from ..layout import Layout, contiguous_strides
from .binary64 import BINARY64, Words, binary64
from .exact_sums import sum64
from .float_nodes import number

__all__ = ["Real", "along_new_axis", "any_of", "choose", "function_of", "of_each", "of_words", "polynomial", "through_float32"]


def _operator(name: str) -> Callable[[Real, Real | float], Real]:
    def run(self: Real, other: Real | float) -> Real:
        return function_of(name, self, other)

    return run


def _reflected(name: str) -> Callable[[Real, float], Real]:
    def run(self: Real, other: float) -> Real:
        return function_of(name, other, self)

    return run


def _test(name: str) -> Callable[[Real, Real | float], Node]:
    def run(self: Real, other: Real | float) -> Node:
        found: tuple[Node] = BINARY64[name](self.words, _words(other))
        return found[0]

    return run


class Real:
    """
    A number for each element.

    Parameters
    ----------
    words : tuple of Node
        Its words, the high one first.
    """

    __slots__ = ("words",)

    def __init__(self, words: Words) -> None:
        self.words = words

    __add__ = __radd__ = _operator("add")
    __sub__, __rsub__ = _operator("subtract"), _reflected("subtract")
    __mul__ = __rmul__ = _operator("multiply")
    __truediv__, __rtruediv__ = _operator("divide"), _reflected("divide")
    __lt__, __le__ = _test("less"), _test("less_equal")
    __gt__, __ge__ = _test("greater"), _test("greater_equal")
    equals = _test("equal")

    def __neg__(self) -> Real:
        return function_of("negative", self)

    def __abs__(self) -> Real:
        return function_of("absolute", self)

    def is_nan(self) -> Node:
        """Find NaN."""
        found: tuple[Node] = BINARY64["isnan"](self.words)
        return found[0]


def _words(item: Real | float) -> Any:
    return item.words if isinstance(item, Real) else number(item)


def function_of(name: str, *operands: Real | float) -> Real:
    """Apply a function of words."""
    return Real(BINARY64[name](*map(_words, operands)))


def choose(mask: Node, one: Real | float, other: Real | float) -> Real:
    """Take elements of one number where a mask is true, else of another."""
    return Real(BINARY64["where"](mask, _words(one), _words(other)))


def any_of(*masks: Node) -> Node:
    """Tell whether one of several masks is true."""
    return functools.reduce(lambda one, other: elementwise("logical_or", one, other, dtype=np.dtype(bool)), masks)


def of_words(function: Callable[..., Real]) -> Callable[..., Words]:
    """Make a function of words of one of numbers."""

    def run(*operands: Any) -> Words:
        return function(*map(Real, operands)).words

    return run


def polynomial(coefficients: Sequence[float], x: Real) -> Real:
    """Sum coefficients times powers, of which the lowest is first."""
    total: Real | float = coefficients[-1]
    for coefficient in reversed(coefficients[:-1]):
        total = total * x + coefficient
    assert isinstance(total, Real)
    return total


def through_float32(name: str, x: Real) -> Real:
    """Apply a function of float32 to numbers rounded to that."""
    return Real(binary64("from_float32", elementwise(name, binary64("to_float32", *x.words), dtype=FLOAT32)))


def of_each(function: Callable[..., Real], *given: tuple[Real, ...] | Real) -> list[Real]:
    """Apply a function of some operands to several of these, side by side: its instructions are issued once."""
    rows = [item if isinstance(item, tuple) else (item,) for item in given]
    shape = np.broadcast_shapes(*(word.shape for row in rows for item in row for word in item.words))
    size = math.prod(shape)

    def stacked(items: Sequence[Node]) -> Node:
        result = Node(Fill(None, Signature((len(items) * size,), items[0].dtype)), ())
        for place, item in enumerate(items):
            part = reshape(spread((item,), shape)[0], (size,))
            result = Node(Write(Layout(place * size, (size,), (1,))), (result, part))
        return result

    columns = [
        Real(tuple([stacked(items) for items in zip(*(item.words for item in column), strict=True)])) for column in zip(*rows, strict=True)
    ]
    found = function(*columns).words
    layouts = [Layout(place * size, shape, contiguous_strides(shape)) for place in range(len(rows))]
    return [Real(tuple([Node(Read(layout), (word,)) for word in found])) for layout in layouts]


def along_new_axis(
    count: int, vectors: Callable[[Real], tuple[Real, ...]], function: Callable[..., Real], *operands: Real
) -> Real:  # fmt: skip
    """Sum, exactly, a function of vectors, which are made of 0, 1, … up to a count, and of operands, between which it is each with each."""
    shape = np.broadcast_shapes(*(item.words[0].shape for item in operands))
    rows = math.prod(shape)

    def in_rows(item: Real) -> Real:
        words = [word if word.shape == () != shape else reshape(broadcast_scalar(word, shape) if not word.shape else word, (rows, 1))
                 for word in item.words]  # fmt: skip
        return Real(tuple([broadcast(word, (rows, count)) for word in words]))

    made = vectors(Real(binary64("from_float32", cast(iota(count), FLOAT32))))
    terms = function(*[Real(tuple([broadcast(word, (rows, count)) for word in item.words])) for item in made], *map(in_rows, operands))
    return Real(tuple([reshape(word, shape) for word in sum64(terms.words, (1,))]))
