"""Splitting, merging and reshaping axes where the layout allows a view."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .nkitensor import NkiTensor

__all__ = ["merge", "reshape", "split"]


def split(tensor: NkiTensor, dim: int, shape: Sequence[int]) -> NkiTensor:
    """
    Split an axis.

    Parameters
    ----------
    tensor : NkiTensor
        What to view.
    dim : int
        The axis.
    shape : tuple of int
        Extents of its parts; one may be -1.

    Returns
    -------
    NkiTensor
        A view.
    """
    dim = tensor._axis("reshape_dim", dim, first=0 if len(shape) == 1 else 1)
    parts, known = list(shape), math.prod(extent for extent in shape if extent != -1)
    if parts.count(-1) == 1 and known > 0:
        parts[parts.index(-1)] = tensor.shape[dim] // known
    if math.prod(parts) != tensor.shape[dim] or min(parts) < 1:
        tensor._refuse("reshape_dim", "the parts multiply to the extent of the axis", tuple(shape), tensor.shape[dim])
    if len(parts) > 1:
        tensor._participates("reshape_dim", dim)
    strides = [tensor.strides[dim] * math.prod(parts[i + 1 :]) for i in range(len(parts))]
    moved = tensor._moved([*range(dim), *[dim if len(parts) == 1 else None] * len(parts), *range(dim + 1, tensor.ndim)])
    return tensor._view(
        [*tensor.shape[:dim], *parts, *tensor.shape[dim + 1 :]],
        [*tensor.strides[:dim], *strides, *tensor.strides[dim + 1 :]],
        tensor.offset,
        None,
        moved,
    )


def merge(tensor: NkiTensor, start_dim: int, end_dim: int) -> NkiTensor:
    """
    Merge neighbouring axes.

    Parameters
    ----------
    tensor : NkiTensor
        What to view.
    start_dim, end_dim : int
        First and last axis.

    Returns
    -------
    NkiTensor
        A view.
    """
    start, end = tensor._axis("flatten_dims", start_dim, first=1), tensor._axis("flatten_dims", end_dim, first=1)
    if start > end:
        tensor._refuse("flatten_dims", "start_dim <= end_dim", (start_dim, end_dim), "in order")
    if start == end:
        return tensor._view(tensor.shape, tensor.strides, tensor.offset, None, tensor._indirection)
    for axis in range(start, end + 1):
        tensor._participates("flatten_dims", axis)
    inner = [axis for axis in range(start, end + 1) if tensor.shape[axis] != 1]
    for outer, axis in itertools.pairwise(inner):
        if tensor.strides[outer] != tensor.strides[axis] * tensor.shape[axis]:
            tensor._refuse(
                "flatten_dims", "the axes lie one within the other in memory", tensor.get_pattern()[start : end + 1], "contiguous axes"
            )
    extent, stride = math.prod(tensor.shape[start : end + 1]), tensor.strides[inner[-1]] if inner else tensor.strides[end]
    moved = tensor._moved([*range(start), None, *range(end + 1, tensor.ndim)])
    return tensor._view(
        [*tensor.shape[:start], extent, *tensor.shape[end + 1 :]],
        [*tensor.strides[:start], stride, *tensor.strides[end + 1 :]],
        tensor.offset,
        None,
        moved,
    )


def reshape(tensor: NkiTensor, shape: Sequence[int]) -> NkiTensor:
    """
    Give the elements other extents.

    Parameters
    ----------
    tensor : NkiTensor
        What to view.
    shape : tuple of int
        Extents.

    Returns
    -------
    NkiTensor
        A view.
    """
    shape, vector = list(shape), tensor._indirection is not None and tensor._indirection.kind == "vector"
    if shape.count(-1) == 1:
        shape[shape.index(-1)] = tensor.size // max(1, -math.prod(shape))
    if math.prod(shape) != tensor.size or min(shape, default=1) < 1:
        tensor._refuse("reshape", "the number of elements stays", tuple(shape), f"{tensor.size} elements")
    if (tensor._storage.on_chip or vector) and shape[:1] != list(tensor.shape[:1]):
        tensor._refuse("reshape", "the partition axis keeps its extent", tuple(shape), f"shape[0] == {tensor.shape[0]}")
    if tensor._indirection is not None and tensor._indirection.dim > 0:
        tensor._participates("reshape", tensor._indirection.dim)
    keep = 1 if tensor._storage.on_chip or vector else 0
    dummy = np.lib.stride_tricks.as_strided(np.empty(1, np.int8), tensor.shape[keep:], tensor.strides[keep:])
    try:  # NumPy knows which strided layouts a shape can be viewed as; nothing is read
        strides = np.reshape(dummy, shape[keep:], copy=False).strides
    except ValueError:
        tensor._refuse("reshape", "the layout is that of the new shape", tensor.get_pattern(), f"a view of shape {tuple(shape)}")
    return tensor._view(shape, [*tensor.strides[:keep], *strides], tensor.offset, None, tensor._indirection)
