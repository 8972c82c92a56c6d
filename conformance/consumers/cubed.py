"""cubed, which computes in bounded memory through files, with Arrays as what it computes on.

It takes its namespace from the environment when it is imported, and passes what it stores through NumPy.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from .check import Call, numbers

__all__ = ["checks"]


def checks() -> Mapping[str, Call]:
    """Import cubed with trnarray as its namespace and list the calls, which NumPy makes without cubed."""
    os.environ["CUBED_BACKEND_ARRAY_API_MODULE"] = "trnarray"
    import cubed
    import cubed.array_api as cp

    calls: dict[str, Callable[[Any, Any], Any]] = {
        "add": lambda _, x: x + 1.0,
        "sum": lambda xp, x: xp.sum(x, axis=0),
        "mean": lambda xp, x: xp.mean(x),
        "var": lambda xp, x: xp.var(x, axis=1),
        "max": lambda xp, x: xp.max(x),
        "argmax": lambda xp, x: xp.argmax(x, axis=0),
        "cumulative_sum": lambda xp, x: xp.cumulative_sum(x, axis=0),
        "exp": lambda xp, x: xp.exp(x),
        "where": lambda xp, x: xp.where(x > 0.5, x, xp.zeros_like(x)),
        "slice": lambda _, x: x[8:, 1:3],
        "concat": lambda xp, x: xp.concat([x, x]),
        "reshape": lambda xp, x: xp.reshape(x, (64,)),
        "matmul": lambda xp, x: xp.matmul(x, xp.permute_dims(x, (1, 0))),
        "tensordot": lambda xp, x: xp.tensordot(x, x, axes=((0,), (0,))),
        "qr": lambda xp, x: abs(xp.linalg.qr(x)[1]),
    }

    def computed(call: Callable[[Any, Any], Any], xp: Any) -> Any:
        x = numbers(xp, 16, 4)
        return call(np, x) if xp is np else call(cp, cubed.from_array(x, chunks=(8, 4))).compute()

    return {name: partial(computed, call) for name, call in calls.items()}
