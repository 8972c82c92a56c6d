"""Views that address their storage explicitly, or by values known at run time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..dtypes import canonical, itemsize
from ..registers import NkiScalar, RuntimeValue, VirtualRegister
from .storage import MemoryRegion
from .view import Indirection, V, View

__all__ = ["by_columns", "by_row", "by_rows", "explicit", "from_row"]


def _free_axis(tensor: View, method: str, dim: int) -> int:
    dim = tensor._axis(method, dim, first=1)
    if tensor._indirection is not None:
        tensor._refuse(method, "one run-time index per view", tensor, "a view for which is_indirect() is False")
    return dim


def _scalar(tensor: View, method: str, value: Any) -> View | RuntimeValue:
    """Check a run-time index: a register, a scalar or a tensor of one element."""
    if isinstance(value, NkiScalar):
        if value.is_comparison or (value.dtype == "int64" and tensor._storage.on_chip):
            tensor._refuse(method, "an offset on chip is 32-bit and no comparison", repr(value), "an int32 scalar")
    elif not isinstance(value, VirtualRegister):
        _integers(tensor, method, value, 1)
    return value  # type: ignore[no-any-return]


def _integers(tensor: View, method: str, value: Any, size: int | None) -> None:
    """Check a tensor of run-time indices; `size` None is one for each partition, or several in columns, as a DMA transpose takes."""
    good = getattr(value, "buffer", None) is MemoryRegion.sbuf and value.dtype in ("int32", "uint32")
    if not good or (value.ndim != 2 and value.size != value.shape[0] if size is None else value.size != size):
        tensor._refuse(
            method,
            "run-time indices are registers, scalars or 32-bit integers in SBUF",
            repr(value),
            f"shape {'(P, 1)' if size is None else '(1, 1)'}, int32 or uint32, sbuf",
        )


def _columns(tensor: View, method: str, vector: View) -> View:
    """Check the indices of rows: one for each partition, whatever the axes, or several in columns."""
    _integers(tensor, method, vector, None)
    return vector if vector.ndim == 2 else vector._view((vector.shape[0], 1), (vector.strides[0], 1), vector.offset)


def by_row(tensor: V, dim: int, index: Any) -> V:
    """One run-time index of an axis, which is removed."""
    dim = _free_axis(tensor, "select", dim)
    view = tensor._drop(dim, tensor.offset)
    view._indirection = Indirection("scalar", _scalar(tensor, "select", index), tensor.strides[dim], tensor.shape[dim], -1)
    return view


def from_row(tensor: V, dim: int, start: Any, size: int) -> V:
    """Slice of fixed size from a run-time start."""
    dim = _free_axis(tensor, "__getitem__", dim)
    if not 1 <= size <= tensor.shape[dim]:
        tensor._refuse("__getitem__", "nl.ds is within the axis", size, f"1..{tensor.shape[dim]}")
    shape = [*tensor.shape[:dim], size, *tensor.shape[dim + 1 :]]
    found = Indirection("scalar", _scalar(tensor, "__getitem__", start), tensor.strides[dim], tensor.shape[dim] - size + 1, dim)
    return tensor._view(shape, tensor.strides, tensor.offset, None, found)


def by_rows(tensor: V, dim: int, vector: View) -> V:
    """One run-time index of axis 0 for each partition of the other side."""
    if dim != 0 or tensor._storage.on_chip:
        tensor._refuse("vector_select", "rows of an HBM tensor are selected", f"axis {dim} in {tensor.buffer.value}", "axis 0, HBM")
    _free_axis(tensor, "vector_select", 0)
    found = Indirection("vector", _columns(tensor, "vector_select", vector), tensor.strides[0], tensor.shape[0], 0)
    return tensor._view([vector.shape[0], *tensor.shape[1:]], tensor.strides, tensor.offset, None, found)


def by_columns(tensor: V, index: View, num_elem: int | None) -> V:
    """Select columns at run-time offsets."""
    if not tensor._storage.on_chip or index.buffer is not MemoryRegion.sbuf or index.shape[0] != tensor.shape[0]:
        tensor._refuse(
            "indirect", "tensor and index are on chip with equal partitions", f"{tensor!r}, {index!r}", "index of shape (P, K) in SBUF"
        )
    if tensor._indirection is not None or tensor.ndim != 2:
        tensor._refuse("indirect", "columns of a 2-D view without a run-time index are selected", tensor, "a 2-D view")
    count = index.size if num_elem is None else num_elem
    if index.ndim != 2 or count < 1:
        tensor._refuse("indirect", "num_elem offsets are in a 2-D index", f"{index.shape}, num_elem={num_elem}", "(P, K), num_elem >= 1")
    found = Indirection("element", index, tensor.strides[1], tensor.shape[1], 1)
    return tensor._view([tensor.shape[0], count], tensor.strides, tensor.offset, None, found)


def explicit(
    tensor: V,
    pattern: Sequence[Sequence[int]],
    offset: int | None,
    scalar: Any,
    vector: View | None,
    dim: int,
    dtype: str | None,
) -> V:
    """View of a storage by an access pattern."""
    storage, dtype = tensor._storage, tensor.dtype if dtype is None else canonical(dtype)
    if offset is not None and tensor.offset != 0:
        tensor._refuse(
            "ap",
            "an explicit offset counts from the storage (access-pattern guide) or from the view (API reference)",
            f"offset={offset} on a view that begins at {tensor.offset}",
            "offset=None, or a tensor that is not a view",
        )
    start = tensor.offset * itemsize(tensor.dtype) if offset is None else offset * itemsize(dtype)
    first, rest = divmod(start, itemsize(dtype))
    if rest or not pattern or any(len(pair) != 2 or pair[1] < 1 for pair in pattern) or first < 0:
        tensor._refuse("ap", "the pattern is [[stride, count], ...] from a whole element", pattern, "counts >= 1, offset >= 0")
    strides, shape = [pair[0] for pair in pattern], [pair[1] for pair in pattern]
    free = storage.nbytes // itemsize(dtype)
    if storage.on_chip and strides[0] != free and shape[0] > 1:
        tensor._refuse("ap", "on chip the first pair steps from partition to partition", strides[0], f"{free}, the elements of a partition")
    if storage.on_chip:
        strides[0] = free
    _within(tensor, free, shape, strides, first, vector is not None)
    if scalar is not None and vector is not None:
        tensor._refuse("ap", "one run-time index per view", "scalar_offset and vector_offset", "one of them")
    at_run_time = _at_run_time(tensor, scalar, vector, dim, dtype) if scalar is not None or vector is not None else None
    return tensor._view(shape, strides, first, dtype, at_run_time)


def _within(tensor: View, free: int, shape: Sequence[int], strides: Sequence[int], first: int, rows_vary: bool) -> None:
    storage, steps = tensor._storage, [(c - 1) * s for s, c in zip(strides, shape, strict=True)]
    partition, column = divmod(first, free) if storage.on_chip else (0, first)
    inner = steps[1:] if storage.on_chip or rows_vary else steps
    low, high = column + sum(s for s in inner if s < 0), column + sum(s for s in inner if s > 0)
    if low < 0 or high >= free or (storage.on_chip and partition + shape[0] > storage.shape[0]):
        tensor._refuse(
            "ap",
            "the pattern stays within the tensor",
            f"elements {low}..{high}, {shape[0]} rows from {partition}",
            f"0..{free - 1} of {storage!r}",
        )


def _at_run_time(tensor: View, scalar: Any, vector: View | None, dim: int, dtype: str) -> Indirection:
    base = tensor._storage
    # The step and the bound of the index by each reading, where the axis exists; a reshaping of all of a tensor is a tensor itself.
    readings = {}
    if 0 <= dim < len(base.shape) and not tensor._bytes.whole:
        readings["storage's"] = math.prod(base.shape[dim + 1 :]), base.shape[dim]
    if 0 <= dim < tensor.ndim:
        readings["view's"] = tensor.strides[dim], tensor.shape[dim]
    if not readings or len({step for step, _ in readings.values()}) > 1:
        tensor._refuse(
            "ap",
            "a run-time index steps by the storage's axis (access-pattern guide) or by the view's (API reference)",
            f"{' and '.join(f'{step} (the {of})' for of, (step, _) in readings.items()) or 'no axis'} for indirect_dim={dim}",
            "a tensor whose axis is that of its storage",
        )
    step, extent = next(iter(readings.values()))
    if base.on_chip and dim == 0:
        tensor._refuse("ap", "on chip the partition has no run-time index", dim, "indirect_dim >= 1")
    stride = step * itemsize(tensor.dtype) // itemsize(dtype)
    if vector is not None:
        vector = _columns(tensor, "ap", vector)
        if dim != 0 or base.on_chip:
            tensor._refuse("ap", "vector_offset selects rows of an HBM tensor", f"axis {dim} in {tensor.buffer.value}", "axis 0, HBM")
        return Indirection("vector", vector, stride, extent, 0)
    # The pattern may begin anywhere, so what bounds the index is the end of the tensor; execution checks it.
    return Indirection("scalar", _scalar(tensor, "ap", scalar), stride, extent, -1)
