"""Functions that view an array: each draws its parameters for an ndarray and gives a call for it and for the Array beside it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["VIEWS", "Array", "Call", "basic_key"]

Array: TypeAlias = npt.NDArray[Any]
Call: TypeAlias = Callable[[Any, Any], Any]
"""``call(namespace, array)``, with `numpy` and an ndarray, or `trnarray` and an Array."""

_ORDERS: Final = ("C", "F", "A", "K", "K", "K")
_STEPS: Final = (None, 1, 2, 3, -1, -2)
# Those that can be viewed as each other, by itemsize; and two of other sizes and planes, which devices refuse.
_DTYPES: Final = {
    1: ("bool", "int8", "uint8"),
    2: ("int16", "uint16", "float16"),
    4: ("int32", "uint32", "float32"),
    8: ("int64", "uint64", "float64"),
}
_OTHERS: Final = ("int8", "int16", "float32", "float64", "complex64")


def basic_key(source: random.Random, array: Array) -> Any:
    """Draw a basic index."""
    items: list[Any] = []
    axis, dots = 0, False
    while axis < array.ndim and source.random() < 0.85:
        length, chance = array.shape[axis], source.random()
        if chance < 0.1:
            items.append(None)
            continue
        if chance < 0.2 and not dots:
            items.append(Ellipsis)
            dots, axis = True, axis + source.randint(0, array.ndim - axis)
            continue
        if chance < 0.4:
            items.append(source.randint(-length, length - 1) if length and source.random() < 0.97 else length)
        else:
            start, stop = (None if source.random() < 0.4 else source.randint(-length - 1, length + 1) for _ in range(2))
            items.append(slice(start, stop, source.choice(_STEPS)))
        axis += 1
    return items[0] if len(items) == 1 else tuple(items)


def _axis(source: random.Random, array: Array) -> int:
    return source.randint(-array.ndim, array.ndim - 1) if array.ndim and source.random() < 0.98 else array.ndim


def _index(source: random.Random, array: Array) -> Call:
    key = basic_key(source, array)
    return lambda _, a: a[key]


def _row(source: random.Random, array: Array) -> Call:
    place = source.randrange(max(len(array), 1)) if array.ndim else 0
    return lambda _, a: list(a)[place]


def _transpose(source: random.Random, array: Array) -> Call:
    axes = source.sample(range(array.ndim), array.ndim)
    kind = source.choice(("T", "method", "function"))
    if kind == "T":
        return lambda _, a: a.T
    return (lambda _, a: a.transpose(axes)) if kind == "method" else lambda m, a: m.transpose(a, axes)


def _matrix_transpose(source: random.Random, _array: Array) -> Call:
    return (lambda m, a: m.matrix_transpose(a)) if source.random() < 0.5 else lambda _, a: a.mT


def _reshape(source: random.Random, array: Array) -> Call:
    shape, rest = list[int](), array.size
    while rest > 1 and len(shape) < 3 and source.random() < 0.8:
        shape.append(source.choice([one for one in range(1, rest + 1) if rest % one == 0]))
        rest //= shape[-1]
    shape.append(rest)
    if array.size and source.random() < 0.2:
        shape[source.randrange(len(shape))] = -1
    if source.random() < 0.03:
        shape.append(2)
    order, copy = source.choice(_ORDERS[:3]), source.choice((None, None, None, False, True))
    return (lambda m, a: m.reshape(a, shape, order=order, copy=copy)) if source.random() < 0.5 else lambda _, a: a.reshape(
        shape, order=order, copy=copy
    )


def _set_shape(source: random.Random, array: Array) -> Call:
    shape = (*array.shape[:-1], 1, -1) if array.ndim and source.random() < 0.5 else (array.size,)

    def call(_: Any, a: Any) -> Any:
        view = a.view()
        try:
            view.shape = shape
        except AttributeError as error:  # NumPy's where memory does not allow it; an Array has the ValueError of reshape
            raise ValueError from error
        return view

    return call


def _ravel(source: random.Random, _array: Array) -> Call:
    order = source.choice(_ORDERS)
    return (lambda m, a: m.ravel(a, order)) if source.random() < 0.5 else lambda _, a: a.ravel(order)


def _flatten(source: random.Random, _array: Array) -> Call:
    order = source.choice(_ORDERS)
    return lambda _, a: a.flatten(order)


def _of_axes(name: str, count: int, *more: tuple[Any, ...]) -> Callable[[random.Random, Array], Call]:
    """Make a function of axes, and of a choice of further parameters."""

    def draw(source: random.Random, array: Array) -> Call:
        parameters = [*(source.choice(choice) for choice in more), *(_axis(source, array) for _ in range(count))]
        return lambda m, a: getattr(m, name)(a, *parameters)

    return draw


def _unstack(source: random.Random, array: Array) -> Call:
    axis = _axis(source, array)
    return lambda m, a: m.unstack(a, axis=axis)


def _split(source: random.Random, array: Array) -> Call:
    name = source.choice(("split", "array_split", "array_split", "hsplit", "vsplit", "dsplit"))
    parts: Any = source.choice((1, 2, 3, [1], [1, 3], [2, 1]))
    axis = (_axis(source, array),) if name in ("split", "array_split") else ()
    return lambda m, a: getattr(m, name)(a, parts, *axis)


def _rot90(source: random.Random, array: Array) -> Call:
    turns, axes = source.randint(-1, 4), tuple(source.sample(range(max(array.ndim, 2)), 2))
    return lambda m, a: m.rot90(a, turns, axes)


def _flip(source: random.Random, array: Array) -> Call:
    name = source.choice(("flip", "flip", "fliplr", "flipud"))
    axis = source.choice((None, _axis(source, array)))
    return (lambda m, a: m.flip(a, axis)) if name == "flip" else lambda m, a: getattr(m, name)(a)


def _diagonal(source: random.Random, array: Array) -> Call:
    offset, axes = source.randint(-2, 2), source.sample(range(max(array.ndim, 2)), 2)
    if source.random() < 0.3:
        return lambda m, a: m.linalg.diagonal(a, offset=offset)
    return (lambda m, a: m.diagonal(a, offset, *axes)) if source.random() < 0.5 else lambda _, a: a.diagonal(offset, *axes)


def _broadcast_to(source: random.Random, array: Array) -> Call:
    shape = tuple(source.choice((1, 2, 3)) if length == 1 else length for length in array.shape)
    lead = tuple(source.randint(1, 2) for _ in range(source.randint(0, max(3 - array.ndim, 0))))
    return lambda m, a: m.broadcast_to(a, (*lead, *shape))


def _squeeze(source: random.Random, array: Array) -> Call:
    axis = source.choice((None, _axis(source, array)))
    return (lambda _, a: a.squeeze()) if axis is None else lambda _, a: a.squeeze(axis)


def _part(source: random.Random, _array: Array) -> Call:
    name = source.choice(("real", "imag"))
    return (lambda _, a: getattr(a, name)) if source.random() < 0.5 else lambda m, a: getattr(m, name)(a)


def _view(source: random.Random, array: Array) -> Call:
    alike = _DTYPES.get(array.dtype.itemsize, ()) if array.dtype.kind != "c" else (array.dtype.name,)
    name = source.choice(alike if alike and source.random() < 0.85 else _OTHERS)
    if source.random() < 0.15:
        return lambda _, a: a.view()
    return lambda _, a: a.view(np.dtype(name))


def _sliding_window_view(source: random.Random, array: Array) -> Call:
    writeable = source.random() < 0.4
    if source.random() < 0.4:
        window = tuple(source.randint(1, max(length, 1)) for length in array.shape)
        return lambda m, a: m.lib.stride_tricks.sliding_window_view(a, window, writeable=writeable)
    axis = _axis(source, array)
    length = source.randint(1, max(array.shape[axis] + (source.random() < 0.05), 1)) if axis < array.ndim else 1
    return lambda m, a: m.lib.stride_tricks.sliding_window_view(a, length, axis, writeable=writeable)


def _atleast(source: random.Random, _array: Array) -> Call:
    name = source.choice(("atleast_1d", "atleast_2d", "atleast_3d"))
    return lambda m, a: getattr(m, name)(a)


def _read_only(_source: random.Random, _array: Array) -> Call:
    def call(_: Any, a: Any) -> Any:
        view = a.view()
        view.flags.writeable = False
        return view

    return call


def _einsum(source: random.Random, array: Array) -> Call:
    square = array.ndim == 2 and array.shape[0] == array.shape[1]
    subscripts = source.choice(("ij->ji", "ii->i" if square else "i...->...i")) if array.ndim == 2 else "...->..."
    return lambda m, a: m.einsum(subscripts, a)


def _laid_out(source: random.Random, _array: Array) -> Call:
    order = source.choice(("C", "F"))
    kind = source.choice(("copy", "require", "asarray", "as an array of"))
    if kind == "copy":
        return lambda _, a: a.copy(order)
    if kind == "require":
        return lambda m, a: m.require(a, requirements=order)
    if kind == "asarray":
        return lambda m, a: m.asarray(a, order=order)
    return (lambda m, a: m.ascontiguousarray(a)) if order == "C" else lambda m, a: m.asfortranarray(a)


def _same(source: random.Random, array: Array) -> Call:
    if source.random() < 0.5:
        return lambda m, a: m.asarray(a)
    return lambda _, a: a.astype(array.dtype, copy=False)


def _broadcast_arrays(_source: random.Random, _array: Array) -> Call:
    def call(m: Any, a: Any) -> Any:
        view = m.broadcast_arrays(a, a[None])[0]
        if a.flags.writeable:
            view.flags.writeable = True  # or NumPy warns, and takes the flag away when memory is looked at again
        return view

    return call


VIEWS: Final[dict[str, Callable[[random.Random, Array], Call]]] = {
    "index": _index,
    "row of a list": _row,
    "transpose": _transpose,
    "matrix_transpose": _matrix_transpose,
    "reshape": _reshape,
    "shape set": _set_shape,
    "ravel": _ravel,
    "flatten": _flatten,
    "swapaxes": _of_axes("swapaxes", 2),
    "moveaxis": _of_axes("moveaxis", 2),
    "rollaxis": _of_axes("rollaxis", 2),
    "expand_dims": _of_axes("expand_dims", 1),
    "unstack": _unstack,
    "split": _split,
    "rot90": _rot90,
    "flip": _flip,
    "diagonal": _diagonal,
    "broadcast_to": _broadcast_to,
    "broadcast_arrays": _broadcast_arrays,
    "squeeze": _squeeze,
    "real and imag": _part,
    "view": _view,
    "sliding_window_view": _sliding_window_view,
    "atleast": _atleast,
    "read-only": _read_only,
    "einsum": _einsum,
    "itself": _same,
    "laid out": _laid_out,
    "copy": lambda *_: lambda _, a: a.copy(),
    "trim_zeros": lambda *_: lambda m, a: m.trim_zeros(a),
}
"""By name, what draws a call; `as_strided`, which has to stay within memory, is the suite's own."""
