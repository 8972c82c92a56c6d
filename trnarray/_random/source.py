"""What Generator and RandomState have in common: a generator of the host, and the way from it to an Array on a device."""

from __future__ import annotations

from contextlib import suppress
from math import prod
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .._array import Array
from .._array.plain import ATOMS
from ..backends.counter_based.compound import width_of_tree
from ..backends.device import CPU, Device, parse_device
from ..backends.dtypes import FLOAT64, canonical_dtype
from ..backends.engine import engine_for
from ..backends.nesting import replace
from ..backends.ops import random as ops
from ..backends.settings import get_default_device
from ..backends.shape import canonical_shape

if TYPE_CHECKING:
    from .._typing import DeviceLike, DTypeLike
    from ..backends.op import Op

__all__ = ["Source", "on_host"]

_ORDERS: Final = frozenset((ops.choice, ops.permutation, ops.permuted, ops.shuffle))
"""Draws that need a word for each element that there is to choose from."""
_VECTORS: Final = {ops.dirichlet: 0, ops.multinomial: 1, ops.multivariate_hypergeometric: 0}
"""Draws of vectors, of which each takes the next power of two of words; the operand that has their length."""


def on_host(value: Any) -> Any:
    """Bring a seed or a state to the host, because there are the bit generators."""
    return replace(value, Array, lambda array: array._host()[()])


class Source:
    """A generator of NumPy's, which draws for the host and from whose bit generator other devices derive their streams."""

    __slots__ = ("_device", "_held", "_shared", "_waiting")

    _held: Any  # numpy.random.Generator or RandomState, or a CounterBitGenerator
    _device: Device | None  # where draws run that nothing else sends to a device
    _shared: bool  # whether others may draw from the same bit generator
    _waiting: Device | None  # where draws wait

    def _hold(self, generator: Any, *, shared: bool) -> None:
        self._held, self._shared, self._waiting, self._device = generator, shared, None, None

    @property
    def _generator(self) -> Any:
        """The generator of the host's, after the draws that wait on a device."""
        if self._waiting is not None:
            engine_for(self._waiting).settle(self._held)
            self._waiting = None
        return self._held

    def _numpys(self) -> Any:
        """Give a generator of NumPy's, to those who take no other: the one that this is, or one with a key of the stream."""
        reserve = getattr(self._held, "_reserve", None)
        return self._generator if reserve is None else reserve(1).keyed()

    def __str__(self) -> str:
        return str(self._generator).replace(type(self._generator).__name__, type(self).__name__)

    def __repr__(self) -> str:
        return f"{self} at 0x{id(self):X}"

    def bytes(self, length: int) -> bytes:
        """Draw bytes. See `numpy.random.Generator.bytes`."""
        drawn: bytes = self._generator.bytes(length)
        return drawn

    def _draw(
        self,
        op: Op,
        device: DeviceLike,
        *operands: Any,
        size: Any = None,
        dtype: DTypeLike = None,
        out: Any = None,
        **parameters: Any,
    ) -> Array:
        """Run an Op where its operands are, or where it is asked to run."""
        target: Device | None = None if device is None else parse_device(device)
        values: Any = operands
        moved = False
        if not ATOMS.issuperset(map(type, operands)):
            if target is None:
                target, moved = Array._device_of((*operands, out))
                if moved and self._device is not None:
                    target = self._device
            values, target = Array._unwrap(operands, target, moved)
        if size is not None:
            parameters["size"] = canonical_shape(size, FLOAT64)
        if dtype is not None:
            parameters["dtype"] = canonical_dtype(dtype)
        if out is not None:
            if type(out) is not Array and type(out) is not np.ndarray:
                raise TypeError(f"out is an Array, but got {type(out).__name__}; make one with trnarray.empty")
            Array._check_targets(op, operands, {"out": out})
            parameters["out"], target = Array._unwrap(Array._writable(out), target)
        if target is None:
            target = self._device or get_default_device()
        reserve = getattr(self._held, "_reserve", None)
        if reserve is not None:  # a draw has a part of the stream, and need not wait for others
            generator = reserve(_elements(op, values, parameters))
        else:
            generator = self._held if self._waiting is target else self._generator
        result = engine_for(target).run(op, (generator, *values), parameters)
        self._waiting = None if target is CPU or reserve is not None else target
        if self._shared:
            self._generator  # noqa: B018  # draws, since others are not known to come here before they do
        drawn: Array
        drawn = Array._wrap_results(result, target) if out is None else Array._written(out, parameters["out"], result, target)
        return drawn

    def _shuffle(self, x: Any, **axis: Any) -> None:
        """Shuffle an Array on its device, and anything else where it is: on the host, and itself."""
        if type(x) is Array:
            self._draw(ops.shuffle, None, x, **axis)
        else:
            Array._check_targets(ops.shuffle, (None, x), {})
            Array._unwrap(x, CPU)  # refuses foreign arrays
            reserve = getattr(self._held, "_reserve", None)
            (self._generator if reserve is None else reserve(len(x))).shuffle(x, **axis)


def _elements(op: Op, operands: tuple[Any, ...], parameters: dict[str, Any]) -> int:
    """Count the elements that a draw needs words for."""
    size = parameters.get("size")
    if op in _ORDERS:
        x, axis = operands[0], parameters.get("axis")
        shape = (int(x),) if isinstance(x, (int, np.integer)) else _shape(x)
        if op is not ops.permuted and isinstance(axis, int) and -len(shape) <= axis < len(shape):
            shape = (shape[axis],)
        return max(prod(size or ()), prod(shape), 1)
    out = parameters.get("out")
    if op is ops.multivariate_normal:
        return max(prod(size or ()) * prod(_shape(operands[0])), 1)
    if op in _VECTORS:
        length = (1, *_shape(operands[_VECTORS[op]]))[-1]
        return max(_vectors(op, operands, size) * width_of_tree(max(length, 1)), 1)
    if size is None:
        size = out.shape if out is not None else ()
        for item in operands:
            shape = _shape(item)
            with suppress(ValueError):  # NumPy's own error comes from the call
                size = np.broadcast_shapes(size, shape)
    return max(prod(size), 1)


def _vectors(op: Op, operands: tuple[Any, ...], size: tuple[int, ...] | None) -> int:
    """Count the vectors of a draw."""
    if size is None and op is ops.multinomial:
        with suppress(ValueError):
            size = np.broadcast_shapes(_shape(operands[0]), _shape(operands[1])[:-1])
    return prod(size or ())


def _shape(item: Any) -> tuple[int, ...]:
    """Find the shape of an operand."""
    if isinstance(item, (list, tuple)):
        return (len(item), *(_shape(item[0]) if item else ()))
    shape: tuple[int, ...] = getattr(item, "shape", ())
    return shape
