"""What a tensor is: a strided view of a storage, with at most one part of its address known at run time only."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, NamedTuple, NoReturn, Self, TypeVar

from ..dtypes import itemsize, storage_dtype
from ..errors import NkiConstraintError
from ..registers import RuntimeValue
from ..source import calling_line
from .geometry import Geometry
from .objects import NKIObject
from .storage import MemoryRegion, Storage

__all__ = ["PEEK", "Indirection", "V", "View", "peeking"]

_DOCUMENT = "nki.language.NkiTensor"
V = TypeVar("V", bound="View")

# How to look at elements, in the eager mode.
PEEK: Final[ContextVar[Callable[[View], object] | None]] = ContextVar("trnarray.simulator.peek", default=None)


@contextmanager
def peeking(peek: Callable[[View], object]) -> Iterator[None]:
    """Let str() of tensors show their elements within a block."""
    token = PEEK.set(peek)
    try:
        yield
    finally:
        PEEK.reset(token)


class Indirection(NamedTuple):
    """
    The run-time part of a view's address.

    Attributes
    ----------
    kind : str
        ``"scalar"``: one offset for all; ``"vector"``: one per partition; ``"element"``: one per element of the free axis.
    source : View, VirtualRegister or NkiScalar
        Where the offset comes from.
    stride : int
        Elements that a step of the offset moves.
    extent : int
        Offsets are below it.
    dim : int
        Axis of the view that takes part, -1 if it was removed.
    """

    kind: str
    source: View | RuntimeValue
    stride: int
    extent: int
    dim: int


class View(NKIObject):
    """
    A strided view of a storage; `NkiTensor` adds the methods that make others of it.

    Attributes
    ----------
    shape : tuple of int
        Extents.
    dtype : str
        NKI dtype.
    buffer : MemoryRegion
        Where the storage is.
    name : str
        For messages.
    strides : tuple of int
        Elements of the storage from one to the next along each axis.
    offset : int
        Element of the storage that the view begins at.
    """

    __slots__ = ("_geometry", "_indirection", "_storage", "buffer", "dtype", "name", "offset", "shape", "strides")

    shape: tuple[int, ...]
    dtype: str
    buffer: MemoryRegion
    name: str
    strides: tuple[int, ...]
    offset: int
    _storage: Storage
    _indirection: Indirection | None
    _geometry: Geometry | None

    def _view(
        self, shape: Sequence[int], strides: Sequence[int], offset: int, dtype: str | None = None, indirection: Indirection | None = None
    ) -> Self:
        view = object.__new__(type(self))
        view.shape, view.strides, view.offset, view.dtype = tuple(shape), tuple(strides), offset, dtype or self.dtype
        view.buffer, view.name, view._storage = self.buffer, self.name, self._storage
        view._indirection, view._geometry = indirection, None
        return view

    def of(self, storage: Storage) -> Self:
        """Look at a storage of the same kind in the same way."""
        view = object.__new__(type(self))
        view.shape, view.strides, view.offset, view.dtype = self.shape, self.strides, self.offset, self.dtype
        view.buffer, view.name, view._storage = self.buffer, self.name, storage
        view._indirection, view._geometry = self._indirection, self._geometry
        return view

    def _refuse(self, method: str, rule: str, found: object, allowed: object) -> NoReturn:
        raise NkiConstraintError(f"NkiTensor.{method}", rule, found, allowed, _DOCUMENT, calling_line())

    def _axis(self, method: str, dim: int, first: int = 0, last: int | None = None) -> int:
        """Check an axis; `first` is 1 where the partition cannot take part."""
        last = self.ndim if last is None else last
        if self._indirection is not None and self._indirection.kind == "element":
            self._refuse(method, "a view by indirect() goes to an instruction as it is", self, "views first, then indirect()")
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

    def without_indirection(self) -> Self:
        """Find the tile that a view by indirect() selects columns of."""
        assert self._indirection is not None
        return self._view((self.shape[0], self._indirection.extent), self.strides, self.offset, self.dtype)

    def _drop(self, dim: int, offset: int) -> Self:
        moved = self._moved([axis for axis in range(self.ndim) if axis != dim])
        return self._view(self.shape[:dim] + self.shape[dim + 1 :], self.strides[:dim] + self.strides[dim + 1 :], offset, None, moved)

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def _free(self) -> int:
        """Elements of this dtype per partition of the storage; of the whole storage in HBM."""
        return self._storage.nbytes // itemsize(self.dtype)

    @property
    def _partition(self) -> int:
        """First partition of the storage that the view touches."""
        return self.offset // self._free

    def is_contiguous(self) -> bool:
        """Whether the elements lie one after the other; on chip, those of each partition."""
        expected = 1
        for axis in reversed(range(1 if self._storage.on_chip else 0, self.ndim)):
            if self.shape[axis] != 1 and self.strides[axis] != expected:
                return False
            expected *= self.shape[axis]
        return True

    def get_pattern(self) -> list[list[int]]:
        """Access pattern."""
        return [[stride, count] for stride, count in zip(self.strides, self.shape, strict=True)]

    def is_indirect(self) -> bool:
        """Whether the address has a run-time part."""
        return self._indirection is not None

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

    def __str__(self) -> str:
        peek = PEEK.get()
        return repr(self) if peek is None else f"{self!r}\n{peek(self)}"

    def __repr__(self) -> str:
        full = (
            self.shape == self._storage.shape and self.dtype == self._storage.dtype and self._indirection is None and self.is_contiguous()
        )
        at = "" if full else f"[{self.offset}: {self.get_pattern()}]"
        run_time = f" + {self._indirection.kind} {self._indirection.source!r}*{self._indirection.stride}" if self._indirection else ""
        return f"%{self._storage.name}{at}{run_time} {self.dtype}"
