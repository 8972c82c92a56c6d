"""Draws of floating-point numbers: uniform ones, and quantiles with locations, scales and shapes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, Final

import numpy as np

from ....counter_based.quantiles import tabled
from ....counter_based.stream import Stream, check_parameters, factored
from ....dtypes import BFLOAT16, FLOAT16, FLOAT32, FLOAT64, UINT32, DType
from ...graph.build import bits, elementwise, fill, reshape, scalar
from ...graph.graph import Node
from ...value import Value
from .. import Builder, Lowerings, NotNativeError
from ..op_calls import call
from ..operands import convert
from .compound import demand, floats, taken
from .draws import Shape, draw, parameter, quantiles, stream_of, two_words
from .float64_draws import wide_quantiles, wide_uniform

__all__ = ["LOWERINGS"]

_KEPT: Final = {BFLOAT16: 0xFFFF0000, FLOAT16: 0xFFFFE000}
"""Dtypes of 16 bits, and the bits of float32 that they have; multiples of 2**-24 too small for all of these have few."""


def _in_dtype(make: Callable[..., Node], wide: Callable[..., Value]) -> Callable[..., Any]:
    """Lower a method of any dtype of floats, by what draws float32 and what draws float64."""

    def run(builder: Builder, generator: Any, *parameters: Any, size: Shape, dtype: DType) -> Value:
        stream = stream_of(builder, generator)
        if dtype not in (FLOAT32, FLOAT64, *_KEPT):
            raise NotNativeError(f"draws of {dtype} are made on the host")
        if dtype == FLOAT64:
            return builder.result(wide(builder, stream, size, *parameters).read(), dtype)
        drawn = make(builder, stream, size, *parameters)
        drawn = _cut(drawn, _KEPT[dtype]) if make is _uniform and dtype in _KEPT else drawn
        return builder.result(convert((drawn,), FLOAT32, dtype), dtype)

    return run


def _uniform(builder: Builder, stream: Stream, shape: Shape) -> Node:
    return draw(builder, stream, shape, "uniform")


def _cut(drawn: Node, kept: int) -> Node:
    """Round numbers towards 0, so that they stay below 1."""
    return bits(elementwise("bitwise_and", bits(drawn, UINT32), fill(kept, (), UINT32), dtype=UINT32), FLOAT32)


def _standard(name: str) -> Callable[..., Any]:
    def make(builder: Builder, stream: Stream, shape: Shape) -> Node:
        return quantiles(builder, stream, shape, name)

    def wide(builder: Builder, stream: Stream, shape: Shape) -> Value:
        return wide_quantiles(builder, *two_words(builder, stream, shape), name)

    return _in_dtype(make, wide)


def _standard_gamma(dtype: DType) -> Callable[..., Value]:
    def make(builder: Builder, stream: Stream, shape: Shape, parameter: Any) -> Value:
        return _of_shapes(builder, stream, shape, "standard_gamma", "gamma", [parameter], dtype)

    return make


def _drawn(builder: Builder, stream: Stream, shape: Shape, name: str, dtype: DType, *parameters: float) -> Value:
    """Draw quantiles."""
    if dtype == FLOAT32:
        return builder.make((quantiles(builder, stream, shape, name, *parameters),), FLOAT32)
    return wide_quantiles(builder, *two_words(builder, stream, shape), name, *parameters)


def _of_shapes(builder: Builder, stream: Stream, shape: Shape, name: str, quantile: str, given: Sequence[Any], dtype: DType) -> Value:
    """Draw by quantiles where parameters are numbers and these are smooth, else as `compound` does."""
    if not any(isinstance(item, Value) for item in given):
        check_parameters(name, *given)
        numbers = [float(item) for item in given]
        if name == "chisquare":
            numbers = [numbers[0] / 2]
        if tabled(quantile, *numbers):
            return _drawn(builder, stream, shape, quantile, dtype, *numbers)
    if not prod(shape):
        taken(builder, name, given)
        return builder.zeros(shape, dtype)
    return floats(builder, stream, name, given, shape, dtype)


def _scaled(name: str, quantile: str, *, located: bool = True, then: str = "") -> Callable[..., Any]:
    """Lower a distribution with a scale, and a location before it, whose standard one is a quantile function."""

    def run(builder: Builder, generator: Any, *parameters: Any, size: Shape) -> Any:
        stream, dtype = stream_of(builder, generator), builder.promotion.default_float
        check_parameters(name, *[0.5 if isinstance(item, Value) else item for item in parameters])
        drawn = _drawn(builder, stream, size, quantile, dtype)
        scale = parameter(builder, parameters[-1], dtype)
        if isinstance(scale, Value):
            good = call(builder, "greater_equal", scale, 0.0)
            drawn = demand(builder, drawn, good, f"{'sigma' if then else 'scale'} < 0 in {name}")
        result = call(builder, "multiply", drawn, scale)
        if located:
            result = call(builder, "add", result, parameter(builder, parameters[0], dtype))
        return call(builder, then, result) if then else result

    return run


def _interval(builder: Builder, generator: Any, *ends: Any, size: Shape) -> Any:
    """Draw uniform numbers below an upper end, to which no sum of float32 may be rounded."""
    stream, dtype = stream_of(builder, generator), builder.promotion.default_float
    numbers = [float(item) for item in ends if not isinstance(item, Value)]
    if len(numbers) == 2:
        check_parameters("uniform", *numbers)
    first, last = (parameter(builder, item, dtype) for item in ends)
    if dtype == FLOAT64:
        drawn = wide_uniform(builder, stream, size)
        span = numbers[1] - numbers[0] if len(numbers) == 2 else call(builder, "subtract", last, first)
        if isinstance(span, Value):
            good = call(builder, "logical_and", call(builder, "greater_equal", span, 0.0), call(builder, "less", span, float("inf")))
            drawn = demand(builder, drawn, good, "high - low < 0, or too large, in uniform")
        return call(builder, "add", call(builder, "multiply", drawn, span), first)
    drawn = builder.make((_uniform(builder, stream, size),), FLOAT32)
    first, last = (end if isinstance(end, Value) else builder.make((scalar(end, FLOAT32),), FLOAT32) for end in (first, last))
    span = call(builder, "subtract", last, first)
    if len(numbers) < 2:
        good = call(builder, "logical_and", call(builder, "greater_equal", span, 0.0), call(builder, "less", span, float("inf")))
        drawn = demand(builder, drawn, good, "high - low < 0, or too large, in uniform")
    result = call(builder, "add", call(builder, "multiply", drawn, span), first)
    return call(builder, "minimum", result, call(builder, "nextafter", last, first))


def _shaped(name: str, quantile: str = "") -> Callable[..., Any]:
    """Lower a distribution of shapes."""

    def run(builder: Builder, generator: Any, *parameters: Any, size: Shape) -> Any:
        stream, dtype = stream_of(builder, generator), builder.promotion.default_float
        drawn = _of_shapes(builder, stream, size, name, quantile or name, parameters, dtype)
        if name == "chisquare" and not isinstance(parameters[0], Value) and tabled("gamma", float(parameters[0]) / 2):
            return call(builder, "multiply", drawn, 2.0)
        return builder.result(drawn.read(), drawn.dtype)

    return run


def _gamma(builder: Builder, generator: Any, shape: Any, scale: Any, *, size: Shape) -> Any:
    """Scale gamma numbers."""
    stream, dtype = stream_of(builder, generator), builder.promotion.default_float
    check_parameters("gamma", *[1.0 if isinstance(item, Value) else item for item in (shape, scale)])
    drawn = _of_shapes(builder, stream, size, "standard_gamma", "gamma", [shape], dtype)
    factor = parameter(builder, scale, dtype)
    if isinstance(factor, Value):
        drawn = demand(builder, drawn, call(builder, "greater_equal", factor, 0.0), "scale < 0")
    elif factor == 1.0:
        return builder.result(drawn.read(), drawn.dtype)
    return call(builder, "multiply", drawn, factor)


def _multivariate_normal(
    builder: Builder, generator: Any, mean: Any, cov: Any, *, size: Shape | None = None, check_valid: str = "warn", tol: float = 1e-8,
    method: str = "svd",
) -> Any:  # fmt: skip
    """Multiply standard normal numbers by a factor of the covariance, which the host computes."""
    stream, dtype = stream_of(builder, generator), builder.promotion.default_float
    centre, covariance = (np.asarray(builder.known(item), np.float64) for item in (mean, cov))
    centre, factor = factored(centre, covariance, check_valid, tol, method)
    z = _drawn(builder, stream, (prod(size or ()), len(centre)), "normal", dtype)
    product = call(builder, "matmul", z, builder.from_host(factor.astype(dtype), copy=True))
    found = call(builder, "add", product, builder.from_host(centre.astype(dtype), copy=True))
    return builder.make(tuple(reshape(plane, (*(size or ()), len(centre))) for plane in found.read()), dtype)


LOWERINGS: Final[Lowerings] = {
    "random.random": _in_dtype(_uniform, wide_uniform),
    "random.standard_normal": _standard("normal"),
    "random.standard_exponential": _standard("exponential"),
    "random.standard_gamma": _in_dtype(lambda *args: _standard_gamma(FLOAT32)(*args).read()[0], _standard_gamma(FLOAT64)),
    **{f"random.{name}": _scaled(name, name) for name in ("normal", "laplace", "logistic", "gumbel")},
    **{f"random.{name}": _scaled(name, name, located=False) for name in ("exponential", "rayleigh")},
    "random.uniform": _interval,
    "random.multivariate_normal": _multivariate_normal,
    "random.lognormal": _scaled("lognormal", "normal", then="exp"),
    "random.standard_cauchy": _shaped("standard_cauchy", "cauchy"),
    "random.chisquare": _shaped("chisquare", "gamma"),
    "random.gamma": _gamma,
    **{f"random.{name}": _shaped(name) for name in ("weibull", "pareto", "power", "standard_t", "beta", "f")},
}
