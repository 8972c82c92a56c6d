"""NkiTensor: a strided view of a storage. Every method is computed while tracing and copies nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NoReturn

from ..dtypes import canonical
from ..registers import RuntimeValue
from .access_pattern import by_columns, by_row, by_rows, explicit
from .assignment import assign
from .indexing import index
from .rearrange import rearrange
from .reshaping import broadcast, expand, merge, permute, reinterpret, reshape, split, squeeze
from .slicing import part, pick
from .storage import MemoryRegion, Storage
from .view import View

__all__ = ["NkiTensor"]


class NkiTensor(View):
    """
    A tensor: a strided view of a storage.

    Parameters
    ----------
    shape : tuple of int
        Extents.
    dtype : str
        NKI dtype.
    storage : Storage
        What it is a view of.
    buffer : MemoryRegion, optional
        Where the storage is.
    name : str, optional
        For messages.

    Attributes
    ----------
    strides : tuple of int
        Elements of the storage from one to the next along each axis.
    offset : int
        Element of the storage that the view begins at.
    """

    __slots__ = ()

    def __init__(self, shape: tuple[int, ...], dtype: str, storage: Any, buffer: MemoryRegion = MemoryRegion.sbuf, name: str = "") -> None:
        self.shape, self.dtype, self.buffer, self.name = tuple(shape), canonical(dtype), buffer, name
        self._storage = Storage(self.shape, self.dtype, buffer, name) if storage is None else storage
        self.strides = tuple(math.prod(self.shape[axis + 1 :]) for axis in range(len(self.shape)))
        self.offset = 0
        self._indirection, self._geometry = None, None

    @classmethod
    def _of(cls, storage: Storage) -> NkiTensor:
        return cls(storage.shape, storage.dtype, storage, storage.buffer, storage.name)

    @property
    def data(self) -> NkiTensor:
        """The tensor itself, so that grids of tiles (`language.tiles`) and tensors are used alike."""
        return self

    def __getitem__(self, key: object) -> NkiTensor:
        return index(self, key)

    def __setitem__(self, key: object, value: object) -> None:
        assign(index(self, key), value)

    def __iter__(self) -> NoReturn:
        raise TypeError("tensors are not iterable; loop over range(t.shape[0]) and index")

    def __bool__(self) -> bool:
        if self.size == 1:
            raise TypeError(
                "elements of a tensor are not known while the kernel is traced; use predication, or compare with None to see if it is given"
            )
        return True  # as NKI's, which says that there is a tensor

    def permute(self, dims: Sequence[int]) -> NkiTensor:
        """Reorder axes."""
        return permute(self, dims)

    def broadcast(self, dim: int, size: int) -> NkiTensor:
        """Repeat an axis of one element."""
        return broadcast(self, dim, size)

    def expand_dim(self, dim: int) -> NkiTensor:
        """Insert an axis of one element."""
        return expand(self, dim)

    def squeeze_dim(self, dim: int) -> NkiTensor:
        """Remove an axis of one element."""
        return squeeze(self, dim)

    def reshape_dim(self, dim: int, shape: Sequence[int]) -> NkiTensor:
        """Split an axis."""
        return split(self, dim, shape)

    def flatten_dims(self, start_dim: int, end_dim: int) -> NkiTensor:
        """Merge neighbouring axes."""
        return merge(self, start_dim, end_dim)

    def reshape(self, shape: Sequence[int]) -> NkiTensor:
        """Give the elements other extents."""
        return reshape(self, shape)

    def rearrange(self, src_pattern: tuple[Any, ...], dst_pattern: tuple[Any, ...], fixed_sizes: dict[str, int] | None = None) -> NkiTensor:
        """Split, reorder and merge axes by name."""
        return rearrange(self, src_pattern, dst_pattern, fixed_sizes or {})

    def slice(self, dim: int, start: int, end: int, step: int = 1) -> NkiTensor:
        """Part of an axis."""
        return part(self, dim, start, end, step)

    def select(self, dim: int, index: int | NkiTensor | RuntimeValue) -> NkiTensor:
        """One index of an axis, which is removed."""
        return pick(self, dim, index) if isinstance(index, int) else by_row(self, dim, index)

    def vector_select(self, dim: int, vector_offset: NkiTensor) -> NkiTensor:
        """One index of axis 0 for each partition of the other side."""
        return by_rows(self, dim, vector_offset)

    def ap(
        self,
        pattern: Sequence[Sequence[int]],
        offset: int | None = None,
        scalar_offset: NkiTensor | RuntimeValue | None = None,
        vector_offset: NkiTensor | None = None,
        indirect_dim: int = 0,
        dtype: str | None = None,
    ) -> NkiTensor:
        """Address the storage by an explicit access pattern."""
        return explicit(self, pattern, offset, scalar_offset, vector_offset, indirect_dim, dtype)

    def view(self, dtype: str) -> NkiTensor:
        """Read the same bits as another dtype; the last axis is rescaled."""
        return reinterpret(self, dtype)

    def reinterpret_cast(self, dtype: str) -> NkiTensor:
        """Older name of `view`."""
        return self.view(dtype)

    def indirect(self, index: NkiTensor, num_elem: int | None = None) -> NkiTensor:
        """Select columns at run-time offsets, as an operand of compute instructions (trn3)."""
        return by_columns(self, index, num_elem)
