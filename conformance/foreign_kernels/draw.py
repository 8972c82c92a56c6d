"""Drawing arguments of kernels, and references that several repositories' samples share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from .sample import Arguments, Tolerance

__all__ = ["BFLOAT16", "BFLOAT16_RESULT", "Array", "Inputs", "double", "floats", "integers", "matmul_blocks", "product", "with_values"]

Array = NDArray[Any]
Inputs = Callable[[np.random.Generator], Arguments]

BFLOAT16: Final = np.dtype(ml_dtypes.bfloat16)
BFLOAT16_RESULT: Final = Tolerance(1.01, "bfloat16", "a float32 result is rounded to bfloat16")


def floats(dtype: Any = np.float32, /, **shapes: tuple[int, ...]) -> Inputs:
    """Draw from the standard normal distribution."""
    return lambda rng: {name: rng.standard_normal(shape).astype(dtype) for name, shape in shapes.items()}


def integers(dtype: Any = np.float32, /, **shapes: tuple[int, ...]) -> Inputs:
    """Draw small integers: sums of products of them are exact in float32."""
    return lambda rng: {name: rng.integers(-4, 5, shape).astype(dtype) for name, shape in shapes.items()}


def with_values(inputs: Inputs, **more: Any) -> Inputs:
    """Add compile-time values to drawn arguments."""
    return lambda rng: inputs(rng) | more


def double(value: Array) -> Array:
    """Convert to float64."""
    return value.astype(np.float64)


def product(lhsT: Array, rhs: Array, **_: Any) -> Array:
    """Multiply matrices as the Tensor Engine does, the first transposed."""
    return double(lhsT).T @ double(rhs)


def matmul_blocks() -> dict[str, Inputs]:
    """Draw arguments for the kernels of the tutorial on matrix multiplication."""
    large = integers(lhsT=(256, 256), rhs=(256, 1024))
    return {
        "nki_matmul_basic_": integers(lhsT=(128, 64), rhs=(128, 512)),
        "nki_matmul_tiled_": large,
        "nki_matmul_hoist_load_": large,
        "nki_matmul_block_free_dimension_": large,
        "nki_matmul_fully_optimized_": with_values(large, TILES_IN_BLOCK_M=2, TILES_IN_BLOCK_N=2, TILES_IN_BLOCK_K=1),
    }
