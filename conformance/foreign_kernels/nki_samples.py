"""Kernels of the repository nki-samples. Its newest stand was written for NKI 0.1, as two calls show that NKI 0.3 does not take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from .draw import matmul_blocks, product
from .sample import Arguments, Explanation, Sample

__all__ = ["SAMPLES"]

_TUTORIALS: Final = "src/nki_samples/tutorials/"
_NO_DTYPE: Final = Explanation(
    "version",
    "nisa.tensor_copy has no parameter dtype since NKI 0.2: the destination's dtype decides (migration guide).",
    TypeError,
    "dtype",
)
_WITH_DTYPE: Final = ("nki_matmul_basic_", "nki_matmul_tiled_", "nki_matmul_hoist_load_")
_NO_TARGET: Final = Explanation(
    "version", "nki.jit(platform_target=...) raises since NKI 0.3 (NKI 0.3.0 update guide).", TypeError, "platform_target"
)


def _nothing(_: np.random.Generator) -> Arguments:
    """Draw no arguments: the file does not even import."""
    return {}


SAMPLES: Final[Sequence[Sample]] = (
    *(
        Sample(
            file=_TUTORIALS + "matrix_multiplication/matrix_multiplication_nki_kernels.py",
            kernel=kernel,
            inputs=inputs,
            reference=product,
            explanation=_NO_DTYPE if kernel in _WITH_DTYPE else None,
        )
        for kernel, inputs in matmul_blocks().items()
    ),
    *(
        Sample(
            file=_TUTORIALS + "mxfp-matmul/mx_kernels.py",
            kernel=kernel,
            inputs=_nothing,
            reference=product,
            targets=("trn3",),
            explanation=_NO_TARGET,
        )
        for kernel in (
            "kernel_offline_quantized_mx_matmul",
            "kernel_on_device_quantize_matmul_mx",
            "kernel_copy_strided_quantize_matmul_mx",
        )
    ),
)
