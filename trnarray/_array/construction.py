"""The constructor, NumPy's: an Array of a shape, without values or on a buffer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Self

import numpy as np

from ..backends.device import CPU
from ..backends.dtypes import FLOAT64, canonical_dtype
from ..backends.engine import engine_for
from ..backends.settings import get_default_device
from ..backends.shape import canonical_shape
from .base import ArrayBase

__all__ = ["Construction"]


class Construction(ArrayBase):
    """``trnarray.ndarray(shape, ...)``; `trnarray.empty` and `trnarray.asarray` are the usual ways to an Array."""

    __slots__ = ()

    def __new__(
        cls,
        shape: int | Sequence[int],
        dtype: Any = None,
        buffer: Any = None,
        offset: int = 0,
        strides: Sequence[int] | None = None,
        order: Literal["K", "A", "C", "F"] | None = None,
    ) -> Self:
        """
        Make an Array on the default device, with arbitrary values where there is no buffer.

        Parameters
        ----------
        shape : int or sequence of int
            The shape.
        dtype : dtype, optional
            The dtype; float64 by default.
        buffer : buffer, optional
            The memory with the elements.
        offset : int, optional
            The byte of the buffer where the first element begins.
        strides : sequence of int, optional
            The bytes from one element to the next along each axis.
        order : {"C", "F"}, optional
            The memory layout where there are no strides.

        Returns
        -------
        Array
            The Array.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.ndarray((2,), buffer=bytes([1, 2, 3]), offset=1, dtype=xp.uint8)
        Array([2, 3], dtype=uint8, device='cpu')
        """
        wanted = FLOAT64 if dtype is None else canonical_dtype(dtype)
        host: Any = np.ndarray(canonical_shape(shape, wanted), wanted, buffer, offset, strides, order)
        device = get_default_device()
        return cls._wrap(host if device is CPU else engine_for(device).from_host(host, copy=False), device)
