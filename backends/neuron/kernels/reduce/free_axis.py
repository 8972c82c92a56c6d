"""Reductions of tiles along the free axis."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from ....isa import nisa, nl
from ...function import declare_reductions
from ..elementwise import EMITTERS
from ..elementwise.registers import greatest, turns
from ..half_words import carry, joined
from ..move.tile_transpose import itemsize
from ..sbuf import scratch

__all__ = ["REDUCERS", "Reducer", "reduce_tile", "sum_in_pairs"]

_RUN: Final = 8  # elements that one instruction adds in an order that is not documented
_SEARCHED: Final = 64  # elements of a row from which on it is searched alone
_EXACT_TERMS: Final = 256  # 16-bit numbers whose sum is exact in float32


class Reducer(NamedTuple):
    """
    A reduction.

    Attributes
    ----------
    emit : callable
        ``emit(dst, data)`` reduces the last axis of (P, A, F) to (P, A), F up to 65536.
    partial : callable
        From the dtype of the data to that of results of parts, to be reduced by `combine`.
    combine : str
        The reducer of results of parts.
    """

    emit: Callable[[Any, Any], None]
    partial: Callable[[str], str]
    combine: str


def _is_word(dtype: str) -> bool:
    return dtype in ("int32", "uint32")


def _is_float(dtype: str) -> bool:
    return "float" in dtype


def sum_in_pairs(dst: Any, data: Any, op: Any, run: int = _RUN) -> None:
    """
    Add (or multiply) along the last axis by a tree.

    Notes
    -----
    The lowest level reduces runs with one instruction, at one cycle per element; those above halve, at two cycles for each result. A sum
    of F floats has passed through at most ``run - 1 + ceil(log2(ceil(F / run)))`` roundings of float32, and one to the dtype of `dst`.
    """
    width = data.shape[2]
    if width <= run or width == 1:
        nisa.tensor_reduce(dst, op, data, axis=2)
        return
    if run > 1 or data.dtype != "float32" or data.buffer != nl.sbuf:
        count, rest = divmod(width, run)
        level = scratch((*data.shape[:2], count + (rest > 0)), nl.float32)
        if run == 1:
            nisa.tensor_copy(level, data)
        else:
            nisa.tensor_reduce(level[:, :, :count], op, data[:, :, : count * run].reshape_dim(2, (count, run)), axis=3)
        if rest:
            nisa.tensor_reduce(level[:, :, count:], op, data[:, :, count * run :], axis=2)
        data, width = level, level.shape[2]
    while width > 2:
        half, odd = divmod(width, 2)
        level = scratch((*data.shape[:2], half + odd), nl.float32)
        nisa.tensor_tensor(level[:, :, :half], data[:, :, :half], data[:, :, half : 2 * half], op, engine=nisa.engine.vector)
        if odd:
            nisa.tensor_copy(level[:, :, half:], data[:, :, 2 * half :], engine=nisa.engine.vector)
        data, width = level, half + odd
    nisa.tensor_reduce(dst, op, data, axis=2)


def _add(dst: Any, data: Any) -> None:
    if _is_float(data.dtype):
        sum_in_pairs(dst, data, nl.add)
    elif _is_word(data.dtype):
        _add_words(dst, data)
    else:
        _add_short(dst, data)


def _sum(dst: Any, data: Any) -> None:
    """Add from 0, so that zeros that are all negative give a positive one."""
    sum_in_pairs(dst, data, nl.add)
    nisa.tensor_scalar(dst, dst, nl.add, 0.0, engine=nisa.engine.vector)


def _add_short(dst: Any, data: Any) -> None:
    """Add integers of 16 bits or fewer: no more than 256 are their sum at once, else words of 32 bits."""
    dtype = nl.int32 if data.dtype.startswith("int") else nl.uint32
    if data.shape[2] <= _EXACT_TERMS:
        nisa.tensor_reduce(dst.view(dtype), nl.add, data, axis=2)
    else:
        _add_words(dst, _runs(data, dtype))


def _add_halves(place: int, dst: Any, data: Any) -> None:
    """
    Add the lower or upper 16 bits of words, where they lie; the upper ones of signed words have a sign.

    Those of long rows, one on each partition, are the Scalar Engine's, while the Vector Engine adds the lower ones.
    """
    half = "int16" if place and data.dtype == "int32" else "uint16"
    numbers, later = data.view(half)[:, :, place::2], nisa.get_nc_version() >= nisa.nc_version.gen3
    if place and later and data.shape[1] == 1 and data.shape[2] > _EXACT_TERMS:
        _add_words(dst, _runs_of_row(numbers, nl.int32 if half == "int16" else nl.uint32))
    else:
        _add_short(dst, numbers)


def _runs_of_row(data: Any, dtype: str) -> Any:
    """Add 256 at a time, of one row on each partition."""
    parts, _, width = data.shape
    sums, terms = scratch((parts, 1, -(-width // _EXACT_TERMS)), nl.float32), scratch((parts, _EXACT_TERMS), nl.bfloat16)
    for place, first in enumerate(range(0, width, _EXACT_TERMS)):
        run, total = data[:, 0, first : min(first + _EXACT_TERMS, width)], sums[:, 0, place : place + 1]
        add = {"reduce_op": nl.add, "reduce_res": total, "reduce_cmd": nisa.reduce_cmd.reset_reduce}
        nisa.activation(terms[:, : run.shape[1]], nl.copy, run, **add)
    found = scratch(sums.shape, dtype)
    nisa.tensor_copy(found, sums, engine=nisa.engine.vector)
    return found


def _runs(data: Any, dtype: str) -> Any:
    """Add 256 at a time."""
    width = data.shape[2]
    each = min(width, _EXACT_TERMS)
    count, rest = divmod(width, each)
    sums = scratch((*data.shape[:2], count + (rest > 0)), dtype)
    nisa.tensor_reduce(sums[:, :, :count], nl.add, data[:, :, : count * each].reshape_dim(2, (count, each)), axis=3)
    if rest:
        nisa.tensor_reduce(sums[:, :, count:], nl.add, data[:, :, count * each :], axis=2)
    return sums


def _add_words(dst: Any, data: Any) -> None:
    """Add 32-bit integers modulo 2**32: halves of 16 bits, 256 at a time, are exact in float32."""
    low, high = (data.view(nl.uint16)[:, :, place::2] for place in (0, 1))
    while True:
        low, high = (_runs(half, nl.uint32) for half in (low, high))
        carry(low, high)
        if low.shape[2] == 1:
            break
    joined(low, high, dst)


def _multiply(dst: Any, data: Any) -> None:
    if _is_float(data.dtype):
        sum_in_pairs(dst, data, nl.multiply)
        return
    dtype = dst.dtype if _is_word(dst.dtype) else "int32"
    groups, width = data.shape[1:]
    factors = scratch(data.shape, dtype)
    nisa.tensor_copy(factors, data, engine=nisa.engine.vector)
    multiply = EMITTERS["without_wrapping.multiply"].loops[dtype].emit
    while width > 1:
        half, odd = divmod(width, 2)
        left, right, result = (scratch((data.shape[0], groups * half), dtype) for _ in range(3))
        for side, first in ((left, 0), (right, half)):
            nisa.tensor_copy(side.reshape_dim(1, (groups, half)), factors[:, :, first : first + half], engine=nisa.engine.vector)
        multiply(result, left, right)
        level = scratch((data.shape[0], groups, half + odd), dtype)
        nisa.tensor_copy(level[:, :, :half], result.reshape_dim(1, (groups, half)), engine=nisa.engine.vector)
        if odd:
            nisa.tensor_copy(level[:, :, half:], factors[:, :, 2 * half :], engine=nisa.engine.vector)
        factors, width = level, half + odd
    nisa.tensor_copy(dst, factors[:, :, 0], engine=nisa.engine.vector)


def _extreme(largest: bool, dst: Any, data: Any) -> None:
    if _is_word(data.dtype):
        _extreme_word(largest, dst, data)
    else:
        nisa.tensor_reduce(dst, nl.maximum if largest else nl.minimum, data, axis=2)


def _extreme_word(largest: bool, dst: Any, data: Any) -> None:
    """Find the extreme high half, then the extreme low half of those that have it."""
    shape, op = data.shape, nl.maximum if largest else nl.minimum
    half = "int16" if data.dtype == "int32" else "uint16"
    high, low = scratch(shape, half), scratch(shape, nl.uint16)
    nisa.tensor_copy(high, data.view(half)[:, :, 1::2], engine=nisa.engine.vector)
    nisa.tensor_copy(low, data.view(nl.uint16)[:, :, 0::2], engine=nisa.engine.vector)
    best = scratch(shape[:2], nl.float32)
    nisa.tensor_reduce(best, op, high, axis=2)
    nisa.tensor_copy(dst.view(half)[:, 1::2], best, engine=nisa.engine.vector)
    has, candidates = scratch(shape, nl.float32), scratch(shape, nl.float32)
    nisa.tensor_tensor(has, high, best.expand_dim(2).broadcast(2, shape[2]), nl.equal)
    # Others become smaller (larger) than every low half.
    shift = 1.0 if largest else -65536.0
    nisa.tensor_scalar(candidates, low, nl.add, shift)
    nisa.tensor_tensor(candidates, candidates, has, nl.multiply)
    nisa.tensor_reduce(best, op, candidates, axis=2)
    nisa.tensor_scalar(best, best, nl.subtract, shift)
    nisa.tensor_copy(dst.view(nl.uint16)[:, 0::2], best, engine=nisa.engine.vector)


def _truth(op: Any, dst: Any, data: Any) -> None:
    if _is_float(data.dtype):  # by bits: a denormal is not zero, whatever the engine makes of it
        size = itemsize(data.dtype)
        integer = {1: nl.uint8, 2: nl.uint16, 4: nl.uint32}[size]
        magnitude = scratch(data.shape, integer)
        nisa.tensor_scalar(magnitude, data.view(integer), nl.bitwise_and, (1 << (8 * size - 1)) - 1)
        data = magnitude
    nisa.tensor_reduce(dst, op, data, axis=2)


def _count(dst: Any, data: Any) -> None:
    if data.dtype not in ("uint8", "bool_", "bool"):
        ones = scratch(data.shape, nl.uint8)
        nisa.tensor_scalar(ones, data, nl.not_equal, 0.0)
        data = ones
    nisa.tensor_reduce(dst, nl.add, data, axis=2)


def _first(largest: bool, dst: Any, data: Any) -> None:
    """Find the first place of the extreme; NaN is more extreme than all numbers, and sought for where the extreme is found nowhere."""
    count, rows, width = data.shape
    if _is_word(data.dtype) or width < _SEARCHED:
        _first_by_places(largest, dst, data)
        return
    extreme, found = scratch((count, rows), data.dtype), scratch((count, rows, 8), nl.uint32)
    _extreme(largest, extreme, data)
    for row in range(rows):
        nisa.nc_find_index8(found[:, row], data[:, row], extreme[:, row : row + 1].broadcast(1, 8))
    nisa.tensor_copy(dst.view(nl.uint32), found[:, :, 0], engine=nisa.engine.vector)
    if not _is_float(data.dtype):
        return
    most = scratch((count, 1), nl.float32)
    nisa.tensor_reduce(most, nl.maximum, found[:, :, 0], axis=1)
    beyond = scratch((1, 1), nl.float32)
    nisa.tensor_scalar(beyond, greatest(most), nl.greater, float(width))
    nl.fori_loop(0, turns(beyond), lambda _: _first_by_places(largest, dst, data))


def _first_by_places(largest: bool, dst: Any, data: Any) -> None:
    """Find the first place of the extreme, or of NaN, as the greatest of numbers that fall along the row."""
    shape = data.shape
    extreme = scratch(shape[:2], data.dtype)
    _extreme(largest, extreme, data)
    spread = extreme.expand_dim(2).broadcast(2, shape[2])
    here, places = scratch(shape, nl.float32), scratch(shape, nl.float32)
    if _is_word(data.dtype):
        differs = scratch(shape, data.dtype)
        nisa.tensor_tensor(differs, data, spread, nl.bitwise_xor)
        nisa.tensor_scalar(here, differs, nl.equal, 0.0)
    else:
        nisa.tensor_tensor(here, data, spread, nl.equal)
        if _is_float(data.dtype):  # where the extreme is NaN nothing equals it
            nan = scratch(shape, nl.float32)
            nisa.tensor_tensor(nan, data, data, nl.not_equal)
            nisa.tensor_tensor(here, here, nan, nl.add)
    nisa.iota(places, [[0, shape[1]], [-1, shape[2]]], offset=shape[2])
    nisa.tensor_tensor(here, here, places, nl.multiply)
    found = scratch(shape[:2], nl.float32)
    nisa.tensor_reduce(found, nl.maximum, here, axis=2)
    nisa.tensor_scalar(dst, found, nl.subtract, float(shape[2]), reverse0=True)


def _sums(dtype: str) -> str:
    return "float32" if _is_float(dtype) else dtype if _is_word(dtype) else "int32"


def _same(dtype: str) -> str:
    return "float32" if _is_float(dtype) else dtype


REDUCERS: Final[Mapping[str, Reducer]] = {
    "add": Reducer(_add, _sums, "add"),
    "sum": Reducer(_sum, _sums, "add"),
    "add.low": Reducer(partial(_add_halves, 0), lambda _: "int32", "add"),
    "add.high": Reducer(partial(_add_halves, 1), lambda _: "int32", "add"),
    "multiply": Reducer(_multiply, _sums, "multiply"),
    "maximum": Reducer(partial(_extreme, True), _same, "maximum"),
    "minimum": Reducer(partial(_extreme, False), _same, "minimum"),
    "logical_or": Reducer(partial(_truth, nl.logical_or), lambda _: "uint8", "logical_or"),
    "logical_and": Reducer(partial(_truth, nl.logical_and), lambda _: "uint8", "logical_and"),
    "count_nonzero": Reducer(_count, lambda _: "int32", "add"),
    "argmax": Reducer(partial(_first, True), lambda _: "int32", ""),
    "argmin": Reducer(partial(_first, False), lambda _: "int32", ""),
}
"""
Reductions by name.

add, multiply: of floats in float32, whatever their order with at most ``8 + log2(F)`` roundings for each element (a sum's error is that
times ``2**-24 * sum(abs(x))``); of integers modulo 2**32. add.low, add.high: of halves of 32-bit integers. sum: of floats, from 0, so that
it is never -0.0. maximum, minimum: NaN where there is one. logical_or, logical_and: of what is not zero. count_nonzero. argmax, argmin:
int32, first place of the extreme or of NaN.
"""

declare_reductions({name: reducer.partial for name, reducer in REDUCERS.items()})


def reduce_tile(name: str, dst: Any, data: Any) -> None:
    """
    Reduce the free axis of a tile.

    Notes
    -----
    On the Vector Engine; sums take about 1.25 cycles per element and partition, those of short integers and
    extremes 1, 32-bit integers and places 4 to 10.
    """
    REDUCERS[name].emit(dst, data if data.ndim == 3 else data.expand_dim(1))
