"""Transforms of float64 rows in two steps, by exact products of digits, which stay integers from the operand to the result."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any, Final

from ....dtypes import BFLOAT16, UINT32
from ....isa import nisa, nl
from ....rules import Signature
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..elementwise.alu import arithmetic, bits, bits_twice, copy, patch, spread, then, twice
from ..elementwise.registers import greatest, turns
from ..emission import Emission
from ..products.sliced_operand import SlicedOperand, window
from ..products.slicing import NOT_FINITE, float_slices
from ..products.wide_rounding import carried, round_to_float
from ..sbuf import PARTITIONS, scratch
from ..tile_ring import Ring, psum_ring

__all__: list[str] = []

_DIGITS: Final = 8
"""Digits of operands, of matrices, and of what lies between the steps; and sums of their products with one sum of places."""

_HALF: Final = 16  # transforms of a turn of the first step
_PAIR: Final = 2  # of these beside each other
_CHAINS: Final = 4  # of these at the same time
_TOGETHER: Final = 32  # transforms of a turn of the second step: the columns of its tiles of the Tensor Engine
_TILES: Final = PARTITIONS // _TOGETHER
_DONE: Final = object()
_LATE: Final = 3  # places after which the matrices of the next products have come
_ROUNDER: Final = 1.5 * 2.0**31  # numbers below 2**30 are rounded to multiples of 256 by adding it
_CARRY: Final = 2.0**-8
_NEXT: Final = 2.0**-24
_SIGN: Final = 0x80000000
_LEAST: Final = 300.0
"""The least exponent of a transform's scale, with float64's bias, that leaves no result of note below the normal range."""

_MIDDLE: Final = 1023.0
_BIAS: Final = (1 << 16, 1 << 16, 1 << 16, 1 << 22, 0, 0)
"""What is added to limbs, so that none is negative, and subtracted as a whole."""


class _Digits:
    """
    Complex transforms of float64 in two steps.

    Parameters
    ----------
    sources, results : list of NkiTensor
        Words of real and imaginary parts, the high ones first: (transforms, n₁, n₂), and (transforms, k₁, k₂) for the frequency k₁ + n₁k₂.
    first, second : NkiTensor
        Digits of the first step's matrix, (n₁, 8, 3 k₁): minus sines, cosines, sines; and of the second one's for each k₁, which has the
        twiddles, (k₁, n₂, 8, 2 k₂): cosines, sines. n₁ is a multiple of 8.
    exponent : int
        The results are multiplied by that power of two.

    Notes
    -----
    *Method.* Each transform is scaled by a power of two and cut into digits of 8 bits with signs. Products of digits of places p and q
    are added up in PSUM for each p + q < 8, exactly. From the last place on, what these sums have beyond a digit is carried to the place
    before: a number of float32 is rounded to multiples of 256 by adding and subtracting 1.5·2³¹. The digits that are left are the operand
    of the second step, whose sums are carried alike and rounded once to float64. Twiddles are in the second step's matrices, one for each
    k₁. Sums stay below 2**24, since the digits of these matrices add up to about half of what digits could.

    *Layout.* First step: n₁ on partitions, the data stationary; its digits, with n₂ on partitions, go through HBM. Second step: 32
    transforms on each of four column tiles of the Tensor Engine, for four k₁ at once.

    *Bound.* Vector Engine: cutting takes about 40 instructions for a number, carrying 8 in each step, and rounding 32. Tensor Engine:
    144 cycles for a number of each partition in each step.

    *Error.* About 2**-53 of the norm of a transform: what is left out is below 2**-55 of the largest number for each element. A NaN
    or an infinity makes all elements of its transform NaN.

    *Source.* Ozaki, Ogita, Oishi and Rump, Numer. Algorithms 59 (2012), for the digits; Bailey, J. Supercomp. 4 (1990), for the steps.
    """

    def __init__(self, sources: list[Any], results: list[Any], first: Any, second: Any, exponent: int) -> None:
        self.rows, self.first, self.second = sources[0].shape
        self.sources, self.matrices, self.exponent = sources, second, exponent
        self.results = [result.reshape((self.rows * self.first * self.second,)) for result in results]
        self.matrix = scratch((self.first, _DIGITS, 3 * self.first), nl.bfloat16)
        nisa.dma_copy(self.matrix, first)
        self.scales = [nl.ndarray((self.rows,), nl.float32, buffer=nl.private_hbm) for _ in range(2)]
        self.between = nl.ndarray((self.first, self.second, 2, 2 * _DIGITS * _HALF), nl.bfloat16, buffer=nl.private_hbm)
        self.banks = psum_ring(8)

    def run(self) -> None:
        """Transform all rows."""
        flat = self.rows * self.first * self.second
        for part, scales in enumerate(self.scales):
            words = [source.reshape((flat,)) for source in self.sources[2 * part : 2 * part + 2]]
            operand = SlicedOperand(words, self.rows, self.first * self.second, False, min(PARTITIONS, self.rows), scales)
            operand.find_scales(0)
        whole, rest = divmod(self.rows, _TOGETHER)
        if whole > 1:
            nl.fori_loop(0, whole, lambda i: self._group(i * _TOGETHER, _TOGETHER))
        elif whole:
            self._group(0, _TOGETHER)
        if rest:
            self._group(whole * _TOGETHER, rest)

    def _group(self, begin: Any, count: int) -> None:
        self._first_steps([(half, begin + half * _HALF, min(max(count - half * _HALF, 0), _HALF)) for half in range(2)])
        column = scratch((PARTITIONS, 2), nl.float32)
        nisa.memset(column, _MIDDLE)
        for tile in range(_TILES):
            for part, scales in enumerate(self.scales):
                nisa.dma_copy(
                    column[tile * _TOGETHER : tile * _TOGETHER + count, part : part + 1], scales[nl.ds(begin, count)].expand_dim(1)
                )
        scale = arithmetic(nl.maximum, column[:, :1], column[:, 1:])
        steps = [_SecondStep(self, at, begin, count, scale) for at in range(0, self.first // _TILES, 2)]
        steps[0].load()
        steps[0].negate(range(_TILES))
        rounding: list[Iterator[None]] = []
        for number, step in enumerate(steps):
            if number + 1 < len(steps):
                steps[number + 1].load()
            for place, _ in enumerate(step.multiply()):
                rounding = _continued(rounding)
                if number + 1 < len(steps):
                    steps[number + 1].negate(range(place - _LATE, place - _LATE + 1))
            rounding.append(step.round())
        _alternate(rounding)
        tiny = arithmetic(nl.less, scale, _LEAST)

        def again(at: Any) -> None:
            step = _SecondStep(self, at * 2, begin, count, scale)
            step.load()
            step.negate(range(_TILES))
            _alternate([step.multiply()])
            step.round_tiny()

        nl.fori_loop(0, turns(greatest(tiny)), lambda _: nl.fori_loop(0, len(steps), again))

    def _first_steps(self, halves: list[tuple[int, Any, int]]) -> None:
        """Transform along n₁: digits of both halves of a group."""
        before: list[_FirstStep] = []
        ready: tuple[int, Any] | None = None
        for half, begin, count in halves:
            between = scratch((self.second, self.first, 2 * _DIGITS, _HALF), nl.bfloat16)
            scale = self._scales_along(begin, count) if count else None
            steps = [_FirstStep(self, between, begin, place, min(_PAIR, count - place), scale) for place in range(0, count, _PAIR)]
            for number in range(0, max(len(steps), 1), _CHAINS):
                some = steps[number : number + _CHAINS]
                _alternate([itertools.chain(*[step.cut() for step in some]), *[step.multiply() for step in before]])
                before = some
                if ready is not None:
                    self._keep(*ready)
                    ready = None
                if number == 0 and count < _HALF:
                    nisa.memset(between, 0.0)
            ready = half, between
        _alternate([step.multiply() for step in before])
        assert ready is not None
        self._keep(*ready)

    def _scales_along(self, begin: Any, count: int) -> Any:
        """Load exponents of transforms, for all partitions."""
        rows = scratch((self.first, 2, count), nl.float32)
        for part, scales in enumerate(self.scales):
            nisa.dma_copy(rows[:, part], scales[nl.ds(begin, count)].expand_dim(0).broadcast(0, self.first))
        return arithmetic(nl.maximum, rows[:, 0], rows[:, 1])

    def _keep(self, half: int, between: Any) -> None:
        """Store digits in HBM."""
        for number in range(self.first):
            nisa.dma_copy(self.between.select(0, number)[:, half], between[:, number].flatten_dims(1, 2))


def _alternate(works: Sequence[Iterator[None]]) -> None:
    """Emit works side by side, so that engines have something to do while one waits for another."""
    while works:
        works = _continued(works)


def _continued(works: Sequence[Iterator[None]]) -> list[Iterator[None]]:
    """Emit a part of each work, and give those that are not done."""
    return [work for work in works if next(work, _DONE) is not _DONE]


class _Carrying:
    """Sums of products of digits, from the last place on, each with what is carried to it."""

    def __init__(self, height: int, width: int) -> None:
        self.sums, self.rounded, self.carries = (Ring(count, (height, width), nl.float32) for count in (3, 1, 2))

    def carried(self, sums: Callable[[int], Any], finish: Callable[[int, Any, Any], None], last: int) -> Generator[None, None, Any]:
        """Give what remains, beyond places that `finish` gets with their carries."""
        total, carry = None, None
        for place in range(_DIGITS - 1, last, -1):
            bank = sums(place) if place >= 0 else None
            total = bank if total is None else self._next(carry, bank)
            rounded, carry = self.rounded.take(), self.carries.take()
            nisa.tensor_scalar(rounded, total, nl.add, _ROUNDER, engine=nisa.engine.scalar)
            nisa.tensor_scalar(carry, rounded, nl.add, -_ROUNDER, engine=nisa.engine.scalar)
            finish(place, total, carry)
            yield
        return self._next(carry, sums(last) if last >= 0 else None)

    def _next(self, carry: Any, bank: Any) -> Any:
        total = self.sums.take()
        if bank is None:
            nisa.tensor_scalar(total, carry, nl.multiply, _CARRY, engine=nisa.engine.scalar)
        else:
            nisa.scalar_tensor_tensor(total, carry, nl.multiply, _CARRY, nl.add, bank)
        return total


class _FirstStep:
    """One or two rows, cut into digits and transformed along n₁."""

    def __init__(self, transform: _Digits, between: Any, begin: Any, place: int, count: int, scale: Any) -> None:
        self.transform, self.between, self.begin, self.place, self.count, self.scale = transform, between, begin, place, count, scale
        self.digits: list[list[Any]] = []

    def cut(self) -> Generator[None]:
        """Cut real and imaginary parts."""
        first, second, count, place = self.transform.first, self.transform.second, self.count, self.place
        scales = scratch((first, count * second), nl.float32)
        for number in range(count):
            column = self.scale[:, place + number : place + number + 1]
            copy(scales[:, number * second : (number + 1) * second], column)
        for part in range(2):
            words = []
            for source in self.transform.sources[2 * part : 2 * part + 2]:
                word = scratch((first, count * second), nl.uint32)
                nisa.dma_copy(word.reshape_dim(1, (count, second)), source[nl.ds(self.begin + place, count)].permute((1, 0, 2)))
                words.append(word)
            self.digits.append(float_slices(words, scales, _DIGITS))
            yield

    def multiply(self) -> Generator[None]:
        """Transform."""
        first, second, count = self.transform.first, self.transform.second, self.count
        width = 2 * first

        def sums(order: int) -> Any:
            bank = self.transform.banks.take()[:second, : count * width]
            for number in range(count):
                columns, into = slice(number * second, (number + 1) * second), bank[:, number * width : (number + 1) * width]
                for one in range(order + 1):
                    for part, side in enumerate(self.digits):
                        at = first * (1 - part)
                        moving = self.transform.matrix[:, order - one, at : at + width]
                        nisa.nc_matmul(into, side[one][:, columns], moving, accumulate=one + part > 0)
            return bank

        def finish(order: int, total: Any, carry: Any) -> None:
            if order + 2 < _DIGITS:
                nisa.tensor_tensor(self._into(order + 2), self._shaped(total), self._shaped(carry), nl.subtract, engine=nisa.engine.gpsimd)

        rest = yield from _Carrying(second, count * width).carried(sums, finish, -2)
        nisa.tensor_copy(self._into(0), self._shaped(rest), engine=nisa.engine.scalar)

    def _into(self, digit: int) -> Any:
        first = self.transform.first
        pattern = [[first * 2 * _DIGITS * _HALF, self.transform.second], [1, self.count], [_HALF, 2], [2 * _DIGITS * _HALF, first]]
        return self.between.ap(pattern=pattern, offset=2 * digit * _HALF + self.place)

    def _shaped(self, tile: Any) -> Any:
        return tile.reshape_dim(1, (self.count, 2, self.transform.first))


class _SecondStep:
    """Two k₁ of each of four tiles: transformed along n₂, and rounded."""

    def __init__(self, transform: _Digits, at: Any, begin: Any, count: int, scale: Any) -> None:
        self.transform, self.at, self.begin, self.count, self.scale = transform, at, begin, count, scale
        self.each, self.length = transform.first // _TILES, 2 * transform.second
        self.data: list[Any] = []
        self.matrices: list[Any] = []
        self.digits: dict[int, Any] = {}
        self.rest: Any = None

    def load(self) -> None:
        """Load digits and matrices."""
        transform, second, at = self.transform, self.transform.second, self.at
        for tile in range(_TILES):
            loaded = scratch((second, 2, 2, 2 * _DIGITS, _HALF), nl.bfloat16)
            nisa.dma_copy(loaded.flatten_dims(3, 4), transform.between[nl.ds(at + tile * self.each, 2)].permute((1, 0, 2, 3)))
            self.data.append(loaded)
            matrix = scratch((second, 2, _DIGITS, 3 * second), nl.bfloat16)
            nisa.dma_copy(matrix[:, :, :, second:], transform.matrices[nl.ds(at + tile * self.each, 2)].permute((1, 0, 2, 3)))
            self.matrices.append(matrix)

    def negate(self, tiles: range) -> None:
        """Change the signs of sines; those of tiles that there are."""
        for tile in tiles:
            if 0 <= tile < _TILES:
                into, sines = (self.matrices[tile][:, :, :, start : start + self.transform.second] for start in (0, self.length))
                nisa.tensor_scalar(into, sines, nl.multiply, -1.0, engine=nisa.engine.scalar)

    def multiply(self) -> Generator[None]:
        """Transform."""
        second, length = self.transform.second, self.length

        def sums(order: int) -> Any:
            bank = self.transform.banks.take()[:, : 2 * length]
            every = itertools.product(range(2), range(order + 1), range(2), range(_TILES))  # tiles at the same time
            for number, one, part, tile in every:
                start = second * (1 - part)
                nisa.nc_matmul(
                    bank[tile * _TOGETHER : (tile + 1) * _TOGETHER, number * length : (number + 1) * length],
                    self.data[tile][:, number, :, 2 * one + part],
                    self.matrices[tile][:, number, order - one, start : start + length],
                    accumulate=one + part > 0,
                    tile_position=(0, tile * _TOGETHER),
                    tile_size=(PARTITIONS, _TOGETHER),
                )
            return bank

        def finish(order: int, total: Any, carry: Any) -> None:
            if order < _DIGITS - 1:
                self.digits[order] = arithmetic(nl.subtract, total, carry, dtype=nl.bfloat16, engine=nisa.engine.gpsimd)

        self.rest = yield from _Carrying(PARTITIONS, 2 * length).carried(sums, finish, 0)

    def round(self) -> Generator[None]:
        """
        Round to float64, and store.

        The sum is that of the last sum of places, of three places and of three more, which float32 holds. They are added up to a leading
        part of float32 and two parts of what that lost, each exactly; these are integers in units of the last place of float64, which
        are added to the leading part's bits.
        """
        gpsimd = nisa.engine.gpsimd
        upper, lower = (self._places(first) for first in (1, 4))
        yield
        high = then(self.rest, nl.multiply, 256.0, nl.add, upper)
        yield
        lost = arithmetic(nl.subtract, upper, then(self.rest, nl.multiply, -256.0, nl.add, high), engine=gpsimd)
        yield
        rest = then(lower, nl.multiply, _NEXT, nl.add, lost)
        last = then(lower, nl.multiply, _NEXT, nl.subtract, arithmetic(nl.subtract, rest, lost, engine=gpsimd))
        leading = arithmetic(nl.add, high, rest, engine=gpsimd)
        yield
        rest = arithmetic(nl.subtract, rest, arithmetic(nl.subtract, leading, high, engine=gpsimd), engine=gpsimd)
        yield
        word = leading.view(nl.uint32)
        sign = bits(nl.bitwise_and, word, _SIGN)
        scale = twice(
            bits(nl.bitwise_and, word, 0x7F800000), nl.multiply, -1.0, nl.add, 306.0 * 2**23, nl.uint32
        )  # of 2**52 / the leading power
        yield
        scale = bits(nl.bitwise_or, scale, sign).view(nl.float32)
        rest, last = (arithmetic(nl.multiply, part, scale, engine=gpsimd) for part in (rest, last))
        yield
        # below a power of two the unit is half
        half = then(bits(nl.bitwise_and, word, 0x7FFFFF), nl.equal, 0.0, nl.multiply, arithmetic(nl.less, rest, 0.0))
        yield
        whole = [then(half, nl.add, 1.0, nl.multiply, part, dtype=nl.int32) for part in (rest, last)]
        added = arithmetic(nl.add, whole[0], whole[1], dtype=nl.int32, engine=gpsimd).view(nl.uint32)
        yield
        borrow = then(bits(nl.bitwise_and, word, 7), nl.equal, 0.0, nl.multiply, bits(nl.right_shift, added, 31), dtype=nl.uint32)
        yield
        low = _integers(bits(nl.left_shift, word, 29), added, nl.add)
        exponents = twice(
            arithmetic(nl.minimum, self.scale, 2047.0), nl.add, self.transform.exponent - 140.0, nl.multiply, 2.0**20, nl.int32
        )
        high = _integers(bits_twice(word, nl.left_shift, 1, nl.right_shift, 4), exponents.view(nl.uint32), nl.add)
        high = _integers(high, borrow, nl.subtract)
        yield
        field = bits(nl.right_shift, high, 20)  # less 1: what is below the normal range wraps
        one = scratch((PARTITIONS, 1), nl.uint32)
        nisa.memset(one, 1 << 20)
        high = _integers(high, one, nl.add)
        yield
        infinite = arithmetic(nl.greater_equal, field, 2046.0, dtype=nl.uint32)
        nothing = arithmetic(nl.greater_equal, field, 3000.0)
        nothing = then(leading, nl.equal, 0.0, nl.maximum, nothing, dtype=nl.uint32)
        yield
        for where, number in ((infinite, 0x7FF00000), (nothing, 0)):
            patch(high, number, where)
            patch(low, 0, where)
        self._store(bits(nl.bitwise_or, high, sign), low)

    def _places(self, first: int) -> Any:
        """Join three places."""
        found = then(self.digits[first + 1], nl.multiply, 2.0**-8, nl.add, self.digits[first])
        return then(self.digits[first + 2], nl.multiply, 2.0**-16, nl.add, found)

    def round_tiny(self) -> None:
        """Round to float64 where there may be numbers below the normal range, and store."""
        limbs = [then(self.digits[order - 1], nl.multiply, 256.0, nl.add, self.digits[order]) for order in (6, 4, 2)]
        zero = scratch((PARTITIONS, 2 * self.length), nl.float32)
        nisa.memset(zero, 0.0)
        less = -sum(bias << 16 * place for place, bias in enumerate(_BIAS)) % (1 << 96)
        constants = [float(bias + (less >> 16 * place & 0xFFFF)) for place, bias in enumerate(_BIAS)]
        found = carried([*limbs, self.rest, zero, zero], constants)
        unit = arithmetic(nl.add, self.scale, float(self.transform.exponent - 52 - 1023))
        self._store(*round_to_float(found, unit, 2))

    def _store(self, high: Any, low: Any) -> None:
        endless = twice(self.scale, nl.greater_equal, NOT_FINITE, nl.multiply, 1.0, nl.uint32)
        patch(high, 0x7FF80000, endless)
        first, second = self.transform.first, self.transform.second
        for tile in range(_TILES):
            rows = slice(tile * _TOGETHER, tile * _TOGETHER + self.count)
            for part in range(2):
                for word, result in zip((high, low), self.transform.results[2 * part : 2 * part + 2], strict=True):
                    columns = (self.at + tile * self.each) * second, self.length
                    into = window(result, first * second, (self.begin, self.count), columns)
                    nisa.dma_copy(into.reshape_dim(1, (2, second)), word.reshape_dim(1, (2, 2, second))[rows, :, part])


def _integers(left: Any, right: Any, op: Any) -> Any:
    """Add or subtract integers modulo 2**32."""
    found = scratch(left.shape, nl.uint32)
    nisa.tensor_tensor(found, left, spread(right, left.shape[1]), op, engine=nisa.engine.gpsimd)
    return found


def _rule(*operands: Signature, exponent: int) -> Ruling:
    """Transform words of complex rows in two steps."""
    *words, first, second = operands
    rows, one, two = words[0].shape if len(words[0].shape) == 3 else (0, 0, 0)
    good = len(words) == 4 and len({*words}) == 1 and words[0].dtype == UINT32 and rows and max(one, two) <= PARTITIONS and one % 8 == 0
    shapes = (one, _DIGITS, 3 * one), (one, two, _DIGITS, 2 * two)
    if not good or first != Signature(shapes[0], BFLOAT16) or second != Signature(shapes[1], BFLOAT16):
        raise InvalidCallError(f"no two steps transform words {words} by {first} and {second}")
    return (words[0],) * 4, (rows, one, two, exponent)


def _emit(emission: Emission, rows: int, first: int, second: int, exponent: int) -> None:
    words = [emission.source(number, (rows, first, second)) for number in range(4)]
    results = [emission.result((rows, first, second), number) for number in range(4)]
    matrices = emission.source(4, (first, _DIGITS, 3 * first)), emission.source(5, (first, second, _DIGITS, 2 * second))
    _Digits(words, results, *matrices, exponent).run()


declare(Kernel("fourier digits", _rule, _emit, "Fourier transform of float64, complex rows in two steps", "{0} of {1} × {2}"))
