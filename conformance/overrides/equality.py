"""Whether a result is NumPy's: the same containers, fields, dtypes, shapes and values, with Arrays in the place of ndarrays."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

import trnarray

from ...backends.limits import finfo
from ..function_table.comparison import Mismatch

__all__ = ["SilentArray", "compare", "host", "is_kind"]


class SilentArray(Mismatch):
    """An ndarray came out where an Array went in."""


def host(value: Any) -> npt.NDArray[Any]:
    """Give the values of an array."""
    return np.asarray(value.to_device("cpu") if isinstance(value, trnarray.Array) else value)


def compare(
    got: Any, want: Any, roundoffs: float = 0, *, plain: bool = False, given: Sequence[Any] = (), where: str = "the result"
) -> None:
    """Require that what came out is what came out of NumPy."""
    if isinstance(want, (np.ndarray, np.generic)):
        if not (plain and type(got) is type(want)) and not any(got is operand for operand in given):
            if isinstance(got, (np.ndarray, np.generic)):
                raise SilentArray(f"{where} is a {type(got).__name__}, not an Array")
            if type(got) is not trnarray.Array:
                raise Mismatch(f"{where} is {got!r}, where NumPy gives {want!r}")
        _compare_arrays(host(got), np.asarray(want), roundoffs, where)
    elif isinstance(want, (tuple, list)):
        if _container(got) != _container(want) or len(got) != len(want):
            raise Mismatch(f"{where} is {_describe(got)}, where NumPy gives {_describe(want)}")
        for index, (item, wanted) in enumerate(zip(got, want, strict=True)):
            compare(item, wanted, roundoffs, plain=plain, given=given, where=f"{where}[{index}]")
    elif isinstance(want, io.BytesIO):
        compare(got.getvalue(), want.getvalue(), where=where)
    elif type(got) is not type(want) or not (got == want or (got != got and want != want)):
        silent = isinstance(got, (np.ndarray, np.generic)) and not plain
        raise (SilentArray if silent else Mismatch)(f"{where} is {got!r}, where NumPy gives {want!r}")


def _container(value: Any) -> Any:
    return getattr(value, "_fields", type(value))


def _describe(value: Any) -> str:
    if not isinstance(value, (tuple, list)):
        return f"a {type(value).__name__}"
    fields = getattr(value, "_fields", "")
    return f"a {type(value).__name__} of {len(value)}" + (f" with the fields {fields}" if fields else "")


def _compare_arrays(got: npt.NDArray[Any], want: npt.NDArray[Any], roundoffs: float, where: str) -> None:
    if got.dtype != want.dtype or got.shape != want.shape:
        raise Mismatch(f"{where} is {got.dtype} {got.shape}, where NumPy gives {want.dtype} {want.shape}")
    if want.tobytes() == got.tobytes():
        return
    with np.errstate(all="ignore"):
        wrong = ~((got == want) | ((got != got) & (want != want)))
        if want.dtype.kind in "fc" and not roundoffs:  # then the signs of zeros count, too
            for part in ("real", "imag"):
                x, y = getattr(got, part), getattr(want, part)
                wrong |= (x == 0) & (y == 0) & (np.signbit(x) != np.signbit(y))
        if roundoffs and wrong.any():
            scale = np.abs(want[np.isfinite(want)]).max(initial=0)
            wrong &= ~(np.abs(got - want) <= roundoffs * finfo(want.dtype).eps / 2 * scale)
    if wrong.any():
        at = tuple(map(int, np.argwhere(wrong)[0]))
        count = f"{int(wrong.sum())} of {wrong.size} differ"
        raise Mismatch(f"{where}{list(at) or ''} is {got[at]!r}, where NumPy gives {want[at]!r} ({count})")


_FORMS: Final = {
    "array": lambda x: type(x) is trnarray.Array,
    "named tuple": lambda x: isinstance(x, tuple) and hasattr(x, "_fields"),
    "tuple": lambda x: type(x) is tuple,
    "list": lambda x: type(x) is list,
    "bool": lambda x: isinstance(x, (bool, np.bool)),
    "int": lambda x: type(x) is int,
    "str": lambda x: type(x) is str,
    "dtype": lambda x: isinstance(x, np.dtype),
    "scalar type": lambda x: isinstance(x, type) and issubclass(x, np.generic),
    "None": lambda x: x is None,
}


def is_kind(result: Any, kind: str) -> bool:
    """Tell whether a result is of a kind that the table of functions tells."""
    return any(_FORMS[form](result) for form in _forms(kind))


def _forms(kind: str) -> Iterator[str]:
    for alternative in kind.split(", or "):
        text = alternative.removeprefix("a ").removeprefix("an ")
        yield next(form for form in _FORMS if text.startswith(form))
