"""Predicates of floats. NumPy's vector loops take a strided ``out`` for a contiguous one.

Seen in NumPy 2.2 to 2.5: ``np.isnan(np.full(32, np.nan), out=np.zeros(64, bool)[::2])`` leaves False in the array.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

__all__ = ["isfinite", "isinf", "isnan", "signbit"]


def _heeding_strides(loop: np.ufunc) -> Callable[..., Any]:
    """Make a ufunc that computes apart from ``out`` and copies the result there."""

    def predicate(x: Any, /, out: Any = None, **kwargs: Any) -> Any:
        return loop(x, **kwargs) if out is None else np.logical_or(loop(x), False, out=out, **kwargs)

    predicate.__name__ = predicate.__qualname__ = loop.__name__
    predicate.__doc__ = f"Compute `numpy.{loop.__name__}`, also for a strided ``out``."
    return predicate


isfinite: Final = _heeding_strides(np.isfinite)
isinf: Final = _heeding_strides(np.isinf)
isnan: Final = _heeding_strides(np.isnan)
signbit: Final = _heeding_strides(np.signbit)
