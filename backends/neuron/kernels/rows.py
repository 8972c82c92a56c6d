"""Elementwise functions and reductions over rows, fused, tile by tile."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from ...isa import nisa, nl
from ..plan.plan import Access, Compute, RowStage
from .balance import Balance
from .elementwise import EMITTERS, Cost, cast, cast_cost
from .reduce import reduce_tile
from .scalars import Scalars
from .tiling import Repeat, Tile, repeats, tiles
from .transpose_tile import itemsize

__all__ = ["run_rows"]

# Bytes of a partition that tiles may take.
_MEMORY: Final = 160 * 1024
_WIDEST: Final = 2048
_NARROWEST: Final = 128
_PIECE: Final = 512  # elements that a function with much scratch takes at once
_SMALL_SCRATCH: Final = 4  # bytes for each element
_LONG_RUN: Final = 512  # elements of a partition below which DMA is slow: tiles are not made shorter to have several
_TILES: Final = 4  # that overlap well
_REDUCE: Final = Cost(vector=1.25, scratch=2)
_PLACES: Final = Cost(vector=7, scratch=16)
# Instructions that are unrolled without a thought, and in a loop's body: long enough that its beginning and end do not count.
_UNROLLED: Final = 4000
_BODY: Final = 1000


def _cost(compute: Compute) -> Cost:
    if compute.kind == "cast":
        return cast_cost(compute.dtype, compute.loop)
    if compute.kind == "elementwise":
        return EMITTERS[compute.name].loops[compute.loop].cost
    if compute.kind == "reduce":
        simple = "float" in compute.loop or compute.name in ("logical_or", "logical_and")
        return _REDUCE if simple and not compute.name.startswith("arg") else _PLACES
    return Cost()


class _Room(NamedTuple):
    """How tiles share SBUF: elements of a partition, tiles whose functions alternate, and whether loads and stores run beside them."""

    width: int
    together: int
    ahead: bool


def _room(stage: RowStage, tensors: Sequence[Any]) -> _Room:
    """Choose the size of tiles: registers are counted from their definition to their last use."""
    loads = [itemsize(tensors[access.tensor].dtype) if access.extent == "full" else 0 for access in stage.loads]
    count = len(loads)
    sizes = loads + [itemsize(compute.dtype) if compute.extent == "full" else 0 for compute in stage.computes]
    last = dict.fromkeys(range(count), -1)
    for place, compute in enumerate(stage.computes):
        last.update(dict.fromkeys((*compute.inputs, count + place), place))
    kept = {register for register, _ in stage.stores}
    alive = most = 0
    for place, compute in enumerate(stage.computes):
        register = count + place
        alive += 0 if register in kept else sizes[register]
        # Where an operand is one number for each row, of several rows on a partition, it is spread first.
        spread = sum(4 for item in compute.inputs if compute.extent == "full" and not sizes[item]) if stage.columns else 0
        most = max(most, alive + spread)
        alive -= sum(sizes[item] for item in {register, *compute.inputs} if last[item] == place and item >= count and item not in kept)
    stored = sum(sizes[register] or 4 for register in kept if register >= count)
    small = max((cost.scratch for cost in map(_cost, stage.computes) if cost.scratch <= _SMALL_SCRATCH), default=0)
    reduced = max((_cost(compute).scratch for compute in stage.computes if compute.kind == "reduce"), default=0)
    large = max((cost.scratch for cost in map(_cost, stage.computes)), default=0)
    row = math.prod(stage.dims[len(stage.dims) - stage.columns :])
    room = _Room(max(row, _NARROWEST), 1, False)
    for together, ahead in ((2, True), (1, True), (1, False)):
        each = together * ((1 + ahead) * (sum(loads) + stored) + most + max(small, reduced))
        width = (_MEMORY - together * large * _PIECE) // max(each, 1)
        if width >= (row if stage.columns else _LONG_RUN):
            room = _Room(min(_WIDEST, 1 << (width.bit_length() - 1)) if not stage.columns else width, together, ahead)
            break
    # Enough tiles to load, compute and store at once.
    enough = max(_LONG_RUN, -(-math.prod(stage.dims) // (128 * _TILES)))
    return room._replace(width=max(row, min(room.width, 1 << (enough - 1).bit_length())))


def run_rows(stage: RowStage, tensors: list[Any], scalars: Scalars, budget: int) -> None:
    """
    Compute a stage.

    Parameters
    ----------
    stage : RowStage
        What.
    tensors : list of NkiTensor
        Flat tensors in HBM, by their numbers in the plan.
    scalars : Scalars
        Numbers.
    budget : int
        Instructions that the stage may have.

    Notes
    -----
    *Layout.* A tile has up to 128 partitions; elements, or several whole rows, lie along the free axis. Loads and stores are DMA with runs
    as long as the layouts allow; what is the same for all elements of a partition is loaded once for each, and what is the same for
    neighbouring tiles once for all.

    *Order.* The next tiles are loaded and those before are stored while some are computed. Two tiles take turns, function by function, so
    that the Vector Engine, GpSimd and the Scalar Engine work at once. Many tiles are a loop of the device, with several in its body.

    *Bound.* DMA for a few functions, else the Vector Engine.
    """
    accesses = [*stage.loads, *(access for _, access in stage.stores)]
    slots = dict.fromkeys(access.slot for access in accesses if access.slot is not None)
    rows = _Rows(stage, tensors, scalars, {slot: scalars.offset(slot) for slot in slots}, _room(stage, tensors))
    cut = list(tiles(stage.dims, rows.room.width, stage.columns))
    each = len(accesses) + sum(max(1, round(0.6 * (cost.vector + cost.scalar + cost.gpsimd))) for cost in map(_cost, stage.computes))
    if each * len(cut) <= min(_UNROLLED, budget):
        rows.run(cut)
        return
    for repeat in repeats(cut, max(8, min(_BODY, budget) // each)):
        rows.repeat(repeat)


class _Rows:
    def __init__(
        self, stage: RowStage, tensors: list[Any], scalars: Scalars, offsets: dict[int, Any], room: _Room
    ) -> None:
        self.stage, self.tensors, self.scalars, self.offsets, self.room = stage, tensors, scalars, offsets, room
        self.balance = Balance()
        self.loaded: dict[int, tuple[Any, Any]] = {}  # by load: where the last one was, and its register
        self.step: tuple[int, ...] = ()
        self.turn: Any = None

    def repeat(self, repeat: Repeat) -> None:
        """Compute the same tiles further on, again and again."""
        strides = [access.strides for access in (*self.stage.loads, *(access for _, access in self.stage.stores))]
        furthest = max(abs(sum(s * by for s, by in zip(one, repeat.step, strict=True))) for one in strides)
        most = min(repeat.turns, (2**31 - 1) // max(furthest, 1))
        for first in range(0, repeat.turns, most):
            turns = min(most, repeat.turns - first)
            moved = [tile.moved(repeat.step, first) for tile in repeat.tiles]
            if turns == 1:
                self.run(moved)
                continue

            def body(index: Any, moved: list[Tile] = moved) -> None:
                self.turn = index
                self.run(moved)

            self.step = repeat.step
            nl.fori_loop(0, turns, body)
            self.step, self.turn = (), None

    def run(self, cut: list[Tile]) -> None:
        """Compute tiles: load ahead, compute some together, store behind."""
        self.loaded.clear()
        batches = [
            [_Tile(self, tile) for tile in cut[first : first + self.room.together]] for first in range(0, len(cut), self.room.together)
        ]
        if not self.room.ahead:
            for batch in batches:
                _load(batch)
                _compute(batch)
                _store(batch)
            return
        for place in range(len(batches) + 2):
            if place < len(batches):
                _load(batches[place])
            if 0 < place <= len(batches):
                _compute(batches[place - 1])
            if place > 1:
                _store(batches[place - 2])

    def where(self, access: Access, tile: Tile, pattern: list[list[int]]) -> Any:
        """Find elements in HBM."""
        tensor = self.tensors[access.tensor]
        offset = access.offset + tile.offset(access.strides)
        more = None if access.slot is None else self.offsets[access.slot]
        further = sum(by * stride for by, stride in zip(self.step, access.strides, strict=True)) if self.step else 0
        if further:
            more = self.turn * further if more is None else more + self.turn * further
        if more is None:
            return tensor.ap(pattern=pattern, offset=offset)
        return tensor.ap(pattern=pattern, offset=offset, scalar_offset=more)


def _load(batch: list[_Tile]) -> None:
    for tile in batch:
        tile.load()


def _compute(batch: list[_Tile]) -> None:
    for compute in batch[0].rows.stage.computes:
        for tile in batch:
            tile.registers.append(tile.compute(compute))


def _store(batch: list[_Tile]) -> None:
    for tile in batch:
        tile.store()


class _Tile:
    """Registers of a tile: (partitions, elements); for each row (partitions, rows); or one number for each partition."""

    def __init__(self, rows: _Rows, tile: Tile) -> None:
        self.rows, self.tile = rows, tile
        self.shape = tile.shape
        self.registers: list[Any] = []

    def make(self, extent: str, dtype: str) -> Any:
        """Make a register."""
        width = {"full": self.shape[1], "row": self.tile.along, "one": 1}[extent]
        return nl.ndarray((self.shape[0], width), dtype, buffer=nl.sbuf)

    def load(self) -> None:
        """Fetch what the tile reads."""
        for number, access in enumerate(self.rows.stage.loads):
            pattern = self.pattern(access)
            repeated = 1
            while access.extent == "full" and len(pattern) > 1 and pattern[-1][0] == 0:  # one number for several neighbours
                repeated *= pattern.pop()[1]
            if len(pattern) == 1:
                pattern.append([1, 1])
            place = self.rows.where(access, self.tile, pattern)
            key = (access.offset + self.tile.offset(access.strides), tuple(map(tuple, pattern)), repeated)
            before, register = self.rows.loaded.get(number, (None, None))
            if before != key:
                register = self.fetch(access, place, pattern, repeated)
                self.rows.loaded[number] = key, register
            self.registers.append(register)

    def pattern(self, access: Access) -> list[list[int]]:
        """Say where an access is in HBM."""
        if access.extent == "full":
            return self.tile.pattern(access.strides)
        return self.tile.pattern_of_rows(access.strides) if access.extent == "row" else [[0, self.shape[0]], [1, 1]]

    def fetch(self, access: Access, place: Any, pattern: list[list[int]], repeated: int) -> Any:
        """Load, and repeat what is one number for some, but not all, elements of a partition."""
        width = math.prod(count for _, count in pattern[1:])
        register = nl.ndarray((self.shape[0], width), place.dtype, buffer=nl.sbuf)
        nisa.dma_copy(register, place)
        if access.extent != "full" or repeated == 1 or width == 1:
            return register
        result = self.make("full", place.dtype)
        nisa.tensor_copy(result.reshape_dim(1, (width, repeated)), register.expand_dim(2).broadcast(2, repeated))
        return result

    def store(self) -> None:
        """Write the results, which are needed no longer."""
        for place, access in self.rows.stage.stores:
            register = self.registers[place]
            pattern = self.pattern(access)
            if register.shape[1] != math.prod(count for _, count in pattern[1:]):
                register = self.spread(register)
            nisa.dma_copy(self.rows.where(access, self.tile, pattern), register)
        self.registers.clear()

    def spread(self, register: Any) -> Any:
        """Repeat one number, or those of rows, along the free axis."""
        width, full = register.shape[1], self.shape[1]
        if width == full:
            return register
        result = self.make("full", register.dtype)
        if width == 1:
            nisa.tensor_copy(result, register.broadcast(1, full))
        else:
            nisa.tensor_copy(result.reshape_dim(1, (width, full // width)), register.expand_dim(2).broadcast(2, full // width))
        return result

    def compute(self, compute: Compute) -> Any:
        """Emit one step."""
        count = self.shape[0]
        if compute.kind == "scalar":
            assert compute.value is not None
            return self.rows.scalars.of_launch(int(compute.value), compute.dtype)[:count]
        if compute.kind == "fill":
            assert compute.value is not None
            if compute.extent != "full":
                return self.rows.scalars.constant(compute.value, compute.dtype)[:count]
            result = self.make("full", compute.dtype)
            nisa.memset(result, compute.value)
            return result
        inputs = [self.registers[place] for place in compute.inputs]
        result = self.make(compute.extent, compute.dtype)
        if compute.kind == "reduce":
            self.rows.balance.take(_cost(compute), self.shape[1])
            data = self.spread(inputs[0])
            reduce_tile(compute.name, result, data.reshape_dim(1, (self.tile.along, self.shape[1] // self.tile.along)))
            return result
        width = result.shape[1]
        inputs = [register if register.shape[1] in (1, width) else self.spread(register) for register in inputs]
        for first, last in _pieces(width, _cost(compute).scratch):
            self.emit(compute, result[:, first:last], *(item if item.shape[1] < width else item[:, first:last] for item in inputs))
        return result

    def emit(self, compute: Compute, result: Any, *inputs: Any) -> None:
        """Emit a function of elements, or a cast."""
        if compute.kind == "cast":
            self.rows.balance.take(_cost(compute), result.shape[1])
            cast(result, inputs[0], compute.dtype, compute.loop)
        else:
            self.rows.balance.emit(EMITTERS[compute.name].loops[compute.loop], result, *inputs)


def _pieces(width: int, scratch: int) -> Iterator[tuple[int, int]]:
    """Cut a tile where a function needs much scratch."""
    if scratch <= _SMALL_SCRATCH or width <= _PIECE:
        yield 0, width
        return
    for first in range(0, width, _PIECE):
        yield first, min(first + _PIECE, width)
