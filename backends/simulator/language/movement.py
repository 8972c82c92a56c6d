"""Tiles loaded, stored, transposed, broadcast and multiplied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ..engines import engine
from ..isa.activation import activation
from ..isa.dma import dma_copy
from ..isa.dma_transpose import dma_transpose
from ..isa.gather import nc_n_gather
from ..isa.move import memset, tensor_copy
from ..isa.tensor_engine import nc_matmul, nc_transpose
from ..operators import OPERATORS
from ..tensor.assignment import provide
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import MemoryRegion
from .creation import ndarray

__all__ = ["broadcast_to", "expand_dims", "gather_flattened", "load", "load_transpose2d", "matmul", "store", "transpose"]

_PSUM, _SBUF, _HBM = MemoryRegion.psum, MemoryRegion.sbuf, MemoryRegion.private_hbm
_FACTORS: Final = ("float32", "tfloat32", "bfloat16", "float16")  # dtypes of products that are exact with ones
_MOVING: Final = 512


def _copied(x: NkiTensor, dtype: Any = None) -> NkiTensor:
    result = ndarray(x.shape, dtype or x.dtype)
    tensor_copy(result, x)
    return result


def load(src: NkiTensor, dtype: Any = None) -> NkiTensor:
    """Load a tensor. See `nki.language.load`."""
    result = ndarray(src.shape, dtype or src.dtype)
    dma_copy(result, src)
    return result


def store(dst: NkiTensor, value: NkiTensor) -> None:
    """Store a tile. See `nki.language.store`."""
    dma_copy(dst, value)


@provide
def _assign(dst: NkiTensor, value: Any) -> None:
    """Issue what ``t[key] = value`` stands for: a DMA from or to HBM, a copy on chip, or a memset of a number."""
    if not isinstance(value, NkiTensor):
        memset(dst, value)
    elif dst._storage.on_chip and value._storage.on_chip:
        tensor_copy(dst, value)
    else:
        dma_copy(dst, value)


def load_transpose2d(src: NkiTensor, dtype: Any = None) -> NkiTensor:
    """Load a matrix and transpose it. See `nki.language.load_transpose2d`."""
    result = ndarray((src.shape[1], src.shape[0]), src.dtype)
    dma_transpose(result, src)
    return result if dtype in (None, src.dtype) else _copied(result, dtype)


def expand_dims(x: NkiTensor, axis: int) -> NkiTensor:
    """Insert an axis of extent 1. See `nki.language.expand_dims`."""
    return x.expand_dim(axis if axis >= 0 else axis + x.ndim + 1)


def broadcast_to(x: NkiTensor, shape: Sequence[int], dtype: Any = None) -> NkiTensor:
    """Repeat axes of extent 1. See `nki.language.broadcast_to`."""
    shape, target = tuple(shape), dtype or x.dtype
    if len(shape) != x.ndim or any(old not in (1, new) for old, new in zip(x.shape, shape, strict=True)):
        raise ValueError(f"nl.broadcast_to: shape {x.shape} does not broadcast to {shape} of as many axes")
    if x.shape == shape:
        return x if target == x.dtype else _copied(x, target)
    if x.shape[0] != shape[0]:  # on chip no view repeats a partition
        x = _ones_times(x, shape[0]) if x.dtype in _FACTORS else _through_hbm(x, shape[0])
        if x.shape == shape and target == x.dtype:
            return x
    for axis in range(1, len(shape)):
        if x.shape[axis] != shape[axis]:
            x = x.broadcast(axis, shape[axis])
    return _copied(x, target)


def _ones_times(row: NkiTensor, partitions: int) -> NkiTensor:
    """Repeat a row as the product of ones with it, which the architecture guide calls partition broadcast: exact but for a zero's sign."""
    result = ndarray((partitions, *row.shape[1:]), row.dtype)
    flat = result.reshape((partitions, result.size // partitions))
    row = row if row.ndim == 2 and row.buffer is _SBUF else _copied(row).reshape((1, flat.shape[1]))
    ones = ndarray((1, partitions), row.dtype)
    memset(ones, 1.0, engine.gpsimd)  # products and copies run ahead of the Vector Engine, which is to use the result
    for start in range(0, flat.shape[1], _MOVING):
        columns = slice(start, min(start + _MOVING, flat.shape[1]))
        product = ndarray((partitions, columns.stop - start), "float32", _PSUM)
        nc_matmul(product, ones, row[:, columns])
        activation(flat[:, columns], OPERATORS["copy"], product)
    return result


def _through_hbm(row: NkiTensor, partitions: int) -> NkiTensor:
    """Repeat a row by storing it and loading it for every partition: any dtype, bit by bit."""
    stored = ndarray(row.shape, row.dtype, _HBM)
    dma_copy(stored, row if row.buffer is not _PSUM else _copied(row))
    result = ndarray((partitions, *row.shape[1:]), row.dtype)
    dma_copy(result, stored.broadcast(0, partitions))
    return result


def transpose(x: NkiTensor, dtype: Any = None) -> NkiTensor:
    """Transpose a matrix on the Tensor Engine. See `nki.language.transpose`."""
    result = ndarray((x.shape[1], x.shape[0]), x.dtype, _PSUM)
    nc_transpose(result, x)
    if dtype in (None, x.dtype):
        return result
    other = ndarray(result.shape, dtype, _PSUM)
    tensor_copy(other, result)
    return other


def matmul(x: NkiTensor, y: NkiTensor, transpose_x: bool = False) -> NkiTensor:
    """Multiply matrices: ``x @ y``, or ``x.T @ y``. See `nki.language.matmul`."""
    stationary = x if transpose_x else _copied(transpose(x))
    result = ndarray((stationary.shape[1], y.shape[1]), "float32", _PSUM)
    nc_matmul(result, stationary, y)
    return result


def gather_flattened(data: NkiTensor, indices: NkiTensor, axis: int = 0, dtype: Any = None) -> NkiTensor:
    """Take elements of each partition by their flat positions. See `nki.language.gather_flattened`."""
    if axis != 0:
        raise ValueError(f"nl.gather_flattened: axis is 0, not {axis}; elements are taken from the flattened free axes")
    result = ndarray(indices.shape, data.dtype)
    nc_n_gather(result, data, indices if indices.dtype == "uint32" else _copied(indices, "uint32"))
    return result if dtype in (None, data.dtype) else _copied(result, dtype)
