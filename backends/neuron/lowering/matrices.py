"""Operands of linear algebra: batches of matrices in planes, and what is demanded of their elements."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable
from dataclasses import replace as replace_check
from typing import Any, NamedTuple

import numpy as np
from numpy.linalg import LinAlgError

from ...dtypes import BOOL, COMPLEX64, FLOAT32, DType, is_double
from ...nesting import replace
from ...op import Op, get_op
from ...rules import NeedsValueError, Signature, is_true
from ...settings import get_config
from ..fallback.dispatch import alternative
from ..graph.build import broadcast, check, elementwise, fill, reduce, reshape
from ..graph.build import call as call_kernel
from ..graph.builder import dtypes_among
from ..graph.graph import Node
from ..graph.primitives import Read
from ..kernel import kernel
from ..layout import Layout, contiguous_strides
from ..value import Value
from . import Builder, NotNativeError
from .binary64 import check_setting
from .op_calls import call, in_float32
from .operands import convert

__all__ = ["Achieved", "all_of", "call_if_fits", "demand", "finite", "matrices", "ruled", "unstacked"]

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


def ruled(
    name: str, function: Callable[..., Any], wide: Callable[..., Any] | None = None, *, pair: bool = False
) -> Callable[..., Any]:
    """
    Lower an Op by a function of the device, the signatures of the results, and the arguments; sequences become values.

    What gives 64-bit floats is left to `wide`. With `pair`, the first argument is what a factorization gave: an array and what belongs to
    it.
    """

    @in_float32
    @functools.wraps(function)
    def run(builder: Builder, *args: Any, **kwargs: Any) -> Any:
        def taken(item: Any) -> Any:
            return builder.operand(item) if isinstance(item, (list, tuple, range, np.ndarray)) and _is_array(item) else item

        found = get_op(name)
        assert found.rule is not None
        if not args:  # it is given by its name
            by_name = [*inspect.signature(found.rule).parameters][1]
            if by_name not in kwargs:
                raise NotNativeError("it is called without an operand")
            args = (kwargs.pop(by_name),)
        first = tuple(map(taken, args[0])) if pair and isinstance(args[0], (list, tuple)) else taken(args[0])
        args = (first, *map(taken, args[1:]))
        try:
            results = found.rule(builder.promotion.beside(dtypes_among([*args, *kwargs.values()])), *args, **kwargs)
        except NeedsValueError as missing:
            raise NotNativeError(missing.reason) from None
        dtypes = _dtypes(results)
        if wide is not None and any(map(is_double, dtypes)):
            check_setting()
            return _tested(builder, found, results, args, kwargs, wide(builder, results, *args, **kwargs))
        for dtype in dtypes:
            if dtype.kind not in "biu" and dtype not in (FLOAT32, COMPLEX64):
                raise NotNativeError(f"it has no kernel for {dtype} yet")
        return _tested(builder, found, results, args, kwargs, function(builder, results, *args, **kwargs))

    return run


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


def _is_array(item: Any) -> bool:
    """Tell an array of numbers from what holds Arrays."""
    held: list[Any] = []
    replace(item, (Value,), held.append)
    return not held


def _dtypes(results: Any) -> set[DType]:
    """Find the dtypes of results."""
    if isinstance(results, Signature):
        return {results.dtype}
    return set().union(*map(_dtypes, results)) if isinstance(results, (tuple, list)) else set()


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


def finite(builder: Builder, value: Value, wanted: Any) -> Value:
    """Demand that there are neither infinities nor NaN, as SciPy does unless it is told not to."""
    if not is_true(wanted) or value.dtype.kind in "biu" or not value.size:
        return value
    (holds,) = call(builder, "all", call(builder, "isfinite", value)).read()
    demanded = check(holds, ValueError, "array must not contain infs or NaNs")
    planes = [Node(Read(Layout(0, plane.shape, contiguous_strides(plane.shape))), (plane,), demanded) for plane in value.read()]
    return builder.make(tuple(planes), value.dtype)


def call_if_fits(name: str, *operands: Node, **attributes: Any) -> Nodes:
    """Call a kernel, unless it has no room for so many right-hand sides."""
    if not kernel(name).takes(*[Signature(item.shape, item.dtype) for item in operands], **attributes):
        raise NotNativeError("so many right-hand sides of one matrix are solved for on the host")
    return call_kernel(name, *operands, **attributes)
