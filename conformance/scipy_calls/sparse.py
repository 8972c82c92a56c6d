"""What is done with sparse arrays most: operators, methods, and functions that put them together, on arrays of a few elements."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from operator import methodcaller
from typing import Any, Final

import numpy as np
import scipy.sparse

__all__ = ["CALLS"]

_DENSE: Final = np.eye(8) + np.diag(np.ones(7), 1)
_X: Final = np.arange(1.0, 9.0)
_A: Final = scipy.sparse.csr_array(_DENSE)
_B: Final = _A.T.tocsr()

CALLS: Final[Mapping[str, tuple[Callable[..., Any], tuple[Any, ...]]]] = {
    "add": (operator.add, (_A, _B)),
    "subtract": (operator.sub, (_A, _B)),
    "multiply": (operator.mul, (_A, _B)),
    "scale": (operator.mul, (2.0, _A)),
    "negate": (operator.neg, (_A,)),
    "compare": (operator.ne, (_A, _B)),
    "times_sparse": (operator.matmul, (_A, _B)),
    "times_vector": (operator.matmul, (_A, _X)),
    "times_matrix": (operator.matmul, (_A, _DENSE)),
    "element": (operator.getitem, (_A, (2, 3))),
    "rows": (operator.getitem, (_A, slice(1, 3))),
    "block": (operator.getitem, (_A, (slice(1, 3), slice(2, 5)))),
    **{
        name: (methodcaller(name), (_A,))
        for name in (
            *("copy", "count_nonzero", "diagonal", "max", "mean", "nonzero", "sin", "sqrt", "sum", "toarray", "tobsr", "tocoo", "tocsc"),
            *("todia", "trace", "transpose"),
        )
    },
    "astype": (methodcaller("astype", np.float32), (_A,)),
    "reshape": (methodcaller("reshape", (4, 16)), (_A,)),
    "sum_of_columns": (methodcaller("sum", axis=0), (_A,)),
    "dot": (lambda a, x: a.dot(x), (_A, _X)),
    "maximum": (lambda a, b: a.maximum(b), (_A, _B)),
}
"""By name a function, and SciPy's operands of it."""
