"""Casts of the host engine: NumPy's, but correctly rounded into the dtypes of ml_dtypes.

ml_dtypes converts float64 and wide integers by way of float32 and so rounds twice. Rounding the first step to odd
(S. Boldo, G. Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd", IEEE
Trans. Computers 57, 2008) makes the second rounding the only one that counts.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..dtypes import FLOAT8_E8M0FNU

__all__ = ["cast", "to_odd_float32"]

_FIRST_EXTRA = 256  # NumPy numbers the dtypes of extension modules from here
_STICKY_BITS = 11  # what an int64 has more than a float64's 53 bits


def cast(value: Any, dtype: np.dtype[Any], *, copy: bool = True) -> npt.NDArray[Any]:
    """
    Convert to another dtype with one rounding.

    Parameters
    ----------
    value : ndarray or NumPy scalar
        Of any supported dtype.
    dtype : dtype
        The dtype to convert to.
    copy : bool, optional
        If False, give `value` itself where it has that dtype already.

    Returns
    -------
    ndarray or NumPy scalar
        The converted value: a scalar for a scalar.

    Examples
    --------
    >>> import ml_dtypes, numpy as np
    >>> x = np.array(1 + 2**-8 + 2**-40)  # just above the midpoint of two bfloat16
    >>> print(x.astype(ml_dtypes.bfloat16), cast(x, np.dtype(ml_dtypes.bfloat16)))
    1 1.00781
    """
    source = value.dtype
    if FLOAT8_E8M0FNU in (source, dtype) and source != dtype and source.itemsize == dtype.itemsize == 1:
        value = value.astype(np.float32)  # ml_dtypes has no casts between this one and the other float8 kinds; float32 holds both
    if dtype.num >= _FIRST_EXTRA and source.itemsize > 2 and source.kind in "iuf" and source != np.float32:
        value = to_odd_float32(value)
    result: npt.NDArray[Any] = value.astype(dtype, copy=copy)
    return result


def to_odd_float32(value: Any) -> npt.NDArray[np.float32]:
    """
    Convert float64 or integers to float32, rounding to odd.

    Parameters
    ----------
    value : ndarray or NumPy scalar
        Of dtype float64 or an integer dtype.

    Returns
    -------
    ndarray or NumPy scalar of float32
        The value where float32 holds it, else the one of its two neighbours whose last bit is 1.
    """
    if value.dtype.kind in "iu":
        if value.dtype.itemsize == 8:
            lost = (value & ((1 << _STICKY_BITS) - 1)) != 0
            value = ((value >> _STICKY_BITS) | lost.astype(value.dtype)).astype(np.float64) * float(1 << _STICKY_BITS)
        else:
            value = value.astype(np.float64)
    with np.errstate(over="ignore"):
        nearest = np.asarray(value.astype(np.float32))
    inexact = (nearest != value) & ~np.isnan(value)
    bits = nearest.view(np.uint32)
    bits = bits - (np.abs(nearest) > np.abs(value))
    bits = np.where(inexact, bits | np.uint32(1), bits).astype(np.uint32)
    result: npt.NDArray[np.float32] = bits.view(np.float32)
    return result if isinstance(value, np.ndarray) else result[()]
