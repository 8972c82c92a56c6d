"""Rules: the shapes and dtypes of an Op's results, from operands and parameters and without data.

An engine that defers needs them at the call, where errors belong. The host engine computes at once and does not ask; the
tests hold every rule against what it returns. One module per kind of Op; they import dtypes and promotion alone.
"""

from .elementwise import (
    POSITIONS,
    Elementwise,
    Loop,
    Reduction,
    Rule,
    Signature,
    broadcast_shapes,
    check_keywords,
    is_true,
    sum_dtype,
)

__all__ = [
    "POSITIONS",
    "Elementwise",
    "Loop",
    "Reduction",
    "Rule",
    "Signature",
    "broadcast_shapes",
    "check_keywords",
    "is_true",
    "sum_dtype",
]
