"""Where a view is: its bytes, and the part of its address that is known at run time only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..registers import RuntimeValue

if TYPE_CHECKING:
    from .nkitensor import NkiTensor

__all__ = ["Geometry", "Indirection"]


class Indirection(NamedTuple):
    """
    The run-time part of a view's address.

    Attributes
    ----------
    kind : str
        ``"scalar"``: one offset for all; ``"vector"``: one per partition; ``"element"``: one per element of the free axis.
    source : NkiTensor, VirtualRegister or NkiScalar
        Where the offset comes from.
    stride : int
        Elements that a step of the offset moves.
    extent : int
        Offsets are below it.
    dim : int
        Axis of the view that takes part, -1 if it was removed.
    """

    kind: str
    source: NkiTensor | RuntimeValue
    stride: int
    extent: int
    dim: int


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
