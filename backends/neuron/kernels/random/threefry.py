"""Threefry4x32-20 and Threefry2x32-20: blocks of four or two words, of counters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ....counter_based.functions import THREEFRY_ROTATIONS
from ....isa import nisa, nl
from ..sbuf import PARTITIONS
from .interleaving import Schedule, Step

__all__ = ["Threefry"]

_ROUNDS: Final = 20


class Threefry:
    """
    Computes blocks.

    Parameters
    ----------
    words : int
        Of a block: 2 or 4.
    numbers : sequence of column
        What the launch brings, as `counter_based.constants` has it.

    Notes
    -----
    *Layout.* As of Philox.

    *Engines.* Sums on GpSimd. A rotation by r is ``(x << r) ^ (x >> (32 - r))``, mixed at once with what follows: a shift into PSUM and
    two exclusive ors with an operand there, on the Vector Engine. Of up to 16 bits the right part is the floor of the high half times a
    power of two, an exact rounding on the Scalar Engine; of more, that engine exchanges the halves first.

    *Bound.* Vector Engine and GpSimd with about 30 cycles for a word on each partition.

    *Source.* Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011); the rotation is ours.
    """

    def __init__(self, words: int, numbers: Sequence[Any]) -> None:
        self.words = words
        begin = 2 if words == 2 else 5
        self.first, self._begin = numbers[0], numbers[1:begin]
        self._keys, self._injected = numbers[begin : begin + words + 1], numbers[begin + words + 1 :]
        self._biases: dict[int, Any] = {}  # by shift: what makes rounding to the nearest integer the floor of multiples of 2**-shift
        for turn in (turn for turns in THREEFRY_ROTATIONS[words] for turn in turns):
            shift = 16 - (turn - 16 if turn > 16 else turn)
            self._biases[shift] = nl.ndarray((PARTITIONS, 1), nl.float32, buffer=nl.sbuf)
            nisa.memset(self._biases[shift], 2.0 ** -(shift + 1) - 0.5)

    def _mixed(self, schedule: Schedule, x: Step, turn: int, other: Step) -> Step:
        """Rotate, and take the exclusive or."""
        if turn > 16:
            turn -= 16

            def exchange(dst: Any, data: Any) -> None:
                source, target = data.view(nl.uint16), dst.view(nl.uint16)
                nisa.activation(target[:, 1::2], nl.copy, source[:, ::2])
                nisa.activation(target[:, ::2], nl.copy, source[:, 1::2])

            x = schedule.add(nisa.engine.scalar, "activation", exchange, x)
            x.nanoseconds *= 2
        left = schedule.bits(nl.left_shift, x, turn, psum=True)
        right = schedule.scalar(x, 2.0 ** -(16 - turn), half=1, bias=self._biases[16 - turn], dtype=nl.uint32, psum=True)
        mixed = schedule.vector(nl.bitwise_xor, other, left, dtype=nl.uint32)
        return schedule.vector(nl.bitwise_xor, mixed, right, dtype=nl.uint32)

    def block(self, schedule: Schedule, first: Step, given: list[Callable[[], Any] | None]) -> list[Step]:
        """Compute the words of the blocks whose counters begin with given words, into given tiles."""
        rotations = THREEFRY_ROTATIONS[self.words]
        x: list[Step] = [first, schedule.bits(nl.bitwise_xor, first, self._begin[0])]
        if self.words == 4:
            third, fourth, turned = self._begin[1:]
            x[0] = schedule.native(nl.add, first, fourth)
            x += [schedule.native(nl.add, x[1], third), schedule.bits(nl.bitwise_xor, x[0], turned)]
            x[1] = self._mixed(schedule, x[1], rotations[1][1], x[2])
        for number in range(2 if self.words == 4 else 1, _ROUNDS):
            pairs = [(0, 1), (2, 3)] if not number % 2 else [(0, 3), (2, 1)]
            for (a, b), turn in zip(pairs if self.words == 4 else [(0, 1)], rotations[number % 8], strict=True):
                x[a] = schedule.native(nl.add, x[a], x[b])
                x[b] = self._mixed(schedule, x[b], turn, x[a])
            if number % 4 == 3:
                into = given if number == _ROUNDS - 1 else [None] * self.words
                injection = number // 4 + 1
                for place in range(self.words):
                    is_last = place == self.words - 1
                    key = self._injected[injection - 1] if is_last else self._keys[(injection + place) % (self.words + 1)]
                    x[place] = schedule.native(nl.add, x[place], key, into[place])
        return x
