"""Buffers of planes: the launcher's, or a tuple of them, its pieces, where the elements are too many for one tensor."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from .capacity import piece_length

if TYPE_CHECKING:
    import numpy.typing as npt

    from ...dtypes import DType
    from .launcher import Launcher

__all__ = ["OnHost", "apart", "fetch", "pieces", "store", "together"]


class OnHost:
    """
    Elements that the host has computed and that nothing on the device has read yet.

    Parameters
    ----------
    plane : np.ndarray
        The elements, flat.
    """

    __slots__ = ("plane",)

    def __init__(self, plane: npt.NDArray[Any]) -> None:
        self.plane = plane


def pieces(buffer: Any) -> tuple[Any, ...]:
    """List the launcher's buffers."""
    return buffer if type(buffer) is tuple else (buffer,)


def apart(buffers: Sequence[Any]) -> Sequence[Any]:
    """List the launcher's buffers of several."""
    return [piece for buffer in buffers for piece in pieces(buffer)] if tuple in map(type, buffers) else buffers


def store(launcher: Launcher, planes: Sequence[npt.NDArray[Any]]) -> Sequence[Any]:
    """Bring elements to the device, in one transfer."""
    if not planes:
        return []
    lengths = [piece_length(plane.dtype.itemsize) for plane in planes]
    counts = [max(1, -(-plane.size // length)) for plane, length in zip(planes, lengths, strict=True)]
    if len(planes) == sum(counts):
        return launcher.to_device(planes)
    cut = [
        plane.reshape(-1)[place * length : (place + 1) * length]
        for plane, length, count in zip(planes, lengths, counts, strict=True)
        for place in range(count)
    ]
    return together(launcher.to_device(cut), counts)


def fetch(launcher: Launcher, buffers: Sequence[Any], dtypes: Sequence[DType]) -> Sequence[npt.NDArray[Any]]:
    """Fetch all elements, flat, in one transfer."""
    if not buffers:
        return []
    if OnHost in map(type, buffers):
        away = [(buffer, dtype) for buffer, dtype in zip(buffers, dtypes, strict=True) if type(buffer) is not OnHost]
        fetched = iter(fetch(launcher, [buffer for buffer, _ in away], [dtype for _, dtype in away]))
        return [
            buffer.plane.view(dtype) if type(buffer) is OnHost else next(fetched) for buffer, dtype in zip(buffers, dtypes, strict=True)
        ]
    counts = [len(pieces(buffer)) for buffer in buffers]
    if len(buffers) == sum(counts):
        return launcher.to_host(buffers, dtypes)
    parts = [(piece, dtype) for buffer, dtype in zip(buffers, dtypes, strict=True) for piece in pieces(buffer)]
    found = together(launcher.to_host([piece for piece, _ in parts], [dtype for _, dtype in parts]), counts)
    return [_joined(one, dtype) for one, dtype in zip(found, dtypes, strict=True)]


def _joined(found: Any, dtype: DType) -> npt.NDArray[Any]:
    """Put what was fetched of a plane together, in words, which NumPy knows."""
    parts = pieces(found)
    return parts[0] if len(parts) == 1 else np.concatenate([part.view(f"u{dtype.itemsize}") for part in parts]).view(dtype)


def together(results: Sequence[Any], counts: Sequence[int]) -> Sequence[Any]:
    """Put pieces together again, of each tensor so many."""
    if len(results) == len(counts):
        return results
    one = iter(results)
    return [tuple(islice(one, count)) if count > 1 else next(one) for count in counts]
