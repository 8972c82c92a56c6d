"""The constructor, NumPy's: an Array of a shape, without values or on a buffer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Self

import numpy as np

from ..backends.dtypes import canonical_dtype
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

        See `numpy.ndarray.__new__`.

        Parameters
        ----------
        shape : int or sequence of int
            The shape.
        dtype : dtype, optional
            The dtype; by default the default device's for real numbers.
        buffer : buffer, optional
            The memory with the elements.
        offset : int, optional
            The byte of the buffer where the first element begins.
        strides : sequence of int, optional
            The bytes from one element to the next along each axis.
        order : {"C", "F"}, optional
            The memory layout where there are no strides.
        """
        device = get_default_device()
        engine = engine_for(device)
        wanted = engine.promotion.default_float if dtype is None else canonical_dtype(dtype)
        host: Any = np.ndarray(canonical_shape(shape, wanted), wanted, buffer, offset, strides, order)
        return cls._wrap(engine.from_host(host, copy=False), device)
