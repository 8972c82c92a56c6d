"""Operands: values and numbers as planes of the dtype in which an Op computes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...dtypes import BOOL, COMPLEX64, COMPLEX128, FLOAT32, FLOAT64, INT64, UINT64, DType, is_double
from ...host.cast import cast as host_cast
from ...host.cast import cast_weak
from ...promotion import check_weak_int
from ..dtypes import NKI_NAMES
from ..graph.build import broadcast, cast, elementwise, fill, scalar
from ..graph.graph import Node
from ..planes import plane_dtypes, split
from ..value import Value
from . import Builder, NotNativeError
from .binary64 import binary64, check_setting
from .wide_conversions import from_float, to_float

__all__ = ["check_dtype", "computes", "convert", "host_number", "operand", "take_as"]

_WORD = np.dtype(np.uint32)


def computes(dtype: DType) -> bool:
    """Tell whether a NeuronCore computes with a dtype, on one plane."""
    return dtype == BOOL or dtype in NKI_NAMES


def check_dtype(dtype: DType, source: DType | None = None) -> None:
    """Refuse dtypes that the device does not compute with, on one plane or several, and those that lose imaginary parts of others."""
    if is_double(dtype):
        check_setting()
    elif dtype not in (COMPLEX64, INT64, UINT64) and not computes(dtype):
        raise NotNativeError(f"it has no kernel for {dtype}")
    if source is not None and source.kind == "c" and dtype.kind != "c":
        raise NotNativeError("imaginary parts are dropped on the host")


def take_as(builder: Builder, item: Any, dtype: DType) -> Any:
    """Make a value of a sequence, or a number of one of Python's, that is written to an array of a dtype."""
    if isinstance(item, (list, tuple, range)):
        return builder.sequence(item, dtype)
    return host_number(item, dtype) if isinstance(item, (int, float, complex, np.generic)) else builder.operand(item)


def host_number(item: Any, dtype: DType) -> Any:
    """Convert a number on the host, with one rounding."""
    if type(item) is int:
        check_weak_int(item, dtype)
    if isinstance(item, np.generic):
        return host_cast(item, dtype)
    if dtype.kind not in "biufc":
        return cast_weak(item, dtype)
    with np.errstate(all="ignore"):
        return dtype.type(item)


def convert(planes: tuple[Node, ...], source: DType, target: DType) -> tuple[Node, ...]:
    """Convert planes from one dtype to another, as NumPy's casts do."""
    if source == target:
        return planes
    if COMPLEX128 in (source, target) or FLOAT64 in (source, target):
        return _with_binary64(planes, source, target)
    if target == BOOL and len(planes) > 1 and planes[0].dtype == _WORD:
        return (_any_bit(planes, signed_zero=source.kind in "fc"),)
    if target == COMPLEX64 and source.kind != "c":
        (part,) = convert(planes, source, FLOAT32)
        return part, fill(0, part.shape, FLOAT32)
    if source.kind == "c" and len(planes) == 2:
        if target == BOOL:
            parts = [elementwise("not_equal", plane, fill(0, (), plane.dtype), dtype=BOOL) for plane in planes]
            return (elementwise("logical_or", *parts, dtype=BOOL),)
        return convert(planes[:1], plane_dtypes(source)[0], target)
    if computes(source) and computes(target):
        if target == BOOL:
            return (elementwise("not_equal", planes[0], fill(0, (), planes[0].dtype), dtype=BOOL),)
        return (cast(planes[0], target),)
    if target in (INT64, UINT64) and source.kind in "biu" and computes(source):
        signed = source.kind == "i"
        low = cast(planes[0], np.dtype(np.int32 if signed else np.uint32))
        high = elementwise("right_shift", low, fill(31, (), low.dtype), dtype=low.dtype) if signed else fill(0, low.shape, low.dtype)
        return cast(high, _WORD), cast(low, _WORD)
    if source in (INT64, UINT64) and target in (INT64, UINT64):
        return planes
    if source in (INT64, UINT64) and computes(target):
        return (cast(planes[1], target) if target.kind in "iu" else to_float(planes, source == INT64, target),)
    if target in (INT64, UINT64) and computes(source):
        return from_float(cast(planes[0], FLOAT32), target == INT64)
    raise NotNativeError(f"{source} and {target} are converted to each other on the host")


def _with_binary64(planes: tuple[Node, ...], source: DType, target: DType) -> tuple[Node, ...]:
    """Convert from or to float64 and complex128."""
    if target == BOOL:
        return (_any_bit(planes, signed_zero=True),)
    if COMPLEX128 in (source, target):
        count = len(planes) // 2
        parts = (planes[:count], planes[count:]) if source.kind == "c" else (planes,)
        part = FLOAT64 if source == COMPLEX128 else FLOAT32 if source.kind == "c" else source
        if target.kind != "c":
            return convert(parts[0], part, target)
        found = [plane for one in parts for plane in convert(one, part, FLOAT64 if target == COMPLEX128 else FLOAT32)]
        imaginary = plane_dtypes(target)[len(found) :]
        return *found, *(fill(0, found[0].shape, dtype) for dtype in imaginary)
    check_setting()
    if source == FLOAT64:
        if target == COMPLEX64:
            (real,) = convert(planes, source, FLOAT32)
            return real, fill(0, real.shape, FLOAT32)
        if target in (INT64, UINT64) or target.kind in "iu":
            words: tuple[Node, ...] = binary64("to_int64", *planes)
            return words if target in (INT64, UINT64) else (cast(words[1], target),)
        if not computes(target):
            raise NotNativeError(f"float64 is converted to {target} on the host")
        return (cast(binary64("to_float32" if target == FLOAT32 else "to_odd_float32", *planes), target),)
    if source.kind == "c":
        return convert(planes[:1], FLOAT32, target)
    if source in (INT64, UINT64) or (source.kind in "iu" and source.itemsize == 4):
        wide = UINT64 if source == UINT64 else INT64
        found64: tuple[Node, ...] = binary64("from_uint64" if wide == UINT64 else "from_int64", *convert(planes, source, wide))
        return found64
    if not computes(source):
        raise NotNativeError(f"{source} is converted to float64 on the host")
    exact: tuple[Node, ...] = binary64("from_float32", cast(planes[0], FLOAT32))
    return exact


def _any_bit(words: tuple[Node, ...], signed_zero: bool) -> Node:
    """Tell which of the numbers that words carry are not zero."""
    bits = None
    for place, word in enumerate(words):
        if signed_zero and place % 2 == 0:  # the high one, which has the sign
            word = elementwise("bitwise_and", word, fill(0x7FFFFFFF, (), _WORD), dtype=_WORD)
        bits = word if bits is None else elementwise("bitwise_or", bits, word, dtype=_WORD)
    assert bits is not None
    return elementwise("not_equal", bits, fill(0, (), _WORD), dtype=BOOL)


def operand(builder: Builder, item: Any, dtype: DType, shape: tuple[int, ...]) -> tuple[Node, ...]:
    """Give an operand the dtype and the shape in which an Op computes."""
    if isinstance(item, Value):
        return tuple(broadcast(plane, shape) for plane in convert(item.read(), item.dtype, dtype))
    number = np.asarray(host_number(item, dtype), dtype)
    if number.ndim:
        raise ValueError(f"one number is wanted here, and not a sequence of shape {number.shape}; give one of its elements")
    return tuple(
        scalar(int(word) if plane.kind in "iu" else float(word), plane)
        for word, plane in zip((part.reshape(-1)[0] for part in split(number)), plane_dtypes(dtype), strict=True)
    )
