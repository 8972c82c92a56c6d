"""Writes to tensors in HBM at places that are known when the program runs, in the order of the places."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from ....dtypes import FLOAT32, INT32
from ....isa import nisa, nl
from ....rules import Signature
from ...costs import Costs
from ...kernel import InvalidCallError, Kernel, Ruling, Variant, declare
from ..emission import Emission
from ..half_words import halves, sum_of_halves
from ..products import scatter_add
from ..sbuf import PARTITIONS, scratch
from .gather import NOWHERE, in_loops

__all__ = ["COMBINERS", "scatter_elements", "scatter_rows"]

_DEPENDENT: Final = 16  # instructions, about, before the first element
_MOST: Final = 16  # rows on a partition, each of which is an instruction


class Combiner(NamedTuple):
    """
    How values are combined with each other, and with what is there.

    Attributes
    ----------
    op : object
        Of the Vector Engine.
    neutral : float
        What changes nothing.
    """

    op: Any
    neutral: float


COMBINERS: Final[Mapping[str, Combiner]] = {
    "add": Combiner(nl.add, -0.0),  # which does not even change the sign of a zero
    "multiply": Combiner(nl.multiply, 1.0),
    "maximum": Combiner(nl.maximum, float("-inf")),
    "minimum": Combiner(nl.minimum, float("inf")),
}
"""By the names that nodes use."""


class _Places:
    """
    Places of a block of rows: row j * 128 + p on partition p, so that instructions write in the rows' order.

    Parameters
    ----------
    view : NkiTensor
        (each * partitions,) of int32 in HBM.
    partitions, each : int
        Of the block.
    """

    def __init__(self, view: Any, partitions: int, each: int) -> None:
        self.at, everywhere = scratch((partitions, each), nl.int32), scratch((partitions, each, partitions), nl.int32)
        nisa.dma_copy(self.at, in_order(view, partitions, each))
        nisa.dma_copy(everywhere, view.reshape_dim(0, (each, partitions)).expand_dim(0).broadcast(0, partitions))
        # Which rows of an instruction go to the same place: differing bits show it, where float32 would not.
        differ = scratch(everywhere.shape, nl.int32)
        nisa.tensor_tensor(differ, everywhere, self.at.expand_dim(2).broadcast(2, partitions), nl.bitwise_xor)
        self.same = scratch(everywhere.shape, nl.uint8)
        nisa.tensor_scalar(self.same, differ, nl.equal, 0.0, engine=nisa.engine.vector)
        later = scratch(everywhere.shape, nl.uint8)
        nisa.affine_select(later, [[0, each], [1, partitions]], -1, self.same, 0.0, cmp_op=nl.greater)
        self.written_again = scratch((partitions, each), nl.uint8)
        nisa.tensor_reduce(self.written_again, nl.maximum, later, 2)

    def last(self) -> Any:
        """Find where rows go: each place once."""
        result, nowhere = scratch(self.at.shape, nl.int32), scratch(self.at.shape, nl.int32)
        nisa.tensor_copy(result, self.at, engine=nisa.engine.vector)
        nisa.memset(nowhere, NOWHERE)
        nisa.tensor_copy_predicated(result, nowhere, self.written_again)
        return result


def in_order(view: Any, partitions: int, each: int) -> Any:
    """Look at rows as instructions take them."""
    rows = view.reshape_dim(0, (each, partitions))
    return rows.permute((1, 0, *range(2, rows.ndim)))


def _blocks(count: int, most: int, instructions: int, body: Callable[[Callable[[Any], Any], int, int], None]) -> None:
    """Go over rows in blocks of 128, several together."""
    each = max(1, min(most, count // PARTITIONS))

    def some(part: Callable[[Any], Any], rows: int) -> None:
        whole = rows // PARTITIONS
        if whole:
            body(lambda tensor: part(tensor)[: whole * PARTITIONS], PARTITIONS, whole)
        if rest := rows % PARTITIONS:
            body(lambda tensor: part(tensor)[whole * PARTITIONS : rows], rest, 1)

    in_loops(count, PARTITIONS * each, instructions * each + 12, some)


def scatter_rows(dst: Any, places: Any, values: Any) -> None:
    """
    Write rows; of several that go to one place, the last one stays.

    Notes
    -----
    *Layout.* Each instruction writes one row for every partition. Which of several writes of an instruction to one place is the last is
    open, so all but the row that comes last go nowhere: the places of 128 rows are compared with each other.

    *Bound.* GpSimd and DMA, about 7 ns for each row that is shorter than 2 KiB.
    """

    def write(part: Callable[[Any], Any], partitions: int, each: int) -> None:
        at = _Places(part(places), partitions, each).last()
        sources = part(values).reshape_dim(0, (each, partitions))
        for place in range(each):
            nisa.dma_copy(dst.vector_select(0, at[:, place : place + 1]), sources[place], oob_mode=nisa.oob_mode.skip)

    _blocks(values.shape[0], _MOST, 1, write)


def scatter_elements(name: str, dst: Any, places: Any, values: Any) -> None:
    """
    Combine elements with what is there.

    Notes
    -----
    *Layout.* The values of 128 elements lie beside each other on every partition, where those that go to the same place as the
    partition's own are combined; the last of them is combined with what is there.

    *Bound.* Two dependent DMAs for 128 elements, about 9 us.

    *Error.* Values of a place are added in float32, 128 and fewer at a time, and rounded with each sum: k values err by at most
    ``k * 2**-24`` times the sum of the absolute values in float32; sums of integers are exact modulo 2**32.
    """
    combine = COMBINERS[name]
    words = dst.dtype in ("int32", "uint32")
    table, numbers = dst.expand_dim(1), values

    def add(part: Callable[[Any], Any], partitions: int, each: int) -> None:
        found = _Places(part(places), partitions, each)
        at, everywhere = found.last(), scratch((partitions, each, partitions), dst.dtype)
        nisa.dma_copy(everywhere, part(numbers).reshape_dim(0, (each, partitions)).expand_dim(0).broadcast(0, partitions))
        totals = [_total(combine, half, found.same) for half in (halves(everywhere) if words else [everywhere])]
        for place in range(each):
            some = slice(place, place + 1)
            old = scratch((partitions, 1), dst.dtype)
            nisa.dma_copy(old, table.vector_select(0, found.at[:, some]))
            mine = [total[:, some] for total in totals]
            if words:
                new = sum_of_halves(dst.dtype, halves(old), mine)
            else:
                new = scratch((partitions, 1), dst.dtype)
                nisa.tensor_tensor(new, old, mine[0], combine.op, engine=nisa.engine.vector)
            nisa.dma_copy(table.vector_select(0, at[:, some]), new, oob_mode=nisa.oob_mode.skip)

    _blocks(values.shape[0], _MOST, 9 if words else 3, add)


def _total(combine: Combiner, everywhere: Any, same: Any) -> Any:
    """Combine, on each partition, what goes to its place."""
    mine, total = scratch(everywhere.shape, nl.float32), scratch(everywhere.shape[:2], nl.float32)
    wide = everywhere
    if everywhere.dtype != "float32":
        wide = scratch(everywhere.shape, nl.float32)
        nisa.tensor_copy(wide, everywhere, engine=nisa.engine.vector)
    nisa.memset(mine, combine.neutral)
    nisa.tensor_copy_predicated(mine, wide, same)
    nisa.tensor_reduce(total, combine.op, mine, 2)
    return total


def _rule(
    base: Signature, positions: Signature, values: Signature, *, width: int
) -> Ruling:
    size, count = math.prod(base.shape), math.prod(positions.shape)
    if size % width or math.prod(values.shape) != count * width or values.dtype != base.dtype or positions.dtype != INT32:
        raise InvalidCallError(f"scatter rows of {width}, {values}, at {positions} does not fit {base}")
    return (base,), (size // width, count, width)


def _emit_rows(emission: Emission, rows: int, count: int, width: int) -> None:
    scatter_rows(emission.source(0, (rows, width)), emission.source(1, (count,)), emission.source(2, (count, width)))


def _elements_rule(
    base: Signature, positions: Signature, values: Signature, *, function: str
) -> Ruling:
    results, (size, count, _) = _rule(base, positions, values, width=1)
    if function not in COMBINERS:
        raise InvalidCallError(f"scatter elements combines by one of {', '.join(COMBINERS)}, not by {function!r}")
    return results, (function, size, count)


def _emit_elements(emission: Emission, function: str, size: int, count: int) -> None:
    scatter_elements(function, emission.source(0, (size,)), emission.source(1, (count,)), emission.source(2, (count,)))


def _elements_time(costs: Costs, results: tuple[Signature, ...], function: str, size: int, count: int) -> float:
    """Estimate two transfers for 128 elements, each of which waits for the one before; infinite where products round in another order."""
    if function == "add" and results[0].dtype == FLOAT32 and scatter_add.takes("float32", size):
        return math.inf
    moving = costs.moves(PARTITIONS, results[0].dtype.itemsize, 0)
    dependent = _DEPENDENT * (costs.instruction("tensor_tensor", 1) + costs.waits("vector"))
    return dependent + 2 * math.ceil(count / PARTITIONS) * (costs.transfer_waits + costs.describes(PARTITIONS) + moving)


def _emit_products(emission: Emission, _function: str, size: int, count: int) -> None:
    scatter_add.add_by_products(emission.source(0, (size,)), emission.source(1, (count,)), emission.source(2, (count,)))


def _products_time(costs: Costs, results: tuple[Signature, ...], function: str, size: int, count: int) -> float:
    taken = function == "add" and scatter_add.takes(results[0].dtype.name, size)
    return scatter_add.estimate(costs, size, count) if taken else math.inf


declare(Kernel("scatter rows", _rule, _emit_rows, "scatter of rows", "{1} over {0} rows of {2}", pure=False, in_place=True))
declare(
    Kernel(
        "scatter elements",
        _elements_rule,
        None,
        "scatter of elements by {0}",
        "{2} over {1}",
        pure=False,
        in_place=True,
        variants=(
            Variant("one by one", _elements_time, _emit_elements),
            Variant("as products", _products_time, _emit_products),
        ),
    )
)
