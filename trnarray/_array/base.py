"""The base of Array: a value on a device, and the one way Ops reach the device's engine."""

from __future__ import annotations

from collections.abc import Iterable
from types import BuiltinFunctionType, FunctionType
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

import numpy as np

from ..backends.device import CPU, Device
from ..backends.dtypes import KINDS, LAST_PLAIN, canonical_dtype, check_host_array
from ..backends.engine import HOST, engine_for
from ..backends.nesting import check_depth
from ..backends.op import ELEMENTWISE, VIEW, Op, listed, overwritten
from ..backends.policy import check_transfer, count_transfer
from ..backends.settings import get_config, get_default_device
from ..backends.shape import MAX_DIMS
from .flat import FlatIterator
from .plain import ATOMS, PLAIN_SCALARS, host_values

__all__ = ["ArrayBase", "is_detached", "is_view"]

_A = TypeVar("_A", bound="ArrayBase")

_new: Final = object.__new__
_ndarray: Final = np.ndarray
_FUNCTIONS: Final = frozenset((FunctionType, BuiltinFunctionType, np.ufunc))  # what they are called with is their caller's matter
# What gives an array type of another library away.
_PROTOCOLS: Final = (
    *("__array__", "__array_interface__", "__array_struct__", "__array_ufunc__", "__array_priority__"),
    *("__array_namespace__", "__dlpack__"),
)


def is_detached(value: Any) -> bool:
    """Tell whether a value is that of a detached Array: on the host a NumPy scalar; values of other engines say so."""
    return type(value) is not np.ndarray and (isinstance(value, np.generic) or value.detached)


def is_view(result: Any, data: Any) -> bool:
    """Tell whether a value is a view of another: copies must not keep it alive."""
    owner = result.base
    return owner is not None and (owner is data or owner is data.base)


def _wrapped(kind: type[_A], data: Any, device: Device) -> _A:
    array = _new(kind)
    array._value = data
    array._device = device
    array._base = None
    return array


def _without_memory(value: Any) -> Any:
    return value[()] if type(value) is np.ndarray else value.without_memory()


class ArrayBase:
    """
    A value on a device.

    On the host the value is an ndarray, of which an Array is a view, or a NumPy scalar: the value of a *detached* 0-d
    Array, as reductions, iteration and full integer indexing give. Values of other engines have an attribute ``detached``.
    """

    __slots__ = ("__weakref__", "_base", "_device", "_value")

    _value: Any
    _device: Device
    _base: Self | None  # the Array that this one was made a view of, if it is one; see `base`

    @classmethod
    def _wrap(cls, data: Any, device: Device = CPU) -> Self:
        """Make an Array of a value of the device's engine."""
        return _wrapped(cls, data, device)

    @classmethod
    def _wrap_results(cls, result: Any, device: Device) -> Any:
        """Make Arrays of all values in an Op's result; leave other results as they are."""
        kind: Any = type(result)
        if kind is np.ndarray or kind in PLAIN_SCALARS or isinstance(result, engine_for(device).values):
            if result.dtype.num > LAST_PLAIN and result.dtype not in KINDS:
                raise TypeError(
                    f"the result is of dtype {result.dtype}, which arrays cannot have; "
                    "give the operands a numeric dtype first, as in trnarray.asarray(x, dtype=trnarray.float64)"
                )
            return cls._wrap(result, device)
        if isinstance(result, tuple) and hasattr(result, "_fields"):
            return kind(*[cls._wrap_results(item, device) for item in result])
        if kind is tuple or kind is list:
            return kind([cls._wrap_results(item, device) for item in result])
        return result

    @classmethod
    def _apply(cls, op: Op, /, *args: Any, **kwargs: Any) -> Any:
        """
        Run an Op where its Arrays are: unwrap the operands, hand them to the engine, wrap what it returns.

        NumPy gets what was passed where `host_values` says that it can take it.
        """
        device = args[0]._device if args and type(args[0]) is cls else None
        values = out = None
        if device is None or device is CPU:
            if device is None and op.writes:
                if 0 in op.writes and not isinstance(args[0], np.ndarray):
                    raise TypeError(f"{op.name} writes to an Array, but its target is of type {type(args[0]).__name__}; make it one first")
                cls._check_targets(op, args, kwargs)
            values, named = host_values(args, (cls,), op.kind is not ELEMENTWISE), kwargs
            if kwargs and values is not None:
                keywords, out = host_values(kwargs.values(), (cls,)), kwargs.get("out")
                if keywords is None or (out is not None and not (type(out) is cls and type(out._value) is np.ndarray)):
                    values = None
                else:
                    named = dict(zip(kwargs, keywords, strict=True))
        if values is not None and (device is CPU or get_default_device() is CPU or cls in map(type, args)):
            device = CPU
            op.tick()
            result = op.host(*values, **named) if kwargs else op.host(*values)
            if out is not None:
                return out
        else:
            moved = False
            if np.ndarray in map(type, args) or np.ndarray in map(type, kwargs.values()):
                args, kwargs = listed(op.host, args, kwargs)
            if device is None:
                device, moved = cls._device_of((*args, *kwargs.values()))
            values, _ = cls._unwrap(args, device, moved)
            if kwargs:
                out = kwargs.get("out")
                if out is not None:
                    kwargs["out"] = cls._writable(out)
                    if device is not CPU and np.ndarray in map(type, out if type(out) is tuple else (out,)):
                        raise cls._no_target(op.name, device)
                kwargs, _ = cls._unwrap(kwargs, device, moved)
            if device is CPU:
                result = HOST.run(op, values, kwargs)
            else:
                hosted = op.kind is not ELEMENTWISE and np.ndarray in map(type, args)
                if hosted and any(type(args[place]) is np.ndarray for place in overwritten(op.host, args, kwargs)):
                    raise cls._no_target(op.name, device)
                engine = engine_for(device)
                result = engine.run(op, values, kwargs)
            if out is not None:
                return cls._written(out, kwargs["out"], result, device)
        # Most results are one array, for which a call less is a tenth of what an addition costs.
        one = type(result) in engine.values if device is not CPU else type(result) is _ndarray and result.dtype.num <= LAST_PLAIN
        array = _wrapped(cls, result, device) if one else cls._wrap_results(result, device)
        if op.kind is VIEW and type(array) is cls and type(args[0]) is cls:
            if result is args[0]._value:
                return args[0]
            if is_view(result, args[0]._value):
                array._base = args[0] if args[0]._base is None else args[0]._base
        return array

    @classmethod
    def _device_of(cls, operands: Iterable[Any]) -> tuple[Device, bool]:
        """Find where a call runs: where its Arrays are, else on the default device, to which ndarrays and sequences are moved."""
        device = cls._device_among(operands)
        return (get_default_device(), True) if device is None else (device, False)

    @classmethod
    def _check_targets(cls, op: Op, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Refuse to write to an ndarray from another device: the device would write to its copy."""
        for target in (*op.writes, "out"):
            item = (args[target] if target < len(args) else None) if isinstance(target, int) else kwargs.get(target)
            if type(item) is np.ndarray:
                device, _ = cls._device_of((*args, *kwargs.values()))
                if device is not CPU:
                    raise cls._no_target(op.name, device)

    @staticmethod
    def _no_target(name: str, device: Device) -> TypeError:
        return TypeError(
            f"{name} on {str(device)!r} cannot write to a numpy.ndarray; write to an Array there, as made by "
            "trnarray.asarray(target), or fetch the other operands with x.to_device('cpu') first"
        )

    def _host(self) -> Any:
        """Bring the value to the host because the caller asked for it: an ndarray, or a scalar for a detached Array."""
        return self._value if self._device is CPU else engine_for(self._device).to_host(self._value, copy=False)

    if TYPE_CHECKING:

        @classmethod
        def _applied(cls, op: Op, /, *args: Any, **kwargs: Any) -> Self:
            """`_apply` an Op that gives one Array."""
    else:
        _applied = _apply

    def _write(self, op: Op, /, *args: Any, **kwargs: Any) -> None:
        """Apply an Op that writes to this Array; a detached one, which has no memory to share, takes the new value."""
        if is_detached(self._value):
            storage = self._writable(self)
            storage._apply(op, storage, *args, **kwargs)
            self._value = _without_memory(storage._value)
        else:
            self._apply(op, self, *args, **kwargs)

    @classmethod
    def _unwrap(cls, arg: Any, device: Device | None, moved: bool = False, depth: int = 0) -> tuple[Any, Device | None]:
        """Replace the Arrays in an operand by their values, and find their common device; `moved` data goes there as the caller asked."""
        kind = type(arg)
        if kind is tuple or kind is list or isinstance(arg, (list, tuple)):  # also the named tuples that decompositions give
            if depth:
                check_depth(depth)
            items = []
            for item in arg:
                if type(item) is cls and item._device is device:  # most are one or the other, which need no call
                    item = item._value
                elif type(item) not in ATOMS:
                    item, device = cls._unwrap(item, device, moved, depth + 1)
                items.append(item)
            return (items if isinstance(arg, list) else tuple(items)), device
        if kind is cls:
            return arg._value, cls._same_device(device, arg._device)
        if kind in ATOMS or kind in _FUNCTIONS:
            return arg, device
        if kind is np.ndarray:
            host = check_host_array(arg)
            if device is None or device is CPU:
                if get_config().host_transfer is not None:  # on the cpu, where the memory is shared, it is else no matter
                    check_transfer("to device", arg.nbytes, CPU, "convert with trnarray.asarray(x)")
                return host, CPU
            if moved:
                count_transfer(arg.nbytes)
            else:
                check_transfer("to device", arg.nbytes, device, f"convert with trnarray.asarray(x, device={str(device)!r})")
            return engine_for(device).from_host(host, copy=True), device
        if kind is dict:
            unwrapped = {}
            for key, item in arg.items():
                unwrapped[key], device = cls._unwrap(item, device, moved, depth + 1)
            return unwrapped, device
        if kind is FlatIterator:
            return cls._unwrap(arg.copy(), device, moved)
        if isinstance(arg, np.generic):
            canonical_dtype(arg.dtype)
        elif any(hasattr(arg, name) for name in _PROTOCOLS) and not isinstance(arg, type):
            raise TypeError(
                f"an operand is of the foreign array type {kind.__module__}.{kind.__qualname__}; "
                "only trnarray Arrays, exact numpy ndarrays and scalars are taken: convert it with trnarray.asarray"
            )
        return arg, device

    @classmethod
    def _device_among(cls, items: Iterable[Any], depth: int = 0) -> Device | None:
        """Find the device of the first Array in operands."""
        for item in items:
            if type(item) is cls:
                return item._device
            if isinstance(item, (list, tuple, dict)) and depth <= MAX_DIMS:
                found = cls._device_among(item.values() if isinstance(item, dict) else item, depth + 1)
                if found is not None:
                    return found
        return None

    @staticmethod
    def _same_device(device: Device | None, other: Device) -> Device:
        if device is None or device is other:
            return other
        target = str(other if device == "cpu" else device)
        raise ValueError(
            f"operands are on the devices {str(device)!r} and {str(other)!r}; move one of them first, as in x.to_device({target!r}), "
            f"or make it there: with trnarray.default_device({target!r})"
        )

    @classmethod
    def _writable(cls, out: Any) -> Any:
        """Give a 0-d array for a detached Array that is to be written to, and check what ``out`` is."""
        if type(out) is tuple:
            return tuple(cls._writable(item) for item in out)
        if type(out) is not cls and not isinstance(out, np.ndarray) and out is not None:
            raise TypeError(f"out must be an Array, but got {type(out).__name__}; make one with trnarray.empty")
        if type(out) is cls and is_detached(out._value):
            return cls._wrap(np.array(out._value) if isinstance(out._value, np.generic) else out._value.with_memory(), out._device)
        return out

    @classmethod
    def _written(cls, out: Any, values: Any, result: Any, device: Device) -> Any:
        """Give back the objects that were passed as ``out``."""
        if type(out) is tuple:
            if type(values) is tuple and len(out) == 1:
                return cls._written(out[0], values[0], result, device)
            return tuple(cls._written(o, v, r, device) for o, v, r in zip(out, values, result, strict=True))
        if out is None:
            return cls._wrap_results(result, device)
        if type(out) is cls and is_detached(out._value):
            out._value = _without_memory(values)
        return out
