"""Rows of reductions, scans and statistics."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ....backends.simulator import Knobs, isa, language
from ..arithmetic import LOGICAL, REDUCING, apply, apply_two, reduced, summed
from ..bench import Bench
from ..experiment import Near, Trial, raw_bits
from ..formats import FLOATS, INTEGERS, UNIT, decode, flush
from ..row import Row, every
from .elementwise import ARITHMETIC

__all__ = ["ROWS"]

_IDENTITY: Final = {"add": 0.0, "subtract": 0.0, "multiply": 1.0, "maximum": -np.inf, "minimum": np.inf}


def _column(values: Any, ndim: int) -> Any:
    return values.reshape(-1, *[1] * (ndim - 1))


def _tensor_reduce(bench: Bench) -> Trial:
    shape, dtype = bench.shape(high=8), bench.variant
    ops = [bench.choose("add", *REDUCING, "subtract", *LOGICAL), "add"]
    count = bench.integer(1, len(shape) - 1)
    axes = tuple(range(len(shape) - count, len(shape)))
    axis = bench.choose(axes, tuple(a - len(shape) for a in axes), *([axes[0]] if count == 1 else []))
    negate = bool(bench.integer(0, 1))
    kept = shape[: len(shape) - count]
    out = kept if len(kept) > 1 else (*kept, 1)
    bench.read(shape, dtype)
    bench.write(out, "float32")
    bench.write(out, bench.choose(dtype, *ARITHMETIC))

    def body(first: Any, second: Any, data: Any) -> None:
        isa.tensor_reduce(first, getattr(language, ops[0]), data, axis, negate)
        isa.tensor_reduce(second, language.add, data, axis, keepdims=True)

    def reference(knobs: Knobs, data: Any) -> Any:
        results = [reduced(op, decode(data, dtype).reshape(*kept, -1), knobs) for op in ops]
        return [Near(-results[0].value if negate else results[0].value, results[0].bound), results[1]]

    return bench.experiment(body, reference, notes=f"{ops[0]}, axis {axis}, negate={negate}")


def _reduce_bits(bench: Bench) -> Trial:
    shape, dtype = bench.shape(axes=2), bench.variant
    bench.read(shape, dtype, fill=raw_bits)
    names = ("bitwise_and", "bitwise_or", "bitwise_xor")
    for _ in names:
        bench.write((*shape[:-1], 1) if len(shape) == 2 else shape[:-1], dtype)

    def body(*views: Any) -> None:
        for out, name in zip(views[:-1], names, strict=True):
            isa.tensor_reduce(out, getattr(language, name), views[-1], -1)

    def reference(knobs: Knobs, data: Any) -> Any:
        del knobs
        results = [data[..., 0].copy() for _ in names]
        for column in range(1, shape[-1]):
            part = data[..., column]
            results = [results[0] & part, results[1] | part, results[2] ^ part]
        return results

    return bench.experiment(body, reference)


def _partition_reduce(bench: Bench) -> Trial:
    shape, dtype = bench.shape(axes=2), bench.variant
    bench.read(shape, dtype, "sbuf")
    names = ("add", "average", "maximum")
    for _ in names:
        bench.write((1, *shape[1:]), "float32", "sbuf")

    def body(*views: Any) -> None:
        for out, name in zip(views[:-1], names, strict=True):
            isa.tensor_partition_reduce(out, getattr(language, name), views[-1])

    def reference(knobs: Knobs, data: Any) -> Any:
        x = decode(data, dtype)
        x = flush(x) if knobs.denormals_pool == "flush" else x
        total, largest = summed(x, axis=0), x.max(axis=0)
        mean = total.value / shape[0]
        return [total, Near(mean, total.bound / shape[0] + UNIT * np.abs(mean) + 2.0**-126), Near(largest)]

    return bench.experiment(body, reference)


def _partition_bits(bench: Bench) -> Trial:
    shape, dtype = bench.shape(axes=2), bench.variant
    bench.read(shape, dtype, "sbuf", raw_bits)
    for _ in range(2):
        bench.write((1, *shape[1:]), dtype, "sbuf")

    def body(both: Any, either: Any, data: Any) -> None:
        isa.tensor_partition_reduce(both, language.bitwise_and, data)
        isa.tensor_partition_reduce(either, language.bitwise_or, data)

    def reference(knobs: Knobs, data: Any) -> Any:
        del knobs
        both, either = data[0].copy(), data[0].copy()
        for row in data[1:]:
            both, either = both & row, either | row
        return [both, either]

    return bench.experiment(body, reference)


def _scalar_reduce(bench: Bench) -> Trial:
    """Three instructions that hand the registers on: reset, continue, load."""
    shape, dtype = bench.shape(), bench.variant
    op = bench.choose("multiply", "add", "maximum", "less")
    reduction = bench.choose("add", *REDUCING)
    negate = bool(bench.integer(0, 1))
    bench.read(shape, dtype)
    bench.read((shape[0], 1), "float32")
    bench.read((shape[0], 1), "float32")
    bench.write(shape, "float32")
    for _ in range(4):
        bench.write((shape[0], 1), "float32")

    def body(out: Any, first: Any, second: Any, third: Any, sums: Any, data: Any, operand: Any, initial: Any) -> None:
        o, r, c = getattr(language, op), getattr(language, reduction), isa.reduce_cmd
        isa.tensor_scalar_reduce(out, data, o, operand, r, first)
        isa.tensor_scalar_reduce(out, data, o, operand, r, second, reduce_cmd=c.reduce, reduce_res_negate=negate)
        isa.tensor_scalar_reduce(out, data, o, operand, r, third, reduce_cmd=c.load_reduce, reduce_init=initial)
        isa.tensor_scalar_reduce(out, data, language.add, operand, language.add, sums)
        isa.tensor_scalar_reduce(out, data, o, operand, r)

    def reference(knobs: Knobs, data: Any, operand: Any, initial: Any) -> Any:
        x, a = decode(data, dtype), _column(decode(operand, "float32"), len(shape))
        y = apply(op, x, a, knobs)
        rows, start = y.reshape(shape[0], -1), decode(initial, "float32").reshape(-1, 1)
        identity = np.full((shape[0], 1), _IDENTITY[reduction])
        if reduction in ("maximum", "minimum"):
            identity = rows[:, :1]
        once = reduced(reduction, np.concatenate([identity, rows], axis=1), knobs)
        twice = reduced(reduction, np.concatenate([identity, rows, rows], axis=1), knobs)
        loaded = reduced(reduction, np.concatenate([start, rows], axis=1), knobs)
        total = summed(np.concatenate([np.zeros((shape[0], 1)), apply("add", x, a, knobs).reshape(shape[0], -1)], axis=1))
        return [Near(y), once, Near(-twice.value if negate else twice.value, twice.bound), loaded, total]

    return bench.experiment(body, reference, notes=f"{op}, then {reduction}, negate={negate}")


def _scan(bench: Bench) -> Trial:
    shape, dtype = bench.shape(), bench.variant
    pairs = (
        ("multiply", "add"),
        (bench.choose("add", "multiply", "maximum", "subtract"), bench.choose("minimum", "add", "subtract", "less")),
    )
    reverse = (bool(bench.integer(0, 1)), bool(bench.integer(0, 1)))
    constant = bench.choose(None, 0.5)
    data0 = bench.read(shape, dtype)
    bench.read(shape, dtype, "sbuf" if data0.memory == "psum" else "any")
    bench.read((shape[0], 1), "float32")
    bench.write(shape, "float32")
    bench.write(shape, bench.choose(dtype, "float32", *FLOATS))

    def body(first: Any, second: Any, a: Any, b: Any, column: Any) -> None:
        initial = column if constant is None else constant
        for out, (op0, op1), (swap0, swap1) in ((first, pairs[0], (False, False)), (second, pairs[1], reverse)):
            isa.tensor_tensor_scan(out, a, b, initial, getattr(language, op0), getattr(language, op1), swap0, swap1)

    def reference(knobs: Knobs, a: Any, b: Any, column: Any) -> Any:
        a, b = (decode(x, dtype).reshape(shape[0], -1) for x in (a, b))
        results = []
        for ops, swap in ((pairs[0], (False, False)), (pairs[1], reverse)):
            state = decode(column, "float32").reshape(-1) if constant is None else np.full(shape[0], constant)
            result = np.empty(a.shape)
            for i in range(a.shape[1]):
                state = apply_two(ops, (a[:, i], state, b[:, i]), swap, knobs)
                result[:, i] = state
            results.append(Near(result))
        return results

    return bench.experiment(body, reference, notes=f"{pairs[1]} reversed {reverse}, initial {constant}")


def _cumulative(bench: Bench) -> Trial:
    shape, dtype = bench.shape(axes=2, high=4), bench.variant
    op0 = bench.choose("multiply", "add", "subtract")
    op1 = bench.choose("add", "subtract", "multiply", "maximum", "minimum")
    bench.read(shape, dtype)
    bench.read((shape[0], 1), "float32")
    bench.read((shape[0], 1), "float32")
    for _ in range(4):
        bench.write(shape, "float32")

    def body(first: Any, second: Any, third: Any, product: Any, src: Any, operand: Any, initial: Any) -> None:
        one, other, commands = getattr(language, op0), getattr(language, op1), isa.reduce_cmd
        isa.tensor_scalar_cumulative(first, src, one, other, operand)
        isa.tensor_scalar_cumulative(second, src, one, other, operand, reduce_cmd=commands.reduce)
        isa.tensor_scalar_cumulative(third, src, one, other, operand, initial, commands.load_reduce)
        isa.tensor_scalar_cumulative(product, src, language.multiply, language.add, operand)

    def reference(knobs: Knobs, src: Any, operand: Any, initial: Any) -> Any:
        x, a = decode(src, dtype).reshape(shape[0], -1), decode(operand, "float32").reshape(-1)
        results = []
        state = np.full(shape[0], _IDENTITY[op1])
        for ops, start in (
            ((op0, op1), state),
            ((op0, op1), None),
            ((op0, op1), decode(initial, "float32").reshape(-1)),
            (("multiply", "add"), 0 * a),
        ):
            state = state if start is None else start
            result = np.empty(x.shape)
            for i in range(x.shape[1]):
                state = apply_two(ops, (x[:, i], a, state), (False, False), knobs)
                result[:, i] = state
            results.append(Near(result))
        return results

    return bench.experiment(body, reference, notes=f"{op0}, {op1}")


def _statistics(bench: Bench) -> Trial:
    shape, dtype = bench.shape(), bench.variant
    bench.read(shape, dtype)
    bench.write((shape[0], 6), "float32")
    bench.write((shape[0], 2), "float32")

    def body(stats: Any, result: Any, data: Any) -> None:
        isa.bn_stats(stats, data)
        isa.bn_aggr(result, stats)

    def reference(knobs: Knobs, data: Any) -> Any:
        rows = decode(data, dtype).reshape(shape[0], -1)
        rows = flush(rows) if knobs.denormals_dve == "flush" else rows
        columns, bounds = [], []
        n, size = rows.shape[1], np.abs(rows).max(axis=1)
        for part in (rows[:, ::2], rows[:, 1::2]):
            count = np.full(shape[0], part.shape[1])
            if part.shape[1]:
                mean, squares = part.mean(axis=1), part.var(axis=1) * part.shape[1]
            else:
                mean = squares = np.zeros(shape[0])
            columns += [count, mean, squares]
            # A mean of n terms errs by n roundings; squares of differences from it by a few more each.
            bounds += [0 * size, (n + 1) * UNIT * size + n * 2.0**-126, 8 * (n + 4) * UNIT * n * size**2 + n * 2.0**-126]
        mean, variance = rows.mean(axis=1), rows.var(axis=1)
        whole = [4 * (n + 4) * UNIT * size + n * 2.0**-125, 16 * (n + 4) * UNIT * size**2 + n * 2.0**-125]
        return [
            Near(np.stack(columns, axis=1), np.stack(bounds, axis=1)),
            Near(np.stack([mean, variance], axis=1), np.stack(whole, axis=1)),
        ]

    return bench.experiment(body, reference)


_DVE: Final = ("dve_order", "denormals_dve")
_NARROW: Final = ("bfloat16", "float16", "float32", "float8_e4m3", "float8_e4m3fn", "float8_e5m2", "uint8", "uint16", "int8", "int16")
ROWS: Final = (
    Row("tensor_reduce.arithmetic", _tensor_reduce, every(*ARITHMETIC), _DVE),
    Row("tensor_reduce.bits", _reduce_bits, every(*INTEGERS)),
    Row(
        "tensor_partition_reduce.arithmetic",
        _partition_reduce,
        every("float32", "bfloat16", "float16", "int16", "uint8"),
        ("denormals_pool",),
    ),
    Row("tensor_partition_reduce.bits", _partition_bits, every(*INTEGERS)),
    Row("tensor_scalar_reduce", _scalar_reduce, every(*ARITHMETIC), _DVE),
    Row("tensor_tensor_scan", _scan, every("float32", "bfloat16", "float16", "int16", "uint8"), ("two_op", "denormals_dve")),
    Row("tensor_scalar_cumulative", _cumulative, every(*_NARROW), ("two_op", "denormals_dve")),
    Row("bn_stats", _statistics, every("float32", "bfloat16", "float16", "int16"), ("dve_order", "denormals_dve"), also=("bn_aggr",)),
)
