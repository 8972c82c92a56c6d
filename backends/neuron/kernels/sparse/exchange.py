"""Products of sparse matrices with a vector, whose elements the Tensor Engine exchanges among the partitions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from ....dtypes import FLOAT32
from ....isa import nisa, nl
from ....rules import Signature
from ...costs import Costs
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..emission import Emission
from ..move.tile_transpose import TileTransposer
from ..sbuf import PARTITIONS, scratch
from ..tile_ring import BANK_BYTES, Ring, psum_ring

__all__ = ["copy_columns", "multiply"]

_PIECE: Final = 2048  # columns of a tile that are loaded and gathered at once
_BANK: Final = BANK_BYTES // 4


class Part(NamedTuple):
    """
    Rows of the result that are computed together, of every partition.

    Attributes
    ----------
    rows : int
        Of a partition.
    columns : int
        Products of a partition: for each block one from each partition.
    blocks : tuple of (int, int)
        Sums of a partition, and products that make one; padding is a zero.
    sorted : bool
        Whether sums come in another order than rows.
    """

    rows: int
    columns: int
    blocks: tuple[tuple[int, int], ...]
    sorted: bool

    @property
    def gathered(self) -> int:
        """Products of a partition in the order in which they are added up, padding included."""
        return sum(count * width for count, width in self.blocks)

    @property
    def sums(self) -> int:
        """Sums of a partition."""
        return sum(count for count, _ in self.blocks)


class _Tables:
    """Indices and values in HBM, part by part, as (128, columns) each."""

    def __init__(self, tensor: Any, extents: list[int]) -> None:
        self.tensor, self.begins = tensor, [sum(extents[:number]) * PARTITIONS for number in range(len(extents))]
        self.extents = extents

    def view(self, part: int, first: int, count: int) -> Any:
        """See some columns of a part."""
        begin, extent = self.begins[part], self.extents[part]
        return self.tensor[begin : begin + PARTITIONS * extent].reshape_dim(0, (PARTITIONS, extent))[:, first : first + count]


class _Indices:
    """Loads of indices, which are uint16 in HBM and have 32 bits for GpSimd."""

    def __init__(self, longest: int) -> None:
        width = min(longest, _PIECE)
        self.narrow, self.wide = (Ring(2, (PARTITIONS, width), dtype) for dtype in (nl.uint16, nl.uint32))
        newer = nisa.get_nc_version() >= nisa.nc_version.gen3  # where the Scalar Engine copies
        self.engine = nisa.engine.scalar if newer else nisa.engine.vector

    def load(self, view: Any) -> Any:
        """Load columns."""
        narrow, wide = (ring.take()[:, : view.shape[1]] for ring in (self.narrow, self.wide))
        nisa.dma_copy(narrow, view)
        nisa.tensor_copy(wide, narrow, engine=self.engine)
        return wide


def multiply(y: Any, x: Any, values: Any, sources: Any, targets: Any, order: Any, parts: tuple[Part, ...]) -> None:
    """
    Multiply a sparse matrix with vectors, one after the other: y and x are of one vector a row.

    Notes
    -----
    *Layout.* Element c of the vector is on partition c mod 128, to which transposes bring it. Rows of the result are on partitions in
    blocks of equal length. (1) Each partition gathers elements in an order in which every 128 columns have one for each partition; (2)
    the Tensor Engine transposes these 128 × 128, so that each partition has got one element from every other; (3) the Vector Engine
    multiplies them with values; (4) each partition gathers its products row by row, padding at a zero; (5) rows are added up, and, where
    they were sorted by length, gathered back in order. Columns that are not wanted are multiplied, too, and nobody reads them.

    *Limits.* 2**16 columns of a partition; rows that fit a tile of 2048 products.

    *Bound.* GpSimd, for two gathers of each product at two cycles per 128, which is a guess of the cost table; or HBM.

    *Error.* A product rounds once, a row of L is added up in order: ``(L + 1) u |A| |x|``. Infinities and NaN stay in their rows: on
    NeuronCore-v2, where the Tensor Engine would spoil them, the Vector Engine transposes.

    *Source.* Prototypes of this project; the gather at both ends is that of sliced ELL (Monakov et al., 2010).
    """
    widest = max(part.columns for part in parts)
    pieces, factors = (Ring(2, (PARTITIONS, min(_PIECE, widest)), nl.float32) for _ in range(2))
    products = Ring(min(2, len(parts) * x.shape[0]), (PARTITIONS, widest + 1), nl.float32)
    for _ in range(min(2, len(parts) * x.shape[0])):
        nisa.memset(products.take()[:, min(part.columns for part in parts) :], 0.0)
    exchange = _Exchange()
    longest = max(min(_PIECE, part.gathered) for part in parts)
    rows_at, gathered = _Indices(longest), Ring(2, (PARTITIONS, longest), nl.float32)
    columns_at = _Indices(widest)
    from_tables = _Tables(sources, [part.columns for part in parts]), _Tables(values, [part.columns for part in parts])
    to_tables = _Tables(targets, [part.gathered for part in parts])
    orders = _Tables(order, [part.rows if part.sorted else 0 for part in parts])
    each = sum(part.rows for part in parts)
    for vector in range(x.shape[0]):
        found = _spread(x[vector])
        first_row = 0
        for number, part in enumerate(parts):
            product = products.take()
            for first, count in _pieces(part.columns, _PIECE):
                at = columns_at.load(from_tables[0].view(number, first, count))
                factor, piece = (ring.take()[:, :count] for ring in (factors, pieces))
                nisa.dma_copy(factor, from_tables[1].view(number, first, count))
                nisa.nc_n_gather(piece, found, at)
                exchange.multiply(product[:, first : first + count], piece, factor)
            sums = scratch((PARTITIONS, part.sums + part.sorted), nl.float32)
            if part.sorted:
                nisa.memset(sums[:, part.sums :], 0.0)
            slot = place = 0
            for count, width in part.blocks:
                for _, some in _pieces(count, max(1, _PIECE // width)):
                    tile, at = gathered.take()[:, : some * width], rows_at.load(to_tables.view(number, slot, some * width))
                    nisa.nc_n_gather(tile, product, at)
                    nisa.tensor_reduce(sums[:, place : place + some], nl.add, tile.reshape_dim(1, (some, width)), 2)
                    slot, place = slot + some * width, place + some
            if part.sorted:
                result = scratch((PARTITIONS, part.rows), nl.float32)
                for first, some in _pieces(part.rows, _PIECE):
                    nisa.nc_n_gather(result[:, first : first + some], sums, rows_at.load(orders.view(number, first, some)))
            else:
                result = sums
            copy_columns(y[vector], each, first_row, part.rows, result, store=True)
            first_row += part.rows


def _pieces(count: int, most: int) -> Iterator[tuple[int, int]]:
    for first in range(0, count, most):
        yield first, min(most, count - first)


def _spread(x: Any) -> Any:
    """Bring element c of a vector to partition c mod 128, column c // 128."""
    size = x.shape[0]
    turned = -(-size // PARTITIONS**2)
    each = turned * PARTITIONS
    count = -(-size // each)
    tile, spread = scratch((count, each), nl.float32), scratch((PARTITIONS, count * turned), nl.float32)
    if size % each:
        nisa.memset(tile, 0.0)
    copy_columns(x, each, 0, each, tile, store=False)
    TileTransposer().planes(
        spread.reshape_dim(1, (count, turned)).permute((0, 2, 1)), tile.reshape_dim(1, (turned, PARTITIONS))
    )
    return spread


def copy_columns(vector: Any, each: int, first: int, count: int, tile: Any, *, store: bool) -> None:
    """Copy columns of a vector that lies on partitions in blocks of `each` elements, of which the last one may be shorter."""
    whole, rest = divmod(vector.shape[0], each)
    pairs = [(vector[: whole * each].reshape_dim(0, (whole, each))[:, first : first + count], tile[:whole, :count])] if whole else []
    last = min(rest - first, count)
    if last > 0:
        begin = whole * each + first
        pairs.append((vector[begin : begin + last].expand_dim(0), tile[whole : whole + 1, :last]))
    for in_memory, on_chip in pairs:
        nisa.dma_copy(*((in_memory, on_chip) if store else (on_chip, in_memory)))


class _Exchange:
    """Transposes of 128 × 128, multiplied with values as they leave PSUM."""

    def __init__(self) -> None:
        self.on_pe = nisa.get_nc_version() >= nisa.nc_version.gen3
        self.banks = psum_ring(4) if self.on_pe else None

    def multiply(self, dst: Any, src: Any, values: Any) -> None:
        """Give each partition the products of what the others have for it."""
        width = src.shape[1]
        if self.banks is None:
            TileTransposer().planes(
                dst.reshape_dim(1, (width // PARTITIONS, PARTITIONS)), src.reshape_dim(1, (width // PARTITIONS, PARTITIONS))
            )
            nisa.tensor_tensor(dst, dst, values, nl.multiply, engine=nisa.engine.vector)
            return
        for first, count in _pieces(width, _BANK):
            bank = self.banks.take()[:, :count]
            for column in range(0, count, PARTITIONS):
                block = slice(first + column, first + column + PARTITIONS)
                nisa.nc_transpose(bank[:, column : column + PARTITIONS], src[:, block], engine=nisa.engine.tensor)
            some = slice(first, first + count)
            nisa.tensor_tensor(dst[:, some], bank, values[:, some], nl.multiply, engine=nisa.engine.vector)


_Geometry = tuple[tuple[int, int, tuple[tuple[int, int], ...], bool], ...]


def _rule(
    x: Signature,
    values: Signature,
    sources: Signature,
    targets: Signature,
    order: Signature,
    *,
    rows: int,
    nonzeros: int,
    geometry: _Geometry,
) -> Ruling:
    parts = tuple(Part(*one) for one in geometry)
    extents = [sum(part.columns for part in parts), sum(part.columns for part in parts), sum(part.gathered for part in parts)]
    sizes = [math.prod(operand.shape) for operand in (values, sources, targets)]
    if sizes != [PARTITIONS * extent for extent in extents] or {x.dtype, values.dtype} != {FLOAT32}:
        raise InvalidCallError(f"an exchange of {extents} columns does not take {values}, {sources} and {targets}")
    shape, count = (rows, x.shape[-1]), math.prod(x.shape[:-1])
    padding = f"{PARTITIONS * extents[0] / nonzeros:.2f} and {PARTITIONS * extents[2] / nonzeros:.2f}"
    nbytes = f"{(6 * PARTITIONS * extents[0] + 2 * PARTITIONS * extents[2]) / nonzeros:.1f}"
    return (Signature((*x.shape[:-1], rows), FLOAT32),), (shape, nonzeros, padding, nbytes, geometry, math.prod(order.shape), count)


def _emit(
    emission: Emission, shape: tuple[int, int], _nonzeros: int, _padding: str, _nbytes: str, geometry: _Geometry, ordered: int, count: int
) -> None:
    parts = tuple(Part(*one) for one in geometry)
    columns, gathered = (PARTITIONS * sum(extent) for extent in ([part.columns for part in parts], [part.gathered for part in parts]))
    values, sources, targets, order = (
        emission.source(number, (size,)) for number, size in enumerate((columns, columns, gathered, ordered), 1)
    )
    x = emission.source(0, (count, shape[1]))
    multiply(emission.result((count, shape[0])), x, values, sources, targets, order, parts)


def _time(costs: Costs, _results: tuple[Signature, ...], *parameters: Any) -> float:
    vectors: int = parameters[6]
    return vectors * estimate(costs, parameters[0], parameters[4])


def estimate(costs: Costs, shape: tuple[int, int], geometry: _Geometry) -> float:
    """Estimate a product, in ns, from its geometry."""
    gather = tensor = vector = nbytes = waits = 0.0
    for part in (Part(*one) for one in geometry):
        for count in (part.columns, part.gathered, part.rows if part.sorted else 0):
            gather += sum(costs.instruction("nc_n_gather", piece, "gpsimd") for _, piece in _pieces(count, _PIECE))
        banks = math.ceil(part.columns / _BANK)
        vector += banks * costs.instruction("tensor_tensor", min(_BANK, part.columns), when="data in PSUM and SBUF")
        vector += sum(costs.instruction("tensor_reduce", count * width) for count, width in part.blocks)
        tensor += part.columns / PARTITIONS * costs.instruction("nc_transpose", PARTITIONS, "tensor", "float32")
        nbytes += PARTITIONS * (6 * part.columns + 2 * part.gathered + 2 * part.rows * part.sorted)
        waits += 2 * costs.waits("gpsimd") + costs.waits("vector")
    loads = costs.moves(0, 0, nbytes + 4 * sum(shape))
    return 3 * costs.transfer_waits + waits + max(gather, tensor, vector, loads)


declare(
    Kernel(
        "exchange product",
        _rule,
        _emit,
        "sparse product by exchange",
        "{1} nonzeros of {0}, padding {2}, {3} bytes a nonzero, {6} vectors",
        estimate=_time,
    )
)
