"""Elementwise functions and reductions over rows, fused, tile by tile."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from typing import Any, Final

from ...isa import nisa, nl
from ..function import PAIRS
from ..plan.plan import Access, Compute, RowStage
from .balance import Balance, target_costs
from .elementwise import EMITTERS, cast, reinterpret
from .elementwise.registers import Rare, settle, together
from .move.tile_transpose import itemsize
from .reading import Window, copy_view, reading, windows
from .reduce.free_axis import reduce_tile
from .row_room import PIECE, SMALL_SCRATCH, TOGETHER, choose_room, is_late, long_row, long_run, reused_registers, tables_of, work_of
from .sbuf import PARTITIONS, load_tables
from .scalars import Scalars
from .tiling import Repeat, Tile, Traffic, repeats, tiles

__all__ = ["Rows", "run_rows"]

_QUADRANT: Final = 32  # partitions among which an instruction moves data
_WIDER: Final = ("bfloat16", "float16", "float32")  # which have all float8 as normal numbers
_AXES: Final = 4  # of the patterns of numbers that an instruction makes
# Instructions that are unrolled without a thought, and in a loop's body: long enough that its beginning and end do not count.
_UNROLLED: Final = 4000
_BODY: Final = 1000


def run_rows(stage: RowStage, tensors: list[Any], scalars: Scalars, budget: int) -> None:
    """
    Compute a stage.

    Notes
    -----
    *Layout.* A tile has up to 128 partitions; elements, or several whole rows, lie along the free axis. Loads and stores are DMA with runs
    as long as the layouts allow; what is the same for all elements of a partition is loaded once for each, and what is the same for
    neighbouring tiles once for all.

    *Order.* The next tile is loaded and the one before is stored while one is computed. Functions take a tile in pieces, so that the Vector
    Engine, GpSimd and the Scalar Engine work at once. Many tiles are a loop of the device, with several in its body.

    *Bound.* DMA for a few functions, else the Vector Engine.
    """
    slots = dict.fromkeys(access.slot for access in stage.accesses if access.slot is not None)
    rows = Rows(stage, tensors, scalars, {slot: scalars.offset(slot) for slot in slots})
    cut = list(tiles(stage.dims, rows.room.width, stage.columns, list(rows.traffic())))
    each = len(stage.accesses) + sum(max(2, round(work.passes)) for work in map(work_of, stage.computes))
    if each * len(cut) <= min(_UNROLLED, budget):
        rows.run(cut)
        return
    for repeat in repeats(cut, max(4, min(_BODY, budget // 3) // each)):
        rows.repeat(repeat)


class Rows:
    """
    A stage in the making.

    Parameters
    ----------
    stage : RowStage
        Which.
    tensors : list of NkiTensor
        Flat tensors in HBM, by their numbers in the plan.
    scalars : Scalars
        Numbers.
    offsets : dict
        From slots to offsets that the launch brings.
    kept : iterable of int, optional
        Registers that are needed at the end, besides those that are stored.
    """

    def __init__(
        self, stage: RowStage, tensors: list[Any], scalars: Scalars, offsets: dict[int, Any], kept: Iterable[int] = ()
    ) -> None:
        self.stage, self.tensors, self.scalars, self.offsets = stage, tensors, scalars, offsets
        dtypes = [*stage.given, *(self.dtype(access) for access in stage.loads), *(compute.dtype for compute in stage.computes)]
        self.windows = windows(stage)
        self.in_place = reused_registers(stage, dtypes, kept, self.windows)
        self.room = choose_room(stage, dtypes, self.in_place, self.windows)
        for compute in stage.computes:  # before there are loops, which what is made in their body does not outlive
            if compute.kind == "fill" and compute.extent != "full" and compute.value is not None:
                scalars.constant(compute.value, compute.dtype)
        self.tables = load_tables(table for compute in stage.computes for table in tables_of(compute))
        self.balance = Balance()
        self.loaded: dict[int, tuple[Any, Any]] = {}  # by load: where the last one was, and its register
        self.fetched: dict[int, tuple[Any, Any]] = {}  # by load: the same of what DMA brought
        self.step: tuple[int, ...] = ()
        self.turn: Any = None
        self.turns = 0
        self.counters: dict[Access, Any] = {}  # in a loop, what its turns so far add to numbers that are made

    def dtype(self, access: Access) -> str:
        """Find the dtype of what a load gives."""
        return "int32" if access.tensor is None else str(self.tensors[access.tensor].dtype)

    def traffic(self) -> Iterator[Traffic]:
        """List what is read and written of each element."""
        for number, access in enumerate(self.stage.loads):
            window = self.windows.get(number)
            if access.extent != "one" and access.tensor is not None and (window is None or window.first == number):
                yield Traffic(access.strides, itemsize(self.dtype(access)), 0 if window is None else window.more, access.extent == "row")
        for _, access in self.stage.stores:
            if access.extent != "one":
                yield Traffic(access.strides, itemsize(self.dtype(access)), -1, access.extent == "row")

    def repeat(self, repeat: Repeat) -> None:
        """Compute the same tiles further on, again and again."""
        furthest = max(abs(sum(s * by for s, by in zip(one.strides, repeat.step, strict=True))) for one in self.stage.accesses)
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
                for access, counter in self.counters.items():
                    _add(counter, self.scalars.constant(self.further(access), "int32"))

            self.step, self.turns = repeat.step, turns
            steps = {access: self.further(access) for access in self.stage.loads if access.tensor is None}
            self.counters = {access: self.scalars.counter() for access, step in steps.items() if step}
            for access in self.counters:
                self.scalars.constant(steps[access], "int32")
            nl.fori_loop(0, turns, body)
            self.step, self.turn, self.counters = (), None, {}

    def run(self, cut: list[Tile]) -> None:
        """Compute tiles: load ahead, store behind."""
        self.loaded.clear()
        self.fetched.clear()
        some = [Block(self, tile, last=tile is cut[-1] and self.turn is None) for tile in cut]
        if not self.room.ahead:
            for tile in some:
                tile.load()
                tile.compute()
                tile.store()
            return
        for place in range(len(some) + 2):
            if place < len(some):
                some[place].load()
            if 0 < place <= len(some):
                some[place - 1].compute()
            if place > 1:
                some[place - 2].store()

    def block(self, registers: list[Any]) -> Block:
        """Compute, of what is loaded."""
        block = Block(self, Tile((0,), (-1, 0, registers[0].shape[0]), ((0, registers[0].shape[1]),)), last=True)
        block.registers = registers
        block.compute()
        settle(block.later)
        return block

    def where(self, access: Access, tile: Tile, pattern: list[list[int]]) -> Any:
        """Find elements in HBM."""
        assert access.tensor is not None
        tensor = self.tensors[access.tensor]
        offset = access.offset + tile.offset(access.strides)
        more = None if access.slot is None else self.offsets[access.slot]
        further = self.further(access)
        if further:
            back = max(0, -further) * (self.turns - 1)  # where the last turn is, since a run-time offset is not negative
            offset -= back
            moved = self.turn * further + back if back else self.turn * further
            more = moved if more is None else more + moved
        if more is None:
            return tensor.ap(pattern=pattern, offset=offset)
        return tensor.ap(pattern=pattern, offset=offset, scalar_offset=more)

    def further(self, access: Access) -> int:
        """Tell how far an access moves from one turn of the loop to the next."""
        return sum(by * stride for by, stride in zip(self.step, access.strides, strict=True)) if self.step else 0

    def count(self, register: Any, access: Access, tile: Tile, pattern: list[list[int]]) -> None:
        """Make the numbers 0, 1, … as an access looks at them; what is known at the launch, or in a loop, only is added on GpSimd."""
        (along, _), *free = pattern
        _iota(register, free, access.offset + tile.offset(access.strides), along)
        if access.slot is not None:
            _add(register, self.scalars.of_launch(access.slot, "int32"))
        if access in self.counters:
            _add(register, self.counters[access])


def _iota(tile: Any, pattern: list[list[int]], offset: int, along: int) -> None:
    """Make numbers by instructions of up to four axes, by one step from each partition to the next."""
    if len(pattern) <= _AXES:
        nisa.iota(tile, pattern, offset=offset, channel_multiplier=along)
        return
    (stride, count), *inner = pattern
    width = tile.shape[1] // count
    for place in range(count):
        _iota(tile[:, place * width : (place + 1) * width], inner, offset + place * stride, along)


def _add(tile: Any, number: Any) -> None:
    """Add a number to integers of 32 bits."""
    spread = number[: tile.shape[0]].broadcast(1, tile.shape[1])
    nisa.tensor_tensor(tile, tile, spread, nl.add, engine=nisa.engine.gpsimd)


class Block:
    """Registers of a tile: (partitions, elements); for each row (partitions, rows); or one number for each partition."""

    def __init__(self, rows: Rows, tile: Tile, *, last: bool) -> None:
        self.rows, self.tile = rows, tile
        self.last = last  # whether no other tile keeps engines busy that wait for this one
        self.arrival = 0.0  # ns that DMA takes to load it
        self.shape = tile.shape
        self.registers: list[Any] = []
        self.later: list[Rare] = []  # rare numbers that are replaced before it is stored

    def make(self, extent: str, dtype: str) -> Any:
        """Make a register."""
        return nl.ndarray((self.shape[0], self.width(extent)), dtype, buffer=nl.sbuf)

    def width(self, extent: str) -> int:
        """Tell how many elements of a partition a register has."""
        return {"full": self.shape[1], "row": self.tile.along, "one": 1}[extent]

    def load(self) -> None:
        """Fetch what the tile reads."""
        for number, access in enumerate(self.rows.stage.loads):
            pattern = self.pattern(access)
            if access.extent == "full" and access.tensor is not None:
                self.registers.append(self.look(number, access, pattern))
                continue
            repeated = 1
            while access.extent == "full" and len(pattern) > 1 and pattern[-1][0] == 0:  # one number for several neighbours
                repeated *= pattern.pop()[1]
            if len(pattern) == 1:
                pattern.append([1, 1])
            key = (access.offset + self.tile.offset(access.strides), tuple(map(tuple, pattern)), repeated)
            before, register = self.rows.loaded.get(number, (None, None))
            if before != key:
                register = self.fetch(access, pattern, repeated)
                self.rows.loaded[number] = key, register
            self.registers.append(register)

    def look(self, number: int, access: Access, pattern: list[list[int]]) -> Any:
        """Load what all elements have one of each: long pieces, of which a register is a part, or a copy in the tile's order."""
        window = self.rows.windows.get(number, Window(number, 0, 0))
        leader, dtype = self.rows.stage.loads[window.first], self.rows.dtype(access)
        free = tuple((stride, count) for stride, count in pattern[1:])
        how = reading(target_costs(), free, window.more, itemsize(dtype))
        key = (access.offset + self.tile.offset(access.strides), tuple(map(tuple, pattern)))
        before, register = self.rows.loaded.get(number, (None, None))
        if before == key:
            return register
        whole = (leader.offset + self.tile.offset(leader.strides), key[1])
        before, fetched = self.rows.fetched.get(window.first, (None, None))
        if before != whole:
            fetched = self.fetch(leader, [pattern[0], *map(list, how.outer), [1, how.span]], 1)
            self.rows.fetched[window.first] = whole, fetched
        count = math.prod(count for _, count in free)
        if how.is_run:
            register = fetched[:, window.at : window.at + count]
        elif all(stride == 0 for stride, _ in how.view):
            register = fetched[:, window.at : window.at + 1]
        else:
            register = nl.ndarray((self.shape[0], count), dtype, buffer=nl.sbuf)
            copy_view(register, fetched, how, window.at, self.rows.balance.mover(count))
        self.rows.loaded[number] = key, register
        return register

    def pattern(self, access: Access) -> list[list[int]]:
        """Say where an access is in HBM."""
        if access.extent == "full":
            return self.tile.pattern(access.strides)
        return self.tile.pattern_of_rows(access.strides) if access.extent == "row" else [[0, self.shape[0]], [1, 1]]

    def fetch(self, access: Access, pattern: list[list[int]], repeated: int) -> Any:
        """Load or count, and repeat what is the same on all partitions, or one number for some, but not all, elements of a partition."""
        width = math.prod(count for _, count in pattern[1:])
        dtype = self.rows.dtype(access)
        register = nl.ndarray((self.shape[0], width), dtype, buffer=nl.sbuf)
        if access.tensor is None:
            self.rows.count(register, access, self.tile, pattern)
        elif pattern[0] == [0, PARTITIONS] and width >= long_run():
            one = nl.ndarray(register.shape, dtype, buffer=nl.sbuf)
            nisa.memset(one, 0)  # only a partition of each quadrant is looked at, but an instruction reads all
            for first in range(0, PARTITIONS, _QUADRANT):
                nisa.dma_copy(one[first : first + 1], self.rows.where(access, self.tile, [[0, 1], *pattern[1:]]))
            nisa.nc_stream_shuffle(register, one, [0] * _QUADRANT)
        else:
            nisa.dma_copy(register, self.rows.where(access, self.tile, pattern))
            nbytes = width * itemsize(dtype)
            self.arrival += target_costs().moves(register.shape[0], nbytes, register.shape[0] * nbytes)
        if access.extent != "full" or repeated == 1 or width == 1:
            return register
        result = self.make("full", dtype)
        nisa.tensor_copy(result.reshape_dim(1, (width, repeated)), register.expand_dim(2).broadcast(2, repeated))
        return result

    def store(self) -> None:
        """Write the results, which are needed no longer."""
        settle(self.later)
        for place, access in self.rows.stage.stores:
            register = self.registers[place]
            pattern = self.pattern(access)
            if register.shape[1] != math.prod(count for _, count in pattern[1:]):
                register = self.spread(register, access.extent)
            nisa.dma_copy(self.rows.where(access, self.tile, pattern), register)
        self.registers = []

    def spread(self, register: Any, extent: str = "full") -> Any:
        """Repeat one number, or those of rows, along the free axis, or one number for all rows."""
        width, full = register.shape[1], self.width(extent)
        if width == full:
            return register
        result = self.make(extent, register.dtype)
        if width == 1:
            nisa.tensor_copy(result, register.broadcast(1, full))
        else:
            nisa.tensor_copy(result.reshape_dim(1, (width, full // width)), register.expand_dim(2).broadcast(2, full // width))
        return result

    def compute(self) -> None:
        """Emit all steps."""
        computes = self.rows.stage.computes
        self.rows.balance.wait(self.arrival)
        for place, compute in enumerate(computes):
            later = self.later if place in self.rows.room.put_off else None
            if compute.kind == "pair":
                others = computes[place + 1 : place + len(PAIRS[compute.name].functions)]
                more = [self.make(compute.extent, other.dtype) for other in others]
                self.registers += self.result(compute, None, *more, later=later), *more
            elif compute.kind != "second":
                self.registers.append(self.result(compute, self.rows.in_place.get(place), later=later))

    def result(self, compute: Compute, over: int | None, *more: Any, later: list[Rare] | None = None) -> Any:
        """Emit one step, over a register if it says so; its results but the first are given, and a list where rare numbers can wait."""
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
        if compute.kind == "reduce":
            result = self.make(compute.extent, compute.dtype)
            self.rows.balance.take(work_of(compute), self.shape[1])
            data = self.spread(inputs[0])
            reduce_tile(compute.name, result, data.reshape_dim(1, (self.tile.along, self.shape[1] // self.tile.along)))
            return result
        result = self.make(compute.extent, compute.dtype) if over is None else self.registers[over]
        width = result.shape[1]
        if self.rows.stage.columns and self.last:  # what follows waits for all of it
            self.rows.balance = Balance()
        if width > 1 and all(item.shape[1] == 1 for item in inputs):  # functions look for an operand of their result's width
            inputs = [self.spread(inputs[0], compute.extent), *inputs[1:]]
        of_rows = any(item.shape[1] not in (1, width) for item in inputs)
        if of_rows and width // self.tile.along < long_row():
            inputs = [self.spread(item) if item.shape[1] != 1 else item for item in inputs]
            of_rows = False
        pieces = list(self.pieces(width, of_rows, work_of(compute).scratch))
        for start in range(0, len(pieces), TOGETHER):
            with together(later) if is_late(compute) else nullcontext():
                for first, last in pieces[start : start + TOGETHER]:
                    row = first * self.tile.along // width
                    # What is written over is one object to the function, which asks for that.
                    piece = {id(item): item[:, first:last] for item in (result, *more)}
                    parts = [
                        piece.setdefault(id(item), item[:, first:last])
                        if item.shape[1] == width
                        else item if item.shape[1] == 1 else item[:, row : row + 1]
                        for item in inputs
                    ]
                    self.emit(compute, *(piece[id(item)] for item in (result, *more)), *parts)
        return result

    def pieces(self, width: int, of_rows: bool, scratch: int) -> Iterator[tuple[int, int]]:
        """Cut a tile: between rows where each has an operand of its own, else in halves, and further where there is much scratch."""
        most = max(PIECE, -(-width // (8 if self.rows.stage.columns else 2))) if scratch <= SMALL_SCRATCH else PIECE
        row = width // self.tile.along if of_rows else width
        for start in range(0, width, row):
            for first in range(start, start + row, most):
                yield first, min(first + most, start + row)

    def emit(self, compute: Compute, result: Any, *inputs: Any) -> None:
        """Emit a function of elements, a pair of them, of which other results are the first inputs, or a cast."""
        inputs = *inputs, *(self.rows.tables[table] for table in tables_of(compute))
        if compute.kind == "cast" and compute.name != "bits" and compute.loop.startswith("float8") and compute.dtype in _WIDER:
            nisa.tensor_copy(result, inputs[0], engine=self.rows.balance.mover(result.shape[1]))
        elif compute.kind == "cast":
            self.rows.balance.take(work_of(compute), result.shape[1])
            if compute.name == "bits":
                reinterpret(result, inputs[0], compute.loop)
            else:
                cast(result, inputs[0], compute.dtype, compute.loop)
        elif compute.kind == "pair":
            self.rows.balance.take(work_of(compute), result.shape[1])
            PAIRS[compute.name].loops[compute.loop].emit(result, *inputs)
        else:
            self.rows.balance.emit(EMITTERS[compute.name].loops[compute.loop], work_of(compute), result, *inputs)
