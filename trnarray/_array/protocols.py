"""NumPy's protocols: NumPy's own functions, called on Arrays, compute where the Arrays are.

What NumPy's functions give is what NumPy defines, also where the standard defines otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Final

import numpy as np

from ..backends.device import CPU
from ..backends.dtypes import canonical_dtype
from ..backends.ops.ufuncs import ufunc_op
from ..backends.settings import config, default_device, get_default_device
from .base import ArrayBase
from .plain import ATOMS

__all__ = ["Protocols"]

_ACCUMULATING: Final = frozenset({"reduce", "accumulate", "reduceat"})
_OPERANDS: Final = ATOMS | {np.ndarray, list, tuple, range}


@cache
def _protocol() -> Any:
    """Import the table of functions, when the first one is called."""
    return import_module("trnarray.numpy_protocol")


class Protocols(ArrayBase):
    """The hooks through which NumPy hands its functions over."""

    __slots__ = ()

    __array_priority__ = 100.0

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        cls = type(self)
        if not cls._knows_all(inputs):
            return NotImplemented
        if kwargs:
            out = kwargs.pop("out", None)
            if out is not None:
                if not cls._knows_all(out):
                    return NotImplemented
                kwargs["out"] = out[0] if len(out) == 1 else out
            if kwargs.get("dtype") is not None:
                kwargs["dtype"] = canonical_dtype(kwargs["dtype"])
        widens = method in _ACCUMULATING and (ufunc is np.add or ufunc is np.multiply) and self._value.dtype.kind in "biu"
        if widens and self._device is not CPU and "out" not in kwargs:
            with config(defaults="numpy"):
                return cls._apply(ufunc_op(ufunc, method), *inputs, **kwargs)
        op = ufunc_op(ufunc, method)
        if op.name.startswith("special.") and method == "__call__" and not kwargs and self._device is not CPU:
            found = import_module("trnarray._scipy_compositions.universal_functions").composed_call(ufunc.__name__, inputs)
            if found is not NotImplemented:
                return found
        return cls._apply(op, *inputs, **kwargs)

    def __array_function__(self, func: Callable[..., Any], types: Iterable[type], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        cls = type(self)
        if not all(kind is cls or kind is np.ndarray for kind in types):
            return NotImplemented
        if kwargs:  # NumPy's functions hand their own default on
            kwargs = {name: value for name, value in kwargs.items() if value is not np._NoValue}
        protocol = _protocol()
        implementation, creates = protocol.found(func)
        widens = self._device is not CPU and func in protocol.SUMS and self._value.dtype.kind in "biu"
        if widens and not any(type(x) is cls for x in (*args[1:], kwargs.get("out"))):
            with config(defaults="numpy"):
                return implementation(*args, **kwargs)
        if not creates or self._device is get_default_device():
            return implementation(*args, **kwargs)
        with default_device(self._device):
            return implementation(*args, **kwargs)

    @classmethod
    def _knows_all(cls, operands: Iterable[Any]) -> bool:
        """Tell whether all operands are of types that a protocol may take."""
        for x in operands:
            kind = type(x)
            if kind is not cls and kind not in _OPERANDS and not isinstance(x, np.generic):
                return False
        return True
