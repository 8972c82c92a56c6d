"""The rule of scipy.ndimage's filters: the shape of the image, and its dtype or the one that is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..dtypes import COMPLEX64, COMPLEX128, DType, is_low_precision
from ..promotion import PromotionTable
from .signature import Rule, Signature, signature_of

__all__ = ["filter_rule"]


def filter_rule(host: Callable[..., Any]) -> Rule:
    """Make the rule of a filter on the host, which raises that one's errors: it filters one pixel."""

    def rule(promotion: PromotionTable, image: Any, dtype: DType | None = None, **parameters: Any) -> Signature:
        shape, given = signature_of(promotion, image)
        plain = np.dtype(np.float32) if is_low_precision(given) or given == np.float16 else given
        sample = {key: np.ones(item.shape, item.dtype) if hasattr(item, "layout") else item for key, item in parameters.items()}
        found = host(np.ones((1,) * len(shape), plain), dtype, **sample)
        narrow = found.dtype == COMPLEX128 and given.itemsize <= 4 and dtype is None
        return Signature(shape, dtype or (given if found.dtype == plain else COMPLEX64 if narrow else found.dtype))

    return rule
