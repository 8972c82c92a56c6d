"""Names for what functions take: anything an Array can be made of, dtypes, devices, shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from .backends.device import Device

__all__ = ["ArrayLike", "Axes", "DTypeLike", "DeviceLike", "Shape"]

ArrayLike: TypeAlias = "npt.ArrayLike"  # an Array is one, by its __array__
DTypeLike: TypeAlias = "np.dtype[Any] | type[Any] | str | None"
DeviceLike: TypeAlias = "Device | str | None"
Shape: TypeAlias = "int | Sequence[int]"
Axes: TypeAlias = "int | tuple[int, ...] | None"
