"""marray, arrays with masks, around Arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from .check import Call, numbers

__all__ = ["checks"]


def checks() -> Mapping[str, Call]:
    """Import marray and list the calls."""
    import marray

    calls: dict[str, Callable[[Any, Any], Any]] = {
        "sum": lambda mx, x: mx.sum(x, axis=0),
        "mean": lambda mx, x: mx.mean(x),
        "var": lambda mx, x: mx.var(x, axis=1),
        "max": lambda mx, x: mx.max(x, axis=0),
        "argmax": lambda mx, x: mx.argmax(x, axis=0),
        "cumulative_sum": lambda mx, x: mx.cumulative_sum(x, axis=0),
        "sort": lambda mx, x: mx.sort(x),
        "add": lambda _, x: x + x,
        "matmul": lambda mx, x: x @ mx.permute_dims(x, (1, 0)),
        "exp": lambda mx, x: mx.exp(x),
        "where": lambda mx, x: mx.where(x > 0.3, x, 2 * x),
        "concat": lambda mx, x: mx.concat([x, x]),
        "slice": lambda _, x: x[1:3, ::2],
        "unique_values": lambda mx, x: mx.unique_values(x),
    }

    def applied(call: Callable[[Any, Any], Any], xp: Any) -> Any:
        mx, x = marray.masked_namespace(xp), numbers(xp, 6, 8)
        result = call(mx, mx.asarray(x, mask=x > 0.7))
        return xp.where(result.mask, xp.zeros_like(result.data), result.data), result.mask

    return {name: partial(applied, call) for name, call in calls.items()}
