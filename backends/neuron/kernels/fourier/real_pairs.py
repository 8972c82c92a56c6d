"""Fourier transforms of real rows in two steps, to half spectra."""

from __future__ import annotations

from typing import Any, Final

from ....isa import nisa, nl
from ....rules import Signature
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ...two_steps import TwoSteps, half_steps
from ..emission import Emission
from ..tile_ring import Ring
from .pairs import STEPS, Pairs, Step

__all__: list[str] = []

_PARTITIONS: Final = 128


class _RealPairs(Pairs):
    """
    Real transforms in two steps, to half spectra.

    Notes
    -----
    *Layout.* That of `Pairs`. The first step has one plane; of the second one those rows of frequencies are computed that are below half of
    all, for all n₁ frequencies of the first step, of which the upper ones are conjugates. The frequency n / 2 is a product of its own.

    *Engines.* All; the Scalar Engine empties PSUM, and the Vector Engine mirrors half spectra.

    *Bound.* Tensor Engine: 4 n₁ cycles for a transform's n₂ numbers of each partition in the first step and 8 n₁ in the second, half of
    what complex transforms take.

    *Source.* That of `Pairs`.
    """

    def __init__(self, plan: TwoSteps, source: Any, results: list[Any], constant: Any, budget: int) -> None:
        super().__init__(plan, [source], results, constant, budget)
        self.half = plan.first * plan.kept
        self.zero_ends()
        self.most = plan.together * (STEPS if self.short else 1)  # last frequencies that are stored together
        self.ends = Ring(3, (1, self.most), nl.float32)
        self.zero = nl.ndarray((1, self.most), nl.float32, buffer=nl.sbuf)
        nisa.memset(self.zero, 0.0)

    def in_rows(self, results: list[Any]) -> list[Any]:
        """Take results as they are: their rows are longer by one than what partitions store."""
        return results

    def some(self, steps: list[Step]) -> None:
        """Transform rows, each engine at other ones."""
        self.waiting: list[Step] = []
        self.final = steps[-1].first if steps else 0
        super().some(steps)

    def combined(self, step: Step, banks: list[Any]) -> list[Any]:
        """Make spectra of half ones."""
        return self.spread(step, banks[0])

    def second_step(self, step: Step, turned: list[Any]) -> list[Any]:
        """Give rows of frequencies, and beside those of the first bank the last frequency of each transform."""
        plan, banks = self.plan, super().second_step(step, turned)
        width = plan.after * plan.first
        ones = turned[0].ap(pattern=[[self.wide, plan.second], [plan.first, step.rows]], offset=0)
        signs = self.constants[: plan.second, plan.columns - 1 : plan.columns]
        nisa.nc_matmul(banks[0][:1, width : width + step.rows], signs, ones, accumulate=False)
        return banks

    def finish(self, step: Step, banks: list[Any]) -> None:
        """Copy sums out of PSUM, and store them."""
        plan = self.plan
        high, width = plan.kept // plan.after, plan.after * plan.first
        for ring, bank, result in zip(self.outputs, banks, self.results, strict=True):
            tile = ring.take()
            for number, count, rows in self.parts(step, high):
                nisa.tensor_copy(tile[rows], bank[rows, :width], engine=self.copier)
                into = result[nl.ds(step.row(1, number), count)][:, : self.half]
                self.move(into.reshape_dim(1, (high, width)), tile[rows])
        if not self.waiting:
            self.last = self.ends.take()
        self.waiting.append(step)
        first = self.waiting[0]
        begin, end = step.first - first.first, step.first - first.first + step.rows
        nisa.tensor_copy(self.last[:, begin:end], banks[0][:1, width : width + step.rows], engine=nisa.engine.vector)
        if end == self.most or step.first == self.final:
            for result, ends in zip(self.results, (self.last, self.zero), strict=True):
                self.move(result[nl.ds(first.row(1), end)][:, self.half :].permute((1, 0)), ends[:, :end])
            self.waiting = []


def _rule(real: Signature, constant: Signature, *, smallest: int) -> Ruling:
    """Transform real rows in two steps."""
    rows, n = real.shape if len(real.shape) == 2 else (0, 0)
    plan = half_steps(n, smallest) if rows else None
    if plan is None or constant.shape != (_PARTITIONS, plan.columns):
        raise InvalidCallError(f"no two steps transform real rows of {real} by {constant}")
    return (Signature((rows, n // 2 + 1), real.dtype),) * 2, (rows, n, smallest)


def _emit(emission: Emission, rows: int, n: int, smallest: int) -> None:
    plan = half_steps(n, smallest)
    assert plan is not None
    results = [emission.result((rows, n // 2 + 1), number) for number in range(2)]
    constant = emission.source(1, (_PARTITIONS, plan.columns))
    _RealPairs(plan, emission.source(0, (rows, n)), results, constant, emission.budget).run()


declare(Kernel("fourier real pairs", _rule, _emit, "Fourier transform, real rows in two steps", "{0} × {1}"))
