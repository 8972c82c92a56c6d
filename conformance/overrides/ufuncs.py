"""The grid of ufuncs: every method under every keyword on several dtypes, with ndarrays and with Arrays in every place."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from types import CodeType
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.testing.overrides
import numpy.typing as npt

import trnarray

from ...backends.device import Device
from ..function_table.comparison import Mismatch, compare_errors
from .equality import SilentArray, compare
from .finding import Finding

__all__ = ["METHODS", "SPECIAL_METHODS", "check_method", "numpy_ufuncs", "special_ufuncs"]

_TEXT: Final = frozenset("SUT")
# A leading x stands for all operands, out for as many outputs as there are; b is a mask, i an array of indices. What follows
# a semicolon is for ufuncs of two operands.
_CALLS: Final[Mapping[str, tuple[str, ...]]] = {
    "__call__": (
        *("x", "x, out=out", "x, *out", "x, out=out[0]", "x, out=out, where=b", "x, dtype='float64'", "x, dtype='complex64'"),
        *("x, dtype='int16', casting='unsafe'", "x, casting='no'", "x, order='F'", "x, axis=0", "x, axis=0, keepdims=True"),
    ),
    "reduce": (
        *("x0", "x0, 1", "x0, axis=None", "x0, axis=(0, 1)", "x0, axis=1, keepdims=True", "x0, initial=1", "x0, axis=0, dtype='float64'"),
        *("x0, dtype='complex64'", "x0, axis=1, out=edge", "x0, axis=1, where=b, initial=2", "x0, where=b", "x0, 5"),
    ),
    "accumulate": ("x0", "x0, 1", "x0, axis=-1, dtype='float64'", "x0, dtype='complex64'", "x0, axis=1, out=full", "x0, axis=7"),
    "reduceat": ("x0, [0, 2, 1]", "x0, i", "x0, i, axis=1, dtype='float64'", "x0, [1, 2, 0], 1, out=square", "x0, [9]"),
    "outer": ("x", "x, out=cross", "x, dtype='float64'", "x, out=cross, where=False", "x, dtype='complex64'"),
    "at": (
        *("x0, 1; x1[1]", "x0, i; x1[:3]", "x0, [0, 0]; x1[:2]", "x0, (i, [1, 2, 3]); x1[0, 0]", "x0, b; 2"),
        *("x0, (slice(2), i); 1", "x0, 7; 1"),
    ),
}
METHODS: Final = tuple(_CALLS)
"""The methods of a ufunc, calling it among them."""
SPECIAL_METHODS: Final = ("__call__", "outer")
"""The methods that are checked of SciPy's ufuncs."""
_VALUES: Final = np.array([[3, -1, 2, 0], [1, 5, -2, 1], [0.5, 2.25, np.inf, -3]])
_OTHERS: Final = np.array([[2, 1, -1, 3], [0, 4, 1, -2], [0.25, -0.5, np.nan, 7]])
_TAME: Final = np.array([[1.0, 2, 0, 1], [3, 1, 0, 2], [2, 1, 4, 0]])
_SCALARS: Final = ("x0, 2", "2.5, x0", "x0, one", "one, x0", "x0, [1, 2, 3, 4]", "x0, True", "3j, x0", "x0, -1")
# The dtypes of the operands, by their characters: the last one is that of those that follow.
_DTYPES: Final = ("?", "b", "l", "B", "L", "f", "d", "F", "D", "?b", "?d", "ld", "fi", "lf", "Bb", "lL", "dF")
_SPHEROIDAL: Final = ("obl_", "pro_")  # which do not end in float32
_SUPPORTED: Final = frozenset("?bBhHiIlLqQfdFD")


def numpy_ufuncs() -> Mapping[str, np.ufunc]:
    """List NumPy's ufuncs of numbers."""
    found = {}
    for ufunc in numpy.testing.overrides.get_overridable_numpy_ufuncs():
        text = any(_TEXT & set(loop) for loop in ufunc.types) or (not ufunc.types and hasattr(np.strings, ufunc.__name__))
        if not text and not ufunc.__name__.startswith("_"):
            found[ufunc.__name__] = ufunc
    return dict(sorted(found.items()))


def special_ufuncs() -> Mapping[str, np.ufunc]:
    """List SciPy's ufuncs."""
    import scipy.special

    return {name: value for name, value in sorted(vars(scipy.special).items()) if isinstance(value, np.ufunc)}


def check_method(name: str, ufunc: np.ufunc, method: str, device: Device, *, tame: bool = False) -> Iterator[Finding | None]:
    """Make every call of a method of a ufunc, and compare with NumPy."""
    function = getattr(ufunc, method)
    calls = _CALLS[method]
    if method == "__call__" and ufunc.nin == 2:
        calls += _SCALARS
    prefix = name if method == "__call__" else f"{name}.{method}"
    for chars in _loops(ufunc) if tame else dict.fromkeys((loop + loop[-1] * ufunc.nin)[: ufunc.nin] for loop in _DTYPES):
        arrays = _operands(ufunc, chars, tame)
        for text in calls:
            if tame and "where" in text:
                continue  # where it is False, SciPy's write out of bounds (SciPy 1.17 with NumPy 2.4)
            code = _compiled(text, ufunc.nin)
            names = [key for key in code.co_names if key in arrays and key != "one"]
            want = _run(code, function, arrays, (), device)
            finding = None
            for ours in [names, *([name] for name in names if len(names) > 1)]:
                try:
                    _check(_run(code, function, arrays, ours, device), want)
                except Mismatch as mismatch:
                    call = f"{prefix}({text}) on {chars!r}, with {', '.join(ours)} as Array"
                    finding = Finding(call, str(mismatch), isinstance(mismatch, SilentArray))
            yield finding


def _loops(ufunc: np.ufunc) -> Iterable[str]:
    endless = "f" if ufunc.__name__.startswith(_SPHEROIDAL) else ""
    found = (loop.partition("->")[0] for loop in ufunc.types)
    return dict.fromkeys(loop for loop in found if (_SUPPORTED - set(endless)).issuperset(loop))


@cache
def _compiled(text: str, nin: int) -> CodeType:
    if text.startswith("x,") or text == "x":
        text = ", ".join(f"x{i}" for i in range(nin)) + text[1:]
    first, _, second = text.partition("; ")
    return compile(f"call({first}, {second})" if second and nin > 1 else f"call({first})", "<call>", "eval")


def _operands(ufunc: np.ufunc, chars: str, tame: bool) -> Mapping[str, Any]:
    """Make the arrays that the calls name."""
    operands = [_content(place, ufunc.nin, char, tame) for place, char in enumerate(chars)]
    if ufunc.signature:
        cores = ufunc.signature.partition("->")[0][1:-1].split("),(")
        operands = [x[0, :3] if "," not in core else x[:3, :3] for core, x in zip(cores, operands, strict=True)]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            result = ufunc(*operands)
        except (TypeError, ValueError):  # then any output will do to see what is raised
            result = (np.zeros((3, 4)),) * ufunc.nout
    results = result if isinstance(result, tuple) else (result,)
    kind = np.promote_types(results[0].dtype, np.float32) if results[0].dtype == np.float16 else results[0].dtype
    return {
        **{f"x{place}": operand for place, operand in enumerate(operands)},
        "out": tuple(np.zeros(np.shape(x), x.dtype) for x in results),
        "edge": np.zeros(3, kind),
        "full": np.zeros((3, 4), kind),
        "square": np.zeros((3, 3), kind),
        "cross": np.zeros((3, 4, 3, 4), kind),
        "b": np.array([[True, False, True, True], [False, True, False, True], [True, True, True, False]]),
        "i": np.array([0, 2, 1]),
        "one": np.dtype(chars[0]).type(1),
    }


@cache
def _content(place: int, nin: int, char: str, tame: bool) -> npt.NDArray[Any]:
    dtype = np.dtype(char)
    values = (_TAME + place if place < min(2, nin - 1) else (_TAME + 1) / 8) if tame else (_VALUES, _OTHERS)[place % 2]
    if dtype.kind not in "fc":
        return np.nan_to_num(values, posinf=100, nan=9).astype(np.int64).astype(dtype)
    array = values.astype(dtype)
    if dtype.kind == "c":
        array.imag = values[::-1]
    return array


class _Done(NamedTuple):
    result: Any
    given: list[Any]
    error: Exception | None


def _run(code: CodeType, function: Any, operands: Mapping[str, Any], ours: Sequence[str], device: Device) -> _Done:
    names = {"call": function}
    given: list[Any] = []
    for key in code.co_names:
        if key in operands:
            value = operands[key]
            arrays = [x.copy() for x in (value if key == "out" else [value])]
            if key in ours:
                arrays = [trnarray.asarray(x, device=device) for x in arrays]
            given += arrays
            names[key] = tuple(arrays) if key == "out" else arrays[0]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return _Done(eval(code, names), given, None)  # noqa: S307  # the table's own text
        except Exception as error:  # noqa: BLE001  # it is compared with NumPy's
            return _Done(None, given, error)


def _check(got: _Done, want: _Done) -> None:
    if type(got.error) is not type(want.error):
        compare_errors(got.error, want.error)
    if want.error is not None:
        return
    compare(got.result, want.result, given=got.given)
    for index, (array, wanted) in enumerate(zip(got.given, want.given, strict=True)):
        compare(array, wanted, plain=not isinstance(array, trnarray.Array), where=f"operand {index} after the call")
