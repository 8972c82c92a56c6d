"""Sums by position, as products with rows of zeros and a one."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from ....isa import nisa, nl
from ...costs import Costs
from ..elementwise.alu import is_nan
from ..half_words import halves, sum_of_halves
from ..move.gather import in_loops
from ..row_distribution import spread_rows
from ..sbuf import PARTITIONS, scratch
from ..tile_ring import Ring, psum_ring

__all__ = ["add_by_products", "estimate", "takes"]

_MOST_PLACES: Final = 4096  # elements of the tensor that is added to, of which each has a column of zeros and ones: 16 KiB of a partition
_DEPENDENT: Final = 40  # instructions, about, before the first product and after the last one
_TERMS: Final = 32  # of a partition, that are added in PSUM
_PARTS: Final = 4
_LARGEST: Final = 3.4028234663852886e38


class _Floats:
    """Finite numbers, and how many are NaN, inf and -inf, whose products with 0 would be NaN."""

    def __init__(self, partitions: int, blocks: int) -> None:
        self.sums = scratch((partitions, blocks, _PARTS), nl.float32)
        nisa.memset(self.sums, 0.0)

    def split(self, values: Any) -> Any:
        """Take (P, n) apart to (P, n, 4)."""
        parts, beyond = scratch((*values.shape, _PARTS), nl.float32), scratch(values.shape, nl.float32)
        nisa.tensor_copy(parts[:, :, 1], is_nan(values), engine=nisa.engine.vector)
        nisa.tensor_scalar(parts[:, :, 2], values, nl.greater, _LARGEST, engine=nisa.engine.vector)
        nisa.tensor_scalar(parts[:, :, 3], values, nl.less, -_LARGEST, engine=nisa.engine.vector)
        nisa.tensor_reduce(beyond, nl.add, parts[:, :, 1:], 2)
        finite = scratch(values.shape, nl.uint8)
        nisa.tensor_scalar(finite, beyond, nl.equal, 0.0, engine=nisa.engine.vector)
        nisa.memset(parts[:, :, 0], 0.0)
        nisa.tensor_copy_predicated(parts[:, :, 0], values, finite)
        return parts

    def gather(self, sums: Any) -> None:
        """Add sums of parts."""
        nisa.tensor_tensor(self.sums, self.sums, sums, nl.add, engine=nisa.engine.vector)

    def added(self, base: Any) -> Any:
        """Add what was gathered to (P, blocks)."""
        total, nan, plus, minus = (self.sums[:, :, place] for place in range(_PARTS))
        result, nothing = scratch(base.shape, nl.float32), scratch(base.shape, nl.uint8)
        nisa.tensor_tensor(result, base, total, nl.add, engine=nisa.engine.vector)
        nisa.tensor_scalar(nothing, total, nl.equal, 0.0, engine=nisa.engine.vector)
        nisa.tensor_copy_predicated(result, base, nothing)  # a zero keeps its sign
        for count, number in ((plus, float("inf")), (minus, float("-inf")), (nan, float("nan"))):
            some, more = scratch(base.shape, nl.uint8), scratch(base.shape, nl.float32)
            nisa.tensor_scalar(some, count, nl.greater, 0.0, engine=nisa.engine.vector)
            nisa.tensor_scalar(more, result, nl.add, number, engine=nisa.engine.vector)
            nisa.tensor_copy_predicated(result, more, some)
        return result


class _Words:
    """Integers of 32 bits: bytes, of which float32 adds many exactly; sums modulo 2**32 in halves."""

    def __init__(self, partitions: int, blocks: int) -> None:
        self.sums = scratch((partitions, blocks), nl.uint32)
        nisa.memset(self.sums, 0)

    def split(self, values: Any) -> Any:
        """Take (P, n) apart to (P, n, 4)."""
        parts = scratch((*values.shape, _PARTS), nl.float32)
        nisa.tensor_copy(parts, values.view(nl.uint8).reshape_dim(1, (values.shape[1], _PARTS)), engine=nisa.engine.vector)
        return parts

    def gather(self, sums: Any) -> None:
        """Add sums of parts."""
        bytes_ = scratch(sums.shape, nl.uint32)
        nisa.tensor_copy(bytes_, sums, engine=nisa.engine.vector)
        total = bytes_[:, :, _PARTS - 1]
        for place in reversed(range(_PARTS - 1)):
            shifted = scratch(total.shape, nl.uint32)
            nisa.tensor_scalar(shifted, total, nl.left_shift, 8)
            total = sum_of_halves("uint32", halves(shifted), halves(bytes_[:, :, place]))
        nisa.tensor_copy(self.sums, sum_of_halves("uint32", halves(self.sums), halves(total)), engine=nisa.engine.vector)

    def added(self, base: Any) -> Any:
        """Add what was gathered to (P, blocks)."""
        return sum_of_halves(base.dtype, halves(base), halves(self.sums))


def add_by_products(dst: Any, places: Any, values: Any) -> None:
    """
    Add elements to those at places.

    Notes
    -----
    *Layout.* 128 elements lie on the partitions. The Vector Engine makes for each a row that has a one at its place, which is the Tensor
    Engine's stationary operand, 128 places after the other; the moving operand are the elements, in four parts. PSUM adds up 32 such
    products. Integers are four bytes; of floats one part is the number, the others count NaN and infinities.

    *Bound.* Vector Engine: one cycle per 128 elements and place.

    *Error.* Of floats as for sums in any order: k values err by at most ``(k + 1) * 2**-24`` times the sum of the absolute values. Where
    these add up to a zero, the element stays as it was, with the sign of its zero.
    """
    size, count = dst.shape[0], values.shape[0]
    blocks = -(-size // PARTITIONS)
    partitions = -(-size // blocks)  # place = partition * blocks + block
    numbers = (_Floats if values.dtype == "float32" else _Words)(partitions, blocks)
    columns = scratch((PARTITIONS, blocks, partitions), nl.float32)
    nisa.iota(columns, [[1, blocks], [blocks, partitions]])
    banks, rows = psum_ring(2), Ring(3, (PARTITIONS, blocks, partitions), nl.float32)

    def add(part: Callable[[Any], Any], elements: int) -> None:
        for first, held, each in spread_rows(elements, _TERMS):
            views = (part(tensor)[first : first + held * each].reshape_dim(0, (held, each)) for tensor in (places, values))
            (at, given), where = (_load(view) for view in views), scratch((held, each), nl.float32)
            nisa.tensor_copy(where, at, engine=nisa.engine.vector)
            parts = numbers.split(given)
            total = banks.take()[:partitions, : blocks * _PARTS].reshape_dim(1, (blocks, _PARTS))
            for term in range(each):
                row = rows.take()[:held]
                nisa.tensor_scalar(row, columns[:held], nl.equal, where[:, term : term + 1], engine=nisa.engine.vector)
                for block in range(blocks):
                    nisa.nc_matmul(total[:, block], row[:, block], parts[:, term], is_stationary_onezero=True, accumulate=term > 0)
            numbers.gather(total)

    in_loops(count, PARTITIONS * _TERMS, _TERMS * (1 + blocks) + 50, add)
    base = scratch((partitions, blocks), dst.dtype)
    whole, rest = divmod(size, blocks)
    pieces = [(base[:whole], dst[: whole * blocks].reshape_dim(0, (whole, blocks)))]
    if rest:
        nisa.memset(base, 0)
        pieces.append((base[whole:, :rest], dst[whole * blocks :].expand_dim(0)))
    for tile, view in pieces:
        nisa.dma_copy(tile, view)
    result = numbers.added(base)
    nisa.dma_copy(pieces[0][1], result[:whole])
    if rest:
        nisa.dma_copy(pieces[1][1], result[whole:, :rest])


def _load(view: Any) -> Any:
    tile = scratch(view.shape, view.dtype)
    nisa.dma_copy(tile, view)
    return tile


def takes(dtype: str, size: int) -> bool:
    """Tell whether there is room for a column of zeros and ones for each element."""
    return size <= _MOST_PLACES and dtype in ("float32", "int32", "uint32")


def estimate(costs: Costs, size: int, count: int) -> float:
    """Estimate the time: of 128 places, the comparisons with all elements, or their products."""
    product = costs.instruction("nc_matmul", _PARTS, "tensor", "float32 of zeros and ones")
    each = max(costs.instruction("tensor_scalar", size), math.ceil(size / PARTITIONS) * product)
    dependent = _DEPENDENT * (costs.instruction("tensor_tensor", 1) + costs.waits("vector"))
    return 2 * costs.transfer_waits + costs.instruction("iota", size, "gpsimd") + dependent + math.ceil(count / PARTITIONS) * each
