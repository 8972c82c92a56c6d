"""Which bytes a view touches, and whether two views have bytes in common: what the hardware's semaphores order."""

from __future__ import annotations

import math
from typing import NamedTuple

from ..tensor.nkitensor import NkiTensor

__all__ = ["Footprint", "covers", "footprint", "overlap", "whole"]


class Footprint(NamedTuple):
    """
    Bytes of a tensor: in some partitions, runs of one length at multiples of one distance from each other.

    Attributes
    ----------
    first, last : int
        Partitions, the second excluded; 0 and 1 in HBM.
    start, stop : int
        Span of bytes, within a partition on chip.
    period : int
        All runs begin at the same place modulo this.
    run : int
        Bytes of a run.
    """

    first: int
    last: int
    start: int
    stop: int
    period: int
    run: int


def whole(view: NkiTensor, partition: int = 0, byte: int = 0) -> Footprint:
    """Take all bytes of a view's tensor: what it may touch at an address that nothing is known of."""
    storage = view._storage
    height = storage.shape[0] if storage.on_chip else 1
    return Footprint(partition, partition + height, byte, byte + storage.nbytes, 1, storage.nbytes)


def footprint(view: NkiTensor, partition: int = 0, byte: int = 0, moved: int = 0) -> Footprint:
    """Find out which bytes a view touches where its run-time offset, if it has one, comes to `moved` bytes."""
    storage, at = view._storage, view._bytes
    size, start, inner = at.dtype.itemsize, at.offset, 0
    first, last = partition, partition + 1
    if storage.on_chip:
        row, start = divmod(start, storage.pitch)
        first, last, inner = partition + row, partition + row + view.shape[0], 1
    span = low = 0
    run, period, growing = size, 0, True
    for axis in range(view.ndim - 1, inner - 1, -1):
        count, stride = at.shape[axis], at.strides[axis]
        if count == 1 or not stride:
            continue
        reach = (count - 1) * stride
        if reach < 0:
            low += reach
            reach, stride = -reach, -stride
        span += reach
        if growing and stride == run:
            run *= count
        else:
            growing = False
            period = math.gcd(period, stride)
    start += low + byte + moved
    return Footprint(first, last, start, start + span + size, period or span + size, run)


def overlap(a: Footprint, b: Footprint) -> bool:
    """Whether two footprints may have a byte in common."""
    if a[2] >= b[3] or b[2] >= a[3] or a[0] >= b[1] or b[0] >= a[1]:
        return False
    contiguous = a[5] == a[3] - a[2], b[5] == b[3] - b[2]
    if all(contiguous):
        return True
    period = b[4] if contiguous[0] else a[4] if contiguous[1] else math.gcd(a[4], b[4])
    if a[5] >= period or b[5] >= period:
        return True
    distance = (b[2] - a[2]) % period
    return distance < a[5] or period - distance < b[5]


def covers(a: Footprint, b: Footprint) -> bool:
    """Whether a footprint certainly contains another."""
    return a == b or (a[5] == a[3] - a[2] and a[0] <= b[0] and a[1] >= b[1] and a[2] <= b[2] and a[3] >= b[3])
