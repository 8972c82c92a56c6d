"""Numbers of a tile for the sequencers, which count the turns of loops."""

from __future__ import annotations

from typing import Any

from ....isa import expect, nisa, nl
from ...function import Tile
from .alu import arithmetic, copy

__all__ = ["condition", "greatest", "turns"]


def greatest(numbers: Tile) -> Tile:
    """Find the greatest of all partitions."""
    one = nl.ndarray((1, 1), nl.float32, buffer=nl.sbuf)
    nisa.tensor_partition_reduce(one, nl.maximum, numbers)
    return one


def turns(number: Tile, likely: int = 0, most: int = 1) -> Any:
    """Load a number, as the bound of a loop."""
    bound = nisa.scalar_load(copy(nl.ndarray((1, 1), nl.int32, buffer=nl.sbuf), arithmetic(nl.maximum, number, 0.0)))
    return expect(bound, likely, most)


def condition(number: Tile, register: Any) -> None:
    """Load whether a number is positive, as the condition of a loop."""
    nisa.register_load(register, arithmetic(nl.greater, number, 0.0, dtype=nl.int32))
