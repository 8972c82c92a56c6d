"""The caller: which line of whose code called trnarray."""

from __future__ import annotations

import os
import sys
from types import FrameType
from typing import Final, Self, final

__all__ = ["Caller", "find_caller", "is_within"]

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

    Parameters
    ----------
    skip : tuple of str, optional
        Packages and modules whose frames are passed over as well, such as ``("numpy", "scipy._lib")``, unless nothing
        else is on the stack.

    Returns
    -------
    Caller
        The place, as ``"file:line"``, with the name of its module.

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
                return _caller(frame)
            first = first or frame
            if not is_within(frame.f_globals.get("__name__", ""), skip):
                return _caller(frame)
        frame = frame.f_back
    return Caller("<unknown>", 0, "") if first is None else _caller(first)


def is_within(module: str, packages: tuple[str, ...]) -> bool:
    """
    Tell whether a module is one of some packages or inside one.

    Parameters
    ----------
    module : str
        Full name of the module.
    packages : tuple of str
        Names of packages or modules.

    Returns
    -------
    bool
        True if it is.

    Examples
    --------
    >>> from trnarray.backends.caller import is_within
    >>> is_within("scipy.linalg._basic", ("scipy.linalg",)), is_within("scipyx", ("scipy",))
    (True, False)
    """
    return module in packages or module.startswith(tuple(f"{name}." for name in packages))


def _caller(frame: FrameType) -> Caller:
    return Caller(frame.f_code.co_filename, frame.f_lineno, frame.f_globals.get("__name__", ""))
