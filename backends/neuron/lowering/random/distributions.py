"""Draws of floating-point numbers: uniform ones, and quantiles with locations, scales and shapes."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, Final

import numpy as np

from ....counter_based.stream import Stream, check_parameters, factored
from ....dtypes import BFLOAT16, FLOAT32, FLOAT64, UINT32, DType, is_low_precision
from ...graph.build import bits, check, elementwise, fill, reduce, reshape, scalar
from ...graph.graph import Node
from ...value import Value
from .. import Builder, Lowerings, NotNativeError
from ..op_calls import call
from ..operands import convert
from .draws import Shape, draw, numbers_only, parameter, quantiles, shape_of, stream_of
from .float64_draws import wide_quantiles, wide_uniform

__all__ = ["LOWERINGS"]


def _in_dtype(make: Callable[..., Node], wide: Callable[[Builder, Stream, Shape], Value] | None = None) -> Callable[..., Any]:
    """Lower a method with `dtype` and `out`, by what draws float32 and what draws float64."""

    def run(
        builder: Builder, generator: Any, *parameters: Any, size: Shape | None = None, dtype: DType | None = None, method: str = "zig",
        **written: Any,
    ) -> Any:  # fmt: skip
        target = next(iter(written.values()), None)
        stream = stream_of(builder, generator)
        wanted = builder.promotion.default_float if dtype is None else dtype
        if not (wanted.kind == "f" or is_low_precision(wanted)):
            raise TypeError(f"draws are of floats, not of {wanted}")
        if method not in ("zig", "inv"):
            raise NotNativeError(f"there is no method {method!r}")
        truncated = wanted == BFLOAT16 and make is _uniform
        rounded = is_low_precision(wanted) and wanted.itemsize == 2 and make is not _uniform
        if not (wanted == FLOAT32 or truncated or rounded or (wanted == FLOAT64 and wide is not None)):
            raise NotNativeError(f"draws of {wanted} are made on the host")
        shape = shape_of(parameters, size) if target is None else target.shape
        if target is not None:
            if target.dtype != wanted or size not in (None, shape) or shape_of((*parameters, target), None) != shape:
                raise NotNativeError("NumPy says what is wrong")
            target.check_writable()
        if wanted == FLOAT64 and wide is not None:
            planes = wide(builder, stream, shape).read()
        else:
            drawn = make(builder, stream, shape, *parameters)
            planes = convert((_cut(drawn) if truncated else drawn,), FLOAT32, wanted)
        if target is None:
            return builder.result(planes, wanted)
        target.write(planes)
        return target

    return run


def _uniform(builder: Builder, stream: Stream, shape: Shape) -> Node:
    return draw(builder, stream, shape, "uniform")


def _cut(drawn: Node) -> Node:
    """Round numbers towards 0 to the 8 bits of bfloat16, so that they stay below 1."""
    return bits(elementwise("bitwise_and", bits(drawn, UINT32), fill(0xFFFF0000, (), UINT32), dtype=UINT32), FLOAT32)


def _standard(name: str) -> Callable[..., Any]:
    def make(builder: Builder, stream: Stream, shape: Shape) -> Node:
        return quantiles(builder, stream, shape, name)

    def wide(builder: Builder, stream: Stream, shape: Shape) -> Value:
        return wide_quantiles(builder, stream, shape, name)

    return _in_dtype(make, wide)


def _standard_gamma(builder: Builder, stream: Stream, shape: Shape, parameter: Any) -> Node:
    return quantiles(builder, stream, shape, "gamma", *numbers_only("standard_gamma", (parameter,)))


def _drawn(builder: Builder, stream: Stream, shape: Shape, name: str, *parameters: float) -> Value:
    """Draw quantiles of the default float."""
    if builder.promotion.default_float == FLOAT32:
        return builder.make((quantiles(builder, stream, shape, name, *parameters),), FLOAT32)
    if parameters:
        raise NotNativeError(f"{name} of float64 is drawn on the host")
    return wide_quantiles(builder, stream, shape, name)


def _demand(builder: Builder, drawn: Value, good: Value, message: str) -> None:
    """Demand that a condition on parameters holds everywhere."""
    (node,) = good.read()
    holds = reduce("logical_and", node, range(good.ndim), np.dtype(np.uint8)) if good.ndim else node
    drawn.read()[0].demand(check(holds, ValueError, message))


def _scaled(name: str, quantile: str, *, located: bool = True, then: str = "") -> Callable[..., Any]:
    """Lower a distribution with a scale, and a location before it, whose standard one is a quantile function."""

    def run(builder: Builder, generator: Any, *parameters: Any, size: Shape | None = None) -> Any:
        stream, dtype = stream_of(builder, generator), builder.promotion.default_float
        given = [builder.operand(item) for item in (*parameters, *((0.0, 1.0) if located else (1.0,))[len(parameters) :])]
        check_parameters(name, *[0.5 if isinstance(item, Value) else item for item in given])
        shape = shape_of(given, size)
        drawn = _drawn(builder, stream, shape, quantile)
        scale = parameter(builder, given[-1], dtype)
        if isinstance(scale, Value):
            good = call(builder, "greater_equal", scale, 0.0)
            _demand(builder, drawn, good, f"{'sigma' if then else 'scale'} < 0 in {name}")
        result = call(builder, "multiply", drawn, scale)
        if located:
            result = call(builder, "add", result, parameter(builder, given[0], dtype))
        return call(builder, then, result) if then else result

    return run


def _interval(builder: Builder, generator: Any, low: Any = 0.0, high: Any = 1.0, *, size: Shape | None = None) -> Any:
    """Draw uniform numbers below an upper end, to which no sum of float32 may be rounded."""
    stream, dtype = stream_of(builder, generator), builder.promotion.default_float
    ends = [builder.operand(item) for item in (low, high)]
    numbers = [float(item) for item in ends if not isinstance(item, Value)]
    if len(numbers) == 2:
        check_parameters("uniform", *numbers)
    shape = shape_of(ends, size)
    first, last = (parameter(builder, item, dtype) for item in ends)
    if dtype == FLOAT64:
        if len(numbers) < 2:
            raise NotNativeError("bounds of float64 that are arrays are taken on the host")
        scaled = call(builder, "multiply", wide_uniform(builder, stream, shape), numbers[1] - numbers[0])
        return call(builder, "add", scaled, numbers[0])
    drawn = builder.make((_uniform(builder, stream, shape),), FLOAT32)
    first, last = (end if isinstance(end, Value) else builder.make((scalar(end, FLOAT32),), FLOAT32) for end in (first, last))
    span = call(builder, "subtract", last, first)
    if len(numbers) < 2:
        good = call(builder, "logical_and", call(builder, "greater_equal", span, 0.0), call(builder, "less", span, float("inf")))
        _demand(builder, drawn, good, "high - low < 0, or too large, in uniform")
    result = call(builder, "add", call(builder, "multiply", drawn, span), first)
    return call(builder, "minimum", result, call(builder, "nextafter", last, first))


def _shaped(name: str, quantile: str = "", factor: float = 1.0) -> Callable[..., Any]:
    """Lower a distribution of parameters that are numbers."""

    def run(builder: Builder, generator: Any, *parameters: Any, size: Shape | None = None) -> Any:
        stream = stream_of(builder, generator)
        values = numbers_only(name, parameters)
        scale = factor
        if name == "chisquare":
            values = (values[0] / 2,)
        elif name == "gamma":
            values, scale = values[:1], (*values, 1.0)[1]
        drawn = _drawn(builder, stream, shape_of((), size), quantile or name, *values)
        return builder.result(drawn.read(), drawn.dtype) if scale == 1 else call(builder, "multiply", drawn, scale)

    return run


def _multivariate_normal(
    builder: Builder, generator: Any, mean: Any, cov: Any, *, size: Shape | None = None, check_valid: str = "warn", tol: float = 1e-8,
    method: str = "svd",
) -> Any:  # fmt: skip
    """Multiply standard normal numbers by a factor of the covariance, which the host computes."""
    stream, dtype = stream_of(builder, generator), builder.promotion.default_float
    centre, covariance = (np.asarray(builder.known(item), np.float64) for item in (mean, cov))
    centre, factor = factored(centre, covariance, check_valid, tol, method)
    z = _drawn(builder, stream, (prod(size or ()), len(centre)), "normal")
    product = call(builder, "matmul", z, builder.from_host(factor.astype(dtype), copy=True))
    found = call(builder, "add", product, builder.from_host(centre.astype(dtype), copy=True))
    return builder.make(tuple(reshape(plane, (*(size or ()), len(centre))) for plane in found.read()), dtype)


LOWERINGS: Final[Lowerings] = {
    "random.random": _in_dtype(_uniform, wide_uniform),
    "random.standard_normal": _standard("normal"),
    "random.standard_exponential": _standard("exponential"),
    "random.standard_gamma": _in_dtype(_standard_gamma),
    **{f"random.{name}": _scaled(name, name) for name in ("normal", "laplace", "logistic", "gumbel")},
    **{f"random.{name}": _scaled(name, name, located=False) for name in ("exponential", "rayleigh")},
    "random.uniform": _interval,
    "random.multivariate_normal": _multivariate_normal,
    "random.lognormal": _scaled("lognormal", "normal", then="exp"),
    "random.standard_cauchy": _shaped("standard_cauchy", "cauchy"),
    "random.chisquare": _shaped("chisquare", "gamma", 2.0),
    **{f"random.{name}": _shaped(name) for name in ("weibull", "pareto", "power", "standard_t", "beta", "f", "gamma")},
}
