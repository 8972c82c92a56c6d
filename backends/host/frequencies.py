"""Sample frequencies of the discrete Fourier transform, in a dtype of choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..dtypes import KINDS
from .cast import cast

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["fftfreq", "rfftfreq"]


def fftfreq(n: int, /, *, d: float = 1.0, dtype: np.dtype[Any] | None = None) -> npt.NDArray[Any]:
    """
    List the sample frequencies of a transform of length `n`.

    NumPy's, rounded once to `dtype`.

    Examples
    --------
    >>> import numpy as np
    >>> fftfreq(4, dtype=np.dtype(np.float32))
    array([ 0.  ,  0.25, -0.5 , -0.25], dtype=float32)
    """
    return _cast(np.fft.fftfreq(n, d), dtype)


def rfftfreq(n: int, /, *, d: float = 1.0, dtype: np.dtype[Any] | None = None) -> npt.NDArray[Any]:
    """
    List the sample frequencies of a real transform of length `n`.

    NumPy's, rounded once to `dtype`.
    """
    return _cast(np.fft.rfftfreq(n, d), dtype)


def _cast(frequencies: npt.NDArray[Any], dtype: np.dtype[Any] | None) -> npt.NDArray[Any]:
    if dtype is None:
        return frequencies
    dtype = np.dtype(dtype)
    if KINDS.get(dtype) != "real floating":
        raise TypeError(f"dtype of frequencies is {dtype}; use a real floating-point dtype such as float32")
    return cast(frequencies, dtype, copy=False)
