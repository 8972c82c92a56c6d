"""Reference number formats: one rounding from float32 into each of NKI's dtypes, written without the simulator's casts."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

__all__ = ["BITS", "FLOATS", "INTEGERS", "UNIT", "decode", "encode", "fits", "flush", "single", "stored"]

Array = NDArray[Any]
UNIT: Final = 2.0**-24  # unit roundoff of float32


class _Float(NamedTuple):
    stored: Any
    precision: int
    smallest: int  # exponent of the smallest normal number
    largest: float
    infinite: bool = True


FLOATS: Final[dict[str, _Float]] = {
    "float32": _Float(np.float32, 24, -126, float(np.finfo(np.float32).max)),
    "tfloat32": _Float(np.float32, 11, -126, (2 - 2.0**-10) * 2.0**127),
    "bfloat16": _Float(ml_dtypes.bfloat16, 8, -126, (2 - 2.0**-7) * 2.0**127),
    "float16": _Float(np.float16, 11, -14, 65504.0),
    "float8_e5m2": _Float(ml_dtypes.float8_e5m2, 3, -14, 57344.0),
    "float8_e4m3": _Float(ml_dtypes.float8_e4m3, 4, -6, 240.0),
    "float8_e4m3fn": _Float(ml_dtypes.float8_e4m3fn, 4, -6, 448.0, infinite=False),
}
INTEGERS: Final[dict[str, Any]] = {
    "int8": np.int8,
    "uint8": np.uint8,
    "int16": np.int16,
    "uint16": np.uint16,
    "int32": np.int32,
    "uint32": np.uint32,
}
BITS: Final = {name: 8 * np.dtype(kind).itemsize for name, kind in INTEGERS.items()}
_OTHERS: Final = {"bool_": np.uint8, "int64": np.int64}


def stored(dtype: str) -> np.dtype[Any]:
    """Tell how a dtype is stored."""
    if dtype in FLOATS:
        found: np.dtype[Any] = np.dtype(FLOATS[dtype].stored)
        return found
    other: np.dtype[Any] = np.dtype(INTEGERS.get(dtype) or _OTHERS[dtype])
    return other


def single(values: Any) -> Array:
    """Round to float32, to nearest even."""
    with np.errstate(all="ignore"):
        return np.asarray(values).astype(np.float32).astype(np.float64)


def flush(values: Array) -> Array:
    """Replace float32 denormals by zero of their sign."""
    return np.where(np.abs(values) < 2.0**-126, np.copysign(0.0, values), values)


def encode(values: Any, dtype: str) -> Array:
    """Round into a dtype: to nearest even, integers saturate."""
    values = np.asarray(values, np.float64)
    if dtype not in FLOATS:
        limits = np.iinfo(stored(dtype))
        whole = np.nan_to_num(np.rint(values), nan=0.0, posinf=2.0**62, neginf=-(2.0**62))
        return np.asarray(np.clip(whole, limits.min, limits.max).astype(limits.dtype))
    kind = FLOATS[dtype]
    with np.errstate(all="ignore"):
        step = np.exp2(np.maximum(np.frexp(values)[1] - 1, kind.smallest) - kind.precision + 1)
        rounded = np.where(np.isfinite(values), np.rint(values / step) * step, values)
        beyond = np.copysign(np.inf if kind.infinite else np.nan, values)
        return np.asarray(np.where(np.abs(rounded) > kind.largest, beyond, rounded).astype(kind.stored))


def decode(values: Array, dtype: str) -> Array:
    """Read stored elements as an engine does: as float32."""
    return values.astype(np.float64) if dtype in FLOATS else single(values.astype(np.float64))


def fits(found: Array, dtype: str, value: Array, bound: Array) -> NDArray[np.bool_]:
    """Whether stored results are what a float32 result within a bound of the exact one is rounded to."""
    value, bound = np.broadcast_to(value, found.shape), np.broadcast_to(bound, found.shape)
    with np.errstate(all="ignore"):
        slack = np.where(np.isfinite(value), bound, 0)
        low, high = (encode(single(end), dtype).astype(np.float64) for end in (value - slack, value + slack))
    seen = found.astype(np.float64)
    overflow = np.isnan(low) | np.isnan(high)  # of a format without infinities
    low, high = np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high)
    good = (seen >= low) & (seen <= high)
    spoilt = np.isnan(value)
    good = np.where(spoilt, np.isnan(seen) | (dtype not in FLOATS), good | (overflow & np.isnan(seen)))
    exact = overflow & (slack == 0) & ~spoilt
    return np.where(exact, np.isnan(seen), good)
