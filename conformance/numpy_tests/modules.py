"""Modules under the names of other libraries' that have our functions, and their own where we have none."""

from __future__ import annotations

import builtins
import importlib
from collections.abc import Callable, Mapping
from functools import cache, partial
from types import BuiltinFunctionType, ModuleType
from typing import Any, Final

__all__ = ["Modules", "Swapped", "importing", "numpy_modules"]

_PAIRS: Final = {
    "numpy": "trnarray",
    "numpy.fft": "trnarray.fft",
    "numpy.linalg": "trnarray.linalg",
    "numpy.random": "trnarray.random",
    "numpy.testing": "trnarray.testing",
    "numpy.lib": "trnarray.lib",
    "numpy.lib.stride_tricks": "trnarray.lib.stride_tricks",
}


class Modules(dict[str, ModuleType]):
    """
    Swapped modules by their full names.

    Attributes
    ----------
    instead : dict
        From a library's functions and classes to those that have their places: a private module below a swapped one has them, too.

    Examples
    --------
    >>> import json
    >>> modules = Modules()
    >>> modules["json"] = Swapped("json", {}, modules)
    >>> modules.instead[json.JSONDecoder] = "ours"
    >>> modules.find(json.decoder).JSONDecoder, modules.find(json.scanner) is json.scanner
    ('ours', True)
    """

    def __init__(self) -> None:
        super().__init__()
        self.instead: Final[dict[Any, Any]] = {}

    def find(self, module: ModuleType) -> ModuleType:
        """Give what stands for a module."""
        name = module.__name__
        if name not in self and self.instead and any(name.startswith(f"{above}.") for above in self):
            ours = {id(value): one for value, one in self.instead.items()}
            swapped = {each: ours[id(value)] for each, value in vars(module).items() if id(value) in ours}
            if swapped:
                self[name] = Swapped(name, swapped, self)
        return self.get(name, module)


class Swapped(ModuleType):
    """
    A module of another library with other names in it.

    Parameters
    ----------
    theirs : str
        The full name of the library's module.
    names : mapping
        What to have in it under these names.
    modules : mapping
        From full names to swapped modules, among them those that this one has as attributes.

    Examples
    --------
    >>> math = Swapped("math", {"pi": 3}, {})
    >>> math.pi, math.tau
    (3, 6.283185307179586)
    """

    def __init__(self, theirs: str, names: Mapping[str, Any], modules: Mapping[str, ModuleType]) -> None:
        super().__init__(theirs)
        self._theirs: Final = importlib.import_module(theirs)
        self._modules: Final = modules
        for name in ("__file__", "__path__", "__spec__", "__version__"):
            if hasattr(self._theirs, name):
                setattr(self, name, getattr(self._theirs, name))
        for name, value in names.items():
            setattr(self, name, value)

    def __getattr__(self, name: str) -> Any:
        return self._modules.get(f"{self.__name__}.{name}") or getattr(self._theirs, name)


@cache
def numpy_modules() -> Modules:
    """
    Give the modules under NumPy's names that have trnarray's functions.

    Examples
    --------
    >>> np = numpy_modules()["numpy"]
    >>> np.asarray(1.5), np.exceptions.AxisError.__module__
    (Array(1.5, dtype=float64, device='cpu'), 'numpy.exceptions')
    """
    modules = Modules()
    for theirs, ours in _PAIRS.items():
        modules[theirs] = Swapped(theirs, _names(importlib.import_module(theirs), importlib.import_module(ours)), modules)
    return modules


def _names(theirs: ModuleType, ours: ModuleType) -> dict[str, Any]:
    names = {}
    for name in dir(ours):
        value = getattr(ours, name)
        if not name.startswith("_") and hasattr(theirs, name) and not isinstance(value, ModuleType):
            # What is a function in C there is no method of a class that it is an attribute of.
            names[name] = partial(value) if isinstance(getattr(theirs, name), BuiltinFunctionType) else value
    return names


def importing(modules: Modules) -> Callable[..., ModuleType]:
    """
    Give what stands for ``__import__`` in the code that is to find swapped modules, and in no other.

    Examples
    --------
    >>> modules = Modules()
    >>> modules["math"] = Swapped("math", {"pi": 3}, modules)
    >>> names = {"__builtins__": {"__import__": importing(modules)}}
    >>> exec("from math import pi, tau", names)
    >>> names["pi"], names["tau"]
    (3, 6.283185307179586)
    """

    def import_(name: str, *where: Any, **by_name: Any) -> ModuleType:
        return modules.find(builtins.__import__(name, *where, **by_name))

    return import_
