"""Rows of predication and of affine patterns."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from ....backends.simulator import Knobs, isa, language
from ..arithmetic import COMPARISONS, reduced
from ..bench import Bench
from ..experiment import SENTINEL, Near, Trial, raw_bits
from ..formats import FLOATS, INTEGERS, decode, encode, stored
from ..row import Row, every
from .elementwise import ARITHMETIC

__all__ = ["ROWS"]

_FALSE: Final = -float(np.finfo(np.float32).max)


def _mask(rng: np.random.Generator, extents: tuple[int, ...], dtype: str, _: str | None) -> Any:
    return (rng.integers(0, 3, extents) * rng.integers(1, 100, extents)).astype(stored(dtype))


def _copy_predicated(bench: Bench) -> Trial:
    shape, dtype = bench.shape(), bench.variant
    reverse = bool(bench.integer(0, 1))
    src = bench.read(shape, dtype, fill=raw_bits)
    bench.read(shape, bench.choose("uint8", "uint16", "uint32"), "sbuf" if src.memory == "psum" else "any", _mask)
    number = bench.choose(3, 0, 1.0)
    bench.write(shape, dtype)
    bench.write(shape, dtype)

    def body(out: Any, other: Any, data: Any, predicate: Any) -> None:
        isa.tensor_copy_predicated(out, data, predicate, reverse)
        isa.tensor_copy_predicated(other, number, predicate)

    def reference(knobs: Knobs, data: Any, predicate: Any) -> Any:
        del knobs
        old, chosen = encode(SENTINEL, dtype), (predicate == 0) if reverse else (predicate != 0)
        return [np.where(chosen, data, old), np.where(predicate != 0, encode(number, dtype), old)]

    return bench.experiment(body, reference, notes=f"reverse={reverse}, {number}")


def _largest(rows: Any, knobs: Knobs) -> Near:
    return reduced("maximum", rows, knobs)


def _select_reduce(bench: Bench) -> Trial:
    shape, dtype = bench.shape(), bench.variant
    reverse, constant = bool(bench.integer(0, 1)), bench.choose(None, -1.5)
    tile = bench.read(shape, dtype)
    bench.read(shape, bench.choose("uint8", "int8", "int16", "uint16"), "sbuf" if tile.memory == "psum" else "any", _mask)
    bench.read((shape[0], 1), "float32")
    bench.write(shape, "float32")
    bench.write((shape[0], 1), "float32")
    bench.write(shape, bench.choose(dtype, *FLOATS))
    bench.write((shape[0], 1), bench.choose("float32", "bfloat16"))

    def body(out: Any, first: Any, again: Any, second: Any, data: Any, predicate: Any, column: Any) -> None:
        false, commands = column if constant is None else constant, isa.reduce_cmd
        isa.select_reduce(out, predicate, data, false, first, commands.reset_reduce, reverse_pred=reverse)
        isa.select_reduce(again, predicate, data, false, second, commands.reduce, reverse_pred=not reverse)
        isa.select_reduce(again, predicate, data, false, reverse_pred=not reverse)

    def reference(knobs: Knobs, data: Any, predicate: Any, column: Any) -> Any:
        x = decode(data, dtype)
        false = decode(column, "float32").reshape(-1, *[1] * (len(shape) - 1)) if constant is None else constant
        chosen = (predicate == 0) if reverse else (predicate != 0)
        one, other = np.where(chosen, x, false), np.where(chosen, false, x)
        rows = [y.reshape(shape[0], -1) for y in (one, other)]
        return [Near(one), _largest(rows[0], knobs), Near(other), _largest(np.concatenate(rows, axis=1), knobs)]

    return bench.experiment(body, reference, notes=f"reverse={reverse}, on_false {constant}")


def _range_select(bench: Bench) -> Trial:
    shape, dtype = bench.shape(), bench.variant
    first, second = (bench.choose("greater_equal", "less", "equal", "greater", "less_equal") for _ in range(2))
    start = bench.choose(0, 5, -3, 2**24 - 300)
    size = math.prod(shape[1:])

    def bounds(rng: Any, extents: Any, dtype: str, _: str | None) -> Any:
        return encode(start + rng.integers(-1, size + 2, extents), dtype)

    bench.read(shape, dtype)
    bench.read((shape[0], 1), "float32", fill=bounds)
    bench.read((shape[0], 1), "float32", fill=bounds)
    bench.write(shape, "float32")
    bench.write((shape[0], 1), "float32")
    bench.write(shape, bench.choose("bfloat16", "float16", "float32"))

    def body(out: Any, largest: Any, narrow: Any, data: Any, low: Any, high: Any) -> None:
        op0, op1 = getattr(language, first), getattr(language, second)
        isa.range_select(out, data, op0, op1, low, high, reduce_res=largest, range_start=start)
        isa.range_select(narrow, data, op0, op1, low, high, reduce_cmd=isa.reduce_cmd.reset, range_start=start)

    def reference(knobs: Knobs, data: Any, *columns: Any) -> Any:
        x, index = decode(data, dtype).reshape(shape[0], -1), start + np.arange(size, dtype=np.float64)
        low, high = (decode(column, "float32").reshape(-1, 1) for column in columns)
        chosen = (COMPARISONS[first](index, low) != 0) & (COMPARISONS[second](index, high) != 0)
        result = np.where(chosen, x, _FALSE)
        return [Near(result), _largest(result, knobs), Near(result)]

    return bench.experiment(body, reference, notes=f"{first}, {second}, from {start}")


def _pattern(bench: Bench, free: tuple[int, ...], most: int) -> tuple[list[list[int]], int, int, Any]:
    """Draw a pattern, its offset and multiplier; its values are Python integers, by a function of the partitions."""
    pattern = [[bench.integer(-most, most), count] for count in free]
    offset, multiplier = bench.choose(0, bench.integer(-most, most)), bench.choose(0, 1, bench.integer(-most, most))

    def values(partitions: int) -> Any:
        rows = [[offset + multiplier * p] for p in range(partitions)]
        for step, count in pattern:
            rows = [[v + step * i for v in row for i in range(count)] for row in rows]
        return np.array(rows, object)

    return pattern, offset, multiplier, values


def _affine_select(bench: Bench) -> Trial:
    shape, dtype = bench.shape(), bench.variant
    pattern, offset, multiplier, values = _pattern(bench, shape[1:], bench.choose(3, 2**20))
    compare, false = bench.choose(*COMPARISONS), bench.choose(0.0, -2.5, float("-inf"))
    to = bench.choose(dtype, "float32", "bfloat16")
    bench.read(shape, dtype, "sbuf", raw_bits if to == dtype else None)
    bench.write(shape, to, "sbuf")

    def body(out: Any, data: Any) -> None:
        isa.affine_select(out, pattern, multiplier, data, false, getattr(language, compare), offset)

    def reference(knobs: Knobs, data: Any) -> Any:
        del knobs
        chosen = COMPARISONS[compare](values(shape[0]).astype(np.int64), 0).reshape(shape) != 0
        return [np.where(chosen, data if to == dtype else encode(decode(data, dtype), to), encode(false, to))]

    return bench.experiment(body, reference, notes=f"{pattern} {compare} 0, offset {offset}, multiplier {multiplier}, else {false}")


def _iota(bench: Bench) -> Trial:
    shape, dtype = bench.shape(), bench.variant
    pattern, offset, multiplier, values = _pattern(bench, shape[1:], 2**22 if dtype in ("int32", "uint32", "float32") else 3)
    bench.write(shape, dtype, "sbuf")

    def reference(knobs: Knobs) -> Any:
        del knobs
        exact = values(shape[0])
        if dtype in INTEGERS:
            kind = stored(dtype)
            return [(exact & ((1 << 8 * kind.itemsize) - 1)).astype(np.uint64).astype(f"u{kind.itemsize}").view(kind)]
        return [Near(exact.astype(np.float64))]

    return bench.experiment(lambda out: isa.iota(out, pattern, offset, multiplier), reference, notes=f"{pattern}, {offset}, {multiplier}")


_SELECTED: Final = tuple(name for name in ARITHMETIC if name not in ("tfloat32", "int32", "uint32"))
_FLUSHED: Final = ("denormals_dve",)
ROWS: Final = (
    Row("tensor_copy_predicated", _copy_predicated, every(*ARITHMETIC)),
    Row("select_reduce", _select_reduce, every(*_SELECTED), _FLUSHED),
    Row("range_select", _range_select, every("float32", "bfloat16", "float16", "float8_e5m2"), _FLUSHED, 3),
    Row("affine_select", _affine_select, every(*ARITHMETIC)),
    Row("iota", _iota, every(*ARITHMETIC)),
)
