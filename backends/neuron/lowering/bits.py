"""Bits of bytes, packed and unpacked."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...dtypes import BOOL, INT32
from ..value import Value
from . import Builder, Lowerings
from .concatenation import assemble, position
from .joining import row_or_axis
from .op_calls import call, converted
from .operands import convert

__all__: list[str] = []

_BYTE = np.dtype(np.uint8)


def _shifts(builder: Builder, bitorder: str) -> Value:
    shifts = np.arange(8, dtype=np.int32)
    return builder.from_host(shifts if bitorder == "little" else shifts[::-1], copy=True)


def _packbits(builder: Builder, value: Value, *, axis: int | None, bitorder: str) -> Any:
    value, axis = row_or_axis(value, axis)
    shifts = _shifts(builder, bitorder)
    moved = value.view(np.moveaxis(value.shadow, axis, -1))
    count = moved.shape[-1]
    whole = -(-count // 8) * 8
    bits = builder.make(convert(moved.read(), value.dtype, BOOL), BOOL)
    if whole != count:
        bits = assemble(builder, (*moved.shape[:-1], whole), BOOL, [(position(moved.ndim - 1, slice(0, count)), bits.read())], 0)
    parts = converted(builder, call(builder, "reshape", bits, (*moved.shape[:-1], whole // 8, 8)), INT32)
    packed = converted(builder, call(builder, "sum", call(builder, "left_shift", parts, shifts), -1, INT32), _BYTE)
    return builder.make(packed.view(np.moveaxis(packed.shadow, -1, axis)).read(), _BYTE)


def _unpackbits(builder: Builder, value: Value, *, axis: int | None, count: int | None, bitorder: str) -> Any:
    value, axis = row_or_axis(value, axis)
    shifts = _shifts(builder, bitorder)
    moved = value.view(np.moveaxis(value.shadow, axis, -1))
    spread = converted(builder, moved.view(moved.shadow[..., np.newaxis]), INT32)
    bits = call(builder, "bitwise_and", call(builder, "right_shift", spread, shifts), 1)
    length = moved.shape[-1] * 8
    row = call(builder, "reshape", converted(builder, bits, _BYTE), (*moved.shape[:-1], length))
    wanted = length if count is None else length + count if count < 0 else count
    if wanted > length:
        row = assemble(builder, (*moved.shape[:-1], wanted), _BYTE, [(position(moved.ndim - 1, slice(0, length)), row.read())], 0)
    some = row.view(np.moveaxis(row.shadow[..., :wanted], -1, axis))
    return builder.make(some.read(), _BYTE)


LOWERINGS: Final[Lowerings] = {"packbits": _packbits, "unpackbits": _unpackbits}
