"""Fourier transforms: each Op is one call, with what its steps multiply by as operands, which the planner expands."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Final

from ....dtypes import BFLOAT16, COMPLEX64, COMPLEX128, FLOAT32, FLOAT64, DType, is_double, is_low_precision
from ....rules import Signature
from ...costs import Costs
from ...graph.build import call
from ...graph.graph import Node
from ...kernel import InvalidCallError, Kernel, Ruling, Variant, declare
from ...value import Value
from .. import Builder, Lowerings, NotNativeError
from ..op_calls import converted
from ..operands import convert
from . import roots
from .chains import Constant, Transform, several_axes, stages, transformed
from .steps import row_factors, smallest_tile
from .wide_transforms import EXACT, asked_rung, transform_wide

__all__ = ["transform"]


def _rule(*operands: Signature, planes: int, transforms: tuple[Transform, ...], smallest: int) -> Ruling:
    """Transform one or two planes, of operands of which the others are constants."""
    shape, count = [*operands[0].shape], planes
    for one in transforms:
        shape[one.axis] = one.length
        count = 1 if one.kind in roots.HALVES else 2
    if {operand.dtype for operand in operands} - {BFLOAT16} != {FLOAT32} or operands[planes - 1].shape != operands[0].shape:
        raise InvalidCallError(f"fourier takes float32 planes of one shape, not {operands}")
    return (Signature(tuple(shape), FLOAT32),) * count, (planes, operands[0].shape, transforms, smallest)


def _in_steps(*operands: object) -> Sequence[Node]:
    """Transform along one axis after the other."""
    *nodes, planes, _, transforms, smallest = operands
    assert isinstance(smallest, int)
    assert isinstance(planes, int)
    assert isinstance(transforms, tuple)
    found = tuple([node for node in nodes[:planes] if isinstance(node, Node)])
    given = iter([node for node in nodes[planes:] if isinstance(node, Node)])
    for some, wanted in stages(transforms, found[0].shape, planes, smallest):
        constants = [tuple(itertools.islice(given, constant.planes)) for constant in wanted]
        if len(some) > 1:
            found = several_axes(found, some, constants[0], smallest)
        else:
            found = transformed(found, some[0], iter(constants), smallest)
    return found


def _time(
    costs: Costs, _results: tuple[Signature, ...], _planes: int, _shape: tuple[int, ...], transforms: tuple[Transform, ...], _smallest: int
) -> float:
    """Estimate the start of each; there is one way."""
    return len(transforms) * costs.transfer_waits


declare(Kernel("fourier", _rule, None, "Fourier transform", "{1}", variants=(Variant("in steps", _time, expand=_in_steps),)))


def _nodes(builder: Builder, constant: Constant, rows: DType) -> tuple[Node, ...]:
    """Give numbers to the device, once; those that rows are multiplied by in a dtype that is chosen."""
    dtype = rows if constant.make in roots.OF_ROWS else COMPLEX64 if constant.planes == 2 else FLOAT32
    found = builder.constants.get((constant, dtype))
    if found is None:
        made = constant.make(*constant.parameters).astype(dtype)
        found = builder.constants[constant, dtype] = builder.from_host(made, copy=True)
    return found.read()


def transform(builder: Builder, value: Value, transforms: tuple[Transform, ...]) -> Value:
    """Transform along axes."""
    if builder.promotion.default_float == FLOAT64 and value.dtype.kind in "biu":
        value = converted(builder, value, FLOAT64)
    rung = asked_rung(value.dtype, [one.n for one in transforms])
    if is_double(value.dtype):
        return transform_wide(builder, value, transforms)
    planes = _prepared(builder, value)
    if rung in EXACT:
        narrow, wide = (COMPLEX64, COMPLEX128) if len(planes) == 2 else (FLOAT32, FLOAT64)
        found = transform_wide(builder, converted(builder, builder.make(planes, narrow), wide), transforms)
        return converted(builder, found, COMPLEX64 if found.dtype == COMPLEX128 else FLOAT32)
    given: list[Node] = []
    smallest = smallest_tile(builder.target)
    for _, wanted in stages(transforms, value.shape, len(planes), smallest):
        for constant in wanted:
            given += _nodes(builder, constant, row_factors(builder.target, rung))
    results = call("fourier", *planes, *given, planes=len(planes), transforms=transforms, smallest=smallest)
    return builder.make(results, COMPLEX64 if len(results) == 2 else FLOAT32)


def _prepared(builder: Builder, value: Value) -> tuple[Node, ...]:
    if value.dtype not in (COMPLEX64, FLOAT32) and not is_low_precision(value.dtype) and value.dtype.kind not in "biu":
        raise NotNativeError(f"it has no kernel for {value.dtype} yet")
    return convert(value.read(), value.dtype, COMPLEX64 if value.dtype.kind == "c" else FLOAT32)


def _one(kind: str) -> Callable[..., Value]:
    def run(builder: Builder, value: Value, *, n: int, axis: int, norm: str) -> Value:
        return transform(builder, value, (Transform(kind, axis, n, norm),))

    return run


def _many(kind: str) -> Callable[..., Value]:
    """Transform along several axes, of which one may be given twice."""
    last = {"rfftn": "rfft", "irfftn": "irfft"}.get(kind)
    one = "ifft" if kind in ("ifftn", "irfftn") else "fft"

    def run(builder: Builder, value: Value, *, s: tuple[int, ...], axes: tuple[int, ...], norm: str) -> Value:
        if not axes:
            return builder.result(value.read(), value.dtype)
        found = [Transform(one, axis, length, norm) for axis, length in zip(axes, s, strict=True)]
        if last is not None:
            found[-1] = found[-1]._replace(kind=last)
        if last != "irfft":  # from the last axis to the first one, whose length stays where an axis is given twice
            found.reverse()
        return transform(builder, value, tuple(found))

    return run


LOWERINGS: Final[Lowerings] = {
    **{f"{library}.{kind}": _one(kind) for library in ("fft", "numpy.fft") for kind in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")},
    **{
        f"{library}.{name}": _many(kind)
        for library in ("fft", "numpy.fft")
        for kind in ("fftn", "ifftn", "rfftn", "irfftn")
        for name in (kind, f"{kind[:-1]}2")
    },
}
