"""The base of the sparse arrays: a value on a device, and the one way Ops on sparse arrays reach the device's engine.

On the host the value is one of SciPy's sparse arrays, as that of an Array is an ndarray: components are neither copied nor
checked twice. On other devices it is the format, the shape and the engine's values of the components (`Packed`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final, Self

import numpy as np
import scipy.sparse

from .._array import Array
from .._array.plain import ATOMS, host_values
from ..backends.device import CPU, Device
from ..backends.dtypes import COMPLEX128, FIRST_EXTRA, FLOAT64, KINDS, check_host_array
from ..backends.engine import engine_for
from ..backends.nesting import check_depth
from ..backends.op import overwritten
from ..backends.ops.sparse import FIELDS, FUNCTIONS, Packed, SparseOp, pack, unpack
from ..backends.policy import check_transfer, count_transfer
from ..backends.settings import get_config, get_default_device
from ..backends.shape import MAX_DIMS

__all__ = [
    "OURS",
    "SPARSE_CLASSES",
    "WRAPPERS",
    "SparseBase",
    "common_device",
    "from_scipy",
    "is_scalar",
    "is_sparse",
    "narrowed",
    "run",
    "run_raw",
    "to_device",
    "unwrap",
    "wrap_result",
]

_WIDE_FLOATS: Final = frozenset({FLOAT64, COMPLEX128})

_new: Final = object.__new__
_THEIRS: Final = (scipy.sparse.sparray, scipy.sparse.spmatrix)
_SCALARS: Final = (bool, int, float, complex, np.generic)
_CLASSES: Final[dict[str, type[SparseBase]]] = {}  # by format, and those of SciPy's objects below
WRAPPERS: Final[dict[type[Any], type[SparseBase]]] = {}
"""Our class by SciPy's."""
SPARSE_CLASSES: Final[set[type[SparseBase]]] = set()
"""All classes of sparse arrays that can be made."""
OURS: Final[set[type[Any]]] = {Array}
"""These, and Array."""


class SparseBase:
    """A sparse array's value and device. Subclasses say their format."""

    __slots__ = ("__weakref__", "_device", "_value")

    _device: Device
    _value: Any  # one of SciPy's sparse arrays, or Packed
    _format: ClassVar[str]
    _maker: ClassVar[SparseOp]

    def __init_subclass__(cls, *, format: str | None = None) -> None:
        if format is not None:
            cls._format = format
            cls._maker = FUNCTIONS[f"{format}_array"]
            SPARSE_CLASSES.add(cls)
            OURS.add(cls)
            _CLASSES[format] = WRAPPERS[getattr(scipy.sparse, f"{format}_array")] = cls

    @classmethod
    def _wrap(cls, value: Any, device: Device) -> Self:
        """Make a sparse array of a value in the format of the class."""
        array = _new(cls)
        array._value = value
        array._device = device
        return array

    def _packed(self) -> Packed:
        """Give the format, the shape, and the components as values of the device."""
        return pack(self._value) if self._device is CPU else self._value

    def _shape(self) -> tuple[int, ...]:
        shape: tuple[int, ...] = self._value.shape if self._device is CPU else self._value[1]
        return shape

    def _host(self) -> Any:
        """Bring the value to the host because the caller asked for it."""
        if self._device is CPU:
            return self._value
        name, shape, parts = self._value
        engine = engine_for(self._device)
        return unpack((name, shape, tuple([engine.to_host(part, copy=False) for part in parts])))

    def _stored(self) -> int:
        """Count the stored elements; of a device's arrays no more than one index, or the offsets, is fetched."""
        if self._device is CPU:
            return int(self._value.nnz)
        packed: Packed = self._value
        name, shape, (data, *where) = packed
        lengths: tuple[int, ...] = data.shape
        if name == "coo":
            return lengths[0]
        last: Any = Array._wrap(where[-1], self._device)
        if name == "dia":
            rows, columns = shape[0], min(lengths[1], shape[1])
            return sum(max(min(rows + k, columns) - max(k, 0), 0) for k in last.tolist())
        return int(last[-1]) * math.prod(lengths[1:])

    def _component(self, name: str) -> Any:
        """Wrap what SciPy has under the name of a component."""
        if self._device is CPU:
            return wrap_result(getattr(self._value, name), CPU)
        packed: Packed = self._value
        first = 0
        for field in FIELDS[packed[0]]:
            count = len(packed[2]) - 1 if field == "coords" else 1
            if field == name:
                parts = tuple([Array._wrap(part, self._device) for part in packed[2][first : first + count]])
                return parts if field == "coords" else parts[0]
            first += count
        raise AttributeError(f"{type(self).__name__} has no component {name!r}; it has {', '.join(FIELDS[packed[0]])}")

    def _set_component(self, name: str, given: Any) -> None:
        """Put another component in the place of one."""
        values, device = unwrap(given, self._device)
        if device is CPU:
            setattr(self._value, name, values)
            return
        format, shape, parts = self._value
        if name == "coords":
            parts = (parts[0], *values)
        else:
            place = FIELDS[format].index(name)
            parts = (*parts[:place], values, *parts[place + 1 :])
        self._value = format, shape, parts


def common_device(items: Iterable[Any], depth: int = 0) -> Device | None:
    """Find the device of the first Array, sparse array or operator made of such among operands."""
    for item in items:
        if isinstance(item, (Array, SparseBase)):
            return item._device
        if isinstance(item, (list, tuple)):
            found = common_device(item, depth + 1) if depth <= MAX_DIMS else None
        else:
            found = getattr(item, "_device", None)
        if found is not None:
            return found
    return None


def unwrap(operand: Any, device: Device | None, moved: bool = False, depth: int = 0) -> tuple[Any, Device | None]:
    """Replace the Arrays and sparse arrays in an operand by their values, and find their common device."""
    kind = type(operand)
    if kind in ATOMS:
        return operand, device
    if kind in SPARSE_CLASSES:
        return operand._value, device if device is operand._device else Array._same_device(device, operand._device)
    if kind is Array:
        if operand._value.dtype.num >= FIRST_EXTRA:
            dtype = operand._value.dtype
            raise TypeError(f"sparse arrays do not compute in {dtype}; convert the operand first, as in x.astype(trnarray.float32)")
        return operand._value, device if device is operand._device else Array._same_device(device, operand._device)
    if isinstance(operand, (list, tuple)):
        if ATOMS.issuperset(map(type, operand)):
            return operand, device
        check_depth(depth)
        items = []
        for item in operand:
            if type(item) is Array and item._device is device and item._value.dtype.num < FIRST_EXTRA:
                items.append(item._value)
                continue
            value, device = unwrap(item, device, moved, depth + 1)
            items.append(value)
        return (items if isinstance(operand, list) else tuple(items)), device
    if isinstance(operand, _THEIRS):
        return _from_scipy(operand, device, moved)
    if kind is np.ndarray and operand.dtype.num >= FIRST_EXTRA:
        return unwrap(Array._wrap(operand), device)
    return Array._unwrap(operand, device, moved)


def from_scipy(array: Any) -> Any:
    """Wrap one of SciPy's sparse arrays or matrices on the host because the caller asked for it."""
    format = array.format if array.format in FIELDS else "csr"
    kind = getattr(scipy.sparse, f"{format}_array")
    host = array if type(array) is kind else kind(array)
    check_host_array(host.data)
    return WRAPPERS[kind]._wrap(host, CPU)


def _from_scipy(array: Any, device: Device | None, moved: bool) -> tuple[Any, Device]:
    """Take one of SciPy's sparse arrays or matrices as an operand."""
    taken = from_scipy(array)
    host, nbytes, device = taken._value, taken._value.data.nbytes, device or CPU
    if device is CPU:
        if get_config().host_transfer is not None:
            check_transfer("to device", nbytes, CPU, "convert with trnarray.scipy.sparse.csr_array(x) or its like")
    elif moved:
        count_transfer(nbytes)
    else:
        remedy = f"convert with trnarray.scipy.sparse.{taken._format}_array(x, device={str(device)!r})"
        check_transfer("to device", nbytes, device, remedy)
    return to_device(host, device), device


def to_device(host: Any, device: Device) -> Any:
    """Bring one of SciPy's sparse arrays to a device."""
    if device is CPU:
        return host
    engine = engine_for(device)
    format, shape, parts = pack(host)
    return format, shape, tuple([engine.from_host(part, copy=True) for part in parts])


def wrap_result(result: Any, device: Device) -> Any:
    """Make Arrays and sparse arrays of what an Op gives."""
    ours = WRAPPERS.get(type(result))
    if ours is not None:
        if result.data.dtype not in KINDS:
            raise TypeError(f"the result is of dtype {result.dtype}, which arrays cannot have; give the operands another dtype first")
        if device is not CPU:
            result = to_device(result, device)
        array = _new(ours)
        array._value = result
        array._device = device
        return array
    kind = type(result)
    if kind is tuple:
        if device is not CPU and len(result) == 3 and type(result[0]) is str and result[0] in FIELDS:  # packed, by an engine
            return _CLASSES[result[0]]._wrap(result, device)
    elif kind is not np.ndarray and isinstance(result, _THEIRS):
        return wrap_result(from_scipy(result)._value, device)
    return Array._wrap_results(result, device)


def run(op: SparseOp, /, *args: Any, **kwargs: Any) -> Any:
    """Run an Op on sparse arrays where they are: unwrap the operands, hand them to the engine, wrap what it returns."""
    result, device = run_raw(op, args, kwargs)
    if kwargs.get("out") is not None:
        return kwargs["out"]
    if type(args[0]) in SPARSE_CLASSES and result is args[0]._value:
        return args[0]
    made = wrap_result(result, device)
    return made if device is CPU else narrowed(made, device, (*args, *kwargs.values()))


def narrowed(made: Any, device: Device, operands: Iterable[Any]) -> Any:
    """Give a result the device's default dtype where SciPy made it of 64 bits of its own accord."""
    dtype = getattr(made, "dtype", None)
    if dtype not in _WIDE_FLOATS or not hasattr(made, "astype") or _has_wide_floats(operands):
        return made
    table = engine_for(device).promotion
    return made.astype(table.default_float if dtype == FLOAT64 else table.default_complex)


def _has_wide_floats(items: Iterable[Any]) -> bool:
    for item in items:
        if isinstance(item, (list, tuple)):
            if _has_wide_floats(item):
                return True
        elif (item if isinstance(item, np.dtype) else getattr(item, "dtype", None)) in _WIDE_FLOATS:
            return True
    return False


def run_raw(op: SparseOp, args: tuple[Any, ...], kwargs: Mapping[str, Any], device: Device | None = None) -> tuple[Any, Device]:
    """
    Run an Op on sparse arrays, and leave its result as the engine gives it.

    SciPy gets what was passed where `host_values` says that it can take it.
    """
    plain, named = host_values(args, OURS), host_values(kwargs.values(), OURS) if kwargs else []
    if plain is not None and named is not None and (device is CPU or not OURS.isdisjoint(map(type, args)) or get_default_device() is CPU):
        op.tick()
        return op.function(*plain, **dict(zip(kwargs, named, strict=True))), CPU
    values: list[Any] = []
    moved = False
    for arg in args:
        kind = type(arg)
        if kind in SPARSE_CLASSES:
            if device is None:
                device = arg._device
            elif device is not arg._device:
                device = Array._same_device(device, arg._device)
            arg = arg._value
        elif kind not in ATOMS:
            if device is None:
                device = common_device((*args, *kwargs.values()))
            if device is None and get_default_device() is not CPU:
                device, moved = get_default_device(), True
            arg, device = unwrap(arg, device, moved)
        values.append(arg)
    if kwargs and not ATOMS.issuperset(map(type, kwargs.values())):
        keywords = dict(kwargs)
        for key, arg in kwargs.items():
            if type(arg) not in ATOMS:
                keywords[key], device = unwrap(arg, device, moved)
        kwargs = keywords
    if device is None:
        device = get_default_device()
    if device is CPU:
        op.tick()
        return op.function(*values, **kwargs), CPU
    if any(type(args[place]) is np.ndarray for place in overwritten(op.function, args, kwargs)):
        raise Array._no_target(op.name, device)
    return engine_for(device).run(op, values, kwargs), device


def is_sparse(x: object) -> bool:
    """Tell whether something is a sparse array, ours or SciPy's. See `scipy.sparse.issparse`."""
    return isinstance(x, SparseBase) or isinstance(x, _THEIRS)  # noqa: SIM101  # without making a tuple each time


def is_scalar(x: object) -> bool:
    """Tell whether something stands for one number."""
    return x.ndim == 0 if type(x) is Array else isinstance(x, _SCALARS)
