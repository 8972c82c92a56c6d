"""Philox4x32-10: blocks of four words, of counters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ....counter_based.functions import PHILOX_MULTIPLIERS, PHILOX_WEYL
from ....isa import nisa, nl
from ..sbuf import PARTITIONS
from .interleaving import Schedule, Step
from .products import constant_factor, product

__all__ = ["Philox"]

_ROUNDS: Final = 10


class Philox:
    """
    Computes blocks.

    Parameters
    ----------
    numbers : sequence of column
        What the launch brings, as `counter_based.functions.constants` has it.

    Notes
    -----
    *Layout.* A partition has consecutive blocks along the free axis; the four words of all blocks are four tiles.

    *Engines.* All but the first of a block's counter's words are the same in all of them, so that rounds 0 and 1 need one product each, and
    the launch brings the rest: 18 products for 4 words. A round's keys are columns: ``x ^ key`` on the Vector Engine, into PSUM, and the
    exclusive or with a product from there.

    *Bound.* GpSimd, with 27 cycles for a word on each partition; Vector Engine 21, Scalar Engine 18.

    *Source.* Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011); the products' high words are ours.
    """

    words: Final = 4

    def __init__(self, numbers: list[Any]) -> None:
        self.first, self.third, self._second, self._fourth, last, *key = numbers
        self._factors = [constant_factor(multiplier, PARTITIONS) for multiplier in PHILOX_MULTIPLIERS]
        self._keys = nl.ndarray((PARTITIONS, 2 * _ROUNDS), nl.uint32, buffer=nl.sbuf)
        weyl = nl.ndarray((PARTITIONS, 2), nl.uint32, buffer=nl.sbuf)
        for place in range(2):
            nisa.tensor_copy(self._keys[:, place : place + 1], key[place], engine=nisa.engine.vector)
            nisa.memset(weyl[:, place : place + 1], PHILOX_WEYL[place])
        for number in range(2, 2 * _ROUNDS, 2):
            before, here = self._keys[:, number - 2 : number], self._keys[:, number : number + 2]
            nisa.tensor_tensor(here, before, weyl, nl.add, engine=nisa.engine.gpsimd)
        self._last = nl.ndarray((PARTITIONS, 1), nl.uint32, buffer=nl.sbuf)
        nisa.tensor_tensor(self._last, last, self._key(2, 1), nl.bitwise_xor)

    def _key(self, number: int, place: int) -> Any:
        return self._keys[:, 2 * number + place : 2 * number + place + 1]

    def block(self, schedule: Schedule, first: Step, given: list[Callable[[], Any] | None], lane: Any = None) -> list[Step]:
        """Compute the words of the blocks whose counters begin with given words, into given tiles."""
        m0, m1 = self._factors
        third = self.third if lane is None else lane
        high, x3 = product(schedule, first, m0)
        x2 = schedule.bits(nl.bitwise_xor, high, third)
        high, x1 = product(schedule, x2, m1)
        x0 = schedule.bits(nl.bitwise_xor, high, self._second)
        x2 = schedule.bits(nl.bitwise_xor, x3, self._fourth)
        for number in range(2, _ROUNDS):
            into = given if number == _ROUNDS - 1 else [None] * 4
            (high0, low0), (high1, low1) = product(schedule, x0, m0, into[3]), product(schedule, x2, m1, into[1])
            x0 = schedule.vector(
                nl.bitwise_xor, high1, schedule.bits(nl.bitwise_xor, x1, self._key(number, 0), psum=True), dtype=nl.uint32, given=into[0]
            )
            if number == 2:  # of which the last word is the same in all blocks
                x2 = schedule.bits(nl.bitwise_xor, high0, self._last)
            else:
                mixed = schedule.bits(nl.bitwise_xor, x3, self._key(number, 1), psum=True)
                x2 = schedule.vector(nl.bitwise_xor, high0, mixed, dtype=nl.uint32, given=into[2])
            x1, x3 = low1, low0
        return [x0, x1, x2, x3]
