"""Products of matrices on the Tensor Engine, real and complex, tile by tile, with functions before and after."""

from __future__ import annotations

import itertools
import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from ....dtypes import DType
from ....isa import nisa, nl
from ....rules import Signature
from ...kernel import InvalidCallError, Kernel, Prologue, Ruling, declare
from ...plan.plan import RowStage
from ..emission import Emission, result_dtype
from ..epilogue import Span
from ..evacuation import Evacuation
from ..move.tile_transpose import TileTransposer, itemsize
from ..tile_ring import BANK_BYTES, Ring, psum_ring
from .blocking import Blocking, choose_blocking, even_parts, row_instructions
from .operands import MatmulOperand, MovingPanels, StationaryTiles, flat, row_of, together
from .stacks import product_extents

__all__ = ["MatmulOperand", "matmul"]

_FEW: Final = 2  # functions of an operand that is loaded again and again
_FUSED_ELEMENTS: Final = 1024  # of a partition that fused functions work on, at most
_FUSED_SCRATCH: Final = 24 * 1024
_LEAST: Final = 32 * 1024  # bytes of a partition that a product works with, beside fused functions, whose estimates are upper bounds
_TILE: Final = 128
_AHEAD: Final = 8  # result tiles whose other operands are loaded before the first one is stored in the same memory
_MANY: Final = 2048  # rows of all batches from which on it pays to load and store several tiles at once
_GROUP: Final = 1024  # columns of a result tile: two PSUM banks, and rows of at least 2 KiB to store
_SUMS: Final = {(1, 1): ((0,),), (1, 2): ((0, 1),), (2, 1): ((0,), (1,)), (2, 2): ((0, 1), (1, 2))}
"""By the operands' planes: the sum in PSUM that a product of two planes is added to; the third is subtracted from the first result."""

Finish = Callable[[list[Any]], object]
Hook = Callable[[Span, Span], Finish]
Part = tuple[int, int]
Tiles = tuple[Part, ...]


def matmul(
    results: Sequence[Any],
    a: Sequence[MatmulOperand],
    b: Sequence[MatmulOperand],
    *,
    epilogue: Hook | None = None,
    dtype: str | None = None,
    sbuf_bytes: int | None = None,
    budget: int = 100_000,
    gram: bool = False,
    ahead: int = 1,
) -> None:
    """
    Multiply matrices, real ones or complex ones in planes.

    Notes
    -----
    *Layout.* K lies on partitions. Rows of A are transposed on chip into stationary tiles of (K, 128), unless A is stored transposed; B
    moves in tiles of (K, 512), after transposes if it is stored transposed. Panels of B stay in SBUF while A streams past; where all of B
    is in one panel and A is its transpose, stationary tiles are parts of the panel, and A is not loaded.

    Of complex operands, all four products of planes are added up in PSUM, those of the imaginary parts apart from those of the real parts:
    the Vector Engine subtracts them as it copies them out.

    *Bound.* Tensor Engine: max(64, N) cycles for each tile, four times that for float32, and transposes of A (a sixteenth of it for N =
    2048), which DMA does for bfloat16, and for float32 where a row tile's products take long enough.

    *Error.* With u = 2**-24 for the float32 sums, ``|c - a @ b| <= (min(K, 128) + ceil(K / 128) + 2) u (|a| @ |b|)`` element by element,
    in any order of summation, plus one rounding to `dtype`; where the engine keeps only 21 bits of products of float32 three u more. Of
    complex operands that holds for each plane with the sum of both products on the right, and one u more.

    *Source.* Blocking with the accumulators in registers (here PSUM) and a panel in the nearest memory: Goto and van de Geijn, ACM TOMS 34
    (2008).
    """
    first, second = a[0], b[0]
    rows, depth = first.tensor.shape[-2:][:: -1 if first.transposed else 1]
    columns = second.tensor.shape[-2 if second.transposed else -1]
    batch = max(one.tensor.shape[0] if one.tensor.ndim == 3 else 1 for one in (first, second))
    if batch > 1 and first.tensor.ndim == 3 and not first.transposed and second.tensor.ndim == 2:
        rows, batch = batch * rows, 1
    usable = nl.tile_size.sbuf_fmax_bytes - 4096 if sbuf_bytes is None else sbuf_bytes
    sizes = sum(itemsize(one.multiplied) for one in a), sum(itemsize(one.multiplied) for one in b)
    transposed, products = (first.transposed, second.transposed), len(a) * len(b)
    blocking = choose_blocking(
        (rows, depth, columns),
        sizes,
        transposed,
        usable,
        budget // products,
        not any(one.by_tile for one in a),
        max(len(a), len(b)),
        weave=epilogue is None and not any(one.by_tile for one in a) and batch * rows >= _MANY,
    )
    shared = gram and not blocking.looped and len(blocking.panels) == len(blocking.depths) == 1
    dtype = dtype or str((*results, first.tensor)[0].dtype)
    product = _Product(results, [] if shared else a, b, (rows, depth, columns), blocking, epilogue, dtype, ahead)
    product.budget = budget // products
    if batch * blocking.instructions * products <= budget or blocking.looped:
        product.run(range(batch))
    else:
        product.serves_all = False  # what a turn loads, the next one loads again
        nl.fori_loop(0, batch, lambda number: product.run([number]))


class _Product:
    """The products of a batch, one after the other."""

    def __init__(
        self,
        results: Sequence[Any],
        a: Sequence[MatmulOperand],
        b: Sequence[MatmulOperand],
        extents: tuple[int, int, int],
        blocking: Blocking,
        epilogue: Hook | None,
        dtype: str,
        ahead: int,
    ) -> None:
        self.ahead, self.budget = ahead, 0
        self.blocking, self.epilogue, self.results = blocking, epilogue, [flat(result) for result in results]
        self.rows, _, self.columns = extents
        self.evacuation = Evacuation()
        transposer = TileTransposer(2, self.evacuation)
        self.a = [StationaryTiles(one, extents, blocking, transposer, len(a) * len(b)) for one in a]
        self.b = [MovingPanels(one, extents, blocking, transposer) for one in b]
        self.halved = any(one.halved for one in self.a)
        self.serves_all = blocking.kept and bool(a) and all(one.tensor.ndim == 2 for one in a)
        self.kept: list[list[list[Any]]] = []  # stationary tiles that stay
        self.sum_of = _SUMS[len(a) or 1, len(b)]
        self.sums = 1 + max(map(max, self.sum_of))
        self.group = _GROUP if self.sums == 1 else _GROUP // 2
        self.banks = psum_ring(4 if self.sums < 3 else 6)
        tallest = max(length for _, length in blocking.tiles)
        width = min(self.group, self.columns)
        count = 4 if 2 * width <= _GROUP else 2  # stores take longer than small products
        self.many = blocking.together if blocking.woven else 1  # row tiles of a store
        self.out = [Ring(3 if self.many > 1 else count, (tallest, self.many, width), dtype) for _ in range(min(self.sums, 2))]
        self.held: list[Any] = []
        self.ready: list[list[Any]] = []  # sums of a row tile to come

    def run(self, numbers: Sequence[Any]) -> None:
        """Multiply the matrices of batches; the number of one may be known at run time only."""
        blocking, tiles = self.blocking, self.blocking.tiles
        if blocking.looped:
            for number in numbers:
                self._loops(number)
            return
        for some in [numbers] if blocking.group >= len(tiles) else [[number] for number in numbers]:
            for first in range(0, len(tiles), blocking.group):
                self._block(some, (0, first), tiles[first : first + blocking.group], blocking.panels, None)

    def _loops(self, number: Any) -> None:
        """Let the device count panels, or groups of row tiles."""
        blocking, tiles = self.blocking, self.blocking.tiles
        if self._counts_panels(number):
            width = blocking.panels[0][1]
            self._block([number], (0, 0), tiles, blocking.panels[:1], None)
            nl.fori_loop(1, len(blocking.panels), lambda j: self._block([number], (0, 0), tiles, ((j * width, width),), None))
            return
        height = _TILE * blocking.group
        whole = self.rows // height
        group, rest = tiles[: blocking.group], tiles[whole * blocking.group :]
        split = len(blocking.depths) > 1
        for panels in [blocking.panels] if split else [(panel,) for panel in blocking.panels]:
            held = None if split else self._panel(number, panels[0], blocking.depths[0])
            nl.fori_loop(0, whole, partial(self._counted, number, group, panels, held))
            if rest:
                self._block([number], (0, whole * blocking.group), rest, panels, held)

    def _counts_panels(self, number: Any) -> bool:
        """Tell whether the device counts panels, of one width, instead of row tiles: fewer turns, each of which waits for its loads."""
        (_, first), *others = self.blocking.panels
        alike = len(others) > 1 and all(width == first for _, width in others) and len(self.blocking.depths) == 1
        room = 2 * row_instructions(len(self.blocking.tiles), self.blocking) <= self.budget
        return alike and room and self.epilogue is None and isinstance(number, int)

    def _counted(self, number: Any, group: Tiles, panels: Tiles, held: list[list[Any]] | None, i: Any) -> None:
        self._block([number], (i * (_TILE * len(group)), i * len(group)), group, panels, held)

    def _panel(self, number: Any, panel: Part, depth: Part) -> list[list[Any]]:
        """Load a block of each plane of B."""
        contents: list[list[Any]] = [[] for _ in self.b]
        for plane, into in zip(self.b, contents, strict=True):
            for load in plane.loads(number, panel, depth, into):
                load()
        return contents

    def _block(self, numbers: Sequence[Any], base: tuple[Any, Any], tiles: Tiles, panels: Tiles, held: list[list[Any]] | None) -> None:
        """Multiply row tiles, from a row and a tile on, with panels; each step overlaps with loads and transposes for those after it."""
        keys = [(number, (panel, depth)) for number in numbers for panel in panels for depth in self.blocking.depths]
        each = len(keys) // len(numbers)  # of a matrix
        steps = [(key, tile) for key in range(len(keys)) for tile in range(len(tiles))]
        contents: list[list[list[Any]]] = [[[] for _ in self.b] for _ in keys] if held is None else [held]
        loads: list[list[Callable[[], None]]] = [[] for _ in keys]
        if held is None:
            for (number, (panel, depth)), coming, planes in zip(keys, loads, contents, strict=True):
                turns = zip(*(plane.loads(number, panel, depth, into) for plane, into in zip(self.b, planes, strict=True)), strict=True)
                coming += itertools.chain.from_iterable(turns)  # what is multiplied at once comes at once
        finishes = self._finishes(
            (self._rows(keys[key][0], base, tiles[tile]), (panel[0] + begin, length))
            for key, tile in steps
            for panel, depth in (keys[key][1],)
            if depth == self.blocking.depths[-1]
            for begin, length in self._parts(panel, (key, tile) == steps[-1])
        )
        raw: list[list[Any]] = [[] for _ in self.a]
        turned: list[list[list[Any]]] = []
        sums: dict[int, list[Any]] = {}
        beside = held is None and len(tiles) > 1 and self._fits_twice(panels[0])

        def fetch(step: int) -> None:
            if step < len(steps):
                key, tile = steps[step]
                for plane, loaded in zip(self.a, raw, strict=True):
                    if self._stays(key % each, tile, key > 0):
                        loaded.append(None)
                    else:
                        plane.fetch(keys[key][0], base, tiles, tile, keys[key][1], loaded, step > beside)

        def turn(step: int) -> None:
            if step < len(steps):
                key, tile = steps[step]
                first, height = tiles[tile]
                if self._stays(key % each, tile, key > 0):
                    turned.append(self.kept[tile])
                    return
                part, early = keys[key][1], step > beside
                planes = [plane.turn(base[1] + tile, height, part, loaded[step], early) for plane, loaded in zip(self.a, raw, strict=True)]
                turned.append(planes or [[part[:, first : first + height] for part in contents[key][0]]])
                self.kept = [*self.kept[:tile], turned[-1]]

        def load_rest() -> None:
            for plane in self.a:
                plane.load_rest()

        fetch(0)
        loads[0].insert(1 + len(loads[0]) // 4, load_rest)
        for number, load in enumerate(loads[0]):
            load()
            if beside and number == 0:
                fetch(1)
        if not beside:
            fetch(1)
        turn(0)
        if beside:
            turn(1)
        for step, (key, tile) in enumerate(steps):
            fetch(step + 2)
            if key + 1 < len(keys):
                coming = loads[key + 1]
                share = -(-len(coming) // (len(tiles) - tile))
                for load in coming[:share]:
                    load()
                del coming[:share]
            rows = self._rows(keys[key][0], base, tiles[tile])
            following = turned[1] if beside and step == 0 else None
            meanwhile = partial(turn, len(turned))
            parts = self._parts(keys[key][1][0], step == len(steps) - 1)
            self._multiply(keys[key][0], rows, keys[key][1], parts, turned[step], contents[key], sums, tile, meanwhile, finishes, following)

    def _fits_twice(self, panel: Part) -> bool:
        """Tell whether PSUM holds two row tiles, which are multiplied with each part of the first panel as it arrives."""
        return self.sums == len(self.blocking.depths) == 1 and panel[1] <= self.group

    def _stays(self, part: int, tile: int, later: bool) -> bool:
        """Tell whether a stationary tile is there from an earlier part of a matrix, or matrix that it serves."""
        return self.blocking.kept and bool(self.a) and (part > 0 or (self.serves_all and (later or tile < len(self.kept))))

    def _rows(self, number: Any, base: tuple[Any, Any], tile: Part) -> Span:
        """Find a row tile among the rows of all batches."""
        return row_of(number, self.rows, base[0] + tile[0]), tile[1]

    def _parts(self, panel: Span, last: bool) -> list[Part]:
        """Cut a panel into columns of result tiles, counted from its first one; the last one of all is narrow: nothing hides its store."""
        parts = even_parts(panel[1], self.group)
        if last and self.halved and parts[-1][1] > 2 * _TILE:
            begin, length = parts.pop()
            parts += [(begin, length - _TILE), (begin + length - _TILE, _TILE)]
        return parts

    def _finishes(self, parts: Iterable[tuple[Span, Part]]) -> Iterator[Finish | None]:
        """Prepare the epilogue of each part of the result, some ahead."""
        prepared = (None if self.epilogue is None else self.epilogue(*part) for part in parts)
        ready = deque(itertools.islice(prepared, self.ahead))
        while ready:
            ready.extend(itertools.islice(prepared, 1))
            yield ready.popleft()

    def _multiply(
        self,
        number: Any,
        rows: Span,
        key: tuple[Part, Part],
        columns: list[Part],
        stationary: list[list[Any]],
        contents: list[list[Any]],
        sums: dict[int, list[Any]],
        tile: int,
        meanwhile: Callable[[], None],
        finishes: Iterator[Finish | None],
        following: list[list[Any]] | None,
    ) -> None:
        """Multiply a row tile, perhaps with the next one, with a block of B, and store the results of the last block of the contraction."""
        panel, depth = key
        height, depths = stationary[0][0].shape[1], self.blocking.depths
        if len(depths) > 1 and depth == depths[0]:
            sums[tile] = [nl.ndarray((height, panel[1]), nl.float32) for _ in self.out]
        for begin, length in columns:
            finish = next(finishes) if depth == depths[-1] else None
            parts = [(begin + at, count) for at, count in even_parts(length, BANK_BYTES // 4)]
            banks, self.ready = self.ready, []
            if not banks:
                banks = self._take_banks(height, parts)
                members = [(banks, stationary)]
                if following is not None:
                    self.ready = self._take_banks(following[0][0].shape[1], parts)
                    members.append((self.ready, following))
                self._accumulate(members, parts, contents, meanwhile if begin == 0 else None)
            out = self._out(tile, height, length) if depth == depths[-1] else None
            for bank, (at, count) in zip(banks, parts, strict=True):
                into = (
                    [tensor[:, at : at + count] for tensor in sums[tile]]
                    if out is None
                    else [tensor[:, at - begin : at - begin + count] for tensor in out]
                )
                self._evacuate(into, bank, None if depth == depths[0] else [tensor[:, at : at + count] for tensor in sums[tile]])
            if out is not None:
                if finish is not None:
                    finish(out)
                self._store(number, rows, (panel[0] + begin, length), tile, out, finish is None)

    def _out(self, tile: int, height: int, length: int) -> list[Any]:
        """Take tiles of results, of which several are stored at once."""
        if tile % self.many == 0:
            self.held = [ring.take()[:height, :, :length] for ring in self.out]
        return [one[:, tile % self.many] for one in self.held]

    def _store(self, number: Any, rows: Span, columns: Span, tile: int, out: list[Any], every: bool) -> None:
        """Store tiles of results, of all or of those that the epilogue has not stored."""
        place = tile % self.many
        if self.many == 1:
            for result, one in zip(self.results, out, strict=every):
                nisa.dma_copy(result[nl.ds(*rows), nl.ds(*columns)], one)
        elif place == self.many - 1:
            for result, one in zip(self.results, self.held, strict=True):
                first = _TILE * (tile - place)
                nisa.dma_copy(together(result, number, self.rows, first, self.many)[:, :, nl.ds(*columns)], one)

    def _take_banks(self, height: int, parts: list[Part]) -> list[list[Any]]:
        return [[self.banks.take()[:height, :count] for _ in range(self.sums)] for _, count in parts]

    def _accumulate(
        self,
        members: list[tuple[list[list[Any]], list[list[Any]]]],
        parts: list[Part],
        contents: list[list[Any]],
        meanwhile: Callable[[], None] | None,
    ) -> None:
        """Add products of planes of row tiles up in PSUM. Half-way, or at once if others do it, comes work for the next tile."""
        begun = set[int]()
        deep = len(contents[0])
        for j in range(deep):
            if meanwhile is not None and j == (0 if self.halved else deep // 2):
                meanwhile()
            for number, targets in enumerate(self.sum_of):
                for panel, target in zip(contents, targets, strict=True):
                    moving = panel[j]
                    for banks, stationary in members:
                        for bank, (at, count) in zip(banks, parts, strict=True):
                            nisa.nc_matmul(bank[target], stationary[number][j], moving[:, at : at + count], accumulate=target in begun)
                    begun.add(target)

    def _evacuate(self, into: list[Any], bank: list[Any], before: list[Any] | None) -> None:
        """Copy sums out of PSUM, those of earlier blocks of the contraction added."""
        for number, dst in enumerate(into):
            if before is None:
                self.evacuation.copy(dst, bank[number])
            else:
                nisa.tensor_tensor(dst, before[number], bank[number], nl.add, engine=nisa.engine.vector)
        if len(bank) > len(into):
            nisa.tensor_tensor(into[0], into[0], bank[-1], nl.subtract, engine=nisa.engine.vector)


def _rule(
    *planes: Signature, left: int = 1, left_transposed: bool = False, right_transposed: bool = False, result: DType | None = None
) -> Ruling:
    """Multiply stacks of matrices, of which the first operands are the planes of the left ones; the result has their dtype or another."""
    first, second = planes[:left], planes[left:]
    if not {len(first), len(second)} <= {1, 2} or any(len(plane.shape) != 3 for plane in planes) or len({*first}) + len({*second}) != 2:
        raise InvalidCallError(f"matmul takes stacks of matrices, in one or two planes each, not {planes}")
    batch, rows, depth, columns, _, _ = product_extents("matmul", first[0], second[0], left_transposed, right_transposed)
    parameters = (batch, rows, depth, columns, left_transposed, right_transposed, left)
    return (Signature((batch, rows, columns), result or first[0].dtype),) * max(len(first), len(second)), parameters


def _prologue(
    operand: int, _batch: int, rows: int, depth: int, columns: int, left_transposed: bool, right_transposed: bool, left: int
) -> Prologue:
    """Functions of an operand that is loaded again and again are few."""
    if operand < left:
        return Prologue(rows if left_transposed else depth, _FEW)
    return Prologue(depth if right_transposed else columns, _FEW)


def _epilogue(_batch: int, _rows: int, _depth: int, columns: int, *_parameters: int) -> int:
    return columns


def _emit(
    emission: Emission, batch: int, rows: int, depth: int, columns: int, left_transposed: bool, right_transposed: bool, left: int
) -> None:
    stage = emission.stage
    first = (batch, depth, rows) if left_transposed else (batch, rows, depth)
    second = (batch, columns, depth) if right_transposed else (batch, depth, columns)
    sides = ((first, left_transposed), (second, right_transposed))
    operands: tuple[list[MatmulOperand], list[MatmulOperand]] = ([], [])
    for number, source in enumerate(stage.sources):
        (matrix, turned), attached = sides[number >= left], emission.prologue(number)
        tensor = _matrices(emission.tensors[source], matrix)
        if attached is None:
            operands[number >= left].append(MatmulOperand(tensor, turned))
        else:
            operands[number >= left].append(MatmulOperand(tensor, turned, emission.functions(attached).on_tile, result_dtype(attached)))
    after, shape = stage.epilogue, (batch, rows, columns)
    # Loads of memory and stores to it, at places that only the launch tells, wait for each other.
    ahead = _AHEAD if after is not None and any(access.slot is not None for _, access in after.rows.stores) else 1
    same = len(set(stage.sources)) == 1 and not any(one.by_tile for one in (*operands[0], *operands[1]))
    matmul(
        [_matrices(emission.tensors[number], shape) for number in stage.results],
        *operands,
        epilogue=None if after is None else emission.functions(after).on_tiles,
        dtype=None if after is None else after.rows.given[0],
        sbuf_bytes=max(_LEAST, nl.tile_size.sbuf_fmax_bytes - 4096 - sum(_fused_bytes(rows, ahead) for rows in stage.attached)),
        budget=emission.budget,
        gram=same and left_transposed != right_transposed,
        ahead=ahead,
    )


def _fused_bytes(rows: RowStage, ahead: int) -> int:
    """Estimate what fused functions take of a partition: tiles that are loaded, some ahead, and computed, and scratch."""
    common = sum(16 * 1024 for access in rows.loads if access.strides[0] == 0)
    full = sum(4 * (1 + ahead) for access in rows.loads if access.extent == "full") + sum(
        itemsize(compute.dtype) for compute in rows.computes if compute.extent == "full"
    )
    return min(96 * 1024, common + _FUSED_SCRATCH + _FUSED_ELEMENTS * full)


def _matrices(tensor: Any, shape: tuple[int, ...]) -> Any:
    """Shape a flat tensor; it may hold one batch for all."""
    if shape[0] == 1 or math.prod(shape) != tensor.size:
        shape = shape[1:]
    return tensor.reshape(shape)


declare(Kernel("matmul", _rule, _emit, "matmul", "{0} of {1} × {2} by {2} × {3}", prologue=_prologue, epilogue=_epilogue))
