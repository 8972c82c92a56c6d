"""Fourier transforms of rows of half spectra in two steps, to real numbers."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from ....isa import nisa
from ....rules import Signature
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ...two_steps import steps_from_half
from ..emission import Emission
from .pairs import Pairs, Step, tile_at

__all__: list[str] = []

_PARTITIONS: Final = 128


class _HalfPairs(Pairs):
    """
    Transforms of half spectra in two steps, to real numbers.

    Notes
    -----
    *Layout.* With k = k₁ n₂ + k₂, half of the k₁ are there, a partition for one or several, with the first number of the next one.
    Element (n₁ - 1 - k₁, k₂) is the conjugate of (k₁, n₂ - k₂): the first step reads both from the same partitions, the second one
    backwards, and adds products with two matrices up. It gives the columns up to n₂ / 2, and the second step has one real result.

    *Engines.* Those of `Pairs`.

    *Bound.* Tensor Engine: 8 n₁ cycles for a transform's n₂ numbers of each partition in each step.

    *Source.* That of `Pairs`.
    """

    before, overlap = 3, 1
    terms: ClassVar[tuple[tuple[tuple[int, int], ...], ...]] = (((0, 0), (1, 1)),)

    def first_step(self, step: Step, loaded: list[Any]) -> list[Any]:
        """Give half spectra of both planes along k₁: columns on partitions, and for each transform cosines and then sines."""
        plan, banks = self.plan, []
        for tile, conjugate in zip(loaded, (1, 2), strict=True):
            bank, pitch = self.halves.take(), tile.shape[1]
            for low in range(plan.low):
                for place, (matrix, stride, start) in enumerate(((0, 1, 0), (conjugate, -1, plan.kept))):
                    column = (matrix * plan.low + low) * plan.first
                    for number in range(step.rows):
                        begin = number * plan.height
                        pattern = [[pitch, plan.high], [stride, plan.second]]
                        nisa.nc_matmul(
                            bank[: plan.second, number * plan.first : (number + 1) * plan.first],
                            tile.ap(pattern=pattern, offset=begin * pitch + low * plan.kept + start),
                            self.constants[begin : begin + plan.high, column : column + plan.first],
                            accumulate=low + place > 0,
                            **({} if plan.together == 1 else tile_at((begin, 0), (plan.height, _PARTITIONS))),
                        )
            banks.append(bank)
        return banks


def _rule(real: Signature, imaginary: Signature, constant: Signature, *, n: int, smallest: int) -> Ruling:
    """Transform half spectra in two steps."""
    rows, length = real.shape if len(real.shape) == 2 else (0, 0)
    plan = steps_from_half(n, smallest) if rows and length == n // 2 + 1 else None
    if plan is None or real != imaginary or constant.shape[0] != _PARTITIONS:
        raise InvalidCallError(f"no two steps transform half spectra of {real} and {imaginary} by {constant}")
    return (Signature((rows, n), real.dtype),), (rows, n, smallest, constant.shape[1])


def _emit(emission: Emission, rows: int, n: int, smallest: int, columns: int) -> None:
    plan = steps_from_half(n, smallest)
    assert plan is not None
    planes = [emission.source(number, (rows, n // 2 + 1)) for number in range(2)]
    _HalfPairs(plan, planes, [emission.result((rows, n))], emission.source(2, (_PARTITIONS, columns)), emission.budget).run()


declare(Kernel("fourier half pairs", _rule, _emit, "Fourier transform, half spectra in two steps", "{0} × {1}"))
