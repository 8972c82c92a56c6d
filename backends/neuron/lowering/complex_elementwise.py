"""Elementwise functions of complex numbers, from those of real and imaginary parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ...dtypes import BOOL
from ..build import elementwise
from ..graph import Node

__all__ = ["COMPLEX"]

Pair = tuple[Node, ...]


def _real(name: str, *nodes: Node) -> Node:
    return elementwise(name, *nodes, dtype=nodes[0].dtype)


def _add(a: Pair, b: Pair) -> Pair:
    return _real("add", a[0], b[0]), _real("add", a[1], b[1])


def _subtract(a: Pair, b: Pair) -> Pair:
    return _real("subtract", a[0], b[0]), _real("subtract", a[1], b[1])


def _multiply(a: Pair, b: Pair) -> Pair:
    """Take the four products, each rounded, as NumPy's loop does."""
    real = _real("subtract", _real("multiply", a[0], b[0]), _real("multiply", a[1], b[1]))
    imaginary = _real("add", _real("multiply", a[0], b[1]), _real("multiply", a[1], b[0]))
    return real, imaginary


def _negative(a: Pair) -> Pair:
    return _real("negative", a[0]), _real("negative", a[1])


def _positive(a: Pair) -> Pair:
    return a


def _conjugate(a: Pair) -> Pair:
    return a[0], _real("negative", a[1])


def _square(a: Pair) -> Pair:
    return _multiply(a, a)


def _both(name: str, join: str) -> Callable[[Pair, Pair], Pair]:
    def run(a: Pair, b: Pair) -> Pair:
        parts = [elementwise(name, x, y, dtype=BOOL) for x, y in zip(a, b, strict=True)]
        return (elementwise(join, *parts, dtype=BOOL),)

    return run


def _any_part(name: str, join: str) -> Callable[[Pair], Pair]:
    def run(a: Pair) -> Pair:
        return (elementwise(join, *(elementwise(name, x, dtype=BOOL) for x in a), dtype=BOOL),)

    return run


COMPLEX: Final[Mapping[str, Callable[..., Any]]] = {
    "add": _add,
    "subtract": _subtract,
    "multiply": _multiply,
    "negative": _negative,
    "positive": _positive,
    "conjugate": _conjugate,
    "square": _square,
    "equal": _both("equal", "logical_and"),
    "not_equal": _both("not_equal", "logical_or"),
    "isnan": _any_part("isnan", "logical_or"),
    "isinf": _any_part("isinf", "logical_or"),
    "isfinite": _any_part("isfinite", "logical_and"),
}
"""By Op: functions of (real part, imaginary part)."""
