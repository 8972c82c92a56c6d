"""A tensor's memory: where it is, how large, and who made it."""

from __future__ import annotations

import math
from enum import Enum
from typing import TYPE_CHECKING, Any, NoReturn

from ..dtypes import itemsize
from ..errors import NkiConstraintError
from ..source import SourceLine
from ..target import HBM_TENSOR_MAX, PARTITIONS
from .geometry import Geometry

__all__ = ["MemoryRegion", "Storage", "is_hbm", "is_on_chip"]


class MemoryRegion(Enum):
    """Where a tensor is."""

    sbuf = "sbuf"
    psum = "psum"
    private_hbm = "private_hbm"
    shared_hbm = "shared_hbm"

    def __repr__(self) -> str:
        return self.value

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            """Say what replaces a method that NKI does not have any more."""
            if name.startswith("_"):
                raise AttributeError(name)
            remedy = ": since NKI 0.1 (SDK 2.27) tensors are made by nl.ndarray(shape, dtype, buffer=...), and have view() themselves"
            raise AttributeError(f"nl.{self._name_} has no attribute {name!r}" + remedy * (name in {"ptr", "view"}))


def is_hbm(buffer: MemoryRegion) -> bool:
    """Whether a memory is HBM."""
    return buffer in (MemoryRegion.private_hbm, MemoryRegion.shared_hbm)


def is_on_chip(buffer: MemoryRegion) -> bool:
    """Whether a memory has partitions."""
    return buffer in (MemoryRegion.sbuf, MemoryRegion.psum)


class Storage:
    """
    The memory of one tensor. Holds no data: a program is traced without.

    Parameters
    ----------
    shape : tuple of int
        Shape; on chip, axis 0 is the partition.
    dtype : str
        NKI dtype.
    buffer : MemoryRegion
        Where it is.
    name : str
        For messages and listings.
    where : SourceLine, optional
        Who made it.
    address : tuple of int, optional
        Explicit (partition, byte within the partition).
    pitch : int, optional
        Bytes from one partition to the next of the memory it is placed in, with an explicit address.
    constant : np.ndarray, optional
        What it holds from the start.

    Attributes
    ----------
    free : int
        Elements per partition; of the whole tensor in HBM.
    nbytes : int
        Bytes per partition; of the whole tensor in HBM.
    depth : int
        Number of loops it was made in.
    undefined : list of Geometry
        Parts that may be read although nothing wrote them.
    """

    __slots__ = (
        "address",
        "buffer",
        "constant",
        "depth",
        "dtype",
        "free",
        "name",
        "nbytes",
        "on_chip",
        "pitch",
        "shape",
        "size",
        "undefined",
        "where",
    )

    def __init__(
        self,
        shape: tuple[int, ...],
        dtype: str,
        buffer: MemoryRegion,
        name: str,
        where: SourceLine | None = None,
        address: tuple[int, int] | None = None,
        pitch: int | None = None,
        constant: Any = None,
    ) -> None:
        self.shape, self.dtype, self.buffer, self.name, self.where = shape, dtype, buffer, name, where
        self.address, self.constant, self.depth = address, constant, 0
        self.undefined: list[Geometry] = []
        self.on_chip = is_on_chip(buffer)
        self.size = math.prod(shape)
        self._check()
        self.free = self.size // shape[0] if self.on_chip else self.size
        self.nbytes = self.free * itemsize(dtype)
        self.pitch = pitch if address is not None and pitch is not None else self.nbytes

    def _check(self) -> None:
        document = "NKI language guide, Creating Tensors"
        if not self.shape or min(self.shape) < 1:
            raise NkiConstraintError(
                "nl.ndarray", "extents are positive integers", self.shape, "no zero-size tensors", document, self.where
            )
        if self.on_chip and self.shape[0] > PARTITIONS:
            raise NkiConstraintError("nl.ndarray", "axis 0 is the partition", self.shape, f"at most {PARTITIONS}", document, self.where)
        if self.on_chip and len(self.shape) < 2 and self.size > 1:
            raise NkiConstraintError("nl.ndarray", "on-chip tensors have two axes or more", self.shape, ">= 2-D", document, self.where)
        total = self.size * itemsize(self.dtype)
        if not self.on_chip and total > HBM_TENSOR_MAX:
            raise NkiConstraintError(
                "nl.ndarray",
                "an HBM tensor is limited",
                f"{total} bytes",
                f"{HBM_TENSOR_MAX} bytes",
                "field rules of the spectral-DNS sample",
                self.where,
            )

    def twin(self, name: str) -> Storage:
        """Make another tensor of this kind."""
        other = object.__new__(Storage)
        for attribute in self.__slots__:
            setattr(other, attribute, getattr(self, attribute))
        other.name = name
        return other

    def meets(self, other: Storage) -> bool:
        """Whether two tensors with explicit addresses have bytes in common."""
        if self.address is None or other.address is None or self.buffer is not other.buffer:
            return False
        (row, byte), (its_row, its_byte) = self.address, other.address
        rows = row < its_row + other.shape[0] and its_row < row + self.shape[0]
        return rows and byte < its_byte + other.nbytes and its_byte < byte + self.nbytes

    def __repr__(self) -> str:
        return f"{self.name} {self.shape} {self.dtype} in {self.buffer.value}"
