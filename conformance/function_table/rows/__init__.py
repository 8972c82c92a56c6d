"""The table: a row, or a reason to have none, for every function of trnarray, its linalg and its fft."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Final

import numpy as np

import trnarray

from ..row import Row
from . import creation, elementwise, inspection, linear_algebra, manipulation, selection, statistical

__all__ = ["EXEMPT", "ROWS", "public_functions"]

ROWS: Final[tuple[Row, ...]] = (
    *elementwise.ROWS,
    *creation.ROWS,
    *manipulation.ROWS,
    *statistical.ROWS,
    *selection.ROWS,
    *linear_algebra.ROWS,
    *inspection.ROWS,
)
"""Every row, chapter by chapter. A function whose parameters come in several forms has several."""

_REASONS: Final[Mapping[str, str]] = {
    "trnarray's own: NumPy has nothing to compare it with": (
        "config contract_expression coverage default_device devices explain get_config get_default_device memory plan_cache reset_coverage "
        "set_config set_default_device synchronize warm"
    ),
    "reads or writes files": "fromfile fromregex genfromtxt load loadtxt save savetxt savez savez_compressed",
    "text form, which tests/trnarray compares with NumPy's": (
        "array2string array_repr array_str get_printoptions printoptions set_printoptions"
    ),
    "NumPy's own settings and information": (
        "get_include getbufsize geterr geterrcall setbufsize seterr seterrcall show_config show_runtime test"
    ),
    "works on Python objects, and is tested by itself": "frompyfunc nested_iters",
    "takes functions of a loop's state, and is tested by itself": "fori_loop while_loop",
    "describes the namespace itself": "__array_namespace_info__",
}
EXEMPT: Final[Mapping[str, str]] = {name: reason for reason, names in _REASONS.items() for name in names.split()}
"""The functions without a row, and why."""


def public_functions() -> Iterator[str]:
    """List the functions that the table must know."""
    for prefix in ("", "linalg.", "fft."):
        namespace = getattr(trnarray, prefix[:-1]) if prefix else trnarray
        for name in namespace.__all__:
            value = getattr(namespace, name)
            if callable(value) and not isinstance(value, (type, np.dtype, ModuleType)):
                yield prefix + name
