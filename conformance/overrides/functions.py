"""The sweep of NumPy's overridable functions: every call of the table, on ndarrays and on Arrays in every place."""

from __future__ import annotations

import importlib
import inspect
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import CodeType
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.testing.overrides

import trnarray

from ...backends.device import Device
from ...numpy_protocol import REFUSED, RETURNS, path_of
from ..function_table.comparison import Mismatch, compare_errors
from .calls import CALLS
from .equality import SilentArray, compare, host, is_kind
from .finding import Finding
from .operands import ARRAYS, DTYPES, evaluate

__all__ = ["check_refused", "overridable_functions", "sweep"]

# Functions are overridable once the modules that define them are imported.
_MODULES: Final = ("fft", "strings", "char", "polynomial", "lib.recfunctions")
# Where ours takes another road than NumPy's, and how many roundoffs of the largest element they may be apart for it.
# Here it is that SciPy's transforms add in another order, in a number of steps that is logarithmic in the length.
_ROUNDOFFS: Final[Mapping[str, float]] = {path: 8 for path in RETURNS if path.startswith("fft.") and not path.endswith("shift")}
_PLAIN: Final = ("bool", "int", "str", "dtype")

_Function = Callable[..., Any]
_Calls = tuple[_Function, _Function]


class _Seen(BaseException):
    """NumPy asks an operand."""


class _Probe:
    """An operand that tells whether NumPy asks it about a function."""

    __array_ufunc__ = None

    def __init__(self, path: str) -> None:
        self.path: Final = path

    def __array_function__(self, func: _Function, *_: Any) -> Any:
        if path_of(func) == self.path:
            raise _Seen
        return NotImplemented


def overridable_functions() -> Mapping[str, Callable[..., Any]]:
    """List the functions that NumPy lets others take over."""
    for module in _MODULES:
        importlib.import_module(f"numpy.{module}")
    found = {}
    for func in numpy.testing.overrides.get_overridable_numpy_array_functions():
        path = path_of(func)
        module, _, name = f"numpy.{path}".rpartition(".")
        found[path] = getattr(importlib.import_module(module), name, func)  # not what `like=` calls under that name
    return dict(sorted(found.items()))


def sweep(path: str, func: Callable[..., Any], device: Device) -> Iterator[Finding]:
    """Make every call of a function, and compare with NumPy."""
    if path not in CALLS:
        yield Finding(path, "the table of calls does not have it", False)
        return
    signature = _signature(func)
    for text in CALLS[path]:
        code = compile(f"call({text})", "<call>", "eval")
        names = sorted(ARRAYS & set(code.co_names))
        for dtype in DTYPES:
            for style, calls, ours in _ways(path, func, signature, names):
                try:
                    _check(path, code, calls, dtype, ours, device)
                except Mismatch as mismatch:
                    yield Finding(f"{path}({text}) on {dtype}, {style}", str(mismatch), isinstance(mismatch, SilentArray))
                    break


def _ways(path: str, func: _Function, signature: inspect.Signature | None, names: list[str]) -> Iterator[tuple[str, _Calls, list[str]]]:
    """Give the ways to make a call: what is called with ndarrays, what with Arrays, and the names of those."""
    yield "as written", (func, func), names
    if signature is not None:
        by_keyword = partial(_by_keyword, func, signature)
        yield "by keyword", (by_keyword, by_keyword), names
    if len(names) > 1:
        for name in names:
            yield f"with only {name} an Array", (func, partial(_if_asked, path, func)), [name]


def _signature(func: Callable[..., Any]) -> inspect.Signature | None:
    try:
        signature = inspect.signature(func)
    except ValueError:  # functions in C need not have one
        return None
    kinds = {parameter.kind for parameter in signature.parameters.values()}
    return None if inspect.Parameter.VAR_POSITIONAL in kinds else signature


def _by_keyword(func: Callable[..., Any], signature: inspect.Signature, /, *args: Any, **kwargs: Any) -> Any:
    """Pass what can be passed by name by name."""
    positional = []
    for parameter, value in zip(signature.parameters.values(), args, strict=False):
        if parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
            positional.append(value)
        else:
            kwargs[parameter.name] = value
    return func(*positional, **kwargs)


def _if_asked(path: str, func: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Make the call if NumPy asks the Array in it; else it is not in NumPy's way to tell."""
    try:
        func(*_probed(args, path), **_probed(kwargs, path))
    except _Seen:
        return func(*args, **kwargs)
    except Exception:  # noqa: BLE001  # whatever NumPy says of the probe
        pass
    raise _NotAsked


class _NotAsked(Exception):  # noqa: N818
    """NumPy does not ask the only Array of the call."""


def _probed(value: Any, path: str) -> Any:
    if isinstance(value, trnarray.Array):
        return _Probe(path)
    if type(value) is dict:
        return {key: _probed(item, path) for key, item in value.items()}
    return type(value)(_probed(item, path) for item in value) if type(value) in (list, tuple) else value


def _check(path: str, code: CodeType, calls: _Calls, dtype: np.dtype[Any], ours: list[str], device: Device) -> None:
    convert: dict[str, Any] = defaultdict(lambda: _same)
    want = _run(code, calls[0], dtype, convert)
    convert.update(dict.fromkeys(ours, partial(trnarray.asarray, device=device)))
    got = _run(code, calls[1], dtype, convert)
    if isinstance(got.error, _NotAsked):
        return
    if type(got.error) is not type(want.error):
        compare_errors(got.error, want.error)
    if want.error is not None:
        return
    kind = RETURNS[path]
    compare(_told(got.result, path), _told(want.result, path), _ROUNDOFFS.get(path, 0), plain=kind in _PLAIN, given=got.given)
    if not is_kind(got.result, kind) and not any(got.result is operand for operand in got.given):
        raise Mismatch(f"the result is a {type(got.result).__name__}, and the table of functions says: {kind}")
    for index, (array, wanted) in enumerate(zip(got.given, want.given, strict=True)):
        plain = not isinstance(array, trnarray.Array)
        compare(array, wanted, _ROUNDOFFS.get(path, 0), plain=plain, where=f"operand {index} after the call")
    _compare_memory(got, want)


class _Done(NamedTuple):
    result: Any
    given: list[Any]
    error: Exception | None


def _run(code: CodeType, call: Callable[..., Any], dtype: np.dtype[Any], convert: Mapping[str, Any]) -> _Done:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return _Done(*evaluate(code, call, dtype, convert), None)
        except Exception as error:  # noqa: BLE001  # it is compared with NumPy's
            return _Done(None, [], error)


def _told(result: Any, path: str) -> Any:
    """Give what NumPy's documents tell of a result: of a text that also names type, dtype and device its numbers, of a set no order."""
    if path == "array_repr":
        return result[: result.rindex("]")].lower()
    return np.sort(result) if path == "unique_values" else result


def _same(array: Any) -> Any:
    return array


def _compare_memory(got: _Done, want: _Done) -> None:
    """Require that results are views of the operands, and the operands themselves, where NumPy's are."""
    for mine, theirs in zip(_leaves(got.result), _leaves(want.result), strict=True):
        for array, wanted in zip(got.given, want.given, strict=True):
            if isinstance(wanted, np.ndarray):
                if mine is array and theirs is not wanted:
                    raise Mismatch("the result is an operand itself, and NumPy's is not")
                shared = np.may_share_memory(host(mine), host(array))
                if shared != np.may_share_memory(theirs, wanted):
                    raise Mismatch(f"the result {'shares' if shared else 'does not share'} memory with an operand, other than NumPy's")


def _leaves(result: Any) -> Iterator[Any]:
    if isinstance(result, (trnarray.Array, np.ndarray, np.generic)):
        yield result
    elif isinstance(result, (tuple, list)):
        for item in result:
            yield from _leaves(item)


def check_refused(path: str, func: Callable[..., Any], device: Device) -> Iterator[Finding]:
    """Require that a function raises TypeError and says why."""
    array = trnarray.asarray([1.0, 2.0], device=device)
    signature = _signature(func)
    count = 2
    if signature is not None:
        count = sum(p.default is p.empty and p.kind is not p.VAR_KEYWORD for p in signature.parameters.values())
    call = f"{path}({', '.join(['x'] * count)})"
    try:
        func(*[array] * count)
    except TypeError as error:
        if REFUSED[path] not in str(error):
            yield Finding(call, f"raises {error}, which does not give the reason: {REFUSED[path]}", False)
    else:
        yield Finding(call, "gives a result, and the table says that it raises", True)
