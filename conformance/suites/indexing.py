"""Suite ``indexing``: random index expressions, read and written, on Arrays and on ndarrays: equal results, or errors of one type."""

from __future__ import annotations

import random
import warnings
from argparse import ArgumentParser, Namespace
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

import trnarray

from ...backends.device import Device
from ...backends.settings import config
from ..report import Report

__all__ = ["Example", "add_arguments", "check", "draw", "run"]

_DTYPES: Final = ("bool", "uint8", "int16", "int32", "int64", "float16", "float32", "float64", "complex64")
_INDEX_DTYPES: Final = ("int8", "uint8", "int16", "int32", "uint32", "int64", "uint64")
_STEPS: Final = (None, 1, 2, 3, -1, -2)
_ERRORS: Final = (IndexError, ValueError, TypeError)
_SHOWN: Final = 20

Array = npt.NDArray[Any]


class Example(NamedTuple):
    """
    An index expression, and what is assigned.

    Attributes
    ----------
    base : ndarray
        All elements.
    turned : str
        How the array that is indexed looks at them: ``""``, ``"T"`` or ``"reversed"``.
    key : object
        The index, with ndarrays.
    values : ndarray
        What is written.
    """

    base: Array
    turned: str
    key: Any
    values: Array

    def array(self, base: Any) -> Any:
        """Make the array that is indexed."""
        return {"": base, "T": base.T, "reversed": base[::-1] if base.ndim else base}[self.turned]


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="another seed gives other expressions (default 0)")


def run(report: Report, device: Device, options: Namespace) -> None:
    """Compare expressions, under ``fallback="error"``."""
    differences: dict[str, list[str]] = {}
    counts: dict[str, int] = {}
    for number in range(options.max_examples):
        example = draw(random.Random(f"{options.seed} {number}"))
        kind = _kind(example.key)
        counts[kind] = counts.get(kind, 0) + 1
        found = check(example, device)
        if found:
            differences.setdefault(kind, []).append(f"expression {number}: {found}")
    for kind, count in sorted(counts.items()):
        wrong = differences.get(kind, [])
        report.add(kind, "failed" if wrong else "passed", "\n".join(wrong[:_SHOWN]))
        report.figures[f"expressions, {kind}"] = count


def _kind(key: Any) -> str:
    items = key if isinstance(key, tuple) else (key,)
    arrays = [item for item in items if isinstance(item, (list, np.ndarray, bool))]
    bools = [item for item in arrays if np.asarray(item).dtype == np.bool]
    if not arrays:
        return "basic"
    kinds = "masks" if len(bools) == len(arrays) else "masks and integer arrays" if bools else "integer arrays"
    return kinds if len(arrays) == len(items) else f"{kinds}, mixed with basic"


def draw(source: random.Random) -> Example:
    """Make an example."""
    shape = tuple(source.randint(0 if source.random() < 0.05 else 1, 4) for _ in range(source.choice((0, 1, 2, 2, 3, 3, 4))))
    dtype = source.choice(_DTYPES)
    base = _elements(source, shape, dtype)
    turned = source.choice(("", "", "", "T", "reversed"))
    array = Example(base, turned, None, base).array(base)
    key = _key(source, array.shape)
    return Example(base, turned, key, _values(source, array, key))


def _elements(source: random.Random, shape: tuple[int, ...], dtype: str) -> Array:
    count = int(np.prod(shape, dtype=np.int64))
    return np.array([source.randint(0, 100) for _ in range(count)], np.int64).reshape(shape).astype(dtype)


def _key(source: random.Random, shape: tuple[int, ...]) -> Any:
    """Draw the items of an index."""
    items: list[Any] = []
    common = tuple(source.randint(1, 3) for _ in range(source.randint(0, 2)))
    axis, beyond = 0, source.random() < 0.03
    while axis < len(shape) + beyond:
        length = shape[axis] if axis < len(shape) else 3
        chance = source.random()
        if chance < 0.12:
            items.append(None)
        elif chance < 0.2 and Ellipsis not in [item for item in items if item is Ellipsis]:
            items.append(Ellipsis)
            axis += source.randint(0, max(len(shape) - axis, 0))
        elif chance < 0.32:
            items.append(_position(source, length))
            axis += 1
        elif chance < 0.55:
            start, stop = (None if source.random() < 0.4 else source.randint(-length - 2, length + 2) for _ in range(2))
            items.append(slice(start, stop, source.choice(_STEPS)))
            axis += 1
        elif chance < 0.85:
            items.append(_integers(source, length, common))
            axis += 1
        else:
            count = source.randint(0, min(3, max(len(shape) - axis, 0)))
            lengths = shape[axis : axis + count]
            if source.random() < 0.05:
                lengths = tuple(one + 1 for one in lengths)
            mask = _elements(source, lengths, "int64") % 2 == 0
            items.append(mask if count or source.random() < 0.5 else bool(mask))
            axis += count
        if source.random() < 0.25:
            break
    return items[0] if len(items) == 1 and source.random() < 0.7 else tuple(items)


def _position(source: random.Random, length: int) -> int:
    return source.randint(-length, length - 1) if length and source.random() < 0.97 else source.randint(-length - 2, length + 2)


def _integers(source: random.Random, length: int, common: tuple[int, ...]) -> Any:
    shape = tuple(1 if source.random() < 0.2 else one for one in common[source.randint(0, len(common)) :])
    if source.random() < 0.03:
        shape = (source.choice((0, 4)),)
    count = int(np.prod(shape, dtype=np.int64))
    wild = source.random() < 0.05 or not length
    found = np.array([_position(source, length) if wild else source.randint(-length, length - 1) for _ in range(count)], np.int64)
    dtype = source.choice(_INDEX_DTYPES)
    array = (np.abs(found) % max(length, 1) if dtype.startswith("u") else found).astype(dtype).reshape(shape)
    return array.tolist() if shape and source.random() < 0.2 else array


def _values(source: random.Random, array: Array, key: Any) -> Array:
    """Draw what is assigned: of the shape that the key selects, with axes of length 1 or fewer axes, and now and then of another one."""
    dtype = array.dtype.name
    try:
        shape = np.shape(array[key])
    except _ERRORS:
        shape = ()
    if shape:  # a sequence for one element is another matter, which NumPy's versions see differently
        first = source.randint(0, len(shape)) if source.random() < 0.5 else 0
        shape = tuple(1 if source.random() < 0.2 else length for length in shape[first:])
        shape = (1, *shape) if source.random() < 0.1 else (*shape, 3) if source.random() < 0.05 else shape
    return _elements(source, shape, dtype)


def check(example: Example, device: Device) -> str:
    """Read and write on a device and on the host."""
    key = _on_device(example.key, device)

    def read(array: Any, key: Any) -> Any:
        return array[key]

    def write(array: Any, key: Any, values: Any) -> Any:
        array[key] = values
        return array

    for name, function, more in (("read", read, ()), ("write", write, (example.values,))):
        ours = example.array(trnarray.asarray(example.base, device=device, copy=True))
        expected = _outcome(function, example.array(example.base.copy()), example.key, *more)
        with config(fallback="error"):
            found = _outcome(function, ours, key, *(trnarray.asarray(item, device=device, copy=True) for item in more))
        if not _equal(expected, found):
            return f"{name} of {example.base.dtype}{list(ours.shape)} {example.turned}, {example.key!r}: {found!r} instead of {expected!r}"
    return ""


def _on_device(key: Any, device: Device) -> Any:
    if isinstance(key, tuple):
        return tuple(_on_device(item, device) for item in key)
    return trnarray.asarray(key, device=device) if isinstance(key, np.ndarray) else key


def _outcome(function: Any, *operands: Any) -> Array | type[Exception]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of casts that drop imaginary parts
            result = function(*operands)
            return np.asarray(result.to_device("cpu") if isinstance(result, trnarray.Array) else result)
    except _ERRORS as error:
        return next(kind for kind in _ERRORS if isinstance(error, kind))


def _equal(one: Array | type[Exception], other: Array | type[Exception]) -> bool:
    if isinstance(one, type) or isinstance(other, type):
        return one is other
    return one.shape == other.shape and one.dtype == other.dtype and np.array_equal(one, other)
