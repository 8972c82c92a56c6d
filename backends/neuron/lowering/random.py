"""Draws from counter-based streams: words, and what kernels and functions make of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from ...counter_based.counts import thresholds, thresholds_of
from ...counter_based.functions import constants
from ...counter_based.orders import LEAST, bits_of
from ...counter_based.quantiles import table
from ...counter_based.stream import Stream, check_parameters, factored, lane
from ...dtypes import BFLOAT16, BOOL, FLOAT32, FLOAT64, INT32, INT64, UINT8, UINT32, DType, is_low_precision
from ...op import get_op
from ...rules import Signature
from ..graph.build import bits, broadcast, cast, check, elementwise, fill, reduce, reshape, scalar
from ..graph.build import call as kernel
from ..graph.graph import Node
from ..graph.primitives import Read
from ..kernel import kernel as kernel_named
from ..layout import Layout, contiguous_strides
from ..value import Value
from . import Lowerings, NotNativeError
from .op_calls import call, converted
from .operands import convert, operand

if TYPE_CHECKING:
    from ..graph.builder import Builder

__all__: list[str] = []

Shape = tuple[int, ...]


def _stream(builder: Builder, generator: Any) -> Stream:
    """Take what a kernel draws from."""
    if not isinstance(generator, Stream):
        raise NotNativeError("bit generators of NumPy draw on the host; Philox4x32 draws there and on devices")
    if not builder.draws():
        raise NotNativeError("the self-test of the device did not find the published words of random functions")
    if builder.graph.trace is not None:
        raise NotNativeError("a turn of a loop would draw the same as others")
    return generator


def _numbers(stream: Stream) -> list[Node]:
    return [scalar(word, UINT32) for word in constants(stream.function, stream.key, stream.counter)]


def _draw(builder: Builder, stream: Stream, shape: Shape, distribution: str, *others: Node, table: tuple[Node, ...] = ()) -> Node:
    if not prod(shape):
        return fill(0, shape, {"below": INT32, "words": UINT32}.get(distribution, FLOAT32))
    (drawn,) = kernel("random", *table, *_numbers(stream), *others, function=stream.function.name, shape=shape, distribution=distribution)
    return drawn


def _quantiles(builder: Builder, stream: Stream, shape: Shape, name: str, *parameters: float) -> Node:
    """Draw by the table of a distribution, which the device keeps."""
    key = ("quantiles", name, *parameters)
    kept = builder.constants.get(key)
    found = table(name, *parameters)
    if found is None:
        raise NotNativeError(f"no table is accurate for {name} of {', '.join(map(str, parameters))}")
    if kept is None:
        kept = builder.constants[key] = builder.from_host(found.rows.reshape(-1), copy=True)
    if not found.deep:
        return _draw(builder, stream, shape, f"quantiles {found.sides}", table=kept.read())
    second = [scalar(word, UINT32) for word in constants(stream.function, stream.key, lane(stream.function, stream.counter, 1))]
    return _draw(builder, stream, shape, f"quantiles {found.sides} deep", *second, table=kept.read())


def _shape(operands: Sequence[Any], size: Shape | None) -> Shape:
    """Give the shape of draws: that of the parameters, or a size to which they broadcast."""
    shape: Shape = np.broadcast_shapes(*[getattr(item, "shape", ()) for item in operands])
    if size is None:
        return shape
    if np.broadcast_shapes(shape, size) != size:
        raise ValueError(f"size is {size}, to which parameters of shape {shape} do not broadcast")
    return size


def _result(builder: Builder, node: Node, dtype: DType) -> Value:
    return builder.result(convert((node,), node.dtype, dtype), dtype)


def _floats(builder: Builder) -> None:
    """Refuse what is computed in float64."""
    if builder.promotion.default_float != FLOAT32:
        raise NotNativeError("draws of float64 are made on the host")


def _parameter(builder: Builder, item: Any, shape: Shape) -> Node:
    """Take a parameter as float32."""
    if isinstance(item, Value) and (item.dtype.kind == "c" or item.dtype.itemsize == 8):
        raise NotNativeError(f"parameters of {item.dtype} are taken on the host")
    return operand(builder, item, FLOAT32, shape)[0]


def _numbers_only(name: str, operands: Sequence[Any]) -> tuple[float, ...]:
    """Take parameters that are numbers of the host's, and have NumPy raise its errors about them."""
    if any(isinstance(item, (Value, list, tuple)) for item in operands):
        raise NotNativeError("parameters that are arrays are taken on the host")
    check_parameters(name, *operands)
    return tuple(float(item) for item in operands)


# Numbers of a dtype


def _in_dtype(make: Callable[..., Node]) -> Callable[..., Any]:
    def run(
        builder: Builder, generator: Any, *parameters: Any, size: Shape | None = None, dtype: DType | None = None, method: str = "zig",
        **written: Any,
    ) -> Any:  # fmt: skip
        target = next(iter(written.values()), None)
        stream = _stream(builder, generator)
        wanted = builder.promotion.default_float if dtype is None else dtype
        if not (wanted.kind == "f" or is_low_precision(wanted)):
            raise TypeError(f"draws are of floats, not of {wanted}")
        if method not in ("zig", "inv"):
            raise NotNativeError(f"there is no method {method!r}")
        wide = wanted == FLOAT64 and make is _uniform
        truncated = wanted == BFLOAT16 and make is _uniform
        rounded = is_low_precision(wanted) and wanted.itemsize == 2 and make is not _uniform
        if wanted != FLOAT32 and not (wide or truncated or rounded):
            raise NotNativeError(f"draws of {wanted} are made on the host")
        if target is None:
            shape = _shape(parameters, size)
            if wide:
                return builder.result(_uniform_words(builder, stream, shape), FLOAT64)
            drawn = make(builder, stream, shape, *parameters)
            return _result(builder, _cut(drawn) if truncated else drawn, wanted)
        if target.dtype != wanted or size not in (None, target.shape) or _shape((*parameters, target), None) != target.shape:
            raise NotNativeError("NumPy says what is wrong")
        target.check_writable()
        if wide:
            target.write(_uniform_words(builder, stream, target.shape))
            return target
        drawn = make(builder, stream, target.shape, *parameters)
        drawn = _cut(drawn) if truncated else drawn
        target.write(convert((drawn,), drawn.dtype, wanted))
        return target

    return run


def _uniform(builder: Builder, stream: Stream, shape: Shape) -> Node:
    return _draw(builder, stream, shape, "uniform")


def _cut(drawn: Node) -> Node:
    """Round numbers towards 0 to the 8 bits of bfloat16, so that they stay below 1."""
    return bits(elementwise("bitwise_and", bits(drawn, UINT32), fill(0xFFFF0000, (), UINT32), dtype=UINT32), FLOAT32)


def _uniform_words(builder: Builder, stream: Stream, shape: Shape) -> tuple[Node, ...]:
    """
    Make multiples of 2**-53 of two words, as the words of float64.

    The 53 bits are 21 and 32. They are moved up until the first one is the 21st of the high ones: by 21 places where these are zero, at
    most twice, and then by as many as float32 has as the exponent of the high ones.
    """
    other = Stream(stream.function, stream.key, lane(stream.function, stream.counter, 1))
    first, second = (_draw(builder, one, shape, "words") for one in (stream, other))

    def op(name: str, left: Node, right: Node | int) -> Node:
        return elementwise(name, left, fill(right, (), UINT32) if isinstance(right, int) else right, dtype=UINT32)

    def choose(mask: Node, left: Node, right: Node) -> Node:
        return elementwise("where", mask, left, right, dtype=UINT32)

    zero = fill(0, (), UINT32)
    high = op("right_shift", first, 11)
    low = op("bitwise_or", op("left_shift", op("right_shift", first, 5), 26), op("right_shift", second, 6))
    exponent = fill(875, (), UINT32)  # of a first bit of the high ones, less that of float32
    for _ in range(2):
        none = elementwise("equal", high, zero, dtype=BOOL)
        high, low = choose(none, op("right_shift", low, 11), high), choose(none, op("left_shift", low, 21), low)
        exponent = choose(none, op("subtract", exponent, 21), exponent)
    none = elementwise("equal", high, zero, dtype=BOOL)
    biased = op("right_shift", bits(cast(high, FLOAT32), UINT32), 23)
    places = choose(none, zero, elementwise("subtract", fill(147, (), UINT32), biased, dtype=UINT32))
    carried = op("right_shift", op("right_shift", low, 1), elementwise("subtract", fill(31, (), UINT32), places, dtype=UINT32))
    mantissa = op("bitwise_and", op("bitwise_or", op("left_shift", high, places), carried), 0xFFFFF)
    word = op("bitwise_or", op("left_shift", op("add", biased, exponent), 20), mantissa)
    return choose(none, zero, word), choose(none, zero, op("left_shift", low, places))


def _standard(name: str) -> Callable[..., Node]:
    def make(builder: Builder, stream: Stream, shape: Shape) -> Node:
        return _quantiles(builder, stream, shape, name)

    return make


def _standard_gamma(builder: Builder, stream: Stream, shape: Shape, parameter: Any) -> Node:
    return _quantiles(builder, stream, shape, "gamma", *_numbers_only("standard_gamma", (parameter,)))


# Locations and scales


def _not_negative(scale: Node, node: Node, name: str) -> Node:
    """Demand that no scale is negative."""
    zero = fill(0, (), FLOAT32)
    good = elementwise("greater_equal", scale, zero, dtype=BOOL)
    holds = reduce("logical_and", good, range(len(good.shape)), np.dtype(np.uint8)) if good.shape else good
    node.demand(check(holds, ValueError, name))
    return node


def _scaled(name: str, quantile: str, *, located: bool = True, then: str = "") -> Callable[..., Any]:
    """Lower a distribution with a scale, and a location before it, whose standard one is a quantile function."""

    def run(builder: Builder, generator: Any, *parameters: Any, size: Shape | None = None) -> Any:
        stream = _stream(builder, generator)
        _floats(builder)
        given = [builder.operand(item) for item in (*parameters, *((0.0, 1.0) if located else (1.0,))[len(parameters) :])]
        check_parameters(name, *[0.5 if isinstance(item, Value) else item for item in given])
        shape, scale = _shape(given, size), given[-1]
        drawn = _quantiles(builder, stream, shape, quantile)
        if isinstance(scale, Value):
            _not_negative(_parameter(builder, scale, scale.shape), drawn, f"{'sigma' if then else 'scale'} < 0 in {name}")
        result = elementwise("multiply", drawn, _parameter(builder, scale, shape), dtype=FLOAT32)
        if located:
            result = elementwise("add", result, _parameter(builder, given[0], shape), dtype=FLOAT32)
        return _result(builder, elementwise(then, result, dtype=FLOAT32) if then else result, FLOAT32)

    return run


def _interval(builder: Builder, generator: Any, low: Any = 0.0, high: Any = 1.0, *, size: Shape | None = None) -> Any:
    """Draw uniform numbers below an upper end, to which no sum may be rounded."""
    stream = _stream(builder, generator)
    _floats(builder)
    low, high = builder.operand(low), builder.operand(high)
    ends = [item if isinstance(item, Value) else float(item) for item in (low, high)]
    numbers = [item for item in ends if not isinstance(item, Value)]
    if len(numbers) == 2:
        check_parameters("uniform", *numbers)
    shape = _shape(ends, size)
    drawn = _draw(builder, stream, shape, "uniform")
    first, last = (_parameter(builder, item, getattr(item, "shape", ())) for item in ends)
    whole = _shape(ends, None)
    first, last = (broadcast(node, whole) for node in (first, last))
    span = elementwise("subtract", last, first, dtype=FLOAT32)
    if len(numbers) < 2:
        good = elementwise("greater_equal", span, fill(0, (), FLOAT32), dtype=BOOL)
        finite = elementwise("less", span, fill(float("inf"), (), FLOAT32), dtype=BOOL)
        good = elementwise("logical_and", good, finite, dtype=BOOL)
        holds = reduce("logical_and", good, range(len(whole)), np.dtype(np.uint8)) if whole else good
        drawn.demand(check(holds, ValueError, "high - low < 0, or too large, in uniform"))
    least = elementwise("nextafter", last, first, dtype=FLOAT32)
    result = elementwise("multiply", drawn, broadcast(span, shape), dtype=FLOAT32)
    result = elementwise("add", result, broadcast(first, shape), dtype=FLOAT32)
    return _result(builder, elementwise("minimum", result, broadcast(least, shape), dtype=FLOAT32), FLOAT32)


def _shaped(name: str, quantile: str = "", factor: float = 1.0) -> Callable[..., Any]:
    """Lower a distribution of parameters that are numbers."""

    def run(builder: Builder, generator: Any, *parameters: Any, size: Shape | None = None) -> Any:
        stream = _stream(builder, generator)
        _floats(builder)
        values = _numbers_only(name, parameters)
        scale = factor
        if name == "chisquare":
            values = (values[0] / 2,)
        elif name == "gamma":
            values, scale = values[:1], (*values, 1.0)[1]
        drawn = _quantiles(builder, stream, _shape((), size), quantile or name, *values)
        if scale != 1:
            drawn = elementwise("multiply", drawn, scalar(float(np.float32(scale)), FLOAT32), dtype=FLOAT32)
        return _result(builder, drawn, FLOAT32)

    return run


# Counts and integers


def _multivariate_normal(
    builder: Builder, generator: Any, mean: Any, cov: Any, *, size: Shape | None = None, check_valid: str = "warn", tol: float = 1e-8,
    method: str = "svd",
) -> Any:  # fmt: skip
    """Multiply standard normal numbers by a factor of the covariance, which the host computes."""
    stream = _stream(builder, generator)
    _floats(builder)
    centre, covariance = (np.asarray(builder.known(item), np.float64) for item in (mean, cov))
    centre, factor = factored(centre, covariance, check_valid, tol, method)
    shape = (*(size or ()), len(centre))
    z = builder.make((_quantiles(builder, stream, (prod(size or ()), len(centre)), "normal"),), FLOAT32)
    product = call(builder, "matmul", z, builder.from_host(factor.astype(np.float32), copy=True))
    result = call(builder, "add", product, builder.from_host(centre.astype(np.float32), copy=True))
    return builder.make(tuple(reshape(plane, shape) for plane in result.read()), FLOAT32)


def _counts(name: str) -> Callable[..., Any]:
    def run(builder: Builder, generator: Any, *parameters: Any, size: Shape | None = None) -> Any:
        stream = _stream(builder, generator)
        op = get_op(f"random.{name}")
        assert op.rule is not None
        results = op.rule(builder.promotion, generator, *parameters, size=size)
        assert isinstance(results, Signature)
        _numbers_only(name, parameters)
        found = thresholds(name, *[np.asarray(item).item() for item in parameters])
        if found is None or results.dtype not in (INT32, INT64) or not -(1 << 31) <= found.first < (1 << 31) - len(found.values):
            raise NotNativeError(f"{name} of these parameters has too many or too large counts for a table of the device")
        shape = _shape((), size)
        (count,) = _search(builder, stream, shape, found.values).read()
        return _result(builder, elementwise("add", count, scalar(found.first, INT32), dtype=INT32), results.dtype)

    return run


def _search(builder: Builder, stream: Stream, shape: Shape, thresholds: npt.NDArray[np.uint32]) -> Value:
    """Count the thresholds that words are not below."""
    if not len(thresholds) or not prod(shape):
        return builder.make((fill(0, shape, INT32),), INT32)
    words = builder.make((_draw(builder, stream, shape, "words"),), UINT32)
    return converted(builder, call(builder, "searchsorted", builder.from_host(thresholds, copy=True), words, side="right"), INT32)


def _integers(
    builder: Builder, generator: Any, low: Any, high: Any = None, *, size: Shape | None = None, dtype: DType | None = None,
    endpoint: Any = False,
) -> Any:  # fmt: skip
    stream = _stream(builder, generator)
    if any(isinstance(item, (Value, list, tuple)) for item in (low, high)):
        raise NotNativeError("bounds that are arrays are taken on the host")
    wanted = dtype or builder.promotion.default_index
    if dtype is None and wanted == INT32 and any(not -(1 << 31) <= int(item) < 1 << 31 for item in (low, high) if item is not None):
        raise NotNativeError("integers of 64 bits are drawn on the host unless the dtype is given")
    if wanted.kind not in "biu":
        raise NotNativeError(f"integers of {wanted} are drawn on the host")
    check_parameters("integers", low, high, dtype=wanted, endpoint=endpoint)
    begin, end = (0, int(low)) if high is None else (int(low), int(high))
    count = end - begin + bool(endpoint)
    if wanted.itemsize <= 4:
        return _result(builder, _below(builder, stream, _shape((), size), begin, count), wanted)
    drawn = converted(builder, builder.make((bits(_below(builder, stream, _shape((), size), 0, count), UINT32),), UINT32), wanted)
    found = call(builder, "add", drawn, builder.from_host(np.asarray(begin, wanted), copy=True)) if begin else drawn
    return builder.result(found.read(), wanted)


def _below(builder: Builder, stream: Stream, shape: Shape, begin: int, count: int) -> Node:
    """Draw integers from one on, so many, as int32 or the bits of uint32."""
    if count == 1 << 32:
        words = _draw(builder, stream, shape, "words")
        return bits(elementwise("add", words, fill(begin % (1 << 32), (), UINT32), dtype=UINT32), INT32)
    if count > 1 << 32 or stream.function.name != "Philox4x32":
        raise NotNativeError("integers of so many, or of another function than Philox4x32, are drawn on the host")
    least = (1 << 32) % count
    floats = (count * 2.0**-32, (count & 0xFFFF) * 2.0**-16, least & 0xFFFF, least >> 16 << 16)
    others = [scalar(count, UINT32), scalar(count >> 16, UINT32), *(scalar(float(np.float32(number)), FLOAT32) for number in floats)]
    signed = (begin + (1 << 31)) % (1 << 32) - (1 << 31)
    return _draw(builder, stream, shape, "below", *others, scalar(signed, INT32))


# Elements of arrays


def _order(builder: Builder, stream: Stream, count: int) -> Value:
    """Give a random order, as int32: that of words, or of a bijection of many elements."""
    if count < LEAST:
        words = builder.make((_draw(builder, stream, (count,), "words"),), UINT32)
        order: Value = call(builder, "argsort", words)
        return converted(builder, order, INT32)
    size = bits_of(count)
    if count > 1 << 30:
        raise NotNativeError("orders of more than 2**30 elements are made on the host")
    (all_of_them,) = kernel("random order", *[scalar(number, UINT32) for number in stream.order_keys()], count=1 << size)
    if count == 1 << size:
        return builder.make((all_of_them,), INT32)
    mask = elementwise("less", all_of_them, fill(count, (), INT32), dtype=BOOL)
    if not _takes(1 << size):
        raise NotNativeError("orders of so many elements, no power of two, are made on the host")
    (kept,) = kernel("compress", mask, all_of_them)
    return builder.make((Node(Read(Layout(0, (count,), (1,))), (kept,)),), INT32)


def _takes(count: int) -> bool:
    """Tell whether the device moves so many elements together."""
    return kernel_named("compress").takes(*[Signature((count,), dtype) for dtype in (UINT8, INT32)])


def _slices(builder: Builder, item: Any, order: Value, axis: int) -> Value:
    taken: Value = call(builder, "take", item, order, axis=axis)
    return taken


def _permutation(builder: Builder, generator: Any, x: Any, *, axis: Any = 0) -> Any:
    stream = _stream(builder, generator)
    if isinstance(x, (int, np.integer)):
        if x < 0 or axis not in (0, -1):
            raise NotNativeError("NumPy says what is wrong")
        dtype = builder.promotion.default_index
        return builder.make(convert(_order(builder, stream, int(x)).read(), INT32, dtype), dtype) if x else builder.operand([])
    value = builder.array(x)
    if type(axis) is not int or not -value.ndim <= axis < value.ndim:
        raise NotNativeError("NumPy says what is wrong")
    if not value.size:
        return value.with_memory()
    return _slices(builder, value, _order(builder, stream, value.shape[axis]), axis)


def _shuffle(builder: Builder, generator: Any, x: Value, *, axis: Any = 0) -> None:
    x.check_writable()
    x.write(_permutation(builder, generator, x, axis=axis).read())


def _permuted(builder: Builder, generator: Any, x: Any, *, axis: Any = None, **written: Any) -> Any:
    stream, value = _stream(builder, generator), builder.array(x)
    into_an_array = any(item is not None for item in written.values())
    if into_an_array or not value.size or (axis is not None and (type(axis) is not int or not -value.ndim <= axis < value.ndim)):
        raise NotNativeError("it writes into an array, or NumPy says what is wrong")
    if axis is None:
        flat = builder.make(tuple(reshape(plane, (value.size,)) for plane in value.read()), value.dtype)
        taken = _slices(builder, flat, _order(builder, stream, value.size), 0)
        return builder.make(tuple(reshape(plane, value.shape) for plane in taken.read()), value.dtype)
    keys = builder.make((_draw(builder, stream, value.shape, "words"),), UINT32)
    return call(builder, "take_along_axis", value, call(builder, "argsort", keys, axis=axis), axis=axis)


def _choice(
    builder: Builder, generator: Any, a: Any, p: Any = None, *, size: Shape | None = None, replace: Any = True, axis: Any = 0,
    shuffle: Any = True,
) -> Any:  # fmt: skip
    stream = _stream(builder, generator)
    value = None if isinstance(a, (int, np.integer)) else builder.array(a)
    count, shape = int(a) if value is None else value.shape[axis] if value.ndim else 0, size or ()
    if value is None:
        check_parameters("choice", count, min(prod(shape), 1))
    if not replace and prod(shape) > count:
        raise ValueError("Cannot take a larger sample than population when replace is False")
    if count < 1 or type(replace) is not bool or (not replace and p is not None):
        raise NotNativeError("weights without replacement are taken on the host, which also says what is wrong")
    if p is not None:
        weights = np.asarray(builder.known(p), np.float64)
        check_parameters("choice", count, 0, True, weights)
        cumulative = np.cumsum(weights)
        index = _search(builder, stream, shape, thresholds_of(cumulative[:-1] / cumulative[-1]).values)
    elif replace:
        index = builder.make((_below(builder, stream, shape, 0, count),), INT32)
    else:
        some = Node(Read(Layout(0, shape, contiguous_strides(shape))), _order(builder, stream, count).read())
        index = builder.make((some,), INT32)
    if value is None:
        dtype = builder.promotion.default_index
        return builder.result(convert(index.read(), INT32, dtype), dtype)
    return _slices(builder, value, index, axis)


LOWERINGS: Final[Lowerings] = {
    "random.random": _in_dtype(_uniform),
    "random.permutation": _permutation,
    "random.permuted": _permuted,
    "random.shuffle": _shuffle,
    "random.choice": _choice,
    "random.standard_normal": _in_dtype(_standard("normal")),
    "random.standard_exponential": _in_dtype(_standard("exponential")),
    "random.standard_gamma": _in_dtype(_standard_gamma),
    "random.integers": _integers,
    **{f"random.{name}": _scaled(name, name) for name in ("normal", "laplace", "logistic", "gumbel")},
    **{f"random.{name}": _scaled(name, name, located=False) for name in ("exponential", "rayleigh")},
    "random.uniform": _interval,
    "random.multivariate_normal": _multivariate_normal,
    "random.lognormal": _scaled("lognormal", "normal", then="exp"),
    "random.standard_cauchy": _shaped("standard_cauchy", "cauchy"),
    "random.chisquare": _shaped("chisquare", "gamma", 2.0),
    **{f"random.{name}": _shaped(name) for name in ("weibull", "pareto", "power", "standard_t", "beta", "f", "gamma")},
    **{
        f"random.{name}": _counts(name)
        for name in ("poisson", "binomial", "negative_binomial", "geometric", "hypergeometric", "logseries")
    },
}
