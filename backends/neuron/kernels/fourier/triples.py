"""Fourier transforms of long rows in three steps, each row in SBUF as a whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from ....isa import nisa, nl
from ....rules import Signature
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ...three_steps import MOST, ThreeSteps, three_steps
from ..emission import Emission
from ..epilogue import Functions
from ..tile_ring import BANK_BYTES, Ring, psum_ring
from .engines import Engines
from .half_spectra import combine, spread
from .pairs import tile_at
from .staggering import Work, stagger

__all__: list[str] = []

_PARTITIONS: Final = 128
_BANK: Final = BANK_BYTES // 4
_AHEAD: Final = 3  # parts of the table
_RING: Final = 3
_ROWS: Final = 2  # of a turn of a loop
_BANKS: Final = 2  # that are stored at once


class _Triples:
    """
    Transforms in three steps, of complex numbers or of real ones.

    Parameters
    ----------
    plan : ThreeSteps
        How they lie.
    sources, results : list of NkiTensor
        Planes of (transforms, n).
    constant : NkiTensor
        All matrices, and the table.
    budget : int
        Instructions that there may be.

    Notes
    -----
    *Layout.* See `three_steps`. The first two steps have the data as stationary operand and give half spectra of both planes, which the
    Vector Engine combines: n₁ on partitions and all (n₂, n₃) beside each other; n₂, and all (k₁, n₃); n₃, and all (k₂, k₁). Products are
    written into PSUM a few numbers apart, so that those of neighbouring n₃ or k₁ lie together from then on. The last step has its matrix as
    stationary operand, and gives rows of memory. Real numbers have half spectra of their own in the first step. Short transforms have parts
    of the k₁ below each other, on tiles of the Tensor Engine.

    *Engines.* All; the Scalar Engine empties PSUM, GpSimd has a share of the products with roots of unity.

    *Bound.* Vector Engine and GpSimd: 8 operations for each number in each of the first two steps. Tensor Engine: 8 n₁ cycles for a
    transform's n₂ numbers of each partition, twice in the first step, whose operands lie apart. Nothing overlaps with the load.

    *Source.* Bailey's steps, J. Supercomp. 4 (1990).
    """

    def __init__(self, plan: ThreeSteps, sources: list[Any], results: list[Any], constant: Any, budget: int) -> None:
        self.plan, self.sources, self.results, self.budget = plan, sources, results, budget
        self.height = plan.third  # of a group
        self.tall = plan.groups * plan.third
        self.constants = nl.ndarray((_PARTITIONS, plan.columns), nl.float32, buffer=nl.sbuf)
        nisa.dma_copy(self.constants, constant[:, : plan.columns])
        self.table = constant[: plan.second, plan.columns :]
        self.parts = Ring(_AHEAD + 2, (_PARTITIONS, 2 * plan.first * plan.before), nl.float32)
        self.loaded: list[Any] = []
        before, middle, after = (numbers // 2 for numbers in plan.room)
        outer = max(before, after)
        self.has_room = 6 * outer + 4 * middle <= MOST  # for operands, the next ones, and what becomes of them
        self.outer = Ring(6 if self.has_room else 2, (_PARTITIONS, outer), nl.float32)
        self.middle = [Ring(2 if self.has_room else 1, (_PARTITIONS, middle), nl.float32) for _ in range(2)]
        self.halves, self.sums = psum_ring(4), psum_ring(4)
        self.engines = Engines()
        self.copier = nisa.engine.scalar if nisa.get_nc_version() >= nisa.nc_version.gen3 else nisa.engine.vector

    functions: Functions | None = None
    """What is made of results."""

    def run(self) -> None:
        """Transform all rows; many of them in a loop."""
        total = self.sources[0].shape[0]
        turns = total // _ROWS if total > _ROWS and total * self._instructions() > self.budget else 0
        if turns:
            nl.fori_loop(0, turns, lambda turn: self._some([turn * _ROWS + number for number in range(_ROWS)]))
        self._some(range(turns * _ROWS, total))

    def _instructions(self) -> int:
        plan = self.plan
        one, other = plan.third * (2 + 14 // plan.before), plan.each * (2 * plan.groups + 14 // plan.between)
        return one + other + plan.second * (4 * plan.groups + 4) * plan.first // _BANK

    def _some(self, rows: Sequence[Any]) -> None:
        """Transform rows; the next one is loaded as soon as there is room."""
        plan, planes = self.plan, list[Any]()
        for number, row in enumerate(rows):
            planes = planes or self._loaded(row)
            middle = [ring.take() for ring in self.middle]
            self._step(
                range(plan.third // plan.before),
                (plan.second, plan.first, plan.before),
                partial(self._first, planes),
                (self._load_turns, self._turns),
                partial(self._place, middle, (plan.second, plan.third, plan.first), plan.before),
            )
            more = self.has_room and number + 1 < len(rows)
            planes = self._loaded(rows[number + 1]) if more else []
            turned = [self.outer.take() for _ in range(2)]
            self._step(
                range(plan.each // plan.between),
                (self.tall, plan.second, plan.between),
                partial(self._second, middle),
                (lambda _: None, self._same_turns),
                partial(self._place, turned, (self.tall, plan.each, plan.second), plan.between),
            )
            self._third(turned, row)

    @staticmethod
    def _place(tiles: list[Any], shape: tuple[int, int, int], together: int, number: int, plane: int) -> Any:
        """View neighbouring numbers of all columns: (partitions, columns, together), of so many partitions and columns so far apart."""
        height, apart, columns = shape
        pattern = [[tiles[plane].shape[1], height], [apart, columns], [1, together]]
        return tiles[plane].ap(pattern=pattern, offset=number * together)

    def _loaded(self, row: Any) -> list[Any]:
        plan, planes = self.plan, [self.outer.take() for _ in range(2)][: len(self.sources)]
        for plane, source in zip(planes, self.sources, strict=True):
            rows = source.reshape((source.shape[0] * plan.first, plan.second * plan.third))
            nisa.dma_copy(plane[: plan.first, : plan.second * plan.third], rows[nl.ds(row * plan.first, plan.first)])
        return planes

    def _step(
        self,
        numbers: range,
        shape: tuple[int, int, int],
        multiply: Callable[[int], list[Any]],
        turns: tuple[Callable[[int], None], Callable[[int], list[Any]]],
        into: Callable[[int, int], Any],
    ) -> None:
        """Transform, combine, multiply by roots of unity, and put numbers where the next step takes them."""
        height, n, together = shape
        width = n * together
        copies = Ring(_RING, (_PARTITIONS, width), nl.float32)
        spectra = [Ring(_RING, (_PARTITIONS, width), nl.float32) for _ in range(2)]
        products = [Ring(2, (_PARTITIONS, width), nl.float32) for _ in range(4)]

        def of(tile: Any, start: int, stride: int, count: int) -> Any:
            pattern = [[tile.shape[1], height], [stride * together, count], [1, together]]
            return tile.ap(pattern=pattern, offset=start * together)

        def combined(_: int, banks: list[Any]) -> list[Any]:
            other, found = copies.take(), [ring.take() for ring in spectra]
            if len(banks) == 1:
                for column in {0, n // 2} if n % 2 == 0 else {0}:
                    nisa.memset(of(found[1], column, 1, 1), 0.0)
                spread(of, of, banks[0], found, n, self.engines, self.copier)
                return found
            nisa.tensor_copy(other[:height], banks[1][:height, :width], engine=self.copier)
            combine(of, [banks[0], other], found, n, self.engines)
            return found

        def multiplied(number: int, planes: list[Any]) -> list[Any]:
            factors, found = turns[1](number), [ring.take() for ring in products]
            for target, one, factor in zip(found, (*planes, *planes), (0, 1, 1, 0), strict=True):
                tiles = [tile[:height].reshape_dim(1, (n, together)) for tile in (target, one)]
                engine = self.engines.take("tensor_tensor", width)
                nisa.tensor_tensor(*tiles, factors[factor], nl.multiply, engine=engine)
            return found

        def added(number: int, found: list[Any]) -> None:
            for plane, op in enumerate((nl.subtract, nl.add)):
                one, two = (tile[:height].reshape_dim(1, (n, together)) for tile in found[2 * plane : 2 * plane + 2])
                nisa.tensor_tensor(into(number, plane), one, two, op, engine=self.engines.take("tensor_tensor", width))

        works = (
            Work(_AHEAD, turns[0]),
            Work(2, multiply, "", "halves"),
            Work(1, combined, "halves", "spectra"),
            Work(-1, added, "products"),
            Work(0, multiplied, "spectra", "products"),
        )
        stagger(numbers, works)

    def _load_turns(self, number: int) -> None:
        """Load the part of the table for some n₃."""
        width = 2 * self.plan.first * self.plan.before
        tile = self.parts.take()
        nisa.dma_copy(tile[: self.plan.second], self.table[:, number * width : (number + 1) * width])
        self.loaded.append(tile)

    def _turns(self, _: int) -> list[Any]:
        """View the next part of the table."""
        plan, tile = self.plan, self.loaded.pop(0)
        width = plan.first * plan.before
        parts = [tile[: plan.second, part * width : (part + 1) * width] for part in range(2)]
        return [part.reshape_dim(1, (plan.first, plan.before)) for part in parts]

    def _same_turns(self, _: int) -> list[Any]:
        """View roots of unity that serve all k₁."""
        plan = self.plan
        return [
            self.constants.ap(
                pattern=[[plan.columns, self.tall], [1, plan.second], [0, plan.between]], offset=plan.first + (1 + part) * plan.second
            )
            for part in range(2)
        ]

    def _first(self, planes: list[Any], number: int) -> list[Any]:
        """Give half spectra along k₁ for some n₃, n₂ on partitions."""
        plan, banks = self.plan, []
        for plane in planes:
            bank = self.halves.take()
            for place in range(plan.before):
                pattern = [[plane.shape[1], plan.first], [plan.third, plan.second]]
                nisa.nc_matmul(
                    bank.ap(pattern=[[_BANK, plan.second], [plan.before, plan.first]], offset=place),
                    plane.ap(pattern=pattern, offset=number * plan.before + place),
                    self.constants[: plan.first, : plan.first],
                    accumulate=False,
                )
            banks.append(bank)
        return banks

    def _second(self, planes: list[Any], number: int) -> list[Any]:
        """Give half spectra along k₂ for some k₁ of each group, n₃ on partitions."""
        plan, banks = self.plan, []
        for plane in planes:
            bank = self.halves.take()
            for place in range(plan.between):
                for group in range(plan.groups):
                    begin, k = group * self.height, group * plan.each + number * plan.between + place
                    nisa.nc_matmul(
                        bank.ap(pattern=[[_BANK, plan.third], [plan.between, plan.second]], offset=begin * _BANK + place),
                        plane[: plan.second, k * plan.third : (k + 1) * plan.third],
                        self.constants[: plan.second, plan.first : plan.first + plan.second],
                        accumulate=False,
                        **({} if plan.groups == 1 else tile_at((0, begin), (_PARTITIONS, self.height))),
                    )
            banks.append(bank)
        return banks

    def _third(self, planes: list[Any], row: Any) -> None:
        """Give frequencies in the order of memory: k₃ on partitions, for each of several ranges of k₂, and all k₁."""
        plan = self.plan
        rows = [result.reshape((result.shape[0] * plan.third, plan.second * plan.first)) for result in self.results]
        each = _BANK // plan.first
        outputs = [Ring(_RING, (_PARTITIONS, _BANKS * each * plan.first), nl.float32) for _ in rows]
        for first in range(0, plan.second, each * _BANKS * plan.groups):
            starts = range(first, min(first + each * _BANKS * plan.groups, plan.second), each * _BANKS)
            tiles = [ring.take() for ring in outputs]
            for part in range(_BANKS):
                parts = [range(start + part * each, min(start + (part + 1) * each, plan.second)) for start in starts]
                for terms, tile, engine in zip(_TERMS, tiles, (self.copier, nisa.engine.vector), strict=True):
                    bank = self.sums.take()
                    for place, (matrix, plane) in enumerate(terms):
                        self._products(bank, parts, matrix, planes[plane], place > 0)
                    alike = len({*map(len, parts)}) == 1
                    heights = [len(parts) * self.height] if alike else [self.height for _ in parts]
                    for at, height in enumerate(heights):
                        columns = len(parts[at]) * plan.first
                        if columns:
                            above = part * each * plan.first
                            cells = slice(at * self.height, at * self.height + height)
                            nisa.tensor_copy(tile[cells, above : above + columns], bank[cells, :columns], engine=engine)
            for place, start in enumerate(starts):
                left, right = start * plan.first, min(start + each * _BANKS, plan.second) * plan.first
                begin = place * self.height
                found = [tile[begin : begin + plan.third, : right - left] for tile in tiles]
                if self.functions is not None:
                    self.functions.on_tiles((row, 1), (left, right - left))(found)
                    continue
                for one, result in zip(found, rows, strict=True):
                    nisa.dma_copy(result[nl.ds(row * plan.third, plan.third)][:, left:right], one)

    def _products(self, bank: Any, parts: list[range], matrix: int, plane: Any, accumulate: bool) -> None:
        """Multiply the k₂ of each part, for which the Tensor Engine has columns of its own, of all groups."""
        plan = self.plan
        column = plan.first + 3 * plan.second + matrix * plan.third
        for at, some in enumerate(parts):
            for group in range(plan.groups if len(some) else 0):
                begin = group * self.height
                pattern = [[_BANK, plan.third], [plan.first, len(some)], [1, plan.each]]
                moving = plane[begin : begin + plan.third, some.start * plan.each : some.stop * plan.each]
                nisa.nc_matmul(
                    bank.ap(pattern=pattern, offset=at * self.height * _BANK + group * plan.each),
                    self.constants[begin : begin + plan.third, column : column + plan.third],
                    moving.reshape_dim(1, (len(some), plan.each)),
                    accumulate=accumulate,
                    **({} if plan.groups == 1 else tile_at((begin, at * self.height), (self.height, self.height))),
                )


_TERMS: Final = (((0, 0), (1, 1)), ((2, 0), (0, 1)))
"""For each result of the last step, the matrices and planes whose products it is."""


def _rule(*operands: Signature, smallest: int) -> Ruling:
    """Transform rows of one plane or two in three steps."""
    *planes, constant = operands
    rows, n = planes[0].shape if len(planes[0].shape) == 2 else (0, 0)
    plan = three_steps(n, smallest) if rows else None
    if plan is None or len({*planes}) != 1 or len(planes) > 2 or constant.shape != (_PARTITIONS, plan.columns + plan.table):
        raise InvalidCallError(f"no three steps transform rows of {planes} by {constant}")
    return (planes[0],) * 2, (rows, n, len(planes), smallest)


def _emit(emission: Emission, rows: int, n: int, count: int, smallest: int) -> None:
    plan = three_steps(n, smallest)
    assert plan is not None
    planes, after = [emission.source(number, (rows, n)) for number in range(count)], emission.stage.epilogue
    results = [planes[0]] * 2 if after is not None else [emission.result((rows, n), number) for number in range(2)]
    constant = emission.source(count, (_PARTITIONS, plan.columns + plan.table))
    triples = _Triples(plan, planes, results, constant, emission.budget)
    if after is not None:
        triples.functions = emission.functions(after, (1, plan.third))
    triples.run()


declare(Kernel("fourier triples", _rule, _emit, "Fourier transform, rows in three steps", "{0} × {1}", epilogue=lambda _, n, *__: n))
