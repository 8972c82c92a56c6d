"""A random order of 2**bits integers, by a keyed bijection."""

from __future__ import annotations

import math
from typing import Any, Final

from ....counter_based.orders import LEAST, ROUNDS, bits_of
from ....dtypes import INT32
from ....isa import nisa, nl
from ....rules import Signature
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..emission import Emission
from ..sbuf import PARTITIONS, scratch
from .interleaving import Schedule, Step

__all__: list[str] = []

_WIDTH: Final = 512
_TILE: Final = PARTITIONS * _WIDTH
_TOGETHER: Final = 4  # tiles


def _rule(*numbers: Signature, count: int) -> Ruling:
    if count < LEAST or count & (count - 1) or len(numbers) != 2 * ROUNDS or any(one.shape for one in numbers):
        raise InvalidCallError(f"a random order is of a power of two of integers from {LEAST} on, by {2 * ROUNDS} numbers, not of {count}")
    return (Signature((count,), INT32),), (count,)


def _emit(emission: Emission, count: int) -> None:
    """
    Compute the bijection of `counter_based.orders`.

    Notes
    -----
    *Layout.* Tiles of 128 x 512 neighbouring integers, four at a time.

    *Engines.* In each round two products and a sum of 32-bit integers on GpSimd, a shift and an exclusive or on the Vector Engine.

    *Bound.* GpSimd, with 72 cycles for an integer on each partition.

    *Source.* Black and Rogaway, "Ciphers with arbitrary finite domains" (2002), have such networks; the round is ours.
    """
    numbers = [emission.number(place) for place in range(2 * ROUNDS)]
    target = emission.result((count,))
    schedule, bits = Schedule((PARTITIONS, _WIDTH)), bits_of(count)
    base, step = scratch((PARTITIONS, 1), nl.uint32), scratch((PARTITIONS, 1), nl.uint32)
    nisa.memset(base, 0)
    tiles = count // _TILE
    together = math.gcd(tiles, _TOGETHER)
    nisa.memset(step, together * _TILE)

    def body(turn: Any) -> None:
        for number in range(together):
            done = _tile(schedule, bits, numbers, base, number)
            view, first = [[_WIDTH, PARTITIONS], [1, _WIDTH]], number * _TILE

            def store(_: Any, tile: Any, view: Any = view, first: int = first) -> None:
                part = target.ap(pattern=view, offset=first, scalar_offset=turn * (together * _TILE))
                nisa.dma_copy(part, tile.view(nl.int32))

            schedule.then(store, done)
        schedule.emit()
        nisa.tensor_tensor(base, base, step, nl.add, engine=nisa.engine.gpsimd)

    nl.fori_loop(0, tiles // together, body)


def _tile(schedule: Schedule, bits: int, numbers: list[Any], base: Any, number: int) -> Step:
    def places(dst: Any) -> None:
        nisa.iota(dst, [[1, _WIDTH]], offset=number * _TILE, channel_multiplier=_WIDTH)

    index = schedule.native(nl.add, schedule.add(nisa.engine.gpsimd, "iota", places), base)
    low = bits // 2
    left, right = schedule.bits(nl.right_shift, index, low), schedule.bits(nl.bitwise_and, index, (1 << low) - 1)
    sizes = [bits - low, low]
    for turn in range(ROUNDS):
        mixed = schedule.native(nl.add, schedule.native(nl.multiply, right, numbers[turn]), numbers[ROUNDS + turn])
        top = schedule.bits(nl.right_shift, schedule.native(nl.multiply, mixed, mixed), 32 - sizes[0], psum=True)
        left, right = right, schedule.vector(nl.bitwise_xor, left, top, dtype=nl.uint32)
        sizes.reverse()
    return schedule.vector(nl.bitwise_or, right, schedule.bits(nl.left_shift, left, sizes[1], psum=True), dtype=nl.uint32)


declare(Kernel("random order", _rule, _emit, "random order", "{0}", numbers=True))
