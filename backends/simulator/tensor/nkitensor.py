"""NkiTensor: a strided view of a storage. Every method is computed while tracing and copies nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NoReturn

from ..dtypes import canonical, itemsize, storage_dtype
from ..errors import NkiConstraintError
from ..registers import RuntimeValue
from ..source import calling_line
from .access_pattern import by_columns, by_row, by_rows, explicit
from .geometry import Geometry, Indirection
from .indexing import index
from .objects import NKIObject
from .rearrange import rearrange
from .reshaping import merge, reshape, split
from .storage import MemoryRegion, Storage

__all__ = ["NkiTensor"]

_DOCUMENT = "nki.language.NkiTensor"


class NkiTensor(NKIObject):
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

    __slots__ = ("_geometry", "_indirection", "_storage", "buffer", "dtype", "name", "offset", "shape", "strides")

    def __init__(self, shape: tuple[int, ...], dtype: str, storage: Any, buffer: MemoryRegion = MemoryRegion.sbuf, name: str = "") -> None:
        self.shape, self.dtype, self.buffer, self.name = tuple(shape), canonical(dtype), buffer, name
        self._storage: Storage = Storage(self.shape, self.dtype, buffer, name) if storage is None else storage
        self.strides = tuple(math.prod(self.shape[axis + 1 :]) for axis in range(len(self.shape)))
        self.offset = 0
        self._indirection: Indirection | None = None
        self._geometry: Geometry | None = None

    @classmethod
    def _of(cls, storage: Storage) -> NkiTensor:
        return cls(storage.shape, storage.dtype, storage, storage.buffer, storage.name)

    def _view(
        self, shape: Sequence[int], strides: Sequence[int], offset: int, dtype: str | None = None, indirection: Indirection | None = None
    ) -> NkiTensor:
        view = object.__new__(NkiTensor)
        view.shape, view.strides, view.offset, view.dtype = tuple(shape), tuple(strides), offset, dtype or self.dtype
        view.buffer, view.name, view._storage = self.buffer, self.name, self._storage
        view._indirection, view._geometry = indirection, None
        return view

    def _refuse(self, method: str, rule: str, found: object, allowed: object) -> NoReturn:
        raise NkiConstraintError(f"NkiTensor.{method}", rule, found, allowed, _DOCUMENT, calling_line())

    def _axis(self, method: str, dim: int, first: int = 0, last: int | None = None) -> int:
        """Check an axis; `first` is 1 where the partition cannot take part."""
        last = self.ndim if last is None else last
        dim = dim + last if dim < 0 else dim
        if not 0 <= dim < last:
            self._refuse(method, "the axis exists", dim, f"0..{last - 1}")
        if dim < first and (self._storage.on_chip or (self._indirection is not None and self._indirection.kind == "vector")):
            self._refuse(method, "the partition axis stays where it is", dim, f"{first}..{last - 1}")
        return dim

    def _participates(self, method: str, dim: int) -> None:
        if self._indirection is not None and self._indirection.dim == dim:
            self._refuse(method, "an axis with a run-time index cannot be sliced or selected again", dim, "another axis")

    def _moved(self, dims: Sequence[int | None]) -> Indirection | None:
        """Indirection after axes moved: entry i is the old axis of the new axis i."""
        old = self._indirection
        if old is None or old.dim < 0:
            return old
        return old._replace(dim=dims.index(old.dim) if old.dim in dims else -1)

    @property
    def ndim(self) -> int:
        """
        Number of axes.

        Returns
        -------
        int
            Number of axes.
        """
        return len(self.shape)

    @property
    def size(self) -> int:
        """
        Number of elements.

        Returns
        -------
        int
            Number of elements.
        """
        return math.prod(self.shape)

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

    @property
    def _free(self) -> int:
        """Elements of this dtype per partition of the storage; of the whole storage in HBM."""
        return self._storage.nbytes // itemsize(self.dtype)

    @property
    def _partition(self) -> int:
        """First partition of the storage that the view touches."""
        return self.offset // self._free

    def is_contiguous(self) -> bool:
        """
        Whether the elements lie one after the other; on chip, those of each partition.

        Returns
        -------
        bool
            Axes of one element do not count.
        """
        expected = 1
        for axis in reversed(range(1 if self._storage.on_chip else 0, self.ndim)):
            if self.shape[axis] != 1 and self.strides[axis] != expected:
                return False
            expected *= self.shape[axis]
        return True

    def get_pattern(self) -> list[list[int]]:
        """
        Access pattern.

        Returns
        -------
        list of [stride, count]
            One pair for each axis.
        """
        return [[stride, count] for stride, count in zip(self.strides, self.shape, strict=True)]

    def is_indirect(self) -> bool:
        """
        Whether the address has a run-time part.

        Returns
        -------
        bool
            True after a selection by tensor, register or scalar.
        """
        return self._indirection is not None

    def __getitem__(self, key: object) -> NkiTensor:
        return index(self, key)

    def __setitem__(self, key: object, value: object) -> None:
        raise TypeError("tensors are written by instructions: use nisa.tensor_copy(dst=t[...], src=...), nisa.memset or nisa.dma_copy")

    def __iter__(self) -> NoReturn:
        raise TypeError("tensors are not iterable; loop over range(t.shape[0]) and index")

    def __bool__(self) -> bool:
        raise TypeError("elements of a tensor are not known while the kernel is traced; use predication instead of `if`")

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
        if sorted(dims) != list(range(self.ndim)):
            self._refuse("permute", "dims is a permutation of the axes", tuple(dims), f"of {tuple(range(self.ndim))}")
        if dims[0] != 0:
            self._axis("permute", 0, first=1)
        return self._view([self.shape[d] for d in dims], [self.strides[d] for d in dims], self.offset, None, self._moved(list(dims)))

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
        dim = self._axis("broadcast", dim, first=1)
        if self.shape[dim] != 1 or size < 1:
            self._refuse("broadcast", "the axis has one element", self.shape[dim], 1)
        shape, strides = list(self.shape), list(self.strides)
        shape[dim], strides[dim] = size, 0
        return self._view(shape, strides, self.offset, None, self._indirection)

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
        dim = self._axis("expand_dim", dim, first=1, last=self.ndim + 1)
        stride = self.shape[dim] * self.strides[dim] if dim < self.ndim else 1
        moved = self._moved([*range(dim), None, *range(dim, self.ndim)])
        return self._view(
            [*self.shape[:dim], 1, *self.shape[dim:]], [*self.strides[:dim], stride, *self.strides[dim:]], self.offset, None, moved
        )

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
        dim = self._axis("squeeze_dim", dim, first=1)
        if self.shape[dim] != 1:
            self._refuse("squeeze_dim", "the axis has one element", self.shape[dim], 1)
        return self._drop(dim, self.offset)

    def _drop(self, dim: int, offset: int) -> NkiTensor:
        moved = self._moved([axis for axis in range(self.ndim) if axis != dim])
        return self._view(self.shape[:dim] + self.shape[dim + 1 :], self.strides[:dim] + self.strides[dim + 1 :], offset, None, moved)

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
        dim = self._axis("slice", dim)
        if not 0 <= start < end <= self.shape[dim] or step < 1:
            self._refuse("slice", "0 <= start < end <= extent, step >= 1", f"{start}:{end}:{step}", f"extent {self.shape[dim]}")
        if self._storage.on_chip and dim == 0 and step != 1 and end - start > step:
            self._refuse("slice", "partitions have no stride", step, 1)
        self._participates("slice", dim)
        shape, strides = list(self.shape), list(self.strides)
        shape[dim] = -(-(end - start) // step)
        if not (self._storage.on_chip and dim == 0):
            strides[dim] *= step
        return self._view(shape, strides, self.offset + start * self.strides[dim], None, self._indirection)

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
        if not isinstance(index, int):
            return by_row(self, dim, index)
        dim = self._axis("select", dim, first=1)
        if not 0 <= index < self.shape[dim]:
            self._refuse("select", "the index is within the axis", index, f"0..{self.shape[dim] - 1}")
        self._participates("select", dim)
        return self._drop(dim, self.offset + index * self.strides[dim])

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
        dtype, old = canonical(dtype), itemsize(self.dtype)
        new = itemsize(dtype)
        if old == new:
            return self._view(self.shape, self.strides, self.offset, dtype, self._indirection)
        if self._indirection is not None:
            self._refuse(
                "view", "bits are reinterpreted before run-time indices are attached", self, "a view for which is_indirect() is False"
            )
        scaled = [stride * old for stride in (*self.strides[:-1], self.offset)]
        last = self.shape[-1] * old
        if (
            (self.strides[-1] != 1 and self.shape[-1] != 1)
            or last % new
            or any(b % new for b, c in zip(scaled, (*self.shape[:-1], 2), strict=True) if c > 1)
        ):
            self._refuse(
                "view",
                "the last axis is contiguous and a whole number of new elements",
                f"{self.get_pattern()} as {dtype}",
                f"multiples of {new} bytes",
            )
        *strides, offset = (b // new for b in scaled)
        return self._view([*self.shape[:-1], last // new], [*strides, 1], offset, dtype)

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
        Select columns at run-time offsets, in snake order over groups of partitions (trn3).

        Parameters
        ----------
        index : NkiTensor
            Offsets in SBUF, shape (partitions, columns).
        num_elem : int, optional
            How many; by default all.

        Returns
        -------
        NkiTensor
            A view of shape (partitions, `num_elem`).
        """
        return by_columns(self, index, num_elem)

    @property
    def _bytes(self) -> Geometry:
        """Geometry of the static part, in bytes of the storage's memory."""
        if self._geometry is None:
            size, storage = itemsize(self.dtype), self._storage
            strides, offset = [stride * size for stride in self.strides], self.offset * size
            if storage.on_chip:
                partition, column = divmod(self.offset, self._free)
                offset, strides[0] = partition * storage.pitch + column * size, storage.pitch
            whole = self.is_contiguous() and self.size * size == storage.size * itemsize(storage.dtype) and self._indirection is None
            self._geometry = Geometry(self.shape, storage_dtype(self.dtype), offset, tuple(strides), whole)
        return self._geometry

    def __repr__(self) -> str:
        full = (
            self.shape == self._storage.shape and self.dtype == self._storage.dtype and self._indirection is None and self.is_contiguous()
        )
        at = "" if full else f"[{self.offset}: {self.get_pattern()}]"
        run_time = f" + {self._indirection.kind} {self._indirection.source!r}*{self._indirection.stride}" if self._indirection else ""
        return f"%{self._storage.name}{at}{run_time} {self.dtype}"
