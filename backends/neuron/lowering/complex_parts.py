"""Angles, writes to real and imaginary parts, and what the flat iterator reads and writes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...rules import NeedsValueError
from ...rules.indexing import getitem
from ..value import Value
from . import Builder, Lowerings, NotNativeError
from .joining import flat
from .op_calls import call, in_float32
from .operands import take_as

__all__: list[str] = []


def _set_part(number: int) -> Callable[..., None]:
    def run(builder: Builder, value: Value, values: Any) -> None:
        target = value
        if value.dtype.kind == "c":
            target = value.part(number)
        if type(values) is complex or (isinstance(values, (Value, np.generic)) and values.dtype.kind == "c"):
            raise NotNativeError("imaginary parts are dropped on the host")
        call(builder, "setitem", target, Ellipsis, values)

    return run


def _angle(builder: Builder, value: Value, deg: bool = False) -> Any:
    if value.dtype.kind != "c":
        parts: tuple[Any, ...] = 0, value
    else:
        parts = tuple(value.part(number) for number in (1, 0))
    angle = call(builder, "arctan2", *parts)
    return call(builder, "multiply", angle, 180 / math.pi) if deg else angle


def _flat_getitem(builder: Builder, value: Value, key: Any) -> Any:
    found = call(builder, "getitem", flat(value), key)
    result = builder.make(found.read(), found.dtype)
    result.detached = found.detached
    return result


def _flat_setitem(builder: Builder, value: Value, key: Any, values: Any) -> None:
    if not value.flags.c_contiguous:
        raise NotNativeError("elements that are not evenly spaced are written one after the other on the host")
    row = value.view(value.shadow.reshape(-1))
    given = take_as(builder, values, value.dtype)
    if isinstance(given, Value):
        given = flat(given)
        try:
            chosen = getitem(builder.promotion, row, key)
        except NeedsValueError as missing:
            raise NotNativeError("values are written to what a mask selects on the host") from missing
        if given.size not in (1, chosen.size):
            raise NotNativeError("values are repeated or cut on the host")
        given = given.view(given.shadow.reshape(() if given.size == 1 else chosen.shape))
    call(builder, "setitem", row, key, given)


LOWERINGS: Final[Lowerings] = {
    "angle": in_float32(_angle),
    "ndarray.real.set": _set_part(0),
    "ndarray.imag.set": _set_part(1),
    "ndarray.flat.getitem": _flat_getitem,
    "ndarray.flat.setitem": _flat_setitem,
}
