"""A plain call of every function that is SciPy's and ours, on float64 operands of a few elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any, Final, NamedTuple

import numpy as np
import scipy.sparse

import trnarray

from ..._special_examples import EXAMPLES
from . import linalg, signal, sparse

__all__ = ["MODULES", "PlainCall", "plain_calls"]

MODULES: Final = ("linalg", "fft", "special", "signal", "sparse", "sparse.linalg")
"""The subpackages."""

_X: Final = np.arange(1.0, 9.0)
_TRANSFORMS: Final[Mapping[str, tuple[Any, ...]]] = {
    **dict.fromkeys(("fft2", "ifft2", "rfft2", "irfft2", "hfft2", "ihfft2"), (_X.reshape(2, 4),)),
    **dict.fromkeys(("fftfreq", "rfftfreq", "next_fast_len", "prev_fast_len", "set_workers"), (8,)),
    **dict.fromkeys(("fht", "ifht"), (_X, 0.1, 0.5)),
    "fhtoffset": (0.1, 0.5),
    "get_workers": (),
}
_SPECIAL: Final[Mapping[str, tuple[Any, ...]]] = {
    "multigammaln": (_X, 1),
    "polygamma": (1, _X),
    "zeta": (_X + 1,),
}


class PlainCall(NamedTuple):
    """
    A call of SciPy's function and the same of ours.

    Attributes
    ----------
    name : str
        As ``"linalg.inv"``.
    theirs, ours : callable
        The functions.
    operands, arrays : tuple
        What the one and the other takes.
    options, named : mapping
        What the one and the other takes by name.
    """

    name: str
    theirs: Callable[..., Any]
    ours: Callable[..., Any]
    operands: tuple[Any, ...]
    arrays: tuple[Any, ...]
    options: Mapping[str, Any]
    named: Mapping[str, Any]


def plain_calls(module: str) -> Iterator[PlainCall]:
    """
    List a call of each function of a subpackage.

    Examples
    --------
    >>> call = next(plain_calls("fft"))
    >>> call.name, call.ours(*call.arrays).shape
    ('fft.dct', (8,))
    """
    if module == "sparse":
        for name, (function, operands) in sparse.CALLS.items():
            yield PlainCall(f"sparse.{name}", function, function, operands, _arrays(operands), {}, {})
        for made, (name, operands, options) in sparse.FUNCTIONS.items():
            yield from _function_call(module, name, made, operands, options)
    elif module == "sparse.linalg":
        for name, (operands, options) in sparse.LINEAR_ALGEBRA.items():
            yield from _function_call(module, name, name, operands, options)
    else:
        namespace = import_module(f"trnarray.scipy.{module}")
        for name in namespace.__all__:
            if not isinstance(getattr(namespace, name), type):
                yield from _function_call(module, name, name, *_call(module, name))


def _function_call(
    module: str, name: str, made: str, operands: tuple[Any, ...], options: Mapping[str, Any]
) -> Iterator[PlainCall]:
    """Give the call, if this SciPy has the function."""
    theirs, ours = import_module(f"scipy.{module}"), import_module(f"trnarray.scipy.{module}")
    if hasattr(theirs, name):
        arrays, named = _arrays(operands), {key: _arrays(value) for key, value in options.items()}
        yield PlainCall(f"{module}.{made}", getattr(theirs, name), getattr(ours, name), operands, arrays, options, named)


def _call(module: str, name: str) -> tuple[tuple[Any, ...], Mapping[str, Any]]:
    if module == "linalg":
        return linalg.OPERANDS.get(name, (linalg.S,)), {}
    if module == "signal":
        return signal.CALLS[name][0]
    if module == "special" and name in EXAMPLES:
        return eval(f"({EXAMPLES[name][0]},)", {"xp": np}), {}  # noqa: S307  # our own examples
    return (_SPECIAL if module == "special" else _TRANSFORMS).get(name, (_X,)), {}


def _arrays(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return type(value)(map(_arrays, value))
    if scipy.sparse.issparse(value):
        return getattr(import_module("trnarray.scipy.sparse"), f"{value.format}_array")(value)
    return trnarray.asarray(value) if isinstance(value, np.ndarray) else value
