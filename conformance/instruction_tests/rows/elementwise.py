"""Rows of tensor_tensor, tensor_scalar, scalar_tensor_tensor, reciprocal, copies and fills."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ....backends.simulator import Knobs, isa, language
from ....backends.simulator.target import Target
from ..arithmetic import BINARY, apply, apply_two, estimated
from ..bench import Bench
from ..experiment import Near, Trial, ordinary, raw_bits
from ..formats import BITS, FLOATS, INTEGERS, UNIT, decode, encode, stored
from ..row import Row, every

__all__ = ["ROWS"]

ARITHMETIC: Final = ("float32", "bfloat16", "float16", "tfloat32", *list(FLOATS)[4:], *INTEGERS)


def _op(name: str) -> Any:
    return getattr(language, name)


def _by_magnitude(sign: int) -> Any:
    """Take the signed value; of equal magnitudes the second."""
    return lambda a, b: np.where(sign * np.abs(a) > sign * np.abs(b), a, b)


def _pair(bench: Bench, shape: tuple[int, ...], dtype: str, memory: str = "any", **kwargs: Any) -> tuple[Any, Any]:
    first = bench.read(shape, dtype, memory, **kwargs)
    return first, bench.read(shape, dtype, "sbuf" if first.memory == "psum" else memory, **kwargs)


def _tensor_tensor(bench: Bench) -> Trial:
    shape, dtype = bench.shape(), bench.variant
    ops: dict[str, Any] = dict(BINARY)
    if bench.target.generation >= 4:
        ops |= {"abs_max": _by_magnitude(1), "abs_min": _by_magnitude(-1)}
    other = bench.choose(dtype, "float32", "bfloat16", "int16")
    first = bench.read(shape, dtype)
    bench.read(shape, other, "sbuf" if first.memory == "psum" else "any")
    names = list(ops)
    first_op = bench.integer(0, len(names) - 1)
    names = [names[(first_op + step) % len(names)] for step in (0, 3, 6, 9)]
    for _ in names:
        bench.write(shape, bench.choose(dtype, *ARITHMETIC))

    def body(*views: Any) -> None:
        for out, name in zip(views[:-2], names, strict=True):
            isa.tensor_tensor(out, views[-2], views[-1], _op(name), engine=isa.vector_engine)

    def reference(knobs: Knobs, a: Any, b: Any) -> Any:
        a, b = decode(a, dtype), decode(b, other)
        return [Near(apply(ops[name], a, b, knobs)) for name in names]

    return bench.experiment(body, reference, notes=f"operators {names}")


def _gpsimd(bench: Bench) -> Trial:
    shape, dtype = bench.shape(), bench.variant
    _pair(bench, shape, dtype, "sbuf")
    names = ("add", "multiply", "maximum", "less")
    for _ in names:
        bench.write(shape, bench.choose(dtype, "float32"), "sbuf")

    def body(*views: Any) -> None:
        for out, name in zip(views[:-2], names, strict=True):
            isa.tensor_tensor(out, views[-2], views[-1], _op(name), engine=isa.gpsimd_engine)

    def reference(knobs: Knobs, a: Any, b: Any) -> Any:
        return [Near(apply(name, decode(a, dtype), decode(b, dtype), knobs, "pool")) for name in names]

    return bench.experiment(body, reference)


def _power(bench: Bench) -> Trial:
    shape, dtype = bench.shape(), bench.variant

    def base(rng: Any, extents: Any, dtype: str, stress: str | None) -> Any:
        low, high = (-32.5, -30.5) if stress else (-2.0, 2.0)  # results are denormal where that is asked for, or above
        return encode(np.exp2(rng.uniform(low, high, extents)), dtype)

    def exponent(rng: Any, extents: Any, dtype: str, stress: str | None) -> Any:
        return encode(rng.uniform(4.15 if stress else -4.25, 4.25, extents), dtype)

    bench.read(shape, dtype, "sbuf", base)
    bench.read(shape, dtype, "sbuf", exponent)
    bench.write(shape, "float32", "sbuf")

    def reference(knobs: Knobs, a: Any, b: Any) -> Any:
        exact = np.power(decode(a, dtype), decode(b, dtype))
        # NumPy's float32 power is within 4 units in the last place.
        return [estimated(exact, 8 * UNIT * np.abs(exact) + 2.0**-147, knobs, "pool")]

    return bench.experiment(lambda out, a, b: isa.tensor_tensor(out, a, b, language.power), reference)


def _bits(bench: Bench) -> Trial:
    shape, dtype = bench.shape(), bench.variant
    width, kind = BITS[dtype], stored(bench.variant)
    _pair(bench, shape, dtype, fill=raw_bits)
    bench.read(shape, dtype, "sbuf", lambda rng, extents, dtype, _: rng.integers(0, min(2 * width, 127), extents).astype(stored(dtype)))
    names = ("bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift")
    for _ in names:
        bench.write(shape, dtype)

    def body(*views: Any) -> None:
        a, b, n = views[-3:]
        for out, name in zip(views[:-3], names, strict=True):
            isa.tensor_tensor(out, a, n if "shift" in name else b, _op(name))

    def reference(knobs: Knobs, a: Any, b: Any, n: Any) -> Any:
        mask = (1 << width) - 1
        a, b, n = (x.astype(object) & mask for x in (a, b, n))
        n = n % width if knobs.shift_beyond_width == "modulo" else n
        results = (a & b, a | b, a ^ b, (a << n) & mask, a >> n)
        return [r.astype(np.uint64).astype(f"u{kind.itemsize}").view(kind) for r in results]

    return bench.experiment(body, reference)


def _native(bench: Bench) -> Trial:
    """GpSimd's 32-bit integers: exact, then wrapped or saturated."""
    shape, dtype = bench.shape(), bench.variant

    def fill(rng: Any, extents: Any, dtype: str, _: str | None) -> Any:
        values = raw_bits(rng, extents, dtype).copy()
        small = rng.random(extents) < 0.3
        values[small] = rng.integers(0, 9, extents)[small]
        return values

    _pair(bench, shape, dtype, "sbuf", fill=fill)
    names = ("add", "subtract", "multiply", "maximum", "minimum", "less", "equal", "logical_and")
    results = [bench.choose(dtype, "int32", "uint32") for _ in names]
    for result in results:
        bench.write(shape, result, "sbuf")

    def body(*views: Any) -> None:
        for out, name in zip(views[:-2], names, strict=True):
            isa.tensor_tensor(out, views[-2], views[-1], _op(name), engine=bench.choose(isa.unknown_engine, isa.gpsimd_engine))

    def reference(knobs: Knobs, a: Any, b: Any) -> Any:
        a, b = a.astype(object), b.astype(object)
        exact = (a + b, a - b, a * b, np.maximum(a, b), np.minimum(a, b), (a < b) * 1, (a == b) * 1, ((a != 0) & (b != 0)) * 1)
        wanted = []
        for value, result in zip(exact, results, strict=True):
            limits = np.iinfo(INTEGERS[result])
            kept = np.clip(value, limits.min, limits.max) if knobs.gpsimd_overflow == "saturate" else value & (2**32 - 1)
            wanted.append((kept.astype(object) & (2**32 - 1)).astype(np.uint32).view(limits.dtype))
        return wanted

    return bench.experiment(body, reference, notes=f"into {results}")


def _scalar_operand(bench: Bench, shape: tuple[int, ...], dtype: str = "float32", fill: Any = None) -> tuple[Any, Any]:
    """Draw a constant or one value per partition: (constant, None) or (None, input)."""
    if bench.integer(0, 1):
        return None, bench.read((shape[0], 1), dtype, "any", fill)
    return bench.choose(1.5, -0.75, 3, 1.0e-3), None


def _constant(value: float) -> Any:
    return np.float64(np.float32(value))


def _column(values: Any, ndim: int) -> Any:
    return values.reshape(-1, *[1] * (ndim - 1))


class Scalars:
    """
    Scalar operands, each a constant or one value per partition.

    Parameters
    ----------
    bench : Bench
        Draws them.
    shape : tuple of int
        Extents of the data.
    count : int, optional
        How many.
    """

    def __init__(self, bench: Bench, shape: tuple[int, ...], count: int = 2) -> None:
        self.ndim = len(shape)
        self.drawn = [_scalar_operand(bench, shape) for _ in range(count)]

    def views(self, given: Any) -> list[Any]:
        """Give the operands of the instruction."""
        rest = iter(given)
        return [constant if operand is None else next(rest) for constant, operand in self.drawn]

    def arrays(self, given: Any) -> list[Any]:
        """Give the operands of the reference."""
        rest = iter(given)
        return [
            _constant(constant) if operand is None else _column(decode(next(rest), "float32"), self.ndim)
            for constant, operand in self.drawn
        ]


def _tensor_scalar_one(bench: Bench) -> Trial:
    shape, dtype = bench.shape(), bench.variant
    names = [bench.choose(*BINARY), bench.choose("multiply", "add"), bench.choose("abs", "reciprocal")]
    if bench.target.generation >= 4:
        names[2] = bench.choose("abs", "reciprocal", "square", "relu")
    reverse = bool(bench.integer(0, 1))
    bench.read(shape, dtype)
    scalars = Scalars(bench, shape, 1)
    for _ in names:
        bench.write(shape, bench.choose("float32", dtype, *ARITHMETIC))

    def body(*views: Any) -> None:
        data, (operand,) = views[3], scalars.views(views[4:])
        for out, name in zip(views[:2], names[:2], strict=True):
            isa.tensor_scalar(out, data, _op(name), operand, reverse)
        isa.tensor_scalar(views[2], data, _op(names[2]), 0.0)

    def reference(knobs: Knobs, data: Any, *rest: Any) -> Any:
        data, (operand,) = decode(data, dtype), scalars.arrays(rest)
        a, b = (operand, data) if reverse else (data, operand)
        return [*(Near(apply(name, a, b, knobs)) for name in names[:2]), Near(apply(names[2], data, None, knobs))]

    return bench.experiment(body, reference, notes=f"operators {names}, reverse={reverse}, scalars {scalars.drawn}")


def _two_operators(bench: Bench, engine: Any, name: str, pairs: Any, tile: bool) -> Trial:
    """Apply a drawn pair of operators, and a product with a sum, which the knob changes."""
    shape, dtype = bench.shape(), bench.variant
    drawn = (bench.choose(*pairs[0]), bench.choose(*pairs[1]))
    flags = (bool(bench.integer(0, 1)), bool(bench.integer(0, 1))) if name == "dve" else (False, False)
    forms = ((drawn, flags), (("multiply", "add"), (False, False)))
    data = bench.read(shape, dtype)
    scalars = Scalars(bench, shape, 1 if tile else 2)
    if tile:
        bench.read(shape, "float32", "sbuf" if data.memory == "psum" else "any")
    bench.write(shape, bench.choose("float32", dtype, *ARITHMETIC))
    bench.write(shape, "float32")

    def body(*views: Any) -> None:
        found = scalars.views(views[3:])
        for out, (ops, reverse) in zip(views[:2], forms, strict=True):
            if tile:
                isa.scalar_tensor_tensor(out, views[2], _op(ops[0]), found[0], _op(ops[1]), views[-1], *reverse)
            else:
                isa.tensor_scalar(out, views[2], _op(ops[0]), found[0], reverse[0], _op(ops[1]), found[1], reverse[1], engine)

    def reference(knobs: Knobs, values: Any, *rest: Any) -> Any:
        arrays = [*scalars.arrays(rest), *([decode(rest[-1], "float32")] if tile else [])]
        return [Near(apply_two(ops, (decode(values, dtype), arrays[0], arrays[1]), reverse, knobs, name)) for ops, reverse in forms]

    return bench.experiment(body, reference, notes=f"operators {drawn}, reverse {flags}, scalars {scalars.drawn}")


_FIRST: Final = ("multiply", "add", "subtract", "abs", "maximum")
_SECOND: Final = ("add", "subtract", "multiply", "minimum", "greater", "logical_or")


def _tensor_scalar_two(bench: Bench) -> Trial:
    return _two_operators(bench, isa.unknown_engine, "dve", (_FIRST, _SECOND), False)


def _tensor_scalar_act(bench: Bench) -> Trial:
    return _two_operators(bench, isa.scalar_engine, "act", (("multiply",), ("add",)), False)


def _scalar_tensor_tensor(bench: Bench) -> Trial:
    return _two_operators(bench, None, "dve", (_FIRST, _SECOND), True)


def _rsqrt(bench: Bench) -> Trial:
    shape = bench.shape()
    bench.read(shape, bench.variant, "sbuf", lambda rng, extents, dtype, _: encode(np.exp2(rng.uniform(-6, 6, extents)), dtype))
    bench.write(shape, "float32", "sbuf")

    def reference(knobs: Knobs, a: Any) -> Any:
        del knobs
        exact = 1 / np.sqrt(decode(a, bench.variant))
        return [Near(exact, 3 * UNIT * exact)]  # a square root and a division

    return bench.experiment(lambda out, a: isa.tensor_scalar(out, a, language.rsqrt, 0.0, engine=isa.gpsimd_engine), reference)


def _tensor_scalar_bits(bench: Bench) -> Trial:
    shape, dtype = bench.shape(), bench.variant
    width, kind = BITS[dtype], stored(dtype)
    bench.read(shape, dtype, fill=raw_bits)
    bench.read((shape[0], 1), dtype, fill=raw_bits)
    ops = (bench.choose("bitwise_and", "bitwise_or", "bitwise_xor", "invert"), bench.choose("left_shift", "right_shift", "bitwise_xor"))
    amount = bench.integer(0, width - 1)
    bench.write(shape, dtype)

    def body(out: Any, data: Any, column: Any) -> None:
        isa.tensor_scalar(out, data, _op(ops[0]), column, op1=_op(ops[1]), operand1=amount)

    def reference(knobs: Knobs, data: Any, column: Any) -> Any:
        del knobs
        mask = (1 << width) - 1
        a, b = data.astype(object) & mask, _column(column, data.ndim).astype(object) & mask
        first = {"bitwise_and": a & b, "bitwise_or": a | b, "bitwise_xor": a ^ b, "invert": mask - a}[ops[0]]
        second = {"left_shift": (first << amount) & mask, "right_shift": first >> amount, "bitwise_xor": first ^ amount}[ops[1]]
        return [np.asarray(second, object).astype(np.uint64).astype(f"u{kind.itemsize}").view(kind)]

    return bench.experiment(body, reference, notes=f"operators {ops}, amount {amount}")


def _large(rng: Any, extents: Any, dtype: str, stress: str | None) -> Any:
    """Numbers whose reciprocals are denormal where that is asked for."""
    if dtype in FLOATS and stress is not None and stress.startswith("denormals"):
        return encode(np.exp2(rng.uniform(125, 127.9, extents)), dtype)
    return ordinary(rng, extents, dtype, stress)


def _reciprocal(bench: Bench) -> Trial:
    shape, dtype = bench.shape(), bench.variant
    bench.read(shape, dtype, fill=_large)
    bench.write(shape, "float32")
    bench.write(shape, bench.choose(*ARITHMETIC))

    def body(wide: Any, out: Any, data: Any) -> None:
        isa.reciprocal(wide, data)
        isa.reciprocal(out, data)

    def reference(knobs: Knobs, data: Any) -> Any:
        result = Near(apply("reciprocal", decode(data, dtype), None, knobs))
        return [result, result]

    return bench.experiment(body, reference)


def _copy(bench: Bench) -> Trial:
    """Copy to the same dtype: bits, on each engine that has them."""
    shape, dtype = bench.shape(), bench.variant
    engine = bench.choose(isa.unknown_engine, isa.vector_engine, isa.gpsimd_engine, *[isa.scalar_engine] * (bench.target.generation > 2))
    memory = "sbuf" if engine is isa.gpsimd_engine else "any"
    bench.read(shape, dtype, memory, fill=raw_bits)
    bench.write(shape, dtype, memory)
    return bench.experiment(lambda out, data: isa.tensor_copy(out, data, engine=engine), lambda _, data: [data], notes=f"on {engine.name}")


def _cast(bench: Bench) -> Trial:
    shape, dtype = bench.shape(), bench.variant
    engine = bench.choose(isa.vector_engine, isa.gpsimd_engine, *[isa.scalar_engine] * (bench.target.generation > 2))
    memory = "sbuf" if engine is isa.gpsimd_engine else "any"
    wanted = [name for name in ARITHMETIC if name != dtype]

    def fill(rng: Any, extents: Any, dtype: str, _: str | None) -> Any:
        """Up to the largest, and beyond the integers."""
        if dtype in INTEGERS:
            return raw_bits(rng, extents, dtype)
        values = rng.standard_normal(extents) * np.exp2(rng.uniform(-30, 30, extents))
        largest = np.inf if FLOATS[dtype].infinite else FLOATS[dtype].largest
        special = rng.choice([0.5, 1.5, 2.5, 127.5, 255.5, -0.5, largest, -largest], extents)
        return encode(np.where(rng.random(extents) < 0.2, special, np.clip(values, -largest, largest)), dtype)

    bench.read(shape, dtype, memory, fill)
    first = bench.integer(0, len(wanted) - 1)
    for step in range(4):
        bench.write(shape, wanted[(first + 3 * step) % len(wanted)], memory)

    def body(*views: Any) -> None:
        for out in views[:-1]:
            isa.tensor_copy(out, views[-1], engine=engine)

    return bench.experiment(body, lambda _, data: [Near(decode(data, dtype))] * 4, notes=f"on {engine.name}")


def _nan(bench: Bench) -> Trial:
    """NaN among numbers that integers hold, by an engine and by a DMA."""
    shape, dtype = bench.shape(), bench.variant

    def fill(rng: Any, extents: Any, dtype: str, _: str | None) -> Any:
        return encode(np.where(rng.random(extents) < 0.3, np.nan, rng.integers(0, 64, extents)), dtype)

    bench.read(shape, dtype, "sbuf", fill)
    wanted = [bench.choose(*INTEGERS) for _ in range(2)]
    for name in wanted:
        bench.write(shape, name, "sbuf")

    def body(copied: Any, moved: Any, data: Any) -> None:
        isa.tensor_copy(copied, data)
        isa.dma_copy(moved, data)

    def reference(knobs: Knobs, data: Any) -> Any:
        values, results = decode(data, dtype), []
        for name in wanted:
            limits = np.iinfo(stored(name))
            instead = {"zero": 0, "largest": limits.max, "smallest": limits.min}[knobs.nan_to_integer]
            results.append(np.where(np.isnan(values), instead, np.nan_to_num(values)).astype(stored(name)))
        return results

    return bench.experiment(body, reference)


def _memset(bench: Bench) -> Trial:
    shape, dtype = bench.shape(), bench.variant
    engine = bench.choose(isa.unknown_engine, isa.vector_engine, isa.gpsimd_engine)
    if dtype in INTEGERS:
        limits = np.iinfo(INTEGERS[dtype])
        value = bench.choose(0, 1, limits.max, limits.min, bench.integer(int(limits.min), int(limits.max)))
    else:
        value = bench.choose(0.0, -1.25, 0.1, 1e30, float("-inf"))
    bench.write(shape, dtype, "sbuf" if engine is isa.gpsimd_engine else "any")
    want = np.full(shape, value, stored(dtype)) if dtype in INTEGERS else encode(np.full(shape, np.float64(np.float32(value))), dtype)
    return bench.experiment(lambda out: isa.memset(out, value, engine=engine), lambda _: [want], notes=f"{value} on {engine.name}")


def _floats_only(_: Target) -> tuple[str, ...]:
    return "float32", "bfloat16", "float16"


_DVE: Final = ("denormals_dve",)
ROWS: Final = (
    Row("tensor_tensor.vector", _tensor_tensor, every(*ARITHMETIC), _DVE),
    Row("tensor_tensor.gpsimd", _gpsimd, every("float32", "bfloat16", "int16"), ("denormals_pool",)),
    Row("tensor_tensor.power", _power, _floats_only, ("denormals_pool",)),
    Row("tensor_tensor.bits", _bits, every(*INTEGERS), ("shift_beyond_width",)),
    Row("tensor_tensor.native", _native, every("int32", "uint32"), ("gpsimd_overflow",)),
    Row("tensor_scalar.one", _tensor_scalar_one, every(*ARITHMETIC), _DVE),
    Row("tensor_scalar.two", _tensor_scalar_two, every(*ARITHMETIC), ("two_op", *_DVE)),
    Row("tensor_scalar.scalar_engine", _tensor_scalar_act, _floats_only, ("two_op", "denormals_act"), 3),
    Row("tensor_scalar.rsqrt", _rsqrt, _floats_only),
    Row("tensor_scalar.bits", _tensor_scalar_bits, every(*INTEGERS)),
    Row("scalar_tensor_tensor", _scalar_tensor_tensor, every(*ARITHMETIC), ("two_op", *_DVE)),
    Row("reciprocal", _reciprocal, every(*ARITHMETIC), _DVE),
    Row("tensor_copy.bits", _copy, every(*ARITHMETIC)),
    Row("tensor_copy.cast", _cast, every(*ARITHMETIC)),
    Row("tensor_copy.nan", _nan, every("float32", "bfloat16", "float16"), ("nan_to_integer",), also=("dma_copy",)),
    Row("memset", _memset, every(*ARITHMETIC)),
)
