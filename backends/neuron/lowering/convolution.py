"""Convolutions and correlations of sequences: products of overlapping windows, which one access pattern reads, with the other sequence."""

from __future__ import annotations

from typing import Final

import numpy as np

from ...dtypes import FLOAT32
from ..graph.build import call as build_call
from ..value import Value
from . import Builder, Lowerings
from .concatenation import assemble
from .joining import flat
from .op_calls import call, converted, in_float32
from .operands import check_dtype

__all__: list[str] = []

_MANY: Final = 1 << 20
"""Products of float32 from which on those with zeros, on the Tensor Engine, take less time than those without."""
_LONG: Final = 2048
"""Elements of a window whose Toeplitz matrix lies in SBUF."""
_SHORT: Final = 512  # elements of a window, which stay on a partition with what they are multiplied by; longer ones lie in HBM

@in_float32
def _convolve(builder: Builder, first: Value, second: Value, *, mode: str) -> Value:
    first, second = flat(first), flat(second)
    if first.size < second.size:
        first, second = second, first
    return _slid(builder, first, second.view(second.shadow[::-1]), mode)


@in_float32
def _correlate(builder: Builder, first: Value, second: Value, *, mode: str) -> Value:
    first, second = flat(first), flat(second)
    if second.dtype.kind == "c":
        second = call(builder, "conjugate", second)
    if first.size >= second.size:
        return _slid(builder, first, second, mode)
    result = _slid(builder, second, first, mode)  # the other way round, which turns the result around
    return builder.make(result.view(result.shadow[::-1]).read(), result.dtype)


def _slid(builder: Builder, sequence: Value, window: Value, mode: str) -> Value:
    """Multiply a window, the shorter one, with the sequence at each of its places."""
    dtype = builder.promotion.result_type(sequence.dtype, window.dtype)
    check_dtype(dtype)
    sequence, length = converted(builder, sequence, dtype), window.size
    before = {"full": length - 1, "same": length // 2, "valid": 0}[mode]
    after = {"full": length - 1, "same": length - 1 - length // 2, "valid": 0}[mode]
    inside = (slice(before, before + sequence.size),)
    framed = assemble(builder, (before + sequence.size + after,), dtype, [(inside, sequence.read())], 0)
    if dtype == FLOAT32 and length <= _LONG and (framed.size - length + 1) * length >= _MANY:
        return builder.make(build_call("sliding product", *framed.read(), *window.read()), dtype)
    windows = framed.view(np.lib.stride_tricks.sliding_window_view(framed.shadow, length))
    if dtype != FLOAT32 or length > _SHORT:
        return call(builder, "matmul", windows, window)
    return call(builder, "sum", call(builder, "multiply", windows, window), -1)


LOWERINGS: Final[Lowerings] = {"convolve": _convolve, "correlate": _correlate}
