"""Buffers that are ndarrays: what launchers have in common whose programs take and give memory of the host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy.typing as npt

if TYPE_CHECKING:
    from ...dtypes import DType

__all__ = ["HostBuffers"]


class HostBuffers:
    """The part of a launcher that keeps buffers, on the host."""

    def to_device(self, plane: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Take a plane as it is; see `Launcher.to_device`."""
        return plane.reshape(-1)

    def to_host(self, buffer: npt.NDArray[Any], dtype: DType) -> npt.NDArray[Any]:
        """Give the memory itself; see `Launcher.to_host`."""
        result: npt.NDArray[Any] = buffer.view(dtype)
        return result
