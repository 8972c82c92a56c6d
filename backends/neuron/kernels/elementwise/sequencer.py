"""Numbers of a tile for the sequencers, which count the turns of loops."""

from __future__ import annotations

from typing import Any

from ....isa import expect, nisa, nl
from ...function import Tile
from .tile import arithmetic, copy

__all__ = ["condition", "greatest", "turns"]


def greatest(numbers: Tile) -> Tile:
    """
    Find the greatest of all partitions.

    Parameters
    ----------
    numbers : NkiTensor
        Shape (P, 1), in float32.

    Returns
    -------
    NkiTensor
        Shape (1, 1).
    """
    one = nl.ndarray((1, 1), nl.float32, buffer=nl.sbuf)
    nisa.tensor_partition_reduce(one, nl.maximum, numbers)
    return one


def turns(number: Tile, likely: int = 0, most: int = 1) -> Any:
    """
    Load a number, as the bound of a loop.

    Parameters
    ----------
    number : NkiTensor
        Shape (1, 1), in float32; rounded to the nearest integer, negative ones to 0.
    likely, most : int, optional
        Turns for ordinary data and for the worst, for predictions; by default those of a branch that few data take.

    Returns
    -------
    NkiScalar
        The number.
    """
    bound = nisa.scalar_load(copy(nl.ndarray((1, 1), nl.int32, buffer=nl.sbuf), arithmetic(nl.maximum, number, 0.0)))
    return expect(bound, likely, most)


def condition(number: Tile, register: Any) -> None:
    """
    Load whether a number is positive, as the condition of a loop.

    Parameters
    ----------
    number : NkiTensor
        Shape (1, 1).
    register : VirtualRegister
        Becomes 1 or 0.
    """
    nisa.register_load(register, arithmetic(nl.greater, number, 0.0, dtype=nl.int32))
