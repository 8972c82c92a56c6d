"""Parts of an axis, and single indices of it, known while tracing."""

from __future__ import annotations

from .view import V

__all__ = ["part", "pick"]


def part(tensor: V, dim: int, start: int, end: int, step: int = 1) -> V:
    """Part of an axis."""
    dim = tensor._axis("slice", dim)
    if not 0 <= start < end <= tensor.shape[dim] or step < 1:
        tensor._refuse("slice", "0 <= start < end <= extent, step >= 1", f"{start}:{end}:{step}", f"extent {tensor.shape[dim]}")
    if tensor._storage.on_chip and dim == 0 and step != 1 and end - start > step:
        tensor._refuse("slice", "partitions have no stride", step, 1)
    tensor._participates("slice", dim)
    shape, strides = list(tensor.shape), list(tensor.strides)
    shape[dim] = -(-(end - start) // step)
    if not (tensor._storage.on_chip and dim == 0):
        strides[dim] *= step
    return tensor._view(shape, strides, tensor.offset + start * tensor.strides[dim], None, tensor._indirection)


def pick(tensor: V, dim: int, index: int) -> V:
    """One index of an axis, which is removed."""
    dim = tensor._axis("select", dim, first=1)
    if not 0 <= index < tensor.shape[dim]:
        tensor._refuse("select", "the index is within the axis", index, f"0..{tensor.shape[dim] - 1}")
    tensor._participates("select", dim)
    return tensor._drop(dim, tensor.offset + index * tensor.strides[dim])
