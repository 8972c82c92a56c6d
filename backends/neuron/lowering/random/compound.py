"""Draws of distributions that no table takes: parameters that are arrays, and numbers for which quantiles are not smooth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ....counter_based import compound
from ....counter_based.compound import Draws, lanes_of
from ....counter_based.rejection import Rejection
from ....counter_based.stream import Stream, check_parameters
from ....dtypes import FLOAT32, FLOAT64, INT32, UINT32, DType
from ....op import get_op
from ....rules import Signature
from ...graph.build import bits, check, reduce
from ...graph.graph import Node
from ...graph.primitives import Elementwise
from ...value import Value
from .. import Lowerings
from ..composition import Expression, Ops
from ..op_calls import call, converted
from .draws import Shape, draw, quantiles, stream_of
from .float64_draws import wide_quantiles, wide_uniform

if TYPE_CHECKING:
    from ...graph.builder import Builder

__all__ = ["LOWERINGS", "DeviceDraws", "counted", "demand", "floats", "taken"]


class DeviceDraws(Draws):
    """
    Elements of a stream on a device.

    Parameters
    ----------
    builder : Builder
        The device.
    stream : Stream
        What to draw from.
    shape : tuple of int
        Of the elements.
    wide : bool
        Whether floats are of float64.
    part : slice, optional
        Which elements along the last axis; all unless given.

    Notes
    -----
    The words of all tries lie along a last axis of their own, over which the first accepted one is found: no step depends on what that is.
    """

    def __init__(self, builder: Builder, stream: Stream, shape: Shape, *, wide: bool, part: slice | None = None) -> None:
        self._ops, self._builder, self._stream, self._shape = Ops(builder), builder, stream, shape
        self.wide, self._part = wide, part
        self._drawn: dict[tuple[int, str], Expression] = {}

    def __call__(self, name: str, *operands: Any) -> Any:
        """Call an Op by its name."""
        return self._ops(name, *operands)

    def expression(self, value: Value) -> Expression:
        """Compute with a value."""
        return Expression(self._ops, value)

    def _made(self, node: Any, dtype: DType) -> Expression:
        return Expression(self._ops, self._builder.make((node,), dtype))

    def bits(self, x: Any) -> Any:
        """Read float32 as int32."""
        return self._made(bits(x.value.read()[0], INT32), INT32)

    def floats(self, x: Any) -> Any:
        """Read int32 as float32."""
        return self._made(bits(x.value.read()[0], FLOAT32), FLOAT32)

    def words(self, number: int) -> Any:
        """Give a word of each element."""
        return self._made(draw(self._builder, self._stream.of_lane(number), self._shape, "words"), UINT32)

    def uniform(self) -> Any:
        """Draw multiples of 2**-53, of the first two words."""
        return Expression(self._ops, wide_uniform(self._builder, self._stream, self._shape))

    def single(self, name: str) -> Any:
        """Draw float32 from a distribution without parameters, of the first words."""
        return self._made(quantiles(self._builder, self._stream, self._shape, name), FLOAT32)

    def double(self, name: str, first: Any, second: Any) -> Any:
        """Take quantiles of float64 of two words."""
        return Expression(self._ops, wide_quantiles(self._builder, first.value.read()[0], second.value.read()[0], name))

    def of_last_axis(self, begin: int, end: int) -> DeviceDraws:
        """Take some elements along the last axis."""
        some = DeviceDraws(self._builder, self._stream, self._shape, wide=self.wide, part=slice(begin, end))
        some._drawn = self._drawn
        return some

    def of_single(self) -> DeviceDraws:
        """Draw float32."""
        return DeviceDraws(self._builder, self._stream, self._shape, wide=False)

    def concatenate(self, parts: list[Any]) -> Any:
        """Join along the last axis."""
        shape = np.broadcast_shapes(*[part.shape[:-1] for part in parts])
        return self._ops.concatenate([part.broadcast_to((*shape, part.shape[-1])) for part in parts])

    def zeros(self, shape: tuple[int, ...]) -> Any:
        """Make zeros of float64."""
        return self._ops.zeros(shape, FLOAT64)

    def accepted(self, way: Rejection, setup: tuple[Any, ...], slot: int = 0, *, word: bool = False) -> Any:
        """Give the number of the first try that is accepted, or its first word."""
        first = self._tried(way, lanes_of(way, slot), way.table)
        second = self._tried(way, lanes_of(way, slot) + 1, "")
        good, value = way.attempt(self, first, second, *[item[..., None] for item in setup])
        count = way.tries
        numbers = self._ops.kept(("tries", count), lambda: np.arange(count, dtype=np.float32))
        chosen = self("where", good, numbers, float(count - 1))
        one = self("equal", numbers, self._ops("min", chosen, axis=-1, keepdims=True))
        if not word:
            return self("where", one, value, 0.0).sum(-1)
        words = self._tried(way, lanes_of(way, slot), "")
        high, low = (
            self("where", one, half.astype(FLOAT32), 0.0).sum(-1).astype(UINT32)
            for half in (self("right_shift", words, 16), self("bitwise_and", words, 0xFFFF))
        )
        return self("bitwise_or", self("left_shift", high, 16), low)

    def _tried(self, way: Rejection, number: int, table: str) -> Expression:
        """Draw the words of all tries, or their quantiles."""
        found = self._drawn.get((number, table))
        if found is None:
            parts = []
            for begin, end, stream in self._stream.tried(number, way.tries, prod(self._shape)):
                shape = (end - begin, way.tries)
                drawn = quantiles(self._builder, stream, shape, table) if table else draw(self._builder, stream, shape, "words")
                parts.append(self._made(drawn, FLOAT32 if table else UINT32))
            joined = parts[0] if len(parts) == 1 else self._ops("concatenate", parts, 0)
            found = self._drawn[number, table] = joined.reshape(*self._shape, way.tries)
        return found if self._part is None else found[..., self._part, :]


# Parameters

_NOT_NEGATIVE: Final = ("greater_equal", 0.0)
_POSITIVE: Final = ("greater", 0.0)
_CONDITIONS: Final[dict[str, tuple[tuple[int, tuple[tuple[str, float], ...], str], ...]]] = {
    "standard_gamma": ((0, (_NOT_NEGATIVE,), "shape < 0"),),
    "gamma": ((0, (_NOT_NEGATIVE,), "shape < 0"), (1, (_NOT_NEGATIVE,), "scale < 0")),
    "beta": ((0, (_POSITIVE,), "a <= 0"), (1, (_POSITIVE,), "b <= 0")),
    "chisquare": ((0, (_POSITIVE,), "df <= 0"),),
    "standard_t": ((0, (_POSITIVE,), "df <= 0"),),
    "f": ((0, (_POSITIVE,), "dfnum <= 0"), (1, (_POSITIVE,), "dfden <= 0")),
    "noncentral_chisquare": ((0, (_POSITIVE,), "df <= 0"), (1, (_NOT_NEGATIVE,), "nonc < 0")),
    "noncentral_f": ((0, (_POSITIVE,), "dfnum <= 0"), (1, (_POSITIVE,), "dfden <= 0"), (2, (_NOT_NEGATIVE,), "nonc < 0")),
    "wald": ((0, (_POSITIVE,), "mean <= 0"), (1, (_POSITIVE,), "scale <= 0")),
    "vonmises": ((1, (_NOT_NEGATIVE,), "kappa < 0"),),
    "weibull": ((0, (_NOT_NEGATIVE,), "a < 0"),),
    "pareto": ((0, (_POSITIVE,), "a <= 0"),),
    "power": ((0, (_POSITIVE,), "a <= 0"),),
    "dirichlet": ((0, (_NOT_NEGATIVE,), "alpha < 0"),),
    "poisson": (
        (0, (_NOT_NEGATIVE,), "lam < 0 or lam contains NaNs"),
        (0, (("less_equal", 2.0**63 - 2.0**36),), "lam value too large"),
    ),
    "binomial": ((0, (_NOT_NEGATIVE,), "n < 0"), (1, (_NOT_NEGATIVE, ("less_equal", 1.0)), "p < 0, p > 1 or p contains NaNs")),
    "negative_binomial": ((0, (_POSITIVE,), "n <= 0"), (1, (_POSITIVE, ("less_equal", 1.0)), "p <= 0, p > 1 or p contains NaNs")),
    "geometric": ((0, (_POSITIVE, ("less_equal", 1.0)), "p <= 0, p > 1 or p contains NaNs"),),
    "logseries": ((0, (_NOT_NEGATIVE, ("less", 1.0)), "p < 0, p >= 1 or p contains NaNs"),),
    "zipf": ((0, (("greater", 1.0),), "a <= 1 or a contains NaNs"),),
    "hypergeometric": (
        *((place, (_NOT_NEGATIVE,), f"{name} < 0") for place, name in enumerate(("ngood", "nbad", "nsample"))),
        *((place, (("less", 1e9),), "both ngood and nbad must be less than 1000000000") for place in (0, 1)),
    ),
    "multinomial": (
        (0, (_NOT_NEGATIVE,), "n < 0"),
        (1, (_NOT_NEGATIVE, ("less_equal", 1.0)), "pvals < 0, pvals > 1 or pvals contains NaNs"),
    ),
}
"""Of each parameter that is an array: what NumPy demands of it, and its words."""
_TOGETHER: Final[dict[str, tuple[tuple[Callable[[Sequence[Expression]], Expression], str], ...]]] = {
    "triangular": (
        (lambda items: items[0] <= items[1], "left > mode"),
        (lambda items: items[1] <= items[2], "mode > right"),
        (lambda items: items[0] < items[2], "left == right"),
    ),
    "hypergeometric": ((lambda items: items[2] <= items[0] + items[1], "ngood + nbad < nsample"),),
    "multinomial": ((lambda items: items[1][..., :-1].sum(-1) <= 1.0 + 1e-12, "sum(pvals[:-1]) > 1.0"),),
}
"""What NumPy demands of parameters together."""


def demand(builder: Builder, value: Value, good: Value, message: str, error: type[Exception] = ValueError) -> Value:
    """Demand that a condition holds everywhere, before anything uses a value."""
    first, *others = value.read()
    (node,) = good.read()
    holds = reduce("logical_and", node, range(good.ndim), np.dtype(np.uint8)) if good.ndim else node
    checked = Node(Elementwise("positive"), (first,), check(holds, error, message))
    return builder.make((checked, *others), value.dtype)


def taken(builder: Builder, name: str, operands: Sequence[Any]) -> list[Expression]:
    """Take parameters in float64, with what NumPy demands of them."""
    ops, found = Ops(builder), []
    arrays = [place for place, item in enumerate(operands) if isinstance(item, Value)]
    if not arrays:
        check_parameters(name, *operands)
    for item in operands:
        if not isinstance(item, Value):
            found.append(ops.constant(np.asarray(item, np.float64), FLOAT64))
        elif item.dtype.kind == "c":
            raise TypeError(f"parameters of {name} are real, not of {item.dtype}")
        else:
            found.append(Expression(ops, converted(builder, item, FLOAT64)))
    for place, conditions, message in _CONDITIONS.get(name, ()):
        if place < len(found) and arrays:
            for comparison, limit in conditions:
                good = ops(comparison, found[place], limit)
                if "NaN" not in message:  # NumPy passes it on
                    good = ops("logical_or", good, ops("isnan", found[place]))
                found[place] = Expression(ops, demand(builder, found[place].value, good.value, message))
    for condition, message in _TOGETHER.get(name, ()) if arrays else ():
        found[0] = Expression(ops, demand(builder, found[0].value, condition(found).value, message))
    return found


def floats(builder: Builder, stream: Stream, name: str, operands: Sequence[Any], shape: Shape, dtype: DType) -> Value:
    """Draw floats of a distribution of `compound.FLOATS`."""
    draws = DeviceDraws(builder, stream, shape, wide=dtype == FLOAT64)
    return _filled(compound.FLOATS[name](draws, *taken(builder, name, operands)), shape)


def _filled(drawn: Expression, shape: Shape) -> Value:
    return drawn.value if drawn.shape == shape else drawn.broadcast_to(shape).value


def counted(builder: Builder, found: Value, dtype: DType) -> Value:
    """Give counts of float64 as integers of a dtype, and refuse those beyond it where they are needed."""
    if dtype == INT32:
        message = "a count is beyond int32, the default integer of the device; set trnarray.config(defaults='numpy')"
        found = demand(builder, found, call(builder, "less", found, 2.0**31), message, OverflowError)
    return builder.result(converted(builder, found, dtype).read(), dtype)


def _floats(name: str) -> Callable[..., Any]:
    def run(builder: Builder, generator: Any, *parameters: Any, size: Shape) -> Any:
        stream, dtype = stream_of(builder, generator), builder.promotion.default_float
        if not prod(size):
            taken(builder, name, parameters)
            return builder.zeros(size, dtype)
        return builder.result(floats(builder, stream, name, parameters, size, dtype).read(), dtype)

    return run


# Vectors


def _integers_of(builder: Builder, op: str, generator: Any, *parameters: Any, **attributes: Any) -> Signature:
    rule = get_op(op).rule
    assert rule is not None
    found = rule(builder.promotion, generator, *parameters, **attributes)
    assert isinstance(found, Signature)
    return found


def _dirichlet(builder: Builder, generator: Any, alpha: Any, *, size: Shape | None) -> Any:
    stream, dtype = stream_of(builder, generator), builder.promotion.default_float
    found = _integers_of(builder, "random.dirichlet", generator, alpha, size=size)
    if not found.size:
        return builder.zeros(found.shape, dtype)
    draws = DeviceDraws(builder, stream, found.shape, wide=dtype == FLOAT64)
    return builder.result(compound.dirichlet(draws, *taken(builder, "dirichlet", [alpha])).value.read(), dtype)


def _multinomial(builder: Builder, generator: Any, n: Any, pvals: Any, *, size: Shape | None) -> Any:
    stream = stream_of(builder, generator)
    if isinstance(n, (int, np.integer)) and isinstance(pvals, (list, tuple)):
        check_parameters("multinomial", n, pvals)
    found = _integers_of(builder, "random.multinomial", generator, n, pvals, size=size)
    if not found.size:
        return builder.zeros(found.shape, found.dtype)
    shape = (*found.shape[:-1], compound.width_of_tree(found.shape[-1]))
    draws = DeviceDraws(builder, stream, shape, wide=False)
    drawn = compound.multinomial(draws, *taken(builder, "multinomial", [n, pvals]))
    return counted(builder, _filled(drawn, found.shape), found.dtype)


def _multivariate_hypergeometric(
    builder: Builder, generator: Any, colors: Any, nsample: Any, *, size: Shape | None = None, method: str = "marginals"
) -> Any:
    """Draw how many of each kind are in a sample; how many there are of each, the host looks at."""
    stream = stream_of(builder, generator)
    known = np.asarray(builder.known(colors))
    check_parameters("multivariate_hypergeometric", known, nsample, method=method)
    found = _integers_of(builder, "random.multivariate_hypergeometric", generator, colors, nsample, size=size, method=method)
    if not found.size:
        return builder.zeros(found.shape, found.dtype)
    ops = Ops(builder)
    draws = DeviceDraws(builder, stream, (*found.shape[:-1], compound.width_of_tree(len(known))), wide=False)
    drawn = compound.multivariate_hypergeometric(draws, ops.constant(known, FLOAT64), ops.constant(np.asarray(nsample), FLOAT64))
    return counted(builder, _filled(drawn, found.shape), found.dtype)


LOWERINGS: Final[Lowerings] = {
    **{f"random.{name}": _floats(name) for name in ("noncentral_chisquare", "noncentral_f", "wald", "vonmises", "triangular")},
    "random.dirichlet": _dirichlet,
    "random.multinomial": _multinomial,
    "random.multivariate_hypergeometric": _multivariate_hypergeometric,
}
