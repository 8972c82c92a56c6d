"""A plain call of every function that is SciPy's and ours, on float64 operands of a few elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any, Final, NamedTuple

import numpy as np
import scipy.sparse

import trnarray

from ..._special_examples import EXAMPLES
from ...scipy.sparse import csr_array
from . import linalg, signal, sparse

__all__ = ["MODULES", "PlainCall", "plain_calls"]

MODULES: Final = ("linalg", "fft", "special", "signal", "sparse")
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
    options : mapping
        What both take by name.
    """

    name: str
    theirs: Callable[..., Any]
    ours: Callable[..., Any]
    operands: tuple[Any, ...]
    arrays: tuple[Any, ...]
    options: Mapping[str, Any]


def plain_calls(module: str) -> Iterator[PlainCall]:
    """
    List a call of each function of a subpackage.

    Parameters
    ----------
    module : str
        One of `MODULES`.

    Yields
    ------
    PlainCall
        For each public function that this SciPy has; of sparse arrays for what is done with them most.

    Examples
    --------
    >>> call = next(plain_calls("fft"))
    >>> call.name, call.ours(*call.arrays).shape
    ('fft.dct', (8,))
    """
    if module == "sparse":
        for name, (function, operands) in sparse.CALLS.items():
            yield PlainCall(f"sparse.{name}", function, function, operands, _arrays(operands), {})
        return
    theirs, ours = import_module(f"scipy.{module}"), import_module(f"trnarray.scipy.{module}")
    for name in ours.__all__:
        function = getattr(ours, name)
        if hasattr(theirs, name) and not isinstance(function, type):
            operands, options = _call(module, name)
            yield PlainCall(f"{module}.{name}", getattr(theirs, name), function, operands, _arrays(operands), options)


def _call(module: str, name: str) -> tuple[tuple[Any, ...], Mapping[str, Any]]:
    if module == "linalg":
        return linalg.OPERANDS.get(name, (linalg.S,)), {}
    if module == "signal":
        return signal.CALLS[name][0]
    if module == "special" and name in EXAMPLES:
        return eval(f"({EXAMPLES[name][0]},)", {"xp": np}), {}  # noqa: S307  # our own examples
    return (_SPECIAL if module == "special" else _TRANSFORMS).get(name, (_X,)), {}


def _arrays(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_arrays, value))
    if isinstance(value, scipy.sparse.csr_array):
        return csr_array(value)
    return trnarray.asarray(value) if isinstance(value, np.ndarray) else value
