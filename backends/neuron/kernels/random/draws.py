"""Draws of random numbers: blocks of words tile by tile, and what a distribution makes of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from ....dtypes import FLOAT32, INT32, UINT32
from ....isa import nisa, nl
from ....rules import Signature
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..emission import Emission
from ..sbuf import PARTITIONS, scratch
from .distributions import Below, Quantiles, Uniform, Words
from .interleaving import Schedule
from .philox import Philox
from .threefry import Threefry

__all__: list[str] = []

_WORDS: Final = {"Philox4x32": 4, "Threefry4x32": 4, "Threefry2x32": 2}
_NUMBERS: Final = {"Philox4x32": 7, "Threefry4x32": 15, "Threefry2x32": 10}
_BLOCKS: Final = 512  # of a partition, at most: a bank of PSUM
_UNROLLED: Final = 8  # tiles, beyond which there is a loop
_TURN: Final = 4  # tiles of a turn, two at a time
_DISTRIBUTIONS: Final = {
    "words": (UINT32, 0),
    "uniform": (FLOAT32, 0),
    "below": (INT32, 7),
    **{f"quantiles {sides}": (FLOAT32, 0) for sides in ("one", "two", "symmetric", "one deep", "symmetric deep")},
}
"""Dtype, and how many numbers of the launch there are beside those of the function; with deep tables those of another lane, too."""


def shape_of_tiles(count: int, words: int) -> tuple[int, int, bool]:
    """Choose the blocks of a partition and the number of tiles; last, whether rows of tiles divide the elements evenly."""
    tiles = max(math.ceil(count / (PARTITIONS * words * _BLOCKS)), 2 if count >= 2 * PARTITIONS * words * 64 else 1)
    blocks = math.ceil(count / (words * PARTITIONS * tiles))
    for width in range(min(_BLOCKS, blocks + blocks // 8 + 1), 0, -1):
        if count % (words * width) == 0:
            rows = count // (words * width)
            if math.ceil(rows / PARTITIONS) * (width + 64) <= 1.15 * tiles * (blocks + 64):
                return width, math.ceil(rows / PARTITIONS), True
    return blocks, tiles, False


def _rule(*operands: Signature, function: str, shape: tuple[int, ...], distribution: str) -> Ruling:
    dtype, beside = _DISTRIBUTIONS.get(distribution, (UINT32, -1))
    if distribution.endswith(" deep"):
        beside = _NUMBERS.get(function, -1)
    numbers = sum(one.shape == () for one in operands)
    tables = int(distribution.startswith("quantiles"))
    if function not in _NUMBERS or numbers != _NUMBERS[function] + beside or len(operands) != numbers + tables:
        raise InvalidCallError(f"there is no kernel for {distribution} by {function} of {len(operands)} operands")
    if distribution == "below" and function != "Philox4x32":
        raise InvalidCallError(f"other lanes are of Philox4x32 alone, not of {function}")
    count, rows = math.prod(shape), operands[0].shape[0] if operands[0].shape else 0
    return (Signature(shape, dtype),), (count, function, distribution, *shape_of_tiles(count, _WORDS[function]), rows)


def _emit(
    emission: Emission, count: int, function: str, distribution: str, blocks: int, tiles: int, _even: bool, rows: int
) -> None:
    """
    Draw.

    Notes
    -----
    Element i is word i % w of block i // w, of w words each, whatever the tiles: a row of a tile has consecutive elements, the words of a
    block side by side. Two tiles at a time are interleaved.
    """
    own, deep = _NUMBERS[function], distribution.endswith(" deep")
    numbers = [emission.number(place) for place in range(own + (own if deep else _DISTRIBUTIONS[distribution][1]))]

    def make(numbers: list[Any]) -> Any:
        return Philox(numbers) if function == "Philox4x32" else Threefry(_WORDS[function], numbers)

    generator = make(numbers[:own])
    name, *sides = distribution.split()
    if name == "quantiles":
        finish: Any = Quantiles(sides[0], emission.source(0, (rows,)), (lambda: make(numbers[own:])) if deep else None)
    else:
        finish = Below(numbers[own:]) if name == "below" else Uniform if name == "uniform" else Words
    width = generator.words * blocks
    store = _stores(emission, count, width)
    draw = _Tiles(generator, blocks, finish)

    def run(some: range, turn: Any, base: Any) -> None:
        for begin in range(0, len(some), 2):
            pair = some[begin : begin + 2]
            draw.run(pair, base, lambda tile, number: store(tile, number, turn))

    if tiles <= _UNROLLED:
        run(range(tiles), None, generator.first)
        return
    base, step = scratch((PARTITIONS, 1), nl.uint32), scratch((PARTITIONS, 1), nl.uint32)
    nisa.tensor_copy(base, generator.first, engine=nisa.engine.vector)
    nisa.memset(step, _TURN * PARTITIONS * blocks)
    turns = (count // width) // (PARTITIONS * _TURN)

    def body(turn: Any) -> None:
        run(range(_TURN), turn, base)
        nisa.tensor_tensor(base, base, step, nl.add, engine=nisa.engine.gpsimd)

    nl.fori_loop(0, turns, body)
    run(range(turns * _TURN, tiles), None, generator.first)


class _Tiles:
    """Tiles of blocks, some at a time."""

    def __init__(self, generator: Any, blocks: int, finish: Any) -> None:
        self._generator, self._blocks, self._finish = generator, blocks, finish
        self._schedule = Schedule((PARTITIONS, blocks))

    def run(self, numbers: range, base: Any, store: Callable[[Any, int], None]) -> None:
        """Draw tiles, and store them."""
        finish, generator = self._finish, self._generator

        def add(schedule: Schedule, first: Any, given: list[Any]) -> Any:
            return finish.add(schedule, generator, first, given)

        tiles = [self._add(number, base, add, None if finish.settles else store) for number in numbers]
        self._schedule.emit()
        if not finish.settles:
            return
        done = [tile() for tile in tiles]

        def again(add: Callable[..., Any]) -> list[Any]:
            others = []
            for number in numbers:  # one by one: it is rare, and takes twice the room
                others.append(self._add(number, base, add, None))
                self._schedule.emit()
            return [other() for other in others]

        finish.settle(done, again, generator)
        for tile, number in zip(done, numbers, strict=True):
            store(tile, number)

    def _add(
        self, number: int, base: Any, add: Callable[..., Any], store: Callable[[Any, int], None] | None
    ) -> Callable[[], Any]:
        """Add the instructions of a tile, which is made when it is first written to."""
        schedule, words, blocks = self._schedule, self._generator.words, self._blocks
        held: list[Any] = []

        def tile() -> Any:
            if not held:
                held.append(nl.ndarray((PARTITIONS, words * blocks), self._finish.dtype, buffer=nl.sbuf))
            return held[0]

        def part(place: int) -> Callable[[], Any]:
            return lambda: tile()[:, place::words]

        def index(dst: Any) -> None:
            nisa.iota(dst, [[1, blocks]], offset=number * PARTITIONS * blocks, channel_multiplier=blocks)

        first = schedule.native(nl.add, schedule.add(nisa.engine.gpsimd, "iota", index), base)
        done = add(schedule, first, [part(place) for place in range(words)])
        if store is not None:
            schedule.then(lambda *_: store(tile(), number), *done)
        return tile


def _stores(emission: Emission, count: int, width: int) -> Callable[[Any, int, Any], None]:
    """Make the function that stores a tile by its number, from a turn of a loop on; functions of the results first, if there are any."""
    rows, rest = divmod(count, width)
    after = emission.stage.epilogue
    functions = None if after is None else emission.functions(after)
    flat: Any = None if after is not None else emission.result((count,))

    def store(tile: Any, number: int, turn: Any) -> None:
        first = number * PARTITIONS
        some = PARTITIONS if turn is not None else min(PARTITIONS, rows - first)
        begin = first if turn is None else turn * (_TURN * PARTITIONS) + first
        if functions is not None:
            functions.on_tiles((begin, some), (0, width))([tile[:some]])
            return
        if some > 0:
            view = [[width, some], [1, width]]
            if turn is None:
                nisa.dma_copy(flat.ap(pattern=view, offset=first * width), tile[:some])
            else:
                nisa.dma_copy(flat.ap(pattern=view, offset=first * width, scalar_offset=turn * (_TURN * PARTITIONS * width)), tile[:some])
        if rest and turn is None and first <= rows < first + PARTITIONS:
            row = rows - first
            nisa.dma_copy(flat.ap(pattern=[[rest, 1], [1, rest]], offset=rows * width), tile[row : row + 1, :rest])

    return store


def _epilogue(_count: int, function: str, _distribution: str, blocks: int, _tiles: int, even: bool, _rows: int) -> int:
    return _WORDS[function] * blocks if even else 0


declare(Kernel("random", _rule, _emit, "{2} by {1}", "{0}", epilogue=_epilogue, numbers=True))
