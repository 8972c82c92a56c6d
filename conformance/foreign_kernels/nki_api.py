"""Kernels in the docstrings of the NKI API reference (in the repository aws-neuron-sdk)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from ...backends.simulator import KernelError
from .draw import BFLOAT16, Array, Inputs, double, floats, integers, product
from .sample import Arguments, Explanation, Sample, Tolerance

__all__ = ["SAMPLES"]

_FUNCTION: Final = Tolerance(4, "float32", "two rounded operations and a function of the Scalar Engine")


def _sample(kernel: str, inputs: Inputs, reference: Callable[..., Any], *targets: str, **more: Any) -> Sample:
    file = "nki/api/nki/isa/__init__.py"
    return Sample(file=file, kernel=kernel, docstring=True, inputs=inputs, reference=reference, targets=targets, **more)


def _rows(name: str, source: tuple[int, ...], indices: tuple[int, int], dtype: Any, **also: tuple[int, ...]) -> Inputs:
    """Draw a source, and indices of its rows of which no two are equal."""

    def inputs(rng: np.random.Generator) -> Arguments:
        drawn = {key: rng.standard_normal(shape).astype(dtype) for key, shape in {**also, name: source}.items()}
        rows = rng.permutation(math.prod(indices)).astype(np.uint32)
        return drawn | {"idx_hbm" if name == "src_hbm" else "indices": rows.reshape(indices)}

    return inputs


def _scattered(src_data: Array, indices: Array, output: Array) -> Array:
    output = output.copy()
    output[indices[:, 0]] = src_data
    return output


def _gathered(src_hbm: Array, idx_hbm: Array) -> Array:
    """Transpose rows taken in the order of the indices' columns; of four axes the first and the last change places."""
    rows = src_hbm[idx_hbm.T.reshape(-1)]
    return rows.transpose(*range(rows.ndim - 1, rows.ndim - 2, -1), *range(1, rows.ndim - 1), 0)


def _gelu(data_tensor: Array) -> Array:
    x = 2 * double(data_tensor) + 0.5
    return np.asarray(x / 2 * (1 + np.vectorize(math.erf)(x / math.sqrt(2))))


def _nonzero(in_tensor: Array) -> Array:
    found = np.flatnonzero(in_tensor)
    return np.concatenate([found, np.full(in_tensor.size - found.size, -1), [found.size]])[None]


SAMPLES: Final[Sequence[Sample]] = (
    _sample(
        "indirect_gather_kernel",
        _rows("data", (64, 96), (64, 1), np.float32),
        lambda data, indices: data[indices[:, 0]],
        "trn1",
        "trn2",
        "trn3",
    ),
    _sample(
        "indirect_scatter_kernel", _rows("src_data", (64, 96), (64, 1), np.float32, output=(80, 96)), _scattered, "trn1", "trn2", "trn3"
    ),
    _sample("nc_matmul_accumulate_kernel", integers(lhsT=(512, 128), rhs=(512, 256)), product, "trn1", "trn2", "trn3"),
    _sample("gather_transpose_kernel", _rows("src_hbm", (128, 128), (128, 1), BFLOAT16), _gathered, "trn2", "trn3"),
    _sample("gather_transpose_2d_kernel", _rows("src_hbm", (256, 128), (128, 2), BFLOAT16), _gathered, "trn2", "trn3"),
    _sample("gather_transpose_4d_kernel", _rows("src_hbm", (256, 4, 1, 64), (128, 2), BFLOAT16), _gathered, "trn2", "trn3"),
    _sample("activate2_scale_bias_kernel", floats(data_tensor=(128, 64)), _gelu, "trn3", tolerance=_FUNCTION, needs=("pytest",)),
    _sample("nonzero_with_count_kernel", lambda rng: {"in_tensor": rng.integers(0, 2, (1, 40)).astype(np.int32)}, _nonzero, "trn2", "trn3"),
    _sample(
        "topk_kernel",
        floats(BFLOAT16, in_tensor=(128, 3)),
        lambda in_tensor: in_tensor,
        "trn2",
        "trn3",
        explanation=Explanation(
            "fault",
            "It returns tiles in SBUF; the language guide says that results are tensors in HBM.",
            KernelError,
            "returns HBM tensors",
        ),
    ),
)
