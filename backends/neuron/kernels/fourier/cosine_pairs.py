"""Sine and cosine transforms of rows in two steps."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from ....isa import nisa, nl
from ....rules import Signature
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ...two_steps import TURNED, TwoSteps, cosine_steps
from ..emission import Emission
from .pairs import Pairs, Step, tile_at

__all__: list[str] = []

_PARTITIONS: Final = 128


class _CosinePairs(Pairs):
    """
    Sine and cosine transforms of types 2, 3 and 4 in two steps.

    Parameters
    ----------
    plan : TwoSteps
        How they lie.
    kind : str
        Which one, as "DCT-II".
    edge : bool
        Whether the first number of operands of type 3, or the first one of results of type 2, has a weight; for sines the last one.
    source, result : NkiTensor
        (transforms, n).
    constant : NkiTensor
        All matrices.
    budget : int
        Instructions that there may be.

    Notes
    -----
    *Layout.* That of `Pairs`. Even numbers of a row, and then odd ones from its end, have a Fourier transform that is a cosine transform
    but for roots of unity, which are in the matrices and twiddles. Of operands of types 2 and 4 the Tensor Engine takes every second number
    of a partition as a column, forwards and backwards; results of types 3 and 4 are copied out of PSUM that way. Of type 2 the first step
    has nothing to do with these roots: it gives half spectra.

    *Engines.* Those of `Pairs`.

    *Bound.* Tensor Engine: 8 n₁ cycles for a transform's n₂ numbers of each partition in each step, and half as many in the first one of
    type 2.

    *Source.* Makhoul, IEEE Trans. ASSP 28 (1980), and that of `Pairs`.
    """

    terms: ClassVar[tuple[tuple[tuple[int, int], ...], ...]] = (((0, 0), (1, 1)),)

    def __init__(self, plan: TwoSteps, kind: str, edge: bool, source: Any, result: Any, constant: Any, budget: int) -> None:
        self.turned_source, self.turned_result = TURNED[kind[4:]]
        self.column = (-1 if kind.startswith("DST") else 0) if edge else None
        self.weighs_source, self.has_halves, self.backwards = kind.endswith("-III"), kind.endswith("-II"), kind.startswith("DST")
        self.before = 1 if self.has_halves else 2
        super().__init__(plan, [source], [result], constant, budget)
        if self.has_halves:
            self.zero_ends()

    def _weigh(self, tile: Any, rows: slice) -> None:
        """Multiply numbers at one end of partitions, of which the others have the weight 1."""
        if self.column is not None:
            place = self.column % tile.shape[1]
            end = tile[rows, place : place + 1]
            engine = self.engines.take("tensor_tensor", 1)
            nisa.tensor_tensor(end, end, self.constants[rows, self.pitch - 1 : self.pitch], nl.multiply, engine=engine)

    def load(self, step: Step) -> list[Any]:
        """Load transforms below each other."""
        tiles = super().load(step)
        for _, _, rows in self.parts(step, self.plan.high) if self.weighs_source else ():
            self._weigh(tiles[0], rows)
        return tiles

    def first_step(self, step: Step, loaded: list[Any]) -> list[Any]:
        """Give products with cosines and with sines, or half spectra: n₂ on partitions."""
        plan, (tile,), banks = self.plan, loaded, []
        pitch, half = tile.shape[1], plan.low // 2
        for matrix in range(self.before):
            bank = self.halves.take()
            for low in range(plan.low):
                start, stride = low * plan.second, 1
                if self.turned_source:
                    start, stride = (2 * start, 2) if low < half else (2 * (low - half + 1) * plan.second - 1, -2)
                column = (matrix * plan.low + low) * plan.first
                for number in range(step.rows):
                    begin = number * plan.height
                    nisa.nc_matmul(
                        bank[: plan.second, number * plan.first : (number + 1) * plan.first],
                        tile.ap(pattern=[[pitch, plan.high], [stride, plan.second]], offset=begin * pitch + start),
                        self.constants[begin : begin + plan.high, column : column + plan.first],
                        accumulate=low > 0,
                        **({} if plan.together == 1 else tile_at((begin, 0), (plan.height, _PARTITIONS))),
                    )
            banks.append(bank)
        return banks

    def combined(self, step: Step, banks: list[Any]) -> list[Any]:
        """Copy both out of PSUM, or make spectra of half ones."""
        if self.has_halves:
            return self.spread(step, banks[0])
        part = (slice(0, self.plan.second), slice(0, step.rows * self.plan.first))
        spectra = [ring.take() for ring in self.spectra]
        for tile, bank in zip(spectra, banks, strict=True):
            nisa.tensor_copy(tile[part], bank[part], engine=self.copier)
        return spectra

    def finish(self, step: Step, banks: list[Any]) -> None:
        """Copy sums out of PSUM, and store them."""
        plan, (bank,), (result,), tile = self.plan, banks, self.results, self.outputs[0].take()
        high, width = plan.second // plan.after, plan.after * plan.first
        for number, count, rows in self.parts(step, high):
            parts: tuple[tuple[int, int, int, int], ...] = ((0, 0, 1, width),)
            if self.turned_result:
                parts = ((0, 0, 2, width // 2), (width // 2, width - 1, -2, width // 2))
            for start, into, stride, length in parts:
                pattern = [[width, rows.stop - rows.start], [stride, length]]
                target = tile.ap(pattern=pattern, offset=rows.start * width + into)
                nisa.tensor_copy(target, bank[rows, start : start + length], engine=nisa.engine.vector if start else self.copier)
            if not self.weighs_source:
                self._weigh(tile, rows)
            self.move(result[nl.ds(step.row(high, number), count * high)], tile[rows])


def _rule(rows: Signature, constant: Signature, *, kind: str, n: int, edge: bool, smallest: int) -> Ruling:
    """Transform rows by sines or cosines in two steps."""
    plan = cosine_steps(kind, n, smallest) if rows.shape[1:] == (n,) and rows.shape[0] else None
    if plan is None or constant.shape[0] != _PARTITIONS:
        raise InvalidCallError(f"no two steps make a {kind} of {rows} by {constant}")
    return (rows,), (rows.shape[0], n, kind, edge, smallest, constant.shape[1])


def _emit(emission: Emission, rows: int, n: int, kind: str, edge: bool, smallest: int, columns: int) -> None:
    plan = cosine_steps(kind, n, smallest)
    assert plan is not None
    source, constant = emission.source(0, (rows, n)), emission.source(1, (_PARTITIONS, columns))
    _CosinePairs(plan, kind, edge, source, emission.result((rows, n)), constant, emission.budget).run()


declare(Kernel("fourier cosine pairs", _rule, _emit, "Fourier transform, {2} of rows in two steps", "{0} × {1}"))
