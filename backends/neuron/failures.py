"""Errors that are found when the graph is computed, kept at nodes, and raised where a value is read."""

from __future__ import annotations

import sys
import traceback
import warnings
from copy import copy
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ..caller import Caller

__all__ = ["came_from_outside", "release_frames", "told", "warned"]

_LINES: Final = 2  # of a traceback that are kept, the innermost ones
_OURS: Final = sys.stdlib_module_names | {__name__.partition(".")[0], "numpy", "ml_dtypes"}


def came_from_outside(error: BaseException) -> bool:
    """Tell whether other code than that of the engine raised an error, as a signal handler does in the middle of it."""
    return any(frame.f_globals.get("__name__", "").partition(".")[0] not in _OURS for frame, _ in traceback.walk_tb(error.__traceback__))


def release_frames(error: BaseException) -> None:
    """Let the frames of calls go, which hold arrays that a kept error must not keep alive; notes tell where it was raised."""
    found: list[BaseException | None] = [error]
    while found:
        one = found.pop()
        if one is not None and one.__traceback__ is not None:
            one.add_note("raised at:\n" + "".join(traceback.format_tb(one.__traceback__, -_LINES)).rstrip())
            one.__traceback__ = None
            found += [one.__cause__, one.__context__]


def told(error: Exception) -> Exception:
    """Copy a kept error to raise it: the traceback of one that is raised holds the arrays of its callers."""
    try:
        again = copy(error)
    except TypeError:  # its constructor takes other arguments than it keeps
        return error
    again.__cause__, again.__suppress_context__ = error.__cause__, True
    return again


def warned(failure: Exception, caller: Caller) -> Exception | None:
    """Warn of what is a warning; give what is an error, as a warning is where filters make it one."""
    if not isinstance(failure, Warning):
        return failure
    try:
        warnings.warn_explicit(failure, None, caller.filename, caller.lineno, caller.module or None)
    except Warning as error:
        release_frames(error)
        return error
    return None
