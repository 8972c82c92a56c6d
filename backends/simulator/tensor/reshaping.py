"""Reordering, repeating, splitting and merging axes, and reading bits as another dtype, where the layout allows a view."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from ..dtypes import canonical, itemsize
from .view import V

__all__ = ["broadcast", "expand", "merge", "permute", "reinterpret", "reshape", "split", "squeeze"]


def permute(tensor: V, dims: Sequence[int]) -> V:
    """Reorder axes."""
    if sorted(dims) != list(range(tensor.ndim)):
        tensor._refuse("permute", "dims is a permutation of the axes", tuple(dims), f"of {tuple(range(tensor.ndim))}")
    if dims[0] != 0:
        tensor._axis("permute", 0, first=1)
    return tensor._view([tensor.shape[d] for d in dims], [tensor.strides[d] for d in dims], tensor.offset, None, tensor._moved(list(dims)))


def broadcast(tensor: V, dim: int, size: int) -> V:
    """Repeat an axis of one element."""
    dim = tensor._axis("broadcast", dim, first=1)
    if tensor.shape[dim] != 1 or size < 1:
        tensor._refuse("broadcast", "the axis has one element", tensor.shape[dim], 1)
    shape, strides = list(tensor.shape), list(tensor.strides)
    shape[dim], strides[dim] = size, 0
    return tensor._view(shape, strides, tensor.offset, None, tensor._indirection)


def expand(tensor: V, dim: int) -> V:
    """Insert an axis of one element."""
    dim = tensor._axis("expand_dim", dim, first=1, last=tensor.ndim + 1)
    stride = tensor.shape[dim] * tensor.strides[dim] if dim < tensor.ndim else 1
    moved = tensor._moved([*range(dim), None, *range(dim, tensor.ndim)])
    return tensor._view(
        [*tensor.shape[:dim], 1, *tensor.shape[dim:]], [*tensor.strides[:dim], stride, *tensor.strides[dim:]], tensor.offset, None, moved
    )


def squeeze(tensor: V, dim: int) -> V:
    """Remove an axis of one element."""
    dim = tensor._axis("squeeze_dim", dim, first=1)
    if tensor.shape[dim] != 1:
        tensor._refuse("squeeze_dim", "the axis has one element", tensor.shape[dim], 1)
    return tensor._drop(dim, tensor.offset)


def split(tensor: V, dim: int, shape: Sequence[int]) -> V:
    """Split an axis."""
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


def merge(tensor: V, start_dim: int, end_dim: int) -> V:
    """Merge neighbouring axes."""
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


def reshape(tensor: V, shape: Sequence[int]) -> V:
    """Give the elements other extents."""
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


def reinterpret(tensor: V, dtype: str) -> V:
    """Read the same bits as another dtype; the last axis is rescaled."""
    dtype, old = canonical(dtype), itemsize(tensor.dtype)
    new = itemsize(dtype)
    if old == new:
        return tensor._view(tensor.shape, tensor.strides, tensor.offset, dtype, tensor._indirection)
    if tensor._indirection is not None:
        tensor._refuse(
            "view", "bits are reinterpreted before run-time indices are attached", tensor, "a view for which is_indirect() is False"
        )
    scaled = [stride * old for stride in (*tensor.strides[:-1], tensor.offset)]
    last = tensor.shape[-1] * old
    if (
        (tensor.strides[-1] != 1 and tensor.shape[-1] != 1)
        or last % new
        or any(b % new for b, c in zip(scaled, (*tensor.shape[:-1], 2), strict=True) if c > 1)
    ):
        tensor._refuse(
            "view",
            "the last axis is contiguous and a whole number of new elements",
            f"{tensor.get_pattern()} as {dtype}",
            f"multiples of {new} bytes",
        )
    *strides, offset = (b // new for b in scaled)
    return tensor._view([*tensor.shape[:-1], last // new], [*strides, 1], offset, dtype)
