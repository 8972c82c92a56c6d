"""Reductions of tensors in HBM: along rows, and along columns."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from ....isa import nisa, nl
from ....rules import Signature
from ...costs import Costs
from ...function import work_table
from ...kernel import InvalidCallError, Kernel, Prologue, Ruling, Variant, declare
from ..emission import Emission
from ..epilogue import fetch
from ..move.permutation import permute
from ..move.tile_transpose import TileTransposer
from ..products.blocking import even_parts
from ..row_distribution import spread_rows
from ..sbuf import PARTITIONS, scratch
from .free_axis import REDUCERS, sum_in_pairs

__all__ = ["ON_PARTITIONS", "SPREAD", "reduce_columns", "reduce_rows"]

_FREE: Final = 4096  # elements of a partition that are reduced at once
_WIDE: Final = 64  # elements of a partition from which on a few rows are combined, instead of their columns
_FEW_ROWS: Final = 32  # up to which rows of floats are spread over partitions, which rounds their sums in another order
_DEPENDENT: Final = 6  # instructions, about, for a row that is spread
ON_PARTITIONS, SPREAD = "rows on partitions", "rows over all partitions"
_OPERATORS: Final = {"add": nl.add, "multiply": nl.multiply}


def _combined(name: str, dst: Any, parts: Any) -> None:
    """Reduce results of parts, (P, A, parts) to (P, A); sums by halves only, since runs were taken below."""
    combine = REDUCERS[name].combine
    if combine in _OPERATORS and parts.dtype == "float32":
        sum_in_pairs(dst, parts, _OPERATORS[combine], run=1)
    else:
        REDUCERS[combine].emit(dst, parts)


def reduce_rows(name: str, dst: Any, src: Any, way: str = "") -> None:
    """
    Reduce each row of a matrix.

    Notes
    -----
    *Layout.* Short rows lie several to a partition, so that DMA moves long runs; long ones one to a partition, tile by tile; if there are
    few, each is spread over all partitions, whose results turn into rows on the Tensor Engine.

    *Bound.* HBM for floats, else the Vector Engine.

    *Error* of sums of n floats: at most ``(8 + log2(n)) * 2**-24 * sum(abs(x))``, in every order in which instructions may add, and one
    rounding to the dtype of `dst`.
    """
    rows, columns = src.shape
    if columns <= _FREE:
        _short_rows(name, dst, src)
    elif way == ON_PARTITIONS or (not way and rows > _FEW_ROWS):
        for first in range(0, rows, PARTITIONS):
            count = min(PARTITIONS, rows - first)
            result = _reduced(name, [(src[first : first + count, low : low + n], low) for low, n in even_parts(columns, _FREE)], dst.dtype)
            nisa.dma_copy(_column(dst[first : first + count]), result)
    else:
        _long_rows(name, dst, src)


def _column(dst: Any) -> Any:
    return dst.reshape((dst.shape[0], 1))


def _short_rows(name: str, dst: Any, src: Any) -> None:
    """Put whole rows on partitions, several to each."""
    rows, columns = src.shape
    for first, count, each in spread_rows(rows, max(1, _FREE // columns)):
        some = slice(first, first + count * each)
        tile = fetch(src[some].reshape_dim(0, (count, each)))
        result = scratch((count, each), dst.dtype)
        REDUCERS[name].emit(result, tile)
        nisa.dma_copy(dst[some].reshape((count, each)), result)


def _reduced(name: str, parts: list[tuple[Any, int]], dtype: str) -> Any:
    """Reduce along rows that come in parts: (view in HBM, its first column); the result is (P, 1)."""
    if name in ("argmax", "argmin"):
        return _first_of(name, *_places(name, parts))
    count = parts[0][0].shape[0]
    results = scratch((count, 1, len(parts)), REDUCERS[name].partial(parts[0][0].dtype))
    for place, (view, _) in enumerate(parts):
        tile = fetch(view)
        REDUCERS[name].emit(results[:, :, place], tile.expand_dim(1))
    result = scratch((count, 1), dtype)
    _combined(name, result, results)
    return result


def _places(name: str, parts: list[tuple[Any, int]]) -> tuple[Any, Any]:
    """Find the extreme of each part and its place in the row: (P, parts) of the data's dtype, and of int32."""
    count, dtype = parts[0][0].shape[0], parts[0][0].dtype
    extremes, places = scratch((count, len(parts)), dtype), scratch((count, len(parts)), nl.int32)
    base = scratch((count, 1), nl.int32)
    for place, (view, first) in enumerate(parts):
        tile = fetch(view).expand_dim(1)
        REDUCERS[name].emit(places[:, place : place + 1], tile)
        REDUCERS[_EXTREMES[name]].emit(extremes[:, place : place + 1], tile)
        if first:
            nisa.iota(base, [[0, 1]], offset=first)
            _add_int32(places[:, place : place + 1], base)
    return extremes, places


_EXTREMES: Final = {"argmax": "maximum", "argmin": "minimum"}


def _add_int32(dst: Any, other: Any) -> None:
    """Add places, which stay below 2**31, exactly on GpSimd."""
    nisa.tensor_tensor(dst, dst, other, nl.add, engine=nisa.engine.gpsimd)


def _first_of(name: str, extremes: Any, places: Any) -> Any:
    """Choose the place of the first part that has the extreme."""
    count, parts = extremes.shape
    which, ordinals = scratch((count, 1), nl.int32), scratch((count, parts), nl.int32)
    REDUCERS[name].emit(which, extremes.expand_dim(1))
    nisa.iota(ordinals, [[1, parts]])
    chosen = scratch((count, parts), nl.int32)
    wanted = which.broadcast(1, parts)
    nisa.tensor_tensor(chosen, ordinals, wanted, nl.bitwise_xor)
    # A mask of all bits where the part is the wanted one: products with places above 2**24 would not be exact.
    zeros = scratch((count, parts), nl.int32)
    nisa.memset(zeros, 0)
    nisa.tensor_scalar(chosen, chosen, nl.equal, 0.0)
    nisa.tensor_tensor(chosen, zeros, chosen, nl.subtract, engine=nisa.engine.gpsimd)
    nisa.tensor_tensor(chosen, chosen, places, nl.bitwise_and)
    result = scratch((count, 1), nl.int32)
    nisa.tensor_reduce(result, nl.bitwise_or, chosen, axis=1)
    return result


def _long_rows(name: str, dst: Any, src: Any) -> None:
    """Spread each row over all partitions, then bring the results of a row onto one partition."""
    rows, columns = src.shape
    each = columns // PARTITIONS
    whole = each * PARTITIONS
    transposer = TileTransposer(2)
    width = PARTITIONS + (columns > whole)
    by_place = name in _EXTREMES
    dtype = src.dtype if by_place else REDUCERS[name].partial(src.dtype)
    spread = {"value": scratch((PARTITIONS, rows), dtype)} | ({"place": scratch((PARTITIONS, rows), nl.int32)} if by_place else {})
    turned = {key: scratch((rows, width), tile.dtype) for key, tile in spread.items()}
    several = 0 if by_place or each > _FREE else _FREE // each  # rows at once
    for row, count in even_parts(rows, several) if several else ():
        tile = fetch(src[row : row + count, :whole].reshape_dim(1, (PARTITIONS, each)).permute((1, 0, 2)))
        REDUCERS[name].emit(spread["value"][:, row : row + count], tile)
    for row in () if several else range(rows):
        body = src[row : row + 1, :whole].reshape((PARTITIONS, each))
        parts = [(body[:, low : low + n], low) for low, n in even_parts(each, _FREE)]
        if by_place:
            extremes, places = _places(name, parts)
            REDUCERS[_EXTREMES[name]].emit(spread["value"][:, row : row + 1], extremes.expand_dim(1))
            found = _first_of(name, extremes, places)
            base = scratch((PARTITIONS, 1), nl.int32)
            nisa.iota(base, [[0, 1]], channel_multiplier=each)
            _add_int32(found, base)
            nisa.tensor_copy(spread["place"][:, row : row + 1], found, engine=nisa.engine.vector)
        else:
            nisa.tensor_copy(spread["value"][:, row : row + 1], _reduced(name, parts, dtype), engine=nisa.engine.vector)
    for key, tile in spread.items():
        transposer.tile(turned[key][:, :PARTITIONS], tile)
    if columns > whole:
        tail = [(src[:, whole:], whole)]
        if by_place:
            for key, found in zip(("value", "place"), _places(name, tail), strict=True):
                nisa.tensor_copy(turned[key][:, PARTITIONS:], found, engine=nisa.engine.vector)
        else:
            nisa.tensor_copy(turned["value"][:, PARTITIONS:], _reduced(name, tail, dtype), engine=nisa.engine.vector)
    if by_place:
        result = _first_of(name, turned["value"], turned["place"])
    else:
        result = scratch((rows, 1), dst.dtype)
        _combined(name, result, turned["value"].expand_dim(1))
    nisa.dma_copy(_column(dst), result)


class _Tower:
    """Tiles that are combined in pairs as they come, like the digits of a binary counter."""

    def __init__(self, combine: Callable[[Any, Any], None]) -> None:
        self.combine, self.levels = combine, list[Any]()

    def add(self, tile: Any) -> None:
        """Take a tile, which is written."""
        level = 0
        while level < len(self.levels) and self.levels[level] is not None:
            self.combine(self.levels[level], tile)
            tile, self.levels[level] = self.levels[level], None
            level += 1
        if level == len(self.levels):
            self.levels.append(None)
        self.levels[level] = tile

    def total(self) -> Any:
        """Combine what is left, the smallest first."""
        left = [tile for tile in self.levels if tile is not None]
        for smaller, larger in itertools.pairwise(left):
            self.combine(larger, smaller)
        return left[-1]


_ELEMENTWISE: Final = {
    "add": nl.add,
    "sum": nl.add,
    "multiply": nl.multiply,
    "maximum": nl.maximum,
    "minimum": nl.minimum,
    "logical_or": nl.maximum,
    "logical_and": nl.minimum,
    "count_nonzero": nl.add,
}


def _in_float32(name: str, dtype: str, length: int) -> bool:
    """Whether elements can be combined in float32, one with another: as floats, or exactly."""
    if name in ("add", "sum", "multiply"):
        return "float" in dtype
    if name in ("maximum", "minimum"):
        return dtype not in ("int32", "uint32")
    return name in _ELEMENTWISE and dtype in ("uint8", "bool", "bool_") and length <= 1 << 24


def reduce_columns(name: str, dst: Any, src: Any) -> None:
    """
    Reduce the middle axis of a tensor.

    Notes
    -----
    *Layout.* The reduced axis lies on partitions, up to eight elements on each, and runs of the inner axis on the free axis. Tiles are
    combined in pairs; the partitions of the last one are turned onto the free axis by the Tensor Engine (a product with ones would add in
    an unknown order) and reduced there. What float32 does not combine exactly (32-bit integers), and places, are transposed in HBM
    first. Small matrices (length, inner) lie whole on partitions, where a copy turns them.

    *Bound.* HBM, with the Vector Engine and GpSimd nearly as busy.

    *Error* of sums as of `reduce_rows`.
    """
    outer, length, inner = src.shape
    if length * inner <= _FREE and outer > length:
        _short_planes(name, dst, src)
        return
    if not _in_float32(name, src.dtype, length):
        turned = nl.ndarray((outer, inner, length), src.dtype, buffer=nl.private_hbm)
        permute(turned, src, (0, 2, 1))
        reduce_rows(name, dst.reshape((outer * inner,)), turned.reshape((outer * inner, length)))
        return
    transposer = TileTransposer(2)
    over = inner // PARTITIONS * PARTITIONS if length < PARTITIONS and inner >= PARTITIONS * _WIDE else 0
    for number in range(outer):
        if over:
            _over_columns(name, dst[number, :over], src[number, :, :over])
        for low, width in even_parts(inner - over, 1024) if inner > over else []:
            column = over + low
            tower = _Tower(partial(_into, name))
            for first, count, each in spread_rows(length, 8):
                tower.add(_column_tile(name, src[number, first : first + count * each, column : column + width], count, each))
            _across(name, dst[number : number + 1, column : column + width], tower.total(), transposer)


def _over_columns(name: str, dst: Any, src: Any) -> None:
    """Spread the columns of a few rows over partitions, a row after the other."""
    length, inner = src.shape
    for first, count, each in spread_rows(inner, _FREE // 2):
        some = slice(first, first + count * each)
        tower = _Tower(partial(_combine, name, itertools.cycle((nisa.engine.vector, nisa.engine.gpsimd))))
        for row in range(length):
            tile = fetch(src[row, some].reshape_dim(0, (count, each)))
            wide = tile if tile.dtype == "float32" and not name.startswith(("logical", "count")) else scratch(tile.shape, nl.float32)
            if wide is not tile:
                nisa.tensor_copy(wide, tile, engine=nisa.engine.vector)
            tower.add(wide)
        found = tower.total()
        if name == "sum":
            nisa.tensor_scalar(found, found, nl.add, 0.0, engine=nisa.engine.vector)
        stored = found
        if dst.dtype != "float32":
            stored = scratch(found.shape, dst.dtype)
            nisa.tensor_copy(stored, found, engine=nisa.engine.vector)
        nisa.dma_copy(dst[some].reshape((count, each)), stored)


def _combine(name: str, engines: Iterator[Any], larger: Any, smaller: Any) -> None:
    nisa.tensor_tensor(larger, larger, smaller, _ELEMENTWISE[name], engine=next(engines))


def _short_planes(name: str, dst: Any, src: Any) -> None:
    """Put whole matrices (length, inner) on partitions, several to each, and turn them there."""
    outer, length, inner = src.shape
    for first, count, each in spread_rows(outer, max(1, _FREE // (length * inner))):
        some = slice(first, first + count * each)
        tile, turned = fetch(src[some].reshape_dim(0, (count, each))), scratch((count, each * inner, length), src.dtype)
        nisa.tensor_copy(turned.reshape_dim(1, (each, inner)), tile.permute((0, 1, 3, 2)), engine=nisa.engine.vector)
        result = scratch((count, each * inner), dst.dtype)
        REDUCERS[name].emit(result, turned)
        nisa.dma_copy(dst[some].reshape_dim(0, (count, each)), result.reshape_dim(1, (each, inner)))


def _into(name: str, larger: Any, smaller: Any) -> None:
    """Combine two tiles, of which the second, being later, may have fewer partitions."""
    count = smaller.shape[0]
    nisa.tensor_tensor(larger[:count], larger[:count], smaller, _ELEMENTWISE[name], engine=nisa.engine.gpsimd)


def _column_tile(name: str, view: Any, count: int, each: int) -> Any:
    """Load rows, several to a partition, and reduce those of each partition: (count, columns) of float32."""
    width = view.shape[1]
    tile = fetch(view.reshape_dim(0, (count, each)))
    if each == 1:
        result = scratch((count, width), nl.float32)
        nisa.tensor_copy(result, tile[:, 0], engine=nisa.engine.vector)
        return result
    on = nisa.engine.vector
    while each > 1:  # both engines are busy for about a cycle per element loaded
        half, odd = divmod(each, 2)
        level = scratch((count, half + odd, width), nl.float32)
        nisa.tensor_tensor(level[:, :half], tile[:, :half], tile[:, half : 2 * half], _ELEMENTWISE[name], engine=on)
        if odd:
            nisa.tensor_copy(level[:, half:], tile[:, 2 * half :], engine=on)
        tile, each, on = level, half + odd, nisa.engine.gpsimd
    return tile[:, 0]


def _across(name: str, dst: Any, tile: Any, transposer: TileTransposer) -> None:
    """Reduce over partitions."""
    count, width = tile.shape
    for first, blocks in ((0, width // PARTITIONS), (width // PARTITIONS * PARTITIONS, 1)):
        columns = min(PARTITIONS, width - first)
        if blocks == 0 or columns <= 0:
            continue
        turned = scratch((columns, blocks, count), nl.float32)
        transposer.blocks(turned, tile[:, first : first + blocks * columns])
        found = scratch((columns, blocks), nl.float32)
        if _ELEMENTWISE[name] in (nl.add, nl.multiply):
            sum_in_pairs(found, turned, _ELEMENTWISE[name], run=1)
        else:
            nisa.tensor_reduce(found, _ELEMENTWISE[name], turned, axis=2)
        if name == "sum":
            nisa.tensor_scalar(found, found, nl.add, 0.0, engine=nisa.engine.vector)
        rows = scratch((blocks, columns), nl.float32)
        transposer.tile(rows, found)
        stored = rows
        if dst.dtype != "float32":
            stored = scratch((blocks, columns), dst.dtype)
            nisa.tensor_copy(stored, rows, engine=nisa.engine.vector)
        nisa.dma_copy(dst[:, first : first + blocks * columns].reshape((blocks, columns)), stored)


def _rule(
    source: Signature, *, function: str, length: int, inner: int, results: Signature
) -> Ruling:
    outer = math.prod(results.shape) // inner
    if function not in REDUCERS or outer * length * inner != math.prod(source.shape):
        raise InvalidCallError(f"{function} of {length} elements of {source} does not give {results}")
    return (results,), (function, outer, length, inner) if inner > 1 else (function, outer, length)


def _prologue(_operand: int, *_parameters: object) -> Prologue:
    return Prologue(0, whole=True)


def _emit_rows(way: str, emission: Emission, function: str, outer: int, length: int) -> None:
    reduce_rows(function, emission.result((outer,)), emission.source(0, (outer, length)), way)


def _rows_time(way: str, costs: Costs, results: tuple[Signature, ...], function: str, outer: int, length: int) -> float:
    """Estimate a way; infinite where rows are short or too many, or floats go the other one."""
    dtype, spread = results[0].dtype, way == SPREAD
    if dtype.kind in "iu":
        taken = not spread or (_FREE < length and outer <= PARTITIONS)
    else:
        taken = spread == (_FREE < length and outer <= _FEW_ROWS)
    if not taken:
        return math.inf
    truth = function.startswith("logical") or function == "count_nonzero"
    name = "uint8" if truth else "float32" if function.startswith("arg") else dtype.name
    nbytes = outer * length * (1 if truth else dtype.itemsize)
    moved = costs.moves(0, 0, nbytes)
    work = work_table()[f"reduce by {function}", name]
    if spread:
        each = sum(work.times(costs, length / PARTITIONS).values()) + _DEPENDENT * costs.waits("vector")
        return 2 * costs.transfer_waits + max(moved, outer * each)
    share = min(1.0, outer / PARTITIONS)
    return 2 * costs.transfer_waits + max(moved / share, math.ceil(outer / PARTITIONS) * sum(work.times(costs, length).values()))


def _emit_columns(emission: Emission, function: str, outer: int, length: int, inner: int) -> None:
    reduce_columns(function, emission.result((outer, inner)), emission.source(0, (outer, length, inner)))


declare(
    Kernel(
        "reduce rows",
        _rule,
        None,
        "{0} over rows",
        "{1} rows of {2}",
        prologue=_prologue,
        variants=tuple(Variant(way, partial(_rows_time, way), partial(_emit_rows, way)) for way in (ON_PARTITIONS, SPREAD)),
    )
)
declare(Kernel("reduce columns", _rule, _emit_columns, "{0} over the middle axis", "{1} × {2} × {3}", prologue=_prologue))
