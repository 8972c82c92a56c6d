"""Bytes of tensors, and which of them were written."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..tensor.geometry import Geometry

__all__ = ["Buffer", "Bytes", "Mask"]

Bytes = NDArray[np.uint8]


class Mask:
    """
    A set of a tensor's elements: those written, or those that a matmul wrote.

    All and none are flags, so that whole tiles cost nothing; parts are bits per element, or of finer units once dtypes are mixed.

    Parameters
    ----------
    nbytes : int
        Of the memory.
    full : bool, optional
        Whether all are in the set.
    mixed : bool, optional
        Whether dtypes will be mixed: bits are per byte from the start, and take memory where they are set.
    """

    __slots__ = ("_bits", "_mixed", "_nbytes", "_unit", "full")

    def __init__(self, nbytes: int, full: bool = False, mixed: bool = False) -> None:
        self.full, self._nbytes, self._mixed = full, nbytes, mixed
        self._bits: NDArray[np.bool_] | None = None
        self._unit = 0

    def _view(self, at: Geometry) -> NDArray[np.bool_]:
        size = at.dtype.itemsize
        fits = size if not at.offset % size and not any(stride % size for stride in at.strides) else 1
        if self._bits is None:
            self._unit = 1 if self._mixed else fits
            self._bits = (np.ones if self.full else np.zeros)(self._nbytes // self._unit, np.bool_)
        elif fits % self._unit:
            finer = math.gcd(fits, self._unit)
            self._bits, self._unit = np.repeat(self._bits, self._unit // finer), finer
        unit = self._unit
        strides = tuple([stride // unit for stride in at.strides])
        if unit == size:
            return np.ndarray(at.shape, np.bool_, self._bits.data, at.offset // unit, strides)
        return np.ndarray((*at.shape, size // unit), np.bool_, self._bits.data, at.offset // unit, (*strides, 1))

    def add(self, at: Geometry) -> None:
        """Put elements in."""
        if at.whole:
            self.full, self._bits = True, None
        elif not self.full:
            self._view(at)[...] = True

    def remove(self, at: Geometry) -> None:
        """Take elements out."""
        if at.whole:
            self.full, self._bits = False, None
        elif self.full or self._bits is not None:
            bits = self._view(at)
            self.full = False
            bits[...] = False

    def put(self, at: Geometry, selected: NDArray[np.bool_], value: bool) -> None:
        """Put some of the elements in, or take them out."""
        if selected.all():
            (self.add if value else self.remove)(at)
        elif (not self.full) if value else (self.full or self._bits is not None):
            bits = self._view(at)
            self.full = False
            bits[selected] = value

    def has_all(self, at: Geometry) -> bool:
        """Whether all of some elements are in the set."""
        if self.full:
            return True
        if self._bits is None or not self._view(at).all():
            return False
        if at.whole:
            self.full, self._bits = True, None
        return True

    def elements(self, at: Geometry) -> NDArray[np.bool_]:
        """Which of some elements are in the set."""
        if self._bits is None:
            return np.full(at.shape, self.full)
        bits = self._view(at)
        return bits if bits.shape == at.shape else np.logical_and.reduce(bits, axis=-1)


class Buffer:
    """
    The memory of one tensor, or of all tensors with explicit addresses.

    Parameters
    ----------
    raw : np.ndarray
        Its bytes, 1-D and contiguous.
    base : int, optional
        Byte the tensor begins at.
    written : Mask, optional
        Which were written; None is not to track.
    multiplied : Mask, optional
        In PSUM: which a matmul wrote last.
    part : bool, optional
        Whether others are in the same bytes.
    """

    __slots__ = ("base", "multiplied", "part", "raw", "written")

    def __init__(self, raw: Bytes, base: int = 0, written: Mask | None = None, multiplied: Mask | None = None, part: bool = False) -> None:
        self.raw, self.base, self.written, self.multiplied, self.part = raw, base, written, multiplied, part

    def at(self, geometry: Geometry, moved: int = 0) -> Geometry:
        """Geometry within the bytes."""
        if self.part or moved:
            return geometry._replace(offset=geometry.offset + self.base + moved, whole=False)
        return geometry

    def array(self, at: Geometry) -> NDArray[Any]:
        """View the elements."""
        return np.ndarray(at.shape, at.dtype, self.raw, at.offset, at.strides)
