"""Arrays to ndarrays and back, for one call of SciPy's."""

from __future__ import annotations

import copy
import dataclasses
import functools
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import scipy.sparse

from .._array import Array
from .._placement import promotion_table
from .._random.source import Source
from .._sparse.base import SparseBase, from_scipy, wrap_result
from ..backends.device import CPU, Device
from ..backends.dtypes import FLOAT16, FLOAT32, FLOAT64, KINDS, SINGLE_OF, DType, is_low_precision
from ..backends.engine import engine_for

__all__ = ["Conversion", "Held", "dtypes_of", "leaves"]

_THEIRS: Final = (scipy.sparse.sparray, scipy.sparse.spmatrix)
_DEPTH: Final = 4  # of the tuples, lists and dicts in arguments and results that Arrays are looked for in


def leaves(items: Any, depth: int = 0) -> Iterator[Any]:
    """Iterate over the operands of a call and over what is in its tuples, lists and dicts."""
    for item in items:
        if isinstance(item, (list, tuple)) and depth < _DEPTH:
            yield from leaves(item, depth + 1)
        elif isinstance(item, dict) and depth < _DEPTH:
            yield from leaves(item.values(), depth + 1)
        else:
            yield item


def dtypes_of(items: Any) -> list[DType]:
    """List the dtypes of the arrays and of NumPy's scalars among the operands of a call."""
    return [dtype for item in leaves(items) if isinstance(dtype := getattr(item, "dtype", None), np.dtype)]


def _is_floating(dtype: DType) -> bool:
    return dtype.kind in "fc" or is_low_precision(dtype)


class Held:
    """An object of SciPy's that stands behind another."""

    __slots__ = ("_conversion", "_scipy")

    _scipy: Any
    _conversion: Conversion | None  # None: that of a call of its methods


@dataclasses.dataclass(frozen=True, slots=True)
class Conversion:
    """
    What becomes of the arrays of one call: where its results go, and in which dtypes.

    Parameters
    ----------
    device : Device
        Where the Arrays of the call are.
    wide : bool
        Whether there are float64 or complex128 among the operands.
    narrow : bool
        Whether float64 and complex128 of SciPy's making become the device's default dtypes.
    low : dtype or None
        The dtype of 16 bits or fewer that all floating operands have, and that results of SciPy's computation take.
    proxy : callable
        Makes the proxy of an object of SciPy's.
    data : bool
        Whether there are arrays among the operands, or in the objects of SciPy's among them.
    """

    device: Device
    wide: bool
    narrow: bool
    low: DType | None
    proxy: Callable[[Any, Conversion], Any]
    data: bool

    @classmethod
    def of(
        cls, device: Device, dtypes: list[DType], wide: bool, proxy: Callable[[Any, Conversion], Any], data: bool = False
    ) -> Conversion:  # fmt: skip
        """Decide by the dtypes of the operands of a call; `wide` says that one of its proxies has float64 data."""
        floating = {dtype for dtype in dtypes if _is_floating(dtype)}
        low = next(iter(floating)) if len(floating) == 1 and not wide else None
        if low is not None and not (is_low_precision(low) or low == FLOAT16):
            low = None
        wide = wide or not floating.isdisjoint(SINGLE_OF)
        return cls(device, wide, promotion_table(device).default_float != FLOAT64 and not wide, low, proxy, data)

    def to_host(self, item: Any, depth: int = 0) -> Any:
        """Give what SciPy computes with: ndarrays for Arrays, SciPy's sparse arrays for ours, in tuples, lists and dicts, too."""
        if type(item) is Array:
            host = item._host()
            return host.astype(FLOAT32) if is_low_precision(host.dtype) or host.dtype == FLOAT16 else host
        if isinstance(item, SparseBase):
            return item._host()
        if isinstance(item, Held):
            return item._scipy
        if isinstance(item, Source):
            return item._numpys()
        if isinstance(item, (list, tuple)) and depth < _DEPTH:
            items = [self.to_host(each, depth + 1) for each in item]
            if all(new is old for new, old in zip(items, item, strict=True)):
                return item
            return items if isinstance(item, list) else tuple.__new__(type(item), items)
        if isinstance(item, dict) and depth < _DEPTH:
            return {key: self.to_host(each, depth + 1) for key, each in item.items()}
        return item

    def to_array(self, host: npt.NDArray[Any]) -> Any:
        """Bring an ndarray of SciPy's to the device; arrays of objects and text stay what they are."""
        if host.dtype not in KINDS:
            return host
        dtype = host.dtype
        if self.low is not None and dtype in {FLOAT32, FLOAT64}:
            dtype = self.low
        elif self.narrow:
            dtype = SINGLE_OF.get(dtype, dtype)
        if dtype != host.dtype:
            host = host.astype(dtype)
        if self.device is CPU:
            return Array._wrap(host)
        return Array._wrap(engine_for(self.device).from_host(host, copy=True), self.device)

    def to_device(self, item: Any, depth: int = 0) -> Any:
        """Give what the user gets of a result of SciPy's: Arrays, sparse arrays and proxies on the device; scalars stay scalars."""
        kind: Any = type(item)
        if kind is np.ndarray:
            return self.to_array(item)
        if isinstance(item, np.generic):
            if self.low is not None and item.dtype in {FLOAT32, FLOAT64}:
                item = item.astype(self.low)
            return item.item() if self.device is not CPU and item.dtype in KINDS else item  # a scalar of Python's has no dtype of its own
        if isinstance(item, _THEIRS):
            return self._sparse(item)
        if depth >= _DEPTH or item is None or (kind.__module__ == "builtins" and not isinstance(item, (list, tuple, dict))):
            return item
        if isinstance(item, (list, tuple)):
            return self.proxy(item, self) if _has_methods(kind) else self._sequence(item, depth)
        if isinstance(item, dict):  # also SciPy's OptimizeResult
            made = copy.copy(item)
            for key, each in item.items():
                made[key] = self.to_device(each, depth + 1)
            return made
        if not kind.__module__.startswith("scipy.") or isinstance(item, (type, BaseException, np.ndarray)) or _is_function(item):
            return item
        if dataclasses.is_dataclass(item) and not _has_methods(kind):
            bundle: Any = copy.copy(item)
            for name, value in vars(item).items():  # fields may be properties without a setter
                bundle.__dict__[name] = self.to_device(value, depth + 1)
            return bundle
        return self.proxy(item, self)

    def _sequence(self, item: Any, depth: int) -> Any:
        """Convert what is in a list, a tuple or one of SciPy's named tuples, whose further attributes are kept."""
        items = [self.to_device(each, depth + 1) for each in item]
        if all(new is old for new, old in zip(items, item, strict=True)):
            return item
        if isinstance(item, list):
            return items
        made = tuple.__new__(type(item), items)
        for name, value in getattr(item, "__dict__", {}).items():
            made.__dict__[name] = self.to_device(value, depth + 1)
        return made

    def _sparse(self, item: Any) -> Any:
        """Bring one of SciPy's sparse arrays to the device."""
        import_module("trnarray.scipy.sparse")  # has the classes of all formats made
        host = from_scipy(item)._value
        if self.narrow and host.dtype in SINGLE_OF:
            host = host.astype(SINGLE_OF[host.dtype])
        return wrap_result(host, self.device)


@functools.cache
def _has_methods(kind: type) -> bool:
    """Tell whether a named tuple or a data class of SciPy's computes, as the interval of a test's result."""
    added = set(dir(kind)) - set(dir(tuple)) - set(getattr(kind, "_fields", ()))
    return kind.__module__.startswith("scipy.") and any(not name.startswith("_") and callable(getattr(kind, name)) for name in added)


def _is_function(item: Any) -> bool:
    return callable(item) and hasattr(item, "__name__") and not hasattr(item, "__dict__")
