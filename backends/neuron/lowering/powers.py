"""Powers whose exponent is a number that makes them another function, or a few products of integers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from ...dtypes import BOOL
from ...op import get_op
from ...ops import elementwise as _ops  # noqa: F401  # registers them
from ...rules import Elementwise
from ..value import Value
from .calls import call
from .elementwise import lowered

if TYPE_CHECKING:
    from ..engine import NeuronEngine

__all__: list[str] = []

_FUNCTIONS: Final[Mapping[float, str]] = {1: "positive", 2: "square", -1: "reciprocal"}
_MOST: Final = 64
"""The largest exponent of integers that is written as products."""


def _function(operands: tuple[Any, ...], options: Mapping[str, Any]) -> str | None:
    """Name the function of one operand that a call is."""
    if options or len(operands) != 2 or type(operands[1]) not in (int, float):
        return None
    base, exponent = operands
    if not isinstance(base, Value) or base.dtype == BOOL:
        return None
    if base.dtype.kind in "iu" and (type(exponent) is float or exponent < 0):  # of another dtype, or refused
        return None
    return _FUNCTIONS.get(exponent)


def _is_product(operands: tuple[Any, ...], options: Mapping[str, Any]) -> bool:
    """Tell whether a call is a product of one integer factor."""
    if options or len(operands) != 2 or type(operands[1]) is not int:
        return False
    base, exponent = operands
    return isinstance(base, Value) and base.dtype.kind in "iu" and base.dtype.itemsize <= 4 and 1 < exponent <= _MOST  # bytes


def _product(engine: NeuronEngine, factor: Value, exponent: int) -> Value:
    """Square and multiply, modulo the range at every step."""
    result: Value | None = None
    while True:
        if exponent & 1:
            result = factor if result is None else call(engine, "multiply", result, factor)
        exponent >>= 1
        if not exponent:
            assert result is not None
            return result
        factor = call(engine, "square", factor)


def _lowered() -> Callable[..., Any]:
    op = get_op("power")
    general = lowered(op, cast(Elementwise, op.rule))

    def run(engine: NeuronEngine, *operands: Any, **options: Any) -> Any:
        name = _function(operands, options)
        if name is None:
            return _product(engine, *operands) if _is_product(operands, options) else general(engine, *operands, **options)
        implementation = get_op(name).implementation(engine.name)
        assert implementation is not None
        return implementation(engine, operands[0])

    return run


get_op("power").implement("neuron", _lowered())
