"""Work on several things at once: each kind of work is at another one of them, so that no engine waits for what comes just before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

__all__ = ["Work", "stagger"]


class Work(NamedTuple):
    """
    One kind of work.

    Attributes
    ----------
    ahead : int
        By how many things it is ahead, or behind where that is negative.
    function : callable
        What to do with a thing, and with what was made of it before, if anything.
    taken, into : str, optional
        The names of what is taken and of what is made.
    """

    ahead: int
    function: Callable[..., Any]
    taken: str = ""
    into: str = ""


def stagger(things: Sequence[Any], works: Sequence[Work]) -> None:
    """Do all works on all things, in turns in which each work is at its own thing."""
    made: dict[tuple[str, int], Any] = {}
    for now in range(-max(work.ahead for work in works), len(things) - min(work.ahead for work in works)):
        for work in works:
            number = now + work.ahead
            if 0 <= number < len(things):
                found = work.function(things[number], *([made.pop((work.taken, number))] if work.taken else []))
                if work.into:
                    made[work.into, number] = found
