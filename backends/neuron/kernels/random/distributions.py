"""What is made of words: uniform numbers, quantiles by tables, and integers below others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ....counter_based.quantiles import FEW, scale_of
from ....isa import expect, nisa, nl
from ..elementwise.registers import condition, greatest, turns
from ..sbuf import PARTITIONS, scratch
from .interleaving import Schedule, Step
from .products import Factor, product

__all__ = ["Below", "Quantiles", "Uniform", "Words"]

Given = list[Callable[[], Any]]


class Words:
    """The words themselves."""

    dtype: Final = nl.uint32
    settles: Final = False

    @staticmethod
    def add(schedule: Schedule, generator: Any, first: Step, given: Given) -> list[Step]:
        """Add the instructions of a tile."""
        steps: list[Step] = generator.block(schedule, first, given)
        return steps


class Uniform:
    """
    Multiples of 2**-24 in [0, 1): the high 24 bits of a word.

    Notes
    -----
    A shift on the Vector Engine, and a conversion with a scale on the Scalar Engine: both exact.
    """

    dtype: Final = nl.float32
    settles: Final = False

    @staticmethod
    def add(schedule: Schedule, generator: Any, first: Step, given: Given) -> list[Step]:
        """Add the instructions of a tile."""
        words = generator.block(schedule, first, [None] * generator.words)
        high = [schedule.bits(nl.right_shift, word, 8) for word in words]
        return [schedule.scalar(word, 2.0**-24, given=into) for word, into in zip(high, given, strict=True)]


class Quantiles:
    """
    A quantile function by pieces, of 31 bits and a side, or of 32 bits.

    Parameters
    ----------
    sides : str
        As of `counter_based.quantiles.Table`, whose `evaluate` is the same in NumPy.
    table : NkiTensor
        Its coefficients, one degree after the other, in HBM.
    second : callable or None
        Makes the generator of second words, where the table is deep.

    Notes
    -----
    *Layout.* The table is on every partition, up to 50 KiB.

    *Engines.* The Scalar Engine makes float32 of the word, whose leading bits are the row; GpSimd gathers three coefficients; the Vector
    Engine sums and multiplies, with one operand in PSUM. Each of these rounds correctly, whatever is left open of the engines. A loop of
    one turn or none makes the numbers of two tiles anew, of two words each, if there is a rare one among them: one in 2**21 or 2**22.

    *Bound.* GpSimd, with 7 cycles for a number on each partition beside those of the word; Vector Engine 9.
    """

    dtype: Final = nl.float32

    def __init__(self, sides: str, table: Any, second: Callable[[], Any] | None) -> None:
        self._sides, self._rows, self._scale = sides, table.shape[0] // 3, scale_of(second is not None)
        self._second, self._seen = second, list[Any]()
        self.settles: Final = second is not None
        self._degrees = [scratch((PARTITIONS, self._rows), nl.float32) for _ in range(3)]
        for degree, tile in enumerate(self._degrees):
            nisa.dma_copy(tile, table.ap(pattern=[[0, PARTITIONS], [1, self._rows]], offset=degree * self._rows))
        self._least, self._half, self._last = (scratch((PARTITIONS, 1), nl.float32) for _ in range(3))
        for column, number in ((self._least, self._scale / 2), (self._half, 0.5), (self._last, self._scale * 2.0**-33)):
            nisa.memset(column, number)

    def add(self, schedule: Schedule, generator: Any, first: Step, given: Given) -> list[Step]:
        """Add the instructions of a tile."""
        words = generator.block(schedule, first, [None] * generator.words)
        least = nl.ndarray((PARTITIONS, generator.words), nl.float32, buffer=nl.sbuf) if self.settles else None
        self._seen.append(least)
        steps = []
        for place, (word, into) in enumerate(zip(words, given, strict=True)):
            tail = self._tail(schedule, word)
            p = schedule.scalar(tail, self._scale, bias=self._least)
            steps.append(self._number(schedule, word, p, into))
            if least is not None:
                steps.append(self._reduced(schedule, p, least[:, place : place + 1]))
        return steps

    def _tail(self, schedule: Schedule, word: Step) -> Step:
        return word if self._sides == "one" else schedule.bits(nl.bitwise_and, word, 0x7FFFFFFF)

    def _reduced(self, schedule: Schedule, p: Step, into: Any) -> Step:
        def emit(dst: Any, data: Any) -> None:
            nisa.tensor_reduce(dst, nl.minimum, data, axis=1)

        return schedule.add(nisa.engine.vector, "tensor_reduce", emit, p, dtype=nl.float32, given=lambda: into)

    def settle(self, tiles: Sequence[Any], again: Callable[[Callable[..., Any]], list[Any]], generator: Any) -> None:
        """Make numbers of two words where the first one is small."""
        seen, self._seen = self._seen, []
        assert self._second is not None
        least = scratch((PARTITIONS, len(seen)), nl.float32)
        for place, one in enumerate(seen):
            nisa.tensor_reduce(least[:, place : place + 1], nl.minimum, one, axis=1)
        rare = scratch((PARTITIONS, 1), nl.float32)
        nisa.tensor_reduce(rare, nl.minimum, least, axis=1)
        nisa.tensor_scalar(rare, rare, nl.less, FEW * self._scale)
        make, masks = self._second, list[Any]()

        def of_two_words(schedule: Schedule, first: Step, given: Given) -> list[Step]:
            second = make()
            apart = scratch((PARTITIONS, 1), nl.uint32)
            nisa.tensor_tensor(apart, second.first, generator.first, nl.subtract, engine=nisa.engine.gpsimd)
            words = generator.block(schedule, first, [None] * generator.words)
            others = second.block(schedule, schedule.native(nl.add, first, apart), [None] * generator.words)
            mask = nl.ndarray((PARTITIONS, generator.words * schedule.shape[1]), nl.uint8, buffer=nl.sbuf)
            masks.append(mask)
            steps = []
            for place, (word, other, into) in enumerate(zip(words, others, given, strict=True)):
                tail = self._tail(schedule, word)
                whole = schedule.scalar(tail, self._scale, bias=self._least)
                steps.append(self._small(schedule, whole, mask[:, place :: generator.words]))
                rest = schedule.scalar(other, self._scale * 2.0**-32, bias=self._last)
                steps.append(self._number(schedule, word, self._joined(schedule, tail, rest), into))
            return steps

        def turn(_: Any) -> None:
            found = again(of_two_words)
            for tile, other, mask in zip(tiles, found, masks, strict=True):
                nisa.tensor_copy_predicated(tile, other, mask)

        nl.fori_loop(0, turns(greatest(rare)), turn)

    def _small(self, schedule: Schedule, p: Step, into: Any) -> Step:
        def emit(dst: Any, data: Any) -> None:
            nisa.tensor_scalar(dst, data, nl.less, FEW * self._scale)

        return schedule.add(nisa.engine.vector, "tensor_scalar", emit, p, dtype=nl.uint8, given=lambda: into)

    def _joined(self, schedule: Schedule, tail: Step, rest: Step) -> Step:
        """Add what second words say; rows of probabilities that are not small are those of a table, and not looked at."""

        def emit(dst: Any, x: Any, y: Any) -> None:
            nisa.scalar_tensor_tensor(dst, x, nl.multiply, self._scale, nl.add, y)

        return schedule.add(nisa.engine.vector, "scalar_tensor_tensor", emit, tail, rest, dtype=nl.float32)

    def _number(self, schedule: Schedule, word: Step, p: Step, into: Callable[[], Any]) -> Step:
        row = schedule.bits(nl.right_shift, p, 17, view="uint32")
        if self._sides == "two":
            row = self._on_side(schedule, row, schedule.bits(nl.right_shift, word, 31))
        rest = schedule.scalar(schedule.bits(nl.bitwise_and, p, 0x1FFFF, view="uint32"), 2.0**-17, psum=True)
        constant, slope, bend = [self._gathered(schedule, row, tile) for tile in self._degrees]
        bent = schedule.vector(nl.add, slope, schedule.vector(nl.multiply, bend, rest, psum=True))
        rise = schedule.vector(nl.multiply, bent, rest, psum=True)
        if self._sides != "symmetric":
            return schedule.vector(nl.add, constant, rise, given=into)
        sign = schedule.scalar(word, bias=self._half, function=nl.sign, view="int32", psum=True)
        return schedule.vector(nl.multiply, schedule.vector(nl.add, constant, rise), sign, given=into)

    def _on_side(self, schedule: Schedule, row: Step, side: Step) -> Step:
        """Go to the half of the table of the other side."""

        def emit(dst: Any, x: Any, y: Any) -> None:
            nisa.scalar_tensor_tensor(dst, x, nl.multiply, float(self._rows // 2), nl.add, y)

        return schedule.add(nisa.engine.vector, "scalar_tensor_tensor", emit, side, row)

    def _gathered(self, schedule: Schedule, row: Step, table: Any) -> Step:
        def emit(dst: Any, indices: Any) -> None:
            nisa.nc_n_gather(dst, table, indices)

        return schedule.add(nisa.engine.gpsimd, "nc_n_gather", emit, row, dtype=nl.float32)


class Below:
    """
    Integers from a least one on, below as many others, each with the same probability.

    Parameters
    ----------
    numbers : sequence of column
        How many; their high half; their number times 2**-32, and its low half times 2**-16; the halves of ``2**32 % count``, the high one
        times 2**16, of float32; the least integer.

    Notes
    -----
    The high word of word times count (Lemire, 2019). Where the low word is below ``2**32 % count``, the element takes the word of another
    lane, until it is not: a loop, as long as there is such an element in some tiles, that seldom runs. The comparison of the low word is of
    its halves: ``(high - h) 2**16`` is exact, and the sign of its sum with ``low - l`` is that of the difference.
    """

    dtype: Final = nl.int32
    settles: Final = True

    def __init__(self, numbers: Sequence[Any]) -> None:
        self._factor = Factor(*numbers[:4])
        self._low, high, self._least = numbers[4:]
        self._high = scratch((PARTITIONS, 1), nl.float32)
        nisa.tensor_scalar(self._high, high, nl.multiply, -1.0)
        self._wrong: list[Any] = []  # of tiles that are not settled: where their integers do not count

    def add(self, schedule: Schedule, generator: Any, first: Step, given: Given, lane: Any = None) -> list[Step]:
        """Add the instructions of a tile: integers from 0 on, and numbers that are negative where those do not count."""
        words = generator.block(schedule, first, [None] * generator.words, *([] if lane is None else [lane]))
        partitions, width = schedule.shape
        count = generator.words
        wrong = nl.ndarray((partitions, count * width), nl.float32, buffer=nl.sbuf)
        self._wrong.append(wrong)
        steps = []
        for place, (word, into) in enumerate(zip(words, given, strict=True)):
            high, low = product(schedule, word, self._factor, given_high=into)
            base = schedule.scalar(low, 65536.0, half=1, bias=self._high, psum=True)
            steps += [high, self._compared(schedule, low, base, wrong[:, place::count])]
        return steps

    def _compared(self, schedule: Schedule, low: Step, base: Step, into: Any) -> Step:
        def emit(dst: Any, x: Any, y: Any) -> None:
            nisa.scalar_tensor_tensor(dst, x.view(nl.uint16)[:, ::2], nl.subtract, self._low, nl.add, y)

        engine = nisa.engine.vector
        return schedule.add(engine, "scalar_tensor_tensor", emit, low, base, dtype=nl.float32, given=lambda: into)

    def settle(self, tiles: Sequence[Any], again: Callable[[Callable[..., Any]], list[Any]], generator: Any) -> None:
        """Draw again what does not count in some tiles, by words of further lanes, and add the least integer."""
        wrong, self._wrong = self._wrong, []
        number, step, lane = (scratch((PARTITIONS, 1), nl.uint32) for _ in range(3))
        nisa.memset(number, 0)
        nisa.memset(step, 1 << 24)
        goes_on = nisa.register_alloc()

        def look() -> None:
            least = scratch((PARTITIONS, len(wrong)), nl.float32)
            for place, one in enumerate(wrong):
                nisa.tensor_reduce(least[:, place : place + 1], nl.minimum, one, axis=1)
            worst = scratch((PARTITIONS, 1), nl.float32)
            nisa.tensor_reduce(worst, nl.minimum, least, axis=1)
            nisa.tensor_scalar(worst, worst, nl.multiply, -1.0)
            condition(greatest(worst), goes_on)

        def turn(_: Any) -> Any:
            nisa.tensor_tensor(number, number, step, nl.add, engine=nisa.engine.gpsimd)
            nisa.tensor_tensor(lane, number, generator.third, nl.bitwise_xor)
            others = again(lambda schedule, first, given: self.add(schedule, generator, first, given, lane))
            found, self._wrong = self._wrong, []
            for tile, one, other, less in zip(tiles, wrong, others, found, strict=True):
                mask = scratch(tuple(one.shape), nl.uint8)
                nisa.tensor_scalar(mask, one, nl.less, 0.0)
                nisa.tensor_copy_predicated(tile, other, mask)
                nisa.tensor_copy_predicated(one, less, mask)
            look()
            return goes_on

        look()
        nl.while_loop(expect(goes_on, 0, 1), turn)
        for tile in tiles:
            whole = tile.view(nl.int32)
            nisa.tensor_tensor(whole, whole, self._least.broadcast(1, whole.shape[1]), nl.add, engine=nisa.engine.gpsimd)
