"""The dtypes that a device promises where its defaults are narrower than NumPy's.

There float64 and complex128 arise from explicit operands of these dtypes only, an integer says nothing of the width of a
float that it meets, and indices, counts and sums of integers have 32 bits.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

import numpy as np

from ...backends.dtypes import COMPLEX128, FLOAT64, INT32, INT64, KINDS, UINT32, UINT64, DType, complex_of, real_of
from ...backends.promotion import PromotionTable
from .operand import Lead, Operand, Weak
from .template import Call

__all__ = ["float_dtype", "named_dtypes", "promised"]

_NARROW: Final = {INT64: INT32, UINT64: UINT32}


def named_dtypes(call: Call, lead: DType) -> frozenset[DType]:
    """List the dtypes that a call names: those of its arrays, and those it gives as dtypes."""
    found: set[DType] = set()

    def make(item: Operand | Weak | Lead) -> Any:
        if isinstance(item, Operand):
            found.add(item.dtype_for(lead))
        elif isinstance(item, Lead):
            found.add(lead)
        return item

    args, kwargs = call.realize(make)
    for item in (*args, *kwargs.values()):
        dtype = item if isinstance(item, type) else getattr(item, "dtype", item)
        found.update(known for known in KINDS if dtype is known.type or (isinstance(dtype, np.dtype) and dtype == known))
    return frozenset(found)


def float_dtype(promotion: PromotionTable, named: Collection[DType]) -> DType:
    """Tell the dtype of floating results."""
    floats = [dtype for dtype in named if "floating" in KINDS[dtype]]
    return promotion.result_type(*floats) if floats else promotion.default_float


def promised(promotion: PromotionTable, dtype: DType, named: Collection[DType]) -> tuple[DType, ...]:
    """Tell the dtypes that an array of a result may have."""
    if promotion.default_float == FLOAT64:
        return (dtype,)
    if dtype in _NARROW:
        integers = [item for item in named if KINDS[item] != "bool" and "floating" not in KINDS[item]]
        wide = any(item in _NARROW for item in integers) or (bool(integers) and promotion.result_type(*integers) in _NARROW)
        return (dtype, _NARROW[dtype]) if wide else (_NARROW[dtype],)
    if "floating" not in KINDS[dtype]:
        return (dtype,)
    met = float_dtype(promotion, named)
    if dtype.kind != "c":
        met = real_of(met)
    elif met.kind != "c":
        met = complex_of(met)
    if dtype in named and dtype not in (FLOAT64, COMPLEX128):  # arrays that do not meet
        return tuple(dict.fromkeys((met, dtype)))
    return (met, promotion.default_float) if dtype == FLOAT64 and met.itemsize < promotion.default_float.itemsize else (met,)
