"""Powers: of integers, and those whose exponent is a number that makes them another function, or a few products."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from ...dtypes import BOOL, DType, canonical_dtype
from ...op import get_op
from ...rules import Elementwise, broadcast_shapes
from ..graph.build import broadcast, check, elementwise, fill, reduce, reshape
from ..graph.graph import Node
from ..graph.primitives import Elementwise as Elementwise_
from ..value import Value
from . import Lowerings, NotNativeError
from .elementwise import delivered, lowered
from .op_calls import call
from .operands import computes, operand

if TYPE_CHECKING:
    from ..graph.builder import Builder

__all__: list[str] = []

_FUNCTIONS: Final[Mapping[float, str]] = {1: "positive", 2: "square", -1: "reciprocal"}
_OF_COMPLEX: Final[Mapping[float, str]] = {**_FUNCTIONS, 0.5: "sqrt"}
"""By exponent; the root of a negative zero or infinity is not its power, but among complex numbers."""
_MOST: Final[Mapping[str, int]] = {"i": 64, "u": 64, "c": 4}
"""The largest exponent that is written as products, by the kind of the base; of complex numbers products are exact enough to 4."""

_OF_INTEGERS: Final = frozenset({"out", "where", "dtype", "casting"})
_NEGATIVE: Final = "an exponent is negative, and there are no negative integer powers of integers; convert one of them to floats"


def _function(operands: tuple[Any, ...], options: Mapping[str, Any]) -> str | None:
    """Name the function of one operand that a call is."""
    if options or len(operands) != 2 or type(operands[1]) not in (int, float):
        return None
    base, exponent = operands
    if not isinstance(base, Value) or base.dtype == BOOL:
        return None
    if base.dtype.kind in "iu" and (type(exponent) is float or exponent < 0):  # of another dtype, or refused
        return None
    return (_OF_COMPLEX if base.dtype.kind == "c" else _FUNCTIONS).get(exponent)


def _is_product(operands: tuple[Any, ...], options: Mapping[str, Any]) -> bool:
    """Tell whether a call is a product of one factor, integer or complex."""
    if options or len(operands) != 2 or type(operands[1]) not in (int, float):
        return False
    base, exponent = operands
    if not isinstance(base, Value) or (type(exponent) is float and base.dtype.kind != "c"):
        return False
    return exponent in range(2, _MOST.get(base.dtype.kind, 0) + 1)


def _product(builder: Builder, factor: Value, exponent: int) -> Value:
    """Square and multiply, modulo the range at every step."""
    result: Value | None = None
    while True:
        if exponent & 1:
            result = factor if result is None else call(builder, "multiply", result, factor)
        exponent >>= 1
        if not exponent:
            assert result is not None
            return result
        factor = call(builder, "square", factor)


def _are_integers(operands: tuple[Any, ...]) -> bool:
    kinds = [item.dtype.kind if isinstance(item, Value) else "i" if type(item) in (int, bool) else "" for item in operands]
    return len(kinds) == 2 and set(kinds) <= set("biu")


def _integers(
    builder: Builder, rule: Elementwise, base: Any, exponent: Any, out: Any = None, where: Any = True, dtype: DType | None = None,
    casting: str = "same_kind",
) -> Any:  # fmt: skip
    """Take powers of integers, of which no exponent may be negative."""
    loop = rule.loop(builder.promotion, base, exponent, dtype=dtype, casting=casting)
    (need, *_), (result,) = loop.ins, loop.outs
    if need.kind not in "iu" or not computes(need):
        raise NotNativeError(f"it has no kernel for {need} yet")
    shape = broadcast_shapes(*(getattr(item, "shape", ()) for item in (base, exponent)))
    (node,) = operand(builder, exponent, need, getattr(exponent, "shape", ()))
    not_negative = None
    if need.kind == "i":
        if not isinstance(exponent, Value):
            if exponent < 0 and 0 not in shape:
                raise ValueError(_NEGATIVE)
        elif where is not True:
            raise NotNativeError("it has parameters that are looked after on the host")
        elif node.size:
            holds = elementwise("greater_equal", node, fill(0, (), need), dtype=BOOL)
            holds = reduce("logical_and", reshape(holds, (holds.size,)), [0], holds.dtype) if holds.shape else holds
            not_negative = check(holds, ValueError, _NEGATIVE)
    inputs = (*operand(builder, base, need, shape), broadcast(node, shape))
    power = Node(Elementwise_("integer_power"), inputs, not_negative)
    return delivered(builder, [(power,)], [result], shape, out, where, casting)


def _lowered() -> Callable[..., Any]:
    op = get_op("power")
    rule = cast(Elementwise, op.rule)
    general = lowered(op.name, rule)

    def run(builder: Builder, *operands: Any, **options: Any) -> Any:
        name = _function(operands, options)
        if name is None:
            if _is_product(operands, options):
                return _product(builder, operands[0], int(operands[1]))
            dtype = options.get("dtype")
            if _are_integers(operands) and (dtype is None or canonical_dtype(dtype).kind in "biu") and options.keys() <= _OF_INTEGERS:
                return _integers(builder, rule, *operands, **options)
            return general(builder, *operands, **options)
        implementation = get_op(name).implementation("neuron")
        assert implementation is not None
        return implementation(builder, operands[0])

    return run


LOWERINGS: Final[Lowerings] = {"power": _lowered()}
