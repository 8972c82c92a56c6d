"""Ops in terms of other Ops: calls of what the device has kernels for, on values."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from ...dtypes import FLOAT32, INT32, DType, is_low_precision
from ...nesting import replace
from ...op import Op, get_op
from ...signatures import Call
from ..output import deliver
from ..value import ParameterError, Value, values_among
from . import Builder, NotNativeError
from .operands import convert
from .size_classes import grown

__all__ = ["as_floats", "as_positions", "call", "call_several", "converted", "in_float32", "lower"]


def lower(builder: Builder, op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Read the arguments of a call, run the lowering, and write results where the caller wants them."""
    lowering = op.neuron or _no_lowering
    while True:
        read = result = None
        try:
            read = Call(tuple(args), kwargs) if op.signature is None else op.signature(builder, *args, **kwargs)
            operands, attributes, output = read
            for item in operands:
                if type(item) is Value and (item.base is not None or item.padding is not None):
                    result = grown(builder, op, operands, attributes)
                    break
            if result is None:
                result = lowering(builder, *operands, **attributes)
            break
        except NotNativeError as missing:
            missing.call = read
            raise
        except ParameterError as error:
            if read is not None and op.writes:
                raise
            args, kwargs = _with_number(builder, error, args, kwargs)
    if output is None:
        return result
    return deliver(builder, result if op.positions is None else as_positions(builder, result, op.positions), output)


def _with_number(
    builder: Builder, error: ParameterError, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[Sequence[Any], Mapping[str, Any]]:
    """Bring the numbers in an array that is given for a parameter to the host, which is counted, and give the arguments with them."""
    wanted = error.value
    if not any(item is wanted for item in values_among([*args, *kwargs.values()])):
        raise error
    number = builder.on_host(wanted)
    number = number.tolist() if wanted.ndim else number[()]

    def known(item: Any) -> Any:
        return replace(item, Value, lambda value: number if value is wanted else value)

    return [known(item) for item in args], {key: known(item) for key, item in kwargs.items()}


def _no_lowering(_: Builder, *__: Any, **___: Any) -> NoReturn:
    raise NotNativeError("it has no kernel yet")


def call(builder: Builder, name: str, *operands: Any, **parameters: Any) -> Value:
    """Run another Op, of one result, on the device."""
    result: Value = call_several(builder, name, *operands, **parameters)
    return result


def call_several(builder: Builder, name: str, *operands: Any, **parameters: Any) -> Any:
    """Run another Op, of several results, on the device."""
    op = get_op(name)
    if op.neuron is None:
        raise NotNativeError(f"it is made of {name}, which has no kernel yet")
    return lower(builder, op, operands, parameters)


def converted(builder: Builder, value: Value, dtype: DType) -> Value:
    """Convert a value."""
    return value if value.dtype == dtype else builder.make(convert(value.read(), value.dtype, dtype), dtype)


def as_floats(builder: Builder, value: Value) -> Value:
    """Convert integers and truth values to the device's default floats, as NumPy's functions of floats do."""
    return converted(builder, value, builder.promotion.default_float) if value.dtype.kind in "biu" else value


def as_positions(builder: Builder, result: Any, first: int = 0) -> Any:
    """Give positions and counts, which kernels have of int32, the device's default index dtype."""
    wanted = builder.promotion.default_index
    if wanted == INT32:
        return result
    if isinstance(result, (tuple, list)):
        items = [as_positions(builder, item) if place >= first else item for place, item in enumerate(result)]
        return type(result)(*items) if hasattr(result, "_fields") else type(result)(items)
    if first or not isinstance(result, Value) or result.dtype != INT32:
        return result
    wide = converted(builder, result, wanted)
    wide.detached = result.detached
    return wide


def in_float32(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a composition compute low-precision floats in float32 and round once, as the host engine does."""

    @functools.wraps(function)
    def run(builder: Builder, *operands: Any, **attributes: Any) -> Any:
        dtypes = [item.dtype for item in (*operands, *attributes.values()) if isinstance(item, Value) and not item.of_numbers]
        if not any(map(is_low_precision, dtypes)):
            return function(builder, *operands, **attributes)
        common = builder.promotion.result_type(*dtypes)

        def wide(item: Any) -> Any:
            return converted(builder, item, FLOAT32) if isinstance(item, Value) and is_low_precision(item.dtype) else item

        result = function(builder, *map(wide, operands), **{name: wide(item) for name, item in attributes.items()})
        return _rounded(builder, result, common) if is_low_precision(common) else result

    return run


def _rounded(builder: Builder, result: Any, dtype: DType) -> Any:
    if type(result) in (tuple, list):
        return type(result)(_rounded(builder, item, dtype) for item in result)
    if not isinstance(result, Value) or result.dtype != FLOAT32:
        return result
    rounded = converted(builder, result, dtype)
    rounded.detached = result.detached
    return rounded
