"""Rows of the Scalar Engine's functions, and of the Vector Engine's exponential."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from scipy import special

from ....backends.simulator import Knobs, isa, language
from ..arithmetic import apply, apply_two, estimated, flushed, summed
from ..bench import Bench
from ..experiment import Near, Trial, ordinary
from ..formats import UNIT, decode, encode, single
from ..row import Row, every
from .elementwise import ARITHMETIC, Scalars

__all__ = ["ROWS"]


class _Function(NamedTuple):
    """
    A function of the Scalar Engine.

    Attributes
    ----------
    exact : callable
        In float64.
    units : float
        Relative error in unit roundoffs: of one rounding, or of NumPy's float32 functions, which are within 4 units in the last place.
    low, high : float
        Magnitudes for which the documents call input valid.
    positive : bool
        Whether only positive input is drawn.
    """

    exact: Any
    units: float = 1.01
    low: float = 0.0
    high: float = np.inf
    positive: bool = False


def _density(x: Any) -> Any:
    return np.exp(-np.square(x) / 2) / np.sqrt(2 * np.pi)


_CUBIC: Final = np.sqrt(2 / np.pi)
FUNCTIONS: Final = {
    "copy": _Function(lambda x: x, 0),
    "square": _Function(np.square),
    "abs": _Function(np.abs, 0),
    "relu": _Function(lambda x: np.maximum(x, 0), 0),
    "sign": _Function(np.sign, 0),
    "exp": _Function(np.exp, 8),
    "tanh": _Function(np.tanh, 8),
    "sigmoid": _Function(special.expit),
    "sin": _Function(np.sin, high=float(np.float32(np.pi))),
    "arctan": _Function(np.arctan, high=float(np.float32(np.pi / 2))),
    "log": _Function(np.log, 8, 2.0**-64, 2.0**64, True),
    "sqrt": _Function(np.sqrt, 1.01, 2.0**-116, 2.0**118, True),
    "rsqrt": _Function(lambda x: 1 / np.sqrt(x), 3, 2.0**-87, 2.0**97, True),
    "reciprocal": _Function(lambda x: 1 / x, 1.01, 2.0**-42, 2.0**42),
    "erf": _Function(special.erf),
    "erf_dx": _Function(lambda x: 2 / np.sqrt(np.pi) * np.exp(-np.square(x))),
    "gelu": _Function(lambda x: x * special.ndtr(x)),
    "gelu_dx": _Function(lambda x: special.ndtr(x) + x * _density(x)),
    "gelu_apprx_tanh": _Function(lambda x: x * special.expit(2 * _CUBIC * (x + 0.044715 * x**3))),
    "gelu_apprx_sigmoid": _Function(lambda x: x * special.expit(1.702 * x)),
    "gelu_apprx_sigmoid_dx": _Function(
        lambda x: special.expit(1.702 * x) + 1.702 * x * special.expit(1.702 * x) * special.expit(-1.702 * x)
    ),
    "silu": _Function(lambda x: x * special.expit(x)),
    "silu_dx": _Function(lambda x: special.expit(x) + x * special.expit(x) * special.expit(-x)),
    "softplus": _Function(lambda x: np.logaddexp(0, x)),
    "mish": _Function(lambda x: x * np.tanh(np.logaddexp(0, x))),
}
_RANGED: Final = ("arctan", "log", "sqrt", "rsqrt", "reciprocal")


def _result(name: str, x: Any, knobs: Knobs) -> Near:
    """Say what the function may give for float32 input."""
    function = FUNCTIONS[name]
    x = flushed(x, knobs, "act")
    exact = function.exact(x)
    # Derivatives have zeros near which their two terms cancel; a denormal has fewer digits.
    cancels = 2.0**-50 if name.endswith("_dx") else 0
    bound = function.units * UNIT * np.abs(exact) + (2.0**-148 + cancels if function.units else 0)
    outside = (np.abs(x) < function.low) | (np.abs(x) > function.high)
    result = estimated(exact, bound, knobs, "act")
    return Near(np.where(outside, np.nan, result.value), result.bound) if name in _RANGED and knobs.act_out_of_range == "nan" else result


def _values(*names: str) -> Any:
    """Input within the range of functions; beyond it where that is asked for."""
    functions = [FUNCTIONS[name] for name in names]
    high, low = min(f.high for f in functions), max(f.low for f in functions)

    def fill(rng: Any, extents: Any, dtype: str, stress: str | None) -> Any:
        if stress == "act_out_of_range":
            size = np.exp2(rng.uniform(-124, 124, extents))
            return encode(np.abs(size) if any(f.positive for f in functions) else size * rng.choice([-1, 1], extents), dtype)
        if stress == "denormals_act":
            return ordinary(rng, extents, dtype, stress)
        values = rng.uniform(-1, 1, extents) * min(high, 8.0) * 0.99
        values = np.maximum(np.abs(values), 2.0**-40) if any(f.positive for f in functions) else values
        values = np.where(np.abs(values) < low, 1.0, values)
        return encode(np.where(rng.random(extents) < 0.05, 1.0, values), dtype)

    return fill


def _functions(bench: Bench) -> Trial:
    """Apply a function, which is the variant; dtypes are drawn."""
    shape, name = bench.shape(), bench.variant
    dtype = bench.choose("float32", "bfloat16", "float16")
    bench.read(shape, dtype, fill=_values(name))
    bench.write(shape, "float32")
    bench.write(shape, bench.choose("bfloat16", "float16", "int16", "float8_e5m2"))

    def body(wide: Any, narrow: Any, data: Any) -> None:
        for out in (wide, narrow):
            isa.activation(out, getattr(language, name), data)

    def reference(knobs: Knobs, data: Any) -> Any:
        x = decode(data, dtype)
        result = _result(name, x, knobs)
        if name == "sin":  # far outside the cubic overflows
            result = Near(np.where(np.abs(x) > FUNCTIONS[name].high, np.nan, result.value), result.bound)
        return [result, result] if name != "sin" or not np.isnan(result.value).any() else [None, None]

    return bench.experiment(body, reference)


def _affine(bench: Bench) -> Trial:
    """Scale, bias and the sum of each partition."""
    shape, dtype = bench.shape(), bench.variant
    name = bench.choose("copy", "relu", "tanh", "abs", "sigmoid")
    bench.read(shape, dtype)
    scale = Scalars(bench, shape, 1)
    bench.read((shape[0], 1), bench.choose("float32", "bfloat16"))
    bias_dtype = bench.inputs[-1].dtype
    constant = bench.target.generation >= 3
    bench.write(shape, "float32")
    bench.write((shape[0], 1), "float32")
    bench.write((shape[0], 1), "float32")
    bench.write(shape, bench.choose(dtype, *ARITHMETIC))
    bench.write(shape, bench.choose(dtype, "float32"))

    def body(out: Any, sums: Any, twice: Any, narrow: Any, scaled: Any, data: Any, *rest: Any) -> None:
        (factor,), bias = scale.views(rest[:-1]), rest[-1]
        function = getattr(language, name)
        isa.activation_reduce(out, function, data, language.add, sums, bias, factor)
        isa.activation(narrow, function, data, bias, factor, language.add, twice, isa.reduce_cmd.reduce)
        isa.activation(scaled, function, data, 0.25 if constant else None, factor)

    def reference(knobs: Knobs, data: Any, *rest: Any) -> Any:
        x, bias = decode(data, dtype), decode(rest[-1], bias_dtype).reshape(-1, *[1] * (len(shape) - 1))
        (factor,) = scale.arrays(rest[:-1])
        unscaled = scale.drawn[0][0] == 1.0
        both = (
            apply("add", x, bias, knobs, "act")
            if unscaled
            else apply_two(("multiply", "add"), (x, factor, bias), (False, False), knobs, "act")
        )
        if not constant:
            one = x if unscaled else apply("multiply", x, factor, knobs, "act")
        elif unscaled:
            one = apply("add", x, 0.25, knobs, "act")
        else:
            one = apply_two(("multiply", "add"), (x, factor, 0.25), (False, False), knobs, "act")
        first = _result(name, both, knobs)
        rows = first.value.reshape(shape[0], -1)
        error = np.broadcast_to(first.bound, first.value.shape).reshape(rows.shape).sum(axis=1)
        once = summed(rows)
        again = summed(np.concatenate([rows, rows], axis=1), extra=1)
        return [
            first,
            Near(once.value, once.bound + 2 * error),
            Near(again.value, again.bound + 4 * error),
            first,
            _result(name, one, knobs),
        ]

    return bench.experiment(body, reference, notes=f"{name}, scale {scale.drawn}")


_PAIRS: Final = (
    ("multiply", "add"),
    ("multiply", "subtract"),
    ("multiply", "bypass"),
    ("add", "bypass"),
    ("subtract", "bypass"),
    ("bypass", "bypass"),
)


def _stages(pair: tuple[str, str], reverse: tuple[bool, bool], x: Any, imm: Any, knobs: Knobs) -> Any:
    if pair[1] != "bypass":
        return apply_two(pair, (x, imm[0], imm[1]), reverse, knobs, "act")
    if pair[0] == "bypass":
        return flushed(x, knobs, "act")
    return apply(pair[0], *((imm[0], x) if reverse[0] else (x, imm[0])), knobs, "act")


def _activate2(bench: Bench) -> Trial:
    shape, dtype = bench.shape(), bench.variant
    pair = bench.choose(*_PAIRS)
    reverse = (pair[0] != "bypass" and bool(bench.integer(0, 1)), pair[1] != "bypass" and bool(bench.integer(0, 1)))
    slope = bench.choose(0.25, 0.0)
    reduction = bench.choose("add", "maximum", "minimum", "abs_max", "abs_min")
    bench.read(shape, dtype)
    bench.read((shape[0], 1), "float32")
    bench.read((shape[0], 1), "float32")
    bench.write(shape, "float32")
    bench.write(shape, bench.choose(dtype, "bfloat16"))
    bench.write((shape[0], 1), "float32")
    bench.write((shape[0], 1), "float32")

    def body(out: Any, other: Any, result: Any, total: Any, data: Any, imm0: Any, imm1: Any) -> None:
        command, op0, op1, reduce_op = isa.reduce_cmd.reset_reduce, *(getattr(language, name) for name in (*pair, reduction))
        options: dict[str, Any] = {"reduce_cmd": command, "reverse0": reverse[0], "reverse1": reverse[1]}
        isa.activate2(out, language.prelu, data, imm0, imm1, op0, op1, slope, reduce_op=reduce_op, reduce_res=result, **options)
        sums: dict[str, Any] = {"reduce_op": language.add, "reduce_res": total, "reduce_cmd": command}
        isa.activate2(other, language.copy, data, imm0, imm1, language.multiply, language.add, **sums)

    def reference(knobs: Knobs, data: Any, *columns: Any) -> Any:
        x, imm = decode(data, dtype), [decode(c, "float32").reshape(-1, *[1] * (len(shape) - 1)) for c in columns]
        y = _stages(pair, reverse, x, imm, knobs)
        y = flushed(np.where(y > 0, y, single(slope * y)), knobs, "act")
        rows = y.reshape(shape[0], -1)
        if reduction == "add":
            kept = summed(rows)
        elif reduction in ("maximum", "minimum"):
            kept = Near((np.max if reduction == "maximum" else np.min)(rows, axis=1))
        else:  # of equal magnitudes either sign
            size = (np.max if reduction == "abs_max" else np.min)(np.abs(rows), axis=1)
            last = [row[np.flatnonzero(np.abs(row) == s)[-1]] for row, s in zip(rows, size, strict=True)]
            kept = Near(np.array(last))
        z = apply_two(("multiply", "add"), (x, imm[0], imm[1]), (False, False), knobs, "act")
        return [Near(y), Near(z), kept, summed(z.reshape(shape[0], -1))]

    return bench.experiment(body, reference, notes=f"{pair} reversed {reverse}, slope {slope}, {reduction}")


def _exponential(bench: Bench) -> Trial:
    shape, dtype = bench.shape(), bench.variant

    def fill(rng: Any, extents: Any, dtype: str, stress: str | None) -> Any:
        if stress == "denormals_dve":
            return encode(rng.uniform(-102, -88, extents), dtype)
        return ordinary(rng, extents, dtype, None)

    bench.read(shape, dtype, fill=fill)
    bench.read((shape[0], 1), "float32", fill=lambda rng, extents, *_: encode(rng.uniform(0, 1, extents), "float32"))
    bench.read((shape[0], 1), "float32")
    bench.write(shape, "float32")
    bench.write((shape[0], 1), "float32")
    bench.write(shape, bench.choose("bfloat16", "float16", "int16", "uint8"))
    bench.write((shape[0], 1), "float32")

    def body(out: Any, sums: Any, narrow: Any, loaded: Any, src: Any, largest: Any, initial: Any) -> None:
        isa.exponential(out, src, largest, sums, isa.reduce_cmd.reset_reduce)
        isa.exponential(narrow, src, 0.5, loaded, isa.reduce_cmd.load_reduce, initial)

    def reference(knobs: Knobs, src: Any, largest: Any, initial: Any) -> Any:
        x = decode(src, dtype)
        results: list[Any] = []
        for offset, start in ((decode(largest, "float32"), 0.0), (np.array([[0.5]]), decode(initial, "float32").reshape(-1))):
            y = np.exp(apply("subtract", x, offset.reshape(-1, *[1] * (len(shape) - 1)), knobs))
            # NumPy's float32 exponential is within 4 units in the last place.
            result = estimated(y, 8 * UNIT * y + 2.0**-147, knobs, "dve")
            rows = np.concatenate([np.broadcast_to(start, (shape[0],))[:, None], result.value.reshape(shape[0], -1)], axis=1)
            total = summed(flushed(rows, knobs, "dve") if knobs.denormals_dve == "flush" else rows)
            error = result.bound.reshape(shape[0], -1).sum(axis=1)
            results += [result, Near(total.value, total.bound + 2 * error + 2.0**-126)]
        return results

    return bench.experiment(body, reference)


_ACT: Final = ("two_op", "denormals_act", "dve_order")
_WIDE: Final = ("float32", "bfloat16", "float16", "int16", "uint8", "float8_e5m2")
ROWS: Final = (
    Row("activation.functions", _functions, every(*(n for n in FUNCTIONS if n not in _RANGED)), ("denormals_act",)),
    Row("activation.ranges", _functions, every(*_RANGED), ("act_out_of_range",)),
    Row("activation.scale_and_bias", _affine, every(*_WIDE), _ACT, also=("activation_reduce",)),
    Row("activation_reduce", _affine, every("float32", "bfloat16"), _ACT, also=("activation",)),
    Row("activate2", _activate2, every(*_WIDE), _ACT, 4),
    Row("exponential", _exponential, every("float32", "bfloat16", "float16", "int16", "float8_e4m3"), ("dve_order", "denormals_dve"), 4),
)
