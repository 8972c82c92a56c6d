"""Products of matrices whose diagonals are constant but for rows without an element at equal distances, as those of grids are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from ....dtypes import FLOAT32
from ....isa import nisa, nl
from ....rules import Signature
from ...costs import Costs
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..balance import target_costs
from ..emission import Emission
from ..sbuf import PARTITIONS, scratch
from ..tile_ring import Ring
from .diagonals import clipped_partitions, load_window, windows
from .exchange import copy_columns

__all__ = ["Run", "Terms", "add_up", "multiply_stencil", "partition_rows"]

_PIECE: Final = 1024  # rows of a partition that are computed at once, at most
_LEAST: Final = 64
_SCALED: Final = 6


class Run(NamedTuple):
    """
    Rows in which a diagonal has an element.

    Attributes
    ----------
    period : int
        In how many rows that repeats; 0 for all rows.
    first, size : int
        The first one of a period, and how many there are.
    """

    period: int
    first: int
    size: int


_Runs: TypeAlias = tuple[tuple[int, int, int], ...]  # as `Run`


def partition_rows(rows: int, runs: Sequence[tuple[int, int, int]]) -> tuple[int, int]:
    """Choose how many rows a partition has, whole periods, and how many of these are computed at once: periods, or a part of each."""
    periods = sorted({period for period, _, _ in runs if period})
    unit = math.lcm(*periods)
    each = -(-rows // (PARTITIONS * unit)) * unit
    for width in range(min(each, _PIECE), 0, -1):
        if each % width == 0 and all(period % width == 0 or width % period == 0 for period in periods):
            return each, width
    raise AssertionError("a row is a part of all periods")


class Terms:
    """
    Adds products with coefficients up, such that engines are done at about the same time.

    Sums are the Vector Engine's, or products the Scalar Engine's and sums GpSimd's; not on NeuronCore-v2, where these do not work at once.
    """

    def __init__(self, width: int, used: int) -> None:
        self._costs = target_costs()
        self._shares = nisa.get_nc_version() >= nisa.nc_version.gen3
        self._vector = self._gpsimd = 0.0
        self._scaled = Ring(_SCALED, (used, width), nl.float32) if self._shares else None

    def scale(self, dst: Any, x: Any, coefficient: Any) -> None:
        """Multiply with a column of one coefficient."""
        nisa.tensor_scalar(dst, x, nl.multiply, coefficient, engine=nisa.engine.scalar if self._shares else nisa.engine.vector)

    def last(self, count: int, width: int) -> int:
        """Choose how many of some sums GpSimd makes, after those of the Vector Engine."""
        vector = self._costs.instruction("scalar_tensor_tensor", width)
        gpsimd = self._costs.instruction("tensor_tensor", width, "gpsimd")
        done = [max(self._vector + (count - some) * vector, self._gpsimd + some * gpsimd) for some in range(count + 1)]
        some = done.index(min(done)) if self._scaled is not None else 0
        self._vector, self._gpsimd = self._vector + (count - some) * vector, self._gpsimd + some * gpsimd
        return some

    def add(self, total: Any, x: Any, coefficient: Any, addend: Any, *, gpsimd: bool) -> None:
        """Compute ``total = coefficient * x + addend``."""
        if self._scaled is None or not gpsimd:
            nisa.scalar_tensor_tensor(total, x, nl.multiply, coefficient, nl.add, addend)
            return
        product = self._scaled.take()[: total.shape[0], : math.prod(total.shape[1:])]
        product = product.reshape_dim(1, tuple(total.shape[1:])) if len(total.shape) > 2 else product
        self.scale(product, x, coefficient)
        nisa.tensor_tensor(total, product, addend, nl.add, engine=nisa.engine.gpsimd)


def add_up(terms: Terms, total: Any, shifted: list[Any], coefficients: Any, runs: tuple[Run, ...], begin: int) -> None:
    """Add the products of shifted vectors up, of rows from `begin` of each partition on."""
    width = total.shape[1]
    parts: list[tuple[Any, Any, Any]] = []
    for x, run, number in sorted(zip(shifted, runs, range(len(runs)), strict=True), key=lambda one: one[1].period > 0):
        first, last, dst = 0, width, total
        if run.period and run.period <= width:
            cut = width // run.period, run.period
            dst, x = (tile.reshape_dim(1, cut)[:, :, run.first : run.first + run.size] for tile in (total, x))
        elif run.period:
            at = begin % run.period
            first, last = max(0, run.first - at), min(width, run.first + run.size - at)
            dst, x = (total[:, first:last], x[:, first:last]) if first < last else (None, None)
        if dst is not None:
            parts.append((dst, x, coefficients[: total.shape[0], number : number + 1]))
    if runs and all(run.period for run in runs):
        nisa.memset(total, 0.0)
    else:
        terms.scale(*parts.pop(0))
    vector = len(parts) - terms.last(len(parts), width)
    for number, (dst, x, coefficient) in enumerate(parts):
        terms.add(dst, x, coefficient, dst, gpsimd=number >= vector)


def multiply_stencil(y: Any, x: Any, coefficients: Any, offsets: tuple[int, ...], runs: tuple[Run, ...]) -> None:
    """
    Multiply: ``y[i] = sum(coefficients[d] * x[i + offsets[d]])`` over the diagonals d that have an element in row i.

    Notes
    -----
    *Layout.* Rows are on partitions in blocks of equal length, of whole periods, so that the rows of a diagonal are the same on each. A
    window of the vector is loaded once, as for stored diagonals; beyond the matrix it is zero.

    *Bound.* HBM, for both vectors once, or little more; beyond a few diagonals the Vector Engine, GpSimd and the Scalar Engine.

    *Error.* ``(D + 1) u |A| |x|`` for D diagonals. Infinities and NaN reach rows with elements alone.
    """
    rows = y.shape[0]
    each, width = partition_rows(rows, runs)
    used = -(-rows // each)
    height, groups = windows(offsets, each, width)
    table = scratch((used, len(offsets)), nl.float32)
    nisa.dma_copy(table, coefficients.ap(pattern=[[0, used], [1, len(offsets)]], offset=0))
    spans = [offsets[last] - offsets[first] for first, last in groups]
    totals, terms = Ring(_SCALED, (used, width), nl.float32), Terms(width, used)
    pieces = [Ring(1 if height == each else 2, (used, height + span), nl.float32) for span in spans]
    for begin in range(0, each, width):
        if begin % height == 0:
            held, loaded = [ring.take() for ring in pieces], [0] * len(groups)
        shifted = []
        for number, (first, last) in enumerate(groups):
            until = begin % height + width + spans[number]
            load_window(held[number][:, loaded[number] : until], x, each, begin - begin % height + offsets[first] + loaded[number])
            loaded[number] = until
            starts = [begin % height + offset - offsets[first] for offset in offsets[first : last + 1]]
            shifted += [held[number][:, start : start + width] for start in starts]
        total = totals.take()
        add_up(terms, total, shifted, table, runs, begin)
        copy_columns(y, each, begin, width, total, store=True)


def _rule(x: Signature, coefficients: Signature, *, rows: int, offsets: tuple[int, ...], runs: _Runs) -> Ruling:
    size = math.prod(x.shape)
    if {x.dtype, coefficients.dtype} != {FLOAT32} or coefficients.shape != (len(offsets),) or not runs:
        raise InvalidCallError(f"{len(offsets)} constant diagonals of {rows} rows do not take {x} and {coefficients}")
    each, width = partition_rows(rows, runs)
    if width < min(_LEAST, rows // PARTITIONS) or -(-rows // each) < PARTITIONS // 2:
        raise InvalidCallError(f"{rows} rows are not whole periods of {runs} on most partitions")
    if clipped_partitions(rows, size, offsets, each) > PARTITIONS // 4:
        raise InvalidCallError(f"diagonals from {offsets[0]} to {offsets[-1]} of {rows} rows reach beyond the vector on most partitions")
    return (Signature((rows,), FLOAT32),), ((rows, size), len(offsets), offsets, runs)


def _emit(emission: Emission, shape: tuple[int, int], count: int, offsets: tuple[int, ...], runs: _Runs) -> None:
    x, coefficients = emission.source(0, shape[1:]), emission.source(1, (count,))
    multiply_stencil(emission.result(shape[:1]), x, coefficients, offsets, tuple(Run(*run) for run in runs))


def _time(
    costs: Costs, _results: tuple[Signature, ...], shape: tuple[int, int], count: int, offsets: tuple[int, ...], runs: _Runs
) -> float:
    rows, columns = shape
    each, width = partition_rows(rows, runs)
    height, groups = windows(offsets, each, width)
    parts = each // width
    loaded = sum(each + -(-each // height) * (offsets[last] - offsets[first]) for first, last in groups)
    vector = parts * costs.instruction("scalar_tensor_tensor", width)
    other = parts * costs.instruction("tensor_tensor", width, "gpsimd") if costs.target.generation >= 3 else math.inf
    nbytes = 4 * rows + 4 * PARTITIONS * loaded
    clipped = clipped_partitions(rows, columns, offsets, each) * len(groups) * parts
    return 3 * costs.transfer_waits + max(count * vector / (1 + vector / other), costs.moves(clipped, 4 * width, nbytes))


declare(
    Kernel(
        "stencil product",
        _rule,
        _emit,
        "sparse product by {1} constant diagonals",
        "{0[0]} rows of {0[1]}",
        estimate=_time,
    )
)
