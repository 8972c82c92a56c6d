"""Numbers of a tile for the sequencers, which count the turns of loops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from ....isa import expect, nisa, nl
from ...function import Tile
from .alu import arithmetic, copy

__all__ = ["Rare", "condition", "greatest", "rarely", "settle", "together", "turns"]

Rare = tuple[Any, Callable[[Any], None], Callable[[], None]]
"""How often a loop turns, its body, and what follows it."""
_LATER: Final[ContextVar[list[Rare] | None]] = ContextVar("later", default=None)


def greatest(numbers: Tile) -> Tile:
    """Find the greatest of all partitions, in each column."""
    one = nl.ndarray((1, numbers.shape[1]), nl.float32, buffer=nl.sbuf)
    nisa.tensor_partition_reduce(one, nl.maximum, numbers)
    return one


def turns(number: Tile, likely: int = 0, most: int = 1) -> Any:
    """Load a number, as the bound of a loop."""
    bound = nisa.scalar_load(copy(nl.ndarray((1, 1), nl.int32, buffer=nl.sbuf), arithmetic(nl.maximum, number, 0.0)))
    return expect(bound, likely, most)


def condition(number: Tile, register: Any) -> None:
    """Load whether a number is positive, as the condition of a loop."""
    nisa.register_load(register, arithmetic(nl.greater, number, 0.0, dtype=nl.int32))


def rarely(bound: Any, replace: Callable[[Any], None], finish: Callable[[], None]) -> None:
    """Replace rare numbers by a loop that turns once where there are some, and finish; within `together`, after all that is there."""
    later = _LATER.get()
    if later is None:
        nl.fori_loop(0, bound, replace)
        finish()
    else:
        later.append((bound, replace, finish))


@contextmanager
def together(later: list[Rare] | None = None) -> Iterator[None]:
    """
    Emit functions that end with `rarely`: what comes after a loop waits for it, so that one alone would keep all engines waiting.

    Loops follow the block, or are put off, in the list, to `settle`.
    """
    found = list[Rare]() if later is None else later
    token = _LATER.set(found)
    try:
        yield
    finally:
        _LATER.reset(token)
    if later is None:
        settle(found)


def settle(later: list[Rare]) -> None:
    """Emit the loops that were put off, and what follows them."""
    for bound, replace, _ in later:
        nl.fori_loop(0, bound, replace)
    for _, _, finish in later:
        finish()
    later.clear()
