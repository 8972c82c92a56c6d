"""Modules under NumPy's names that have trnarray's functions, and NumPy's own where trnarray has none."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from types import BuiltinFunctionType, ModuleType
from typing import Any, Final

__all__ = ["Swapped", "swapped"]

_PAIRS: Final = {
    "numpy": "trnarray",
    "numpy.fft": "trnarray.fft",
    "numpy.linalg": "trnarray.linalg",
    "numpy.random": "trnarray.random",
    "numpy.testing": "trnarray.testing",
    "numpy.lib": "trnarray.lib",
    "numpy.lib.stride_tricks": "trnarray.lib.stride_tricks",
}
# What NumPy imports when it is asked for is not to be imported while the modules are swapped.
_LAZY: Final = ("numpy.char", "numpy.ctypeslib", "numpy.f2py", "numpy.lib.recfunctions", "numpy.ma", "numpy.polynomial", "numpy.rec")


class Swapped(ModuleType):
    """
    A module of NumPy's with trnarray's names in it.

    Parameters
    ----------
    theirs : str
        The full name of NumPy's module.
    ours : str
        The full name of trnarray's.

    Examples
    --------
    >>> np = Swapped("numpy", "trnarray")
    >>> np.asarray(1.5), np.exceptions.AxisError.__module__
    (Array(1.5, dtype=float64, device='cpu'), 'numpy.exceptions')
    """

    def __init__(self, theirs: str, ours: str) -> None:
        super().__init__(theirs)
        self._theirs: Final = importlib.import_module(theirs)
        module = importlib.import_module(ours)
        for name in ("__file__", "__path__", "__spec__", "__version__"):
            if hasattr(self._theirs, name):
                setattr(self, name, getattr(self._theirs, name))
        for name in dir(module):
            value = getattr(module, name)
            if not name.startswith("_") and hasattr(self._theirs, name) and not isinstance(value, ModuleType):
                # What is a function in C there is no method of a class that it is an attribute of.
                setattr(self, name, partial(value) if isinstance(getattr(self._theirs, name), BuiltinFunctionType) else value)

    def __getattr__(self, name: str) -> Any:
        return _modules().get(f"{self.__name__}.{name}") or getattr(self._theirs, name)


_made: dict[str, Swapped] = {}


def _modules() -> dict[str, Swapped]:
    if not _made:
        for name in _LAZY:
            importlib.import_module(name)
        _made.update({theirs: Swapped(theirs, ours) for theirs, ours in _PAIRS.items()})
    return _made


@contextmanager
def swapped() -> Iterator[None]:
    """
    Have imports of NumPy give the swapped modules.

    Yields
    ------
    None
        While it is so.
    """
    before = {name: sys.modules[name] for name in _modules()}
    sys.modules.update(_modules())
    try:
        yield
    finally:
        sys.modules.update(before)
