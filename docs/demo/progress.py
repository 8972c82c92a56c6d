"""A bar that tells how far a loop has come."""

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
_WIDTH = 40


def progress(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """Hand items on, and draw a bar on the terminal while they come; where there is no terminal, draw nothing."""
    shown = sys.stderr.isatty()
    for number, item in enumerate(items, 1):
        yield item
        if shown:
            done = _WIDTH * number // total
            print(f"\r  {what} [{'#' * done}{'.' * (_WIDTH - done)}] {number}/{total}", end="", file=sys.stderr, flush=True)
    if shown:
        print("\r" + " " * (len(what) + _WIDTH + 24) + "\r", end="", file=sys.stderr, flush=True)
