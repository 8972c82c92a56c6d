"""Fourier transforms of rows in two steps, with what lies between them in SBUF."""

from __future__ import annotations

import itertools
from typing import Any, ClassVar, Final, NamedTuple

from ....isa import nisa, nl
from ....rules import Signature
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ...two_steps import TwoSteps, plane_steps, two_steps
from ..emission import Emission
from ..epilogue import Functions
from ..tile_ring import Ring, psum_ring
from .engines import Engines
from .half_spectra import combine, spread
from .staggering import Work, stagger

__all__ = ["RING", "STEPS", "Pairs", "Step", "tile_at"]

_PARTITIONS: Final = 128
_LOAD, _NARROW, _FIRST, _COMBINE, _ADD, _SECOND, _FINISH = 4, 3, 2, 1, -1, -2, -3  # steps before or after that of the twiddles
RING: Final = 4  # spectra that wait at the same time
_LONG: Final = 512  # numbers of a partition, whose transfer takes longer than to start it
STEPS: Final = 8  # of a turn of a loop


class Step(NamedTuple):
    """Transforms that are computed together: from which one on, and how many; in a loop, so many further in each turn."""

    first: int
    rows: int
    turn: Any = None
    span: int = 0

    def row(self, extent: int, number: int = 0) -> Any:
        """Find where one of them begins, each of so many rows."""
        begin = (self.first + number) * extent
        return begin if self.turn is None else self.turn * (self.span * extent) + begin


class Pairs:
    """
    Complex transforms in two steps.

    Parameters
    ----------
    plan : TwoSteps
        How they lie.
    sources, results : list of NkiTensor
        Planes of (transforms, n).
    constant : NkiTensor
        All matrices.
    budget : int
        Instructions that there may be.

    Notes
    -----
    *Layout.* See `two_steps`: up to four transforms lie below each other, each with long rows of memory on its partitions. The first step
    has the data as stationary operand and gives half spectra of both planes, which the Vector Engine combines, with n₂ on partitions; the
    second one has its matrix as stationary operand, on column tiles of the Tensor Engine, and gives frequencies in the order of memory.
    No step multiplies numbers of one transform with zeros for another.

    *Engines.* All; the Scalar Engine empties PSUM, and GpSimd adds products with twiddles up.

    *Bound.* Tensor Engine: 8 n₁ cycles for a transform's n₂ numbers of each partition in the first step and twice as many in the second.

    *Source.* Bailey's four-step method, J. Supercomp. 4 (1990).
    """

    def __init__(self, plan: TwoSteps, sources: list[Any], results: list[Any], constant: Any, budget: int) -> None:
        self.plan, self.budget, self.total = plan, budget, sources[0].shape[0]
        self.apart, self.wide = plan.low * (plan.kept if self.overlap else plan.second), plan.together * plan.first
        self.sources, self.row, self.width = sources, sources[0].shape[1], self.apart + self.overlap
        self.beyond = -(-((plan.height - 1) * self.apart + self.width) // self.row) - 1
        self.results = self.in_rows(results)
        self.pitch, self.twiddles = constant.shape[1], self.before * plan.low * plan.first
        self.constants = nl.ndarray((_PARTITIONS, self.pitch), constant.dtype, buffer=nl.sbuf)
        nisa.dma_copy(self.constants, constant)
        self.inputs = [Ring(_LOAD - _FIRST + 2, (_PARTITIONS, self.width), nl.float32) for _ in sources]
        self.narrow = [Ring(3, (_PARTITIONS, self.width), constant.dtype) for _ in sources] if constant.dtype != nl.float32 else []
        self.copies = Ring(3, (_PARTITIONS, max(self.wide, self.width)), nl.float32)
        self.spectra = [Ring(RING, (_PARTITIONS, self.wide), nl.float32) for _ in range(2)]
        self.turned = [Ring(RING, (_PARTITIONS, self.wide), constant.dtype) for _ in range(2)]
        self.products = [Ring(2, (_PARTITIONS, self.wide), nl.float32) for _ in range(4)]
        self.outputs = [Ring(3, (_PARTITIONS, plan.after * plan.first or self.width), nl.float32) for _ in results]
        self.halves, self.sums = psum_ring(4), psum_ring(4)
        self.engines = Engines()
        later = nisa.get_nc_version() >= nisa.nc_version.gen3
        self.short = self.width < _LONG
        other = {"dge_mode": nisa.dge_mode.hwdge, "engine": nisa.engine.sync} if later and self.short else {}
        self.queues = itertools.cycle(({}, other))
        self.copier = nisa.engine.scalar if later else nisa.engine.vector

    def in_rows(self, results: list[Any]) -> list[Any]:
        """View results as what a partition stores."""
        after = self.plan.kept // self.plan.after if self.plan.after else self.plan.high
        return [result.reshape((self.total * after, self.plan.first * self.plan.kept // after)) for result in results]

    functions: Functions | None = None
    """What is made of results, all parts of which fill partitions."""

    overlap = 0
    """How many numbers that a partition loads are those of the next one, too."""

    before = 1
    """Matrices of the first step."""

    backwards = False
    """Whether spectra of real numbers are from the last frequency on."""

    def run(self) -> None:
        """Transform all rows; many of them in a loop."""
        together = self.plan.together
        whole, rest = divmod(self.total, together)
        turns = (self.total - self.beyond) // (STEPS * together) if whole * self._instructions() > self.budget and whole > STEPS else 0
        if turns:
            span = STEPS * together
            nl.fori_loop(0, turns, lambda i: self.some([Step(number * together, together, i, span) for number in range(STEPS)]))
        steps = [Step(number * together, together) for number in range(turns * STEPS, whole)]
        self.some([*steps, *([Step(whole * together, rest)] if rest else [])])

    def _instructions(self) -> int:
        plan = self.plan
        return plan.together * (2 * plan.low + 4 * plan.after) + 24

    def some(self, steps: list[Step]) -> None:
        """Transform rows, each engine at other ones."""
        works = (
            Work(_LOAD, self.load, "", "operands"),
            *([Work(_NARROW, self.narrowed, "operands", "rounded")] if self.narrow else []),
            Work(_FIRST, self.first_step, "rounded" if self.narrow else "operands", "halves"),
            Work(_SECOND, self.second_step, "turned", "sums"),
            Work(_COMBINE, self.combined, "halves", "spectra"),
            Work(_ADD, self.added, "products", "turned"),
            Work(0, self.multiplied, "spectra", "products"),
            Work(_FINISH, self.finish, "sums"),
        )
        stagger(steps, works)

    def parts(self, step: Step, high: int) -> list[tuple[int, int, slice]]:
        """Tell which transforms are moved at once, from which on, how many and on which partitions: all where they leave no gaps."""
        height = self.plan.height
        some = [(0, step.rows)] if high == height else [(number, 1) for number in range(step.rows)]
        return [(number, count, slice(number * height, number * height + (count - 1) * height + high)) for number, count in some]

    def load(self, step: Step) -> list[Any]:
        """Load transforms below each other."""
        plan, tiles = self.plan, []
        more = {} if step.turn is None else {"scalar_offset": step.turn * step.span}
        together = step.turn is not None or step.first + step.rows + self.beyond <= self.total
        high = plan.height if together else plan.high  # partitions between transforms may have what follows in memory
        for ring, source in zip(self.inputs, self.sources, strict=True):
            tile = ring.take()
            for number, count, rows in self.parts(step, high):
                pattern = [[self.row, count], [self.apart, high], [1, self.width]]
                self.move(tile[rows, : self.width], source.ap(pattern=pattern, offset=(step.first + number) * self.row, **more))
            tiles.append(tile)
        return tiles

    def move(self, into: Any, source: Any) -> None:
        """Move numbers: short ones by two queues in turn, since each starts one transfer after the other."""
        nisa.dma_copy(into, source, **next(self.queues))

    def narrowed(self, step: Step, loaded: list[Any]) -> list[Any]:
        """Round to the dtype of the matrices."""
        tiles = [ring.take() for ring in self.narrow]
        for into, tile in zip(tiles, loaded, strict=True):
            for _, _, rows in self.parts(step, self.plan.high):
                nisa.tensor_copy(into[rows], tile[rows], engine=self.copier)
        return tiles

    def first_step(self, step: Step, loaded: list[Any]) -> list[Any]:
        """Give half spectra of both planes: n₂ on partitions, and for each transform cosines and then sines."""
        plan, banks = self.plan, []
        for tile in loaded:
            bank = self.halves.take()
            for low in range(plan.low):
                for number in range(step.rows):
                    rows = slice(number * plan.height, number * plan.height + plan.high)
                    nisa.nc_matmul(
                        bank[: plan.second, number * plan.first : (number + 1) * plan.first],
                        tile[rows, low * plan.second : (low + 1) * plan.second],
                        self.constants[rows, low * plan.first : (low + 1) * plan.first],
                        accumulate=low > 0,
                        **({} if plan.together == 1 else tile_at((number * plan.height, 0), (plan.height, _PARTITIONS))),
                    )
            banks.append(bank)
        return banks

    def combined(self, step: Step, banks: list[Any]) -> list[Any]:
        """Combine both planes' half spectra."""
        spectra = [ring.take() for ring in self.spectra]
        self.combine(banks, spectra, (0, self.plan.second), step.rows, self.plan.first)
        return spectra

    def combine(self, banks: list[Any], spectra: list[Any], partitions: tuple[int, int], groups: int, length: int) -> None:
        """Combine half spectra of both planes, cosines and then sines, which lie beside each other."""
        begin, height = partitions
        other, rows = self.copies.take(), slice(begin, begin + height)
        nisa.tensor_copy(other[rows, : groups * length], banks[1][rows, : groups * length], engine=self.copier)

        def of(tile: Any, start: int, stride: int, count: int) -> Any:
            pitch = tile.shape[1]
            return tile.ap(pattern=[[pitch, height], [length, groups], [stride, count]], offset=begin * pitch + start)

        combine(of, [banks[0], other], spectra, length, self.engines)

    def zero_ends(self) -> None:
        """Let imaginary parts of real numbers' spectra be 0 where these have none."""
        for _ in range(RING):
            tile = self.spectra[1].take()
            for place in {0, self.plan.first // 2} if self.plan.first % 2 == 0 else {0}:
                nisa.memset(self._frequencies(tile, self.plan.together, place, 1, 1), 0.0)

    def spread(self, step: Step, bank: Any) -> list[Any]:
        """Make spectra of half ones of real numbers."""
        spectra = [ring.take() for ring in self.spectra]

        def of(tile: Any, start: int, stride: int, count: int) -> Any:
            return self._columns(tile, step.rows, start, stride, count)

        def to(tile: Any, start: int, stride: int, count: int) -> Any:
            return self._frequencies(tile, step.rows, start, stride, count)

        spread(of, to, bank, spectra, self.plan.first, self.engines, self.copier)
        return spectra

    def _frequencies(self, tile: Any, groups: int, start: int, stride: int, count: int) -> Any:
        """View frequencies of each transform's spectrum."""
        return self._columns(tile, groups, *((self.plan.first - 1 - start, -stride) if self.backwards else (start, stride)), count)

    def _columns(self, tile: Any, groups: int, start: int, stride: int, count: int) -> Any:
        """View columns of each transform."""
        return tile.ap(pattern=[[tile.shape[1], self.plan.second], [self.plan.first, groups], [stride, count]], offset=start)

    def multiplied(self, step: Step, spectra: list[Any]) -> list[Any]:
        """Multiply by roots of unity, which serve all transforms."""
        plan, length = self.plan, step.rows * self.plan.first
        column = self.twiddles
        factors = [
            self.constants.ap(pattern=[[self.pitch, plan.second], [0, step.rows], [1, plan.first]], offset=column + number * plan.first)
            for number in range(2)
        ]
        products = [ring.take() for ring in self.products]
        for into, one, number in zip(products, (*spectra, *spectra), (0, 1, 1, 0), strict=True):
            shape = [tile[: plan.second, :length].reshape_dim(1, (step.rows, plan.first)) for tile in (into, one)]
            nisa.tensor_tensor(shape[0], shape[1], factors[number], nl.multiply, engine=self.engines.take("tensor_tensor", length))
        return products

    def added(self, step: Step, products: list[Any]) -> list[Any]:
        """Add products up: real and imaginary parts."""
        part = (slice(0, self.plan.second), slice(0, step.rows * self.plan.first))
        turned = [ring.take() for ring in self.turned]
        for into, one, two, op in zip(turned, products[::2], products[1::2], (nl.subtract, nl.add), strict=True):
            engine = self.engines.take("tensor_tensor", step.rows * self.plan.first)
            nisa.tensor_tensor(into[part], one[part], two[part], op, engine=engine)
        return turned

    terms: ClassVar[tuple[tuple[tuple[int, int], ...], ...]] = (((0, 0), (1, 1)), ((0, 1), (2, 0)))
    """For each result of the second step, the matrices and planes whose products it is."""

    def second_step(self, step: Step, turned: list[Any]) -> list[Any]:
        """Give rows of frequencies, each transform's on partitions of its own: real and imaginary parts."""
        plan = self.plan
        high, column = plan.kept // plan.after, self.twiddles + 2 * plan.first
        banks = [self.sums.take() for _ in self.terms]
        for low in range(plan.after):
            for bank, terms in zip(banks, self.terms, strict=True):
                for place, (matrix, plane) in enumerate(terms):
                    start = column + matrix * plan.kept + low * high
                    for number in range(step.rows):
                        nisa.nc_matmul(
                            bank[number * plan.height : number * plan.height + high, low * plan.first : (low + 1) * plan.first],
                            self.constants[: plan.second, start : start + high],
                            turned[plane][: plan.second, number * plan.first : (number + 1) * plan.first],
                            accumulate=place > 0,
                            **({} if plan.together == 1 else tile_at((0, number * plan.height), (_PARTITIONS, plan.height))),
                        )
        return banks

    def finish(self, step: Step, banks: list[Any]) -> None:
        """Copy sums out of PSUM, and store them or what is made of them."""
        plan, tiles = self.plan, []
        high, width = plan.kept // plan.after, plan.after * plan.first
        for ring, bank, result in zip(self.outputs, banks, self.results, strict=True):
            tile = ring.take()
            for number, count, rows in self.parts(step, high):
                nisa.tensor_copy(tile[rows], bank[rows, :width], engine=self.copier)
                if self.functions is None:
                    self.move(result[nl.ds(step.row(high, number), count * high)], tile[rows])
            tiles.append(tile)
        if self.functions is not None:
            self.functions.on_tiles((step.row(1), step.rows), (0, width))([tile[: step.rows * high] for tile in tiles])


class _Planes(Pairs):
    """
    Complex transforms along the last two axes.

    Notes
    -----
    The first step is that of `Pairs`. There are no twiddles, and the second one has the data as stationary operand again, of which it
    takes columns apart, so that its half spectra lie in the order of memory; the Vector Engine combines them.
    """

    def multiplied(self, _: Step, spectra: list[Any]) -> list[Any]:
        """Multiply by nothing."""
        return spectra

    def added(self, _: Step, products: list[Any]) -> list[Any]:
        """Add nothing up."""
        return products

    def second_step(self, step: Step, turned: list[Any]) -> list[Any]:
        """Give half spectra of both planes, each transform's on partitions of its own."""
        plan, banks = self.plan, []
        column, pitch = plan.low * plan.first, self.wide
        for tile in turned:
            bank = self.sums.take()
            for low in range(plan.low):
                for number in range(step.rows):
                    nisa.nc_matmul(
                        bank[number * plan.height : number * plan.height + plan.high, low * plan.second : (low + 1) * plan.second],
                        tile.ap(pattern=[[pitch, plan.second], [plan.low, plan.high]], offset=number * plan.first + low),
                        self.constants[: plan.second, column : column + plan.second],
                        accumulate=False,
                        **({} if plan.together == 1 else tile_at((0, number * plan.height), (_PARTITIONS, plan.height))),
                    )
            banks.append(bank)
        return banks

    def finish(self, step: Step, banks: list[Any]) -> None:
        """Combine both planes' half spectra, and store them."""
        plan = self.plan
        outputs = [ring.take() for ring in self.outputs]
        for number, count, rows in self.parts(step, plan.high):
            self.combine(banks, outputs, (rows.start, rows.stop - rows.start), plan.low, plan.second)
            for tile, result in zip(outputs, self.results, strict=True):
                self.move(result[nl.ds(step.row(plan.high, number), count * plan.high)], tile[rows])


def tile_at(position: tuple[int, int], size: tuple[int, int]) -> dict[str, Any]:
    """Name a tile of the Tensor Engine, as parameters of a product."""
    return {"tile_position": position, "tile_size": size}


def _rule(real: Signature, imaginary: Signature, constant: Signature, *, smallest: int) -> Ruling:
    """Transform complex rows in two steps."""
    rows, n = real.shape if len(real.shape) == 2 else (0, 0)
    plan = two_steps(n, smallest) if rows else None
    if plan is None or real != imaginary or constant.shape != (_PARTITIONS, plan.columns):
        raise InvalidCallError(f"no two steps transform rows of {real} and {imaginary} by {constant}")
    return (real, imaginary), (rows, n, smallest)


def _emit(emission: Emission, rows: int, n: int, smallest: int) -> None:
    plan = two_steps(n, smallest)
    assert plan is not None
    planes, after = [emission.source(number, (rows, n)) for number in range(2)], emission.stage.epilogue
    results = planes if after is not None else [emission.result((rows, n), number) for number in range(2)]
    pairs = Pairs(plan, planes, results, emission.source(2, (_PARTITIONS, plan.columns)), emission.budget)
    if after is not None:
        pairs.functions = emission.functions(after, (plan.together, plan.height))
    pairs.run()


def _epilogue(_rows: int, n: int, smallest: int) -> int:
    """Count the columns of results whose rows leave no partitions between them; else 0."""
    plan = two_steps(n, smallest)
    return n if plan is not None and plan.kept // plan.after == plan.height else 0


declare(Kernel("fourier pairs", _rule, _emit, "Fourier transform, complex rows in two steps", "{0} × {1}", epilogue=_epilogue))


def _planes_rule(real: Signature, imaginary: Signature, constant: Signature, *, smallest: int) -> Ruling:
    """Transform complex matrices along both axes."""
    shape = real.shape if len(real.shape) == 3 else (0, 0, 0)
    plan = plane_steps(*shape[1:], smallest) if shape[0] else None
    if plan is None or real != imaginary or constant.shape != (_PARTITIONS, plan.columns):
        raise InvalidCallError(f"matrices of {real} and {imaginary} are not transformed by {constant}")
    return (real, imaginary), (*shape, smallest)


def _emit_planes(emission: Emission, count: int, first: int, second: int, smallest: int) -> None:
    plan = plane_steps(first, second, smallest)
    assert plan is not None
    sources = [emission.source(number, (count, first * second)) for number in range(2)]
    results = [emission.result((count, first * second), number) for number in range(2)]
    _Planes(plan, sources, results, emission.source(2, (_PARTITIONS, plan.columns)), emission.budget).run()


declare(Kernel("fourier planes", _planes_rule, _emit_planes, "Fourier transform, complex matrices", "{0} of {1} × {2}"))
