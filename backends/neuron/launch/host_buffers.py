"""Buffers that are ndarrays: what launchers have in common whose programs take and give memory of the host."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

if TYPE_CHECKING:
    from ...dtypes import DType

__all__ = ["HostBuffers"]


class HostBuffers:
    """The part of a launcher that keeps buffers, on the host."""

    def to_device(self, planes: Sequence[npt.NDArray[Any]]) -> list[npt.NDArray[Any]]:
        """Take planes as they are; see `Launcher.to_device`."""
        return [plane.reshape(-1) for plane in planes]

    def to_host(self, buffers: Sequence[npt.NDArray[Any]], dtypes: Sequence[DType]) -> list[npt.NDArray[Any]]:
        """Give the memory itself; see `Launcher.to_host`."""
        return [buffer.view(dtype) for buffer, dtype in zip(buffers, dtypes, strict=True)]
