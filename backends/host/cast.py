"""Casts of the host engine: NumPy's, but correctly rounded into the dtypes of ml_dtypes.

ml_dtypes converts float64 and wide integers by way of float32 and so rounds twice. Rounding the first step to odd
(S. Boldo, G. Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd", IEEE
Trans. Computers 57, 2008) makes the second rounding the only one that counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..dtypes import FIRST_EXTRA, FLOAT8_E8M0FNU, FLOAT64, DType

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["cast", "cast_weak", "to_odd_float32"]

_LEAST_POWER: Final = 2.0**-127  # of float8_e8m0fnu
_EXACT: Final = 53  # bits that a float64 holds
_STICKY: Final = 2048  # the last bit of a 64-bit integer that a float64 holds beside the first


def cast(value: Any, dtype: DType, *, copy: bool = True) -> npt.NDArray[Any]:
    """
    Convert to another dtype with one rounding.

    Examples
    --------
    >>> import ml_dtypes, numpy as np
    >>> x = np.array(1 + 2**-8 + 2**-40)  # just above the midpoint of two bfloat16
    >>> print(x.astype(np.float32).astype(ml_dtypes.bfloat16), cast(x, np.dtype(ml_dtypes.bfloat16)))
    1 1.00781
    """
    source = value.dtype
    if dtype.num >= FIRST_EXTRA:
        if source.kind == "c":
            value = value.astype(FLOAT64)  # NumPy warns that it discards the imaginary part; ml_dtypes does not
        if value.dtype.itemsize > 2 and source.kind in "iufc" and source != np.float32:
            value = to_odd_float32(value)
    if source == FLOAT8_E8M0FNU != dtype or dtype == FLOAT8_E8M0FNU != source:
        value = value.astype(np.float32)  # ml_dtypes has no casts between this one and the other float8 kinds; float32 holds both
        if dtype == FLOAT8_E8M0FNU:  # for which ml_dtypes takes all that is above the least power of two to the next
            powers = np.where((value > 0) & (value < 1.5 * _LEAST_POWER), np.float32(_LEAST_POWER), value)
            value = powers if isinstance(value, np.ndarray) else powers[()]
    result: npt.NDArray[Any] = value.astype(dtype, copy=copy)
    return result


def cast_weak(value: float, dtype: DType) -> Any:
    """
    Convert a Python scalar to a floating dtype with one rounding.

    Examples
    --------
    >>> import ml_dtypes, numpy as np
    >>> float(cast_weak(2**72 + 2**64 + 1, np.dtype(ml_dtypes.bfloat16))) / 2**65
    129.0
    """
    if type(value) is int:
        shift = max(value.bit_length() - _EXACT, 0)
        lost = value & ((1 << shift) - 1) != 0
        value = float(((value >> shift) | lost) << shift)  # rounded to odd, so that the next rounding is the only one
    return cast(np.float64(value), dtype)


def to_odd_float32(value: Any) -> Any:
    """Convert float64 or integers to float32, rounding to odd."""
    wide = np.asarray(value)
    if wide.dtype.kind in "iu":
        if wide.dtype.itemsize == 8:
            low = wide & (_STICKY - 1)
            odd = (wide - low) | (low != 0) * wide.dtype.type(_STICKY)
            wide = np.where(np.abs(wide.astype(np.float64)) < 2.0**_EXACT, wide, odd)
        wide = wide.astype(np.float64)
    with np.errstate(over="ignore", under="ignore"):
        nearest = np.asarray(wide.astype(np.float32))
    inexact = (nearest != wide) & ~np.isnan(wide)
    bits = nearest.view(np.uint32)
    bits = bits - (np.abs(nearest) > np.abs(wide))
    bits = np.where(inexact, bits | np.uint32(1), bits).astype(np.uint32)
    result: npt.NDArray[np.float32] = bits.view(np.float32)
    return result if isinstance(value, np.ndarray) else result[()]
