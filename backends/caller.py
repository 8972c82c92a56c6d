"""The caller: which line of whose code called trnarray."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from types import FrameType, FunctionType
from typing import Any, Final, Self, final

__all__ = ["Caller", "call_from_there", "find_called", "find_caller", "is_within"]

_BACKENDS: Final = os.path.dirname(os.path.abspath(__file__))
_PACKAGE: Final = os.path.dirname(_BACKENDS)
# The package's own code. In a clone this folder is also reached as what the symlink trnarray/backends points to.
_OWN: Final = (_PACKAGE + os.sep, os.path.realpath(_BACKENDS) + os.sep)
# The conformance suites lie inside the package, but they use it as its callers do.
_GUEST: Final = os.path.join(_PACKAGE, "conformance") + os.sep


@final
class Caller(str):
    """
    A place in a program, ``"file:line"``.

    Parameters
    ----------
    filename : str
        The file.
    lineno : int
        The line.
    module : str
        Name of the module.

    Examples
    --------
    >>> from trnarray.backends.caller import Caller
    >>> Caller("fit.py", 3, "fit")
    'fit.py:3'
    """

    __slots__ = ("filename", "lineno", "module")

    filename: str
    lineno: int
    module: str

    def __new__(cls, filename: str, lineno: int, module: str) -> Self:
        """Join the file and the line."""
        self = str.__new__(cls, f"{filename}:{lineno}")
        self.filename, self.lineno, self.module = filename, lineno, module
        return self

    def __reduce__(self) -> tuple[type[Caller], tuple[str, int, str]]:
        """Pickle and copy by its parts."""
        return Caller, (self.filename, self.lineno, self.module)


def find_caller(skip: tuple[str, ...] = ()) -> Caller:
    """
    Find the innermost frame that is not trnarray's own.

    Examples
    --------
    >>> from trnarray.backends.caller import find_caller
    >>> find_caller().module == __name__
    True
    """
    first: FrameType | None = None
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        filename = frame.f_code.co_filename
        if not filename.startswith(_OWN) or filename.startswith(_GUEST):
            if not skip:
                return _caller(frame, _module(frame))
            first = first or frame
            module = _module(frame)
            if is_within(module, skip):
                module = _wrapped_module(frame, skip)
            if module:
                return _caller(frame, module)
        frame = frame.f_back
    return Caller("<unknown>", 0, "") if first is None else _caller(first, _module(first))


def call_from_there(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """
    Call another library's function from the line of the innermost frame that is not trnarray's own.

    The warnings of such a function name the line that called it, by the file and the line of a frame, and are filtered by its module:
    the function is called from a frame that has those of the user's.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_OWN) and not frame.f_code.co_filename.startswith(_GUEST):
        frame = frame.f_back
    if frame is None:
        return function(*args, **kwargs)
    name = frame.f_code.co_name
    code = _call.__code__.replace(co_filename=frame.f_code.co_filename, co_firstlineno=frame.f_lineno, co_name=name, co_qualname=name)
    there = FunctionType(code, frame.f_globals)
    del frame
    return there(function, args, kwargs)


# The call is on the first line of its code, which is the only line that warnings and tracebacks see.
_call: Final = lambda function, args, kwargs: function(*args, **kwargs)  # noqa: E731


def find_called(packages: tuple[str, ...]) -> str:
    """Find the function of other libraries that a user called, and that called trnarray in turn."""
    outermost: FrameType | None = None
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        filename = frame.f_code.co_filename
        if not filename.startswith(_OWN) or filename.startswith(_GUEST):
            if not is_within(_module(frame), packages):
                break
            outermost = frame
        frame = frame.f_back
    if outermost is None:
        return ""
    code, variables = outermost.f_code, outermost.f_locals
    candidates = [(_module(outermost), code.co_qualname)]
    if code.co_name == "__init__":  # perhaps a base's
        made = type(variables[code.co_varnames[0]])
        candidates.insert(0, (made.__module__, made.__qualname__))
    for name in code.co_freevars:  # where it is a decorator's wrapper
        value = variables.get(name)
        if isinstance(value, FunctionType) and is_within(value.__module__, packages):
            candidates.append((value.__module__, value.__qualname__))
    return next((found for module, function in candidates if (found := _public_name(module, function))), "")


def _public_name(module: str, function: str) -> str:
    """Find the module that users import a function or a class from; an empty string if there is none."""
    first = function.removesuffix(".__init__")
    package = module.partition("._")[0]
    while package and not first.startswith("_") and "<" not in first:
        if hasattr(sys.modules.get(package), first.partition(".")[0]):
            return f"{package}.{first}"
        package = package.rpartition(".")[0]
    return ""


def is_within(module: str, packages: tuple[str, ...]) -> bool:
    """
    Tell whether a module is one of some packages or inside one.

    Examples
    --------
    >>> from trnarray.backends.caller import is_within
    >>> is_within("scipy.linalg._basic", ("scipy.linalg",)), is_within("scipyx", ("scipy",))
    (True, False)
    """
    return f"{module}.".startswith(_prefixes(packages))


@functools.cache
def _prefixes(packages: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{name}." for name in packages)


def _caller(frame: FrameType, module: str) -> Caller:
    return Caller(frame.f_code.co_filename, frame.f_lineno, module)


def _module(frame: FrameType) -> str:
    name: str = frame.f_globals.get("__name__", "<unknown>")
    return name


def _wrapped_module(frame: FrameType, skip: tuple[str, ...]) -> str:
    """Return the module of the function that a decorator's wrapper calls, an empty string if that is skipped too.

    Most of scipy.linalg's functions convert in a wrapper of scipy._lib, before any frame of scipy.linalg exists.
    """
    for name in frame.f_code.co_freevars:
        value = frame.f_locals.get(name)
        if isinstance(value, FunctionType) and not is_within(value.__module__, skip):
            return value.__module__
    return ""
