"""Fourier transforms of rows: folded, transposed on chip, and multiplied by roots of unity."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from ....isa import nisa, nl
from ....rules import Signature
from ...folding import Block, Folding, Run, folding, from_half, plain, stacked
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ...mirroring import MIRRORED, mirrored
from ..emission import Emission
from ..move.tile_transpose import TileTransposer
from ..tile_ring import BANK_BYTES, Ring, psum_ring
from .engines import Engines
from .row_rings import RINGS, SPARE, Chunk, Rings, Tiles

__all__: list[str] = []

_PARTITIONS: Final = 128
_BANK: Final = BANK_BYTES // 4
_ROW_BYTES: Final = 4096  # of a partition that one load brings at least
_FOLD, _TURN, _FINISH = 3, 1, -1  # steps before or after that of the products
_MOST: Final = 8  # transposes of short rows in a step
_STEPS: Final = 8  # of a turn of a loop


class _Step(NamedTuple):
    """A group of products of some of the rows beside each other of a chunk."""

    chunk: int
    begin: int
    rows: int
    group: int
    last: bool


class _Rows:
    """
    Transforms of rows in HBM.

    Parameters
    ----------
    plan : Folding
        How.
    kind : str
        What: see `_KINDS`.
    sources, results : list of NkiTensor
        Planes of (rows, width), and of (rows, length).
    constant : NkiTensor
        The matrix.
    budget : int
        Instructions that there may be.
    """

    def __init__(self, plan: Folding, kind: str, sources: list[Any], results: list[Any], constant: Any, budget: int) -> None:
        self.plan, self.kind, self.sources, self.results = plan, kind, sources, results
        self.total, self.length = sources[0].shape[0], results[0].shape[1]
        self.slots = _PARTITIONS // plan.height
        fit = max(1, min(_MOST * self.slots, _BANK // plan.widest)) if len(plan.groups) == 1 else 1
        self.unit = max(self.slots, fit // self.slots * self.slots)
        self.each = self.unit * max(1, round(_ROW_BYTES / (4 * plan.width * self.unit)))
        self.each = max(self.unit, min(self.each, -(-self.total // _PARTITIONS)))
        self.budget = budget
        planes = range(1 if kind in ("Hermitian", "stacked") else len(sources))  # of products
        spare = plan.height if self.slots > 1 and kind != "stacked" else 0
        self.blocks = {block: number for number, block in enumerate(plan.blocks)}
        self.slotted = -(-self.unit // self.slots)
        rings = self._rings(len(planes))
        self.ahead = rings.inputs // 2
        self.inputs = (
            [Tiles(rings.inputs, self.each, 2 * plan.n)]
            if kind == "stacked"
            else [Tiles(rings.inputs, self.each, plan.width, spare) for _ in sources]
        )
        if spare:
            for tiles in self.inputs:
                for _ in range(rings.inputs):
                    nisa.memset(tiles.ring.take()[:, self.each * plan.width :], 0.0)
        self.works = [Tiles(rings.works, self.unit, plan.results) if plan.results else None for _ in planes]
        for works in self.works:
            if works is not None:
                works.fill(plan.zeros, self.unit, rings.works)
        self.turned = [Ring(rings.turned, (_PARTITIONS, len(self.blocks) * self.slotted, _PARTITIONS), constant.dtype) for _ in planes]
        self.outputs = [Tiles(rings.outputs, self.each, self.length) for _ in results]
        if kind in ("real", "whole"):
            self.outputs[1].fill((0,) if plan.n % 2 else (0, plan.n // 2), self.each, rings.outputs)
        self.copies = Ring(3, (_PARTITIONS, _BANK), nl.float32)
        self.rotated = plan.rotated
        self.matrix = nl.ndarray((_PARTITIONS, constant.shape[1] if kind != "plain" else plan.columns), constant.dtype, buffer=nl.sbuf)
        self._load_matrix(constant)
        if plan.rotated:
            self.factors = nl.ndarray((_PARTITIONS, 2 * len(plan.rotated)), nl.float32, buffer=nl.sbuf)
            nisa.tensor_copy(self.factors, self.matrix[:, plan.columns :], engine=nisa.engine.vector)
        self.on_tensor_engine = nisa.get_nc_version() >= nisa.nc_version.gen3
        self.transposer = TileTransposer()
        self.transposes, self.products = psum_ring(4) if self.on_tensor_engine else None, psum_ring(4)
        self.engines = Engines()

    def _rings(self, planes: int) -> Rings:
        """Choose the largest rings that fit beside each other."""
        plan, usable = self.plan, nl.tile_size.sbuf_fmax_bytes // 4 - SPARE
        taken = Rings(
            len(self.sources) * (self.each + (self.slots > 1)) * plan.width,
            planes * self.unit * plan.results,
            planes * len(self.blocks) * self.slotted * _PARTITIONS,
            len(self.results) * self.each * self.length,
        )
        ends = [{block for run in group for block in (*run.cosines, *run.sines)} for group in (plan.groups[0], plan.groups[-1])]
        possible = [rings for rings in RINGS if rings.turned > 1 or not ends[0] & ends[1]][: 1 if len(plan.groups) == 1 else None]
        for rings in possible:
            if plan.columns + sum(count * width for count, width in zip(rings, taken, strict=True)) <= usable:
                return rings
        return rings

    def _load_matrix(self, constant: Any) -> None:
        if self.kind != "plain":
            nisa.dma_copy(self.matrix, constant)
            return
        for number, block in enumerate(self.blocks):
            columns = slice(number * self.length, (number + 1) * self.length)
            nisa.dma_copy(self.matrix[: block.length, columns], constant[block.start : block.start + block.length])

    # What is computed, in which order

    def run(self) -> None:
        """Transform all rows; many of them in a loop."""
        full = _PARTITIONS * self.each
        whole, rest = divmod(self.total, full)
        chunks = -(-_STEPS // (-(-self.each // self.unit) * len(self.plan.groups)))
        turns = whole // chunks if whole * self._instructions() > self.budget and whole > chunks else 0
        if turns:
            body = [Chunk(0, number * _PARTITIONS, _PARTITIONS, self.each) for number in range(chunks)]
            nl.fori_loop(0, turns, lambda i: self.some([one._replace(first=i * (chunks * _PARTITIONS) + one.first) for one in body]))
        self.some([*self._rest(turns * chunks * full, whole - turns * chunks, rest)])

    def _instructions(self) -> int:
        """Count about what a chunk takes."""
        blocks = len(self.blocks) * (self.each / self.slots)
        products = sum(len(run.cosines) + len(run.sines) for group in self.plan.groups for run in group) * self.each
        steps = -(-self.each // self.unit) * sum(1 + 6 * len(group) for group in self.plan.groups)
        return int(len(self.turned) * (1.3 * blocks + products) + steps + 4)

    def _rest(self, first: int, whole: int, rest: int) -> Iterator[Chunk]:
        full = _PARTITIONS * self.each
        for number in range(whole):
            yield Chunk(first + number * full, 0, _PARTITIONS, self.each)
        first += whole * full
        if rest >= _PARTITIONS:
            each = rest // _PARTITIONS
            yield Chunk(first, 0, _PARTITIONS, each)
            first, rest = first + each * _PARTITIONS, rest - each * _PARTITIONS
        if rest:
            yield Chunk(first, 0, rest, 1)

    def some(self, chunks: list[Chunk]) -> None:
        """Transform rows, each engine at other ones."""
        steps = [
            _Step(number, begin, min(self.unit, chunk.each - begin), group, begin + self.unit >= chunk.each)
            for number, chunk in enumerate(chunks)
            for begin in range(0, chunk.each, self.unit)
            for group in range(len(self.plan.groups))
        ]
        inputs: dict[int, list[Any]] = {}
        outputs: dict[int, list[Any]] = {}
        works: dict[tuple[int, int], list[Any]] = {}
        turned: dict[tuple[int, int], tuple[list[Any], set[Any]]] = {}
        sums: dict[int, list[Any]] = {}

        def at(step: int) -> _Step | None:
            return steps[step] if 0 <= step < len(steps) else None

        loaded = 0
        for now in range(-_FOLD, len(steps) - _FINISH):
            coming = at(now + _FOLD)
            while coming is not None and loaded < min(len(chunks), coming.chunk + 1 + self.ahead):
                inputs[loaded] = self.load(chunks[loaded])
                loaded += 1
            done, step, next_ = at(now + _FINISH), at(now), at(now + _TURN)
            if coming is not None and coming.group == 0 and self.plan.results:
                works[coming.chunk, coming.begin] = self.fold(chunks[coming.chunk], coming, inputs[coming.chunk])
            if next_ is not None:
                key = (next_.chunk, next_.begin)
                if next_.group == 0:
                    turned[key] = [ring.take() for ring in self.turned], set()
                self.turn(chunks[next_.chunk], next_, inputs[next_.chunk], works.get(key, []), turned[key])
            if step is not None:
                sums[now] = self.multiply(chunks[step.chunk], step, turned[step.chunk, step.begin][0])
            if done is not None:
                if done.begin == 0 and done.group == 0:
                    outputs[done.chunk] = [tiles.ring.take() for tiles in self.outputs]
                self.finish(chunks[done.chunk], done, sums.pop(now + _FINISH), outputs[done.chunk])
                if done.last and done.group == len(self.plan.groups) - 1:
                    self.store(chunks[done.chunk], outputs.pop(done.chunk))

    # The parts of a step

    def load(self, chunk: Chunk) -> list[Any]:
        """Load the rows of a chunk."""
        if self.kind == "stacked":
            tile, middle = self.inputs[0].ring.take(), self.each * self.plan.n
            for begin, source in zip((0, middle), self.sources, strict=True):
                columns = slice(begin, begin + chunk.each * self.plan.n)
                nisa.dma_copy(tile[: chunk.partitions, columns], chunk.of(source))
            return [tile]
        loaded = []
        for tiles, source in zip(self.inputs, self.sources, strict=True):
            tile = tiles.ring.take()
            end = chunk.each * self.plan.width
            nisa.dma_copy(tile[: chunk.partitions, :end], chunk.of(source))
            if self.slots > 1 and chunk.each < self.each:  # transposes look beyond the last row
                nisa.memset(tile[: chunk.partitions, end : end + self.plan.height], 0.0)
            loaded.append(tile)
        return loaded

    def store(self, chunk: Chunk, outputs: list[Any]) -> None:
        """Store the transforms of a chunk."""
        for result, tile in zip(self.results, outputs, strict=True):
            nisa.dma_copy(chunk.of(result), tile[: chunk.partitions, : chunk.each * self.length])

    def fold(self, chunk: Chunk, step: _Step, inputs: list[Any]) -> list[Any]:
        """Add up and subtract parts of rows."""
        folded = []
        for tiles, works, tile in zip(self.inputs, self.works, inputs, strict=True):
            assert works is not None
            work = works.ring.take()
            for one in self.plan.sums:
                into = works.view(work, chunk.partitions, (0, step.rows), one.into, 1, one.numbers)
                source, where, begin = (works, work, 0) if one.folded else (tiles, tile, step.begin)
                left = source.view(where, chunk.partitions, (begin, step.rows), one.left, 1, one.numbers)
                if one.sign:
                    right = source.view(where, chunk.partitions, (begin, step.rows), one.right, one.step, one.numbers)
                    engine = self.engines.take("tensor_tensor", step.rows * one.numbers)
                    nisa.tensor_tensor(into, left, right, nl.add if one.sign > 0 else nl.subtract, engine=engine)
                else:
                    nisa.tensor_copy(into, left, engine=self.engines.take("tensor_copy", step.rows * one.numbers))
            folded.append(work)
        return folded

    def turn(self, chunk: Chunk, step: _Step, inputs: list[Any], works: list[Any], into: tuple[list[Any], set[Any]]) -> None:
        """Transpose the blocks that a group needs."""
        turned, there = into
        group = self.plan.groups[step.group]
        wanted = [block for block in self.blocks if any(block in (*run.cosines, *run.sines) for run in group) and block not in there]
        there.update(wanted)
        for plane, tile in enumerate(turned):
            parts = []
            for block in wanted:
                for place in range(-(-step.rows // self.slots)):
                    column = self.blocks[block] * self.slotted + place
                    if self.slots > 1:
                        rows = min(self.slots, step.rows - place * self.slots)
                        tiles = self.inputs[plane]
                        offset = (step.begin + place * self.slots) * self.plan.width
                        pattern = [[tiles.pitch, chunk.partitions], [self.plan.width, rows], [1, self.plan.height]]
                        if self.kind == "stacked":
                            pattern[2:] = [[self.each * self.plan.n, 2], [1, self.plan.n]]
                        parts.append((column, rows * self.plan.height, inputs[plane].ap(pattern=pattern, offset=offset)))
                        continue
                    found = self.works[plane] if block.folded else self.inputs[plane]
                    assert found is not None
                    data, row = (works[plane], place) if block.folded else (inputs[plane], step.begin + place)
                    start = block.start
                    if self.kind == "Hermitian" and start >= self.plan.width:
                        data, start = inputs[1], start - self.plan.width
                    sources = [
                        data.ap(pattern=[[found.pitch, chunk.partitions], [stride, block.length]], offset=row * found.width + begin)
                        for begin, stride in ((start, block.stride), (block.other, -block.stride))
                        if begin >= 0
                    ]
                    if block.other < 0:
                        parts.append((column, block.length, sources[0]))
                    elif block.stride > 0:
                        self._rotate(tile, block, place, sources, chunk.partitions)
            self._transpose(tile, parts, chunk.partitions)

    def _rotate(self, into: Any, block: Block, place: int, sources: list[Any], partitions: int) -> None:
        """Transpose two blocks, and rotate each number of the one and of the other by an angle of their own."""
        bank = self.copies.take() if self.transposes is None else self.transposes.take()
        both = bank[: block.length, : 2 * _PARTITIONS].reshape_dim(1, (2, _PARTITIONS))[:, :, :partitions]
        for number, source in enumerate(sources):
            if self.transposes is None:
                self.transposer.tile(both[:, number], source)
            else:
                nisa.nc_transpose(both[:, number], source, engine=nisa.engine.tensor)
        for number, one in enumerate((block, block._replace(start=block.other, stride=-1, other=block.start))):
            target = into[: block.length, self.blocks[one] * self.slotted + place, :partitions]
            cosine, sine = (self.factors[: block.length, column : column + 1] for column in (self.rotated[one], self.rotated[one] + 1))
            scaled = self.copies.take()[: block.length, :partitions]
            nisa.activation(scaled, nl.copy, both[:, number], scale=cosine)
            nisa.scalar_tensor_tensor(target, both[:, 1 - number], nl.multiply, sine, nl.add, scaled)

    def _transpose(self, into: Any, parts: list[tuple[int, int, Any]], partitions: int) -> None:
        """Transpose blocks of one length through PSUM together, which one copy evacuates."""
        each = _BANK // _PARTITIONS
        while parts:
            length, first = parts[0][1], parts[0][0]
            fitting = [one[:2] == (first + number, length) for number, one in enumerate(parts[:each])]
            some = parts[: fitting.index(False) if False in fitting else each]
            del parts[: len(some)]
            target = into[:length, first : first + len(some), :partitions]
            if self.transposes is None:
                for number, (_, _, source) in enumerate(some):
                    self._transpose_apart(target[:, number], source)
                continue
            bank = self.transposes.take()[:length, : len(some) * _PARTITIONS].reshape_dim(1, (len(some), _PARTITIONS))
            for number, (_, _, source) in enumerate(some):
                nisa.nc_transpose(bank[:, number, :partitions], source, engine=nisa.engine.tensor)
            nisa.tensor_copy(target, bank[:, :, :partitions], engine=nisa.engine.scalar)

    def _transpose_apart(self, target: Any, source: Any) -> None:
        """Transpose a block, or several short rows one after the other."""
        if source.ndim == 2:
            self.transposer.tile(target, source)
            return
        for slot in range(source.shape[1]):
            into, part = target[slot * self.plan.height : (slot + 1) * self.plan.height], source[:, slot]
            if part.ndim == 2:
                self.transposer.tile(into, part)
                continue
            for plane in range(2):
                self.transposer.tile(into[plane * self.plan.n : (plane + 1) * self.plan.n], part[:, plane])

    def multiply(self, chunk: Chunk, step: _Step, turned: list[Any]) -> list[Any]:
        """Multiply a group: each plane's sums in a bank of their own."""
        group = self.plan.groups[step.group]
        width = sum(run.columns for run in group)
        banks = []
        for tile in turned:
            bank = self.products.take()
            for row in range(step.rows):
                place, slot = divmod(row, self.slots)
                column = row * width
                for run in group:
                    for target, blocks, at, stride, count in self._products(run, column):
                        for number, block in enumerate(blocks):
                            rows = slice(slot * self.plan.height, slot * self.plan.height + block.length)
                            nisa.nc_matmul(
                                bank[: chunk.partitions, target : target + count],
                                tile[rows, self.blocks[block] * self.slotted + place, : chunk.partitions],
                                self.matrix[rows, at + number * stride : at + number * stride + count],
                                accumulate=number > 0,
                                **({} if self.slots == 1 else self._tile(slot)),
                            )
                    column += run.columns
            banks.append(bank)
        return banks

    def _tile(self, slot: int) -> dict[str, Any]:
        return {"tile_position": (slot * self.plan.height, 0), "tile_size": (self.plan.height, _PARTITIONS)}

    @staticmethod
    def _products(run: Run, column: int) -> Iterator[tuple[int, tuple[Any, ...], int, int, int]]:
        """List products: where their columns go, of which blocks, by which columns of the matrix."""
        if run.together:
            yield column, run.cosines, run.cosine, 0, run.columns
            return
        yield column, run.cosines, run.cosine, run.cosine_step, run.frequencies
        if run.pairs:
            yield column + run.frequencies, run.sines, run.sine, run.sine_step, run.pairs

    def finish(self, chunk: Chunk, step: _Step, banks: list[Any], outputs: list[Any]) -> None:
        """Put frequencies and their mirror images together of the sums of both planes."""
        group = self.plan.groups[step.group]
        width = sum(run.columns for run in group)
        partitions, rows = chunk.partitions, (step.begin, step.rows)

        def of(bank: Any, start: int, stride: int, count: int) -> Any:
            return bank.ap(pattern=[[_BANK, partitions], [width, step.rows], [stride, count]], offset=start)

        def to(plane: int, frequency: int, stride: int, count: int) -> Any:
            tiles = self.outputs[plane]
            return tiles.view(outputs[plane], partitions, rows, frequency, stride, count)

        if self.kind == "stacked":
            for plane, engine in enumerate((self._copier(), nisa.engine.vector)):
                source = of(banks[0], plane * self.plan.n, 1, self.plan.n)
                nisa.tensor_copy(to(plane, 0, 1, self.plan.n), source, engine=engine)
            return
        if self.kind == "plain" or self.kind in MIRRORED:
            for plane, bank in enumerate(banks):
                self._apart(plane, group, of, to, bank)
            return
        bank, other = banks[0], None
        if self.kind in ("complex", "Hermitian"):
            other = self.copies.take()
            nisa.tensor_copy(other[:partitions, : step.rows * width], banks[-1][:partitions, : step.rows * width], engine=self._copier())
        column = 0
        for run in group:
            ends = [number for number, is_end in ((0, run.lead), (run.frequencies - 1, run.tail)) if is_end]
            if ends:
                stride = max(1, ends[-1] - ends[0])
                for plane, source in enumerate((bank, other) if self.kind == "complex" else (bank,)):
                    engine = self.engines.take("tensor_copy", step.rows * len(ends), psum=plane == 0)
                    into = to(plane, run.first + run.step * ends[0], run.step * stride, len(ends))
                    nisa.tensor_copy(into, of(source, column + ends[0], stride, len(ends)), engine=engine)
            if run.pairs:
                cosine, sine = column + run.lead, column + run.frequencies
                self._pairs(run, of, to, bank, other, cosine, sine, step.rows)
            column += run.columns

    def _apart(self, plane: int, group: tuple[Run, ...], of: Callable[..., Any], to: Callable[..., Any], bank: Any) -> None:
        """Copy products of one plane out of PSUM; those that two products share as sums and differences."""
        engine, column = nisa.engine.vector if plane else self._copier(), 0
        for run in group:
            if not run.sines:
                nisa.tensor_copy(to(plane, run.first, run.step, run.columns), of(bank, column, 1, run.columns), engine=engine)
            else:
                odd = self.copies.take()
                nisa.tensor_copy(of(odd, 0, 1, run.pairs), of(bank, column + run.frequencies, 1, run.pairs), engine=self._copier())
                mirror = (run.first - run.step // 2, run.step) if self.rotated else (self.plan.n - 1 - run.first, -1)
                for (first, stride), op in (((run.first, run.step), nl.add), (mirror, nl.subtract)):
                    begin = int(first < 0)
                    count = run.pairs - begin - int(first + stride * (run.pairs - 1) >= self.plan.n)
                    one, other = of(bank, column + begin, 1, count), of(odd, begin, 1, count)
                    nisa.tensor_tensor(to(plane, first + stride * begin, stride, count), one, other, op, engine=nisa.engine.vector)
            column += run.columns

    def _copier(self) -> Any:
        return nisa.engine.scalar if self.on_tensor_engine else nisa.engine.vector

    def _pairs(
        self, run: Run, of: Callable[..., Any], to: Callable[..., Any], bank: Any, other: Any, cosine: int, sine: int, rows: int
    ) -> None:
        """Give frequencies and mirror images their parts: of one plane or of two, whose sums are combined."""
        first, count = run.first + run.step * run.lead, run.pairs
        mirror = self.plan.n - first
        if other is None:
            for plane, column in ((0, cosine), (1, sine)):
                source, engine = of(bank, column, 1, count), nisa.engine.vector if plane else self._copier()
                nisa.tensor_copy(to(plane, first, run.step, count), source, engine=engine)
                if self.kind == "whole" and plane:
                    nisa.tensor_scalar(to(plane, mirror, -run.step, count), source, nl.multiply, -1.0, engine=nisa.engine.vector)
                elif self.kind == "whole":
                    nisa.tensor_copy(to(plane, mirror, -run.step, count), source, engine=self._copier())
            return
        for plane, is_mirrored, left, right, sign in _COMBINED[self.kind]:
            dst = to(plane, mirror if is_mirrored else first, -run.step if is_mirrored else run.step, count)
            one = of(bank, (cosine, sine)[left], 1, count)
            two = of(other, (cosine, sine)[right], 1, count)
            if sign < 0:
                nisa.tensor_tensor(dst, two, one, nl.subtract, engine=nisa.engine.vector)
            else:
                nisa.tensor_tensor(dst, one, two, nl.subtract if sign == 0 else nl.add, engine=nisa.engine.vector)
            self.engines.take("tensor_tensor", rows * count, psum=True)


_COMBINED: Final = {
    "complex": ((0, False, 0, 1, 0), (1, False, 1, 0, 1), (0, True, 0, 1, 1), (1, True, 1, 0, -1)),
    "Hermitian": ((0, False, 0, 1, 1), (0, True, 0, 1, 0)),
}
"""
What frequencies and mirror images are, by the kind of transform: the plane of a result, whether it is mirrored, whether the cosines (0) or
the sines (1) of the first plane and of the other one are taken, and how: added (1), subtracted (0), or subtracted from the other (-1).
"""

_KINDS: Final = {"complex": (2, 2), "stacked": (2, 2), "real": (1, 2), "whole": (1, 2), "Hermitian": (2, 1)}
"""
Planes of operands and of results: of complex rows, and short ones whose parts are below each other; of real ones, to half a spectrum or to
all of it; of half a spectrum, to real numbers. All other kinds are products of one or two planes with a matrix: any, or a symmetric one.
"""


def _rule(*operands: Signature, kind: str, n: int) -> Ruling:
    """Transform rows of one or two planes."""
    *planes, matrix = operands
    rows, width = math.prod(planes[0].shape[:-1]), planes[0].shape[-1]
    given, made = _KINDS.get(kind, (0, 0))
    wanted = matrix.shape[0] if kind == "plain" else n // 2 + 1 if kind == "Hermitian" else n
    if len({*planes}) != 1 or len(planes) not in ((given,) if given else (1, 2)) or width != wanted or not rows or len(matrix.shape) != 2:
        raise InvalidCallError(f"{kind} rows of {wanted} numbers are transformed, in planes of one shape, not {planes} by {matrix}")
    length = n // 2 + 1 if kind == "real" else n
    shape = (*planes[0].shape[:-1], length)
    return (Signature(shape, planes[0].dtype),) * (made or len(planes)), (kind, rows, width, n, length, matrix.shape)


def _emit(emission: Emission, kind: str, rows: int, width: int, n: int, length: int, matrix: tuple[int, int]) -> None:
    smallest = 32 if nisa.get_nc_version() >= nisa.nc_version.gen3 else 64
    plans = {"plain": lambda: plain(width, n), "Hermitian": lambda: from_half(n), "stacked": lambda: stacked(n)}
    plan = mirrored(kind, n) if kind in MIRRORED else plans.get(kind, lambda: folding(n, smallest))()
    last = len(emission.stage.sources) - 1
    sources = [emission.source(number, (rows, width)) for number in range(last)]
    results = [emission.result((rows, length), number) for number in range(len(emission.stage.results))]
    _Rows(plan, kind, sources, results, emission.source(last, matrix), emission.budget).run()


declare(Kernel("fourier rows", _rule, _emit, "Fourier transform, {0} rows", "{1} × {3}"))
