"""Where a view is, in bytes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

__all__ = ["Geometry"]


class Geometry(NamedTuple):
    """
    A view in bytes of the memory it is in.

    Attributes
    ----------
    shape : tuple of int
        Extents.
    dtype : np.dtype
        Of the elements.
    offset : int
        Of the first element.
    strides : tuple of int
        From element to element.
    whole : bool
        Whether it covers its storage.
    """

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    offset: int
    strides: tuple[int, ...]
    whole: bool
