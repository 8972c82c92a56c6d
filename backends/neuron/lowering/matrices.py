"""Operands of linear algebra: batches of matrices in planes, and what is demanded of their elements."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace as replace_check
from typing import Any, NamedTuple

import numpy as np
from numpy.linalg import LinAlgError

from ...dtypes import BOOL, COMPLEX64, FLOAT32, DType, is_double
from ...nesting import replace
from ...op import Op, get_op
from ...rules import NeedsValueError, RefusedError, Signature
from ...settings import config, get_config
from ..fallback.dispatch import alternative
from ..graph.build import broadcast, check, elementwise, fill, reduce, reshape
from ..graph.build import call as call_kernel
from ..graph.builder import dtypes_among
from ..graph.graph import Node
from ..graph.primitives import Read
from ..kernel import kernel
from ..layout import Layout, contiguous_strides
from ..value import Value, values_among
from . import Builder, NotNativeError
from .binary64 import check_setting
from .op_calls import call, in_float32
from .operands import convert

__all__ = ["Achieved", "all_of", "call_if_fits", "call_of_units", "checked", "demand", "matrices", "ruled", "unstacked"]

Nodes = tuple[Node, ...]


class Achieved(NamedTuple):
    """
    What a lowering reached, if a test of it on the device says so; else the host computes it.

    Attributes
    ----------
    found : Value, or tuple of Value
        The results.
    holds : Node
        Of one element: zero where they are not as accurate as they have to be.
    reason : str
        Why the host computes it then.
    finish : callable, optional
        What is done with a result that was tested.
    """

    found: Any
    holds: Node
    reason: str
    finish: Callable[[Value], Value] | None = None


def ruled(name: str, function: Callable[..., Any], wide: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """Lower an Op by a function of the device, the signatures of the results, and the arguments; `wide` has what gives 64-bit floats."""

    @in_float32
    @functools.wraps(function)
    def run(builder: Builder, *operands: Any, **attributes: Any) -> Any:
        found = get_op(name)
        assert found.rule is not None
        try:
            promotion = builder.promotion.beside(dtypes_among([*operands, *attributes.values()]))
            results = found.rule(promotion, *operands, **attributes)
        except RefusedError as missing:
            call_of_units(found, operands, attributes)
            raise NotNativeError(missing.reason) from None
        except NeedsValueError as missing:
            raise NotNativeError(missing.reason) from None
        given = values_among([*operands, *attributes.values()])
        if not any(value.size for value in given) and not any(result.size for result in _signatures(results)):
            return replace(results, Signature, lambda result: builder.zeros(result.shape, result.dtype))
        dtypes = {one.dtype for one in _signatures(results)}
        chosen = function
        if wide is not None and any(map(is_double, dtypes)):
            check_setting()
            chosen = wide
        elif others := [dtype for dtype in dtypes if dtype.kind not in "biu" and dtype not in (FLOAT32, COMPLEX64)]:
            raise NotNativeError(f"it has no kernel for {others[0]} yet")
        taken, options = _checked(builder, operands, attributes)
        settings = get_config()
        if settings.precision is None and settings.target_forward_error is None:
            achieved = chosen(builder, results, *taken, **options)
        else:  # products within factorizations and functions of matrices are not the caller's
            with config(precision=None, target_forward_error=None):
                achieved = chosen(builder, results, *taken, **options)
        return _tested(builder, found, results, operands, attributes, achieved)

    return run


def call_of_units(op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    """Call the host with unit matrices of the operands' shapes: what is wrong with others than their values it raises."""

    def unit(value: Value) -> Any:
        dtype = value.shadow.dtype
        return np.broadcast_to(np.eye(*value.shape[-2:], dtype=dtype) if value.ndim > 1 else np.ones(value.shape, dtype), value.shape)

    op.host(*[replace(item, Value, unit) for item in args], **{key: replace(item, Value, unit) for key, item in kwargs.items()})


def checked(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a lowering of a function that is told nothing of `check_finite`."""

    def run(builder: Builder, *operands: Any, **attributes: Any) -> Any:
        taken, options = _checked(builder, operands, attributes)
        return function(builder, *taken, **options)

    return run


def _checked(builder: Builder, operands: tuple[Any, ...], attributes: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Demand that arrays have neither infinities nor NaN, where `check_finite` says so, and give the other attributes."""
    options = {key: item for key, item in attributes.items() if key != "check_finite"}
    if not attributes.get("check_finite", False):
        return [*operands], options
    finite = functools.partial(_finite, builder)
    return [replace(item, Value, finite) for item in operands], {key: replace(item, Value, finite) for key, item in options.items()}


def _tested(builder: Builder, op: Op, results: Any, args: Any, kwargs: Any, achieved: Any) -> Any:
    """Put calls on the host beside results that the device tests."""
    if not isinstance(achieved, Achieved):
        return achieved
    action, found = get_config().fallback, achieved.found
    other = alternative(builder, op, achieved.reason, args, kwargs, results)
    pairs = [(found, other)] if isinstance(found, Value) else [*zip(found, other, strict=True)]
    made = []
    for value, hosted in pairs:
        planes = []
        for plane, instead in zip(value.read(), hosted.read(), strict=True):
            refusal = replace_check(check(achieved.holds, LinAlgError, achieved.reason), instead=instead, action=action)
            planes.append(Node(Read(Layout(0, plane.shape, contiguous_strides(plane.shape))), (plane,), refusal))
        tested = builder.result(tuple(planes), value.dtype)
        made.append(tested if achieved.finish is None else achieved.finish(tested))
    return made[0] if isinstance(found, Value) else type(other)(made) if not hasattr(other, "_fields") else type(other)(*made)


def _signatures(results: Any) -> list[Signature]:
    """List the results."""
    if isinstance(results, Signature):
        return [results]
    return [one for item in results for one in _signatures(item)] if isinstance(results, (tuple, list)) else []


def matrices(value: Value, dtype: DType, stack: tuple[int, ...]) -> Nodes:
    """Make a batch of matrices, (count, rows, columns) in each plane, of a value that broadcasts to a stack."""
    extents = value.shape[-2:]
    planes = [broadcast(plane, (*stack, *extents)) for plane in convert(value.read(), value.dtype, dtype)]
    return tuple([reshape(plane, (math.prod(stack), *extents)) for plane in planes])


def unstacked(builder: Builder, planes: Nodes, result: Signature) -> Value:
    """Make a result of a batch."""
    return builder.result(tuple([reshape(plane, result.shape) for plane in planes]), result.dtype)


def demand(nodes: Nodes, flags: Node, stack: tuple[int, ...], message: str, error: type[Exception] = LinAlgError) -> None:
    """Raise for those who need nodes, or warn them, where a flag of a stack is zero."""
    count = math.prod(stack)
    least = reshape(flags, ()) if count == 1 else reduce("minimum", reshape(flags, (count,)), (0,), flags.dtype)
    holds = elementwise("not_equal", least, fill(0.0, (), flags.dtype), dtype=BOOL)
    refusal = check(holds, error, message, reshape(flags, stack) if stack else None)
    for node in nodes:
        node.demand(refusal)


def all_of(*flags: Any) -> Node:
    """Tell whether all flags are set, of nodes and of expressions, in a node of one element."""
    found = None
    for flag in flags:
        (plane,) = (flag,) if isinstance(flag, Node) else flag.value.read()
        if plane.dtype != FLOAT32:
            plane = elementwise("where", plane, fill(1.0, (), FLOAT32), fill(0.0, (), FLOAT32), dtype=FLOAT32)
        least = reshape(plane, ()) if plane.size == 1 else reduce("minimum", reshape(plane, (plane.size,)), (0,), FLOAT32)
        found = least if found is None else elementwise("minimum", found, least, dtype=FLOAT32)
    assert found is not None
    return elementwise("not_equal", found, fill(0.0, (), FLOAT32), dtype=BOOL)


def _finite(builder: Builder, value: Value) -> Value:
    if value.dtype.kind in "biu" or not value.size:
        return value
    (holds,) = call(builder, "all", call(builder, "isfinite", value), None).read()
    demanded = check(holds, ValueError, "array must not contain infs or NaNs")
    planes = [Node(Read(Layout(0, plane.shape, contiguous_strides(plane.shape))), (plane,), demanded) for plane in value.read()]
    return builder.make(tuple(planes), value.dtype)


def call_if_fits(name: str, *operands: Node, **attributes: Any) -> Nodes:
    """Call a kernel, unless it has no room for so many right-hand sides."""
    if not kernel(name).takes(*[Signature(item.shape, item.dtype) for item in operands], **attributes):
        raise NotNativeError("so many right-hand sides of one matrix are solved for on the host")
    return call_kernel(name, *operands, **attributes)
