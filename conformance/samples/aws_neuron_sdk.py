"""Kernels of the NKI documentation: example files and code blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .sample import Arguments, Sample, Theirs, Tolerance

__all__ = ["SAMPLES"]

_EXAMPLES: Final = "nki/examples/"


def _pool_inputs(rng: np.random.Generator) -> Arguments:
    return {"in_tensor": rng.standard_normal((16, 12, 18)).astype(np.float32), "pool_size": 3}


def _transpose_inputs(rng: np.random.Generator) -> Arguments:
    return {"in_tensor": rng.integers(-100, 100, (5, 12)).astype(np.int8), "shape2D": (3, 4)}


def _transpose(in_tensor: NDArray[Any], shape2D: tuple[int, int]) -> NDArray[Any]:
    rows = len(in_tensor)
    return in_tensor.reshape(rows, *shape2D).transpose(0, 2, 1).reshape(rows, -1)


SAMPLES: Final[Sequence[Sample]] = (
    Sample(
        file=_EXAMPLES + "average_pool2d/average_pool2d_nki_kernels.py",
        kernel="tensor_avgpool_kernel",
        inputs=_pool_inputs,
        reference=Theirs("np_average_pool_2D"),
        tolerance=Tolerance(9 + 2, "float32", "nine terms are added and scaled by a rounded 1/9"),
        targets=("trn1", "trn2", "trn3"),
    ),
    Sample(
        file=_EXAMPLES + "transpose2d/transpose2d_nki_kernels.py",
        kernel="tensor_transpose2D_kernel_",
        inputs=_transpose_inputs,
        reference=_transpose,
        targets=("trn1", "trn2", "trn3"),
    ),
)
