"""Running sums and products along rows of tensors in HBM."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any, Final

from ....isa import nisa, nl
from ....rules import Signature
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..emission import Emission
from ..half_words import carry, halves, joined
from ..move.tile_transpose import TileTransposer
from ..row_distribution import spread_rows
from ..sbuf import PARTITIONS, scratch

__all__ = ["scan_rows"]

_FREE: Final = 4096  # elements of a partition that are scanned at once
_FEW_ROWS: Final = 32
_RUN: Final = 512  # floats that are added one after the other
_EXACT_TERMS: Final = 256  # 16-bit numbers whose sum is exact in float32
_SHORT: Final = 32  # columns that are added one after the other, of several rows on each partition

Planes = list[Any]


class _Scanner(ABC):
    """How numbers, each in one or more planes, are scanned along the free axis of (P, F)."""

    planes: tuple[str, ...]
    neutral: float
    op: Any = nl.add

    @abstractmethod
    def split(self, tile: Any) -> Planes:
        """Take numbers apart into planes."""

    @abstractmethod
    def join(self, planes: Planes, dtype: str) -> Any:
        """Make numbers of planes."""

    @abstractmethod
    def scan(self, planes: Planes) -> Planes:
        """Scan from the first column."""

    @abstractmethod
    def follow(self, planes: Planes, before: Planes) -> None:
        """Combine each partition's numbers, in place, with the one that comes before all of them, (P, 1)."""

    @abstractmethod
    def scan_short(self, planes: Planes, columns: int) -> Planes:
        """Scan rows of a few columns, of which each partition has several."""

    def _by_columns(self, planes: Planes, columns: int) -> None:
        for plane in planes:
            rows = plane.reshape_dim(1, (plane.shape[1] // columns, columns))
            for column in range(1, columns):
                nisa.tensor_tensor(rows[:, :, column], rows[:, :, column - 1], rows[:, :, column], self.op, engine=nisa.engine.vector)

    def empty(self, shape: tuple[int, int]) -> Planes:
        """Make planes."""
        return [scratch(shape, dtype) for dtype in self.planes]


class _Floats(_Scanner):
    planes = ("float32",)

    def __init__(self, name: str) -> None:
        self.op, self.neutral = (nl.add, -0.0) if name == "add" else (nl.multiply, 1.0)  # -0.0 changes no sum, not even the sign of a zero
        self.ones = scratch((PARTITIONS, _RUN), nl.float32)
        nisa.memset(self.ones, 1.0)

    def split(self, tile: Any) -> Planes:
        return [tile]

    def join(self, planes: Planes, dtype: str) -> Any:
        if dtype == "float32":
            return planes[0]
        result = scratch(planes[0].shape, dtype)
        nisa.tensor_copy(result, planes[0], engine=nisa.engine.vector)
        return result

    def _sequential(self, dst: Any, data: Any) -> None:
        """One run: state x 1 + x, or x x state x 1, which round alike whether or not in between."""
        ones = self.ones[: data.shape[0], : data.shape[1]]
        first, second = (ones, data) if self.op is nl.add else (data, ones)
        nisa.tensor_tensor_scan(dst, first, second, self.neutral, nl.multiply, self.op)

    def scan(self, planes: Planes) -> Planes:
        data = planes[0]
        result, count = scratch(data.shape, nl.float32), -(-data.shape[1] // _RUN)
        for low in range(0, data.shape[1], _RUN):
            high = min(low + _RUN, data.shape[1])
            self._sequential(result[:, low:high], data[:, low:high])
        if count > 1:
            totals = scratch((data.shape[0], count - 1), nl.float32)
            self._sequential(totals, result[:, _RUN - 1 : (count - 1) * _RUN : _RUN])
            for run in range(1, count):
                self._combine(result[:, run * _RUN : min((run + 1) * _RUN, data.shape[1])], totals[:, run - 1 : run])
        return [result]

    def _combine(self, data: Any, before: Any) -> None:
        nisa.tensor_scalar(data, data, self.op, before, engine=nisa.engine.vector)

    def follow(self, planes: Planes, before: Planes) -> None:
        self._combine(planes[0], before[0])

    def scan_short(self, planes: Planes, columns: int) -> Planes:
        if planes[0].dtype != "float32":
            (given,), planes = planes, [scratch(planes[0].shape, nl.float32)]
            nisa.tensor_copy(planes[0], given, engine=nisa.engine.vector)
        self._by_columns(planes, columns)
        return planes


class _Words(_Scanner):
    """Sums of 32-bit integers modulo 2**32, in halves of 16 bits that float32 adds exactly."""

    planes = ("uint32", "uint32")
    neutral = 0

    def __init__(self) -> None:
        # Zero where a run begins: the state of the run before is forgotten.
        self.goes_on = scratch((PARTITIONS, _FREE), nl.float32)
        nisa.memset(self.goes_on, 1.0)
        nisa.memset(self.goes_on[:, ::_EXACT_TERMS], 0.0)

    def split(self, tile: Any) -> Planes:
        return halves(tile)

    def join(self, planes: Planes, dtype: str) -> Any:
        low, high = planes
        return joined(low, high, scratch(low.shape, dtype))

    def _runs(self, planes: Planes) -> Planes:
        """Scan runs of 256, each from its own start."""
        shape = planes[0].shape
        result = self.empty(shape)
        for dst, data in zip(result, planes, strict=True):
            nisa.tensor_tensor_scan(dst, self.goes_on[: shape[0], : shape[1]], data, 0.0, nl.multiply, nl.add)
        carry(*result)
        return result

    def scan(self, planes: Planes) -> Planes:
        width = planes[0].shape[1]
        result = self._runs(planes)
        count = -(-width // _EXACT_TERMS)
        if count > 1:
            ends = [plane[:, _EXACT_TERMS - 1 : (count - 1) * _EXACT_TERMS : _EXACT_TERMS] for plane in result]
            totals = self._runs(ends)
            for run in range(1, count):
                part = [plane[:, run * _EXACT_TERMS : min((run + 1) * _EXACT_TERMS, width)] for plane in result]
                self._add(part, [plane[:, run - 1 : run] for plane in totals])
            carry(*result)
        return result

    def _add(self, planes: Planes, before: Planes) -> None:
        for data, one in zip(planes, before, strict=True):
            nisa.tensor_tensor(data, data, one.broadcast(1, data.shape[1]), nl.add, engine=nisa.engine.vector)

    def follow(self, planes: Planes, before: Planes) -> None:
        self._add(planes, before)
        carry(*planes)

    def scan_short(self, planes: Planes, columns: int) -> Planes:
        self._by_columns(planes, columns)
        carry(*planes)
        return planes


def scan_rows(name: str, dst: Any, src: Any) -> None:
    """
    Compute running sums or products of each row.

    Notes
    -----
    *Layout.* Rows lie on partitions, 4096 elements at a time; short ones several to each, whose columns are added one after the other. A
    few long rows are spread over all partitions, piece by piece; their totals turn onto the free axis and back on the Tensor Engine.

    *Bound.* Vector Engine: three cycles per element and partition; about 20 for integers, whose sums are exact modulo 2**32.

    *Error.* Runs of 512 are added in sequence, then their totals: element i of a row errs by at most ``(513 + i / 512) * 2**-24`` times
    the sum of the absolute values up to it; in a long row that is spread, by ``(649 + i / 512) * 2**-24``. Of products the relative error
    is at most ``i * 2**-24`` to first order.
    """
    words = src.dtype in ("int32", "uint32")
    if not words and "float" not in src.dtype:
        raise TypeError(f"running sums are of floats, int32 or uint32, not {src.dtype}; cast first")
    if words and name != "add":
        raise TypeError(f"running products are of floats, not {src.dtype}: the Vector Engine multiplies integers in float32")
    scanner: _Scanner = _Words() if words else _Floats(name)
    rows, columns = src.shape
    if rows > PARTITIONS and columns <= _SHORT:
        _several_rows(scanner, dst, src)
    elif rows > _FEW_ROWS or columns <= _FREE // 2:
        for first in range(0, rows, PARTITIONS):
            some = slice(first, min(first + PARTITIONS, rows))
            _rows_on_partitions(scanner, dst[some], src[some])
    else:
        transposer = TileTransposer(2)
        for row in range(rows):
            _row_over_partitions(scanner, dst[row : row + 1], src[row : row + 1], transposer)


def _load(scanner: _Scanner, view: Any, shape: tuple[int, int]) -> Planes:
    tile = scratch(shape, view.dtype)
    nisa.dma_copy(tile, view.reshape(shape) if view.shape != shape else view)
    return scanner.scan(scanner.split(tile))


def _rows_on_partitions(scanner: _Scanner, dst: Any, src: Any) -> None:
    rows, columns = src.shape
    before: Planes | None = None
    for low in range(0, columns, _FREE):
        part = slice(low, min(low + _FREE, columns))
        running = _load(scanner, src[:, part], (rows, part.stop - low))
        if before is not None:
            scanner.follow(running, before)
        before = [plane[:, -1:] for plane in running]
        nisa.dma_copy(dst[:, part], scanner.join(running, dst.dtype))


def _several_rows(scanner: _Scanner, dst: Any, src: Any) -> None:
    rows, columns = src.shape
    for first, count, each in spread_rows(rows, _FREE // columns):
        some, shape = slice(first, first + count * each), (count, each * columns)
        tile = scratch(shape, src.dtype)
        nisa.dma_copy(tile, src[some].reshape(shape))
        nisa.dma_copy(dst[some].reshape(shape), scanner.join(scanner.scan_short(scanner.split(tile), columns), dst.dtype))


def _row_over_partitions(scanner: _Scanner, dst: Any, src: Any, transposer: TileTransposer) -> None:
    before = scanner.empty((1, 1))
    for plane in before:
        nisa.memset(plane, scanner.neutral)
    for first, count, each in spread_rows(src.shape[1], _FREE):
        part, shape = slice(first, first + count * each), (count, each)
        running = _load(scanner, src[:, part], shape)
        # On one partition: what comes before all pieces, then their totals.
        totals, ahead = scanner.empty((1, count + 1)), scanner.empty((count, 1))
        for total, plane, one in zip(totals, running, before, strict=True):
            nisa.tensor_copy(total[:, :1], one, engine=nisa.engine.vector)
            transposer.tile(total[:, 1:], plane[:, each - 1 : each])
        sums = scanner.scan(totals)
        for column, total in zip(ahead, sums, strict=True):
            transposer.tile(column, total[:, :count])
        scanner.follow(running, ahead)
        before = [plane[:, count:] for plane in sums]
        nisa.dma_copy(dst[:, part].reshape(shape), scanner.join(running, dst.dtype))


def _rule(source: Signature, *, function: str) -> Ruling:
    if function not in ("add", "multiply") or not source.shape:
        raise InvalidCallError(f"scan accumulates rows by add or multiply, not {source} by {function!r}")
    return (source,), (function, math.prod(source.shape[:-1]), source.shape[-1])


def _emit(emission: Emission, function: str, rows: int, length: int) -> None:
    scan_rows(function, emission.result((rows, length)), emission.source(0, (rows, length)))


declare(Kernel("scan", _rule, _emit, "running {0} along rows", "{1} rows of {2}"))
