"""Fallbacks: an Op that the device has no kernel for runs on the host, in full view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..dtypes import COMPLEX64, COMPLEX128, FLOAT32, FLOAT64, INT32, INT64, UINT32, UINT64, DType
from ..engine import HOST
from ..op import Op
from ..policy import check_fallback
from ..rules import Elementwise
from .value import Value

if TYPE_CHECKING:
    from .engine import NeuronEngine

__all__ = ["run_on_host"]

_NARROW: Final[dict[DType, DType]] = {FLOAT64: FLOAT32, COMPLEX128: COMPLEX64, INT64: INT32, UINT64: UINT32}
_WIDE: Final = {"f": (FLOAT64, COMPLEX128), "c": (FLOAT64, COMPLEX128), "i": (INT64, UINT64), "u": (INT64, UINT64)}


def run_on_host(engine: NeuronEngine, op: Op, reason: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """
    Run an Op on the host, with operands fetched and results brought back.

    Parameters
    ----------
    engine : NeuronEngine
        Whose values they are.
    op : Op
        The operation.
    reason : str
        Why the device does not run it.
    args : sequence
        Positional operands.
    kwargs : mapping
        Keyword operands.

    Returns
    -------
    Value, or tuple or list of Values
        64-bit results only where an operand is of 64 bits, or where they are asked for by ``dtype``.

    Raises
    ------
    FallbackError
        Under ``fallback="error"``.
    """
    fetched: list[tuple[Value, Any]] = []

    def fetch(item: Any) -> Any:
        if isinstance(item, Value):
            host = engine.to_host(item, copy=True)
            fetched.append((item, host))
            return host
        if isinstance(item, (list, tuple)) and type(item) in (list, tuple):
            return type(item)(map(fetch, item))
        return item

    dtypes = [item.dtype for item in _values([*args, *kwargs.values()])]
    check_fallback(op.name, ", ".join(dict.fromkeys(map(str, dtypes))) or "no array", reason)
    hosted, keywords = [fetch(item) for item in args], {key: fetch(item) for key, item in kwargs.items()}
    if isinstance(op.rule, Elementwise) and keywords.get("dtype") is None and "out" not in keywords:
        loop = op.rule.loop(engine.promotion, *hosted[: op.rule.operands])
        hosted = [_as(item, dtype, loop.exact) for item, dtype in zip(hosted, loop.ins, strict=False)] + hosted[op.rule.operands :]
    result = HOST.run(op, hosted, keywords)
    written = [args[place] if isinstance(place, int) else kwargs.get(place) for place in op.writes]
    written += [kwargs["out"]] if kwargs.get("out") is not None else []
    targets = [id(value) for value in _values(written)]
    for value, host in fetched:
        if id(value) in targets:
            value.write(engine.from_host(np.asarray(host), copy=True).read())
    wide = bool(kwargs.get("dtype")) or None

    def bring(item: Any) -> Any:
        for value, host in fetched:
            if item is host and id(value) in targets:
                return value
        if isinstance(item, (np.ndarray, np.generic)):
            narrow = _NARROW.get(item.dtype)
            if narrow is not None and not wide and not any(dtype in _WIDE[item.dtype.kind] for dtype in dtypes):
                item = item.astype(narrow)
            return engine.from_host(item, copy=True)
        if type(item) in (list, tuple):
            return type(item)(map(bring, item))
        if isinstance(item, tuple) and hasattr(item, "_fields"):
            return type(item)(*map(bring, item))
        return item

    return bring(result)


def _as(item: Any, dtype: DType, exact: DType) -> Any:
    """Cast an operand to its loop's dtype; low-precision ones stay, as the host engine widens and rounds them itself."""
    if isinstance(item, (np.ndarray, np.generic)):
        return item if item.dtype in (dtype, exact) else item.astype(dtype)
    return item


def _values(items: Any) -> list[Value]:
    found = list[Value]()
    for item in items:
        if isinstance(item, Value):
            found.append(item)
        elif isinstance(item, (list, tuple)):
            found.extend(_values(item))
    return found
