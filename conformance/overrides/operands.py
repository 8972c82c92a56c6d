"""What stands between the parentheses of a call: arrays of one dtype by short names, new ones at every evaluation."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import CodeType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

__all__ = ["ARRAYS", "DTYPES", "evaluate"]

DTYPES: Final = tuple(map(np.dtype, ("float64", "float32", "complex128", "int64", "int32", "uint8", "bool")))
"""Dtypes that NumPy computes in. Those it rounds at every step (float16) are not its equals here, and are meant not to be."""

_MAKERS: Final[dict[str, npt.NDArray[Any]]] = {
    # of the dtype that is asked for
    "v": np.array([3.25, -1, 2.5, -1, 0, 2]),
    "w": np.array([1.5, 2, 4, 3, -2, 5]),
    "s": np.array([0.0, 1, 1, 2.5, 3, 5]),
    "M": np.array([[1, -2.5, 3, 0], [4.25, 1, 2, -1], [0, 5, -3, 2]]),
    "N": np.array([[1, 2, 3.5, -1], [4, 2, 0, 3], [1.25, 5, -3, 1]]),
    "T": np.arange(24.0).reshape(2, 3, 4) % 7 - 2.5,
    "Q": np.array([[2, 1, -1], [0.5, 3, 1], [1, -1, 4]]),
    "P": np.array([[4, 1, 0], [1, 3, 1], [0, 1, 5.5]]),
    "n": np.array([[1, np.nan, 3, 0], [4.25, 1, 2, -1], [np.nan, 5, -3, 2]]),
    # of their own
    "b": np.array([[True, False, True, True], [False, True, False, True], [True, True, True, False]]),
    "c": np.array([True, False, True, True, False, False]),
    "f": np.array([0.5, 1.25, 2, 3.5, 4, 7]),
    "h": np.array([[1 + 2j, 3, -1j], [2, 1 - 1j, 0], [0.5j, 4, 1]]),
    "i": np.array([2, 0, 1, 1, 0, 2]),
    "k": np.array([5, 2, 0, 1, 3, 4]),
    "u": np.array([1, 128, 255, 6], np.uint8),
}
_OWN: Final = frozenset("bcfhiku")
ARRAYS: Final = frozenset(_MAKERS) | {"new", "rooted"}
"""The names of arrays; ``new(shape, dtype)`` makes one of zeros, ``rooted(shape)`` one of the roots of 1, 2, 3, …"""

Convert = Callable[[npt.NDArray[Any]], Any]


def evaluate(code: CodeType, call: Callable[..., Any], dtype: np.dtype[Any], convert: Mapping[str, Convert]) -> tuple[Any, list[Any]]:
    """Make a call."""
    given: list[Any] = []

    def give(name: str, array: npt.NDArray[Any]) -> Any:
        given.append(convert[name](array))
        return given[-1]

    def new(shape: Any, of: Any = dtype) -> Any:
        return give("new", np.zeros(shape, of))

    def file() -> io.BytesIO:
        given.append(io.BytesIO())
        return given[-1]  # type: ignore[no-any-return]

    def rooted(shape: Any) -> Any:
        return give("rooted", np.sqrt(np.arange(1.0, np.prod(shape) + 1)).reshape(shape))

    names = {"call": call, "new": new, "rooted": rooted, "file": file, **_PARAMETERS}
    names |= {"dt": dtype, "zt": np.result_type(dtype, np.complex64)}
    for name in sorted(_MAKERS.keys() & set(code.co_names)):
        names[name] = give(name, _array(name, dtype))
    if "path" not in code.co_names:
        return eval(code, names), given  # noqa: S307  # the table's own text
    with tempfile.TemporaryDirectory() as folder:
        names["path"] = partial(_written, Path(folder, "data"))
        return eval(code, names), given  # noqa: S307


def _array(name: str, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    array = _MAKERS[name]
    if name in _OWN:
        return array.copy()
    if dtype.kind == "c":
        return (array * (1 + 0.25j) if name != "P" else array).astype(dtype)
    return array.astype(dtype) if dtype.kind == "f" else np.nan_to_num(array, nan=2).astype(np.int64).astype(dtype)


def _written(path: Path, content: str) -> str:
    path.write_text(content, encoding="ascii")
    return str(path)


_PARAMETERS: Final[Mapping[str, Any]] = {
    "text": lambda lines: lines.split(";"),
    # what is called back
    "add": lambda x, y: x + y,
    "negate": lambda x: 0 - x,
    "total": lambda x: x.sum(),
    "sorted_pair": lambda x: x[:2] + x[1:3],
    "sum_over": lambda x, axis: x.sum(axis=axis),
    "hexadecimal": lambda x: f"<{x}>",
}
