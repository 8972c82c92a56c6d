"""NKI's dtypes: strings, each stored in a NumPy dtype, and the one rounding from float32 into each of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BY_STORAGE",
    "DTYPES",
    "DType",
    "canonical",
    "from_float32",
    "is_float",
    "is_integer",
    "itemsize",
    "storage_dtype",
    "to_float32",
]

Array = NDArray[Any]


class DType(NamedTuple):
    """
    A row of the dtype table.

    Attributes
    ----------
    name : str
        What NKI calls it.
    storage : np.dtype
        How it is stored.
    kind : str
        ``"float"``, ``"int"``, ``"uint"``, ``"bool"`` or ``"packed"`` (four small floats in one element).
    """

    name: str
    storage: np.dtype[Any]
    kind: str


def _row(name: str, storage: Any, kind: str) -> tuple[str, DType]:
    return name, DType(name, np.dtype(storage), kind)


DTYPES: Final[dict[str, DType]] = dict(
    [
        _row("bool_", np.uint8, "bool"),
        _row("int8", np.int8, "int"),
        _row("int16", np.int16, "int"),
        _row("int32", np.int32, "int"),
        _row("int64", np.int64, "int"),  # scalar_load, scalar_store and DMA only
        _row("uint8", np.uint8, "uint"),
        _row("uint16", np.uint16, "uint"),
        _row("uint32", np.uint32, "uint"),
        _row("float16", np.float16, "float"),
        _row("bfloat16", ml_dtypes.bfloat16, "float"),
        _row("tfloat32", np.float32, "float"),  # a float32 whose mantissa has 10 bits
        _row("float32", np.float32, "float"),
        _row("float8_e4m3", ml_dtypes.float8_e4m3, "float"),  # the older one, with infinities and a largest value of 240
        _row("float8_e4m3fn", ml_dtypes.float8_e4m3fn, "float"),
        _row("float8_e5m2", ml_dtypes.float8_e5m2, "float"),
        _row("float8_e8m0fnu", ml_dtypes.float8_e8m0fnu, "float"),  # a power of two: the scale of a block
        _row("float8_e4m3fn_x4", np.uint32, "packed"),
        _row("float8_e5m2_x4", np.uint32, "packed"),
        _row("float4_e2m1fn_x4", np.uint16, "packed"),
    ]
)

_FLOAT32: Final = np.dtype(np.float32)
_BFLOAT16: Final = np.dtype(ml_dtypes.bfloat16)
_SIZES: Final = {row.name: row.storage.itemsize for row in DTYPES.values()}
_INTEGERS: Final = [np.iinfo(row.storage) for row in DTYPES.values() if row.kind in ("bool", "int", "uint")]
_LIMITS: Final = {limits.dtype: (int(limits.min), int(limits.max)) for limits in _INTEGERS}
_NOT_NATIVE = {row.name for row in DTYPES.values() if row.kind in ("bool", "packed")} | {"tfloat32"}
BY_STORAGE: Final[dict[np.dtype[Any], str]] = {row.storage: row.name for row in DTYPES.values() if row.name not in _NOT_NATIVE}
BY_STORAGE[np.dtype(np.bool_)] = "bool_"


def canonical(dtype: object) -> str:
    """
    Name of a dtype.

    Examples
    --------
    >>> canonical("bfloat16"), canonical(np.float32), canonical(bool)
    ('bfloat16', 'float32', 'bool_')
    """
    if isinstance(dtype, str) and dtype in DTYPES:
        return dtype
    try:
        name = BY_STORAGE.get(np.dtype(dtype))  # type: ignore[call-overload]
    except TypeError:
        name = None
    if name is None:
        raise TypeError(f"NKI has no dtype {dtype!r}; use one of {', '.join(DTYPES)}")
    return name


def storage_dtype(dtype: str) -> np.dtype[Any]:
    """NumPy dtype that stores a dtype."""
    return DTYPES[dtype].storage


def itemsize(dtype: str) -> int:
    """Count the bytes of an element."""
    return _SIZES[dtype]


def is_float(dtype: str) -> bool:
    """Whether elements are floating-point numbers."""
    return DTYPES[dtype].kind == "float"


def is_integer(dtype: str) -> bool:
    """Whether elements are integers or booleans."""
    return DTYPES[dtype].kind in ("int", "uint", "bool")


def to_float32(values: Array) -> NDArray[np.float32]:
    """Convert to what an engine computes with: float32."""
    if values.dtype is _FLOAT32:
        return values
    if values.dtype == _BFLOAT16:  # as bits: three times as fast as the cast
        return np.left_shift(values.view(np.uint16), 16, dtype=np.uint32).view(np.float32)
    return values.astype(np.float32, copy=False)


def _to_tfloat32(values: NDArray[np.float32]) -> Array:
    bits = values.view(np.uint32)
    rounded = (bits + np.uint32(0xFFF) + ((bits >> np.uint32(13)) & np.uint32(1))) & np.uint32(0xFFFFE000)
    return np.where(np.isfinite(values), rounded, bits).view(np.float32)


def _to_integer(values: NDArray[np.float32], storage: np.dtype[Any], nan: str, out: Array | None = None) -> Array:
    least, most = _LIMITS[storage]
    near = np.rint(values)
    result = np.empty(values.shape, storage) if out is None else out
    smallest, largest = (float(of.reduce(near, axis=None)) if near.size else 0.0 for of in (np.minimum, np.maximum))
    if least <= smallest and largest <= most:  # not so with NaN
        signed = storage == np.uint32 and largest < 2.0**31  # a cast for which processors have an instruction
        np.copyto(result.view(np.int32) if signed else result, near, casting="unsafe")
        return result
    whole = near.astype(np.float64)
    unknown, beyond = np.isnan(whole), whole >= float(most)  # a float64 holds every bound but the upper one of int64, rounded up
    result[...] = np.where(unknown | beyond, 0, np.maximum(whole, least)).astype(storage)
    result[beyond] = most
    result[unknown] = {"zero": 0, "largest": most, "smallest": least}[nan]
    return result


def _cast(storage: np.dtype[Any]) -> Callable[[NDArray[np.float32]], Array]:
    def convert(values: NDArray[np.float32]) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            return values.astype(storage)

    return convert


def _rounding(row: DType) -> Callable[[NDArray[np.float32]], Array]:
    if row.name == "float32":
        return lambda values: values
    return _to_tfloat32 if row.name == "tfloat32" else _cast(row.storage)


_ROUNDINGS: Final = {row.name: _rounding(row) for row in DTYPES.values() if row.kind == "float"}


def from_float32(values: NDArray[np.float32], dtype: str, nan: str = "zero", out: Array | None = None) -> Array:
    """
    Round float32 results into a dtype, once; integers into an array, if one is given.

    Examples
    --------
    >>> from_float32(np.float32([0.5, 1.5, 300, np.nan]), "uint8").tolist()
    [0, 2, 255, 0]
    """
    rounding = _ROUNDINGS.get(dtype)
    return _to_integer(values, storage_dtype(dtype), nan, out) if rounding is None else rounding(values)
