"""HBM that kernels take besides operands and results: large tensors serve one stage of a program after the other."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from ...isa import nl

__all__ = ["Hbm"]

_SMALL: Final = 1 << 26  # bytes, up to which a stage has tensors of its own, since one that shares them waits for the stage before


class Hbm:
    """The tensors of the stages of a program, or of a turn of a loop, which does not lend what it makes."""

    def __init__(self) -> None:
        self.tensors: list[Any] = []
        self._free: list[Any] = []

    def begin(self) -> None:
        """Begin a stage, to which all tensors are free."""
        self._free = sorted(self.tensors, key=lambda tensor: int(tensor.shape[0]))

    def take(self, shape: tuple[int, ...], dtype: Any) -> Any:
        """Take a tensor for the rest of the stage: the smallest free one that is large enough, or a new one."""
        size = math.prod(shape)
        if size * np.dtype(dtype).itemsize <= _SMALL:
            return nl.ndarray(shape, dtype, buffer=nl.private_hbm)
        for place, tensor in enumerate(self._free):
            if tensor.dtype == dtype and tensor.shape[0] >= size:
                del self._free[place]
                return tensor[:size].reshape(shape)
        self.tensors.append(nl.ndarray((size,), dtype, buffer=nl.private_hbm))
        return self.tensors[-1].reshape(shape)
