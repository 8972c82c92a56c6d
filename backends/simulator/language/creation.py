"""Tensors made inside a kernel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..dtypes import BY_STORAGE, from_float32
from ..isa.move import memset
from ..program.trace import current_trace
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import MemoryRegion

__all__ = ["full", "ndarray", "ones", "shared_constant", "shared_identity_matrix", "zeros", "zeros_like"]

_SBUF = MemoryRegion.sbuf


def ndarray(shape: Any, dtype: Any, buffer: MemoryRegion = _SBUF, name: str = "", address: tuple[int, int] | None = None) -> NkiTensor:
    """Tensor that is not initialised. See `nki.language.ndarray`."""
    return current_trace("nl.ndarray").allocate(shape, dtype, buffer, name, address)


def full(shape: Any, fill_value: float, dtype: Any, buffer: MemoryRegion = _SBUF, name: str = "") -> NkiTensor:
    """Tensor filled with a constant. See `nki.language.full`."""
    trace = current_trace("nl.full")
    if MemoryRegion(buffer) in (MemoryRegion.private_hbm, MemoryRegion.shared_hbm):
        tensor = trace.allocate(shape, dtype, buffer, name)
        storage = tensor._storage
        if tensor._bytes.dtype.kind in "iu":
            storage.constant = np.full(storage.shape, int(fill_value), tensor._bytes.dtype)
        else:
            storage.constant = np.broadcast_to(from_float32(np.full((), fill_value, np.float32), tensor.dtype), storage.shape)
        return tensor
    tensor = trace.allocate(shape, dtype, buffer, name)
    memset(tensor, fill_value)
    return tensor


def zeros(shape: Any, dtype: Any, buffer: MemoryRegion = _SBUF, name: str = "") -> NkiTensor:
    """Tensor of zeros. See `nki.language.zeros`."""
    return full(shape, 0, dtype, buffer, name)


def ones(shape: Any, dtype: Any, buffer: MemoryRegion = _SBUF, name: str = "") -> NkiTensor:
    """Tensor of ones. See `nki.language.ones`."""
    return full(shape, 1, dtype, buffer, name)


def zeros_like(x: NkiTensor, dtype: Any = None, buffer: MemoryRegion | None = None, name: str = "") -> NkiTensor:
    """Tensor of zeros of another's shape. See `nki.language.zeros_like`."""
    return zeros(x.shape, x.dtype if dtype is None else dtype, x.buffer if buffer is None else buffer, name)


def shared_constant(constant: Any) -> NkiTensor:
    """Tensor in HBM that holds constants. See `nki.language.shared_constant`."""
    values = np.load(constant) if isinstance(constant, str | Path) else np.asarray(constant)
    if values.dtype not in BY_STORAGE or values.dtype.itemsize == 8:
        raise TypeError(f"nl.shared_constant: dtype {values.dtype} is not supported; convert it to float32 or another NKI dtype")
    return current_trace("nl.shared_constant").allocate(values.shape, values.dtype, MemoryRegion.shared_hbm, constant=values)


def shared_identity_matrix(n: int, dtype: Any = "uint8", dst: NkiTensor | None = None) -> NkiTensor:
    """Identity matrix in SBUF. See `nki.language.shared_identity_matrix`."""
    from ..isa.dma import dma_copy

    tensor = ndarray((n, n), dtype) if dst is None else dst
    source = shared_constant(np.eye(n, dtype=tensor._bytes.dtype))
    dma_copy(tensor, source if source.dtype == tensor.dtype else source.view(tensor.dtype))
    return tensor
