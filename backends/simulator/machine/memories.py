"""The memories of a core: what each tensor's bytes are, from its first use to its last."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dtypes import storage_dtype
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import MemoryRegion, Storage, is_hbm
from .memory import Buffer, Bytes, Mask

__all__ = ["Memories"]

Array = NDArray[Any]


class Memories:
    """
    The memories of a core.

    Parameters
    ----------
    uninitialized : {'error', 'nan', 'off'}
        What unwritten memory does.
    hbm : dict, optional
        HBM of the logical core, shared by its cores.
    """

    def __init__(self, uninitialized: str, hbm: dict[Storage, Buffer] | None = None) -> None:
        self.uninitialized = uninitialized
        self.hbm: dict[Storage, Buffer] = {} if hbm is None else hbm
        self._on_chip: dict[Storage, Buffer] = {}
        self._placed: dict[MemoryRegion, Buffer] = {}  # all of a memory, for tensors with explicit addresses
        self._free: dict[int, list[Bytes]] = {}  # of dead tensors, by size: memory from the system costs more than what is done in it

    def bring(self, storage: Storage, values: Array) -> None:
        """Make an array an HBM tensor, without a copy."""
        self.hbm[storage] = Buffer(values.reshape(-1).view(np.uint8), written=Mask(storage.nbytes, full=True))

    def forget(self, storages: tuple[Storage, ...]) -> None:
        """Free tensors that are not used any more, or are made anew."""
        for storage in storages:
            buffer = self._on_chip.pop(storage, None)
            if buffer is None:
                continue
            if not buffer.part and storage.constant is None:
                self._free.setdefault(len(buffer.raw), []).append(buffer.raw)
            elif buffer.multiplied is not None:
                at = buffer.at(NkiTensor._of(storage)._bytes)  # in PSUM, the first matmul into what is placed there next overwrites
                if not any(storage.meets(other) for other in self._on_chip):
                    buffer.multiplied.remove(at)
                    if buffer.written is not None:
                        buffer.written.remove(at)

    def buffer(self, storage: Storage) -> Buffer:
        """Find the memory of a tensor; made at its first use."""
        found = self._on_chip.get(storage) or self.hbm.get(storage)
        if found is None:
            found = self._allocate(storage)
            self._undefine(storage, found)
            (self.hbm if is_hbm(storage.buffer) else self._on_chip)[storage] = found
        return found

    def declare(self, storage: Storage) -> None:
        """Take note, in the eager mode, that parts of a tensor may be read unwritten."""
        found = self._on_chip.get(storage) or self.hbm.get(storage)
        if found is not None:
            self._undefine(storage, found)

    def _undefine(self, storage: Storage, buffer: Buffer) -> None:
        """Poison what may be read unwritten and is, and count it as written."""
        for part in storage.undefined:
            if buffer.written is None:
                continue
            at = buffer.at(part)
            fresh_ones, values = ~buffer.written.elements(at), buffer.array(at)
            values[fresh_ones] = 4 if values.dtype.kind in "iu" else np.nan
            buffer.written.add(at)

    def _allocate(self, storage: Storage) -> Buffer:
        psum = storage.buffer is MemoryRegion.psum
        if storage.address is not None:
            whole = self._placed.get(storage.buffer)
            if whole is None:
                size = 128 * storage.pitch
                multiplied = Mask(size, mixed=True) if psum else None
                whole = Buffer(self._fresh(size, np.dtype(np.float32)), 0, self._tracking(size, mixed=True), multiplied)
                self._placed[storage.buffer] = whole
            partition, byte = storage.address
            return Buffer(whole.raw, partition * storage.pitch + byte, whole.written, whole.multiplied, part=True)
        size = storage.nbytes * (storage.shape[0] if storage.on_chip else 1)
        if storage.constant is not None:
            return Buffer(np.ascontiguousarray(storage.constant).reshape(-1).view(np.uint8), 0, Mask(size, full=True))
        return Buffer(self._fresh(size, storage_dtype(storage.dtype)), 0, self._tracking(size), Mask(size) if psum else None)

    def _fresh(self, nbytes: int, dtype: np.dtype[Any]) -> Bytes:
        """Find memory; its content is what reads of unwritten elements are to see."""
        free = self._free.get(nbytes)
        raw = free.pop() if free else np.empty(nbytes, np.uint8)
        if self.uninitialized == "off":
            raw[...] = 0
        elif self.uninitialized == "nan":
            raw.view(dtype)[...] = 4 if dtype.kind in "iu" else np.nan
        return raw

    def _tracking(self, nbytes: int, mixed: bool = False) -> Mask | None:
        return Mask(nbytes, mixed=mixed) if self.uninitialized == "error" else None
