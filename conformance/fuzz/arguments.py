"""Arguments: those that make sense for a parameter of a name, and those that make sense for none."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from .side import Side

__all__ = ["ARRAYS", "HOSTILE", "HostileError", "Value", "plausible"]

Make: TypeAlias = Callable[[Side], Any]


class HostileError(Exception):
    """What hostile objects raise: a call may let it pass."""


class Value(NamedTuple):
    """
    An argument that can be made anew for each side.

    Attributes
    ----------
    text : str
        How it is written in a report.
    make : callable
        Makes it for a side.
    """

    text: str
    make: Make


def _raise(*_args: Any, **_keywords: Any) -> Any:
    raise HostileError("of a hostile object")


_DUNDERS: Final = (
    *("__array__", "__array_interface__", "__array_struct__", "__len__", "__getitem__", "__iter__", "__index__", "__int__", "__float__"),
    *("__bool__", "__eq__", "__hash__", "__str__", "__repr__", "__complex__", "__buffer__", "__dlpack__", "__dlpack_device__"),
    *("__add__", "__radd__", "__array_ufunc__", "__array_function__", "__call__", "__fspath__", "__contains__", "shape", "dtype", "ndim"),
)
_ALL: Final = {name: property(_raise) if name[0] != "_" or name.startswith("__array_") else _raise for name in _DUNDERS}
_Hostile: Final[Any] = type("Hostile", (), {"__module__": __name__, **_ALL})
_BadLength: Final[Any] = type("BadLength", (), {"__len__": lambda _: -1, "__getitem__": lambda _, key: [1.0, 2.0][key]})
_BadIndex: Final[Any] = type("BadIndex", (), {"__index__": lambda _: "1"})
_BadArray: Final[Any] = type("BadArray", (), {"__array__": lambda *_, **__: "no array"})
_Subclass: Final[Any] = type("Subclass", (np.ndarray,), {})


def _first(x: Any, *_: Any) -> Any:
    return x


def _selfish() -> list[Any]:
    item: list[Any] = [1.0]
    item.append(item)
    return item


def _nested(depth: int) -> list[Any]:
    item: list[Any] = [1.0]
    for _ in range(depth):
        item = [item]
    return item


def _table(entries: Mapping[str, Make]) -> tuple[Value, ...]:
    return tuple(Value(text, make) for text, make in entries.items())


def _anew(entries: Mapping[str, Callable[[], Any]]) -> tuple[Value, ...]:
    return tuple(Value(text, lambda _, make=make: make()) for text, make in entries.items())  # type: ignore[misc]


def _plain(*values: Any) -> tuple[Value, ...]:
    return tuple(Value(repr(value), lambda _, value=value: value) for value in values)  # type: ignore[misc]


HOSTILE: Final = (
    *_plain(None, True, False, ..., NotImplemented, slice(None), slice("a", 0.5), int, object, type, len),
    *_plain("", "x", "nonsense", "i4,f8", b"bytes", "\ud800", "\0"),
    *_plain(0, 1, -1, 2, 3, -7, 64, 2**31, -(2**31), 2**62, -(2**63), 2**64, 10**12, 10**30),
    *_plain(0.5, -0.0, 1e-320, 1e308, float("nan"), float("inf"), 1j, complex("nan")),
    *_plain(np.float64(1.5), np.int8(-1), np.bool(True), np.str_("a")),
    *_plain((), [], {}, set(), frozenset({1}), {"a": 1}, [[]], (0, 0), (-1, -1), (99,), (2**62, 2**62), (2**31, 2**31), (1.5,), ("a", "b")),
    *_plain([1, [2, 3]], [None], [1, "a"], [1, None], (None, None), (1, 2, 3, 4, 5), [True, False]),
    *_plain(range(3), range(10**12), (1, -2), [2**31, 0]),
    *_anew(
        {
            "a list that holds itself": _selfish,
            "100 nested lists": lambda: _nested(100),
            "10,000 nested lists": lambda: _nested(10_000),
            "a generator": lambda: (i for i in range(3)),
            "iter([])": lambda: iter([]),
            "Hostile()": _Hostile,
            "BadLength()": _BadLength,
            "BadIndex()": _BadIndex,
            "BadArray()": _BadArray,
            "object()": object,
            "lambda": lambda: lambda *args: args,
            "memoryview": lambda: memoryview(b"abcdefgh"),
            "Subclass": lambda: np.ones(3).view(_Subclass),
            "matrix": lambda: np.matrix([[1.0, 2.0], [3.0, 4.0]]),
            "masked": lambda: np.ma.masked_equal([1.0, 2.0, 3.0], 2.0),
            "ndarray": lambda: np.ones((2, 3), np.float32),
            "ndarray of structs": lambda: np.zeros(2, "i4,f8"),
            "ndarray of objects": lambda: np.array([1, None, "a"], object),
            "ndarray of strings": lambda: np.array(["a", "bc"]),
            "ndarray of dates": lambda: np.array(["2020-01-01"], "M8[D]"),
            "ndarray of longdouble": lambda: np.ones(2, np.longdouble),
            "ndarray without elements": lambda: np.ones((0, 3)),
            "np.datetime64('2020')": lambda: np.datetime64("2020"),
            "np.void(b'a')": lambda: np.void(b"a"),
            "np.dtype('f4')": lambda: np.dtype("f4"),
        }
    ),
    *_table(
        {
            "an array": lambda s: s.array(np.ones(3, np.float32)),
            "a scalar array": lambda s: s.array(np.array(2)),
            "an array without elements": lambda s: s.array(np.ones((2, 0), np.float32)),
            "an array of 7 axes": lambda s: s.array(np.ones((1, 2, 1, 1, 2, 1, 1), np.float32)),
            "an array of NaN": lambda s: s.array(np.array([np.nan, np.inf, -np.inf], np.float32)),
            "an array of large integers": lambda s: s.array(np.array([2**62, -(2**63), 99])),
            "a list of an array": lambda s: [s.array(np.ones(2, np.float32)), s.array(np.ones(3, np.float32))],
            "a sparse array": lambda s: s.sparse(np.eye(3)),
            "a namespace": lambda s: s.module,
        }
    ),
)
"""Arguments for any parameter that make no sense for most."""


def _array(text: str, values: Any, dtype: str) -> Value:
    host = np.array(values, dtype)
    return Value(text, lambda s: s.array(host))


_SPD: Final = [[4, 1, 0], [1, 5, 2], [0, 2, 6]]
ARRAYS: Final = (
    _array("f4[3]", [1, 2.5, -3], "f4"),
    _array("f4[3, 3]", _SPD, "f4"),
    _array("f4[3, 3]", _SPD, "f4"),
    _array("f4[2, 3]", [[1, 2, 3], [4, 5, 6.5]], "f4"),
    _array("f4[2, 2, 2]", np.arange(8).reshape(2, 2, 2), "f4"),
    _array("f8[4]", [0.5, 0.25, 1, 2], "f8"),
    _array("i4[4]", [1, 0, 2, 3], "i4"),
    _array("i8[3]", [2, 0, 1], "i8"),
    _array("u1[3]", [2, 0, 255], "u1"),
    _array("?[3]", [1, 0, 1], "?"),
    _array("c8[3]", [1, 2j, -1], "c8"),
    _array("f4[16]", np.arange(16), "f4"),
    _array("f4[]", 1.5, "f4"),
    *_plain([1.0, 2.0, 3.0], 2.0, 3, [[1, 2], [3, 4]]),
)
_SPARSE: Final = (*_table({"sparse[3, 3]": lambda s: s.sparse(np.array(_SPD, "f4"))}), *ARRAYS[1:3])
_INTEGERS: Final = _plain(0, 1, 2, 3, -1)
_SHAPES: Final = _plain((2, 3), 3, (), (6,), (3, 1), -1, (-1, 2))
_FLAGS: Final = _plain(True, False)
_FLOATS: Final = _plain(0.5, 1.0, 2, 1e-3)
_FUNCTIONS: Final = _plain(_first) + _table({"add": lambda s: s.module.add, "sum": lambda s: s.module.sum})

_LISTS: Final = _table({"[f4[3], f4[3]]": lambda s: [s.array(np.ones(3, "f4"))] * 2})
_OUT: Final = tuple(_array(f"out{list(shape)}", np.zeros(shape), "f4") for shape in ((3,), (2, 3), (), (3, 3)))
_BY_NAME: Final[dict[str, tuple[Value, ...]]] = {
    **dict.fromkeys(("axis", "axis1", "axis2", "axisa", "axisb", "axisc", "kth", "source", "destination", "start", "caxis"), _INTEGERS),
    **dict.fromkeys(("n", "k", "m", "N", "num", "decimals", "ddof", "nperseg", "nfft", "ord", "deg"), _INTEGERS),
    **dict.fromkeys(("shift", "repeats", "reps", "M"), _INTEGERS),
    **dict.fromkeys(("maxiter", "offset", "pad_width", "indices_or_sections", "up", "down", "hop", "numtaps", "Nx", "workers"), _INTEGERS),
    **dict.fromkeys(("shape", "size", "newshape", "new_shape", "s", "dims", "axes", "window_shape", "dimensions"), _SHAPES),
    **dict.fromkeys(("keepdims", "overwrite_x", "overwrite_a", "overwrite_b", "check_finite", "lower", "full_matrices", "copy"), _FLAGS),
    **dict.fromkeys(("func", "function", "func1d", "pyfunc", "callback", "funclist", "data_sampler", "mask_func"), _FUNCTIONS),
    **dict.fromkeys(("rtol", "atol", "tol", "scale", "loc", "mean", "fs", "cutoff", "rcond", "cond", "lam", "df", "mu", "sigma"), _FLOATS),
    "dtype": _plain("f4", "i4", float, bool, "c8", np.float32, None, np.dtype("int64"), "f8", "b"),
    "out": _OUT,
    "where": (*_FLAGS, ARRAYS[9]),
    "order": _plain("C", "F", "K", "A"),
    "casting": _plain("no", "equiv", "safe", "same_kind", "unsafe"),
    "norm": _plain("ortho", "forward", "backward", None),
    "mode": _plain("wrap", "clip", "raise", "full", "same", "valid", "constant", "edge", "reflect", "r", "economic", "complete"),
    "method": _plain("linear", "nearest", "auto", "direct", "fft", "midpoint"),
    "kind": _plain("stable", "quicksort", "sort", "linear", "introselect"),
    "side": _plain("left", "right"),
    "window": _plain("hann", ("kaiser", 5.0), "boxcar"),
    "format": _plain("csr", "csc", "coo", "dia", "bsr"),
    "type": _INTEGERS,
    "subscripts": _plain("i,i", "ij,jk", "ij->ji"),
    "operands": (*_plain("i,i", "ij,jk->ik", "i,i->", "ii"), *ARRAYS[:4]),
    "device": _plain(None, "cpu"),
    "file": _plain("array.npy"),
    "fname": _plain("array.txt"),
    "sep": _plain("", " ", ","),
    "string": _plain("1 2 3", "1,2"),
    "blocks": _table({"blocks": lambda s: [[s.sparse(np.eye(2)), None], [None, s.sparse(np.eye(2))]]}),
    "mats": _table({"mats": lambda s: [s.sparse(np.eye(2)), s.array(np.ones((2, 2), "f4"))]}),
    **dict.fromkeys(("arrays", "tup", "arys", "xi", "choices", "seq"), _LISTS),
}


def plausible(source: random.Random, name: str, default: Any, sparse: bool) -> Value:
    """Draw an argument that makes sense."""
    values = _BY_NAME.get(name)
    if values is None:
        if isinstance(default, bool):
            values = _FLAGS
        elif isinstance(default, str):
            values = _plain(default)
        elif isinstance(default, int):
            values = _INTEGERS
        elif isinstance(default, float):
            values = _FLOATS
        else:
            values = _SPARSE if sparse and source.random() < 0.8 else ARRAYS
    return source.choice(values)
