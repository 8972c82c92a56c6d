"""The dtypes of planes by NKI's names."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..dtypes import BFLOAT16, FLOAT8_E4M3, FLOAT8_E4M3FN, FLOAT8_E5M2, FLOAT16, FLOAT32, DType

__all__ = ["DTYPES_BY_NAME", "NKI_NAMES", "nki_name"]

NKI_NAMES: Final[dict[DType, str]] = {
    dtype: dtype.name
    for dtype in (
        *map(np.dtype, (np.int8, np.int16, np.int32, np.uint8, np.uint16, np.uint32)),
        *(FLOAT8_E4M3, FLOAT8_E4M3FN, FLOAT8_E5M2, FLOAT16, BFLOAT16, FLOAT32),
    )
}
"""What a NeuronCore computes with; bool is uint8 there."""
DTYPES_BY_NAME: Final[dict[str, DType]] = {name: dtype for dtype, name in NKI_NAMES.items()}


def nki_name(dtype: DType) -> str:
    """Return NKI's name of a plane's dtype."""
    return NKI_NAMES[dtype]
