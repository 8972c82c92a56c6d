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
        """
        The tensor itself, so that grids of tiles (`language.tiles`) and tensors are used alike.

        Returns
        -------
        NkiTensor
            This tensor.
        """
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
        """
        Reorder axes.

        Parameters
        ----------
        dims : tuple of int
            A permutation; on chip it begins with 0.

        Returns
        -------
        NkiTensor
            A view.
        """
        return permute(self, dims)

    def broadcast(self, dim: int, size: int) -> NkiTensor:
        """
        Repeat an axis of one element.

        Parameters
        ----------
        dim : int
            The axis, on chip not 0.
        size : int
            How often.

        Returns
        -------
        NkiTensor
            A view.
        """
        return broadcast(self, dim, size)

    def expand_dim(self, dim: int) -> NkiTensor:
        """
        Insert an axis of one element.

        Parameters
        ----------
        dim : int
            Where, on chip not 0.

        Returns
        -------
        NkiTensor
            A view.
        """
        return expand(self, dim)

    def squeeze_dim(self, dim: int) -> NkiTensor:
        """
        Remove an axis of one element.

        Parameters
        ----------
        dim : int
            The axis, on chip not 0.

        Returns
        -------
        NkiTensor
            A view.
        """
        return squeeze(self, dim)

    def reshape_dim(self, dim: int, shape: Sequence[int]) -> NkiTensor:
        """
        Split an axis.

        Parameters
        ----------
        dim : int
            The axis, on chip not 0.
        shape : tuple of int
            Extents of its parts; one may be -1.

        Returns
        -------
        NkiTensor
            A view.
        """
        return split(self, dim, shape)

    def flatten_dims(self, start_dim: int, end_dim: int) -> NkiTensor:
        """
        Merge neighbouring axes.

        Parameters
        ----------
        start_dim, end_dim : int
            First and last axis, on chip not 0.

        Returns
        -------
        NkiTensor
            A view.
        """
        return merge(self, start_dim, end_dim)

    def reshape(self, shape: Sequence[int]) -> NkiTensor:
        """
        Give the elements other extents.

        Parameters
        ----------
        shape : tuple of int
            Extents; on chip the partition keeps its own.

        Returns
        -------
        NkiTensor
            A view.
        """
        return reshape(self, shape)

    def rearrange(self, src_pattern: tuple[Any, ...], dst_pattern: tuple[Any, ...], fixed_sizes: dict[str, int] | None = None) -> NkiTensor:
        """
        Split, reorder and merge axes by name.

        Parameters
        ----------
        src_pattern : tuple
            Names of the axes; a tuple of names is an axis to split.
        dst_pattern : tuple
            The same names; a tuple of names is axes to merge.
        fixed_sizes : dict, optional
            Extents of split axes.

        Returns
        -------
        NkiTensor
            A view.
        """
        return rearrange(self, src_pattern, dst_pattern, fixed_sizes or {})

    def slice(self, dim: int, start: int, end: int, step: int = 1) -> NkiTensor:
        """
        Part of an axis.

        Parameters
        ----------
        dim : int
            The axis.
        start, end : int
            First index and the one after the last.
        step : int, optional
            Distance.

        Returns
        -------
        NkiTensor
            A view.
        """
        return part(self, dim, start, end, step)

    def select(self, dim: int, index: int | NkiTensor | RuntimeValue) -> NkiTensor:
        """
        One index of an axis, which is removed.

        Parameters
        ----------
        dim : int
            The axis.
        index : int, NkiTensor, VirtualRegister or NkiScalar
            The index; at run time, not of the partition.

        Returns
        -------
        NkiTensor
            A view.
        """
        return pick(self, dim, index) if isinstance(index, int) else by_row(self, dim, index)

    def vector_select(self, dim: int, vector_offset: NkiTensor) -> NkiTensor:
        """
        One index of axis 0 for each partition of the other side.

        Parameters
        ----------
        dim : int
            0.
        vector_offset : NkiTensor
            Indices in SBUF, shape (partitions, 1).

        Returns
        -------
        NkiTensor
            A view with as many rows as there are indices.
        """
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
        """
        Address the storage by an explicit access pattern.

        Parameters
        ----------
        pattern : list of [stride, count]
            One pair for each axis, in elements; on chip the first is the partition's.
        offset : int, optional
            First element; by default that of this view.
        scalar_offset : NkiTensor, VirtualRegister or NkiScalar, optional
            Run-time index of axis `indirect_dim`.
        vector_offset : NkiTensor, optional
            Run-time index of axis 0 for each partition.
        indirect_dim : int, optional
            Axis of the tensor that run-time indices step along.
        dtype : str, optional
            Read the bytes as this dtype.

        Returns
        -------
        NkiTensor
            A view; that of an explicit offset on a view that has one is refused, since documents disagree.
        """
        return explicit(self, pattern, offset, scalar_offset, vector_offset, indirect_dim, dtype)

    def view(self, dtype: str) -> NkiTensor:
        """
        Read the same bits as another dtype; the last axis is rescaled.

        Parameters
        ----------
        dtype : str
            NKI dtype.

        Returns
        -------
        NkiTensor
            A view.
        """
        return reinterpret(self, dtype)

    def reinterpret_cast(self, dtype: str) -> NkiTensor:
        """
        Older name of `view`.

        Parameters
        ----------
        dtype : str
            NKI dtype.

        Returns
        -------
        NkiTensor
            A view.
        """
        return self.view(dtype)

    def indirect(self, index: NkiTensor, num_elem: int | None = None) -> NkiTensor:
        """
        Select columns at run-time offsets, as an operand of compute instructions (trn3).

        Parameters
        ----------
        index : NkiTensor
            Offsets in SBUF, integers of shape (partitions, columns): offset i is ``index[i % G, i // G]`` within groups of G partitions,
            16 of them or, on the Tensor Engine, 32. All groups hold the same offsets, unless the knob `indirect_offsets` says otherwise.
        num_elem : int, optional
            How many; by default `index.size`.

        Returns
        -------
        NkiTensor
            A view of shape (partitions, `num_elem`), to be passed as it is.
        """
        return by_columns(self, index, num_elem)
